//! Indices that are evaluated: what they contradict needs no proof.

use alloc::vec::Vec;

use super::Engine;
use super::bound::{Bound, quotient, value};
use lattice_point::Halt;
use viewmerge::internal::scattered;

/// How many indices are evaluated.
const MOST_SAMPLES: usize = 40;

/// Beside how many valid indices others are evaluated.
const MOST_STARTS: usize = 6;

impl Engine<'_, '_, '_> {
    /// The point (1, z …) at an index of all axes; `None` if it is outside or has no value.
    pub(super) fn point(&self, index: &mut [i128]) -> Option<Vec<i128>> {
        (self.problem.fill)(index)?;
        let mut point = Vec::with_capacity(1 + self.base.variables);
        point.push(1);
        for &axis in &self.share.axes {
            let (first, last) = self.problem.axes[axis];
            if index[axis] < first.into() || index[axis] > last.into() {
                return None;
            }
            point.push(index[axis]);
        }
        self.add_floors(&mut point);
        Some(point)
    }

    fn add_floors(&self, point: &mut Vec<i128>) {
        for (operand, divisor) in &self.defined {
            point.push(quotient(value(operand, point), *divisor));
        }
    }

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
                    _ => i128::from(scattered(&mut state)) % (room + 1),
                };
                index[axis] = i128::from(first) + step;
            }
            let Some(point) = self.point(&mut index) else { continue };
            if self.is_valid(&point, guards) {
                found = true;
                idle = if self.hull.add(&point)? { 0 } else { idle + 1 };
            }
            self.seen.push(point);
            // Guards are needed if a point shows it, so some are looked at for them.
            let enough = if guards.is_empty() { 3 } else { 12 };
            if found && (self.is_settled() && sample > enough || idle > 8) {
                break;
            }
        }
        if !found {
            for system in self.valid(guards).systems {
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
        let mut starts = self.seen.clone();
        starts.retain(|point| self.is_valid(point, guards));
        let mut next = 0;
        while next < starts.len() && next < MOST_STARTS {
            let start = starts[next].clone();
            for k in 0..self.share.axes.len() {
                for &step in &steps {
                    if let Some(point) = self.beside(&start, k, step, guards)? {
                        starts.push(point);
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

    /// Looks at the index a step along an axis away from a point; the point there if it is valid
    /// and a relation fell.
    fn beside(
        &mut self,
        start: &[i128],
        axis: usize,
        step: i128,
        guards: &[Bound],
    ) -> Result<Option<Vec<i128>>, Halt> {
        let mut index: Vec<i128> =
            self.problem.axes.iter().map(|&(first, _)| first.into()).collect();
        for (&axis, &at) in self.share.axes.iter().zip(&start[1..]) {
            index[axis] = at;
        }
        index[self.share.axes[axis]] += step;
        let Some(point) = self.point(&mut index) else { return Ok(None) };
        let broken = guards.iter().filter(|guard| !guard.admits(&point)).count();
        if broken > 1 || !self.is_assumed(&point) {
            return Ok(None);
        }
        if broken == 1 {
            self.seen.push(point);
            return Ok(None);
        }
        if !self.hull.add(&point)? {
            return Ok(None);
        }
        self.seen.push(point.clone());
        Ok(Some(point))
    }

    pub(super) fn is_valid(&self, point: &[i128], guards: &[Bound]) -> bool {
        guards.iter().all(|guard| guard.admits(point)) && self.is_assumed(point)
    }

    /// Adds a valid point that a search found.
    pub(super) fn learn(&mut self, point: Vec<i128>) -> Result<(), Halt> {
        let point: Vec<i128> = core::iter::once(1).chain(point).collect();
        self.hull.add(&point)?;
        self.seen.push(point);
        Ok(())
    }

    /// Whether a point that was seen meets guards, and a bound beside them.
    pub(super) fn is_shown(&self, bound: &Bound, guards: &[Bound]) -> bool {
        self.seen.iter().any(|point| {
            bound.admits(point)
                && guards.iter().all(|guard| guard.admits(point))
                && self.is_assumed(point)
        })
    }
}
