//! Shapes as lists of sizes: element counts, row-major strides, ravel and
//! unravel, and the index set in order.
//!
//! Running example: the shape (2, 3) has 6 elements and row-major strides
//! (3, 1); position 4 unravels to the index (1, 1).
//!
//! Overflow policy: products go through [`element_count`], which refuses more
//! than [`MAX_ELEMENTS`]; everything else here stays below that bound.

mod index;

pub use index::{Bounds, Index};

use smallvec::SmallVec;

use crate::error::Error;

/// The number of axes for which shapes and strides need no heap.
pub const INLINE_AXES: usize = 8;

/// One signed number for each axis; on the stack for up to [`INLINE_AXES`] axes.
pub type Dims = SmallVec<[i64; INLINE_AXES]>;

/// One half-open interval `(lo, hi)` for each axis, while it is worked on.
pub type Intervals = SmallVec<[(i64, i64); INLINE_AXES]>;

/// The most elements a shape can have, 2^62.
///
/// ```
/// use viewmerge::{MAX_ELEMENTS, View};
///
/// assert!(View::contiguous(&[MAX_ELEMENTS]).is_ok());
/// assert!(View::contiguous(&[MAX_ELEMENTS + 1]).is_err());
/// ```
pub const MAX_ELEMENTS: i64 = 1 << 62;

/// The largest memory position, in magnitude, that an index of a view may map to: 2^62.
///
/// ```
/// use viewmerge::{MAX_POSITION, View};
///
/// assert!(View::strided(&[], &[], -MAX_POSITION).is_ok());
/// assert!(View::strided(&[], &[], MAX_POSITION + 1).is_err());
/// ```
pub const MAX_POSITION: i64 = 1 << 62;

/// The number of elements of a shape; an error if it is not a shape.
///
/// A shape with a zero has no elements, however large its other sizes.
///
/// # Errors
///
/// [`NegativeSize`](crate::strides::Error::NegativeSize) for a size below 0, [`TooManyElements`](crate::strides::Error::TooManyElements) beyond 2^62.
///
/// ```
/// assert_eq!(viewmerge::element_count(&[2, 3]), Ok(6));
/// assert_eq!(viewmerge::element_count(&[]), Ok(1));
/// assert!(viewmerge::element_count(&[1 << 40, 1 << 40]).is_err());
/// ```
pub fn element_count(shape: &[i64]) -> Result<i64, Error> {
    Ok(viewmerge_strides::count(shape)?)
}

/// The number of an axis as ops take it.
pub(crate) fn signed(axis: usize) -> i64 {
    // No shape has that many axes.
    i64::try_from(axis).unwrap_or(i64::MAX)
}

/// Row-major strides of a shape that has elements; zeros for one that has none.
pub(crate) fn row_major(shape: &[i64]) -> Dims {
    let mut strides: Dims = SmallVec::from_elem(0, shape.len());
    if shape.contains(&0) {
        return strides;
    }
    let mut run = 1i64;
    for (stride, &size) in strides.iter_mut().zip(shape).rev() {
        *stride = run;
        run *= size;
    }
    strides
}

/// Refuses an index that is not in the index set of `shape`.
///
/// # Errors
///
/// As [`ravel`].
pub fn check_index(shape: &[i64], index: &[i64]) -> Result<(), Error> {
    check_rank("index", shape.len(), index.len())?;
    for (axis, (&i, &size)) in index.iter().zip(shape).enumerate() {
        if i < 0 || i >= size {
            return Err(Error::IndexOutOfBounds { axis, index: i, size });
        }
    }
    Ok(())
}

/// Refuses a list that does not have one entry for each axis.
///
/// # Errors
///
/// [`RankMismatch`](crate::strides::Error::RankMismatch).
pub fn check_rank(what: &'static str, expected: usize, found: usize) -> Result<(), Error> {
    Ok(viewmerge_strides::check_rank(what, expected, found)?)
}

/// The row-major linear position of an index.
///
/// # Errors
///
/// [`NegativeSize`](crate::strides::Error::NegativeSize) and [`TooManyElements`](crate::strides::Error::TooManyElements) for a bad shape;
/// [`RankMismatch`](crate::strides::Error::RankMismatch) and [`Error::IndexOutOfBounds`] for an index that is not of the
/// shape.
///
/// ```
/// assert_eq!(viewmerge::ravel(&[2, 3], &[1, 1]), Ok(4));
/// assert!(viewmerge::ravel(&[2, 3], &[1, 3]).is_err());
/// ```
pub fn ravel(shape: &[i64], index: &[i64]) -> Result<i64, Error> {
    element_count(shape)?;
    check_index(shape, index)?;
    Ok(ravel_within(shape, index))
}

