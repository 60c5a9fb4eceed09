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
use viewmerge::{Error, Limit, Movement, Verdict, View, ViewChain, Witness};

/// The members a question can have; others are ignored.
#[derive(Deserialize)]
struct Line {
    views: Option<Vec<View>>,
    view: Option<View>,
    new_shape: Option<Vec<i64>>,
    shape: Option<Vec<i64>>,
    ops: Option<Vec<Movement>>,
    chain: Option<String>,
    steps: Option<u64>,
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
    /// What the library refuses a member for; if the limit is reached, no member is at fault.
    fn refused(member: &str, error: &Error) -> Failure {
        let message = match error {
            Error::Undecided { .. } => error.to_string(),
            _ => format!("{member}: {error}"),
        };
        Failure { kind: error.kind().into(), message }
    }
}

/// Answers one line, within a limit if it does not bring its own.
pub fn answer(line: &[u8], limit: &Limit<'_>) -> Answer {
    let decided = read_question(line).and_then(|(asked, steps)| match steps {
        Some(steps) => decide(asked, &Limit::steps(steps)),
        None => decide(asked, limit),
    });
    match decided {
        Ok(answer) => answer,
        Err(error) => Answer::Error { error },
    }
}

/// What is asked, and the line's own limit.
fn read_question(line: &[u8]) -> Result<(Asked, Option<u64>), Failure> {
    match read_at_once(line) {
        Some(Line { views: Some(views), steps, .. }) => Ok((Asked::Views(views), steps)),
        Some(Line { view: Some(view), new_shape: Some(new_shape), steps, .. }) => {
            Ok((Asked::Reshape(view, new_shape), steps))
        }
        Some(Line { shape: Some(shape), ops: Some(ops), steps, .. }) => {
            Ok((Asked::Ops(shape, ops), steps))
        }
        Some(Line { chain: Some(chain), steps, .. }) => Ok((Asked::Chain(chain), steps)),
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

fn decide(question: Asked, limit: &Limit<'_>) -> Result<Answer, Failure> {
    match question {
        Asked::Views(views) => views_merge(views, limit),
        Asked::Reshape(view, new_shape) => reshape_merges(view, &new_shape, limit),
        Asked::Ops(shape, ops) => ops_merge(&shape, &ops, limit),
        Asked::Chain(text) => text_merges(&text, limit),
    }
}

fn views_merge(views: Vec<View>, limit: &Limit<'_>) -> Result<Answer, Failure> {
    let refused = |error: Error| Failure::refused("views", &error);
    let verdict = viewmerge::merge(&views, limit).map_err(refused)?;
    told(verdict, views, limit).map_err(refused)
}

fn reshape_merges(view: View, new_shape: &[i64], limit: &Limit<'_>) -> Result<Answer, Failure> {
    let refused = |error: Error| Failure::refused("new_shape", &error);
    let chain = ViewChain::from(view).reshape(new_shape).map_err(refused)?;
    chain_merges(&chain, "new_shape", limit)
}

fn ops_merge(shape: &[i64], ops: &[Movement], limit: &Limit<'_>) -> Result<Answer, Failure> {
    let mut chain =
        ViewChain::contiguous(shape).map_err(|error| Failure::refused("shape", &error))?;
    for (number, op) in ops.iter().enumerate() {
        let refused = |error: Error| Failure::refused(&format!("ops[{number}]"), &error);
        chain = chain.apply(op).map_err(refused)?;
    }
    chain_merges(&chain, "ops", limit)
}

fn text_merges(text: &str, limit: &Limit<'_>) -> Result<Answer, Failure> {
    let chain: Result<ViewChain, Error> = text.parse();
    chain_merges(&chain.map_err(|error| Failure::refused("chain", &error))?, "chain", limit)
}

fn chain_merges(chain: &ViewChain, member: &str, limit: &Limit<'_>) -> Result<Answer, Failure> {
    let refused = |error: Error| Failure::refused(member, &error);
    let verdict = chain.merge(limit).map_err(refused)?;
    told(verdict, chain.to_vec(), limit).map_err(refused)
}

/// The verdict on these views as an answer.
fn told(verdict: Verdict, views: Vec<View>, limit: &Limit<'_>) -> Result<Answer, Error> {
    Ok(match verdict {
        Verdict::Merged(view) => Answer::Merged { mergeable: true, view },
        Verdict::NotMergeable(witness) => {
            let views = fewest_known(views, limit)?;
            Answer::NotMergeable { mergeable: false, witness, views }
        }
    })
}

/// The fewest views that are the same function as these, which are not one; these, if the
/// limit is reached first.
///
/// # Errors
///
/// If they do not compose.
pub fn fewest_known(views: Vec<View>, limit: &Limit<'_>) -> Result<Vec<View>, Error> {
    // Two views that are not one are the fewest.
    if views.len() <= 2 {
        return Ok(views);
    }
    match ViewChain::from_views(&views)?.simplify(limit) {
        Ok(simple) => Ok(simple.to_vec()),
        Err(Error::Undecided { .. }) => Ok(views),
        Err(error) => Err(error),
    }
}
