//! How much work a question may take.
//!
//! Every question that searches takes a [`Limit`] as its last argument: at most
//! so many steps, a flag that somebody else may raise, both, or neither. A
//! question that is not settled when the limit is reached is refused with
//! [`Error::Undecided`]; no answer is ever guessed.
//!
//! Example: `(10,3,3):(8,1,2)` seen through `(4):(4)` takes a handful of steps,
//! so [`Limit::steps`] of 100 changes nothing and of 0 leaves it undecided.
//!
//! Cost: a step looks at about one box or one index and takes some 100 ns. The
//! flag is looked at before every step.
//!
//! A limit is needed because no test is fast on every input, unless P = NP.
//! Proved: `subset_sum_reduction`, `reduction_sizes`, `reduction_digits`
//! (proofs/theories/Hardness.v).

use core::sync::atomic::{AtomicBool, Ordering};

use crate::error::Error;
use crate::merge::{Rung, Witness};

/// How much work a question may take: a number of steps, a flag that stops it, both or neither.
///
/// One limit is for the whole question, whatever it is made of: simplifying a
/// chain of ten views spends from one number of steps. Asking again starts anew.
///
/// ```
/// use viewmerge::{Error, Limit, View, merge};
///
/// let pair: [View; 2] = ["(10,3,3):(8,1,2)".parse()?, "(4):(4)".parse()?];
/// let verdict = merge(&pair, &Limit::none())?;
/// assert_eq!(merge(&pair, &Limit::steps(100))?, verdict);
/// let undecided = merge(&pair, &Limit::steps(0)).unwrap_err();
/// assert_eq!(undecided, Error::Undecided { steps: 0, stopped: false });
/// # Ok::<(), Error>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Limit<'a> {
    steps: u64,
    flag: Option<&'a AtomicBool>,
}

impl Limit<'_> {
    /// No limit: the question is decided, however long it takes.
    ///
    /// ```
    /// use viewmerge::{Limit, ViewChain};
    ///
    /// let chain: ViewChain = "(2,3) | permute(1,0) | reshape(6)".parse()?;
    /// assert!(!chain.merge(&Limit::none())?.is_merged());
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    #[must_use]
    pub const fn none() -> Limit<'static> {
        Limit::steps(u64::MAX)
    }

    /// At most about so many steps; with 0 nothing is decided.
    ///
    /// The views that programs make take a handful of steps, and a step takes
    /// some 100 ns.
    ///
    /// ```
    /// use viewmerge::{Limit, ViewChain};
    ///
    /// let chain: ViewChain = "(10,3,3):(8,1,2) | (4):(4)".parse()?;
    /// assert!(chain.merge(&Limit::steps(1_000))?.is_merged());
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    #[must_use]
    pub const fn steps(steps: u64) -> Limit<'static> {
        Limit { steps, flag: None }
    }

    /// The most steps; `u64::MAX` if there is no limit.
    ///
    /// ```
    /// assert_eq!(viewmerge::Limit::steps(100).most(), 100);
    /// ```
    #[must_use]
    pub const fn most(&self) -> u64 {
        self.steps
    }

    /// Whether somebody raised the flag.
    ///
    /// ```
    /// assert!(!viewmerge::Limit::none().is_raised());
    /// ```
    #[must_use]
    pub fn is_raised(&self) -> bool {
        self.flag.is_some_and(|flag| flag.load(Ordering::Relaxed))
    }

    /// The same limit, and an end soon after somebody, another thread for one, raises the flag.
    ///
    /// ```
    /// use std::sync::atomic::{AtomicBool, Ordering};
    /// use viewmerge::{Error, Limit, ViewChain};
    ///
    /// let given_up = AtomicBool::new(false);
    /// let limit = Limit::none().stopped_by(&given_up);
    /// let chain: ViewChain = "(2,3) | (6)".parse()?;
    /// assert!(chain.merge(&limit)?.is_merged());
    /// given_up.store(true, Ordering::Relaxed);
    /// assert_eq!(chain.merge(&limit), Err(Error::Undecided { steps: 0, stopped: true }));
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    pub const fn stopped_by<'b>(&self, flag: &'b AtomicBool) -> Limit<'b> {
        Limit { steps: self.steps, flag: Some(flag) }
    }
}

