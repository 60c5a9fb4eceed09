//! Index expressions as input: simpler, the same, their range, decided.
//!
//! An [`Expression`] is read from text: integers, variables, `+ - *` by numbers, quotients and
//! remainders by numbers, `min`, `max`, choices, comparisons. A [`Domain`] gives every variable
//! a range, and may say when the expression counts. Then
//!
//! | question | answer |
//! |---|---|
//! | [`Domain::simplify`] | the same expression with the fewest divisions, the same condition with the fewest comparisons |
//! | [`Domain::equal`] | yes, or a point where the two differ |
//! | [`Domain::as_view`] | the one view that it is, if it is one |
//! | [`Domain::views`] | that, or a view with guards, or one over cut axes, and a witness |
//! | [`Domain::range`] | the least and the greatest value, and where |
//!
//! These are decisions, not rewrite rules: every floor is a variable of an integer system, and a
//! relation among them is used if that system has no point without it.
//!
//! ```
//! use viewmerge::{Domain, Expression, Limit};
//!
//! let domain = Domain::new(&[("i", 0, 15), ("j", 0, 3)])?;
//! let expression: Expression = "(4*i + j) // 8 * 16 + (4*i + j) % 8 * 2".parse()?;
//! let simple = domain.simplify(&expression, &Limit::none())?;
//! assert_eq!(simple.to_string(), "8*i + 2*j");
//! # Ok::<(), viewmerge::Error>(())
//! ```
//!
//! | step | where |
//! |---|---|
//! | text to trees | `parse.rs`, `frame.rs`, `tree.rs` |
//! | fewer kinds of nodes | `normal.rs` |
//! | trees to linear functions and floors, with ranges | `lower.rs`, `crate::form::build` |
//! | the fewest floors and guards | `decide.rs`, `crate::form::fewest` |
//! | back to trees and text | `write.rs`, `print.rs` |
//!
//! How few: exactly as few floors as a sum of the floors at hand can do with. Alternatives
//! (`or`, `min`, `max`, choices) are asked about case by case, up to 64 of them, and stay where they stand.
//!
//! Cost: some microseconds where ranges settle it, some ten for every search. A [`Limit`] that is
//! used up leaves the expression as it was, and [`Simplified::is_decided`] says so.

mod certificate;
mod choose;
mod decide;
mod frame;
pub(crate) mod lower;
mod normal;
mod parse;
pub(crate) mod print;
pub(crate) mod tree;
mod view;
mod viewed;
mod write;

use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;
use core::str::FromStr;

use crate::error::Error;
use crate::limit::{Limit, Meter};
pub use certificate::ExpressionCertificate;
use decide::Task;
use parse::Term;
use tree::{Condition, Relation, Value};
pub use viewed::Viewed;

/// How long a text may be unless it is said.
const MOST_CHARACTERS: usize = 20_000;

/// The farthest end of a range.
const FARTHEST: i64 = 1 << 60;

/// What `/` and `%` mean in a text.
///
/// ```
/// use viewmerge::{Dialect, Expression};
///
/// let python = Expression::read("-7 % 4", Dialect::Python)?;
/// let c = Expression::read("-7 % 4", Dialect::C)?;
/// assert_eq!((python.value(&[]), c.value(&[])), (Some(1), Some(-3)));
/// # Ok::<(), viewmerge::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Dialect {
    /// `//` rounds down, `%` has the sign of the divisor, and `/` is for inside of `floor(…)`. So
    /// in Python, tinygrad, sympy, MLIR and isl.
    #[default]
    Python,
    /// `/` rounds towards 0 and `%` has the sign of the dividend. So in C, and whatever follows it.
    C,
}

/// A number or a condition.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Body {
    Value(Value),
    Condition(Condition),
}

