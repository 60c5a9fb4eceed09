//! What a certificate shows.

use std::fmt;

use crate::certificate::{Certificate, Content, Witness};
use crate::expression::{Pair, Partial, Variable};
use crate::number::{Integer, Tuple};
use crate::sizes::Always;
use crate::view::{Mask, View, Views};

/// The claim of a certificate that holds. All chains in it compose, except in [`Shown::Apart`].
///
/// ```
/// use viewmerge_verify::{Shown, verify};
///
/// let text = r#"{"views":[{"shape":[0],"strides":[7],"offset":1,"mask":null}],
///     "merged":{"shape":[0],"strides":[0],"offset":0,"mask":null},"proofs":[]}"#;
/// let shown = verify(text)?;
/// assert_eq!((shown.kind(), shown.views().len()), ("is_view", 1));
/// assert_eq!(shown.to_string(), "(0):(7)+1 is (0):(0)");
/// # Ok::<(), viewmerge_verify::Refusal>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Shown {
    /// The chain is the same function as a view.
    IsView {
        /// The chain, memory side first.
        views: Vec<View>,
        /// The view.
        merged: View,
    },
    /// No index of the chain is valid.
    NothingValid {
        /// The chain.
        views: Vec<View>,
    },
    /// No single view is the same function as the chain.
    NotOneView {
        /// The chain.
        views: Vec<View>,
        /// Why not.
        witness: Witness,
    },
    /// Two chains are the same function.
    Equal {
        /// The first chain.
        views: Vec<View>,
        /// The second chain.
        other: Vec<View>,
    },
    /// Two chains are not the same function.
    Different {
        /// The first chain.
        views: Vec<View>,
        /// The second chain.
        other: Vec<View>,
        /// An index at which they differ; `None` if the shapes do.
        at: Option<Vec<Integer>>,
    },
    /// The views do not compose.
    Apart {
        /// The views, memory side first.
        views: Vec<View>,
        /// The number of the view that points outside the one below it, counted from 0.
        view: Integer,
        /// A valid index of that view that does so.
        index: Vec<Integer>,
    },
    /// Two indices of the chain have the same position.
    NotInjective {
        /// The chain.
        views: Vec<View>,
        /// The two indices.
        indices: [Vec<Integer>; 2],
    },
    /// Two index expressions are the same: they are defined at the same points, and have the same value
    /// there.
    EqualExpressions {
        /// The variables of both.
        variables: Vec<Variable>,
        /// The first, and where it is defined.
        one: Partial,
        /// The second.
        two: Partial,
    },
    /// Two index expressions are not the same.
    DifferentExpressions {
        /// The variables of both.
        variables: Vec<Variable>,
        /// The first, and where it is defined.
        one: Partial,
        /// The second.
        two: Partial,
        /// A point where they differ.
        at: Vec<Integer>,
    },
    /// A chain whose numbers are polynomials is one view, for all values of the variables.
    AlwaysIsView(Box<Always>),
}

impl Shown {
    /// The kind as a word, for programs: `is_view`, `nothing_valid`, `not_one_view`, `equal`,
    /// `different`, `apart`, `not_injective`, `equal_expressions` or `different_expressions`.
    ///
    /// ```
    /// use viewmerge_verify::verify;
    ///
    /// let text = r#"{"views":[{"shape":[2],"strides":[1],"offset":0,"mask":null}],
    ///     "other":[{"shape":[3],"strides":[1],"offset":0,"mask":null}],"differ":null}"#;
    /// assert_eq!(verify(text)?.kind(), "different");
    /// # Ok::<(), viewmerge_verify::Refusal>(())
    /// ```
    pub fn kind(&self) -> &'static str {
        match self {
            Shown::IsView { .. } => "is_view",
            Shown::NothingValid { .. } => "nothing_valid",
            Shown::NotOneView { .. } => "not_one_view",
            Shown::Equal { .. } => "equal",
            Shown::Different { .. } => "different",
            Shown::Apart { .. } => "apart",
            Shown::NotInjective { .. } => "not_injective",
            Shown::EqualExpressions { .. } => "equal_expressions",
            Shown::DifferentExpressions { .. } => "different_expressions",
            Shown::AlwaysIsView(_) => "always_is_view",
        }
    }

    /// Its chain (of two, the one called `views`), memory side first; empty if it is about expressions.
    ///
    /// ```
    /// use viewmerge_verify::verify;
    ///
    /// let text = r#"{"views":[{"shape":[2],"strides":[1],"offset":0,"mask":"nothing"}],
    ///     "merged":{"shape":[2],"strides":[0],"offset":0,"mask":"nothing"},"proofs":[]}"#;
    /// assert_eq!(verify(text)?.views()[0].to_string(), "(2) nothing");
    /// # Ok::<(), viewmerge_verify::Refusal>(())
    /// ```
    pub fn views(&self) -> &[View] {
        match self {
            Shown::IsView { views, .. }
            | Shown::NothingValid { views }
            | Shown::NotOneView { views, .. }
            | Shown::Equal { views, .. }
            | Shown::Apart { views, .. }
            | Shown::NotInjective { views, .. }
            | Shown::Different { views, .. } => views,
            Shown::EqualExpressions { .. }
            | Shown::DifferentExpressions { .. }
            | Shown::AlwaysIsView(_) => &[],
        }
    }
}

