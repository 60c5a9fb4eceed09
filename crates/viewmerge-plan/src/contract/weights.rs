//! Writes an operation with constant weights for a configuration: the weights permuted.

use std::collections::BTreeMap;

use super::linear::{Linear, Shape};
use super::{Configuration, Rewritten, RewrittenInput, count};
use crate::graph::{Attribute, TensorId};
use crate::layout::{AxisDigit, Layout};

/// What is needed to write the operation.
#[derive(Clone, Debug)]
pub(crate) struct Writer {
    pub kind: Kind,
    pub attributes: BTreeMap<String, Attribute>,
    pub weights: TensorId,
    pub weights_shape: Vec<i64>,
    /// The bias along the axis that is created.
    pub bias: Option<TensorId>,
}

/// Which operation it was.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Weights on the right, [K, N].
    MatMul,
    /// Weights on the left, [M, K].
    LeftMatMul,
    /// With `across`, the weights are [N, K].
    Gemm { across: bool },
    /// A convolution in groups; weights [M, C/g, …].
    Conv { groups: i64 },
    /// The weights are a table [V, D].
    Embedding,
}

impl Writer {
    pub fn write(&self, linear: &Linear, configuration: &Configuration) -> Option<Rewritten> {
        let (shared, summed, made) = linear.parts(configuration)?;
        let rows = |side: usize| -> i64 {
            linear.sides[side].shape.iter().product::<i64>() / linear.sides[side].size(linear.own)
        };
        let (sum, make) = (count(&summed), count(&made));
        let bias = |shape: &[i64]| {
            let order: Vec<AxisDigit> =
                made.iter().map(|digit| AxisDigit { axis: 0, ..*digit }).collect();
            self.bias.map(|id| {
                RewrittenInput::Constant(id, Layout::from_axes(&[make], &order), shape.to_vec())
            })
        };
        let matrix = |first: (&[AxisDigit], usize), then: (&[AxisDigit], usize)| {
            let of = |(digits, axis): (&[AxisDigit], usize)| {
                digits.iter().map(move |digit| AxisDigit { axis, ..*digit }).collect::<Vec<_>>()
            };
            let order = [of(first), of(then)].concat();
            let shape = vec![count(first.0), count(then.0)];
            let weights = Layout::from_axes(&self.weights_shape[..2], &order);
            RewrittenInput::Constant(self.weights, weights, shape)
        };
        let (before, after) = (count(&shared.before), count(&shared.after));
        let mut attributes = self.attributes.clone();
        let matmul = |left: Option<RewrittenInput>,
                      right: Option<RewrittenInput>,
                      out: Vec<i64>| Rewritten {
            kind: "MatMul".into(),
            attributes: BTreeMap::new(),
            inputs: vec![left, right],
            outputs: vec![Some(out)],
        };
        let x = |shape: Vec<i64>| Some(RewrittenInput::Stored(0, shape));
        Some(match (&self.kind, shared.shape) {
            (Kind::MatMul, Shape::Rows) => {
                let weights = matrix((&summed, 0), (&made, 1));
                matmul(x(vec![rows(0), sum]), Some(weights), vec![rows(1), make])
            }
            (Kind::LeftMatMul, Shape::Rows) => {
                let weights = matrix((&summed, 1), (&made, 0));
                matmul(x(vec![rows(0), sum]), Some(weights), vec![rows(1), make])
            }
            (Kind::MatMul | Kind::LeftMatMul, Shape::Around) => {
                let (sums, makes) = if self.kind == Kind::MatMul { (0, 1) } else { (1, 0) };
                let weights = matrix((&made, makes), (&summed, sums));
                let (from, to) = (vec![before, sum, after], vec![before, make, after]);
                matmul(Some(weights), x(from), to)
            }
            (Kind::Gemm { across }, Shape::Rows) => {
                let weights = if *across {
                    matrix((&made, 0), (&summed, 1))
                } else {
                    matrix((&summed, 0), (&made, 1))
                };
                attributes.insert("transA".into(), Attribute::Int(0));
                let inputs = vec![x(vec![rows(0), sum]), Some(weights), bias(&[make])];
                let kind = "Gemm".into();
                Rewritten {
                    kind,
                    attributes,
                    inputs: trimmed(inputs),
                    outputs: vec![Some(vec![rows(1), make])],
                }
            }
            (Kind::Conv { .. }, Shape::Rows) => {
                let weights = matrix((&made, 0), (&summed, 1));
                let inputs = vec![x(vec![rows(0), sum]), Some(weights), bias(&[make])];
                let attributes = BTreeMap::from([("transB".into(), Attribute::Int(1))]);
                let kind = "Gemm".into();
                Rewritten {
                    kind,
                    attributes,
                    inputs: trimmed(inputs),
                    outputs: vec![Some(vec![rows(1), make])],
                }
            }
            (Kind::Conv { .. }, Shape::Around) => {
                let RewrittenInput::Constant(id, layout, _) = matrix((&made, 0), (&summed, 1))
                else {
                    return None;
                };
                let weights = RewrittenInput::Constant(id, layout, vec![make, sum, 1]);
                for name in ["strides", "pads", "dilations", "auto_pad", "group"] {
                    attributes.remove(name);
                }
                attributes.insert("kernel_shape".into(), Attribute::Ints(vec![1]));
                let inputs = vec![x(vec![before, sum, after]), Some(weights), bias(&[make])];
                let outputs = vec![Some(vec![before, make, after])];
                Rewritten { kind: "Conv".into(), attributes, inputs: trimmed(inputs), outputs }
            }
            (Kind::Conv { groups }, Shape::Image | Shape::Nhwc) => {
                return self.convolution(linear, &shared, &summed, &made, *groups);
            }
            (Kind::Embedding, Shape::Rows) => {
                let column = |digit: &AxisDigit| AxisDigit { axis: 1, ..*digit };
                let table = [AxisDigit { axis: 0, place: 1, size: self.weights_shape[0] }];
                let order: Vec<AxisDigit> =
                    table.into_iter().chain(made.iter().map(column)).collect();
                let layout = Layout::from_axes(&self.weights_shape, &order);
                let table =
                    RewrittenInput::Constant(self.weights, layout, self.weights_shape.clone());
                attributes.insert("axis".into(), Attribute::Int(0));
                let inputs = vec![Some(table), x(vec![rows(0)])];
                Rewritten {
                    kind: "Gather".into(),
                    attributes,
                    inputs,
                    outputs: vec![Some(vec![rows(1), make])],
                }
            }
            _ => return None,
        })
    }

