//! Indices that are evaluated: what they contradict needs no proof.
//!
//! A point is (1, z …), a number for every column of the engine.

use alloc::vec;
use alloc::vec::Vec;

use super::Engine;
use super::bound::{Bound, quotient, value};
use lattice_point::Halt;
use viewmerge::internal::scattered;

/// How many indices are evaluated.
const MOST_SAMPLES: usize = 40;

/// Beside how many valid indices others are evaluated.
const MOST_STARTS: usize = 6;

/// Points of an engine, one after the other.
pub(super) struct Seen {
    columns: usize,
    numbers: Vec<i128>,
}

impl Seen {
    pub(super) fn new(columns: usize) -> Seen {
        Seen { columns, numbers: Vec::with_capacity(columns * MOST_SAMPLES / 2) }
    }

    pub(super) fn push(&mut self, point: &[i128]) {
        self.numbers.extend_from_slice(point);
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &[i128]> + Clone {
        self.numbers.chunks_exact(self.columns)
    }
}

impl Engine<'_, '_, '_> {
    /// The point at an index of all axes, into a list that is used again; `None` if it is outside
    /// or has no value.
    fn point(&self, index: &mut [i128], point: &mut Vec<i128>) -> Option<()> {
        (self.problem.fill)(index)?;
        point.clear();
        point.push(1);
        for &axis in &self.share.axes {
            let (first, last) = self.problem.axes[axis];
            if index[axis] < first.into() || index[axis] > last.into() {
                return None;
            }
            point.push(index[axis]);
        }
        for (operand, divisor) in &self.defined {
            point.push(quotient(value(operand, point), *divisor));
        }
        Some(())
    }

    #[inline]
    pub(super) fn is_assumed(&self, point: &[i128]) -> bool {
        let all = |bounds: &[Bound]| bounds.iter().all(|bound| bound.admits(point));
        all(&self.assumed) && (self.cases.is_empty() || self.cases.iter().any(|case| all(case)))
    }

    /// Conditions that allow one value are relations.
    pub(super) fn note_equations(&mut self, guards: &[Bound]) {
        for bound in self.assumed.iter().chain(guards) {
            if let (Some(low), Some(high)) = (bound.low, bound.high)
                && low == high
            {
                let mut form = bound.form.clone();
                form[0] = low.saturating_neg();
                self.proved.add(form);
            }
        }
    }

    /// Whether the points that were seen leave no relation but those that are proved.
    fn is_settled(&self) -> bool {
        self.hull.equations().len() <= self.proved.rank()
    }

    /// Evaluates some indices, and searches for one if none of them is valid; whether one is.
    pub(super) fn look_around(&mut self, guards: &[Bound]) -> Result<bool, Halt> {
        let all = self.problem.axes;
        let mut index: Vec<i128> = all.iter().map(|&(first, _)| first.into()).collect();
        // Functions of axes may look at those that take no part.
        let varied: Vec<usize> = match self.problem.inputs < all.len() {
            true => (0..all.len()).collect(),
            false => self.share.axes.clone(),
        };
        let mut point: Vec<i128> = Vec::with_capacity(1 + self.base.variables);
        let mut state = 0u64;
        let (mut found, mut idle) = (false, 0);
        for sample in 0..MOST_SAMPLES {
            for &axis in &varied {
                let (first, last) = all[axis];
                let room = i128::from(last) - i128::from(first);
                let step = match sample {
                    0 => 0,
                    1 => room,
                    2 => room / 2,
                    _ => match u64::try_from(room + 1) {
                        Ok(count) => i128::from(scattered(&mut state) % count),
                        Err(_) => i128::from(scattered(&mut state)),
                    },
                };
                index[axis] = i128::from(first) + step;
            }
            if self.point(&mut index, &mut point).is_none() {
                continue;
            }
            if self.is_valid(&point, guards) {
                found = true;
                idle = if self.hull.add(&point)? { 0 } else { idle + 1 };
            }
            self.seen.push(&point);
            // Guards are needed if a point shows it, so some are looked at for them.
            let enough = if guards.is_empty() { 3 } else { 12 };
            if found && (self.is_settled() && sample > enough || idle > 8) {
                break;
            }
        }
        let anything = Bound { form: vec![0; 1 + self.base.variables], low: None, high: None };
        if !found && !self.is_nowhere(guards, &anything)? {
            for system in self.systems(guards) {
                if let Some(point) = self.search(&system)? {
                    self.learn(point)?;
                    found = true;
                    break;
                }
            }
        }
        if found && !self.is_settled() {
            self.look_beside(guards)?;
        }
        Ok(found)
    }

    /// Evaluates indices beside valid ones: a step along an axis that leaves the residues of
    /// floors alone often stays valid where few indices are. What breaks one guard alone
    /// shows that it is needed.
    fn look_beside(&mut self, guards: &[Bound]) -> Result<(), Halt> {
        let mut steps: Vec<i128> = self.defined.iter().map(|floor| floor.1).collect();
        steps.push(1);
        steps.sort_unstable();
        steps.dedup();
        let steps: Vec<i128> = steps.into_iter().flat_map(|step| [step, -step]).collect();
        let valid = self.seen.iter().filter(|point| self.is_valid(point, guards));
        let mut starts: Vec<Vec<i128>> = valid.take(MOST_STARTS).map(<[i128]>::to_vec).collect();
        let mut point: Vec<i128> = Vec::with_capacity(1 + self.base.variables);
        let mut index: Vec<i128> =
            self.problem.axes.iter().map(|&(first, _)| first.into()).collect();
        let mut next = 0;
        while next < starts.len() && next < MOST_STARTS {
            for k in 0..self.share.axes.len() {
                for &step in &steps {
                    for (&axis, &at) in self.share.axes.iter().zip(&starts[next][1..]) {
                        index[axis] = at;
                    }
                    index[self.share.axes[k]] += step;
                    if self.beside(&mut index, &mut point, guards)? {
                        starts.push(point.clone());
                        break;
                    }
                }
                if self.is_settled() {
                    return Ok(());
                }
            }
            next += 1;
        }
        Ok(())
    }

    /// Looks at an index beside a valid one: whether it is valid too, and a relation fell.
    fn beside(
        &mut self,
        index: &mut [i128],
        point: &mut Vec<i128>,
        guards: &[Bound],
    ) -> Result<bool, Halt> {
        if self.point(index, point).is_none() {
            return Ok(false);
        }
        let broken = guards.iter().filter(|guard| !guard.admits(point)).count();
        if broken > 1 || !self.is_assumed(point) {
            return Ok(false);
        }
        let fell = broken == 0 && self.hull.add(point)?;
        if fell || broken == 1 {
            self.seen.push(point);
        }
        Ok(fell)
    }

    pub(super) fn is_valid(&self, point: &[i128], guards: &[Bound]) -> bool {
        guards.iter().all(|guard| guard.admits(point)) && self.is_assumed(point)
    }

    /// Adds a valid point that a search found.
    pub(super) fn learn(&mut self, point: Vec<i128>) -> Result<(), Halt> {
        let point: Vec<i128> = core::iter::once(1).chain(point).collect();
        self.hull.add(&point)?;
        self.seen.push(&point);
        Ok(())
    }
}
