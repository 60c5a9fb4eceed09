//! An expression as one view, a view with guards, a view over cut axes, or none.
//!
//! An expression without floors is one view with affine guards. One with floors may be one over
//! cut axes: with 12·a + b for i, `i // 12` is a. The cuts that are tried are those of its divisors,
//! as many of them as divide each other, and then as few as are needed.
//!
//! Running example: `i // 3 + 4*(i % 3)` for i from 0 to 11 is a + 4·b for i = 3·a + b: `((4,3))`,
//! `(4,3):(1,4)`.
//!
//! Cost: that of simplifying, once for every set of cuts that is tried.

use alloc::format;
use alloc::vec;
use alloc::vec::Vec;

use super::choose::{replaced, replaced_in};
use super::tree::{Condition, Part, Place, Relation, Value};
use super::view::{NO_SIZES, is_linear};
use super::{Body, Domain, Expression, Simplified};
use crate::error::Error;
use crate::form::GuardedView;
use crate::form::linear::narrow;
use crate::limit::Limit;
use crate::merge::Witness;
use crate::split::Split;
use crate::view::{Validity, View};

/// What [`Domain::views`] found.
///
/// ```
/// use viewmerge::{Domain, Limit, Viewed};
///
/// let domain = Domain::new(&[("i", 0, 11)])?;
/// let found = domain.views(&"i // 3 + 4*(i % 3)".parse()?, &Limit::none())?;
/// let Viewed::Split { split, view, .. } = found else { panic!("it is one over cut axes") };
/// assert_eq!((split.to_string(), view.to_string()), ("((4,3))".into(), "(4,3):(1,4)".into()));
/// # Ok::<(), viewmerge::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Viewed {
    /// One view.
    One(View),
    /// One view with affine guards, and not one without.
    Guarded {
        /// The view.
        view: GuardedView,
        /// Why it is not one view.
        witness: Witness,
    },
    /// One view over cut axes, which may have guards, and not one without cuts.
    Split {
        /// How the axes are cut.
        split: Split,
        /// The view over the axes after that.
        view: GuardedView,
        /// Why it is not one view.
        witness: Witness,
    },
    /// Not one view; no cuts were found either.
    None(Witness),
}

impl Domain {
    /// What an expression is: one view, one with guards, one over cut axes, or none. Axis l is the domain's
    /// variable l, from its first value on.
    ///
    /// # Errors
    ///
    /// As [`Domain::as_view`].
    ///
    /// ```
    /// use viewmerge::{Domain, Limit, Viewed};
    ///
    /// let domain = Domain::new(&[("i", 0, 15), ("k", 0, 2)])?.valid(&"2 <= i + k < 17".parse()?)?;
    /// let Viewed::Guarded { view, .. } = domain.views(&"i + k - 2".parse()?, &Limit::none())?
    ///     else { panic!("it has a guard") };
    /// assert_eq!(view.to_string(), "(16,3):(1,1)-2 if 2 <= i0 + i1 < 17");
    /// let domain = Domain::new(&[("i", 0, 6)])?;
    /// let Viewed::None(witness) = domain.views(&"i * 2 // 3".parse()?, &Limit::none())?
    ///     else { panic!("7 values cannot be cut") };
    /// assert_eq!(witness.to_string(), "along axis 0 the step from (0) is 0, but from (1) it is 1");
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    pub fn views(&self, expression: &Expression, limit: &Limit<'_>) -> Result<Viewed, Error> {
        self.closed(NO_SIZES)?;
        self.views_of(&self.settled(expression, limit)?, limit)
    }

    /// The same of a simplified expression.
    ///
    /// # Errors
    ///
    /// As [`Domain::as_view`].
    ///
    /// ```
    /// use viewmerge::{Domain, Limit, Viewed};
    ///
    /// let domain = Domain::new(&[("i", 0, 9), ("j", 0, 9)])?;
    /// let simple = domain.simplify(&"max(i, j) + min(i, j)".parse()?, &Limit::none())?;
    /// let one = domain.views_of(&simple, &Limit::none())?;
    /// assert_eq!(one, Viewed::One("(10,10):(1,1)".parse()?));
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    pub fn views_of(&self, simple: &Simplified, limit: &Limit<'_>) -> Result<Viewed, Error> {
        self.closed(NO_SIZES)?;
        let witness = match self.one_view(simple, limit)? {
            Ok(view) => return Ok(Viewed::One(view)),
            Err(witness) => witness,
        };
        if let Some(view) = self.guarded(simple)? {
            return Ok(Viewed::Guarded { view, witness });
        }
        Ok(match self.cut(simple, limit)? {
            Some((split, view)) => Viewed::Split { split, view, witness },
            None => Viewed::None(witness),
        })
    }

