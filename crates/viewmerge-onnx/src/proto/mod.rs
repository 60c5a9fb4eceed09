//! The messages of an ONNX file.
//!
//! Every field of the format is here, each with its presence: what was read is what is written,
//! byte for byte, if the writer put the fields in the order of their numbers, as writers do. Kinds of
//! which one at most may be there (of a type, of a size) are fields of their own, so that they keep their
//! places. Numbers of enumerations are plain numbers, so that new ones are kept.
//!
//! Constants are slices of the file's bytes: reading copies no weights.

mod device;
mod graph;
mod tensor;

use prost::Message;

pub use device::{
    DeviceConfiguration, IntIntListEntry, NodeDeviceConfiguration, ShardedDim, ShardingSpec,
    SimpleShardedDim,
};
pub use graph::{Attribute, Function, Graph, Node};
pub use tensor::{
    Dimension, MapType, OpaqueType, OptionalType, Segment, SequenceType, SparseTensor,
    SparseTensorType, Tensor, TensorAnnotation, TensorShape, TensorType, Type, ValueInfo,
};

/// A model: a graph, and what it needs to be read.
#[derive(Clone, PartialEq, Message)]
pub struct Model {
    /// The version of the format itself.
    #[prost(int64, optional, tag = "1")]
    pub ir_version: Option<i64>,
    /// The program that wrote the model.
    #[prost(string, optional, tag = "2")]
    pub producer_name: Option<String>,
    /// The version of that program.
    #[prost(string, optional, tag = "3")]
    pub producer_version: Option<String>,
    /// Whose model it is, as a reversed host name.
    #[prost(string, optional, tag = "4")]
    pub domain: Option<String>,
    /// The version of the model.
    #[prost(int64, optional, tag = "5")]
    pub model_version: Option<i64>,
    /// A text for people.
    #[prost(string, optional, tag = "6")]
    pub doc_string: Option<String>,
    /// The graph that is run.
    #[prost(message, optional, tag = "7")]
    pub graph: Option<Graph>,
    /// The operator sets that nodes refer to.
    #[prost(message, repeated, tag = "8")]
    pub opset_import: Vec<OperatorSetId>,
    /// Further facts, by name.
    #[prost(message, repeated, tag = "14")]
    pub metadata_props: Vec<StringStringEntry>,
    /// How it is trained.
    #[prost(message, repeated, tag = "20")]
    pub training_info: Vec<TrainingInfo>,
    /// Functions that nodes may call.
    #[prost(message, repeated, tag = "25")]
    pub functions: Vec<Function>,
    /// Sets of devices it may be spread over.
    #[prost(message, repeated, tag = "26")]
    pub configuration: Vec<DeviceConfiguration>,
}

/// A version of an operator set.
#[derive(Clone, PartialEq, Message)]
pub struct OperatorSetId {
    /// Which set; none is ONNX's own.
    #[prost(string, optional, tag = "1")]
    pub domain: Option<String>,
    /// The version.
    #[prost(int64, optional, tag = "2")]
    pub version: Option<i64>,
}

/// A name and a text.
#[derive(Clone, PartialEq, Message)]
pub struct StringStringEntry {
    /// The name.
    #[prost(string, optional, tag = "1")]
    pub key: Option<String>,
    /// The text.
    #[prost(string, optional, tag = "2")]
    pub value: Option<String>,
}

/// How a model is trained.
#[derive(Clone, PartialEq, Message)]
pub struct TrainingInfo {
    /// What sets the state up.
    #[prost(message, optional, boxed, tag = "1")]
    pub initialization: Option<Box<Graph>>,
    /// One step.
    #[prost(message, optional, boxed, tag = "2")]
    pub algorithm: Option<Box<Graph>>,
    /// Which results set which constants up.
    #[prost(message, repeated, tag = "3")]
    pub initialization_binding: Vec<StringStringEntry>,
    /// Which results update which constants.
    #[prost(message, repeated, tag = "4")]
    pub update_binding: Vec<StringStringEntry>,
}