    /// A convolution, channels first or last.
    fn convolution(
        &self,
        linear: &Linear,
        shared: &super::linear::Shared,
        summed: &[AxisDigit],
        made: &[AxisDigit],
        groups: i64,
    ) -> Option<Rewritten> {
        let all: Vec<AxisDigit> = shared.before.iter().chain(&shared.after).copied().collect();
        let turn = super::emit::turned(&all, &linear.spatial);
        let group: Vec<AxisDigit> = shared
            .before
            .iter()
            .filter(|digit| Some(digit.axis) == linear.group)
            .copied()
            .collect();
        // The weights as [group, made, summed, kernel …].
        let made_size = linear.sides[1].size(linear.own);
        let mut cut = vec![groups, made_size];
        cut.extend(&self.weights_shape[1..]);
        let on = |digits: &[AxisDigit], axis: usize| {
            digits.iter().map(move |digit| AxisDigit { axis, ..*digit }).collect::<Vec<_>>()
        };
        let channels = [on(&group, 0), on(made, 1)].concat();
        let kernel = turn.iter().map(|&number| AxisDigit {
            axis: 3 + number,
            place: 1,
            size: self.weights_shape[2 + number],
        });
        let order: Vec<AxisDigit> =
            channels.iter().copied().chain(on(summed, 2)).chain(kernel).collect();
        let mut shape = self.weights_shape[..2].to_vec();
        shape.extend(turn.iter().map(|&number| self.weights_shape[2 + number]));
        let weights =
            RewrittenInput::Constant(self.weights, Layout::from_axes(&cut, &order), shape);
        let bias = self.bias.map(|id| {
            let layout = Layout::from_axes(&[groups, made_size], &channels);
            RewrittenInput::Constant(id, layout, vec![groups * made_size])
        });
        let end = |side: usize| {
            let this = &linear.sides[side];
            let channel = groups * this.size(linear.own);
            let spaces: Vec<i64> =
                turn.iter().map(|&number| this.size(linear.spatial[number])).collect();
            let batch =
                this.shape.iter().product::<i64>() / channel / spaces.iter().product::<i64>();
            match shared.shape {
                Shape::Nhwc => [vec![batch], spaces, vec![channel]].concat(),
                _ => [vec![batch, channel], spaces].concat(),
            }
        };
        let mut attributes = self.attributes.clone();
        turn_attributes(&mut attributes, &turn);
        let kind = if shared.shape == Shape::Nhwc { "nhwc.Conv" } else { "Conv" };
        let inputs = vec![Some(RewrittenInput::Stored(0, end(0))), Some(weights), bias];
        Some(Rewritten {
            kind: kind.into(),
            attributes,
            inputs: trimmed(inputs),
            outputs: vec![Some(end(1))],
        })
    }
}

/// Operands without the missing ones at the end.
fn trimmed(mut inputs: Vec<Option<RewrittenInput>>) -> Vec<Option<RewrittenInput>> {
    while inputs.last().is_some_and(Option::is_none) {
        inputs.pop();
    }
    inputs
}

/// Kernel sizes, strides, dilations and pads, with the spatial axes in another order.
pub(crate) fn turn_attributes(attributes: &mut BTreeMap<String, Attribute>, turn: &[usize]) {
    for name in ["kernel_shape", "strides", "dilations", "pads"] {
        if let Some(Attribute::Ints(values)) = attributes.get_mut(name)
            && !values.is_empty()
            && values.len() % turn.len().max(1) == 0
        {
            let turned = values
                .chunks(turn.len())
                .flat_map(|chunk| turn.iter().map(|&number| chunk[number]))
                .collect();
            *values = turned;
        }
    }
}
