//! Value and guards with as few floors as the relations allow.

use alloc::vec::Vec;

use super::super::linear::Linear;
use super::super::program::Guard;
use super::Engine;
use super::guards::push;
use lattice_point::{Halt, Overflow};

/// How many sets of floors are tried.
const MOST_SUBSETS: usize = 400;

impl Engine<'_, '_, '_> {
    /// Removes floors from the value and the guards.
    pub(super) fn rewrite(
        &mut self,
        guards: &mut Vec<Guard>,
        value: &mut Linear,
    ) -> Result<(), Halt> {
        let valid = guards.clone();
        // Together first.
        self.remove(guards, value, &[], &valid)?;
        // Then the value, those floors first that the guards have no use for.
        let said = self.program.needed(guards.iter().map(|guard| &guard.function));
        if !said.is_empty() {
            let turns = if self.problem.shared { &[&said[..], &[]][..] } else { &[&[][..]] };
            for free in turns {
                self.remove(&mut vec![], value, free, &valid)?;
            }
        }
        self.settle_axes(value, &valid)
    }

    /// Removes floors from guards and value together, as many as can go; free ones may stay.
    fn remove(
        &mut self,
        guards: &mut Vec<Guard>,
        value: &mut Linear,
        free: &[usize],
        valid: &[Guard],
    ) -> Result<(), Halt> {
        let mut refused: Vec<Vec<usize>> = Vec::new();
        while let Some(gone) = self.choose(guards, value, free, &refused)? {
            match self.without(&gone, guards, value, valid)? {
                Tried::Done(new_guards, new_value) => {
                    (*guards, *value) = (new_guards, new_value);
                    break;
                }
                Tried::Learnt => {}
                Tried::Refused => refused.push(gone),
            }
        }
        Ok(())
    }

    /// Whether a function has an axis that is no input, and did not have it.
    fn takes_up(&self, old: &Linear, new: &Linear) -> bool {
        let mut axes = self.program.inputs..self.program.rank();
        axes.any(|axis| old.term(axis) == 0 && new.term(axis) != 0)
    }

    /// The floors that can go, as many as can, and all that are not in use: what takes the
    /// place of a floor is made of the others that are, of free ones and of axes.
    fn choose(
        &self,
        guards: &[Guard],
        value: &Linear,
        free: &[usize],
        refused: &[Vec<usize>],
    ) -> Result<Option<Vec<usize>>, Halt> {
        if self.hull.equations().is_empty() {
            return Ok(None);
        }
        let functions = || guards.iter().map(|guard| &guard.function).chain([value]);
        let mut used = self.program.needed(functions());
        let is_idle = |column: &usize| !used.contains(column) && !free.contains(column);
        let idle: Vec<usize> = self.floor_columns().filter(is_idle).collect();
        used.retain(|column| !free.contains(column));
        let most = self.clearing(&self.hull, &used)?.rank();
        let suits = |gone: &[usize]| -> Result<bool, Halt> {
            if refused.iter().any(|refused| refused == gone) {
                return Ok(false);
            }
            let clearing = self.clearing(&self.hull, gone)?;
            let mut reduced = Vec::with_capacity(guards.len() + 1);
            for old in functions() {
                let new = self.reduced(old, &clearing)?;
                if self.takes_up(old, &new) {
                    return Ok(false);
                }
                reduced.push(new);
            }
            let needed = self.program.needed(reduced.iter());
            Ok(!gone.iter().any(|column| needed.contains(column)))
        };
        // The last floors first: they are made of others.
        used.reverse();
        let mut sets = (1..=most).rev().flat_map(|size| subsets(used.len(), size));
        for places in sets.by_ref().take(MOST_SUBSETS) {
            let chosen = places.iter().map(|&place| used[place]);
            let gone: Vec<usize> = chosen.chain(idle.iter().copied()).collect();
            if suits(&gone)? {
                return Ok(Some(gone));
            }
        }
        if sets.next().is_none() {
            return Ok(None);
        }
        // One after the other.
        let mut gone = idle.clone();
        for &column in &used {
            gone.push(column);
            if !suits(&gone)? {
                gone.pop();
            }
        }
        Ok((gone.len() > idle.len()).then_some(gone))
    }

    /// Value and guards without these floors, if that can be proved.
    fn without(
        &mut self,
        gone: &[usize],
        guards: &[Guard],
        value: &Linear,
        valid: &[Guard],
    ) -> Result<Tried, Halt> {
        let clearing = self.clearing(&self.hull, gone)?;
        let new_value = self.reduced(value, &clearing)?;
        if !self.same(value, &new_value, valid)? {
            return Ok(Tried::Learnt);
        }
        let mut new_guards: Vec<Guard> = Vec::with_capacity(guards.len());
        for guard in guards {
            let function = self.reduced(&guard.function, &clearing)?;
            if function != guard.function && !self.same(&guard.function, &function, valid)? {
                return Ok(Tried::Learnt);
            }
            push(&mut new_guards, Guard { function, ..guard.clone() })?;
        }
        let said = |column: &&usize| guards.iter().any(|guard| guard.function.term(**column) != 0);
        let lost: Vec<usize> = gone.iter().filter(said).copied().collect();
        // The rows that make a floor what it is, where it was part of a guard.
        for &column in &lost {
            let residue = self.program.floors[column - self.program.rank()].residue(column);
            let function = self.reduced(&residue.function, &clearing)?;
            let whole = gone.iter().all(|&gone| function.term(gone) == 0);
            if whole && !self.takes_up(&residue.function, &function) {
                if !self.same(&residue.function, &function, valid)? {
                    return Ok(Tried::Learnt);
                }
                push(&mut new_guards, Guard { function, ..residue })?;
            }
        }
        if !lost.is_empty() && !self.implies(&new_guards, guards)? {
            return Ok(Tried::Refused);
        }
        Ok(Tried::Done(new_guards, new_value))
    }

    /// Whether two functions are the same wherever all is valid; a point where not is added.
    fn same(&mut self, a: &Linear, b: &Linear, valid: &[Guard]) -> Result<bool, Halt> {
        let mut function = a.plus(b, -1).ok_or(Overflow)?;
        let relation = function.vector(self.program.columns());
        if self.proved.contains(&relation) == Ok(true) {
            return Ok(true);
        }
        let zero = core::mem::take(&mut function.constant).checked_neg().ok_or(Overflow)?;
        let (low, past) = (Some(zero), Some(zero.checked_add(1).ok_or(Overflow)?));
        let within = |lower, upper| Guard { function: function.clone(), lower, upper };
        if !self.is_everywhere(valid, &within(low, past))? {
            for half in [within(None, past), within(low, None)] {
                let known = self.is_everywhere(valid, &half)?;
                for side in half.violations().filter(|_| !known) {
                    if let Some(point) = self.search(valid.iter().chain([&side]))? {
                        self.learn(point)?;
                        return Ok(false);
                    }
                }
            }
        }
        let _ = self.proved.insert(&relation);
        Ok(true)
    }

    /// Uses relations among the axes themselves in the value: the last axes go first.
    fn settle_axes(&mut self, value: &mut Linear, valid: &[Guard]) -> Result<(), Halt> {
        loop {
            let axes = (0..self.program.rank()).rev().filter(|&axis| value.term(axis) != 0);
            let axes: Vec<usize> = axes.collect();
            let floors = self.floor_columns().map(|column| column + 1);
            // Relations without floors are what is left once the floors are cleared.
            let rest = self.hull.without(&floors.collect::<Vec<_>>())?;
            let new = self.reduced(value, &self.clearing(&rest, &axes)?)?;
            let fewer = new.columns().count() < value.columns().count();
            if new == *value || !fewer || self.takes_up(value, &new) {
                return Ok(());
            }
            if self.same(value, &new, valid)? {
                *value = new;
                return Ok(());
            }
        }
    }
}

/// The subsets of 0 … count − 1 of a size, in order.
fn subsets(count: usize, size: usize) -> impl Iterator<Item = Vec<usize>> {
    core::iter::successors((size <= count).then(|| (0..size).collect()), move |now: &Vec<usize>| {
        let place = (0..size).rev().find(|&k| now[k] < count - size + k)?;
        let moved = (now[place] + 1..).take(size - place);
        Some(now[..place].iter().copied().chain(moved).collect())
    })
}

/// What became of a set of floors.
enum Tried {
    Done(Vec<Guard>, Linear),
    /// A relation does not hold; there is another point now.
    Learnt,
    /// The new guards would imply less.
    Refused,
}
