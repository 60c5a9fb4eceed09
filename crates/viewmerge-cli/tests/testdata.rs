//! The cases in `testdata/`, through `viewmerge batch`.

use std::io::Write;
use std::process::{Child, Command, Stdio};

use serde_json::{Value, json};
use viewmerge::reference::{Spec, check_witness};
use viewmerge::{View, ViewChain, Witness};
use viewmerge_testkit::cases::{self, Expect};

/// `viewmerge batch`, with pipes for questions and answers.
fn start() -> Child {
    Command::new(env!("CARGO_BIN_EXE_viewmerge"))
        .arg("batch")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("starts")
}

fn batch(input: &str) -> Vec<Value> {
    let mut child = start();
    let mut stdin = child.stdin.take().expect("is piped");
    let text = input.to_string();
    let writer = std::thread::spawn(move || stdin.write_all(text.as_bytes()));
    let output = child.wait_with_output().expect("ends");
    writer.join().expect("no panic").expect("is read");
    assert!(output.status.success());
    let lines = String::from_utf8(output.stdout).expect("UTF-8");
    lines.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

fn view(value: &Value) -> View {
    serde_json::from_value(value.clone()).expect("a view")
}

#[test]
fn every_case_gets_its_answer() {
    for file in ["cases.jsonl", "pairs.jsonl", "reshapes.jsonl"] {
        let answers = batch(&cases::text(file));
        let cases = cases::read(file);
        assert_eq!(answers.len(), cases.len());
        for (case, answer) in cases.iter().zip(&answers) {
            match &case.expect {
                Expect::View(Some(expected)) => {
                    assert_eq!(answer["mergeable"], json!(true), "{case:?}: {answer}");
                    let expected = View::try_from(expected.clone()).expect("canonical");
                    assert_eq!(view(&answer["view"]), expected, "{case:?}");
                }
                Expect::View(None) => {
                    assert_eq!(answer["mergeable"], json!(false), "{case:?}: {answer}");
                    let witness: Witness =
                        serde_json::from_value(answer["witness"].clone()).expect("a witness");
                    let views = case.question.views().expect("composes");
                    let chain: Vec<Spec> = views.iter().map(Spec::from).collect();
                    assert!(check_witness(&chain, &witness), "{case:?}: {answer}");
                    let fewest: Vec<View> =
                        answer["views"].as_array().expect("a list").iter().map(view).collect();
                    let fewest = ViewChain::from_views(&fewest).expect("compose");
                    assert!(fewest.views().len() > 1 && fewest.views().len() <= views.len());
                    assert_eq!(fewest.shape(), views[views.len() - 1].shape());
                }
                Expect::Error { error } => {
                    assert_eq!(answer["error"]["kind"], json!(error), "{case:?}: {answer}");
                    assert!(answer["error"]["message"].is_string());
                }
            }
        }
    }
}

#[test]
fn bad_lines_get_an_error_line_and_the_run_goes_on() {
    let good = r#"{"views":[{"shape":[2]}],"name":"ignored","expect":1}"#;
    let lines = [
        good,
        "",
        "no json",
        "[]",
        "{}",
        r#"{"view":{"shape":[2]}}"#,
        r#"{"views":[{"shape":[2.5]}]}"#,
        r#"{"views":[{"shape":[9223372036854775808]}]}"#,
        r#"{"shape":[2],"ops":[["roll",[1]]]}"#,
        &"[".repeat(100_000),
        good,
    ];
    let answers = batch(&lines.join("\n"));
    assert_eq!(answers.len(), lines.len());
    for (line, answer) in lines.iter().zip(&answers) {
        assert_eq!(answer.get("error").is_none(), *line == good, "{line}: {answer}");
    }
    // The last line needs no line end; an empty input has no lines.
    assert_eq!(batch(&format!("{good}\n")).len(), 1);
    assert_eq!(batch("").len(), 0);
}

#[test]
fn answers_are_not_held_back() {
    use std::io::{BufRead, BufReader};
    let mut child = start();
    let mut stdin = child.stdin.take().expect("is piped");
    let mut answers = BufReader::new(child.stdout.take().expect("is piped")).lines();
    for size in 1..4 {
        writeln!(stdin, r#"{{"views":[{{"shape":[{size}]}}]}}"#).expect("is read");
        let answer = answers.next().expect("an answer").expect("UTF-8");
        assert!(answer.contains(&format!("\"shape\":[{size}]")), "{answer}");
    }
    drop(stdin);
    assert!(child.wait().expect("ends").success());
}

#[test]
fn a_reader_that_leaves_is_no_failure() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_viewmerge"))
        .args(["batch", "pairs.jsonl"])
        .current_dir(cases::folder())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("starts");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("ends");
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
}

#[test]
fn lines_that_fuzzing_found_interesting_are_answered() {
    let lines = viewmerge_testkit::seeds::read("batch_line").expect("is kept");
    assert!(lines.len() >= 50, "{}", lines.len());
    for line in &lines {
        let answer = viewmerge_json::answer_line(line, &viewmerge::Limit::none());
        assert!(serde_json::from_str::<Value>(&answer).is_ok(), "{answer}");
    }
}

#[test]
fn explanations_are_those_of_the_library() {
    for line in cases::text("explanations.jsonl").lines() {
        let case: Value = serde_json::from_str(line).expect("JSON");
        let names = case["params"].as_object().into_iter().flat_map(|params| params.keys());
        let output = Command::new(env!("CARGO_BIN_EXE_viewmerge"))
            .args(["explain", case["chain"].as_str().expect("a chain")])
            .args(names.flat_map(|name| ["--param", name]))
            .output()
            .expect("runs");
        let text = String::from_utf8(output.stdout).expect("UTF-8");
        assert_eq!(text.trim_end(), case["expect"].as_str().expect("a text"), "{case}");
    }
}