    /// The view with guards that an expression without floors is.
    fn guarded(&self, simple: &Simplified) -> Result<Option<GuardedView>, Error> {
        let value = simple.value()?;
        let mut comparisons = Vec::new();
        let plain = match simple.condition() {
            None => true,
            Some(condition) => collect(condition, &mut comparisons),
        };
        if !plain || !is_linear(value) {
            return Ok(None);
        }
        let corner: Vec<i128> = self.ranges.iter().map(|&(first, _)| first.into()).collect();
        let far: Vec<i128> = self.ranges.iter().map(|&(_, last)| last.into()).collect();
        let mut shape = Vec::with_capacity(far.len());
        for (a, b) in corner.iter().zip(&far) {
            shape.push(narrow(b - a + 1)?);
        }
        let mut bounds: Vec<(i64, i64)> = shape.iter().map(|&size| (0, size)).collect();
        let mut guards: Vec<(Vec<i64>, Option<i64>, Option<i64>)> = Vec::new();
        for (a, relation, b) in comparisons {
            let minus = Value::Negate(alloc::boxed::Box::new(b.clone()));
            let difference = Value::Sum(vec![a.clone(), minus]);
            let affine = self.affine_at(&difference, &corner, &far)?;
            let strides: Vec<i64> =
                affine.strides.iter().map(|&s| narrow(s)).collect::<Result<_, _>>()?;
            let end = |shift: i128| narrow(shift - affine.offset).map(Some);
            let (lower, upper) = match relation {
                Relation::Less => (None, end(0)?),
                Relation::AtMost => (None, end(1)?),
                Relation::Greater => (end(1)?, None),
                Relation::AtLeast => (end(0)?, None),
                Relation::Equal => (end(0)?, end(1)?),
                Relation::Unequal => return Ok(None),
            };
            let mut moving = strides.iter().enumerate().filter(|(_, s)| **s != 0);
            match (moving.next(), moving.next()) {
                (Some((axis, &s)), None) if s == 1 || s == -1 => {
                    // lower ≤ ±x < upper narrows the box.
                    let (low, high) = if s == 1 {
                        (lower, upper)
                    } else {
                        (upper.map(|end| 1 - end), lower.map(|end| 1 - end))
                    };
                    let (first, end) = &mut bounds[axis];
                    *first = low.map_or(*first, |low| low.max(*first));
                    *end = high.map_or(*end, |high| high.min(*end));
                }
                _ => match guards.iter_mut().find(|(known, ..)| *known == strides) {
                    Some((_, low, high)) => {
                        *low = (*low).max(lower);
                        *high = match (*high, upper) {
                            (Some(a), Some(b)) => Some(a.min(b)),
                            (a, b) => a.or(b),
                        };
                    }
                    None => guards.push((strides, lower, upper)),
                },
            }
        }
        let affine = self.affine_at(value, &corner, &far)?;
        let strides: Vec<i64> =
            affine.strides.iter().map(|&s| narrow(s)).collect::<Result<_, _>>()?;
        let validity = Validity::Box(bounds.into_iter().collect());
        let view = View::new(&shape, &strides, narrow(affine.offset)?, validity)?;
        let guards: Vec<(&[i64], Option<i64>, Option<i64>)> =
            guards.iter().map(|(s, lower, upper)| (s.as_slice(), *lower, *upper)).collect();
        GuardedView::new(view, &guards).map(Some)
    }

    /// The fewest cuts among those of the divisors over which it is one view with guards.
    fn cut(
        &self,
        simple: &Simplified,
        limit: &Limit<'_>,
    ) -> Result<Option<(Split, GuardedView)>, Error> {
        let mut found: Vec<Vec<i64>> = vec![vec![]; self.ranges.len()];
        self.places(simple.value()?, &mut found);
        if let Some(condition) = simple.condition() {
            self.places_in(condition, &mut found);
        }
        let mut cuts: Vec<Vec<i64>> = Vec::with_capacity(found.len());
        for (mut places, &(first, last)) in found.into_iter().zip(&self.ranges) {
            let size = narrow(i128::from(last) - i128::from(first) + 1)?;
            places.sort_unstable();
            let mut kept: Vec<i64> = Vec::new();
            for place in places {
                let behind = kept.last().copied().unwrap_or(1);
                if place > behind && place < size && size % place == 0 && place % behind == 0 {
                    kept.push(place);
                }
            }
            cuts.push(kept);
        }
        let Some(mut view) = self.over(simple, &cuts, limit)? else { return Ok(None) };
        for axis in 0..cuts.len() {
            for k in (0..cuts[axis].len()).rev() {
                let mut fewer = cuts.clone();
                fewer[axis].remove(k);
                if let Some(coarser) = self.over(simple, &fewer, limit)? {
                    (cuts, view) = (fewer, coarser);
                }
            }
        }
        let sizes = self.ranges.iter().map(|&(first, last)| last - first + 1);
        let axes = sizes.zip(cuts.iter().map(|places| places.iter().copied()));
        Ok(Some((Split::from_places(axes), view)))
    }

