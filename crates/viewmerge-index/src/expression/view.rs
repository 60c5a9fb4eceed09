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
use viewmerge::internal::first_change;
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
        Task::new(self, &mut Meter::new(limit)).view(simple)
    }

    /// How many values every variable has.
    pub(super) fn shape(&self) -> Vec<i64> {
        self.ranges.iter().map(|(first, last)| last - first + 1).collect()
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
        let here = value_at(value, corner)?;
        let stride = |axis: usize| {
            let mut next = corner.to_vec();
            next[axis] = far[axis].min(corner[axis] + 1);
            narrow(value_at(value, &next)? - here)
        };
        let strides = (0..corner.len()).map(stride).collect::<Result<Vec<_>, _>>()?;
        let mut affine = Linear::new(0, corner.len(), strides);
        affine.constant = narrow(here.saturating_sub(affine.at(&self.index(corner))))?;
        Ok(affine)
    }

    /// Two steps that differ, on the way from a corner to a point where the value is not affine.
    fn step(
        &self,
        value: &Expr,
        affine: &Linear,
        corner: &[i64],
        point: &[i64],
    ) -> Result<Witness, Error> {
        let is_off = |point: &[i64]| value.at(point) != Some(affine.at(&self.index(point)));
        let [other, next] = first_change(corner.into(), point.into(), is_off);
        let axis = (0..corner.len()).find(|&axis| other[axis] != next[axis]).unwrap_or(0);
        Ok(Witness::Step {
            axis,
            at: self.index(corner),
            step: affine.term(axis),
            other_step: narrow(value_at(value, &next)? - value_at(value, &other)?)?,
            other: self.index(&other),
        })
    }

    /// A point as an index, counted from the first values.
    fn index(&self, point: &[i64]) -> viewmerge::Index {
        point.iter().zip(&self.ranges).map(|(x, (first, _))| x - first).collect()
    }
}

impl Task<'_, '_, '_> {
    /// [`Domain::as_view`].
    pub(super) fn view(&mut self, simple: &Simplified) -> Result<Option<View>, Error> {
        let value = simple.value()?;
        // A floor that stays after simplifying is not affine; a choice may be.
        if simple.is_decided() && !value.is_linear() && value.choices() == 0 {
            return Ok(None);
        }
        Ok(self.one_view(simple)?.ok())
    }

    /// The one view that a simplified expression is, or why it is not one.
    pub(super) fn one_view(&mut self, simple: &Simplified) -> Result<Result<View, Witness>, Error> {
        let value = simple.value()?;
        let domain = self.domain;
        let shape = domain.shape();
        let nothing = || View::nothing(&shape).map(Ok);
        let (corner, far) = match simple.guard() {
            None => domain.corners(),
            Some(Expr::Always(false)) => return nothing(),
            Some(condition) => match self.valid_box(condition)? {
                None => return nothing(),
                Some(Err(witness)) => return Ok(Err(witness)),
                Some(Ok(corners)) => corners,
            },
        };
        let (lo, hi) = (domain.index(&corner), domain.index(&far));
        let bounds = lo.iter().zip(hi.iter()).map(|(&lo, &hi)| (lo, hi + 1));
        let validity = Validity::within(&shape, &bounds.collect::<Vec<_>>());
        let affine = domain.affine_at(value, &corner, &far)?;
        if !value.is_linear()
            && let Some(point) = self.off(value, simple.guard(), &affine)?
        {
            return domain.step(value, &affine, &corner, &point).map(Err);
        }
        View::new(&shape, affine.axes(), affine.constant, validity).map(Ok)
    }

    /// A point where the expression is defined and differs from an affine function.
    fn off(
        &mut self,
        value: &Expr,
        valid: Option<&Expr>,
        affine: &Linear,
    ) -> Result<Option<Vec<i64>>, Error> {
        let origin: Vec<i64> = self.domain.ranges.iter().map(|&(first, _)| -first).collect();
        let affine = tree(&affine.moved(&origin)?)?;
        let apart = self.domain.apart(value, &affine)?;
        self.possible(&[apart].into_iter().chain(valid.cloned()).collect::<Vec<_>>())
    }

    /// First and last point of where a condition holds, if that is a box, or else a hole in
    /// it; `None` if it holds nowhere.
    #[allow(clippy::type_complexity, reason = "a box is two points")]
    fn valid_box(
        &mut self,
        condition: &Expr,
    ) -> Result<Option<Result<(Vec<i64>, Vec<i64>), Witness>>, Error> {
        let holds = [self.domain.normal(condition)?];
        let mut inside = vec![normal::condition(condition, true, &self.ranges)?];
        let mut ends = Vec::with_capacity(self.ranges.len());
        for axis in 0..self.ranges.len() {
            let variable = Expr::Variable(axis);
            let least = self.extreme(&variable, &holds, false)?;
            let most = self.extreme(&variable, &holds, true)?;
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
        let Some(outside) = self.possible(&inside)? else { return Ok(Some(Ok((first, last)))) };
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
                    valid: [self.domain.index(&here), self.domain.index(other)],
                    invalid: self.domain.index(&next),
                })));
            }
            here = next;
        }
        Err(self.undecided())
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
