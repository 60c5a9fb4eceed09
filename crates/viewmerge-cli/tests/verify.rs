//! The certificates in `testdata/`, through `viewmerge verify`.

use std::io::Write;
use std::process::{Command, Output, Stdio};

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;
use viewmerge_testkit::cases;

#[derive(Deserialize)]
struct Line<'a> {
    holds: Option<bool>,
    /// Unparsed, so that repeated members stay.
    #[serde(borrow)]
    certificate: &'a RawValue,
}

fn verify(arguments: &[&str], input: &[u8]) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_viewmerge"))
        .arg("verify")
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("starts");
    let mut stdin = child.stdin.take().expect("is piped");
    let bytes = input.to_vec();
    let writer = std::thread::spawn(move || stdin.write_all(&bytes));
    let output = child.wait_with_output().expect("ends");
    writer.join().expect("no panic").expect("is read");
    output
}

#[test]
fn every_certificate_gets_its_exit_status() {
    let text = cases::text("certificates.jsonl");
    for line in text.lines() {
        let Line { holds, certificate } = serde_json::from_str(line).expect("a line");
        let output = verify(&["-"], certificate.get().as_bytes());
        let status = match holds {
            Some(true) => 0,
            Some(false) => 1,
            None => 2,
        };
        assert_eq!(output.status.code(), Some(status), "{line}: {output:?}");
        // Either an answer or a message.
        assert_eq!(output.stdout.is_empty(), holds.is_none(), "{line}: {output:?}");
        assert_eq!(output.stderr.is_empty(), holds.is_some(), "{line}: {output:?}");
    }
}

#[test]
fn every_line_gets_a_line() {
    let text = cases::text("certificates.jsonl");
    let lines: Vec<Line<'_>> =
        text.lines().map(|line| serde_json::from_str(line).expect("a line")).collect();
    let objects: Vec<&str> = lines.iter().map(|line| line.certificate.get()).collect();
    let output = verify(&["--format", "json"], objects.join("\n").as_bytes());
    assert_eq!(output.status.code(), Some(2));
    let answers = String::from_utf8(output.stdout).expect("UTF-8");
    let answers: Vec<Value> =
        answers.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(answers.len(), lines.len());
    for (line, answer) in lines.iter().zip(&answers) {
        assert_eq!(answer["holds"].as_bool(), line.holds, "{answer}");
        assert_eq!(answer.get("shown").is_some(), line.holds == Some(true), "{answer}");
        assert_eq!(answer.get("reason").is_some(), line.holds != Some(true), "{answer}");
    }
}

#[test]
fn what_is_no_text_is_no_certificate() {
    let output = verify(&[], b"{\"views\":\xff}");
    assert_eq!(output.status.code(), Some(2));
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(told.contains("byte 9 is not UTF-8"), "{told}");
}
