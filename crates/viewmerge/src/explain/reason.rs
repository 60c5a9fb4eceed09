//! One paragraph on a chain. If it is one view: why (`because.rs`). If not: the
//! witness, which axes of which view are to blame, and what would make it work.
//!
//! The witness's few indices are followed down the chain. At the first view at
//! which equal steps become unequal, some floor has carried at one of the steps
//! and not at the other: the two axes at that level are not contiguous to each
//! other, and their jump is by how much. At the first view at which the invalid
//! index of a hole is invalid, an axis's mask rejects it. What is suggested was
//! tried: a stride, a shorter axis or a copy is named only if it gives one view.

use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

use crate::dims::Index;
use crate::dims::{Dims, unravel_within};
use crate::error::Error;
use crate::explain::because::{Reason, reasons, write_reasons};
use crate::explain::levels::levels;
use crate::explain::remedies::{Remedies, find_remedies};
use crate::limit::{Limit, Meter};
use crate::merge::{Verdict, Witness, check_chain, decide_chain};
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

/// A verdict with its reasons; its `Display` is the paragraph.
///
/// ```
/// use viewmerge::{Limit, explain};
///
/// let views = ["(10,3,3):(8,1,2)".parse()?, "(6):(4)".parse()?];
/// let why = explain(&views, &Limit::none())?;
/// assert_eq!(
///     why.to_string(),
///     "Not one view: along axis 0 the step from (0) is 3, but from (4) it is 8. \
///      There view 0 carries from axis 1 into axis 0, but axis 0 has stride 8 and would need 3 \
///      to be contiguous to axis 1. \
///      It would be one view if axis 0 of the last view were at most 5 long, \
///      or after a copy of the 6 elements of view 1.",
/// );
/// # Ok::<(), viewmerge::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Explanation {
    /// The answer.
    pub verdict: Verdict,
    /// Why the chain is one view; empty if it is not.
    pub because: Vec<Reason>,
    /// What is to blame; empty if the chain is one view.
    pub blame: Vec<Blame>,
    /// What would help; empty if the chain is one view.
    pub remedies: Remedies,
}

/// Explains whether, and if not why not, a chain is one view.
///
/// The limit is for all of it: the verdict, why it is one view, and what is tried to
/// find what would help.
///
/// # Errors
///
/// [`Error::EmptyChain`] and [`Error::NotComposable`] for views that do not
/// compose, [`Error::Undecided`] if the limit is reached first;
/// [`Error::OffsetRange`] and [`Error::IndexRange`] if the one view cannot be
/// written down.
///
/// ```
/// use viewmerge::{Limit, ViewChain, explain};
///
/// let chain: ViewChain = "(2,3) | permute(1,0) | reshape(6)".parse()?;
/// let why = explain(&chain, &Limit::none())?;
/// assert!(!why.verdict.is_merged());
/// # Ok::<(), viewmerge::Error>(())
/// ```
pub fn explain(
    chain: &(impl AsRef<[View]> + ?Sized),
    limit: &Limit<'_>,
) -> Result<Explanation, Error> {
    let chain = chain.as_ref();
    check_chain(chain)?;
    find_reasons(chain, &mut limit.meter())
}

/// [`explain`] for views known to compose.
pub(crate) fn find_reasons(chain: &[View], meter: &mut Meter<'_>) -> Result<Explanation, Error> {
    let verdict = decide_chain(chain, meter)??;
    let mut because = Vec::new();
    let (blame, remedies) = match &verdict {
        Verdict::Merged(view) => {
            because = reasons(chain, view, meter)?;
            (Vec::new(), Remedies::default())
        }
        Verdict::NotMergeable(witness) => {
            let blame = match witness {
                Witness::Step { axis, at, other, .. } => blame_levels(chain, *axis, at, other),
                Witness::Hole { valid, invalid } => blame_mask(chain, valid, invalid),
            };
            let remedies = find_remedies(chain, witness, &blame, meter)?;
            (blame, remedies)
        }
    };
    Ok(Explanation { verdict, because, blame, remedies })
}

/// The positions that enter each view of a chain below the last, the last first.
fn descend(chain: &[View], index: &[i64]) -> Vec<i64> {
    let mut positions = Vec::new();
    let mut index: Dims = index.into();
    for (number, view) in chain.iter().enumerate().rev() {
        let Some(position) = view.index_within(&index) else { break };
        if number > 0 {
            positions.push(position);
            index = unravel_within(chain[number - 1].shape(), position);
        }
    }
    positions
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

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let witness = match &self.verdict {
            Verdict::Merged(view) => {
                write!(f, "One view: {view}.")?;
                return write_reasons(f, &self.because);
            }
            Verdict::NotMergeable(witness) => witness,
        };
        write!(f, "Not one view: {witness}.")?;
        for (number, blame) in self.blame.iter().enumerate() {
            match blame {
                Blame::Axes { .. } if number == 0 => write!(f, " There {blame}.")?,
                Blame::Axes { .. } => write!(f, " Also {blame}.")?,
                Blame::Mask { across, .. } if across.len() > 1 => write!(f, " The {blame}.")?,
                Blame::Mask { .. } => write!(f, " Along {blame}.")?,
            }
        }
        let remedies = self.remedies.to_string();
        if !remedies.is_empty() {
            write!(f, " It would be one view {remedies}.")?;
        }
        Ok(())
    }
}

