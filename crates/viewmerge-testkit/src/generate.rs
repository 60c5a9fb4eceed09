//! Random views, chains and ops, small enough to walk.

use viewmerge::{Movement, Validity, View, ViewParts};

use crate::choices::Choices;

/// The most elements a generated shape has.
const MOST: i64 = 160;

/// A shape of few axes; zero and unit sizes included.
pub fn shape(choices: &mut Choices<'_>) -> Vec<i64> {
    let rank = choices.pick(&[2, 1, 3, 2, 4, 3, 0, 2]);
    let mut left = MOST;
    (0..rank)
        .map(|_| {
            let size = choices.pick(&[2, 3, 4, 1, 5, 2, 3, 7, 4, 2, 3, 9, 6, 2, 12, 8]);
            let size = if size > left { 1 } else { size };
            let size = if choices.one_in(64) { 0 } else { size };
            left /= size.max(1);
            size
        })
        .collect()
}

fn validity(choices: &mut Choices<'_>, shape: &[i64]) -> Validity {
    match choices.below(64) {
        0..=31 => Validity::All,
        63 => Validity::Nothing,
        _ => Validity::Box(
            shape
                .iter()
                .map(|&size| match choices.below(32) {
                    0..=15 => (0, size),
                    31 => {
                        let lo = choices.below(size + 1);
                        (lo, lo)
                    }
                    _ => {
                        let lo = choices.below(size.min(4));
                        (lo, size - choices.below((size - lo).min(4)))
                    }
                })
                .collect(),
        ),
    }
}

/// The valid extent of every axis.
fn extents(shape: &[i64], validity: &Validity) -> Vec<(i64, i64)> {
    match validity {
        Validity::Box(bounds) => bounds.to_vec(),
        _ => shape.iter().map(|&size| (0, size)).collect(),
    }
}

/// The parts of a view over memory, seldom canonical.
pub fn parts(choices: &mut Choices<'_>) -> ViewParts {
    let shape = shape(choices);
    let validity = validity(choices, &shape);
    let mut strides: Vec<i64> = row_major(&shape);
    match choices.below(4) {
        // Contiguous except for a few changed strides, as programs make them.
        0 | 1 => {
            for stride in &mut strides {
                match choices.below(8) {
                    5 => *stride = 0,
                    6 => *stride = -*stride,
                    7 => *stride += choices.between(-4, 4),
                    _ => {}
                }
            }
            if choices.one_in(2) {
                let (a, b) =
                    (choices.below(strides.len() as i64), choices.below(strides.len() as i64));
                if !strides.is_empty() {
                    strides.swap(a as usize, b as usize);
                }
            }
        }
        // Small strides, so that jumps often cancel.
        2 => strides.iter_mut().for_each(|stride| *stride = choices.between(-4, 4)),
        _ => strides.iter_mut().for_each(|stride| *stride = choices.between(-40, 40)),
    }
    ViewParts { shape, strides: Some(strides), offset: choices.between(-9, 30), validity }
}

fn row_major(shape: &[i64]) -> Vec<i64> {
    (0..shape.len()).map(|axis| shape[axis + 1..].iter().product()).collect()
}

/// The parts of a view that composes with a view of this shape.
pub fn parts_above(choices: &mut Choices<'_>, below: &[i64]) -> ViewParts {
    let count: i64 = below.iter().product();
    if count > 0 && choices.one_in(4) {
        // A plain reshape to the same number of elements.
        return ViewParts { shape: regroup(choices, count), ..ViewParts::default() };
    }
    let shape = shape(choices);
    let mut validity = validity(choices, &shape);
    if count == 0 && !shape.contains(&0) {
        validity = Validity::Nothing;
    }
    let bounds = extents(&shape, &validity);
    let steps: Vec<i64> = row_major(below);
    let mut left = count - 1;
    let mut lowest = 0;
    let mut strides = Vec::new();
    for &(lo, hi) in &bounds {
        let extent = hi - lo;
        let stride = if extent > 1 {
            let most = left / (extent - 1);
            let wanted = match choices.below(4) {
                0 if !steps.is_empty() => choices.pick(&steps),
                1 => choices.between(1, 6),
                _ => choices.between(0, most.max(0)),
            };
            let size = wanted.min(most.max(0));
            if choices.one_in(4) { -size } else { size }
        } else {
            choices.between(-50, 50)
        };
        if extent > 1 {
            left -= stride.abs() * (extent - 1);
        }
        // Where the lowest valid index of this axis points, relative to the offset.
        lowest += (stride * lo).min(stride * (hi - 1).max(lo));
        strides.push(stride);
    }
    let offset = choices.between(0, left.max(0)) - lowest;
    ViewParts { shape, strides: Some(strides), offset, validity }
}

/// A shape with exactly this many elements.
pub fn regroup(choices: &mut Choices<'_>, count: i64) -> Vec<i64> {
    let mut left = count;
    let mut shape = Vec::new();
    for _ in 0..choices.below(5) {
        let divisors: Vec<i64> = (1..=left).filter(|d| left % d == 0).collect();
        let size = choices.pick(&divisors);
        shape.push(size);
        left /= size;
    }
    if left != 1 || shape.is_empty() && choices.one_in(2) {
        let place = choices.below(shape.len() as i64 + 1) as usize;
        shape.insert(place, left);
    }
    shape
}

/// The parts of a chain of views that compose.
pub fn chain_parts(choices: &mut Choices<'_>) -> Vec<ViewParts> {
    let length = choices.pick(&[2, 2, 2, 3, 2, 2, 1, 4]);
    let mut chain = vec![parts(choices)];
    while chain.len() < length {
        let next = parts_above(choices, &chain[chain.len() - 1].shape);
        chain.push(next);
    }
    chain
}

