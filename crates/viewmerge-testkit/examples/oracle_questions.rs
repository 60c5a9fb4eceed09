//! `oracle_questions SEED COUNT` prints random chains, one per line, in the form that
//! `viewmerge batch` and `proofs/oracle` read; `oracle_questions SEED COUNT long` prints chains of
//! low rank with 10^9 elements and more, and with `ops`, movement ops. The same seed gives the same
//! lines.

use std::io::{BufWriter, Write};

use serde_json::{Value, json};
use viewmerge::{Movement, ViewChain, ViewParts};
use viewmerge_testkit::choices::Choices;
use viewmerge_testkit::{accidental, generate, low_rank};

/// The fewest elements of a long chain.
const LONG: i64 = 1_000_000_000;

/// Makes a question.
type Maker = fn(&mut Choices<'_>) -> Option<Value>;

fn main() -> std::io::Result<()> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let kind: Option<Maker> = match words.get(2).map(String::as_str) {
        None => Some(|choices| Some(json!({ "views": chain(choices) }))),
        Some("long") => Some(|choices| Some(json!({ "views": long_chain(choices)? }))),
        Some("ops") => Some(ops),
        Some(_) => None,
    };
    let numbers: Option<Vec<u64>> = words.iter().take(2).map(|word| word.parse().ok()).collect();
    let (Some([seed, count]), Some(make), ..=3) = (numbers.as_deref(), kind, words.len()) else {
        eprintln!("usage: oracle_questions SEED COUNT [long | ops]");
        std::process::exit(2);
    };
    let questions = (0..).filter_map(|number| make(&mut Choices::new(&bytes(*seed, number))));
    let mut output = BufWriter::new(std::io::stdout().lock());
    for question in questions.take(usize::try_from(*count).unwrap_or(usize::MAX)) {
        serde_json::to_writer(&mut output, &question)?;
        output.write_all(b"\n")?;
    }
    output.flush()
}

/// One to six ops on a shape, the last of which may not fit; as JSON or as text.
fn ops(choices: &mut Choices<'_>) -> Option<Value> {
    let shape: Vec<i64> = (0..choices.between(1, 3)).map(|_| choices.between(1, 6)).collect();
    let start = ViewChain::contiguous(&shape).ok()?;
    let (mut chain, mut ops) = (start.clone(), Vec::new());
    for _ in 0..choices.between(1, 6) {
        let op = generate::movement(choices, chain.shape());
        chain = chain.apply(&op).ok()?;
        ops.push(op);
    }
    if choices.one_in(16) {
        ops.push(generate::spoilt_movement(choices, chain.shape()));
    }
    if choices.one_in(2) {
        return Some(json!({ "shape": shape, "ops": ops }));
    }
    let text = |text, op: &Movement| format!("{text} | {op}");
    Some(json!({ "chain": ops.iter().fold(start.to_string(), text) }))
}

/// A chain of low rank with many elements.
fn long_chain(choices: &mut Choices<'_>) -> Option<Vec<ViewParts>> {
    let chain = low_rank::chain(choices)?;
    let long = chain.count() >= LONG;
    long.then(|| chain.views().iter().cloned().map(ViewParts::from).collect())
}

/// Mostly chains that compose; some whose overflows cancel, and some with a mistake.
fn chain(choices: &mut Choices<'_>) -> Vec<ViewParts> {
    match choices.below(8) {
        0 => accidental::chain(choices).into_iter().map(ViewParts::from).collect(),
        1 => {
            let mut chain = generate::chain_parts(choices);
            spoil(choices, &mut chain);
            chain
        }
        _ => generate::chain_parts(choices),
    }
}

/// Changes one number, after which the views may no longer compose.
fn spoil(choices: &mut Choices<'_>, chain: &mut [ViewParts]) {
    let place = choices.below(chain.len() as i64) as usize;
    let view = &mut chain[place];
    let axis = choices.below(view.shape.len() as i64) as usize;
    match (choices.below(3), &mut view.strides) {
        (0, Some(strides)) if axis < strides.len() => strides[axis] += choices.between(-3, 3),
        (1, _) if axis < view.shape.len() => view.shape[axis] += choices.between(0, 2),
        _ => view.offset += choices.between(-12, 12),
    }
}

/// A hundred bytes for one line (splitmix64).
fn bytes(seed: u64, number: u64) -> Vec<u8> {
    let mut state = seed.wrapping_mul(0x2545_f491_4f6c_dd1d) ^ number.wrapping_mul(13 << 20);
    let words = std::iter::repeat_with(|| {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    });
    words.take(13).flat_map(u64::to_le_bytes).collect()
}
