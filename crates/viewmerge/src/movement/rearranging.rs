//! Ops that rearrange axes and indices: always one view.

use crate::dims::{Dims, Intervals, check_rank, signed};
use crate::error::{Error, ListError};
use crate::movement::{Slice, args};
use crate::view::{Validity, View, box_or_nothing};

/// One axis while an op works on it, and how far the op moves the origin.
#[derive(Clone, Copy)]
struct Axis {
    size: i64,
    stride: i64,
    lo: i64,
    hi: i64,
    shift: i128,
}

impl Axis {
    fn flip(self) -> Axis {
        let shift = self.shift + i128::from(self.stride) * i128::from(self.size - 1);
        let (lo, hi) = (self.size - self.hi, self.size - self.lo);
        Axis { stride: -self.stride, lo, hi, shift, ..self }
    }

    fn shrink(self, lo: i64, hi: i64) -> Axis {
        Axis {
            size: hi - lo,
            lo: self.lo.max(lo) - lo,
            hi: self.hi.min(hi) - lo,
            shift: self.shift + i128::from(self.stride) * i128::from(lo),
            ..self
        }
    }

    fn slice(self, op: &'static str, axis: usize, slice: &Slice) -> Result<Axis, Error> {
        let (first, count, step) = slice.resolve(op, axis, self.size)?;
        if count == 0 {
            return Ok(self.shrink(0, 0));
        }
        let last = first + (count - 1) * step;
        let kept = self.shrink(first.min(last), first.max(last) + 1);
        let kept = if step < 0 { kept.flip() } else { kept };
        Ok(if count > 1 { kept.step(step.abs()) } else { kept })
    }

    /// Every `step`-th index, `step` ≥ 1.
    fn step(self, step: i64) -> Axis {
        let per = |bound: i64| (bound + (step - 1)) / step;
        let size = per(self.size);
        // An axis that keeps two indices has room for its stride (V7).
        let stride = if size > 1 { self.stride * step } else { 0 };
        Axis { size, stride, lo: per(self.lo), hi: per(self.hi), ..self }
    }
}

/// # Ops that rearrange: always one view
impl View {
    /// Applies `change` to every axis in turn.
    fn map_axes(
        &self,
        mut change: impl FnMut(usize, Axis) -> Result<Axis, Error>,
    ) -> Result<View, Error> {
        let (mut shape, mut strides) = (Dims::new(), Dims::new());
        let mut offset = i128::from(self.offset());
        let mut bounds = Intervals::new();
        for (axis, (&size, &stride)) in self.shape().iter().zip(self.strides()).enumerate() {
            let (lo, hi) = self.interval(axis);
            let new = change(axis, Axis { size, stride, lo, hi, shift: 0 })?;
            shape.push(new.size);
            strides.push(new.stride);
            bounds.push((new.lo, new.hi));
            offset += new.shift;
        }
        let validity = match self.validity() {
            Validity::Nothing => Validity::Nothing,
            _ => box_or_nothing(bounds.into_iter()),
        };
        View::build(shape, strides, offset, validity)
    }

    /// The axes in another order: new axis `k` is old axis `axes[k]`.
    ///
    /// # Errors
    ///
    /// [`RankMismatch`](crate::strides::Error::RankMismatch) unless there is an entry for each axis,
    /// [`AxisOutOfRange`](crate::strides::Error::AxisOutOfRange) for an axis that does not exist, [`RepeatedAxis`](crate::strides::Error::RepeatedAxis) for
    /// one that is named twice.
    ///
    /// ```
    /// let view = viewmerge::View::contiguous(&[2, 3, 4])?.permute(&[2, 0, 1])?;
    /// assert_eq!(view.to_string(), "(4,2,3):(1,12,4)");
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    pub fn permute(&self, axes: &[i64]) -> Result<View, Error> {
        check_rank("permute", self.rank(), axes.len())?;
        let order = args::distinct_axes("permute", axes, self.rank())?;
        self.select(order.iter().copied().map(Some))
    }

    /// Two axes exchanged.
    ///
    /// # Errors
    ///
    /// [`AxisOutOfRange`](crate::strides::Error::AxisOutOfRange) for an axis that does not exist.
    ///
    /// ```
    /// let view = viewmerge::View::contiguous(&[2, 3])?.transpose(0, -1)?;
    /// assert_eq!(view.to_string(), "(3,2):(1,3)");
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    pub fn transpose(&self, first: i64, second: i64) -> Result<View, Error> {
        let first = args::axis("transpose", first, self.rank())?;
        let second = args::axis("transpose", second, self.rank())?;
        let mut order: Dims = (0..signed(self.rank())).collect();
        order.swap(first, second);
        self.permute(&order)
    }

