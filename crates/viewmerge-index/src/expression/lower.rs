//! From trees to linear functions of variables and floors.
//!
//! The builder of forms ([`crate::form::build`]) does it: a floor that its ranges show to be affine
//! is not made at all, equal floors are shared, nested ones become one. `min`, `max` and choices that
//! are not settled by ranges become variables of their own behind the others, with what is
//! known of them: `min(a, b)` is at most a and at most b.
//!
//! Running example: `(4*i + j) // 8` with j from 0 to 3 is ⌊i/2⌋.

use alloc::vec::Vec;

use super::choice;
use super::open::{NO_FIRST, NO_LAST};
use super::tree::{Expr, Part};
use crate::form::Guard;
use crate::form::build::Builder;
use crate::form::linear::{Linear, narrow};
use crate::form::program::Program;
use viewmerge::Error;

/// A tree on its way to linear functions.
pub(super) struct Lowering {
    pub builder: Builder,
    /// The choices that are variables of their own; their numbers follow those of the variables.
    pub choices: Vec<Expr>,
    /// The ranges of these as they were found.
    found: Vec<(i64, i64)>,
    /// The ranges of the variables as they were given.
    given: Vec<(i64, i64)>,
}

/// Whether a tree neither divides nor chooses.
fn is_plain(value: &Expr) -> bool {
    value.count(|node| node.is_choice() || matches!(node, Expr::Divide(..))) == 0
}

/// A bound beyond this counts as absent; products of two numbers of 64 bits are within it.
const FAR: i128 = 1 << 126;

/// Bounds on an expression wherever the variables are in their ranges; the least and the greatest
/// `i128` stand for none.
pub(crate) fn interval(expr: &Expr, ranges: &[(i64, i64)]) -> (i128, i128) {
    let of = |one: &Expr| interval(one, ranges);
    let join = |all: &[Expr], how: fn(i128, i128) -> i128| {
        let all = all.iter().map(of);
        all.reduce(|a, b| (how(a.0, b.0), how(a.1, b.1))).unwrap_or((0, 0))
    };
    match expr {
        Expr::Number(number) => ((*number).into(), (*number).into()),
        Expr::Variable(variable) => {
            let (first, last) = ranges[*variable];
            (
                if first == NO_FIRST { i128::MIN } else { first.into() },
                if last == NO_LAST { i128::MAX } else { last.into() },
            )
        }
        Expr::Sum(_) | Expr::Multiply(..) => {
            let terms = expr.terms().unwrap_or_default();
            terms.into_iter().fold((0i128, 0i128), |sum, (times, one)| {
                let (low, high) = of(one);
                let ends = (low.saturating_mul(times), high.saturating_mul(times));
                let (low, high) = (ends.0.min(ends.1), ends.0.max(ends.1));
                (
                    if sum.0.min(low) <= -FAR { i128::MIN } else { sum.0.saturating_add(low) },
                    if sum.1.max(high) >= FAR { i128::MAX } else { sum.1.saturating_add(high) },
                )
            })
        }
        Expr::Divide(ab, _, part, _) => {
            let ((low, high), (by, _)) = (of(&ab[0]), of(&ab[1]));
            let by = by.max(1);
            let cells = (
                if low <= -FAR { i128::MIN } else { low.div_euclid(by) },
                if high >= FAR { i128::MAX } else { high.div_euclid(by) },
            );
            match part {
                Part::Quotient => cells,
                Part::Remainder if cells.0 == cells.1 => (low - cells.0 * by, high - cells.0 * by),
                Part::Remainder => (0, by - 1),
            }
        }
        Expr::Extreme(all, least) => join(all, if *least { i128::min } else { i128::max }),
        Expr::Where(parts) => {
            let (a, b) = (of(&parts[1]), of(&parts[2]));
            (a.0.min(b.0), a.1.max(b.1))
        }
        _ => (0, 1),
    }
}

impl Lowering {
    /// Over variables with these ranges, and room for some choices.
    pub(super) fn new(ranges: &[(i64, i64)], choices: usize) -> Lowering {
        let all = ranges.iter().copied().chain(core::iter::repeat_n((0, 0), choices));
        let program = Program::over(all.collect(), ranges.len());
        Lowering {
            builder: Builder::new(program),
            choices: Vec::new(),
            found: Vec::new(),
            given: ranges.to_vec(),
        }
    }

    fn rank(&self) -> usize {
        self.builder.program.rank()
    }

