//! Why a merge works or fails, which axes are to blame, and what would make it work.
//!
//! - [`overflow_table`]: how the digits of v₁ move, index by index, and the
//!   equation that each overflow gives;
//! - [`explain`](explain()): a chain, one view or not, line by line, in the ops that made it;
//! - [`cheapest_copy`]: where to materialise so that the rest is one view.

mod because;
mod blame;
mod columns;
mod copy;
mod levels;
mod lines;
mod reason;
mod remedies;
mod stages;
mod steps;
mod table;
#[cfg(feature = "serde")]
mod wide;

pub use because::Reason;
pub use blame::Blame;
pub use copy::{CopyPlan, cheapest_copy};
pub use levels::Carry;
pub use lines::{Lines, ViewLine};
pub(crate) use reason::explain_chain;
pub use reason::{Explanation, explain};
pub use remedies::{OtherStride, Remedies, ShorterAxis, SplitAxes};
pub use stages::{Regrouped, Stage};
pub use steps::DigitStep;
pub use table::{OverflowRow, OverflowTable, overflow_table};
