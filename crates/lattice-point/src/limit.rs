//! How much work a question may take.
//!
//! A question takes a [`Meter`], which spends from a [`Limit`]: a number of steps, a flag that
//! another thread may raise, both, or neither. One meter goes through everything a question is
//! made of. A question that reaches its limit fails with [`Exhausted`]; no answer is ever guessed.
//!
//! Cost: a step is about one node of a search, some microseconds at most. The flag is checked
//! before every step.
//!
//! A limit is needed because no method is fast on every input unless P = NP.

use core::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use crate::number::Overflow;

/// How much work a question may take: a number of steps, a flag that stops it, both or neither.
///
/// One limit covers the whole question, whatever it is made of.
///
/// ```
/// use lattice_point::{Encode, Limit, System};
///
/// let mut system = System::new(1);
/// system.push(vec![2], Some(4), Some(4));
/// let limit = Limit::steps(100);
/// assert_eq!(system.point(&mut limit.meter()), Ok(Some(vec![2])));
/// assert!(system.point(&mut Limit::steps(0).meter()).is_err());
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Limit<'a> {
    steps: u64,
    flag: Option<&'a AtomicBool>,
    /// What several questions have spent together.
    spent: Option<&'a AtomicU64>,
}

impl<'a> Limit<'a> {
    /// No limit: the question is decided, however long it takes.
    ///
    /// ```
    /// use lattice_point::Limit;
    ///
    /// assert!(Limit::none().meter().spend(u64::MAX).is_ok());
    /// ```
    #[must_use]
    pub const fn none() -> Limit<'static> {
        Limit::steps(u64::MAX)
    }

    /// At most about this many steps; with 0 nothing is decided.
    ///
    /// ```
    /// use lattice_point::Limit;
    ///
    /// assert!(Limit::steps(9).meter().spend(10).is_err());
    /// ```
    #[must_use]
    pub const fn steps(steps: u64) -> Limit<'static> {
        Limit { steps, flag: None, spent: None }
    }

    /// The same limit, which also ends soon after the flag is raised, for example by another thread.
    ///
    /// ```
    /// use std::sync::atomic::{AtomicBool, Ordering};
    /// use lattice_point::Limit;
    ///
    /// let given_up = AtomicBool::new(false);
    /// let mut meter = Limit::none().stopped_by(&given_up).meter();
    /// assert!(meter.spend(1).is_ok());
    /// given_up.store(true, Ordering::Relaxed);
    /// assert!(meter.spend(1).unwrap_err().stopped);
    /// ```
    #[must_use]
    pub const fn stopped_by<'b>(&self, flag: &'b AtomicBool) -> Limit<'b>
    where
        'a: 'b,
    {
        Limit { steps: self.steps, flag: Some(flag), spent: self.spent }
    }

    /// The same limit for several questions together, which add up what they spend in `spent`. A
    /// limit that is already shared stays as it is.
    ///
    /// ```
    /// use std::sync::atomic::AtomicU64;
    /// use lattice_point::Limit;
    ///
    /// let spent = AtomicU64::new(0);
    /// let limit = Limit::steps(3).sharing(&spent);
    /// assert!(limit.meter().spend(2).is_ok());
    /// assert!(limit.meter().spend(2).is_err());
    /// ```
    #[must_use]
    pub fn sharing<'b>(&self, spent: &'b AtomicU64) -> Limit<'b>
    where
        'a: 'b,
    {
        Limit { spent: self.spent.or(Some(spent)), ..*self }
    }

    /// The same limit, with at most this many steps from here on.
    ///
    /// ```
    /// use lattice_point::Limit;
    ///
    /// assert!(Limit::steps(100).capped(10).spend(11).is_err());
    /// assert!(Limit::steps(100).capped(1_000).spend(101).is_err());
    /// ```
    #[must_use]
    pub fn capped(&self, steps: u64) -> Limit<'a> {
        let end = self.spent_so_far().saturating_add(steps);
        Limit { steps: self.steps.min(end), ..*self }
    }

    /// Spends steps of a [shared](Limit::sharing) limit; for any other limit it only checks that it
    /// allows this many.
    ///
    /// # Errors
    ///
    /// [`Exhausted`] if too few are left or the flag is raised.
    ///
    /// ```
    /// use std::sync::atomic::AtomicU64;
    /// use lattice_point::Limit;
    ///
    /// let spent = AtomicU64::new(0);
    /// let limit = Limit::steps(3).sharing(&spent);
    /// assert!(limit.spend(2).is_ok() && limit.spend(2).is_err() && limit.spend(1).is_ok());
    /// ```
    pub fn spend(&self, steps: u64) -> Result<(), Exhausted> {
        self.meter().spend(steps)
    }

    fn spent_so_far(&self) -> u64 {
        self.spent.map_or(0, |spent| spent.load(Ordering::Relaxed))
    }

    /// The most steps; `u64::MAX` if there is no limit.
    ///
    /// ```
    /// assert_eq!(lattice_point::Limit::steps(100).most(), 100);
    /// ```
    #[must_use]
    pub const fn most(&self) -> u64 {
        self.steps
    }

    /// Whether the flag is raised.
    ///
    /// ```
    /// assert!(!lattice_point::Limit::none().is_raised());
    /// ```
    #[must_use]
    #[inline]
    pub fn is_raised(&self) -> bool {
        self.flag.is_some_and(|flag| flag.load(Ordering::Relaxed))
    }

    /// A fresh meter; for a shared limit it starts with what has been spent.
    ///
    /// ```
    /// use lattice_point::Limit;
    ///
    /// assert_eq!(Limit::steps(5).meter().spent(), 0);
    /// ```
    #[must_use]
    pub fn meter(&self) -> Meter<'a> {
        Meter { spent: self.spent_so_far(), limit: *self }
    }
}

