//! Asks the array crates of Rust whether a reshape is a view (`bench/crates/`).

use std::fmt::Write;
use std::fs;
use std::path::Path;

use serde::Deserialize;
use serde_json::{Value, json};
use viewmerge::{Validity, View};

use crate::clock::{Summary, grouped, show};
use crate::question::{Ask, Question};
use crate::{Result, random, sets};

/// Reshapes without padding: those of real programs, and random ones.
fn questions() -> Result<[(&'static str, &'static str, Vec<Question>); 2]> {
    let strided = |question: &Question| match &question.ask {
        Ask::Reshape { view, .. } => view.validity() == &Validity::All,
        _ => false,
    };
    let mut real = sets::corpus("reshapes.jsonl")?;
    real.retain(strided);
    Ok([
        ("reshapes", "from real programs", real),
        ("random", "random", random::strided_reshapes()?),
    ])
}

/// Writes the questions for the crates.
pub(crate) fn write(folder: &Path) -> Result<()> {
    let target = folder.join("crates").join("questions");
    fs::create_dir_all(&target)?;
    for (name, _, questions) in questions()? {
        let mut lines = String::new();
        for question in &questions {
            let Ask::Reshape { view, new_shape } = &question.ask else { continue };
            let (shape, strides) = (view.shape(), view.strides());
            let line = json!({"shape": shape, "strides": strides, "new_shape": new_shape});
            writeln!(lines, "{line}")?;
        }
        fs::write(target.join(format!("{name}.jsonl")), lines)?;
    }
    Ok(())
}

#[derive(Deserialize)]
struct Line {
    answer: Value,
    ns: f64,
}

/// How one crate did on a set.
#[derive(Default)]
struct Tally {
    asked: usize,
    one: usize,
    found: usize,
    missed: usize,
    wrong: usize,
    panics: usize,
    /// Where it found the view: the number of the question, and its time.
    times: Vec<(usize, f64)>,
    example: Option<String>,
}

fn tally(questions: &[Question], lines: &[Line]) -> Result<Tally> {
    if questions.len() != lines.len() {
        return Err(format!("{} answers to {} questions", lines.len(), questions.len()).into());
    }
    let mut tally = Tally::default();
    for (number, (question, line)) in questions.iter().zip(lines).enumerate() {
        let Ask::Reshape { view, new_shape } = &question.ask else { continue };
        if line.answer == "skipped" {
            continue;
        }
        tally.asked += 1;
        tally.one += usize::from(question.truth.is_some());
        let strides = match &line.answer {
            Value::Object(_) => {
                tally.panics += 1;
                continue;
            }
            Value::Null => {
                tally.missed += usize::from(question.truth.is_some());
                continue;
            }
            strides => serde_json::from_value::<Vec<i64>>(strides.clone())?,
        };
        // Strides that are not a view cannot be right either.
        let said = View::strided(new_shape, &strides, view.offset()).ok();
        if said.is_some() && said == question.truth {
            tally.found += 1;
            tally.times.push((number, line.ns));
        } else {
            tally.wrong += 1;
            tally.example.get_or_insert_with(|| {
                let (shape, truth) = (view.shape(), &question.truth);
                let truth = truth.as_ref().map_or("a copy".into(), |view| {
                    format!("a view with the strides {:?}", view.strides())
                });
                format!(
                    "{shape:?} with the strides {:?} to {new_shape:?}: says {strides:?}, but it is {truth}",
                    view.strides()
                )
            });
        }
    }
    Ok(tally)
}

fn lines(folder: &Path, peer: &str, set: &str) -> Result<Vec<Line>> {
    let file = folder.join("crates/answers").join(peer).join(format!("{set}.jsonl"));
    let text = fs::read_to_string(&file).map_err(|e| format!("{}: {e}", file.display()))?;
    text.lines().map(|line| Ok(serde_json::from_str(line)?)).collect()
}

/// Program, folder of its answers, readable name.
const PEERS: [(&str, &str, &str); 6] = [
    ("viewmerge", "viewmerge", "viewmerge `reshape_strides`"),
    ("ndarray", "ndarray-to_shape", "ndarray `to_shape`"),
    ("ndarray", "ndarray-into_shape_with_order", "ndarray `into_shape_with_order`"),
    ("burn", "burn", "burn `reshape_action`"),
    ("candle", "candle", "candle `Tensor::reshape`"),
    ("rten", "rten", "rten `reshaped_for_view`"),
];

/// The section of the report.
pub(crate) fn section(folder: &Path) -> Result<String> {
    let mut text = String::from(
        "## The array crates of Rust\n\n\
         Reshapes without padding, asked of the functions of the released crates (`bench/crates/`). Only ndarray has negative\n\
         strides. Times are means over the reshapes that the row finds to be views, since some copy at once otherwise. The crates\n\
         create a layout of their own, shape and strides, which may allocate; viewmerge writes strides into the caller's memory.\n",
    );
    let versions = fs::read_to_string(folder.join("crates/versions.txt")).unwrap_or_default();
    let version = |peer: &str| {
        let found = versions.lines().find_map(|line| line.split_once('\t').filter(|v| v.0 == peer));
        found.map_or(String::new(), |(_, version)| format!(", {version}"))
    };
    let mut examples = String::new();
    for (name, title, questions) in questions()? {
        writeln!(
            text,
            "\n### Reshapes, {title}\n\n\
             | | asked | views there are | found | missed | wrong | panics | mean time | viewmerge on the same |\n\
             |---|---|---|---|---|---|---|---|---|"
        )?;
        let ours = lines(folder, "viewmerge", name)?;
        for (peer, answers, shown) in PEERS {
            let failed = folder.join("crates").join(format!("{peer}.failed"));
            if let Ok(why) = fs::read_to_string(&failed) {
                writeln!(text, "| {shown} | does not build: {} | | | | | | | |", why.trim())?;
                continue;
            }
            let tally = tally(&questions, &lines(folder, answers, name)?)?;
            let mean = |times: &mut dyn Iterator<Item = f64>| Summary::of(times).mean;
            let theirs = mean(&mut tally.times.iter().map(|time| time.1));
            let same = mean(&mut tally.times.iter().map(|time| ours[time.0].ns));
            let share = 100.0 * tally.found as f64 / tally.one.max(1) as f64;
            let number = |number: usize| grouped(number as f64);
            writeln!(
                text,
                "| {shown}{} | {} | {} | {} ({share:.1}%) | {} | {} | {} | {} | {} |",
                version(peer),
                number(tally.asked),
                number(tally.one),
                number(tally.found),
                number(tally.missed),
                number(tally.wrong),
                number(tally.panics),
                show(theirs),
                show(same),
            )?;
            if let Some(example) = tally.example {
                writeln!(examples, "- {shown}: {example}.")?;
            }
        }
    }
    if !examples.is_empty() {
        write!(text, "\nA wrong answer of each:\n\n{examples}")?;
    }
    Ok(text + "\n")
}