impl From<Certificate> for Shown {
    /// What the certificate shows, if it holds.
    fn from(Certificate { views, content, .. }: Certificate) -> Shown {
        match content {
            Content::Merged { merged, .. } if merged.mask == Mask::Nothing => {
                Shown::NothingValid { views }
            }
            Content::Merged { merged, .. } => Shown::IsView { views, merged },
            Content::Witness(witness) => Shown::NotOneView { views, witness },
            Content::Equal { other, .. } => Shown::Equal { views, other },
            Content::Differ { other, differ } => Shown::Different { views, other, at: differ },
            Content::Apart { view, index } => Shown::Apart { views, view, index },
            Content::Always(proof) => Shown::AlwaysIsView(Box::new(proof.always)),
            Content::Collision(indices) => Shown::NotInjective { views, indices },
            Content::EqualExpressions { pair, .. } => {
                let Pair { variables, one, two } = *pair;
                Shown::EqualExpressions { variables, one, two }
            }
            Content::DifferentExpressions { pair, differ } => {
                let Pair { variables, one, two } = *pair;
                Shown::DifferentExpressions { variables, one, two, at: differ }
            }
        }
    }
}

impl fmt::Display for Shown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", Views(self.views()))?;
        let of = |variables: &[Variable]| {
            let variables: Vec<String> = variables.iter().map(Variable::to_string).collect();
            if variables.is_empty() {
                String::new()
            } else {
                format!(" for {}", variables.join(", "))
            }
        };
        match self {
            Shown::AlwaysIsView(always) => write!(f, "{always}"),
            Shown::IsView { merged, .. } => write!(f, " is {merged}"),
            Shown::NothingValid { .. } => f.write_str(" has no valid index"),
            Shown::NotOneView { witness, .. } => write!(f, " is not one view: {witness}"),
            Shown::Equal { other, .. } => write!(f, " is the same as {}", Views(other)),
            Shown::Different { other, at, .. } => {
                write!(f, " computes a different function than {}: ", Views(other))?;
                match at {
                    None => f.write_str("the shapes differ"),
                    Some(index) => write!(f, "they differ at {}", Tuple(index)),
                }
            }
            Shown::Apart { view, index, .. } => {
                write!(f, " does not compose: index {} of view {view} points outside", Tuple(index))
            }
            Shown::NotInjective { indices: [one, other], .. } => {
                write!(
                    f,
                    " is not injective: {} and {} are the same place",
                    Tuple(one),
                    Tuple(other)
                )
            }
            Shown::EqualExpressions { variables, one, two } => {
                let (one, two) = (one.named(variables), two.named(variables));
                write!(f, "{one} is the same as {two}{}", of(variables))
            }
            Shown::DifferentExpressions { variables, one, two, at } => {
                let (one, two, of) = (one.named(variables), two.named(variables), of(variables));
                write!(
                    f,
                    "{one} computes a different function than {two}{of}: they differ at {}",
                    Tuple(at)
                )
            }
        }
    }
}

/// A number with its sign: `+3`, `−2`.
struct Signed<'a>(&'a Integer);

impl fmt::Display for Signed<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let number = self.0.to_string();
        match number.strip_prefix('-') {
            Some(size) => write!(f, "−{size}"),
            None => write!(f, "+{number}"),
        }
    }
}

impl fmt::Display for Witness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Witness::Step { axis, at, step, other, other_step } => write!(
                f,
                "the step along axis {axis} is {} at {}, but {} at {}",
                Signed(step),
                Tuple(at),
                Signed(other_step),
                Tuple(other)
            ),
            Witness::Hole { valid: [one, other], invalid } => write!(
                f,
                "{} and {} are valid, but {} between them is padding",
                Tuple(one),
                Tuple(other),
                Tuple(invalid)
            ),
        }
    }
}
