//! Splits after padding the axes.
//!
//! Real programs break off the grid: a window `[0:18]` of an axis of 20 in tiles of
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
use core::fmt;

use super::line::Forced;
use super::{NoSplit, Reading, Split, Start, none, over};
use crate::chain::ViewChain;
use crate::error::Error;
use crate::limit::{Limit, Meter};
use crate::merge::Verdict;
use crate::view::View;

/// A padded split under which a chain is one view.
///
/// In serde formats it is `{"pads":[[0,4]],"split":[[4,6]],"view":..}`.
///
/// ```
/// use viewmerge::{Limit, ViewChain};
///
/// // 18 of 20 indices, in tiles of 6.
/// let chain: ViewChain = "(3,6):(10,1) | (18) | pad((0,2))".parse()?;
/// assert!(chain.split(&Limit::none())?.found().is_none());
/// let padded = chain.padded_split(&Limit::none())?.unwrap();
/// assert_eq!(padded.pads, [(0, 4)]);
/// assert_eq!(padded.split.to_string(), "((4,6))");
/// assert_eq!(padded.view.to_string(), "(4,6):(10,1) [0:3,0:6]");
/// # Ok::<(), viewmerge::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct PaddedSplit {
    /// How much every axis is padded, at the front and behind.
    pub pads: Vec<(i64, i64)>,
    /// The split of the padded shape.
    pub split: Split,
    /// The view over the split shape.
    pub view: View,
}

impl fmt::Display for PaddedSplit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("one view after ")?;
        write_pads(f, &self.pads)?;
        write!(f, " over {}: {}", self.split, self.view)
    }
}

/// As the op is written.
///
/// # Errors
///
/// Those of the formatter.
pub fn write_pads(f: &mut fmt::Formatter<'_>, pads: &[(i64, i64)]) -> fmt::Result {
    f.write_str("pad(")?;
    for (axis, (before, after)) in pads.iter().enumerate() {
        write!(f, "{}({before},{after})", if axis == 0 { "" } else { "," })?;
    }
    f.write_str(")")
}

impl ViewChain {
    /// The padded split with the fewest places and the least padding at the front under which the
    /// chain is one view; the reason why there is none if there is none.
    ///
    /// A chain that splits without padding has pads of 0.
    ///
    /// # Errors
    ///
    /// As [`ViewChain::split`].
    ///
    /// ```
    /// use viewmerge::{Limit, ViewChain};
    ///
    /// let ragged: ViewChain = "(3,4):(7,1) | (10)".parse()?;
    /// assert!(ragged.padded_split(&Limit::none())?.is_err());
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    pub fn padded_split(
        &self,
        limit: &Limit<'_>,
    ) -> Result<core::result::Result<PaddedSplit, NoSplit>, Error> {
        let mut meter = limit.meter();
        let (top, below) = self.views().split_last().ok_or(Error::EmptyChain)?;
        let start = Reading::of(below, top, None, &mut meter)?;
        padded_from(self.views(), &start, &mut meter)
    }
}

/// The padding that the digits ask for.
#[must_use]
pub fn pads(reading: &Reading, shape: &[i64]) -> Vec<(i64, i64)> {
    reading.axes.iter().zip(shape).map(|(forced, &size)| fitting(forced, size)).collect()
}

/// [`ViewChain::padded_split`] for views known to compose, the lines having been read.
///
/// # Errors
///
/// As [`ViewChain::split`].
pub fn padded_from(
    chain: &[View],
    start: &Start,
    meter: &mut Meter<'_>,
) -> Result<Result<PaddedSplit, NoSplit>, Error> {
    let (top, below) = chain.split_last().ok_or(Error::EmptyChain)?;
    let shape = top.shape();
    let reading = match start {
        Start::OneView(view) => {
            let pads = shape.iter().map(|_| (0, 0)).collect();
            let (split, view) = (Split::trivial(shape), view.clone());
            return Ok(Ok(PaddedSplit { pads, split, view }));
        }
        Start::OffGrid(none) => return Ok(Err(none.clone())),
        Start::Read(reading) => reading,
    };
    let pads = pads(reading, shape);
    let padded = top.pad(&pads)?;
    let split = reading.split(padded.shape());
    let views: Vec<View> = below.iter().cloned().chain([padded]).collect();
    Ok(match over(&views, &split, meter)? {
        Verdict::Merged(view) => Ok(PaddedSplit { pads, split, view }),
        Verdict::NotMergeable(witness) => Err(none::explain(&views, split, &witness)),
    })
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
