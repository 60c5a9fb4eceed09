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

use alloc::vec;
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
    /// The largest magnitude of a number.
    reach: i64,
    /// The guards asked about last, and where the points that meet them start.
    meeting: (Vec<Bound>, Vec<usize>),
}

/// A form without its zeros: columns and coefficients. All its sums fit 62 bits.
struct Sparse(Vec<(usize, i64)>);

impl Sparse {
    /// Over numbers of at most this magnitude; `None` if a sum may not fit.
    fn of(form: &[i128], reach: i64) -> Option<Sparse> {
        const FAR: i128 = 1 << 62;
        let terms = form.iter().enumerate().filter(|(_, c)| **c != 0);
        let mut far = 0i128;
        let terms = terms.map(|(column, &c)| {
            far = far.checked_add(c.checked_abs()?.checked_mul(reach.into())?)?;
            Some((column, i64::try_from(c).ok()?))
        });
        let terms = terms.collect::<Option<_>>()?;
        (far < FAR).then_some(Sparse(terms))
    }

    fn at(&self, point: &[i64]) -> i64 {
        self.0.iter().fold(0, |sum, &(column, c)| sum + c * point[column])
    }
}

/// Bounds on a sparse form.
struct Test {
    form: Sparse,
    low: i64,
    high: i64,
}

impl Test {
    fn of(bound: &Bound, reach: i64) -> Option<Test> {
        // No value is at an end of the type.
        let narrow = |end: i128| end.clamp(i64::MIN.into(), i64::MAX.into()) as i64;
        let (low, high) = (bound.low.map_or(i64::MIN, narrow), bound.high.map_or(i64::MAX, narrow));
        Some(Test { form: Sparse::of(&bound.form, reach)?, low, high })
    }

    fn admits(&self, point: &[i64]) -> bool {
        (self.low..=self.high).contains(&self.form.at(point))
    }
}

impl Points {
    fn tests(&self, bounds: &[Bound]) -> Option<Vec<Test>> {
        bounds.iter().map(|bound| Test::of(bound, self.reach)).collect()
    }

    /// A point that meets a bound and all guards, if there is one; `None` for numbers that do not fit.
    fn find(&self, guards: &[Bound], bound: &Bound) -> Option<Option<&[i64]>> {
        let (wanted, all) = (Test::of(bound, self.reach)?, self.tests(guards)?);
        let mut points = self.numbers.chunks_exact(self.columns);
        Some(
            points.find(|&point| wanted.admits(point) && all.iter().all(|test| test.admits(point))),
        )
    }

    /// Whether no point meets a bound and all guards, which are asked about again and again.
    fn has_none(&mut self, guards: &[Bound], bound: &Bound) -> Option<bool> {
        let wanted = Test::of(bound, self.reach)?;
        let at = |start: usize| &self.numbers[start..start + self.columns];
        if self.meeting.0 != guards {
            let all = self.tests(guards)?;
            let starts = (0..self.numbers.len()).step_by(self.columns);
            let met = |start: &usize| all.iter().all(|test| test.admits(at(*start)));
            self.meeting = (guards.to_vec(), starts.filter(met).collect());
        }
        Some(!self.meeting.1.iter().any(|&start| wanted.admits(at(start))))
    }
}

