//! How few copies does a graph of tensor operations need, and the proof.

mod error;
pub mod graph;
mod layout;
pub mod plan;

pub use error::GraphError;
pub use graph::{Graph, GraphBuilder};
pub use layout::{Digit, Layout};
pub use plan::Plan;
