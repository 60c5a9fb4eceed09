//! Chains from their parts, and what they hold.

use crate::chain::ViewChain;
use crate::dims::{Indices, check_index, unravel};
use crate::error::Error;
use crate::merge::{check_chain, check_composes};
use crate::path::value_at;
use crate::view::View;

/// # Build and read
impl ViewChain {
    /// The chain of one contiguous view.
    ///
    /// # Errors
    ///
    /// [`NegativeSize`](crate::strides::Error::NegativeSize) and [`TooManyElements`](crate::strides::Error::TooManyElements) for a bad shape.
    ///
    /// ```
    /// let chain = viewmerge::ViewChain::contiguous(&[2, 3])?;
    /// assert_eq!(chain.shape(), [2, 3]);
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    pub fn contiguous(shape: &[i64]) -> Result<ViewChain, Error> {
        View::contiguous(shape).map(ViewChain::from)
    }

    /// A chain from its views, memory side first, if they compose.
    ///
    /// # Errors
    ///
    /// [`Error::EmptyChain`] for no views, [`Error::NotComposable`] if one points outside the
    /// one below it.
    ///
    /// ```
    /// use viewmerge::{Error, View, ViewChain};
    ///
    /// let views: [View; 2] = ["(2,3)".parse()?, "(4):(2)".parse()?];
    /// let refused = ViewChain::from_views(&views).unwrap_err();
    /// assert_eq!(
    ///     refused,
    ///     Error::NotComposable { view: 1, index: vec![3], position: 6, count: 6 },
    /// );
    /// # Ok::<(), Error>(())
    /// ```
    pub fn from_views(views: &[View]) -> Result<ViewChain, Error> {
        check_chain(views)?;
        Ok(ViewChain::of(views.into()))
    }

    /// The views, memory side first.
    ///
    /// ```
    /// let chain = viewmerge::ViewChain::contiguous(&[2, 3])?;
    /// assert_eq!(chain.views().len(), 1);
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    #[must_use]
    pub fn views(&self) -> &[View] {
        &self.views
    }

    /// The view the user indexes.
    ///
    /// ```
    /// let chain = viewmerge::ViewChain::contiguous(&[2, 3])?;
    /// assert_eq!(chain.last().strides(), [3, 1]);
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    #[must_use]
    pub fn last(&self) -> &View {
        &self.views[self.views.len() - 1]
    }

    /// The shape of the last view.
    ///
    /// ```
    /// let chain = viewmerge::ViewChain::contiguous(&[2, 3])?.flatten(0, 1)?;
    /// assert_eq!(chain.shape(), [6]);
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    #[must_use]
    pub fn shape(&self) -> &[i64] {
        self.last().shape()
    }

    /// The number of elements, padding included.
    ///
    /// ```
    /// let chain = viewmerge::ViewChain::contiguous(&[2])?.pad(&[(1, 1)])?;
    /// assert_eq!(chain.count(), 4);
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    #[must_use]
    pub fn count(&self) -> i64 {
        self.last().count()
    }

    /// The memory position of an index, or `None` where the chain is padding.
    ///
    /// # Errors
    ///
    /// [`RankMismatch`](crate::strides::Error::RankMismatch) and [`Error::IndexOutOfBounds`] for an index that is not of the
    /// shape.
    ///
    /// ```
    /// use viewmerge::ViewChain;
    ///
    /// let chain = ViewChain::contiguous(&[2, 2])?.permute(&[1, 0])?.reshape(&[4])?;
    /// let positions: Vec<_> = (0..4).map(|i| chain.index(&[i]).unwrap()).collect();
    /// assert_eq!(positions, [Some(0), Some(2), Some(1), Some(3)]);
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    pub fn index(&self, index: &[i64]) -> Result<Option<i64>, Error> {
        check_index(self.shape(), index)?;
        Ok(value_at(&self.views, index))
    }

    /// The memory position at a row-major linear position, or `None` for padding.
    ///
    /// # Errors
    ///
    /// [`Error::PositionOutOfBounds`] for a position outside the elements.
    ///
    /// ```
    /// let chain = viewmerge::ViewChain::contiguous(&[2, 2])?.permute(&[1, 0])?;
    /// assert_eq!(chain.at(1)?, Some(2));
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    pub fn at(&self, position: i64) -> Result<Option<i64>, Error> {
        Ok(value_at(&self.views, &unravel(self.shape(), position)?))
    }

    /// Every index of the last view's shape, in row-major order.
    ///
    /// ```
    /// let chain = viewmerge::ViewChain::contiguous(&[2, 3])?;
    /// assert_eq!(chain.indices().count(), 6);
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    #[must_use]
    pub fn indices(&self) -> Indices {
        self.last().indices()
    }

    /// The memory position of every index in row-major order, `None` for padding.
    ///
    /// ```
    /// let chain = viewmerge::ViewChain::contiguous(&[2])?.pad(&[(0, 1)])?;
    /// assert_eq!(chain.positions().collect::<Vec<_>>(), [Some(0), Some(1), None]);
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    pub fn positions(&self) -> impl Iterator<Item = Option<i64>> + '_ {
        self.indices().map(|index| value_at(&self.views, &index))
    }

    /// The chain with one more view on top, which indexes the elements of the present last one.
    ///
    /// # Errors
    ///
    /// [`Error::NotComposable`] if the view points outside the elements of the last one.
    ///
    /// ```
    /// let chain = viewmerge::ViewChain::contiguous(&[6])?.append("(2):(3)+1".parse()?)?;
    /// assert_eq!(chain.index(&[1])?, Some(4));
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    pub fn append(&self, view: View) -> Result<ViewChain, Error> {
        check_composes(self.last(), &view, self.views.len())?;
        Ok(self.with_top(view))
    }

    /// [`ViewChain::append`] for a view known to compose.
    pub(super) fn with_top(&self, view: View) -> ViewChain {
        let mut views = self.views.clone();
        views.push(view);
        ViewChain { views, trail: self.trail.clone() }
    }

    /// The chain with `outer` on top: `outer`'s memory is this chain's elements.
    ///
    /// # Errors
    ///
    /// [`Error::NotComposable`] if `outer` points outside the elements of this chain.
    ///
    /// ```
    /// use viewmerge::ViewChain;
    ///
    /// let inner = ViewChain::contiguous(&[2, 3])?.permute(&[1, 0])?;
    /// let outer = ViewChain::contiguous(&[6])?.flip(&[0])?;
    /// assert_eq!(inner.compose(&outer)?.index(&[0])?, Some(5));
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    pub fn compose(&self, outer: &ViewChain) -> Result<ViewChain, Error> {
        check_composes(self.last(), &outer.views[0], self.views.len())?;
        let mut views = self.views.clone();
        views.extend(outer.views.iter().cloned());
        let trail = self.trail.followed_by(&outer.trail, self.views.len());
        Ok(ViewChain { views, trail })
    }
}
