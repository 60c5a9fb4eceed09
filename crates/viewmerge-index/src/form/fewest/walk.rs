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
use super::bound::Bound;
use lattice_point::Halt;

/// How many points are evaluated for the cost of one node of a search.
const POINTS_A_NODE: u64 = 1024;

/// How many points a walk has at most.
const MOST_POINTS: u64 = 1 << 16;

/// What an engine has spent on searches, and the points of its box once it has walked.
#[derive(Default)]
pub(super) struct Walk {
    nodes: u64,
    points: Option<Points>,
}

/// The points of a box, one after the other: 1, then the columns of the engine.
struct Points {
    columns: usize,
    numbers: Vec<i64>,
    /// The guards asked about last, and where the points that meet them start.
    meeting: (Vec<Bound>, Vec<usize>),
}

/// A form without its zeros: columns and coefficients. Boxes are walked only if all numbers fit 64 bits.
struct Sparse(Vec<(usize, i64)>);

impl Sparse {
    fn of(form: &[i128]) -> Option<Sparse> {
        let terms = form.iter().enumerate().filter(|(_, c)| **c != 0);
        let terms = terms.map(|(column, &c)| Some((column, i64::try_from(c).ok()?)));
        terms.collect::<Option<_>>().map(Sparse)
    }

    fn at(&self, point: &[i64]) -> i128 {
        self.0.iter().map(|&(column, c)| i128::from(c) * i128::from(point[column])).sum()
    }
}

/// Bounds on a sparse form.
struct Test(Sparse, Option<i128>, Option<i128>);

impl Test {
    fn of(bound: &Bound) -> Option<Test> {
        Some(Test(Sparse::of(&bound.form)?, bound.low, bound.high))
    }

    fn admits(&self, point: &[i64]) -> bool {
        let value = self.0.at(point);
        self.1.is_none_or(|low| low <= value) && self.2.is_none_or(|high| value <= high)
    }
}

impl Points {
    /// Whether no point meets all guards and one of some bounds; `None` for numbers that do not fit.
    fn has_none(&mut self, guards: &[Bound], any_of: &[Bound]) -> Option<bool> {
        let tests = |bounds: &[Bound]| bounds.iter().map(Test::of).collect::<Option<Vec<_>>>();
        let any_of = tests(any_of)?;
        let Points { columns, numbers, meeting } = self;
        let at = |start: usize| &numbers[start..start + *columns];
        if meeting.0 != guards {
            let all = tests(guards)?;
            let starts = (0..numbers.len()).step_by(*columns);
            let met = |start: &usize| all.iter().all(|test| test.admits(at(*start)));
            *meeting = (guards.to_vec(), starts.filter(met).collect());
        }
        let met = |&start: &usize| any_of.iter().any(|test| test.admits(at(start)));
        Some(!meeting.1.iter().any(met))
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

    /// Whether a walk shows that no point meets assumptions, guards and one of some bounds.
    pub(super) fn is_nowhere(&mut self, guards: &[Bound], any_of: &[Bound]) -> bool {
        if self.walk.points.is_none() {
            let most = self.walk.nodes.saturating_mul(POINTS_A_NODE).min(MOST_POINTS);
            // Axes that are functions of others are not walked along.
            if most == 0 || self.problem.inputs < self.problem.axes.len() {
                return false;
            }
            let Some(count) = self.box_size().filter(|count| *count <= most) else { return false };
            self.walk.points = self.all_points(count);
        }
        let points = self.walk.points.as_mut();
        points.and_then(|points| points.has_none(guards, any_of)).unwrap_or(false)
    }

    /// How many indices the axes of the share have.
    fn box_size(&self) -> Option<u64> {
        self.share.axes.iter().try_fold(1u64, |count, &axis| {
            let (first, last) = self.problem.axes[axis];
            let size = u64::try_from(i128::from(last) - i128::from(first) + 1).ok()?;
            count.checked_mul(size)
        })
    }

    /// The points of the box that meet the assumptions; `None` for numbers that do not fit.
    fn all_points(&self, count: u64) -> Option<Points> {
        let floors = self
            .defined
            .iter()
            .map(|(operand, divisor)| Some((Sparse::of(operand)?, i64::try_from(*divisor).ok()?)));
        let floors: Vec<(Sparse, i64)> = floors.collect::<Option<_>>()?;
        let ranges: Vec<(i64, i64)> =
            self.share.axes.iter().map(|&axis| self.problem.axes[axis]).collect();
        let columns = 1 + self.base.variables;
        let mut index: Vec<i64> = ranges.iter().map(|&(first, _)| first).collect();
        let mut numbers: Vec<i64> = Vec::with_capacity(usize::try_from(count).ok()? * columns);
        let assumes = !self.assumed.is_empty() || !self.cases.is_empty();
        for _ in 0..count {
            let start = numbers.len();
            numbers.push(1);
            numbers.extend_from_slice(&index);
            for (operand, divisor) in &floors {
                let dividend = i64::try_from(operand.at(&numbers[start..])).ok()?;
                numbers.push(dividend.div_euclid(*divisor));
            }
            if assumes {
                let point: Vec<i128> = numbers[start..].iter().map(|&x| x.into()).collect();
                if !self.is_assumed(&point) {
                    numbers.truncate(start);
                }
            }
            for (at, &(first, last)) in index.iter_mut().zip(&ranges).rev() {
                if *at < last {
                    *at += 1;
                    break;
                }
                *at = first;
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
    use alloc::vec;

    #[test]
    fn points_are_told_apart_by_guards() {
        // The points (1, x, ⌊x/2⌋) for x from 0 to 5.
        let numbers: Vec<i64> = (0..6).flat_map(|x| [1, x, x / 2]).collect();
        let all = (0..numbers.len()).step_by(3).collect();
        let mut points = Points { columns: 3, numbers, meeting: (vec![], all) };
        let x = |low, high| Bound { form: vec![0, 1, 0], low, high };
        let q = |value| Bound { form: vec![0, 0, 1], low: Some(value), high: Some(value) };
        let small = [x(Some(0), Some(3))];
        assert_eq!(points.has_none(&[], &[q(2)]), Some(false));
        assert_eq!(points.has_none(&small, &[q(2)]), Some(true));
        assert_eq!(points.has_none(&small, &[q(2), q(1)]), Some(false));
        assert_eq!(points.has_none(&[x(Some(6), None)], &[q(2), x(None, None)]), Some(true));
        assert_eq!(points.has_none(&[], &[x(Some(6), None), x(None, Some(-1))]), Some(true));
        let wide = Bound { form: vec![0, i128::MAX, 0], low: None, high: None };
        assert_eq!(points.has_none(&[], &[wide]), None);
    }
}
