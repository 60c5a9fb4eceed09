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
use core::iter::{once, repeat_n};

use lattice_point::{Encode, Halt};

use super::super::program::{FloorTerm, Guard, Point, Program};
use super::Engine;
use smallvec::SmallVec;

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

/// The points of a box, the last axis first.
struct Points {
    /// One list for every column, with its number at each point.
    columns: Vec<Vec<i64>>,
    /// The points that meet the assumptions.
    assumed: Vec<usize>,
    /// The guards asked about last, and the points that meet them.
    meeting: Option<(Vec<Guard>, Vec<usize>)>,
}

impl Points {
    /// The numbers of a point.
    fn at(&self, point: usize) -> Point {
        self.columns.iter().map(|column| column[point]).collect()
    }

    /// Whether a point meets a guard: only the columns that the guard has are looked at.
    fn test<'p>(&'p self, guard: &'p Guard) -> impl Fn(usize) -> bool + 'p {
        let terms = guard.function.terms().iter().zip(&self.columns).filter(|(c, _)| **c != 0);
        let terms: SmallVec<[(i64, &[i64]); 4]> =
            terms.map(|(&c, column)| (c, &column[..])).collect();
        move |point| {
            let mut terms = terms.iter().map(|&(c, column)| c.checked_mul(column[point]));
            match terms.try_fold(guard.function.constant, |sum, term| sum.checked_add(term?)) {
                Some(value) => guard.allows(value.into()),
                None => guard.holds(&self.at(point)),
            }
        }
    }

    /// The points that meet some guards.
    fn that_meet<'p>(
        &'p self,
        guards: impl Iterator<Item = &'p Guard>,
    ) -> impl Iterator<Item = usize> {
        let tests: SmallVec<[_; 4]> = guards.map(|guard| self.test(guard)).collect();
        self.assumed.iter().copied().filter(move |&point| tests.iter().all(|holds| holds(point)))
    }

    /// A point that meets a guard and all others, if there is one.
    fn find(&self, guards: &[Guard], wanted: &Guard) -> Option<Point> {
        let mut found = self.that_meet(once(wanted).chain(guards));
        found.next().map(|point| self.at(point))
    }

    /// Whether all points that meet some guards, which are asked about again and again, meet another one.
    fn all_meet(&mut self, guards: &[Guard], wanted: &Guard) -> bool {
        if self.meeting.as_ref().is_none_or(|(known, _)| known != guards) {
            let points = self.that_meet(guards.iter()).collect();
            self.meeting = Some((guards.to_vec(), points));
        }
        let holds = self.test(wanted);
        self.meeting.iter().flat_map(|(_, points)| points).all(|&point| holds(point))
    }
}

/// The numbers of every column at the points of a box, the last axis first; `None` for one that does not fit.
fn columns(program: &Program, count: usize) -> Option<Vec<Vec<i64>>> {
    let mut columns: Vec<Vec<i64>> = Vec::with_capacity(program.columns());
    // How many points in a row have the same number.
    let mut run = count;
    for &(first, last) in &program.axes {
        run /= usize::try_from(last.abs_diff(first)).ok()? + 1;
        let numbers = (first..=last).flat_map(|number| repeat_n(number, run));
        let numbers: Vec<i64> = numbers.collect();
        columns.push(numbers.repeat(count / numbers.len()));
    }
    for FloorTerm { operand, divisor, .. } in &program.floors {
        let mut numbers = vec![operand.constant; count];
        for column in operand.columns() {
            let times = operand.term(column);
            for (number, &other) in numbers.iter_mut().zip(&columns[column]) {
                *number = number.checked_add(times.checked_mul(other)?)?;
            }
        }
        numbers.iter_mut().for_each(|number| *number = number.div_euclid(*divisor));
        columns.push(numbers);
    }
    Some(columns)
}

