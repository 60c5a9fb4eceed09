//! How much work a decision may take, and why it ends before its time.
//!
//! A limit is needed because no test is fast on every input, unless P = NP.
//! Proved: `subset_sum_reduction`, `reduction_sizes`, `reduction_digits`
//! (proofs/theories/Hardness.v).

use crate::merge::Witness;

/// Why a search ends early.
pub(crate) enum Stop {
    /// The answer is known to be no.
    Witness(Witness),
    /// No steps are left.
    Exhausted,
}

impl From<Witness> for Stop {
    fn from(witness: Witness) -> Stop {
        Stop::Witness(witness)
    }
}

impl From<Exhausted> for Stop {
    fn from(_: Exhausted) -> Stop {
        Stop::Exhausted
    }
}

/// A number of steps that is used up; a step is about one look at a box or an index.
pub(crate) struct Meter {
    left: u64,
}

/// The steps are used up before an answer was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Exhausted;

impl Meter {
    /// No limit that could be reached.
    pub(crate) const UNLIMITED: u64 = u64::MAX;

    pub(crate) fn new(steps: u64) -> Meter {
        Meter { left: steps }
    }

    /// Uses up some steps, or says that there are too few.
    pub(crate) fn spend(&mut self, steps: u64) -> Result<(), Exhausted> {
        if self.left == Meter::UNLIMITED {
            return Ok(());
        }
        self.left = self.left.checked_sub(steps).ok_or(Exhausted)?;
        Ok(())
    }
}
