//! The names of the claims that need a proof.

use std::fmt;

use crate::number::Integer;

/// One end of an interval, one side of a split.
///
/// ```
/// assert_eq!(viewmerge_verify::Side::Low.to_string(), "low");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Side {
    /// `"low"`.
    Low,
    /// `"high"`.
    High,
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Side::Low => "low",
            Side::High => "high",
        })
    }
}

/// A claim that a certificate of *yes* must prove: some integer system has no solution.
///
/// The numbers of a claim are of any size as it is read (`Integer`), and
/// machine-sized in the claims that views call for.
///
/// ```
/// use viewmerge_verify::{Claim, Side};
///
/// let claim: Claim = Claim::Outside { axis: 2.into(), side: Side::High };
/// assert_eq!(claim.to_string(), "`outside` of axis 2, high");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Claim<N = Integer> {
    /// No index is valid.
    Empty {
        /// The chain, where there are two.
        chain: Option<N>,
    },
    /// No index beyond that side of the merged box is valid.
    Outside {
        /// The axis of the last view.
        axis: N,
        /// The side.
        side: Side,
    },
    /// No index misses the mask of a view on that side.
    Hole {
        /// The chain, where there are two.
        chain: Option<N>,
        /// The view, counted from the memory side.
        view: N,
        /// Its axis.
        axis: N,
        /// The side.
        side: Side,
    },
    /// Nowhere is the first function greater.
    Above,
    /// Nowhere is it less.
    Below,
}

impl From<&Claim<usize>> for Claim {
    fn from(claim: &Claim<usize>) -> Claim {
        let number = |n: &usize| Integer::from(*n);
        match claim {
            Claim::Empty { chain } => Claim::Empty { chain: chain.as_ref().map(number) },
            Claim::Outside { axis, side } => Claim::Outside { axis: number(axis), side: *side },
            Claim::Hole { chain, view, axis, side } => Claim::Hole {
                chain: chain.as_ref().map(number),
                view: number(view),
                axis: number(axis),
                side: *side,
            },
            Claim::Above => Claim::Above,
            Claim::Below => Claim::Below,
        }
    }
}

impl fmt::Display for Claim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let of = |chain: &Option<Integer>| {
            chain.as_ref().map_or(String::new(), |chain| format!(" of chain {chain}"))
        };
        match self {
            Claim::Empty { chain } => write!(f, "`empty`{}", of(chain)),
            Claim::Outside { axis, side } => write!(f, "`outside` of axis {axis}, {side}"),
            Claim::Hole { chain, view, axis, side } => {
                write!(f, "`hole`{} in view {view}, axis {axis}, {side}", of(chain))
            }
            Claim::Above => f.write_str("`above`"),
            Claim::Below => f.write_str("`below`"),
        }
    }
}
