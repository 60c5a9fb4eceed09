//! How much a question may take.

/// The most that is spent on a question; what is not settled within it is open.
///
/// ```
/// use viewmerge_symbolic::{Limits, Params, SymbolicChain};
///
/// let params = Params::new().size("N")?.size("M")?;
/// let chain = SymbolicChain::parse(&params, "(N,M) | permute(1,0) | flatten()")?;
/// let answer = chain.merge(&Limits { cases: 1, ..Limits::default() });
/// assert!(answer.open().is_always());
/// # Ok::<(), viewmerge_symbolic::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Limits {
    /// The most cases that are told apart.
    pub cases: usize,
    /// The most steps of proofs, some microseconds each at most.
    pub steps: u64,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { cases: 96, steps: 6_000 }
    }
}
