//! Exact linear programming: rows with bounds, free variables.
//!
//! The rows are low ≤ a·y ≤ high with integer a and y free rationals. A vertex
//! is kept as a choice of rows that sit at one of their ends (*tight* rows);
//! every other row, and every variable, is a combination of the tight ones:
//!
//! ```text
//! row_i = (Σ_j t_ij · tight_j) / den_i
//! ```
//!
//! with integers t_ij and den_i > 0 that have no common factor, so numbers stay
//! as small as they can. There are as many tight rows as variables, few; a
//! pivot changes one of them. [`Tableau::make_feasible`] repairs one violated
//! row after the other; [`Tableau::maximize`] climbs. Both come with the
//! multipliers that prove what they say: which ends of which rows, how often.
//!
//! Example: for 0 ≤ y₀ ≤ 3 and 0 ≤ y₀ − 2y₁ ≤ 1 the largest y₁ is 3/2, because
//! 2·y₁ = y₀ − (y₀ − 2y₁) ≤ 3 − 0.
//!
//! Cost: a pivot takes rows × variables products. Ties are broken by number, so
//! it ends. Overflow policy: as in [`super::number`].

use alloc::vec::Vec;
use core::cmp::Ordering;

use crate::limit::{Halt, Meter};
use crate::number::{Number, Overflow};
use crate::row::{Row, Side};
use crate::vector::{add_multiple, common_divisor, dot};

/// Ends of rows with multipliers above 0.
pub(super) type Multiples<N> = Vec<(usize, Side, N)>;

/// A largest value, as a fraction with a denominator above 0, and why it is not exceeded:
/// the multiples of the rows' ends add up to `den`·(the form) ≤ `num`.
pub(super) struct Largest<N> {
    pub num: N,
    pub den: N,
    pub because: Multiples<N>,
}

/// A vertex of the rows.
pub(super) struct Tableau<'a, N> {
    /// The rows; names from there on are variables. A row without ends is only followed.
    rows: Vec<&'a Row<N>>,
    /// The names of the tight rows, and the values they sit at.
    tight: Vec<usize>,
    at: Vec<N>,
    /// The names of the others, their combinations, denominators and numerators.
    slack: Vec<usize>,
    combination: Vec<N>,
    den: Vec<N>,
    num: Vec<N>,
}

