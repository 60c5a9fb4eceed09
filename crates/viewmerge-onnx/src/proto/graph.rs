//! Graphs, their nodes, and the functions that nodes call.

use bytes::Bytes;
use prost::Message;

use super::{
    NodeDeviceConfiguration, OperatorSetId, SparseTensor, StringStringEntry, Tensor,
    TensorAnnotation, Type, ValueInfo,
};

/// A graph: nodes in an order in which they can run.
#[derive(Clone, PartialEq, Message)]
pub struct Graph {
    /// The nodes, each after those whose results it uses.
    #[prost(message, repeated, tag = "1")]
    pub node: Vec<Node>,
    /// The graph's name.
    #[prost(string, optional, tag = "2")]
    pub name: Option<String>,
    /// Constants, by name.
    #[prost(message, repeated, tag = "5")]
    pub initializer: Vec<Tensor>,
    /// A description for people.
    #[prost(string, optional, tag = "10")]
    pub doc_string: Option<String>,
    /// The inputs of the graph.
    #[prost(message, repeated, tag = "11")]
    pub input: Vec<ValueInfo>,
    /// The outputs of the graph.
    #[prost(message, repeated, tag = "12")]
    pub output: Vec<ValueInfo>,
    /// Types and shapes of intermediate tensors.
    #[prost(message, repeated, tag = "13")]
    pub value_info: Vec<ValueInfo>,
    /// How tensors are quantised.
    #[prost(message, repeated, tag = "14")]
    pub quantization_annotation: Vec<TensorAnnotation>,
    /// Constants with few nonzero elements.
    #[prost(message, repeated, tag = "15")]
    pub sparse_initializer: Vec<SparseTensor>,
    /// Further properties, by name.
    #[prost(message, repeated, tag = "16")]
    pub metadata_props: Vec<StringStringEntry>,
}

/// One op of a graph.
#[derive(Clone, PartialEq, Message)]
pub struct Node {
    /// The tensors it uses, by name; an empty name is a missing operand.
    #[prost(string, repeated, tag = "1")]
    pub input: Vec<String>,
    /// The tensors it makes.
    #[prost(string, repeated, tag = "2")]
    pub output: Vec<String>,
    /// The node's name.
    #[prost(string, optional, tag = "3")]
    pub name: Option<String>,
    /// Which op it is.
    #[prost(string, optional, tag = "4")]
    pub op_type: Option<String>,
    /// The attributes of the op.
    #[prost(message, repeated, tag = "5")]
    pub attribute: Vec<Attribute>,
    /// A description for people.
    #[prost(string, optional, tag = "6")]
    pub doc_string: Option<String>,
    /// The operator set of the op; none is ONNX's own.
    #[prost(string, optional, tag = "7")]
    pub domain: Option<String>,
    /// Which of several functions with the same name.
    #[prost(string, optional, tag = "8")]
    pub overload: Option<String>,
    /// Further properties, by name.
    #[prost(message, repeated, tag = "9")]
    pub metadata_props: Vec<StringStringEntry>,
    /// How the op is spread over devices.
    #[prost(message, repeated, tag = "10")]
    pub device_configurations: Vec<NodeDeviceConfiguration>,
}

/// A named attribute of an op.
#[derive(Clone, PartialEq, Message)]
pub struct Attribute {
    /// The attribute's name.
    #[prost(string, optional, tag = "1")]
    pub name: Option<String>,
    /// A number with a fraction.
    #[prost(float, optional, tag = "2")]
    pub f: Option<f32>,
    /// An integer.
    #[prost(int64, optional, tag = "3")]
    pub i: Option<i64>,
    /// A string.
    #[prost(bytes = "bytes", optional, tag = "4")]
    pub s: Option<Bytes>,
    /// A tensor.
    #[prost(message, optional, boxed, tag = "5")]
    pub t: Option<Box<Tensor>>,
    /// A graph, such as the body of a loop.
    #[prost(message, optional, boxed, tag = "6")]
    pub g: Option<Box<Graph>>,
    /// Several numbers.
    #[prost(float, repeated, packed = "false", tag = "7")]
    pub floats: Vec<f32>,
    /// Several integers.
    #[prost(int64, repeated, packed = "false", tag = "8")]
    pub ints: Vec<i64>,
    /// Several strings.
    #[prost(bytes = "bytes", repeated, tag = "9")]
    pub strings: Vec<Bytes>,
    /// Several tensors.
    #[prost(message, repeated, tag = "10")]
    pub tensors: Vec<Tensor>,
    /// Several graphs.
    #[prost(message, repeated, tag = "11")]
    pub graphs: Vec<Graph>,
    /// A description for people.
    #[prost(string, optional, tag = "13")]
    pub doc_string: Option<String>,
    /// A type.
    #[prost(message, optional, boxed, tag = "14")]
    pub tp: Option<Box<Type>>,
    /// Several types.
    #[prost(message, repeated, tag = "15")]
    pub type_protos: Vec<Type>,
    /// Which of the fields is used.
    #[prost(int32, optional, tag = "20")]
    pub r#type: Option<i32>,
    /// In a function: the attribute of the caller that it refers to.
    #[prost(string, optional, tag = "21")]
    pub ref_attr_name: Option<String>,
    /// A sparse tensor.
    #[prost(message, optional, boxed, tag = "22")]
    pub sparse_tensor: Option<Box<SparseTensor>>,
    /// Several sparse tensors.
    #[prost(message, repeated, tag = "23")]
    pub sparse_tensors: Vec<SparseTensor>,
}

/// A function that nodes may call.
#[derive(Clone, PartialEq, Message)]
pub struct Function {
    /// Its name.
    #[prost(string, optional, tag = "1")]
    pub name: Option<String>,
    /// Its inputs, by name.
    #[prost(string, repeated, tag = "4")]
    pub input: Vec<String>,
    /// Its outputs.
    #[prost(string, repeated, tag = "5")]
    pub output: Vec<String>,
    /// The attributes that it requires.
    #[prost(string, repeated, tag = "6")]
    pub attribute: Vec<String>,
    /// Its body.
    #[prost(message, repeated, tag = "7")]
    pub node: Vec<Node>,
    /// A description for people.
    #[prost(string, optional, tag = "8")]
    pub doc_string: Option<String>,
    /// The operator sets its nodes refer to.
    #[prost(message, repeated, tag = "9")]
    pub opset_import: Vec<OperatorSetId>,
    /// The domain it belongs to.
    #[prost(string, optional, tag = "10")]
    pub domain: Option<String>,
    /// The attributes that it accepts, with their defaults.
    #[prost(message, repeated, tag = "11")]
    pub attribute_proto: Vec<Attribute>,
    /// Types and shapes of intermediate tensors.
    #[prost(message, repeated, tag = "12")]
    pub value_info: Vec<ValueInfo>,
    /// Which of several functions with the same name.
    #[prost(string, optional, tag = "13")]
    pub overload: Option<String>,
    /// Further properties, by name.
    #[prost(message, repeated, tag = "14")]
    pub metadata_props: Vec<StringStringEntry>,
}
