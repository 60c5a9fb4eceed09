//! The certificates in `testdata/certificates.jsonl`, those about expressions in
//! `testdata/expression_certificates.jsonl` and those for all sizes in
//! `testdata/always_certificates.jsonl`, each with whether it holds.

use serde::Deserialize;
use serde_json::value::RawValue;
use viewmerge_verify::{Refusal, verify, verify_each};

/// A line; `holds` is null if the text is not a certificate.
#[derive(Deserialize)]
struct Line<'a> {
    name: String,
    holds: Option<bool>,
    /// Kept as raw text, so that repeated members survive.
    #[serde(borrow)]
    certificate: &'a RawValue,
}

fn text() -> String {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata");
    let file = |name: &str| std::fs::read_to_string(format!("{folder}/{name}")).expect("is there");
    file("certificates.jsonl")
        + &file("expression_certificates.jsonl")
        + &file("always_certificates.jsonl")
}

fn lines(text: &str) -> Vec<Line<'_>> {
    text.lines().map(|line| serde_json::from_str(line).expect("a line")).collect()
}

#[test]
fn every_line_gets_its_answer() {
    let text = text();
    let lines = lines(&text);
    let mut wrong = Vec::new();
    for line in &lines {
        let result = verify(line.certificate.get());
        let found = match &result {
            Ok(_) => Some(true),
            Err(Refusal::Fails(_)) => Some(false),
            Err(_) => None,
        };
        if found != line.holds {
            wrong.push(format!("{}: expected {:?}, got {result:?}", line.name, line.holds));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    for holds in [Some(true), Some(false), None] {
        assert!(lines.iter().filter(|line| line.holds == holds).count() >= 40, "{holds:?}");
    }
}

/// Messages name the mistake correctly, one line each, for reading.
#[test]
fn messages_name_what_is_wrong() {
    let text = text();
    let mut found = String::new();
    for line in lines(&text) {
        let words = verify(line.certificate.get())
            .map_or_else(|refusal| refusal.to_string(), |shown| shown.to_string());
        assert!(!words.contains('\n'), "{words}");
        found += &format!("{}\n    {words}\n", line.name);
    }
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/messages.txt");
    if std::env::var_os("VIEWMERGE_WRITE").is_some() {
        std::fs::write(file, &found).expect("is written");
    }
    let kept = std::fs::read_to_string(file).expect("is kept; VIEWMERGE_WRITE=1 writes it");
    for (kept, found) in kept.lines().zip(found.lines()) {
        assert_eq!(kept, found);
    }
    assert_eq!(kept.lines().count(), found.lines().count());
}

#[test]
fn one_a_line_gives_the_same_answers() {
    let text = text();
    let lines = lines(&text);
    let objects: Vec<&str> = lines
        .iter()
        .map(|line| line.certificate.get())
        .filter(|object| object.starts_with('{'))
        .collect();
    let kind = |result: Result<_, Refusal>| match result {
        Ok(_) => Some(true),
        Err(Refusal::Fails(_)) => Some(false),
        Err(_) => None,
    };
    let alone: Vec<_> = objects.iter().map(|object| kind(verify(object))).collect();
    let together: Vec<_> = verify_each(&objects.join("\n\n")).map(kind).collect();
    assert_eq!(alone, together);
}
