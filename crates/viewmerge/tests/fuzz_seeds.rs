//! What fuzzing found interesting, once more.

use viewmerge_testkit::{fuzz, seeds};

fn replay(target: &str, run: impl Fn(&[u8])) {
    let inputs = seeds::read(target).expect("is kept");
    assert!(inputs.len() >= 50, "{target}: {}", inputs.len());
    for input in &inputs {
        run(input);
    }
}

#[test]
fn merge() {
    replay("merge", fuzz::merge);
}

#[test]
fn reshape() {
    replay("reshape", fuzz::reshape);
}

#[test]
fn ops() {
    replay("ops", fuzz::ops);
}

#[test]
fn notation() {
    replay("notation", fuzz::notation);
}
