//! Which guards follow from others, and which floors take two values.

use alloc::vec;
use alloc::vec::Vec;

use super::Engine;
use super::bound::{Bound, Form, quotient};
use crate::form::linear::interval;
use lattice_point::Halt;

impl Engine<'_, '_, '_> {
    /// Whether guards imply others.
    pub(super) fn implies(&mut self, guards: &[Bound], others: &[Bound]) -> Result<bool, Halt> {
        let is_open = |other: &&Bound| !guards.iter().any(|guard| guard.is_within(other));
        let missed = others.iter().filter(is_open).flat_map(Bound::violations);
        let missed: Vec<Bound> = missed.collect();
        let shows = |point: &[i128]| missed.iter().any(|missed| missed.admits(point));
        if self.seen.iter().any(|point| shows(point) && self.is_valid(point, guards)) {
            return Ok(false);
        }
        for missed in &missed {
            if let Some(point) = self.find(missed, guards)? {
                self.seen.push(&point);
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// A point that meets guards, and a bound beside them: whichever is cheaper to find.
    fn find(&mut self, bound: &Bound, guards: &[Bound]) -> Result<Option<Vec<i128>>, Halt> {
        if let Some(found) = self.walked(guards, bound)? {
            return Ok(found.map(|point| point.iter().map(|&x| x.into()).collect()));
        }
        for mut system in self.systems(guards) {
            system.rows.push(bound.row());
            if let Some(point) = self.search(&system)? {
                return Ok(Some(core::iter::once(1).chain(point).collect()));
            }
        }
        Ok(None)
    }

    /// Leaves out the guards that others imply, those with floors and later ones first.
    pub(super) fn drop_implied(&mut self, guards: &mut Vec<Bound>) -> Result<(), Halt> {
        // Guards without bounds.
        guards.retain(|guard| guard.low.is_some() || guard.high.is_some());
        let mut order: Vec<(usize, bool)> = Vec::new();
        for floors in [true, false] {
            for number in (0..guards.len()).rev() {
                if self.has_floor(&guards[number].form) == floors {
                    order.extend([(number, false), (number, true)]);
                }
            }
        }
        for (number, upper) in order {
            let (low, high) = (guards[number].low, guards[number].high);
            // An equality is one comparison: remove both sides or neither.
            let one = low.is_some() && low == high;
            let given = Bound {
                low: low.filter(|_| !upper || one),
                high: high.filter(|_| upper || one),
                form: guards[number].form.clone(),
            };
            if given.low.is_none() && given.high.is_none() {
                continue;
            }
            guards[number].low = low.filter(|_| given.low.is_none());
            guards[number].high = high.filter(|_| given.high.is_none());
            if !self.implies(guards, &[given])? {
                (guards[number].low, guards[number].high) = (low, high);
            }
        }
        guards.retain(|guard| guard.low.is_some() || guard.high.is_some());
        Ok(())
    }

    /// The floors that take two values where they are looked at: in a guard wherever the axes
    /// and assumptions allow, in the position alone wherever it is valid.
    pub(super) fn two_valued(
        &mut self,
        guards: &[Bound],
        position: Option<&Form>,
    ) -> Result<Vec<(usize, i64)>, Halt> {
        let mut asked = vec![false; 1 + self.base.variables];
        guards.iter().for_each(|guard| self.needs(&guard.form, &mut asked));
        let mut needed = asked.clone();
        position.iter().for_each(|form| self.needs(form, &mut needed));
        let reach = self.reach();
        let mut found = Vec::new();
        for column in self.floor_columns().filter(|&column| needed[column]) {
            let number = self.share.floors[column - self.floor_columns().start];
            let (low, high) = self.problem.floors[number].range;
            if !asked[column] && high <= low.saturating_add(1) {
                found.push((number, low));
                continue;
            }
            let said = if asked[column] { &[][..] } else { guards };
            let values = self.seen.iter().filter(|point| self.is_valid(point, said));
            let values = values.map(|point| point[column]);
            let (Some(least), Some(most)) = (values.clone().min(), values.max()) else { continue };
            if most - least > 1 {
                continue;
            }
            let ends = self.widen(column, (least, most), reach[column], said)?;
            if ends.1 - ends.0 <= 1
                && let Ok(low) = i64::try_from(ends.0)
            {
                found.push((number, low));
            }
        }
        Ok(found)
    }

    /// Bounds on every column over the ranges of the axes.
    fn reach(&self) -> Vec<(i128, i128)> {
        let mut reach = vec![(1, 1)];
        let axes = self.share.axes.iter().map(|&axis| self.problem.axes[axis]);
        reach.extend(axes.map(|(first, last)| (i128::from(first), i128::from(last))));
        for (operand, divisor) in &self.defined {
            let terms = operand.iter().copied().zip(reach.iter().copied());
            let (low, high) = interval(terms.filter(|(c, _)| *c != 0));
            reach.push((quotient(low, *divisor), quotient(high, *divisor)));
        }
        reach
    }

    /// The least and greatest value of a column, which has bounds, among some values and those where guards hold, or
    /// what shows that there are more than two.
    fn widen(
        &mut self,
        column: usize,
        (mut least, mut most): (i128, i128),
        reach: (i128, i128),
        guards: &[Bound],
    ) -> Result<(i128, i128), Halt> {
        let mut form = vec![0; 1 + self.base.variables];
        form[column] = 1;
        for upper in [true, false] {
            while most - least <= 1 && if upper { most < reach.1 } else { least > reach.0 } {
                let (low, high) =
                    if upper { (Some(most + 1), None) } else { (None, Some(least - 1)) };
                let out = Bound { form: form.clone(), low, high };
                let Some(value) = self.find(&out, guards)?.map(|point| point[column]) else {
                    break;
                };
                (least, most) = (least.min(value), most.max(value));
            }
        }
        Ok((least, most))
    }
}
