//! All the points of a small box, for engines that search a lot.
//!
//! A search that finds nothing proves that there is no point; so does walking through all of them. What
//! is cheaper depends on the box and on the rows, and is not known beforehand. So an engine searches
//! until that has cost about as much as a walk, and then walks once: at most twice the cost of the better
//! way. A box that is walked for the cost of a single node is never searched.
//!
//! Where the point itself matters, because a relation falls with it, a walk only ever answers *nothing*,
//! and a point that exists is left to the search: what an engine learns does not depend on what was
//! cheaper.

use alloc::vec::Vec;

use lattice_point::{Encode, Halt, System};

use super::super::program::{Guard, Point};
use super::Engine;

/// How many points are evaluated for the cost of one node of a search.
const POINTS_A_NODE: u64 = 4096;

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
    numbers: Vec<i64>,
    /// The guards asked about last, and where the points that meet them start.
    meeting: (Vec<Guard>, Vec<usize>),
}

impl Points {
    /// A point that meets a guard and all others, if there is one.
    fn find(&self, guards: &[Guard], wanted: &Guard) -> Option<&[i64]> {
        let mut points = self.numbers.chunks_exact(self.columns);
        points.find(|point| wanted.holds(point) && guards.iter().all(|guard| guard.holds(point)))
    }

    /// Whether no point meets a guard and all others, which are asked about again and again.
    fn has_none(&mut self, guards: &[Guard], wanted: &Guard) -> bool {
        let at = |start: usize| &self.numbers[start..start + self.columns];
        if self.meeting.0 != guards {
            let starts = (0..self.numbers.len()).step_by(self.columns);
            let met = |start: &usize| guards.iter().all(|guard| guard.holds(at(*start)));
            self.meeting = (guards.to_vec(), starts.filter(met).collect());
        }
        !self.meeting.1.iter().any(|&start| wanted.holds(at(start)))
    }
}

impl Engine<'_, '_, '_> {
    /// A point of a system, if it has one.
    pub(super) fn search(&mut self, system: &System<i128>) -> Result<Option<Point>, Halt> {
        let before = self.meter.spent();
        let found = system.point(self.meter);
        self.walk.nodes += self.meter.spent() - before;
        let narrow = |x: i128| i64::try_from(x).map_err(|_| Halt::Overflow);
        found?.map(|point| point.into_iter().map(narrow).collect()).transpose()
    }

    /// Whether a walk shows that no point meets assumptions, guards and another one.
    pub(super) fn is_nowhere(&mut self, guards: &[Guard], wanted: &Guard) -> Result<bool, Halt> {
        self.walk_if_cheap()?;
        let points = self.walk.points.as_mut();
        Ok(points.is_some_and(|points| points.has_none(guards, wanted)))
    }

    /// A point that meets assumptions, guards and another one, if a walk is worth its cost.
    pub(super) fn walked(
        &mut self,
        guards: &[Guard],
        wanted: &Guard,
    ) -> Result<Option<Option<&[i64]>>, Halt> {
        self.walk_if_cheap()?;
        Ok(self.walk.points.as_ref().map(|points| points.find(guards, wanted)))
    }

    /// A walk costs as many steps as nodes that take as long.
    fn walk_if_cheap(&mut self) -> Result<(), Halt> {
        // Axes that are functions of others are not walked along.
        if self.walk.points.is_none() && self.problem.program.inputs == self.problem.program.rank()
        {
            let most = (self.walk.nodes + 1).saturating_mul(POINTS_A_NODE).min(MOST_POINTS);
            if let Some(count) = self.box_size().filter(|count| *count <= most) {
                self.walk.points = self.all_points(count);
                self.meter
                    .spend(self.walk.points.iter().map(|_| 1 + count / POINTS_A_NODE).sum())?;
            }
        }
        Ok(())
    }

    /// How many indices the axes of the share have.
    fn box_size(&self) -> Option<u64> {
        self.program.axes.iter().try_fold(1u64, |count, &(first, last)| {
            count.checked_mul(last.abs_diff(first).checked_add(1)?)
        })
    }

    /// The last axis that each floor depends on.
    fn deepest_axes(&self) -> Vec<usize> {
        let mut deepest: Vec<usize> = (0..self.program.rank()).collect();
        for floor in &self.program.floors {
            deepest.push(floor.operand.columns().map(|column| deepest[column]).max().unwrap_or(0));
        }
        deepest.split_off(self.program.rank())
    }

    /// The points of the box that meet the assumptions; `None` for numbers that do not fit.
    fn all_points(&self, count: u64) -> Option<Points> {
        // A point without columns has a number that nothing looks at.
        let (ranges, columns) = (&self.program.axes[..], self.program.columns().max(1));
        let mut point: Vec<i64> = ranges.iter().map(|&(first, _)| first).collect();
        point.resize(columns, 0);
        let floors = self.program.floors.iter().zip(self.deepest_axes());
        let floors: Vec<_> = floors.zip(ranges.len()..).collect();
        let assumes = !self.assumed.is_empty() || !self.cases.is_empty();
        let mut numbers: Vec<i64> = Vec::with_capacity(usize::try_from(count).ok()? * columns);
        // Floors of earlier axes alone are as they were at the last point.
        let mut moved = 0;
        for _ in 0..count {
            for ((floor, _), column) in floors.iter().filter(|((_, axis), _)| *axis >= moved) {
                point[*column] = floor.at(&point)?;
            }
            if !assumes || self.is_assumed(&point) {
                numbers.extend_from_slice(&point);
            }
            for (axis, &(first, last)) in ranges.iter().enumerate().rev() {
                moved = axis;
                if point[axis] < last {
                    point[axis] += 1;
                    break;
                }
                point[axis] = first;
            }
        }
        // Every point meets an empty list of guards.
        let meeting = (Vec::new(), (0..numbers.len()).step_by(columns).collect());
        Some(Points { columns, numbers, meeting })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_are_told_apart_by_guards() {
        use super::super::super::linear::Linear;
        // The points (x, ⌊x/2⌋) for x from 0 to 5.
        let numbers: Vec<i64> = (0..6).flat_map(|x| [x, x / 2]).collect();
        let all = (0..numbers.len()).step_by(2).collect();
        let mut points = Points { columns: 2, numbers, meeting: (vec![], all) };
        let guard = |column, lower, upper| {
            let function = Linear::column(column, 1);
            Guard { function, lower, upper }
        };
        let x = |lower, upper| guard(0, lower, upper);
        let q = |value| guard(1, Some(value), Some(value + 1));
        let small = [x(Some(0), Some(4))];
        assert_eq!(points.find(&[], &q(2)), Some(&[4, 2][..]));
        assert_eq!(points.find(&small, &q(2)), None);
        assert_eq!(points.find(&small, &q(1)), Some(&[2, 1][..]));
        assert_eq!(points.find(&[x(Some(6), None)], &x(None, None)), None);
        assert_eq!(points.find(&[], &x(Some(6), None)), None);
        for (guards, wanted) in [(&[][..], q(2)), (&small, q(2)), (&small, q(1))] {
            let found = points.find(guards, &wanted).is_none();
            assert_eq!(points.has_none(guards, &wanted), found, "{guards:?} {wanted:?}");
        }
    }
}
