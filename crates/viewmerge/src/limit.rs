//! How much work a question may take: the limits of the solver, for every question.

pub use lattice_point::Limit;
pub(crate) use lattice_point::{Exhausted, Meter};
