//! Why a layout or a question was refused.

use std::fmt;

/// Why an input was refused. That no layout exists is not an error but an [`Answer`](crate::Answer).
///
/// ```
/// use viewmerge_cute::{Error, Layout};
///
/// let refused = "(4,0):(1,4)".parse::<Layout>().unwrap_err();
/// assert_eq!(refused, Error::Size { mode: 1, size: 0 });
/// assert_eq!(refused.to_string(), "mode 1 has size 0, a size must be 1 or more");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A text could not be parsed.
    #[error("at column {}: expected {expected}, found {found}", .at + 1)]
    Syntax {
        /// Where, in characters from the start.
        at: usize,
        /// What was expected there.
        expected: &'static str,
        /// What was found there.
        found: String,
    },
    /// Shape and strides are not nested alike.
    #[error(
        "the strides are not nested as the shape is: {at} has {shape} in the shape and {strides} in the strides"
    )]
    NotCongruent {
        /// Which part of the layout.
        at: String,
        /// What the shape has there.
        shape: String,
        /// What the strides have there.
        strides: String,
    },
    /// A size is below 1.
    #[error("mode {mode} has size {size}, a size must be 1 or more")]
    Size {
        /// Which mode, numbered over the flattened layout.
        mode: usize,
        /// Its size.
        size: i64,
    },
    /// A layout is nested too deeply.
    #[error("the layout is nested more than {most} deep")]
    Depth {
        /// The greatest depth allowed.
        most: usize,
    },
    /// The second layout leaves the domain of the first.
    #[error(
        "B takes the coordinate {} to {position}, outside 0..{size}, the domain of A{}",
        Tuple(.coordinate), if *.position >= *.size { " (the last mode of A may be extended)" } else { "" }
    )]
    Domain {
        /// A coordinate of B, one number for each of its flattened modes.
        coordinate: Vec<i64>,
        /// Where B takes it.
        position: i64,
        /// The size of A.
        size: i64,
    },
    /// A coordinate given by the second layout leaves the mode of the first that it indexes.
    #[error(
        "coordinate {coordinate} of B runs from {least} to {most}, outside 0..{size}, the mode of A that it indexes"
    )]
    CoordinateDomain {
        /// Which coordinate, as a stride names it: `@1`.
        coordinate: String,
        /// Its least value.
        least: i64,
        /// Its largest value.
        most: i64,
        /// The size of that mode; 0 if A has no such mode.
        size: i64,
    },
    /// The operation needs strides of 0 or more, and one is negative.
    #[error("{op}: mode {mode} has stride {stride}, it takes strides of 0 or more")]
    NegativeStride {
        /// The operation.
        op: &'static str,
        /// Which mode, numbered over the flattened layout.
        mode: usize,
        /// Its stride.
        stride: i64,
    },
    /// A tiler has more modes than the layout.
    #[error(
        "{op}: a tiler of {found} layouts for a layout of {rank} modes, it takes at most one for every mode"
    )]
    TilerRank {
        /// The operation.
        op: &'static str,
        /// The number of modes of the layout.
        rank: usize,
        /// The number of layouts of the tiler.
        found: usize,
    },
    /// A profile does not fit the layout.
    #[error(
        "the profile has {found} entries for {rank} modes, it takes one for every mode or a number"
    )]
    Profile {
        /// The number of modes of the layout.
        rank: usize,
        /// The number of entries of the profile.
        found: usize,
    },
    /// An invalid swizzle.
    #[error("Sw<{bits},{base},{shift}>: {why}")]
    Swizzle {
        /// How many bits are mixed.
        bits: i64,
        /// The lowest bit that changes.
        base: i64,
        /// How far apart the bits are.
        shift: i64,
        /// What is accepted.
        why: &'static str,
    },
    /// The operation does not accept such an operand.
    #[error("{op} {why}")]
    Operand {
        /// The operation.
        op: &'static str,
        /// What it accepts.
        why: &'static str,
    },
    /// No such operation.
    #[error("unknown operation {name}; expected one of {known}")]
    UnknownOperation {
        /// The name given.
        name: String,
        /// The operations that exist.
        known: String,
    },
    /// No such instruction.
    #[error(
        "unknown matrix instruction {name:?} (viewmerge cute atoms lists those that are known)"
    )]
    UnknownAtom {
        /// The name given.
        name: String,
    },
    /// The search took too long.
    #[error("{op}: undecided, {why}")]
    Undecided {
        /// The operation.
        op: &'static str,
        /// Why it took so long.
        why: &'static str,
    },
    /// The views behind the layouts were refused.
    #[error(transparent)]
    View(#[from] viewmerge::Error),
}

impl Error {
    /// A stable, machine-readable name of the variant.
    ///
    /// ```
    /// use viewmerge_cute::Layout;
    ///
    /// assert_eq!("(4".parse::<Layout>().unwrap_err().kind(), "syntax");
    /// ```
    pub fn kind(&self) -> &'static str {
        match self {
            Error::Syntax { .. } => "syntax",
            Error::NotCongruent { .. } => "not_congruent",
            Error::Size { .. } => "size",
            Error::Depth { .. } => "depth",
            Error::Domain { .. } => "domain",
            Error::CoordinateDomain { .. } => "coordinate_domain",
            Error::NegativeStride { .. } => "negative_stride",
            Error::TilerRank { .. } => "tiler_rank",
            Error::Profile { .. } => "profile",
            Error::Swizzle { .. } => "swizzle",
            Error::Operand { .. } => "operand",
            Error::UnknownOperation { .. } => "unknown_operation",
            Error::UnknownAtom { .. } => "unknown_atom",
            Error::Undecided { .. } => "undecided",
            Error::View(error) => error.kind(),
        }
    }
}

/// A coordinate as CuTe writes it.
pub(crate) struct Tuple<'a>(pub &'a [i64]);

impl fmt::Display for Tuple<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let numbers: Vec<String> = self.0.iter().map(i64::to_string).collect();
        write!(f, "({})", numbers.join(","))
    }
}

impl From<viewmerge::Exhausted> for Error {
    fn from(exhausted: viewmerge::Exhausted) -> Error {
        Error::View(exhausted.into())
    }
}
