//! Are two chains the same function?
//!
//! Both are simplified first. If that leaves views that read alike by linear
//! position, they are the same. If it leaves one view each, views are canonical
//! and equality decides. If only one chain becomes one view, the witness that the other is not one
//! view contains an index where they differ, because no view agrees with it at all of its indices.
//! Otherwise the system is asked for an index that is
//! valid in one and padding in the other, or valid in both at two positions.
//!
//! Example: flattening a transpose and stepping over it equals slicing the
//! transpose and flattening that; flattening it the other way round does not.
//!
//! Cost: that of merging, if one of the chains is a view; else some systems over
//! the quotients of both.
//!
//! Proved: `canonical_equal` (proofs/theories/Canonical.v), `witness_sound`
//! (proofs/theories/Checker.v).

use core::fmt;

use crate::chain::ViewChain;
use crate::difference::Pair;
use crate::dims::{Index, unravel_within};
use crate::error::{Error, if_writable};
use crate::limit::{Limit, Meter};
use crate::merge::{Verdict, Witness, decide_chain, valid_hull};
use crate::path::Path;
use crate::staircase::Staircase;
use crate::view::View;
use lattice_point::Encode;

/// Whether two chains are the same function.
///
/// In serde formats it is `{"equal":true}`, or `{"equal":false,"index":..}` with `null` where the
/// shapes differ.
///
/// ```
/// use viewmerge::{Equivalence, Limit, ViewChain};
///
/// let chain = ViewChain::contiguous(&[4, 6])?.permute(&[1, 0])?;
/// let there_and_back = chain.reshape(&[24])?.reshape(&[6, 4])?;
/// assert_eq!(chain.equivalent(&there_and_back, &Limit::none())?, Equivalence::Same);
/// # Ok::<(), viewmerge::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "json::Parts", into = "json::Parts"))]
#[must_use]
pub enum Equivalence {
    /// The same shape, the same valid indices, the same positions there.
    Same,
    /// The shapes are not the same.
    Shapes,
    /// At this index one is padding and the other is not, or their positions are not the same.
    Differ(Index),
}

impl fmt::Display for Equivalence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Equivalence::Same => f.write_str("the same"),
            Equivalence::Shapes => f.write_str("a different function: the shapes differ"),
            Equivalence::Differ(index) => write!(f, "a different function: they differ at {index}"),
        }
    }
}

#[cfg(feature = "serde")]
mod json {
    //! How the answer is written.

    use super::{Equivalence, Index};

    #[derive(serde::Serialize, serde::Deserialize)]
    pub(super) struct Parts {
        equal: bool,
        #[serde(default)]
        index: Option<Index>,
    }

    impl From<Equivalence> for Parts {
        fn from(answer: Equivalence) -> Parts {
            let equal = answer == Equivalence::Same;
            let index = if let Equivalence::Differ(index) = answer { Some(index) } else { None };
            Parts { equal, index }
        }
    }

    impl TryFrom<Parts> for Equivalence {
        type Error = &'static str;

        fn try_from(parts: Parts) -> Result<Equivalence, &'static str> {
            match (parts.equal, parts.index) {
                (true, None) => Ok(Equivalence::Same),
                (true, Some(_)) => Err("where all is equal no index differs"),
                (false, None) => Ok(Equivalence::Shapes),
                (false, Some(index)) => Ok(Equivalence::Differ(index)),
            }
        }
    }
}

/// # Questions: the same function or not
impl ViewChain {
    /// Whether two chains are the same function; if not, an index where they differ.
    ///
    /// # Errors
    ///
    /// [`Error::Undecided`] if the limit is reached first.
    ///
    /// ```
    /// use viewmerge::{Equivalence, Limit, ViewChain};
    ///
    /// let rows = ViewChain::contiguous(&[2, 3])?.reshape(&[6])?;
    /// let columns = ViewChain::contiguous(&[2, 3])?.permute(&[1, 0])?.reshape(&[6])?;
    /// assert!(matches!(rows.equivalent(&columns, &Limit::none())?, Equivalence::Differ(_)));
    /// let there_and_back = rows.reshape(&[3, 2])?.reshape(&[6])?;
    /// assert_eq!(rows.equivalent(&there_and_back, &Limit::none())?, Equivalence::Same);
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    pub fn equivalent(&self, other: &ViewChain, limit: &Limit<'_>) -> Result<Equivalence, Error> {
        compare(self, other, &mut limit.meter())
    }
}

/// [`ViewChain::equivalent`] within what is left of a limit.
pub(crate) fn compare(
    a: &ViewChain,
    b: &ViewChain,
    meter: &mut Meter,
) -> Result<Equivalence, Error> {
    meter.spend(1)?;
    if a.shape() != b.shape() {
        return Ok(Equivalence::Shapes);
    }
    if a.views() == b.views() {
        return Ok(Equivalence::Same);
    }
    let (a, b) = (a.cut_into_fewest(meter)?, b.cut_into_fewest(meter)?);
    if a.views() == b.views() || read_alike(&a, &b) {
        return Ok(Equivalence::Same);
    }
    let found = match (a.views(), b.views()) {
        ([one], [other]) => Some(between_views(one, other)),
        ([_], _) => from_witness(&b, &a, meter)?,
        (_, [_]) => from_witness(&a, &b, meter)?,
        _ => None,
    };
    let nothing = |chain: &ViewChain| !chain.views().iter().all(View::has_valid_index);
    if nothing(&a) || nothing(&b) {
        // That one is a single view now, and the other is not the same, so it has a valid index: if
        // no witness shows one, it is a view that cannot be written down, whose valid indices are a box.
        let other = if nothing(&a) { &b } else { &a };
        let below = &other.views()[..other.views().len() - 1];
        let low = || valid_hull(below, other.last(), meter).map(|hull| hull.low());
        return Ok(Equivalence::Differ(found.map_or_else(low, Ok)?));
    }
    // An index in the middle, where different chains usually differ.
    let middle = || Index::new(unravel_within(a.shape(), a.count() / 2));
    let found = found.or_else(|| Some(middle())).filter(|index| a.index(index) != b.index(index));
    match found {
        Some(index) => Ok(Equivalence::Differ(index)),
        None => search(&a, &b, meter),
    }
}

