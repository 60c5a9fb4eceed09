//! An expression as one view, or why it is not one.
//!
//! The axes are the variables in the domain's order, counted from their first values. The
//! expression is one view if it is defined in a box, and affine there. Both are decided: a point inside
//! the box where it is not defined, or a point where the value is not that of the affine function which agrees next to
//! the low corner, leads to a witness in a few evaluations.
//!
//! Running example: `(4*i + j) // 8 * 8 + (4*i + j) % 8` for i from 1 to 3 and j from 0 to 3 is
//! 4·i + j: `(3,4)+4`. `i // 2` for i from 0 to 9 steps by 0 from i = 0, and by 1 from i = 1.
//!
//! Cost: two searches for every axis of a condition, and two for the whole.

use alloc::string::ToString;
use alloc::vec;
use alloc::vec::Vec;

use super::decide::Task;
use super::tree::{Expr, Place, Relation};
use super::{Domain, Simplified, normal};
use crate::form::linear::narrow;
use lattice_point::{Limit, Meter};
use viewmerge::Error;
use viewmerge::Witness;
use viewmerge::{Validity, View};

/// What a view needs of ranges.
pub(super) const NO_SIZES: &str = "a view has sizes, give it one";

/// A value that moves by so much along every axis, from its value at the first values.
pub(super) struct Affine {
    pub offset: i128,
    pub strides: Vec<i128>,
}

impl Domain {
    /// The view that a simplified expression is, if it is one: axis l is the domain's variable l, from
    /// its first value on.
    ///
    /// # Errors
    ///
    /// As [`Domain::equal`], [`Error::WrongKind`] for a condition, [`Error::OpenRange`] for a range
    /// without an end, and those of [`View::new`] for a view that is too large.
    ///
    /// ```
    /// use viewmerge::Limit;
    /// use viewmerge_index::Domain;
    ///
    /// let domain = Domain::new(&[("i", 1, 3), ("j", 0, 3)])?;
    /// let as_view = |text: &str| {
    ///     let simple = domain.simplify(&text.parse()?, &Limit::none())?;
    ///     domain.as_view(&simple, &Limit::none())
    /// };
    /// assert_eq!(as_view("(4*i + j) // 8 * 8 + (4*i + j) % 8")?, Some("(3,4)+4".parse()?));
    /// assert_eq!(as_view("i // 2")?, None);
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    pub fn as_view(&self, simple: &Simplified, limit: &Limit<'_>) -> Result<Option<View>, Error> {
        self.closed(NO_SIZES)?;
        self.view_within(simple, &mut Meter::new(limit))
    }

    pub(super) fn view_within(
        &self,
        simple: &Simplified,
        meter: &mut Meter<'_>,
    ) -> Result<Option<View>, Error> {
        let value = simple.value()?;
        // A floor that stays after simplifying is not affine; a choice may be.
        if simple.is_decided() && !value.is_linear() && value.choices() == 0 {
            return Ok(None);
        }
        Ok(self.one_view(simple, meter)?.ok())
    }

