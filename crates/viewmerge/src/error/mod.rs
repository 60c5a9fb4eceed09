//! What can be wrong with an input, as data.
//!
//! Every variant carries the offending axis and value, and its message is one
//! lower-case line that also says what would have been accepted.

mod kinds;
mod words;

pub(crate) use kinds::if_writable;
pub use kinds::marked;

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

use crate::limit::Exhausted;
pub use viewmerge_strides::Error as ListError;
use viewmerge_strides::words::{axes, counted, tuple};
use words::{meant, too_many};

/// The bound on elements and positions, 2^62.
const BOUND: i64 = 1 << 62;

/// Why an input was refused.
///
/// ```
/// use viewmerge::{View, strides};
///
/// let refused = View::contiguous(&[2, -3]).unwrap_err();
/// assert_eq!(refused, strides::Error::NegativeSize { axis: 1, size: -3 }.into());
/// assert_eq!(refused.kind(), "negative_size");
/// assert_eq!(refused.to_string(), "axis 1 has size -3, a size must be 0 or more");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Sizes, strides or axes that are wrong as lists, before they are a view's.
    #[error(transparent)]
    Lists(#[from] ListError),
    /// A mask bound lies outside its axis.
    #[error("axis {axis} has mask [{lo}, {hi}), it must lie within [0, {size})")]
    MaskOutside {
        /// The axis.
        axis: usize,
        /// First valid index given.
        lo: i64,
        /// One past the last valid index given.
        hi: i64,
        /// The size of the axis.
        size: i64,
    },
    /// A mask's bounds are in the wrong order.
    #[error("axis {axis} has mask [{lo}, {hi}), the lower bound must not exceed the upper one")]
    MaskReversed {
        /// The axis.
        axis: usize,
        /// First valid index given.
        lo: i64,
        /// One past the last valid index given.
        hi: i64,
    },
    /// The offset leaves ±2^62.
    #[error("offset {offset} is outside ±2^62 = ±{BOUND}")]
    OffsetRange {
        /// The offset (after the strides of axes with a single valid index were folded into it).
        offset: i128,
    },
    /// Some index of the shape maps outside ±2^62, or two of them 2^63 or more apart.
    #[error(
        "axis {axis} of size {size} and stride {stride} takes the memory positions to {min}..={max}, they must stay within ±2^62 = ±{BOUND} and less than 2^63 apart"
    )]
    IndexRange {
        /// The first axis at which the range is too large.
        axis: usize,
        /// Its size.
        size: i64,
        /// Its stride.
        stride: i64,
        /// The smallest position reached by this axis and those before it.
        min: i128,
        /// The largest position reached by this axis and those before it.
        max: i128,
    },
    /// An index expression would need numbers beyond 64 bits.
    #[error("the index expression takes the number {number} at some index, it must fit 64 bits")]
    ExpressionRange {
        /// The number, or a factor of it.
        number: i128,
    },
    /// An expression is not linear in its variables and quotients of them.
    #[error("{what}: one factor must be a number, and every divisor a number other than 0")]
    NotLinear {
        /// What was found.
        what: &'static str,
    },
    /// A variable of an expression has no range.
    #[error("{name:?} has no range, give its first and last value")]
    NoRange {
        /// The name.
        name: String,
    },
    /// A range has no values, or goes too far.
    #[error("{name:?} has the range {first} to {last}, it must be ascending and within ±2^60")]
    BadRange {
        /// The name.
        name: String,
        /// The first value.
        first: i64,
        /// The last value.
        last: i64,
    },
    /// A range has no first or no last value, where one is needed.
    #[error("the range of {name:?} has no end: {why}")]
    OpenRange {
        /// The name.
        name: String,
        /// What needs one.
        why: &'static str,
    },
    /// A text is longer than it may be.
    #[error("the text has {length} characters, at most {most} are read")]
    TextTooLong {
        /// How long it is.
        length: usize,
        /// How long it may be.
        most: usize,
    },
    /// A condition stands where a number should, or the other way round.
    #[error("{text:?} is a {found}, a {expected} is needed here")]
    WrongKind {
        /// What was given.
        text: String,
        /// What it is.
        found: &'static str,
        /// What is needed.
        expected: &'static str,
    },
    /// A name for an axis cannot be used in an expression.
    #[error("axis {axis} is called {name:?}: {why}")]
    ExpressionName {
        /// The axis.
        axis: usize,
        /// The name given.
        name: String,
        /// What is accepted.
        why: String,
    },
    /// A name for a function cannot be used.
    #[error("the function is called {name:?}: {why}")]
    FunctionName {
        /// The name given.
        name: String,
        /// What is accepted.
        why: String,
    },
    /// There is no language of this name.
    #[error("{name:?} is not a known language; use one of {}", .known.join(", "))]
    UnknownLanguage {
        /// The name given.
        name: String,
        /// The languages there are.
        known: Vec<&'static str>,
    },
    /// An expression cannot be written in a language.
    #[error("{language}: {why}")]
    NoRendering {
        /// The language.
        language: &'static str,
        /// Why not.
        why: &'static str,
    },
    /// An index is outside its axis.
    #[error("index {index} is outside axis {axis} of size {size}, it must lie in 0..{size}")]
    IndexOutOfBounds {
        /// The axis.
        axis: usize,
        /// The index given.
        index: i64,
        /// The size of the axis.
        size: i64,
    },
    /// A linear position is outside the elements of a shape.
    #[error("position {position} is outside 0..{count}, the elements of the shape")]
    PositionOutOfBounds {
        /// The position given.
        position: i64,
        /// The number of elements.
        count: i64,
    },
    /// More than one size is left open.
    #[error("{op}: axes {first} and {second} are both -1, at most one size can be inferred")]
    TwoInferred {
        /// The operation.
        op: &'static str,
        /// The first open axis.
        first: usize,
        /// The second open axis.
        second: usize,
    },
    /// The open size has no solution, or more than one.
    #[error(
        "{op}: the -1 at axis {axis} cannot be inferred, the other sizes of {} must divide {} and not be 0",
        tuple(.to), counted(*.count, "element", "elements")
    )]
    CannotInfer {
        /// The operation.
        op: &'static str,
        /// The open axis.
        axis: usize,
        /// The number of elements to be distributed.
        count: i64,
        /// The new shape as given.
        to: Vec<i64>,
    },
    /// A padding amount is below zero.
    #[error(
        "pad: axis {axis} of size {size} is padded by ({before}, {after}), both must be 0 or more"
    )]
    NegativePad {
        /// The axis.
        axis: usize,
        /// The size of the axis.
        size: i64,
        /// Padding before.
        before: i64,
        /// Padding after.
        after: i64,
    },
    /// A shrink's bounds do not fit the axis.
    #[error(
        "shrink: axis {axis} of size {size} cannot keep [{lo}, {hi}), it takes 0 <= lo <= hi <= {size}"
    )]
    ShrinkOutside {
        /// The axis.
        axis: usize,
        /// The size of the axis.
        size: i64,
        /// First index kept.
        lo: i64,
        /// One past the last index kept.
        hi: i64,
    },
    /// A step of zero.
    #[error("{op}: axis {axis} has step 0, a step may be any other number")]
    ZeroStep {
        /// The operation.
        op: &'static str,
        /// The axis.
        axis: usize,
    },
    /// Only an axis of size 1 can be squeezed.
    #[error("squeeze: axis {axis} has size {size}, only an axis of size 1 can be squeezed")]
    NotUnit {
        /// The axis.
        axis: usize,
        /// Its size.
        size: i64,
    },
    /// The axes to be flattened are in the wrong order.
    #[error("flatten: axis {start} comes after axis {end}, name the first axis and then the last")]
    FlattenOrder {
        /// The first axis given.
        start: usize,
        /// The last axis given.
        end: usize,
    },
    /// The sizes an axis is to be split into do not multiply to its size.
    #[error("unflatten: axis {axis} has size {size}, the sizes {} must multiply to it", tuple(.sizes))]
    UnflattenCount {
        /// The axis.
        axis: usize,
        /// Its size.
        size: i64,
        /// The sizes asked for.
        sizes: Vec<i64>,
    },
    /// More slices than axes.
    #[error(
        "slice: {} for {}, give at most one for every axis",
        counted(*.found, "slice", "slices"), axes(*.rank)
    )]
    TooManySlices {
        /// The number of axes.
        rank: usize,
        /// The number of slices given.
        found: usize,
    },
    /// The limit was reached before the question was decided.
    #[error(transparent)]
    Undecided(#[from] Exhausted),
    /// No op has this name.
    #[error("unknown op {name}; {}", meant(*.nearest, .known))]
    UnknownOp {
        /// The name given.
        name: String,
        /// The op that was meant, if it can be guessed.
        nearest: Option<&'static str>,
        /// The ops there are.
        known: &'static [&'static str],
    },
    /// A chain needs at least one view.
    #[error("a chain needs at least one view")]
    EmptyChain,
    /// A valid index of one view points outside the view below it.
    #[error(
        "view {view} does not compose: its index {} gives position {position}, the view below it has positions 0..{count}",
        tuple(.index)
    )]
    NotComposable {
        /// Which view of the chain, counted from the memory side.
        view: usize,
        /// A valid index of that view.
        index: Vec<i64>,
        /// The position it produces.
        position: i64,
        /// The number of elements of the view below.
        count: i64,
    },
    /// A view of the chain is not a bijection, so no chain of views is its inverse.
    #[error("view {view} has no inverse: {reason}")]
    NotInvertible {
        /// Which view of the chain, counted from the memory side.
        view: usize,
        /// What is missing.
        reason: NoInverse,
    },
    /// Strides that satisfy the equations found so far do not fit 64 bits.
    #[error("the conditions need strides that do not fit 64 bits, take a smaller shape")]
    ConditionsTooLarge,
    /// There are more cases to tell apart than are tried.
    #[error("{}", too_many(.what, *.cases, *.most))]
    TooManyCases {
        /// Of what: `strides` for the open ones of an upper view, `alternatives` for those of
        /// expressions.
        what: &'static str,
        /// How many there are, or the largest number that fits.
        cases: u128,
        /// How many would have been tried.
        most: u64,
    },
    /// An item of a text could be read, but was refused.
    #[error("at column {}: {error}", .at + 1)]
    InText {
        /// Where the item starts, in characters from the start.
        at: usize,
        /// Why it was refused.
        error: Box<Error>,
    },
    /// The text of a view or slice could not be read.
    #[error("at column {}: expected {expected}, found {found}", .at + 1)]
    Syntax {
        /// Where, in characters from the start.
        at: usize,
        /// What could stand there.
        expected: &'static str,
        /// What stands there.
        found: String,
    },
}

