//! `docs/performance.md` and its charts, written from one run.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use crate::clock::{grouped, times};
use crate::peers::Peer;
use crate::question::Question;
use crate::sets::Set;
use crate::speed::{self, Row, Speed};
use crate::{
    Result, chart, completeness, corpus, crates, equal, expressions, growth, layouts, low_rank,
    sets, splits,
};

/// The number of questions about long axes.
const LOW_RANK: usize = 100_000;

/// Measures, and writes everything.
pub(crate) fn write(folder: &Path) -> Result<()> {
    let docs = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../docs"));
    let load = load();
    let sets = sets::known()?;
    let trackers = sets::trackers()?;
    let speeds: Vec<Speed> = sets
        .iter()
        .chain([&trackers])
        .map(|set| speed::measure(folder, set))
        .collect::<Result<_>>()?;
    let (growth, charts) = growth::section(folder)?;

    let mut text = String::from(INTRODUCTION);
    text += &goals(&sets[0], &speeds[0], &speeds[1])?;
    text.push('\n');
    text += &completeness::section(folder, &sets)?;
    text += &method();
    text.extend(speeds.iter().map(Speed::table));
    text.push('\n');
    text += &expressions::section(folder, &trackers)?;
    text.push('\n');
    text += &corpus::section(folder)?;
    text.push('\n');
    text += &corpus::inductor(folder)?;
    text.push('\n');
    text += &equal::section(folder)?;
    text.push('\n');
    text += &splits::section(&sets[0], &trackers)?;
    text.push('\n');
    text += &layouts::section(folder)?;
    text.push('\n');
    text += &growth;
    text.push('\n');
    text += &low_rank::section(LOW_RANK)?;
    text.push('\n');
    text += &crates::section(folder)?;
    text += HONEST;
    text += &machine(folder, &load)?;

    fs::write(docs.join("performance.md"), &text)?;
    svg::save(docs.join("speed.svg"), &chart::bars(&speeds[0].bars()))?;
    for (file, chart) in charts {
        svg::save(docs.join(file), &chart.draw())?;
    }
    println!("{text}");
    Ok(())
}

const INTRODUCTION: &str = "\
# Performance

Written by `bench/run`, which measures everything in one run; no figure is typed by hand.

";

/// The goals, and what was measured.
fn goals(set: &Set, pairs: &Speed, reshapes: &Speed) -> Result<String> {
    let mut text = String::from(
        "## In short\n\n\
         How many times as long the others take on the real pairs and reshapes, by mean and by median:\n\n\
         | | aim | pairs, mean | pairs, median | reshapes, mean | reshapes, median | aim reached on pairs |\n\
         |---|---|---|---|---|---|---|\n",
    );
    for (name, peer, ready, aim) in [
        ("tinygrad", Peer::Tinygrad, true, 2000.0),
        ("islpy, relations ready", Peer::Islpy, true, 1000.0),
        ("islpy, from the numbers", Peer::Islpy, false, 1000.0),
        ("isl from C, relations ready", Peer::IslFromC, true, 200.0),
        ("isl from C, from the numbers", Peer::IslFromC, false, 200.0),
    ] {
        let row = |speed: &Speed| speed.of(peer, ready).map(|row: &Row| row.ratios);
        let (Some(on_pairs), Some(on_reshapes)) = (row(pairs), row(reshapes)) else {
            return Err(format!("{name} has no answers").into());
        };
        let reached = match (on_pairs.0 >= aim, on_pairs.1 >= aim) {
            (true, true) => "yes",
            (true, false) => "by mean only",
            (false, true) => "by median only",
            (false, false) => "no",
        };
        writeln!(
            text,
            "| {name} | {} | {} | {} | {} | {} | {reached} |",
            times(aim),
            times(on_pairs.0),
            times(on_pairs.1),
            times(on_reshapes.0),
            times(on_reshapes.1)
        )?;
    }
    let contiguous = |question: &&Question| question.chain[0].is_contiguous();
    let easy = set.questions.iter().filter(contiguous).count();
    writeln!(
        text,
        "
The mean is what a program pays that asks many questions; the median is what a typical question costs. They are far apart for
the others: {} of the {} real pairs have a contiguous lower view, which needs no test at all, and a few take
milliseconds.

![Times of one decision on the real pairs](speed.svg)",
        grouped(easy as f64),
        grouped(set.questions.len() as f64)
    )?;
    Ok(text)
}

