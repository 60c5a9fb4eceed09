//! The data that a page draws agree with the library's answers.

use serde_json::{Value, json};
use viewmerge::{Limit, ViewChain};
use viewmerge_json::ask;

fn asked(question: &Value) -> Value {
    let answer = ask(&question.to_string(), &Limit::steps(1_000_000));
    serde_json::from_str(&answer).expect("an answer is JSON")
}

/// The chains of the worked cases whose views compose, and some with ops.
fn chains() -> Vec<String> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/cases.jsonl");
    let cases = std::fs::read_to_string(path).expect("the cases are there");
    let chain = |line: &str| {
        let mut case: Value = serde_json::from_str(line).ok()?;
        let chain: ViewChain = serde_json::from_value(case.get_mut("views")?.take()).ok()?;
        Some(chain.to_string())
    };
    let mut chains: Vec<String> = cases.lines().filter_map(chain).collect();
    assert!(chains.len() > 30, "{} chains", chains.len());
    chains.push("(2,3) | permute(1,0) | reshape(6)".into());
    chains.push("(2,3,4) | permute(2,0,1) | reshape(8,3) | pad((0,0),(1,1)) | reshape(40)".into());
    chains.push("(4,6) | slice(:,0:3) | reshape(12)".into());
    chains
}

#[test]
fn every_remedy_applied_gives_one_view() {
    let mut tried = 0;
    for chain in chains() {
        let remedies = asked(&json!({ "ask": "remedies", "chain": chain }));
        for remedy in remedies.as_array().unwrap_or(&vec![]) {
            let merged = asked(&json!({ "ask": "merge", "chain": remedy["chain"] }));
            assert_eq!(merged["mergeable"], true, "{chain}: {remedy}");
            if let Some(op) = remedy["op"].as_str() {
                let appended = format!("{chain} | {op}");
                let merged = asked(&json!({ "ask": "merge", "chain": appended }));
                assert_eq!(merged["mergeable"], true, "{appended}");
            }
            tried += 1;
        }
    }
    assert!(tried > 20, "{tried} remedies");
}

#[test]
fn a_witness_ends_in_memory_where_it_says() {
    let mut steps = 0;
    for chain in chains() {
        let witness = asked(&json!({ "ask": "witness", "chain": chain }));
        if witness["kind"] != "step" {
            continue;
        }
        for step in witness["steps"].as_array().expect("there are two") {
            let end = |name: &str| {
                let levels = step[name].as_array().expect("a view at least");
                let last = levels.last().expect("a view at least");
                assert_eq!(last["view"], 0, "{chain}");
                // Numbers that a browser cannot hold are strings.
                let position = &last["position"];
                position.as_i64().or_else(|| position.as_str()?.parse().ok()).expect("it is valid")
            };
            let said = &step["step"];
            let said = said.as_i64().or_else(|| said.as_str()?.parse().ok());
            assert_eq!(Some(end("to") - end("from")), said, "{chain}");
            steps += 1;
        }
    }
    assert!(steps >= 20, "{steps} steps");
}

#[test]
fn cells_are_what_the_chain_says() {
    for chain in chains() {
        let parsed: ViewChain = chain.parse().expect("it was written");
        let window: Vec<Value> =
            parsed.shape().iter().map(|&size| json!([0, size.min(3)])).collect();
        let mut windows = vec![Value::Null; parsed.views().len() - 1];
        windows.push(json!(window));
        let told = asked(&json!({ "ask": "cells", "chain": chain, "windows": windows }));
        let last = &told["views"][parsed.views().len() - 1];
        let (index, memory) = (&last["index"], &last["memory"]);
        for (index, memory) in
            index.as_array().into_iter().flatten().zip(memory.as_array().into_iter().flatten())
        {
            let Some(index) = index.as_i64() else { continue };
            let expected = parsed.at(index).expect("it is in the view");
            let expected = expected.map(|position| position.to_string());
            let told = (!memory.is_null()).then(|| memory.to_string().replace('"', ""));
            assert_eq!(told, expected, "{chain} at {index}");
        }
    }
}

