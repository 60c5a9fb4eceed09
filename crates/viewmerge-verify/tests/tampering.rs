//! Certificates that hold are accepted; changed ones are refused, unless what they then claim is true.

use std::collections::BTreeMap;

use crate::support::expressions;
use crate::support::random::{Random, cases, certificate, mutate};
use crate::support::truth::{Truth, truth};
use serde_json::{Value, json};
use viewmerge_verify::{Failure, Refusal, verify};

/// The kinds that must all occur.
const KINDS: [&str; 7] = [
    "is_view",
    "nothing_valid",
    "not_one_view",
    "equal",
    "different",
    "equal_expressions",
    "different_expressions",
];

/// A certificate that holds, of any of the six kinds: every other one is about expressions.
fn any(case: u64) -> (Value, Random) {
    let mut random = Random::new(case);
    let made = match case % 2 {
        0 => certificate(&mut random),
        _ => expressions::certificate(&mut random),
    };
    (made, random)
}

/// The members that identify each of the six kinds.
fn kind(certificate: &Value) -> &'static str {
    let has = |name: &str| certificate.get(name).is_some();
    match (has("variables"), has("merged"), has("witness"), has("proofs")) {
        (true, .., true) => "expressions, equal",
        (true, .., false) => "expressions, different",
        (_, true, ..) => "merged",
        (_, _, true, _) => "witness",
        (.., true) => "equal",
        _ => "different",
    }
}

#[test]
fn certificates_that_hold_are_accepted() {
    let mut kinds = BTreeMap::new();
    for case in 0..cases(2_000) {
        let (certificate, mut random) = any(case);
        match verify(&certificate.to_string()) {
            Ok(shown) => *kinds.entry(shown.kind()).or_insert(0) += 1,
            Err(refusal) => panic!("{certificate}: {refusal}"),
        }
        assert_ne!(truth(&certificate, &mut random), Truth::False, "{certificate}");
    }
    println!("accepted: {kinds:?}");
    for kind in KINDS {
        assert!(kinds.get(kind).is_some_and(|count| *count >= 20), "{kinds:?}");
    }
}

/// Changed certificates are refused or true; where only a point is claimed, a true claim is not
/// refused.
#[test]
fn changed_certificates_are_refused_or_true() {
    // By kind: accepted and known to be true, accepted otherwise, does not hold, not a certificate.
    let mut counts: BTreeMap<&str, [usize; 4]> = BTreeMap::new();
    for case in 0..cases(2_000) {
        let (original, mut random) = any(case);
        let count = counts.entry(kind(&original)).or_default();
        for _ in 0..20 {
            let mut changed = original.clone();
            let mut changes = vec![mutate(&mut changed, &mut random)];
            while changed == original || random.one_in(4) {
                changes.push(mutate(&mut changed, &mut random));
            }
            match verify(&changed.to_string()) {
                Ok(shown) => match truth(&changed, &mut random) {
                    Truth::False => panic!("{changed}: {shown}, after {changes:?}"),
                    Truth::True => count[0] += 1,
                    Truth::Unknown => count[1] += 1,
                },
                Err(Refusal::Fails(failure)) => {
                    count[2] += 1;
                    if changed.get("proofs").is_none() {
                        let found = truth(&changed, &mut random);
                        assert_ne!(found, Truth::True, "{changed}: {failure}, after {changes:?}");
                    }
                }
                Err(_) => count[3] += 1,
            }
        }
    }
    println!("true, not known to be false, do not hold, none:");
    for (kind, [sure, unknown, fails, none]) in &counts {
        println!(
            "{kind}: {} tried, {sure} {unknown} {fails} {none}",
            sure + unknown + fails + none
        );
        assert!(*fails >= 100 && *none >= 100, "{kind}: {counts:?}");
    }
    assert_eq!(counts.len(), 6);
}

