//! Why a merge works or fails, which axes are to blame, and what would make it work.
//!
//! - [`overflow_table`](crate::OpenChain::overflow_table): how the digits of v₁ move, index by index, and the
//!   equation that each overflow gives;
//! - [`explain`](crate::ViewChain::explain): why a chain is or is not one view, in terms of the ops that made it;
//! - [`cheapest_copy`](crate::ViewChain::cheapest_copy): where to materialise so that the rest is one view.

mod blame;
mod columns;
mod copy;
mod explanation;
mod levels;
mod lines;
mod reasons;
mod remedies;
mod stages;
mod steps;
mod table;
#[cfg(feature = "serde")]
mod wide_integer;

pub use blame::Blame;
pub use copy::CopyPlan;
pub use explanation::Explanation;
pub use levels::Carry;
pub use lines::{Lines, ViewLine};
pub use reasons::Reason;
pub use remedies::{OtherStride, Remedies, ShorterAxis, SplitAxes};
pub use stages::{Regrouped, Stage};
pub use steps::DigitStep;
pub use table::{OverflowRow, OverflowTable};
