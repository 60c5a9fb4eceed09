//! The graph to plan: tensors of known size and operations, independent of any file format.
//!
//! A reader of some format fills a [`GraphBuilder`]; [`GraphBuilder::build`] checks what the
//! planner relies on and puts the operations into an order in which they can run.
//!
//! Invariants of a [`Graph`]:
//! - G1: every name belongs to one tensor; every tensor is a graph input, a constant or the
//!   result of one operation.
//! - G2: operations are in an order in which every operand exists before it is used.
//! - G3: no tensor is empty, and its bytes fit into 2^62.

mod builder;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

pub use self::builder::{GraphBuilder, OpSpec};

/// A tensor of a [`Graph`], by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct TensorId(pub usize);

/// An operation of a [`Graph`], by its number in running order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct OpId(pub usize);

/// A tensor: its name, its size, and whether its values are known.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tensor {
    /// Unique in the graph.
    pub name: String,
    /// The size of every axis; empty for a scalar.
    pub shape: Vec<i64>,
    /// Bytes of one element.
    pub element_bytes: i64,
    /// Whether the values are known before the graph runs, so that they can be stored in any
    /// order.
    #[serde(default)]
    pub constant: bool,
    /// The values of a constant, if the reader provides them: axes, sizes, permutations.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub values: Option<Vec<i64>>,
}

impl Tensor {
    /// How many elements it has.
    #[must_use]
    pub fn elements(&self) -> i64 {
        self.shape.iter().product()
    }

    /// Its size in bytes.
    #[must_use]
    pub fn bytes(&self) -> i64 {
        self.elements() * self.element_bytes
    }
}

/// An attribute of an operation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Attribute {
    /// One integer.
    Int(i64),
    /// Several integers.
    Ints(Vec<i64>),
    /// One number.
    Float(f32),
    /// Several numbers.
    Floats(Vec<f32>),
    /// A word.
    Text(String),
    /// Something that the planner does not read: a tensor, a body. An operation that keeps its
    /// configuration keeps this too.
    Other,
}

/// An operation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Op {
    /// Unique in the graph.
    pub name: String,
    /// `Conv`, `MatMul` …; preceded by its domain if that is not the default:
    /// `com.microsoft.FusedMatMul`.
    pub kind: String,
    /// The attributes by name.
    #[serde(default)]
    pub attributes: BTreeMap<String, Attribute>,
    /// The operands; `None` for a missing one.
    pub inputs: Vec<Option<TensorId>>,
    /// The results; `None` for a missing one.
    pub outputs: Vec<Option<TensorId>>,
}

impl Op {
    /// The integer attribute `name`.
    #[must_use]
    pub fn int(&self, name: &str) -> Option<i64> {
        match self.attributes.get(name) {
            Some(Attribute::Int(value)) => Some(*value),
            _ => None,
        }
    }

    /// The attribute `name`, a list of integers.
    #[must_use]
    pub fn ints(&self, name: &str) -> Option<&[i64]> {
        match self.attributes.get(name) {
            Some(Attribute::Ints(values)) => Some(values),
            _ => None,
        }
    }

    /// The attribute `name`, a word.
    #[must_use]
    pub fn text(&self, name: &str) -> Option<&str> {
        match self.attributes.get(name) {
            Some(Attribute::Text(word)) => Some(word),
            _ => None,
        }
    }

    /// The operand at `place`, unless it is missing.
    #[must_use]
    pub fn input(&self, place: usize) -> Option<TensorId> {
        self.inputs.get(place).copied().flatten()
    }

    /// The result at `place`, unless it is missing.
    #[must_use]
    pub fn output(&self, place: usize) -> Option<TensorId> {
        self.outputs.get(place).copied().flatten()
    }
}

/// A checked graph; the [module](self) lists its invariants.
#[derive(Clone, Debug, PartialEq)]
pub struct Graph {
    pub(crate) opset: i64,
    pub(crate) tensors: Vec<Tensor>,
    pub(crate) ops: Vec<Op>,
    pub(crate) inputs: Vec<TensorId>,
    pub(crate) outputs: Vec<TensorId>,
    pub(crate) producers: Vec<Option<OpId>>,
}

impl Graph {
    /// The version of the operator set; the meaning of some operations depends on it.
    #[must_use]
    pub fn opset(&self) -> i64 {
        self.opset
    }

    /// All tensors, by number.
    #[must_use]
    pub fn tensors(&self) -> &[Tensor] {
        &self.tensors
    }

    /// All operations, in running order.
    #[must_use]
    pub fn ops(&self) -> &[Op] {
        &self.ops
    }

    /// The inputs, row-major.
    #[must_use]
    pub fn inputs(&self) -> &[TensorId] {
        &self.inputs
    }

    /// The outputs, row-major.
    #[must_use]
    pub fn outputs(&self) -> &[TensorId] {
        &self.outputs
    }

    /// The tensor with this number.
    #[must_use]
    pub fn tensor(&self, id: TensorId) -> &Tensor {
        &self.tensors[id.0]
    }

    /// The operation with this number.
    #[must_use]
    pub fn op(&self, id: OpId) -> &Op {
        &self.ops[id.0]
    }

    /// The operation that makes a tensor; `None` for inputs and constants.
    #[must_use]
    pub fn producer(&self, id: TensorId) -> Option<OpId> {
        self.producers[id.0]
    }

    /// The tensor of this name.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<TensorId> {
        self.tensors.iter().position(|tensor| tensor.name == name).map(TensorId)
    }
}
