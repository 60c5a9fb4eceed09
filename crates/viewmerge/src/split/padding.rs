//! Splits after padding the axes.
//!
//! Real programs do not always fit the grid: a window `[0:18]` of an axis of 20 in tiles of
//! 6. Padded at the front and behind, the tiles fit: `chain | pad(..) |
//! reshape(split)` is one view.
//!
//! The forced digits (see `line.rs`) are the same as without padding; only the
//! axis' size and the alignment of its first valid index are free. The front
//! padding is the smallest under which every digit below the coarsest has room,
//! the back padding the smallest up to a multiple of the coarsest place. Aligning
//! the first valid index with the coarsest place always gives room, so if the merge
//! over this shape fails, it fails for all: the answer is exact.
//!
//! Example: the elements 1 to 4 of `(3,2):(3,1) | (6)`, seen through `(4):(1)+1`
//! with a pad of one at the front. A chain without padding gains nothing by
//! padding, because its valid indices would have to stay a box.

use alloc::vec::Vec;

use super::Reading;
use super::line::Forced;

/// The padding that the digits ask for.
#[must_use]
pub fn pads(reading: &Reading, shape: &[i64]) -> Vec<(i64, i64)> {
    reading.axes.iter().zip(shape).map(|(forced, &size)| fitting(forced, size)).collect()
}

/// The least padding of an axis under which its digits fit.
#[must_use]
pub fn fitting(forced: &Forced, size: i64) -> (i64, i64) {
    let mut first = i128::from(forced.first);
    for pair in forced.digits.windows(2) {
        let (place, next) = (i128::from(pair[0].place), i128::from(pair[1].place));
        // The digit that the first valid index has here, and those after it.
        let digit = (first % next) / place;
        if digit + i128::from(pair[0].count) > next / place {
            first = (first / next + 1) * next;
        }
    }
    let before = first - i128::from(forced.first);
    let (whole, place) = (i128::from(size) + before, i128::from(forced.last_place()));
    let after = (place - whole % place) % place;
    // Less than a place each, and a place is less than the size.
    let narrow = |pad: i128| i64::try_from(pad).unwrap_or(i64::MAX);
    (narrow(before), narrow(after))
}
