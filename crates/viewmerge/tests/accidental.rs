//! Overflows that cancel over long axes, where walking is out of the question.
//!
//! The answers come from closed criteria (levels m and mM, n = o + t·i,
//! q = m/gcd(t, m), cell_j = ⌊q·(o mod c_j)/c_j⌋): with opposite jumps all
//! lengths merge exactly when t·(M−1) ≡ 0 mod mM and the cells are equal, with
//! equal jumps when t·(M+1) ≡ 0 mod mM and they add up to q − 1.

#![allow(clippy::panic, reason = "a failed check ends the test")]

use std::time::{Duration, Instant};

use viewmerge::reference::{Spec, check_witness};
use viewmerge::{Error, Exhausted, Limit, Verdict, View, merge};
use viewmerge_testkit::accidental::{subset_sum, with_jumps};
use viewmerge_testkit::choices::Choices;
use viewmerge_testkit::run;

fn gcd(a: i64, b: i64) -> i64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// (B, M, m) with jumps δ and sign·δ through (length):(t)+o.
fn family(m: i64, big: i64, sign: i64, t: i64, o: i64, length: i64) -> Option<[View; 2]> {
    let last = t.checked_mul(length - 1)?.checked_add(o)?;
    let below = View::try_from(with_jumps(&[m, big], &[1, sign], 0, last)).ok()?;
    Some([below, View::strided(&[length], &[t], o).ok()?])
}

fn merges_at_every_length(m: i64, big: i64, sign: i64, t: i64, o: i64) -> bool {
    let (m, big, t, o) = (i128::from(m), i128::from(big), i128::from(t), i128::from(o));
    let sign = i128::from(sign);
    let q = m / i128::from(gcd(t as i64, m as i64));
    let cell = |modulus: i128| q * (o % modulus) / modulus;
    let in_step = t * (big + sign) % (m * big) == 0;
    let cells = if sign < 0 { cell(m) == cell(m * big) } else { cell(m) + cell(m * big) == q - 1 };
    in_step && cells
}

/// Parameters with t·(M ± 1) ≡ 0 mod mM, as every length needs, at all scales.
fn draw(choices: &mut Choices<'_>) -> (i64, i64, i64, i64, i64) {
    let scale = choices.pick(&[10, 100, 10_000, 1_000_000]);
    let sign = choices.pick(&[-1, 1]);
    let (m, big) = (choices.between(2, scale), choices.between(2, scale));
    let smallest = m * big / gcd(m * big, big + sign);
    let t = smallest * choices.between(1, 4);
    (m, big, sign, t, choices.below(m * big))
}

#[test]
fn long_axes_follow_the_closed_criterion() {
    let seen = std::cell::Cell::new([0; 2]);
    run(20_000, |choices| {
        let (m, big, sign, t, o) = draw(choices);
        let period = m * big / gcd(t, m * big);
        let length = (period + 1).max(choices.pick(&[10, 1_000_000, 1_000_000_000_000]));
        let Some(views) = family(m, big, sign, t, o, length) else { return Ok(()) };
        let truth = merges_at_every_length(m, big, sign, t, o);
        let verdict = merge(&views, &Limit::none()).map_err(|e| e.to_string())?;
        if verdict.is_merged() != truth {
            return Err(format!("{views:?}: {verdict:?}, should merge: {truth}"));
        }
        if let Verdict::NotMergeable(witness) = &verdict {
            let chain: Vec<Spec> = views.iter().map(Spec::from).collect();
            if !check_witness(&chain, witness) {
                return Err(format!("{views:?}: {witness} does not hold"));
            }
        }
        let mut counts = seen.get();
        counts[usize::from(truth)] += 1;
        seen.set(counts);
        Ok(())
    });
    let [not, merged] = seen.get();
    assert!(not > 1_000 && merged > 1_000, "{not} and {merged}");
}

