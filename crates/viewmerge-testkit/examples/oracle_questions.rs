//! `oracle_questions SEED COUNT` prints random chains, one a line, in the form that
//! `viewmerge batch` and `proofs/oracle` read. The same seed gives the same lines.

use std::io::{BufWriter, Write};

use viewmerge::ViewParts;
use viewmerge_testkit::choices::Choices;
use viewmerge_testkit::{accidental, generate};

fn main() -> std::io::Result<()> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let numbers: Option<Vec<u64>> = words.iter().map(|word| word.parse().ok()).collect();
    let Some([seed, count]) = numbers.as_deref() else {
        eprintln!("usage: oracle_questions SEED COUNT");
        std::process::exit(2);
    };
    let mut output = BufWriter::new(std::io::stdout().lock());
    for number in 0..*count {
        let views = chain(&mut Choices::new(&bytes(*seed, number)));
        serde_json::to_writer(&mut output, &serde_json::json!({ "views": views }))?;
        output.write_all(b"\n")?;
    }
    output.flush()
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
