//! Options that several commands take, and the words they accept.

use clap::{Args, ValueEnum};

/// How results are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Format {
    /// For people.
    Text,
    /// For documents.
    Markdown,
    /// For programs: one JSON object on one line.
    Json,
    /// For papers; tables, equations and expressions only.
    Latex,
}

/// What a certificate can refute.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Refuted {
    /// That views compose.
    Composes,
    /// That a view is injective.
    Injective,
}

/// When to use colour.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Colour {
    /// On a terminal.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// The variables of an expression, and where it is valid.
#[derive(Debug, Args)]
pub struct Ranges {
    /// A variable and its values, the end not included; once for every variable. Without FIRST or END
    /// (i=0:) it is unbounded.
    #[arg(long, value_name = "NAME=FIRST:END")]
    pub range: Vec<String>,
    /// Where it is valid: a condition.
    #[arg(long, value_name = "COND")]
    pub valid: Option<String>,
    /// Read / and % as C does: rounded towards 0.
    #[arg(long)]
    pub c: bool,
    /// Print a certificate for `viewmerge verify` instead: one line of JSON.
    #[arg(long)]
    pub certify: bool,
}

/// Parameters that views and ops may name.
#[derive(Debug, Args)]
pub struct Declared {
    /// Parameters: N, N>=2, N<=64, N%4==0, or s:int for any integer, several joined by commas;
    /// without a lower bound a parameter is 1 or more.
    #[arg(long, value_name = "DECLARATION")]
    pub param: Vec<String>,
}

impl Declared {
    /// Whether any are declared.
    pub fn any(&self) -> bool {
        !self.param.is_empty()
    }
}
