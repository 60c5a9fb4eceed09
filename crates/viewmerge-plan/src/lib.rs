//! How few copies does a graph of tensor operations need, and the proof.

mod error;
pub mod graph;
mod certificate;
mod classes;
mod closure;
mod contract;
mod cores;
mod explain;
mod layout;
pub mod plan;
mod planner;
mod presolve;
mod program;
mod target;

pub use error::{GraphError, PlanError, TargetError};
pub use target::Target;
pub use graph::{Graph, GraphBuilder};
pub use layout::{Digit, Layout};
pub use certificate::certified;
pub use plan::Plan;
pub use planner::{configurations_used, plan};
