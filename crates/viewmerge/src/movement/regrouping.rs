//! Ops that regroup the elements of a view: one view when one exists, decided
//! exactly, otherwise a witness.
//!
//! A reshape is the question whether the view merges with the contiguous view
//! of the new shape; there is no list of special cases for masks, broadcast
//! axes or unit axes.

use crate::dims::{Dims, element_count};
use crate::error::{Error, ListError};
use crate::limit::Meter;
use crate::merge::{Verdict, check_composes, verdict};
use crate::movement::args;
use crate::view::View;

/// # Ops that regroup: one view or a witness
impl View {
    /// The elements in the same order under another shape; one size may be −1.
    ///
    /// # Errors
    ///
    /// [`ReshapeCount`](crate::strides::Error::ReshapeCount) if the shape has another number of elements,
    /// [`Error::TwoInferred`] and [`Error::CannotInfer`] for a −1 that has no meaning,
    /// [`NegativeSize`](crate::strides::Error::NegativeSize) for other negative sizes; [`Error::OffsetRange`] and
    /// [`Error::IndexRange`] if one view exists but leaves the bounds of a view.
    ///
    /// ```
    /// use viewmerge::{Verdict, View};
    ///
    /// let transposed = View::contiguous(&[4, 6])?.permute(&[1, 0])?;
    /// let split = transposed.reshape(&[2, 3, -1])?;
    /// assert_eq!(split.view().unwrap().to_string(), "(2,3,4):(3,1,6)");
    /// assert!(matches!(transposed.reshape(&[24])?, Verdict::NotMergeable(_)));
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    pub fn reshape(&self, shape: &[i64]) -> Result<Verdict, Error> {
        let target = self.reshape_target(shape)?;
        if target.shape() == self.shape() {
            return Ok(Verdict::Merged(self.clone()));
        }
        verdict(core::slice::from_ref(self), &target, &mut Meter::unlimited())
    }

    /// The contiguous view of the shape a reshape asks for, if it holds as many elements.
    pub(crate) fn reshape_target(&self, shape: &[i64]) -> Result<View, Error> {
        let from_count = self.count();
        let to = args::infer("reshape", shape, from_count)?;
        match element_count(&to) {
            Ok(count) if count == from_count => View::contiguous(&to),
            Ok(_) | Err(Error::Lists(ListError::TooManyElements { .. })) => {
                let (from, to) = (self.shape().to_vec(), to.to_vec());
                Err(ListError::ReshapeCount { from, from_count, to }.into())
            }
            Err(error) => Err(error),
        }
    }

    /// The axes from `start` to `end`, both included, joined into one.
    ///
    /// # Errors
    ///
    /// [`AxisOutOfRange`](crate::strides::Error::AxisOutOfRange) for an axis that does not exist, [`Error::FlattenOrder`] if
    /// the first comes after the last; [`Error::OffsetRange`] and [`Error::IndexRange`] if one
    /// view exists but leaves the bounds of a view.
    ///
    /// ```
    /// use viewmerge::View;
    ///
    /// let rows = View::contiguous(&[2, 3, 4])?.flatten(1, -1)?;
    /// assert_eq!(rows.view().unwrap().shape(), [2, 12]);
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    pub fn flatten(&self, start: i64, end: i64) -> Result<Verdict, Error> {
        self.reshape(&self.flattened_shape(start, end)?)
    }

    /// The shape [`View::flatten`] asks for; a 0-d view flattens to one axis of size 1.
    pub(crate) fn flattened_shape(&self, start: i64, end: i64) -> Result<Dims, Error> {
        let rank = self.rank();
        let start = args::axis("flatten", start, rank.max(1))?;
        let end = args::axis("flatten", end, rank.max(1))?;
        if start > end {
            return Err(Error::FlattenOrder { start, end });
        }
        if rank == 0 {
            return Ok(smallvec::smallvec![1]);
        }
        let shape = self.shape();
        let joined = element_count(&shape[start..=end])?;
        Ok([&shape[..start], &[joined], &shape[end + 1..]].concat().into())
    }

    /// One axis split into several; one of their sizes may be −1.
    ///
    /// # Errors
    ///
    /// [`AxisOutOfRange`](crate::strides::Error::AxisOutOfRange) for an axis that does not exist, [`Error::UnflattenCount`] if
    /// the sizes do not multiply to its size, [`Error::TwoInferred`] and [`Error::CannotInfer`]
    /// for a −1 that has no meaning; [`Error::OffsetRange`] and [`Error::IndexRange`] if one
    /// view exists but leaves the bounds of a view.
    ///
    /// ```
    /// use viewmerge::View;
    ///
    /// let split = View::contiguous(&[2, 12])?.unflatten(1, &[3, -1])?;
    /// assert_eq!(split.view().unwrap().shape(), [2, 3, 4]);
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    pub fn unflatten(&self, axis: i64, sizes: &[i64]) -> Result<Verdict, Error> {
        self.reshape(&self.unflattened_shape(axis, sizes)?)
    }

    /// The shape [`View::unflatten`] asks for.
    pub(crate) fn unflattened_shape(&self, axis: i64, sizes: &[i64]) -> Result<Dims, Error> {
        let axis = args::axis("unflatten", axis, self.rank())?;
        let size = self.shape()[axis];
        let filled = args::infer("unflatten", sizes, size)?;
        if element_count(&filled)? != size {
            return Err(Error::UnflattenCount { axis, size, sizes: sizes.to_vec() });
        }
        Ok([&self.shape()[..axis], &filled, &self.shape()[axis + 1..]].concat().into())
    }

    /// Any strided view of the elements in row-major order: `strides` and
    /// `offset` count elements of this view, not memory positions.
    ///
    /// On a contiguous view this is what PyTorch and NumPy call `as_strided`.
    /// To address memory itself, build the view with [`View::strided`].
    ///
    /// # Errors
    ///
    /// Those of [`View::strided`], [`Error::NotComposable`] if it points outside the elements;
    /// [`Error::OffsetRange`] and [`Error::IndexRange`] if one view exists but leaves the
    /// bounds of a view.
    ///
    /// ```
    /// use viewmerge::View;
    ///
    /// let windows = View::contiguous(&[6])?.as_strided(&[4, 3], &[1, 1], 0)?;
    /// assert_eq!(windows.view().unwrap().to_string(), "(4,3):(1,1)");
    /// assert!(View::contiguous(&[6])?.as_strided(&[5, 3], &[1, 1], 0).is_err());
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    pub fn as_strided(
        &self,
        shape: &[i64],
        strides: &[i64],
        offset: i64,
    ) -> Result<Verdict, Error> {
        let top = View::strided(shape, strides, offset)?;
        check_composes(self, &top, 1)?;
        verdict(core::slice::from_ref(self), &top, &mut Meter::unlimited())
    }
}
