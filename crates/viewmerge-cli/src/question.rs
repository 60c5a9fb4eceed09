//! One line of a batch: what is asked, and the answer as JSON.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use viewmerge::{Error, Movement, Verdict, View, ViewChain, ViewParts, Witness};

/// The fields a question can have, unread; other fields are ignored.
#[derive(Deserialize)]
struct Line<'a> {
    #[serde(borrow)]
    views: Option<&'a RawValue>,
    #[serde(borrow)]
    view: Option<&'a RawValue>,
    #[serde(borrow)]
    new_shape: Option<&'a RawValue>,
    #[serde(borrow)]
    shape: Option<&'a RawValue>,
    #[serde(borrow)]
    ops: Option<&'a RawValue>,
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

impl From<Error> for Failure {
    fn from(error: Error) -> Failure {
        Failure { kind: error.kind().into(), message: error.to_string() }
    }
}

/// Answers one line.
pub fn answer(line: &[u8]) -> Answer {
    match decide(line) {
        Ok(answer) => answer,
        Err(error) => Answer::Error { error },
    }
}

fn decide(line: &[u8]) -> Result<Answer, Failure> {
    match read::<Line<'_>>("line", serde_json::from_slice(line))? {
        Line { views: Some(views), .. } => {
            let views: Vec<ViewParts> = field("views", views)?;
            let views: Vec<View> =
                views.into_iter().map(View::try_from).collect::<Result<_, _>>()?;
            chain_answer(&ViewChain::from_views(&views)?)
        }
        Line { view: Some(view), new_shape: Some(new_shape), .. } => {
            let view = View::try_from(field::<ViewParts>("view", view)?)?;
            let new_shape: Vec<i64> = field("new_shape", new_shape)?;
            chain_answer(&ViewChain::from(view).reshape(&new_shape)?)
        }
        Line { shape: Some(shape), ops: Some(ops), .. } => {
            let start = ViewChain::contiguous(&field::<Vec<i64>>("shape", shape)?)?;
            let ops: Vec<Movement> = field("ops", ops)?;
            chain_answer(&ops.iter().try_fold(start, |chain, op| chain.apply(op))?)
        }
        _ => Err(Failure {
            kind: "question".into(),
            message:
                "a question has \"views\", or \"view\" and \"new_shape\", or \"shape\" and \"ops\""
                    .into(),
        }),
    }
}

fn field<'a, T: Deserialize<'a>>(name: &str, value: &'a RawValue) -> Result<T, Failure> {
    read(name, serde_json::from_str(value.get()))
}

/// Names the part of the question that could not be read; it is all on one line.
fn read<T>(name: &str, result: serde_json::Result<T>) -> Result<T, Failure> {
    result.map_err(|e| {
        let message = e.to_string().replace(" at line 1 column ", " at column ");
        Failure { kind: "json".into(), message: format!("{name}: {message}") }
    })
}

fn chain_answer(chain: &ViewChain) -> Result<Answer, Failure> {
    match chain.merge()? {
        Verdict::Merged(view) => Ok(Answer::Merged { mergeable: true, view }),
        Verdict::NotMergeable(witness) => {
            let views = chain.simplify()?.views().to_vec();
            Ok(Answer::NotMergeable { mergeable: false, witness, views })
        }
    }
}
