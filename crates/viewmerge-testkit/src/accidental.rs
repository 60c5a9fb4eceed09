//! Views whose overflows cancel, and near misses.
//!
//! A view of shape (B, …, M, m) with jumps δ₁, δ₂, … at its levels m, mM, …, seen through strides
//! that make several levels overflow at the same time.

use viewmerge::reference::{Spec, evaluate};
use viewmerge::{Validity, View, ViewParts};

use crate::choices::Choices;

/// The view with these inner sizes (finest first), these jumps at its levels,
/// and room for positions up to `last`.
pub fn with_jumps(sizes: &[i64], jumps: &[i64], slope: i64, last: i64) -> ViewParts {
    let (mut stride, mut modulus) = (slope, 1);
    let (mut shape, mut strides) = (Vec::new(), Vec::new());
    for (&size, &jump) in sizes.iter().zip(jumps) {
        shape.insert(0, size);
        strides.insert(0, stride);
        stride = stride * size + jump;
        modulus *= size;
    }
    shape.insert(0, last / modulus + 1);
    strides.insert(0, stride);
    ViewParts { shape, strides: Some(strides), ..ViewParts::default() }
}

/// Two or three views, the top one small enough to walk.
///
/// # Panics
///
/// If a view is refused, which would be a bug here.
pub fn chain(choices: &mut Choices<'_>) -> Vec<View> {
    let levels = choices.pick(&[2, 2, 3, 2, 4]);
    let sizes: Vec<i64> = (0..levels).map(|_| choices.pick(&[2, 3, 4, 5, 3, 6, 7, 9])).collect();
    let jump = choices.between(1, 3);
    let jumps: Vec<i64> =
        (0..levels).map(|_| jump * choices.pick(&[1, -1, 1, -1, 1, -1, 2, -2, 3])).collect();
    let coarsest: i64 = sizes.iter().product();
    // Strides for which two levels stay in step: t·(M ∓ 1) is a multiple of m·M.
    let (fine, factor) = (sizes[0], sizes[1]);
    let in_step = |shift: i64| {
        let modulus = fine * factor;
        (1..=modulus).find(|t| t * (factor + shift) % modulus == 0).unwrap_or(1)
    };
    let stride = match choices.below(4) {
        0 => in_step(-1) * choices.between(1, 3),
        1 => in_step(1) * choices.between(1, 3),
        2 => choices.between(1, coarsest),
        _ => fine * factor + choices.between(-1, 1),
    };
    let longest = choices.between(2, 60);
    let mut extents = vec![longest];
    let mut steps = vec![stride];
    match choices.below(4) {
        // A second axis whose stride is a multiple of the first.
        0 => {
            extents.push(choices.between(2, 4));
            steps.push(stride * choices.between(1, 3));
        }
        // An axis that causes no carry.
        1 => {
            extents.push(choices.between(2, 4));
            steps.push(coarsest * choices.between(1, 2));
        }
        // Some other axis.
        2 => {
            extents.push(choices.between(2, 5));
            steps.push(choices.between(1, coarsest));
        }
        _ => {}
    }
    let start = choices.below(coarsest);
    let last = start + extents.iter().zip(&steps).map(|(e, t)| (e - 1) * t).sum::<i64>();
    let mut below = with_jumps(&sizes, &jumps, choices.between(-2, 3), last);
    if choices.one_in(4) {
        // Padding that may cut away what goes wrong, or make holes.
        let interval = |choices: &mut Choices<'_>, size: i64| {
            let lo = choices.below(size.min(3));
            if choices.one_in(2) {
                (0, size)
            } else {
                (lo, size - choices.below((size - lo).min(3)))
            }
        };
        let bounds = below.shape.iter().map(|&size| interval(choices, size)).collect();
        below.validity = Validity::Box(bounds);
    }
    let mut top =
        ViewParts { shape: extents, strides: Some(steps), offset: start, ..ViewParts::default() };
    if choices.one_in(2) {
        cut_after_first_failure(&below, &mut top, choices.one_in(2));
    }
    if choices.one_in(3) {
        // Read the last axis backwards.
        let axis = top.shape.len() - 1;
        if let Some(strides) = &mut top.strides {
            top.offset += strides[axis] * (top.shape[axis] - 1);
            strides[axis] = -strides[axis];
        }
    }
    let mut views: Vec<View> =
        [below, top].into_iter().map(|v| View::try_from(v).expect("small")).collect();
    if choices.one_in(4) {
        // A third view that changes nothing, or takes every other index.
        let count = views[1].count();
        let step = choices.between(1, 2);
        let outer = View::strided(&[(count - 1) / step + 1], &[step], 0).expect("small");
        views.push(outer);
    }
    views
}

/// Shortens the first axis so that all steps along it but the last are equal, or so that all are.
fn cut_after_first_failure(below: &ViewParts, top: &mut ViewParts, keep_failure: bool) {
    let chain = [Spec::from_parts(below), Spec::from_parts(top)];
    let rank = top.shape.len();
    let value = |i: i64| {
        let mut index = vec![0; rank];
        index[0] = i;
        evaluate(&chain, &index).flatten().unwrap_or(0)
    };
    let step = value(1) - value(0);
    let failure = (1..top.shape[0]).find(|&i| value(i) - value(i - 1) != step);
    if let Some(i) = failure {
        top.shape[0] = if keep_failure { i + 1 } else { i };
    }
}

/// One view exactly when no subset of the numbers sums to the target (the reduction that shows how
/// hard the decision is), for any stride K.
///
/// # Panics
///
/// If the numbers are so large that the views exceed their bounds.
pub fn subset_sum(numbers: &[i64], target: i64, k: i64) -> [View; 2] {
    let g = numbers.iter().sum::<i64>() + target + 1;
    let strides = [k * g * (g + 1) + g, k * g + 1, k];
    let below = View::strided(&[2, g + 1, g], &strides, 0).expect("fits");
    let mut steps = vec![(g + 1) * (g - target) - g];
    steps.extend(numbers.iter().map(|a| (g + 1) * a));
    [below, View::strided(&vec![2; steps.len()], &steps, 0).expect("fits")]
}
