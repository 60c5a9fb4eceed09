//! Operations with one order that keep the sizes of their axes: elementwise ones, reductions,
//! norms, pools.

use super::build::{Found, Site};
use super::emit::Form;
use super::order::{Cut, End, Rule};
use crate::graph::{Op, TensorId};

impl Site<'_> {
    pub(super) fn elementwise(&self, form: Form) -> Found {
        let out = self.op.output(0)?;
        let sizes = self.shape(out).to_vec();
        let mut ends = self.no_ends();
        // Its bias belongs to the last axis.
        if self.op.kind == "com.microsoft.FastGelu" && self.op.inputs.len() > 1 {
            return None;
        }
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

    /// The ends of an operation that removes these axes.
    pub(super) fn reduced(
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

    pub(super) fn reduction(&self) -> Found {
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

    pub(super) fn global_pool(&self) -> Found {
        let (x, y) = self.only()?;
        let rank = self.shape(x).len();
        let ends = self.reduced(x, y, &(2..rank).collect::<Vec<_>>())?;
        let form = Form::Reduce { operand: self.graph.opset() >= 18 };
        let kind = if self.op.kind == "GlobalMaxPool" { "ReduceMax" } else { "ReduceMean" };
        let op = Op { kind: kind.into(), ..self.op.clone() };
        let site = Site { op: &op, ..*self };
        site.driven("reduce", ends, Rule::Any, Vec::new(), form, "any layout".into())
    }

    pub(super) fn softmax(&self) -> Found {
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

    pub(super) fn layer_norm(&self) -> Found {
        let x = self.op.input(0)?;
        if self.op.outputs.iter().skip(1).any(Option::is_some) {
            return None;
        }
        let sizes = self.shape(x).to_vec();
        let rank = sizes.len();
        let first = self.axis(self.op.int("axis").unwrap_or(-1), rank)?;
        let mut ends = self.no_ends();
        ends[0] = Some(self.alike(x));
        for (number, id) in self.op.inputs.iter().enumerate().skip(1) {
            let Some(id) = *id else { continue };
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

    pub(super) fn batch_norm(&self) -> Found {
        let (x, y) = self.only()?;
        let sizes = self.shape(x).to_vec();
        let mut ends = self.no_ends();
        ends[0] = Some(self.alike(x));
        for (number, id) in self.op.inputs.iter().enumerate().skip(1) {
            let shape = self.shape((*id)?).to_vec();
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

    pub(super) fn pool(&self) -> Found {
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
}
