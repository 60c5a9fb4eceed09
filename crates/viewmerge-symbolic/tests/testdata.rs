//! testdata/symbolic.jsonl: real cases, each with its answer, and the answers against concrete merges.

use crate::support::{Question, Tally, braced, declared, rows};
use viewmerge_symbolic::{Limit, Params, SymbolicChain};

#[test]
fn answers() {
    let (mut closed, mut all) = (0, 0);
    for row in rows() {
        let chain = SymbolicChain::parse(&declared(&row), row["chain"].as_str().expect("text"));
        let answer = chain.expect("a chain").merge(&Limit::none());
        let said = serde_json::to_value(&answer).expect("serializes");
        for key in ["verdict", "requires", "cases", "open"] {
            assert_eq!(said[key], row[key], "{}: {key}", row["name"]);
        }
        all += 1;
        closed += usize::from(row["open"].is_null());
    }
    assert!(all >= 150 && closed == all, "{closed} of {all} are closed");
}

#[test]
fn explanations_say_it_in_the_ops_that_were_given() {
    let mut seen = 0;
    for line in viewmerge_testkit::cases::text("explanations.jsonl").lines() {
        let row: serde_json::Value = serde_json::from_str(line).expect("JSON");
        let Some(names) = row["params"].as_object() else { continue };
        let params = names.keys().try_fold(Params::new(), |params, name| params.size(name));
        let text = row["chain"].as_str().expect("text");
        let chain = SymbolicChain::parse(&params.expect("names"), text).expect(text);
        assert_eq!(chain.explain(&Limit::none()).to_string(), row["expect"], "{text}");
        seen += 1;
    }
    assert!(seen >= 9, "{seen}");
}

/// At up to a few thousand points each, with the numbers put in for the names.
#[test]
fn answers_at_points() {
    let mut tally = Tally::default();
    for row in rows() {
        let params = declared(&row);
        let chain = row["chain"].as_str().expect("text");
        let answered = SymbolicChain::parse(&params, chain).expect("a chain");
        let answer = answered.merge(&Limit::none());
        // Brackets of expressions are written as braces; `/` divides without rest here.
        let text = braced(&chain.replace('/', "//").replace("////", "//"));
        let params: Vec<(String, i64, i64)> = params
            .list()
            .iter()
            .map(|p| (p.name.clone(), p.min.unwrap_or(-3), p.multiple))
            .collect();
        let most = if params.len() > 4 {
            3
        } else if params.len() > 3 {
            4
        } else {
            6
        };
        let least = params.iter().map(|(_, min, multiple)| min / multiple + 1).max().unwrap_or(1);
        let question = Question { params, text };
        tally.compare(&question, &answered, &answer, most.max(least));
    }
    assert!(tally.wrong.is_empty(), "{}", tally.wrong.join("\n"));
}