    /// Axes of size 1 repeated to the sizes of `shape`, which is aligned at the
    /// last axis and may have further axes in front; −1 keeps a size.
    ///
    /// # Errors
    ///
    /// [`ExpandRank`](crate::strides::Error::ExpandRank) if axes would be lost, [`CannotExpand`](crate::strides::Error::CannotExpand) for an axis that is
    /// not 1 and would change, [`NegativeSize`](crate::strides::Error::NegativeSize) and [`TooManyElements`](crate::strides::Error::TooManyElements) for a bad
    /// shape.
    ///
    /// ```
    /// let view = viewmerge::View::contiguous(&[3, 1])?.expand(&[2, -1, 4])?;
    /// assert_eq!(view.to_string(), "(2,3,4):(0,1,0)");
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    pub fn expand(&self, shape: &[i64]) -> Result<View, Error> {
        let rank = self.rank();
        let Some(fresh) = shape.len().checked_sub(rank) else {
            return Err(ListError::ExpandRank { rank, found: shape.len() }.into());
        };
        let axes = core::iter::repeat_n(None, fresh).chain((0..rank).map(Some));
        self.select(axes)?.map_axes(|axis, old| {
            let (size, new_size) = (old.size, shape[axis]);
            if axis >= fresh && (new_size == -1 || new_size == size) {
                Ok(old)
            } else if axis >= fresh && new_size < 0 {
                Err(ListError::NegativeSize { axis, size: new_size }.into())
            } else if size != 1 {
                Err(ListError::CannotExpand { axis, size, new_size }.into())
            } else {
                Ok(Axis { size: new_size, lo: 0, hi: new_size, ..old })
            }
        })
    }

    /// NumPy's name for [`View::expand`], without −1.
    ///
    /// # Errors
    ///
    /// As [`View::expand`], and [`NegativeSize`](crate::strides::Error::NegativeSize) for a −1.
    ///
    /// ```
    /// let view = viewmerge::View::contiguous(&[3])?.broadcast_to(&[2, 3])?;
    /// assert_eq!(view.to_string(), "(2,3):(0,1)");
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    pub fn broadcast_to(&self, shape: &[i64]) -> Result<View, Error> {
        crate::dims::element_count(shape)?;
        self.expand(shape)
    }

    /// Padding of `(before, after)` invalid indices on every axis.
    ///
    /// # Errors
    ///
    /// [`RankMismatch`](crate::strides::Error::RankMismatch) unless there is an entry for each axis, [`Error::NegativePad`]
    /// for an amount below 0; [`TooManyElements`](crate::strides::Error::TooManyElements), [`Error::OffsetRange`] and
    /// [`Error::IndexRange`] if the result leaves the bounds of a view.
    ///
    /// ```
    /// let view = viewmerge::View::contiguous(&[2])?.pad(&[(1, 2)])?;
    /// assert_eq!(view.to_string(), "(5):(1)-1 [1:3]");
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    pub fn pad(&self, amounts: &[(i64, i64)]) -> Result<View, Error> {
        check_rank("pad", self.rank(), amounts.len())?;
        self.map_axes(|axis, old| {
            let (before, after) = amounts[axis];
            if before < 0 || after < 0 {
                return Err(Error::NegativePad { axis, size: old.size, before, after });
            }
            // A size that saturates is refused when the view is built.
            Ok(Axis {
                size: old.size.saturating_add(before).saturating_add(after),
                lo: old.lo.saturating_add(before),
                hi: old.hi.saturating_add(before),
                shift: -i128::from(old.stride) * i128::from(before),
                ..old
            })
        })
    }

    /// Only the indices `lo <= i < hi` of every axis kept.
    ///
    /// # Errors
    ///
    /// [`RankMismatch`](crate::strides::Error::RankMismatch) unless there is an entry for each axis, [`Error::ShrinkOutside`]
    /// for bounds outside an axis.
    ///
    /// ```
    /// let view = viewmerge::View::contiguous(&[4, 4])?.shrink(&[(1, 3), (0, 2)])?;
    /// assert_eq!(view.to_string(), "(2,2):(4,1)+4");
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    pub fn shrink(&self, bounds: &[(i64, i64)]) -> Result<View, Error> {
        check_rank("shrink", self.rank(), bounds.len())?;
        self.map_axes(|axis, old| {
            let (lo, hi) = bounds[axis];
            if lo < 0 || lo > hi || hi > old.size {
                return Err(Error::ShrinkOutside { axis, size: old.size, lo, hi });
            }
            Ok(old.shrink(lo, hi))
        })
    }

    /// [`View::shrink`] along one axis, within its size.
    pub(crate) fn shrink_axis(&self, axis: usize, lo: i64, hi: i64) -> Result<View, Error> {
        self.map_axes(|number, old| Ok(if number == axis { old.shrink(lo, hi) } else { old }))
    }

