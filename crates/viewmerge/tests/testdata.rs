//! The cases in `testdata/`, through the library.

#![allow(clippy::panic, reason = "a failed check ends the test")]

use viewmerge::reference::{Spec, Table, check_witness};
use viewmerge::{Equivalence, Limit, Verdict, View, ViewChain, merge};
use viewmerge_testkit::cases::{Expect, read, text};
use viewmerge_testkit::check;

/// Runs a file; gives how many cases are one view and how many are not.
fn run(file: &str) -> (usize, usize) {
    let (mut one, mut more) = (0, 0);
    for case in read(file) {
        let answer = case.question.answer();
        match (&answer, &case.expect) {
            (Ok(Verdict::Merged(view)), Expect::View(Some(expected))) => {
                let expected = View::try_from(expected.clone()).expect("canonical");
                assert_eq!(*view, expected, "{case:?}");
                one += 1;
            }
            (Ok(Verdict::NotMergeable(witness)), Expect::View(None)) => {
                let views = case.question.views().expect("composes");
                let chain: Vec<Spec> = views.iter().map(Spec::from).collect();
                assert!(check_witness(&chain, witness), "{case:?}: {witness}");
                more += 1;
            }
            (Err(error), Expect::Error { error: kind }) => {
                assert_eq!(error.kind(), kind, "{case:?}")
            }
            _ => panic!("{case:?}: {answer:?}"),
        }
    }
    (one, more)
}

#[test]
fn pairs_from_real_programs() {
    assert_eq!(run("pairs.jsonl"), (5_211, 889));
}

#[test]
fn reshapes_from_real_programs() {
    assert_eq!(run("reshapes.jsonl"), (3_693, 403));
}

/// Chains that tinygrad could not simplify further: two of them are one view.
#[test]
fn trackers_from_real_programs() {
    let mut one = 0;
    let text = text("trackers.jsonl");
    for line in text.lines() {
        let line: serde_json::Value = serde_json::from_str(line).expect("JSON");
        let views: Vec<View> = serde_json::from_value(line["views"].clone()).expect("views");
        let chain: Vec<Spec> = views.iter().map(Spec::from).collect();
        match merge(&views, &Limit::steps(10_000)).expect("is decided") {
            Verdict::Merged(_) => one += 1,
            Verdict::NotMergeable(witness) => {
                assert!(check_witness(&chain, &witness), "{views:?}: {witness}");
            }
        }
        let whole = ViewChain::from_views(&views).expect("composes");
        let simple = whole.simplify(&Limit::none()).expect("decides");
        let answer = whole.equivalent(&simple, &Limit::none());
        assert_eq!(answer, Ok(Equivalence::Same), "{whole}");
    }
    assert_eq!((text.lines().count(), one), (854, 2));
}

#[test]
fn worked_cases() {
    let (one, more) = run("cases.jsonl");
    assert!(one > 40 && more > 15, "{one} and {more}");
}

/// What the cases expect is itself checked by walking every index, where there are few.
#[test]
fn worked_cases_agree_with_the_definition() {
    let mut walked = 0;
    for case in read("cases.jsonl") {
        let Ok(views) = case.question.views() else { continue };
        let chain: Vec<Spec> = views.iter().map(Spec::from).collect();
        let Some(table) = Table::of_chain(&chain) else { continue };
        let found = table.single_view();
        let found = found.map(|spec| check::view_of_spec(&spec).expect("small"));
        let Expect::View(expected) = case.expect else { panic!("{}: no refusal", case.name) };
        let expected = expected.map(|parts| View::try_from(parts).expect("canonical"));
        assert_eq!(found, expected, "{}", case.name);
        walked += 1;
    }
    assert!(walked > 50, "{walked}");
}

#[test]
fn explanations_say_it_in_the_ops_that_were_given() {
    for line in text("explanations.jsonl").lines() {
        let case: serde_json::Value = serde_json::from_str(line).expect("JSON");
        // Unknown sizes are not this crate's.
        if case.get("params").is_some() {
            continue;
        }
        let asked = case["chain"].as_str().expect("a chain");
        let chain: ViewChain = asked.parse().expect(asked);
        let why = chain.explain(&Limit::none()).expect("decides");
        assert_eq!(why.to_string(), case["expect"].as_str().expect("a text"), "{asked}");
        // The same ops by methods, remembered.
        let mut items = asked.split(" | ");
        let start: ViewChain = items.next().expect("a view").parse().expect("a view");
        let applied = items.try_fold(start.recording(), |chain, item| {
            item.parse::<viewmerge::Movement>().and_then(|op| chain.apply(&op))
        });
        if let Ok(chain) = applied {
            assert_eq!(chain.explain(&Limit::none()).expect("decides"), why, "{asked}");
        }
    }
}
