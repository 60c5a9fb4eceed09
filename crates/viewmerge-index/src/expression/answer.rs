//! The answers to questions about expressions.

use alloc::vec::Vec;
use core::fmt;

use super::input::Expression;
use super::normal::{Ranges, normal};
use super::tree::Expr;
use viewmerge::Error;

/// What [`Domain::simplify`](crate::Domain::simplify) found.
///
/// ```
/// use viewmerge::Limit;
/// use viewmerge_index::Domain;
///
/// let domain = Domain::new(&[("i", 0, 99)])?;
/// let simple = domain.simplify(&"i // 2 // 5 + 0*i".parse()?, &Limit::none())?;
/// assert_eq!(simple.to_string(), "i // 10");
/// assert_eq!((simple.expression().divisions(), simple.is_decided()), (1, true));
/// # Ok::<(), viewmerge::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Simplified {
    pub(super) expression: Expression,
    pub(super) condition: Option<Expression>,
    pub(super) decided: bool,
}

/// What [`Domain::equal`](crate::Domain::equal) found.
///
/// ```
/// use viewmerge::Limit;
/// use viewmerge_index::{Domain, Same};
///
/// let domain = Domain::new(&[("i", 0, 5)])?;
/// let found = domain.equal(&"i".parse()?, &"i % 5".parse()?, &Limit::none())?;
/// assert_eq!(found, Same::No { point: vec![5], values: (Some(5), Some(0)) });
/// # Ok::<(), viewmerge::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Same {
    /// They are defined at the same points and have the same values there.
    Yes,
    /// They do not.
    No {
        /// A point where they differ, in the order of the domain's variables.
        point: Vec<i64>,
        /// Their values there; `None` for one that is not defined there. A condition is 1 or 0.
        values: (Option<i128>, Option<i128>),
    },
}

/// The least and the greatest value of an expression, and where it takes them.
///
/// Over variables whose ranges have no end there may be no least or no greatest value.
///
/// ```
/// use viewmerge::Limit;
/// use viewmerge_index::Domain;
///
/// let domain = Domain::new(&[("i", 0, 99)])?;
/// let range = domain.range(&"i % 7 - i // 50".parse()?, &Limit::none())?.unwrap();
/// assert_eq!((range.least, range.greatest), (Some(-1), Some(6)));
/// let domain = Domain::with_ranges(&[("i", Some(0), None)])?;
/// let range = domain.range(&"i % 7 - i // 50".parse()?, &Limit::none())?.unwrap();
/// assert_eq!((range.least, range.greatest), (None, Some(6)));
/// # Ok::<(), viewmerge::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Extremes {
    /// The least value; `None` if there are values below every number.
    pub least: Option<i128>,
    /// A point where it is taken, in the order of the domain's variables.
    pub least_at: Option<Vec<i64>>,
    /// The greatest value; `None` if there are values above every number.
    pub greatest: Option<i128>,
    /// A point where it is taken.
    pub greatest_at: Option<Vec<i64>>,
}

/// An expression, and where it is defined: everywhere without a condition.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Partial {
    pub value: Expr,
    pub valid: Option<Expr>,
}

impl Partial {
    pub(super) fn new(value: Expr, valid: Expr) -> Partial {
        Partial { value, valid: Some(valid) }
    }

    /// The normal form where variables have ranges.
    pub(crate) fn normal(&self, ranges: Ranges<'_>) -> Result<Partial, Error> {
        let valid = self.valid.as_ref().map(|valid| normal(valid, ranges)).transpose()?;
        Ok(Partial { value: normal(&self.value, ranges)?, valid })
    }

    /// The same as a number.
    pub(crate) fn into_value(self) -> Partial {
        Partial { value: self.value.into_value(), ..self }
    }

    /// Where it is defined, as a condition.
    pub(super) fn condition(&self) -> &Expr {
        static ALWAYS: Expr = Expr::Always(true);
        self.valid.as_ref().unwrap_or(&ALWAYS)
    }

    /// The value at a point, if it is defined there.
    pub(super) fn at(&self, point: &[i64]) -> Option<i128> {
        self.condition().holds(point).then(|| self.value.at(point)).flatten()
    }
}

impl Simplified {
    /// The expression, over the variables of the domain.
    ///
    /// ```
    /// use viewmerge::Limit;
    /// use viewmerge_index::Domain;
    ///
    /// let domain = Domain::new(&[("i", 0, 3)])?;
    /// let simple = domain.simplify(&"i % 4".parse()?, &Limit::none())?;
    /// assert_eq!(simple.expression(), &"i".parse()?);
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    #[must_use]
    pub fn expression(&self) -> &Expression {
        &self.expression
    }

    /// Where it is defined; `None` for everywhere within the ranges.
    ///
    /// ```
    /// use viewmerge::Limit;
    /// use viewmerge_index::Domain;
    ///
    /// let domain = Domain::new(&[("i", 0, 3)])?.valid(&"i < 9".parse()?)?;
    /// let simple = domain.simplify(&"i".parse()?, &Limit::none())?;
    /// assert_eq!(simple.condition(), None);
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    #[must_use]
    pub fn condition(&self) -> Option<&Expression> {
        self.condition.as_ref()
    }

    /// Whether it was settled; otherwise it is as it was given.
    ///
    /// ```
    /// use viewmerge::Limit;
    /// use viewmerge_index::Domain;
    ///
    /// let domain = Domain::new(&[("i", 0, 3)])?;
    /// assert!(domain.simplify(&"i % 4".parse()?, &Limit::none())?.is_decided());
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    #[must_use]
    pub fn is_decided(&self) -> bool {
        self.decided
    }
}

/// The expression, as Python writes it.
impl fmt::Display for Simplified {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.expression.fmt(f)
    }
}
