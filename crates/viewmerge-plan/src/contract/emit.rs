//! Writes an operation for one order of its contract.
//!
//! Adjacent digits with the same role become one axis, so the written shapes are short: an
//! elementwise operation without broadcast has one axis.

use std::collections::BTreeMap;

use super::cuts::Change;
use super::order::{Driven, End, Rule};
use super::{Configuration, Rewritten, RewrittenInput};
use crate::graph::{Attribute, TensorId};
use crate::layout::{AxisDigit, Layout};

/// What is needed to write the operation.
#[derive(Clone, Debug)]
pub(crate) struct Writer {
    pub kind: String,
    pub attributes: BTreeMap<String, Attribute>,
    pub inputs: Vec<Option<TensorId>>,
    /// The original shapes and values of operands without axes.
    pub shapes: Vec<Option<Vec<i64>>>,
    pub form: Form,
}

/// How the operation specifies its axes.
#[derive(Clone, Debug)]
pub(crate) enum Form {
    /// Not at all.
    Plain,
    /// The target shape is operand 1.
    Expand,
    /// The axes are an attribute, or operand 1.
    Reduce { operand: bool },
    /// One axis, as an attribute.
    Softmax,
    /// As [rest, normalised].
    LayerNorm,
    /// As [first, channel, rest].
    BatchNorm,
    /// As [1, lead, spatial …].
    Pool { spatial: Vec<usize> },
    /// One axis, as an attribute; sizes change.
    Cut(Change),
}

/// Adjacent digits with the same role, as one axis.
struct Group {
    digits: Vec<AxisDigit>,
    role: (Vec<bool>, usize),
}

impl Writer {
    /// The operation for an order of its contract.
    pub fn write(
        &self,
        driven: &Driven,
        order: &[AxisDigit],
        configuration: &Configuration,
    ) -> Option<Rewritten> {
        let groups = self.groups(driven, order);
        let mut kind = self.kind.clone();
        let mut attributes = self.attributes.clone();
        let mut extra: Vec<(usize, Vec<i64>)> = Vec::new();
        let set = |attributes: &mut BTreeMap<String, Attribute>, name: &str, value: usize| {
            attributes
                .insert(name.into(), Attribute::Int(i64::try_from(value).unwrap_or(i64::MAX)));
        };
        let at = |tag: usize| groups.iter().position(|group| group.role.1 == tag);
        match &self.form {
            Form::Plain | Form::BatchNorm => {}
            Form::Expand => {
                let out = driven.ends.last()?.as_ref()?;
                extra.push((1, shape_of(driven, out, &groups, true)));
            }
            Form::Reduce { operand } => {
                let mut axes: Vec<i64> = groups
                    .iter()
                    .zip(0i64..)
                    .filter(|(group, _)| group.role.1 == 1)
                    .map(|(_, axis)| axis)
                    .collect();
                set(&mut attributes, "keepdims", 0);
                attributes.remove("axes");
                if axes.is_empty() {
                    // Only axes of one element are reduced, so add one at the end.
                    axes.push(i64::try_from(groups.len()).ok()?);
                }
                if *operand {
                    extra.push((1, axes));
                } else {
                    attributes.insert("axes".into(), Attribute::Ints(axes));
                }
            }
            Form::Softmax => set(&mut attributes, "axis", at(1).unwrap_or(groups.len())),
            Form::LayerNorm => set(&mut attributes, "axis", 1),
            Form::Pool { spatial } => {
                let turn = turned(order, spatial);
                super::weights::turn_attributes(&mut attributes, &turn);
                if configuration.name == "nhwc" {
                    kind = format!("nhwc.{kind}");
                }
            }
            Form::Cut(change) => {
                change.write(
                    driven,
                    order,
                    &|axis| at(1 + axis),
                    groups.len(),
                    &mut attributes,
                    &mut extra,
                )?;
            }
        }
        let shape = |end: &End, result: bool| {
            self.end_shape(driven, end, order, &groups, configuration, result)
        };
        let inputs = (0..self.inputs.len()).map(|number| {
            let id = self.inputs[number]?;
            let slot = driven.slots.iter().position(|slot| slot.input && slot.number == number);
            Some(match (&driven.ends[number], slot) {
                (Some(end), Some(slot)) => RewrittenInput::Stored(slot, shape(end, false)),
                (Some(end), None) => {
                    RewrittenInput::Constant(id, driven.project(end, order), shape(end, false))
                }
                (None, _) => {
                    let as_it_is = self.shapes[number].clone()?;
                    let elements = as_it_is.iter().product();
                    RewrittenInput::Constant(id, Layout::row_major(elements), as_it_is)
                }
            })
        });
        let mut inputs: Vec<Option<RewrittenInput>> = inputs.collect();
        for (number, values) in extra {
            while inputs.len() <= number {
                inputs.push(None);
            }
            let length = i64::try_from(values.len()).ok()?;
            inputs[number] = Some(RewrittenInput::Values(values, vec![length]));
        }
        let outputs = driven.ends[self.inputs.len()..]
            .iter()
            .map(|end| end.as_ref().map(|end| shape(end, true)))
            .collect();
        Some(Rewritten { kind, attributes, inputs, outputs })
    }

