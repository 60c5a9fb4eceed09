//! Whether two chains are the same function, against the concrete library at all parameter points.

#![allow(clippy::panic, reason = "a failed check ends the test")]

use crate::support::questions::{Asked, Equal, variant};
use crate::support::{Draw, Question, chain_of_ops};
use viewmerge_symbolic::{Limit, Params, SymbolicChain};

#[test]
fn random_variants() {
    let mut draw = Draw(31);
    let mut count = Equal::default();
    while count.pairs < 600 {
        let one = chain_of_ops(&mut draw, 1);
        if let Some(other) = variant(&mut draw, &one)
            && count.ask_of(&one, other)
        {
            count.compare(&one, 4);
        }
    }
    let report = count.report("variants");
    assert!(count.wrong.is_empty(), "{}", count.wrong.join("\n"));
    assert!(count.open * 100 <= count.pairs * 3, "{report}");
    assert!(count.open_points * 100 <= count.points * 4, "{report}");
}

#[test]
fn unrelated_chains() {
    let mut draw = Draw(5);
    let mut count = Equal::default();
    while count.pairs < 300 {
        let one = chain_of_ops(&mut draw, 1);
        let other = Question { params: one.params.clone(), ..chain_of_ops(&mut draw, 1) };
        if count.ask_of(&one, other) {
            count.compare(&one, 4);
        }
    }
    assert!(count.wrong.is_empty(), "{}", count.wrong.join("\n"));
    assert!(count.differ * 10 >= count.pairs * 9, "{}", count.report("unrelated"));
}

#[test]
fn chains_of_other_parameters_are_refused() {
    let chain = |name: &str| {
        let params = Params::new().size(name).expect("declares");
        SymbolicChain::parse(&params, &format!("({name})")).expect("a chain")
    };
    let refused = chain("N").equivalent(&chain("M"), &Limit::none()).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "the two chains have different parameters, declare the same for both",
    );
}

#[test]
fn chains_that_are_no_view() {
    let params = Params::new().size("N").and_then(|p| p.size("M")).expect("declares");
    let same = |one: &str, other: &str| {
        let parse = |text: &str| SymbolicChain::parse(&params, text).expect(text);
        let answer = parse(one).equivalent(&parse(other), &Limit::none()).expect("compares");
        answer.to_string()
    };
    let flat = "(N,M) | permute(1,0) | flatten()";
    assert_eq!(same(flat, "(N,M) | permute(1,0) | reshape(N*M,1) | squeeze(1)"), "the same");
    assert_eq!(
        same(flat, "(M,N) | permute(1,0) | flatten()"),
        "the same if M == 1 or N == 1 or M == N; at N = 4, M = 2: they differ at (4)",
    );
}
