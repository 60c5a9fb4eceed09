//! Is a reshape of a strided array a view, and with which strides?
//!
//! The old axes are walked from the last to the first. A run of axes that can be fused, a *block*,
//! can be cut anywhere. Between two blocks the level is broken, and the new axes must have a boundary
//! there too. This condition is exact: if a new axis reaches across a broken level, the step over it
//! differs from the first step by the jump of that level alone, because every other broken level is
//! at least twice as far away, or lies at a boundary of the new axes and adds the same to each step.
//!
//! Running example: `(2,3,4):(24,4,1)` has the blocks 2 and 3·4. As `(2,2,6)` it has the strides
//! (24, 6, 1). As `(3,8)` it has none: the axis of 3 would have to reach from the block of 12
//! into that of 2.
//!
//! A block grows only when a new axis needs it, so there is one walk over each shape and no
//! division.
//!
//! Overflow policy: if a product of sizes does not fit, [`settle`] finds out why; a stride that does
//! not fit is an error.

use crate::error::{Error, check_rank};
use crate::{AxisNumber, MAX_ELEMENTS, count, listed};

/// What a reshape needs.
///
/// ```
/// use viewmerge_strides::{Reshape, reshape_strides};
///
/// let transposed = reshape_strides(&[3i64, 2], &[1i64, 3], &[6], &mut [0])?;
/// assert_eq!(transposed, Reshape::Copy);
/// # Ok::<(), viewmerge_strides::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[must_use]
pub enum Reshape {
    /// A view: the new strides have been written, and the data stays where it is.
    View,
    /// A copy: no strides exist, and what was written is meaningless.
    Copy,
}

impl Reshape {
    /// Whether the data can stay where it is.
    ///
    /// ```
    /// use viewmerge_strides::reshape_strides;
    ///
    /// assert!(reshape_strides(&[4i64], &[3i64], &[2, 2], &mut [0, 0])?.is_view());
    /// # Ok::<(), viewmerge_strides::Error>(())
    /// ```
    #[must_use]
    pub fn is_view(self) -> bool {
        self == Reshape::View
    }
}

/// Whether an array of this shape and these strides, read in row-major order, can take another
/// shape without a copy; if so, the new strides are written to `out`.
///
/// The answer is exact: [`Reshape::Copy`] means that no strides exist. Strides may be negative
/// or 0, and count elements or bytes. A unit axis gets the stride that makes it
/// contiguous to the axis behind it, or 0 if that does not fit; so an array that is contiguous gets just
/// the row-major strides of the new shape, and so does one without elements. The strides of unit axes
/// are ignored.
///
/// # Errors
///
/// [`Error::RankMismatch`] if a list of strides, `out` included, does not have an entry for each axis of its shape;
/// [`Error::NegativeSize`] (no size is inferred), [`Error::TooManyElements`] and [`Error::ReshapeCount`] for
/// bad shapes and shapes with different numbers of elements; [`Error::NumberRange`] for a size or stride of
/// 2^63 or more, given or new.
///
/// ```
/// use viewmerge_strides::{Reshape, reshape_strides};
///
/// // Every other column of a matrix, and one of its rows reversed.
/// let mut strides = [0; 3];
/// assert_eq!(reshape_strides(&[4usize, 6], &[12isize, -2], &[2, 2, 6], &mut strides)?, Reshape::View);
/// assert_eq!(strides, [24, 12, -2]);
/// assert_eq!(reshape_strides(&[4usize, 6], &[14isize, -2], &[3, 8], &mut [0; 2])?, Reshape::Copy);
/// # Ok::<(), viewmerge_strides::Error>(())
/// ```
#[inline]
pub fn reshape_strides<A: AxisNumber, S: AxisNumber>(
    shape: &[A],
    strides: &[S],
    new_shape: &[A],
    out: &mut [S],
) -> Result<Reshape, Error> {
    check_rank("strides", shape.len(), strides.len())?;
    check_rank("out", new_shape.len(), out.len())?;
    match walk(shape, strides, new_shape, out) {
        Ok(()) => Ok(Reshape::View),
        Err(miss) => settle(shape, new_shape, out, miss),
    }
}

/// Why the walk over the axes did not finish: a stride is too large; `None` is a copy, or shapes
/// that do not fit each other.
type Miss = Option<Error>;

/// The stride of an axis is too large.
#[cold]
fn too_large(axis: usize, number: i128) -> Miss {
    Some(Error::NumberRange { what: "stride", axis, number })
}

/// Writes the new strides; the lists have the right lengths.
#[inline]
fn walk<A: AxisNumber, S: AxisNumber>(
    shape: &[A],
    strides: &[S],
    new_shape: &[A],
    out: &mut [S],
) -> Result<(), Miss> {
    let mut old = shape.iter().zip(strides).enumerate().rev();
    // The next axis that is not a unit axis, and its stride.
    let mut next_axis = || {
        for (axis, (size, stride)) in old.by_ref() {
            match size.to_i64() {
                Some(1) => {}
                Some(size) if size > 1 => {
                    let fits = stride.to_i64().ok_or_else(|| too_large(axis, stride.wide()));
                    return Ok((size, fits?));
                }
                _ => break,
            }
        }
        Err(None)
    };
    // The block that begins at `stride` holds `block` elements, of which the new axes have
    // taken `filled`. The first is the element itself.
    let (mut stride, mut block, mut filled) = (1i64, 1i64, 1i64);
    let mut total = 1i64;
    for (axis, (size, slot)) in new_shape.iter().zip(out).enumerate().rev() {
        let size = size.to_i64().filter(|&size| size > 0).ok_or(None)?;
        if size > 1 && filled == block {
            (block, stride) = next_axis()?;
            filled = 1;
        }
        let new = stride.checked_mul(filled).and_then(S::from_i64);
        *slot = match new {
            Some(new) => new,
            None if size > 1 => {
                return Err(too_large(axis, i128::from(stride) * i128::from(filled)));
            }
            None => S::ZERO,
        };
        filled = filled.checked_mul(size).ok_or(None)?;
        total = total.checked_mul(size).ok_or(None)?;
        while filled > block {
            let (outer, step) = next_axis()?;
            // The stride fits, so a product that does not fit is not equal to it.
            if stride.checked_mul(block) != Some(step) {
                return Err(None);
            }
            block = block.checked_mul(outer).ok_or(None)?;
        }
    }
    let rest_is_unit = old.all(|(_, (size, _))| size.to_i64() == Some(1));
    if filled == block && rest_is_unit && total <= MAX_ELEMENTS { Ok(()) } else { Err(None) }
}

/// The answer if the walk did not finish: an error, a view without elements, or a copy.
#[cold]
fn settle<A: AxisNumber, S: AxisNumber>(
    shape: &[A],
    new_shape: &[A],
    out: &mut [S],
    miss: Miss,
) -> Result<Reshape, Error> {
    let from_count = count(shape)?;
    match count(new_shape) {
        Ok(to_count) if to_count == from_count => {}
        Ok(_) | Err(Error::TooManyElements { .. }) => {
            let (from, to) = (listed(shape), listed(new_shape));
            return Err(Error::ReshapeCount { from, from_count, to });
        }
        Err(error) => return Err(error),
    }
    if from_count == 0 {
        let mut run = 1i64;
        for (size, slot) in new_shape.iter().zip(out).rev() {
            *slot = S::from_i64(run).unwrap_or(S::ZERO);
            run = run.saturating_mul(size.to_i64().unwrap_or(0));
        }
        return Ok(Reshape::View);
    }
    miss.map_or(Ok(Reshape::Copy), Err)
}
