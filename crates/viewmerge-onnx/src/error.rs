//! What can be wrong with a model.

use std::ops::RangeInclusive;
use std::path::PathBuf;

use thiserror::Error;

/// A field that this version does not know, which would be lost when the model is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Unknown {
    /// The message it is in.
    pub message: &'static str,
    /// Its number.
    pub field: u32,
}

/// Why a model was not read, planned or written.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum Error {
    /// A file cannot be read or written.
    #[error("{}: {error}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What the system said.
        error: std::io::Error,
    },
    /// The model has more bytes than the format can count.
    #[error(
        "the model has {bytes} bytes, accepted: up to {accepted}; larger weights go into external files"
    )]
    FileSize {
        /// The number of bytes.
        bytes: u64,
        /// The most bytes that are read.
        accepted: u64,
    },
    /// The bytes are not a model.
    #[error("not an ONNX model: byte {at}, in {message}: {what}")]
    Bytes {
        /// Where the field begins.
        at: usize,
        /// The message it is in.
        message: &'static str,
        /// What is wrong.
        what: &'static str,
    },
    /// A field has a value that the format does not allow.
    #[error("not an ONNX model: {what}")]
    Field {
        /// Which field, and what is wrong.
        what: String,
    },
    /// The model to be written has an unknown field.
    #[error(
        "field {} of {} is not known to this version and would be lost: the model is not written",
        .0.field, .0.message
    )]
    Unknown(Unknown),
    /// The elements of a constant cannot be read.
    #[error("constant {tensor:?}: {what}")]
    Constant {
        /// The constant.
        tensor: String,
        /// What is wrong.
        what: String,
    },
    /// The model has no graph.
    #[error("the model has no graph")]
    NoGraph,
    /// The operator set is not supported.
    #[error(
        "the model uses operator set {}, accepted: {} to {}; \
         onnx.version_converter.convert_version(model, {}) changes it",
        found.map_or("none".into(), |version| version.to_string()), accepted.start(), accepted.end(), accepted.end()
    )]
    Opset {
        /// The version found, if any.
        found: Option<i64>,
        /// The supported versions.
        accepted: RangeInclusive<i64>,
    },
    /// Two tensors have the same name.
    #[error("{node} defines tensor {tensor:?}, but that name is already taken")]
    Twice {
        /// What defines it the second time.
        node: String,
        /// The name.
        tensor: String,
    },
    /// No tensor has this name.
    #[error("{node} uses tensor {tensor:?}, but no input, constant or result has that name")]
    Dangling {
        /// What uses it.
        node: String,
        /// The name.
        tensor: String,
    },
    /// Nodes wait for each other.
    #[error(
        "{node} uses tensor {tensor:?} of {maker}, which itself waits for {node}: the graph has a cycle"
    )]
    Cycle {
        /// One of the nodes.
        node: String,
        /// The tensor it uses.
        tensor: String,
        /// The node that makes it.
        maker: String,
    },
    /// A node comes before one whose result it uses.
    #[error(
        "{node} uses tensor {tensor:?} of {maker}, which comes later: nodes must be in the order they run"
    )]
    Order {
        /// The node.
        node: String,
        /// The tensor it uses.
        tensor: String,
        /// The node that makes it.
        maker: String,
    },
    /// The file does not give the shape of a tensor.
    #[error(
        "{node}: the shape of tensor {tensor:?} is not in the file; this writes it: \
         python3 -c 'import onnx; onnx.shape_inference.infer_shapes_path(\"model.onnx\", \"shaped.onnx\", data_prop=True)'"
    )]
    NoShape {
        /// The node that makes it.
        node: String,
        /// The tensor.
        tensor: String,
    },
    /// A size is known only when the model runs.
    #[error(
        "{node}: axis {axis} of tensor {tensor:?} has the size {size:?}, accepted: numbers; this sets it: python3 -m \
         onnxruntime.tools.make_dynamic_shape_fixed --dim_param {size} --dim_value 1 model.onnx fixed.onnx"
    )]
    Dynamic {
        /// The node that makes it.
        node: String,
        /// The tensor.
        tensor: String,
        /// The axis.
        axis: usize,
        /// The name of the size, or what replaces it.
        size: String,
    },
    /// A tensor has no elements.
    #[error("{node}: axis {axis} of tensor {tensor:?} has size 0, accepted: 1 or more")]
    NoElements {
        /// The node that makes it.
        node: String,
        /// The tensor.
        tensor: String,
        /// The axis.
        axis: usize,
    },
    /// The element type is unknown.
    #[error(
        "tensor {tensor:?} has elements of type {element}, accepted: 1 to 28, and tensors only"
    )]
    Element {
        /// The tensor.
        tensor: String,
        /// The type's number.
        element: i32,
    },
    /// A node has an invalid attribute or operand.
    #[error("{node}: {what}")]
    Node {
        /// The node.
        node: String,
        /// What is wrong.
        what: String,
    },
    /// The plan does not fit the model.
    #[error("the plan does not belong to this model: {what}")]
    Plan {
        /// What is wrong.
        what: String,
    },
    /// The graph cannot be planned.
    #[error(transparent)]
    Graph(#[from] viewmerge_plan::GraphError),
}
