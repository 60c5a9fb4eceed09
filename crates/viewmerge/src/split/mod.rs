//! When a chain is not one view: is it one after cutting axes?
//!
//! A *split* writes the size of every axis as a product of factors, slowest
//! first. It is given by its *places*, the products of the last factors:
//! 24 = (2,3,4) has the places 4 and 12. A chain *splits* if `chain |
//! reshape(split)` is one view. That is what a compiler does to a loop to get
//! rid of a division, and what composing two layouts asks for.
//!
//! Running example: `(4,3):(1,4) | (12)` is no view, since every third step
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
//! | … after padding the axes first? | [`ViewChain::padded_split`], `padded.rs` |
//! | … with guards? the best of these | the crate `viewmerge-index` |
//! | one split for several chains | [`common_split`], `common.rs` |
//! | why not | [`NoSplit`], `none.rs` |
//!
//! Cost: for two views without masks the places are closed forms
//! ([`prefix`]), and the whole takes two or three times as long as a merge; else
//! some ten merges of one axis. As with merging, deciding is coNP-complete when
//! the number of axes is unbounded.

mod common;
mod factors;
mod line;
mod none;
mod padded;
mod prefix;

pub use common::{CommonSplit, NoCommonSplit, common_split};
pub use factors::Split;
pub use line::{Digit, Forced};
pub use none::NoSplit;
pub use padded::PaddedSplit;
pub use padded::{fitting, padded_from, pads, write_pads};

use alloc::vec::Vec;
use core::fmt;

use smallvec::SmallVec;

use crate::chain::ViewChain;
use crate::dims::Dims;
use crate::dims::Index;
use crate::error::Error;
use crate::limit::{Limit, Meter};
use crate::merge::{Verdict, Witness, check_chain, climb, decide_chain};
use crate::staircase::Staircase;
use crate::view::{Validity, View};
use line::Line;

/// Whether a chain is one view over some split of its axes: the coarsest
/// split and the view over it, or why there is none.
///
/// In serde formats it is `{"split":[[4,3]],"view":..}` or
/// `{"split":null,"witness":..}`.
///
/// ```
/// use viewmerge::{Limit, Splitting, ViewChain};
///
/// let chain: ViewChain = "(4,3):(1,4) | (12)".parse()?;
/// let Splitting::Split { split, view } = chain.split(&Limit::none())? else { unreachable!() };
/// assert_eq!(split.to_string(), "((4,3))");
/// assert_eq!(view.to_string(), "(4,3):(1,4)");
/// # Ok::<(), viewmerge::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "json::Parts", into = "json::Parts"))]
#[must_use]
pub enum Splitting {
    /// `chain | reshape(split)` is this view, and every other split under which it is one view
    /// cuts at these places too.
    Split {
        /// The coarsest split.
        split: Split,
        /// The view over the split shape.
        view: View,
    },
    /// There is no such split.
    None(NoSplit),
}

impl Splitting {
    /// The split and the view over it, if there is one.
    ///
    /// ```
    /// use viewmerge::{Limit, ViewChain};
    ///
    /// let chain: ViewChain = "(2,3) | (6)".parse()?;
    /// let splitting = chain.split(&Limit::none())?;
    /// let (split, view) = splitting.found().unwrap();
    /// assert!(split.is_trivial());
    /// assert_eq!(view.to_string(), "(6):(1)");
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    #[must_use]
    pub fn found(&self) -> Option<(&Split, &View)> {
        match self {
            Splitting::Split { split, view } => Some((split, view)),
            Splitting::None(_) => None,
        }
    }

    /// Why there is no split, if there is none.
    ///
    /// ```
    /// use viewmerge::{Limit, ViewChain};
    ///
    /// // The steps change after 4 elements, and 4 does not divide 10.
    /// let chain: ViewChain = "(3,4):(7,1) | (10)".parse()?;
    /// let splitting = chain.split(&Limit::none())?;
    /// assert_eq!(
    ///     splitting.witness().unwrap().to_string(),
    ///     "axis 0 must be cut at every 4 elements, which does not divide its size 10",
    /// );
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    #[must_use]
    pub fn witness(&self) -> Option<&NoSplit> {
        match self {
            Splitting::Split { .. } => None,
            Splitting::None(none) => Some(none),
        }
    }
}

impl fmt::Display for Splitting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Splitting::Split { split, view } if split.is_trivial() => {
                write!(f, "one view: {view}")
            }
            Splitting::Split { split, view } => write!(f, "one view over {split}: {view}"),
            Splitting::None(none) => write!(f, "no split is one view: {none}"),
        }
    }
}

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
    ///     chain.split(&Limit::none())?.to_string(),
    ///     "one view over ((4,2),3): (4,2,3):(1,12,4)",
    /// );
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    pub fn split(&self, limit: &Limit<'_>) -> Result<Splitting, Error> {
        decide_split(self.views(), &mut limit.meter())
    }
}

/// The coarsest split of a chain of views: see [`ViewChain::split`].
///
/// # Errors
///
/// [`Error::EmptyChain`] and [`Error::NotComposable`] for views that do not compose, and as for
/// [`ViewChain::split`].
///
/// ```
/// use viewmerge::{Limit, View, split};
///
/// let views: [View; 2] = ["(4,3):(1,4)".parse()?, "(12)".parse()?];
/// assert_eq!(split(&views, &Limit::none())?.found().unwrap().0.factors(), [[4, 3]]);
/// # Ok::<(), viewmerge::Error>(())
/// ```
pub fn split(chain: &(impl AsRef<[View]> + ?Sized), limit: &Limit<'_>) -> Result<Splitting, Error> {
    let chain = chain.as_ref();
    check_chain(chain)?;
    decide_split(chain, &mut limit.meter())
}

