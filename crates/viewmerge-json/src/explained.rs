//! An explanation as JSON: the verdict, the reasons, what is to blame and what would
//! help, in words and as data, and the overflow tables on request.
//!
//! ```
//! use viewmerge::{Limit, ViewChain};
//! use viewmerge_json::explained::Explained;
//!
//! let chain: ViewChain = "(10,3,3):(8,1,2) | (4):(4)".parse()?;
//! let why = Explained::of(&chain, true, &Limit::none())?;
//! assert!(why.mergeable && why.text.starts_with("one view: (4):(3)\n"));
//! assert_eq!(why.tables.map(|tables| tables.len()), Some(1));
//! # Ok::<(), viewmerge::Error>(())
//! ```
//!
//! Cost: that of [`ViewChain::explain`], and of every table.

use serde::Serialize;
use viewmerge::{
    Blame, DigitStep, Error, Explanation, Limit, OpenChain, OverflowTable, Reason, Regrouped,
    Remedies, Stage, StridePattern, Verdict, View, ViewChain, Witness,
};

use crate::MOST_ROWS;

/// An explanation. (Serialized directly: its numbers may be wider than 64 bits.)
#[derive(Serialize)]
pub struct Explained {
    /// Why the chain is one view.
    pub because: Vec<Reason>,
    /// What is to blame if the chain is not one view.
    pub blame: Vec<Blame>,
    /// Whether the chain is one view.
    pub mergeable: bool,
    /// The ops that one view could hold although they regroup elements, and why.
    pub regrouped: Vec<Regrouped>,
    /// What would help.
    pub remedies: Remedies,
    /// The views, and the ops that made them.
    pub stages: Vec<Stage>,
    /// Steps that show the reason, digit by digit.
    pub steps: Vec<DigitStep>,
    /// The overflow tables, if they were asked for.
    pub tables: Option<Vec<TableOf>>,
    /// All of it in words.
    pub text: String,
    /// The one view, if it is one.
    pub view: Option<View>,
    /// The witness, if it is not.
    pub witness: Option<Witness>,
}

/// The overflow table of one view of a chain.
#[derive(Serialize)]
pub struct TableOf {
    /// Which view, counted from the memory side.
    pub view: usize,
    /// Its table.
    #[serde(flatten)]
    pub table: OverflowTable,
}

impl Explained {
    /// Explains a chain.
    ///
    /// # Errors
    ///
    /// If the limit was reached, or the one view cannot be written down.
    pub fn of(chain: &ViewChain, table: bool, limit: &Limit<'_>) -> Result<Explained, Error> {
        let why = chain.explain(limit)?;
        let tables = if table { Some(tables_of(chain, limit)?) } else { None };
        Ok(Explained::new(why, tables))
    }

    /// An explanation, and tables if there are any.
    pub fn new(why: Explanation, tables: Option<Vec<TableOf>>) -> Explained {
        let text = why.to_string();
        let (view, witness) = match why.verdict {
            Verdict::Merged(view) => (Some(view), None),
            Verdict::NotMergeable(witness) => (None, Some(witness)),
        };
        Explained {
            because: why.because,
            blame: why.blame,
            mergeable: view.is_some(),
            regrouped: why.regrouped,
            remedies: why.remedies,
            stages: why.stages,
            steps: why.steps,
            tables,
            text,
            view,
            witness,
        }
    }
}

/// The overflow table of every view below the last, the uppermost first.
///
/// # Errors
///
/// If the limit was reached, or an equation is too large.
pub fn tables_of(chain: &ViewChain, limit: &Limit<'_>) -> Result<Vec<TableOf>, Error> {
    let views = chain.views();
    let table = |view: usize| {
        let open = OpenChain::new(StridePattern::of(&views[view])?, &views[view + 1..])?;
        Ok(TableOf { view, table: open.overflow_table(MOST_ROWS, limit)? })
    };
    (0..views.len() - 1).rev().map(table).collect()
}