impl fmt::Display for Blame {
    /// A clause without a capital and a full stop.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Blame::Axes { view, outer, inner, stride, contiguous } => write!(
                f,
                "view {view} carries from axis {inner} into axis {outer}, but axis {outer} has \
                 stride {stride} and would need {contiguous} to be contiguous to axis {inner}"
            ),
            Blame::Mask { view, axis, across } if across.len() > 1 => {
                let (last, first) = across.split_last().unwrap_or((&0, &[]));
                let first: Vec<String> = first.iter().map(usize::to_string).collect();
                write!(
                    f,
                    "valid indices run across axes {} and {last} diagonally: together they meet \
                     the padding of axis {axis} of view {view}",
                    first.join(", ")
                )
            }
            Blame::Mask { view, axis, across } => {
                let along = across.first().copied().unwrap_or(0);
                write!(
                    f,
                    "axis {along} the padding of axis {axis} of view {view} comes round again"
                )
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn why(views: &[&str]) -> String {
        let views: Vec<View> = views.iter().map(|v| v.parse().expect(v)).collect();
        explain(&views, &Limit::none()).expect("decides").to_string()
    }

    #[test]
    fn paragraphs() {
        let rows: [(&[&str], &str); 11] = [
            (
                &["(10,3,3):(8,1,2)", "(4):(4)"],
                "One view: (4):(3). Compared with the first step along axis 0, the one from (2) makes \
                 view 0 carry once more from axis 2 into axis 1, a jump of -5, and once more from \
                 axis 1 into axis 0, a jump of 5: the jumps cancel, here and at every other step.",
            ),
            (
                &["(10,3,3):(8,1,2)", "(3):(4)"],
                "One view: (3):(3). View 0 never carries from axis 1 into axis 0. View 0 carries from \
                 axis 2 into axis 1 equally often at every step along an axis.",
            ),
            (
                &["(2,3,4)", "(24)"],
                "One view: (24):(1). Axes 0, 1 and 2 of view 0 run through memory as one.",
            ),
            (
                &["(3,2,4):(8,0,1) [0:3,1:2,0:4]", "(3,4):(8,1)+4"],
                "One view: (3,4):(8,1). Axes 0 and 1 of view 0 run through memory as one. Axis 1 of \
                 view 0 has one valid index.",
            ),
            (
                &["(4,2):(1,4)", "(4,2):(1,4)", "(4,2):(1,4)"],
                "One view: (4,2):(2,1). Views 0 and 1 are one view only together.",
            ),
            (&["(2,3):(1,2)"], "One view: (2,3):(1,2). It is one view as it stands."),
            (&["(6)", "(4) nothing"], "One view: (4) nothing. No index is valid."),
            (&["(6)", "(2):(3)"], "One view: (2):(3). View 0 has no two axes that could overflow."),
            (
                &["(3,2):(1,3)", "(6)"],
                "Not one view: along axis 0 the step from (0) is 3, but from (1) it is -2. There \
                 view 0 carries from axis 1 into axis 0, but axis 0 has stride 1 and would need 6 to \
                 be contiguous to axis 1. It would be one view if axis 0 of view 0 had stride 6, or \
                 if axis 0 of the last view were at most 2 long, or with axis 0 of 6 cut into 3 by \
                 2, or after a copy of the 6 elements of view 1.",
            ),
            (
                &["(6):(1)-1 [1:5]", "(4,3):(1,1)"],
                "Not one view: (0,2) and (3,0) are valid, but (0,0) between them is padding. The \
                 valid indices run across axes 0 and 1 diagonally: together they meet the padding \
                 of axis 0 of view 0. It would be one view after a copy of the 6 elements of view 0.",
            ),
            (
                &["(3,4) [0:3,1:3]", "(12)"],
                "Not one view: (1) and (5) are valid, but (3) between them is padding. Along axis 0 \
                 the padding of axis 1 of view 0 comes round again. It would be one view if axis 0 \
                 of the last view were at most 5 long, or with axis 0 of 12 cut into 3 by 4, or \
                 after a copy of the 10 elements [1:11] of view 1.",
            ),
        ];
        for (views, paragraph) in rows {
            assert_eq!(why(views), paragraph, "{views:?}");
        }
    }

    #[test]
    fn longer_chains_blame_the_view_that_breaks() {
        let text = why(&["(24)", "(3,2):(1,3)", "(6)"]);
        assert!(text.contains("view 1 carries from axis 1 into axis 0"), "{text}");
    }
}
