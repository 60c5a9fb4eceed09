//! Overflows that cancel over long axes, where walking is out of the question.
//!
//! The answers come from closed criteria (levels m and mM, n = o + t·i,
//! q = m/gcd(t, m), cell_j = ⌊q·(o mod c_j)/c_j⌋): with opposite jumps all
//! lengths merge exactly when t·(M−1) ≡ 0 mod mM and the cells are equal, with
//! equal jumps when t·(M+1) ≡ 0 mod mM and they add up to q − 1.

use std::time::{Duration, Instant};

use viewmerge::reference::{Spec, check_witness};
use viewmerge::{Verdict, View, merge};
use viewmerge_testkit::accidental::with_jumps;
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
        let verdict = merge(&views).map_err(|e| e.to_string())?;
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
    assert!(merge(&needle(g, g - 1)).expect("composes").is_merged());
    let views = needle(g, g);
    let verdict = merge(&views).expect("composes");
    let witness = verdict.witness().expect("not one view");
    let chain: Vec<Spec> = views.iter().map(Spec::from).collect();
    assert!(check_witness(&chain, witness), "{witness}");
    assert_eq!(
        witness.to_string(),
        "along axis 0 the step from (0) is 1, but from (1073741787) it is 2"
    );
}

/// No axis is walked: a thousand questions of all sizes take far less than
/// walking one of them would. (`docs/performance.md` has the real figures.)
#[test]
fn length_does_not_matter() {
    let start = Instant::now();
    for k in 0..1_000 {
        let g = 1_073_741_789 - 2 * k;
        assert!(merge(&needle(g, g - 1)).expect("composes").is_merged());
    }
    assert!(start.elapsed() < Duration::from_secs(2), "{:?}", start.elapsed());
}