/// An index expression, or a condition on indices.
///
/// What can be written: integers, names, `+`, `-`, `*`, `//`, `%`, `floordiv`, `ceildiv`, `mod`,
/// `<<`, `>>`, `min`, `max`, `abs`, `FloorDiv`, `Mod`, `ModularIndexing`, `floor(a/3)`,
/// `div_euclid`, `truncdiv`, comparisons and chains of them, `and`, `or`, `not`, `&&`, `||`, `!`,
/// `&` and `|` of conditions, `a if c else b`, `c ? a : b`, `where(c, a, b)`, `c.where(a, b)`; an
/// `affine_map` or `affine_set` of MLIR, a map of isl.
///
/// ```
/// use viewmerge::Expression;
///
/// let expression: Expression = "FloorDiv(i, 3) + ModularIndexing(i, 3, 5)".parse()?;
/// assert_eq!(expression.names(), ["i"]);
/// assert_eq!(expression.to_string(), "i // 3 + (i // 3) % 5");
/// let map: Expression = "affine_map<(d0)[s0] -> (d0 floordiv 4 + s0)>".parse()?;
/// assert_eq!(map.to_string(), "d0 // 4 + s0");
/// let mistyped = "4*i + ) // 3".parse::<Expression>().unwrap_err();
/// assert_eq!(mistyped.at(), Some(6));
/// # Ok::<(), viewmerge::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Expression {
    names: Vec<String>,
    body: Body,
    /// When it counts, as a map of isl says.
    valid: Option<Condition>,
}

impl FromStr for Expression {
    type Err = Error;

    fn from_str(text: &str) -> Result<Expression, Error> {
        Expression::read(text, Dialect::Python)
    }
}

impl Expression {
    /// Reads an expression of up to 20,000 characters.
    ///
    /// # Errors
    ///
    /// [`Error::Syntax`] with the place of what cannot be read, [`Error::TextTooLong`].
    ///
    /// ```
    /// use viewmerge::{Dialect, Expression};
    ///
    /// assert!(Expression::read("a < 3 && b / 2 == 1", Dialect::C)?.is_condition());
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    pub fn read(text: &str, dialect: Dialect) -> Result<Expression, Error> {
        Expression::read_up_to(text, dialect, MOST_CHARACTERS)
    }

    /// Reads an expression of up to so many characters.
    ///
    /// # Errors
    ///
    /// As [`Expression::read`].
    ///
    /// ```
    /// use viewmerge::{Dialect, Expression};
    ///
    /// let refused = Expression::read_up_to("i + 1", Dialect::Python, 4).unwrap_err();
    /// assert_eq!(refused.to_string(), "the text has 5 characters, at most 4 are read");
    /// ```
    pub fn read_up_to(text: &str, dialect: Dialect, most: usize) -> Result<Expression, Error> {
        let length = text.chars().count();
        if length > most {
            return Err(Error::TextTooLong { length, most });
        }
        let frame = frame::read(text, dialect)?;
        let body = match frame.term {
            Term::Holds(condition) => Body::Condition(condition),
            number => Body::Value(parse::as_value(number, frame.at)?),
        };
        Ok(Expression { names: frame.names, body, valid: frame.valid })
    }

    /// The names of its variables, in the order in which they come.
    ///
    /// ```
    /// let expression: viewmerge::Expression = "b + 3*a".parse()?;
    /// assert_eq!(expression.names(), ["b", "a"]);
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    #[must_use]
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Whether it is a condition, not a number.
    ///
    /// ```
    /// assert!("a < 3".parse::<viewmerge::Expression>()?.is_condition());
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    #[must_use]
    pub fn is_condition(&self) -> bool {
        matches!(self.body, Body::Condition(_))
    }

    /// How many quotients and remainders it has; one that comes again is counted once.
    ///
    /// ```
    /// let expression: viewmerge::Expression = "i // 3 + i // 3 % 5".parse()?;
    /// assert_eq!(expression.divisions(), 2);
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    #[must_use]
    pub fn divisions(&self) -> usize {
        match &self.body {
            Body::Value(value) => write::divisions(Some(value), None),
            Body::Condition(condition) => write::divisions(None, Some(condition)),
        }
    }

