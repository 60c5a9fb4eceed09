//! Guards while they are rewritten: implied by others, broken, put together.

use alloc::vec::Vec;

use super::super::program::Guard;
use lattice_point::Overflow;
use viewmerge::internal::divide_up_wide;

impl Guard {
    /// Whether it implies another guard of the same function.
    pub(super) fn is_within(&self, other: &Guard) -> bool {
        self.function == other.function
            && other.lower.is_none_or(|lower| self.lower.is_some_and(|own| own >= lower))
            && other.upper.is_none_or(|upper| self.upper.is_some_and(|own| own <= upper))
    }

    /// The ends, missed: on the low side and on the high one.
    pub(super) fn violations(&self) -> impl Iterator<Item = Guard> {
        let below = self.lower.map(|lower| (None, Some(lower)));
        let above = self.upper.map(|upper| (Some(upper), None));
        let missed = below.into_iter().chain(above);
        missed.map(|(lower, upper)| Guard { function: self.function.clone(), lower, upper })
    }

    /// The same with the constant of the function taken over to the ends.
    pub(super) fn centred(mut self) -> Result<Guard, Overflow> {
        let constant = core::mem::take(&mut self.function.constant);
        for end in [&mut self.lower, &mut self.upper].into_iter().flatten() {
            *end = end.checked_sub(constant).ok_or(Overflow)?;
        }
        Ok(self)
    }
}

/// Adds a guard in its simplest form, to the one of the same function if there is one.
pub(super) fn push(guards: &mut Vec<Guard>, guard: Guard) -> Result<(), Overflow> {
    let Guard { mut function, mut lower, mut upper } = guard;
    let unit = function.make_primitive();
    if unit == 0 {
        // Always or never; never is left to the search.
        if lower.is_some_and(|lower| lower > 0) || upper.is_some_and(|upper| upper <= 0) {
            guards.push(Guard { function, lower, upper });
        }
        return Ok(());
    }
    if unit < 0 {
        let opposite = |end: i64| 1i64.checked_sub(end).ok_or(Overflow);
        (lower, upper) = (upper.map(opposite).transpose()?, lower.map(opposite).transpose()?);
    }
    // Both ends round up: the upper one is not included.
    let divided = |end: i64| i64::try_from(divide_up_wide(end.into(), i128::from(unit).abs()));
    let divided = |end: Option<i64>| end.map(divided).transpose().map_err(|_| Overflow);
    let (lower, upper) = (divided(lower)?, divided(upper)?);
    Guard { function, lower, upper }.join(guards);
    Ok(())
}
