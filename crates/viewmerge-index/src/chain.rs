//! The questions about a chain that this crate adds, as methods.

use lattice_point::Limit;
use viewmerge::{Error, ViewChain};

use crate::form::{GuardedView, IndexForm};
use crate::tiling::{self, GuardedSplit, Tiling};

/// What this crate says about a chain of views.
///
/// ```
/// use viewmerge::{Limit, ViewChain};
/// use viewmerge_index::IndexChain;
///
/// let chain: ViewChain = "(4,3):(1,4) | (12)".parse()?;
/// assert_eq!(chain.form(&Limit::none())?.floors().len(), 1);
/// # Ok::<(), viewmerge::Error>(())
/// ```
pub trait IndexChain {
    /// The index expression of the chain. A chain that is one view gets the
    /// expression of that view.
    ///
    /// The limit is for finding out whether it is, and for leaving out floors;
    /// [`IndexForm::of_views`] does neither.
    ///
    /// # Errors
    ///
    /// [`Error::Undecided`] if the limit is reached first, [`Error::ExpressionRange`] if
    /// the expression needs numbers beyond 64 bits.
    ///
    /// ```
    /// use viewmerge::{Limit, ViewChain};
    /// use viewmerge_index::IndexChain;
    ///
    /// let chain = ViewChain::contiguous(&[2, 6])?.reshape(&[3, 4])?;
    /// assert_eq!(chain.form(&Limit::none())?.to_string(), "4*i0 + i1");
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    fn form(&self, limit: &Limit<'_>) -> Result<IndexForm, Error>;

    /// The chain as one view with affine guards, if its form needs no floor.
    ///
    /// A chain that is one view is one without guards.
    ///
    /// # Errors
    ///
    /// As [`IndexChain::form`].
    ///
    /// ```
    /// use viewmerge::{Limit, ViewChain};
    /// use viewmerge_index::IndexChain;
    ///
    /// let flat: ViewChain = "(4,3):(1,4) | (12)".parse()?;
    /// assert_eq!(flat.guarded(&Limit::none())?, None);
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    fn guarded(&self, limit: &Limit<'_>) -> Result<Option<GuardedView>, Error> {
        self.form(limit)?.guarded()
    }

    /// The best tiling there is: a split, else one with padding, else one with guards.
    ///
    /// # Errors
    ///
    /// As [`ViewChain::split`].
    ///
    /// ```
    /// use viewmerge::{Limit, ViewChain};
    /// use viewmerge_index::IndexChain;
    ///
    /// let chain: ViewChain = "(3,6):(10,1) | (18) | pad((0,2))".parse()?;
    /// assert_eq!(
    ///     chain.tiling(&Limit::none())?.to_string(),
    ///     "one view after pad((0,4)) over ((4,6)): (4,6):(10,1) [0:3,0:6]",
    /// );
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    fn tiling(&self, limit: &Limit<'_>) -> Result<Tiling, Error>;

    /// A split, after padding, under which the chain is one guarded view, if one is found.
    ///
    /// Unlike [`ViewChain::split`] and [`ViewChain::padded_split`] this is not exact: a guarded split
    /// may exist where none is found, and the one that is found may not be the coarsest.
    ///
    /// # Errors
    ///
    /// As [`IndexChain::form`].
    ///
    /// ```
    /// use viewmerge::{Limit, ViewChain};
    /// use viewmerge_index::IndexChain;
    ///
    /// let window: ViewChain = "(18):(1)-2 [2:17] | (16,3):(1,1)".parse()?;
    /// let found = window.guarded_split(&Limit::none())?.unwrap();
    /// assert!(found.split.is_trivial());
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    fn guarded_split(&self, limit: &Limit<'_>) -> Result<Option<GuardedSplit>, Error>;
}

impl IndexChain for ViewChain {
    fn form(&self, limit: &Limit<'_>) -> Result<IndexForm, Error> {
        IndexForm::of_chain(self.views(), &mut limit.meter())
    }

    fn tiling(&self, limit: &Limit<'_>) -> Result<Tiling, Error> {
        tiling::best(self, &mut limit.meter())
    }

    fn guarded_split(&self, limit: &Limit<'_>) -> Result<Option<GuardedSplit>, Error> {
        tiling::guarded_split(self, &mut limit.meter())
    }
}
