//! The questions about expressions: simplest form, equality, range.

use alloc::string::ToString;
use alloc::vec::Vec;

use super::answer::{Extremes, Partial, Same, Simplified};
use super::decide::Task;
use super::domain::{Domain, FARTHEST};
use super::input::Expression;
use super::normal;
use super::tree::{Expr, Relation};
use lattice_point::{Limit, Meter};
use viewmerge::Error;

impl Domain {
    /// The same expression with the fewest divisions, where the domain's condition and the
    /// expression's own hold, and that condition with the fewest comparisons. For a condition,
    /// only what the domain does not already imply is returned.
    ///
    /// # Errors
    ///
    /// [`Error::NoRange`] for a variable without a range, [`Error::NotLinear`] for a product
    /// of variables or a divisor that varies. A limit that is used up is no error.
    ///
    /// ```
    /// use viewmerge::Limit;
    /// use viewmerge_index::Domain;
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
        match self.simplify_within(expression, &mut Meter::new(limit)) {
            Err(
                Error::Undecided { .. }
                | Error::TooManyCases { .. }
                | Error::ExpressionRange { .. }
                | Error::OpenRange { .. },
            ) => {
                let (body, holds) = self.parts(expression)?;
                Ok(self.simplified(Partial::new(body, Expr::join(holds, true)), false))
            }
            found => found,
        }
    }

    /// [`Domain::simplify`] within what is left of a limit, or why it was not settled.
    pub(super) fn simplify_within(
        &self,
        expression: &Expression,
        meter: &mut Meter<'_>,
    ) -> Result<Simplified, Error> {
        let (body, holds) = self.parts(expression)?;
        let holds = self.all_normal(&holds)?;
        let asked = self.normal(&body)?;
        let found = match self.is_open() {
            false => simplest(&asked, &holds, &self.ranges, meter)?,
            true => self.simplest_of_open(asked, &holds, meter)?,
        };
        Ok(self.simplified(found, true))
    }

    fn simplified(&self, found: Partial, decided: bool) -> Simplified {
        let of = |body| Expression { names: self.names.clone(), body, valid: None };
        let condition = found.valid.filter(|valid| *valid != Expr::Always(true)).map(of);
        Simplified { expression: of(found.value), condition, decided }
    }

    /// An expression, and all that must hold for it to be defined.
    pub(super) fn parts(&self, expression: &Expression) -> Result<(Expr, Vec<Expr>), Error> {
        let (body, own) = self.body(expression)?;
        Ok((body, self.holds.iter().cloned().chain(own).collect()))
    }

    /// [`simplest`] over variables without ends. It is looked for where open variables are cut, and taken if
    /// it is the same everywhere; with more room if it is not. It has the fewest divisions: what is the
    /// same everywhere is the same where it was looked for.
    fn simplest_of_open(
        &self,
        asked: Expr,
        holds: &[Expr],
        meter: &mut Meter<'_>,
    ) -> Result<Partial, Error> {
        /// The room that is tried, in multiples of the reach.
        const ROOMS: [i64; 3] = [2, 64, 4096];
        let about = match asked.is_condition() {
            true => asked.clone(),
            false => Expr::compare(asked.clone(), Relation::Equal, Expr::Number(0)),
        };
        let reach = self.reach(&[holds, &[about]].concat())?;
        let given = Partial::new(asked, self.normal(&Expr::Join(holds.to_vec(), true))?);
        for room in ROOMS {
            let reach = reach.saturating_mul(room).min(FARTHEST);
            let cut = self.cut_at(reach);
            let found = simplest(&given.value, holds, &cut, meter)?;
            if self.difference(&given, &found, &[], meter)?.is_none() {
                return Ok(found);
            }
        }
        Err(Error::Undecided { steps: meter.spent(), stopped: false })
    }

    /// A point where conditions in their normal form hold, if there is one.
    fn possible(
        &self,
        conditions: &[Expr],
        meter: &mut Meter<'_>,
    ) -> Result<Option<Vec<i64>>, Error> {
        Task::new(&self.within_reach(conditions)?, meter).possible(conditions)
    }

    /// Where one of two conditions holds and the other does not.
    fn apart(&self, a: &Expr, b: &Expr) -> Result<Expr, Error> {
        let ways = [(a, false, b, true), (a, true, b, false)].map(|(a, not_a, b, not_b)| {
            let a = normal::condition(a, not_a, &self.ranges)?;
            let b = normal::condition(b, not_b, &self.ranges)?;
            self.normal(&Expr::Join(vec![a, b], true))
        });
        let ways: Vec<Expr> = ways.into_iter().collect::<Result<_, Error>>()?;
        if a == b { Ok(Expr::Always(false)) } else { self.normal(&Expr::Join(ways, false)) }
    }

    /// A point where conditions hold and two expressions differ, or only one of them is defined.
    fn difference(
        &self,
        one: &Partial,
        two: &Partial,
        holds: &[Expr],
        meter: &mut Meter<'_>,
    ) -> Result<Option<Vec<i64>>, Error> {
        let (a, b) = (&one.value, &two.value);
        let different = match (a.is_condition(), b.is_condition()) {
            (false, false) => {
                let unequal = Expr::compare(a.clone(), Relation::Unequal, b.clone());
                let unequal = self.normal(&unequal)?;
                if a == b { Expr::Always(false) } else { unequal }
            }
            (true, true) => self.apart(a, b)?,
            _ => return Ok(None),
        };
        let (a, b) = (one.condition(), two.condition());
        for question in [vec![self.apart(a, b)?], vec![self.normal(a)?, self.normal(b)?, different]]
        {
            if let Some(point) = self.possible(&[holds, &question].concat(), meter)? {
                return Ok(Some(point));
            }
        }
        Ok(None)
    }

    /// Whether two expressions are the same wherever the domain's condition holds; where one
    /// has a condition of its own, whether they are defined at the same points.
    ///
    /// # Errors
    ///
    /// As [`Domain::simplify`], and [`Error::Undecided`] if the limit is reached,
    /// [`Error::TooManyCases`] for too many alternatives, [`Error::WrongKind`] for a number and a
    /// condition.
    ///
    /// ```
    /// use viewmerge::Limit;
    /// use viewmerge_index::{Domain, Same};
    ///
    /// let domain = Domain::new(&[("i", 0, 999)])?;
    /// let (a, b) = ("i // 2 % 120 // 6".parse()?, "i // 12 % 20".parse()?);
    /// assert_eq!(domain.equal(&a, &b, &Limit::none())?, Same::Yes);
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    pub fn equal(&self, a: &Expression, b: &Expression, limit: &Limit<'_>) -> Result<Same, Error> {
        self.equal_within(a, b, &mut Meter::new(limit))
    }

    pub(super) fn equal_within(
        &self,
        a: &Expression,
        b: &Expression,
        meter: &mut Meter<'_>,
    ) -> Result<Same, Error> {
        let partial = |expression| -> Result<Partial, Error> {
            let (value, valid) = self.body(expression)?;
            Ok(Partial { value, valid })
        };
        let (one, two) = (partial(a)?, partial(b)?);
        if a.is_condition() != b.is_condition() {
            let value = if a.is_condition() { b } else { a };
            return Err(Error::WrongKind {
                text: value.to_string(),
                found: "number",
                expected: "condition",
            });
        }
        let holds = self.all_normal(&self.holds)?;
        let found = self.difference(&one, &two, &holds, meter)?;
        let Some(point) = found else { return Ok(Same::Yes) };
        let values = (one.at(&point), two.at(&point));
        Ok(Same::No { point, values })
    }

    /// The least and greatest value where the domain's condition, and the expression's own, hold;
    /// `None` if they hold nowhere.
    ///
    /// # Errors
    ///
    /// As [`Domain::equal`].
    ///
    /// ```
    /// use viewmerge::Limit;
    /// use viewmerge_index::Domain;
    ///
    /// let domain = Domain::new(&[("i", 0, 9), ("j", 0, 9)])?.valid(&"i + j == 7".parse()?)?;
    /// let range = domain.range(&"2*i - j".parse()?, &Limit::none())?.unwrap();
    /// assert_eq!((range.least, range.least_at), (Some(-7), Some(vec![0, 7])));
    /// assert_eq!((range.greatest, range.greatest_at), (Some(14), Some(vec![7, 0])));
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    pub fn range(
        &self,
        expression: &Expression,
        limit: &Limit<'_>,
    ) -> Result<Option<Extremes>, Error> {
        let (body, holds) = self.parts(expression)?;
        let value = self.normal(&body.into_value())?;
        let holds = self.all_normal(&holds)?;
        let mut meter = Meter::new(limit);
        let least = self.extreme(&value, &holds, false, &mut meter)?;
        let greatest = self.extreme(&value, &holds, true, &mut meter)?;
        let (Some(least), Some(greatest)) = (least, greatest) else { return Ok(None) };
        let (least, least_at) = least.unzip();
        let (greatest, greatest_at) = greatest.unzip();
        Ok(Some(Extremes { least, least_at, greatest, greatest_at }))
    }

    /// The least or greatest value and where it is taken, if there is one; `None` if it counts nowhere.
    fn extreme(
        &self,
        value: &Expr,
        holds: &[Expr],
        greatest: bool,
        meter: &mut Meter<'_>,
    ) -> Result<Option<Option<Taken>>, Error> {
        // If there is one, it is taken within the reach; else something beyond is ahead of it.
        let about = Expr::compare(value.clone(), Relation::Equal, Expr::Number(0));
        let ranges = self.within_reach(&[holds, &[about]].concat())?;
        let found = Task::new(&ranges, meter).extreme(value, holds, greatest)?;
        let Some((end, at)) = found else { return Ok(None) };
        if !self.is_open() {
            return Ok(Some(Some((end, at))));
        }
        let number = i64::try_from(end).map_err(|_| Error::ExpressionRange { number: end })?;
        let relation = if greatest { Relation::Greater } else { Relation::Less };
        let ahead = Expr::compare(value.clone(), relation, Expr::Number(number));
        let beyond = self.possible(&[holds, &[ahead]].concat(), meter)?;
        Ok(Some(beyond.is_none().then_some((end, at))))
    }
}

/// A value, and where it is taken.
type Taken = (i128, Vec<i64>);

/// The same with the fewest divisions and comparisons within ranges that have ends, of what is in its
/// normal form, and where it is defined.
fn simplest(
    asked: &Expr,
    holds: &[Expr],
    ranges: &[(i64, i64)],
    meter: &mut Meter<'_>,
) -> Result<Partial, Error> {
    let mut task = Task::new(ranges, meter);
    if !asked.is_condition() {
        return task.value(asked, holds, true);
    }
    let all = normal::condition(&Expr::Join(holds.to_vec(), true), false, ranges)?;
    let valid = task.condition(&all, &[])?;
    let inside = core::slice::from_ref(&valid);
    let inside = if valid == Expr::Always(true) { &[] } else { inside };
    Ok(Partial::new(task.condition(asked, inside)?, valid))
}
