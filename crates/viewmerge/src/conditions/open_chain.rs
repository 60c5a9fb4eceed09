//! A chain whose view next to memory has open strides: `(10,3,3):(?,?,1) | (6):(4)`.

use alloc::string::ToString;
use alloc::vec::Vec;

use core::fmt;
use core::str::FromStr;

use super::{Conditions, StridePattern};
use crate::chain::ViewChain;
use crate::chain::notation::{place, read_on};
use crate::dims::{Index, unravel_within};
use crate::error::Error;
use crate::limit::Limit;
use crate::merge::check_chain;
use crate::path::value_at;
use crate::view::View;

/// A view with some strides open, and the views above it.
///
/// Only the view next to memory may be open. The strides of a view above it
/// decide which positions are reached, and so which digits overflow: with them
/// open the conditions are no longer linear. They are taken case by case by
/// [`conditions_by_case`](crate::conditions_by_case).
///
/// ```
/// use viewmerge::{Limit, OpenChain};
///
/// // The strides of a matrix whose transpose can be flattened.
/// let chain: OpenChain = "(2,3) | permute(1,0) | reshape(6)".parse()?;
/// assert_eq!(chain.to_string(), "(2,3):(?,?) | (3,2):(1,3) | (6):(1)");
/// assert_eq!(chain.conditions(&Limit::none())?.solved(), ["σ₂ = 2σ₁"]);
/// # Ok::<(), viewmerge::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "Parts"))]
pub struct OpenChain {
    below: StridePattern,
    /// Invariant: at least one, and each composes with what is below it.
    above: Vec<View>,
}

/// How an open chain is read.
#[cfg(feature = "serde")]
#[derive(serde::Deserialize)]
struct Parts {
    below: StridePattern,
    above: Vec<View>,
}

#[cfg(feature = "serde")]
impl TryFrom<Parts> for OpenChain {
    type Error = Error;

    fn try_from(parts: Parts) -> Result<OpenChain, Error> {
        OpenChain::new(parts.below, &parts.above)
    }
}

impl OpenChain {
    /// A pattern and the views above it, memory side first, if they compose. Without
    /// views, the elements are read in order.
    ///
    /// # Errors
    ///
    /// [`Error::NotComposable`] if a view points outside what is below it.
    ///
    /// ```
    /// use viewmerge::{Limit, OpenChain};
    ///
    /// let chain = OpenChain::new("(4,6)".parse()?, &["(24)".parse()?])?;
    /// assert_eq!(chain.conditions(&Limit::none())?.solved(), ["σ₁ = 6σ₂"]);
    /// assert!(OpenChain::new("(4,6)".parse()?, &["(25)".parse()?]).is_err());
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    pub fn new(below: StridePattern, above: &[View]) -> Result<OpenChain, Error> {
        let mut views = vec![below.frame().clone()];
        views.extend_from_slice(above);
        if above.is_empty() {
            views.push(View::contiguous(below.shape())?);
        }
        check_chain(&views)?;
        Ok(OpenChain { below, above: views.split_off(1) })
    }

    /// The view next to memory.
    ///
    /// ```
    /// let chain: viewmerge::OpenChain = "(10,3,3):(?,?,1) | (6):(4)".parse()?;
    /// assert_eq!(chain.below().strides(), [None, None, Some(1)]);
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    #[must_use]
    pub fn below(&self) -> &StridePattern {
        &self.below
    }

    /// The views above it, memory side first; at least one.
    ///
    /// ```
    /// let chain: viewmerge::OpenChain = "(10,3,3) | (6):(4) | flip(0)".parse()?;
    /// assert_eq!(chain.above()[0].to_string(), "(6):(-4)+20");
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    #[must_use]
    pub fn above(&self) -> &[View] {
        &self.above
    }

    /// The view the user indexes.
    pub(crate) fn last(&self) -> &View {
        &self.above[self.above.len() - 1]
    }

    /// The strides for which the chain is one view.
    ///
    /// # Errors
    ///
    /// [`Error::Undecided`] if the limit is reached first, [`Error::ConditionsTooLarge`],
    /// [`Error::OffsetRange`] and [`Error::IndexRange`] if strides that would have to be
    /// tried leave the bounds of a [`View`].
    ///
    /// ```
    /// use viewmerge::{Limit, OpenChain};
    ///
    /// let chain: OpenChain = "(10,3,3) | (6):(4)".parse()?;
    /// assert_eq!(chain.conditions(&Limit::none())?.solved(), ["σ₁ = 9σ₃", "σ₂ = 3σ₃"]);
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    pub fn conditions(&self, limit: &Limit<'_>) -> Result<Conditions, Error> {
        Conditions::of(self, &mut limit.meter())
    }

