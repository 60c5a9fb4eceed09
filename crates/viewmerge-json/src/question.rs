//! One line of a batch: what is asked, and the answer as JSON.
//!
//! A line is read in one go into what its fields should hold (`Question`).
//! Where that fails, it is read again with the fields left unread (`Line`),
//! which finds out whether the field at fault counts at all, and names it.
//!
//! Cost: reading and writing JSON is most of it; a good line is read once and
//! decided once.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use viewmerge::{
    Certificate, Error, Limit, Movement, Verdict, View, ViewChain, ViewParts, Witness, certify,
};

/// The fields a question can have; other fields are ignored.
#[derive(Deserialize)]
struct Question {
    views: Option<Vec<View>>,
    view: Option<View>,
    new_shape: Option<Vec<i64>>,
    shape: Option<Vec<i64>>,
    ops: Option<Vec<Movement>>,
    steps: Option<u64>,
    certify: Option<bool>,
}

/// The same fields, unread.
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
    #[serde(borrow)]
    steps: Option<&'a RawValue>,
    #[serde(borrow)]
    certify: Option<&'a RawValue>,
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
        /// The proof, if it was asked for.
        #[serde(skip_serializing_if = "Option::is_none")]
        certificate: Option<Box<RawValue>>,
    },
    /// Not one view.
    NotMergeable {
        /// Always false.
        mergeable: bool,
        /// Why not.
        witness: Witness,
        /// The fewest views known that are the same function.
        views: Vec<View>,
        /// The proof, if it was asked for.
        #[serde(skip_serializing_if = "Option::is_none")]
        certificate: Option<Box<RawValue>>,
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

/// Answers one line, within a limit if it does not bring its own.
pub fn answer(line: &[u8], limit: &Limit<'_>) -> Answer {
    let decided = read_question(line).and_then(|(asked, wanted)| match wanted.steps {
        Some(steps) => decide(asked, wanted.certify, &Limit::steps(steps)),
        None => decide(asked, wanted.certify, limit),
    });
    match decided {
        Ok(answer) => answer,
        Err(error) => Answer::Error { error },
    }
}

/// What is asked, with the fields that do not count left out.
enum Asked {
    Merge(Vec<View>),
    Reshape(View, Vec<i64>),
    Apply(Vec<i64>, Vec<Movement>),
}

/// What a line wants besides.
struct Wanted {
    /// Its own limit.
    steps: Option<u64>,
    /// A certificate.
    certify: bool,
}

/// What is asked, and how.
fn read_question(line: &[u8]) -> Result<(Asked, Wanted), Failure> {
    // Text that is skipped is not looked at, so it is checked here: what is read
    // at once must be all that the unread fields would accept.
    let question = str::from_utf8(line).ok().and_then(|line| serde_json::from_str(line).ok());
    let Some(question) = question else { return read_fields(line) };
    let Question { views, view, new_shape, shape, ops, steps, certify } = question;
    let wanted = Wanted { steps, certify: certify.unwrap_or(false) };
    match (views, view, new_shape, shape, ops) {
        (Some(views), ..) => Ok((Asked::Merge(views), wanted)),
        (_, Some(view), Some(new_shape), ..) => Ok((Asked::Reshape(view, new_shape), wanted)),
        (.., Some(shape), Some(ops)) => Ok((Asked::Apply(shape, ops), wanted)),
        _ => read_fields(line),
    }
}

fn read_fields(line: &[u8]) -> Result<(Asked, Wanted), Failure> {
    let line = read::<Line<'_>>("line", serde_json::from_slice(line))?;
    let (steps, certify) = (line.steps, line.certify);
    let asked = match line {
        Line { views: Some(views), .. } => {
            let views: Vec<ViewParts> = field("views", views)?;
            Asked::Merge(views.into_iter().map(View::try_from).collect::<Result<_, _>>()?)
        }
        Line { view: Some(view), new_shape: Some(new_shape), .. } => {
            let view = View::try_from(field::<ViewParts>("view", view)?)?;
            Asked::Reshape(view, field("new_shape", new_shape)?)
        }
        Line { shape: Some(shape), ops: Some(ops), .. } => {
            let shape: Vec<i64> = field("shape", shape)?;
            // A bad shape is told before a bad op.
            View::contiguous(&shape)?;
            Asked::Apply(shape, field("ops", ops)?)
        }
        _ => {
            return Err(Failure {
                kind: "question".into(),
                message: "a question has \"views\", or \"view\" and \"new_shape\", or \"shape\" \
                          and \"ops\""
                    .into(),
            });
        }
    };
    let steps = steps.map(|steps| field("steps", steps)).transpose()?;
    let certify = certify.map(|certify| field("certify", certify)).transpose()?;
    Ok((asked, Wanted { steps, certify: certify.unwrap_or(false) }))
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

/// The answer about a chain, as to a line of its views.
///
/// # Errors
///
/// That the limit was reached, or that the one view cannot be written down.
pub fn answer_chain(chain: &ViewChain, limit: &Limit<'_>) -> Result<Answer, Error> {
    answer_verdict(chain.merge(limit)?, chain.to_vec(), None, limit)
}

fn answer_verdict(
    verdict: Verdict,
    views: Vec<View>,
    certificate: Option<Box<RawValue>>,
    limit: &Limit<'_>,
) -> Result<Answer, Error> {
    Ok(match verdict {
        Verdict::Merged(view) => Answer::Merged { mergeable: true, view, certificate },
        Verdict::NotMergeable(witness) => {
            let views = fewest_known(views, limit)?;
            Answer::NotMergeable { mergeable: false, witness, views, certificate }
        }
    })
}

fn decide(question: Asked, proof: bool, limit: &Limit<'_>) -> Result<Answer, Failure> {
    // What the certificate is about: the views that were asked about, not what ops made of them.
    let (verdict, views, about) = match question {
        Asked::Merge(views) => (viewmerge::merge(&views, limit)?, views, None),
        Asked::Reshape(view, new_shape) => {
            let chain = ViewChain::from(view.clone()).reshape(&new_shape)?;
            let about = [view, View::contiguous(chain.shape())?];
            (chain.merge(limit)?, chain.to_vec(), Some(about))
        }
        Asked::Apply(shape, ops) => {
            let start = ViewChain::contiguous(&shape)?;
            let chain = ops.iter().try_fold(start, |chain, op| chain.apply(op))?;
            (chain.merge(limit)?, chain.to_vec(), None)
        }
    };
    let certificate = match (proof, &about) {
        (false, _) => None,
        (true, Some(about)) => Some(certificate_of(about, limit)?),
        (true, None) => Some(certificate_of(&views, limit)?),
    };
    Ok(answer_verdict(verdict, views, certificate, limit)?)
}

fn certificate_of(views: &[View], limit: &Limit<'_>) -> Result<Box<RawValue>, Failure> {
    let certificate: Certificate = certify(views, limit)?;
    RawValue::from_string(certificate.to_string())
        .map_err(|error| Failure { kind: "certificate".into(), message: error.to_string() })
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_fields_that_count_must_be_good() {
        let rows: [(&[u8], &str); 11] = [
            (
                br#"{"views":[{"shape":[2]}],"ops":1,"view":[],"x":{"y":[1e999]}}"#,
                r#""mergeable":true"#,
            ),
            (br#"{"views":null,"shape":[2],"ops":[],"new_shape":"no"}"#, r#""mergeable":true"#),
            (br#"{"view":{"shape":[2]},"new_shape":[1,-1],"shape":0}"#, r#""shape":[1,2]"#),
            (br#"{"view":{"shape":[2]},"new_shape":[3]}"#, r#""kind":"reshape"#),
            (br#"{"view":{"shape":[3,2],"strides":[1,3]},"new_shape":[-1]}"#, r#""shape":[6]"#),
            (br#"{"views":[],"views":[]}"#, "line: duplicate field `views` at column 19"),
            (br#"{"views":[{"shape":[2]},{"shape":[x]}]}"#, "line: expected value at column 35"),
            (
                br#"{"views":[{"shape":[2]},{"shape":2}]}"#,
                "views: invalid type: integer `2`, expected a sequence at column 25",
            ),
            (br#"{"shape":[-1],"ops":[["roll",[1]]]}"#, r#""kind":"negative"#),
            (br#"{"view":{"shape":[2]},"shape":[2]}"#, r#""kind":"question"#),
            (
                b"{\"views\":[{\"shape\":[2],\"x\":\"\xff\"}]}",
                "line: invalid unicode code point at column",
            ),
        ];
        answers_contain(&rows);
    }

    #[test]
    fn a_line_may_bring_its_own_limit() {
        let rows: [(&[u8], &str); 8] = [
            (br#"{"views":[{"shape":[2]}],"steps":0}"#, r#""kind":"undecided"#),
            (br#"{"views":[{"shape":[2]}],"steps":1}"#, r#""mergeable":true"#),
            (br#"{"views":[{"shape":[2]}],"steps":null}"#, r#""mergeable":true"#),
            (br#"{"view":{"shape":[2]},"new_shape":[2],"steps":0}"#, r#""kind":"undecided"#),
            (br#"{"shape":[2],"ops":[],"steps":0}"#, r#""kind":"undecided"#),
            (
                br#"{"shape":[2],"ops":[],"steps":-1}"#,
                "steps: invalid value: integer `-1`, expected u64 at column 2",
            ),
            (br#"{"views":[{"shape":[2]}],"steps":"no"}"#, "steps: invalid type: string"),
            (
                br#"{"views":[{"shape":[3,2],"strides":[1,3]},{"shape":[6]}],"steps":100}"#,
                r#""mergeable":false"#,
            ),
        ];
        answers_contain(&rows);
        answers_contain(&[
            (
                br#"{"views":[{"shape":[2]}],"certify":true}"#,
                r#""mask":null},"certificate":{"views":["#,
            ),
            (br#"{"views":[{"shape":[2]}],"certify":1}"#, "certify: invalid type"),
        ]);
        let line = br#"{"views":[{"shape":[2]}]}"#;
        let limited = serde_json::to_string(&answer(line, &Limit::steps(0))).expect("is written");
        assert!(limited.contains("undecided"), "{limited}");
    }

    #[track_caller]
    fn answers_contain(rows: &[(&[u8], &str)]) {
        for (line, part) in rows {
            let written = serde_json::to_string(&answer(line, &Limit::none())).expect("is written");
            assert!(written.replace("\\\"", "\"").contains(part), "{written} has no {part}");
        }
    }
}
