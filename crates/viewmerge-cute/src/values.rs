//! The values of a layout: whether a given one occurs, and a selection that tells apart the ways to cut the
//! values of an injective layout into digits.
//!
//! Any selection is sound: what the selected values refute is refuted, and the views decide the rest. The
//! smallest values refute digits that are too coarse, and show which are idle. A mode that does not fit the
//! digits shows it next to the first and last coordinates of the other modes, where carries happen.

use viewmerge::{Limit, Validity, Verdict, View, ViewChain};

use crate::error::Error;
use crate::layout::Layout;

/// The most small values against which every list of places is tested.
const MOST_SMALL: usize = 2048;
/// For each mode, values of the other modes are combined with it up to this bound.
const MOST_BESIDE: i64 = 256;
/// For each mode, the most values at the ends of the other modes that are combined with it.
const MOST_ENDS: usize = 700;

/// Whether a value occurs: whether the view of that one position, seen through the layout, has a valid
/// index.
pub(crate) fn has_value(layout: &Layout, value: i64, limit: &Limit<'_>) -> Result<bool, Error> {
    let view = layout.view()?;
    let Some((least, most)) = view.position_range() else { return Ok(false) };
    if value < least || value > most {
        return Ok(false);
    }
    let at = value - least;
    let one = View::new(&[most - least + 1], &[1], 0, Validity::boxed(&[(at, at + 1)]))?;
    let moved = View::strided(view.shape(), view.strides(), -least)?;
    let verdict = ViewChain::from_views(&[one, moved])?.merge_within(limit)?;
    Ok(!matches!(verdict, Verdict::Merged(merged) if *merged.validity() == Validity::Nothing))
}

/// A selection of values with their positions, sorted: the smallest, and sums of these and steps along each
/// mode. The first kind refutes places that are too coarse or superfluous, the second places that a mode
/// does not fit.
pub(crate) fn chosen_values(leaves: &[(i64, i64)]) -> Vec<(i64, i64)> {
    let mut bound = 64;
    let mut found = values_below(leaves, bound);
    // An injective layout has at most `bound` values below `bound`.
    while let Some(wider) = Some(bound * 4).filter(|&wider| wider < 1 << 60) {
        let more = values_below(leaves, wider);
        if more.len() > MOST_SMALL {
            break;
        }
        (found, bound) = (more, wider);
    }
    let mut place = 1;
    for (mode, &(size, stride)) in leaves.iter().enumerate() {
        if size > 1 && stride.saturating_mul(size) > bound {
            let mut others = leaves.to_vec();
            others[mode] = (size, 0);
            let mut lower = values_below(&others, stride.min(MOST_BESIDE));
            lower.extend(ends(&others));
            for step in [1, 2, size - 1].into_iter().filter(|&step| step < size) {
                let at = step * place;
                found.extend(lower.iter().map(|(value, low)| (value + step * stride, low + at)));
            }
        }
        place *= size;
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// The values at the first and last coordinates of each mode, as many coordinates as there is room for.
fn ends(leaves: &[(i64, i64)]) -> Vec<(i64, i64)> {
    let count = leaves.iter().filter(|leaf| leaf.0 > 1 && leaf.1 > 0).count() as u32;
    let each = (2..=5usize).rev().find(|each| each.saturating_pow(count) <= MOST_ENDS).unwrap_or(1);
    let mut found = vec![(0, 0)];
    let mut place = 1;
    for &(size, stride) in leaves {
        if size > 1 && stride > 0 {
            let mut chosen = [0, size - 1, 1, size - 2, 2][..each].to_vec();
            chosen.retain(|&i| i < size);
            chosen.sort_unstable();
            chosen.dedup();
            found = chosen
                .iter()
                .flat_map(|i| found.iter().map(move |(v, at)| (v + i * stride, at + i * place)))
                .collect();
        }
        place *= size;
    }
    found
}

/// The values below a bound, with their positions, at most [`MOST_SMALL`] plus one. Modes of stride 0 are
/// left out.
fn values_below(leaves: &[(i64, i64)], below: i64) -> Vec<(i64, i64)> {
    let mut found = vec![(0, 0)];
    let mut place = 1;
    for &(size, stride) in leaves {
        if size > 1 && stride > 0 && stride < below {
            let most = size.min((below - 1) / stride + 1);
            let mut more = Vec::new();
            'steps: for i in 0..most {
                for &(value, at) in &found {
                    if value + i * stride < below {
                        more.push((value + i * stride, at + i * place));
                    }
                    if more.len() > MOST_SMALL {
                        break 'steps;
                    }
                }
            }
            found = more;
        }
        place *= size;
    }
    found
}
