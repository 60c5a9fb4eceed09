//! Measures how long decisions take; writes `docs/performance.md` and `docs/growth.svg`.
//!
//! `cargo run --release -p viewmerge-bench`

mod chart;
mod families;

use std::fmt::Write;
use std::hint::black_box;
use std::path::Path;
use std::time::Instant;

use viewmerge::{Decision, View, ViewChain, merge, merge_within};
use viewmerge_testkit::cases;

use chart::Series;

fn main() -> std::io::Result<()> {
    let docs = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../docs"));
    let mut report = String::from(INTRODUCTION);
    report += &corpus();
    let (growth, series) = growth();
    report += &growth;
    report += &hard();
    report += NOTES;
    std::fs::write(docs.join("performance.md"), &report)?;
    svg::save(docs.join("growth.svg"), &chart::draw(&series))?;
    println!("{report}");
    Ok(())
}

const INTRODUCTION: &str = "\
# Performance

Written by `cargo run --release -p viewmerge-bench`; the figures are those of the machine it last ran on, a 2-core
virtual machine. Times are in process, for one call of `merge` on views that are ready, the best of nine rounds of about
a millisecond each.

";

const NOTES: &str = "
## What to expect

- Merges that one pass settles (all those in `pairs.jsonl`) allocate nothing for up to eight axes; a test counts.
- Two levels that overflow together cost O(log) along an axis, whatever its length. So do any number of levels that turn
  at the same rate, and a mask along one axis.
- Two levels on a box of many short axes cost about the square root of the number of indices (meet in the middle).
- Three or more levels that cancel in some other way are searched within one period of the carries, a piece for each
  overflow. No closed form is known to us; the number of axes unbounded, deciding is coNP-complete.
- `merge_within` answers *undecided* when its steps are used up, and is never wrong.
";

/// Nanoseconds that one call takes, in the best of several rounds of about a millisecond.
fn nanoseconds(mut call: impl FnMut()) -> f64 {
    let rounds = 9;
    let start = Instant::now();
    call();
    let once = start.elapsed().as_nanos().max(1);
    let calls = (1_000_000 / once).clamp(1, 100_000) as u32;
    let time = |calls: u32, call: &mut dyn FnMut()| {
        let start = Instant::now();
        (0..calls).for_each(|_| call());
        start.elapsed().as_nanos() as f64 / f64::from(calls)
    };
    (0..rounds).map(|_| time(calls, &mut call)).fold(f64::INFINITY, f64::min)
}

/// Distinct questions one after the other, as a program would ask them.
fn mean(questions: &[Vec<View>]) -> f64 {
    let pass = nanoseconds(|| {
        for views in questions {
            let _ = black_box(merge(black_box(views)));
        }
    });
    pass / questions.len() as f64
}

fn is_one_view(views: &[View]) -> bool {
    merge(views).expect("composes").is_merged()
}

fn corpus() -> String {
    let mut text = String::from(
        "## Views from real programs\n\n\
         | questions | all | one view | mean | mean of those that merge | mean of the others |\n\
         |---|---|---|---|---|---|\n",
    );
    for file in ["pairs.jsonl", "reshapes.jsonl", "trackers.jsonl"] {
        let questions = questions(file);
        let (yes, no): (Vec<_>, Vec<_>) =
            questions.iter().cloned().partition(|views| is_one_view(views));
        let _ = writeln!(
            text,
            "| `{file}` | {} | {} | {:.0} ns | {:.0} ns | {:.0} ns |",
            questions.len(),
            yes.len(),
            mean(&questions),
            mean(&yes),
            mean(&no)
        );
    }
    text
}

fn questions(file: &str) -> Vec<Vec<View>> {
    if file != "trackers.jsonl" {
        return cases::read(file)
            .iter()
            .map(|case| case.question.views().expect("composes"))
            .collect();
    }
    let views = |line: &str| -> Vec<View> {
        let line: serde_json::Value = serde_json::from_str(line).expect("JSON");
        serde_json::from_value(line["views"].clone()).expect("views")
    };
    cases::text(file).lines().map(views).collect()
}

fn growth() -> (String, Vec<Series>) {
    let mut text = String::from(
        "\n## Accidental merges: time against length\n\n\
         ![Time against length: flat for viewmerge, a straight line for walking](growth.svg)\n\n\
         | family | length | one view | time |\n|---|---|---|---|\n",
    );
    let mut series = Vec::new();
    for family in families::accidental() {
        let mut points = Vec::new();
        for (length, views) in &family.samples {
            let time = nanoseconds(|| {
                let _ = black_box(merge(black_box(views)));
            });
            let answer = if is_one_view(views) { "yes" } else { "no" };
            let _ = writeln!(text, "| {} | {length} | {answer} | {time:.0} ns |", family.name);
            points.push((*length as f64, time));
        }
        series.push(Series { name: family.name.to_string(), points });
    }
    let mut walked = Vec::new();
    for length in [10, 1_000, 100_000, 1_000_000] {
        let chain = families::walked(length);
        let time = nanoseconds(|| {
            black_box(walk(black_box(&chain)));
        });
        walked.push((length as f64, time));
    }
    series.push(Series { name: "walking every index".to_string(), points: walked });
    (text, series)
}

/// The criterion as it stands: all steps are equal.
fn walk(chain: &ViewChain) -> bool {
    let mut positions = chain.positions().flatten();
    let (Some(first), Some(second)) = (positions.next(), positions.next()) else { return true };
    let mut last = second;
    positions.all(|position| position - std::mem::replace(&mut last, position) == second - first)
}

fn hard() -> String {
    let mut text = String::from(
        "\n## Hard by construction: subset sum\n\n\
         One view exactly when no subset of the numbers has the wanted sum.\n\n\
         | numbers | the sum | answer | time |\n|---|---|---|---|\n",
    );
    for (count, exists, views) in families::subset_sums() {
        let sum = if exists { "exists" } else { "does not" };
        let start = Instant::now();
        let answer = if is_one_view(&views) { "one view" } else { "not one view" };
        let time = start.elapsed().as_secs_f64() * 1e3;
        let _ = writeln!(text, "| {count} | {sum} | {answer} | {time:.2} ms |");
        let (start, steps) = (Instant::now(), 10_000);
        if merge_within(&views, steps).expect("composes") == Decision::Undecided {
            let time = start.elapsed().as_secs_f64() * 1e3;
            let _ =
                writeln!(text, "| {count} | {sum} | undecided in {steps} steps | {time:.2} ms |");
        }
    }
    text
}
