//! Guards while they are rewritten: put together, implied by others or not, and floors that take two
//! values.

use alloc::vec::Vec;

use super::super::linear::Linear;
use super::super::program::{Guard, Point};
use super::Engine;
use lattice_point::{Halt, Overflow};
use viewmerge::internal::{divide_up_wide, divide_wide};

impl Guard {
    /// Whether it implies another guard of the same function.
    pub(super) fn is_within(&self, other: &Guard) -> bool {
        self.function == other.function
            && other.lower.is_none_or(|lower| self.lower.is_some_and(|own| own >= lower))
            && other.upper.is_none_or(|upper| self.upper.is_some_and(|own| own <= upper))
    }

    /// The ends, missed: on the low side and on the high one.
    pub(super) fn violations(&self) -> impl Iterator<Item = Guard> {
        let below = self.lower.map(|lower| (None, Some(lower)));
        let above = self.upper.map(|upper| (Some(upper), None));
        let missed = below.into_iter().chain(above);
        missed.map(|(lower, upper)| Guard { function: self.function.clone(), lower, upper })
    }
}

/// Adds a guard in its simplest form, to the one of the same function if there is one. The constant of
/// the function goes over to the ends.
pub(super) fn push(guards: &mut Vec<Guard>, guard: Guard) -> Result<(), Overflow> {
    let Guard { mut function, lower, upper } = guard;
    let constant = i128::from(core::mem::take(&mut function.constant));
    let unit = i128::from(function.make_primitive());
    let mut low = lower.map(|lower| i128::from(lower) - constant);
    let mut high = upper.map(|upper| i128::from(upper) - 1 - constant);
    if unit < 0 {
        (low, high) = (high.map(|high| -high), low.map(|low| -low));
    }
    let by = unit.abs().max(1);
    let ends = (low.map(|low| divide_up_wide(low, by)), high.map(|high| divide_wide(high, by)));
    let guard = Guard::within(function, ends).map_err(|_| Overflow)?;
    if unit != 0 {
        guard.join(guards);
    } else if !guard.allows(0) {
        // Never; that is left to the search.
        guards.push(guard);
    }
    Ok(())
}

impl Engine<'_, '_, '_> {
    /// Whether guards imply others.
    pub(super) fn implies(&mut self, guards: &[Guard], others: &[Guard]) -> Result<bool, Halt> {
        let is_open = |other: &&Guard| !guards.iter().any(|guard| guard.is_within(other));
        let missed = others.iter().filter(is_open).flat_map(Guard::violations);
        let missed: Vec<Guard> = missed.collect();
        let shows = |point: &Point| missed.iter().any(|missed| missed.holds(point));
        if self.seen.iter().any(|point| shows(point) && self.is_valid(point, guards)) {
            return Ok(false);
        }
        for missed in &missed {
            if let Some(point) = self.find(missed, guards)? {
                self.seen.push(point);
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Leaves out the guards that others imply, those with floors and later ones first.
    pub(super) fn drop_implied(&mut self, guards: &mut Vec<Guard>) -> Result<(), Halt> {
        guards.retain(|guard| !guard.is_empty());
        let mut order: Vec<usize> = (0..guards.len()).rev().collect();
        order.sort_by_key(|&number| guards[number].function.floors().is_empty());
        for (number, above) in
            order.into_iter().flat_map(|number| [(number, false), (number, true)])
        {
            let given = guards[number].clone();
            // An equality is one comparison: remove both sides or neither.
            let one = given.only_value().is_some();
            let (lower, upper) =
                (given.lower.filter(|_| !above || one), given.upper.filter(|_| above || one));
            if lower.is_none() && upper.is_none() {
                continue;
            }
            guards[number].lower = given.lower.filter(|_| lower.is_none());
            guards[number].upper = given.upper.filter(|_| upper.is_none());
            let gone = Guard { function: given.function.clone(), lower, upper };
            if !self.implies(guards, &[gone])? {
                guards[number] = given;
            }
        }
        guards.retain(|guard| !guard.is_empty());
        Ok(())
    }

    /// The floors that take two values where they are looked at: in a guard wherever the axes
    /// and assumptions allow, in the value alone wherever it is valid.
    pub(super) fn two_valued(
        &mut self,
        guards: &[Guard],
        value: &Linear,
    ) -> Result<Vec<(usize, i64)>, Halt> {
        let functions = guards.iter().map(|guard| &guard.function);
        let asked = self.program.uses(functions.clone());
        let needed = self.program.needed(functions.chain([value]));
        let reach = self.reach();
        let mut found = Vec::new();
        for column in needed {
            let number = self.share.columns[column] - self.problem.program.rank();
            let (low, high) = self.program.floors[column - self.program.rank()].range;
            if asked[column] == 0 && high <= low.saturating_add(1) {
                found.push((number, low));
                continue;
            }
            let said = if asked[column] > 0 { &[][..] } else { guards };
            let values = self.seen.iter().filter(|point| self.is_valid(point, said));
            let values = values.map(|point| point[column]);
            let (Some(least), Some(most)) = (values.clone().min(), values.max()) else { continue };
            if most.saturating_sub(least) > 1 {
                continue;
            }
            let ends = self.widen(column, (least, most), reach[column], said)?;
            if ends.1.saturating_sub(ends.0) <= 1 {
                found.push((number, ends.0));
            }
        }
        Ok(found)
    }

    /// Bounds on every column over the ranges of the axes; those of floors saturate.
    fn reach(&self) -> Vec<(i64, i64)> {
        let mut reach = self.program.axes.to_vec();
        for floor in &self.program.floors {
            let (low, high) = floor.operand.interval(reach.iter().copied());
            let cell = |end: i128| end.div_euclid(floor.divisor.into());
            let narrow = |end: i128| end.clamp(i64::MIN.into(), i64::MAX.into()) as i64;
            reach.push((narrow(cell(low)), narrow(cell(high))));
        }
        reach
    }

    /// The least and greatest value of a column, which has bounds, among some values and those where guards hold, or
    /// what shows that there are more than two.
    fn widen(
        &mut self,
        column: usize,
        (mut least, mut most): (i64, i64),
        reach: (i64, i64),
        guards: &[Guard],
    ) -> Result<(i64, i64), Halt> {
        let function = Linear::column(column, self.program.rank());
        for above in [true, false] {
            let more = |least, most| if above { most < reach.1 } else { least > reach.0 };
            while most.saturating_sub(least) <= 1 && more(least, most) {
                let (lower, upper) =
                    if above { (Some(most + 1), None) } else { (None, Some(least)) };
                let out = Guard { function: function.clone(), lower, upper };
                let Some(value) = self.find(&out, guards)?.map(|point| point[column]) else {
                    break;
                };
                (least, most) = (least.min(value), most.max(value));
            }
        }
        Ok((least, most))
    }
}