    /// Its value where its variables, in their order, have these; a condition is 1 or 0.
    ///
    /// `None` if there are other than so many values, or a number leaves 128 bits.
    ///
    /// ```
    /// let expression: viewmerge::Expression = "i // 3".parse()?;
    /// assert_eq!(expression.value(&[-1]), Some(-1));
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    #[must_use]
    pub fn value(&self, point: &[i64]) -> Option<i128> {
        if point.len() != self.names.len() {
            return None;
        }
        let point: Vec<i128> = point.iter().map(|&x| x.into()).collect();
        match &self.body {
            Body::Value(value) => value.at(&point),
            Body::Condition(condition) => condition.at(&point).map(i128::from),
        }
    }
}

/// As Python writes it.
impl fmt::Display for Expression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&match &self.body {
            Body::Value(value) => print::value(value, &self.names),
            Body::Condition(condition) => print::condition(condition, &self.names),
        })
    }
}

/// Variables with ranges, and when an expression of them counts.
///
/// ```
/// use viewmerge::{Domain, Expression, Limit};
///
/// // What a padded pooling leaves: everywhere the quotient is 0 or it does not count.
/// let valid: Expression = "0 <= i - 3 and i - 3 < 7".parse()?;
/// let domain = Domain::new(&[("i", 0, 31)])?.valid(&valid)?;
/// let simple = domain.simplify(&"(i - 3) // 7 + i".parse()?, &Limit::none())?;
/// assert_eq!(simple.to_string(), "i");
/// assert_eq!(simple.valid().unwrap().to_string(), "3 <= i < 10");
/// # Ok::<(), viewmerge::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Domain {
    names: Vec<String>,
    ranges: Vec<(i64, i64)>,
    holds: Vec<Condition>,
}

/// What [`Domain::simplify`] found.
///
/// ```
/// use viewmerge::{Domain, Limit};
///
/// let domain = Domain::new(&[("i", 0, 99)])?;
/// let simple = domain.simplify(&"i // 2 // 5 + 0*i".parse()?, &Limit::none())?;
/// assert_eq!(simple.to_string(), "i // 10");
/// assert_eq!((simple.expression().divisions(), simple.is_decided()), (1, true));
/// # Ok::<(), viewmerge::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Simplified {
    expression: Expression,
    valid: Option<Expression>,
    decided: bool,
}

/// What [`Domain::equal`] found.
///
/// ```
/// use viewmerge::{Domain, Limit, Same};
///
/// let domain = Domain::new(&[("i", 0, 5)])?;
/// let found = domain.equal(&"i".parse()?, &"i % 5".parse()?, &Limit::none())?;
/// assert_eq!(found, Same::No { point: vec![5], values: (Some(5), Some(0)) });
/// # Ok::<(), viewmerge::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Same {
    /// They have the same value wherever they count.
    Yes,
    /// They do not.
    No {
        /// A point where they differ, in the order of the domain's variables.
        point: Vec<i64>,
        /// Their values there; none where one does not count. A condition is 1 or 0.
        values: (Option<i128>, Option<i128>),
    },
}

