//! Movement ops on a chain.
//!
//! An op acts on the last view. Where one view cannot hold the result of a
//! regrouping, or that takes long to find out, a further view goes on top. So every
//! op succeeds on good arguments and is quick; whether the chain is still one view is
//! what [`ViewChain::merge`] answers.

use crate::chain::ViewChain;
use crate::error::Error;
use crate::limit::Limit;
use crate::merge::{check_composes, one_view};
use crate::movement::table::for_each_op;
use crate::movement::{Movement, Slice};
use crate::view::View;

/// How long merging a regrouping is tried: about a millisecond, hundreds of times what the views
/// of real programs take.
const QUICK: Limit<'static> = Limit::steps(1_000);

/// # Movement ops
impl ViewChain {
    /// The chain with its last view replaced by what an op made of it.
    fn replaced(
        &self,
        view: Result<View, Error>,
        op: impl FnOnce() -> Movement,
    ) -> Result<ViewChain, Error> {
        let mut views = self.views.clone();
        views.pop();
        views.push(view?);
        let trail = self.trail_with(op, views.len());
        Ok(ViewChain { views, trail })
    }

    /// The chain with `top` on it: merged into the last view if the two are quickly seen
    /// to be one.
    ///
    /// `top` must compose with the last view.
    fn regroup(&self, top: View, op: impl FnOnce() -> Movement) -> Result<ViewChain, Error> {
        let last = self.last();
        // One view that leaves the bounds on positions cannot be written down; two can.
        match one_view(core::slice::from_ref(last), &top, &mut QUICK.meter()) {
            Ok(Some(view)) => self.replaced(Ok(view), op),
            Ok(None) | Err(_) => {
                let trail = self.trail_with(op, self.views.len() + 1);
                Ok(ViewChain { trail, ..self.with_top(top) })
            }
        }
    }

    /// See [`View::reshape`]; a view is added if the last one cannot be reshaped,
    /// or not without a long search.
    ///
    /// # Errors
    ///
    /// As [`View::reshape`], but for what one view cannot hold.
    ///
    /// ```
    /// let chain = viewmerge::ViewChain::contiguous(&[2, 3])?.permute(&[1, 0])?.reshape(&[-1])?;
    /// assert_eq!(chain.to_string(), "(3,2):(1,3) | (6):(1)");
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    pub fn reshape(&self, shape: &[i64]) -> Result<ViewChain, Error> {
        self.regroup(self.last().reshape_target(shape)?, || Movement::Reshape(shape.to_vec()))
    }

    /// See [`View::flatten`].
    ///
    /// # Errors
    ///
    /// As [`View::flatten`], but for what one view cannot hold.
    ///
    /// ```
    /// let chain = viewmerge::ViewChain::contiguous(&[2, 3, 4])?.flatten(0, 1)?;
    /// assert_eq!(chain.shape(), [6, 4]);
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    pub fn flatten(&self, start: i64, end: i64) -> Result<ViewChain, Error> {
        let shape = self.last().flattened_shape(start, end)?;
        self.regroup(self.last().reshape_target(&shape)?, || Movement::Flatten(start, end))
    }

    /// See [`View::unflatten`].
    ///
    /// # Errors
    ///
    /// As [`View::unflatten`], but for what one view cannot hold.
    ///
    /// ```
    /// let chain = viewmerge::ViewChain::contiguous(&[6, 4])?.unflatten(0, &[2, -1])?;
    /// assert_eq!(chain.shape(), [2, 3, 4]);
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    pub fn unflatten(&self, axis: i64, sizes: &[i64]) -> Result<ViewChain, Error> {
        let shape = self.last().unflattened_shape(axis, sizes)?;
        self.regroup(self.last().reshape_target(&shape)?, || {
            Movement::Unflatten(axis, sizes.to_vec())
        })
    }

