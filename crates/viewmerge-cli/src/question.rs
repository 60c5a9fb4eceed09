//! One line of a batch: what is asked, and the answer as JSON.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use viewmerge::{Error, Movement, Verdict, View, ViewChain, ViewParts, Witness};

/// All fields a question can have; other fields are ignored.
#[derive(Deserialize)]
struct Line {
    views: Option<Vec<ViewParts>>,
    view: Option<ViewParts>,
    new_shape: Option<Vec<i64>>,
    shape: Option<Vec<i64>>,
    ops: Option<Vec<Movement>>,
}

/// One line of output.
#[derive(Serialize)]
#[serde(untagged)]
pub(crate) enum Answer {
    Merged { mergeable: bool, view: View },
    NotMergeable { mergeable: bool, witness: Witness, views: Vec<View> },
    Error { error: Failure },
}

/// Why a line has no answer.
#[derive(Serialize)]
pub(crate) struct Failure {
    kind: Cow<'static, str>,
    message: String,
}

impl From<Error> for Failure {
    fn from(error: Error) -> Failure {
        Failure { kind: error.kind().into(), message: error.to_string() }
    }
}

/// Answers one line.
pub(crate) fn answer(line: &[u8]) -> Answer {
    match decide(line) {
        Ok(answer) => answer,
        Err(error) => Answer::Error { error },
    }
}

fn decide(line: &[u8]) -> Result<Answer, Failure> {
    let line: Line = serde_json::from_slice(line)
        .map_err(|e| Failure { kind: "json".into(), message: e.to_string() })?;
    match line {
        Line { views: Some(views), view: None, new_shape: None, shape: None, ops: None } => {
            let views: Vec<View> =
                views.into_iter().map(View::try_from).collect::<Result<_, _>>()?;
            chain_answer(&ViewChain::from_views(&views)?)
        }
        Line { views: None, view: Some(view), new_shape: Some(new_shape), shape: None, ops: None } => {
            let view = View::try_from(view)?;
            chain_answer(&ViewChain::from(view).reshape(&new_shape)?)
        }
        Line { views: None, view: None, new_shape: None, shape: Some(shape), ops: Some(ops) } => {
            let start = ViewChain::contiguous(&shape)?;
            chain_answer(&ops.iter().try_fold(start, |chain, op| chain.apply(op))?)
        }
        _ => Err(Failure {
            kind: "question".into(),
            message: "a line asks one thing: give \"views\", or \"view\" and \"new_shape\", or \"shape\" and \"ops\"".into(),
        }),
    }
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