    /// The named axes reversed.
    ///
    /// # Errors
    ///
    /// [`AxisOutOfRange`](crate::strides::Error::AxisOutOfRange) for an axis that does not exist, [`RepeatedAxis`](crate::strides::Error::RepeatedAxis) for
    /// one that is named twice.
    ///
    /// ```
    /// let view = viewmerge::View::contiguous(&[2, 3])?.flip(&[1])?;
    /// assert_eq!(view.to_string(), "(2,3):(3,-1)+2");
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    pub fn flip(&self, axes: &[i64]) -> Result<View, Error> {
        let flipped = args::distinct_axes("flip", axes, self.rank())?;
        self.map_axes(|axis, old| Ok(if flipped.contains(&axis) { old.flip() } else { old }))
    }

    /// Every `steps[axis]`-th index of each axis, from the first one on; a
    /// negative step walks from the last one backwards, as `x[::-2]` does.
    ///
    /// # Errors
    ///
    /// [`RankMismatch`](crate::strides::Error::RankMismatch) unless there is an entry for each axis, [`Error::ZeroStep`] for
    /// a step of 0.
    ///
    /// ```
    /// let view = viewmerge::View::contiguous(&[5, 4])?.step(&[2, -1])?;
    /// assert_eq!(view.to_string(), "(3,4):(8,-1)+3");
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    pub fn step(&self, steps: &[i64]) -> Result<View, Error> {
        check_rank("step", self.rank(), steps.len())?;
        self.map_axes(|axis, old| old.slice("step", axis, &Slice::ALL.by(steps[axis])))
    }

    /// Python slices of the leading axes; axes without one are kept whole.
    ///
    /// # Errors
    ///
    /// [`Error::TooManySlices`] for more slices than axes, [`Error::ZeroStep`] for a step of 0.
    ///
    /// ```
    /// let view = viewmerge::View::contiguous(&[5, 4])?.slice(&["1:".parse()?, "::-2".parse()?])?;
    /// assert_eq!(view.to_string(), "(4,2):(4,-2)+7");
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    pub fn slice(&self, slices: &[Slice]) -> Result<View, Error> {
        if slices.len() > self.rank() {
            return Err(Error::TooManySlices { rank: self.rank(), found: slices.len() });
        }
        self.map_axes(|axis, old| {
            slices.get(axis).map_or(Ok(old), |slice| old.slice("slice", axis, slice))
        })
    }

    /// An axis of size 1 removed.
    ///
    /// # Errors
    ///
    /// [`AxisOutOfRange`](crate::strides::Error::AxisOutOfRange) for an axis that does not exist, [`Error::NotUnit`] for one
    /// that is not of size 1.
    ///
    /// ```
    /// let view = viewmerge::View::contiguous(&[2, 1])?.squeeze(1)?;
    /// assert_eq!(view.shape(), [2]);
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    pub fn squeeze(&self, axis: i64) -> Result<View, Error> {
        let axis = args::axis("squeeze", axis, self.rank())?;
        match self.shape()[axis] {
            1 => self.select((0..self.rank()).filter(|&other| other != axis).map(Some)),
            size => Err(Error::NotUnit { axis, size }),
        }
    }

    /// All axes of size 1 removed.
    ///
    /// # Errors
    ///
    /// None in practice: the result stays within the bounds of this view.
    ///
    /// ```
    /// let view = viewmerge::View::contiguous(&[1, 2, 1])?.squeeze_all()?;
    /// assert_eq!(view.shape(), [2]);
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    pub fn squeeze_all(&self) -> Result<View, Error> {
        self.select((0..self.rank()).filter(|&axis| self.shape()[axis] != 1).map(Some))
    }

    /// The view with these of its axes, in this order; `None` is a new axis of size 1, and those left out
    /// have size 1.
    fn select(&self, axes: impl Iterator<Item = Option<usize>> + Clone) -> Result<View, Error> {
        let validity = match self.validity() {
            Validity::Box(bounds) => {
                Validity::Box(axes.clone().map(|axis| axis.map_or((0, 1), |a| bounds[a])).collect())
            }
            other => other.clone(),
        };
        let strides = axes.clone().map(|axis| axis.map_or(0, |a| self.strides()[a])).collect();
        let shape = axes.map(|axis| axis.map_or(1, |a| self.shape()[a])).collect();
        View::build(shape, strides, self.offset().into(), validity)
    }

    /// A new axis of size 1, which will be axis `axis` of the result.
    ///
    /// # Errors
    ///
    /// [`AxisOutOfRange`](crate::strides::Error::AxisOutOfRange) for an axis that does not exist.
    ///
    /// ```
    /// let view = viewmerge::View::contiguous(&[2, 3])?.unsqueeze(-1)?;
    /// assert_eq!(view.shape(), [2, 3, 1]);
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    pub fn unsqueeze(&self, axis: i64) -> Result<View, Error> {
        let axis = args::axis("unsqueeze", axis, self.rank() + 1)?;
        let before = (0..axis).map(Some).chain([None]);
        self.select(before.chain((axis..self.rank()).map(Some)))
    }
}
