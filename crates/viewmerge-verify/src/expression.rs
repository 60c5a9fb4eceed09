//! Certificates about index expressions: their claims, and whether these hold.
//!
//! A certificate compares two expressions of the same variables, each with a condition under which it is
//! defined. They are the same if, for every way their choices can go, four systems have no integer
//! point: the first is above the second, or below it, or is defined where the second is not, or the other
//! way round. They differ if they differ at the given point, where both are evaluated.
//!
//! Example: `i // 2 * 2 + i % 2` and `i`. The variables are i and q, row 1 is 0 ≤ i − 2q ≤ 1, and row 2 of
//! `above` is 2q + (i − 2q) − i ≥ 1, which says 0 ≥ 1.

mod read;
mod tree;
mod ways;

use std::fmt;

use crate::budget::Budget;
use crate::claim::{Claim, Question};
use crate::number::Integer;
use crate::proofs::Proofs;
use crate::refusal::{Failure, Refusal, TooLarge};
use ways::Choices;

pub(crate) use read::{NAME, is_name, variables};

pub(crate) use read::HalfRead;
pub use tree::{Expression, Relation, Term};

/// A variable and its range, ends included; a missing end does not bound it.
///
/// ```
/// use viewmerge_verify::Variable;
///
/// let variable = Variable { name: "i".into(), first: Some(0.into()), last: None };
/// assert_eq!(variable.to_string(), "0 <= i");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Variable {
    /// The name.
    pub name: String,
    /// The least value.
    pub first: Option<Integer>,
    /// The greatest value.
    pub last: Option<Integer>,
}

impl fmt::Display for Variable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(first) = &self.first {
            write!(f, "{first} <= ")?;
        }
        f.write_str(&self.name)?;
        match &self.last {
            Some(last) => write!(f, " <= {last}"),
            None => Ok(()),
        }
    }
}

/// An expression, and where it is defined.
///
/// ```
/// use viewmerge_verify::{Shown, verify};
///
/// let text = r#"{"variables":[["i",0,9]],"one":{"value":"i","valid":["<","i",5]},
///     "two":{"value":"i","valid":null},"differ":[7]}"#;
/// let Ok(Shown::DifferentExpressions { variables, one, two, .. }) = verify(text) else { panic!("!") };
/// assert!(one.valid.is_some() && two.valid.is_none());
/// assert_eq!(one.named(&variables).to_string(), "i if i < 5");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Partial {
    /// The value.
    pub value: Expression,
    /// The condition under which it is defined; `None` if it always is.
    pub valid: Option<Expression>,
}

impl Partial {
    /// The value at a point; `None` if it is not defined there.
    fn at(&self, point: &[Integer], budget: &Budget) -> Result<Option<Integer>, TooLarge> {
        if let Some(valid) = &self.valid
            && valid.at(point, budget)?.is_zero()
        {
            return Ok(None);
        }
        self.value.at(point, budget).map(Some)
    }

    fn parts_mut(&mut self) -> impl Iterator<Item = &mut Expression> {
        std::iter::once(&mut self.value).chain(&mut self.valid)
    }

    /// The expression with these names for its variables, printed as Python.
    ///
    /// ```
    /// # use viewmerge_verify::{Shown, verify};
    /// # let text = r#"{"variables":[["i",0,9]],"one":{"value":"i","valid":null},"two":{"value":3,"valid":null},"differ":[7]}"#;
    /// let Ok(Shown::DifferentExpressions { variables, one, .. }) = verify(text) else { panic!("!") };
    /// assert_eq!(one.named(&variables).to_string(), "i");
    /// ```
    pub fn named<'a>(&'a self, variables: &'a [Variable]) -> impl fmt::Display + 'a {
        Named { partial: self, variables }
    }
}

/// An expression, and the names of its variables.
struct Named<'a> {
    partial: &'a Partial,
    variables: &'a [Variable],
}

impl fmt::Display for Named<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let value = self.partial.value.named(self.variables);
        match &self.partial.valid {
            None => write!(f, "{value}"),
            Some(valid) => {
                let valid = valid.named(self.variables);
                match self.partial.value.root() {
                    // Brackets, so that its own `if` is not mistaken for this one.
                    Term::Where(..) => write!(f, "({value}) if {valid}"),
                    _ => write!(f, "{value} if {valid}"),
                }
            }
        }
    }
}

/// Two expressions of the same variables.
pub(crate) struct Pair {
    pub(crate) variables: Vec<Variable>,
    pub(crate) one: Partial,
    pub(crate) two: Partial,
}

impl Pair {
    /// Whether the two are shown to be the same.
    pub(crate) fn are_equal(&self, mut proofs: Proofs<'_>) -> Result<(), Refusal> {
        let budget = proofs.budget;
        let ranges = self.ranges(budget)?;
        for question in Question::ALL {
            let mut choices = Choices::default();
            let mut case = 0;
            loop {
                let held = budget.held();
                if let Some(way) = self.way(question, &mut choices, budget)? {
                    let claim = Claim::Case { question, case };
                    let root = proofs.root(&claim)?;
                    proofs.check(&claim, root, way.variables, way.rows(&ranges))?;
                    case += 1;
                }
                budget.release(held);
                if !choices.advance() {
                    break;
                }
            }
        }
        Ok(proofs.end()?)
    }

    /// Whether the two differ at the point.
    pub(crate) fn are_different(&self, point: &[Integer], budget: &Budget) -> Result<(), Refusal> {
        let within = |(x, variable): (&Integer, &Variable)| {
            variable.first.as_ref().is_none_or(|first| first <= x)
                && variable.last.as_ref().is_none_or(|last| x <= last)
        };
        let fits =
            point.len() == self.variables.len() && point.iter().zip(&self.variables).all(within);
        if !fits {
            return Err(Failure::OutsideRanges { point: point.to_vec() }.into());
        }
        if self.one.at(point, budget)? == self.two.at(point, budget)? {
            return Err(Failure::SameValue { point: point.to_vec() }.into());
        }
        Ok(())
    }
}