    /// See [`View::as_strided`].
    ///
    /// # Errors
    ///
    /// As [`View::as_strided`], but for what one view cannot hold.
    ///
    /// ```
    /// let chain = viewmerge::ViewChain::contiguous(&[2, 3])?.permute(&[1, 0])?;
    /// let windows = chain.as_strided(&[5, 2], &[1, 1], 0)?;
    /// assert_eq!(windows.index(&[0, 1])?, Some(3));
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    pub fn as_strided(
        &self,
        shape: &[i64],
        strides: &[i64],
        offset: i64,
    ) -> Result<ViewChain, Error> {
        let top = View::strided(shape, strides, offset)?;
        check_composes(self.last(), &top, self.views.len())?;
        let op =
            || Movement::AsStrided { shape: shape.to_vec(), strides: strides.to_vec(), offset };
        self.regroup(top, op)
    }

    /// See [`View::permute`].
    ///
    /// # Errors
    ///
    /// As [`View::permute`].
    ///
    /// ```
    /// let chain = viewmerge::ViewChain::contiguous(&[2, 3])?.permute(&[1, 0])?;
    /// assert_eq!(chain.shape(), [3, 2]);
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    pub fn permute(&self, axes: &[i64]) -> Result<ViewChain, Error> {
        self.replaced(self.last().permute(axes), || Movement::Permute(axes.to_vec()))
    }

    /// See [`View::transpose`].
    ///
    /// # Errors
    ///
    /// As [`View::transpose`].
    ///
    /// ```
    /// let chain = viewmerge::ViewChain::contiguous(&[2, 3, 4])?.transpose(0, 2)?;
    /// assert_eq!(chain.shape(), [4, 3, 2]);
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    pub fn transpose(&self, first: i64, second: i64) -> Result<ViewChain, Error> {
        self.replaced(self.last().transpose(first, second), || Movement::Transpose(first, second))
    }

    /// See [`View::expand`].
    ///
    /// # Errors
    ///
    /// As [`View::expand`].
    ///
    /// ```
    /// let chain = viewmerge::ViewChain::contiguous(&[3, 1])?.expand(&[3, 4])?;
    /// assert_eq!(chain.index(&[2, 3])?, Some(2));
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    pub fn expand(&self, shape: &[i64]) -> Result<ViewChain, Error> {
        self.replaced(self.last().expand(shape), || Movement::Expand(shape.to_vec()))
    }

    /// See [`View::broadcast_to`].
    ///
    /// # Errors
    ///
    /// As [`View::broadcast_to`].
    ///
    /// ```
    /// let chain = viewmerge::ViewChain::contiguous(&[3])?.broadcast_to(&[2, 3])?;
    /// assert_eq!(chain.index(&[1, 2])?, Some(2));
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    pub fn broadcast_to(&self, shape: &[i64]) -> Result<ViewChain, Error> {
        self.replaced(self.last().broadcast_to(shape), || Movement::Expand(shape.to_vec()))
    }

    /// See [`View::pad`].
    ///
    /// # Errors
    ///
    /// As [`View::pad`].
    ///
    /// ```
    /// let chain = viewmerge::ViewChain::contiguous(&[2])?.pad(&[(1, 0)])?;
    /// assert_eq!(chain.index(&[0])?, None);
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    pub fn pad(&self, amounts: &[(i64, i64)]) -> Result<ViewChain, Error> {
        self.replaced(self.last().pad(amounts), || Movement::Pad(amounts.to_vec()))
    }

    /// See [`View::shrink`].
    ///
    /// # Errors
    ///
    /// As [`View::shrink`].
    ///
    /// ```
    /// let chain = viewmerge::ViewChain::contiguous(&[5])?.shrink(&[(2, 4)])?;
    /// assert_eq!(chain.index(&[0])?, Some(2));
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    pub fn shrink(&self, bounds: &[(i64, i64)]) -> Result<ViewChain, Error> {
        self.replaced(self.last().shrink(bounds), || Movement::Shrink(bounds.to_vec()))
    }

