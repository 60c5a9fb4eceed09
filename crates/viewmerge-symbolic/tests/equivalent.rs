//! Whether two chains are the same function, against the concrete library at all parameter points.

#![allow(clippy::panic, reason = "a failed check ends the test")]

use crate::support::{Draw, Question, chain_of_ops};
use viewmerge::{Equivalence, Limit, ViewChain};
use viewmerge_symbolic::{At, Params, SymbolicChain};

/// The shape of a chain as its text takes it.
fn sizes(chain: &SymbolicChain) -> Vec<String> {
    let braced = |text: String| text.replace('(', "{").replace(')', "}");
    chain.shape().iter().map(|size| braced(size.to_string())).collect()
}

/// Another chain that is the same, or nearly.
fn variant(draw: &mut Draw, question: &Question) -> Option<Question> {
    let params = question.declared();
    let parse =
        |text: &str| SymbolicChain::parse(&params, &text.replace('{', "(").replace('}', ")")).ok();
    let items: Vec<&str> = question.text.split(" | ").collect();
    // What is added comes after some of the ops.
    let place = 1 + draw.below(items.len());
    let prefix = items[..place].join(" | ");
    let shape = sizes(&parse(&prefix)?);
    let flat: Vec<String> = shape.iter().map(|size| format!("{{{size}}}")).collect();
    let there = format!("reshape({}) | reshape({})", flat.join("*"), shape.join(","));
    let axis = draw.below(shape.len().max(1));
    let bounds: Vec<String> = shape.iter().map(|size| format!("(0,{size})")).collect();
    let whole = format!("shrink({})", bounds.join(","));
    let added = match draw.below(7) {
        0 | 1 if !shape.is_empty() => there,
        2 if !shape.is_empty() => format!("flip({axis}) | flip({axis})"),
        3 if !shape.is_empty() => format!("flip({axis})"),
        4 => whole,
        5 if shape.len() == 2 => "permute(1,0) | permute(1,0)".to_owned(),
        _ if !shape.is_empty() => {
            let zeros: Vec<&str> = shape.iter().map(|_| "(0,0)").collect();
            let mut grown = zeros.clone();
            grown[axis] = "(1,0)";
            let mut kept = bounds.clone();
            kept[axis] = format!("(1,{}+1)", shape[axis]);
            format!("pad({}) | shrink({})", grown.join(","), kept.join(","))
        }
        _ => return None,
    };
    let mut all: Vec<&str> = items[..place].to_vec();
    all.push(&added);
    all.extend_from_slice(&items[place..]);
    Some(Question { params: question.params.clone(), text: all.join(" | ") })
}

#[derive(Debug, Default)]
struct Count {
    pairs: usize,
    same: usize,
    differ: usize,
    open: usize,
    points: usize,
    open_points: usize,
}

fn check(count: &mut Count, one: &Question, other: &Question, most: i64) {
    let params = one.declared();
    let parse = |question: &Question| SymbolicChain::parse(&params, &question.written());
    let (Ok(a), Ok(b)) = (parse(one), parse(other)) else { return };
    let Ok(answer) = a.equivalent(&b, &Limit::none()) else { return };
    count.pairs += 1;
    let about = || format!("{} and {}: {answer}", one.written(), other.written());
    match &answer.difference {
        _ if answer.is_same() => count.same += 1,
        Some(_) => count.differ += 1,
        None => count.open += 1,
    }
    let concrete = |point: &[(&str, i64)]| {
        let parse = |question: &Question| question.text_at(point).parse::<ViewChain>();
        let (Ok(x), Ok(y)) = (parse(one), parse(other)) else { return None };
        Some((x.equivalent(&y, &Limit::steps(100_000)).expect("decided"), x, y))
    };
    if let Some(found) = &answer.difference {
        let point: Vec<(&str, i64)> = found.point.iter().map(|(n, v)| (n.as_str(), *v)).collect();
        let (_, x, y) = concrete(&point).unwrap_or_else(|| panic!("{}", about()));
        match &found.index {
            None => assert_ne!(x.shape(), y.shape(), "{}", about()),
            Some(index) => assert_ne!(x.index(index), y.index(index), "{}", about()),
        }
    }
    for point in one.points(most) {
        count.points += 1;
        let said = answer.at(&point).expect("a point");
        match (said, concrete(&point)) {
            (At::Refused, None) | (At::Yes(()), Some((Equivalence::Same, ..))) => {}
            (At::No, Some((found, ..))) if found != Equivalence::Same => {}
            (At::Open, _) => count.open_points += 1,
            (said, is) => panic!("{} at {point:?}: said {said:?}, is {is:?}", about()),
        }
    }
}

#[test]
fn random_variants() {
    let mut draw = Draw(31);
    let mut count = Count::default();
    while count.pairs < 600 {
        let one = chain_of_ops(&mut draw, 1);
        if let Some(other) = variant(&mut draw, &one) {
            check(&mut count, &one, &other, 4);
        }
    }
    println!("{count:?}");
    assert!(count.open * 100 <= count.pairs * 3, "{count:?}");
    assert!(count.open_points * 100 <= count.points * 4, "{count:?}");
}

#[test]
fn unrelated_chains() {
    let mut draw = Draw(5);
    let mut count = Count::default();
    while count.pairs < 300 {
        let one = chain_of_ops(&mut draw, 1);
        let other = Question { params: one.params.clone(), ..chain_of_ops(&mut draw, 1) };
        check(&mut count, &one, &other, 4);
    }
    assert!(count.differ * 10 >= count.pairs * 9, "{count:?}");
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
