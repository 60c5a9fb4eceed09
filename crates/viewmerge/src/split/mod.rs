//! When a chain is not one view: is it one after cutting axes?
//!
//! A *split* writes the size of every axis as a product of factors, slowest
//! first. It is given by its *places*, the products of the last factors:
//! 24 = (2,3,4) has the places 4 and 12. A chain *splits* if `chain |
//! reshape(split)` is one view. That is what a compiler does to a loop to get
//! rid of a division, and what composing two layouts asks for.
//!
//! Running example: `(4,3):(1,4) | (12)` is not one view, since every third step
//! goes back by 7. Cut into 4 by 3 it is one, `(4,3):(1,4)`.
//!
//! The coarsest split is unique, masks included, and it is forced: along a line
//! through a valid index ([`mod@line`]) the first element after a run of equal steps
//! must begin a new digit. So the places are read off one line for every axis,
//! and a single exact merge over the split shape decides. Nothing is
//! enumerated.
//!
//! Proved: `coarsest_unique`, `coarsest_unique_axes`, `finer_splits`, `split_reduction`
//! (proofs/theories/Split.v), without masks.
//!
//! | question | where |
//! |---|---|
//! | is it one view over some split? | [`ViewChain::split`] |
//! | … after padding the axes first? | [`ViewChain::padded_split`]; how much: `padding.rs` |
//! | … with guards? the best of these | the crate `viewmerge-index` |
//! | one split for several chains | [`common_split`], `common.rs` |
//! | why not | [`NoSplit`], `no_split.rs` |
//!
//! Cost: a few dozen indices of every axis are evaluated, then at most some ten merges of one axis. As with merging, deciding is coNP-complete when
//! the number of axes is unbounded.

mod common;
mod factors;
mod line;
mod no_split;
mod padding;

pub use common::common_split;
pub use factors::Split;
pub use line::{Digit, Forced};
pub use no_split::NoSplit;
pub use padding::{fitting, pads};

use alloc::vec::Vec;
use core::fmt;

use smallvec::SmallVec;

use crate::chain::ViewChain;
use crate::dims::{Dims, Index};
use crate::error::Error;
use crate::limit::{Limit, Meter};
use crate::merge::{Verdict, Witness, decide_chain, one_view, verdict};
use crate::movement::Movement;
use crate::view::{Validity, View};
use line::Line;

/// The answer to a split: the chain as one view over the coarsest split, or why no split works.
pub type Splitting = Result<SplitView, NoSplit>;

/// A chain as one view over a split of its axes, which may be padded first.
///
/// In serde formats it is `{"pads":[[0,4]],"split":[[4,6]],"view":..}`.
///
/// ```
/// use viewmerge::{Limit, ViewChain};
///
/// let chain: ViewChain = "(4,3):(1,4) | (12)".parse()?;
/// let found = chain.split(&Limit::none())?.unwrap();
/// assert_eq!(found.split.to_string(), "((4,3))");
/// assert_eq!(found.view.to_string(), "(4,3):(1,4)");
/// assert_eq!(found.to_string(), "one view over ((4,3)): (4,3):(1,4)");
/// # Ok::<(), viewmerge::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct SplitView {
    /// How much every axis is padded, in front and behind: (0, 0) unless padding was asked for.
    pub pads: Vec<(i64, i64)>,
    /// The coarsest split of the padded shape.
    pub split: Split,
    /// The view over the split shape.
    pub view: View,
}

impl fmt::Display for SplitView {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("one view")?;
        if self.pads.iter().any(|&pads| pads != (0, 0)) {
            write!(f, " after {}", Movement::Pad(self.pads.clone()))?;
        } else if self.split.is_trivial() {
            return write!(f, ": {}", self.view);
        }
        write!(f, " over {}: {}", self.split, self.view)
    }
}

/// # Questions: splits
impl ViewChain {
    /// The coarsest split of the axes over which the chain is one view.
    ///
    /// A chain that is one view as it stands has the split that cuts nothing.
    /// Without masks every refinement of the coarsest split is one view too; with masks it
    /// may not be.
    ///
    /// # Errors
    ///
    /// [`Error::Undecided`] if the limit is reached first; [`Error::OffsetRange`] and
    /// [`Error::IndexRange`] if the one view over the split shape cannot be written down.
    ///
    /// ```
    /// use viewmerge::{Limit, ViewChain};
    ///
    /// let chain: ViewChain = "(2,3,4) | permute(2,0,1) | reshape(8,3)".parse()?;
    /// assert!(!chain.merge()?.is_merged());
    /// assert_eq!(
    ///     chain.split(&Limit::none())?.unwrap().to_string(),
    ///     "one view over ((4,2),3): (4,2,3):(1,12,4)",
    /// );
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    pub fn split(&self, limit: &Limit<'_>) -> Result<Splitting, Error> {
        decide_split(self.views(), None, &mut limit.meter())
    }

    /// The padded split with the fewest places and the least padding in front under which the
    /// chain is one view, or why no padded split works.
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
    /// // 18 of 20 indices, in tiles of 6.
    /// let chain: ViewChain = "(3,6):(10,1) | (18) | pad((0,2))".parse()?;
    /// assert!(chain.split(&Limit::none())?.is_err());
    /// let padded = chain.padded_split(&Limit::none())?.unwrap();
    /// assert_eq!(padded.pads, [(0, 4)]);
    /// assert_eq!(padded.split.to_string(), "((4,6))");
    /// assert_eq!(padded.view.to_string(), "(4,6):(10,1) [0:3,0:6]");
    /// let ragged: ViewChain = "(3,4):(7,1) | (10)".parse()?;
    /// assert!(ragged.padded_split(&Limit::none())?.is_err());
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    pub fn padded_split(&self, limit: &Limit<'_>) -> Result<Splitting, Error> {
        let mut meter = limit.meter();
        let (top, below) = self.views().split_last().ok_or(Error::EmptyChain)?;
        let start = Reading::of(below, top, None, &mut meter)?;
        split_from(self.views(), &start, true, &mut meter)
    }
}

