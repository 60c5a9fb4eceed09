//! Questions with known answers, at all sizes: by the length of an axis, the number of axes, and the number
//! of views.

use viewmerge::{Validity, View};
use viewmerge_testkit::accidental::with_jumps;

/// What grows.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Grows {
    Length,
    Rank,
    Views,
}

/// One question of a family.
pub(crate) struct Sample {
    /// How large it is.
    pub(crate) size: i64,
    pub(crate) views: Vec<View>,
}

/// Chains that differ in one size only.
pub(crate) struct Family {
    pub(crate) name: &'static str,
    pub(crate) grows: Grows,
    /// Whether the walk and the peers are drawn for it too.
    pub(crate) compared: bool,
    pub(crate) samples: Vec<Sample>,
}

fn family(
    name: &'static str,
    grows: Grows,
    sizes: &[i64],
    views: impl Fn(i64) -> Vec<View>,
) -> Family {
    let samples = sizes.iter().map(|&size| Sample { size, views: views(size) }).collect();
    Family { name, grows, compared: false, samples }
}

fn compared(family: Family) -> Family {
    Family { compared: true, ..family }
}

/// Every family, at every size.
pub(crate) fn all() -> Vec<Family> {
    [by_length(), by_rank(), by_views()].into_iter().flatten().collect()
}

fn strided(shape: &[i64], strides: &[i64], offset: i64) -> View {
    View::strided(shape, strides, offset).expect("fits")
}

fn contiguous(shape: &[i64]) -> View {
    View::contiguous(shape).expect("fits")
}

/// A view with these jumps at its levels, seen through one axis.
fn pair(sizes: &[i64], jumps: &[i64], stride: i64, offset: i64, length: i64) -> Vec<View> {
    let last = offset + stride * (length - 1);
    let below = View::try_from(with_jumps(sizes, jumps, 0, last)).expect("fits");
    vec![below, strided(&[length], &[stride], offset)]
}

fn by_length() -> Vec<Family> {
    let lengths: Vec<i64> = (1..=12).map(|exponent| 10i64.pow(exponent)).collect();
    let primes =
        [11, 101, 1_009, 10_007, 100_003, 1_000_003, 10_000_019, 100_000_007, 1_073_741_789];
    let (grows, hard) = (Grows::Length, &lengths[1..9]);
    vec![
        family("ordinary: rows joined", grows, &lengths, |n| {
            vec![strided(&[n, 4, 8], &[64, 8, 1], 0), contiguous(&[n, 32])]
        }),
        family("ordinary: padded rows, flattened", grows, &lengths, |n| {
            let padded = Validity::boxed(&[(1, n + 1), (0, 4)]);
            let padded = View::new(&[n + 2, 4], &[4, 1], -4, padded).expect("fits");
            vec![padded, contiguous(&[4 * (n + 2)])]
        }),
        family("ordinary: a transpose, flattened (no)", grows, &lengths, |n| {
            vec![strided(&[n, 4], &[1, n], 0), contiguous(&[4 * n])]
        }),
        compared(family("accidental: (B,3,4), stride 6", grows, &lengths, |n| {
            pair(&[4, 3], &[1, -1], 6, 0, n)
        })),
        family("accidental: wrong once a period (no)", grows, &lengths, |n| {
            pair(&[4, 3], &[1, -1], 6, 3, n)
        }),
        // ⌊n/g⌋ − ⌊n/(g(g+1))⌋ is L − 1 + [g divides L] for n = (g+1)·L − g.
        family("accidental: wrong at the last step (no)", grows, &primes, |g| {
            pair(&[g, g + 1], &[1, -1], g + 1, 1, g)
        }),
        family("accidental: (B,9,9,7), three equal jumps", grows, &lengths, |n| {
            pair(&[7, 9, 9], &[1, 1, 1], 81, 40, n)
        }),
        family(
            "masked: a padded vector, each element repeated, sliced (no)",
            grows,
            &lengths,
            |n| {
                let padded =
                    View::new(&[n], &[1], 0, Validity::boxed(&[(0, n - 1)])).expect("fits");
                vec![padded, strided(&[n, 4], &[1, 0], 0), contiguous(&[4 * n - 7])]
            },
        ),
        family("masked: every other element of padded rows, broadcast", grows, &lengths, |n| {
            let padded = Validity::boxed(&[(0, n), (0, 9)]);
            let padded = View::new(&[n, 10], &[10, 1], 0, padded).expect("fits");
            vec![padded, strided(&[2, 5 * n], &[0, 2], 0)]
        }),
        family("accidental: along two axes of n", grows, &lengths[..7], |n| {
            let below = strided(&[3, n + 1, n], &[n * (n + 1) + n, n + 1, 1], 0);
            vec![below, strided(&[n - 1, n - 1], &[n + 1, 2 * n + 2], 0)]
        }),
        family("hard: subset sum of 8 numbers up to n", grows, hard, |n| {
            subset_sum(8, n / 20, false)
        }),
    ]
}

