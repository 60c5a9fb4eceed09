//! Permuted and broadcast axes.

use crate::error::{Error, check_rank};
use crate::{AxisNumber, count, size_of};

/// Writes sizes and strides with permuted axes: new axis k is old axis `axes[k]`.
///
/// # Errors
///
/// [`Error::RankMismatch`] if a list does not have an entry for each axis, [`Error::AxisOutOfRange`]
/// and [`Error::RepeatedAxis`] if `axes` is not a permutation of them; then nothing is written.
///
/// ```
/// use viewmerge_strides::permuted;
///
/// let (mut shape, mut strides) = ([0usize; 3], [0isize; 3]);
/// permuted(&[2, 3, 4], &[12, 4, 1], &[2, 0, 1], &mut shape, &mut strides)?;
/// assert_eq!((shape, strides), ([4, 2, 3], [1, 12, 4]));
/// # Ok::<(), viewmerge_strides::Error>(())
/// ```
pub fn permuted<A: AxisNumber, S: AxisNumber>(
    shape: &[A],
    strides: &[S],
    axes: &[usize],
    out_shape: &mut [A],
    out_strides: &mut [S],
) -> Result<(), Error> {
    let rank = shape.len();
    check_rank("strides", rank, strides.len())?;
    check_rank("axes", rank, axes.len())?;
    check_rank("out_shape", rank, out_shape.len())?;
    check_rank("out_strides", rank, out_strides.len())?;
    for (place, &axis) in axes.iter().enumerate() {
        if axis >= rank {
            let axis = i64::try_from(axis).unwrap_or(i64::MAX);
            return Err(Error::AxisOutOfRange { op: "permute", axis, rank });
        }
        // Marking the axes seen would need the heap; ranks are small.
        if axes[..place].contains(&axis) {
            return Err(Error::RepeatedAxis { op: "permute", axis });
        }
    }
    for (place, &axis) in axes.iter().enumerate() {
        (out_shape[place], out_strides[place]) = (shape[axis], strides[axis]);
    }
    Ok(())
}

/// Writes the strides of an array broadcast to a larger shape: shapes are aligned at the last axis, an
/// axis of size 1 may take any size, and axes may be added in front. Axes that repeat have stride 0.
///
/// # Errors
///
/// [`Error::RankMismatch`] if a list of strides does not have an entry for each axis of its shape;
/// [`Error::ExpandRank`] and [`Error::CannotExpand`] if the shapes do not broadcast;
/// [`Error::NegativeSize`], [`Error::NumberRange`] and [`Error::TooManyElements`] for a bad shape.
/// After an error `out` holds nothing meaningful.
///
/// ```
/// use viewmerge_strides::broadcast;
///
/// let mut strides = [0isize; 3];
/// broadcast(&[3usize, 1], &[1, 3], &[2, 3, 4], &mut strides)?;
/// assert_eq!(strides, [0, 1, 0]);
/// assert!(broadcast(&[3usize], &[1], &[2], &mut strides[..1]).is_err());
/// # Ok::<(), viewmerge_strides::Error>(())
/// ```
pub fn broadcast<A: AxisNumber, S: AxisNumber>(
    shape: &[A],
    strides: &[S],
    new_shape: &[A],
    out: &mut [S],
) -> Result<(), Error> {
    let (rank, found) = (shape.len(), new_shape.len());
    check_rank("strides", rank, strides.len())?;
    check_rank("out", found, out.len())?;
    let Some(added) = found.checked_sub(rank) else {
        return Err(Error::ExpandRank { rank, found });
    };
    count(shape)?;
    count(new_shape)?;
    for (axis, (&new_size, slot)) in new_shape.iter().zip(out).enumerate() {
        let new_size = size_of(axis, new_size)?;
        *slot = match axis.checked_sub(added) {
            None => S::ZERO,
            Some(old) => match size_of(old, shape[old])? {
                size if size == new_size => strides[old],
                1 => S::ZERO,
                size => return Err(Error::CannotExpand { axis, size, new_size }),
            },
        };
    }
    Ok(())
}
