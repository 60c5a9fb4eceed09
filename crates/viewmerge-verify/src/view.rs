//! Views as they appear in a certificate, and what a chain of them does.
//!
//! This is the definition as code: positions, digits, composing, the value at one index. Numbers may be of
//! any size, so nothing here is bounded.

use std::fmt;

use crate::budget::Budget;
use crate::number::{Divisor, Integer, Tuple};
use crate::refusal::TooLarge;

/// A view: shape, strides, offset and mask.
///
/// Printed as `(shape):(strides)+offset [lo:hi,…]`.
///
/// ```
/// use viewmerge_verify::{Integer, Mask, View};
///
/// let numbers = |list: &[i64]| list.iter().map(|&n| Integer::from(n)).collect::<Vec<_>>();
/// let mask = Mask::Box(vec![(1.into(), 3.into())]);
/// let view = View { shape: numbers(&[4]), strides: numbers(&[2]), offset: (-2).into(), mask };
/// assert_eq!(view.to_string(), "(4):(2)-2 [1:3]");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct View {
    /// The sizes, each 0 or more.
    pub shape: Vec<Integer>,
    /// The strides, one for each axis.
    pub strides: Vec<Integer>,
    /// The position of the index (0, …, 0).
    pub offset: Integer,
    /// Which indices are valid.
    pub mask: Mask,
}

/// Which indices of a view are valid.
///
/// ```
/// use viewmerge_verify::Mask;
///
/// assert_ne!(Mask::All, Mask::Nothing);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Mask {
    /// All of them (`null`).
    All,
    /// Those with lo ≤ index < hi on every axis.
    Box(Vec<(Integer, Integer)>),
    /// None (`"nothing"`).
    Nothing,
}

impl View {
    pub(crate) fn has_elements(&self) -> bool {
        !self.shape.iter().any(Integer::is_zero)
    }

    /// The interval [lo, hi) that the mask leaves of an axis; the mask must not be *nothing*.
    pub(crate) fn interval(&self, axis: usize) -> (Integer, Integer) {
        match &self.mask {
            Mask::Box(intervals) => intervals[axis].clone(),
            Mask::All | Mask::Nothing => (Integer::ZERO, self.shape[axis].clone()),
        }
    }

    /// The valid box; `None` if no index is valid.
    pub(crate) fn valid_box(&self) -> Option<Vec<(Integer, Integer)>> {
        let any = self.has_elements() && self.mask != Mask::Nothing;
        any.then(|| (0..self.shape.len()).map(|axis| self.interval(axis)).collect())
    }

    /// The least and greatest position over the valid box; `None` if no index is valid.
    fn range(&self, budget: &Budget) -> Result<Option<(Integer, Integer)>, TooLarge> {
        let Some(valid) = self.valid_box() else { return Ok(None) };
        let (mut least, mut greatest) = (self.offset.clone(), self.offset.clone());
        for (stride, (lo, hi)) in self.strides.iter().zip(valid) {
            let first = budget.product(stride, &lo)?;
            let last = budget.product(stride, &(&hi - &Integer::ONE))?;
            let (low, high) = if stride.is_negative() { (last, first) } else { (first, last) };
            least = budget.sum(&least, &low)?;
            greatest = budget.sum(&greatest, &high)?;
        }
        Ok(Some((least, greatest)))
    }

    pub(crate) fn contains(&self, index: &[Integer]) -> bool {
        index.len() == self.shape.len()
            && index.iter().zip(&self.shape).all(|(i, size)| !i.is_negative() && i < size)
    }

    /// The position of an index of the shape; `None` if it is not valid.
    fn position(&self, index: &[Integer], budget: &Budget) -> Result<Option<Integer>, TooLarge> {
        let Some(valid) = self.valid_box() else { return Ok(None) };
        let mut position = self.offset.clone();
        for ((i, stride), (lo, hi)) in index.iter().zip(&self.strides).zip(valid) {
            if *i < lo || *i >= hi {
                return Ok(None);
            }
            position = budget.sum(&position, &budget.product(stride, i)?)?;
        }
        Ok(Some(position))
    }

