//! Shapes that save Reshapes.
//!
//! A plan fixes the shapes in which an op reads its operands, but many ops accept others: elementwise ops take
//! any shape, and others take any axes before those they work on. Then the shape of the file is used, or
//! one that an operand already has. This also preserves the patterns that runtimes look for when they fuse
//! ops.
//!
//! For example, Clip planned as (32,256) on the result of a Conv of shape (1,32,16,16) is written on
//! (1,32,16,16).

use std::collections::BTreeMap;

use viewmerge_plan::graph::Attribute;
use viewmerge_plan::is_elementwise;
use viewmerge_plan::plan::{Operand, PlannedOp, Source};

/// The shapes of an op's operands and results, and the attributes that belong to them.
struct Shapes {
    inputs: Vec<Vec<i64>>,
    outputs: Vec<Vec<i64>>,
    attributes: BTreeMap<String, Attribute>,
}

/// The op with its first result in the wanted shape, if possible.
pub(super) fn in_shape(planned: &PlannedOp, wanted: &[i64], opset: i64) -> Option<PlannedOp> {
    let shapes = shapes(planned, wanted, opset)?;
    let mut reshaped = planned.clone();
    for (operand, shape) in reshaped.inputs.iter_mut().zip(shapes.inputs) {
        if let Some(operand) = operand {
            operand.shape = shape;
        }
    }
    for (output, shape) in reshaped.outputs.iter_mut().zip(shapes.outputs) {
        if let Some(output) = output {
            output.shape = shape;
        }
    }
    reshaped.attributes = shapes.attributes;
    Some(reshaped)
}

fn shapes(planned: &PlannedOp, wanted: &[i64], opset: i64) -> Option<Shapes> {
    let shape = |operand: &Option<Operand>| {
        operand.as_ref().map(|operand| operand.shape.clone()).unwrap_or_default()
    };
    let inputs: Vec<Vec<i64>> = planned.inputs.iter().map(shape).collect();
    let outputs: Vec<Vec<i64>> = planned
        .outputs
        .iter()
        .map(|output| output.as_ref().map(|one| one.shape.clone()).unwrap_or_default())
        .collect();
    let made = outputs.first()?;
    if made.iter().product::<i64>() != wanted.iter().product::<i64>() {
        return None;
    }
    let mut shapes =
        Shapes { inputs, outputs: outputs.clone(), attributes: planned.attributes.clone() };
    let alone = planned.outputs.len() == 1;
    match planned.kind.as_str() {
        kind if is_elementwise(kind) && alone => {
            for (place, input) in shapes.inputs.iter_mut().enumerate() {
                if input.iter().product::<i64>() == 1 {
                    // A scalar, because axes of one element can cost a runtime a loop for each element.
                    if is_constant(planned, place) && !wanted.is_empty() {
                        input.clear();
                    }
                    continue;
                }
                *input = broadcast(input, made, wanted)?;
                if is_constant(planned, place) {
                    // As exporters write a bias, and as runtimes expect it.
                    let first = input.iter().position(|size| *size != 1).unwrap_or(0);
                    input.drain(..first);
                }
            }
            shapes.outputs = vec![wanted.to_vec()];
        }
        "MatMul" | "com.microsoft.FusedMatMul" if alone => products(planned, &mut shapes, wanted)?,
        "LayerNormalization" if planned.outputs.iter().skip(1).all(Option::is_none) => {
            let axis = from_end(planned, "axis", -1, made.len())?;
            lead(&mut shapes.inputs[0], made, wanted, axis)?;
            shapes.outputs[0] = wanted.to_vec();
            shapes.attributes.insert("axis".into(), Attribute::Int(-i64::try_from(axis).ok()?));
        }
        "Softmax" | "LogSoftmax" if opset >= 13 => {
            let axis = from_end(planned, "axis", -1, made.len())?;
            lead(&mut shapes.inputs[0], made, wanted, axis)?;
            shapes.outputs = vec![wanted.to_vec()];
            shapes.attributes.insert("axis".into(), Attribute::Int(-i64::try_from(axis).ok()?));
        }
        "Split" => {
            let axis = from_end(planned, "axis", 0, made.len())?;
            lead(&mut shapes.inputs[0], made, wanted, axis)?;
            for output in &mut shapes.outputs {
                lead(output, made, wanted, axis)?;
            }
            shapes.attributes.insert("axis".into(), Attribute::Int(-i64::try_from(axis).ok()?));
        }
        "Concat" => {
            let axis = from_end(planned, "axis", 0, made.len())?;
            for input in &mut shapes.inputs {
                lead(input, made, wanted, axis)?;
            }
            lead(&mut shapes.outputs[0], made, wanted, axis)?;
            shapes.attributes.insert("axis".into(), Attribute::Int(-i64::try_from(axis).ok()?));
        }
        _ => return None,
    }
    Some(shapes)
}

