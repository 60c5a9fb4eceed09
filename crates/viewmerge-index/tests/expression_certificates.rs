//! Answers about expressions are certified, and an independent checker accepts the certificates; what
//! is made of them by changing a number is refused, unless it is true.

use serde_json::{Value, json};
use viewmerge::{Error, Limit};
use viewmerge_index::Domain;
use viewmerge_testkit::choices::Choices;
use viewmerge_testkit::{expressions, run};
use viewmerge_verify::{Failure, Refusal, Shown, verify};

fn limit() -> Limit<'static> {
    Limit::steps(20_000)
}

fn is_undecided(error: &Error) -> bool {
    matches!(
        error,
        Error::Undecided { .. } | Error::TooManyCases { .. } | Error::ExpressionRange { .. }
    )
}

/// A certificate that an expression was simplified rightly.
fn simplified(choices: &mut Choices<'_>) -> Result<Option<String>, String> {
    let (domain, expression) = expressions::generate(choices).question()?;
    let simple = domain.simplify(&expression, &limit()).map_err(|error| error.to_string())?;
    match domain.certify_simplified(&expression, &simple, &limit()) {
        Ok(certificate) => Ok(Some(certificate.to_string())),
        Err(error) if is_undecided(&error) => Ok(None),
        Err(error) => Err(format!("{expression}: {error}")),
    }
}

#[test]
fn what_was_simplified_is_certified() {
    run(4_000, |choices| {
        let Some(text) = simplified(choices)? else { return Ok(()) };
        match verify(&text) {
            Ok(Shown::EqualExpressions { .. }) => Ok(()),
            other => Err(format!("{text}: {other:?}")),
        }
    });
}

#[test]
fn equal_and_different_expressions_are_certified() {
    run(4_000, |choices| {
        let asked = expressions::generate(choices);
        let second = expressions::generate(choices);
        let (domain, expression) = asked.question()?;
        let Some(other) = second.value_for(&asked) else { return Ok(()) };
        let text = match domain.certify_equal(&expression, &other, &limit()) {
            Ok(certificate) => certificate.to_string(),
            Err(error) if is_undecided(&error) => return Ok(()),
            Err(error) => return Err(format!("{expression}: {error}")),
        };
        match (verify(&text), asked.is_same(&second)) {
            (Ok(Shown::EqualExpressions { .. }), true)
            | (Ok(Shown::DifferentExpressions { .. }), false) => Ok(()),
            (other, same) => Err(format!("{text}: {other:?}, the same: {same}")),
        }
    });
}

/// The value of a tree, as docs/certificates.md says.
fn number(tree: &Value, names: &[&str], point: &[i64]) -> i64 {
    match tree {
        Value::String(name) => point[names.iter().position(|known| known == name).expect("known")],
        Value::Number(number) => number.as_i64().expect("small"),
        _ => {
            let parts = tree.as_array().expect("a list");
            let at = |k: usize| number(&parts[k], names, point);
            let all = (1..parts.len()).map(at);
            match parts[0].as_str().expect("a sign") {
                "+" => all.sum(),
                "*" => at(1) * at(2),
                "//" => at(1).div_euclid(at(2)),
                "%" => at(1).rem_euclid(at(2)),
                "min" => all.min().expect("one"),
                "max" => all.max().expect("one"),
                _ if holds(&parts[1], names, point) => at(2),
                _ => at(3),
            }
        }
    }
}

fn holds(tree: &Value, names: &[&str], point: &[i64]) -> bool {
    let parts = tree.as_array().expect("a list");
    let at = |k: usize| number(&parts[k], names, point);
    let mut inner = parts[1..].iter().map(|part| holds(part, names, point));
    match parts[0].as_str().expect("a sign") {
        "and" => inner.all(|holds| holds),
        "or" => inner.any(|holds| holds),
        "not" => !inner.next().expect("one"),
        "<" => at(1) < at(2),
        "<=" => at(1) <= at(2),
        ">" => at(1) > at(2),
        ">=" => at(1) >= at(2),
        "==" => at(1) == at(2),
        _ => at(1) != at(2),
    }
}

/// Whether what a certificate of *the same* says is so, at every point.
fn is_true(certificate: &Value) -> bool {
    let variables = certificate["variables"].as_array().expect("a list");
    let names: Vec<&str> = variables.iter().map(|v| v[0].as_str().expect("a name")).collect();
    let mut points: Vec<Vec<i64>> = vec![vec![]];
    for variable in variables {
        let range = variable[1].as_i64().expect("small")..=variable[2].as_i64().expect("small");
        let longer = |point: &Vec<i64>| {
            let point = point.clone();
            range.clone().map(move |x| [point.clone(), vec![x]].concat())
        };
        points = points.iter().flat_map(longer).collect();
    }
    let counts = |of: &Value, point: &[i64]| {
        let valid = of["valid"].is_null() || holds(&of["valid"], &names, point);
        valid.then(|| number(&of["value"], &names, point))
    };
    points
        .iter()
        .all(|point| counts(&certificate["one"], point) == counts(&certificate["two"], point))
}

