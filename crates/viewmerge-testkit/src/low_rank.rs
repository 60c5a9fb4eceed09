//! Questions of low rank about long axes: two to four views, at most six axes, extents up to 10^12,
//! masks, broadcasts, negative strides, windows, and ops as programs apply them.
//!
//! They are too long to walk, so they are for measuring, for comparing engines with each other, and
//! for certificates.

use viewmerge::{View, ViewChain};

use crate::choices::Choices;

/// The most axes of a view.
const RANK: usize = 6;

/// The most elements of a view.
const ELEMENTS: i64 = 1 << 58;

/// A size: small, a round number, or any up to 10^12.
fn size(choices: &mut Choices<'_>, most: i64) -> i64 {
    let found = match choices.below(6) {
        0 | 1 => 1 + choices.below(9),
        2 => choices.pick(&[16, 64, 100, 224, 1000, 4096, 50_257]),
        3 => 10i64.pow(choices.below(13) as u32),
        4 => choices.pick(&[7, 49, 343, 1 << 20, 999_999_937, 1_000_003]),
        _ => 1 + choices.below(1_000_000_000_000),
    };
    found.clamp(1, most.max(1))
}

/// A shape of some axes.
fn shape(choices: &mut Choices<'_>, rank: usize) -> Vec<i64> {
    let mut left = ELEMENTS;
    (0..rank)
        .map(|_| {
            let size = size(choices, left.min(1_000_000_000_000));
            left /= size;
            size
        })
        .collect()
}

/// A divisor of a number, at most a million.
fn divisor(choices: &mut Choices<'_>, n: i64) -> i64 {
    let wanted = 2 + choices.below(30);
    (wanted..wanted + 50).find(|d| n % d == 0).unwrap_or(1)
}

/// One more op, if it applies.
fn op(choices: &mut Choices<'_>, chain: &ViewChain) -> Option<ViewChain> {
    let shape = chain.shape().to_vec();
    let rank = shape.len();
    if rank == 0 {
        return None;
    }
    let axis = choices.below(rank as i64) as usize;
    let whole: Vec<(i64, i64)> = shape.iter().map(|&size| (0, size)).collect();
    let next = match choices.below(9) {
        0 => {
            // Fuse two neighbours, or all.
            let mut flat = shape.clone();
            if axis + 1 < rank {
                flat[axis] *= flat.remove(axis + 1);
            } else {
                flat = vec![shape.iter().product()];
            }
            chain.reshape(&flat)
        }
        1 if rank < RANK => {
            let divisor = divisor(choices, shape[axis]);
            let mut split = shape.clone();
            split[axis] /= divisor;
            split.insert(axis + 1, divisor);
            chain.reshape(&split)
        }
        2 => {
            let mut order: Vec<i64> = (0..rank as i64).collect();
            order.swap(axis, choices.below(rank as i64) as usize);
            chain.permute(&order)
        }
        3 => {
            let mut pads = vec![(0, 0); rank];
            pads[axis] = (choices.below(3), choices.below(3));
            chain.pad(&pads)
        }
        4 => {
            let mut bounds = whole;
            let size = shape[axis];
            let lo = choices.below(4).min(size - 1);
            let hi = (size - choices.below(9)).max(lo + 1);
            bounds[axis] = (lo, hi);
            chain.shrink(&bounds)
        }
        5 => chain.flip(&[axis as i64]),
        6 if rank < RANK => {
            let mut unit = shape.clone();
            unit.insert(axis, 1);
            let mut wide = unit.clone();
            wide[axis] = 1 + size(choices, 1 << 20);
            chain.reshape(&unit).and_then(|chain| chain.expand(&wide))
        }
        7 => {
            let steps: Vec<i64> =
                (0..rank).map(|l| if l == axis { 1 + choices.below(4) } else { 1 }).collect();
            chain.step(&steps)
        }
        _ if rank < RANK => {
            // A sliding window.
            let window = 2 + choices.below(5);
            let (n, step) = (shape[axis], 1 + choices.below(3));
            if n < window {
                return None;
            }
            let mut windowed = shape.clone();
            windowed[axis] = (n - window) / step + 1;
            windowed.insert(axis + 1, window);
            let mut strides = Vec::new();
            let mut run = 1;
            for &size in shape.iter().rev() {
                strides.insert(0, run);
                run *= size;
            }
            let stride = strides[axis];
            strides[axis] = stride * step;
            strides.insert(axis + 1, stride);
            View::strided(&windowed, &strides, 0).and_then(|view| chain.append(view))
        }
        _ => return None,
    };
    next.ok().filter(|chain| chain.shape().len() <= RANK && chain.count() <= ELEMENTS)
}

/// A view over the elements of a shape: strides of any sign, and maybe a mask.
fn view_over(choices: &mut Choices<'_>, count: i64) -> Option<View> {
    let rank = 1 + choices.below(3) as usize;
    let mut room = count - 1;
    let (mut shape, mut strides, mut offset) = (Vec::new(), Vec::new(), 0);
    for _ in 0..rank {
        let stride = match choices.below(4) {
            0 => 1 + choices.below(6),
            1 => size(choices, room.max(1)),
            2 => 0,
            _ => 1 + choices.below(room.clamp(1, 1_000_000_000)),
        };
        let most = if stride == 0 { 1 << 12 } else { room / stride + 1 };
        let extent =
            if choices.one_in(2) { most.min(1_000_000_000_000) } else { size(choices, most) };
        room -= stride * (extent - 1);
        let down = choices.one_in(4);
        offset += if down { stride * (extent - 1) } else { 0 };
        strides.push(if down { -stride } else { stride });
        shape.push(extent);
    }
    offset += choices.below(room.clamp(0, 1 << 40) + 1);
    View::strided(&shape, &strides, offset).ok()
}

/// A chain made by a program of ops, or by stacking views.
///
/// `None` if the choices do not make a chain of two to four views.
pub fn chain(choices: &mut Choices<'_>) -> Option<ViewChain> {
    let rank = 1 + choices.below(4) as usize;
    let shape = shape(choices, rank);
    let mut chain = ViewChain::contiguous(&shape).ok()?;
    if choices.one_in(3) {
        let strides: Vec<i64> = (0..rank)
            .map(|_| {
                let stride = size(choices, 1 << 20);
                if choices.one_in(3) { -stride } else { stride }
            })
            .collect();
        chain = ViewChain::from(View::strided(&shape, &strides, 0).ok()?);
    }
    for _ in 0..choices.between(3, 9) {
        if choices.one_in(5) {
            if let Some(next) = view_over(choices, chain.count()).map(|view| chain.append(view)) {
                chain = next.ok()?;
            }
        } else if let Some(next) = op(choices, &chain) {
            chain = next;
        }
    }
    // Ops merge what merges quickly; the rest is the question.
    let views = chain.views().len();
    (2..=4).contains(&views).then_some(chain)
}
