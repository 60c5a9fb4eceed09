//! Which indices of a view are valid.

use crate::dims::Bounds;

/// The indices of a view that stand for memory; all others are padding.
///
/// *Nothing* is a case of its own: a box over zero axes cannot be empty, and
/// programs do produce the 0-d view that is never valid.
///
/// In serde formats it is a mask: `null`, `[[lo,hi],..]` or `"nothing"`.
///
/// ```
/// use viewmerge::{Validity, View};
///
/// // A box that leaves nothing out is the same as no box.
/// let view = View::new(&[3], &[1], 0, Validity::boxed(&[(0, 3)]))?;
/// assert_eq!(view.validity(), &Validity::All);
/// # Ok::<(), viewmerge::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(untagged, expecting = "a mask: null, a list of [lo, hi] or the word \"nothing\"")
)]
pub enum Validity {
    /// Every index.
    #[default]
    All,
    /// The indices with `lo <= i < hi` on every axis.
    Box(Bounds),
    /// No index.
    #[cfg_attr(feature = "serde", serde(with = "nothing"))]
    Nothing,
}

/// The word "nothing" in serde formats.
#[cfg(feature = "serde")]
mod nothing {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    #[derive(Serialize, Deserialize)]
    enum Word {
        #[serde(rename = "nothing")]
        Nothing,
    }

    pub(super) fn serialize<S: Serializer>(to: S) -> Result<S::Ok, S::Error> {
        Word::Nothing.serialize(to)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<(), D::Error> {
        Word::deserialize(from).map(|Word::Nothing| ())
    }
}

impl Validity {
    /// A box from a slice of `(lo, hi)`, one for each axis.
    ///
    /// ```
    /// use viewmerge::Validity;
    ///
    /// assert!(matches!(Validity::boxed(&[(0, 2)]), Validity::Box(_)));
    /// ```
    #[must_use]
    pub fn boxed(bounds: &[(i64, i64)]) -> Validity {
        Validity::Box(bounds.into())
    }

    /// What is valid in a shape if these intervals are: *all* if they leave nothing out.
    #[doc(hidden)]
    #[must_use]
    pub fn within(shape: &[i64], intervals: &[(i64, i64)]) -> Validity {
        let whole = intervals.iter().zip(shape).all(|(&(lo, hi), &size)| lo == 0 && hi == size);
        if whole { Validity::All } else { Validity::boxed(intervals) }
    }
}

/// The box of these intervals, or *nothing* if one of them is empty or reversed.
pub(crate) fn box_or_nothing(intervals: impl Iterator<Item = (i64, i64)>) -> Validity {
    let bounds: Bounds = intervals.collect();
    if bounds.iter().any(|&(lo, hi)| lo >= hi) { Validity::Nothing } else { Validity::Box(bounds) }
}