    fn groups(&self, driven: &Driven, order: &[AxisDigit]) -> Vec<Group> {
        let mut groups: Vec<Group> = Vec::new();
        for digit in order {
            let has = driven.ends.iter().flatten().map(|end| end.has(digit.axis)).collect();
            let tag = match &driven.rule {
                Rule::Together { axes, .. } => usize::from(axes.contains(&digit.axis)),
                Rule::Image { spatial, .. } if spatial.contains(&digit.axis) => 1 + digit.axis,
                Rule::Channel { channel } => digit.axis.cmp(channel) as usize,
                Rule::Cut => {
                    let cut = driven.cuts.iter().any(|cut| cut.axis == digit.axis);
                    let outer = cut && digit.place * digit.size == driven.sizes[digit.axis];
                    if outer { 1 + digit.axis } else { 0 }
                }
                Rule::Any if matches!(self.form, Form::Reduce { .. }) => {
                    let out = driven.ends.last().and_then(Option::as_ref);
                    usize::from(out.is_some_and(|end| !end.has(digit.axis)))
                }
                Rule::Any | Rule::Image { .. } => 0,
            };
            let role = (has, tag);
            match groups.last_mut() {
                Some(last) if last.role == role => last.digits.push(*digit),
                _ => groups.push(Group { digits: vec![*digit], role }),
            }
        }
        groups
    }

    fn end_shape(
        &self,
        driven: &Driven,
        end: &End,
        order: &[AxisDigit],
        groups: &[Group],
        configuration: &Configuration,
        result: bool,
    ) -> Vec<i64> {
        let product = |of: &dyn Fn(&AxisDigit) -> bool| -> i64 {
            order
                .iter()
                .filter(|digit| of(digit))
                .map(|digit| driven.own_size(end, digit))
                .product()
        };
        match (&self.form, &driven.rule) {
            (Form::LayerNorm, Rule::Together { axes, .. }) => {
                let inside = |digit: &AxisDigit| axes.contains(&digit.axis);
                let outside = end
                    .axes
                    .iter()
                    .enumerate()
                    .any(|(axis, own)| own.is_some() && !axes.contains(&axis));
                let normalised = product(&inside);
                if outside {
                    vec![product(&|digit| !inside(digit)), normalised]
                } else {
                    vec![normalised]
                }
            }
            (Form::BatchNorm, Rule::Channel { channel }) => {
                if end.axes.iter().flatten().count() == 1 {
                    return vec![product(&|digit| digit.axis == *channel)];
                }
                let part = |part| product(&|digit| digit.axis.cmp(channel) == part);
                use std::cmp::Ordering::{Equal, Greater, Less};
                vec![part(Less), part(Equal), part(Greater)]
            }
            (Form::Pool { spatial }, Rule::Image { channel, .. }) => {
                let spaces = turned(order, spatial).into_iter().map(|turn| end.size(spatial[turn]));
                let inside = |digit: &AxisDigit| spatial.contains(&digit.axis);
                if configuration.name == "nhwc" {
                    let lead = product(&|digit| !inside(digit) && digit.axis != *channel);
                    let last = product(&|digit| digit.axis == *channel);
                    [lead].into_iter().chain(spaces).chain([last]).collect()
                } else {
                    [1, product(&|digit| !inside(digit))].into_iter().chain(spaces).collect()
                }
            }
            (Form::Softmax, _) => {
                let mut shape = shape_of(driven, end, groups, true);
                if groups.iter().all(|group| group.role.1 == 0) {
                    shape.push(1);
                }
                shape
            }
            (Form::Reduce { .. }, _) => {
                let mut shape = shape_of(driven, end, groups, !result);
                if !result && groups.iter().all(|group| group.role.1 == 0) {
                    shape.push(1);
                }
                shape
            }
            _ => shape_of(driven, end, groups, true),
        }
    }
}

/// The shape of an end, with an axis for every group; with `ones`, also for groups that the end
/// lacks.
fn shape_of(driven: &Driven, end: &End, groups: &[Group], ones: bool) -> Vec<i64> {
    groups
        .iter()
        .filter(|group| ones || group.digits.iter().all(|digit| end.has(digit.axis)))
        .map(|group| group.digits.iter().map(|digit| driven.own_size(end, digit)).product())
        .collect()
}

/// The spatial axes in the order of memory, as indices into `spatial`; those of one element come
/// first.
pub(crate) fn turned(order: &[AxisDigit], spatial: &[usize]) -> Vec<usize> {
    let mut turn: Vec<usize> = (0..spatial.len()).collect();
    turn.sort_by_key(|&number| {
        order.iter().position(|digit| digit.axis == spatial[number]).map_or(0, |at| at + 1)
    });
    turn
}