/// No limit.
impl Default for Limit<'_> {
    fn default() -> Self {
        Limit::none()
    }
}

/// What is spent of a limit.
pub(crate) struct Meter<'a> {
    spent: u64,
    limit: Limit<'a>,
    /// Which part of the solver decided last.
    pub rung: Rung,
    /// Only this part may decide, and whether it could not.
    pub alone: Option<Rung>,
    pub is_open: bool,
}

impl<'a> Meter<'a> {
    pub(crate) fn new(limit: &Limit<'a>) -> Meter<'a> {
        Meter { spent: 0, limit: *limit, rung: Rung::Plain, alone: None, is_open: false }
    }

    /// Stops because the part that may decide does not.
    pub(crate) fn leave_open(&mut self) -> Stop {
        self.is_open = true;
        Stop::Exhausted(Exhausted { steps: self.spent, stopped: false })
    }

    /// A meter that never ends a search.
    pub(crate) fn unlimited() -> Meter<'static> {
        Meter::new(&Limit::none())
    }

    /// Says whether the flag is raised, in the middle of what was paid for.
    pub(crate) fn look(&self) -> Result<(), Exhausted> {
        match self.is_stopped() {
            true => Err(Exhausted { steps: self.spent, stopped: true }),
            false => Ok(()),
        }
    }

    #[inline]
    fn is_stopped(&self) -> bool {
        self.limit.is_raised()
    }

    /// Uses up some steps, or says that there are too few or that the flag is raised.
    #[inline]
    pub(crate) fn spend(&mut self, steps: u64) -> Result<(), Exhausted> {
        // More than there can be is still within no limit.
        let spent = self.spent.saturating_add(steps);
        let stopped = self.is_stopped();
        if stopped || spent > self.limit.steps {
            return Err(Exhausted { steps: self.spent, stopped });
        }
        self.spent = spent;
        Ok(())
    }
}

/// The limit was reached before an answer was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Exhausted {
    /// The steps spent.
    steps: u64,
    /// Whether the flag was raised.
    stopped: bool,
}

impl Exhausted {
    /// As the error it is to whoever asked. (No `From`: who uses `?` would have to
    /// annotate types.)
    pub(crate) fn undecided(self) -> Error {
        Error::Undecided { steps: self.steps, stopped: self.stopped }
    }
}

/// Why a search ends early.
pub(crate) enum Stop {
    /// The answer is known to be no.
    Witness(Witness),
    /// The limit is reached.
    Exhausted(Exhausted),
}

impl From<Witness> for Stop {
    fn from(witness: Witness) -> Stop {
        Stop::Witness(witness)
    }
}

impl From<Exhausted> for Stop {
    fn from(exhausted: Exhausted) -> Stop {
        Stop::Exhausted(exhausted)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_used_up() {
        let mut meter = Meter::new(&Limit::steps(10));
        assert_eq!(meter.spend(7), Ok(()));
        assert_eq!(meter.spend(4), Err(Exhausted { steps: 7, stopped: false }));
        assert_eq!(meter.spend(3), Ok(()));
        assert_eq!(meter.spend(1), Err(Exhausted { steps: 10, stopped: false }));
    }

    #[test]
    fn no_limit_is_never_reached() {
        let mut meter = Meter::unlimited();
        for _ in 0..3 {
            assert_eq!(meter.spend(u64::MAX), Ok(()));
        }
    }

    #[test]
    fn a_flag_stops_at_the_next_step() {
        let flag = AtomicBool::new(false);
        let mut meter = Meter::new(&Limit::steps(10).stopped_by(&flag));
        assert_eq!(meter.spend(2), Ok(()));
        flag.store(true, Ordering::Relaxed);
        assert_eq!(meter.spend(1), Err(Exhausted { steps: 2, stopped: true }));
    }
}
