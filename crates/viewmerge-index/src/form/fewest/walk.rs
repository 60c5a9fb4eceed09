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

use lattice_point::{Encode, Halt};

use super::super::program::{Guard, Point, Program};
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

/// The points of a box, one after the other.
struct Points {
    columns: usize,
    numbers: Vec<i64>,
    /// The guards asked about last, and where the points that meet them start.
    meeting: Option<(Vec<Guard>, Vec<usize>)>,
}

impl Points {
    /// A point that meets a guard and all others, if there is one.
    fn find(&self, guards: &[Guard], wanted: &Guard) -> Option<&[i64]> {
        let (wanted, guards) = (Test::new(wanted), tests(guards));
        let mut points = self.numbers.chunks_exact(self.columns);
        points.find(|point| wanted.holds(point) && guards.iter().all(|guard| guard.holds(point)))
    }

    /// Whether all points that meet some guards, which are asked about again and again, meet another one.
    fn all_meet(&mut self, guards: &[Guard], wanted: &Guard) -> bool {
        let at = |start: usize| &self.numbers[start..start + self.columns];
        if self.meeting.as_ref().is_none_or(|(known, _)| known != guards) {
            let tests = tests(guards);
            let starts = (0..self.numbers.len()).step_by(self.columns);
            let met = |start: &usize| tests.iter().all(|guard| guard.holds(at(*start)));
            self.meeting = Some((guards.to_vec(), starts.filter(met).collect()));
        }
        let wanted = Test::new(wanted);
        self.meeting.iter().flat_map(|(_, starts)| starts).all(|&start| wanted.holds(at(start)))
    }
}

/// A guard that is tried at many points: only the columns that it has are looked at.
struct Test<'g> {
    guard: &'g Guard,
    terms: SmallVec<[(usize, i64); 4]>,
}

fn tests(guards: &[Guard]) -> SmallVec<[Test<'_>; 4]> {
    guards.iter().map(Test::new).collect()
}

impl Test<'_> {
    fn new(guard: &Guard) -> Test<'_> {
        let columns = guard.function.columns();
        Test { guard, terms: columns.map(|column| (column, guard.function.term(column))).collect() }
    }

    fn holds(&self, point: &[i64]) -> bool {
        let mut terms = self.terms.iter().map(|&(column, c)| c.checked_mul(point[column]));
        match terms.try_fold(self.guard.function.constant, |sum, term| sum.checked_add(term?)) {
            Some(value) => self.guard.allows(value.into()),
            None => self.guard.holds(point),
        }
    }
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
            Some(points) => Ok(points.find(guards, wanted).map(Point::from)),
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

    /// The points of the box that meet the assumptions; `None` for numbers that do not fit.
    fn all_points(&self, count: u64) -> Option<Points> {
        // A point without columns has a number that nothing looks at.
        let columns = self.program.columns().max(1);
        let mut here = Cursor::first(&self.program)?;
        let assumes = !self.assumed.is_empty() || !self.cases.is_empty();
        let mut numbers: Vec<i64> = Vec::with_capacity(usize::try_from(count).ok()? * columns);
        for left in (0..count).rev() {
            if !assumes || self.is_assumed(&here.point) {
                numbers.extend_from_slice(&here.point);
            }
            if left > 0 {
                here.advance(&self.program.axes)?;
            }
        }
        Some(Points { columns, numbers, meeting: None })
    }
}

/// A point on a walk. What a column adds to the dividends of floors is added when it moves.
struct Cursor {
    point: Vec<i64>,
    floors: Vec<Quotient>,
    /// For every column the floors whose dividends have it, and how often.
    reaches: Vec<Vec<(usize, i64)>>,
}

/// The floor in a column.
struct Quotient {
    column: usize,
    dividend: i64,
    divisor: i64,
    /// The dividend has moved since it was divided.
    moved: bool,
}

impl Cursor {
    /// The first point of a box; `None` for a number that does not fit, as below.
    fn first(program: &Program) -> Option<Cursor> {
        let (rank, columns) = (program.rank(), program.columns());
        let floors = program.floors.iter().zip(rank..).map(|(floor, column)| Quotient {
            column,
            dividend: floor.operand.constant,
            divisor: floor.divisor,
            moved: true,
        });
        let reach = |column: usize| {
            let times = program.floors.iter().map(|floor| floor.operand.term(column));
            times.enumerate().filter(|(_, times)| *times != 0).collect()
        };
        let mut cursor = Cursor {
            point: vec![0; columns.max(1)],
            floors: floors.collect(),
            reaches: (0..columns).map(reach).collect(),
        };
        for (axis, &(first, _)) in program.axes.iter().enumerate() {
            cursor.shift(axis, first)?;
        }
        cursor.divide()?;
        Some(cursor)
    }

    /// Moves on to the next point, the last axis first.
    fn advance(&mut self, ranges: &[(i64, i64)]) -> Option<()> {
        for (axis, &(first, last)) in ranges.iter().enumerate().rev() {
            if self.point[axis] < last {
                self.shift(axis, 1)?;
                break;
            }
            self.shift(axis, first.checked_sub(last)?)?;
        }
        self.divide()
    }

    /// Moves one column.
    fn shift(&mut self, column: usize, by: i64) -> Option<()> {
        self.point[column] = self.point[column].checked_add(by)?;
        for &(floor, times) in &self.reaches[column] {
            let floor = &mut self.floors[floor];
            floor.dividend = floor.dividend.checked_add(times.checked_mul(by)?)?;
            floor.moved = true;
        }
        Some(())
    }

    /// Brings the floors up to date; each is made of earlier ones.
    fn divide(&mut self) -> Option<()> {
        for number in 0..self.floors.len() {
            let Quotient { column, dividend, divisor, moved } = &mut self.floors[number];
            if core::mem::take(moved) {
                let column = *column;
                let quotient = dividend.div_euclid(*divisor);
                self.shift(column, quotient.checked_sub(self.point[column])?)?;
            }
        }
        Some(())
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
        let mut points = Points { columns: 2, numbers, meeting: None };
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
            let missed = wanted.violations().any(|out| points.find(guards, &out).is_some());
            assert_eq!(points.all_meet(guards, &wanted), !missed, "{guards:?} {wanted:?}");
        }
        assert!(points.all_meet(&small, &guard(1, None, Some(2))));
        assert!(!points.all_meet(&small, &guard(1, Some(1), None)));
    }

    #[test]
    fn a_cursor_keeps_floors_up_to_date() {
        use super::super::super::linear::Linear;
        use super::super::super::program::FloorTerm;
        // x from -3 to 4, y from 2 to 3, p = ⌊(5·x − y + 1)/4⌋ and ⌊(y + 2·p)/3⌋.
        let floor = |constant, terms: &[i64], divisor| {
            let operand = Linear::new(constant, 2, terms.iter().copied());
            FloorTerm { operand, divisor, range: (-9, 9) }
        };
        let mut program = Program::over([(-3, 4), (2, 3)].into_iter().collect(), 2);
        program.floors = vec![floor(1, &[5, -1], 4), floor(0, &[0, 1, 2], 3)];
        let mut cursor = Cursor::first(&program).expect("small");
        for index in (-3..=4).flat_map(|x| [[x, 2], [x, 3]]) {
            let mut point: Point = index.into_iter().collect();
            program.complete(&mut point).expect("small");
            assert_eq!(cursor.point, point.to_vec());
            cursor.advance(&program.axes).expect("small");
        }
        assert_eq!(cursor.point[..2], [-3, 2]);
    }
}
