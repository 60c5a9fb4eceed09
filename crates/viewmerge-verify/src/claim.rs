//! The names of the claims that need a proof.

use std::fmt;

use crate::number::Integer;

/// One end of an interval, or one side of a split.
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

/// How two expressions could differ.
///
/// ```
/// assert_eq!(viewmerge_verify::Question::Lost.to_string(), "`lost`");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Question {
    /// The first is defined, and is greater.
    Above,
    /// The first is defined, and is less.
    Below,
    /// The first is defined, the second is not.
    Lost,
    /// The second is defined, the first is not.
    Gained,
}

impl Question {
    pub(crate) const ALL: [Question; 4] =
        [Question::Above, Question::Below, Question::Lost, Question::Gained];
}

impl fmt::Display for Question {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Question::Above => "`above`",
            Question::Below => "`below`",
            Question::Lost => "`lost`",
            Question::Gained => "`gained`",
        })
    }
}

/// A claim that a certificate of *yes* must prove: some integer system has no solution.
///
/// As read, the numbers of a claim are of any size (`Integer`); in the claims that follow from the views
/// they are machine-sized.
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
        /// The chain, if there are two.
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
        /// The chain, if there are two.
        chain: Option<N>,
        /// The view, counted from the memory side.
        view: N,
        /// Its axis.
        axis: N,
        /// The side.
        side: Side,
    },
    /// The first function is nowhere greater.
    Above,
    /// The first function is nowhere less.
    Below,
    /// About two expressions: they do not differ like this in one of the ways their choices can go.
    Case {
        /// How they could differ.
        question: Question,
        /// The number of that way, counted from 0.
        case: N,
    },
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
            Claim::Case { question, case } => {
                Claim::Case { question: *question, case: number(case) }
            }
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
            Claim::Case { question, case } => write!(f, "{question} of case {case}"),
        }
    }
}