/// What has been spent of a limit.
///
/// ```
/// use lattice_point::Limit;
///
/// let mut meter = Limit::steps(10).meter();
/// assert!(meter.spend(7).is_ok() && meter.spend(4).is_err());
/// assert_eq!(meter.spent(), 7);
/// ```
#[derive(Debug)]
pub struct Meter<'a> {
    spent: u64,
    limit: Limit<'a>,
}

impl<'a> Meter<'a> {
    /// A meter that has spent nothing of this limit.
    ///
    /// ```
    /// use lattice_point::{Limit, Meter};
    ///
    /// assert_eq!(Meter::new(&Limit::steps(5)).spent(), 0);
    /// ```
    #[must_use]
    pub fn new(limit: &Limit<'a>) -> Meter<'a> {
        limit.meter()
    }

    /// A meter that never ends a search.
    ///
    /// ```
    /// assert!(lattice_point::Meter::unlimited().spend(u64::MAX).is_ok());
    /// ```
    #[must_use]
    pub const fn unlimited() -> Meter<'static> {
        Meter { spent: 0, limit: Limit::none() }
    }

    /// The steps spent so far.
    ///
    /// ```
    /// assert_eq!(lattice_point::Meter::unlimited().spent(), 0);
    /// ```
    #[must_use]
    pub const fn spent(&self) -> u64 {
        self.spent
    }

    /// Checks the flag, in the middle of work that is already paid for.
    ///
    /// # Errors
    ///
    /// [`Exhausted`] if the flag is raised.
    ///
    /// ```
    /// assert!(lattice_point::Meter::unlimited().look().is_ok());
    /// ```
    pub fn look(&self) -> Result<(), Exhausted> {
        match self.limit.is_raised() {
            true => Err(Exhausted { steps: self.spent, stopped: true }),
            false => Ok(()),
        }
    }

    /// Spends some steps.
    ///
    /// # Errors
    ///
    /// [`Exhausted`] if too few are left or the flag is raised; nothing is spent then.
    ///
    /// ```
    /// use lattice_point::{Exhausted, Limit};
    ///
    /// let mut meter = Limit::steps(3).meter();
    /// assert_eq!(meter.spend(4), Err(Exhausted { steps: 0, stopped: false }));
    /// ```
    #[inline]
    pub fn spend(&mut self, steps: u64) -> Result<(), Exhausted> {
        // The sum saturates, so without a limit it never exceeds it.
        let before = self.limit.spent.map_or(self.spent, |spent| spent.load(Ordering::Relaxed));
        let spent = before.saturating_add(steps);
        let stopped = self.limit.is_raised();
        if stopped || spent > self.limit.steps {
            return Err(Exhausted { steps: before, stopped });
        }
        self.spent = spent;
        if let Some(shared) = self.limit.spent {
            shared.store(spent, Ordering::Relaxed);
        }
        Ok(())
    }
}

/// The limit was reached before an answer was found.
///
/// ```
/// use lattice_point::Limit;
///
/// let exhausted = Limit::steps(0).meter().spend(1).unwrap_err();
/// assert_eq!((exhausted.steps, exhausted.stopped), (0, false));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Exhausted {
    /// The steps spent.
    pub steps: u64,
    /// Whether a raised flag ended it; otherwise no steps were left.
    pub stopped: bool,
}

impl core::fmt::Display for Exhausted {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let why = if self.stopped { "it was stopped" } else { "the limit does not allow more" };
        let plural = if self.steps == 1 { "" } else { "s" };
        write!(f, "undecided after {} step{plural}: {why}", self.steps)
    }
}

impl core::error::Error for Exhausted {}

/// Why a computation with numbers of one type ended early.
///
/// ```
/// use lattice_point::{Halt, Overflow};
///
/// assert_eq!(Halt::from(Overflow), Halt::Overflow);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Halt {
    /// A number does not fit.
    Overflow,
    /// The limit is reached.
    Exhausted(Exhausted),
}

impl From<Overflow> for Halt {
    fn from(_: Overflow) -> Halt {
        Halt::Overflow
    }
}

impl From<Exhausted> for Halt {
    fn from(exhausted: Exhausted) -> Halt {
        Halt::Exhausted(exhausted)
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
        assert_eq!(meter.look(), Err(Exhausted { steps: 2, stopped: true }));
    }
}