/// A chain of views that compose.
///
/// # Panics
///
/// If a generated view is refused, which would be a bug in the generator.
pub fn chain(choices: &mut Choices<'_>) -> Vec<View> {
    let views = chain_parts(choices).into_iter().map(View::try_from);
    views.collect::<Result<_, _>>().expect("generated views are small")
}

/// An op that fits a shape and keeps the table small.
pub fn movement(choices: &mut Choices<'_>, shape: &[i64]) -> Movement {
    let count: i64 = shape.iter().product();
    let rank = shape.len() as i64;
    match choices.below(9) {
        0..=2 if count > 0 => Movement::Reshape(regroup(choices, count)),
        3 => {
            let mut axes: Vec<i64> = (0..rank).collect();
            for place in (1..axes.len()).rev() {
                axes.swap(place, choices.below(place as i64 + 1) as usize);
            }
            Movement::Permute(axes)
        }
        4 => {
            let mut room = 4 * MOST / count.max(1);
            let mut new: Vec<i64> = shape.to_vec();
            if choices.one_in(3) {
                new.insert(0, 1);
            }
            for size in new.iter_mut().filter(|size| **size == 1) {
                let wanted = choices.pick(&[3, 2, 1, 0]);
                if wanted <= room {
                    *size = wanted;
                    room /= wanted.max(1);
                }
            }
            Movement::Expand(new)
        }
        5 => {
            let mut room = 4 * MOST / count.max(1);
            Movement::Pad(
                shape
                    .iter()
                    .map(|&size| {
                        let pair = (choices.pick(&[0, 1, 0, 2]), choices.pick(&[0, 1, 0, 3]));
                        let factor = (size + pair.0 + pair.1 + size.max(1) - 1) / size.max(1);
                        if factor > room {
                            return (0, 0);
                        }
                        room /= factor.max(1);
                        pair
                    })
                    .collect(),
            )
        }
        6 => Movement::Shrink(
            shape
                .iter()
                .map(|&size| {
                    let lo = choices.below(size.min(3));
                    let cut = choices.below((size - lo).min(3));
                    (lo, size - if choices.one_in(12) { size - lo } else { cut })
                })
                .collect(),
        ),
        7 => Movement::Flip((0..rank).filter(|_| choices.one_in(2)).collect()),
        _ => Movement::Step(
            shape.iter().map(|_| choices.pick(&[1, 2, 1, -1, 3, -2, 1, 9])).collect(),
        ),
    }
}

/// An op whose argument may not fit: a valid one with one number changed, or one number too many.
pub fn spoilt_movement(choices: &mut Choices<'_>, shape: &[i64]) -> Movement {
    let mut op = movement(choices, shape);
    let change = choices.between(-3, 3);
    let longer = choices.one_in(4);
    match &mut op {
        Movement::Reshape(numbers)
        | Movement::Permute(numbers)
        | Movement::Expand(numbers)
        | Movement::Flip(numbers)
        | Movement::Step(numbers) => {
            // A −1 asks to infer a size, which tables do not support.
            let infers = |number: i64| number == -1;
            if longer {
                numbers.push(if infers(change) { 0 } else { change });
            } else if let Some(number) = numbers.first_mut()
                && !infers(*number + change)
            {
                *number += change;
            }
        }
        Movement::Pad(pairs) | Movement::Shrink(pairs) => {
            if longer {
                pairs.push((0, 0));
            } else if let Some(pair) = pairs.first_mut() {
                pair.0 += change;
            }
        }
        other => unreachable!("{other} is not generated"),
    }
    op
}

/// A number near a limit, or a small one.
fn extreme(choices: &mut Choices<'_>) -> i64 {
    let limits = [0, 1, 2, 3, 1 << 31, 1 << 61, 1 << 62, i64::MAX, i64::MIN, -(1 << 62), -1, -2];
    choices.pick(&limits).saturating_add(choices.between(-2, 2))
}

fn extremes(choices: &mut Choices<'_>, count: usize) -> Vec<i64> {
    (0..count).map(|_| extreme(choices)).collect()
}

/// The parts of a view with numbers near the limits; often refused.
pub fn extreme_parts(choices: &mut Choices<'_>) -> ViewParts {
    let rank = choices.below(4) as usize;
    let shape: Vec<i64> = (0..rank)
        .map(|_| if choices.one_in(3) { extreme(choices) } else { choices.between(0, 4) })
        .collect();
    let validity = match choices.below(4) {
        0 | 1 => Validity::All,
        2 => Validity::Nothing,
        _ => Validity::Box(
            shape
                .iter()
                .map(|&size| (choices.between(0, 2), size.saturating_sub(choices.below(2))))
                .collect(),
        ),
    };
    let strides = choices.one_in(2).then(|| extremes(choices, rank));
    ViewParts { shape, strides, offset: extreme(choices), validity }
}

/// An op with numbers near the limits.
pub fn extreme_movement(choices: &mut Choices<'_>, rank: usize) -> Movement {
    let pairs = |choices: &mut Choices<'_>| -> Vec<(i64, i64)> {
        (0..rank)
            .map(|_| if choices.one_in(2) { (0, 1) } else { (extreme(choices), extreme(choices)) })
            .collect()
    };
    match choices.below(7) {
        0 => Movement::Reshape(extremes(choices, rank)),
        1 => Movement::Permute(extremes(choices, rank)),
        2 => Movement::Expand(extremes(choices, rank + 1)),
        3 => Movement::Pad(pairs(choices)),
        4 => Movement::Shrink(pairs(choices)),
        5 => Movement::Flip(extremes(choices, 1)),
        _ => Movement::Step(extremes(choices, rank)),
    }
}
