//! Questions of low rank about long axes: how long the slowest take.
//!
//! Each is measured once, and those that took long four more times; the best is kept, since other programs
//! on the machine interrupt.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::hint::black_box;
use std::time::{Duration, Instant};

use viewmerge::{Limit, ViewChain};
use viewmerge_testkit::choices::Choices;
use viewmerge_testkit::low_rank;

use crate::Result;
use crate::clock::show;

/// Questions that took longer are measured again.
const LONG: Duration = Duration::from_micros(200);

/// This many random questions, the same in every run.
pub(crate) fn questions(count: usize) -> impl Iterator<Item = ViewChain> {
    let mut state = 12_345u64;
    let mut bytes = move || {
        let byte = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040);
            (state >> 40) as u8
        };
        std::iter::repeat_with(byte).take(100).collect::<Vec<u8>>()
    };
    std::iter::repeat_with(move || low_rank::chain(&mut Choices::new(&bytes())))
        .flatten()
        .take(count)
}

/// The section of the report.
pub(crate) fn section(count: usize) -> Result<String> {
    let mut times = Vec::with_capacity(count);
    let mut rungs: BTreeMap<String, usize> = BTreeMap::new();
    for chain in questions(count) {
        let time = || -> Result<(Duration, String)> {
            let start = Instant::now();
            let decided = black_box(chain.decide(&Limit::none()));
            let time = start.elapsed();
            let word = match decided {
                Ok(decided) if decided.verdict.is_merged() => {
                    format!("{:?}, one view", decided.rung)
                }
                Ok(decided) => format!("{:?}, not one view", decided.rung),
                Err(error) => error.kind().to_string(),
            };
            Ok((time, word))
        };
        let (mut best, word) = time()?;
        for _ in 0..4 {
            if best > LONG {
                best = best.min(time()?.0);
            }
        }
        *rungs.entry(word).or_default() += 1;
        times.push((best, chain));
    }
    times.sort_by_key(|(time, _)| *time);
    let at = |share: f64| {
        let place = ((times.len() as f64) * share) as usize;
        show(times[place.min(times.len() - 1)].0.as_nanos() as f64)
    };
    let mut text = format!(
        "## Long axes, few of them\n\n\
         {count} random questions about two to four views of at most six axes, with up to 10^12 indices per axis: ops as\n\
         programs apply them, masks, broadcasts, negative strides, windows, and stacked views.\n\n\
         | median | 90 % | 99 % | 99.9 % | slowest |\n|---|---|---|---|---|\n| {} | {} | {} | {} | {} |\n\n\
         | decided by | questions |\n|---|---|\n",
        at(0.5),
        at(0.9),
        at(0.99),
        at(0.999),
        at(1.0)
    );
    for (word, count) in rungs {
        writeln!(text, "| {word} | {count} |")?;
    }
    if let Some((_, slowest)) = times.last() {
        writeln!(text, "\nThe slowest is `{slowest}`.")?;
    }
    Ok(text)
}
