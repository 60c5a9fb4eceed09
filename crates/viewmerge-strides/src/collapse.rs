//! The fewest axes that walk the same elements in the same order.
//!
//! Two neighbouring axes can be fused if, for every operand, the outer stride is the inner size times
//! the inner stride. That depends on the two axes alone, so fusing greedily leaves the fewest.
//! Example: `(2,3,4):(12,4,1)` is `(24):(1)`; together with an operand `(2,3,4):(0,4,1)` both are walked
//! as `(2,12)`.

use crate::error::{Error, check_rank};
use crate::{AxisNumber, count};

/// Fuses, in place, neighbouring axes that all operands step through as one, and drops unit axes.
///
/// Returns how many axes are left; their sizes and strides are the first entries of the lists, and
/// the entries after them are meaningless. They are the fewest that visit the same elements in the
/// same row-major order. A shape without elements becomes one axis of size 0; a single element
/// leaves no axis. If the order does not matter, sort the axes by stride first.
///
/// # Errors
///
/// [`Error::RankMismatch`] if a list of strides does not have an entry for each axis;
/// [`Error::NegativeSize`], [`Error::NumberRange`] and [`Error::TooManyElements`] for a bad shape.
/// Nothing is changed then.
///
/// ```
/// use viewmerge_strides::collapse;
///
/// let mut shape = [2usize, 3, 1, 4];
/// let (mut from, mut to) = ([12isize, 4, 9, 1], [0isize, 8, 7, 2]);
/// let rank = collapse(&mut shape, &mut [&mut from, &mut to])?;
/// assert_eq!(&shape[..rank], [2, 12]);
/// assert_eq!((&from[..rank], &to[..rank]), (&[12, 1][..], &[0, 2][..]));
/// # Ok::<(), viewmerge_strides::Error>(())
/// ```
pub fn collapse<A: AxisNumber, S: AxisNumber>(
    shape: &mut [A],
    operands: &mut [&mut [S]],
) -> Result<usize, Error> {
    for strides in operands.iter() {
        check_rank("strides", shape.len(), strides.len())?;
    }
    if count(shape)? == 0 {
        // Some size is 0, so there is an axis.
        if let Some(first) = shape.first_mut() {
            *first = A::ZERO;
        }
        for first in operands.iter_mut().filter_map(|strides| strides.first_mut()) {
            *first = S::ZERO;
        }
        return Ok(1);
    }
    let mut kept = 0usize;
    for axis in 0..shape.len() {
        let inner = shape[axis].wide();
        if inner == 1 {
            continue;
        }
        let before = kept.checked_sub(1).filter(|&outer| {
            operands.iter().all(|strides| {
                // Sizes are at most 2^62 and strides below 2^64.
                strides[outer].wide() == inner * strides[axis].wide()
            })
        });
        let place = match before {
            Some(outer) => {
                shape[outer] = size(shape[outer].wide() * inner)?;
                outer
            }
            None => {
                shape[kept] = shape[axis];
                kept += 1;
                kept - 1
            }
        };
        for strides in operands.iter_mut() {
            strides[place] = strides[axis];
        }
    }
    Ok(kept)
}

/// A product of some of the sizes, at most the product of all.
fn size<A: AxisNumber>(product: i128) -> Result<A, Error> {
    let fits = i64::try_from(product).ok().and_then(A::from_i64);
    fits.ok_or(Error::NumberRange { what: "size", axis: 0, number: product })
}
