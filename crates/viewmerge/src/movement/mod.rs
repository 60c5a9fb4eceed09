//! Movement ops on one view.
//!
//! Ops that only rearrange axes or indices (permute, expand, pad, shrink,
//! flip, step, slice, squeeze, unsqueeze) always give one view. Ops that
//! regroup elements (reshape, flatten, unflatten, as_strided) may not: they
//! return a [`Verdict`](crate::Verdict), decided exactly by merging with the view that
//! describes the regrouping.
//!
//! Axes may be counted from the end with negative numbers.

// In the order of the pages of views: ops that rearrange, ops that regroup, ops as data.
mod rearranging;
mod regrouping;

pub(crate) mod args;
#[cfg(feature = "serde")]
mod json;
pub(crate) mod notation;
mod op;
mod spelling;
pub(crate) mod table;

pub use args::Slice;
pub use op::Movement;
