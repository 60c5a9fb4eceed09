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
    /// The chain with its last view replaced.
    fn with_last(&self, view: View) -> ViewChain {
        let mut views = self.views.clone();
        views.pop();
        views.push(view);
        ViewChain { views }
    }

    /// The chain with `top` on it: merged into the last view if the two are quickly seen
    /// to be one.
    ///
    /// `top` must compose with the last view.
    fn regroup(&self, top: View) -> ViewChain {
        let last = self.last();
        // One view that leaves the bounds on positions cannot be written down; two can.
        match one_view(core::slice::from_ref(last), &top, &mut QUICK.meter()) {
            Ok(Some(view)) => self.with_last(view),
            Ok(None) | Err(_) => self.with_top(top),
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
        let target = self.last().reshape_target(shape)?;
        if target.shape() == self.shape() {
            return Ok(self.clone());
        }
        Ok(self.regroup(target))
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
        self.reshape(&self.last().flattened_shape(start, end)?)
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
        self.reshape(&self.last().unflattened_shape(axis, sizes)?)
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
        Ok(self.regroup(top))
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
        self.last().permute(axes).map(|view| self.with_last(view))
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
        self.last().transpose(first, second).map(|view| self.with_last(view))
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
        self.last().expand(shape).map(|view| self.with_last(view))
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
        self.last().broadcast_to(shape).map(|view| self.with_last(view))
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
        self.last().pad(amounts).map(|view| self.with_last(view))
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
        self.last().shrink(bounds).map(|view| self.with_last(view))
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
        self.last().flip(axes).map(|view| self.with_last(view))
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
        self.last().step(steps).map(|view| self.with_last(view))
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
        self.last().slice(slices).map(|view| self.with_last(view))
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
        self.last().squeeze(axis).map(|view| self.with_last(view))
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
        self.last().squeeze_all().map(|view| self.with_last(view))
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
        self.last().unsqueeze(axis).map(|view| self.with_last(view))
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
