//! Over which split of its axes is a chain one view, and for which parameters?
//!
//! Example: (N,M) transposed and flattened is one view if N == 1 or M == 1; otherwise it is one over the
//! split ((M,N)), whatever N and M are.
//!
//! First the chain is merged; where it is one view nothing is cut. Every part of the domain where it is
//! not is decided again (`cut.rs`). A split in an answer is the coarsest one there is, at every point
//! of its case.

use viewmerge::Limit;

use crate::answer::Answer;
use crate::cases::{Leaf, explore, explore_from};
use crate::chain::SymbolicChain;
use crate::engine::Outcome;
use crate::group::group;
use crate::names::Names;

impl SymbolicChain {
    /// Over which split of its axes it is one view, for which parameters.
    ///
    /// At every point of a case the split is the coarsest one there is, as
    /// [`viewmerge::ViewChain::split`] finds it; outside all cases and the open part there is none. The
    /// limits hold for the merge and for the splits each.
    ///
    /// ```
    /// use viewmerge_symbolic::{Limit, Params, SymbolicChain};
    ///
    /// let params = Params::new().size("N")?.size("M")?;
    /// let chain = SymbolicChain::parse(&params, "(N,M) | permute(1,0) | flatten()")?;
    /// assert_eq!(
    ///     chain.split(&Limit::none()).to_string(),
    ///     "M == 1 or N == 1 -> (N*M):(1); M >= 2 and N >= 2 -> ((M,N)): (M,N):(1,M)",
    /// );
    /// // Rows of 4 with a gap, and the first K elements of them.
    /// let params = Params::new().range("N", Some(2), None)?.range("K", Some(5), None)?;
    /// let chain = SymbolicChain::parse(&params, "(N,4):(7,1) | flatten() | shrink((0,K))")?;
    /// assert_eq!(
    ///     chain.split(&Limit::none()).to_string(),
    ///     "K%4 == 0 -> ((K//4,4)): (K//4,4):(7,1), requires 4*N >= K",
    /// );
    /// # Ok::<(), viewmerge_symbolic::Error>(())
    /// ```
    pub fn split(&self, limit: &Limit<'_>) -> Answer {
        let names = Names::new(self.defs.clone(), limit);
        if let Some(alone) = self.alone() {
            return Answer::new(self, &names, alone, true);
        }
        let params = self.params.list().len();
        let leaves = explore(&names, &self.domain, &self.stages, params);
        let stuck = |leaf: &Leaf| matches!(leaf.outcome, Outcome::Never | Outcome::Open);
        let (todo, mut leaves): (Vec<Leaf>, Vec<Leaf>) = leaves.into_iter().partition(stuck);
        names.refill();
        let parts = todo.into_iter().map(|leaf| (leaf.path, leaf.domain)).collect();
        leaves.extend(explore_from(&names, parts, params, |engine| engine.cut(&self.stages)));
        names.refill();
        let grouped = group(&names, &self.domain, leaves, &self.last().shape, self.plainly());
        names.refill();
        Answer::new(self, &names, grouped, true)
    }
}