    /// The one view that a simplified expression is, or why it is not one.
    pub(super) fn one_view(
        &self,
        simple: &Simplified,
        meter: &mut Meter<'_>,
    ) -> Result<Result<View, Witness>, Error> {
        let value = simple.value()?;
        let mut shape = Vec::with_capacity(self.ranges.len());
        for &(first, last) in &self.ranges {
            shape.push(narrow(i128::from(last) - i128::from(first) + 1)?);
        }
        let mut task = Task::new(&self.ranges, meter);
        let (validity, corner, far) = match simple.guard() {
            None => {
                let first = self.ranges.iter().map(|&(first, _)| i128::from(first)).collect();
                let last = self.ranges.iter().map(|&(_, last)| i128::from(last)).collect();
                (Validity::All, first, last)
            }
            Some(Expr::Always(false)) => {
                let strides = vec![0; shape.len()];
                return View::new(&shape, &strides, 0, Validity::Nothing).map(Ok);
            }
            Some(condition) => match self.valid_box(condition, &mut task)? {
                None => {
                    let strides = vec![0; shape.len()];
                    return View::new(&shape, &strides, 0, Validity::Nothing).map(Ok);
                }
                Some(Err(witness)) => return Ok(Err(witness)),
                Some(Ok((first, last))) => {
                    let ends = first.iter().zip(&last).zip(&self.ranges);
                    let bounds: Result<Vec<(i64, i64)>, Error> = ends
                        .map(|((&a, &b), &(from, _))| {
                            Ok((narrow(a - i128::from(from))?, narrow(b - i128::from(from) + 1)?))
                        })
                        .collect();
                    (Validity::Box(bounds?.into_iter().collect()), first, last)
                }
            },
        };
        let affine = self.affine_at(value, &corner, &far)?;
        if !value.is_linear()
            && let Some(point) = self.off(value, simple.guard(), &affine, &mut task)?
        {
            return self.step(value, &affine, corner, &point, &task).map(Err);
        }
        let strides = affine.strides.iter().map(|&s| narrow(s)).collect::<Result<Vec<_>, _>>()?;
        View::new(&shape, &strides, narrow(affine.offset)?, validity).map(Ok)
    }

    /// The affine function with the value's steps at a corner of a box.
    pub(super) fn affine_at(
        &self,
        value: &Expr,
        corner: &[i128],
        far: &[i128],
    ) -> Result<Affine, Error> {
        let at = |point: &[i128]| value.at(point).ok_or_else(|| out_of_range(point));
        let mut point = corner.to_vec();
        let here = at(&point)?;
        let (mut offset, mut strides) = (here, Vec::with_capacity(corner.len()));
        for axis in 0..corner.len() {
            let mut stride = 0;
            if corner[axis] < far[axis] {
                point[axis] += 1;
                stride = at(&point)? - here;
                point[axis] -= 1;
            }
            let moved = corner[axis] - i128::from(self.ranges[axis].0);
            let too_far = Error::ExpressionRange { number: stride };
            let back = stride.checked_mul(moved).and_then(|back| offset.checked_sub(back));
            offset = back.ok_or(too_far)?;
            strides.push(stride);
        }
        Ok(Affine { offset, strides })
    }

    /// A point where the expression is defined and differs from an affine function.
    fn off(
        &self,
        value: &Expr,
        valid: Option<&Expr>,
        affine: &Affine,
        task: &mut Task<'_, '_, '_>,
    ) -> Result<Option<Vec<i128>>, Error> {
        let mut constant = affine.offset;
        let mut all = Vec::with_capacity(self.ranges.len() + 1);
        for (axis, &stride) in affine.strides.iter().enumerate() {
            let from = i128::from(self.ranges[axis].0);
            let moved = stride.checked_mul(from).and_then(|moved| constant.checked_sub(moved));
            constant = moved.ok_or(Error::ExpressionRange { number: stride })?;
            let by = Expr::Number(narrow(stride)?);
            all.push(Expr::multiply(Expr::Variable(axis), by, Place::default()));
        }
        all.push(Expr::Number(narrow(constant)?));
        let unequal = Expr::compare(value.clone(), Relation::Unequal, Expr::Sum(all));
        let mut conditions = vec![self.normal(&unequal)?];
        conditions.extend(valid.cloned());
        task.possible(&conditions)
    }

