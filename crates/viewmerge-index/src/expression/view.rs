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
use alloc::vec::Vec;

use super::decide::Task;
use super::tree::{Expr, Relation};
use super::write::tree;
use super::{Domain, Simplified, normal};
use crate::form::linear::{Linear, narrow};
use lattice_point::{Limit, Meter};
use viewmerge::{Error, Validity, View, Witness};

/// What a view needs of ranges.
pub(super) const NO_SIZES: &str = "a view has sizes, give it one";

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
        let shape = self.shape()?;
        let mut task = Task::new(&self.ranges, meter);
        let nothing = || View::nothing(&shape).map(Ok);
        let (validity, corner, far) = match simple.guard() {
            None => {
                let (first, last) = self.corners();
                (Validity::All, first, last)
            }
            Some(Expr::Always(false)) => return nothing(),
            Some(condition) => match self.valid_box(condition, &mut task)? {
                None => return nothing(),
                Some(Err(witness)) => return Ok(Err(witness)),
                Some(Ok((first, last))) => {
                    let (lo, hi) = (self.index(&first)?, self.index(&last)?);
                    let ends = lo.iter().zip(hi.iter()).map(|(&lo, &hi)| (lo, hi + 1));
                    (Validity::Box(ends.collect()), first, last)
                }
            },
        };
        let affine = self.affine_at(value, &corner, &far)?;
        if !value.is_linear()
            && let Some(point) = self.off(value, simple.guard(), &affine, &mut task)?
        {
            return self.step(value, &affine, corner, &point, &task).map(Err);
        }
        View::new(&shape, affine.axes(), affine.constant, validity).map(Ok)
    }

    /// How many values every variable has.
    pub(super) fn shape(&self) -> Result<Vec<i64>, Error> {
        let size = |&(first, last): &(i64, i64)| narrow(i128::from(last) - i128::from(first) + 1);
        self.ranges.iter().map(size).collect()
    }

    /// The first and the last values.
    pub(super) fn corners(&self) -> (Vec<i64>, Vec<i64>) {
        self.ranges.iter().copied().unzip()
    }

    /// The affine function, of the index that counts from the first values, with the value's steps at a
    /// corner of a box.
    pub(super) fn affine_at(
        &self,
        value: &Expr,
        corner: &[i64],
        far: &[i64],
    ) -> Result<Linear, Error> {
        let mut point = corner.to_vec();
        let here = value_at(value, &point)?;
        let mut strides = Vec::with_capacity(corner.len());
        for axis in 0..corner.len() {
            let mut stride = 0;
            if corner[axis] < far[axis] {
                point[axis] += 1;
                stride = value_at(value, &point)? - here;
                point[axis] -= 1;
            }
            strides.push(narrow(stride)?);
        }
        let steps = Linear::new(0, corner.len(), strides.iter().copied());
        let offset = here.saturating_sub(steps.at(&self.index(corner)?));
        Ok(Linear::new(narrow(offset)?, corner.len(), strides))
    }

    /// A point where the expression is defined and differs from an affine function.
    fn off(
        &self,
        value: &Expr,
        valid: Option<&Expr>,
        affine: &Linear,
        task: &mut Task<'_, '_, '_>,
    ) -> Result<Option<Vec<i64>>, Error> {
        let origin: Vec<i64> = self.ranges.iter().map(|&(first, _)| -first).collect();
        let of_variables = affine.map(narrow(affine.at(&origin))?, |&stride| stride);
        let unequal = Expr::compare(value.clone(), Relation::Unequal, tree(&of_variables)?);
        let mut conditions = vec![self.normal(&unequal)?];
        conditions.extend(valid.cloned());
        task.possible(&conditions)
    }

    /// Two steps that differ, on the way from a corner to a point where the value is not affine.
    fn step(
        &self,
        value: &Expr,
        affine: &Linear,
        corner: Vec<i64>,
        point: &[i64],
        task: &Task<'_, '_, '_>,
    ) -> Result<Witness, Error> {
        let at = |point: &[i64]| value_at(value, point);
        let mut here = corner.clone();
        for axis in 0..corner.len() {
            let moved = |here: &[i64], to: i64| {
                let mut point = here.to_vec();
                point[axis] = to;
                point
            };
            let stride = affine.term(axis);
            let agrees = |here: &[i64], from: i64, to: i64| -> Result<bool, Error> {
                let change = at(&moved(here, to))? - at(&moved(here, from))?;
                Ok(i128::from(stride) * i128::from(to - from) == change)
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
                    step: stride,
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
    fn index(&self, point: &[i64]) -> Result<viewmerge::Index, Error> {
        let from_first =
            |(&x, &(first, _)): (&i64, &(i64, i64))| narrow(i128::from(x) - i128::from(first));
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
    ) -> Result<Option<Result<(Vec<i64>, Vec<i64>), Witness>>, Error> {
        let holds = [self.normal(condition)?];
        let mut inside = vec![normal::condition(condition, true, &self.ranges)?];
        let mut ends = Vec::with_capacity(self.ranges.len());
        for axis in 0..self.ranges.len() {
            let variable = Expr::Variable(axis);
            let least = task.extreme(&variable, &holds, false)?;
            let most = task.extreme(&variable, &holds, true)?;
            let (Some((_, least)), Some((_, most))) = (least, most) else { return Ok(None) };
            for (relation, end) in [(Relation::AtLeast, &least), (Relation::AtMost, &most)] {
                let end = Expr::Number(end[axis]);
                inside.push(Expr::compare(variable.clone(), relation, end));
            }
            ends.push((least, most));
        }
        let corners =
            ends.iter().enumerate().map(|(axis, (least, most))| (least[axis], most[axis]));
        let (first, last) = corners.unzip();
        let Some(outside) = task.possible(&inside)? else { return Ok(Some(Ok((first, last)))) };
        // From a valid point to an invalid one, axis by axis.
        let Some((start, _)) = ends.first() else { return Ok(Some(Ok((first, last)))) };
        let mut here = start.clone();
        for (axis, (least, most)) in ends.iter().enumerate() {
            let to = outside[axis];
            let other = if to <= here[axis] { least } else { most };
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

/// The value at a point. If it does not fit 128 bits, the largest coordinate is a factor of it.
fn value_at(value: &Expr, point: &[i64]) -> Result<i128, Error> {
    value.at(point).ok_or_else(|| {
        let number = point.iter().max_by_key(|x| x.unsigned_abs());
        Error::ExpressionRange { number: number.map_or(0, |&x| x.into()) }
    })
}
