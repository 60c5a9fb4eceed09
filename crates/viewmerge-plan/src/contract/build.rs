//! Which contract an operation has.

use super::cuts::{Change, Interval, common_divisor, run_length};
use super::driven::{Cut, Driven, End, Rule};
use super::emit::{Form, Writer};
use super::linear::{Linear, Shape, Side};
use super::matmul::{MatMul, MatrixEnd};
use super::weights::{self, Kind};
use super::{Configuration, Contract, Rewritten, RowMajor, Slot, as_given};
use crate::classes::Classes;
use crate::graph::{Graph, Op, TensorId};
use crate::layout::Layout;
use crate::target::Target;

/// Operations that treat every element alike.
const ELEMENTWISE: &[&str] = &[
    "Abs",
    "Acos",
    "Acosh",
    "Add",
    "And",
    "Asin",
    "Asinh",
    "Atan",
    "Atanh",
    "BitShift",
    "BitwiseAnd",
    "BitwiseNot",
    "BitwiseOr",
    "BitwiseXor",
    "Cast",
    "Ceil",
    "Celu",
    "Clip",
    "Cos",
    "Cosh",
    "Div",
    "Dropout",
    "Elu",
    "Equal",
    "Erf",
    "Exp",
    "Floor",
    "Gelu",
    "Greater",
    "GreaterOrEqual",
    "HardSigmoid",
    "HardSwish",
    "IsInf",
    "IsNaN",
    "LeakyRelu",
    "Less",
    "LessOrEqual",
    "Log",
    "Max",
    "Mean",
    "Min",
    "Mish",
    "Mod",
    "Mul",
    "Neg",
    "Not",
    "Or",
    "PRelu",
    "Pow",
    "Reciprocal",
    "Relu",
    "Round",
    "Selu",
    "Sigmoid",
    "Sign",
    "Sin",
    "Sinh",
    "Softplus",
    "Softsign",
    "Sqrt",
    "Sub",
    "Sum",
    "Swish",
    "Tan",
    "Tanh",
    "ThresholdedRelu",
    "Where",
    "Xor",
    "com.microsoft.Gelu",
    "com.microsoft.QuickGelu",
    "com.microsoft.FastGelu",
];

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
    // Nothing drives an operation on constants alone.
    if !row.slots.iter().any(|slot| slot.input) {
        return (Box::new(row), true);
    }
    let kind = op.kind.as_str();
    let found = match kind {
        _ if ELEMENTWISE.contains(&kind) => Some(site.elementwise(Form::Plain)),
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

/// A contract that also allows what the graph gives.
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

    fn wants(&self, slot: usize) -> String {
        self.inner.wants(slot)
    }
}

type Found = Option<Box<dyn Contract>>;

