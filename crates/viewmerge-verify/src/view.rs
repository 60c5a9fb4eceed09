//! Views as they stand in a certificate, and what a chain of them does.
//!
//! This is the definition, as code: positions, digits, composing, the value at
//! one index. Sizes and strides are of any size, so nothing here is bounded.

use std::fmt;

use crate::number::Integer;
use crate::refusal::{Failure, List};

/// A view: shape, strides, offset and mask.
///
/// It is printed as `(shape):(strides)+offset [lo:hi,…]`.
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

    fn elements(&self) -> Integer {
        self.shape.iter().fold(Integer::ONE, |product, size| &product * size)
    }

    /// The interval [lo, hi) of an axis that the mask leaves, if it is not *nothing*.
    pub(crate) fn interval(&self, axis: usize) -> (Integer, Integer) {
        match &self.mask {
            Mask::Box(intervals) => intervals[axis].clone(),
            Mask::All | Mask::Nothing => (Integer::ZERO, self.shape[axis].clone()),
        }
    }

    /// The valid box, `None` if no index is valid.
    pub(crate) fn valid_box(&self) -> Option<Vec<(Integer, Integer)>> {
        let any = self.has_elements() && self.mask != Mask::Nothing;
        any.then(|| (0..self.shape.len()).map(|axis| self.interval(axis)).collect())
    }

    /// Least and greatest position over the valid box, `None` if no index is valid.
    fn range(&self) -> Option<(Integer, Integer)> {
        let mut range = (self.offset.clone(), self.offset.clone());
        for (stride, (lo, hi)) in self.strides.iter().zip(self.valid_box()?) {
            let mut ends = (stride * &lo, stride * &(&hi - &Integer::ONE));
            if stride.is_negative() {
                ends = (ends.1, ends.0);
            }
            range = (&range.0 + &ends.0, &range.1 + &ends.1);
        }
        Some(range)
    }

    pub(crate) fn contains(&self, index: &[Integer]) -> bool {
        index.len() == self.shape.len()
            && index.iter().zip(&self.shape).all(|(i, size)| !i.is_negative() && i < size)
    }

    /// The position of an index of the shape, `None` if it is not valid.
    fn position(&self, index: &[Integer]) -> Option<Integer> {
        let mut position = self.offset.clone();
        for ((i, stride), (lo, hi)) in index.iter().zip(&self.strides).zip(self.valid_box()?) {
            if *i < lo || *i >= hi {
                return None;
            }
            position = &position + &(stride * i);
        }
        Some(position)
    }

    /// The digits of a position, row-major, the last axis fastest.
    fn digits(&self, position: &Integer) -> Option<Vec<Integer>> {
        let mut rest = position.clone();
        let mut digits = Vec::with_capacity(self.shape.len());
        for size in self.shape.iter().rev() {
            let (quotient, digit) = rest.divided(size)?;
            digits.push(digit);
            rest = quotient;
        }
        digits.reverse();
        Some(digits)
    }
}

/// Whether every view's valid positions are elements of the view below.
pub(crate) fn composes(views: &[View], list: List) -> Result<(), Failure> {
    for (number, pair) in views.windows(2).enumerate() {
        let (below, view) = (&pair[0], &pair[1]);
        let Some((least, greatest)) = view.range() else { continue };
        let elements = below.elements();
        if least.is_negative() || greatest >= elements {
            return Err(Failure::DoesNotCompose {
                list,
                view: number + 1,
                least,
                greatest,
                elements,
            });
        }
    }
    Ok(())
}

/// The value of a chain that composes, at an index of its shape; `None` if it is not valid.
pub(crate) fn value(views: &[View], index: &[Integer]) -> Option<Integer> {
    let (top, below) = views.split_last()?;
    let mut position = top.position(index)?;
    for view in below.iter().rev() {
        position = view.position(&view.digits(&position)?)?;
    }
    Some(position)
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

/// Prints `(1,2,3)`.
pub(crate) struct Tuple<'a>(pub(crate) &'a [Integer]);

impl fmt::Display for Tuple<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("(")?;
        for (place, number) in self.0.iter().enumerate() {
            write!(f, "{}{number}", if place == 0 { "" } else { "," })?;
        }
        f.write_str(")")
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
