//! What the fuzzer is started from, and more bytes of the same kind.

use crate::support::Draw;
use viewmerge_testkit::{fuzz, seeds};

#[test]
fn kept_inputs() {
    let inputs = seeds::read("symbolic").expect("is kept");
    assert!(inputs.len() >= 50, "{}", inputs.len());
    inputs.iter().for_each(|input| fuzz::symbolic(input));
}

#[test]
fn random_bytes() {
    let mut draw = Draw(1);
    let count = std::env::var("FUZZ_INPUTS").ok().and_then(|text| text.parse().ok());
    for _ in 0..count.unwrap_or(1_500) {
        let length = 8 + draw.below(80);
        let bytes: Vec<u8> = (0..length).map(|_| draw.below(256) as u8).collect();
        fuzz::symbolic(&bytes);
    }
}
