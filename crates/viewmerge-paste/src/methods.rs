//! What the factories and methods of PyTorch and NumPy do, as ops.

use viewmerge::{Movement, Slice};

use crate::tensor::{Stop, Tensor};

const METHODS: &str = "view, reshape, permute, transpose, swapaxes, movedim, T, mT, t, flatten, ravel, unflatten, squeeze, \
    unsqueeze, expand, broadcast_to, narrow, select, flip, unfold, contiguous, clone, copy and subscripts";

/// An argument of a call.
#[derive(Clone)]
pub(crate) enum Argument {
    Number(i64),
    Tuple(Vec<i64>),
    /// Something else.
    Other,
}

/// The tensor that a factory makes.
pub(crate) fn made(name: &str, arguments: &[Argument]) -> Result<Tensor, Stop> {
    let shape = match (name, arguments) {
        ("empty_strided", [Argument::Tuple(shape), Argument::Tuple(strides), ..]) => {
            return Ok(Tensor::of_strides(shape, strides));
        }
        ("arange", [Argument::Number(count)]) => vec![*count],
        ("arange", [Argument::Number(from), Argument::Number(to)]) => {
            vec![to.saturating_sub(*from).max(0)]
        }
        (_, [.., Argument::Tuple(shape)]) if name == "randint" => shape.clone(),
        (_, [Argument::Tuple(shape), ..]) => shape.clone(),
        ("full" | "randint" | "arange" | "empty_strided", _) => Vec::new(),
        (_, numbers) => all_numbers(numbers).unwrap_or_default(),
    };
    if shape.is_empty() {
        return Err(Stop::Needs(format!("the sizes given to {name} are not numbers")));
    }
    Ok(Tensor::of_shape(&shape))
}

/// The numbers of a call that takes them separately or as a tuple.
fn all_numbers(arguments: &[Argument]) -> Option<Vec<i64>> {
    if let [Argument::Tuple(numbers)] = arguments {
        return Some(numbers.clone());
    }
    let number = |argument: &Argument| match argument {
        Argument::Number(number) => Some(*number),
        _ => None,
    };
    arguments.iter().map(number).collect()
}

/// The tensor after a method, or after an attribute if there are no arguments.
pub(crate) fn called(
    tensor: Tensor,
    method: &str,
    arguments: Option<&[Argument]>,
) -> Result<Tensor, Stop> {
    let rank = tensor.shape().len() as i64;
    let reversed = || Movement::Permute((0..rank).rev().collect());
    let Some(arguments) = arguments else {
        return match method {
            "T" => Ok(tensor.then(&reversed())),
            "mT" => Ok(tensor.then(&Movement::Transpose(-2, -1))),
            _ => Err(unknown(method)),
        };
    };
    let numbers = all_numbers(arguments);
    let Some(numbers) = numbers else { return with_tuple(tensor, method, arguments) };
    let is_tuple = matches!(arguments, [Argument::Tuple(_)]);
    let op = match (method, numbers.as_slice()) {
        ("contiguous" | "clone" | "copy", _) => return Ok(tensor.copy(method)),
        ("view" | "reshape", [_, ..]) => Movement::Reshape(numbers),
        ("permute", [_, ..]) => Movement::Permute(numbers),
        ("transpose" | "t", []) => reversed(),
        // PyTorch exchanges two axes; NumPy takes an order, which means the same for two axes.
        ("transpose", &[first, second]) if !is_tuple => Movement::Transpose(first, second),
        ("transpose", _) => Movement::Permute(numbers),
        ("swapaxes" | "swapdims", &[first, second]) => Movement::Transpose(first, second),
        ("movedim" | "moveaxis", &[from, to]) => {
            moved(rank, from, to).ok_or_else(|| unknown(method))?
        }
        ("flatten" | "ravel", []) => Movement::Flatten(0, -1),
        ("flatten", &[first]) => Movement::Flatten(first, -1),
        ("flatten", &[first, last]) => Movement::Flatten(first, last),
        ("squeeze", []) => return Ok(squeezed(tensor)),
        ("squeeze", &[axis]) => {
            let place = if axis < 0 { axis + rank } else { axis };
            let unit =
                usize::try_from(place).ok().and_then(|place| tensor.shape().get(place).copied())
                    == Some(1);
            return Ok(if unit { tensor.then(&Movement::Squeeze(axis)) } else { tensor });
        }
        ("unsqueeze", &[axis]) => Movement::Unsqueeze(axis),
        ("expand" | "broadcast_to", [_, ..]) => return Ok(expanded(tensor, &numbers)),
        ("narrow", &[axis, start, length]) => {
            let slice = Slice { start: Some(start), stop: start.checked_add(length), step: 1 };
            return Ok(cut(tensor, axis, slice));
        }
        ("select", &[axis, index]) => {
            let stop = if index == -1 { None } else { index.checked_add(1) };
            return Ok(cut(tensor, axis, Slice { start: Some(index), stop, step: 1 })
                .then(&Movement::Squeeze(axis)));
        }
        ("flip", [_, ..]) => Movement::Flip(numbers),
        ("unfold", &[axis, size, step]) => return unfolded(tensor, axis, size, step),
        _ => return Err(unknown(method)),
    };
    Ok(tensor.then(&op))
}