/// [`ViewChain::split`] of a list of views, and why they are not one view, if that is known.
pub(crate) fn decide_split(
    chain: &[View],
    known: Option<&Witness>,
    meter: &mut Meter<'_>,
) -> Result<Splitting, Error> {
    let (top, below) = chain.split_last().ok_or(Error::EmptyChain)?;
    split_from(chain, &Reading::of(below, top, known, meter)?, false, meter)
}

/// [`ViewChain::split`] after the lines have been read, optionally with the least padding.
///
/// # Errors
///
/// As [`ViewChain::split`].
pub fn split_from(
    chain: &[View],
    start: &Start,
    padded: bool,
    meter: &mut Meter<'_>,
) -> Result<Splitting, Error> {
    let (top, below) = chain.split_last().ok_or(Error::EmptyChain)?;
    let shape = top.shape();
    let reading = match start {
        Ok(reading) => reading,
        Err(known) => return Ok(known.clone()),
    };
    let (pads, longer);
    let views = if padded {
        pads = padding::pads(reading, shape);
        longer = below.iter().cloned().chain([top.pad(&pads)?]).collect::<Vec<View>>();
        &longer
    } else if let Some(none) = reading.off_grid(shape) {
        return Ok(Err(none));
    } else {
        pads = vec![(0, 0); shape.len()];
        chain
    };
    let split = reading.split(views[views.len() - 1].shape());
    let verdict = match &reading.known {
        Some(witness) if !padded && split.is_trivial() => Verdict::NotMergeable(witness.clone()),
        _ => over(views, &split, meter)?,
    };
    Ok(match verdict {
        Verdict::Merged(view) => Ok(SplitView { pads, split, view }),
        Verdict::NotMergeable(witness) => Err(no_split::explain(views, split, &witness)),
    })
}

/// What is known once the lines have been read: the digits of every axis, or the answer, if the chain
/// is one view as it stands or a line has places that do not fit each other.
pub type Start = Result<Reading, Splitting>;

/// The digits that every split of a chain must have.
pub struct Reading {
    /// A valid index, through which the lines go.
    at: Index,
    /// The digits of each axis.
    pub axes: Vec<Forced>,
    /// Why the chain is not one view as it stands, if that was decided.
    known: Option<Witness>,
}

impl Reading {
    /// Reads the digits off one line for every axis.
    ///
    /// # Errors
    ///
    /// As [`ViewChain::split`].
    pub fn of(
        below: &[View],
        top: &View,
        known: Option<&Witness>,
        meter: &mut Meter<'_>,
    ) -> Result<Start, Error> {
        meter.spend(1)?;
        let plain = |view: &View| view.validity() == &Validity::All && !view.is_empty();
        let (at, known): (Dims, _) = if plain(top) && below.iter().all(plain) {
            (SmallVec::from_elem(0, top.rank()), known.cloned())
        } else {
            let witness = match known {
                Some(witness) => witness.clone(),
                None => match verdict(below, top, meter)? {
                    Verdict::Merged(view) => {
                        let pads = vec![(0, 0); top.rank()];
                        let split = Split::trivial(top.shape());
                        return Ok(Err(Ok(SplitView { pads, split, view })));
                    }
                    Verdict::NotMergeable(witness) => witness,
                },
            };
            let (Witness::Step { at: valid, .. } | Witness::Hole { valid: [valid, _], .. }) =
                &witness;
            (valid.as_slice().into(), Some(witness))
        };
        // The closed forms are for a single view below that has no padding.
        let mut axes = Vec::with_capacity(top.rank());
        for axis in 0..top.rank() {
            let line = Line::new(below, top, axis, &at);
            match line.digits(meter)? {
                Ok(forced) => axes.push(forced),
                Err((place, next)) => {
                    let (at, size) = (Index::new(at), top.shape()[axis]);
                    return Ok(Err(Err(NoSplit::OffGrid { axis, size, at, place, next })));
                }
            }
        }
        Ok(Ok(Reading { at: Index::new(at), axes, known }))
    }

    /// The first axis whose size is not a multiple of its last place.
    fn off_grid(&self, shape: &[i64]) -> Option<NoSplit> {
        self.axes.iter().zip(shape).enumerate().find_map(|(axis, (forced, &size))| {
            let place = forced.last_place();
            let at = self.at.clone();
            (size % place != 0).then_some(NoSplit::OffGrid { axis, size, at, place, next: size })
        })
    }

    /// The split with the forced places, which divide the sizes.
    fn split(&self, shape: &[i64]) -> Split {
        let axes = self.axes.iter().zip(shape);
        Split::from_places(axes.map(|(forced, &size)| (size, forced.places())))
    }
}

/// Whether `chain | reshape(split)` is one view.
fn over(chain: &[View], split: &Split, meter: &mut Meter<'_>) -> Result<Verdict, Error> {
    let (top, below) = chain.split_last().ok_or(Error::EmptyChain)?;
    let cut = View::contiguous(&split.shape())?;
    // An axis without padding can be cut anywhere.
    let whole = (top.validity() == &Validity::All).then_some(core::slice::from_ref(top));
    match whole.map_or(Ok(None), |top| one_view(top, &cut, meter))? {
        Some(top) => verdict(below, &top, meter),
        None => decide_chain(&[chain, &[cut]].concat(), meter),
    }
}
