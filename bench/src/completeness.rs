//! Which programs find the one view if it exists.

use std::fmt::Write;
use std::path::Path;

use crate::Result;
use crate::clock::grouped;
use crate::peers::{Answer, Judgement, Peer, Said};
use crate::question::Question;
use crate::sets::Set;

/// How the answers to a set compare with the truth.
#[derive(Default)]
struct Tally {
    found: usize,
    missed: usize,
    wrong: usize,
    undecided: usize,
    /// The questions asked.
    asked: usize,
}

impl Tally {
    fn of(questions: &[Question], answers: &[Answer]) -> Tally {
        let mut tally = Tally::default();
        for (question, answer) in questions.iter().zip(answers) {
            let judgement = answer.judge(question);
            tally.asked += usize::from(judgement != Judgement::Skipped);
            match judgement {
                Judgement::Found => tally.found += 1,
                Judgement::Missed => tally.missed += 1,
                Judgement::Wrong => tally.wrong += 1,
                Judgement::Undecided => tally.undecided += 1,
                Judgement::None | Judgement::Skipped => {}
            }
        }
        tally
    }

    fn cell(&self, mergeable: usize) -> String {
        if self.asked == 0 {
            return "–".to_string();
        }
        let share = 100.0 * self.found as f64 / mergeable.max(1) as f64;
        let mut text = format!("{} ({})", grouped(self.found as f64), percent(share));
        if self.wrong > 0 {
            let _ = write!(text, ", {} wrong", self.wrong);
        }
        if self.undecided > 0 {
            let _ = write!(text, ", {} no answer", self.undecided);
        }
        text
    }
}

/// Rounded down, so that 100% means all.
fn percent(share: f64) -> String {
    if share == 100.0 {
        "100%".to_string()
    } else {
        format!("{:.2}%", (share * 100.0).floor() / 100.0)
    }
}

/// viewmerge's answers, judged like any other.
fn ours(questions: &[Question]) -> Vec<Answer> {
    let answer = |question: &Question| {
        let said = match question.ask.answer() {
            Ok(verdict) => Said::View(verdict.view().cloned()),
            Err(_) => Said::Undecided,
        };
        Answer { said, time: 0.0, build: 0.0 }
    };
    questions.iter().map(answer).collect()
}

/// The section of the report.
pub(crate) fn section(folder: &Path, sets: &[Set]) -> Result<String> {
    let mut text = String::from(
        "## Who finds the one view\n\n\
         | questions | all | one view | viewmerge | tinygrad | isl, given the answer | isl from C, given the answer |\n\
         |---|---|---|---|---|---|---|\n",
    );
    let mut numpy = String::from(
        "\nNumPy has no padding and does not compose views. Where the question can be expressed:\n\n\
         | questions | asked | one view | viewmerge | NumPy, without a copy |\n|---|---|---|---|---|\n",
    );
    let mut wrong = Vec::new();
    for set in sets {
        let questions = &set.questions;
        let mergeable = questions.iter().filter(|question| question.truth.is_some()).count();
        let mut cells = vec![Tally::of(questions, &ours(questions)).cell(mergeable)];
        for peer in [Peer::Tinygrad, Peer::Islpy, Peer::IslFromC] {
            let answers = peer.answers(folder, set.name, questions.len())?;
            cells.push(Tally::of(questions, &answers).cell(mergeable));
            if peer == Peer::Tinygrad {
                wrong.extend(wrong_answers(questions, answers));
            }
        }
        let (all, one) = (grouped(questions.len() as f64), grouped(mergeable as f64));
        writeln!(text, "| {} | {all} | {one} | {} |", set.title, cells.join(" | "))?;
        numpy += &numpy_row(folder, set)?;
    }
    text += EXPLANATION;
    text += &examples(&mut wrong);
    Ok(text + &numpy)
}

fn numpy_row(folder: &Path, set: &Set) -> Result<String> {
    let answers = Peer::Numpy.answers(folder, set.name, set.questions.len())?;
    let asked = |answer: &Answer| answer.is_given();
    let both = set.questions.iter().zip(answers).filter(|(_, answer)| asked(answer));
    let (questions, answers): (Vec<Question>, Vec<Answer>) =
        both.map(|(question, answer)| (question.clone(), answer)).unzip();
    if questions.is_empty() {
        return Ok(String::new());
    }
    let one = questions.iter().filter(|question| question.truth.is_some()).count();
    Ok(format!(
        "| {} | {} of {} | {} | {} | {} |\n",
        set.title,
        grouped(questions.len() as f64),
        grouped(set.questions.len() as f64),
        grouped(one as f64),
        Tally::of(&questions, &ours(&questions)).cell(one),
        Tally::of(&questions, &answers).cell(one)
    ))
}

const EXPLANATION: &str = "
The last four columns say what share of the chains that are one view is found. The truth of the random
questions is found by walking every index (`viewmerge::reference`); that of the real ones is recorded with them in
`testdata/`. A wrong answer is a view that is a different function. isl does not look for a view: it is given the right one
and asked whether it equals the composition (and given a wrong one where there is none); *no answer* means that it
was stopped.
";

/// A wrong answer: the question, and what was answered.
type Wrong = (Question, String);

fn wrong_answers(questions: &[Question], answers: Vec<Answer>) -> Vec<Wrong> {
    let both = questions.iter().zip(answers);
    both.filter(|(question, answer)| answer.judge(question) == Judgement::Wrong)
        .filter_map(|(question, answer)| match answer.said {
            Said::View(Some(view)) => Some((question.clone(), view.to_string())),
            _ => None,
        })
        .collect()
}

/// The shortest ones, for checking by hand.
fn examples(wrong: &mut [Wrong]) -> String {
    if wrong.is_empty() {
        return String::new();
    }
    let question = |(question, _): &Wrong| {
        let views: Vec<String> = question.chain.iter().map(|view| view.to_string()).collect();
        views.join(" seen through ")
    };
    wrong.sort_by_key(|wrong| question(wrong).len());
    let mut text = String::from("\nWrong answers of tinygrad, the shortest ones:\n\n");
    for wrong in wrong.iter().take(3) {
        let truth = match &wrong.0.truth {
            Some(view) => format!("it is `{view}`"),
            None => "it is not one view".to_string(),
        };
        let _ = writeln!(text, "- `{}`: says `{}`, but {truth}.", question(wrong), wrong.1);
    }
    text
}