/// Changing the view and keeping the proofs does not yield a false claim.
#[test]
fn another_view_is_refused() {
    let mut refused = 0;
    for case in 0..cases(1_500) {
        let original = certificate(&mut Random::new(case));
        let Some(strides) = original["merged"]["strides"].as_array() else { continue };
        let mut places: Vec<String> =
            (0..strides.len()).map(|axis| format!("/merged/strides/{axis}")).collect();
        places.push("/merged/offset".into());
        for place in places {
            let mut changed = original.clone();
            let number = changed.pointer_mut(&place).expect("is there");
            *number = json!(number.as_i64().expect("is small") + 1);
            if truth(&changed, &mut Random::new(case)) == Truth::True {
                continue;
            }
            let result = verify(&changed.to_string());
            assert!(matches!(result, Err(Refusal::Fails(Failure::Unproved { .. }))), "{result:?}");
            refused += 1;
        }
    }
    assert!(refused >= 500, "{refused}");
}

#[test]
fn every_claim_must_be_there_once() {
    let mut claims = 0;
    for case in 0..cases(1_000) {
        let original = certificate(&mut Random::new(case));
        let count = original["proofs"].as_array().map_or(0, Vec::len);
        for place in 0..count {
            claims += 1;
            let edit = |edit: fn(&mut Vec<Value>, usize)| {
                let mut changed = original.clone();
                edit(changed["proofs"].as_array_mut().expect("is a list"), place);
                verify(&changed.to_string())
            };
            let dropped = edit(|list, place| drop(list.remove(place)));
            assert!(matches!(dropped, Err(Refusal::Fails(Failure::Missing { .. }))), "{dropped:?}");
            let twice = edit(|list, place| list.push(list[place].clone()));
            assert!(matches!(twice, Err(Refusal::Fails(Failure::Repeated { .. }))), "{twice:?}");
            let moved = edit(|list, place| list.rotate_left(place));
            assert!(moved.is_ok(), "{moved:?}");
            let open = edit(|list, place| list[place]["proof"] = json!({"absurd": []}));
            assert!(matches!(open, Err(Refusal::Fails(Failure::Unproved { .. }))), "{open:?}");
        }
    }
    assert!(claims >= 1_000, "{claims}");
}

/// The paths of all nodes of a proof of one kind.
fn nodes(value: &Value, path: &str, kind: &str, found: &mut Vec<String>) {
    match value {
        Value::Object(members) => {
            if members.contains_key(kind) && !members.contains_key("claim") {
                found.push(path.to_string());
            }
            for (name, member) in members {
                nodes(member, &format!("{path}/{name}"), kind, found);
            }
        }
        Value::Array(list) => {
            for (place, entry) in list.iter().enumerate() {
                nodes(entry, &format!("{path}/{place}"), kind, found);
            }
        }
        _ => {}
    }
}

/// Every node is needed: without one of its sides, or with an open leaf, the proof fails.
#[test]
fn every_node_of_a_proof_counts() {
    let (mut splits, mut leaves) = (0, 0);
    for case in 0..cases(800) {
        let mut random = Random::new(case);
        let original = certificate(&mut random);
        let mut found = Vec::new();
        nodes(&original, "", "split", &mut found);
        for path in random.some(&found, 4) {
            for side in ["low", "high"] {
                splits += 1;
                let mut changed = original.clone();
                let node = changed.pointer_mut(path).expect("is there");
                node.as_object_mut().expect("is an object").remove(side);
                let result = verify(&changed.to_string());
                assert!(matches!(result, Err(Refusal::Malformed(_))), "{result:?}");
            }
        }
        found.clear();
        nodes(&original, "", "absurd", &mut found);
        for path in random.some(&found, 4) {
            leaves += 1;
            let mut changed = original.clone();
            let multiples = changed.pointer_mut(&format!("{path}/absurd")).expect("is there");
            // Each multiple is needed: the prover adds none that could be left out.
            multiples.as_array_mut().expect("is a list").pop();
            let result = verify(&changed.to_string());
            assert!(matches!(result, Err(Refusal::Fails(Failure::Unproved { .. }))), "{result:?}");
        }
    }
    assert!(splits >= 300 && leaves >= 1_000, "{splits} {leaves}");
}
