//! The best split there is: exact, else with padding, else with guards.

use core::fmt;

mod guarded;

use crate::form::IndexForm;
pub use guarded::GuardedSplit;
pub(crate) use guarded::guarded_split;
use lattice_point::Meter;
use viewmerge::internal::{Reading, pads, split_from};
use viewmerge::{Error, NoSplit, Split, SplitView, ViewChain};

/// How a chain can be tiled so that it needs no division.
///
/// In serde formats it is `{"split":[[4,3]],"view":..}`, or `{"split":null,"witness":..}` with
/// `"padded"` or `"guarded"` beside it where there is one.
///
/// ```
/// use viewmerge_index::IndexChain;
/// use viewmerge::{Limit, ViewChain};
/// use viewmerge_index::Tiling;
///
/// let tiling = |text: &str| text.parse::<ViewChain>()?.tiling(&Limit::none());
/// assert!(matches!(tiling("(4,3):(1,4) | (12)")?, Tiling::Split { .. }));
/// assert!(matches!(tiling("(3,6):(10,1) | (18) | pad((0,2))")?, Tiling::Padded { .. }));
/// assert!(matches!(tiling("(3,4):(7,1) | (10)")?, Tiling::Guarded { .. }));
/// # Ok::<(), viewmerge::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[must_use]
pub enum Tiling {
    /// One view over the coarsest split, without padding; exact.
    Split(SplitView),
    /// No split does, but with padding one does; exact.
    Padded {
        /// The padding, the split and the view.
        padded: SplitView,
        /// Why no split does.
        witness: NoSplit,
    },
    /// Neither does, but with guards one was found.
    Guarded {
        /// The padding, the split and the guarded view.
        guarded: GuardedSplit,
        /// Why no split does.
        witness: NoSplit,
    },
    /// No split does, with padding or without; and none was found with guards.
    NotFound {
        /// Why no split does.
        witness: NoSplit,
    },
}

impl Tiling {
    /// The index expression over the split loops, without any division; `None` if there is no tiling.
    ///
    /// # Errors
    ///
    /// As [`IndexChain::form`](crate::IndexChain::form).
    ///
    /// ```
    /// use viewmerge_index::IndexChain;
    /// use viewmerge::{Limit, ViewChain};
    ///
    /// let chain: ViewChain = "(4,3):(1,4) | (12)".parse()?;
    /// let form = chain.tiling(&Limit::none())?.form()?.unwrap();
    /// assert_eq!(form.to_string(), "i0 + 4*i1");
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    pub fn form(&self) -> Result<Option<IndexForm>, Error> {
        match self {
            Tiling::Split(found) | Tiling::Padded { padded: found, .. } => {
                IndexForm::of_view(&found.view).map(Some)
            }
            Tiling::Guarded { guarded, .. } => guarded.guarded.to_form().map(Some),
            Tiling::NotFound { .. } => Ok(None),
        }
    }

    /// The split, and how much every axis is padded before it; `None` if there is no tiling.
    ///
    /// ```
    /// use viewmerge_index::IndexChain;
    /// use viewmerge::{Limit, ViewChain};
    ///
    /// let chain: ViewChain = "(3,4):(7,1) | (10)".parse()?;
    /// let tiling = chain.tiling(&Limit::none())?;
    /// let (split, pads) = tiling.split().unwrap();
    /// assert_eq!((split.to_string(), pads), ("((3,4))".to_string(), &[(0, 2)][..]));
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    #[must_use]
    pub fn split(&self) -> Option<(&Split, &[(i64, i64)])> {
        match self {
            Tiling::Split(found) | Tiling::Padded { padded: found, .. } => {
                Some((&found.split, &found.pads))
            }
            Tiling::Guarded { guarded, .. } => Some((&guarded.split, &guarded.pads)),
            Tiling::NotFound { .. } => None,
        }
    }
}

impl fmt::Display for Tiling {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Tiling::Split(found) | Tiling::Padded { padded: found, .. } => found.fmt(f),
            Tiling::Guarded { guarded, .. } => guarded.fmt(f),
            Tiling::NotFound { witness } => write!(f, "no split is one view: {witness}"),
        }
    }
}

/// The best tiling of a chain.
pub(crate) fn best(chain: &ViewChain, meter: &mut Meter<'_>) -> Result<Tiling, Error> {
    let views = chain.views();
    let (top, below) = views.split_last().ok_or(Error::EmptyChain)?;
    let start = Reading::of(below, top, None, meter)?;
    let witness = match split_from(views, &start, false, meter)? {
        Ok(found) => return Ok(Tiling::Split(found)),
        Err(witness) => witness,
    };
    // Without padding it is the split that was refuted.
    let unpadded = match &start {
        Ok(reading) => pads(reading, top.shape()).iter().all(|&pads| pads == (0, 0)),
        Err(_) => true,
    };
    if !unpadded && let Some(Ok(padded)) = unless_too_large(split_from(views, &start, true, meter))?
    {
        return Ok(Tiling::Padded { padded, witness });
    }
    Ok(match unless_too_large(guarded::find(views, || Ok(start)))?.flatten() {
        Some(guarded) => Tiling::Guarded { guarded, witness },
        None => Tiling::NotFound { witness },
    })
}

/// A padding that leaves the bounds of views is no tiling.
fn unless_too_large<T>(found: Result<T, Error>) -> Result<Option<T>, Error> {
    match found {
        Ok(found) => Ok(Some(found)),
        Err(error @ Error::Undecided { .. }) => Err(error),
        Err(_) => Ok(None),
    }
}

#[cfg(feature = "serde")]
impl serde::Serialize for Tiling {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeMap;
        let mut members = serializer.serialize_map(None)?;
        let witness = match self {
            Tiling::Split(found) => {
                members.serialize_entry("split", &found.split)?;
                members.serialize_entry("view", &found.view)?;
                return members.end();
            }
            Tiling::Padded { witness, .. }
            | Tiling::Guarded { witness, .. }
            | Tiling::NotFound { witness } => witness,
        };
        members.serialize_entry("split", &None::<Split>)?;
        if let Tiling::Padded { padded, .. } = self {
            members.serialize_entry("padded", padded)?;
        }
        if let Tiling::Guarded { guarded, .. } = self {
            members.serialize_entry("guarded", guarded)?;
        }
        members.serialize_entry("witness", witness)?;
        members.end()
    }
}