/// What keeps a view from having an inverse.
///
/// ```
/// use viewmerge::{Error, Limit, NoInverse, ViewChain};
///
/// let every_other = ViewChain::contiguous(&[6])?.step(&[2])?;
/// assert_eq!(
///     every_other.invert(&[3], &Limit::none()),
///     Err(Error::NotInvertible { view: 0, reason: NoInverse::NotOnto }),
/// );
/// # Ok::<(), viewmerge::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum NoInverse {
    /// The shape to invert onto has another number of elements than there are valid indices.
    #[error(
        "it has {} for {}, the two must be equal",
        counted(*.valid, "valid index", "valid indices"), counted(*.positions, "position", "positions")
    )]
    Count {
        /// The number of valid indices.
        valid: i64,
        /// The number of positions they must fill.
        positions: i64,
    },
    /// The valid indices do not fill the positions 0, 1, 2, … once each.
    #[error("its valid indices do not reach every position from 0 on exactly once")]
    NotOnto,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_name_the_axis_the_value_and_what_is_accepted() {
        let rows: [(Error, &str); 11] = [
            (
                Error::MaskOutside { axis: 2, lo: 1, hi: 9, size: 4 },
                "axis 2 has mask [1, 9), it must lie within [0, 4)",
            ),
            (
                ListError::AxisOutOfRange { op: "permute", axis: 3, rank: 3 }.into(),
                "permute: axis 3 does not exist, a shape of 3 axes takes -3..=2",
            ),
            (
                ListError::AxisOutOfRange { op: "flip", axis: 0, rank: 0 }.into(),
                "flip: axis 0 does not exist, a shape of 0 axes takes none",
            ),
            (
                ListError::CannotExpand { axis: 1, size: 3, new_size: 5 }.into(),
                "expand: axis 1 has size 3 and cannot become 5, only an axis of size 1 can change",
            ),
            (
                ListError::RankMismatch { what: "strides", expected: 1, found: 2 }.into(),
                "strides: 2 entries for 1 axis, give one entry for every axis",
            ),
            (
                ListError::RankMismatch { what: "mask", expected: 2, found: 1 }.into(),
                "mask: 1 entry for 2 axes, give one entry for every axis",
            ),
            (
                ListError::AxisOutOfRange { op: "permute", axis: 1, rank: 1 }.into(),
                "permute: axis 1 does not exist, a shape of 1 axis takes -1..=0",
            ),
            (
                ListError::ReshapeCount { from: vec![1, 1], from_count: 1, to: vec![2] }.into(),
                "cannot reshape (1,1) (1 element) into (2)",
            ),
            (
                Error::TooManySlices { rank: 1, found: 2 },
                "slice: 2 slices for 1 axis, give at most one for every axis",
            ),
            (
                ListError::ExpandRank { rank: 2, found: 1 }.into(),
                "expand: the new shape has 1 axis, it must have at least 2",
            ),
            (
                Error::NotComposable { view: 1, index: vec![0, 3], position: 6, count: 6 },
                "view 1 does not compose: its index (0,3) gives position 6, the view below it has positions 0..6",
            ),
        ];
        for (error, message) in rows {
            assert_eq!(error.to_string(), message);
        }
    }
}
