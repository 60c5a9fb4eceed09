//! The answer to the main question.

use core::fmt;

use crate::view::View;
use crate::witness::Witness;

/// Whether a chain of views is one view: the view, or a witness that there is none.
///
/// In serde formats it is `{"mergeable":true,"view":..}` or
/// `{"mergeable":false,"witness":..}`.
///
/// ```
/// use viewmerge::{Limit, Verdict, View, merge};
///
/// let rows: View = "(10,3,3):(8,1,2)".parse()?;
/// match merge(&[rows, "(4):(4)".parse()?], &Limit::none())? {
///     Verdict::Merged(view) => assert_eq!(view.to_string(), "(4):(3)"),
///     Verdict::NotMergeable(witness) => panic!("{witness}"),
/// }
/// # Ok::<(), viewmerge::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "json::Parts", into = "json::Parts"))]
#[must_use]
pub enum Verdict {
    /// The chain is the same function as this view.
    Merged(View),
    /// No single view is the same function; the witness shows it.
    NotMergeable(Witness),
}

impl From<View> for Verdict {
    fn from(view: View) -> Verdict {
        Verdict::Merged(view)
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Verdict::Merged(view) => write!(f, "one view: {view}"),
            Verdict::NotMergeable(witness) => write!(f, "not one view: {witness}"),
        }
    }
}

impl Verdict {
    /// Whether one view was found.
    ///
    /// ```
    /// let chain: viewmerge::ViewChain = "(2,3) | (6)".parse()?;
    /// assert!(chain.merge()?.is_merged());
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    #[must_use]
    pub fn is_merged(&self) -> bool {
        matches!(self, Verdict::Merged(_))
    }

    /// The one view, if there is one.
    ///
    /// ```
    /// use viewmerge::View;
    ///
    /// assert!(View::contiguous(&[6])?.reshape(&[2, 3])?.view().is_some());
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    #[must_use]
    pub fn view(&self) -> Option<&View> {
        if let Verdict::Merged(view) = self { Some(view) } else { None }
    }

    /// The one view, if there is one, by value.
    ///
    /// ```
    /// let chain: viewmerge::ViewChain = "(2,3) | (6)".parse()?;
    /// assert_eq!(chain.merge()?.into_view(), Some("(6)".parse()?));
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    #[must_use]
    pub fn into_view(self) -> Option<View> {
        if let Verdict::Merged(view) = self { Some(view) } else { None }
    }

    /// The witness, if there is no single view.
    ///
    /// ```
    /// use viewmerge::View;
    ///
    /// let transposed: View = "(2,2):(1,2)".parse()?;
    /// let verdict = transposed.reshape(&[4])?;
    /// assert_eq!(
    ///     verdict.witness().unwrap().to_string(),
    ///     "the step along axis 0 is +2 at (0), but −1 at (1)",
    /// );
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    #[must_use]
    pub fn witness(&self) -> Option<&Witness> {
        if let Verdict::NotMergeable(witness) = self { Some(witness) } else { None }
    }
}

/// Which part of the solver gave an answer; they are tried in this order.
///
/// ```
/// use viewmerge::diagnostics::Rung;
/// use viewmerge::{Limit, ViewChain};
///
/// let chain: ViewChain = "(10,3,3):(8,1,2) | (4):(4)".parse()?;
/// assert_eq!(chain.decide(&Limit::none())?.rung, Rung::ClosedForm);
/// # Ok::<(), viewmerge::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum Rung {
    /// There was nothing to decide: the views below are contiguous, or nothing is valid.
    Plain,
    /// One pass over the whole box: every floor is affine there, or a mask leaves a hole.
    OnePass,
    /// A closed form: the jumps of the levels that overflow have no relation, or two of them cancel.
    ClosedForm,
    /// A check of every index, where they are few for their number of digits.
    Walk,
    /// The integer system.
    System,
}

/// A verdict, and which part of the solver gave it.
///
/// ```
/// use viewmerge::diagnostics::Rung;
/// use viewmerge::{Limit, ViewChain};
///
/// let decided = "(2,3) | (6)".parse::<ViewChain>()?.decide(&Limit::none())?;
/// assert!(decided.verdict.is_merged());
/// assert_eq!(decided.rung, Rung::Plain);
/// # Ok::<(), viewmerge::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Decided {
    /// The answer.
    pub verdict: Verdict,
    /// What gave it.
    pub rung: Rung,
}

#[cfg(feature = "serde")]
mod json {
    //! How a verdict is written.

    use super::{Verdict, View, Witness};

    #[derive(serde::Serialize, serde::Deserialize)]
    pub(super) struct Parts {
        mergeable: bool,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        view: Option<View>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        witness: Option<Witness>,
    }

    impl From<Verdict> for Parts {
        fn from(verdict: Verdict) -> Parts {
            let (mergeable, witness) = (verdict.is_merged(), verdict.witness().cloned());
            Parts { mergeable, view: verdict.into_view(), witness }
        }
    }

    impl TryFrom<Parts> for Verdict {
        type Error = &'static str;

        fn try_from(parts: Parts) -> Result<Verdict, &'static str> {
            match (parts.mergeable, parts.view, parts.witness) {
                (true, Some(view), None) => Ok(Verdict::Merged(view)),
                (false, None, Some(witness)) => Ok(Verdict::NotMergeable(witness)),
                _ => Err("a verdict has a view if it is mergeable, and a witness if it is not"),
            }
        }
    }
}
