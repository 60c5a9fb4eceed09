//! What an error can tell: its kind, where it is, and the text it is about.

use alloc::string::{String, ToString};
use core::fmt::Display;

use super::Error;

impl Error {
    /// A stable, machine-readable name of the variant.
    ///
    /// ```
    /// assert_eq!(viewmerge::Error::EmptyChain.kind(), "empty_chain");
    /// ```
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            Error::Lists(error) => error.kind(),
            Error::MaskOutside { .. } => "mask_outside",
            Error::MaskReversed { .. } => "mask_reversed",
            Error::OffsetRange { .. } => "offset_range",
            Error::IndexRange { .. } => "index_range",
            Error::ExpressionRange { .. } => "expression_range",
            Error::NotLinear { .. } => "not_linear",
            Error::NoRange { .. } => "no_range",
            Error::BadRange { .. } => "bad_range",
            Error::OpenRange { .. } => "open_range",
            Error::TextTooLong { .. } => "text_too_long",
            Error::WrongKind { .. } => "wrong_kind",
            Error::ExpressionName { .. } => "expression_name",
            Error::FunctionName { .. } => "function_name",
            Error::UnknownLanguage { .. } => "unknown_language",
            Error::NoRendering { .. } => "no_rendering",
            Error::IndexOutOfBounds { .. } => "index_out_of_bounds",
            Error::PositionOutOfBounds { .. } => "position_out_of_bounds",
            Error::TwoInferred { .. } => "two_inferred",
            Error::CannotInfer { .. } => "cannot_infer",
            Error::NegativePad { .. } => "negative_pad",
            Error::ShrinkOutside { .. } => "shrink_outside",
            Error::ZeroStep { .. } => "zero_step",
            Error::NotUnit { .. } => "not_unit",
            Error::FlattenOrder { .. } => "flatten_order",
            Error::UnflattenCount { .. } => "unflatten_count",
            Error::TooManySlices { .. } => "too_many_slices",
            Error::UnknownOp { .. } => "unknown_op",
            Error::Undecided { .. } => "undecided",
            Error::EmptyChain => "empty_chain",
            Error::NotComposable { .. } => "not_composable",
            Error::NotInvertible { .. } => "not_invertible",
            Error::ConditionsTooLarge => "conditions_too_large",
            Error::TooManyCases { .. } => "too_many_cases",
            Error::InText { error, .. } => error.kind(),
            Error::Syntax { .. } => "syntax",
        }
    }

    /// Whether an answer exists but holds a view that leaves the bounds of a [`View`](crate::View):
    /// [`Error::OffsetRange`] or [`Error::IndexRange`].
    ///
    /// ```
    /// let refused = viewmerge::View::strided(&[2], &[i64::MAX], 0).unwrap_err();
    /// assert!(refused.is_unwritable());
    /// ```
    #[must_use]
    pub fn is_unwritable(&self) -> bool {
        matches!(self, Error::OffsetRange { .. } | Error::IndexRange { .. })
    }

    /// The message, and below it the text that was read with a mark under the mistake, if its place is known.
    ///
    /// ```
    /// let text = "(2,3):(3,x)";
    /// let mistyped = text.parse::<viewmerge::View>().unwrap_err();
    /// assert_eq!(
    ///     mistyped.with_source(text),
    ///     "at column 10: expected a number, found `x`\n  (2,3):(3,x)\n           ^",
    /// );
    /// let text = "(2,3) |\n  permute(0,0)";
    /// let refused = text.parse::<viewmerge::ViewChain>().unwrap_err();
    /// assert_eq!(
    ///     refused.with_source(text),
    ///     "at line 2, column 13: permute: axis 0 is named twice, each axis may be named once\n    permute(0,0)\n              ^",
    /// );
    /// ```
    #[must_use]
    pub fn with_source(&self, text: &str) -> String {
        match self {
            Error::Syntax { at, expected, found } => {
                marked(&format_args!("expected {expected}, found {found}"), text, *at)
            }
            Error::InText { at, error } => marked(error, text, *at),
            error => error.to_string(),
        }
    }

    /// Where in a text that was read the mistake is, in characters from the start.
    ///
    /// ```
    /// let mistyped = "(2,3):(3,x)".parse::<viewmerge::View>().unwrap_err();
    /// assert_eq!(mistyped.at(), Some(9));
    /// ```
    #[must_use]
    pub fn at(&self) -> Option<usize> {
        match self {
            Error::Syntax { at, .. } | Error::InText { at, .. } => Some(*at),
            _ => None,
        }
    }
}

/// What was found, or `None` if it cannot be written down.
pub(crate) fn if_writable<T>(found: Result<T, Error>) -> Result<Option<T>, Error> {
    match found {
        Err(error) if error.is_unwritable() => Ok(None),
        found => found.map(Some),
    }
}

/// A mistake at a place of a text, in characters from the start: where it is, what it is, and below
/// it the line with a mark.
#[must_use]
pub fn marked(mistake: &dyn Display, text: &str, at: usize) -> String {
    // The line of the mistake, and how far into it.
    let (mut number, mut column, mut found) = (1, at, "");
    for line in text.split('\n') {
        let length = line.chars().count();
        found = line;
        if column <= length {
            break;
        }
        (number, column) = (number + 1, column - length - 1);
    }
    let many = text.trim_end().contains('\n');
    let line = if many { format!("line {number}, ") } else { String::new() };
    let found: String = found.trim_end().replace(char::is_control, " ");
    let column = column + 1;
    format!("at {line}column {column}: {mistake}\n  {found}\n  {:>column$}", '^')
}
