//! What can be wrong with a graph or a target.

use thiserror::Error;

/// Why a graph cannot be planned: what is wrong and where.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum GraphError {
    /// An operation names a tensor that was not declared.
    #[error("operation {op:?} names tensor {tensor:?}, which is not in the graph")]
    UnknownTensor {
        /// The operation.
        op: String,
        /// What it names.
        tensor: String,
    },
    /// An input or output of the graph names a tensor that was not declared.
    #[error("the graph's {end} {tensor:?} is not among its tensors")]
    UnknownEnd {
        /// `input` or `output`.
        end: &'static str,
        /// What it names.
        tensor: String,
    },
    /// Two tensors share a name, or one has none.
    #[error("tensor name {tensor:?} is empty or given twice")]
    DuplicateTensor {
        /// The name.
        tensor: String,
    },
    /// Two operations share a name.
    #[error("operation name {op:?} is given twice")]
    DuplicateOp {
        /// The name.
        op: String,
    },
    /// A tensor without elements.
    #[error("tensor {tensor:?} has size {size} along axis {axis}; sizes must be at least 1")]
    Empty {
        /// The tensor.
        tensor: String,
        /// The axis.
        axis: usize,
        /// Its size.
        size: i64,
    },
    /// A tensor of more bytes than can be counted.
    #[error("tensor {tensor:?} of shape {shape:?} takes more than 2^60 bytes")]
    TooLarge {
        /// The tensor.
        tensor: String,
        /// Its shape.
        shape: Vec<i64>,
    },
    /// A tensor whose elements take no bytes.
    #[error("the elements of tensor {tensor:?} take {bytes} bytes; at least 1 is needed")]
    NoElementSize {
        /// The tensor.
        tensor: String,
        /// What was given.
        bytes: i64,
    },
    /// Values that do not fill their tensor.
    #[error("tensor {tensor:?} has {elements} elements, but {values} values are given")]
    ValueCount {
        /// The tensor.
        tensor: String,
        /// How many values are given.
        values: usize,
        /// How many it has.
        elements: i64,
    },
    /// A tensor with two origins.
    #[error("operation {op:?} makes tensor {tensor:?}, which already has its values elsewhere")]
    MadeTwice {
        /// The second operation.
        op: String,
        /// The tensor.
        tensor: String,
    },
    /// A tensor without origin.
    #[error("{user:?} uses tensor {tensor:?}, but it is no input, no constant and no result")]
    NeverMade {
        /// Who uses it.
        user: String,
        /// The tensor.
        tensor: String,
    },
    /// Operations that wait for each other.
    #[error("operation {op:?} waits for its own result")]
    Cycle {
        /// One of them, or one that waits for them.
        op: String,
    },
}
