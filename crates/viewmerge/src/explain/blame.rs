//! Which axes of which view are to blame for a chain that is not one view.
//!
//! The witness's few indices are followed down the chain. At the first view at
//! which equal steps become unequal, some floor has carried at one of the steps
//! and not at the other: the two axes at that level are not contiguous to each
//! other, and their jump is by how much. At the first view at which the invalid
//! index of a hole is invalid, an axis's mask rejects it.

use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

use super::levels::levels;
use super::steps::descend;
use crate::dims::{Dims, Index, unravel_within};
use crate::merge::Witness;
use crate::view::View;

/// What is to blame.
///
/// ```
/// use viewmerge::{Blame, Limit, ViewChain, explain};
///
/// let chain: ViewChain = "(2,3) | permute(1,0) | reshape(6)".parse()?;
/// let blame = &explain(&chain, &Limit::none())?.blame[0];
/// assert!(matches!(blame, Blame::Axes { view: 0, outer: 0, inner: 1, .. }));
/// # Ok::<(), viewmerge::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(tag = "kind", rename_all = "lowercase"))]
#[cfg_attr(feature = "serde", serde(try_from = "json::BlameParts"))]
#[non_exhaustive]
pub enum Blame {
    /// Two axes that are not contiguous to each other, at a place where the position
    /// carries from one into the other.
    Axes {
        /// Which view, counted from the memory side.
        view: usize,
        /// The outer axis.
        outer: usize,
        /// The inner axis.
        inner: usize,
        /// The stride of the outer axis.
        stride: i64,
        /// The stride it would have if it were contiguous to the inner one.
        #[cfg_attr(feature = "serde", serde(with = "super::wide"))]
        contiguous: i128,
    },
    /// An axis's mask, which indices of the last view meet in a set that is no box.
    Mask {
        /// Which view, counted from the memory side.
        view: usize,
        /// The masked axis of that view.
        axis: usize,
        /// The axes of the last view in which the two valid indices of the hole differ.
        across: Vec<usize>,
    },
}

/// What a witness blames.
pub(super) fn blame(chain: &[View], witness: &Witness) -> Vec<Blame> {
    match witness {
        Witness::Step { axis, at, other, .. } => blame_levels(chain, *axis, at, other),
        Witness::Hole { valid, invalid } => blame_mask(chain, valid, invalid),
    }
}

fn blame_levels(chain: &[View], axis: usize, at: &Index, other: &Index) -> Vec<Blame> {
    let next = |index: &Index| {
        let mut next = index.clone();
        next[axis] += 1;
        next
    };
    let [from, to, other_from, other_to] =
        [at, &next(at), other, &next(other)].map(|index| descend(chain, index));
    let below = chain.len() - 1;
    for depth in 0..below {
        let view = below - 1 - depth;
        let steps_into = |a: &[i64], b: &[i64]| Some((*a.get(depth)?, *b.get(depth)?));
        let (Some(one), Some(two)) = (steps_into(&from, &to), steps_into(&other_from, &other_to))
        else {
            break;
        };
        let blamed = levels_that_differ(&chain[view], view, one, two);
        if !blamed.is_empty() {
            return blamed;
        }
    }
    Vec::new()
}

/// The broken levels of a view whose carries differ between two steps.
fn levels_that_differ(view: &View, number: usize, one: (i64, i64), two: (i64, i64)) -> Vec<Blame> {
    let breaks = levels(view).into_iter().filter(|level| {
        level.jump() != 0 && level.carry(one.0, one.1) != level.carry(two.0, two.1)
    });
    let blamed = breaks.map(|level| Blame::Axes {
        view: number,
        outer: level.outer,
        inner: level.inner,
        stride: level.stride,
        contiguous: level.contiguous,
    });
    blamed.collect()
}

fn blame_mask(chain: &[View], valid: &[Index; 2], invalid: &Index) -> Vec<Blame> {
    let across: Vec<usize> =
        (0..invalid.len()).filter(|&axis| valid[0][axis] != valid[1][axis]).collect();
    let mut index: Dims = invalid.as_slice().into();
    for (number, view) in chain.iter().enumerate().rev() {
        if view.index_within(&index).is_none() {
            let outside = |axis: &usize| {
                let (lo, hi) = view.interval(*axis);
                index[*axis] < lo || index[*axis] >= hi
            };
            let axes = (0..view.rank()).filter(outside);
            return axes
                .map(|axis| Blame::Mask { view: number, axis, across: across.clone() })
                .collect();
        }
        if number > 0 {
            index = unravel_within(chain[number - 1].shape(), view.affine(&index));
        }
    }
    Vec::new()
}

#[cfg(feature = "serde")]
mod json {
    //! How blame is read: all fields of all kinds at once, because a number of 128 bits
    //! is not kept until the kind is known.

    use alloc::vec::Vec;

    use super::Blame;

    #[derive(serde::Deserialize)]
    pub(super) struct BlameParts {
        kind: Kind,
        view: usize,
        outer: Option<usize>,
        inner: Option<usize>,
        stride: Option<i64>,
        contiguous: Option<i128>,
        axis: Option<usize>,
        across: Option<Vec<usize>>,
    }

    #[derive(serde::Deserialize)]
    #[serde(rename_all = "lowercase")]
    enum Kind {
        Axes,
        Mask,
    }

    impl TryFrom<BlameParts> for Blame {
        type Error = &'static str;

        fn try_from(parts: BlameParts) -> Result<Blame, &'static str> {
            let view = parts.view;
            let axes = || {
                let (outer, inner) = (parts.outer?, parts.inner?);
                let (stride, contiguous) = (parts.stride?, parts.contiguous?);
                Some(Blame::Axes { view, outer, inner, stride, contiguous })
            };
            match parts.kind {
                Kind::Axes => axes().ok_or("blamed axes have outer, inner, stride and contiguous"),
                Kind::Mask => match (parts.axis, parts.across) {
                    (Some(axis), Some(across)) => Ok(Blame::Mask { view, axis, across }),
                    _ => Err("a blamed mask has axis and across"),
                },
            }
        }
    }
}

impl Blame {
    /// The view to blame, counted from the memory side.
    ///
    /// ```
    /// use viewmerge::{Limit, ViewChain};
    ///
    /// let chain: ViewChain = "(24) | (3,2):(1,3) | (6)".parse()?;
    /// assert_eq!(chain.explain(&Limit::none())?.blame[0].view(), 1);
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    #[must_use]
    pub fn view(&self) -> usize {
        match self {
            Blame::Axes { view, .. } | Blame::Mask { view, .. } => *view,
        }
    }
}

impl fmt::Display for Blame {
    /// A clause: `axis 1 of view 0 carries into axis 0, which has stride 1 and would need 6`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Blame::Axes { view, outer, inner, stride, contiguous } => write!(
                f,
                "axis {inner} of view {view} carries into axis {outer}, which has stride {stride} \
                 and would need {contiguous}"
            ),
            Blame::Mask { view, axis, across } if across.len() > 1 => {
                let (last, first) = across.split_last().unwrap_or((&0, &[]));
                let first: Vec<String> = first.iter().map(usize::to_string).collect();
                write!(
                    f,
                    "axes {} and {last} meet the padding of axis {axis} of view {view} together, \
                     so the valid indices are cut off diagonally",
                    first.join(", ")
                )
            }
            Blame::Mask { view, axis, across } => {
                let along = across.first().copied().unwrap_or(0);
                write!(
                    f,
                    "along axis {along} the padding of axis {axis} of view {view} comes round again"
                )
            }
        }
    }
}
