//! What can be wrong with an input, as data.

use std::fmt;

use viewmerge::internal::marked;

/// Why an input was refused.
///
/// ```
/// use viewmerge_symbolic::{Error, Params, SymbolicChain};
///
/// let refused = SymbolicChain::parse(&Params::new(), "(N,3)").unwrap_err();
/// assert_eq!(refused.to_string(), "at column 2: N is not declared, declared are: nothing");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A name that no parameter has.
    #[error("{name} is not declared, declared are: {declared}")]
    Undeclared {
        /// The name.
        name: String,
        /// The names there are.
        declared: String,
    },
    /// A parameter was declared twice.
    #[error("{name} is declared twice")]
    Redeclared {
        /// The name.
        name: String,
    },
    /// Not a name of a parameter.
    #[error(
        "`{name}` is no name, a name is letters, digits and underscores and does not start with a digit"
    )]
    BadName {
        /// What was given.
        name: String,
    },
    /// Declarations that no value satisfies.
    #[error("{what} leaves no value")]
    Contradiction {
        /// The declaration.
        what: String,
    },
    /// A multiple below 1.
    #[error("{name} is to be a multiple of {multiple}, which must be 1 or more")]
    BadMultiple {
        /// The parameter.
        name: String,
        /// What it is to be a multiple of.
        multiple: i64,
    },
    /// A requirement of an op holds for no parameters.
    #[error("{op}: {argument} needs {requirement}, which holds for no values of the parameters")]
    NeverLegal {
        /// The op.
        op: String,
        /// The argument.
        argument: String,
        /// What it needs.
        requirement: String,
    },
    /// Something this library does not do with unknown numbers.
    #[error("{op}: {what}")]
    Unsupported {
        /// The op.
        op: String,
        /// What is not done.
        what: String,
    },
    /// A mistake at a place of a text.
    #[error("at column {}: {error}", .at + 1)]
    InText {
        /// The character, counted from 0.
        at: usize,
        /// The mistake.
        error: Box<Error>,
    },
    /// A parameter has no value at the point asked about, or one outside its declaration.
    #[error("{name} {problem}")]
    BadPoint {
        /// The parameter.
        name: String,
        /// What is wrong.
        problem: String,
    },
    /// Two chains that are to be compared were declared with different parameters.
    #[error("the two chains have different parameters, declare the same for both")]
    OtherParams,
    /// Numbers too large to work with.
    #[error("numbers leave the range this library works in")]
    TooLarge,
    /// What the concrete library refuses: concrete numbers, lists of the wrong length, axes that do not exist.
    #[error(transparent)]
    Concrete(#[from] viewmerge::Error),
}

impl Error {
    /// What is wrong with a point.
    pub(crate) fn point(name: &str, problem: impl fmt::Display) -> Error {
        Error::BadPoint { name: name.to_owned(), problem: problem.to_string() }
    }

    /// A stable, machine-readable name of the variant; of a mistake in a text, that of the mistake.
    ///
    /// ```
    /// use viewmerge_symbolic::{Params, SymbolicChain};
    ///
    /// assert_eq!(SymbolicChain::parse(&Params::new(), "(N,3)").unwrap_err().kind(), "undeclared");
    /// ```
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            Error::Undeclared { .. } => "undeclared",
            Error::Redeclared { .. } => "redeclared",
            Error::BadName { .. } => "bad_name",
            Error::Contradiction { .. } => "contradiction",
            Error::BadMultiple { .. } => "bad_multiple",
            Error::NeverLegal { .. } => "never_legal",
            Error::Unsupported { .. } => "unsupported",
            Error::InText { error, .. } => error.kind(),
            Error::BadPoint { .. } => "bad_point",
            Error::OtherParams => "other_params",
            Error::TooLarge => "too_large",
            Error::Concrete(error) => error.kind(),
        }
    }

    /// Where in a text that was read the mistake is, in characters from the start.
    ///
    /// ```
    /// use viewmerge_symbolic::{Params, SymbolicChain};
    ///
    /// assert_eq!(SymbolicChain::parse(&Params::new(), "(3,N)").unwrap_err().at(), Some(3));
    /// ```
    #[must_use]
    pub fn at(&self) -> Option<usize> {
        match self {
            Error::InText { at, .. } => Some(*at),
            Error::Concrete(error) => error.at(),
            _ => None,
        }
    }

    /// The message, and below it the text that was read with a mark under the mistake.
    ///
    /// ```
    /// use viewmerge_symbolic::{Params, SymbolicChain};
    ///
    /// let refused = SymbolicChain::parse(&Params::new(), "(3,N)").unwrap_err();
    /// assert_eq!(
    ///     refused.with_source("(3,N)").to_string(),
    ///     "at column 4: N is not declared, declared are: nothing\n  (3,N)\n     ^",
    /// );
    /// ```
    #[must_use]
    pub fn with_source<'a>(&'a self, text: &'a str) -> WithSource<'a> {
        WithSource { error: self, text }
    }
}

/// An error beside the text it is about: [`Error::with_source`].
#[derive(Debug, Clone, Copy)]
pub struct WithSource<'a> {
    error: &'a Error,
    text: &'a str,
}

impl fmt::Display for WithSource<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.error {
            Error::InText { at, error } => f.write_str(&marked(error, self.text, *at)),
            Error::Concrete(error) => f.write_str(&error.with_source(self.text)),
            error => error.fmt(f),
        }
    }
}