    /// The digits of a position, row-major, last axis fastest; `None` if there is no such element.
    fn digits(
        &self,
        position: &Integer,
        budget: &Budget,
    ) -> Result<Option<Vec<Integer>>, TooLarge> {
        let mut rest = position.clone();
        let mut digits = Vec::with_capacity(self.shape.len());
        for size in self.shape.iter().rev() {
            let Some(size) = Divisor::new(size.clone()) else { return Ok(None) };
            let (quotient, digit) = budget.divided(&rest, &size)?;
            digits.push(digit);
            rest = quotient;
        }
        digits.reverse();
        Ok(Some(digits))
    }

    /// Whether a position of 0 or more is an element.
    pub(crate) fn has_element(
        &self,
        position: &Integer,
        budget: &Budget,
    ) -> Result<bool, TooLarge> {
        // `None` means that there are more elements than this position.
        Ok(self.elements_up_to(position, budget)?.is_none())
    }

    /// The number of elements, if it does not exceed the limit.
    fn elements_up_to(
        &self,
        limit: &Integer,
        budget: &Budget,
    ) -> Result<Option<Integer>, TooLarge> {
        if !self.has_elements() {
            return Ok(Some(Integer::ZERO));
        }
        let mut product = Integer::ONE;
        for size in &self.shape {
            product = budget.product(&product, size)?;
            if product > *limit {
                return Ok(None);
            }
        }
        Ok(Some(product))
    }
}

/// A view with a valid position that is not an element of the view below.
pub(crate) struct Apart {
    /// The number of the view.
    pub(crate) view: usize,
    pub(crate) least: Integer,
    pub(crate) greatest: Integer,
    /// The number of elements of the view below; `None` if it is 2^127 or more, and more than `greatest`.
    pub(crate) elements: Option<Integer>,
}

/// Why a chain does not compose: the first view with a valid position that is not an element of the view
/// below.
pub(crate) fn apart(views: &[View], budget: &Budget) -> Result<Option<Apart>, TooLarge> {
    for (number, pair) in views.windows(2).enumerate() {
        let (below, view) = (&pair[0], &pair[1]);
        let Some((least, greatest)) = view.range(budget)? else { continue };
        // Counted as far as it matters, or as far as counting costs nothing.
        let far = Integer::from(i128::MAX);
        let elements = below.elements_up_to((&greatest).max(&far), budget)?;
        if least.is_negative() || elements.as_ref().is_some_and(|count| greatest >= *count) {
            return Ok(Some(Apart { view: number + 1, least, greatest, elements }));
        }
    }
    Ok(None)
}

/// The value of a chain that composes, at an index of its shape; `None` if the index is not valid.
pub(crate) fn value(
    views: &[View],
    index: &[Integer],
    budget: &Budget,
) -> Result<Option<Integer>, TooLarge> {
    let Some((top, below)) = views.split_last() else { return Ok(None) };
    let mut position = top.position(index, budget)?;
    for view in below.iter().rev() {
        let Some(above) = position else { return Ok(None) };
        let Some(digits) = view.digits(&above, budget)? else { return Ok(None) };
        position = view.position(&digits, budget)?;
    }
    Ok(position)
}

impl fmt::Display for View {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", Tuple(&self.shape))?;
        if self.mask == Mask::Nothing {
            return f.write_str(" nothing");
        }
        write!(f, ":{}", Tuple(&self.strides))?;
        if !self.offset.is_zero() {
            write!(f, "{:+}", self.offset)?;
        }
        if let Mask::Box(intervals) = &self.mask {
            f.write_str(" [")?;
            for (axis, (lo, hi)) in intervals.iter().enumerate() {
                write!(f, "{}{lo}:{hi}", if axis == 0 { "" } else { "," })?;
            }
            f.write_str("]")?;
        }
        Ok(())
    }
}

/// Prints views separated by `|`.
pub(crate) struct Views<'a>(pub(crate) &'a [View]);

impl fmt::Display for Views<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, view) in self.0.iter().enumerate() {
            write!(f, "{}{view}", if number == 0 { "" } else { " | " })?;
        }
        Ok(())
    }
}