/// The places of all numbers.
fn places(value: &Value, path: &str, found: &mut Vec<String>) {
    match value {
        Value::Number(_) => found.push(path.into()),
        Value::Array(list) => {
            for (k, entry) in list.iter().enumerate() {
                places(entry, &format!("{path}/{k}"), found);
            }
        }
        Value::Object(members) => {
            for (name, member) in members {
                places(member, &format!("{path}/{name}"), found);
            }
        }
        _ => {}
    }
}

#[test]
fn changed_numbers_are_refused_or_true() {
    use std::cell::Cell;
    let (accepted, refused) = (Cell::new(0), Cell::new(0));
    run(1_500, |choices| {
        let Some(text) = simplified(choices)? else { return Ok(()) };
        let original: Value = serde_json::from_str(&text).map_err(|e| e.to_string())?;
        let mut found = Vec::new();
        places(&original, "", &mut found);
        if found.is_empty() {
            return Ok(());
        }
        for _ in 0..8 {
            let place = &found[choices.below(found.len() as i64) as usize];
            let mut changed = original.clone();
            let target = changed.pointer_mut(place).expect("is there");
            let by = choices.pick(&[-2, -1, 1, 2, 5]);
            *target = json!(target.as_i64().expect("small") + by);
            match verify(&changed.to_string()) {
                Ok(_) => {
                    accepted.set(accepted.get() + 1);
                    if !is_true(&changed) {
                        return Err(format!("{changed} was {original}"));
                    }
                }
                Err(_) => refused.set(refused.get() + 1),
            }
        }
        Ok(())
    });
    assert!(refused.get() > accepted.get() && accepted.get() > 100, "{refused:?} {accepted:?}");
}

#[test]
fn every_claim_and_every_multiple_counts() {
    run(600, |choices| {
        let Some(text) = simplified(choices)? else { return Ok(()) };
        let original: Value = serde_json::from_str(&text).map_err(|e| e.to_string())?;
        let count = original["proofs"].as_array().map_or(0, Vec::len);
        for place in 0..count.min(6) {
            let edit = |edit: fn(&mut Vec<Value>, usize)| {
                let mut changed = original.clone();
                edit(changed["proofs"].as_array_mut().expect("is a list"), place);
                verify(&changed.to_string())
            };
            let dropped = edit(|list, place| drop(list.remove(place)));
            let twice = edit(|list, place| list.push(list[place].clone()));
            let open = edit(|list, place| list[place]["proof"] = json!({"absurd": []}));
            let other = edit(|list, place| list[place]["case"] = json!(1_000_000));
            let renamed = edit(|list, place| list[place]["claim"] = json!("hole"));
            let fine = matches!(dropped, Err(Refusal::Fails(Failure::Missing { .. })))
                && matches!(twice, Err(Refusal::Fails(Failure::Repeated { .. })))
                && matches!(open, Err(Refusal::Fails(Failure::Unproved { .. })))
                && matches!(other, Err(Refusal::Fails(_)))
                && matches!(renamed, Err(Refusal::Malformed(_)));
            if !fine {
                return Err(format!(
                    "{text}: {dropped:?} {twice:?} {open:?} {other:?} {renamed:?}"
                ));
            }
        }
        Ok(())
    });
}

#[test]
fn large_ranges_and_odd_names_are_certified() {
    let far = 1 << 50;
    let domain = Domain::new(&[("i", 0, far), ("a\"b\\", 0, 3), ("12", 0, 3)]).expect("ranges");
    let expression = "i // 2 // 3 // 7 + 12 * (i % 42)".parse().expect("is read");
    let simple = domain.simplify(&expression, &limit()).expect("is linear");
    assert_eq!(simple.to_string(), "12*i - 503*(i // 42)");
    let certificate =
        domain.certify_simplified(&expression, &simple, &limit()).expect("certified").to_string();
    assert!(matches!(verify(&certificate), Ok(Shown::EqualExpressions { .. })), "{certificate}");
}

#[test]
fn a_wrong_answer_is_not_certified() {
    let domain = Domain::new(&[("i", 0, 99)]).expect("ranges");
    let other = domain.simplify(&"i // 3".parse().expect("is read"), &limit()).expect("linear");
    let expression = "i // 4".parse().expect("is read");
    let certificate = domain.certify_simplified(&expression, &other, &limit()).expect("decided");
    assert!(!certificate.is_yes());
    assert!(matches!(verify(&certificate.to_string()), Ok(Shown::DifferentExpressions { .. })));
}