impl Engine<'_, '_, '_> {
    /// A point that meets the assumptions and some guards, if there is one.
    pub(super) fn search<'g>(
        &mut self,
        guards: impl Iterator<Item = &'g Guard>,
    ) -> Result<Option<Point>, Halt> {
        for system in self.systems(guards) {
            let before = self.meter.spent();
            let found = system.point(self.meter);
            self.walk.nodes += self.meter.spent() - before;
            if let Some(point) = found? {
                let narrow = |x: i128| i64::try_from(x).map_err(|_| Halt::Overflow);
                return point.into_iter().map(narrow).collect::<Result<_, _>>().map(Some);
            }
        }
        Ok(None)
    }

    /// Whether a walk shows that a guard holds wherever assumptions and others do.
    pub(super) fn is_everywhere(&mut self, guards: &[Guard], wanted: &Guard) -> Result<bool, Halt> {
        self.walk_if_cheap()?;
        let points = self.walk.points.as_mut();
        Ok(points.is_some_and(|points| points.all_meet(guards, wanted)))
    }

    /// A point that meets assumptions, guards and another one: whichever way is cheaper.
    pub(super) fn find(&mut self, wanted: &Guard, guards: &[Guard]) -> Result<Option<Point>, Halt> {
        self.walk_if_cheap()?;
        match &self.walk.points {
            Some(points) => Ok(points.find(guards, wanted)),
            None => self.search(guards.iter().chain([wanted])),
        }
    }

    /// A walk costs as many steps as nodes that take as long.
    fn walk_if_cheap(&mut self) -> Result<(), Halt> {
        // Axes that are functions of others are not walked along.
        if self.walk.points.is_none() && self.problem.program.inputs == self.problem.program.rank()
        {
            let most = (self.walk.nodes + 1).saturating_mul(POINTS_A_NODE).min(MOST_POINTS);
            if let Some(count) = self.box_size().filter(|count| *count <= most) {
                self.walk.points = self.all_points(count);
                if self.walk.points.is_some() {
                    self.meter.spend(1 + count / POINTS_A_NODE)?;
                }
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

    /// The points of the box; `None` for numbers that do not fit.
    fn all_points(&self, count: u64) -> Option<Points> {
        let count = usize::try_from(count).ok()?;
        let columns = columns(&self.program, count)?;
        let mut points = Points { columns, assumed: (0..count).collect(), meeting: None };
        if !self.assumed.is_empty() || !self.cases.is_empty() {
            let mut assumed = core::mem::take(&mut points.assumed);
            assumed.retain(|&point| self.is_assumed(&points.at(point)));
            points.assumed = assumed;
        }
        Some(points)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_are_told_apart_by_guards() {
        use super::super::super::linear::Linear;
        // The points (x, ⌊x/2⌋) for x from 0 to 5.
        let columns = vec![(0..6).collect(), (0..6).map(|x| x / 2).collect()];
        let mut points = Points { columns, assumed: (0..6).collect(), meeting: None };
        let guard = |column, lower, upper| {
            let function = Linear::column(column, 1);
            Guard { function, lower, upper }
        };
        let x = |lower, upper| guard(0, lower, upper);
        let q = |value| guard(1, Some(value), Some(value + 1));
        let small = [x(Some(0), Some(4))];
        let point = |numbers: [i64; 2]| Some(numbers.into_iter().collect());
        assert_eq!(points.find(&[], &q(2)), point([4, 2]));
        assert_eq!(points.find(&small, &q(2)), None);
        assert_eq!(points.find(&small, &q(1)), point([2, 1]));
        assert_eq!(points.find(&[x(Some(6), None)], &x(None, None)), None);
        assert_eq!(points.find(&[], &x(Some(6), None)), None);
        for (guards, wanted) in [(&[][..], q(2)), (&small, q(2)), (&small, q(1))] {
            let missed = wanted.violations().any(|out| points.find(guards, &out).is_some());
            assert_eq!(points.all_meet(guards, &wanted), !missed, "{guards:?} {wanted:?}");
        }
        assert!(points.all_meet(&small, &guard(1, None, Some(2))));
        assert!(!points.all_meet(&small, &guard(1, Some(1), None)));
    }

    #[test]
    fn columns_have_the_numbers_of_every_point() {
        use super::super::super::linear::Linear;
        // x from -3 to 4, y from 2 to 3, p = ⌊(5·x − y + 1)/4⌋ and ⌊(y + 2·p)/3⌋.
        let floor = |constant, terms: &[i64], divisor| {
            let operand = Linear::new(constant, 2, terms.iter().copied());
            FloorTerm { operand, divisor, range: (-9, 9) }
        };
        let mut program = Program::over([(-3, 4), (2, 3)].into_iter().collect(), 2);
        program.floors = vec![floor(1, &[5, -1], 4), floor(0, &[0, 1, 2], 3)];
        let columns = columns(&program, 16).expect("small");
        for (place, index) in (-3..=4).flat_map(|x| [[x, 2], [x, 3]]).enumerate() {
            let mut point: Point = index.into_iter().collect();
            program.complete(&mut point).expect("small");
            let found: Point = columns.iter().map(|column| column[place]).collect();
            assert_eq!(found, point);
        }
    }
}
