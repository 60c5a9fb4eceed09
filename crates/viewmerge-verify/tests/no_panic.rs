//! No text makes the checker panic, whatever it contains.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use viewmerge_verify::{Refusal, verify, verify_each};

/// Certificates of every kind, as text.
fn certificates() -> Vec<String> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata");
    let file = |name: &str| std::fs::read_to_string(format!("{folder}/{name}")).expect("is there");
    let text = file("certificates.jsonl")
        + &file("expression_certificates.jsonl")
        + &file("always_certificates.jsonl");
    let rest = text.lines().filter_map(|line| line.split_once("\"certificate\":"));
    let objects = rest.map(|(_, object)| object.strip_suffix('}').expect("an object").to_string());
    objects.filter(|object| object.len() < 3_000).collect()
}

/// Tries both entry points, and prints the messages.
fn ask(text: &str) {
    for result in std::iter::once(verify(text)).chain(verify_each(text)) {
        let words = result.map_or_else(|refusal| refusal.to_string(), |shown| shown.to_string());
        assert!(!words.is_empty());
    }
}

/// Pieces of certificates, and pieces that do not belong there.
const PIECES: [&str; 60] = [
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    " ",
    "\n",
    "null",
    "true",
    "0",
    "1",
    "-1",
    "3",
    "1.5",
    "1e9",
    "99999999999999999999999999999999999999999999",
    "\"7\"",
    "\"-\"",
    "\"low\"",
    "\"high\"",
    "\"nothing\"",
    "\"views\"",
    "\"merged\"",
    "\"proofs\"",
    "\"witness\"",
    "\"other\"",
    "\"differ\"",
    "\"shape\"",
    "\"strides\"",
    "\"offset\"",
    "\"mask\"",
    "\"claim\"",
    "\"above\"",
    "\"proof\"",
    "\"absurd\"",
    "\"split\"",
    "\"at\"",
    "\"kind\"",
    "\"step\"",
    "\"hole\"",
    "\"variables\"",
    "\"one\"",
    "\"two\"",
    "\"value\"",
    "\"valid\"",
    "\"case\"",
    "\"i\"",
    "[\"i\",0,9]",
    "[\"//\",\"i\",2]",
    "[\"min\",\"i\",3]",
    "[\"or\",[\"<\",\"i\",3],[\"and\"]]",
    "[\"where\",",
    "\"\\u0061\\ud83d\\ude00\"",
    "\"\\ud83d\"",
    "\"\\",
    "\"",
    "é",
    "\u{0}",
    "\u{feff}",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text(text in ".{0,200}") {
        ask(&text);
    }

    #[test]
    fn any_pieces(pieces in vec(select(&PIECES[..]), 0..60)) {
        ask(&pieces.concat());
    }

    /// A certificate with some pieces replaced, and truncated.
    #[test]
    fn changed_certificates(
        which in any::<Index>(),
        edits in vec((any::<Index>(), 0..8_usize, select(&PIECES[..])), 0..4),
        end in proptest::option::of(any::<Index>()),
    ) {
        let all = certificates();
        let mut text: Vec<char> = which.get(&all).chars().collect();
        for (at, length, piece) in edits {
            let from = at.index(text.len() + 1);
            let to = text.len().min(from + length);
            text.splice(from..to, piece.chars());
        }
        if let Some(end) = end {
            text.truncate(end.index(text.len() + 1));
        }
        ask(&text.into_iter().collect::<String>());
    }

    /// Numbers of a certificate replaced by others.
    #[test]
    fn changed_numbers(which in any::<Index>(), numbers in vec(select(&NUMBERS[..]), 1..60), skip in 1..9_usize) {
        let all = certificates();
        let mut numbers = numbers.iter().cycle();
        let mut text = String::new();
        for (place, piece) in which.get(&all).split_inclusive(|c: char| "[],:{}".contains(c)).enumerate() {
            let number = piece.trim_end_matches(|c: char| "[],:{}".contains(c));
            if place % skip == 0 && number.parse::<i64>().is_ok() {
                text += numbers.next().expect("goes on");
                text += &piece[number.len()..];
            } else {
                text += piece;
            }
        }
        ask(&text);
    }
}

const NUMBERS: [&str; 12] = [
    "0",
    "1",
    "-1",
    "2",
    "9223372036854775807",
    "-9223372036854775808",
    "170141183460469231731687303715884105727",
    "-170141183460469231731687303715884105728",
    "170141183460469231731687303715884105728",
    "\"-170141183460469231731687303715884105729\"",
    "18446744073709551616",
    "\"000\"",
];

#[test]
fn every_beginning_of_a_certificate_is_refused() {
    for certificate in certificates() {
        for (end, _) in certificate.char_indices() {
            let result = verify(&certificate[..end]);
            assert!(matches!(result, Err(Refusal::Malformed(_))), "{}", &certificate[..end]);
        }
    }
}
