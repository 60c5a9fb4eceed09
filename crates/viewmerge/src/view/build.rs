//! The one constructor of views, and what they hold.

use smallvec::SmallVec;

use super::{Validity, View, box_or_nothing};
use crate::dims::{Bounds, Dims, MAX_POSITION, check_rank, element_count, row_major};
use crate::error::Error;

/// # Build and read
impl View {
    /// A view from all its parts, made canonical.
    ///
    /// # Errors
    ///
    /// [`RankMismatch`](crate::strides::Error::RankMismatch) unless every list has an entry for each axis,
    /// [`NegativeSize`](crate::strides::Error::NegativeSize) and [`TooManyElements`](crate::strides::Error::TooManyElements) for a bad shape,
    /// [`Error::OffsetRange`] and [`Error::IndexRange`] for positions beyond ±2^62;
    /// [`Error::MaskOutside`] and [`Error::MaskReversed`] for a bad mask.
    ///
    /// ```
    /// use viewmerge::{Validity, View};
    ///
    /// let padded = View::new(&[4], &[1], -1, Validity::boxed(&[(1, 3)]))?;
    /// assert_eq!(padded.index(&[0])?, None);
    /// assert_eq!(padded.index(&[1])?, Some(0));
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    pub fn new(
        shape: &[i64],
        strides: &[i64],
        offset: i64,
        validity: Validity,
    ) -> Result<View, Error> {
        View::build(shape.into(), strides.into(), offset.into(), validity)
    }

    /// The row-major view of a shape: position n at the n-th index.
    ///
    /// # Errors
    ///
    /// [`NegativeSize`](crate::strides::Error::NegativeSize) and [`TooManyElements`](crate::strides::Error::TooManyElements) for a bad shape.
    ///
    /// ```
    /// let view = viewmerge::View::contiguous(&[2, 3])?;
    /// assert_eq!(view.strides(), [3, 1]);
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    pub fn contiguous(shape: &[i64]) -> Result<View, Error> {
        element_count(shape)?;
        View::build(shape.into(), row_major(shape), 0, Validity::All)
    }

    /// A view without padding.
    ///
    /// # Errors
    ///
    /// [`RankMismatch`](crate::strides::Error::RankMismatch) unless every list has an entry for each axis,
    /// [`NegativeSize`](crate::strides::Error::NegativeSize) and [`TooManyElements`](crate::strides::Error::TooManyElements) for a bad shape,
    /// [`Error::OffsetRange`] and [`Error::IndexRange`] for positions beyond ±2^62.
    ///
    /// ```
    /// let transposed = viewmerge::View::strided(&[3, 2], &[1, 3], 0)?;
    /// assert_eq!(transposed.index(&[2, 1])?, Some(5));
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    pub fn strided(shape: &[i64], strides: &[i64], offset: i64) -> Result<View, Error> {
        View::new(shape, strides, offset, Validity::All)
    }

    /// The view of a shape that is padding everywhere.
    ///
    /// # Errors
    ///
    /// [`NegativeSize`](crate::strides::Error::NegativeSize) and [`TooManyElements`](crate::strides::Error::TooManyElements) for a bad shape.
    ///
    /// ```
    /// let never = viewmerge::View::nothing(&[])?;
    /// assert_eq!(never.index(&[])?, None);
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    pub fn nothing(shape: &[i64]) -> Result<View, Error> {
        View::build(shape.into(), SmallVec::from_elem(0, shape.len()), 0, Validity::Nothing)
    }

    /// The view of the same shape that is padding everywhere.
    pub(crate) fn never(&self) -> View {
        let validity = if self.is_empty() { Validity::All } else { Validity::Nothing };
        let strides = SmallVec::from_elem(0, self.rank());
        View { shape: self.shape.clone(), strides, offset: 0, validity }
    }

    /// The same view with only the indices inside `bounds` left valid.
    ///
    /// # Errors
    ///
    /// [`RankMismatch`](crate::strides::Error::RankMismatch) unless there is an entry for each axis, [`Error::MaskOutside`]
    /// and [`Error::MaskReversed`] for a bad interval.
    ///
    /// ```
    /// let view = viewmerge::View::contiguous(&[4])?.masked(&[(1, 3)])?;
    /// assert_eq!(view.to_string(), "(4):(1) [1:3]");
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    pub fn masked(&self, bounds: &[(i64, i64)]) -> Result<View, Error> {
        check_bounds(&self.shape, bounds)?;
        let both = |(axis, &(lo, hi)): (usize, &(i64, i64))| {
            let (from, to) = self.interval(axis);
            (from.max(lo), to.min(hi))
        };
        let validity = match self.validity {
            Validity::Nothing => Validity::Nothing,
            _ => box_or_nothing(bounds.iter().enumerate().map(both)),
        };
        View::build(self.shape.clone(), self.strides.clone(), self.offset.into(), validity)
    }

