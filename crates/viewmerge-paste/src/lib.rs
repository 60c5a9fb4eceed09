//! Reads the text people have at hand as a chain of views, in the notation of [`viewmerge::ViewChain`].
//!
//! | text | read as |
//! |---|---|
//! | `torch.randn(2,3,4).transpose(1,2).reshape(2,12)` | `(2,3,4) \| transpose(1,2) \| reshape(2,12)` |
//! | `x = np.zeros((4,6)); x.T[1:].ravel()` | `(4,6) \| permute(1,0) \| slice(1:) \| flatten(0,-1)` |
//! | `[4,6]:[6,1] \| T \| view(24)` | `(4,6):(6,1) \| permute(1,0) \| reshape(24)` |
//! | `torch.Size([2, 3]), (3, 1)` | `(2,3):(3,1)` |
//! | `Cannot view a tensor with shape … and strides … as a tensor with shape …` | that view, reshaped |
//! | `{'shape': (3, 4), 'strides': (32, 8), 'typestr': '<f8'}` | `(3,4):(4,1)` |
//! | `((2,2),4):((1,4),2)` | its digits, leftmost fastest, regrouped into its modes |
//!
//! [`read`] returns a chain, or what is missing in a text that it recognises. For text in our own notation,
//! and for any other text, it returns `None` and leaves the text to the notation's own parser.
//!
//! Cost: linear in the text, plus one application of each op. Policy: nothing panics, and numbers that do
//! not fit are passed on for the notation to refuse.

mod calls;
mod layouts;
mod lists;
mod messages;
mod methods;
mod tensor;
mod tokens;

use std::fmt;

use viewmerge::Error;

/// What was read.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Pasted {
    /// A chain.
    Chain {
        /// In the notation of [`viewmerge::ViewChain`].
        chain: String,
        /// What the text was read as, in one sentence.
        note: String,
    },
    /// The kind of text is known, but something is missing: a sentence that says what.
    Needs(String),
}

impl Pasted {
    fn chain(chain: String, note: &str) -> Pasted {
        Pasted::Chain { chain, note: note.into() }
    }
}

/// Reads a text; `None` for our own notation and for text that is not recognised.
///
/// ```
/// use viewmerge_paste::{Pasted, read};
///
/// let Some(Pasted::Chain { chain, note }) = read("torch.Size([2, 3]), (3, 1)") else { panic!() };
/// assert_eq!(chain, "(2,3):(3,1)");
/// assert_eq!(note, "Read as a shape and strides in elements.");
///
/// assert!(matches!(read("x.permute(1,0).view(-1)"), Some(Pasted::Needs(why)) if why.contains("x = (2,3,4)")));
/// assert_eq!(read("(2,3) | reshape(6)"), None);
/// ```
#[must_use]
pub fn read(text: &str) -> Option<Pasted> {
    let text = text.trim();
    if let Some(read) = messages::array_interface(text) {
        return Some(read);
    }
    // Parts separated by bars are our notation, whatever words they contain.
    if text.contains('|') {
        return calls::piped(text);
    }
    layouts::swizzle(text)
        .or_else(|| messages::refused_view(text))
        .or_else(|| messages::invalid_shape(text))
        .or_else(|| messages::incompatible_view(text))
        .or_else(|| layouts::layout(text))
        .or_else(|| calls::piped(text))
        .or_else(|| match calls::program(text) {
            Some(Pasted::Needs(what)) => {
                messages::shape_and_strides(text).or(Some(Pasted::Needs(what)))
            }
            read => read.or_else(|| messages::shape_and_strides(text)),
        })
}

/// Why a text is not a chain.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Unread {
    /// The parser's own refusal, and the text that it refers to: as given, or as read.
    Refused {
        /// The refusal.
        error: Error,
        /// The text, for showing the place in it.
        text: String,
    },
    /// The text is recognised, but something is missing: a sentence that says what.
    Needs(String),
}

impl fmt::Display for Unread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unread::Refused { error, .. } => error.fmt(f),
            Unread::Needs(what) => f.write_str(what),
        }
    }
}

impl std::error::Error for Unread {}

/// Reads a text in our notation or, failing that, in one of the other forms. A text in our notation that
/// asks for something impossible, such as a reshape to a different number of elements, is refused directly.
///
/// # Errors
///
/// The refusal, or what is missing.
///
/// ```
/// use viewmerge::ViewChain;
/// use viewmerge_paste::parse;
///
/// let chain: ViewChain = parse("np.zeros((2,3)).T", str::parse)?;
/// assert_eq!(chain.to_string(), "(3,2):(1,3)");
/// let chain: ViewChain = parse("(2,3) | flip(0)", str::parse)?;
/// assert_eq!(chain.shape(), [2, 3]);
/// assert_eq!(parse("(2,", str::parse::<ViewChain>).unwrap_err().to_string(), "at column 4: expected a number, found the end");
/// # Ok::<(), viewmerge_paste::Unread>(())
/// ```
pub fn parse<T>(text: &str, parse: impl Fn(&str) -> Result<T, Error>) -> Result<T, Unread> {
    let refused = |error, text: &str| Unread::Refused { error, text: text.into() };
    let error = match parse(text) {
        Ok(read) => return Ok(read),
        // Only a text that is not in our notation can be in another form.
        Err(error) if !matches!(error.kind(), "syntax" | "unknown_op") => {
            return Err(refused(error, text));
        }
        Err(error) => error,
    };
    match read(text) {
        None => Err(refused(error, text)),
        Some(Pasted::Needs(what)) => Err(Unread::Needs(what)),
        Some(Pasted::Chain { chain, .. }) => parse(&chain).map_err(|error| refused(error, &chain)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use viewmerge::ViewChain;

    #[test]
    fn what_is_refused_in_our_notation_stays_refused() {
        let rows = [
            "(2,4,5):(20,5,1) | permute(2,1,0) | reshape(8,5,2)",
            "(1):(0) | permute(0) | expand(3,1) | reshape(4)",
            "(5,2,1):(2,1,0) | reshape(1,10,1) | expand(-3,10,0)",
            "(6):(1) | reshape(6) | expand(2,6) | flip(0) | flip(0,1,1)",
            "(2,3):(1,2,3)",
            "(2,3) | shape(3,2)",
            "(2,3) | reshape(3,2) | stride(1,1)",
        ];
        for text in rows {
            let refused = parse(text, str::parse::<ViewChain>);
            let plain = text.parse::<ViewChain>().expect_err(text);
            assert_eq!(refused, Err(Unread::Refused { error: plain, text: text.into() }), "{text}");
        }
    }
}

/// Runs the example in README with the other examples.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