    /// See [`View::flip`].
    ///
    /// # Errors
    ///
    /// As [`View::flip`].
    ///
    /// ```
    /// let chain = viewmerge::ViewChain::contiguous(&[5])?.flip(&[0])?;
    /// assert_eq!(chain.index(&[0])?, Some(4));
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    pub fn flip(&self, axes: &[i64]) -> Result<ViewChain, Error> {
        self.replaced(self.last().flip(axes), || Movement::Flip(axes.to_vec()))
    }

    /// See [`View::step`].
    ///
    /// # Errors
    ///
    /// As [`View::step`].
    ///
    /// ```
    /// let chain = viewmerge::ViewChain::contiguous(&[5])?.step(&[2])?;
    /// assert_eq!(chain.index(&[2])?, Some(4));
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    pub fn step(&self, steps: &[i64]) -> Result<ViewChain, Error> {
        self.replaced(self.last().step(steps), || Movement::Step(steps.to_vec()))
    }

    /// See [`View::slice`].
    ///
    /// # Errors
    ///
    /// As [`View::slice`].
    ///
    /// ```
    /// let chain = viewmerge::ViewChain::contiguous(&[5])?.slice(&["::-1".parse()?])?;
    /// assert_eq!(chain.index(&[1])?, Some(3));
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    pub fn slice(&self, slices: &[Slice]) -> Result<ViewChain, Error> {
        self.replaced(self.last().slice(slices), || Movement::Slice(slices.to_vec()))
    }

    /// See [`View::squeeze`].
    ///
    /// # Errors
    ///
    /// As [`View::squeeze`].
    ///
    /// ```
    /// let chain = viewmerge::ViewChain::contiguous(&[1, 5])?.squeeze(0)?;
    /// assert_eq!(chain.shape(), [5]);
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    pub fn squeeze(&self, axis: i64) -> Result<ViewChain, Error> {
        self.replaced(self.last().squeeze(axis), || Movement::Squeeze(axis))
    }

    /// See [`View::squeeze_all`].
    ///
    /// # Errors
    ///
    /// As [`View::squeeze_all`].
    ///
    /// ```
    /// let chain = viewmerge::ViewChain::contiguous(&[1, 5, 1])?.squeeze_all()?;
    /// assert_eq!(chain.shape(), [5]);
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    pub fn squeeze_all(&self) -> Result<ViewChain, Error> {
        let view = self.last().squeeze_all()?;
        // There is no such op; a reshape does the same.
        self.replaced(Ok(view.clone()), || Movement::Reshape(view.shape().to_vec()))
    }

    /// See [`View::unsqueeze`].
    ///
    /// # Errors
    ///
    /// As [`View::unsqueeze`].
    ///
    /// ```
    /// let chain = viewmerge::ViewChain::contiguous(&[5])?.unsqueeze(0)?;
    /// assert_eq!(chain.shape(), [1, 5]);
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    pub fn unsqueeze(&self, axis: i64) -> Result<ViewChain, Error> {
        self.replaced(self.last().unsqueeze(axis), || Movement::Unsqueeze(axis))
    }

    /// Applies an op given as data.
    ///
    /// # Errors
    ///
    /// Those of the op.
    ///
    /// ```
    /// use viewmerge::{Movement, ViewChain};
    ///
    /// let chain = ViewChain::contiguous(&[2, 3])?.apply(&Movement::Permute(vec![1, 0]))?;
    /// assert_eq!(chain.shape(), [3, 2]);
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    pub fn apply(&self, op: &Movement) -> Result<ViewChain, Error> {
        macro_rules! apply {
            ($($name:literal $variant:ident $fields:tt = $arguments:tt $(or $default:tt)?
                => $method:ident($($passed:expr),*);)*) => {
                match op { $(Movement::$variant $fields => self.$method($($passed),*),)* }
            };
        }
        for_each_op!(apply)
    }
}
