//! The questions of an array library, on plain lists of sizes and strides.
//!
//! A library that holds data has its own type for a layout. What it needs to know of one is
//! answered here on slices, for [`usize`], [`isize`] and [`i64`] alike, and exactly:
//!
//! | question | function | cost |
//! |---|---|---|
//! | is this reshape a view, and with which strides? | [`reshape_strides`] | one walk over both shapes, no division |
//! | why is it none? | [`why_copy`] | that of [`View::reshape`](crate::View::reshape) |
//! | the layout with its axes in another order | [`permuted`] | rank², on a handful of axes |
//! | the layout repeated along new and unit axes | [`broadcast`] | one walk |
//! | the fewest axes that walk the same elements in the same order | [`collapse()`] | one walk for each operand |
//! | do two indices share an element, or some of its bytes? | [`is_injective`], [`is_injective_bytes`] | that of [`View::is_injective`](crate::View::is_injective) |
//!
//! The first five allocate nothing, but for what [`why_copy`] finds and for an error that repeats
//! a shape. No rank is too large for them.
//!
//! ```
//! use viewmerge::strides::{Reshape, reshape_strides};
//!
//! // Heads split off a transposed sequence: a view, though not contiguous.
//! let mut strides = [0usize; 5];
//! let answer = reshape_strides(&[2usize, 8, 10, 64], &[5120, 64, 512, 1], &[2, 8, 10, 8, 8], &mut strides)?;
//! assert_eq!(answer, Reshape::View);
//! assert_eq!(strides, [5120, 64, 512, 8, 1]);
//!
//! // Heads joined again: not without a copy.
//! let mut strides = [0usize; 3];
//! let answer = reshape_strides(&[2usize, 10, 8, 64], &[5120, 64, 640, 1], &[2, 10, 512], &mut strides)?;
//! assert_eq!(answer, Reshape::Copy);
//! # Ok::<(), viewmerge::Error>(())
//! ```
//!
//! # Bytes or elements
//!
//! Strides may be counted in elements or in bytes: whether axes can be joined or split is a
//! question of their ratios, so [`reshape_strides`], [`permuted`], [`broadcast`] and [`collapse()`]
//! answer in the unit they are asked in. Only whether elements overlap depends on how
//! long one is: [`is_injective`] takes positions to be elements, [`is_injective_bytes`] takes them to be
//! bytes and an element to be some of them.
//!
//! # Offsets
//!
//! None of these changes which element the first index has, so there are no offsets here.
//!
//! # Overflow
//!
//! Sizes multiply to at most 2^62, as for a [`View`](crate::View), else there is an error. A stride that
//! does not fit is an error, too; a product that only decides an answer may be out of range.

mod axes;
mod collapse;
mod injective;
mod number;
mod reshape;

pub use axes::{broadcast, permuted};
pub use collapse::collapse;
pub use injective::{is_injective, is_injective_bytes};
pub use number::AxisNumber;
pub use reshape::{Reshape, reshape_strides, why_copy};

use alloc::vec::Vec;

use crate::dims::MAX_ELEMENTS;
use crate::error::Error;

/// A size, if it is one.
#[inline]
fn size_of<A: AxisNumber>(axis: usize, size: A) -> Result<i64, Error> {
    match size.to_i64() {
        Some(size) if size >= 0 => Ok(size),
        Some(size) => Err(Error::NegativeSize { axis, size }),
        None => Err(Error::NumberRange { what: "size", axis, number: size.wide() }),
    }
}

/// A stride, if it fits.
#[inline]
fn stride_of<S: AxisNumber>(axis: usize, stride: S) -> Result<i64, Error> {
    stride.to_i64().ok_or_else(|| Error::NumberRange {
        what: "stride",
        axis,
        number: stride.wide(),
    })
}

/// The number of elements of a shape, as [`crate::element_count`].
fn count<A: AxisNumber>(shape: &[A]) -> Result<i64, Error> {
    let (mut product, mut past, mut empty) = (1i64, None, false);
    for (axis, &size) in shape.iter().enumerate() {
        let size = size_of(axis, size)?;
        if size > MAX_ELEMENTS {
            // Too many whatever the others are.
            return Err(Error::TooManyElements { axis, size, shape: listed(shape) });
        }
        empty |= size == 0;
        match product.checked_mul(size.max(1)) {
            Some(next) if next <= MAX_ELEMENTS => product = next,
            _ => past = past.or(Some((axis, size))),
        }
    }
    match past {
        _ if empty => Ok(0),
        None => Ok(product),
        Some((axis, size)) => Err(Error::TooManyElements { axis, size, shape: listed(shape) }),
    }
}

/// A shape for an error; its sizes are known to fit.
#[cold]
fn listed<A: AxisNumber>(shape: &[A]) -> Vec<i64> {
    shape.iter().filter_map(|size| size.to_i64()).collect()
}