/// [`ravel`] for an index known to be in the index set.
pub(crate) fn ravel_within(shape: &[i64], index: &[i64]) -> i64 {
    shape.iter().zip(index).fold(0, |n, (&size, &i)| n * size + i)
}

/// The index at a row-major linear position: its mixed-radix digits, last axis fastest.
///
/// # Errors
///
/// [`NegativeSize`](crate::strides::Error::NegativeSize) and [`TooManyElements`](crate::strides::Error::TooManyElements) for a bad shape,
/// [`Error::PositionOutOfBounds`] for a position outside its elements.
///
/// ```
/// let index = viewmerge::unravel(&[2, 3], 4)?;
/// assert_eq!(index, [1, 1]);
/// # Ok::<(), viewmerge::Error>(())
/// ```
pub fn unravel(shape: &[i64], position: i64) -> Result<Index, Error> {
    let count = element_count(shape)?;
    if position < 0 || position >= count {
        return Err(Error::PositionOutOfBounds { position, count });
    }
    Ok(Index::new(unravel_within(shape, position)))
}

/// [`unravel`] for a position known to be in `0..element_count(shape)`.
pub(crate) fn unravel_within(shape: &[i64], mut position: i64) -> Dims {
    let mut index: Dims = SmallVec::from_elem(0, shape.len());
    for (digit, &size) in index.iter_mut().zip(shape).rev() {
        if size > 1 {
            *digit = position % size;
            position /= size;
        }
    }
    index
}

/// The index after this one in a box of these intervals, the last axis fastest; `None` after the last.
pub(crate) fn next_within(index: &Dims, interval: impl Fn(usize) -> (i64, i64)) -> Option<Dims> {
    let mut next = index.clone();
    for axis in (0..next.len()).rev() {
        let (lo, hi) = interval(axis);
        next[axis] += 1;
        if next[axis] < hi {
            return Some(next);
        }
        next[axis] = lo;
    }
    None
}

/// Every index of a shape, in row-major order.
///
/// ```
/// let view = viewmerge::View::contiguous(&[2, 2])?;
/// let all: Vec<_> = view.indices().map(|i| i.to_vec()).collect();
/// assert_eq!(all, [[0, 0], [0, 1], [1, 0], [1, 1]]);
/// # Ok::<(), viewmerge::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Indices {
    shape: Dims,
    next: Option<Dims>,
    left: i64,
}

impl Indices {
    /// `shape` must have been accepted by [`element_count`], which gave `count`.
    #[doc(hidden)]
    #[must_use]
    pub fn new(shape: &[i64], count: i64) -> Indices {
        let next = (count > 0).then(|| SmallVec::from_elem(0, shape.len()));
        Indices { shape: shape.into(), next, left: count }
    }
}

impl Iterator for Indices {
    type Item = Index;

    fn next(&mut self) -> Option<Index> {
        let current = self.next.take()?;
        self.left -= 1;
        self.next = next_within(&current, |axis| (0, self.shape[axis]));
        Some(Index::new(current))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = usize::try_from(self.left).ok();
        (left.unwrap_or(usize::MAX), left)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts() {
        let rows: [(&[i64], Option<i64>); 8] = [
            (&[], Some(1)),
            (&[0], Some(0)),
            (&[3, 1, 2], Some(6)),
            (&[1 << 31, 1 << 31], Some(1 << 62)),
            (&[1 << 31, (1 << 31) + 1], None),
            (&[0, 1 << 62, 1 << 62], Some(0)),
            (&[0, i64::MAX], None),
            (&[2, -1], None),
        ];
        for (shape, count) in rows {
            assert_eq!(element_count(shape).ok(), count, "{shape:?}");
        }
    }

    #[test]
    fn indices_agree_with_unravel() {
        for shape in [&[2i64, 3, 1, 2][..], &[], &[0, 3], &[5]] {
            let count = element_count(shape).unwrap_or(-1);
            let listed: Vec<Index> = Indices::new(shape, count).collect();
            assert_eq!(listed.len() as i64, count);
            for (n, index) in (0..count).zip(&listed) {
                assert_eq!(unravel_within(shape, n).as_slice(), index.as_slice());
                assert_eq!(ravel_within(shape, index), n);
            }
        }
    }
}
