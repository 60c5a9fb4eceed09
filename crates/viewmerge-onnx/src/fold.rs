//! Integers computed from shapes, which are constants because shapes are known.
//!
//! Exporters write the shape of a Reshape as Shape, Gather and Concat of tensors. With static sizes these
//! are numbers. Only short lists of integers are considered; whatever is not understood remains an op.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use crate::constant::{self, INT64};
use crate::error::Error;
use crate::node::own_domain;
use crate::proto;
use crate::tensors::Known;

/// The longest list.
const LONGEST: usize = 64;

/// Which nodes yield known integers, and the integers.
pub(crate) struct Folded {
    pub(crate) nodes: HashSet<usize>,
    pub(crate) values: HashMap<String, Vec<i64>>,
}

/// Computes the integers that follow from the shapes.
///
/// # Errors
///
/// If a constant cannot be read.
pub(crate) fn integers(
    graph: &proto::Graph,
    known: &Known,
    folder: Option<&Path>,
) -> Result<Folded, Error> {
    let mut folded = Folded { nodes: HashSet::new(), values: HashMap::new() };
    let outputs: HashSet<&str> = graph.output.iter().map(|output| output.name()).collect();
    for (index, node) in graph.node.iter().enumerate() {
        let [output] = node.output.as_slice() else { continue };
        if !own_domain(node) || outputs.contains(output.as_str()) || !understood(node.op_type()) {
            continue;
        }
        // The result must be 64-bit integers, and its shape must be given.
        let Ok(shape) = known.shape(output, "") else { continue };
        let count = shape.sizes.iter().try_fold(1_i64, |product, &size| product.checked_mul(size));
        if shape.element != INT64
            || shape.sizes.len() > 1
            || count.is_none_or(|count| count > LONGEST as i64)
        {
            continue;
        }
        let mut operands = Vec::new();
        if node.op_type() != "Shape" && node.op_type() != "Size" {
            for input in &node.input {
                operands.push(operand(input, known, &folded, folder)?);
            }
        }
        let values = value(node, &operands, known);
        if let Some(values) = values.filter(|values| Some(values.len() as i64) == count) {
            folded.values.insert(output.clone(), values);
            folded.nodes.insert(index);
        }
    }
    Ok(folded)
}

fn understood(op: &str) -> bool {
    const OPS: [&str; 13] = [
        "Shape",
        "Size",
        "Identity",
        "Cast",
        "Squeeze",
        "Unsqueeze",
        "Gather",
        "Concat",
        "Slice",
        "Add",
        "Sub",
        "Mul",
        "Div",
    ];
    OPS.contains(&op)
}

/// A short list of integers, or a single one.
struct List {
    values: Vec<i64>,
    scalar: bool,
}

fn operand(
    name: &str,
    known: &Known,
    folded: &Folded,
    folder: Option<&Path>,
) -> Result<Option<List>, Error> {
    if let Some(values) = folded.values.get(name) {
        let scalar = known.shape(name, "").is_ok_and(|shape| shape.sizes.is_empty());
        return Ok(Some(List { values: values.clone(), scalar }));
    }
    let Some(tensor) = known.constants.get(name) else { return Ok(None) };
    if tensor.dims.len() > 1 || constant::elements(tensor)? > LONGEST {
        return Ok(None);
    }
    let scalar = tensor.dims.is_empty();
    Ok(constant::integers(tensor, folder)?.map(|values| List { values, scalar }))
}

/// The result of the node, if it is understood.
fn value(node: &proto::Node, operands: &[Option<List>], known: &Known) -> Option<Vec<i64>> {
    let attribute =
        |name: &str| node.attribute.iter().find(|one| one.name() == name).map(|one| one.i());
    let input = |place: usize| operands.get(place)?.as_ref();
    let one = input(0);
    Some(match node.op_type() {
        "Shape" | "Size" => {
            let sizes = known.shape(node.input.first()?, "").ok()?.sizes;
            if node.op_type() == "Size" {
                return Some(vec![
                    sizes.iter().try_fold(1_i64, |product, &size| product.checked_mul(size))?,
                ]);
            }
            let rank = sizes.len() as i64;
            let bound = |at: i64| {
                (if at < 0 { at.saturating_add(rank) } else { at }).clamp(0, rank) as usize
            };
            let (start, end) =
                (bound(attribute("start").unwrap_or(0)), bound(attribute("end").unwrap_or(rank)));
            sizes.get(start..end.max(start))?.to_vec()
        }
        // The result is 64-bit, and so are the operands that are read.
        "Identity" | "Cast" | "Squeeze" | "Unsqueeze" => one?.values.clone(),
        "Gather" => {
            let (list, at) = (one?, input(1)?);
            let length = list.values.len() as i64;
            let get = |&at: &i64| {
                let at = if at < 0 { at.checked_add(length)? } else { at };
                list.values.get(usize::try_from(at).ok()?).copied()
            };
            if list.scalar {
                return None;
            }
            at.values.iter().map(get).collect::<Option<_>>()?
        }
        "Concat" => {
            let mut joined = Vec::new();
            for operand in operands {
                joined.extend(&operand.as_ref()?.values);
            }
            joined
        }
        "Slice" => {
            let single = |place: usize, otherwise: i64| match (input(place), node.input.get(place))
            {
                (Some(list), _) if list.values.len() == 1 => Some(list.values[0]),
                (None, None) => Some(otherwise),
                (None, Some(name)) if name.is_empty() => Some(otherwise),
                _ => None,
            };
            let list = &one?.values;
            let length = list.len() as i64;
            let (start, end) = (single(1, 0)?, single(2, length)?);
            if single(4, 1)? != 1 {
                return None;
            }
            let bound = |at: i64| {
                (if at < 0 { at.saturating_add(length) } else { at }).clamp(0, length) as usize
            };
            list.get(bound(start)..bound(end).max(bound(start)))?.to_vec()
        }
        op => {
            let (left, right) = (&one?.values, &input(1)?.values);
            let length = left.len().max(right.len());
            let pick =
                |list: &[i64], at: usize| list.get(if list.len() == 1 { 0 } else { at }).copied();
            let both = |at: usize| {
                let (a, b) = (pick(left, at)?, pick(right, at)?);
                match op {
                    "Add" => a.checked_add(b),
                    "Sub" => a.checked_sub(b),
                    "Mul" => a.checked_mul(b),
                    "Div" => a.checked_div(b),
                    _ => None,
                }
            };
            (0..length).map(both).collect::<Option<_>>()?
        }
    })
}