    /// Two steps that differ, on the way from a corner to a point where the value is not affine.
    fn step(
        &self,
        value: &Expr,
        affine: &Affine,
        corner: Vec<i128>,
        point: &[i128],
        task: &Task<'_, '_, '_>,
    ) -> Result<Witness, Error> {
        let at = |point: &[i128]| value.at(point).ok_or_else(|| out_of_range(point));
        let mut here = corner.clone();
        for axis in 0..corner.len() {
            let moved = |here: &[i128], to: i128| {
                let mut point = here.to_vec();
                point[axis] = to;
                point
            };
            let stride = affine.strides[axis];
            let agrees = |here: &[i128], from: i128, to: i128| -> Result<bool, Error> {
                let change = at(&moved(here, to))? - at(&moved(here, from))?;
                Ok(stride.checked_mul(to - from) == Some(change))
            };
            let (mut from, mut to) = (here[axis], point[axis]);
            if !agrees(&here, from, to)? {
                // One half of a stretch that does not agree does not agree.
                while to - from > 1 {
                    let middle = from + (to - from) / 2;
                    if agrees(&here, from, middle)? {
                        from = middle;
                    } else {
                        to = middle;
                    }
                }
                let other = moved(&here, from);
                let other_step = at(&moved(&here, to))? - at(&other)?;
                return Ok(Witness::Step {
                    axis,
                    at: self.index(&corner)?,
                    step: narrow(stride)?,
                    other: self.index(&other)?,
                    other_step: narrow(other_step)?,
                });
            }
            here[axis] = point[axis];
        }
        // A point where the value is affine after all.
        Err(task.undecided())
    }

    /// A point as an index, counted from the first values.
    fn index(&self, point: &[i128]) -> Result<viewmerge::Index, Error> {
        let from_first = |(&x, &(first, _)): (&i128, &(i64, i64))| narrow(x - i128::from(first));
        let index: Vec<i64> =
            point.iter().zip(&self.ranges).map(from_first).collect::<Result<_, _>>()?;
        Ok(index.into())
    }

    /// First and last point of where a condition holds, if that is a box, or else a hole in
    /// it; `None` if it holds nowhere.
    #[allow(clippy::type_complexity, reason = "a box is two points")]
    fn valid_box(
        &self,
        condition: &Expr,
        task: &mut Task<'_, '_, '_>,
    ) -> Result<Option<Result<(Vec<i128>, Vec<i128>), Witness>>, Error> {
        let holds = [self.normal(condition)?];
        let mut inside = vec![normal::condition(condition, true, &self.ranges)?];
        let mut ends = Vec::with_capacity(self.ranges.len());
        for axis in 0..self.ranges.len() {
            let variable = Expr::Variable(axis);
            let least = task.extreme(&variable, &holds, false)?;
            let most = task.extreme(&variable, &holds, true)?;
            let (Some(least), Some(most)) = (least, most) else { return Ok(None) };
            for (relation, end) in [(Relation::AtLeast, least.0), (Relation::AtMost, most.0)] {
                let end = Expr::Number(narrow(end)?);
                inside.push(Expr::compare(variable.clone(), relation, end));
            }
            ends.push((least, most));
        }
        let first = ends.iter().map(|(least, _)| least.0).collect();
        let last = ends.iter().map(|(_, most)| most.0).collect();
        let Some(outside) = task.possible(&inside)? else { return Ok(Some(Ok((first, last)))) };
        // From a valid point to an invalid one, axis by axis.
        let Some(((_, start), _)) = ends.first() else { return Ok(Some(Ok((first, last)))) };
        let mut here = start.clone();
        for (axis, (least, most)) in ends.iter().enumerate() {
            let to = outside[axis];
            let other = if to <= here[axis] { &least.1 } else { &most.1 };
            let mut next = here.clone();
            next[axis] = to;
            if !condition.holds(&next) {
                return Ok(Some(Err(Witness::Hole {
                    valid: [self.index(&here)?, self.index(other)?],
                    invalid: self.index(&next)?,
                })));
            }
            here = next;
        }
        Err(task.undecided())
    }
}

impl Simplified {
    pub(super) fn value(&self) -> Result<&Expr, Error> {
        let body = &self.expression.body;
        if !body.is_condition() {
            return Ok(body);
        }
        let text = self.expression.to_string();
        Err(Error::WrongKind { text, found: "condition", expected: "number" })
    }

    pub(super) fn guard(&self) -> Option<&Expr> {
        Some(&self.condition.as_ref()?.body)
    }
}

/// That a value at a point does not fit 128 bits; its largest coordinate is a factor of it.
fn out_of_range(point: &[i128]) -> Error {
    let number = point.iter().copied().max_by_key(|x| x.unsigned_abs());
    Error::ExpressionRange { number: number.unwrap_or(0) }
}
