//! Questions with known answers, at all sizes.

use viewmerge::{View, ViewChain};
use viewmerge_testkit::accidental::with_jumps;

/// Pairs of views that differ in length only.
pub(crate) struct Family {
    pub(crate) name: &'static str,
    pub(crate) samples: Vec<(i64, [View; 2])>,
}

fn pair(sizes: &[i64], jumps: &[i64], stride: i64, offset: i64, length: i64) -> [View; 2] {
    let last = offset + stride * (length - 1);
    [
        View::try_from(with_jumps(sizes, jumps, 0, last)).expect("fits"),
        View::strided(&[length], &[stride], offset).expect("fits"),
    ]
}

fn family(name: &'static str, lengths: &[i64], views: impl Fn(i64) -> [View; 2]) -> Family {
    Family { name, samples: lengths.iter().map(|&length| (length, views(length))).collect() }
}

/// Levels that overflow together, at lengths from 10 to 10^17.
pub(crate) fn accidental() -> Vec<Family> {
    let lengths: Vec<i64> = [1, 3, 6, 9, 12, 15, 17].map(|exponent| 10i64.pow(exponent)).into();
    let primes = [11, 1_009, 1_000_003, 1_073_741_789];
    // ⌊n/g⌋ − ⌊n/(g(g+1))⌋ is L − 1 + [g divides L] for n = (g+1)·L − g.
    let needle = |g: i64, length: i64| pair(&[g, g + 1], &[1, -1], g + 1, 1, length);
    // All three turn by p/q a step; their phases are equal.
    let q = 9_973;
    let in_step = (q + 1) * (2 * q + 1) * 1_234;
    vec![
        family("(B,3,4), stride 6, opposite jumps", &lengths, |length| {
            pair(&[4, 3], &[1, -1], 6, 0, length)
        }),
        family("(B,5,3), stride 5, offset 2, equal jumps", &lengths, |length| {
            pair(&[3, 5], &[1, 1], 5, 2, length)
        }),
        family("(B,3,4), stride 6, offset 3: wrong once a period", &lengths, |length| {
            pair(&[4, 3], &[1, -1], 6, 3, length)
        }),
        family("(2,g+1,g), wrong g − 1 steps away, before it", &primes.map(|g| g - 1), |length| {
            needle(length + 1, length)
        }),
        family("(2,g+1,g), wrong g − 1 steps away, with it", &primes, |length| {
            needle(length, length)
        }),
        family("(B,9,9,7), stride 81, offset 40, three equal jumps", &lengths[..6], |length| {
            pair(&[7, 9, 9], &[1, 1, 1], 81, 40, length)
        }),
        family("(B,19947,9974,9973), three levels in step", &lengths[..3], |length| {
            pair(&[q, q + 1, 2 * q + 1], &[1, 1, -2], in_step, 0, length)
        }),
    ]
}

/// The first family as a chain to be walked.
pub(crate) fn walked(length: i64) -> ViewChain {
    ViewChain::from_views(&pair(&[4, 3], &[1, -1], 6, 0, length)).expect("composes")
}

/// The reduction of subset sum: one view exactly when no subset of the numbers sums to the target.
pub(crate) fn subset_sums() -> Vec<(usize, bool, [View; 2])> {
    let mut samples = Vec::new();
    for count in [10, 20, 30, 40] {
        let numbers = numbers(count);
        let sum: i64 = numbers.iter().step_by(2).sum();
        // Even numbers have no odd sum.
        samples.push((count, false, reduction(&numbers, sum + 1)));
        samples.push((count, true, reduction(&numbers, sum)));
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
