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
//! are answered by walking a little. After that the system answers the first. The second is guessed
//! from single indices and confirmed by a merge; if the guess was wrong, bisection with merges finds
//! the length, because any part of an even run is even too.

use smallvec::{SmallVec, smallvec};

use crate::arith::gallop;
use crate::dims::Dims;
use crate::error::Error;
use crate::limit::Meter;
use crate::merge::{extreme, verdict};
use crate::path::{Path, read_through};
use crate::view::{Validity, View};
use lattice_point::Side;

/// How many indices are evaluated one by one before merges and the system decide.
const WALKED: i64 = 24;

/// A digit: the distance of two neighbours, and how many there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Digit {
    /// The distance of two neighbours.
    pub place: i64,
    /// How many there are.
    pub count: i64,
}

/// What a line forces on its axis.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Forced {
    /// The first valid index.
    pub first: i64,
    /// Finest first; each place divides the next, and each digit has room below the next.
    pub digits: SmallVec<[Digit; 3]>,
}

impl Forced {
    /// The places, finest first.
    pub fn places(&self) -> impl Iterator<Item = i64> + '_ {
        self.digits.iter().map(|digit| digit.place).filter(|&place| place > 1)
    }

    /// The coarsest place, or 1 without digits.
    pub(super) fn last_place(&self) -> i64 {
        self.digits.last().map_or(1, |digit| digit.place)
    }
}

/// A chain along one axis of its last view, all other coordinates fixed.
pub(super) struct Line<'a> {
    below: &'a [View],
    /// Where the index 0 of the axis is in the view below, or would be.
    offset: i64,
    stride: i64,
    /// Where the last view is valid.
    lo: i64,
    hi: i64,
}

impl<'a> Line<'a> {
    /// The line through an index at which the last view is valid.
    pub(super) fn new(below: &'a [View], top: &View, axis: usize, at: &[i64]) -> Line<'a> {
        let (lo, hi) = top.interval(axis);
        let mut start: Dims = at.into();
        start[axis] = 0;
        let stride = top.strides()[axis];
        Line { below, offset: top.affine(&start), stride, lo, hi }
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
        let walked = self.hi.min(from.saturating_add(WALKED));
        if let Some(found) = (from..walked).find(|&x| self.value(x).is_some()) {
            return Ok(Some(found));
        }
        if walked == self.hi {
            return Ok(None);
        }
        let stretch = self.stretch(walked, 1, self.hi - walked, meter)?;
        let path = Path::new(self.below, &stretch);
        Ok(extreme(&path, 0, Side::Low, meter)?.map(|x| walked + x))
    }

    /// How many of the indices `first`, `first + place`, … are valid and evenly spaced in memory,
    /// starting with the first two.
    fn run(&self, first: i64, place: i64, meter: &mut Meter<'_>) -> Result<i64, Error> {
        let most = (self.hi - 1 - first) / place + 1;
        let (Some(start), Some(second)) = (self.value(first), self.value(first + place)) else {
            return Ok(1);
        };
        let step = second - start;
        let in_line = |x: i64| {
            let value = self.value(first + place * x).map(i128::from);
            value == Some(i128::from(start) + i128::from(step) * i128::from(x))
        };
        if let Some(count) = (2..most.min(WALKED)).find(|&x| !in_line(x)) {
            return Ok(count);
        }
        if most <= WALKED {
            return Ok(most);
        }
        // Guess that everything before an index in line is in line too; one merge confirms it.
        let guess = 1 + gallop(WALKED - 1, most, WALKED, |x| Ok::<_, Error>(in_line(x)))?;
        if self.is_even(first, place, guess, meter)? {
            return Ok(guess);
        }
        gallop(WALKED, guess, WALKED, |count| self.is_even(first, place, count, meter))
    }

    /// The memory position at an index of the axis.
    fn value(&self, x: i64) -> Option<i64> {
        let start = (self.lo <= x && x < self.hi).then_some(self.offset + self.stride * x)?;
        read_through(self.below, start)
    }

    /// Whether a run is valid throughout and evenly spaced.
    fn is_even(
        &self,
        from: i64,
        step: i64,
        count: i64,
        meter: &mut Meter<'_>,
    ) -> Result<bool, Error> {
        let run = self.stretch(from, step, count, meter)?;
        let verdict = verdict(self.below, &run, meter)?;
        Ok(verdict.view().is_some_and(|view| view.validity() == &Validity::All))
    }

    /// The view of `count` indices of the line.
    fn stretch(
        &self,
        from: i64,
        step: i64,
        count: i64,
        meter: &mut Meter<'_>,
    ) -> Result<View, Error> {
        meter.spend(1)?;
        // With one index the step is not used, and may not fit.
        let stride = if count > 1 { self.stride * step } else { 0 };
        let offset = i128::from(self.offset) + i128::from(self.stride) * i128::from(from);
        View::build(smallvec![count], smallvec![stride], offset, Validity::All)
    }
}
