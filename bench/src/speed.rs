//! How long a decision takes, for all programs on the same questions.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use viewmerge::{Limit, View, ViewParts};

use crate::Result;
use crate::chart::Bar;
use crate::clock::{self, Summary, grouped, show, times};
use crate::peers::{Answer, Peer};
use crate::question::{Ask, Question};
use crate::sets::Set;
use crate::walk;

/// How often each question is asked; the median is kept.
pub(crate) const PASSES: usize = 101;
/// The most indices to walk.
const WALKED: i64 = 1 << 20;

/// One way to get an answer, measured.
pub(crate) struct Row {
    pub(crate) name: &'static str,
    pub(crate) peer: Option<Peer>,
    pub(crate) summary: Summary,
    /// How many times as long as viewmerge on the same questions: mean and median.
    pub(crate) ratios: (f64, f64),
    /// Whether only the mean is known.
    whole: bool,
}

/// The times of a set.
pub(crate) struct Speed {
    pub(crate) title: &'static str,
    pub(crate) rows: Vec<Row>,
}

/// Measures viewmerge and reads what the peers measured.
pub(crate) fn measure(folder: &Path, set: &Set) -> Result<Speed> {
    let questions = &set.questions;
    let ours = clock::each(questions, PASSES, |question| question.ask.answer());
    let mut rows =
        vec![row("viewmerge, views ready", None, &ours, questions, |_, time| Some(time))];

    if !matches!(questions[0].ask, Ask::Ops { .. }) {
        let parts: Vec<(Vec<ViewParts>, &Ask)> =
            questions.iter().map(|question| (question.ask.parts(), &question.ask)).collect();
        let built = clock::each(&parts, PASSES, |(parts, ask)| {
            let views: Vec<View> = parts.iter().map(build).collect::<Result<_, _>>()?;
            match ask {
                Ask::Reshape { new_shape, .. } => views[0].reshape(new_shape),
                _ => viewmerge::merge(&views, &Limit::none()),
            }
        });
        rows.push(row("viewmerge, from the numbers", None, &ours, questions, |n, _| {
            Some(built[n])
        }));
    }
    rows.push(batch(folder, set, &rows[0])?);
    rows.push(walked(&ours, questions));

    for (peer, ready, from_numbers) in [
        (Peer::Tinygrad, "tinygrad, views ready", None),
        (Peer::Numpy, "NumPy `reshape`, arrays ready", None),
        (Peer::Islpy, "islpy, relations ready", Some("islpy, from the numbers")),
        (Peer::IslFromC, "isl from C, relations ready", Some("isl from C, from the numbers")),
    ] {
        let answers = peer.answers(folder, set.name, questions.len())?;
        let time = |answer: &Answer, build: bool| {
            answer.is_given().then_some(answer.time + if build { answer.build } else { 0.0 })
        };
        let names = [(Some(ready), false), (from_numbers, true)];
        for (name, build) in names {
            let Some(name) = name else { continue };
            rows.push(row(name, Some(peer), &ours, questions, |n, _| time(&answers[n], build)));
        }
    }
    rows.retain(|row| row.summary.count > 0);
    Ok(Speed { title: set.title, rows })
}

/// The view with these numbers.
fn build(parts: &ViewParts) -> Result<View, viewmerge::Error> {
    let strides = parts.strides.as_deref().unwrap_or_default();
    View::new(&parts.shape, strides, parts.offset, parts.validity.clone())
}

/// Summarises the times of the questions that have one, beside ours on exactly those.
fn row(
    name: &'static str,
    peer: Option<Peer>,
    ours: &[f64],
    questions: &[Question],
    time: impl Fn(usize, f64) -> Option<f64>,
) -> Row {
    let both: Vec<(f64, f64)> =
        (0..questions.len()).filter_map(|n| Some((time(n, ours[n])?, ours[n]))).collect();
    let summary = Summary::of(both.iter().map(|both| both.0));
    let same = Summary::of(both.iter().map(|both| both.1));
    let ratios = (summary.mean / same.mean, summary.median / same.median);
    Row { name, peer, summary, ratios, whole: false }
}

fn walked(ours: &[f64], questions: &[Question]) -> Row {
    let walk = |question: &Question| -> Option<f64> {
        let count = question.chain.last().map_or(0, View::count);
        (count <= WALKED).then(|| {
            let start = Instant::now();
            let answer = walk::is_one_view(std::hint::black_box(&question.chain));
            let time = start.elapsed().as_nanos() as f64;
            assert_eq!(answer, question.truth.is_some(), "the walk disagrees with the truth");
            time
        })
    };
    let times: Vec<Option<f64>> = questions.iter().map(walk).collect();
    row("walking every index", None, ours, questions, |n, _| times[n])
}

/// The command, which is built next to this program.
fn command() -> Result<PathBuf> {
    let command = std::env::current_exe()?.with_file_name("viewmerge");
    if command.exists() {
        Ok(command)
    } else {
        Err(format!("{}: not built", command.display()).into())
    }
}

/// The whole file through `viewmerge batch`; the best of several runs.
fn batch(folder: &Path, set: &Set, ours: &Row) -> Result<Row> {
    let (command, count) = (command()?, set.questions.len());
    let file = folder.join("batch").join(format!("{}.jsonl", set.name));
    let mut best = f64::INFINITY;
    for _ in 0..7 {
        let start = Instant::now();
        let status =
            Command::new(&command).arg("batch").arg(&file).stdout(Stdio::null()).status()?;
        best = best.min(start.elapsed().as_nanos() as f64 / count as f64);
        if !status.success() {
            return Err(format!("viewmerge batch: {status}").into());
        }
    }
    let summary = Summary { count, mean: best, median: f64::NAN, p99: f64::NAN };
    let ratios = (best / ours.summary.mean, f64::NAN);
    Ok(Row { name: "viewmerge `batch`, JSON to JSON", peer: None, summary, ratios, whole: true })
}

impl Speed {
    /// The table.
    pub(crate) fn table(&self) -> String {
        let mut text = format!(
            "\n### {}\n\n\
             | | questions | mean | median | 99% within | mean, against viewmerge | median, against viewmerge |\n\
             |---|---|---|---|---|---|---|\n",
            capitalised(self.title)
        );
        for row in &self.rows {
            let Summary { count, mean, median, p99 } = row.summary;
            let optional = |text: String| if row.whole { "–".to_string() } else { text };
            let _ = writeln!(
                text,
                "| {} | {} | {} | {} | {} | {} | {} |",
                row.name,
                grouped(count as f64),
                show(mean),
                optional(show(median)),
                optional(show(p99)),
                times(row.ratios.0),
                optional(times(row.ratios.1)),
            );
        }
        text
    }

    /// The row of a peer with everything ready, or from the numbers.
    pub(crate) fn of(&self, peer: Peer, ready: bool) -> Option<&Row> {
        let mut rows = self.rows.iter().filter(|row| row.peer == Some(peer));
        if ready { rows.next() } else { rows.nth(1) }
    }

    /// Bars from the median to the 99th percentile.
    pub(crate) fn bars(&self) -> Vec<Bar> {
        let bar = |row: &Row| Bar {
            name: row.name.replace('`', ""),
            median: if row.whole { row.summary.mean } else { row.summary.median },
            mean: row.summary.mean,
            p99: if row.whole { row.summary.mean } else { row.summary.p99 },
        };
        self.rows.iter().map(bar).collect()
    }
}

fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}
