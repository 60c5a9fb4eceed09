//! Certificates for all sizes: a chain whose numbers are polynomials is one view, whatever the values.
//!
//! The box of the merged view is followed down through the views. Where a view has a jump or a mask, the
//! certificate states the floor of the position as a form in the index, and shows that the remainder stays
//! between 0 and the modulus. All of this reduces to polynomials that are not negative; each is written as
//! a sum of products of factors that are not negative.

mod check;
mod polynomial;
mod read;

use std::fmt;

use crate::claim::Side;
use crate::expression::Variable;
use crate::number::Integer;

pub use polynomial::Polynomial;

/// A view whose numbers are polynomials.
///
/// ```
/// use viewmerge_verify::{Shown, verify};
///
/// let text = r#"{"always":{"variables":[["N",1,null]],"parameters":[],"given":[],
///     "views":[{"shape":[[[1,"N"]]],"strides":[2],"offset":0,"mask":null}],
///     "merged":{"shape":[[[1,"N"]]],"strides":[2],"offset":0,"mask":null},
///     "sizes":[[1,[1],[1,0]]],"composes":[],"clips":[],"floors":[]}}"#;
/// let Ok(Shown::AlwaysIsView(always)) = verify(text) else { panic!("refused") };
/// assert_eq!(always.merged.named(&always.variables).to_string(), "(N):(2)");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PolynomialView {
    /// The sizes.
    pub shape: Vec<Polynomial>,
    /// The strides.
    pub strides: Vec<Polynomial>,
    /// The offset.
    pub offset: Polynomial,
    /// For every axis, the first valid index and one past the last; `None` if all are valid.
    pub mask: Option<Vec<(Polynomial, Polynomial)>>,
}

/// The claim: the chain `views` composes and is the view `merged`, for all values of the variables in
/// their ranges at which no polynomial in `given` is negative.
///
/// The polynomials are in the variables: the parameters of the certificate have been substituted.
///
/// ```
/// use viewmerge_verify::{Shown, verify};
///
/// // N is 2*q: (N):(1) seen through (2,q):(q,1).
/// let text = r#"{"always":{"variables":[["q",1,null]],"parameters":[["N",[[2,"q"]]]],"given":[],
///     "views":[{"shape":[[[1,"N"]]],"strides":[1],"offset":0,"mask":null},
///              {"shape":[2,[[1,"q"]]],"strides":[[[1,"q"]],1],"offset":0,"mask":null}],
///     "merged":{"shape":[2,[[1,"q"]]],"strides":[[[1,"q"]],1],"offset":0,"mask":null},
///     "sizes":[[1,[2],[2,0]],[1,[1],[1,0]]],
///     "composes":[{"down":[],"proofs":[[1,[1],[1,0]],[1,[1,0]],[1],[1]]}],"clips":[],"floors":[[]]}}"#;
/// let shown = verify(text)?;
/// assert_eq!(shown.kind(), "always_is_view");
/// assert_eq!(shown.to_string(), "(2*q):(1) | (2,q):(q,1) is (2,q):(q,1) for 1 <= q, where N is 2*q");
/// # Ok::<(), viewmerge_verify::Refusal>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Always {
    /// The variables with their ranges.
    pub variables: Vec<Variable>,
    /// What the other names stand for.
    pub parameters: Vec<(String, Polynomial)>,
    /// The polynomials that must not be negative for a point to be included.
    pub given: Vec<Polynomial>,
    /// The chain, memory side first.
    pub views: Vec<PolynomialView>,
    /// The view that the chain is.
    pub merged: PolynomialView,
}

impl PolynomialView {
    /// The view in the notation of the library, with these names for its variables.
    ///
    /// ```
    /// use viewmerge_verify::{Polynomial, PolynomialView};
    ///
    /// let (shape, strides) = (vec![Polynomial::number(3.into())], vec![Polynomial::number(2.into())]);
    /// let view = PolynomialView { shape, strides, offset: Polynomial::default(), mask: None };
    /// assert_eq!(view.named(&[]).to_string(), "(3):(2)");
    /// ```
    pub fn named<'a>(&'a self, variables: &'a [Variable]) -> impl fmt::Display + 'a {
        Named { view: self, variables }
    }
}

/// A view, and the names of its variables.
struct Named<'a> {
    view: &'a PolynomialView,
    variables: &'a [Variable],
}

impl fmt::Display for Named<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = |p: &Polynomial| p.named(self.variables).to_string();
        let tuple = |list: &[Polynomial]| list.iter().map(text).collect::<Vec<_>>().join(",");
        let PolynomialView { shape, strides, offset, mask } = self.view;
        write!(f, "({}):({})", tuple(shape), tuple(strides))?;
        match text(offset) {
            zero if zero == "0" => {}
            negative if negative.starts_with('-') => f.write_str(&negative)?,
            positive => write!(f, "+{positive}")?,
        }
        if let Some(mask) = mask {
            let bounds = mask.iter().map(|(lo, hi)| format!("{}:{}", text(lo), text(hi)));
            write!(f, " [{}]", bounds.collect::<Vec<_>>().join(","))?;
        }
        Ok(())
    }
}

impl fmt::Display for Always {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let named = |p: &Polynomial| p.named(&self.variables).to_string();
        for (place, view) in self.views.iter().enumerate() {
            let before = if place == 0 { "" } else { " | " };
            write!(f, "{before}{}", view.named(&self.variables))?;
        }
        write!(f, " is {}", self.merged.named(&self.variables))?;
        let ranges = self.variables.iter().map(Variable::to_string);
        let known = self.given.iter().map(|p| format!("0 <= {}", named(p)));
        let all: Vec<String> = ranges.chain(known).collect();
        if !all.is_empty() {
            write!(f, " for {}", all.join(", "))?;
        }
        for (place, (name, meaning)) in self.parameters.iter().enumerate() {
            let before = if place == 0 { ", where " } else { ", " };
            write!(f, "{before}{name} is {}", named(meaning))?;
        }
        Ok(())
    }
}

/// Shows that a polynomial p is not negative: times·p + j, with 0 ≤ j < times, is a sum of multiples of
/// products of known nonnegative polynomials, given by their numbers.
pub(crate) struct Sum {
    times: Integer,
    terms: Vec<(Integer, Vec<Integer>)>,
}

/// Shows that a form stays in a range on a box: the axes along which it falls, and the inequalities in
/// order.
pub(crate) struct Range {
    down: Vec<Integer>,
    proofs: Vec<Sum>,
}

/// The value of a floor of the position, and that the remainder stays in its range.
pub(crate) struct Floor {
    axis: Integer,
    quotient: Polynomial,
    steps: Vec<Polynomial>,
    range: Range,
}

/// Shows that the first or last indices of an axis are not valid, because they miss a mask.
pub(crate) struct Clip {
    /// The view and the axis with the mask, and which of its ends is missed.
    view: Integer,
    axis: Integer,
    side: Side,
    /// The axis of the last view, from which end, and how many indices.
    along: Integer,
    from: Side,
    cut: Polynomial,
    /// Shows that this number is not negative.
    proof: Sum,
    /// The floors down to that view; the view itself has only the floor of its axis.
    floors: Vec<Vec<Floor>>,
}

/// A certificate for all sizes.
pub(crate) struct Proof {
    pub(crate) always: Always,
    sizes: Vec<Sum>,
    composes: Vec<Range>,
    clips: Vec<Clip>,
    floors: Vec<Vec<Floor>>,
}
