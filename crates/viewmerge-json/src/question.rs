//! One line of a batch: its question, and the answer as JSON.
//!
//! A line about a chain is read in one go into a `Line`. If that fails, and for other questions, it
//! is read member by member (`question/read.rs`), so that a refusal can say what a member should
//! hold.
//!
//! To add a question, add a row to the table in `members.rs`, a variant to `Asked`, a row
//! to `question/read.rs`, and a function that decides it.
//!
//! Cost: reading and writing JSON is most of it; a good line is read once and
//! decided once.

mod expr;
mod read;

use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use viewmerge::{Error, Limit, Movement, Verdict, View, ViewChain, Witness};
use viewmerge_cute::Operation;
use viewmerge_index::{IndexChain, Tiling};
use viewmerge_paste::Unread;

use crate::members::{Members, is_id};
use crate::refused::Refused;

pub use expr::viewed_json;
pub(crate) use read::OBJECT;

/// The members of a question about a chain, and those that every line may have.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    views: Option<Vec<View>>,
    view: Option<View>,
    new_shape: Option<Vec<i64>>,
    shape: Option<Vec<i64>>,
    ops: Option<Vec<Movement>>,
    chain: Option<String>,
    steps: Option<u64>,
    certify: Option<bool>,
    split: Option<bool>,
    id: Option<Box<RawValue>>,
    #[serde(rename = "name")]
    _name: Option<IgnoredAny>,
    #[serde(rename = "expect")]
    _expect: Option<IgnoredAny>,
}

/// Text, or a number that is meant as text.
#[derive(Deserialize)]
#[serde(untagged)]
enum Text {
    Text(String),
    Number(i64),
}

impl Text {
    fn into_text(self) -> String {
        match self {
            Text::Text(text) => text,
            Text::Number(number) => number.to_string(),
        }
    }
}

/// A question, without the ignored members.
enum Asked {
    /// `views`: are these one view?
    Views(Vec<View>),
    /// `view` and `new_shape`: is this view, reshaped, one view?
    Reshape(View, Vec<i64>),
    /// `shape` and `ops`: is a contiguous view after these ops one view?
    Ops(Vec<i64>, Vec<Movement>),
    /// `chain`: are the views and ops of this text one view?
    Chain(String),
    /// `expr`, `vars` and `valid`: what is the simplest such expression?
    Expr(expr::Asked),
    /// `cute`, `a`, `b` and `extend`: a question about CuTe layouts.
    Cute(AskedLayouts),
}

/// A question about CuTe layouts.
struct AskedLayouts {
    operation: String,
    a: String,
    b: Option<String>,
    extend: bool,
}

/// The options of a question.
struct Wanted {
    /// The line's own limit.
    steps: Option<u64>,
    /// Add a certificate.
    certify: bool,
    /// Ask for the coarsest split instead.
    split: bool,
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
    /// An expression, simplified.
    Simplified {
        /// The expression, as Python writes it.
        expr: String,
        /// When it is valid; null for everywhere in the ranges.
        valid: Option<String>,
        /// Its quotients and remainders.
        divisions: usize,
        /// The one view that it is, or null.
        view: Option<View>,
        /// If a split was asked for: the view with guards, or the split and the view over it, and why
        /// it is not one view.
        #[serde(flatten, skip_serializing_if = "Option::is_none")]
        viewed: Option<Box<serde_json::Value>>,
        /// Left out if the simplification was settled; otherwise the expression is the given one.
        #[serde(skip_serializing_if = "is_true")]
        decided: bool,
        /// The proof of equality, if it was asked for.
        #[serde(skip_serializing_if = "Option::is_none")]
        certificate: Option<Box<RawValue>>,
    },
    /// The best split.
    Split(Box<Tiling>),
    /// About CuTe layouts.
    Cute(viewmerge_cute::Outcome),
}

fn is_true(decided: &bool) -> bool {
    *decided
}

/// A question, its own limit, and its `id`.
pub(crate) struct Question {
    asked: Asked,
    wanted: Wanted,
    pub id: Option<Box<RawValue>>,
}

