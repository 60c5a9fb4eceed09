//! The criterion itself, without theory: walk every index of the chain; the valid ones must fill a box, and
//! along every axis all steps in it must be equal.
//!
//! In its cheapest form: the value at each index is computed once, and compared with the one before it
//! along one axis, which settles all axes by induction.
//!
//! Cost: the number of indices, twice if there are masks.

use viewmerge::{Validity, View};

/// A lower view, laid out for evaluation: (weight, stride, low, high) for each axis.
struct Stage {
    axes: Vec<(i64, i64, i64, i64)>,
    offset: i64,
}

impl Stage {
    fn new(view: &View) -> Option<Stage> {
        let bounds = view.valid_box()?;
        let mut weight = view.count();
        let axes = (0..view.rank()).map(|axis| {
            weight /= view.shape()[axis].max(1);
            (weight, view.strides()[axis], bounds[axis].0, bounds[axis].1)
        });
        Some(Stage { axes: axes.collect(), offset: view.offset() })
    }

    fn at(&self, mut position: i64) -> Option<i64> {
        let mut value = self.offset;
        for &(weight, stride, lo, hi) in &self.axes {
            let digit = position / weight;
            position -= digit * weight;
            if digit < lo || hi <= digit {
                return None;
            }
            value += digit * stride;
        }
        Some(value)
    }
}

/// Calls back with every index of a box and its position under a view; ends early on false.
fn walk(bounds: &[(i64, i64)], top: &View, mut visit: impl FnMut(&[i64], i64) -> bool) -> bool {
    if bounds.iter().any(|(lo, hi)| lo >= hi) {
        return true;
    }
    let strides = top.strides();
    let mut index: Vec<i64> = bounds.iter().map(|bound| bound.0).collect();
    let corner = index.iter().zip(strides).map(|(i, stride)| i * stride);
    let mut position = top.offset() + corner.sum::<i64>();
    loop {
        if !visit(&index, position) {
            return false;
        }
        let mut axis = bounds.len();
        loop {
            let Some(next) = axis.checked_sub(1) else { return true };
            axis = next;
            index[axis] += 1;
            position += strides[axis];
            if index[axis] < bounds[axis].1 {
                break;
            }
            position -= strides[axis] * (index[axis] - bounds[axis].0);
            index[axis] = bounds[axis].0;
        }
    }
}

/// Whether the chain, memory side first, is one view.
pub(crate) fn is_one_view(chain: &[View]) -> bool {
    let Some((top, below)) = chain.split_last() else { return false };
    let stages: Option<Vec<Stage>> = below.iter().rev().map(Stage::new).collect();
    let (Some(stages), Some(mut bounds)) = (stages, top.valid_box()) else { return true };
    let value =
        |position: i64| stages.iter().try_fold(position, |position, stage| stage.at(position));

    if below.iter().any(|view| *view.validity() != Validity::All) {
        let mut hull: Option<Vec<(i64, i64)>> = None;
        let mut valid = 0;
        walk(&bounds, top, |index, position| {
            if value(position).is_some() {
                valid += 1;
                let hull = hull.get_or_insert_with(|| index.iter().map(|&i| (i, i + 1)).collect());
                for (bound, &i) in hull.iter_mut().zip(index) {
                    *bound = (bound.0.min(i), bound.1.max(i + 1));
                }
            }
            true
        });
        let Some(hull) = hull else { return true };
        if valid != hull.iter().map(|(lo, hi)| hi - lo).product::<i64>() {
            return false;
        }
        bounds = hull.as_slice().into();
    }

    let mut strides: Vec<Option<i64>> = vec![None; bounds.len()];
    let mut first = None;
    walk(&bounds, top, |index, position| {
        let Some(found) = value(position) else { return false };
        let first = *first.get_or_insert(found);
        let mut expected = first;
        let mut new = None;
        for (axis, (&i, &(lo, _))) in index.iter().zip(&bounds).enumerate() {
            match strides[axis] {
                Some(stride) => expected += stride * (i - lo),
                // Row by row, an axis first moves while all others are at their low end.
                None if i > lo => new = Some(axis),
                None => {}
            }
        }
        if let Some(axis) = new {
            strides[axis] = Some(found - expected);
            return true;
        }
        found == expected
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agrees_with_known_answers() {
        for set in crate::sets::known().expect("sets") {
            for question in set.questions {
                if question.chain.last().is_some_and(|view| view.count() <= 1 << 10) {
                    assert_eq!(is_one_view(&question.chain), question.truth.is_some());
                }
            }
        }
    }
}