/// The least and the greatest value of an expression, and where it takes them.
///
/// ```
/// use viewmerge::{Domain, Limit};
///
/// let domain = Domain::new(&[("i", 0, 99)])?;
/// let range = domain.range(&"i % 7 - i // 50".parse()?, &Limit::none())?.unwrap();
/// assert_eq!((range.least, range.greatest), (-1, 6));
/// # Ok::<(), viewmerge::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Extremes {
    /// The least value.
    pub least: i128,
    /// A point where it is taken, in the order of the domain's variables.
    pub least_at: Vec<i64>,
    /// The greatest value.
    pub greatest: i128,
    /// A point where it is taken.
    pub greatest_at: Vec<i64>,
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
    /// use viewmerge::Domain;
    ///
    /// let refused = Domain::new(&[("i", 3, 2)]).unwrap_err();
    /// assert_eq!(refused.kind(), "bad_range");
    /// ```
    pub fn new<N: AsRef<str>>(variables: &[(N, i64, i64)]) -> Result<Domain, Error> {
        let mut domain = Domain { names: vec![], ranges: vec![], holds: vec![] };
        for (name, first, last) in variables {
            let (name, first, last) = (name.as_ref().to_string(), *first, *last);
            let fits = -FARTHEST <= first && first <= last && last <= FARTHEST;
            if !fits || domain.names.contains(&name) {
                return Err(Error::BadRange { name, first, last });
            }
            domain.names.push(name);
            domain.ranges.push((first, last));
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
    /// use viewmerge::{Domain, Limit};
    ///
    /// let domain = Domain::new(&[("i", 0, 9), ("j", 0, 9)])?.valid(&"i < j".parse()?)?;
    /// let simple = domain.simplify(&"min(i, j)".parse()?, &Limit::none())?;
    /// assert_eq!(simple.to_string(), "i");
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    pub fn valid(mut self, condition: &Expression) -> Result<Domain, Error> {
        match self.body(condition)? {
            (Body::Condition(condition), _) => self.holds.push(condition),
            (Body::Value(value), _) => {
                let zero = Value::Number(0);
                self.holds.push(normal::compare(value, Relation::Unequal, zero));
            }
        }
        Ok(self)
    }

    /// The variables.
    ///
    /// ```
    /// let domain = viewmerge::Domain::new(&[("i", 0, 9)])?;
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

    /// The normal forms of a simplified expression: as a value, as a condition if it is one, and
    /// when it counts.
    pub(crate) fn normal_parts(
        &self,
        simple: &Simplified,
    ) -> Result<(Value, Option<Condition>, Option<Condition>), Error> {
        let (body, _) = self.body(&simple.expression)?;
        let normal = |one: &Condition| normal::condition(one, false, &self.ranges);
        let (value, asked) = match body {
            Body::Value(value) => (value, None),
            Body::Condition(condition) => {
                (parse::one_or_zero(condition.clone()), Some(normal(&condition)?))
            }
        };
        let valid = simple.condition().map(normal).transpose()?;
        Ok((normal::value(&value, &self.ranges)?, asked, valid))
    }

    /// Body and validity of an expression, in the domain's variables.
    fn body(&self, expression: &Expression) -> Result<(Body, Option<Condition>), Error> {
        let mut places = Vec::with_capacity(expression.names.len());
        for name in &expression.names {
            let place = self.names.iter().position(|known| known == name);
            places.push(place.ok_or_else(|| Error::NoRange { name: name.clone() })?);
        }
        let mut body = expression.body.clone();
        let mut valid = expression.valid.clone();
        if places.iter().enumerate().any(|(k, place)| k != *place) {
            match &mut body {
                Body::Value(value) => value.renumber(&places),
                Body::Condition(condition) => condition.renumber(&places),
            }
            if let Some(valid) = &mut valid {
                valid.renumber(&places);
            }
        }
        Ok((body, valid))
    }

    /// Conditions in their normal form.
    fn normal(&self, conditions: &[Condition]) -> Result<Vec<Condition>, Error> {
        conditions.iter().map(|one| normal::condition(one, false, &self.ranges)).collect()
    }

    /// The same expression with the fewest divisions, where the domain's condition and the
    /// expression's own hold, and that condition with the fewest comparisons. Of a condition only
    /// what the domain does not say.
    ///
    /// # Errors
    ///
    /// [`Error::NoRange`] for a variable without a range, [`Error::NotLinear`] for a product
    /// of variables or a divisor that varies. A limit that is used up is no error.
    ///
    /// ```
    /// use viewmerge::{Domain, Limit};
    ///
    /// let domain = Domain::new(&[("i", 0, 99)])?;
    /// let same = domain.simplify(&"i // 10 == 5 and 7 <= i % 10".parse()?, &Limit::none())?;
    /// assert_eq!(same.to_string(), "57 <= i < 60");
    /// let given_up = domain.simplify(&"i % 3 + (i + 1) % 3 > 0".parse()?, &Limit::steps(0))?;
    /// assert!(!given_up.is_decided());
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    pub fn simplify(
        &self,
        expression: &Expression,
        limit: &Limit<'_>,
    ) -> Result<Simplified, Error> {
        let (body, own) = self.body(expression)?;
        let mut given = self.holds.clone();
        given.extend(own);
        let holds = self.normal(&given)?;
        let of = |body| Expression { names: self.names.clone(), body, valid: None };
        let condition = |one: Condition| match one {
            Condition::Always(true) => None,
            other => Some(of(Body::Condition(other))),
        };
        let mut meter = Meter::new(limit);
        let mut task = Task::new(&self.ranges, &mut meter);
        let found = match &body {
            Body::Value(value) => {
                let value = normal::value(value, &self.ranges)?;
                task.value(&value, &holds, true)
                    .map(|answer| (Body::Value(answer.value), answer.valid))
            }
            Body::Condition(asked) => {
                let asked = normal::condition(asked, false, &self.ranges)?;
                let all = Condition::All(holds.clone());
                let valid = normal::condition(&all, false, &self.ranges)?;
                task.condition(&valid, &[]).and_then(|valid| {
                    let inside = core::slice::from_ref(&valid);
                    let inside = if valid == Condition::Always(true) { &[] } else { inside };
                    let found = task.condition(&asked, inside)?;
                    Ok((Body::Condition(found), valid))
                })
            }
        };
        match found {
            Ok((body, valid)) => {
                Ok(Simplified { expression: of(body), valid: condition(valid), decided: true })
            }
            Err(
                Error::Undecided { .. }
                | Error::TooManyCases { .. }
                | Error::ExpressionRange { .. },
            ) => {
                let valid = match given.len() {
                    0 => Condition::Always(true),
                    1 => given.remove(0),
                    _ => Condition::All(given),
                };
                Ok(Simplified { expression: of(body), valid: condition(valid), decided: false })
            }
            Err(error) => Err(error),
        }
    }

    /// Whether two expressions are the same wherever the domain's condition holds; where one
    /// has a condition of its own, whether they count at the same points.
    ///
    /// # Errors
    ///
    /// As [`Domain::simplify`], and [`Error::Undecided`] if the limit is reached,
    /// [`Error::TooManyCases`] for too many alternatives, [`Error::WrongKind`] for a number and a
    /// condition.
    ///
    /// ```
    /// use viewmerge::{Domain, Limit, Same};
    ///
    /// let domain = Domain::new(&[("i", 0, 999)])?;
    /// let (a, b) = ("i // 2 % 120 // 6".parse()?, "i // 12 % 20".parse()?);
    /// assert_eq!(domain.equal(&a, &b, &Limit::none())?, Same::Yes);
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    pub fn equal(&self, a: &Expression, b: &Expression, limit: &Limit<'_>) -> Result<Same, Error> {
        let ((first, own_first), (second, own_second)) = (self.body(a)?, self.body(b)?);
        let holds = self.normal(&self.holds)?;
        let mut meter = Meter::new(limit);
        let mut task = Task::new(&self.ranges, &mut meter);
        let always = || Condition::Always(true);
        let valid = [own_first.unwrap_or_else(always), own_second.unwrap_or_else(always)];
        let differ = |a: &Condition, b: &Condition| -> Result<Condition, Error> {
            let ways = [(a, false, b, true), (a, true, b, false)].map(|(a, not_a, b, not_b)| {
                let a = normal::condition(a, not_a, &self.ranges)?;
                let b = normal::condition(b, not_b, &self.ranges)?;
                normal::condition(&Condition::All(vec![a, b]), false, &self.ranges)
            });
            let ways: Vec<Condition> = ways.into_iter().collect::<Result<_, Error>>()?;
            normal::condition(&Condition::Any(ways), false, &self.ranges)
        };
        let different = match (&first, &second) {
            (Body::Value(a), Body::Value(b)) => {
                let unequal = normal::compare(a.clone(), Relation::Unequal, b.clone());
                normal::condition(&unequal, false, &self.ranges)?
            }
            (Body::Condition(a), Body::Condition(b)) => differ(a, b)?,
            _ => {
                let value = if a.is_condition() { b } else { a };
                return Err(Error::WrongKind {
                    text: value.to_string(),
                    found: "number",
                    expected: "condition",
                });
            }
        };
        let mut questions = vec![vec![differ(&valid[0], &valid[1])?]];
        let mut both = self.normal(&valid)?;
        both.push(different);
        questions.push(both);
        for question in questions {
            let mut all = holds.clone();
            all.extend(question);
            if let Some(point) = task.possible(&all)? {
                let at = |body: &Body, valid: &Condition| match body {
                    _ if valid.at(&point) != Some(true) => None,
                    Body::Value(value) => value.at(&point),
                    Body::Condition(condition) => condition.at(&point).map(i128::from),
                };
                let values = (at(&first, &valid[0]), at(&second, &valid[1]));
                return Ok(Same::No { point: narrowed(&point), values });
            }
        }
        Ok(Same::Yes)
    }

    /// The least and greatest value where the domain's condition, and the expression's own, hold;
    /// `None` if they hold nowhere.
    ///
    /// # Errors
    ///
    /// As [`Domain::equal`].
    ///
    /// ```
    /// use viewmerge::{Domain, Limit};
    ///
    /// let domain = Domain::new(&[("i", 0, 9), ("j", 0, 9)])?.valid(&"i + j == 7".parse()?)?;
    /// let range = domain.range(&"2*i - j".parse()?, &Limit::none())?.unwrap();
    /// assert_eq!((range.least, range.least_at.as_slice()), (-7, &[0, 7][..]));
    /// assert_eq!((range.greatest, range.greatest_at.as_slice()), (14, &[7, 0][..]));
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    pub fn range(
        &self,
        expression: &Expression,
        limit: &Limit<'_>,
    ) -> Result<Option<Extremes>, Error> {
        let (body, own) = self.body(expression)?;
        let value = match body {
            Body::Value(value) => value,
            Body::Condition(condition) => parse::one_or_zero(condition),
        };
        let value = normal::value(&value, &self.ranges)?;
        let mut holds = self.holds.clone();
        holds.extend(own);
        let holds = self.normal(&holds)?;
        let mut meter = Meter::new(limit);
        let mut task = Task::new(&self.ranges, &mut meter);
        let least = task.extreme(&value, &holds, false)?;
        let greatest = task.extreme(&value, &holds, true)?;
        Ok(match (least, greatest) {
            (Some((least, least_at)), Some((greatest, greatest_at))) => Some(Extremes {
                least,
                least_at: narrowed(&least_at),
                greatest,
                greatest_at: narrowed(&greatest_at),
            }),
            _ => None,
        })
    }
}

/// A point within the ranges, which fit.
fn narrowed(point: &[i128]) -> Vec<i64> {
    point
        .iter()
        .map(|&x| i64::try_from(x).unwrap_or(if x < 0 { i64::MIN } else { i64::MAX }))
        .collect()
}

impl Simplified {
    /// The expression, over the variables of the domain.
    ///
    /// ```
    /// use viewmerge::{Domain, Limit};
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

    /// When it counts; `None` for always within the ranges.
    ///
    /// ```
    /// use viewmerge::{Domain, Limit};
    ///
    /// let domain = Domain::new(&[("i", 0, 3)])?.valid(&"i < 9".parse()?)?;
    /// let simple = domain.simplify(&"i".parse()?, &Limit::none())?;
    /// assert_eq!(simple.valid(), None);
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    #[must_use]
    pub fn valid(&self) -> Option<&Expression> {
        self.valid.as_ref()
    }

    /// Whether it was settled; otherwise it is as it was given.
    ///
    /// ```
    /// use viewmerge::{Domain, Limit};
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