impl Question {
    /// Reads a line without a name at once, if all its members are good and ask one question.
    pub(crate) fn at_once(line: &[u8]) -> Option<Question> {
        // Skipped text would go unchecked, so it is checked here: reading at once must
        // accept no more than reading member by member. A list of members is not an
        // object.
        let line = str::from_utf8(line).ok()?;
        if !line.trim_start_matches([' ', '\t', '\r', '\n']).starts_with('{') {
            return None;
        }
        let all: Line = serde_json::from_str(line).ok()?;
        let given = [
            all.views.is_some(),
            all.view.is_some() || all.new_shape.is_some(),
            all.shape.is_some() || all.ops.is_some(),
            all.chain.is_some(),
        ];
        let one = given.iter().filter(|given| **given).count() == 1;
        if !one || !all.id.as_deref().is_none_or(is_id) {
            return None;
        }
        let wanted = Wanted {
            steps: all.steps,
            certify: all.certify.unwrap_or(false),
            split: all.split.unwrap_or(false),
        };
        let id = all.id;
        let asked =
            match (all.views, all.view.zip(all.new_shape), all.shape.zip(all.ops), all.chain) {
                (Some(views), ..) => Asked::Views(views),
                (_, Some((view, new_shape)), ..) => Asked::Reshape(view, new_shape),
                (.., Some((shape, ops)), _) => Asked::Ops(shape, ops),
                (.., Some(text)) => Asked::Chain(text),
                _ => return None,
            };
        Some(Question { asked, wanted, id })
    }

    /// A question read member by member.
    pub(crate) fn of(members: &Members<'_>) -> Result<Question, Refused> {
        let (asked, wanted) = read::question(members)?;
        Ok(Question { asked, wanted, id: None })
    }

    /// The answer, within this limit unless the question has its own.
    pub(crate) fn answer(self, limit: &Limit<'_>) -> Result<Answer, Refused> {
        match self.wanted.steps {
            Some(steps) => decide(self.asked, &self.wanted, &Limit::steps(steps)),
            None => decide(self.asked, &self.wanted, limit),
        }
    }
}

fn decide(question: Asked, wanted: &Wanted, limit: &Limit<'_>) -> Result<Answer, Refused> {
    let member = match question {
        Asked::Views(_) => "views",
        Asked::Reshape(..) => "new_shape",
        Asked::Ops(..) => "ops",
        Asked::Chain(_) => "chain",
        Asked::Expr(asked) => return expr::decide(&asked, wanted, limit),
        Asked::Cute(asked) => return decide_layouts(&asked, limit),
    };
    let refused = |error: Error| Refused::of(member, &error);
    if wanted.split {
        let chain = chain_of(question)?;
        return Ok(Answer::Split(Box::new(chain.tiling(limit).map_err(refused)?)));
    }
    // A certificate is about the views and ops as asked, one view each, not about what the ops made
    // of them. Then so is the answer, so that its witness is the certificate's.
    let certified = |chain: &ViewChain, about: Option<&ViewChain>| {
        about.unwrap_or(chain).merge_within(limit).map_err(refused)
    };
    let (verdict, views, about) = match question {
        Asked::Views(views) => (viewmerge::merge(&views, limit).map_err(refused)?, views, None),
        Asked::Reshape(view, new_shape) => {
            let chain = ViewChain::from(view.clone()).reshape(&new_shape).map_err(refused)?;
            let target = View::contiguous(chain.shape()).map_err(refused)?;
            let about = ViewChain::from(view).append(target).map_err(refused)?;
            (chain.merge_within(limit).map_err(refused)?, chain.views().to_vec(), Some(about))
        }
        Asked::Ops(shape, ops) => {
            let chain = after_ops(&shape, &ops, ViewChain::apply)?;
            let by_op = || after_ops(&shape, &ops, ViewChain::append_op);
            let about = wanted.certify.then(by_op).transpose()?;
            (certified(&chain, about.as_ref())?, chain.views().to_vec(), about)
        }
        Asked::Chain(text) => {
            let chain = read_chain(&text, str::parse)?;
            let by_op = || read_chain(&text, ViewChain::op_by_op);
            let about = wanted.certify.then(by_op).transpose()?;
            (certified(&chain, about.as_ref())?, chain.views().to_vec(), about)
        }
        Asked::Expr(asked) => return expr::decide(&asked, wanted, limit),
        Asked::Cute(asked) => return decide_layouts(&asked, limit),
    };
    let certificate = match (wanted.certify, &about) {
        (false, _) => None,
        (true, Some(about)) => Some(certificate_of(about.views(), limit, refused)?),
        (true, None) => Some(certificate_of(&views, limit, refused)?),
    };
    answer_verdict(verdict, views, certificate, limit).map_err(refused)
}

