//! Which axes of which view are to blame for a chain that is not one view.
//!
//! The indices of the witness are followed down the chain. At the first view where equal steps
//! become unequal, one of the two steps carries between two axes that are not contiguous to each
//! other, and the jump is the difference. The invalid index of a hole is rejected by the mask of an
//! axis, at the first view where it is invalid.

use alloc::vec::Vec;
use core::fmt;

use super::levels::Carry;
use super::steps::{DigitStep, descend};
use crate::dims::Index;
use crate::merge::Witness;
use crate::text::listed;
use crate::view::View;

/// What keeps a chain from being one view.
///
/// ```
/// use viewmerge::{Blame, Limit, ViewChain};
///
/// let chain: ViewChain = "(2,3) | permute(1,0) | reshape(6)".parse()?;
/// let blame = &chain.explain(&Limit::none())?.blame[0];
/// assert!(matches!(blame, Blame::Axes { view: 0, outer: 0, inner: 1, .. }));
/// # Ok::<(), viewmerge::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(tag = "kind", rename_all = "lowercase"))]
#[non_exhaustive]
pub enum Blame {
    /// Two axes that are not contiguous to each other, although a position carries from one into
    /// the other.
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
        #[cfg_attr(feature = "serde", serde(with = "super::wide_integer"))]
        contiguous: i128,
    },
    /// The mask of an axis: the indices of the last view that meet it do not form a box.
    Mask {
        /// Which view, counted from the memory side.
        view: usize,
        /// The masked axis of that view.
        axis: usize,
        /// The axes of the last view in which the two valid indices of the hole differ.
        across: Vec<usize>,
    },
}

/// What a witness blames; for axes also the two steps that show it.
pub(super) fn blame(chain: &[View], witness: &Witness) -> (Vec<Blame>, Vec<DigitStep>) {
    match witness {
        Witness::Step { axis, at, step, other, other_step } => {
            let steps = |view: usize| {
                let one = DigitStep::new(chain, view, *axis, at, *step)?;
                Some([one, DigitStep::new(chain, view, *axis, other, *other_step)?])
            };
            let below = (0..chain.len().saturating_sub(1)).rev();
            let differing = below.map_while(|view| Some((view, steps(view)?)));
            let mut differing = differing.filter(|(_, [one, two])| one.carries != two.carries);
            let shown = |(view, steps)| (blame_axes(&chain[view], view, &steps), steps.into());
            differing.next().map(shown).unwrap_or_default()
        }
        Witness::Hole { invalid, .. } => (blame_mask(chain, witness.axes(), invalid), Vec::new()),
    }
}

/// The axes of a view between which only one of two steps carries, the outermost first.
fn blame_axes(view: &View, number: usize, [one, two]: &[DigitStep; 2]) -> Vec<Blame> {
    let both = one.carries.iter().chain(&two.carries);
    let only_one = |carry: &&Carry| !(one.carries.contains(carry) && two.carries.contains(carry));
    let mut carries: Vec<&Carry> = both.filter(only_one).collect();
    carries.sort_by_key(|carry| carry.outer);
    carries.dedup_by_key(|carry| carry.outer);
    let blamed = carries.into_iter().map(|&Carry { outer, inner, jump, .. }| {
        let stride = view.strides()[outer];
        Blame::Axes { view: number, outer, inner, stride, contiguous: i128::from(stride) - jump }
    });
    blamed.collect()
}

/// The masked axes that reject an invalid index between two valid ones.
fn blame_mask(chain: &[View], across: Vec<usize>, invalid: &Index) -> Vec<Blame> {
    let digits = descend(chain.iter(), invalid);
    let number = chain.len() - digits.len();
    let (view, index) = (&chain[number], &digits[digits.len() - 1]);
    let outside = |axis: &usize| {
        let (lo, hi) = view.interval(*axis);
        index[*axis] < lo || index[*axis] >= hi
    };
    let axes = (0..view.rank()).filter(outside);
    axes.map(|axis| Blame::Mask { view: number, axis, across: across.clone() }).collect()
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
                write!(
                    f,
                    "axes {} meet the padding of axis {axis} of view {view} together, \
                     so the valid indices are cut off diagonally",
                    listed(across)
                )
            }
            Blame::Mask { view, axis, across } => {
                let along = across.first().copied().unwrap_or(0);
                write!(f, "along axis {along} the padding of axis {axis} of view {view} repeats")
            }
        }
    }
}