/// A 1×1 convolution on 1×1 images, written as rows times weights, which runtimes execute faster.
pub(super) fn as_rows(planned: &PlannedOp) -> Option<PlannedOp> {
    let ones = |shape: &[i64]| shape.len() > 2 && shape[2..].iter().all(|size| *size == 1);
    let (Some(Some(x)), Some(Some(w)), [Some(y)]) =
        (planned.inputs.first(), planned.inputs.get(1), planned.outputs.as_slice())
    else {
        return None;
    };
    let plain = |(name, value): (&String, &Attribute)| match (name.as_str(), value) {
        ("group", Attribute::Int(groups)) => *groups == 1,
        ("pads", Attribute::Ints(pads)) => pads.iter().all(|pad| *pad == 0),
        ("auto_pad", Attribute::Text(word)) => word == "NOTSET" || word == "VALID",
        ("kernel_shape" | "strides" | "dilations", _) => true,
        _ => false,
    };
    let point =
        ones(&x.shape) && ones(&w.shape) && ones(&y.shape) && planned.attributes.iter().all(plain);
    if planned.kind != "Conv" || !point || !is_constant(planned, 1) {
        return None;
    }
    let mut rows = planned.clone();
    rows.kind = "Gemm".into();
    rows.attributes = BTreeMap::from([("transB".into(), Attribute::Int(1))]);
    for operand in rows.inputs.iter_mut().take(2).flatten() {
        operand.shape.truncate(2);
    }
    rows.outputs.iter_mut().flatten().for_each(|output| output.shape.truncate(2));
    Some(rows)
}

fn is_constant(planned: &PlannedOp, place: usize) -> bool {
    matches!(planned.inputs.get(place), Some(Some(Operand { source: Source::Constant { .. }, .. })))
}

/// The number of axes from the one that an attribute names to the end.
fn from_end(planned: &PlannedOp, name: &str, otherwise: i64, rank: usize) -> Option<usize> {
    let axis = match planned.attributes.get(name) {
        Some(Attribute::Int(axis)) => *axis,
        _ => otherwise,
    };
    let rank = i64::try_from(rank).ok()?;
    let count = if axis < 0 { -axis } else { rank - axis };
    usize::try_from(count).ok().filter(|_| (1..=rank).contains(&count))
}

/// Arranges the axes before the last few as in another shape.
fn lead(shape: &mut Vec<i64>, made: &[i64], wanted: &[i64], last: usize) -> Option<()> {
    let (before, kept) = (shape.len().checked_sub(last)?, wanted.len().checked_sub(last)?);
    // Only the leading axes of the wanted shape matter; the last ones belong to the op.
    let same = shape[..before] == made[..made.len().checked_sub(last)?];
    if !same || wanted[kept..] != made[made.len() - last..] {
        return None;
    }
    *shape = [&wanted[..kept], &shape[before..]].concat();
    Some(())
}

