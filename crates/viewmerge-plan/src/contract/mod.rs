//! Contracts: the layouts in which an operation takes its operands and makes its results.
//!
//! A *configuration* gives a layout to every operand and result that is not a constant. A
//! contract enumerates configurations: given the layouts known so far, it determines the layouts
//! that the other ends need. Once a configuration is chosen, the contract rewrites the operation
//! for it: shapes, attributes, and the order of constants.
//!
//! | family | file |
//! |---|---|
//!  one order for all ends: elementwise, reductions, Softmax, norms, pools, Concat, Slice … | `order.rs`; written by `emit.rs`, `cuts.rs` |
//! | operand and constant weights: MatMul, Gemm, Conv, embeddings | `linear.rs`; written by `weights.rs` |
//! | MatMul of two activations | `matmul.rs` |
//! | everything else: row-major | here |
//!
//! Which contract an operation has: `build.rs`, with `families.rs`, `resize.rs` and
//! `products.rs`.

mod build;
mod cuts;
mod emit;
mod families;
mod linear;
mod matmul;
mod order;
mod products;
mod resize;
mod weights;

use std::collections::BTreeMap;

pub(crate) use build::{Site, contract, copy};
pub(crate) use cuts::common_divisor;

use crate::graph::{Attribute, Graph, Op, TensorId};
use crate::layout::{AxisDigit, Layout};

/// An operand or result of an operation that is not a constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slot {
    /// Whether it is an operand.
    pub input: bool,
    /// Its number among the operands or results.
    pub number: usize,
    /// The tensor.
    pub tensor: TensorId,
}

/// A layout for every slot, each of the slot's own row-major index.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Configuration {
    /// The layouts, slot by slot.
    pub layouts: Vec<Layout>,
    /// Its name in the target's table.
    pub name: &'static str,
    /// What it costs by itself, in bytes.
    pub cost: i64,
}

/// An operation rewritten for a configuration.
#[derive(Clone, Debug, PartialEq)]
pub struct Rewritten {
    /// The kind to write.
    pub kind: String,
    /// The attributes to write.
    pub attributes: BTreeMap<String, Attribute>,
    /// The operands.
    pub inputs: Vec<Option<RewrittenInput>>,
    /// The shapes of the results.
    pub outputs: Vec<Option<Vec<i64>>>,
}

/// An operand rewritten for a configuration.
#[derive(Clone, Debug, PartialEq)]
pub enum RewrittenInput {
    /// What is stored for this slot, read in this shape.
    Stored(usize, Vec<i64>),
    /// A constant in this layout of its own index, read in this shape.
    Constant(TensorId, Layout, Vec<i64>),
    /// Integers, in this shape.
    Values(Vec<i64>, Vec<i64>),
}

/// Blocks of axes, slowest in memory first.
pub(crate) type Form = Vec<Vec<usize>>;

/// What an operation requires of a layout at a slot, whatever else it chooses.
#[derive(Clone, Debug)]
pub struct Hold {
    /// The shape of the tensor, possibly with axes joined or cut.
    pub shape: Vec<i64>,
    /// The blocks of axes, slowest in memory first: one of these forms. If there is none, the
    /// layout must be row-major.
    pub forms: Vec<Form>,
    /// What it costs to avoid the requirement.
    pub escape: Option<i64>,
}

/// What an operation accepts and makes.
pub trait Contract {
    /// The ends that have a layout.
    fn slots(&self) -> &[Slot];

    /// All configurations to which the known layouts of each slot lead. The layouts of a
    /// configuration need not be among these.
    fn configurations(&self, known: &[Vec<Layout>]) -> Vec<Configuration>;

    /// The operation for one of its configurations; `None` if it does not have this
    /// configuration.
    fn rewritten(&self, configuration: &Configuration) -> Option<Rewritten>;

    /// What all of its configurations require of the layout at a slot, over all layouts; `None`
    /// if that is not known.
    fn hold(&self, slot: usize) -> Option<Hold> {
        let _ = slot;
        None
    }

    /// Digits of one slot's index that are digits of another slot's index and have the same order
    /// there: (place, place there, size), in lists that each keep their order.
    fn carries(&self, from: usize, to: usize) -> Vec<Vec<(i64, i64, i64)>> {
        let _ = (from, to);
        Vec::new()
    }

    /// What it wants of the layout at a slot, in words that follow "Conv_12 wants".
    fn wants(&self, slot: usize) -> String;
}

/// Row-major at every end, which is always possible, and all that is known about most operations.
pub(crate) struct RowMajor {
    pub slots: Vec<Slot>,
    pub elements: Vec<i64>,
    pub given: Rewritten,
    pub name: &'static str,
    pub cost: i64,
}

