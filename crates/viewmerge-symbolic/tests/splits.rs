//! Splits with unknown sizes, the final answer, against concrete splits at all parameter points.

use crate::support::splits::{Tally, ask};
use crate::support::{Draw, Question, chain_of_ops, pair};
use viewmerge_symbolic::{Limit, Params, SymbolicChain};

fn compare(count: usize, seed: u64, most: i64, make: impl Fn(&mut Draw) -> Question) -> Tally {
    let mut draw = Draw(seed);
    let mut tally = Tally::default();
    for _ in 0..count {
        let question = make(&mut draw);
        if let Some(answer) = ask(&question) {
            tally.compare(&question, &answer, most);
        }
    }
    println!("{}", tally.report("random"));
    assert!(tally.wrong.is_empty(), "{}", tally.wrong.join("\n"));
    tally
}

/// Chains without an open part, in per cent.
fn closed(tally: &Tally) -> usize {
    (tally.chains - tally.some_open) * 100 / tally.chains
}

#[test]
fn chains_of_ops() {
    let tally = compare(800, 2026, 5, |draw| chain_of_ops(draw, 1));
    assert!(closed(&tally) >= 96 && tally.cut_points > 4_000 && tally.none_points > 200);
}

#[test]
fn chains_of_ops_with_sizes_from_zero() {
    let tally = compare(200, 7, 4, |draw| chain_of_ops(draw, 0));
    assert!(closed(&tally) >= 92 && tally.cut_points > 200);
}

#[test]
fn pairs_with_unknown_strides() {
    let tally = compare(200, 11, 3, pair);
    assert!(closed(&tally) >= 98 && tally.cut_points > 1_000);
}

/// The parameters, the chain and the answer.
const CASES: [(&[&str], &str, &str); 9] = [
    (
        &["N", "M"],
        "(N,M) | permute(1,0) | flatten()",
        "M == 1 or N == 1 -> (N*M):(1); M >= 2 and N >= 2 -> ((M,N)): (M,N):(1,M)",
    ),
    // Every axis is cut where the view below changes, not where it could.
    (
        &["N>=2", "M>=2", "K>=2"],
        "(N,M,K) | permute(2,0,1) | reshape(K*N,M)",
        "always ((K,N),M): (K,N,M):(1,M*K,K)",
    ),
    // A place that does not divide its size leaves no split.
    (
        &["N>=2", "K>=5"],
        "(N,4):(7,1) | flatten() | shrink((0,K))",
        "K%4 == 0 -> ((K//4,4)): (K//4,4):(7,1), requires 4*N >= K",
    ),
    // Padding begins off the grid, unless the rows are short.
    (
        &["N>=2", "M>=2"],
        "(N,M) | flip(1) | flatten() | pad((2,0))",
        "M == 2 -> ((N + 1,2)): (N + 1,2):(2,-1)-1 [1:N + 1,0:2]",
    ),
    // Steps that are half of a row.
    (
        &["N%2==0", "M%2==0"],
        "(4,M,N) | permute(0,2,1) | flatten() | step(2)",
        "M//2 >= 2 -> ((4,2*(N//2),M//2)): (4,2*(N//2),M//2):(4*(N//2)*(M//2),1,4*(N//2)); M//2 == 1 -> ((4,2*(N//2))): (4,2*(N//2)):(4*(N//2),1)",
    ),
    // Over no split a sum: the second axis moves otherwise in another row.
    (&["N>=2"], "(2*N,2):(1,4*N) | flatten() | as_strided((2,2*N),(2*N-1,1))", "never"),
    // Masked rows, and the one that is left of them.
    (
        &["N", "M"],
        "(N,M) | pad((N,1),(N,1)) | flatten()",
        "N >= 2 -> ((2*N + 1,N + M + 1)): (2*N + 1,N + M + 1):(M,1)-(N*M) - N [N:2*N,N:N + M]; \
         N == 1 -> (2*N*N + 2*N*M + 3*N + M + 1):(1)-M - 3 [M + 3:2*M + 3]",
    ),
    // A repeated axis behind a flattening.
    (
        &["N", "M"],
        "(N,2,M) | flatten() | expand(3,2*N*M) | reshape(3*N,2,M)",
        "N == 1 -> (3*N,2,M):(0,M,1); N >= 2 -> ((3,N),2,M): (3,N,2,M):(0,2*M,M,1)",
    ),
    // A step with a name.
    (
        &["N", "M", "k"],
        "(N*k,M) | permute(1,0) | flatten() | slice(::k)",
        "M == 1 -> (N*M):(M*k); N == 1 -> (N*M):(1); M >= 2 and N >= 2 -> ((M,N)): (M,N):(1,M*k)",
    ),
];

#[test]
fn cases() {
    for (declared, text, expected) in CASES {
        let read = |params: Params, text: &&str| params.read(text).expect("declares");
        let params = declared.iter().fold(Params::new(), read);
        let chain = SymbolicChain::parse(&params, text).expect(text);
        assert_eq!(chain.split(&Limit::none()).to_string(), expected, "{text}");
    }
}

#[test]
fn at_the_limits_it_is_open() {
    let params = Params::new().size("N").and_then(|params| params.size("M")).expect("declares");
    let chain = SymbolicChain::parse(&params, "(N,M) | permute(1,0) | flatten()").expect("a chain");
    for limits in [Limit::steps(1), Limit::steps(0)] {
        let answer = chain.split(&limits);
        assert!(!answer.open.is_never(), "{answer}");
    }
}

/// A step that is an expression: sizes are quotients by it.
#[test]
fn symbolic_steps() {
    let mut draw = Draw(5);
    let mut tally = crate::support::Tally::default();
    let mut splits = Tally::default();
    for _ in 0..120 {
        let params = ["N", "M", "k"].map(|name| (name.to_owned(), 1, 1)).to_vec();
        let first = draw.pick(&["(N,M)", "(M,N*k)", "(N*k,M)", "(N,M,k)", "(N*M)"]);
        let (op, last) = draw.pick(&[
            ("permute(1,0)", "slice(:,::k)"),
            ("flip(0)", "slice(::k)"),
            ("flatten()", "slice(::k)"),
            ("flatten()", "slice(::-k)"),
            ("flip(0)", "slice(:-1:k)"),
            ("flip(0)", "slice(::k) | flatten()"),
        ]);
        let rank = first.matches(',').count() + 1;
        if (op == "permute(1,0)" && rank != 2) || (last.starts_with("slice(:,") && rank < 2) {
            continue;
        }
        let question = Question { params, text: format!("{first} | {op} | {last}") };
        let (chain, answer) = crate::support::ask(&question).expect("a chain");
        tally.compare(&question, &chain, &answer, 5);
        splits.compare(&question, &ask(&question).expect("a chain"), 5);
    }
    println!("{}\n{}", tally.report("steps"), splits.report("steps"));
    assert!(tally.wrong.is_empty(), "{}", tally.wrong.join("\n"));
    assert!(splits.wrong.is_empty(), "{}", splits.wrong.join("\n"));
}
