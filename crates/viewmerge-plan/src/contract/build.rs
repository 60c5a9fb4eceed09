//! Which contract an operation has.

use super::emit::{Form, Writer};
use super::order::{Cut, Driven, End, Rule};
use super::{Configuration, Contract, Hold, Rewritten, RowMajor, Slot, as_given};
use crate::classes::Classes;
use crate::elementwise::is_elementwise;
use crate::graph::{Graph, Op, TensorId};
use crate::layout::Layout;
use crate::target::Target;

const REDUCTIONS: &[&str] = &[
    "ReduceL1",
    "ReduceL2",
    "ReduceLogSum",
    "ReduceLogSumExp",
    "ReduceMax",
    "ReduceMean",
    "ReduceMin",
    "ReduceProd",
    "ReduceSum",
    "ReduceSumSquare",
];

/// An operation in its graph.
#[derive(Clone, Copy)]
pub(crate) struct Site<'a> {
    pub graph: &'a Graph,
    pub classes: &'a Classes,
    pub target: &'a Target,
    pub op: &'a Op,
}

/// The contract of an operation, and whether its kind is known.
pub(crate) fn contract(site: Site<'_>) -> (Box<dyn Contract>, bool) {
    let (graph, op) = (site.graph, site.op);
    let slots = site.slots();
    let row = RowMajor::new(graph, op, slots);
    // An operation on constants alone has no contract.
    if !row.slots.iter().any(|slot| slot.input) {
        return (Box::new(row), true);
    }
    let kind = op.kind.as_str();
    let found = match kind {
        _ if is_elementwise(kind) => Some(site.elementwise(Form::Plain)),
        "Expand" => Some(site.elementwise(Form::Expand)),
        _ if REDUCTIONS.contains(&kind) => Some(site.reduction()),
        "GlobalAveragePool" | "GlobalMaxPool" => Some(site.global_pool()),
        "Softmax" | "LogSoftmax" => Some(site.softmax()),
        "LayerNormalization" | "RMSNormalization" => Some(site.layer_norm()),
        "BatchNormalization" => Some(site.batch_norm()),
        "MaxPool" | "AveragePool" | "LpPool" => Some(site.pool()),
        "Concat" => Some(site.concat()),
        "Slice" => Some(site.slice()),
        "Split" => Some(site.split()),
        "Pad" => Some(site.pad()),
        "Gather" => Some(site.gather()),
        "MatMul" => Some(site.matmul()),
        "Gemm" => Some(site.gemm()),
        "Conv" => Some(site.conv()),
        _ => None,
    };
    let known = found.is_some();
    match found.flatten() {
        Some(inner) => (Box::new(WithGiven { inner, row }), known),
        None => (Box::new(row), known),
    }
}

/// A contract that also allows the configuration that the graph gives.
struct WithGiven {
    inner: Box<dyn Contract>,
    row: RowMajor,
}

impl WithGiven {
    fn is_given(configuration: &Configuration) -> bool {
        configuration.layouts.iter().all(Layout::is_row_major)
    }
}

impl Contract for WithGiven {
    fn slots(&self) -> &[Slot] {
        self.inner.slots()
    }

    fn configurations(&self, known: &[Vec<Layout>]) -> Vec<Configuration> {
        let mut found = self.inner.configurations(known);
        if !found.iter().any(WithGiven::is_given) {
            found.extend(self.row.configurations(known));
        }
        found
    }

    fn rewritten(&self, configuration: &Configuration) -> Option<Rewritten> {
        if WithGiven::is_given(configuration) {
            return self.row.rewritten(configuration);
        }
        self.inner.rewritten(configuration)
    }

    fn hold(&self, slot: usize) -> Option<Hold> {
        self.inner.hold(slot)
    }

    fn carries(&self, from: usize, to: usize) -> Vec<Vec<(i64, i64, i64)>> {
        self.inner.carries(from, to)
    }

    fn wants(&self, slot: usize) -> String {
        self.inner.wants(slot)
    }
}

/// A contract; `None` if only row-major is known to work.
pub(super) type Found = Option<Box<dyn Contract>>;

