//! What an error can tell: its kind, where it is, and the text it is about.

use alloc::string::String;
use core::fmt::{self, Display};

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
            Error::RankMismatch { .. } => "rank_mismatch",
            Error::NegativeSize { .. } => "negative_size",
            Error::TooManyElements { .. } => "too_many_elements",
            Error::MaskOutside { .. } => "mask_outside",
            Error::MaskReversed { .. } => "mask_reversed",
            Error::OffsetRange { .. } => "offset_range",
            Error::IndexRange { .. } => "index_range",
            Error::NumberRange { .. } => "number_range",
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
            Error::AxisOutOfRange { .. } => "axis_out_of_range",
            Error::RepeatedAxis { .. } => "repeated_axis",
            Error::ReshapeCount { .. } => "reshape_count",
            Error::TwoInferred { .. } => "two_inferred",
            Error::CannotInfer { .. } => "cannot_infer",
            Error::CannotExpand { .. } => "cannot_expand",
            Error::ExpandRank { .. } => "expand_rank",
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

    /// The message, and below it the text that was read with a mark under the mistake.
    ///
    /// ```
    /// let text = "(2,3):(3,x)";
    /// let mistyped = text.parse::<viewmerge::View>().unwrap_err();
    /// assert_eq!(
    ///     mistyped.with_source(text).to_string(),
    ///     "at column 10: expected a number, found `x`\n  (2,3):(3,x)\n           ^",
    /// );
    /// let text = "(2,3) |\n  permute(0,0)";
    /// let refused = text.parse::<viewmerge::ViewChain>().unwrap_err();
    /// assert_eq!(
    ///     refused.with_source(text).to_string(),
    ///     "at line 2, column 13: permute: axis 0 is named twice, each axis may be named once\n    permute(0,0)\n              ^",
    /// );
    /// ```
    #[must_use]
    pub fn with_source<'a>(&'a self, text: &'a str) -> WithSource<'a> {
        WithSource { error: self, text }
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

    /// The message without the place.
    fn write_mistake(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Syntax { expected, found, .. } => {
                write!(f, "expected {expected}, found {found}")
            }
            Error::InText { error, .. } => error.fmt(f),
            error => error.fmt(f),
        }
    }
}

/// An error beside the text it is about: [`Error::with_source`].
///
/// ```
/// let refused = viewmerge::View::contiguous(&[-1]).unwrap_err();
/// // Without a place in the text there is no mark.
/// assert_eq!(refused.with_source("(-1)").to_string(), refused.to_string());
/// ```
#[derive(Debug, Clone, Copy)]
pub struct WithSource<'a> {
    error: &'a Error,
    text: &'a str,
}

impl Display for WithSource<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(at) = self.error.at() else { return self.error.fmt(f) };
        // The line of the mistake, and how far into it.
        let mut column = at;
        for (number, line) in self.text.split('\n').enumerate() {
            let length = line.chars().count();
            if column <= length {
                if self.text.trim_end().contains('\n') {
                    write!(f, "at line {}, column {}: ", number + 1, column + 1)?;
                    self.error.write_mistake(f)?;
                } else {
                    self.error.fmt(f)?;
                }
                // Every character in its place, none that moves the cursor.
                let line: String = line.trim_end().replace(char::is_control, " ");
                return write!(f, "\n  {line}\n  {:>width$}", '^', width = column + 1);
            }
            column -= length + 1;
        }
        self.error.fmt(f)
    }
}
