//! Constants, types and shapes.

use bytes::Bytes;
use prost::Message;

use super::StringStringEntry;

/// A constant tensor, row-major.
#[derive(Clone, PartialEq, Message)]
pub struct Tensor {
    /// The sizes of the axes.
    #[prost(int64, repeated, packed = "false", tag = "1")]
    pub dims: Vec<i64>,
    /// The type of the elements, by number.
    #[prost(int32, optional, tag = "2")]
    pub data_type: Option<i32>,
    /// Which part of a larger tensor it is.
    #[prost(message, optional, tag = "3")]
    pub segment: Option<Segment>,
    /// Elements of types that fit into a float.
    #[prost(float, repeated, packed = "true", tag = "4")]
    pub float_data: Vec<f32>,
    /// Elements of types that fit into 32 bits.
    #[prost(int32, repeated, packed = "true", tag = "5")]
    pub int32_data: Vec<i32>,
    /// String elements.
    #[prost(bytes = "bytes", repeated, tag = "6")]
    pub string_data: Vec<Bytes>,
    /// Signed 64-bit elements.
    #[prost(int64, repeated, packed = "true", tag = "7")]
    pub int64_data: Vec<i64>,
    /// The tensor's name.
    #[prost(string, optional, tag = "8")]
    pub name: Option<String>,
    /// The elements as in memory, little endian.
    #[prost(bytes = "bytes", optional, tag = "9")]
    pub raw_data: Option<Bytes>,
    /// Double-precision elements.
    #[prost(double, repeated, packed = "true", tag = "10")]
    pub double_data: Vec<f64>,
    /// Unsigned elements.
    #[prost(uint64, repeated, packed = "true", tag = "11")]
    pub uint64_data: Vec<u64>,
    /// A description for people.
    #[prost(string, optional, tag = "12")]
    pub doc_string: Option<String>,
    /// Where the elements are, if in another file.
    #[prost(message, repeated, tag = "13")]
    pub external_data: Vec<StringStringEntry>,
    /// Whether the elements are here (0) or in another file (1).
    #[prost(int32, optional, tag = "14")]
    pub data_location: Option<i32>,
    /// Further properties, by name.
    #[prost(message, repeated, tag = "16")]
    pub metadata_props: Vec<StringStringEntry>,
}

/// A part of a tensor.
#[derive(Clone, PartialEq, Message)]
pub struct Segment {
    /// The first element.
    #[prost(int64, optional, tag = "1")]
    pub begin: Option<i64>,
    /// One past the last.
    #[prost(int64, optional, tag = "2")]
    pub end: Option<i64>,
}

/// A constant tensor with few nonzero elements.
#[derive(Clone, PartialEq, Message)]
pub struct SparseTensor {
    /// The elements.
    #[prost(message, optional, boxed, tag = "1")]
    pub values: Option<Box<Tensor>>,
    /// Where they are.
    #[prost(message, optional, boxed, tag = "2")]
    pub indices: Option<Box<Tensor>>,
    /// The sizes of the axes.
    #[prost(int64, repeated, packed = "false", tag = "3")]
    pub dims: Vec<i64>,
}

/// How a tensor is quantised.
#[derive(Clone, PartialEq, Message)]
pub struct TensorAnnotation {
    /// The tensor.
    #[prost(string, optional, tag = "1")]
    pub tensor_name: Option<String>,
    /// The tensors that hold its scale and zero point.
    #[prost(message, repeated, tag = "2")]
    pub quant_parameter_tensor_names: Vec<StringStringEntry>,
}

/// The type of a tensor of the graph.
#[derive(Clone, PartialEq, Message)]
pub struct ValueInfo {
    /// The tensor's name.
    #[prost(string, optional, tag = "1")]
    pub name: Option<String>,
    /// Its type.
    #[prost(message, optional, tag = "2")]
    pub r#type: Option<Type>,
    /// A description for people.
    #[prost(string, optional, tag = "3")]
    pub doc_string: Option<String>,
    /// Further properties, by name.
    #[prost(message, repeated, tag = "4")]
    pub metadata_props: Vec<StringStringEntry>,
}

