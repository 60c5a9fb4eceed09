//! One line of a batch: what is asked, and the answer as JSON.
//!
//! A line is read in one go into what its members should hold (`Line`). Where
//! that fails, it is read again member by member (`question/read.rs`), which finds
//! out whether the member at fault counts at all, and says what it should hold.
//!
//! A further question is a variant of `Asked`, a row in each of these two, and
//! a function that decides it.
//!
//! Cost: reading and writing JSON is most of it; a good line is read once and
//! decided once.

mod read;

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use viewmerge::{Error, Movement, Verdict, View, ViewChain, Witness};

/// The members a question can have; others are ignored.
#[derive(Deserialize)]
struct Line {
    views: Option<Vec<View>>,
    view: Option<View>,
    new_shape: Option<Vec<i64>>,
    shape: Option<Vec<i64>>,
    ops: Option<Vec<Movement>>,
    chain: Option<String>,
}

/// What is asked, without the members that do not count.
enum Asked {
    /// `views`: are these one view?
    Views(Vec<View>),
    /// `view` and `new_shape`: is this view, reshaped, one view?
    Reshape(View, Vec<i64>),
    /// `shape` and `ops`: is a contiguous view after these ops one view?
    Ops(Vec<i64>, Vec<Movement>),
    /// `chain`: are the views and ops of this text one view?
    Chain(String),
}

/// One line of output.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub enum Answer {
    /// One view.
    Merged {
        /// Always true.
        mergeable: bool,
        /// The view.
        view: View,
    },
    /// Not one view.
    NotMergeable {
        /// Always false.
        mergeable: bool,
        /// Why not.
        witness: Witness,
        /// The fewest views known that are the same function.
        views: Vec<View>,
    },
    /// The question was refused.
    Error {
        /// Why.
        error: Failure,
    },
}

/// Why a line has no answer.
#[derive(Debug, Serialize)]
pub struct Failure {
    /// A stable name.
    pub kind: Cow<'static, str>,
    /// One line for people.
    pub message: String,
}

impl Failure {
    /// What the library refuses a member for.
    fn refused(member: &str, error: &Error) -> Failure {
        Failure { kind: error.kind().into(), message: format!("{member}: {error}") }
    }
}

/// Answers one line.
pub fn answer(line: &[u8]) -> Answer {
    match read_question(line).and_then(decide) {
        Ok(answer) => answer,
        Err(error) => Answer::Error { error },
    }
}

fn read_question(line: &[u8]) -> Result<Asked, Failure> {
    match read_at_once(line) {
        Some(Line { views: Some(views), .. }) => Ok(Asked::Views(views)),
        Some(Line { view: Some(view), new_shape: Some(new_shape), .. }) => {
            Ok(Asked::Reshape(view, new_shape))
        }
        Some(Line { shape: Some(shape), ops: Some(ops), .. }) => Ok(Asked::Ops(shape, ops)),
        Some(Line { chain: Some(chain), .. }) => Ok(Asked::Chain(chain)),
        _ => read::question(line),
    }
}

/// All members, if all of them are good.
fn read_at_once(line: &[u8]) -> Option<Line> {
    // Text that is skipped is not looked at, so it is checked here: what is read
    // at once must be no more than what is read member by member. Nor is a list of
    // members an object.
    let line = str::from_utf8(line).ok()?;
    let object = line.trim_start_matches([' ', '\t', '\r', '\n']).starts_with('{');
    if object { serde_json::from_str(line).ok() } else { None }
}

fn decide(question: Asked) -> Result<Answer, Failure> {
    match question {
        Asked::Views(views) => views_merge(views),
        Asked::Reshape(view, new_shape) => reshape_merges(view, &new_shape),
        Asked::Ops(shape, ops) => ops_merge(&shape, &ops),
        Asked::Chain(text) => text_merges(&text),
    }
}

fn views_merge(views: Vec<View>) -> Result<Answer, Failure> {
    let refused = |error: Error| Failure::refused("views", &error);
    match viewmerge::merge(&views).map_err(refused)? {
        Verdict::Merged(view) => Ok(merged(view)),
        Verdict::NotMergeable(witness) => not_mergeable(witness, views).map_err(refused),
    }
}

fn reshape_merges(view: View, new_shape: &[i64]) -> Result<Answer, Failure> {
    let refused = |error: Error| Failure::refused("new_shape", &error);
    match view.reshape(new_shape).map_err(refused)? {
        Verdict::Merged(view) => Ok(merged(view)),
        Verdict::NotMergeable(witness) => {
            let chain = ViewChain::from(view).reshape(new_shape).map_err(refused)?;
            not_mergeable(witness, chain.views().to_vec()).map_err(refused)
        }
    }
}

fn ops_merge(shape: &[i64], ops: &[Movement]) -> Result<Answer, Failure> {
    let mut chain =
        ViewChain::contiguous(shape).map_err(|error| Failure::refused("shape", &error))?;
    for (number, op) in ops.iter().enumerate() {
        let refused = |error: Error| Failure::refused(&format!("ops[{number}]"), &error);
        chain = chain.apply(op).map_err(refused)?;
    }
    chain_merges(&chain, "ops")
}

fn text_merges(text: &str) -> Result<Answer, Failure> {
    let chain: Result<ViewChain, Error> = text.parse();
    chain_merges(&chain.map_err(|error| Failure::refused("chain", &error))?, "chain")
}

fn chain_merges(chain: &ViewChain, member: &str) -> Result<Answer, Failure> {
    let refused = |error: Error| Failure::refused(member, &error);
    match chain.merge().map_err(refused)? {
        Verdict::Merged(view) => Ok(merged(view)),
        Verdict::NotMergeable(witness) => {
            not_mergeable(witness, chain.views().to_vec()).map_err(refused)
        }
    }
}

fn merged(view: View) -> Answer {
    Answer::Merged { mergeable: true, view }
}

fn not_mergeable(witness: Witness, mut views: Vec<View>) -> Result<Answer, Error> {
    // Two views that are not one are the fewest.
    if views.len() > 2 {
        views = ViewChain::from_views(&views)?.simplify()?.views().to_vec();
    }
    Ok(Answer::NotMergeable { mergeable: false, witness, views })
}
