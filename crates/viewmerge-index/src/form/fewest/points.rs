//! Indices that are evaluated: what they contradict needs no proof.

use alloc::vec::Vec;

use super::super::linear::Linear;
use super::super::program::{Guard, Point};
use super::super::samples;
use super::Engine;
use lattice_point::{Halt, Overflow};
use smallvec::SmallVec;

/// How many indices are evaluated.
const MOST_SAMPLES: usize = 40;

/// Beside how many valid indices others are evaluated.
const MOST_STARTS: usize = 6;

impl Engine<'_, '_, '_> {
    /// The point at an index of all axes; `None` if it is outside or has no value.
    fn point(&self, index: &mut [i64]) -> Option<Point> {
        (self.problem.fill)(index)?;
        let axes = &self.share.columns[..self.share.rank];
        let mut point: Point = axes.iter().map(|&axis| index[axis]).collect();
        let mut ranges = self.program.axes.iter().zip(&point);
        if !ranges.all(|(&(first, last), at)| (first..=last).contains(at)) {
            return None;
        }
        self.program.complete(&mut point)?;
        Some(point)
    }

    pub(super) fn is_assumed(&self, point: &[i64]) -> bool {
        let all = |guards: &[Guard]| guards.iter().all(|guard| guard.holds(point));
        all(&self.assumed) && (self.cases.is_empty() || self.cases.iter().any(|case| all(case)))
    }

    pub(super) fn is_valid(&self, point: &[i64], guards: &[Guard]) -> bool {
        guards.iter().all(|guard| guard.holds(point)) && self.is_assumed(point)
    }

    /// Conditions that allow one value are relations.
    pub(super) fn note_equations(&mut self, guards: &[Guard]) {
        for guard in self.assumed.iter().chain(guards) {
            if let Some(value) = guard.only_value() {
                let mut relation = guard.function.vector(self.program.columns());
                relation[0] = -i128::from(value);
                // A relation that does not fit is proved again where it is used.
                let _ = self.proved.insert(&relation);
            }
        }
    }

    /// Whether the points that were seen leave no relation but those that are proved.
    fn is_settled(&self) -> bool {
        self.hull.equations().len() <= self.proved.rows().count()
    }

    /// Whether a relation falls with a valid point.
    fn falls(&mut self, point: &[i64]) -> Result<bool, Overflow> {
        let numbers = point.iter().map(|&x| i128::from(x));
        let point: SmallVec<[i128; 16]> = core::iter::once(1).chain(numbers).collect();
        self.hull.add(&point)
    }

    /// Evaluates some indices, and searches for one if none of them is valid; whether one is.
    pub(super) fn look_around(&mut self, guards: &[Guard]) -> Result<bool, Halt> {
        let all = &self.problem.program.axes;
        let mut index: Vec<i64> = all.iter().map(|&(first, _)| first).collect();
        // Functions of axes may look at those that take no part.
        let varied: Vec<usize> = match self.problem.program.inputs < all.len() {
            true => (0..all.len()).collect(),
            false => self.share.columns[..self.share.rank].to_vec(),
        };
        let mut state = 0u64;
        let (mut found, mut idle) = (false, 0);
        for sample in 0..MOST_SAMPLES {
            for &axis in &varied {
                index[axis] = samples::value(all[axis], sample, &mut state);
            }
            let Some(point) = self.point(&mut index) else { continue };
            if self.is_valid(&point, guards) {
                found = true;
                idle = if self.falls(&point)? { 0 } else { idle + 1 };
            }
            self.seen.push(point);
            // Guards are needed if a point shows it, so some are looked at for them.
            let enough = if guards.is_empty() { 3 } else { 12 };
            if found && (self.is_settled() && sample > enough || idle > 8) {
                break;
            }
        }
        let function = Linear::always(0, self.program.rank());
        let never = Guard { function, lower: Some(1), upper: None };
        if !found
            && !self.is_everywhere(guards, &never)?
            && let Some(point) = self.search(guards.iter())?
        {
            self.learn(point)?;
            found = true;
        }
        if found && !self.is_settled() {
            self.look_beside(guards)?;
        }
        Ok(found)
    }

    /// Evaluates indices beside valid ones: a step along an axis that leaves the residues of
    /// floors alone often stays valid where few indices are. What breaks one guard alone
    /// shows that it is needed.
    fn look_beside(&mut self, guards: &[Guard]) -> Result<(), Halt> {
        let divisors = self.program.floors.iter().map(|floor| floor.divisor);
        let mut steps: Vec<i64> = divisors.chain([1]).flat_map(|step| [step, -step]).collect();
        steps.sort_unstable_by_key(|step| (step.abs(), -step));
        steps.dedup();
        let axes = self.problem.program.axes.iter();
        let mut index: Vec<i64> = axes.map(|&(first, _)| first).collect();
        for number in 0..MOST_STARTS {
            let mut valid = self.seen.iter().filter(|point| self.is_valid(point, guards));
            let Some(start) = valid.nth(number).cloned() else { break };
            for k in 0..self.share.rank {
                for &step in &steps {
                    for (&axis, &at) in self.share.columns.iter().zip(&start[..self.share.rank]) {
                        index[axis] = at;
                    }
                    let Some(moved) = start[k].checked_add(step) else { continue };
                    index[self.share.columns[k]] = moved;
                    if self.beside(&mut index, guards)? {
                        break;
                    }
                }
                if self.is_settled() {
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    /// Looks at an index beside a valid one; whether it is valid too, and a relation fell.
    fn beside(&mut self, index: &mut [i64], guards: &[Guard]) -> Result<bool, Halt> {
        let Some(point) = self.point(index) else { return Ok(false) };
        let broken = guards.iter().filter(|guard| !guard.holds(&point)).count();
        if broken > 1 || !self.is_assumed(&point) {
            return Ok(false);
        }
        let fell = broken == 0 && self.falls(&point)?;
        if fell || broken == 1 {
            self.seen.push(point);
        }
        Ok(fell)
    }

    /// Adds a valid point that a search found.
    pub(super) fn learn(&mut self, point: Point) -> Result<(), Halt> {
        self.falls(&point)?;
        self.seen.push(point);
        Ok(())
    }
}
