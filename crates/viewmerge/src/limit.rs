//! How much work a question may take.
//!
//! Every question that searches takes a [`Limit`] as its last argument: a number of steps, a
//! flag that another thread may raise, both, or neither. One meter goes through everything a
//! question is made of. A question that reaches its limit fails with
//! [`Error::Undecided`](crate::Error::Undecided); no answer is ever guessed.
//!
//! Example: `(10,3,3):(8,1,2)` seen through `(4):(4)` takes a handful of steps, so
//! [`Limit::steps`] of 100 changes nothing, and of 0 leaves it undecided.
//!
//! A limit is needed because no test is fast on every input unless P = NP.
//! Proved: `subset_sum_reduction`, `reduction_sizes`, `reduction_digits`
//! (proofs/theories/Hardness.v).

pub(crate) use lattice_point::Meter;
pub use lattice_point::{Exhausted, Limit};
