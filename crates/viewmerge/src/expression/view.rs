//! An expression as one view.
//!
//! The axes are the variables in the domain's order, counted from their first values. The
//! expression is one view if it is affine where it counts, and that is a box.
//!
//! Running example: `(4*i + j) // 8 * 8 + (4*i + j) % 8` for i from 1 to 3 and j from 0 to 3 is
//! 4·i + j: `(3,4)+4`.

use alloc::vec;
use alloc::vec::Vec;

use super::tree::{Condition, Relation, Value};
use super::{Body, Domain, Expression, normal};
use crate::error::Error;
use crate::form::linear::narrow;
use crate::limit::{Limit, Meter};
use crate::view::{Validity, View};

impl Domain {
    /// The view that an expression is, if it is one: axis l is the domain's variable l, from its
    /// first value on.
    ///
    /// # Errors
    ///
    /// As [`Domain::equal`], [`Error::WrongKind`] for a condition, and those of [`View::new`] for a
    /// view that is too large.
    ///
    /// ```
    /// use viewmerge::{Domain, Limit};
    ///
    /// let domain = Domain::new(&[("i", 1, 3), ("j", 0, 3)])?;
    /// let expression = "(4*i + j) // 8 * 8 + (4*i + j) % 8".parse()?;
    /// assert_eq!(domain.as_view(&expression, &Limit::none())?, Some("(3,4)+4".parse()?));
    /// assert_eq!(domain.as_view(&"i // 2".parse()?, &Limit::none())?, None);
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    pub fn as_view(
        &self,
        expression: &Expression,
        limit: &Limit<'_>,
    ) -> Result<Option<View>, Error> {
        let simple = self.simplify(expression, limit)?;
        if !simple.is_decided() {
            return Err(Error::Undecided { steps: 0, stopped: false });
        }
        self.view_of(&simple, limit)
    }

    /// The view that a simplified expression is.
    ///
    /// # Errors
    ///
    /// As [`Domain::as_view`].
    ///
    /// ```
    /// use viewmerge::{Domain, Limit};
    ///
    /// let domain = Domain::new(&[("i", 0, 9)])?;
    /// let simple = domain.simplify(&"i % 16".parse()?, &Limit::none())?;
    /// assert_eq!(domain.view_of(&simple, &Limit::none())?, Some("(10)".parse()?));
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    pub fn view_of(
        &self,
        simple: &super::Simplified,
        limit: &Limit<'_>,
    ) -> Result<Option<View>, Error> {
        let Body::Value(value) = &simple.expression.body else {
            let text = alloc::string::ToString::to_string(&simple.expression);
            return Err(Error::WrongKind { text, found: "condition", expected: "number" });
        };
        if !is_linear(value) {
            return Ok(None);
        }
        let too_far = || Error::ExpressionRange { number: i128::MAX };
        let mut shape = Vec::with_capacity(self.ranges.len());
        let mut corner: Vec<i128> = Vec::with_capacity(self.ranges.len());
        for &(first, last) in &self.ranges {
            shape.push(narrow(i128::from(last) - i128::from(first) + 1)?);
            corner.push(first.into());
        }
        let offset = value.at(&corner).ok_or_else(too_far)?;
        let mut strides = Vec::with_capacity(shape.len());
        for axis in 0..shape.len() {
            corner[axis] += 1;
            strides.push(narrow(value.at(&corner).ok_or_else(too_far)? - offset)?);
            corner[axis] -= 1;
        }
        let validity = match &simple.valid {
            None => Validity::All,
            Some(valid) => match self.valid_box(&valid.body, limit)? {
                None => return Ok(None),
                Some(validity) => validity,
            },
        };
        View::new(&shape, &strides, narrow(offset)?, validity).map(Some)
    }

    /// Where a condition holds, if that is a box.
    fn valid_box(&self, valid: &Body, limit: &Limit<'_>) -> Result<Option<Validity>, Error> {
        let Body::Condition(condition) = valid else { return Ok(None) };
        if *condition == Condition::Always(false) {
            return Ok(Some(Validity::Nothing));
        }
        let holds = [normal::condition(condition, false, &self.ranges)?];
        let mut task = super::Task { ranges: &self.ranges, meter: &mut Meter::new(limit) };
        let mut inside = vec![normal::condition(condition, true, &self.ranges)?];
        let mut bounds = Vec::with_capacity(self.ranges.len());
        for (axis, &(from, _)) in self.ranges.iter().enumerate() {
            let variable = Value::Variable(axis);
            let least = task.extreme(&variable, &holds, false)?;
            let most = task.extreme(&variable, &holds, true)?;
            let (Some((first, _)), Some((last, _))) = (least, most) else {
                return Ok(Some(Validity::Nothing));
            };
            let (first, last) = (narrow(first)?, narrow(last)?);
            for (relation, end) in [(Relation::AtLeast, first), (Relation::AtMost, last)] {
                inside.push(normal::compare(variable.clone(), relation, Value::Number(end)));
            }
            bounds.push((first - from, last - from + 1));
        }
        let hole = task.possible(&inside)?;
        Ok(hole.is_none().then(|| Validity::Box(bounds.into_iter().collect())))
    }
}

/// Whether a tree is a sum of multiples of variables and numbers.
fn is_linear(value: &Value) -> bool {
    match value {
        Value::Number(_) | Value::Variable(_) => true,
        Value::Sum(all) => all.iter().all(is_linear),
        Value::Negate(a) => is_linear(a),
        Value::Multiply(a, b, _) => match (&**a, &**b) {
            (other, Value::Number(_)) | (Value::Number(_), other) => is_linear(other),
            _ => false,
        },
        _ => false,
    }
}
