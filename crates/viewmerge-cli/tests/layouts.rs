//! `testdata/splits.jsonl`, `cute.jsonl` and `coordinates.jsonl`, asked as batch lines.

use serde_json::Value;
use viewmerge::Limit;
use viewmerge_testkit::cases;

/// Whether an answer has everything expected; `null` also matches a missing member.
fn agrees(expected: &Value, found: &Value) -> bool {
    match (expected, found) {
        (Value::Object(expected), Value::Object(_)) => {
            expected.iter().all(|(name, value)| match (name.as_str(), value) {
                ("error", Value::String(kind)) => found["error"]["kind"] == *kind,
                _ => agrees(value, &found[name]),
            })
        }
        _ => expected == found,
    }
}

fn run(file: &str, least: usize) {
    let text = cases::text(file);
    assert!(text.lines().count() >= least, "{file}");
    for line in text.lines() {
        let case: Value = serde_json::from_str(line).expect(line);
        let answer = viewmerge_json::ask(line, &Limit::none());
        let answer: Value = serde_json::from_str(&answer).expect("JSON");
        assert!(agrees(&case["expect"], &answer), "{}: {answer}", case["name"]);
    }
}

#[test]
fn splits() {
    run("splits.jsonl", 14);
}

#[test]
fn layouts() {
    run("cute.jsonl", 40);
}

#[test]
fn coordinates() {
    run("coordinates.jsonl", 18);
}
