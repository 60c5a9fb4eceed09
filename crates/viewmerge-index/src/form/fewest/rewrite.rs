//! Position and guards with as few floors as the relations allow.

use alloc::vec;
use alloc::vec::Vec;

use super::Engine;
use super::bound::{Bound, Form, push};
use super::subsets::Subsets;
use lattice_point::Halt;
use lattice_point::Number;

/// How many sets of floors are tried.
const MOST_SUBSETS: usize = 400;

impl Engine<'_, '_, '_> {
    /// Removes floors from the position and the guards.
    pub(super) fn rewrite(
        &mut self,
        guards: &mut Vec<Bound>,
        position: &mut Option<Form>,
    ) -> Result<(), Halt> {
        let valid = guards.clone();
        // Together first.
        let mut refused: Vec<Vec<usize>> = Vec::new();
        while let Some(gone) = self.choose(guards, position.as_ref(), &[], &refused)? {
            match self.without(&gone, guards, position.as_ref(), &valid)? {
                Tried::Done(new_guards, new_position) => {
                    (*guards, *position) = (new_guards, new_position);
                    break;
                }
                Tried::Learnt => {}
                Tried::Refused => refused.push(gone),
            }
        }
        // Then the position, those floors first that the guards have no use for.
        let said = self.needed(guards.iter().map(|guard| &guard.form));
        if position.is_some() && !said.is_empty() {
            let turns = if self.problem.shared { &[&said[..], &[]][..] } else { &[&[][..]] };
            for free in turns {
                while let Some(gone) = self.choose(&[], position.as_ref(), free, &[])? {
                    if let Tried::Done(_, new) =
                        self.without(&gone, &[], position.as_ref(), &valid)?
                    {
                        *position = new;
                        break;
                    }
                }
            }
        }
        self.settle_axes(position, &valid)
    }

    /// Whether a form has an axis that is no input, and did not have it.
    fn takes_up(&self, old: &[i128], new: &[i128]) -> bool {
        let axes =
            self.share.axes.iter().enumerate().filter(|(_, axis)| **axis >= self.problem.inputs);
        axes.map(|(k, _)| k + 1).any(|column| old[column] == 0 && new[column] != 0)
    }

    /// The floors that can go, as many as can, and all that are not in use: what takes the
    /// place of a floor is made of the others that are, of free ones and of axes.
    fn choose(
        &self,
        guards: &[Bound],
        position: Option<&Form>,
        free: &[usize],
        refused: &[Vec<usize>],
    ) -> Result<Option<Vec<usize>>, Halt> {
        if self.hull.equations().is_empty() {
            return Ok(None);
        }
        let forms = || guards.iter().map(|guard| &guard.form).chain(position);
        let mut used = self.needed(forms());
        let is_idle = |column: &usize| !used.contains(column) && !free.contains(column);
        let idle: Vec<usize> = self.floor_columns().filter(is_idle).collect();
        used.retain(|column| !free.contains(column));
        let most = self.hull.clearing(&used)?.rank();
        let suits = |gone: &[usize]| -> Result<bool, Halt> {
            if refused.iter().any(|refused| refused == gone) {
                return Ok(false);
            }
            let clearing = self.hull.clearing(gone)?;
            let mut needed = vec![false; 1 + self.base.variables];
            for old in forms() {
                let mut form = old.clone();
                clearing.reduce(&mut form)?;
                if self.takes_up(old, &form) {
                    return Ok(false);
                }
                self.needs(&form, &mut needed);
            }
            Ok(gone.iter().all(|&column| !needed[column]))
        };
        let mut tried = 0;
        for size in (1..=most).rev() {
            let mut sets = Subsets::new(used.len(), size);
            while let Some(places) = sets.next() {
                tried += 1;
                if tried > MOST_SUBSETS {
                    break;
                }
                // The last floors first: they are made of others.
                let chosen = places.iter().map(|&place| used[used.len() - 1 - place]);
                let gone: Vec<usize> = chosen.chain(idle.iter().copied()).collect();
                if suits(&gone)? {
                    return Ok(Some(gone));
                }
            }
        }
        if tried > MOST_SUBSETS {
            // One after the other.
            let mut gone = idle.clone();
            for &column in used.iter().rev() {
                gone.push(column);
                if !suits(&gone)? {
                    gone.pop();
                }
            }
            return Ok((gone.len() > idle.len()).then_some(gone));
        }
        Ok(None)
    }

    /// Position and guards without these floors, if that can be proved.
    fn without(
        &mut self,
        gone: &[usize],
        guards: &[Bound],
        position: Option<&Form>,
        valid: &[Bound],
    ) -> Result<Tried, Halt> {
        let clearing = self.hull.clearing(gone)?;
        let mut new_position = None;
        if let Some(position) = position {
            let mut form = position.clone();
            clearing.reduce(&mut form)?;
            if !self.same(position, &form, valid)? {
                return Ok(Tried::Learnt);
            }
            new_position = Some(form);
        }
        let mut new_guards: Vec<Bound> = Vec::with_capacity(guards.len());
        let mut lost = vec![false; 1 + self.base.variables];
        for guard in guards {
            let mut form = guard.form.clone();
            clearing.reduce(&mut form)?;
            if form == guard.form {
                push(&mut new_guards, guard.clone())?;
                continue;
            }
            if !self.same(&guard.form, &form, valid)? {
                return Ok(Tried::Learnt);
            }
            for &column in gone {
                lost[column] |= guard.form[column] != 0;
            }
            let shift = core::mem::replace(&mut form[0], 0);
            let shifted = |end: Option<i128>| end.map(|end| end.minus(&shift)).transpose();
            let (low, high) = (shifted(guard.low)?, shifted(guard.high)?);
            push(&mut new_guards, Bound { form, low, high })?;
        }
        if lost.contains(&true) {
            // The rows that make a floor what it is, where it was part of a guard.
            let first = self.floor_columns().start;
            for &column in gone.iter().filter(|&&column| lost[column]) {
                let (operand, divisor) = self.defined[column - first].clone();
                let mut form = operand;
                form[column] = -divisor;
                let old = form.clone();
                clearing.reduce(&mut form)?;
                let whole = gone.iter().all(|&gone| form[gone] == 0);
                if whole && !self.takes_up(&old, &form) {
                    if !self.same(&old, &form, valid)? {
                        return Ok(Tried::Learnt);
                    }
                    let shift = core::mem::replace(&mut form[0], 0);
                    let (low, high) = (shift.negated()?, (divisor - 1).minus(&shift)?);
                    let (low, high) = (Some(low), Some(high));
                    push(&mut new_guards, Bound { form, low, high })?;
                }
            }
            if !self.implies(&new_guards, guards)? {
                return Ok(Tried::Refused);
            }
        }
        Ok(Tried::Done(new_guards, new_position))
    }

    /// Whether two forms are the same wherever all is valid; a point where not is added.
    fn same(&mut self, a: &Form, b: &Form, valid: &[Bound]) -> Result<bool, Halt> {
        let difference: Form =
            a.iter().zip(b).map(|(a, b)| a.minus(b)).collect::<Result<_, _>>()?;
        if self.proved.has(&difference) {
            return Ok(true);
        }
        let (constant, mut form) = (difference[0], difference.clone());
        form[0] = 0;
        // terms ≥ 1 − c, or terms ≤ −1 − c.
        let ends = [(1i128.checked_sub(constant), None), (None, (-1i128).checked_sub(constant))];
        let sides = ends.map(|(low, high)| Bound { form: form.clone(), low, high });
        let nowhere = [self.is_nowhere(valid, &sides[0])?, self.is_nowhere(valid, &sides[1])?];
        if nowhere != [true, true] {
            for system in self.systems(valid) {
                for (side, _) in sides.iter().zip(nowhere).filter(|(_, nowhere)| !nowhere) {
                    let mut beyond = system.clone();
                    beyond.rows.push(side.row());
                    if let Some(point) = self.search(&beyond)? {
                        self.learn(point)?;
                        return Ok(false);
                    }
                }
            }
        }
        self.proved.add(difference);
        Ok(true)
    }

    /// Uses relations among the axes themselves in the position: the last axes go first.
    fn settle_axes(&mut self, position: &mut Option<Form>, valid: &[Bound]) -> Result<(), Halt> {
        while let Some(form) = position {
            let axes: Vec<usize> =
                (1..=self.share.axes.len()).rev().filter(|&column| form[column] != 0).collect();
            let floors = self.floor_columns();
            // Relations without floors are what is left once the floors are cleared.
            let rest = self.hull.without(&floors.collect::<Vec<_>>())?;
            let clearing = rest.clearing(&axes)?;
            let mut new = form.clone();
            clearing.reduce(&mut new)?;
            let terms = |form: &[i128]| form[1..].iter().filter(|c| **c != 0).count();
            if new == *form || terms(&new) >= terms(form) || self.takes_up(form, &new) {
                break;
            }
            let old = form.clone();
            if self.same(&old, &new, valid)? {
                *position = Some(new);
                break;
            }
        }
        Ok(())
    }
}

/// What became of a set of floors.
enum Tried {
    Done(Vec<Bound>, Option<Form>),
    /// A relation does not hold; there is another point now.
    Learnt,
    /// The new guards would imply less.
    Refused,
}
