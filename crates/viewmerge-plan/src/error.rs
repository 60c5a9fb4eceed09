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
        /// The name it uses.
        tensor: String,
    },
    /// An input or output of the graph names a tensor that was not declared.
    #[error("the graph's {end} {tensor:?} is not among its tensors")]
    UnknownEnd {
        /// `input` or `output`.
        end: &'static str,
        /// The name it uses.
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
    /// A tensor has no elements.
    #[error("tensor {tensor:?} has size {size} along axis {axis}; sizes must be at least 1")]
    Empty {
        /// The tensor.
        tensor: String,
        /// The axis.
        axis: usize,
        /// Its size.
        size: i64,
    },
    /// A tensor has too many bytes to count.
    #[error("tensor {tensor:?} of shape {shape:?} takes more than 2^60 bytes")]
    TooLarge {
        /// The tensor.
        tensor: String,
        /// Its shape.
        shape: Vec<i64>,
    },
    /// The elements of a tensor take no bytes.
    #[error("the elements of tensor {tensor:?} take {bytes} bytes; at least 1 is needed")]
    NoElementSize {
        /// The tensor.
        tensor: String,
        /// What was given.
        bytes: i64,
    },
    /// The number of values does not match the tensor.
    #[error("tensor {tensor:?} has {elements} elements, but {values} values are given")]
    ValueCount {
        /// The tensor.
        tensor: String,
        /// How many values are given.
        values: usize,
        /// How many elements it has.
        elements: i64,
    },
    /// A tensor has two sources.
    #[error("operation {op:?} makes tensor {tensor:?}, which already has its values elsewhere")]
    MadeTwice {
        /// The second operation.
        op: String,
        /// The tensor.
        tensor: String,
    },
    /// A tensor has no source.
    #[error("{user:?} uses tensor {tensor:?}, but it is not an input, a constant or a result")]
    NeverMade {
        /// What uses it.
        user: String,
        /// The tensor.
        tensor: String,
    },
    /// Operations wait for each other.
    #[error("operation {op:?} waits for its own result")]
    Cycle {
        /// One of them, or one that waits for them.
        op: String,
    },
}

/// Why a graph has no plan.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PlanError {
    /// An attribute does not fit the operands.
    #[error("operation {op:?}: {what}")]
    Attribute {
        /// The operation.
        op: String,
        /// What does not fit.
        what: String,
    },
    /// A view has a different number of elements than its operand.
    #[error(
        "operation {op:?} makes shape {to:?} of shape {from:?}, which has a different number of elements"
    )]
    Elements {
        /// The operation.
        op: String,
        /// The operand's shape.
        from: Vec<i64>,
        /// The result's shape.
        to: Vec<i64>,
    },
    /// The sizes of the graph's tensors together are too large.
    #[error("the tensors of the graph take more than 2^60 bytes together")]
    TooLarge,
    /// The solver failed, which should not happen.
    #[error("the linear program could not be solved: {reason}")]
    Solver {
        /// What the solver said.
        reason: String,
    },
}

/// Why a target's table cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum TargetError {
    /// The text is not TOML, or has values of the wrong types.
    #[error("the target is not a table of costs: {0}")]
    Syntax(String),
    /// No target of that name is built in.
    #[error("no target is called {name:?}; there are onnx, ort-cpu and nhwc")]
    Unknown {
        /// The name.
        name: String,
    },
    /// The family does not exist.
    #[error("the target names the family {family:?}; there are {known}")]
    Family {
        /// The name.
        family: String,
        /// All families.
        known: String,
    },
    /// The family has no such configuration.
    #[error("family {family:?} has no configuration {configuration:?}; there are {known}")]
    Configuration {
        /// The family.
        family: String,
        /// The name.
        configuration: String,
        /// All of its configurations.
        known: String,
    },
    /// A cost is negative or too large.
    #[error("{family}.{configuration} costs {percent} percent; 0 to 100000 is accepted")]
    Cost {
        /// The family.
        family: String,
        /// The configuration.
        configuration: String,
        /// What was given.
        percent: i64,
    },
}
