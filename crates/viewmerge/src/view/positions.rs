//! Positions and ranges of one view.

use core::fmt;

use crate::dims::{Dims, Indices, check_index, unravel};
use crate::error::Error;
use crate::view::{Validity, View};

/// # Positions
impl View {
    /// The memory position of an index, or `None` where the view is padding.
    ///
    /// # Errors
    ///
    /// [`RankMismatch`](crate::strides::Error::RankMismatch) and [`Error::IndexOutOfBounds`] for an index that is not of the
    /// shape.
    ///
    /// ```
    /// let view: viewmerge::View = "(2,3):(3,1)+5 [0:2,1:3]".parse()?;
    /// assert_eq!(view.index(&[1, 2])?, Some(10));
    /// assert_eq!(view.index(&[1, 0])?, None);
    /// assert!(view.index(&[2, 0]).is_err());
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    pub fn index(&self, index: &[i64]) -> Result<Option<i64>, Error> {
        check_index(&self.shape, index)?;
        Ok(self.index_within(index))
    }

    /// [`View::index`] for an index known to be in the shape.
    pub(crate) fn index_within(&self, index: &[i64]) -> Option<i64> {
        let valid = match &self.validity {
            Validity::All => true,
            Validity::Nothing => false,
            Validity::Box(bounds) => {
                bounds.iter().zip(index).all(|(&(lo, hi), &i)| lo <= i && i < hi)
            }
        };
        valid.then(|| self.affine(index))
    }

    /// `offset + Σ stride·i`, for an index of the shape, valid or not (V7).
    pub(crate) fn affine(&self, index: &[i64]) -> i64 {
        self.strides.iter().zip(index).fold(self.offset, |n, (&stride, &i)| n + stride * i)
    }

    /// The memory position at a row-major linear position of the shape, or `None` for padding.
    ///
    /// # Errors
    ///
    /// [`Error::PositionOutOfBounds`] for a position outside the elements.
    ///
    /// ```
    /// let transposed: viewmerge::View = "(2,3):(1,2)".parse()?;
    /// assert_eq!(transposed.at(1)?, Some(2));
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    pub fn at(&self, position: i64) -> Result<Option<i64>, Error> {
        Ok(self.index_within(&unravel(&self.shape, position)?))
    }

    /// Every index of the shape in row-major order, valid or not.
    ///
    /// ```
    /// let view = viewmerge::View::contiguous(&[2, 3])?;
    /// assert_eq!(view.indices().nth(4).unwrap().as_slice(), [1, 1]);
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    #[must_use]
    pub fn indices(&self) -> Indices {
        Indices::new(&self.shape, self.count())
    }

    /// The memory position of every index in row-major order, `None` for padding.
    ///
    /// ```
    /// let view: viewmerge::View = "(2,2):(1,2)".parse()?;
    /// let positions: Vec<_> = view.positions().collect();
    /// assert_eq!(positions, [Some(0), Some(2), Some(1), Some(3)]);
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    pub fn positions(&self) -> impl Iterator<Item = Option<i64>> + '_ {
        self.indices().map(|index| self.index_within(&index))
    }

    /// The smallest and largest memory position that a valid index touches.
    ///
    /// ```
    /// let flipped: viewmerge::View = "(4):(-1)+3".parse()?;
    /// assert_eq!(flipped.position_range(), Some((0, 3)));
    /// let never: viewmerge::View = "(4) nothing".parse()?;
    /// assert_eq!(never.position_range(), None);
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    #[must_use]
    pub fn position_range(&self) -> Option<(i64, i64)> {
        if !self.has_valid_index() {
            return None;
        }
        let (mut low, mut high) = (self.offset, self.offset);
        for (axis, &stride) in self.strides.iter().enumerate() {
            if stride != 0 {
                let (lo, hi) = self.interval(axis);
                let ends = (stride * lo, stride * (hi - 1));
                low += ends.0.min(ends.1);
                high += ends.0.max(ends.1);
            }
        }
        Some((low, high))
    }

    /// The valid index with the lowest position, or the highest; the view has one.
    pub(crate) fn extreme_index(&self, highest: bool) -> Dims {
        let end = |(axis, &stride): (usize, &i64)| {
            let (lo, hi) = self.interval(axis);
            if (stride < 0) == highest { lo } else { hi - 1 }
        };
        self.strides.iter().enumerate().map(end).collect()
    }

    /// Whether the n-th index is at memory position n, without padding.
    ///
    /// ```
    /// use viewmerge::View;
    ///
    /// assert!(View::contiguous(&[2, 3])?.is_contiguous());
    /// assert!(!View::contiguous(&[2, 3])?.permute(&[1, 0])?.is_contiguous());
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    #[must_use]
    pub fn is_contiguous(&self) -> bool {
        self.offset == 0 && self.is_consecutive()
    }

    /// Whether the view is contiguous up to its offset: its elements stand side by side, in order.
    ///
    /// ```
    /// let rows: viewmerge::View = "(2,3):(3,1)+6".parse()?;
    /// assert!(rows.is_consecutive() && !rows.is_contiguous());
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    #[must_use]
    pub fn is_consecutive(&self) -> bool {
        if self.is_empty() {
            return true;
        }
        let mut run = 1;
        self.validity == Validity::All
            && self.strides.iter().zip(&self.shape).rev().all(|(&stride, &size)| {
                let expected = if size == 1 { 0 } else { run };
                run *= size;
                stride == expected
            })
    }

    /// The axes along which neighbours are neighbours in memory: those of stride 1.
    ///
    /// ```
    /// let view: viewmerge::View = "(2,3,4):(1,0,1)".parse()?;
    /// assert_eq!(view.unit_stride_axes().collect::<Vec<_>>(), [0, 2]);
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    pub fn unit_stride_axes(&self) -> impl Iterator<Item = usize> + '_ {
        self.strides.iter().enumerate().filter(|(_, stride)| **stride == 1).map(|(axis, _)| axis)
    }

    /// The axes with padding on them; every axis if the view is padding everywhere.
    ///
    /// ```
    /// let view: viewmerge::View = "(2,3) [0:2,1:3]".parse()?;
    /// assert_eq!(view.masked_axes().collect::<Vec<_>>(), [1]);
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    #[must_use]
    pub fn masked_axes(&self) -> impl DoubleEndedIterator<Item = usize> + '_ {
        (0..self.rank()).filter(|&axis| {
            self.validity == Validity::Nothing || self.interval(axis) != (0, self.shape[axis])
        })
    }
}

impl fmt::Debug for View {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "View({self})")
    }
}
