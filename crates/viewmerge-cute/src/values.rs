//! The values of a layout: whether it takes one, and some of an injective layout that tell ways to cut
//! them into digits apart.
//!
//! Whatever values are chosen, what they refute is refuted; what they do not is asked of the views. The smallest ones
//! refute digits that are too coarse, and show which are idle. A mode that does not fit digits shows it
//! beside the first and last coordinates of the other modes, where carries are.

use viewmerge::{Limit, Validity, Verdict, View, ViewChain};

use crate::error::Error;
use crate::layout::Layout;

/// The most small values that every list of places is asked to fit.
const MOST_SMALL: usize = 2048;
/// The values below this are asked for beside each mode.
const MOST_BESIDE: i64 = 256;
/// The most values at the ends of modes that are asked for beside each mode.
const MOST_ENDS: usize = 700;

/// Whether a layout takes a value: whether the view of one valid position, seen through it, has any.
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

/// Values with their positions, sorted: the smallest ones, and what each mode adds to these. Both kinds refute
/// most places: the first what is too coarse or not needed, the others what a mode does not fit.
pub(crate) fn chosen_values(leaves: &[(i64, i64)]) -> Vec<(i64, i64)> {
    let mut bound = 64;
    let mut found = values_below(leaves, bound);
    // A layout that is injective has at most `bound` values below it.
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

/// The values with the first and last coordinates of each mode, as many of these as there is room for.
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

/// The values below a bound with their positions, as many as [`MOST_SMALL`] and one more. A mode of stride 0 is
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
