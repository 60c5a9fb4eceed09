//! What helps: assumptions that make a chain one view, and copies of which the rest is one.

use crate::support::{Draw, chain_of_ops, evaluate, holds, pair, view_at};
use viewmerge::{Limit, Validity, ViewChain};
use viewmerge_symbolic::{Kind, SymbolicChain, SymbolicCopy};

/// The elements that a copy of a view stores, in order: what they read.
fn stored(lower: &ViewChain, copy: &SymbolicCopy, point: &[(&str, i64)]) -> Vec<Option<i64>> {
    let mut indices: Vec<Vec<i64>> = vec![Vec::new()];
    for (lo, hi) in &copy.stored {
        let number = |expr| i64::try_from(evaluate(expr, point)).expect("small");
        let values: Vec<i64> = (number(lo)..number(hi)).collect();
        indices = indices
            .iter()
            .flat_map(|known| {
                values.iter().map(|&i| {
                    let mut next = known.clone();
                    next.push(i);
                    next
                })
            })
            .collect();
    }
    indices.iter().map(|index| lower.index(index).expect("an index")).collect()
}

#[test]
fn copies_and_assumptions() {
    let mut draw = Draw(8);
    let (mut copies, mut assumed, mut examples, mut asked) = (0, 0, 0, 0);
    for number in 0..800 {
        let question = match number % 3 {
            0 => pair(&mut draw),
            _ => chain_of_ops(&mut draw, 1),
        };
        let Ok(chain) = SymbolicChain::parse(&question.declared(), &question.written()) else {
            continue;
        };
        let why = chain.explain(&Limit::none());
        if why.answer.cases.iter().any(|case| case.guard.is_always()) {
            assert!(why.copies.is_empty() && why.assumptions.is_empty());
            continue;
        }
        asked += 1;
        assert!(!why.copies.is_empty(), "{chain}");
        if let Some(example) = &why.example {
            let point: Vec<(&str, i64)> =
                example.point.iter().map(|(name, value)| (name.as_str(), *value)).collect();
            let concrete = chain.at(&point).expect("a point");
            assert!(concrete.merge().expect("decided").into_view().is_none());
            examples += 1;
        } else {
            assert_ne!(why.answer.kind, Kind::Never, "{chain}: no example");
        }
        for point in question.points(3) {
            let Ok(concrete) = chain.at(&point) else { continue };
            for case in why.assumptions.iter().filter(|case| holds(&case.guard, &point)) {
                let merged = concrete.merge().expect("decided").into_view();
                assert!(merged.is_some(), "{chain} at {point:?}: {}", case.guard);
                assumed += 1;
            }
            for copy in &why.copies {
                let views = &concrete.views()[..=copy.view];
                let lower = ViewChain::from_views(views).expect("composes");
                if matches!(lower.last().validity(), Validity::Nothing) || lower.count() == 0 {
                    continue;
                }
                let contents = stored(&lower, copy, &point);
                let elements = evaluate(&copy.elements, &point);
                assert_eq!(elements, contents.len() as i128, "{chain} at {point:?}: {copy}");
                let case = copy.rest.iter().find(|case| holds(&case.guard, &point));
                let rest = view_at(&case.expect("a case").view, &point);
                for index in concrete.indices() {
                    let at = rest.index(&index).expect("an index");
                    let found = at.and_then(|at| contents[usize::try_from(at).expect("inside")]);
                    let is = concrete.index(&index).expect("an index");
                    assert_eq!(found, is, "{chain} at {point:?} {index:?}: {copy}");
                }
                copies += 1;
            }
        }
    }
    println!("{asked} chains, {examples} examples, {assumed} assumptions, {copies} copies");
    assert!(copies > 1_000 && assumed > 500 && examples * 10 > asked * 9, "{asked} {examples}");
}
