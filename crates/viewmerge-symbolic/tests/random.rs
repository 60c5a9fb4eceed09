//! The final answer, grouped and shortened, against concrete merges at all parameter points.

use crate::support::programs::{attention, convolution, mutated, strides, windows};
use crate::support::{Draw, Question, Tally, ask, chain_of_ops, pair};

fn compare(count: usize, seed: u64, most: i64, make: impl Fn(&mut Draw) -> Question) -> Tally {
    let mut draw = Draw(seed);
    let mut tally = Tally::default();
    for _ in 0..count {
        let question = make(&mut draw);
        if let Some((chain, answer)) = ask(&question) {
            tally.compare(&question, &chain, &answer, most);
        }
    }
    println!("{}", tally.report("random"));
    tally
}

fn check(tally: &Tally, closed_per_cent: usize) {
    assert!(tally.wrong.is_empty(), "{}", tally.wrong.join("\n"));
    let closed = tally.chains - tally.some_open;
    assert!(closed * 100 >= tally.chains * closed_per_cent, "{closed} of {}", tally.chains);
}

#[test]
fn chains_of_ops() {
    check(&compare(1_000, 2026, 5, |draw| chain_of_ops(draw, 1)), 97);
}

#[test]
fn chains_of_ops_with_sizes_from_zero() {
    check(&compare(300, 7, 4, |draw| chain_of_ops(draw, 0)), 92);
}

#[test]
fn pairs_with_unknown_strides() {
    check(&compare(400, 11, 4, pair), 98);
}

#[test]
fn other_peoples_programs() {
    check(&compare(60, 1, 3, attention), 90);
    check(&compare(60, 2, 3, convolution), 65);
    check(&compare(60, 3, 3, windows), 100);
    check(&compare(60, 4, 3, strides), 100);
}

#[test]
fn real_cases_with_more_parameters() {
    check(&compare(150, 5, 3, mutated), 95);
}
