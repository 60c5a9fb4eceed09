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

use super::answer::Partial;
use super::domain::Domain;
use super::lower::Lowering;
use super::normal;
use super::tree::Expr;
use super::write::Writer;
use crate::form::fewest::{Fewest, Problem, fewest};
use crate::form::program::Program;
use crate::form::{Guard, Linear};
use cases::{Compared, cases};
use lattice_point::{Halt, Meter};
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
}

impl Task<'_, '_, '_> {
    /// That the question stays open after what was spent.
    pub(super) fn undecided(&self) -> Error {
        Error::Undecided { steps: self.meter.spent(), stopped: false }
    }

    /// A value where conditions hold, and with `say` these conditions too.
    pub(super) fn value(
        &mut self,
        value: &Expr,
        holds: &[Expr],
        say: bool,
    ) -> Result<Partial, Error> {
        let nothing = || Partial::new(Expr::Number(0), Expr::Always(false));
        if holds.contains(&Expr::Always(false)) {
            return Ok(nothing());
        }
        let (comparisons, others) = sorted(holds);
        let room = value.choices() + holds.iter().map(Expr::choices).sum::<usize>();
        let mut lowering = Lowering::new(&self.ranges, room);
        lowering.require(comparisons.iter().copied())?;
        if lowering.builder.nothing {
            return Ok(nothing());
        }
        let settled = if room == 0 { None } else { Some(self.settled(value, holds)?) };
        let position = lowering.linear(settled.as_ref().unwrap_or(value))?;
        let related = related(&mut lowering, &others)?;
        let Lowering { builder, choices: chosen, .. } = lowering;
        let mut program = Program { value: position, ..builder.program };
        let assumed = if say { vec![] } else { core::mem::take(&mut program.guards) };
        let plain = program.floors.is_empty()
            && program.guards.is_empty()
            && program.axes[..] == self.ranges[..];
        let found = if plain {
            Fewest { guards: vec![], value: program.value.clone(), two_valued: vec![] }
        } else {
            let settled = self.settle(&program, &assumed, &related, &chosen)?;
            let Some(mut found) = settled else { return Ok(nothing()) };
            // Fewer in all may be more in the value; as it was is as right.
            let count = |function: &Linear| {
                let uses = program.uses(core::iter::once(function));
                uses[program.rank()..].iter().filter(|uses| **uses > 0).count()
            };
            if count(&found.value) > count(&program.value) {
                found.value = program.value.clone();
            }
            found
        };
        let mut writer = Writer::new(&program, &found);
        writer.choices = self.choices(&chosen, &writer.uses, holds)?;
        let value = writer.value(&found.value)?;
        let mut all = Vec::new();
        if say {
            // A condition may not be simplified by assuming itself.
            writer.choices = self.choices(&chosen, &writer.uses, &[])?;
            writer.ranges(&self.ranges, &mut all)?;
            found.guards.iter().try_for_each(|guard| writer.guard(guard, &mut all))?;
            let plain = all.clone();
            for other in others {
                all.push(self.condition(other, &plain)?);
            }
        }
        Ok(Partial::new(value, normal::condition(&Expr::Join(all, true), false, &self.ranges)?))
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
    let few = || cases(&mut others.iter().copied(), MOST_RELATED);
    let lists = if others.is_empty() { None } else { few() };
    let guards = |list: Vec<Compared<'_>>| {
        list.into_iter().map(|(a, relation, b)| lowering.compared(a, relation, b)).collect()
    };
    lists.unwrap_or_default().into_iter().map(guards).collect()
}
