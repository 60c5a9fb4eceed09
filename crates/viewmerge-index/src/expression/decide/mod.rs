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

use alloc::vec;
use alloc::vec::Vec;

use super::lower::Lowering;
use super::tree::Expr;
use super::{normal, write};
use crate::form::fewest::{Fewest, Problem, fewest};
use crate::form::linear::used_floors;
use crate::form::{FloorTerm, Guard, Linear};
use cases::{cases, sorted};
use lattice_point::{Halt, Meter};
use viewmerge::Error;

/// How many cases an `or` or a choice may make of a question.
const MOST_CASES: usize = 64;

/// How many cases are looked at when relations are proved.
const MOST_RELATED: usize = 8;

/// Variables with ranges, and what may be spent.
pub(super) struct Task<'a, 'm, 'l> {
    ranges: &'a [(i64, i64)],
    meter: &'m mut Meter<'l>,
    /// The choices whose parts are being simplified.
    open: Vec<Expr>,
}

/// A value and where it is defined.
pub(super) struct Answer {
    pub value: Expr,
    pub valid: Expr,
}

/// What a result is made of.
struct Used {
    choices: Vec<bool>,
    /// More than once.
    floors: Vec<bool>,
}

/// [`fewest`] within a meter.
fn settle(problem: &Problem<'_>, meter: &mut Meter<'_>) -> Result<Fewest, Error> {
    fewest(problem, meter).map_err(|halt| match halt {
        Halt::Exhausted(exhausted) => exhausted.into(),
        Halt::Overflow => problem.out_of_range(),
    })
}

impl<'a, 'm, 'l> Task<'a, 'm, 'l> {
    pub(super) fn new(ranges: &'a [(i64, i64)], meter: &'m mut Meter<'l>) -> Task<'a, 'm, 'l> {
        Task { ranges, meter, open: Vec::new() }
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
    ) -> Result<Answer, Error> {
        let nothing = || Answer { value: Expr::Number(0), valid: Expr::Always(false) };
        if holds.contains(&Expr::Always(false)) {
            return Ok(nothing());
        }
        let (comparisons, others) = sorted(holds);
        let room = value.choices() + holds.iter().map(Expr::choices).sum::<usize>();
        let mut lowering = Lowering::new(self.ranges, room);
        lowering.require(comparisons.iter().copied())?;
        if lowering.builder.nothing {
            return Ok(nothing());
        }
        let settled = if room == 0 { None } else { Some(self.settled(value, holds)?) };
        let position = lowering.linear(settled.as_ref().unwrap_or(value))?;
        let related = self.related(&mut lowering, &others)?;
        let Lowering { builder, choices: chosen, .. } = lowering;
        let said = if say { builder.guards.clone() } else { vec![] };
        let assumed = if say { vec![] } else { builder.guards.clone() };
        let found = if builder.floors.is_empty()
            && said.is_empty()
            && self.plain(&builder.known.axes)
        {
            Fewest { guards: vec![], position: Some(position), two_valued: vec![], nothing: false }
        } else {
            let problem = Problem {
                axes: &builder.known.axes,
                inputs: self.ranges.len(),
                floors: &builder.floors,
                assumed: &assumed,
                cases: &related,
                guards: said,
                position: Some(position.clone()),
                shared: false,
                fill: &|index| fill(index, self.ranges.len(), &chosen),
            };
            let mut found = settle(&problem, self.meter)?;
            // Fewer in all may be more in the value; as it was is as right.
            let count = |function: &Linear| {
                let used = used_floors(core::iter::once(function), &builder.floors);
                used.into_iter().filter(|used| *used).count()
            };
            if found.position.as_ref().is_some_and(|new| count(new) > count(&position)) {
                found.position = Some(position);
            }
            found
        };
        if found.nothing {
            return Ok(nothing());
        }
        let used = self.used(&found, &builder.floors, chosen.len());
        let trees = self.choices(&chosen, &used.choices, holds)?;
        let mut writer = write::Writer {
            variables: self.ranges.len(),
            choices: &trees,
            floors: &builder.floors,
            two_valued: &found.two_valued,
            shared: &used.floors,
        };
        let Some(position) = &found.position else { return Ok(nothing()) };
        let value = writer.value(position)?;
        // A condition may not be simplified by assuming itself.
        let trees = if say { self.choices(&chosen, &used.choices, &[])? } else { vec![] };
        writer.choices = &trees;
        let mut all = Vec::new();
        if say {
            writer.ranges(self.ranges, &builder.known.axes, &mut all);
            found.guards.iter().try_for_each(|guard| writer.guard(guard, &mut all))?;
            let plain = all.clone();
            for other in others {
                all.push(self.condition(other, &plain)?);
            }
        }
        Ok(Answer { value, valid: normal::condition(&Expr::All(all), false, self.ranges)? })
    }

    /// Whether the ranges are as they were given.
    fn plain(&self, axes: &[(i64, i64)]) -> bool {
        axes == self.ranges
    }

    /// Alternatives as guards, if they are few.
    fn related(
        &mut self,
        lowering: &mut Lowering,
        others: &[&Expr],
    ) -> Result<Vec<Vec<Guard>>, Error> {
        if others.is_empty() {
            return Ok(vec![]);
        }
        let Some(lists) = cases(others, MOST_RELATED) else { return Ok(vec![]) };
        let mut related = Vec::with_capacity(lists.len());
        for list in lists {
            let mut guards = Vec::with_capacity(list.len());
            for (a, relation, b) in list {
                guards.push(lowering.compared(a, relation, b)?);
            }
            related.push(guards);
        }
        Ok(related)
    }

    /// Which choices are part of what was found, and which floors more than once.
    fn used(&self, found: &Fewest, floors: &[FloorTerm], choices: usize) -> Used {
        let mut used = vec![false; choices];
        let mut needed = vec![0usize; floors.len()];
        let mut mark = |function: &Linear, needed: &mut [usize]| {
            for (used, &c) in used.iter_mut().zip(&function.axes[self.ranges.len()..]) {
                *used |= c != 0;
            }
            for (needed, &c) in needed.iter_mut().zip(&function.floors) {
                *needed += usize::from(c != 0);
            }
        };
        found.guards.iter().for_each(|guard| mark(&guard.function, &mut needed));
        found.position.iter().for_each(|position| mark(position, &mut needed));
        for number in (0..floors.len()).rev() {
            if needed[number] > 0 {
                mark(&floors[number].operand, &mut needed);
            }
        }
        Used { choices: used, floors: needed.iter().map(|&times| times > 1).collect() }
    }
}

/// The values of choices at an index.
fn fill(index: &mut [i128], variables: usize, chosen: &[Expr]) -> Option<()> {
    for (number, choice) in chosen.iter().enumerate() {
        index[variables + number] = choice.at(&index[..variables])?;
    }
    Some(())
}