    /// A value as a linear function.
    pub(super) fn linear(&mut self, value: &Expr) -> Result<Linear, Error> {
        match value {
            Expr::Number(number) => Ok(Linear::always(*number, self.rank())),
            Expr::Variable(variable) => Ok(Linear::column(*variable, self.rank())),
            Expr::Divide(ab, _, part, _) => {
                let [a, Expr::Number(divisor)] = &**ab else {
                    return Err(Error::NotLinear { what: "a divisor that varies" });
                };
                let operand = self.linear(a)?;
                let floor = self.builder.floor(&operand, *divisor)?;
                match part {
                    Part::Quotient => Ok(floor),
                    Part::Remainder => operand.remainder(*divisor, &floor),
                }
            }
            Expr::Extreme(all, least) => self.extreme(value, all, *least),
            Expr::Where(parts) => {
                let (yes, no) = (self.linear(&parts[1])?, self.linear(&parts[2])?);
                if yes == no { Ok(yes) } else { self.choice(value) }
            }
            Expr::Sum(_) | Expr::Multiply(..) => self.sum(value, None),
            _ => Err(Error::NotLinear { what: "a condition among numbers" }),
        }
    }

    /// The difference of two values, or one alone.
    fn sum(&mut self, value: &Expr, less: Option<&Expr>) -> Result<Linear, Error> {
        let mut parts = Vec::new();
        for (sign, value) in [(1, Some(value)), (-1, less)] {
            for (times, one) in value.map_or(Ok(vec![]), Expr::terms)? {
                parts.push((sign * times, self.linear(one)?));
            }
        }
        Linear::sum(0, self.rank(), parts.iter().map(|(times, part)| (*times, part)))
    }

    /// The least or greatest of some values.
    fn extreme(&mut self, value: &Expr, all: &[Expr], least: bool) -> Result<Linear, Error> {
        let mut left: Vec<Linear> = Vec::with_capacity(all.len());
        for one in all {
            let function = self.linear(one)?;
            if !left.contains(&function) {
                left.push(function);
            }
        }
        choice::keep_needed(&mut left, |other, one| {
            let range = other.plus(one, -1).map(|difference| self.builder.range(&difference));
            Ok::<_, Error>(
                range.is_some_and(|(low, high)| if least { high <= 0 } else { low >= 0 }),
            )
        })?;
        if left.len() == 1 {
            return Ok(left.remove(0));
        }
        let before = self.choices.len();
        let choice = self.choice(value)?;
        if self.choices.len() > before {
            for one in &left {
                let Some(function) = choice.plus(one, -1) else { continue };
                let (low, high) = self.builder.range(&function);
                let (low, high) = if least { (low, 0) } else { (0, high) };
                if let (Ok(low), Ok(high)) = (i64::try_from(low), i64::try_from(high)) {
                    self.builder.relations.push(Guard::known(function, low, high));
                }
            }
        }
        Ok(choice)
    }

    /// A variable that stands for a choice. Its range holds wherever the variables are in
    /// theirs, whatever else is required: conditions are stated beside it, not by it.
    fn choice(&mut self, value: &Expr) -> Result<Linear, Error> {
        let known = self.choices.iter().position(|choice| choice == value);
        let axis = self.given.len() + known.unwrap_or(self.choices.len());
        if known.is_none() {
            let (low, high) = interval(value, &self.given);
            let range = (narrow(low)?, narrow(high)?);
            self.builder.program.axes[axis] = range;
            self.found.push(range);
            self.choices.push(value.clone());
        }
        Ok(Linear::column(axis, self.rank()))
    }

    /// A comparison as a function that lies between two ends.
    pub(super) fn compared(&mut self, comparison: &Expr) -> Result<Guard, Error> {
        match comparison {
            // `Unequal` is two comparisons by now.
            Expr::Compare(ab, relation) => {
                Guard::within(self.sum(&ab[0], Some(&ab[1]))?, relation.bounds())
            }
            _ => Err(Error::NotLinear { what: "a condition among numbers" }),
        }
    }

    /// Requires comparisons, those that divide nothing first.
    pub(super) fn require(&mut self, comparisons: &[&Expr]) -> Result<(), Error> {
        for plain in [true, false] {
            for one in comparisons {
                if is_plain(one) != plain || self.builder.nothing {
                    continue;
                }
                let Guard { function, lower, upper } = self.compared(one)?;
                const FAR: i128 = 1 << 120;
                let (low, past) = (lower.map_or(-FAR, i128::from), upper.map_or(FAR, i128::from));
                self.builder.require(function, low, past)?;
            }
        }
        self.say_choices();
        Ok(())
    }

    /// What is required of a choice alone narrows its range; it is a guard, as the
    /// range itself is no input.
    fn say_choices(&mut self) {
        for (axis, &own) in (self.given.len()..).zip(&self.found) {
            let program = &mut self.builder.program;
            let rank = program.rank();
            let now = core::mem::replace(&mut program.axes[axis], own);
            if now != own {
                program.guards.push(Guard::on_axis(axis, rank, own, now));
            }
        }
    }
}