    /// All views below the last, with this one next to memory.
    pub(crate) fn below_last(&self, lowest: &View) -> Vec<View> {
        let (_, between) = self.above.split_last().unwrap_or((lowest, &[]));
        core::iter::once(lowest).chain(between).cloned().collect()
    }

    /// The linear position in the open view that an index of the last view leads to; `None` if
    /// any view rejects it, the open one included.
    pub(crate) fn position(&self, index: &[i64]) -> Option<i64> {
        let position = value_at(&self.above, index)?;
        self.below.frame().at(position).ok()?.map(|_| position)
    }

    /// How the digits in the open view move from an index to the next along an axis; `None` if one of the
    /// two is padding.
    pub(crate) fn digit_step(&self, axis: usize, from: &Index) -> Option<Vec<i64>> {
        let digits = |index| Some(unravel_within(self.below.shape(), self.position(index)?));
        let (before, after) = (digits(from)?, digits(&from.moved(axis, 1))?);
        Some(after.iter().zip(&before).map(|(after, before)| after - before).collect())
    }
}

impl fmt::Display for OpenChain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.below)?;
        self.above.iter().try_for_each(|view| write!(f, " | {view}"))
    }
}

impl FromStr for OpenChain {
    type Err = Error;

    /// Reads a chain whose first view may have `?` for a stride; strides left out are all open.
    fn from_str(text: &str) -> Result<OpenChain, Error> {
        let mut items = text.split('|');
        let first = items.next().unwrap_or_default();
        let pattern: StridePattern = first.parse()?;
        // The elements as they are, for ops to act on.
        let chain = ViewChain::contiguous(pattern.shape()).map_err(|e| place(e, 0))?;
        let start = first.chars().count() + 1;
        if let Some(at) = text.chars().skip(start).position(|c| c == '?') {
            return Err(Error::Syntax {
                at: start + at,
                expected: "a number, since only the view next to memory may have open strides \
                           in a chain",
                found: "`?`".to_string(),
            });
        }
        let chain = read_on(chain, start, items, ViewChain::apply)?;
        let views = match chain.views() {
            [same, above @ ..] if !above.is_empty() && same.is_contiguous() => above,
            views => views,
        };
        OpenChain::new(pattern, views)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items() {
        let rows = [
            ("(10,3,3):(?,?,1)+2|(6):(4)", "(10,3,3):(?,?,1)+2 | (6):(4)"),
            ("(2,3)", "(2,3):(?,?) | (2,3):(3,1)"),
            ("(2,3) | permute(1,0)", "(2,3):(?,?) | (3,2):(1,3)"),
            ("(2,3) | permute(1,0) | reshape(6)", "(2,3):(?,?) | (3,2):(1,3) | (6):(1)"),
            ("(2,3) | reshape(6) | (2):(3)", "(2,3):(?,?) | (2):(3)"),
            ("(3,4) [1:3,0:4] | (12) | flip(0)", "(3,4):(?,?) [1:3,0:4] | (12):(-1)+11"),
        ];
        for (text, printed) in rows {
            assert_eq!(text.parse::<OpenChain>().expect(text).to_string(), printed, "{text}");
        }
        let mistakes = [
            ("(2,3):(x,1) | (6)", 7, "syntax"),
            ("(2,3):(?,1,1) | (6)", 6, "rank_mismatch"),
            ("(2,3):(?,1) [0:1,2:4] | (6)", 19, "mask_outside"),
            ("(2,3):(?,1) | permute(1,1)", 24, "repeated_axis"),
            ("(2,3) | (7)", 8, "not_composable"),
            ("(2,3) | roll(1)", 8, "unknown_op"),
            ("(4,6) | (4):(?)", 13, "syntax"),
        ];
        for (text, at, kind) in mistakes {
            let error = text.parse::<OpenChain>().expect_err(text);
            assert_eq!((error.at(), error.kind()), (Some(at), kind), "{text}: {error}");
        }
    }

    #[test]
    fn views_between_are_gone_through() {
        // Every third element of a transpose that is flattened: a column.
        let column: OpenChain =
            "(3,4) | permute(1,0) | reshape(12) | (4):(3)".parse().expect("reads");
        let found = column.conditions(&Limit::none()).expect("small");
        assert!(found.equations().is_empty());
        assert_eq!(found.merged_strides(), ["σ₂"]);
        let all: OpenChain = "(3,4) | permute(1,0) | reshape(12)".parse().expect("reads");
        assert_eq!(all.conditions(&Limit::none()).expect("small").solved(), ["σ₂ = 3σ₁"]);
    }
}