/// Methods that take a number and a tuple, or two tuples.
fn with_tuple(tensor: Tensor, method: &str, arguments: &[Argument]) -> Result<Tensor, Stop> {
    match (method, arguments) {
        ("unflatten", [Argument::Number(axis), Argument::Tuple(sizes)]) => {
            Ok(tensor.then(&Movement::Unflatten(*axis, sizes.clone())))
        }
        ("contiguous" | "clone" | "copy", _) => Ok(tensor.copy(method)),
        ("as_strided", [Argument::Tuple(shape), Argument::Tuple(strides), rest @ ..]) if tensor.parts.len() == 1 => {
            let offset = match rest {
                [Argument::Number(offset), ..] => *offset,
                _ => 0,
            };
            Ok(tensor.then(&Movement::AsStrided { shape: shape.clone(), strides: strides.clone(), offset }))
        }
        ("as_strided", _) => Err(Stop::Needs(
            "as_strided counts elements of memory: it is read only directly after a contiguous tensor".into(),
        )),
        _ => Err(unknown(method)),
    }
}

fn unknown(method: &str) -> Stop {
    Stop::Needs(format!("{method} is not read, or not with these arguments; read are {METHODS}"))
}

/// `squeeze()`: removes all axes of one element, the last first.
fn squeezed(tensor: Tensor) -> Tensor {
    let units: Vec<i64> = tensor
        .shape()
        .iter()
        .enumerate()
        .filter(|(_, size)| **size == 1)
        .map(|(axis, _)| axis as i64)
        .collect();
    units.into_iter().rev().fold(tensor, |tensor, axis| tensor.then(&Movement::Squeeze(axis)))
}

/// `expand`: −1 keeps a size, and new axes are added in front.
fn expanded(tensor: Tensor, sizes: &[i64]) -> Tensor {
    let new = sizes.len().saturating_sub(tensor.shape().len());
    let tensor = (0..new).fold(tensor, |tensor, _| tensor.then(&Movement::Unsqueeze(0)));
    let shape = tensor.shape();
    let kept = |(axis, &size): (usize, &i64)| {
        if size == -1 { shape.get(axis).copied().unwrap_or(size) } else { size }
    };
    let sizes = sizes.iter().enumerate().map(kept).collect();
    tensor.then(&Movement::Expand(sizes))
}

/// A slice of one axis.
fn cut(tensor: Tensor, axis: i64, slice: Slice) -> Tensor {
    let rank = tensor.shape().len() as i64;
    let axis = if axis < 0 { axis + rank } else { axis };
    let all = Slice { start: None, stop: None, step: 1 };
    let mut slices = vec![all; usize::try_from(axis).unwrap_or(0)];
    slices.push(slice);
    tensor.then(&Movement::Slice(slices))
}

fn moved(rank: i64, from: i64, to: i64) -> Option<Movement> {
    let place = |axis: i64| usize::try_from(if axis < 0 { axis + rank } else { axis }).ok();
    let (from, to) = (place(from)?, place(to)?);
    let mut order: Vec<i64> = (0..rank).collect();
    if from >= order.len() || to >= order.len() {
        return None;
    }
    let axis = order.remove(from);
    order.insert(to, axis);
    Some(Movement::Permute(order))
}

/// `unfold`: windows along an axis, as an `as_strided` over the elements.
fn unfolded(tensor: Tensor, axis: i64, size: i64, step: i64) -> Result<Tensor, Stop> {
    let mut shape = tensor.shape();
    let rank = shape.len() as i64;
    let place = usize::try_from(if axis < 0 { axis + rank } else { axis }).ok();
    let place = place
        .filter(|&place| place < shape.len() && size >= 1 && step >= 1 && size <= shape[place]);
    let Some(place) = place else { return Err(unknown("unfold")) };
    let mut strides = vec![1_i64; shape.len()];
    for axis in (0..shape.len().saturating_sub(1)).rev() {
        strides[axis] = strides[axis + 1].saturating_mul(shape[axis + 1]);
    }
    strides.push(strides[place]);
    strides[place] = strides[place].saturating_mul(step);
    shape[place] = (shape[place] - size) / step + 1;
    shape.push(size);
    Ok(tensor.then(&Movement::AsStrided { shape, strides, offset: 0 }))
}