/// A matrix product: any axes before the last two, or before the last one if the weights are constant.
fn products(planned: &PlannedOp, shapes: &mut Shapes, wanted: &[i64]) -> Option<()> {
    let [left, right] = [shapes.inputs.first()?.clone(), shapes.inputs.get(1)?.clone()];
    let made = shapes.outputs.first()?.clone();
    let flag = |name: &str| matches!(planned.attributes.get(name), Some(Attribute::Int(value)) if *value != 0);
    if flag("transBatchA") || flag("transBatchB") {
        return None;
    }
    let constant = |place: usize| {
        matches!(
            planned.inputs.get(place),
            Some(Some(Operand { source: Source::Constant { .. }, .. }))
        )
    };
    let rows = constant(1) && right.len() == 2 && !flag("transA");
    if rows && wanted.len() >= 2 && wanted.last() == made.last() && left.len() >= 2 {
        let before = &wanted[..wanted.len() - 1];
        shapes.inputs[0] = [before, &left[left.len() - 1..]].concat();
    } else {
        let batch = wanted.len().checked_sub(2)?;
        let split = |shape: &[i64]| {
            shape.len().checked_sub(2).map(|at| (shape[..at].to_vec(), shape[at..].to_vec()))
        };
        let ((a, left), (b, right), (c, made)) = (split(&left)?, split(&right)?, split(&made)?);
        if a != b || a != c || made != wanted[batch..] {
            return None;
        }
        shapes.inputs[0] = [&wanted[..batch], &left].concat();
        shapes.inputs[1] = [&wanted[..batch], &right].concat();
    }
    shapes.outputs[0] = wanted.to_vec();
    Some(())
}

/// The shape of an operand that is broadcast to one shape, when the result is in another.
///
/// Both shapes are cut at the places of both. Each piece of the operand is whole or one, and so must be
/// every axis of the other shape.
pub(super) fn broadcast(operand: &[i64], made: &[i64], wanted: &[i64]) -> Option<Vec<i64>> {
    let missing = made.len().checked_sub(operand.len())?;
    let whole = |axis: usize| axis >= missing && operand[axis - missing] == made[axis];
    let one = |axis: usize| axis < missing || operand[axis - missing] == 1;
    let mut result = vec![None; wanted.len()];
    let (mut i, mut j) = (made.len(), wanted.len());
    let (mut left_i, mut left_j) = (1, 1);
    loop {
        while left_i == 1 && i > 0 {
            i -= 1;
            left_i = made[i];
        }
        while left_j == 1 && j > 0 {
            j -= 1;
            left_j = wanted[j];
        }
        if left_i == 1 || left_j == 1 {
            break;
        }
        let piece = left_i.min(left_j);
        if left_i % piece != 0 || left_j % piece != 0 {
            return None;
        }
        let full = match (whole(i), one(i)) {
            (true, _) => true,
            (_, true) => false,
            _ => return None,
        };
        if *result[j].get_or_insert(full) != full {
            return None;
        }
        (left_i, left_j) = (left_i / piece, left_j / piece);
    }
    if left_i != 1 || left_j != 1 {
        return None;
    }
    let size =
        |(axis, full): (usize, &Option<bool>)| if *full == Some(true) { wanted[axis] } else { 1 };
    Some(result.iter().enumerate().map(size).collect())
}

#[cfg(test)]
mod tests {
    use super::broadcast;

    #[test]
    fn operands_follow_the_result_into_another_shape() {
        type Row<'a> = (&'a [i64], &'a [i64], &'a [i64], Option<&'a [i64]>);
        let rows: &[Row<'_>] = &[
            // A bias along channels: (32,1) on (32,256) is (1,32,1,1) on (1,32,16,16).
            (&[32, 1], &[32, 256], &[1, 32, 16, 16], Some(&[1, 32, 1, 1])),
            (&[256], &[32, 256], &[1, 32, 16, 16], Some(&[1, 1, 16, 16])),
            (&[64], &[128, 64], &[2, 64, 64], Some(&[1, 1, 64])),
            (&[1, 64, 64], &[2, 64, 64], &[128, 64], None),
            (&[32, 256], &[32, 256], &[8, 4, 256], Some(&[8, 4, 256])),
            (&[2, 1, 16], &[2, 3, 16], &[2, 48], None),
            (&[3, 2], &[3, 2], &[2, 3], None),
            (&[1, 2], &[1, 2], &[2], Some(&[2])),
        ];
        for (operand, made, wanted, expected) in rows {
            let found = broadcast(operand, made, wanted);
            assert_eq!(found.as_deref(), *expected, "{operand:?} on {made:?} as {wanted:?}");
        }
    }
}
