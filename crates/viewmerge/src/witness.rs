//! Why a chain is not one view, as data that anybody can check.
//!
//! Proved: `witness_sound` (proofs/theories/Checker.v): a chain with a witness is not one view.

use alloc::vec::Vec;
use core::fmt;

use crate::dims::Index;
use crate::text::Signed;

/// Why no single view exists: a few indices at which no view could agree with the chain.
///
/// Indices are those of the chain's last view.
/// [`reference::check_witness`](crate::reference::check_witness) evaluates one.
///
/// ```
/// use viewmerge::{Verdict, ViewChain, Witness};
///
/// // Padding between two rows of memory.
/// let chain: ViewChain = "(2,3):(2,1) [0:2,0:2] | (6)".parse()?;
/// let Verdict::NotMergeable(Witness::Hole { invalid, .. }) = chain.merge()? else { unreachable!() };
/// assert_eq!(invalid.as_slice(), [2]);
/// # Ok::<(), viewmerge::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(tag = "kind", rename_all = "lowercase"))]
pub enum Witness {
    /// Two steps along the same axis that differ; a view has one stride per axis.
    /// All four points (both indices and their next neighbours) are valid.
    Step {
        /// The axis.
        axis: usize,
        /// An index.
        at: Index,
        /// How far memory moves from `at` to the next index along the axis.
        step: i64,
        /// Another index.
        other: Index,
        /// How far memory moves from `other` to the next index along the axis.
        other_step: i64,
    },
    /// Two valid indices, and an invalid one in the box they span; a view's valid indices are a box.
    Hole {
        /// The two valid indices.
        valid: [Index; 2],
        /// The invalid index.
        invalid: Index,
    },
}

impl Witness {
    /// The axes along which it moves.
    pub(crate) fn axes(&self) -> Vec<usize> {
        match self {
            Witness::Step { axis, .. } => vec![*axis],
            Witness::Hole { valid: [first, second], .. } => {
                (0..first.len()).filter(|&axis| first[axis] != second[axis]).collect()
            }
        }
    }
}

impl fmt::Display for Witness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Witness::Step { axis, at, step, other, other_step } => {
                let (step, other_step) = (Signed(*step), Signed(*other_step));
                write!(
                    f,
                    "the step along axis {axis} is {step} at {at}, but {other_step} at {other}"
                )
            }
            Witness::Hole { valid: [first, second], invalid } => {
                write!(f, "{first} and {second} are valid, but {invalid} between them is padding")
            }
        }
    }
}