/// Whether the last views are equal and those below, read by linear position, are too:
/// how their axes are grouped does not matter there.
fn read_alike(a: &ViewChain, b: &ViewChain) -> bool {
    let alike = |(v, w): (&View, &View)| {
        let valid = v.has_valid_index() && w.has_valid_index();
        v == w || valid && v.count() == w.count() && Staircase::new(v) == Staircase::new(w)
    };
    let (below_a, below_b) = (a.views().iter().rev().skip(1), b.views().iter().rev().skip(1));
    a.last() == b.last() && a.views().len() == b.views().len() && below_a.zip(below_b).all(alike)
}

/// An index where two different views of the same shape differ.
fn between_views(a: &View, b: &View) -> Index {
    let (Some(in_a), Some(in_b)) = (a.valid_box(), b.valid_box()) else {
        // One is padding everywhere, the other is not.
        let bounds = a.valid_box().or_else(|| b.valid_box()).unwrap_or_default();
        return bounds.low();
    };
    for (inner, outer) in [(&in_a, &in_b), (&in_b, &in_a)] {
        for (axis, (&(lo, hi), &(from, to))) in inner.iter().zip(outer).enumerate() {
            if lo < from || hi > to {
                let mut index = inner.low();
                index[axis] = if lo < from { lo } else { hi - 1 };
                return index;
            }
        }
    }
    // The same box: the low corner, or the step along some axis.
    let mut index = in_a.low();
    let axis = (0..a.rank()).find(|&axis| a.strides()[axis] != b.strides()[axis]);
    if a.affine(&index) == b.affine(&index)
        && let Some(axis) = axis
    {
        index[axis] += 1;
    }
    index
}

/// An index of the witness that `chain` is not one view, at which it differs from `view`.
fn from_witness(
    chain: &ViewChain,
    view: &ViewChain,
    meter: &mut Meter,
) -> Result<Option<Index>, Error> {
    let verdict = if_writable(decide_chain(chain.views(), meter))?;
    let Some(Verdict::NotMergeable(witness)) = verdict else { return Ok(None) };
    let indices = match witness {
        Witness::Step { axis, at, other, .. } => {
            let (after, after_other) = (at.moved(axis, 1), other.moved(axis, 1));
            vec![at, after, other, after_other]
        }
        Witness::Hole { valid: [first, second], invalid } => vec![first, second, invalid],
    };
    Ok(indices.into_iter().find(|index| chain.index(index) != view.index(index)))
}

/// Asks the system for an index where the chains, of the same shape and with valid indices, differ.
fn search(a: &ViewChain, b: &ViewChain, meter: &mut Meter<'_>) -> Result<Equivalence, Error> {
    let [first, second] = [a, b].map(|chain| {
        let below = &chain.views()[..chain.views().len() - 1];
        Path::whole(below, chain.last(), Staircase::new)
    });
    let pair = Pair::new([&first, &second]);
    for difference in pair.differences().iter().filter(|difference| pair.is_open(difference)) {
        if let Some(point) = pair.question(difference).point(meter)? {
            return Ok(Equivalence::Differ(first.full_index(&first.index_of(&point))));
        }
    }
    Ok(Equivalence::Same)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grouping_below_the_last_view_does_not_matter() {
        let whole = "(1000000000,1000000000) | permute(1,0) | reshape(1000000000000000000)";
        let split = "(1000000,1000,1000,1000000) | permute(2,3,0,1) | reshape(1000000000000000000)";
        let chain = |text: &str| text.parse::<ViewChain>().expect(text);
        let same = chain(whole).equivalent(&chain(split), &Limit::none());
        assert_eq!(same, Ok(Equivalence::Same));
        let other = "(1000000,1000,1000,1000000) | permute(2,3,1,0) | reshape(1000000000000000000)";
        let differ = chain(whole).equivalent(&chain(other), &Limit::none());
        assert!(matches!(differ, Ok(Equivalence::Differ(_))), "{differ:?}");
    }

    #[test]
    fn a_view_that_cannot_be_written_down_is_not_padding() {
        let far: ViewChain =
            "(4):(1152921504606846976) | (16):(1)-12 [12:16]".parse().expect("a chain");
        let padding: ViewChain = "(16):(1) [0:0]".parse().expect("a chain");
        let differ = Ok(Equivalence::Differ(Index::from([12])));
        assert_eq!(far.equivalent(&padding, &Limit::none()), differ);
        assert_eq!(padding.equivalent(&far, &Limit::none()), differ);
    }
}