/// ⌊n/g⌋ − ⌊n/(g(g+1))⌋ = L − 1 + [g divides L] for n = (g+1)·L − g: the first
/// overflow that matters is g − 1 steps away.
fn needle(g: i64, length: i64) -> [View; 2] {
    let last = (g + 1) * length - g;
    let below = View::try_from(with_jumps(&[g, g + 1], &[1, -1], 0, last)).expect("fits");
    [below, View::strided(&[length], &[g + 1], 1).expect("fits")]
}

#[test]
fn a_needle_a_billion_steps_away() {
    let g = 1_073_741_789; // the largest prime below 2^30
    assert!(merge(&needle(g, g - 1), &Limit::none()).expect("composes").is_merged());
    let views = needle(g, g);
    let verdict = merge(&views, &Limit::none()).expect("composes");
    let witness = verdict.witness().expect("not one view");
    let chain: Vec<Spec> = views.iter().map(Spec::from).collect();
    assert!(check_witness(&chain, witness), "{witness}");
    assert_eq!(witness.to_string(), "the step along axis 0 is +1 at (0), but +2 at (1073741787)");
}

/// Three levels that turn by p/q at each step (their factors are 1 modulo q),
/// with jumps 1, 1, −2: they cancel exactly if all overflow at the same indices.
#[test]
fn three_levels_in_step() {
    for (q, p) in [(7, 3), (101, 13), (9_973, 1_234)] {
        let sizes = [q, q + 1, 2 * q + 1];
        let stride = p * (q + 1) * (2 * q + 1);
        let shifted = sizes[0] * sizes[1] - 1; // another phase at the third level only
        for (offset, merges) in [(0, true), (q - 1, false), (shifted, false)] {
            for (extents, steps) in [
                (vec![10 * q], vec![stride]),
                (vec![q, q], vec![stride, 3 * stride]),
                (vec![q + 5, 3], vec![2 * stride, stride]),
                (vec![2 * q, 5], vec![stride, sizes.iter().product()]),
            ] {
                let travel = extents.iter().zip(&steps).map(|(e, t)| (e - 1) * t);
                let last = offset + travel.sum::<i64>();
                let below = with_jumps(&sizes, &[1, 1, -2], 0, last);
                let views = [
                    View::try_from(below).expect("fits"),
                    View::strided(&extents, &steps, offset).expect("fits"),
                ];
                let verdict = merge(&views, &Limit::none()).expect("composes");
                assert_eq!(verdict.is_merged(), merges, "{views:?}");
                if let Verdict::NotMergeable(witness) = &verdict {
                    let chain: Vec<Spec> = views.iter().map(Spec::from).collect();
                    assert!(check_witness(&chain, witness), "{views:?}: {witness}");
                }
            }
        }
    }
}

/// One padded position among a billion, met after some hundred million steps or never.
#[test]
fn a_mask_met_once_in_a_billion() {
    let m = 1_000_000_007;
    let step = 618_033_993;
    // i with i·step ≡ m − 1 (mod m), by Fermat's little theorem.
    let power = |mut base: i128, mut exponent: i128| {
        let mut result = 1;
        while exponent > 0 {
            if exponent % 2 == 1 {
                result = result * base % i128::from(m);
            }
            base = base * base % i128::from(m);
            exponent /= 2;
        }
        result
    };
    let needle = (i128::from(m - 1) * power(step.into(), i128::from(m) - 2) % i128::from(m)) as i64;
    for (length, merges) in [(needle, true), (needle + 1, true), (needle + 2, false)] {
        let below = View::contiguous(&[step, m]).and_then(|v| v.masked(&[(0, step), (0, m - 1)]));
        let views = [below.expect("fits"), View::strided(&[length], &[step], 0).expect("fits")];
        let verdict = merge(&views, &Limit::none()).expect("composes");
        assert_eq!(verdict.is_merged(), merges, "{length}");
        match &verdict {
            Verdict::Merged(view) => {
                assert_eq!(view.valid_box().expect("some")[0], (0, needle));
            }
            Verdict::NotMergeable(witness) => {
                let chain: Vec<Spec> = views.iter().map(Spec::from).collect();
                assert!(check_witness(&chain, witness), "{witness}");
            }
        }
    }
}

