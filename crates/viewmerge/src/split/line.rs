//! The digits that a line through a valid index forces on its axis.
//!
//! If a chain splits, then along an axis its valid indices are x₀ + Σ iₖ·cₖ with
//! 0 ≤ iₖ < nₖ, and memory moves by the same amount for every unit of a digit iₖ.
//! Fused as far as possible, the digits (cₖ, nₖ) can be read off the line: c₁ is
//! the way from the first valid index x₀ to the next one; n₁ the length of the
//! run x₀, x₀ + c₁, … that is valid and evenly spaced in memory; c₂ is where the
//! next valid index behind it is, and so on. All cₖ but 1 are places of every
//! split that is one view.
//!
//! Example: `(3,4):(7,1) | (12)` has the digits (1, 4) and (4, 3).
//!
//! Both questions, "where is the next valid index?" and "how long is the run?",
//! are answered by a closed form where there is one ([`super::prefix`]), else by
//! walking a little, and then by bisection with exact merges: nothing valid in a
//! stretch, and being one view, pass on to parts of it.

use alloc::vec::Vec;

use smallvec::{SmallVec, smallvec};

use super::prefix::affine_prefix;
use crate::composite::read_through;
use crate::dims::Dims;
use crate::error::Error;
use crate::limit::{Exhausted, Meter};
use crate::merge::{Verdict, climb};
use crate::staircase::Staircase;
use crate::view::{Validity, View};

/// How many indices are looked at one by one before merges are asked.
const WALKED: i64 = 24;

/// A digit: the distance of two neighbours, and how many there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Digit {
    pub place: i64,
    pub count: i64,
}

/// What a line forces on its axis.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Forced {
    /// The first valid index.
    pub first: i64,
    /// Finest first; each place divides the next, and each digit has room below the next.
    pub digits: SmallVec<[Digit; 3]>,
}

impl Forced {
    /// The places, finest first.
    pub(super) fn places(&self) -> impl Iterator<Item = i64> + '_ {
        self.digits.iter().map(|digit| digit.place).filter(|&place| place > 1)
    }

    /// The coarsest place, 1 if there is none.
    pub(super) fn last_place(&self) -> i64 {
        self.digits.last().map_or(1, |digit| digit.place)
    }
}

/// A chain along one axis of its last view, all other coordinates fixed.
pub(super) struct Line<'a> {
    below: &'a [View],
    /// The only view below, if it has no padding.
    stairs: Option<&'a Staircase>,
    /// Where the index 0 of the axis is in the view below, or would be.
    offset: i64,
    stride: i64,
    /// Where the last view is valid.
    lo: i64,
    hi: i64,
}

