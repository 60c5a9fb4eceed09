//! What can be wrong with a model.

use std::ops::RangeInclusive;
use std::path::PathBuf;

use thiserror::Error;

/// A field that this version does not know; it would be lost when the model is written.
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
    /// A file that cannot be read or written.
    #[error("{}: {error}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What the system said.
        error: std::io::Error,
    },
    /// More bytes than the format can count.
    #[error(
        "the model has {bytes} bytes, accepted: up to {accepted}; larger weights go into external files"
    )]
    FileSize {
        /// How many bytes there are.
        bytes: u64,
        /// The most that are read.
        accepted: u64,
    },
    /// Bytes that are no model.
    #[error("not an ONNX model: byte {at}, in {message}: {what}")]
    Bytes {
        /// Where the field begins.
        at: usize,
        /// The message it is in.
        message: &'static str,
        /// What is wrong.
        what: &'static str,
    },
    /// Fields that hold something else than the format says.
    #[error("not an ONNX model: {what}")]
    Field {
        /// Which field, and what is wrong.
        what: String,
    },
    /// A field that is not known, when the model is written.
    #[error(
        "field {} of {} is not known to this version and would be lost: the model is not written",
        .0.field, .0.message
    )]
    Unknown(Unknown),
    /// A constant whose elements cannot be read.
    #[error("constant {tensor:?}: {what}")]
    Constant {
        /// The constant.
        tensor: String,
        /// What is wrong.
        what: String,
    },
    /// A model without a graph.
    #[error("the model has no graph")]
    NoGraph,
    /// An operator set whose ops are not known.
    #[error(
        "the model uses operator set {}, accepted: {} to {}; \
         onnx.version_converter.convert_version(model, {}) changes it",
        found.map_or("none".into(), |version| version.to_string()), accepted.start(), accepted.end(), accepted.end()
    )]
    Opset {
        /// The version found, if any.
        found: Option<i64>,
        /// The versions that are known.
        accepted: RangeInclusive<i64>,
    },
    /// A name that stands for two tensors.
    #[error("{node} gives tensor {tensor:?}, but that name is taken: names must be given once")]
    Twice {
        /// What gives it the second time.
        node: String,
        /// The name.
        tensor: String,
    },
    /// A name that stands for no tensor.
    #[error(
        "{node} takes tensor {tensor:?}, but there is none of that name: no input, constant or result"
    )]
    Dangling {
        /// What takes it.
        node: String,
        /// The name.
        tensor: String,
    },
    /// Nodes that wait for each other.
    #[error(
        "{node} takes tensor {tensor:?} from {maker}, which itself waits for {node}: the graph has a cycle"
    )]
    Cycle {
        /// One of the nodes.
        node: String,
        /// What it takes.
        tensor: String,
        /// The node that gives it.
        maker: String,
    },
    /// A node that comes before one it takes from.
    #[error(
        "{node} takes tensor {tensor:?} from {maker}, which comes later: nodes must be in the order they run"
    )]
    Order {
        /// The node.
        node: String,
        /// What it takes.
        tensor: String,
        /// The node that gives it.
        maker: String,
    },
    /// A tensor whose shape the file does not say.
    #[error(
        "{node}: the shape of tensor {tensor:?} is not in the file; this writes it: \
         python3 -c 'import onnx; onnx.shape_inference.infer_shapes_path(\"model.onnx\", \"shaped.onnx\", data_prop=True)'"
    )]
    NoShape {
        /// The node that gives it.
        node: String,
        /// The tensor.
        tensor: String,
    },
    /// A size that is known only when the model is run.
    #[error(
        "{node}: axis {axis} of tensor {tensor:?} has the size {size:?}, accepted: numbers; this sets it: python3 -m \
         onnxruntime.tools.make_dynamic_shape_fixed --dim_param {size} --dim_value 1 model.onnx fixed.onnx"
    )]
    Dynamic {
        /// The node that gives it.
        node: String,
        /// The tensor.
        tensor: String,
        /// The axis.
        axis: usize,
        /// The name of the size, or what stands in its place.
        size: String,
    },
    /// A tensor without elements.
    #[error("{node}: axis {axis} of tensor {tensor:?} has size 0, accepted: 1 or more")]
    NoElements {
        /// The node that gives it.
        node: String,
        /// The tensor.
        tensor: String,
        /// The axis.
        axis: usize,
    },
    /// A type of elements that is not known.
    #[error(
        "tensor {tensor:?} has elements of type {element}, accepted: 1 to 28, and tensors only"
    )]
    Element {
        /// The tensor.
        tensor: String,
        /// The type's number.
        element: i32,
    },
    /// A node that is told something wrong.
    #[error("{node}: {what}")]
    Node {
        /// The node.
        node: String,
        /// What is wrong.
        what: String,
    },
    /// A plan that does not fit the model.
    #[error("the plan is not one of this model: {what}")]
    Plan {
        /// What is wrong.
        what: String,
    },
    /// A graph that cannot be planned.
    #[error(transparent)]
    Graph(#[from] viewmerge_plan::GraphError),
}
