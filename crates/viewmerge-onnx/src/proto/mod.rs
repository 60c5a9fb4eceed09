//! The messages of an ONNX file.
//!
//! Every field of the format is here, including whether it is present: a model is written back byte for
//! byte, if its writer put the fields in the order of their numbers, as writers do. Fields that exclude
//! each other (the kinds of a type or of a size) are separate here, so that they keep their places.
//! Enumerations are plain numbers, so that new values are kept.
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

/// A model: a graph, and what is needed to read it.
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
    /// The owner of the model, as a reversed host name.
    #[prost(string, optional, tag = "4")]
    pub domain: Option<String>,
    /// The version of the model.
    #[prost(int64, optional, tag = "5")]
    pub model_version: Option<i64>,
    /// A description for people.
    #[prost(string, optional, tag = "6")]
    pub doc_string: Option<String>,
    /// The graph that is run.
    #[prost(message, optional, tag = "7")]
    pub graph: Option<Graph>,
    /// The operator sets that nodes refer to.
    #[prost(message, repeated, tag = "8")]
    pub opset_import: Vec<OperatorSetId>,
    /// Further properties, by name.
    #[prost(message, repeated, tag = "14")]
    pub metadata_props: Vec<StringStringEntry>,
    /// How it is trained.
    #[prost(message, repeated, tag = "20")]
    pub training_info: Vec<TrainingInfo>,
    /// Functions that nodes may call.
    #[prost(message, repeated, tag = "25")]
    pub functions: Vec<Function>,
    /// Sets of devices over which it may be spread.
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

/// A name and a string.
#[derive(Clone, PartialEq, Message)]
pub struct StringStringEntry {
    /// The name.
    #[prost(string, optional, tag = "1")]
    pub key: Option<String>,
    /// The string.
    #[prost(string, optional, tag = "2")]
    pub value: Option<String>,
}

/// How a model is trained.
#[derive(Clone, PartialEq, Message)]
pub struct TrainingInfo {
    /// The graph that initialises the state.
    #[prost(message, optional, boxed, tag = "1")]
    pub initialization: Option<Box<Graph>>,
    /// The graph of one step.
    #[prost(message, optional, boxed, tag = "2")]
    pub algorithm: Option<Box<Graph>>,
    /// Which results initialise which constants.
    #[prost(message, repeated, tag = "3")]
    pub initialization_binding: Vec<StringStringEntry>,
    /// Which results update which constants.
    #[prost(message, repeated, tag = "4")]
    pub update_binding: Vec<StringStringEntry>,
}
