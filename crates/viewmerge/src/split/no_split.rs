//! Why no split of the axes makes a chain one view.
//!
//! If a chain splits, it is a sum of one function for every axis, its valid
//! indices are all combinations of valid coordinates, and along every axis it
//! has digits. So one of these shows that it does not: a move along an axis that
//! depends on another axis; two valid indices that cannot be mixed; places that
//! are not multiples of one another. Otherwise the reason is the one split that could work, and a
//! witness over its shape.

use alloc::boxed::Box;
use core::fmt;

use super::Split;
use crate::dims::Index;
use crate::merge::Witness;
use crate::path::value_at;
use crate::view::View;

/// Why no split of the axes makes a chain one view.
///
/// Indices are those of the chain's last view, except in [`NoSplit::Forced`].
///
/// ```
/// use viewmerge::{Limit, NoSplit, ViewChain};
///
/// // Row 1 is read backwards.
/// let chain: ViewChain = "(4,2):(1,6) | (2,4):(3,1)".parse()?;
/// let none = chain.split(&Limit::none())?.unwrap_err();
/// assert_eq!(
///     none.to_string(),
///     "along axis 1 the move by 1 from (0,0) is 6, but from (1,0) it is -5: \
///      what axis 1 adds depends on another axis",
/// );
/// assert!(matches!(none, NoSplit::NotSeparable { axis: 1, .. }));
/// # Ok::<(), viewmerge::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(tag = "kind", rename_all = "snake_case"))]
#[non_exhaustive]
pub enum NoSplit {
    /// The same move along an axis, from the same coordinate on that axis, is
    /// not the same everywhere. All four indices are valid.
    NotSeparable {
        /// The axis.
        axis: usize,
        /// By how much the coordinate on that axis grows.
        by: i64,
        /// An index.
        at: Index,
        /// How far memory moves from there.
        step: i64,
        /// An index with the same coordinate on that axis.
        other: Index,
        /// How far memory moves from there.
        other_step: i64,
    },
    /// Two valid indices, of which the first with the second's coordinate on an axis is padding.
    NotProduct {
        /// The axis.
        axis: usize,
        /// The two valid indices.
        valid: [Index; 2],
        /// The first with the second's coordinate on that axis.
        invalid: Index,
    },
    /// Along an axis the chain must be cut at a place that does not fit the next one.
    OffGrid {
        /// The axis.
        axis: usize,
        /// Its size.
        size: i64,
        /// A valid index; the line through it along that axis forces both places.
        at: Index,
        /// The finer place.
        place: i64,
        /// The next place, or the size of the axis: not a multiple of the finer place, or so close to
        /// it that the digits below have no room.
        next: i64,
    },
    /// Every split that could work refines this one, and even over this one the chain is not one
    /// view.
    Forced {
        /// The split.
        split: Split,
        /// Why not, in indices of the split shape.
        witness: Witness,
    },
    /// Two of several chains need places that are not multiples of one another.
    Apart {
        /// The axis.
        axis: usize,
        /// The two chains.
        chains: [usize; 2],
        /// The place each of them needs.
        places: [i64; 2],
    },
    /// One of several chains is not one view over any split that works for the others.
    Chain {
        /// The chain.
        chain: usize,
        /// Why not.
        none: Box<NoSplit>,
    },
}

impl NoSplit {
    /// This reason, as that of one of several chains.
    pub(super) fn of_chain(self, chain: usize) -> NoSplit {
        NoSplit::Chain { chain, none: Box::new(self) }
    }
}

impl fmt::Display for NoSplit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoSplit::NotSeparable { axis, by, at, step, other, other_step } => write!(
                f,
                "along axis {axis} the move by {by} from {at} is {step}, but from {other} it is \
                 {other_step}: what axis {axis} adds depends on another axis"
            ),
            NoSplit::NotProduct { axis, valid: [first, second], invalid } => write!(
                f,
                "{first} and {second} are valid, but {invalid}, the first with the second's \
                 coordinate on axis {axis}, is padding"
            ),
            NoSplit::OffGrid { axis, size, place, next, .. } => {
                write!(f, "axis {axis} must be cut at every {place} elements")?;
                if next == size {
                    return write!(f, ", which does not divide its size {size}");
                }
                write!(f, " and at every {next}, which do not fit each other")
            }
            NoSplit::Forced { split, witness } => {
                write!(f, "over {split}, the only split that could work, {witness}")
            }
            NoSplit::Apart { axis, chains: [one, other], places: [first, second] } => write!(
                f,
                "chain {one} needs axis {axis} cut at every {first} elements and chain {other} at \
                 every {second}, which do not fit each other"
            ),
            NoSplit::Chain { chain, none } => write!(f, "chain {chain}: {none}"),
        }
    }
}

/// Explains in terms of the chain's own axes why the only possible split fails, if a few indices
/// show it.
pub(super) fn explain(chain: &[View], split: Split, witness: &Witness) -> NoSplit {
    let simple = simpler(chain, &split, witness);
    simple.unwrap_or_else(|| NoSplit::Forced { split, witness: witness.clone() })
}

fn simpler(chain: &[View], split: &Split, witness: &Witness) -> Option<NoSplit> {
    match witness {
        Witness::Step { axis: digit, at, step, other, other_step } => {
            let line = split.axis_of(*digit);
            let (at, other) = (split.join(at), split.join(other));
            // Each line at the other's coordinate: do both move alike there?
            beside(chain, line, (&at, *step), &other)
                .or_else(|| beside(chain, line, (&other, *other_step), &at))
        }
        Witness::Hole { valid: [first, second], .. } => {
            // The two valid ones, mixed: the first with the second's coordinate on one axis.
            let (first, second) = (split.join(first), split.join(second));
            let mixed = |one: &Index, two: &Index| {
                (0..one.len()).filter(|&axis| one[axis] != two[axis]).find_map(|axis| {
                    let invalid = one.with(axis, two[axis]);
                    let valid = [one.clone(), two.clone()];
                    let is_hole = value_at(chain, &invalid).is_none();
                    is_hole.then_some(NoSplit::NotProduct { axis, valid, invalid })
                })
            };
            mixed(&first, &second).or_else(|| mixed(&second, &first))
        }
    }
}

/// Whether the line through `other` moves from the coordinate of `at` as the line through `at`
/// does, which moves by `step`; if not, why no split can be.
fn beside(
    chain: &[View],
    (axis, by): (usize, i64),
    (at, step): (&Index, i64),
    other: &Index,
) -> Option<NoSplit> {
    let ends = [at[axis], at[axis] + by].map(|x| (x, value_at(chain, &other.with(axis, x))));
    let [(start, Some(from)), (_, Some(to))] = ends else {
        // A coordinate that is valid on the first line is not on the other.
        let (x, _) = ends.into_iter().find(|(_, value)| value.is_none())?;
        let (valid, invalid) = ([other.clone(), at.with(axis, x)], other.with(axis, x));
        return Some(NoSplit::NotProduct { axis, valid, invalid });
    };
    let other_step = to - from;
    let (at, other) = (at.clone(), other.with(axis, start));
    (other_step != step).then_some(NoSplit::NotSeparable { axis, by, at, step, other, other_step })
}
