//! Which guards follow from others, and which floors take two values.

use alloc::vec;
use alloc::vec::Vec;

use super::Engine;
use super::bound::{Bound, Form};
use lattice_point::Halt;
use lattice_point::{Row, System};

impl Engine<'_, '_, '_> {
    /// Whether guards imply others.
    pub(super) fn implies(&mut self, guards: &[Bound], others: &[Bound]) -> Result<bool, Halt> {
        let is_open = |other: &&Bound| !guards.iter().any(|guard| guard.is_within(other));
        let missed = others.iter().filter(is_open).flat_map(Bound::violations);
        let missed: Vec<Bound> = missed.collect();
        if missed.iter().any(|missed| self.is_shown(missed, guards)) {
            return Ok(false);
        }
        for missed in &missed {
            if self.is_found(missed, guards)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Searches for a point that meets guards, and a bound beside them.
    fn is_found(&mut self, bound: &Bound, guards: &[Bound]) -> Result<bool, Halt> {
        if self.is_nowhere(guards, core::slice::from_ref(bound)) {
            return Ok(false);
        }
        for mut system in self.valid(guards).systems {
            system.rows.push(bound.row());
            if let Some(point) = self.search(&system)? {
                self.seen.push(core::iter::once(1).chain(point).collect());
                return Ok(true);
            }
        }
        Ok(false)
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
            let mut others = guards.clone();
            let own = &mut others[number];
            // An equality is one comparison: remove both sides or neither.
            let one = low.is_some() && low == high;
            if upper || one {
                own.high = None;
            }
            if !upper || one {
                own.low = None;
            }
            let given = Bound {
                low: low.filter(|_| !upper || one),
                high: high.filter(|_| upper || one),
                form: own.form.clone(),
            };
            if self.implies(&others, &[given])? {
                *guards = others;
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
        let mut found = Vec::new();
        for column in self.floor_columns().filter(|&column| needed[column]) {
            let number = self.share.floors[column - self.floor_columns().start];
            let (low, high) = self.problem.floors[number].range;
            if !asked[column] && high <= low.saturating_add(1) {
                found.push((number, low));
                continue;
            }
            let said = if asked[column] { &[][..] } else { guards };
            let valid = |point: &&Vec<i128>| {
                self.is_assumed(point) && said.iter().all(|guard| guard.admits(point))
            };
            let values = self.seen.iter().filter(valid).map(|point| point[column]);
            let (Some(least), Some(most)) = (values.clone().min(), values.max()) else { continue };
            if most - least > 1 {
                continue;
            }
            let mut ends = (least, most);
            let valid = self.valid(said);
            for system in &valid.systems {
                ends = self.widen(column, ends, system, said)?;
            }
            if ends.1 - ends.0 <= 1
                && let Ok(low) = i64::try_from(ends.0)
            {
                found.push((number, low));
            }
        }
        Ok(found)
    }

    /// The least and greatest value of a column among some values and those of a system, or what
    /// shows that there are more than two.
    fn widen(
        &mut self,
        column: usize,
        (mut least, mut most): (i128, i128),
        system: &System<i128>,
        guards: &[Bound],
    ) -> Result<(i128, i128), Halt> {
        let mut form = vec![0; self.base.variables];
        form[column - 1] = 1;
        for upper in [true, false] {
            while most - least <= 1 {
                let (low, high) =
                    if upper { (Some(most + 1), None) } else { (None, Some(least - 1)) };
                let wide = core::iter::once(0).chain(form.iter().copied()).collect();
                let out = Bound { form: wide, low, high };
                if self.is_nowhere(guards, &[out]) {
                    break;
                }
                let mut beyond = system.clone();
                beyond.rows.push(Row { form: form.clone(), low, high });
                let Some(point) = self.search(&beyond)? else { break };
                let value = point[column - 1];
                (least, most) = (least.min(value), most.max(value));
            }
        }
        Ok((least, most))
    }
}
