//! Questions with known answers, at all sizes.

use viewmerge::{View, ViewParts};
use viewmerge_testkit::accidental::with_jumps;

/// A name, a length and a pair of views.
pub(crate) type Sample = (String, i64, [View; 2]);

fn pair(sizes: &[i64], jumps: &[i64], stride: i64, offset: i64, length: i64) -> [View; 2] {
    let last = offset + stride * (length - 1);
    let below: ViewParts = with_jumps(sizes, jumps, 0, last);
    [
        View::try_from(below).expect("fits"),
        View::strided(&[length], &[stride], offset).expect("fits"),
    ]
}

/// Two levels that overflow together, at lengths from 10 to 10^12 and beyond.
pub(crate) fn accidental() -> Vec<Sample> {
    let mut samples = Vec::new();
    for exponent in [1, 3, 6, 9, 12, 17] {
        let length = 10i64.pow(exponent);
        samples.push((
            "(B,3,4), stride 6, opposite jumps".to_string(),
            length,
            pair(&[4, 3], &[1, -1], 6, 0, length),
        ));
        samples.push((
            "(B,5,3), stride 5, offset 2, equal jumps".to_string(),
            length,
            pair(&[3, 5], &[1, 1], 5, 2, length),
        ));
        samples.push((
            "(B,3,4), stride 6, offset 3: a needle each period".to_string(),
            length,
            pair(&[4, 3], &[1, -1], 6, 3, length),
        ));
    }
    // ⌊n/g⌋ − ⌊n/(g(g+1))⌋ is L − 1 + [g divides L] for n = (g+1)·L − g.
    for g in [11, 1_009, 1_000_003, 1_073_741_789] {
        for (length, what) in [(g - 1, "just before it"), (g, "with it")] {
            samples.push((
                format!("g = {g}: the overflow g − 1 steps away, {what}"),
                length,
                pair(&[g, g + 1], &[1, -1], g + 1, 1, length),
            ));
        }
    }
    // Three levels, every two of which overflow together or not at all.
    for exponent in [1, 6, 12] {
        let length = 10i64.pow(exponent);
        samples.push((
            "(B,9,9,7), stride 81, offset 40, equal jumps".to_string(),
            length,
            pair(&[7, 9, 9], &[1, 1, 1], 81, 40, length),
        ));
    }
    samples
}

/// The reduction of subset sum: one view exactly when no subset of the numbers sums to the target.
pub(crate) fn subset_sums() -> Vec<(usize, bool, [View; 2])> {
    let mut samples = Vec::new();
    for count in [10, 20, 30, 40] {
        for exists in [false, true] {
            let numbers = numbers(count);
            let target = if exists {
                numbers.iter().step_by(2).sum()
            } else {
                // Even numbers have no odd sum.
                numbers.iter().step_by(2).sum::<i64>() + 1
            };
            samples.push((count, exists, reduction(&numbers, target)));
        }
    }
    samples
}

/// Even pseudo-random numbers whose reduction still fits 2^62 elements.
fn numbers(count: usize) -> Vec<i64> {
    let mut state = 12_345u64;
    (0..count)
        .map(|_| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            2 * (1 + (state >> 42) as i64 % 6_000_000)
        })
        .collect()
}

fn reduction(numbers: &[i64], target: i64) -> [View; 2] {
    let g = numbers.iter().sum::<i64>() + target + 1;
    let below = View::strided(&[2, g + 1, g], &[g * (g + 1) + g, g + 1, 1], 0).expect("fits");
    let mut strides = vec![(g + 1) * (g - target) - g];
    strides.extend(numbers.iter().map(|a| (g + 1) * a));
    [below, View::strided(&vec![2; strides.len()], &strides, 0).expect("fits")]
}
