//! Domains: variables with ranges, and a condition on them.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::answer::{Partial, Simplified};
use super::input::Expression;
use super::normal;
use super::open::{NO_FIRST, NO_LAST};
use super::tree::Expr;
use viewmerge::Error;

/// The farthest end of a range.
pub(super) const FARTHEST: i64 = 1 << 60;

/// Variables with ranges, and a condition under which expressions of them are defined.
///
/// ```
/// use viewmerge::Limit;
/// use viewmerge_index::{Domain, Expression};
///
/// // A padded pooling: wherever the expression is defined the quotient is 0.
/// let valid: Expression = "0 <= i - 3 and i - 3 < 7".parse()?;
/// let domain = Domain::new(&[("i", 0, 31)])?.valid(&valid)?;
/// let simple = domain.simplify(&"(i - 3) // 7 + i".parse()?, &Limit::none())?;
/// assert_eq!(simple.to_string(), "i");
/// assert_eq!(simple.condition().unwrap().to_string(), "3 <= i < 10");
/// # Ok::<(), viewmerge::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Domain {
    pub(super) names: Vec<String>,
    /// First and last values; ends that are not there are [`NO_FIRST`] and [`NO_LAST`].
    pub(super) ranges: Vec<(i64, i64)>,
    pub(super) holds: Vec<Expr>,
}

impl Domain {
    /// Variables with their first and last values.
    ///
    /// # Errors
    ///
    /// [`Error::BadRange`] for a range without values, or one that leaves ±2^60, or a name that comes
    /// twice.
    ///
    /// ```
    /// use viewmerge_index::Domain;
    ///
    /// let refused = Domain::new(&[("i", 3, 2)]).unwrap_err();
    /// assert_eq!(refused.kind(), "bad_range");
    /// ```
    pub fn new<N: AsRef<str>>(variables: &[(N, i64, i64)]) -> Result<Domain, Error> {
        let ends = variables.iter().map(|(name, first, last)| (name, Some(*first), Some(*last)));
        Domain::with_ranges(&ends.collect::<Vec<_>>())
    }

    /// Variables with their first and last values; `None` for a range without that end.
    ///
    /// [`Domain::simplify`], [`Domain::equal`] and [`Domain::range`] take such domains; views, certificates and
    /// programs need both ends.
    ///
    /// # Errors
    ///
    /// As [`Domain::new`].
    ///
    /// ```
    /// use viewmerge::Limit;
    /// use viewmerge_index::Domain;
    ///
    /// let domain = Domain::with_ranges(&[("i", Some(0), None), ("j", Some(0), Some(3))])?;
    /// let simple = domain.simplify(&"(4*i + j) // 8 * 2 + (4*i + j) % 8 // 4".parse()?, &Limit::none())?;
    /// assert_eq!(simple.to_string(), "i");
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    pub fn with_ranges<N: AsRef<str>>(
        variables: &[(N, Option<i64>, Option<i64>)],
    ) -> Result<Domain, Error> {
        let mut domain = Domain { names: vec![], ranges: vec![], holds: vec![] };
        for &(ref name, first, last) in variables {
            let name = name.as_ref().to_string();
            let far =
                |end: Option<i64>| end.is_some_and(|end| !(-FARTHEST..=FARTHEST).contains(&end));
            let falls = first.zip(last).is_some_and(|(first, last)| first > last);
            if far(first) || far(last) || falls || domain.names.contains(&name) {
                let (first, last) = (first.unwrap_or(-FARTHEST), last.unwrap_or(FARTHEST));
                return Err(Error::BadRange { name, first, last });
            }
            domain.names.push(name);
            domain.ranges.push((first.unwrap_or(NO_FIRST), last.unwrap_or(NO_LAST)));
        }
        Ok(domain)
    }

    /// The same variables, where a condition holds as well.
    ///
    /// # Errors
    ///
    /// [`Error::NoRange`] for a variable that the domain does not have.
    ///
    /// ```
    /// use viewmerge::Limit;
    /// use viewmerge_index::Domain;
    ///
    /// let domain = Domain::new(&[("i", 0, 9), ("j", 0, 9)])?.valid(&"i < j".parse()?)?;
    /// let simple = domain.simplify(&"min(i, j)".parse()?, &Limit::none())?;
    /// assert_eq!(simple.to_string(), "i");
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    pub fn valid(mut self, condition: &Expression) -> Result<Domain, Error> {
        self.holds.push(self.body(condition)?.value.into_condition());
        Ok(self)
    }

    /// The variables.
    ///
    /// ```
    /// let domain = viewmerge_index::Domain::new(&[("i", 0, 9)])?;
    /// assert_eq!(domain.names(), ["i"]);
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    #[must_use]
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The variables and their ranges.
    pub(crate) fn variables(&self) -> (&[String], &[(i64, i64)]) {
        (&self.names, &self.ranges)
    }

    /// A simplified expression and its condition, in the domain's variables.
    pub(crate) fn partial(&self, simple: &Simplified) -> Result<Partial, Error> {
        let Partial { value, .. } = self.body(&simple.expression)?;
        Ok(Partial { value, valid: simple.guard().cloned() })
    }

    /// An expression and its own condition, in the domain's variables.
    pub(super) fn body(&self, expression: &Expression) -> Result<Partial, Error> {
        let place = |name: &String| {
            let place = self.names.iter().position(|known| known == name);
            place.map(Expr::Variable).ok_or_else(|| Error::NoRange { name: name.clone() })
        };
        let places = expression.names.iter().map(place).collect::<Result<Vec<_>, _>>()?;
        let valid = expression.valid.as_ref().map(|valid| valid.of(&places));
        Ok(Partial { value: expression.body.of(&places), valid })
    }

    /// An expression, and all that must hold for it to be defined.
    pub(super) fn whole(&self, expression: &Expression) -> Result<Partial, Error> {
        let Partial { value, valid } = self.body(expression)?;
        let holds: Vec<Expr> = self.holds.iter().cloned().chain(valid).collect();
        Ok(Partial { value, valid: (!holds.is_empty()).then(|| Expr::join(holds, true)) })
    }

    /// The normal form of an expression.
    pub(super) fn normal(&self, expr: &Expr) -> Result<Expr, Error> {
        normal::normal(expr, &self.ranges)
    }
}
