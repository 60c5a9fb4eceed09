//! Certificates that were tampered with are refused.

use serde_json::Value;
use viewmerge_plan::{Target, certified};
use viewmerge_verify::plan::verify_plan;

use crate::models::graph;
use crate::random::Numbers;

/// Changes a certificate so that it claims something false or breaks its own rules.
fn tamper(certificate: &Value, numbers: &mut Numbers) -> Option<Value> {
    let mut changed = certificate.clone();
    let amount = 1 + i64::from(numbers.below(1000));
    match numbers.below(8) {
        // A higher bound, with or without the plan's cost raised to match.
        0 => changed["bound"] = (certificate["bound"].as_i64()? + amount).into(),
        1 => {
            changed["bound"] = (certificate["bound"].as_i64()? + amount).into();
            changed["cost"] = (certificate["cost"].as_i64()? + amount).into();
        }
        2 => changed["cost"] = (certificate["cost"].as_i64()? - amount).into(),
        // A price above what the layout's bytes allow, or below 0.
        3 => {
            let row = entry(&mut changed["proof"]["prices"], numbers)?;
            row[3] = (row[3].as_i64()? + (1 << 40)).into();
        }
        4 => {
            let row = entry(&mut changed["proof"]["prices"], numbers)?;
            row[3] = (-amount).into();
        }
        // A plan with a configuration that does not exist, or without one of its operations.
        5 => {
            let row = entry(&mut changed["plan"], numbers)?;
            let choice = row[1].as_array_mut()?;
            *choice.last_mut()? = (1000 + amount).into();
        }
        6 => {
            let rows = changed["plan"].as_array_mut()?;
            rows.remove(numbers.index(rows.len()));
        }
        // A layout that leaves elements out.
        _ => {
            let class = entry(&mut changed["classes"], numbers)?;
            let layout = entry(&mut class["layouts"], numbers)?;
            let digit = entry(layout, numbers)?;
            digit[1] = (digit[1].as_i64()? + amount).into();
        }
    }
    Some(changed)
}

fn entry<'a>(list: &'a mut Value, numbers: &mut Numbers) -> Option<&'a mut Value> {
    let list = list.as_array_mut().filter(|list| !list.is_empty())?;
    let at = numbers.index(list.len());
    list.get_mut(at)
}

#[test]
fn tampered_certificates_are_refused() {
    let count =
        std::env::var("VIEWMERGE_TAMPERED").ok().and_then(|text| text.parse().ok()).unwrap_or(400);
    let target = Target::named("onnx").expect("it is built in");
    let certificates: Vec<Value> = ["tfstyle", "lstm", "pixelshuffle", "mixer", "bert"]
        .map(|name| certified(&graph(name), &target).expect("there is a plan").1)
        .iter()
        .map(|text| serde_json::from_str(text).expect("it is JSON"))
        .collect();
    let mut numbers = Numbers(7);
    let mut refused = 0;
    while refused < count {
        let certificate = &certificates[numbers.index(certificates.len())];
        if let Some(changed) = tamper(certificate, &mut numbers) {
            let text = changed.to_string();
            assert!(verify_plan(&text).is_err(), "accepted: {text}");
            refused += 1;
        }
    }
}

/// Texts with one byte changed, cut off or doubled: never a panic, and never a higher bound for
/// the same graph and table.
#[test]
fn damaged_texts() {
    let target = Target::named("onnx").expect("it is built in");
    let (plan, text) = certified(&graph("pixelshuffle"), &target).expect("there is a plan");
    let whole: Value = serde_json::from_str(&text).expect("it is JSON");
    let mut numbers = Numbers(11);
    for _ in 0..2000 {
        let mut bytes = text.clone().into_bytes();
        let at = numbers.index(bytes.len());
        match numbers.below(3) {
            0 => bytes[at] = b"0123456789-[]{},:\"ax"[numbers.index(20)],
            1 => bytes.truncate(at),
            _ => bytes.insert(at, b'1'),
        }
        let Ok(damaged) = String::from_utf8(bytes) else { continue };
        if let Ok(shown) = verify_plan(&damaged) {
            let read: Value = serde_json::from_str(&damaged).expect("what holds is JSON");
            if read["graph"] == whole["graph"] && read["target"] == whole["target"] {
                assert!(shown.bound <= plan.cost && shown.cost >= plan.cost, "{damaged}");
            }
        }
    }
}
