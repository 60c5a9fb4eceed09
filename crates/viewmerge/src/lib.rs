//! The exact algebra of tensor views: is this stack of views one view, or must
//! data be copied, and why?
//!
//! A [`View`] is a shape, strides, an offset and a validity over flat memory. A
//! [`ViewChain`] stacks views; [`merge`](merge()) decides whether the stack is
//! one view and returns it, or a [`Witness`] that no single view exists. The
//! answer is exact in both directions: nothing is guessed, nothing is copied
//! silently.
//!
//! ```
#![doc = include_str!("../examples/quickstart.rs")]
//! ```
//!
//! The [`tutorial`] takes one chain through every question.
//!
//! # Where to look
//!
//! | you want | see |
//! |---|---|
//! | a view, its text notation and JSON | [`View`], [`ViewParts`], [`Validity`] |
//! | reshape, permute, slice, pad … one view | the methods of [`View`]; [`Slice`]; ops as data: [`Movement`] |
//! | the same on a stack | [`ViewChain`] |
//! | one view or not, and why not | [`ViewChain::merge`], [`merge`](merge()), [`merge_many`], [`View::reshape`], [`Verdict`], [`Witness`] |
//! | whether two stacks are the same function | [`ViewChain::equivalent`], [`Equivalence`] |
//! | a bound on the work, or a way to cancel it | [`Limit`], the last argument of every question |
//! | for which strides a view merges | [`OpenChain::conditions`], [`conditions_by_case`], [`ViewChain::longest_mergeable`], [`StridePattern`] |
//! | why, or why not, what is to blame, what would help | [`ViewChain::explain`], [`OpenChain::overflow_table`], [`ViewChain::cheapest_copy`] |
//! | index expressions: of chains, as input, in C, Rust, Python, MLIR … | the crate `viewmerge-index` |
//! | one view after cutting axes | [`ViewChain::split`], [`SplitView`], [`NoSplit`], [`common_split`] |
//! | which axes can be fused | [`merge_dims()`] |
//! | the same for a library's own sizes and strides: reshape, broadcast, collapse, overlap | [`mod@strides`] |
//! | linear positions and indices | [`Index`], [`ravel`], [`unravel`], [`Indices`] |
//! | which part of the solver answered | [`diagnostics`] |
//! | the definitions, as naive code | [`mod@reference`] |
//!
//! # Should you use this crate?
//!
//! Yes, if you must know whether a composition of views is a view. It does not
//! hold data, compute on tensors, or describe layouts beyond affine strides
//! with box masks. Deciding is coNP-complete when the number of axes is
//! unbounded: views that programs make take well under a microsecond, a
//! contrived one may take long, unless a [`Limit`] ends the search.
//!
//! # Features
//!
//! - `serde`: views, ops and answers can be written and read in any self-describing serde format,
//!   JSON for example;
//! - `std` (default): what the dependencies have only with the standard library. Without it
//!   the library needs `alloc`.
//!
//! # Limits
//!
//! A view has at most 2^62 elements and its indices map into ±2^62; larger ones
//! are refused at construction, so nothing later overflows.

#![cfg_attr(not(test), no_std)]
#![warn(clippy::missing_errors_doc, clippy::must_use_candidate, clippy::return_self_not_must_use)]

#[macro_use]
extern crate alloc;

// In the order of the pages of View and ViewChain: how they are made, ops, questions.
mod view;

mod movement;

mod chain;

#[allow(clippy::must_use_candidate)]
mod arith;
mod certificate;
mod collision;
mod conditions;
mod difference;
mod dims;
mod encoding;
mod equivalence;
mod error;
mod explain;
mod floor;
mod limit;
mod merge;
mod merge_dims;
mod one_pass;
mod path;
mod questions;
pub mod reference;
mod region;
mod split;
#[allow(clippy::must_use_candidate)]
mod staircase;
pub mod strides;
#[allow(clippy::must_use_candidate, clippy::missing_errors_doc)]
mod text;
pub mod tutorial;
mod witness;

pub use certificate::{Certificate, certify_apart, certify_collision};
pub use chain::ViewChain;
pub use conditions::{
    Case, Conditions, Equation, Obstacle, OpenChain, Solutions, StridePattern, conditions_by_case,
};
pub use dims::{Bounds, Index, Indices, MAX_ELEMENTS, MAX_POSITION, element_count, ravel, unravel};
pub use equivalence::Equivalence;
pub use error::{Error, NoInverse};
pub use explain::{
    Blame, Carry, CopyPlan, DigitStep, Explanation, OtherStride, OverflowRow, OverflowTable,
    Reason, Regrouped, Remedies, ShorterAxis, SplitAxes, Stage,
};
pub use limit::{Exhausted, Limit};
pub use merge::{Verdict, merge, merge_many};
pub use merge_dims::{MergedDim, merge_dims};
pub use movement::{Movement, Slice};
pub use split::{NoSplit, Split, SplitView, Splitting, common_split};
pub use view::{Validity, View, ViewParts};
pub use witness::Witness;

/// Diagnostics: which part of the solver gave an answer.
///
/// The parts are tried in the order of [`Rung`](diagnostics::Rung); each can be run alone, to
/// test it on every input and to measure what it saves.
///
/// ```
/// use viewmerge::diagnostics::Rung;
/// use viewmerge::{Limit, ViewChain};
///
/// let chain: ViewChain = "(10,3,3):(8,1,2) | (4):(4)".parse()?;
/// assert_eq!(chain.decide(&Limit::none())?.rung, Rung::ClosedForm);
/// # Ok::<(), viewmerge::Error>(())
/// ```
pub mod diagnostics {
    pub use crate::merge::{Decided, Rung, decide_alone};
}

/// What the other crates of this project share with this one. It may change at any time.
#[doc(hidden)]
pub mod internal {
    pub use crate::arith::{divide, divide_down, divide_up_wide, divide_wide, gcd, scattered};
    pub use crate::certificate::certificate;
    pub use crate::certificate::json::{exact, listed, numbers, tree};
    pub use crate::chain::notation::place;
    pub use crate::dims::{Dims, INLINE_AXES, Intervals, check_index, check_rank};
    pub use crate::error::marked;
    pub use crate::explain::{Lines, ViewLine};
    pub use crate::merge::{check_chain, first_change, one_view, one_view_at_once};
    pub use crate::movement::args::{axis, distinct_axes};
    pub use crate::split::{Digit, Forced, Reading, Start, fitting, pads, split_from};
    pub use crate::staircase::{Level, Slab, Staircase, position};
    pub use crate::text::{joined, tuple};
    pub use crate::view::notation::{Argument, Scanner};
    pub use crate::view::spans::{Item, Kind, Span};
}

/// The examples in README are run with the other examples.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
