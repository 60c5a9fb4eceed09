//! Why a merge works or fails, which axes are to blame, and what would make it work.
//!
//! - [`overflow_table`]: how the digits of v₁ move, index by index, and the
//!   equation that each overflow gives;
//! - [`explain`](explain()): one paragraph on a chain, one view or not;
//! - [`cheapest_copy`]: where to materialise so that the rest is one view.

mod because;
mod columns;
mod copy;
mod levels;
mod reason;
mod remedies;
mod table;
#[cfg(feature = "serde")]
mod wide;

pub use because::{Carry, Reason};
pub(crate) use copy::find_cheapest_copy;
pub use copy::{CopyPlan, cheapest_copy};
pub(crate) use reason::find_reasons;
pub use reason::{Blame, Explanation, explain};
pub use remedies::{OtherStride, Remedies, ShorterAxis};
pub use table::{OverflowRow, OverflowTable, overflow_table};
