//! Splits against the enumeration of every factorization, and cases that are kept.
//!
//! A fixed share runs here; `VIEWMERGE_CASES=7` runs 100,000 chains.

use std::cell::Cell;

use viewmerge::{Limit, View, ViewChain};
use viewmerge_testkit::choices::Choices;
use viewmerge_testkit::splits::{self, Kind};
use viewmerge_testkit::{generate, run};

/// Runs a check and asserts that every kind of answer came up often.
fn count(
    cases: u32,
    least: [u32; 3],
    check: impl Fn(&mut Choices<'_>) -> Result<Option<Kind>, String>,
) {
    let seen = Cell::new([0u32; 3]);
    run(cases, |choices| {
        if let Some(kind) = check(choices)? {
            let mut counts = seen.get();
            counts[kind as usize] += 1;
            seen.set(counts);
        }
        Ok(())
    });
    println!("one view, split, none: {:?}", seen.get());
    assert!(seen.get().iter().zip(least).all(|(&seen, least)| seen >= least), "{:?}", seen.get());
}

#[test]
fn long_lines() {
    count(150, [5, 15, 15], |choices| splits::check(&splits::long_chain(choices)).map(Some));
}

#[test]
fn coarsest_splits() {
    count(15_000, [3_000, 300, 1_000], |choices| splits::check(&splits::chain(choices)).map(Some));
}

/// A chain that runs along one axis, often a part of it with padding around.
fn flat(choices: &mut Choices<'_>) -> Vec<View> {
    let mut views = splits::chain(choices);
    let last = views[views.len() - 1].clone();
    let count = last.count();
    let lo = choices.below(count);
    let hi = lo + choices.below(count - lo + 1);
    let pads = [(choices.below(4), choices.below(4))];
    let part = View::contiguous(&[count]).and_then(|view| view.shrink(&[(lo, hi)])?.pad(&pads));
    if choices.one_in(2) {
        views.extend(part);
    } else if last.rank() != 1 {
        views.extend(View::contiguous(&[count]));
    }
    views
}

#[test]
fn padded_splits() {
    count(3_000, [200, 20, 50], |choices| {
        let views = flat(choices);
        let small = views[views.len() - 1].count() <= 20;
        if small { splits::check_padded(&views).map(Some) } else { Ok(None) }
    });
}

#[test]
fn guarded_splits_are_the_same_function() {
    count(5_000, [500, 50, 50], |choices| splits::check_guarded(&splits::chain(choices)).map(Some));
}

#[test]
fn common_splits() {
    count(8_000, [300, 100, 300], |choices| {
        let one = splits::chain(choices);
        let shape = one[one.len() - 1].shape().to_vec();
        // Another chain over the same shape.
        let mut other = generate::chain(choices);
        let count = other[other.len() - 1].count();
        let whole: i64 = shape.iter().product();
        if count == 0 || whole == 0 || count % whole != 0 {
            // Some view of the right size instead.
            let regrouped = generate::regroup(choices, whole.max(1));
            let order: Vec<i64> = (0..regrouped.len() as i64).rev().collect();
            let view = View::contiguous(&regrouped).and_then(|view| view.permute(&order));
            other = vec![view.map_err(|e| e.to_string())?];
        }
        let Ok(cut) = View::contiguous(&shape) else { return Ok(None) };
        other.push(cut);
        let chains = [one, other].map(|views| ViewChain::from_views(&views));
        let [Ok(one), Ok(other)] = chains else { return Ok(None) };
        splits::check_common(&[one, other]).map(Some)
    });
}

#[test]
fn axes_that_cannot_be_walked() {
    // (chain, what is found)
    let rows = [
        (
            "(1000000,1000000):(1,1000000) | (1000000000000)",
            "one view over ((1000000,1000000)): (1000000,1000000):(1,1000000)",
        ),
        (
            "(1000000,1000000):(1,1000000) | (999999999999)",
            "axis 0 must be cut at every 1000000 elements, which does not \
             divide its size 999999999999",
        ),
        (
            "(1000000,1000000):(1,1000000) [0:1000000,5:1000000] | (1000000000000)",
            "one view over ((1000000,1000000)): (1000000,1000000):(1,1000000) [0:1000000,5:1000000]",
        ),
        (
            "(3,1000000,1000000):(5,1,1000000) | (3000000000000) | (1500000000000,2)",
            "one view over ((3,1000000,500000),2): \
             (3,1000000,500000,2):(5,1,2000000,1000000)",
        ),
    ];
    for (text, expected) in rows {
        let chain: ViewChain = text.parse().expect(text);
        let found = chain.split(&Limit::none()).expect(text);
        let found = found.map_or_else(|none| none.to_string(), |found| found.to_string());
        assert_eq!(found, expected, "{text}");
    }
}