impl Engine<'_, '_, '_> {
    /// A point of a system, if it has one.
    pub(super) fn search(&mut self, system: &System<i128>) -> Result<Option<Vec<i128>>, Halt> {
        let before = self.meter.spent();
        let found = system.point(self.meter);
        self.walk.nodes += self.meter.spent() - before;
        Ok(found?)
    }

    /// Whether a walk shows that no point meets assumptions, guards and a bound.
    pub(super) fn is_nowhere(&mut self, guards: &[Bound], bound: &Bound) -> Result<bool, Halt> {
        self.walk_if_cheap()?;
        let points = self.walk.points.as_mut();
        Ok(points.and_then(|points| points.has_none(guards, bound)).unwrap_or(false))
    }

    /// A point that meets assumptions, guards and a bound, if a walk is worth its cost.
    pub(super) fn walked(
        &mut self,
        guards: &[Bound],
        bound: &Bound,
    ) -> Result<Option<Option<&[i64]>>, Halt> {
        self.walk_if_cheap()?;
        Ok(self.walk.points.as_ref().and_then(|points| points.find(guards, bound)))
    }

    /// A walk costs as many steps as nodes that take as long.
    fn walk_if_cheap(&mut self) -> Result<(), Halt> {
        // Axes that are functions of others are not walked along.
        if self.walk.points.is_none() && self.problem.inputs == self.problem.axes.len() {
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
        self.share.axes.iter().try_fold(1u64, |count, &axis| {
            let (first, last) = self.problem.axes[axis];
            let size = u64::try_from(i128::from(last) - i128::from(first) + 1).ok()?;
            count.checked_mul(size)
        })
    }

    /// The points of the box that meet the assumptions; `None` for numbers that do not fit.
    fn all_points(&self, count: u64) -> Option<Points> {
        let ranges: Vec<(i64, i64)> =
            self.share.axes.iter().map(|&axis| self.problem.axes[axis]).collect();
        let ends = ranges.iter().flat_map(|&(first, last)| [first, last]);
        let mut reach = ends.map(i64::saturating_abs).max().unwrap_or(0).max(1);
        let mut floors: Vec<(Sparse, i64)> = Vec::with_capacity(self.defined.len());
        for (operand, divisor) in &self.defined {
            let operand = Sparse::of(operand, reach)?;
            let far: i64 = operand.0.iter().map(|(_, c)| c.abs() * reach).sum();
            let divisor = i64::try_from(*divisor).ok()?;
            reach = reach.max(far / divisor + 1);
            floors.push((operand, divisor));
        }
        let columns = 1 + self.base.variables;
        let mut index: Vec<i64> = ranges.iter().map(|&(first, _)| first).collect();
        let mut numbers: Vec<i64> = Vec::with_capacity(usize::try_from(count).ok()? * columns);
        let mut row: Vec<i64> = vec![1; columns];
        let assumes = !self.assumed.is_empty() || !self.cases.is_empty();
        for _ in 0..count {
            row[1..=index.len()].copy_from_slice(&index);
            for (k, (operand, divisor)) in floors.iter().enumerate() {
                row[1 + index.len() + k] = operand.at(&row).div_euclid(*divisor);
            }
            if !assumes || self.is_assumed(&row.iter().map(|&x| x.into()).collect::<Vec<i128>>()) {
                numbers.extend_from_slice(&row);
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
        Some(Points { columns, numbers, reach, meeting })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_are_told_apart_by_guards() {
        // The points (1, x, ⌊x/2⌋) for x from 0 to 5.
        let numbers: Vec<i64> = (0..6).flat_map(|x| [1, x, x / 2]).collect();
        let all = (0..numbers.len()).step_by(3).collect();
        let mut points = Points { columns: 3, numbers, reach: 5, meeting: (vec![], all) };
        let x = |low, high| Bound { form: vec![0, 1, 0], low, high };
        let q = |value| Bound { form: vec![0, 0, 1], low: Some(value), high: Some(value) };
        let small = [x(Some(0), Some(3))];
        assert_eq!(points.find(&[], &q(2)), Some(Some(&[1, 4, 2][..])));
        assert_eq!(points.find(&small, &q(2)), Some(None));
        assert_eq!(points.find(&small, &q(1)), Some(Some(&[1, 2, 1][..])));
        assert_eq!(points.find(&[x(Some(6), None)], &x(None, None)), Some(None));
        assert_eq!(points.find(&[], &x(Some(6), None)), Some(None));
        let wide = Bound { form: vec![0, i128::MAX, 0], low: None, high: None };
        assert_eq!(points.find(&[], &wide), None);
        for (guards, bound) in [(&[][..], q(2)), (&small, q(2)), (&small, q(1))] {
            let found = points.find(guards, &bound).map(|point| point.is_none());
            assert_eq!(points.has_none(guards, &bound), found, "{guards:?} {bound:?}");
        }
    }
}