fn by_rank() -> Vec<Family> {
    let ranks: Vec<i64> = (1..=16).collect();
    let powers = |base: i64, rank: i64| -> Vec<i64> {
        (0..rank as u32).rev().map(|exponent| base.pow(exponent)).collect()
    };
    vec![
        family("ordinary: a slice of every axis", Grows::Rank, &ranks, |rank| {
            let (below, inner) = (vec![4; rank as usize], vec![2; rank as usize]);
            let steps = powers(4, rank);
            let pitched: Vec<i64> = steps.iter().map(|step| 2 * step).collect();
            vec![strided(&below, &pitched, 0), strided(&inner, &steps, steps.iter().sum())]
        }),
        family("ordinary: all axes reversed, flattened (no)", Grows::Rank, &ranks[1..], |rank| {
            let mut strides = powers(2, rank);
            strides.reverse();
            vec![strided(&vec![2; rank as usize], &strides, 0), contiguous(&[1 << rank])]
        }),
        compared(family(
            "accidental: (B,3,4), stride 6, in many axes",
            Grows::Rank,
            &ranks,
            |rank| {
                let steps: Vec<i64> = powers(3, rank).iter().map(|step| 6 * step).collect();
                let last = 2 * steps.iter().sum::<i64>();
                let below = with_jumps(&[4, 3], &[1, -1], 0, last);
                let below = View::try_from(below).expect("fits");
                vec![below, strided(&vec![3; rank as usize], &steps, 0)]
            },
        )),
        family("hard: subset sum, there is none", Grows::Rank, &ranks[2..], |rank| {
            subset_sum(rank as usize - 1, 6_000_000, false)
        }),
        family("hard: subset sum, there is one (no)", Grows::Rank, &ranks[2..], |rank| {
            subset_sum(rank as usize - 1, 6_000_000, true)
        }),
    ]
}

fn by_views() -> Vec<Family> {
    let counts = [1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64];
    let repeated = |view: &View, count: i64| vec![view.clone(); count as usize];
    vec![
        family("ordinary: transposes there and back", Grows::Views, &counts, |count| {
            let there = strided(&[40, 60], &[1, 40], 0);
            let back = strided(&[60, 40], &[1, 60], 0);
            (0..count).map(|n| if n % 2 == 0 { there.clone() } else { back.clone() }).collect()
        }),
        family("ordinary: slice after slice", Grows::Views, &counts, |count| {
            let slices = (0..count).map(|n| {
                let (rows, columns) = (200 - 2 * n, 150 - 2 * n);
                strided(&[rows - 2, columns - 2], &[columns, 1], columns + 1)
            });
            slices.collect()
        }),
        // A cyclic shift of six binary digits: one view when all or all but one are shifted through.
        compared(family("hard: 64 elements, shuffled", Grows::Views, &counts, |count| {
            repeated(&strided(&[32, 2], &[1, 32], 0), count)
        })),
        family("hard: 4,096 elements, shuffled", Grows::Views, &counts, |count| {
            repeated(&strided(&[2048, 2], &[1, 2048], 0), count)
        }),
    ]
}

/// The reduction of subset sum: one view exactly when no subset of some even numbers sums to the target.
pub(crate) fn subset_sum(count: usize, largest: i64, exists: bool) -> Vec<View> {
    let mut state = 12_345u64;
    let numbers: Vec<i64> = (0..count)
        .map(|_| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            2 * (1 + (state >> 33) as i64 % largest.max(1))
        })
        .collect();
    let sum: i64 = numbers.iter().step_by(2).sum();
    // Even numbers never have an odd sum.
    let target = if exists { sum } else { sum + 1 };
    let g = numbers.iter().sum::<i64>() + target + 1;
    let below = strided(&[2, g + 1, g], &[g * (g + 1) + g, g + 1, 1], 0);
    let mut strides = vec![(g + 1) * (g - target) - g];
    strides.extend(numbers.iter().map(|a| (g + 1) * a));
    vec![below, strided(&vec![2; strides.len()], &strides, 0)]
}
