//! The answers of the peers, as they wrote them.

use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde_json::Value;
use viewmerge::View;

use crate::Result;
use crate::question::Question;

/// Another program that answers the questions.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Peer {
    Tinygrad,
    Numpy,
    Islpy,
    IslFromC,
}

/// A peer's answer.
pub(crate) enum Said {
    /// One view, or none.
    View(Option<View>),
    /// Whether the chain is the candidate.
    Equal(bool),
    /// Not asked, because the peer cannot express the question.
    Skipped,
    /// It gave up.
    Undecided,
}

/// One answer.
pub(crate) struct Answer {
    pub(crate) said: Said,
    /// Nanoseconds, with everything prepared.
    pub(crate) time: f64,
    /// Nanoseconds of preparation, if measured.
    pub(crate) build: f64,
}

/// An answer compared with the truth.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Judgement {
    /// Right: the one view, or the chain is the candidate.
    Found,
    /// Nothing was found or claimed, and nothing exists.
    None,
    /// One view exists, but was not found.
    Missed,
    /// A wrong view, or a view where there is none.
    Wrong,
    Skipped,
    Undecided,
}

impl Answer {
    pub(crate) fn judge(&self, question: &Question) -> Judgement {
        match (&self.said, &question.truth) {
            (Said::Skipped, _) => Judgement::Skipped,
            (Said::Undecided, _) => Judgement::Undecided,
            (Said::View(Some(view)), Some(truth)) if view == truth => Judgement::Found,
            (Said::View(Some(_)), _) => Judgement::Wrong,
            (Said::View(None), Some(_)) => Judgement::Missed,
            (Said::View(None), None) => Judgement::None,
            (Said::Equal(equal), truth) if *equal != truth.is_some() => Judgement::Wrong,
            (Said::Equal(true), _) => Judgement::Found,
            (Said::Equal(false), _) => Judgement::None,
        }
    }

    /// Whether it is an answer, so that its time matters.
    pub(crate) fn is_given(&self) -> bool {
        matches!(self.said, Said::View(_) | Said::Equal(_))
    }
}

impl Peer {
    fn file(self, folder: &Path, set: &str) -> PathBuf {
        let (peer, ending) = match self {
            Peer::Tinygrad => ("tinygrad", "jsonl"),
            Peer::Numpy => ("numpy", "jsonl"),
            Peer::Islpy => ("islpy", "jsonl"),
            Peer::IslFromC => ("isl", "txt"),
        };
        folder.join("answers").join(peer).join(format!("{set}.{ending}"))
    }

    /// Its answers to a set, one for each question.
    pub(crate) fn answers(self, folder: &Path, set: &str, count: usize) -> Result<Vec<Answer>> {
        let file = self.file(folder, set);
        let text = fs::read_to_string(&file).map_err(|e| format!("{}: {e}", file.display()))?;
        let read = |line: &str| match self {
            Peer::IslFromC => numbers(line),
            _ => json(line),
        };
        let answers: Vec<Answer> = text.lines().map(read).collect::<Result<_>>()?;
        if answers.len() != count {
            return Err(format!(
                "{}: {} answers to {count} questions",
                file.display(),
                answers.len()
            )
            .into());
        }
        Ok(answers)
    }
}

fn json(line: &str) -> Result<Answer> {
    #[derive(Deserialize)]
    struct Line {
        answer: Value,
        ns: f64,
        #[serde(default)]
        build_ns: f64,
    }
    let line: Line = serde_json::from_str(line)?;
    let said = match line.answer {
        Value::Bool(equal) => Said::Equal(equal),
        Value::String(word) if word == "skipped" => Said::Skipped,
        Value::String(_) => Said::Undecided,
        Value::Null => Said::View(None),
        view => Said::View(Some(serde_json::from_value(view)?)),
    };
    Ok(Answer { said, time: line.ns, build: line.build_ns })
}

fn numbers(line: &str) -> Result<Answer> {
    let numbers: Vec<f64> = line.split(' ').map(str::parse).collect::<Result<_, _>>()?;
    let [answer, build, time] = numbers[..] else {
        return Err(format!("{line}: not three").into());
    };
    let said = match answer as i64 {
        0 => Said::Equal(false),
        1 => Said::Equal(true),
        _ => Said::Undecided,
    };
    Ok(Answer { said, time, build })
}

/// One line of tinygrad's index expressions.
#[derive(Deserialize)]
pub(crate) struct Expression {
    /// Divisions and modulos after its usual simplification, and its time.
    pub(crate) divisions: usize,
    pub(crate) ns: f64,
    /// The same with all its simplifications.
    pub(crate) fewest_divisions: usize,
    pub(crate) fewest_ns: f64,
}

/// tinygrad's index expressions of a set.
pub(crate) fn expressions(folder: &Path, set: &str) -> Result<Vec<Expression>> {
    let file = folder.join("answers/tinygrad").join(format!("{set}-expressions.jsonl"));
    let text = fs::read_to_string(&file).map_err(|e| format!("{}: {e}", file.display()))?;
    text.lines().map(|line| Ok(serde_json::from_str(line)?)).collect()
}