#[test]
fn what_is_too_much_is_refused() {
    let rows = [
        json!({ "ask": "cells", "chain": "(9999)", "windows": [[[0, 9999]]] }),
        json!({ "ask": "cells", "chain": "(9,9)", "windows": [[[0, 9]]] }),
        json!({ "ask": "sweep", "before": "(", "after": ")", "from": 0, "to": 512 }),
        json!({ "ask": "sweep", "before": "(", "after": ")", "from": i64::MIN, "to": i64::MAX }),
        json!({ "ask": "trace", "chain": "(3)", "index": [3] }),
        json!({ "ask": "trace", "chain": "(3)" }),
        json!({ "ask": "verify" }),
        json!({ "ask": "draw", "chain": "(3)", "kind": "?" }),
        json!({ "ask": "draw", "layout": "(4,2):(2" }),
        json!({ "ask": "draw", "layout": "(4,2):(2,1)", "kind": "thread", "tile": [2, 3] }),
        json!({ "ask": "cute", "cute": "conjure", "a": "4:1" }),
        json!({ "ask": "cute", "cute": "compose" }),
        json!({ "ask": 1 }),
    ];
    for question in rows {
        let answer = asked(&question);
        assert!(answer["error"]["message"].is_string(), "{question}: {answer}");
    }
    let cut = asked(&json!({ "ask": "cells", "chain": "(3)", "windows": [[[-5, 99]]] }));
    assert_eq!(cut["views"][0]["index"], json!([0, 1, 2]));
    let empty = asked(&json!({ "ask": "sweep", "before": "(", "after": ")", "from": 3, "to": 1 }));
    assert_eq!(empty["verdicts"], "");
}

#[test]
fn layouts_are_answered_in_words_and_drawn() {
    let asks =
        json!({ "ask": "cute", "cute": "compose", "a": "(10,2):(16,4)", "b": "(3,4):(1,5)" });
    let found = asked(&asks);
    assert_eq!(found["answer"], json!({ "layout": "(3,(2,2)):(16,(80,4))" }));
    assert_eq!(found["text"], "(3,(2,2)):(16,(80,4))");
    let none =
        asked(&json!({ "ask": "cute", "cute": "compose", "a": "(6,2):(1,7)", "b": "(3,2):(2,3)" }));
    assert_eq!(none["answer"]["layout"], json!(null));
    assert!(none["text"].as_str().is_some_and(|text| text.contains("depends on another mode")));
    let rows = [
        (json!({ "ask": "draw", "layout": "(4,2):(2,1)" }), ">mode 0</text>"),
        (json!({ "ask": "draw", "layout": "Sw<1,0,2> o 0 o (4,2):(2,1)" }), "Sw&lt;1,0,2&gt;"),
        (
            json!({ "ask": "draw", "layout": "(4,2):(2,1)", "kind": "value", "tile": [2, 4] }),
            ">T3</text>",
        ),
        (
            json!({ "ask": "draw", "chain": "(4,3):(1,4) | (12)", "kind": "split" }),
            "one view over ((4,3))",
        ),
    ];
    for (question, part) in rows {
        let svg = asked(&question)["svg"].as_str().unwrap_or_default().to_owned();
        assert!(svg.contains(part), "{question}");
    }
}

#[test]
fn a_split_is_a_remedy_that_can_be_applied() {
    let told = asked(&json!({ "ask": "remedies", "chain": "(6,4):(1,6) | (12,2)" }));
    let split = told.as_array().into_iter().flatten().find(|one| one["kind"] == "split");
    let split = split.expect("there is one");
    assert_eq!(split["op"], "reshape(6,2,2)");
    let applied = asked(&json!({ "ask": "merge", "chain": split["chain"] }));
    assert_eq!(applied["mergeable"], true);
}

#[test]
fn explanations_are_those_of_the_library() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/explanations.jsonl");
    for line in std::fs::read_to_string(path).expect("the cases are there").lines() {
        let case: Value = serde_json::from_str(line).expect("JSON");
        if let Some(params) = case.get("params") {
            let question = json!({ "ask": "explain", "chain": case["chain"], "params": params });
            assert_eq!(asked(&question)["text"], case["expect"]);
            continue;
        }
        let explained = asked(&json!({ "ask": "explain", "chain": case["chain"] }));
        assert_eq!(explained["text"], case["expect"]);
        let views = explained["stages"].as_array().map(Vec::len);
        let chain: ViewChain = case["chain"].as_str().expect("text").parse().expect("a chain");
        assert_eq!(views, Some(chain.views().len()), "{case}");
    }
}
