//! Reads and writes ONNX models without loss, and plans the copies of their graphs.

pub mod fuzz;
pub mod proto;
pub mod report;

mod attribute;
mod bodies;
mod constant;
mod convert;
mod emit;
mod error;
mod fold;
mod model;
mod names;
mod node;
mod order;
mod save;
mod schema;
mod tensors;
mod wire;

pub use convert::Converted;
pub use emit::{Emitted, emit};
pub use error::{Error, Unknown};
pub use model::Model;
