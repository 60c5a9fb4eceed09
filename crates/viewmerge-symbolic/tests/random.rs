//! The final answer, grouped and shortened, against concrete merges at all parameter points.

use crate::support::programs::{
    attention, convolution, every_op, mutated, people, raw_pairs, sliced, strides, windows,
};
use crate::support::{Draw, Question, Tally, ask, chain_of_ops, pair};
use viewmerge::ViewChain;
use viewmerge_symbolic::{Error, SymbolicChain};

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
fn pairs_of_raw_views() {
    check(&compare(150, 12, 4, raw_pairs), 75);
}

#[test]
fn other_peoples_programs() {
    check(&compare(60, 1, 3, attention), 100);
    check(&compare(120, 2, 3, convolution), 85);
    check(&compare(60, 3, 3, windows), 100);
    check(&compare(60, 4, 3, strides), 100);
    check(&compare(120, 6, 3, people), 100);
}

#[test]
fn real_cases_with_more_parameters() {
    check(&compare(150, 5, 3, mutated), 95);
}

/// What is required of every op, sizes of 0 included, and that what is never legal never is.
#[test]
fn requirements_of_every_op() {
    requirements(17, 3_000, 3, every_op);
}

/// Slices whose ends lie anywhere, and what is required after them.
#[test]
fn slices_are_clamped() {
    let tally = requirements(23, 500, 4, sliced);
    assert!(tally.some_open * 8 < tally.chains, "{} of {}", tally.some_open, tally.chains);
}

fn requirements(seed: u64, count: usize, most: i64, make: fn(&mut Draw) -> Question) -> Tally {
    let mut draw = Draw(seed);
    let mut tally = Tally::default();
    let (mut refused, mut never) = (0, 0);
    for _ in 0..count {
        let question = make(&mut draw);
        match SymbolicChain::parse(&question.declared(), &question.written()) {
            Ok(_) => {
                let (chain, answer) = ask(&question).expect("was read");
                tally.compare(&question, &chain, &answer, most);
            }
            Err(Error::InText { error, .. }) if matches!(*error, Error::NeverLegal { .. }) => {
                never += 1;
                for point in question.points(most) {
                    let text = question.text_at(&point);
                    if text.parse::<ViewChain>().is_ok() {
                        tally.wrong.push(format!("{} at {point:?}: {error}", question.written()));
                        break;
                    }
                }
            }
            Err(_) => refused += 1,
        }
    }
    println!("{}; {never} never legal, {refused} refused", tally.report("requirements"));
    assert!(tally.wrong.is_empty(), "{}", tally.wrong.join("\n"));
    tally
}

/// The ends of a mask may lie outside of the shape where another axis has nothing valid.
#[test]
fn nothing_valid_along_one_axis() {
    let params = ["N", "M", "K"].map(|name| (name.to_owned(), 0, 1 + i64::from(name != "N")));
    let text = "(N,M,K,1) | step(1,-1,-1,3) | reshape(N*M,K) | pad((0,M),(N,1)) | shrink((0,N*M+M-1),(0,K+N+1))";
    let question = Question { params: params.to_vec(), text: text.to_owned() };
    let (chain, answer) = ask(&question).expect("a chain");
    let mut tally = Tally::default();
    tally.compare(&question, &chain, &answer, 3);
    assert!(tally.wrong.is_empty(), "{}", tally.wrong.join("\n"));
    assert_eq!(tally.open_points, 0);
}