#[test]
fn subset_sums() {
    let seen = std::cell::Cell::new([0; 2]);
    run(3_000, |choices| {
        let count = choices.between(1, 12) as usize;
        let numbers: Vec<i64> = (0..count).map(|_| choices.between(0, 60)).collect();
        let target = choices.between(1, 100);
        let mut sums = std::collections::HashSet::from([0]);
        for a in &numbers {
            sums = sums.iter().flat_map(|sum| [*sum, sum + a]).collect();
        }
        let views = subset_sum(&numbers, target, choices.between(-2, 2));
        let verdict = merge(&views, &Limit::none()).map_err(|e| e.to_string())?;
        let exists = sums.contains(&target);
        let mut counts = seen.get();
        counts[usize::from(exists)] += 1;
        seen.set(counts);
        let chain: Vec<Spec> = views.iter().map(Spec::from).collect();
        let holds = verdict.witness().is_none_or(|witness| check_witness(&chain, witness));
        let right = verdict.is_merged() != exists && holds;
        if right { Ok(()) } else { Err(format!("{numbers:?}, {target}: {verdict:?}")) }
    });
    assert!(seen.get().iter().all(|count| *count > 500), "{:?}", seen.get());
}

/// Twenty numbers are decided exactly; with too few steps the answer is *undecided*.
#[test]
fn larger_subset_sums_and_limits() {
    let numbers =
        |count: i64| -> Vec<i64> { (1..=count).map(|i| 2 * (i * i * 7_919 % 10_007)).collect() };
    for (count, steps) in [(20, 1_000_000), (30, 100_000_000)] {
        let numbers = numbers(count);
        let even: i64 = numbers.iter().step_by(3).sum();
        for (target, merges) in [(even, false), (even + 1, true)] {
            let views = subset_sum(&numbers, target, 1);
            let verdict = merge(&views, &Limit::steps(steps)).expect("is decided");
            assert_eq!(verdict.is_merged(), merges, "{numbers:?}, {target}");
        }
    }
    let numbers = numbers(40);
    let views = subset_sum(&numbers, numbers.iter().sum::<i64>() / 2 + 1, 1);
    let undecided = merge(&views, &Limit::steps(10_000));
    assert!(
        matches!(undecided, Err(Error::Undecided(Exhausted { steps: ..=10_000, stopped: false }))),
        "{undecided:?}"
    );
}

/// Long axes that move positions within a block of the finest broken level only
/// have no part in its carries, and are not walked. (Found by fuzzing.)
#[test]
fn axes_without_carries_are_not_walked() {
    let view: View =
        "(2,2,2,9,2,1,8780,54047232,10,1,4,7):(0,4,10,2,5,1,3,1,1,50,4,0)".parse().expect("reads");
    let verdict = view.flatten(0, 4).expect("fits");
    let witness = verdict.witness().expect("not one view");
    let flat = View::contiguous(&[144, 1, 8780, 54_047_232, 10, 1, 4, 7]).expect("fits");
    let chain: Vec<Spec> = [&view, &flat].map(Spec::from).into();
    assert!(check_witness(&chain, witness), "{witness}");
}

/// No axis is walked: a thousand questions of all sizes take far less than
/// walking one of them would. (`docs/performance.md` has the real figures.)
#[test]
fn length_does_not_matter() {
    let start = Instant::now();
    for k in 0..1_000 {
        let g = 1_073_741_789 - 2 * k;
        assert!(merge(&needle(g, g - 1), &Limit::none()).expect("composes").is_merged());
    }
    assert!(start.elapsed() < Duration::from_secs(2), "{:?}", start.elapsed());
}
