//! The cases in `testdata/`: one JSON object per line, in the form that the command's `batch`
//! reads, with the expected answer beside it.

use std::path::PathBuf;

use serde::Deserialize;
use viewmerge::{Error, Limit, Movement, Verdict, View, ViewChain, ViewParts};

/// One line.
#[derive(Debug, Clone, Deserialize)]
pub struct Case {
    /// What the case shows.
    #[serde(default)]
    pub name: String,
    /// The question.
    #[serde(flatten)]
    pub question: Question,
    /// A `View` if the chain is one view, null if it is not, `{"error": kind}` for a refusal.
    pub expect: Expect,
}

/// The question of a line.
#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
pub enum Question {
    /// Do these views merge?
    Views {
        /// Memory side first.
        views: Vec<ViewParts>,
    },
    /// Is this view, reshaped, one view?
    Reshape {
        /// The view.
        view: ViewParts,
        /// Its new shape.
        new_shape: Vec<i64>,
    },
    /// Is a contiguous view, after these ops, one view?
    Ops {
        /// The shape to start from.
        shape: Vec<i64>,
        /// The ops, in order.
        ops: Vec<Movement>,
    },
}

/// The expected answer.
#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
pub enum Expect {
    /// A refusal of this kind.
    Error {
        /// [`Error::kind`].
        error: String,
    },
    /// The view, or `None` if the chain is not one view.
    View(Option<ViewParts>),
}

impl Question {
    /// The views whose merging answers the question.
    ///
    /// # Errors
    ///
    /// If the library refuses them.
    pub fn views(&self) -> Result<Vec<View>, Error> {
        match self {
            Question::Views { views } => views.iter().cloned().map(View::try_from).collect(),
            Question::Reshape { view, new_shape } => {
                let view = View::try_from(view.clone())?;
                Ok(ViewChain::from(view.clone())
                    .append(View::contiguous(new_shape)?)?
                    .views()
                    .to_vec())
            }
            Question::Ops { shape, ops } => {
                let start = ViewChain::contiguous(shape)?;
                let chain = ops.iter().try_fold(start, |chain, op| chain.apply(op))?;
                Ok(chain.views().to_vec())
            }
        }
    }

    /// The library's answer.
    ///
    /// # Errors
    ///
    /// If the library refuses the question.
    pub fn answer(&self) -> Result<Verdict, Error> {
        match self {
            Question::Reshape { view, new_shape } => {
                View::try_from(view.clone())?.reshape(new_shape)
            }
            _ => viewmerge::merge(&self.views()?, &Limit::none()),
        }
    }
}

/// Where `testdata/` is.
pub fn folder() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata"))
}

/// The text of a file in `testdata/`.
///
/// # Panics
///
/// If it cannot be read.
pub fn text(file: &str) -> String {
    let path = folder().join(file);
    std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// The cases of a file in `testdata/`.
///
/// # Panics
///
/// If a line is not a case.
pub fn read(file: &str) -> Vec<Case> {
    let text = text(file);
    let lines = text.lines().enumerate();
    lines
        .map(|(number, line)| {
            serde_json::from_str(line)
                .unwrap_or_else(|e| panic!("{file}, line {}: {e}", number + 1))
        })
        .collect()
}