impl<'a, N: Number> Tableau<'a, N> {
    /// A vertex of the rows over `width` variables; multiples that add up to 0 ≥ 1 if there is none.
    pub(super) fn vertex(
        width: usize,
        rows: impl Iterator<Item = &'a Row<N>>,
        meter: &Meter<'_>,
    ) -> Result<Result<Tableau<'a, N>, Multiples<N>>, Halt> {
        let rows: Vec<&Row<N>> = rows.collect();
        let count = rows.len();
        let mut tableau = Tableau {
            rows,
            tight: (count..count + width).collect(),
            at: vec![N::ZERO; width],
            slack: (0..count).collect(),
            combination: Vec::with_capacity(count * width),
            den: vec![N::ONE; count],
            num: vec![N::ZERO; count],
        };
        for row in &tableau.rows {
            tableau.combination.extend_from_slice(&row.form);
        }
        for column in 0..width {
            tableau.tighten_some(column)?;
        }
        tableau.evaluate()?;
        Ok(tableau.make_feasible(meter)?.map(|()| tableau))
    }

    /// An end of a row; variables have none.
    fn end(&self, name: usize, side: Side) -> Option<&N> {
        self.rows.get(name)?.end(side)
    }

    fn width(&self) -> usize {
        self.tight.len()
    }

    fn row(&self, slack: usize) -> &[N] {
        &self.combination[slack * self.width()..(slack + 1) * self.width()]
    }

    /// Makes some row tight in place of a variable; a variable in no row stays at 0.
    fn tighten_some(&mut self, column: usize) -> Result<(), Overflow> {
        let rows = self.slack.iter().enumerate().filter_map(|(slack, &name)| {
            let end = self.end(name, Side::Low).or_else(|| self.end(name, Side::High))?;
            let entry = &self.row(slack)[column];
            (!entry.is_zero()).then_some((slack, end, entry))
        });
        let smallest = rows.min_by_key(|(.., entry)| entry.absolute().ok());
        let Some((slack, end, _)) = smallest else { return Ok(()) };
        let value = end.clone();
        self.pivot(slack, column, value)
    }

    /// The slack row becomes tight at `value`, the tight one of that column becomes slack.
    fn pivot(&mut self, slack: usize, column: usize, value: N) -> Result<(), Overflow> {
        let width = self.width();
        // tight_c = (den·row − Σ_{j≠c} t_j·tight_j) / t_c, with t_c made positive.
        let mut expressed: Vec<N> = self.row(slack).to_vec();
        let mut den = core::mem::replace(&mut expressed[column], self.den[slack].clone());
        if den.is_negative() {
            den = den.negated()?;
            expressed[column] = expressed[column].negated()?;
        } else {
            for (j, entry) in expressed.iter_mut().enumerate() {
                if j != column && !entry.is_zero() {
                    *entry = entry.negated()?;
                }
            }
        }
        reduce(&mut expressed, &mut den)?;
        for other in 0..self.slack.len() {
            let row = &mut self.combination[other * width..(other + 1) * width];
            if other == slack || row[column].is_zero() {
                continue;
            }
            let factor = core::mem::replace(&mut row[column], N::ZERO);
            if den != N::ONE {
                for entry in row.iter_mut().filter(|entry| !entry.is_zero()) {
                    *entry = entry.times(&den)?;
                }
                self.den[other] = self.den[other].times(&den)?;
            }
            add_multiple(row, &factor, &expressed)?;
            reduce(row, &mut self.den[other])?;
        }
        self.combination[slack * width..(slack + 1) * width].clone_from_slice(&expressed);
        self.den[slack] = den;
        core::mem::swap(&mut self.slack[slack], &mut self.tight[column]);
        self.at[column] = value;
        Ok(())
    }

    /// Computes the values of all that is not tight.
    fn evaluate(&mut self) -> Result<(), Overflow> {
        for slack in 0..self.slack.len() {
            self.num[slack] = dot(self.row(slack), &self.at)?;
        }
        Ok(())
    }

    /// Whether a slack row is outside its bounds, and on which side.
    fn violated(&self, slack: usize) -> Result<Option<Side>, Overflow> {
        let (name, num, den) = (self.slack[slack], &self.num[slack], &self.den[slack]);
        for (side, beyond) in [(Side::Low, Ordering::Less), (Side::High, Ordering::Greater)] {
            if let Some(end) = self.end(name, side)
                && num.cmp(&end.times(den)?) == beyond
            {
                return Ok(Some(side));
            }
        }
        Ok(None)
    }

    /// Whether the tight row of a column may move towards an end.
    fn may_move(&self, column: usize, towards: Side) -> bool {
        self.end(self.tight[column], towards).is_none_or(|end| self.at[column] != *end)
    }

    /// Makes a slack row tight at one of its ends, in place of the tight row of a column.
    fn tighten(&mut self, slack: usize, column: usize, side: Side) -> Result<(), Overflow> {
        let value = self.end(self.slack[slack], side).cloned().unwrap_or(N::ZERO);
        self.pivot(slack, column, value)?;
        self.evaluate()
    }

    /// Moves to a vertex within all bounds; the multiples add up to 0 ≥ 1 if there is none.
    fn make_feasible(&mut self, meter: &Meter<'_>) -> Result<Result<(), Multiples<N>>, Halt> {
        loop {
            meter.look()?;
            let mut worst: Option<(usize, Side)> = None;
            for slack in 0..self.slack.len() {
                if worst.is_none_or(|(known, _)| self.slack[slack] < self.slack[known])
                    && let Some(side) = self.violated(slack)?
                {
                    worst = Some((slack, side));
                }
            }
            let Some((slack, side)) = worst else { return Ok(Ok(())) };
            // The row must move away from the end that it is beyond.
            let helps = |column: &usize| {
                let entry = &self.row(slack)[*column];
                !entry.is_zero() && self.may_move(*column, side.opposite().times(entry))
            };
            let column = (0..self.width()).filter(helps).min_by_key(|&c| self.tight[c]);
            let Some(column) = column else {
                let mut because = self.multiples(slack, side.opposite())?;
                because.push((self.slack[slack], side, self.den[slack].clone()));
                return Ok(Err(because));
            };
            self.tighten(slack, column, side)?;
        }
    }

    /// The ends that bound a combination of tight rows on a side.
    fn multiples(&self, slack: usize, side: Side) -> Result<Multiples<N>, Overflow> {
        let mut because = Multiples::with_capacity(self.width());
        for (entry, &name) in self.row(slack).iter().zip(&self.tight) {
            if !entry.is_zero() {
                because.push((name, side.times(entry), entry.absolute()?));
            }
        }
        Ok(because)
    }

    /// Climbs, from a vertex within all bounds, to the largest (or smallest)
    /// value of a row without ends or a variable; `None` if it is unbounded.
    ///
    /// Of a smallest value the negative is returned, as the largest of −form.
    pub(super) fn maximize(
        &mut self,
        name: usize,
        side: Side,
        meter: &Meter<'_>,
    ) -> Result<Option<Largest<N>>, Halt> {
        /// Steps after which ties are broken by number, which always ends.
        const PATIENCE: usize = 40;
        let Some(target) = self.slack.iter().position(|&slack| slack == name) else {
            return Ok(None);
        };
        for step in 0.. {
            meter.look()?;
            let row = self.row(target);
            let open = (0..self.width())
                .filter(|&c| !row[c].is_zero() && self.may_move(c, side.times(&row[c])));
            let column = match step < PATIENCE {
                // The first of the largest.
                true => open.rev().max_by_key(|&c| row[c].absolute().ok()),
                false => open.min_by_key(|&c| self.tight[c]),
            };
            let Some(column) = column else {
                let (num, den) = (&self.num[target], self.den[target].clone());
                let num = if side == Side::Low { num.negated()? } else { num.clone() };
                return Ok(Some(Largest { num, den, because: self.multiples(target, side)? }));
            };
            let towards = side.times(&self.row(target)[column]);
            if !self.advance(column, towards)? {
                return Ok(None);
            }
        }
        Ok(None)
    }

    /// Moves a tight row to its other end, or until a row stops it; returns whether anything does.
    fn advance(&mut self, column: usize, towards: Side) -> Result<bool, Overflow> {
        // The shortest way, as a fraction, and which slack row ends it there.
        let mut shortest: Option<(N, N, usize, Side)> = None;
        for slack in 0..self.slack.len() {
            let (name, entry) = (self.slack[slack], &self.row(slack)[column]);
            if entry.is_zero() {
                continue;
            }
            let side = towards.times(entry);
            let Some(end) = self.end(name, side) else { continue };
            let distance = end.times(&self.den[slack])?.minus(&self.num[slack])?.absolute()?;
            let speed = entry.absolute()?;
            let nearer = match &shortest {
                None => true,
                Some((best, best_speed, known, _)) => {
                    let (this, other) = (distance.times(best_speed)?, best.times(&speed)?);
                    this < other || this == other && name < self.slack[*known]
                }
            };
            if nearer {
                shortest = Some((distance, speed, slack, side));
            }
        }
        let own = |side| self.end(self.tight[column], side);
        if let (Some(low), Some(high)) = (own(Side::Low), own(Side::High)) {
            let room = high.minus(low)?;
            let first = match &shortest {
                None => true,
                Some((distance, speed, ..)) => room.times(speed)? <= *distance,
            };
            if first {
                self.at[column] = if towards == Side::High { high.clone() } else { low.clone() };
                self.evaluate()?;
                return Ok(true);
            }
        }
        let Some((_, _, slack, side)) = shortest else { return Ok(false) };
        self.tighten(slack, column, side)?;
        Ok(true)
    }

    /// The value of a variable at the vertex, as a fraction.
    pub(super) fn variable(&self, number: usize) -> (N, N) {
        let name = self.variable_name(number);
        match self.slack.iter().position(|&slack| slack == name) {
            Some(slack) => (self.num[slack].clone(), self.den[slack].clone()),
            // A variable in no row.
            None => (N::ZERO, N::ONE),
        }
    }

    /// The name under which a variable is maximized.
    pub(super) fn variable_name(&self, number: usize) -> usize {
        self.rows.len() + number
    }
}

/// Divides a combination and its denominator by what they have in common.
fn reduce<N: Number>(row: &mut [N], den: &mut N) -> Result<(), Overflow> {
    let common = common_divisor(den.clone(), row)?;
    if common == N::ONE {
        return Ok(());
    }
    for entry in row.iter_mut() {
        *entry = entry.divided_down(&common);
    }
    *den = den.divided_down(&common);
    Ok(())
}