/// How it was measured.
fn method() -> String {
    format!(
        "
## How long one decision takes

Everybody gets the same questions, one after the other, and nobody answers from a cache: tinygrad's are emptied before every
question. For each question viewmerge's time is the median of {} passes, minus the time to read the clock; that of
the others is the best of theirs (5 for NumPy, 3 for tinygrad and isl, 1 for the walk and where isl takes over 3 ms).
*Against viewmerge* compares with the first row on the questions that the row answers. *Views ready* means that
views, arrays or relations were built before; *from the numbers* includes building them. isl is given the one view, if
there is one, and only has to confirm it. The walk looks at chains of up to 2^20 indices, in the cheapest form of the
criterion. `batch` is the command, including its startup, on all cores, the best of seven runs. The time of random ops
includes applying them.
",
        speed::PASSES
    )
}

const HONEST: &str = "
## What this does not say

Where others are better:

- isl decides far more than this: any formula of linear inequalities, sets that are not boxes, unknown sizes.
  viewmerge supports unknown sizes in a crate of its own, and validity that is not a box only as guards of an index expression.
- NumPy's `reshape` takes hardly longer than any call from Python; where it applies, it finds every view, one reshape at a
  time.
- tinygrad caches its answers: asked again, it looks them up. viewmerge caches nothing.
- On chains of some hundred indices, such as the random ones, walking every index is about as fast as deciding, or
  faster.

What to keep in mind:

- tinygrad and islpy are called from Python, which accounts for most of the time of their fastest answers. tinygrad's test
  written in Rust would be far faster, and would miss the same views.
- isl is not made for this question, and may have a better encoding than the two that were tried: digits by floors,
  which is measured, and digits as existential variables.
- The real questions were recorded from one framework, tinygrad 0.10.2; other programs may ask other questions.
- The random questions are small, so that they can be walked, and are built to be difficult: their shares say nothing about
  real programs.
- Deciding is coNP-complete when the number of axes is unbounded: see the subset sums above. Two levels that overflow
  together cost O(log) along an axis, and so do any number that turn at the same rate; three or more that cancel in some
  other way are searched within one period of the carries, a piece for each overflow. With a limit on the steps
  the answer is then *undecided*, never wrong.
- PyTorch's `Tensor.view` was not measured: it answers the same question as NumPy. From PyTorch, only the code that Inductor writes is measured, and
  only if a PyTorch is available (`VIEWMERGE_TORCH`): it is large to install.
- On a busy machine, times vary by a tenth and more from run to run.
";

fn machine(folder: &Path, load: &str) -> Result<String> {
    let info = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = info.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": "));
    let cores = std::thread::available_parallelism().map_or(0, usize::from);
    let versions = fs::read_to_string(folder.join("versions.txt"))?;
    let mut text = format!(
        "\n## The machine, the versions, and how to repeat it\n\n\
         | | |\n|---|---|\n\
         | processor | {}, {cores} cores |\n\
         | load before viewmerge was measured (1, 5, 15 minutes) | {load} |\n",
        model.map_or("unknown", |(_, model)| model)
    );
    for line in versions.lines() {
        let (name, version) = line.split_once('\t').unwrap_or((line, ""));
        writeln!(text, "| {name} | {version} |")?;
    }
    text += "
`bench/run` on a machine with Rust, Python 3.11 or later, a C compiler and `apt-get` does everything: it installs isl for C,
creates a Python environment in the target folder with the versions in `bench/requirements*.txt`, asks everybody, and
writes this page. It takes about ten minutes. `cargo bench -p viewmerge` measures the hot paths alone, and
`bench/instructions` counts the instructions of three fixed workloads, which do not depend on the load of the machine.
";
    Ok(text)
}

fn load() -> String {
    let text = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    text.split(' ').take(3).collect::<Vec<_>>().join(", ")
}