/// [`split()`] for views known to compose.
pub(crate) fn decide_split(chain: &[View], meter: &mut Meter<'_>) -> Result<Splitting, Error> {
    split_knowing(chain, None, meter)
}

/// [`split()`] for views known to compose, and why they are not one view, if that is known.
pub(crate) fn split_knowing(
    chain: &[View],
    known: Option<&Witness>,
    meter: &mut Meter<'_>,
) -> Result<Splitting, Error> {
    let (top, below) = chain.split_last().ok_or(Error::EmptyChain)?;
    split_from(chain, &Reading::of(below, top, known, meter)?, meter)
}

/// [`split()`], the lines having been read.
/// # Errors
///
/// As [`split()`].
pub fn split_from(
    chain: &[View],
    start: &Start,
    meter: &mut Meter<'_>,
) -> Result<Splitting, Error> {
    let (top, _) = chain.split_last().ok_or(Error::EmptyChain)?;
    let reading = match start {
        Start::OneView(view) => {
            let (split, view) = (Split::trivial(top.shape()), view.clone());
            return Ok(Splitting::Split { split, view });
        }
        Start::OffGrid(none) => return Ok(Splitting::None(none.clone())),
        Start::Read(reading) => reading,
    };
    if let Some(none) = reading.off_grid(top.shape()) {
        return Ok(Splitting::None(none));
    }
    let split = reading.split(top.shape());
    let verdict = match &reading.known {
        Some(witness) if split.is_trivial() => Verdict::NotMergeable(witness.clone()),
        _ => over(chain, &split, meter)?,
    };
    Ok(match verdict {
        Verdict::Merged(view) => Splitting::Split { split, view },
        Verdict::NotMergeable(witness) => Splitting::None(none::explain(chain, split, &witness)),
    })
}

/// What is known once the lines have been read.
pub enum Start {
    /// The chain is one view as it stands.
    OneView(View),
    /// A line has places that do not fit each other.
    OffGrid(NoSplit),
    /// The digits of every axis.
    Read(Reading),
}

/// The digits that every split of a chain must have.
pub struct Reading {
    /// A valid index, through which the lines go.
    at: Index,
    /// The digits of each axis.
    pub axes: Vec<Forced>,
    /// Why the chain is not one view as it stands, where that was asked.
    known: Option<Witness>,
}

impl Reading {
    /// Reads the digits off one line for every axis.
    ///
    /// # Errors
    ///
    /// As [`split()`].
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
                None => match climb(below, top, meter)?? {
                    Verdict::Merged(view) => return Ok(Start::OneView(view)),
                    Verdict::NotMergeable(witness) => witness,
                },
            };
            let valid = match &witness {
                Witness::Step { at, .. } => at,
                Witness::Hole { valid: [first, _], .. } => first,
            };
            (valid.as_slice().into(), Some(witness))
        };
        // The closed forms are for a single view below that has no padding.
        let stairs = match below {
            [view] if plain(view) => Some(Staircase::new(view)),
            _ => None,
        };
        let mut axes = Vec::with_capacity(top.rank());
        for axis in 0..top.rank() {
            let line = Line::new(below, top, axis, &at, stairs.as_ref());
            match line.digits(meter)? {
                Ok(forced) => axes.push(forced),
                Err((place, next)) => {
                    let (at, size) = (Index::new(at), top.shape()[axis]);
                    return Ok(Start::OffGrid(NoSplit::OffGrid { axis, size, at, place, next }));
                }
            }
        }
        Ok(Start::Read(Reading { at: Index::new(at), axes, known }))
    }

    /// The first axis whose size is no multiple of its last place.
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
    if split.is_trivial() {
        return Ok(climb(below, top, meter)??);
    }
    if top.validity() == &Validity::All {
        // An axis without padding can be cut anywhere.
        return Ok(climb(below, &cut(top, split)?, meter)??);
    }
    let mut views: Vec<View> = chain.to_vec();
    views.push(View::contiguous(&split.shape())?);
    Ok(decide_chain(&views, meter)??)
}

/// A view without padding, its axes cut.
fn cut(top: &View, split: &Split) -> Result<View, Error> {
    let (mut shape, mut strides) = (Dims::new(), Dims::new());
    for (factors, &stride) in split.factors().iter().zip(top.strides()) {
        let first = strides.len();
        let mut place = 1;
        for &factor in factors.iter().rev() {
            shape.insert(first, factor);
            // A place times the stride is a difference of two positions (V7), unless
            // the axis has one index, and then the stride is 0 (V6).
            strides.insert(first, stride * place);
            place *= factor;
        }
    }
    View::build(shape, strides, top.offset().into(), Validity::All)
}

#[cfg(feature = "serde")]
mod json {
    //! How an answer is written.

    use super::{NoSplit, Split, Splitting, View};

    #[derive(serde::Serialize, serde::Deserialize)]
    pub(super) struct Parts {
        split: Option<Split>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        view: Option<View>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        witness: Option<NoSplit>,
    }

    impl From<Splitting> for Parts {
        fn from(splitting: Splitting) -> Parts {
            match splitting {
                Splitting::Split { split, view } => {
                    Parts { split: Some(split), view: Some(view), witness: None }
                }
                Splitting::None(none) => Parts { split: None, view: None, witness: Some(none) },
            }
        }
    }

    impl TryFrom<Parts> for Splitting {
        type Error = &'static str;

        fn try_from(parts: Parts) -> Result<Splitting, &'static str> {
            match parts {
                Parts { split: Some(split), view: Some(view), witness: None } => {
                    Ok(Splitting::Split { split, view })
                }
                Parts { split: None, view: None, witness: Some(none) } => Ok(Splitting::None(none)),
                _ => Err("an answer has a split and a view, or a witness"),
            }
        }
    }
}