impl<'a> Line<'a> {
    /// The line through an index at which the last view is valid.
    pub(super) fn new(
        below: &'a [View],
        top: &View,
        axis: usize,
        at: &[i64],
        stairs: Option<&'a Staircase>,
    ) -> Line<'a> {
        let (lo, hi) = top.interval(axis);
        let mut start: Dims = at.into();
        start[axis] = 0;
        let stride = top.strides()[axis];
        Line { below, stairs, offset: top.affine(&start), stride, lo, hi }
    }

    /// Reads the digits; the inner error is two places that no split can have both.
    pub(super) fn digits(
        &self,
        meter: &mut Meter<'_>,
    ) -> Result<Result<Forced, (i64, i64)>, Error> {
        let mut forced = Forced { first: self.lo, digits: SmallVec::new() };
        // The line goes through a valid index, so there is a first one.
        let Some(first) = self.next_valid(self.lo, meter)? else { return Ok(Ok(forced)) };
        forced.first = first;
        // The largest index that the digits read so far reach.
        let mut reach = first;
        while let Some(next) = self.next_valid(reach.saturating_add(1), meter)? {
            let place = next - first;
            if let Some(last) = forced.digits.last()
                && (place % last.place != 0 || last.count > place / last.place)
            {
                return Ok(Err((last.place, place)));
            }
            let count = self.run(first, place, meter)?;
            forced.digits.push(Digit { place, count });
            // The run stays within the axis, and the digits below it within their place;
            // where they do not, the next place is off the grid or there is none.
            reach = reach.saturating_add(place.saturating_mul(count - 1));
        }
        Ok(Ok(forced))
    }

    /// The smallest valid index from `from` on.
    fn next_valid(&self, from: i64, meter: &mut Meter<'_>) -> Result<Option<i64>, Error> {
        if from >= self.hi {
            return Ok(None);
        }
        if self.below.iter().all(|view| view.validity() == &Validity::All) {
            return Ok(Some(from));
        }
        let walked = self.hi.min(from.saturating_add(WALKED));
        if let Some(found) = (from..walked).find(|&x| self.value(x).is_some()) {
            return Ok(Some(found));
        }
        // Nothing is valid before `from`; how much further on is it so?
        let mut from = walked;
        let mut ahead = WALKED;
        while from < self.hi {
            let stretch = ahead.min(self.hi - from);
            if self.is_nothing(from, stretch, meter)? {
                from += stretch;
                ahead = ahead.saturating_mul(2);
                continue;
            }
            // Something is valid in the stretch: halve it.
            let mut stretch = stretch;
            while stretch > 1 {
                let half = stretch / 2;
                if self.is_nothing(from, half, meter)? {
                    from += half;
                    stretch -= half;
                } else {
                    stretch = half;
                }
            }
            return Ok(Some(from));
        }
        Ok(None)
    }

    /// How many of the indices `first`, `first + place`, … are valid and evenly spaced in memory,
    /// starting with the first two.
    fn run(&self, first: i64, place: i64, meter: &mut Meter<'_>) -> Result<i64, Error> {
        let most = (self.hi - 1 - first) / place + 1;
        if most > 2
            && let Some(stairs) = self.stairs
        {
            let (a, t) = (self.offset + self.stride * first, self.stride * place);
            if let Some(count) = affine_prefix(stairs, a, t, most) {
                return Ok(count);
            }
        }
        let (Some(start), Some(second)) = (self.value(first), self.value(first + place)) else {
            return Ok(1);
        };
        let step = second - start;
        let mut last = second;
        for count in 2..most.min(WALKED) {
            match self.value(first + place * count) {
                Some(value) if value - last == step => last = value,
                _ => return Ok(count),
            }
        }
        if most <= WALKED {
            return Ok(most);
        }
        if self.is_even(first, place, most, meter)? {
            return Ok(most);
        }
        // `count` is long enough to be even, `beyond` is not.
        let (mut count, mut beyond) = (WALKED, most);
        let mut ahead = WALKED;
        while beyond - count > 1 {
            let middle = if count.saturating_add(ahead) < beyond {
                count + ahead
            } else {
                count + (beyond - count) / 2
            };
            if self.is_even(first, place, middle, meter)? {
                count = middle;
                ahead = ahead.saturating_mul(2);
            } else {
                beyond = middle;
                ahead = i64::MAX;
            }
        }
        Ok(count)
    }

    /// The memory position at an index of the axis.
    fn value(&self, x: i64) -> Option<i64> {
        let start = (self.lo <= x && x < self.hi).then_some(self.offset + self.stride * x)?;
        read_through(self.below, start)
    }

    /// Whether no index of a stretch is valid.
    fn is_nothing(&self, from: i64, count: i64, meter: &mut Meter<'_>) -> Result<bool, Error> {
        match self.decide(from, 1, count, meter) {
            Ok(Verdict::Merged(view)) => Ok(!view.has_valid_index()),
            // One view that cannot be written down is not nothing.
            Ok(Verdict::NotMergeable(_))
            | Err(Error::OffsetRange { .. } | Error::IndexRange { .. }) => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Whether a run is valid throughout and evenly spaced.
    fn is_even(
        &self,
        from: i64,
        step: i64,
        count: i64,
        meter: &mut Meter<'_>,
    ) -> Result<bool, Error> {
        let verdict = self.decide(from, step, count, meter)?;
        Ok(verdict.view().is_some_and(|view| view.validity() == &Validity::All))
    }

    /// Merges the chain over `count` indices of the line.
    fn decide(
        &self,
        from: i64,
        step: i64,
        count: i64,
        meter: &mut Meter<'_>,
    ) -> Result<Verdict, Error> {
        meter.spend(1).map_err(Exhausted::undecided)?;
        // With one index the step does not count, and may not fit.
        let stride = if count > 1 { self.stride * step } else { 0 };
        let offset = i128::from(self.offset) + i128::from(self.stride) * i128::from(from);
        let view = View::build(smallvec![count], smallvec![stride], offset, Validity::All)?;
        climb(self.below, &view, meter)
    }
}

/// What several lines force together: the places of both, finest first.
pub(super) fn join_places(one: &[i64], other: &[i64]) -> Vec<i64> {
    let mut places: Vec<i64> = one.iter().chain(other).copied().collect();
    places.sort_unstable();
    places.dedup();
    places
}