/// A type; exactly one of the kinds is present.
#[derive(Clone, PartialEq, Message)]
pub struct Type {
    /// A tensor.
    #[prost(message, optional, tag = "1")]
    pub tensor_type: Option<TensorType>,
    /// A sequence.
    #[prost(message, optional, boxed, tag = "4")]
    pub sequence_type: Option<Box<SequenceType>>,
    /// A map.
    #[prost(message, optional, boxed, tag = "5")]
    pub map_type: Option<Box<MapType>>,
    /// What it stands for.
    #[prost(string, optional, tag = "6")]
    pub denotation: Option<String>,
    /// A type that only its own ops understand.
    #[prost(message, optional, tag = "7")]
    pub opaque_type: Option<OpaqueType>,
    /// A sparse tensor.
    #[prost(message, optional, tag = "8")]
    pub sparse_tensor_type: Option<SparseTensorType>,
    /// Something that may be missing.
    #[prost(message, optional, boxed, tag = "9")]
    pub optional_type: Option<Box<OptionalType>>,
}

/// The type of a tensor.
#[derive(Clone, PartialEq, Message)]
pub struct TensorType {
    /// The type of the elements, by number.
    #[prost(int32, optional, tag = "1")]
    pub elem_type: Option<i32>,
    /// The sizes of the axes, if known.
    #[prost(message, optional, tag = "2")]
    pub shape: Option<TensorShape>,
}

/// The type of a sequence.
#[derive(Clone, PartialEq, Message)]
pub struct SequenceType {
    /// The type of its members.
    #[prost(message, optional, boxed, tag = "1")]
    pub elem_type: Option<Box<Type>>,
}

/// The type of a map.
#[derive(Clone, PartialEq, Message)]
pub struct MapType {
    /// The type of the keys, by number.
    #[prost(int32, optional, tag = "1")]
    pub key_type: Option<i32>,
    /// The type of the values.
    #[prost(message, optional, boxed, tag = "2")]
    pub value_type: Option<Box<Type>>,
}

/// The type of something that may be missing.
#[derive(Clone, PartialEq, Message)]
pub struct OptionalType {
    /// The type of the value, if present.
    #[prost(message, optional, boxed, tag = "1")]
    pub elem_type: Option<Box<Type>>,
}

/// The type of a sparse tensor.
#[derive(Clone, PartialEq, Message)]
pub struct SparseTensorType {
    /// The type of the elements, by number.
    #[prost(int32, optional, tag = "1")]
    pub elem_type: Option<i32>,
    /// The sizes of the axes, if known.
    #[prost(message, optional, tag = "2")]
    pub shape: Option<TensorShape>,
}

/// A type that only its own ops understand.
#[derive(Clone, PartialEq, Message)]
pub struct OpaqueType {
    /// The domain it belongs to.
    #[prost(string, optional, tag = "1")]
    pub domain: Option<String>,
    /// Its name.
    #[prost(string, optional, tag = "2")]
    pub name: Option<String>,
}

/// The sizes of axes.
#[derive(Clone, PartialEq, Message)]
pub struct TensorShape {
    /// One for every axis.
    #[prost(message, repeated, tag = "1")]
    pub dim: Vec<Dimension>,
}

/// The size of an axis: a number, a name, or unknown.
#[derive(Clone, PartialEq, Message)]
pub struct Dimension {
    /// The size.
    #[prost(int64, optional, tag = "1")]
    pub dim_value: Option<i64>,
    /// The name of a size that is known only at run time.
    #[prost(string, optional, tag = "2")]
    pub dim_param: Option<String>,
    /// What the axis stands for.
    #[prost(string, optional, tag = "3")]
    pub denotation: Option<String>,
}
