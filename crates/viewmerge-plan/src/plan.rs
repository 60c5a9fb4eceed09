//! The plan: which configuration each operation takes, which layouts each class is stored in, and
//! which copies make them.
//!
//! A *class* is a tensor that an operation makes (or that is given), together with all views of
//! it: Reshape, Transpose and the like vanish from the plan. A class is stored in one or more
//! layouts. Its producer makes the first one, and copies of the first make the others. An emitter
//! walks [`Plan::ops`]; every operand names a stored layout and the shape in which the operation
//! reads it, which is a Reshape of the stored memory.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::graph::{Attribute, OpId, TensorId};
use crate::layout::Layout;
use crate::time::CopyTimes;

pub use crate::permutation::Permutation;

/// Everything an emitter or a report needs.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct Plan {
    /// The name of the target.
    pub target: String,
    /// The copies of the graph as given: every Transpose that moves elements, and other view
    /// operations that must copy.
    pub now: Cost,
    /// The copies of the plan.
    pub least: Cost,
    /// The cost of the plan in bytes: its copies, and what configurations cost by themselves.
    pub cost: i64,
    /// What is proved about that cost.
    pub bound: Bound,
    /// The view classes.
    pub classes: Vec<Class>,
    /// The operations that remain, in running order; view operations are gone.
    pub ops: Vec<PlannedOp>,
    /// For every output of the graph, where it is stored; its layout is row-major.
    pub outputs: Vec<Place>,
    /// The copies that remain, each with the reason.
    pub copies: Vec<Copy>,
    /// Operations without a known contract, which are kept row-major.
    pub unknown: Vec<OpId>,
    /// View operations whose digits do not split: each of them copies, whatever the layouts are.
    pub refused: Vec<Refused>,
    /// How long copies take on the target, if that is known.
    pub copy_times: Option<CopyTimes>,
}

/// A view operation that is itself a copy.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Refused {
    /// The operation.
    pub op: OpId,
    /// The bytes it writes.
    pub bytes: i64,
    /// The witness that its digits do not split.
    pub witness: String,
}

/// A number of copies, and the bytes they write.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Cost {
    /// How many copies.
    pub copies: i64,
    /// The bytes they write.
    pub bytes: i64,
}

/// Lower bounds in bytes, including the costs of configurations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Bound {
    /// No plan over the layouts considered costs less.
    pub considered: i64,
    /// No plan over any layouts costs less.
    pub all_layouts: i64,
}

/// A class: one tensor and its views.
#[derive(Clone, Debug, Serialize)]
pub struct Class {
    /// The tensor that is computed or given.
    pub root: TensorId,
    /// The root and all views of it.
    pub members: Vec<TensorId>,
    /// Bytes of one stored layout.
    pub bytes: i64,
    /// Whether it is a constant, which is stored as its users want it, at no cost.
    pub constant: bool,
    /// How many layouts were considered.
    pub considered: usize,
    /// The layouts it is stored in; the first is made by the producer.
    pub stored: Vec<Stored>,
}

/// A layout a class is stored in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Stored {
    /// Digits of the root's row-major index, slowest in memory first.
    pub layout: Layout,
    /// `None` for the first layout; otherwise how it is copied from the first.
    pub copy: Option<Permutation>,
}

/// A stored layout of a class: [`Plan::classes`]`[class].stored[layout]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Place {
    /// The class.
    pub class: usize,
    /// Which of its stored layouts.
    pub layout: usize,
}

/// What an operation reads.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Source {
    /// A stored layout.
    Stored(Place),
    /// A constant, permuted or as it is: read it in `permutation.shape`, permute it, and write it
    /// in the operand's shape.
    Constant {
        /// The constant: an initializer of the graph, or a view of one.
        tensor: TensorId,
        /// How its elements are permuted; `None` if they stay as they are.
        permutation: Option<Permutation>,
    },
    /// Integers made for this configuration: axes, sizes, pads.
    Values(Vec<i64>),
}

/// An operand of a planned operation.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Operand {
    /// Where it comes from.
    pub source: Source,
    /// The shape in which the operation reads it.
    pub shape: Vec<i64>,
}

/// A result of a planned operation.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Output {
    /// Where it is stored.
    pub place: Place,
    /// The shape in which the operation writes it.
    pub shape: Vec<i64>,
}

/// An operation with its configuration.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct PlannedOp {
    /// The operation of the graph.
    pub op: OpId,
    /// The kind to write, which may differ from the graph's (a 1×1 Conv becomes a Gemm).
    pub kind: String,
    /// The attributes to write.
    pub attributes: BTreeMap<String, Attribute>,
    /// The operands.
    pub inputs: Vec<Option<Operand>>,
    /// The results.
    pub outputs: Vec<Option<Output>>,
    /// The name of the configuration in the target's table.
    pub configuration: String,
    /// What the configuration costs by itself, in bytes.
    pub cost: i64,
}

/// A copy that remains, and why.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Copy {
    /// The layout it makes.
    pub place: Place,
    /// The bytes it writes.
    pub bytes: i64,
    /// A sentence about the two contracts that conflict and the operations between them.
    pub reason: String,
}
