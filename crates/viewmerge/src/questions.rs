//! The main question about a chain, as methods.

use crate::chain::ViewChain;
use crate::error::Error;
use crate::limit::Limit;
use crate::merge::{Decided, Verdict, decide, decide_chain};

/// # Questions: one view or not
impl ViewChain {
    /// Whether the chain is one view: see [`merge`](crate::merge()).
    ///
    /// # Errors
    ///
    /// [`Error::OffsetRange`] and [`Error::IndexRange`] if the one view cannot be written down.
    ///
    /// ```
    /// use viewmerge::ViewChain;
    ///
    /// let chain = ViewChain::contiguous(&[6])?.append("(2):(3)".parse()?)?;
    /// assert!(chain.merge()?.is_merged());
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    pub fn merge(&self) -> Result<Verdict, Error> {
        self.merge_within(&Limit::none())
    }

    /// [`ViewChain::merge`] within a limit.
    ///
    /// # Errors
    ///
    /// [`Error::Undecided`] if the limit is reached first; [`Error::OffsetRange`] and
    /// [`Error::IndexRange`] if the one view cannot be written down.
    ///
    /// ```
    /// use viewmerge::{Limit, ViewChain};
    ///
    /// let chain: ViewChain = "(10,3,3):(8,1,2) | (4):(4)".parse()?;
    /// assert!(chain.merge_within(&Limit::steps(100))?.is_merged());
    /// assert!(chain.merge_within(&Limit::steps(0)).is_err());
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    pub fn merge_within(&self, limit: &Limit<'_>) -> Result<Verdict, Error> {
        decide_chain(self.views(), &mut limit.meter())
    }

    /// Whether the chain is one view, and which part of the solver says so: see
    /// [`diagnostics`](crate::diagnostics).
    ///
    /// # Errors
    ///
    /// As for [`ViewChain::merge`].
    ///
    /// ```
    /// use viewmerge::diagnostics::Rung;
    /// use viewmerge::{Limit, ViewChain};
    ///
    /// let chain: ViewChain = "(2,3):(4,1) | (6)".parse()?;
    /// assert_eq!(chain.decide(&Limit::none())?.rung, Rung::ClosedForm);
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    pub fn decide(&self, limit: &Limit<'_>) -> Result<Decided, Error> {
        decide(self.views(), &mut limit.meter())
    }
}
