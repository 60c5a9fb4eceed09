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
//! # Where to look
//!
//! | you want | see |
//! |---|---|
//! | a view, its text notation and JSON | [`View`], [`ViewParts`], [`Validity`] |
//! | reshape, permute, slice, pad … one view | the methods of [`View`]; [`Slice`]; ops as data: [`Movement`] |
//! | the same on a stack | [`ViewChain`] |
//! | one view or not, and why not | [`merge`](merge()), [`View::reshape`], [`Verdict`], [`Witness`] |
//! | whether two stacks are the same function | [`equivalent()`], [`Equivalence`] |
//! | an answer within a limit, or that can be called off | [`Limit`], the last argument of every question |
//! | for which strides a view merges | [`conditions()`], [`OpenChain`], [`conditions_by_case`], [`longest_mergeable`], [`StridePattern`] |
//! | why, or why not, what is to blame, what would help | [`explain()`], [`overflow_table`], [`cheapest_copy`] |
//! | index expressions as input: simpler, the same, their range | [`Expression`], [`Domain`] |
//! | the index expression, with few divisions | [`ViewChain::form`], [`IndexForm`] |
//! | the same in C, Rust, Python, MLIR … | [`IndexForm::render`], [`Render`], [`Language`]; guard and position alone: [`IndexForm::expressions`] |
//! | a view with conditions across axes | [`ViewChain::guarded`], [`GuardedView`] |
//! | one view after cutting axes | [`ViewChain::split`], [`Split`], [`NoSplit`], [`common_split`] |
//! | which axes run through memory as one | [`merge_dims()`] |
//! | the same for a library's own sizes and strides: reshape, broadcast, collapse, overlap | [`mod@strides`] |
//! | linear positions and indices | [`Index`], [`ravel`], [`unravel`], [`Indices`] |
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
//! - `serde` (default): answers, views and ops can be written and read in any
//!   self-describing serde format, JSON for one;
//! - `std` (default): what the dependencies have only with the standard library. Without it
//!   the library needs `alloc`.
//!
//! # Limits
//!
//! A view has at most 2^62 elements and its indices map into ±2^62; larger ones
//! are refused at construction, so nothing later overflows.

#![cfg_attr(not(test), no_std)]
#![warn(clippy::missing_errors_doc, clippy::must_use_candidate, clippy::return_self_not_must_use)]

extern crate alloc;

mod arith;
mod certificate;
mod chain;
mod composite;
mod conditions;
mod dims;
mod equivalent;
mod error;
mod explain;
mod expression;
mod floor;
mod form;
mod index;
mod levelwise;
mod limit;
mod merge;
mod merge_dims;
mod movement;
pub mod reference;
mod region;
mod render;
mod split;
mod staircase;
pub mod strides;
mod system;
mod view;

pub use certificate::{
    Certificate, certify, certify_apart, certify_collision, certify_equivalence,
};
pub use chain::ViewChain;
pub use conditions::{
    Case, Conditions, Equation, Obstacle, OpenChain, Solutions, StridePattern, conditions,
    conditions_by_case, longest_mergeable,
};
pub use dims::{Indices, MAX_ELEMENTS, MAX_POSITION, element_count, ravel, unravel};
pub use equivalent::{Equivalence, equivalent};
pub use error::{Error, NoInverse};
pub use explain::{
    Blame, Carry, CopyPlan, Explanation, OverflowRow, OverflowTable, Reason, Remedies,
    cheapest_copy, explain, overflow_table,
};
pub use expression::{
    Dialect, Domain, Expression, ExpressionCertificate, Extremes, Same, Simplified, Viewed,
};
pub use form::{FloorTerm, Guard, GuardedView, IndexForm, Linear};
pub use index::{Bounds, Index};
pub use limit::Limit;
pub use merge::{Decided, Rung, Verdict, Witness, decide, decide_alone, merge};
pub use merge_dims::{MergedDim, merge_dims};
pub use movement::{Movement, Slice};
pub use render::{Definition, Expressions, Language, Render};
pub use split::{
    CommonSplit, GuardedSplit, NoCommonSplit, NoSplit, PaddedSplit, Split, Splitting, Tiling,
    common_split, split,
};
pub use view::{Validity, View, ViewParts};

/// The examples in README are run with the other examples.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
