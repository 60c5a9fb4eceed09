//! The questions: simpler, the same, least and greatest.

use alloc::string::ToString;
use alloc::vec;
use alloc::vec::Vec;

use super::answer::{Extremes, Same, Simplified};
use super::decide::Task;
use super::domain::Domain;
use super::given::{Body, Expression};
use super::tree::{Condition, Relation};
use super::{normal, parse};
use crate::error::Error;
use crate::limit::{Limit, Meter};

impl Domain {
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
pub(super) fn narrowed(point: &[i128]) -> Vec<i64> {
    point
        .iter()
        .map(|&x| i64::try_from(x).unwrap_or(if x < 0 { i64::MIN } else { i64::MAX }))
        .collect()
}
