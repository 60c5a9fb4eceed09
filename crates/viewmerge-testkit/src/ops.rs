//! The ops that are shorthand for others (`slice`, `transpose`, `flatten` …):
//! random ones, and their definitions on tables.

use viewmerge::reference::Table;
use viewmerge::{Movement, Slice};

use crate::choices::Choices;
use crate::generate::regroup;
use crate::tables::TableOps;

/// An op that may or may not fit a shape, and keeps the table small.
pub fn shorthand(choices: &mut Choices<'_>, shape: &[i64]) -> Movement {
    let rank = shape.len() as i64;
    // Sometimes out of range by one.
    let axis = |choices: &mut Choices<'_>| choices.between(-rank - 1, rank);
    match choices.below(7) {
        0 => {
            let longer = usize::from(choices.one_in(16));
            let sizes = shape.iter().copied().chain(std::iter::repeat_n(1, longer));
            let mut slice = |size: i64| {
                let mut bound = || {
                    let one = choices.one_in(2);
                    one.then(|| choices.between(-size - 1, size + 1))
                };
                let (start, stop) = (bound(), bound());
                let step = choices.pick(&[1, -1, 2, 1, -2, 3, 0, 9]);
                Slice { start, stop, step }
            };
            Movement::Slice(sizes.map(&mut slice).collect())
        }
        1 => Movement::Transpose(axis(choices), axis(choices)),
        2 => match shape.iter().position(|&size| size == 1) {
            Some(unit) if !choices.one_in(4) => Movement::Squeeze(unit as i64),
            _ => Movement::Squeeze(axis(choices)),
        },
        3 => Movement::Unsqueeze(choices.between(-rank - 2, rank + 1)),
        4 => {
            let (start, end) = (axis(choices), axis(choices));
            Movement::Flatten(start.min(end), start.max(end))
        }
        5 => {
            let axis = axis(choices);
            let size = from_front(axis, shape.len()).map_or(1, |axis| shape[axis]);
            let mut sizes = regroup(choices, size.max(1));
            if size == 0 || choices.one_in(8) {
                sizes.push(choices.between(0, 2));
            }
            Movement::Unflatten(axis, sizes)
        }
        _ => {
            let count: i64 = shape.iter().product();
            let sizes: Vec<i64> =
                (0..choices.below(3)).map(|_| choices.pick(&[2, 3, 1, 4, 0])).collect();
            let strides = sizes.iter().map(|_| choices.between(-1, 3)).collect();
            let offset = choices.below(count.max(1));
            Movement::AsStrided { shape: sizes, strides, offset }
        }
    }
}

fn from_front(axis: i64, rank: usize) -> Option<usize> {
    let from_front = if axis < 0 { axis.checked_add(i64::try_from(rank).ok()?)? } else { axis };
    usize::try_from(from_front).ok().filter(|axis| *axis < rank)
}

/// The definition of such an op on tables; `None` if an argument does not fit, or if the op is not
/// one of these.
pub fn on_table(table: &Table, op: &Movement) -> Option<Table> {
    let shape = table.shape();
    let rank = shape.len();
    match op {
        Movement::Slice(slices) => {
            let kept: Vec<Vec<i64>> = (0..slices.len().max(rank))
                .map(|axis| match (slices.get(axis), shape.get(axis)) {
                    (Some(slice), Some(size)) => python_range(slice, *size),
                    (None, Some(size)) => Some((0..*size).collect()),
                    _ => None,
                })
                .collect::<Option<_>>()?;
            table.pick(&kept)
        }
        Movement::Transpose(first, second) => {
            let mut order: Vec<usize> = (0..rank).collect();
            order.swap(from_front(*first, rank)?, from_front(*second, rank)?);
            table.permute(&order)
        }
        Movement::Squeeze(axis) => {
            let mut new = shape.to_vec();
            let size = new.remove(from_front(*axis, rank)?);
            (size == 1).then(|| table.reshape(&new)).flatten()
        }
        Movement::Unsqueeze(axis) => {
            let mut new = shape.to_vec();
            new.insert(from_front(*axis, rank + 1)?, 1);
            table.reshape(&new)
        }
        Movement::Flatten(start, end) => {
            // A table without axes is flattened to one axis of size 1.
            let shape = if rank == 0 { &[1] } else { shape };
            let (start, end) = (from_front(*start, shape.len())?, from_front(*end, shape.len())?);
            let joined = shape.get(start..=end)?;
            if joined.is_empty() {
                return None;
            }
            let joined = joined.iter().product();
            table.reshape(&[&shape[..start], &[joined], &shape[end + 1..]].concat())
        }
        Movement::Unflatten(axis, sizes) => {
            let axis = from_front(*axis, rank)?;
            let fits = sizes.iter().product::<i64>() == shape[axis];
            let new = [&shape[..axis], sizes, &shape[axis + 1..]].concat();
            fits.then(|| table.reshape(&new)).flatten()
        }
        Movement::AsStrided { shape, strides, offset } => table.as_strided(shape, strides, *offset),
        _ => None,
    }
}

/// The indices of an axis that a slice keeps, walked one by one.
fn python_range(slice: &Slice, size: i64) -> Option<Vec<i64>> {
    let Slice { start, stop, step } = *slice;
    let first = if step > 0 { 0 } else { size - 1 };
    let end = if step > 0 { size } else { -1 };
    let place = |bound: Option<i64>, otherwise: i64| match bound {
        None => otherwise,
        Some(bound) if bound < 0 => (bound + size).max(if step > 0 { 0 } else { -1 }),
        Some(bound) => bound.min(if step > 0 { size } else { size - 1 }),
    };
    let (mut at, stop) = (place(start, first), place(stop, end));
    let mut kept = Vec::new();
    if step == 0 {
        return None;
    }
    while if step > 0 { at < stop } else { at > stop } {
        kept.push(at);
        at += step;
    }
    Some(kept)
}
