//! The sets of questions, and the files the peers read.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use serde::Deserialize;
use viewmerge::{Limit, Validity, View};
use viewmerge_testkit::cases::{self, Expect};

use crate::question::{Ask, Question};
use crate::{Result, families, random};

/// Questions of one kind.
pub(crate) struct Set {
    /// The name of its files.
    pub(crate) name: &'static str,
    /// A readable title.
    pub(crate) title: &'static str,
    pub(crate) questions: Vec<Question>,
}

/// All sets whose answers are known independently of viewmerge.
pub(crate) fn known() -> Result<Vec<Set>> {
    let set = |name, title, questions| Set { name, title, questions };
    Ok(vec![
        set("pairs", "pairs from real programs", corpus("pairs.jsonl")?),
        set("reshapes", "reshapes from real programs", corpus("reshapes.jsonl")?),
        set("random-ops", "random ops", random::ops()?),
        set("random-pairs", "random pairs", random::pairs()?),
        set("random-reshapes", "random reshapes", random::reshapes()?),
        set("accidental", "accidental merges and near misses", random::accidental()?),
    ])
}

/// The chains of real programs that remain after merging; almost none is one view.
pub(crate) fn tracker_views() -> Result<Vec<Vec<View>>> {
    #[derive(Deserialize)]
    struct Line {
        views: Vec<View>,
    }
    let views = |line: &str| Ok(serde_json::from_str::<Line>(line)?.views);
    cases::text("trackers.jsonl").lines().map(views).collect()
}

/// The same as questions.
pub(crate) fn trackers() -> Result<Set> {
    let questions = tracker_views()?.into_iter().map(decided).collect::<Result<_>>()?;
    Ok(Set { name: "trackers", title: "chains from real programs", questions })
}

/// The families on which the growth of others is measured too.
pub(crate) fn growth() -> Result<Set> {
    let families = families::all().into_iter().filter(|family| family.compared);
    let samples = families.flat_map(|family| family.samples);
    let questions = samples.map(|sample| decided(sample.views)).collect::<Result<_>>()?;
    Ok(Set { name: "growth", title: "families", questions })
}

/// A question with viewmerge's own answer.
fn decided(views: Vec<View>) -> Result<Question> {
    let truth = viewmerge::merge(&views, &Limit::none())?.view().cloned();
    Ok(Question::new(Ask::Merge { views }, truth)?)
}

/// The questions of a file in `testdata/`.
pub(crate) fn corpus(file: &str) -> Result<Vec<Question>> {
    let question = |case: cases::Case| -> Result<Question> {
        let ask = match case.question {
            cases::Question::Views { views } => {
                let views = views.into_iter().map(View::try_from).collect::<Result<_, _>>()?;
                Ask::Merge { views }
            }
            cases::Question::Reshape { view, new_shape } => {
                Ask::Reshape { view: view.try_into()?, new_shape }
            }
            cases::Question::Ops { shape, ops } => Ask::Ops { shape, ops },
        };
        match case.expect {
            Expect::View(parts) => Ok(Question::new(ask, parts.map(View::try_from).transpose()?)?),
            Expect::Error { error } => Err(format!("{file}: a refusal ({error})").into()),
        }
    };
    cases::read(file).into_iter().map(question).collect()
}

/// Writes every set three times: for programs that read JSON, for
/// `viewmerge batch` (the bare question), and as numbers only.
pub(crate) fn write(folder: &Path) -> Result<()> {
    for kind in ["questions", "batch", "numbers"] {
        fs::create_dir_all(folder.join(kind))?;
    }
    let mut sets = known()?;
    sets.extend([trackers()?, growth()?]);
    for set in sets {
        let mut lines = String::new();
        let mut bare = String::new();
        let mut numbers = format!("{}\n", set.questions.len());
        for question in &set.questions {
            lines += &serde_json::to_string(question)?;
            lines.push('\n');
            bare += &serde_json::to_string(&question.ask)?;
            bare.push('\n');
            writeln!(numbers, "{}", question.chain.len())?;
            for view in question.chain.iter().chain([&question.candidate]) {
                write_numbers(&mut numbers, view)?;
            }
        }
        fs::write(folder.join("questions").join(format!("{}.jsonl", set.name)), lines)?;
        fs::write(folder.join("batch").join(format!("{}.jsonl", set.name)), bare)?;
        fs::write(folder.join("numbers").join(format!("{}.txt", set.name)), numbers)?;
    }
    Ok(())
}

fn write_numbers(text: &mut String, view: &View) -> Result<()> {
    write!(text, "{}", view.rank())?;
    for number in view.shape().iter().chain(view.strides()).chain([&view.offset()]) {
        write!(text, " {number}")?;
    }
    match view.validity() {
        Validity::All => text.push_str(" 0"),
        Validity::Nothing => text.push_str(" 2"),
        Validity::Box(bounds) => {
            text.push_str(" 1");
            for (lo, hi) in bounds {
                write!(text, " {lo} {hi}")?;
            }
        }
    }
    text.push('\n');
    Ok(())
}
