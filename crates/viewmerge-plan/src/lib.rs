//! How few copies does a graph of tensor operations need, and the proof.

mod certificate;
mod classes;
mod closure;
mod contract;
mod error;
mod explain;
pub mod graph;
mod layout;
pub mod plan;
mod planner;
mod presolve;
mod program;
mod target;

pub use certificate::certified;
pub use error::{GraphError, PlanError, TargetError};
pub use graph::{Graph, GraphBuilder};
pub use layout::{Digit, Layout};
pub use plan::Plan;
pub use planner::{configurations_used, plan};
pub use target::Target;