impl RowMajor {
    /// An operation as the graph gives it.
    pub fn new(graph: &Graph, op: &Op, slots: Vec<Slot>) -> RowMajor {
        let elements = slots.iter().map(|slot| graph.tensor(slot.tensor).elements()).collect();
        let given = as_given(graph, op, &slots);
        RowMajor { slots, elements, given, name: "as given", cost: 0 }
    }
}

/// The operation unchanged.
pub(crate) fn as_given(graph: &Graph, op: &Op, slots: &[Slot]) -> Rewritten {
    let operand = |(number, id): (usize, &Option<TensorId>)| {
        let id = (*id)?;
        let tensor = graph.tensor(id);
        Some(match slots.iter().position(|slot| slot.input && slot.number == number) {
            Some(slot) => RewrittenInput::Stored(slot, tensor.shape.clone()),
            None => {
                let layout = Layout::row_major(tensor.elements());
                RewrittenInput::Constant(id, layout, tensor.shape.clone())
            }
        })
    };
    Rewritten {
        kind: op.kind.clone(),
        attributes: op.attributes.clone(),
        inputs: op.inputs.iter().enumerate().map(operand).collect(),
        outputs: op.outputs.iter().map(|id| id.map(|id| graph.tensor(id).shape.clone())).collect(),
    }
}

impl Contract for RowMajor {
    fn slots(&self) -> &[Slot] {
        &self.slots
    }

    fn configurations(&self, _known: &[Vec<Layout>]) -> Vec<Configuration> {
        let layouts = self.elements.iter().map(|&elements| Layout::row_major(elements)).collect();
        vec![Configuration { layouts, name: self.name, cost: self.cost }]
    }

    fn rewritten(&self, _configuration: &Configuration) -> Option<Rewritten> {
        Some(self.given.clone())
    }

    fn hold(&self, slot: usize) -> Option<Hold> {
        let shape = vec![self.elements[slot]];
        Some(Hold { shape, forms: Vec::new(), escape: None })
    }

    fn wants(&self, _slot: usize) -> String {
        "row-major".into()
    }
}

/// A requirement by forms, if the tensor as given has one of them; otherwise the operation as
/// given is a configuration of its own.
pub(crate) fn held(shape: &[i64], forms: Vec<Form>, escape: Option<i64>) -> Option<Hold> {
    let fits = forms.iter().any(|form| is_given(shape, form));
    fits.then(|| Hold { shape: shape.to_vec(), forms, escape })
}

/// Whether a tensor as given has a form.
pub(crate) fn is_given(shape: &[i64], form: &Form) -> bool {
    let block = |axis: usize| form.iter().position(|block| block.contains(&axis));
    let axes = (0..shape.len()).filter(|&axis| shape[axis] > 1);
    axes.map(block).collect::<Vec<_>>().is_sorted()
}

/// Digits sorted into blocks that follow each other as `pattern` says, where `block_of[axis]` is
/// the block of an axis. Returns one list of digits for every block number, or `None`.
pub(crate) fn in_blocks(
    digits: &[AxisDigit],
    block_of: &[usize],
    pattern: &[usize],
) -> Option<Vec<Vec<AxisDigit>>> {
    let blocks = pattern.iter().max().map_or(0, |&most| most + 1);
    let mut sorted: Vec<Vec<AxisDigit>> = vec![Vec::new(); blocks];
    let mut at = 0;
    for digit in digits {
        let block = *block_of.get(digit.axis)?;
        while *pattern.get(at)? != block {
            at += 1;
        }
        sorted[block].push(*digit);
    }
    Some(sorted)
}

/// The number of elements that digits span together.
pub(crate) fn count(digits: &[AxisDigit]) -> i64 {
    digits.iter().map(|digit| digit.size).product()
}

/// The given axes, undivided, in their own order.
pub(crate) fn whole(sizes: &[i64], axes: impl IntoIterator<Item = usize>) -> Vec<AxisDigit> {
    axes.into_iter()
        .filter(|&axis| sizes[axis] > 1)
        .map(|axis| AxisDigit { axis, place: 1, size: sizes[axis] })
        .collect()
}

/// Axes that two shapes have in common, as digits: (place in one, place in the other, size).
pub(crate) fn common(
    shapes: [&[i64]; 2],
    axes: impl Iterator<Item = (usize, usize)>,
) -> Vec<(i64, i64, i64)> {
    let [one, other] = shapes.map(crate::layout::row_major_strides);
    axes.filter(|&(a, b)| shapes[0][a] == shapes[1][b] && shapes[0][a] > 1)
        .map(|(a, b)| (one[a], other[b], shapes[0][a]))
        .collect()
}
