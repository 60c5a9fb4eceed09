//! The questions of an array library about its layouts, on plain lists of sizes and strides.
//!
//! An array library has its own type for layouts, so these functions take slices of any
//! [`AxisNumber`]. All answers are exact:
//!
//! | question | function | cost |
//! |---|---|---|
//! | is this reshape a view, and with which strides? | [`reshape_strides`] | one walk over both shapes, no division |
//! | the layout with its axes permuted | [`permuted`] | rank², on a handful of axes |
//! | the layout repeated along new and unit axes | [`broadcast`] | one walk |
//! | the fewest axes that walk the same elements in the same order | [`collapse()`] | one walk for each operand |
//!
//! Nothing is allocated, except by an error that repeats a shape. Any rank is allowed.
//!
//! ```
//! use viewmerge_strides::{Reshape, reshape_strides};
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
//! # Ok::<(), viewmerge_strides::Error>(())
//! ```
//!
//! # Bytes or elements
//!
//! Strides may be counted in elements or in bytes: whether axes can be joined or split is a
//! question of their ratios, so all functions answer in the unit of the question.
//!
//! # Offsets
//!
//! No function changes the element at the first index, so offsets do not appear here.
//!
//! # Overflow
//!
//! Shapes of more than 2^62 elements are refused, and so are new strides that do not fit their type.
//! Products that are only compared may be out of range.

#![cfg_attr(not(test), no_std)]
#![warn(clippy::missing_errors_doc, clippy::must_use_candidate, clippy::return_self_not_must_use)]

#[macro_use]
extern crate alloc;

mod axes;
mod collapse;
mod error;
mod number;
mod reshape;
#[doc(hidden)]
#[allow(clippy::must_use_candidate)]
pub mod words;

pub use axes::{broadcast, permuted};
pub use collapse::collapse;
pub use error::{Error, check_rank};
pub use number::AxisNumber;
pub use reshape::{Reshape, reshape_strides};

use alloc::vec::Vec;

/// The most elements a shape can have, 2^62.
const MAX_ELEMENTS: i64 = 1 << 62;

/// The size as an `i64`, if it is valid.
#[doc(hidden)]
#[inline]
pub fn size_of<A: AxisNumber>(axis: usize, size: A) -> Result<i64, Error> {
    match size.to_i64() {
        Some(size) if size >= 0 => Ok(size),
        Some(size) => Err(Error::NegativeSize { axis, size }),
        None => Err(Error::NumberRange { what: "size", axis, number: size.wide() }),
    }
}

/// The number of elements of a shape; one with a 0 has none, however large its other sizes.
#[doc(hidden)]
#[inline]
pub fn count<A: AxisNumber>(shape: &[A]) -> Result<i64, Error> {
    let (mut product, mut past, mut empty) = (1i64, None, false);
    for (axis, &size) in shape.iter().enumerate() {
        let size = size_of(axis, size)?;
        if size > MAX_ELEMENTS {
            // Too many, whatever the other sizes are.
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

/// The examples in README are run with the other examples.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
