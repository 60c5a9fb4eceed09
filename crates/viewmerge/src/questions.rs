//! The questions about a chain, as methods.
//!
//! Each is the free function of the same name, which takes any list of views and first checks
//! that they compose.

use crate::certificate::Certificate;
use crate::chain::ViewChain;
use crate::equivalence::{Equivalence, compare};
use crate::error::Error;
use crate::explain::{CopyPlan, Explanation, explain_chain};
use crate::limit::Limit;
use crate::merge::{Decided, Verdict, decide_chain};

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
    /// [`decide`](crate::diagnostics::decide).
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
        crate::merge::decide(self.views(), limit)
    }

    /// Whether the chain is one view, with a proof: see [`certify`](crate::certify).
    ///
    /// # Errors
    ///
    /// As for [`ViewChain::merge`].
    ///
    /// ```
    /// use viewmerge::{Limit, ViewChain};
    ///
    /// let chain: ViewChain = "(2,3) | (6)".parse()?;
    /// assert!(chain.certify(&Limit::none())?.to_string().starts_with(r#"{"views":["#));
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    pub fn certify(&self, limit: &Limit<'_>) -> Result<Certificate, Error> {
        crate::certificate::certify(self.views(), limit)
    }

    /// Why the chain is one view, or why not, in the ops that made it: see [`explain`](crate::explain()).
    ///
    /// # Errors
    ///
    /// [`Error::Undecided`] if the limit is reached first; [`Error::OffsetRange`] and
    /// [`Error::IndexRange`] if the one view cannot be written down.
    ///
    /// ```
    /// use viewmerge::{Limit, ViewChain};
    ///
    /// let chain: ViewChain = "(2,3) | permute(1,0) | reshape(6)".parse()?;
    /// assert_eq!(chain.explain(&Limit::none())?.remedies.length.unwrap().length, 2);
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    pub fn explain(&self, limit: &Limit<'_>) -> Result<Explanation, Error> {
        explain_chain(self, &mut limit.meter())
    }

    /// Where to copy so that the rest is one view: see [`cheapest_copy`](crate::cheapest_copy).
    ///
    /// # Errors
    ///
    /// [`Error::Undecided`] if the limit is reached first.
    ///
    /// ```
    /// use viewmerge::{Limit, ViewChain};
    ///
    /// let chain: ViewChain = "(2,3) | permute(1,0) | reshape(6)".parse()?;
    /// assert_eq!(chain.cheapest_copy(&Limit::none())?.unwrap().elements, 6);
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    pub fn cheapest_copy(&self, limit: &Limit<'_>) -> Result<Option<CopyPlan>, Error> {
        crate::explain::cheapest_copy(self, limit)
    }

    /// How long an axis may be: see [`longest_mergeable`](crate::longest_mergeable).
    ///
    /// # Errors
    ///
    /// [`Error::AxisOutOfRange`] for an axis that does not exist, [`Error::Undecided`]
    /// if the limit is reached first; [`Error::OffsetRange`] and [`Error::IndexRange`]
    /// if one of the views that would have to be tried cannot be written down.
    ///
    /// ```
    /// use viewmerge::{Limit, ViewChain};
    ///
    /// let chain: ViewChain = "(10,3,3):(8,1,2) | (20):(4)".parse()?;
    /// assert_eq!(chain.longest_mergeable(0, &Limit::none())?, 5);
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    pub fn longest_mergeable(&self, axis: usize, limit: &Limit<'_>) -> Result<i64, Error> {
        crate::conditions::longest_mergeable(self, axis, limit)
    }

    /// Whether two chains are the same function: see [`equivalent`](crate::equivalent()).
    ///
    /// # Errors
    ///
    /// [`Error::Undecided`] if the limit is reached first.
    ///
    /// ```
    /// use viewmerge::{Equivalence, Limit, ViewChain};
    ///
    /// let chain = ViewChain::contiguous(&[4, 6])?.permute(&[1, 0])?;
    /// let there_and_back = chain.reshape(&[24])?.reshape(&[6, 4])?;
    /// assert_eq!(chain.equivalent(&there_and_back, &Limit::none())?, Equivalence::Same);
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    pub fn equivalent(&self, other: &ViewChain, limit: &Limit<'_>) -> Result<Equivalence, Error> {
        compare(self, other, &mut limit.meter())
    }
}