    /// The view with guards over axes that are cut at these places, finest first.
    fn over(
        &self,
        simple: &Simplified,
        cuts: &[Vec<i64>],
        limit: &Limit<'_>,
    ) -> Result<Option<GuardedView>, Error> {
        let old = self.ranges.len();
        let mut domain = Domain { names: vec![], ranges: vec![], holds: vec![] };
        let mut value = simple.value()?.clone();
        let mut valid = simple.condition().cloned();
        for (axis, (places, &(first, last))) in cuts.iter().zip(&self.ranges).enumerate() {
            let mut terms = vec![Value::Number(first)];
            let mut size = last - first + 1;
            for &place in places.iter().rev().chain(&[1]) {
                let digit = Value::Variable(old + domain.ranges.len());
                let place_value = alloc::boxed::Box::new(Value::Number(place));
                terms.push(match place {
                    1 => digit,
                    _ => Value::Multiply(
                        alloc::boxed::Box::new(digit),
                        place_value,
                        Place::default(),
                    ),
                });
                domain.names.push(format!("{axis}.{}", terms.len()));
                domain.ranges.push((0, size / place - 1));
                size = place;
            }
            let (variable, by) = (Value::Variable(axis), Value::Sum(terms));
            value = replaced_in(&value, &variable, &by);
            valid = valid.map(|valid| replaced(&valid, &variable, &by));
        }
        let numbers: Vec<usize> =
            core::iter::repeat_n(0, old).chain(0..domain.ranges.len()).collect();
        value.renumber(&numbers);
        if let Some(mut valid) = valid {
            valid.renumber(&numbers);
            domain.holds.push(valid);
        }
        let names = domain.names.clone();
        let cut = Expression { names, body: Body::Value(value), valid: None };
        let simple = domain.simplify(&cut, limit)?;
        if !simple.is_decided() {
            return Ok(None);
        }
        match domain.view_of(&simple, limit)? {
            Some(view) => GuardedView::new(view, &[]).map(Some),
            None => domain.guarded(&simple),
        }
    }

    /// Where the divisors of a value would cut the axes.
    fn places(&self, value: &Value, found: &mut [Vec<i64>]) {
        match value {
            Value::Number(_) | Value::Variable(_) => {}
            Value::Sum(all) | Value::Least(all) | Value::Greatest(all) => {
                all.iter().for_each(|one| self.places(one, found));
            }
            Value::Negate(a) | Value::Multiply(a, ..) => self.places(a, found),
            Value::Divide(a, by, _, part, _) => {
                if let Value::Number(m) = **by {
                    for (axis, places) in found.iter_mut().enumerate() {
                        let slope = self.slope(a, axis);
                        let common = i128::from(m) / gcd(i128::from(m), slope).max(1);
                        if slope != 0
                            && let Ok(place) = i64::try_from(common)
                        {
                            places.push(place);
                        }
                        // A rest of a multiple is cut below it as well.
                        if *part == Part::Rest || slope != 0 {
                            let below = i128::from(m) / slope.abs().max(1);
                            places.extend(i64::try_from(below));
                        }
                    }
                }
                self.places(a, found);
            }
            Value::Where(when, a, b) => {
                self.places_in(when, found);
                self.places(a, found);
                self.places(b, found);
            }
        }
    }

    fn places_in(&self, condition: &Condition, found: &mut [Vec<i64>]) {
        match condition {
            Condition::Always(_) => {}
            Condition::Compare(a, _, b) => {
                self.places(a, found);
                self.places(b, found);
                // x compared with a number is cut there.
                if let (Value::Variable(axis), Value::Number(end)) = (&**a, &**b) {
                    found[*axis].push(end.saturating_sub(self.ranges[*axis].0));
                }
            }
            Condition::All(all) | Condition::Any(all) => {
                all.iter().for_each(|one| self.places_in(one, found));
            }
            Condition::Not(one) => self.places_in(one, found),
        }
    }

    /// How often a variable is in a sum.
    fn slope(&self, value: &Value, axis: usize) -> i128 {
        match value {
            Value::Variable(variable) => i128::from(*variable == axis),
            Value::Sum(all) => all.iter().map(|one| self.slope(one, axis)).sum(),
            Value::Negate(a) => -self.slope(a, axis),
            Value::Multiply(a, b, _) => match (&**a, &**b) {
                (one, Value::Number(by)) | (Value::Number(by), one) => {
                    self.slope(one, axis).saturating_mul((*by).into())
                }
                _ => 0,
            },
            _ => 0,
        }
    }
}

fn gcd(a: i128, b: i128) -> i128 {
    let (mut a, mut b) = (a.saturating_abs(), b.saturating_abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// The comparisons of a condition that has nothing else, and none but linear ones.
fn collect<'c>(condition: &'c Condition, into: &mut Vec<(&'c Value, Relation, &'c Value)>) -> bool {
    match condition {
        Condition::Always(true) => true,
        Condition::Compare(a, relation, b) => {
            into.push((a, *relation, b));
            is_linear(a) && is_linear(b)
        }
        Condition::All(all) => all.iter().all(|one| collect(one, into)),
        _ => false,
    }
}