/// The answer about a chain, as for a line with its views.
///
/// # Errors
///
/// If the limit was reached, or the one view cannot be written down.
pub fn answer_chain(chain: &ViewChain, limit: &Limit<'_>) -> Result<Answer, Error> {
    answer_verdict(chain.merge_within(limit)?, chain.views().to_vec(), None, limit)
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

fn certificate_of(
    views: &[View],
    limit: &Limit<'_>,
    refused: impl FnOnce(Error) -> Refused,
) -> Result<Box<RawValue>, Refused> {
    let certificate = ViewChain::from_views(views).and_then(|chain| chain.certify(limit));
    raw(certificate.map_err(refused)?.to_string())
}

/// A certificate, unparsed.
fn raw(certificate: String) -> Result<Box<RawValue>, Refused> {
    RawValue::from_string(certificate)
        .map_err(|error| Refused::new("certificate", error.to_string()))
}

/// A chain in our notation, or a text that can be read as one.
fn read_chain(
    text: &str,
    reader: impl Fn(&str) -> Result<ViewChain, Error>,
) -> Result<ViewChain, Refused> {
    viewmerge_paste::parse(text, reader).map_err(|unread| match unread {
        Unread::Refused { error, .. } => Refused::of("chain", &error),
        unread => Refused::new("pasted", format!("chain: {unread}")),
    })
}

/// The chain of a question.
fn chain_of(question: Asked) -> Result<ViewChain, Refused> {
    match question {
        Asked::Views(views) => {
            ViewChain::try_from(views).map_err(|error| Refused::of("views", &error))
        }
        Asked::Reshape(view, new_shape) => ViewChain::from(view)
            .reshape(&new_shape)
            .map_err(|error| Refused::of("new_shape", &error)),
        Asked::Ops(shape, ops) => after_ops(&shape, &ops, ViewChain::apply),
        Asked::Chain(text) => read_chain(&text, str::parse),
        Asked::Expr(_) | Asked::Cute(_) => {
            Err(Refused::new("question", "split: only a chain is split here"))
        }
    }
}

fn decide_layouts(asked: &AskedLayouts, limit: &Limit<'_>) -> Result<Answer, Refused> {
    let operation: Result<Operation, _> = asked.operation.parse();
    let outcome = operation
        .and_then(|operation| operation.ask(&asked.a, asked.b.as_deref(), asked.extend, limit));
    outcome.map(Answer::Cute).map_err(|error| Refused::new(error.kind(), format!("cute: {error}")))
}

fn after_ops(
    shape: &[i64],
    ops: &[Movement],
    apply: fn(&ViewChain, &Movement) -> Result<ViewChain, Error>,
) -> Result<ViewChain, Refused> {
    let start = ViewChain::contiguous(shape).map_err(|error| Refused::of("shape", &error))?;
    ops.iter().enumerate().try_fold(start, |chain, (number, op)| {
        apply(&chain, op).map_err(|error| Refused::of(&format!("ops[{number}]"), &error))
    })
}

/// The fewest views that are the same function as these, which are not one; these, if the
/// limit is reached first.
///
/// # Errors
///
/// If they do not compose.
pub fn fewest_known(views: Vec<View>, limit: &Limit<'_>) -> Result<Vec<View>, Error> {
    // Two views that are not one view cannot be fewer.
    if views.len() <= 2 {
        return Ok(views);
    }
    match ViewChain::from_views(&views)?.simplify(limit) {
        Ok(simple) => Ok(simple.views().to_vec()),
        Err(Error::Undecided { .. }) => Ok(views),
        Err(error) => Err(error),
    }
}