    /// The one constructor: checks the parts and makes them canonical.
    ///
    /// A wide `offset` lets callers shift the origin without checking first.
    pub(crate) fn build(
        shape: Dims,
        mut strides: Dims,
        offset: i128,
        mut validity: Validity,
    ) -> Result<View, Error> {
        check_rank("strides", shape.len(), strides.len())?;
        let count = element_count(&shape)?;
        if let Validity::Box(bounds) = &validity {
            check_bounds(&shape, bounds)?;
            if bounds.iter().any(|&(lo, hi)| lo == hi) {
                validity = Validity::Nothing;
            }
        }
        if count == 0 {
            validity = Validity::All;
        }
        if count == 0 || validity == Validity::Nothing {
            strides.fill(0);
            return Ok(View { shape, strides, offset: 0, validity });
        }
        View::canonical(shape, strides, offset, validity)
    }

    /// [`View::build`] for a shape with elements (V1, V2) and a validity that
    /// leaves some of them, a box within the shape or *all*.
    pub(crate) fn canonical(
        shape: Dims,
        mut strides: Dims,
        mut offset: i128,
        mut validity: Validity,
    ) -> Result<View, Error> {
        if let Validity::Box(bounds) = &validity
            && bounds.iter().zip(&shape).all(|(&(lo, hi), &size)| lo == 0 && hi == size)
        {
            validity = Validity::All;
        }
        for (axis, stride) in strides.iter_mut().enumerate() {
            let (lo, hi) = match &validity {
                Validity::Box(bounds) => bounds[axis],
                _ => (0, shape[axis]),
            };
            if hi - lo == 1 {
                // |stride| ≤ 2^63 and Σ lo < Π size ≤ 2^62: the sum stays below 2^126.
                offset += i128::from(*stride) * i128::from(lo);
                *stride = 0;
            }
        }
        let offset = check_range(&shape, &strides, offset)?;
        Ok(View { shape, strides, offset, validity })
    }

    /// The sizes of the axes.
    ///
    /// ```
    /// let view: viewmerge::View = "(2,3):(1,2)+5".parse()?;
    /// assert_eq!(view.shape(), [2, 3]);
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    #[must_use]
    pub fn shape(&self) -> &[i64] {
        &self.shape
    }

    /// The strides of the axes, in elements; 0 for an axis with at most one valid index (V6).
    ///
    /// ```
    /// let view: viewmerge::View = "(2,1):(1,2)+5".parse()?;
    /// assert_eq!(view.strides(), [1, 0]);
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    #[must_use]
    pub fn strides(&self) -> &[i64] {
        &self.strides
    }

    /// The memory position the index (0, …, 0) has, or would have if it were valid.
    ///
    /// ```
    /// let view: viewmerge::View = "(2,3):(1,2)+5".parse()?;
    /// assert_eq!(view.offset(), 5);
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    #[must_use]
    pub fn offset(&self) -> i64 {
        self.offset
    }

    /// Which indices are valid.
    ///
    /// ```
    /// use viewmerge::{Validity, View};
    ///
    /// assert_eq!(View::contiguous(&[3])?.validity(), &Validity::All);
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    #[must_use]
    pub fn validity(&self) -> &Validity {
        &self.validity
    }

    /// The number of axes.
    ///
    /// ```
    /// assert_eq!(viewmerge::View::contiguous(&[2, 3])?.rank(), 2);
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    #[must_use]
    pub fn rank(&self) -> usize {
        self.shape.len()
    }

    /// The number of elements, padding included.
    ///
    /// ```
    /// assert_eq!(viewmerge::View::contiguous(&[2, 3])?.count(), 6);
    /// assert_eq!(viewmerge::View::contiguous(&[])?.count(), 1);
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    #[must_use]
    pub fn count(&self) -> i64 {
        if self.is_empty() { 0 } else { self.shape.iter().product() }
    }

    /// Whether the shape has no elements at all.
    ///
    /// ```
    /// assert!(viewmerge::View::contiguous(&[2, 0])?.is_empty());
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.shape.contains(&0)
    }

    /// The box of valid indices, one interval per axis; `None` if no index is valid.
    ///
    /// ```
    /// use viewmerge::View;
    ///
    /// let padded = View::contiguous(&[2, 3])?.pad(&[(1, 0), (0, 0)])?;
    /// assert_eq!(padded.valid_box().unwrap().as_slice(), [(1, 3), (0, 3)]);
    /// assert_eq!(View::nothing(&[2])?.valid_box(), None);
    /// assert_eq!(View::contiguous(&[0])?.valid_box(), None);
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    #[must_use]
    pub fn valid_box(&self) -> Option<Bounds> {
        self.has_valid_index().then(|| (0..self.rank()).map(|axis| self.interval(axis)).collect())
    }

    /// The first valid index of an axis and one past its last; the whole axis where no index of
    /// the view is valid.
    ///
    /// # Panics
    ///
    /// If the axis does not exist.
    ///
    /// ```
    /// let view: viewmerge::View = "(4,3) [1:3,0:3]".parse()?;
    /// assert_eq!(view.interval(0), (1, 3));
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    #[must_use]
    pub fn interval(&self, axis: usize) -> (i64, i64) {
        match &self.validity {
            Validity::Box(bounds) => bounds[axis],
            _ => (0, self.shape[axis]),
        }
    }

    /// Whether some index of the shape is valid.
    ///
    /// ```
    /// use viewmerge::View;
    ///
    /// assert!(View::contiguous(&[2])?.has_valid_index());
    /// assert!(!View::nothing(&[2])?.has_valid_index());
    /// assert!(!View::contiguous(&[0])?.has_valid_index());
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    #[must_use]
    pub fn has_valid_index(&self) -> bool {
        self.validity != Validity::Nothing && !self.is_empty()
    }
}

