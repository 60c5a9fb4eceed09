//! The fewest views that a chain can be cut into.
//!
//! Merging is not associative: v₁∘v₂ may not merge while v₁∘v₂∘v₃ does,
//! because a later view, such as a slice, removes what kept them apart. So every run of neighbouring
//! views is decided as a whole, and the partition into the fewest runs wins.
//! Example: r = `(4,2):(1,4)` has r∘r not mergeable, r∘r∘r = `(4,2):(2,1)`.
//!
//! Cost: O(n²) merges for n views.
//!
//! Proved: `not_associative` (proofs/theories/Examples.v).

use alloc::vec::Vec;

use smallvec::SmallVec;

use crate::chain::ViewChain;
use crate::error::Error;
use crate::limit::{Limit, Meter};
use crate::merge::one_view;
use crate::view::View;

/// # Questions: fewer views
impl ViewChain {
    /// The same function with the fewest views that merging runs of neighbours can give; one view
    /// if the chain is one.
    ///
    /// # Errors
    ///
    /// [`Error::Undecided`] if the limit is reached first.
    ///
    /// ```
    /// use viewmerge::{Limit, View, ViewChain};
    ///
    /// let r: View = "(4,2):(1,4)".parse()?;
    /// let twice = ViewChain::from_views(&[r.clone(), r.clone()])?;
    /// assert_eq!(twice.simplify(&Limit::none())?.views().len(), 2);
    /// let thrice = twice.append(r)?;
    /// assert_eq!(thrice.simplify(&Limit::none())?.to_string(), "(4,2):(2,1)");
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    pub fn simplify(&self, limit: &Limit<'_>) -> Result<ViewChain, Error> {
        self.cut_into_fewest(&mut limit.meter())
    }

    pub(crate) fn cut_into_fewest(&self, meter: &mut Meter) -> Result<ViewChain, Error> {
        let views = self.views();
        // fewest[end]: the fewest views for views[..end].
        let mut fewest: Vec<SmallVec<[View; 1]>> = vec![SmallVec::new()];
        for end in 1..=views.len() {
            let mut best: Option<SmallVec<[View; 1]>> = None;
            for start in 0..end {
                if best.as_ref().is_some_and(|known| known.len() <= fewest[start].len() + 1) {
                    continue;
                }
                // A view that cannot be written down is of no use in a chain.
                if let Some(view) = one_view(&views[start..end - 1], &views[end - 1], meter)? {
                    let mut shorter = fewest[start].clone();
                    shorter.push(view);
                    best = Some(shorter);
                }
            }
            // A run of one view always merges, so there is a best.
            fewest.push(best.ok_or(Error::EmptyChain)?);
        }
        fewest.pop().map(ViewChain::of).ok_or(Error::EmptyChain)
    }
}
