//! What can be wrong with sizes and strides, as data.

use alloc::string::ToString;
use alloc::vec::Vec;
use core::fmt;

use crate::MAX_ELEMENTS;
use crate::words::{axes, counted, tuple};

/// Why an input was refused.
///
/// ```
/// use viewmerge_strides::{Error, reshape_strides};
///
/// let refused = reshape_strides(&[2i64, -3], &[3i64, 1], &[6], &mut [0]).unwrap_err();
/// assert_eq!(refused, Error::NegativeSize { axis: 1, size: -3 });
/// assert_eq!(refused.to_string(), "axis 1 has size -3, a size must be 0 or more");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Error {
    /// A list does not have one entry for each axis.
    RankMismatch {
        /// Which list it is, for example `strides`.
        what: &'static str,
        /// The number of axes.
        expected: usize,
        /// The number of entries given.
        found: usize,
    },
    /// A size is below zero.
    NegativeSize {
        /// The axis.
        axis: usize,
        /// Its size.
        size: i64,
    },
    /// The shape has more than 2^62 elements.
    TooManyElements {
        /// The first axis at which the running product is too large.
        axis: usize,
        /// Its size.
        size: i64,
        /// The whole shape.
        shape: Vec<i64>,
    },
    /// A size or a stride does not fit its type.
    NumberRange {
        /// `size` or `stride`.
        what: &'static str,
        /// The axis.
        axis: usize,
        /// The number.
        number: i128,
    },
    /// An axis number does not exist.
    AxisOutOfRange {
        /// The operation.
        op: &'static str,
        /// The axis given.
        axis: i64,
        /// The number of axes.
        rank: usize,
    },
    /// An axis is named twice.
    RepeatedAxis {
        /// The operation.
        op: &'static str,
        /// The axis.
        axis: usize,
    },
    /// A reshape changes the number of elements.
    ReshapeCount {
        /// The present shape.
        from: Vec<i64>,
        /// Its number of elements.
        from_count: i64,
        /// The new shape.
        to: Vec<i64>,
    },
    /// An axis cannot be broadcast to the size asked for.
    CannotExpand {
        /// The axis of the new shape.
        axis: usize,
        /// The present size.
        size: i64,
        /// The size asked for.
        new_size: i64,
    },
    /// A broadcast would drop axes.
    ExpandRank {
        /// The number of axes now.
        rank: usize,
        /// The number of axes asked for.
        found: usize,
    },
}

impl Error {
    /// The kind of error, as one word for programs.
    ///
    /// ```
    /// let error = viewmerge_strides::Error::NegativeSize { axis: 1, size: -3 };
    /// assert_eq!(error.kind(), "negative_size");
    /// ```
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            Error::RankMismatch { .. } => "rank_mismatch",
            Error::NegativeSize { .. } => "negative_size",
            Error::TooManyElements { .. } => "too_many_elements",
            Error::NumberRange { .. } => "number_range",
            Error::AxisOutOfRange { .. } => "axis_out_of_range",
            Error::RepeatedAxis { .. } => "repeated_axis",
            Error::ReshapeCount { .. } => "reshape_count",
            Error::CannotExpand { .. } => "cannot_expand",
            Error::ExpandRank { .. } => "expand_rank",
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::RankMismatch { what, expected, found } => {
                let (found, expected) = (counted(*found, "entry", "entries"), axes(*expected));
                write!(f, "{what}: {found} for {expected}, give one entry for every axis")
            }
            Error::NegativeSize { axis, size } => {
                write!(f, "axis {axis} has size {size}, a size must be 0 or more")
            }
            Error::TooManyElements { axis, size, shape } => write!(
                f,
                "axis {axis} of size {size} takes the shape {} past 2^62 = {MAX_ELEMENTS} elements, \
                 the most a view can have",
                tuple(shape)
            ),
            Error::NumberRange { what, axis, number } => write!(
                f,
                "axis {axis} has the {what} {number}, it must fit a signed number of 64 bits and \
                 the type it is written in"
            ),
            Error::AxisOutOfRange { op, axis, rank } => {
                let accepted = match rank {
                    0 => "none".to_string(),
                    _ => format!("-{rank}..={}", rank - 1),
                };
                let shape = axes(*rank);
                write!(f, "{op}: axis {axis} does not exist, a shape of {shape} takes {accepted}")
            }
            Error::RepeatedAxis { op, axis } => {
                write!(f, "{op}: axis {axis} is named twice, each axis may be named once")
            }
            Error::ReshapeCount { from, from_count, to } => {
                let count = counted(*from_count, "element", "elements");
                write!(f, "cannot reshape {} ({count}) into {}", tuple(from), tuple(to))
            }
            Error::CannotExpand { axis, size, new_size } => write!(
                f,
                "expand: axis {axis} has size {size} and cannot become {new_size}, only an axis of \
                 size 1 can change"
            ),
            Error::ExpandRank { rank, found } => {
                write!(
                    f,
                    "expand: the new shape has {}, it must have at least {rank}",
                    axes(*found)
                )
            }
        }
    }
}

impl core::error::Error for Error {}

/// Refuses a list that does not have one entry for each axis.
#[doc(hidden)]
#[inline]
pub fn check_rank(what: &'static str, expected: usize, found: usize) -> Result<(), Error> {
    if expected == found { Ok(()) } else { Err(Error::RankMismatch { what, expected, found }) }
}