fn check_bounds(shape: &[i64], bounds: &[(i64, i64)]) -> Result<(), Error> {
    check_rank("mask", shape.len(), bounds.len())?;
    for (axis, (&(lo, hi), &size)) in bounds.iter().zip(shape).enumerate() {
        if lo > hi {
            return Err(Error::MaskReversed { axis, lo, hi });
        }
        if lo < 0 || hi > size {
            return Err(Error::MaskOutside { axis, lo, hi, size });
        }
    }
    Ok(())
}

/// V7, for a shape with elements.
fn check_range(shape: &[i64], strides: &[i64], offset: i128) -> Result<i64, Error> {
    let limit = i128::from(MAX_POSITION);
    let small = match i64::try_from(offset) {
        Ok(small) if offset.abs() <= limit => small,
        _ => return Err(Error::OffsetRange { offset }),
    };
    if stays_small(shape, strides, small) {
        return Ok(small);
    }
    let (mut min, mut max) = (offset, offset);
    for (axis, (&stride, &size)) in strides.iter().zip(shape).enumerate() {
        let travel = i128::from(stride) * i128::from(size - 1);
        if travel < 0 {
            min += travel;
        } else {
            max += travel;
        }
        if min < -limit || max > limit || max - min > i128::from(i64::MAX) {
            return Err(Error::IndexRange { axis, size, stride, min, max });
        }
    }
    Ok(small)
}

/// V7 for numbers far below the limits, which is enough for most views.
fn stays_small(shape: &[i64], strides: &[i64], offset: i64) -> bool {
    let mut reach = offset.abs();
    strides.iter().zip(shape).all(|(&stride, &size)| {
        let travel = stride.checked_abs().and_then(|stride| stride.checked_mul(size - 1));
        reach = travel.and_then(|travel| reach.checked_add(travel)).unwrap_or(i64::MAX);
        reach <= MAX_POSITION / 2
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn view(text: &str) -> View {
        text.parse().expect(text)
    }

    #[test]
    fn canonical_forms() {
        // (as written, the canonical form it prints as)
        let rows = [
            ("(3,4):(4,1) [0:3,0:4]", "(3,4):(4,1)"),
            ("(3,4):(4,1)+5 [1:1,0:4]", "(3,4) nothing"),
            ("(3,4):(4,1) [1:2,0:4]", "(3,4):(0,1)+4 [1:2,0:4]"),
            ("(3,1):(1,100)+2", "(3,1):(1,0)+2"),
            ("(0,4):(4,1)+7", "(0,4):(0,0)"),
            ("(0,4) nothing", "(0,4):(0,0)"),
            ("(0,4) [0:0,1:3]", "(0,4):(0,0)"),
            ("()+3", "():()+3"),
            ("() nothing", "() nothing"),
            ("(1):(9223372036854775807)", "(1):(0)"),
            ("(4):(4611686018427387904) [1:2]", "(4):(0)+4611686018427387904 [1:2]"),
        ];
        for (text, canonical) in rows {
            assert_eq!(view(text).to_string(), canonical, "{text}");
        }
    }

    #[test]
    fn refusals() {
        let top = MAX_POSITION;
        let rows: [(Result<View, Error>, &str); 12] = [
            (View::strided(&[2, 2], &[1], 0), "rank_mismatch"),
            (View::new(&[2], &[1], 0, Validity::boxed(&[])), "rank_mismatch"),
            (View::contiguous(&[-1]), "negative_size"),
            (View::contiguous(&[1 << 31, 1 << 32]), "too_many_elements"),
            (View::new(&[2], &[1], 0, Validity::boxed(&[(0, 3)])), "mask_outside"),
            (View::new(&[2], &[1], 0, Validity::boxed(&[(-1, 1)])), "mask_outside"),
            (View::new(&[2], &[1], 0, Validity::boxed(&[(2, 1)])), "mask_reversed"),
            (View::strided(&[], &[], top + 1), "offset_range"),
            (View::strided(&[2], &[top], 1), "index_range"),
            (View::strided(&[2], &[-top], -1), "index_range"),
            (View::strided(&[3, 2], &[top, -top], 0), "index_range"),
            (View::strided(&[2], &[i64::MIN], top), "index_range"),
        ];
        for (result, kind) in rows {
            assert_eq!(result.map_err(|e| e.kind()), Err(kind));
        }
        assert!(View::contiguous(&[MAX_POSITION]).is_ok());
        assert!(View::strided(&[2], &[top], 0).is_ok());
        assert!(View::strided(&[], &[], -top).is_ok());
    }
}
