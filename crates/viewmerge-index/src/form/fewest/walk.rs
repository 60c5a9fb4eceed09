//! All the points of a small box, for engines that search a lot.
//!
//! A search that finds nothing proves that there is no point; so does walking through all of them. What
//! is cheaper depends on the box and on the rows, and is not known beforehand. So an engine searches
//! until that has cost about as much as a walk, and then walks once: at most twice the cost of the better
//! way. A walk only ever answers *nothing*: a point that exists is left to the search, so that the points
//! an engine learns do not depend on what was cheaper.

use alloc::vec::Vec;

use lattice_point::{Encode, System};

use super::Engine;
use super::bound::{Bound, quotient, value};
use lattice_point::Halt;

/// How many points are evaluated for the cost of one node of a search.
const POINTS_A_NODE: u64 = 256;

/// How many points a walk has at most.
const MOST_POINTS: u64 = 1 << 16;

/// What an engine has spent on searches, and the points of its box once it has walked.
#[derive(Default)]
pub(super) struct Walk {
    nodes: u64,
    points: Option<Points>,
}

/// The points of a box, one after the other.
struct Points {
    columns: usize,
    numbers: Vec<i128>,
    /// The guards asked about last, and where the points that meet them start.
    meeting: (Vec<Bound>, Vec<usize>),
}

impl Points {
    /// Whether no point meets guards and a condition.
    fn has_none(&mut self, guards: &[Bound], meets: impl Fn(&[i128]) -> bool) -> bool {
        let Points { columns, numbers, meeting } = self;
        let at = |start: usize| &numbers[start..start + *columns];
        if meeting.0 != guards {
            let starts = (0..numbers.len()).step_by(*columns);
            let meeting_all = |&start: &usize| guards.iter().all(|one| one.admits(at(start)));
            *meeting = (guards.to_vec(), starts.filter(meeting_all).collect());
        }
        !meeting.1.iter().any(|&start| meets(at(start)))
    }
}

impl Engine<'_, '_, '_> {
    /// A point of a system, if it has one.
    pub(super) fn search(&mut self, system: &System<i128>) -> Result<Option<Vec<i128>>, Halt> {
        self.metered(|engine| Ok(system.point(engine.meter)?))
    }

    /// Counts the nodes of a search.
    pub(super) fn metered<T>(
        &mut self,
        search: impl FnOnce(&mut Self) -> Result<T, Halt>,
    ) -> Result<T, Halt> {
        let before = self.meter.spent();
        let found = search(self);
        self.walk.nodes += self.meter.spent() - before;
        found
    }

    /// Whether a walk shows that no point meets assumptions, guards and a condition.
    pub(super) fn is_nowhere(&mut self, guards: &[Bound], meets: impl Fn(&[i128]) -> bool) -> bool {
        if self.walk.points.is_none() {
            let most = self.walk.nodes.saturating_mul(POINTS_A_NODE).min(MOST_POINTS);
            // Axes that are functions of others are not walked along.
            if most == 0 || self.problem.inputs < self.problem.axes.len() {
                return false;
            }
            let Some(count) = self.box_size().filter(|count| *count <= most) else { return false };
            self.walk.points = Some(self.all_points(count));
        }
        self.walk.points.as_mut().is_some_and(|points| points.has_none(guards, meets))
    }

    /// How many indices the axes of the share have.
    fn box_size(&self) -> Option<u64> {
        self.share.axes.iter().try_fold(1u64, |count, &axis| {
            let (first, last) = self.problem.axes[axis];
            let size = u64::try_from(i128::from(last) - i128::from(first) + 1).ok()?;
            count.checked_mul(size)
        })
    }

    /// The points of the box that meet the assumptions.
    fn all_points(&self, count: u64) -> Points {
        let ranges: Vec<(i64, i64)> =
            self.share.axes.iter().map(|&axis| self.problem.axes[axis]).collect();
        let columns = 1 + self.base.variables;
        let mut index: Vec<i128> = ranges.iter().map(|&(first, _)| first.into()).collect();
        let mut numbers: Vec<i128> = Vec::new();
        for _ in 0..count {
            let start = numbers.len();
            numbers.push(1);
            numbers.extend_from_slice(&index);
            for (operand, divisor) in &self.defined {
                let dividend = value(operand, &numbers[start..]);
                numbers.push(quotient(dividend, *divisor));
            }
            if !self.is_assumed(&numbers[start..]) {
                numbers.truncate(start);
            }
            for (at, &(first, last)) in index.iter_mut().zip(&ranges).rev() {
                if *at < last.into() {
                    *at += 1;
                    break;
                }
                *at = first.into();
            }
        }
        // No guards are met by all.
        let meeting = (Vec::new(), (0..numbers.len()).step_by(columns).collect());
        Points { columns, numbers, meeting }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;

    #[test]
    fn points_are_told_apart_by_guards() {
        // The points (1, x, ⌊x/2⌋) for x from 0 to 5.
        let numbers: Vec<i128> = (0..6).flat_map(|x| [1, x, x / 2]).collect();
        let all = (0..numbers.len()).step_by(3).collect();
        let mut points = Points { columns: 3, numbers, meeting: (vec![], all) };
        let guard = |low, high| Bound { form: vec![0, 1, 0], low: Some(low), high: Some(high) };
        assert!(!points.has_none(&[], |point| point[2] == 2));
        assert!(points.has_none(&[guard(0, 3)], |point| point[2] == 2));
        assert!(!points.has_none(&[guard(0, 3)], |point| point[2] == 1));
        assert!(points.has_none(&[guard(6, 9)], |_| true));
        assert!(points.has_none(&[], |point| point[1] > 5));
    }
}
