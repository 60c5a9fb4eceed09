//! Simplifying values and conditions, and telling whether conditions can hold.
//!
//! A value is lowered with what holds and rewritten with the fewest floors
//! ([`crate::form::fewest`]). A conjunction is rewritten as a whole, with the fewest
//! floors and guards. The parts of a disjunction are simplified one by one; a part that cannot hold, or that
//! the others cover, is dropped; if they cover everything, the condition is true.
//!
//! Whether conditions can hold together is asked by cases: every `or` and every choice splits in
//! two, at most [`MOST_CASES`] times in all.
//!
//! | step | where |
//! |---|---|
//! | a value | here |
//! | `min`, `max` and choices in it | `choices.rs` |
//! | conditions | `conditions.rs` |
//! | whether some can hold, and where a value is extreme | `possible.rs` |
//! | conditions as lists of comparisons | `cases.rs` |
//!
//! Cost: that of the searches; a condition with n alternatives asks n + 1 questions.

mod cases;
mod choices;
mod conditions;
mod possible;

pub(super) use cases::sorted;
pub(super) use possible::narrowed;

use alloc::vec::Vec;

use super::domain::Domain;
use super::lower::Lowering;
use super::tree::Expr;
use super::write::Writer;
use crate::form::Guard;
use crate::form::fewest::{Fewest, Problem, fewest};
use crate::form::program::Program;
use cases::cases;
use lattice_point::{Exhausted, Halt, Meter};
use viewmerge::Error;

/// How many cases an `or` or a choice may make of a question.
const MOST_CASES: usize = 64;

/// How many cases are looked at when relations are proved.
const MOST_RELATED: usize = 8;

/// A domain that is asked about, and what may be spent.
pub(super) struct Task<'d, 'm, 'l> {
    pub domain: &'d Domain,
    /// Where the variables are looked at, with ends: where the domain has them, as they are there.
    pub ranges: Vec<(i64, i64)>,
    pub meter: &'m mut Meter<'l>,
    /// The choices whose parts are being simplified.
    open: Vec<Expr>,
}

impl<'d, 'm, 'l> Task<'d, 'm, 'l> {
    pub(super) fn new(domain: &'d Domain, meter: &'m mut Meter<'l>) -> Task<'d, 'm, 'l> {
        Task { domain, ranges: domain.ranges.clone(), meter, open: Vec::new() }
    }

    /// That the question stays open after what was spent.
    pub(super) fn undecided(&self) -> Error {
        Exhausted { steps: self.meter.spent(), stopped: false }.into()
    }

    /// A value and conditions that are asked for, where others are given. The value holds where all of
    /// them do; without one the conditions alone are rewritten.
    pub(super) fn rewritten(
        &mut self,
        value: Option<&Expr>,
        asked: &[Expr],
        given: &[Expr],
    ) -> Result<(Expr, Expr), Error> {
        let never = (Expr::Number(0), Expr::Always(false));
        let (stated, others) = sorted(asked);
        let (known, beside) = sorted(given);
        let fails = |conditions: &[&Expr]| conditions.contains(&&Expr::Always(false));
        if fails(&others) || value.is_some() && fails(&beside) {
            return Ok(never);
        }
        let room = value.into_iter().chain(asked).chain(given).map(Expr::choices).sum();
        let mut lowering = Lowering::new(&self.ranges, room);
        lowering.require(&known)?;
        if lowering.builder.nothing {
            return Ok((Expr::Number(0), Expr::Always(true)));
        }
        let mut related = match value {
            // What is asked may not be used.
            None => self::related(&mut lowering, &beside)?,
            Some(_) => vec![],
        };
        let mut before = lowering.builder.program.axes.clone();
        let assumed = core::mem::take(&mut lowering.builder.program.guards);
        lowering.require(&stated)?;
        if lowering.builder.nothing {
            return Ok(never);
        }
        let all = [given, asked].concat();
        if let Some(value) = value {
            let settled = if room == 0 { None } else { Some(self.settled(value, &all)?) };
            lowering.builder.program.value = lowering.linear(settled.as_ref().unwrap_or(value))?;
            related = self::related(&mut lowering, &[&beside[..], &others].concat())?;
        }
        let Lowering { builder, choices: chosen, .. } = lowering;
        let mut program = builder.program;
        // Choices have a range only now.
        let variables = self.ranges.len();
        before[variables..].copy_from_slice(&program.axes[variables..]);
        if value.is_none() {
            // Ranges that conditions made narrower are guards before the others.
            program.guards.splice(..0, Guard::of_ranges(&before, &program.axes));
            program.axes = before.clone();
        }
        let is_plain = program.floors.is_empty() && program.axes[..] == self.ranges[..];
        let found = if program.guards.is_empty() && (value.is_none() || is_plain) {
            Fewest { guards: vec![], value: program.value.clone(), two_valued: vec![] }
        } else {
            let settled = self.settle(&program, &assumed, &related, &chosen)?;
            let Some(mut found) = settled else { return Ok(never) };
            // Fewer in all may be more in the value; as it was is as right.
            let count = |function| program.needed(core::iter::once(function)).len();
            if count(&found.value) > count(&program.value) {
                found.value = program.value.clone();
            }
            found
        };
        let mut writer = Writer::new(&program, &found);
        let mut tree = Expr::Number(0);
        if value.is_some() {
            writer.choices = self.choices(&chosen, &writer.uses, &all)?;
            tree = writer.value(&found.value)?;
        }
        let mut said = Vec::new();
        if !asked.is_empty() {
            // A condition may not be simplified by assuming itself.
            writer.choices = self.choices(&chosen, &writer.uses, given)?;
            writer.ranges(&before[..variables], &mut said)?;
            found.guards.iter().try_for_each(|guard| writer.guard(guard, &mut said))?;
        }
        let inside = [given, &said].concat();
        for other in others {
            match self.condition(other, &inside)? {
                Expr::Always(true) => {}
                Expr::Always(false) => return Ok((tree, Expr::Always(false))),
                other => said.push(other),
            }
        }
        Ok((tree, Expr::join(said, true)))
    }

    /// A program with the fewest floors and guards; `None` if nothing is valid.
    fn settle(
        &mut self,
        program: &Program,
        assumed: &[Guard],
        cases: &[Vec<Guard>],
        chosen: &[Expr],
    ) -> Result<Option<Fewest>, Error> {
        let fill = |index: &mut [i64]| {
            for (axis, choice) in (self.ranges.len()..).zip(chosen) {
                index[axis] = i64::try_from(choice.at(index)?).ok()?;
            }
            Some(())
        };
        let problem = Problem { program, assumed, cases, shared: false, fill: &fill };
        fewest(&problem, self.meter).map_err(|halt| match halt {
            Halt::Exhausted(exhausted) => exhausted.into(),
            Halt::Overflow => problem.out_of_range(),
        })
    }
}

/// Alternatives as guards, if they are few.
fn related(lowering: &mut Lowering, others: &[&Expr]) -> Result<Vec<Vec<Guard>>, Error> {
    if others.is_empty() {
        return Ok(vec![]);
    }
    let lists = cases(&mut others.iter().copied(), MOST_RELATED);
    let guards = |list: Vec<&Expr>| list.into_iter().map(|one| lowering.compared(one)).collect();
    lists.unwrap_or_default().into_iter().map(guards).collect()
}