impl Site<'_> {
    /// The ends that are not constants.
    pub(super) fn slots(&self) -> Vec<Slot> {
        let slot = |input: bool, number: usize, id: &Option<TensorId>| {
            let tensor = (*id)?;
            (!self.classes.is_constant(tensor)).then_some(Slot { input, number, tensor })
        };
        let inputs =
            self.op.inputs.iter().enumerate().filter_map(|(number, id)| slot(true, number, id));
        let outputs =
            self.op.outputs.iter().enumerate().filter_map(|(number, id)| slot(false, number, id));
        inputs.chain(outputs).collect()
    }

    pub(super) fn shape(&self, id: TensorId) -> &[i64] {
        &self.graph.tensor(id).shape
    }

    pub(super) fn values(&self, input: usize) -> Option<&[i64]> {
        self.graph.tensor(self.op.input(input)?).values.as_deref()
    }

    /// An axis, counted from the front.
    pub(super) fn axis(&self, axis: i64, rank: usize) -> Option<usize> {
        let rank = i64::try_from(rank).ok()?;
        let axis = if axis < 0 { axis + rank } else { axis };
        (0..rank).contains(&axis).then(|| usize::try_from(axis).ok())?
    }

    /// The operand and the result, if no other end of the operation has a layout.
    pub(super) fn only(&self) -> Option<(TensorId, TensorId)> {
        let slots = self.slots();
        match slots.as_slice() {
            [x, y] if x.input && x.number == 0 && !y.input && y.number == 0 => {
                Some((x.tensor, y.tensor))
            }
            _ => None,
        }
    }

    pub(super) fn is_constant(&self, input: usize) -> bool {
        self.op.input(input).is_some_and(|id| self.classes.is_constant(id))
    }

    /// Assembles a contract with one order; `ends` has all operands, then all results.
    pub(super) fn driven(
        &self,
        family: &'static str,
        (sizes, ends): (Vec<i64>, Vec<Option<End>>),
        rule: Rule,
        mut cuts: Vec<Cut>,
        form: Form,
        words: String,
    ) -> Found {
        let slots = self.slots();
        let inputs = self.op.inputs.len();
        let slot_ends: Vec<usize> = slots
            .iter()
            .map(|slot| if slot.input { slot.number } else { inputs + slot.number })
            .collect();
        // A file may declare any shape: if an end has the wrong rank, the operation is not this
        // one.
        if ends.iter().flatten().any(|end| end.axes.len() != sizes.len()) {
            return None;
        }
        let all = slot_ends.iter().map(|&end| ends[end].as_ref()).collect::<Option<Vec<_>>>()?;
        cuts.retain(|cut| sizes[cut.axis] > 1);
        // One end must have every axis at its full size; otherwise layouts do not determine the
        // order.
        let full = |end: &&End| (0..sizes.len()).all(|axis| end.size(axis) == sizes[axis]);
        all.iter().find(|end| full(end))?;
        let fits = |end: &&End, axis: usize| {
            !end.has(axis)
                || end.size(axis) == sizes[axis]
                || cuts.iter().any(|cut| cut.axis == axis)
        };
        if !all.iter().all(|end| (0..sizes.len()).all(|axis| fits(end, axis))) {
            return None;
        }
        let bytes = slots.iter().map(|slot| self.graph.tensor(slot.tensor).bytes()).max()?;
        let shapes = self.op.inputs.iter().map(|id| id.map(|id| self.shape(id).to_vec())).collect();
        let writer = Writer {
            kind: self.op.kind.clone(),
            attributes: self.op.attributes.clone(),
            inputs: self.op.inputs.clone(),
            shapes,
            form,
        };
        let target = self.target.clone();
        Some(Box::new(Driven {
            family,
            target,
            sizes,
            ends,
            slots,
            slot_ends,
            rule,
            cuts,
            bytes,
            writer,
            words,
        }))
    }

    /// An end with the same axes as the operation.
    pub(super) fn alike(&self, id: TensorId) -> End {
        let shape = self.shape(id).to_vec();
        End { axes: (0..shape.len()).map(Some).collect(), shape }
    }

    pub(super) fn no_ends(&self) -> Vec<Option<End>> {
        vec![None; self.op.inputs.len() + self.op.outputs.len()]
    }
}

/// Keeps a copying view unchanged; its cost is its own copy.
pub(crate) fn copy(graph: &Graph, op: &Op, classes: &Classes) -> Box<dyn Contract> {
    let site_slots = {
        let slot = |input: bool, number: usize, id: &Option<TensorId>| {
            let tensor = (*id)?;
            (!classes.is_constant(tensor)).then_some(Slot { input, number, tensor })
        };
        let inputs = op.inputs.iter().enumerate().filter_map(|(number, id)| slot(true, number, id));
        let outputs =
            op.outputs.iter().enumerate().filter_map(|(number, id)| slot(false, number, id));
        inputs.chain(outputs).collect::<Vec<_>>()
    };
    let bytes = op.output(0).map_or(0, |id| graph.tensor(id).bytes());
    let row = RowMajor::new(graph, op, site_slots.clone());
    let given = as_given(graph, op, &site_slots);
    Box::new(RowMajor { name: "copy", cost: bytes, given, ..row })
}