impl Site<'_> {
    /// The ends that are no constants.
    fn slots(&self) -> Vec<Slot> {
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

    fn shape(&self, id: TensorId) -> &[i64] {
        &self.graph.tensor(id).shape
    }

    fn values(&self, input: usize) -> Option<&[i64]> {
        self.graph.tensor(self.op.input(input)?).values.as_deref()
    }

    /// An axis counted from the front.
    fn axis(&self, axis: i64, rank: usize) -> Option<usize> {
        let rank = i64::try_from(rank).ok()?;
        let axis = if axis < 0 { axis + rank } else { axis };
        (0..rank).contains(&axis).then(|| usize::try_from(axis).ok())?
    }

    /// The one operand and result of an operation that has no other ends with a layout.
    fn only(&self) -> Option<(TensorId, TensorId)> {
        let slots = self.slots();
        match slots.as_slice() {
            [x, y] if x.input && x.number == 0 && !y.input && y.number == 0 => {
                Some((x.tensor, y.tensor))
            }
            _ => None,
        }
    }

    fn is_constant(&self, input: usize) -> bool {
        self.op.input(input).is_some_and(|id| self.classes.is_constant(id))
    }

    /// Puts a contract of one order together; `ends` of all operands, then all results.
    fn driven(
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
        let all = slot_ends.iter().map(|&end| ends[end].as_ref()).collect::<Option<Vec<_>>>()?;
        cuts.retain(|cut| sizes[cut.axis] > 1);
        // One end must have every axis at its full size, or layouts would not tell the order.
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

    /// Ends of which each has the same axes.
    fn alike(&self, id: TensorId) -> End {
        let shape = self.shape(id).to_vec();
        End { axes: (0..shape.len()).map(Some).collect(), shape }
    }

    fn no_ends(&self) -> Vec<Option<End>> {
        vec![None; self.op.inputs.len() + self.op.outputs.len()]
    }

    fn elementwise(&self, form: Form) -> Found {
        let out = self.op.output(0)?;
        let sizes = self.shape(out).to_vec();
        let mut ends = self.no_ends();
        let scalars_stay = matches!(self.op.kind.as_str(), "Clip" | "Dropout" | "Expand");
        for (number, id) in self.op.inputs.iter().enumerate() {
            let Some(id) = id else { continue };
            if scalars_stay && number > 0 {
                if !self.classes.is_constant(*id) {
                    return None;
                }
                continue;
            }
            let shape = self.shape(*id).to_vec();
            let missing = sizes.len().checked_sub(shape.len())?;
            let own = |axis: usize| {
                let own = axis.checked_sub(missing)?;
                (shape[own] == sizes[axis]).then_some(own)
            };
            ends[number] = Some(End { axes: (0..sizes.len()).map(own).collect(), shape });
        }
        ends[self.op.inputs.len()] = Some(self.alike(out));
        self.driven(
            "elementwise",
            (sizes, ends),
            Rule::Any,
            Vec::new(),
            form,
            "any one layout".into(),
        )
    }

    /// Ends of an operation that drops these axes.
    fn reduced(
        &self,
        x: TensorId,
        y: TensorId,
        dropped: &[usize],
    ) -> Option<(Vec<i64>, Vec<Option<End>>)> {
        let sizes = self.shape(x).to_vec();
        let shape = self.shape(y).to_vec();
        let kept = shape.len() == sizes.len();
        let mut next = 0;
        let axes = (0..sizes.len())
            .map(|axis| {
                if dropped.contains(&axis) {
                    return None;
                }
                next += 1;
                Some(if kept { axis } else { next - 1 })
            })
            .collect();
        if !kept && next != shape.len() {
            return None;
        }
        let mut ends = self.no_ends();
        ends[0] = Some(self.alike(x));
        ends[self.op.inputs.len()] = Some(End { shape, axes });
        Some((sizes, ends))
    }

    fn reduction(&self) -> Found {
        let (x, y) = self.only()?;
        let rank = self.shape(x).len();
        let axes = match (self.op.ints("axes"), self.op.input(1)) {
            (Some(axes), _) => Some(axes),
            (None, Some(_)) => Some(self.values(1)?),
            (None, None) => None,
        };
        let dropped: Vec<usize> = match axes {
            Some(axes) if !axes.is_empty() => {
                axes.iter().map(|&axis| self.axis(axis, rank)).collect::<Option<_>>()?
            }
            _ if self.op.int("noop_with_empty_axes") == Some(1) => return None,
            _ => (0..rank).collect(),
        };
        let since = if self.op.kind == "ReduceSum" { 13 } else { 18 };
        let form = Form::Reduce { operand: self.graph.opset() >= since };
        let ends = self.reduced(x, y, &dropped)?;
        self.driven("reduce", ends, Rule::Any, Vec::new(), form, "any layout".into())
    }

    fn global_pool(&self) -> Found {
        let (x, y) = self.only()?;
        let rank = self.shape(x).len();
        let ends = self.reduced(x, y, &(2..rank).collect::<Vec<_>>())?;
        let form = Form::Reduce { operand: self.graph.opset() >= 18 };
        let kind = if self.op.kind == "GlobalMaxPool" { "ReduceMax" } else { "ReduceMean" };
        let op = Op { kind: kind.into(), ..self.op.clone() };
        let site = Site { op: &op, ..*self };
        site.driven("reduce", ends, Rule::Any, Vec::new(), form, "any layout".into())
    }

    fn softmax(&self) -> Found {
        let (x, y) = self.only()?;
        let rank = self.shape(x).len();
        let old = self.graph.opset() < 13;
        let axis = self.axis(self.op.int("axis").unwrap_or(if old { 1 } else { -1 }), rank)?;
        let axes = if old { (axis..rank).collect() } else { vec![axis] };
        let mut ends = self.no_ends();
        ends[0] = Some(self.alike(x));
        ends[1] = Some(self.alike(y));
        let words = format!("axis {axis} last");
        let rule = Rule::Together { axes, last: old };
        self.driven(
            "softmax",
            (self.shape(x).to_vec(), ends),
            rule,
            Vec::new(),
            Form::Softmax,
            words,
        )
    }

    fn layer_norm(&self) -> Found {
        let x = self.op.input(0)?;
        if self.op.outputs.iter().skip(1).any(Option::is_some) {
            return None;
        }
        let sizes = self.shape(x).to_vec();
        let rank = sizes.len();
        let first = self.axis(self.op.int("axis").unwrap_or(-1), rank)?;
        let mut ends = self.no_ends();
        ends[0] = Some(self.alike(x));
        for number in 1..self.op.inputs.len() {
            let Some(id) = self.op.input(number) else { continue };
            if self.shape(id) != &sizes[first..] {
                return None;
            }
            let axes = (0..rank).map(|axis| axis.checked_sub(first)).collect();
            ends[number] = Some(End { shape: self.shape(id).to_vec(), axes });
        }
        ends[self.op.inputs.len()] = Some(self.alike(self.op.output(0)?));
        let axes: Vec<usize> = (first..rank).collect();
        let words = match axes.as_slice() {
            [axis] => format!("axis {axis} last"),
            _ => format!("axes {first} to {} last", rank - 1),
        };
        let rule = Rule::Together { axes, last: true };
        self.driven("layernorm", (sizes, ends), rule, Vec::new(), Form::LayerNorm, words)
    }

    fn batch_norm(&self) -> Found {
        let (x, y) = self.only()?;
        let sizes = self.shape(x).to_vec();
        let mut ends = self.no_ends();
        ends[0] = Some(self.alike(x));
        for number in 1..self.op.inputs.len() {
            let shape = self.shape(self.op.input(number)?).to_vec();
            if shape != [*sizes.get(1)?] {
                return None;
            }
            let axes = (0..sizes.len()).map(|axis| (axis == 1).then_some(0)).collect();
            ends[number] = Some(End { shape, axes });
        }
        ends[self.op.inputs.len()] = Some(self.alike(y));
        let words = "batch, then channels, then the rest".into();
        let rule = Rule::Channel { channel: 1 };
        self.driven("batchnorm", (sizes, ends), rule, Vec::new(), Form::BatchNorm, words)
    }

    fn pool(&self) -> Found {
        let (x, y) = self.only()?;
        let (from, to) = (self.shape(x), self.shape(y));
        if from.len() != to.len() || from.len() < 3 || from[..2] != to[..2] {
            return None;
        }
        let sizes = from.iter().zip(to).map(|(&one, &other)| one.max(other)).collect();
        let spatial: Vec<usize> = (2..from.len()).collect();
        let cuts = spatial.iter().map(|&axis| Cut { axis, modulus: 1 }).collect();
        let ends = vec![Some(self.alike(x)), Some(self.alike(y))];
        let form = Form::Pool { spatial: spatial.clone() };
        let words = "space last".into();
        self.driven("pool", (sizes, ends), Rule::Image { spatial, channel: 1 }, cuts, form, words)
    }

    fn concat(&self) -> Found {
        let out = self.op.output(0)?;
        let sizes = self.shape(out).to_vec();
        let axis = self.axis(self.op.int("axis")?, sizes.len())?;
        let mut ends = self.no_ends();
        let mut modulus = 0;
        for (number, id) in self.op.inputs.iter().enumerate() {
            let end = self.alike((*id)?);
            if end.shape.len() != sizes.len() {
                return None;
            }
            modulus = common_divisor([modulus, end.shape[axis]]);
            ends[number] = Some(end);
        }
        ends[self.op.inputs.len()] = Some(self.alike(out));
        let cuts = vec![Cut { axis, modulus }];
        let form = Form::Cut(Change::Concat { axis });
        let words = format!("axis {axis} in pieces that divide {modulus}");
        self.driven("concat", (sizes, ends), Rule::Cut, cuts, form, words)
    }

    fn slice(&self) -> Found {
        let (x, y) = self.only()?;
        let sizes = self.shape(x).to_vec();
        let (starts, stops) = (self.values(1)?, self.values(2)?);
        let all: Vec<i64> = (0..i64::try_from(starts.len()).ok()?).collect();
        let axes = if self.op.input(3).is_some() { self.values(3)? } else { &all };
        let ones = vec![1; starts.len()];
        let steps = if self.op.input(4).is_some() { self.values(4)? } else { &ones };
        if [stops.len(), axes.len(), steps.len()] != [starts.len(); 3] {
            return None;
        }
        let (mut intervals, mut cuts) = (Vec::new(), Vec::new());
        for number in 0..starts.len() {
            let axis = self.axis(axes[number], sizes.len())?;
            let (size, step) = (sizes[axis], steps[number]);
            let from_front = |at: i64| if at < 0 { at.saturating_add(size) } else { at };
            let (least, most) = match step.signum() {
                1 => (0, size),
                -1 => (-1, size - 1),
                _ => return None,
            };
            let start = from_front(starts[number]).clamp(least.max(0), most);
            let end = from_front(stops[number]).clamp(least, most);
            let length = (i128::from(end) - i128::from(start) + i128::from(step - step.signum()))
                / i128::from(step);
            if length != i128::from(*self.shape(y).get(axis)?)
                || cuts.iter().any(|cut: &Cut| cut.axis == axis)
            {
                return None;
            }
            if (start, end, step) == (0, size, 1) {
                continue;
            }
            let modulus = if step == 1 { common_divisor([size, start, end]) } else { 1 };
            intervals.push(Interval { axis, start, end, step });
            cuts.push(Cut { axis, modulus });
        }
        let mut ends = self.no_ends();
        ends[0] = Some(self.alike(x));
        ends[self.op.inputs.len()] = Some(self.alike(y));
        let words = format!(
            "axes {:?} in pieces that divide its bounds",
            cuts.iter().map(|cut| cut.axis).collect::<Vec<_>>()
        );
        self.driven(
            "slice",
            (sizes, ends),
            Rule::Cut,
            cuts,
            Form::Cut(Change::Slice { intervals }),
            words,
        )
    }

    fn split(&self) -> Found {
        let x = self.op.input(0)?;
        if self.op.input(1).is_some() && !self.is_constant(1) {
            return None;
        }
        let sizes = self.shape(x).to_vec();
        let axis = self.axis(self.op.int("axis").unwrap_or(0), sizes.len())?;
        let mut ends = self.no_ends();
        ends[0] = Some(self.alike(x));
        let (mut modulus, mut parts) = (0, Vec::new());
        for (number, id) in self.op.outputs.iter().enumerate() {
            let end = self.alike((*id)?);
            let part = *end.shape.get(axis)?;
            modulus = common_divisor([modulus, part]);
            parts.push(part);
            ends[self.op.inputs.len() + number] = Some(end);
        }
        let form = Change::Split { axis, sizes: parts, operand: self.graph.opset() >= 13 };
        let words = format!("axis {axis} in pieces that divide {modulus}");
        self.driven(
            "split",
            (sizes, ends),
            Rule::Cut,
            vec![Cut { axis, modulus }],
            Form::Cut(form),
            words,
        )
    }

    fn pad(&self) -> Found {
        let (x, y) = self.only()?;
        let (from, sizes) = (self.shape(x), self.shape(y).to_vec());
        let rank = from.len();
        let amounts = self.values(1)?;
        let axes: Vec<usize> = match self.op.input(3) {
            Some(_) => {
                self.values(3)?.iter().map(|&axis| self.axis(axis, rank)).collect::<Option<_>>()?
            }
            None => (0..rank).collect(),
        };
        if amounts.len() != 2 * axes.len() {
            return None;
        }
        let constant = self.op.text("mode").is_none_or(|mode| mode == "constant");
        let (mut pads, mut cuts) = (Vec::new(), Vec::new());
        for (number, &axis) in axes.iter().enumerate() {
            let (before, after) = (amounts[number], amounts[axes.len() + number]);
            if before < 0
                || after < 0
                || before.checked_add(from[axis])?.checked_add(after)? != sizes[axis]
            {
                return None;
            }
            if (before, after) == (0, 0) {
                continue;
            }
            let modulus = if constant { common_divisor([from[axis], before, after]) } else { 1 };
            pads.push((axis, before, after));
            cuts.push(Cut { axis, modulus });
        }
        let mut ends = self.no_ends();
        ends[0] = Some(self.alike(x));
        ends[self.op.inputs.len()] = Some(self.alike(y));
        let words = "its padded axes in pieces that divide the pads".into();
        let mut op = self.op.clone();
        if let Some(axes) = op.inputs.get_mut(3) {
            *axes = None;
        }
        let site = Site { op: &op, ..*self };
        site.driven("pad", (sizes, ends), Rule::Cut, cuts, Form::Cut(Change::Pad { pads }), words)
    }

    fn gather(&self) -> Found {
        let (table, indices) = (self.op.input(0)?, self.op.input(1)?);
        let data = self.shape(table).to_vec();
        let axis = self.axis(self.op.int("axis").unwrap_or(0), data.len())?;
        if self.is_constant(0) {
            return self.embedding(&data, axis, indices);
        }
        let (x, y) = self.only()?;
        let size = data[axis];
        let indices: Vec<i64> = self
            .values(1)?
            .iter()
            .map(|&index| if index < 0 { index + size } else { index })
            .collect();
        if indices.iter().any(|index| !(0..size).contains(index)) {
            return None;
        }
        let count = i64::try_from(indices.len()).ok()?;
        let mut sizes = data.clone();
        sizes[axis] = size.max(count);
        let mut result = data.clone();
        result[axis] = count;
        let modulus = run_length(&indices, size);
        let result = End { axes: (0..result.len()).map(Some).collect(), shape: result };
        if result.shape.iter().product::<i64>() != self.graph.tensor(y).elements() {
            return None;
        }
        let mut ends = self.no_ends();
        ends[0] = Some(self.alike(x));
        ends[self.op.inputs.len()] = Some(result);
        let words = format!("axis {axis} in pieces that divide {modulus}");
        let form = Form::Cut(Change::Gather { axis, indices });
        let cuts = vec![Cut { axis, modulus }];
        self.driven("gather", (sizes, ends), Rule::Cut, cuts, form, words)
    }

    fn embedding(&self, table: &[i64], axis: usize, indices: TensorId) -> Found {
        let slots = self.slots();
        let (&[_, columns], 0, 2) = (table, axis, slots.len()) else { return None };
        let shape = self.shape(indices).to_vec();
        let own = shape.len();
        let made = [shape.clone(), vec![columns]].concat();
        let sides = [
            Side { labels: (0..own).collect(), shape },
            Side { labels: (0..=own).collect(), shape: made },
        ];
        let writer = self.weights(Kind::Embedding, 0, None)?;
        self.linear(
            "embedding",
            vec![(Shape::Rows, "rows")],
            sides,
            (own, None, vec![]),
            writer,
            ["any layout", "the columns of its table last"],
        )
    }

    fn weights(&self, kind: Kind, input: usize, bias: Option<TensorId>) -> Option<weights::Writer> {
        let weights = self.op.input(input)?;
        let attributes = self.op.attributes.clone();
        let weights_shape = self.shape(weights).to_vec();
        Some(weights::Writer { kind, attributes, weights, weights_shape, bias })
    }

    fn linear(
        &self,
        family: &'static str,
        shapes: Vec<(Shape, &'static str)>,
        sides: [Side; 2],
        (own, group, spatial): (usize, Option<usize>, Vec<usize>),
        writer: weights::Writer,
        words: [&str; 2],
    ) -> Found {
        let slots = self.slots();
        let [x, y] = slots.as_slice() else { return None };
        let same = |slot: &Slot, side: &Side| {
            side.shape.iter().product::<i64>() == self.graph.tensor(slot.tensor).elements()
        };
        if !x.input || y.input || !same(x, &sides[0]) || !same(y, &sides[1]) {
            return None;
        }
        let bytes = self.graph.tensor(y.tensor).bytes();
        let (target, words) = (self.target.clone(), words.map(String::from));
        Some(Box::new(Linear {
            target,
            family,
            shapes,
            sides,
            own,
            group,
            spatial,
            slots,
            bytes,
            writer,
            words,
        }))
    }

    fn matmul(&self) -> Found {
        let (a, b) = (self.op.input(0)?, self.op.input(1)?);
        let (left, right) = (self.shape(a), self.shape(b));
        let result = self.shape(self.op.output(0)?);
        if left.len() < 2 || right.len() < 2 {
            return None;
        }
        let matrix = |shape: &[i64]| shape[..shape.len() - 2].iter().all(|&size| size == 1);
        let shapes = vec![(Shape::Rows, "rows"), (Shape::Around, "left")];
        match (self.is_constant(0), self.is_constant(1)) {
            (false, true) if matrix(right) && left.len() == result.len() => {
                let own = left.len() - 1;
                let side =
                    |shape: &[i64]| Side { shape: shape.to_vec(), labels: (0..=own).collect() };
                let mut writer = self.weights(Kind::MatMul, 1, None)?;
                writer.weights_shape = right[right.len() - 2..].to_vec();
                let words = ["its summed axis last", "its made axis last"];
                self.linear(
                    "linear",
                    shapes,
                    [side(left), side(result)],
                    (own, None, vec![]),
                    writer,
                    words,
                )
            }
            (true, false) if matrix(left) && right.len() == result.len() => {
                let own = right.len() - 2;
                let side =
                    |shape: &[i64]| Side { shape: shape.to_vec(), labels: (0..=own + 1).collect() };
                let mut writer = self.weights(Kind::LeftMatMul, 0, None)?;
                writer.weights_shape = left[left.len() - 2..].to_vec();
                let words = ["its summed axis last", "its made axis last"];
                self.linear(
                    "linear",
                    shapes,
                    [side(right), side(result)],
                    (own, None, vec![]),
                    writer,
                    words,
                )
            }
            (false, false) => self.product(left, right, result),
            _ => None,
        }
    }

    /// MatMul of two activations.
    fn product(&self, left: &[i64], right: &[i64], result: &[i64]) -> Found {
        let batches = result.len() - 2;
        let size = |shape: &[i64], axis: usize| {
            let missing = result.len() - shape.len();
            axis.checked_sub(missing).map_or(1, |own| shape[own])
        };
        if left.len() > result.len() || right.len() > result.len() {
            return None;
        }
        // Axes of the product: the batch, then rows, summed, columns.
        let mut block_of: Vec<usize> = (0..batches)
            .map(|axis| match (size(left, axis) > 1, size(right, axis) > 1) {
                (true, false) => 1,
                (false, true) => 3,
                _ => 0,
            })
            .collect();
        block_of.extend([1, 2, 3]);
        let end = |shape: &[i64], last: [usize; 2]| {
            let batch = shape.len() - 2;
            let labels =
                (batches - batch..batches).chain(last.map(|label| batches + label)).collect();
            MatrixEnd { shape: shape.to_vec(), labels, block_of: block_of.clone() }
        };
        let ends = [end(left, [0, 1]), end(right, [1, 2]), end(result, [0, 2])];
        let slots = self.slots();
        let bytes = |slot: &Slot| self.graph.tensor(slot.tensor).bytes();
        let bytes = slots.iter().map(bytes).collect::<Vec<_>>().try_into().ok()?;
        let (kind, attributes) = (self.op.kind.clone(), self.op.attributes.clone());
        Some(Box::new(MatMul { target: self.target.clone(), ends, slots, bytes, kind, attributes }))
    }

    fn gemm(&self) -> Found {
        let (x, y) = self.only()?;
        let (&[first, second], &[rows, columns]) = (self.shape(x), self.shape(y)) else {
            return None;
        };
        let turned = self.op.int("transA").unwrap_or(0) != 0;
        let across = self.op.int("transB").unwrap_or(0) != 0;
        let bias = match self.op.input(2) {
            Some(id)
                if self.shape(id).iter().product::<i64>() == columns
                    && self.shape(id).last() == Some(&columns) =>
            {
                Some(id)
            }
            Some(_) => return None,
            None => None,
        };
        let sides = [
            Side {
                shape: vec![first, second],
                labels: if turned { vec![1, 0] } else { vec![0, 1] },
            },
            Side { shape: vec![rows, columns], labels: vec![0, 1] },
        ];
        let writer = self.weights(Kind::Gemm { across }, 1, bias)?;
        let words = ["its summed axis last", "its made axis last"];
        self.linear("linear", vec![(Shape::Rows, "rows")], sides, (1, None, vec![]), writer, words)
    }

    fn conv(&self) -> Found {
        let (x, y) = self.only()?;
        let (from, to) = (self.shape(x).to_vec(), self.shape(y).to_vec());
        let weights = self.shape(self.op.input(1)?).to_vec();
        let rank = from.len();
        if rank < 3 || to.len() != rank || weights.len() != rank {
            return None;
        }
        let groups = self.op.int("group").unwrap_or(1);
        if groups < 1 || from[1] % groups != 0 || to[1] % groups != 0 {
            return None;
        }
        let all = |name: &str, value: i64| {
            self.op.ints(name).is_none_or(|values| values.iter().all(|&own| own == value))
        };
        let point = weights[2..].iter().all(|&size| size == 1)
            && all("strides", 1)
            && all("pads", 0)
            && groups == 1
            && from[2..] == to[2..];
        let words = ["batch, channels, then space", "batch, channels, then space"];
        let writer = self.weights(Kind::Conv { groups }, 1, self.op.input(2))?;
        if point {
            let side = |shape: Vec<i64>| Side { shape, labels: (0..rank).collect() };
            let shapes = vec![(Shape::Around, "image"), (Shape::Rows, "rows")];
            return self.linear(
                "pointwise",
                shapes,
                [side(from), side(to)],
                (1, None, vec![]),
                writer,
                words,
            );
        }
        let side = |shape: Vec<i64>| {
            let cut = [vec![shape[0], groups, shape[1] / groups], shape[2..].to_vec()].concat();
            Side { shape: cut, labels: (0..=rank).collect() }
        };
        let shapes = vec![(Shape::Image, "image"), (Shape::Nhwc, "nhwc")];
        let spatial = (3..=rank).collect();
        self.linear("conv", shapes, [side(from), side(to)], (2, Some(1), spatial), writer, words)
    }
}

/// Keeps a copying view as it is: what it costs is its own copy.
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
