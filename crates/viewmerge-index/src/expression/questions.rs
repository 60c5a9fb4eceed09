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
        let asked = self.whole(expression)?;
        match Task::new(self, &mut Meter::new(limit)).simplify(&asked) {
            Err(
                Error::Undecided { .. }
                | Error::TooManyCases { .. }
                | Error::ExpressionRange { .. }
                | Error::OpenRange { .. },
            ) => Ok(self.simplified(asked, false)),
            found => found,
        }
    }

    fn simplified(&self, found: Partial, decided: bool) -> Simplified {
        let of = |body| Expression { names: self.names.clone(), body, valid: None };
        let condition = found.valid.filter(|valid| *valid != Expr::Always(true)).map(of);
        Simplified { expression: of(found.value), condition, decided }
    }

    /// Where two numbers differ, or one of two conditions holds and the other does not.
    pub(super) fn apart(&self, a: &Expr, b: &Expr) -> Result<Expr, Error> {
        let apart = match a.is_condition() {
            true => Expr::unequal(a.clone(), b.clone()),
            false => Expr::compare(a.clone(), Relation::Unequal, b.clone()),
        };
        // Refused even where they are equal, if one of them has no normal form.
        let apart = self.normal(&apart)?;
        Ok(if a == b { Expr::Always(false) } else { apart })
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
        Task::new(self, &mut Meter::new(limit)).equal(a, b)
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
        let Partial { value, valid } = self.whole(expression)?.into_value().normal(&self.ranges)?;
        let holds = valid.as_slice();
        let mut meter = Meter::new(limit);
        let mut task = Task::new(self, &mut meter);
        let (least, greatest) = (task.end(&value, holds, false)?, task.end(&value, holds, true)?);
        let (Some(least), Some(greatest)) = (least, greatest) else { return Ok(None) };
        let (least, least_at) = least.unzip();
        let (greatest, greatest_at) = greatest.unzip();
        Ok(Some(Extremes { least, least_at, greatest, greatest_at }))
    }
}

/// A condition that compares a value, so that it has the reach of the value.
fn about(value: &Expr) -> Expr {
    match value.is_condition() {
        true => value.clone(),
        false => Expr::compare(value.clone(), Relation::Equal, Expr::Number(0)),
    }
}

/// A value, and where it is taken.
type Taken = (i128, Vec<i64>);

impl Task<'_, '_, '_> {
    /// [`Domain::simplify`], or why it was not settled.
    pub(super) fn simplify(&mut self, asked: &Partial) -> Result<Simplified, Error> {
        let asked = asked.normal(&self.domain.ranges)?;
        let found = match self.domain.is_open() {
            false => self.simplest(&asked)?,
            true => self.simplest_of_open(&asked)?,
        };
        Ok(self.domain.simplified(found, true))
    }

    /// The same with the fewest divisions and comparisons where it is looked at, of what is in its normal
    /// form.
    fn simplest(&mut self, asked: &Partial) -> Result<Partial, Error> {
        if !asked.value.is_condition() {
            let (value, valid) = self.rewritten(Some(&asked.value), asked.valid.as_slice(), &[])?;
            return Ok(Partial::new(value, normal::condition(&valid, false, &self.ranges)?));
        }
        let valid = self.condition(asked.condition(), &[])?;
        let value = self.condition(&asked.value, core::slice::from_ref(&valid))?;
        Ok(Partial::new(value, valid))
    }

    /// The same over variables without ends. It is looked for where open variables are cut, and taken if
    /// it is the same everywhere; with more room if it is not. It has the fewest divisions: what is the
    /// same everywhere is the same where it was looked for.
    fn simplest_of_open(&mut self, asked: &Partial) -> Result<Partial, Error> {
        /// The room that is tried, in multiples of the reach.
        const ROOMS: [i64; 3] = [2, 64, 4096];
        let reach = self.domain.reach(&[asked.condition().clone(), about(&asked.value)])?;
        for room in ROOMS {
            self.ranges = self.domain.cut_at(reach.saturating_mul(room).min(FARTHEST));
            let found = self.simplest(asked)?;
            if self.difference(asked, &found, &[])?.is_none() {
                return Ok(found);
            }
        }
        Err(self.undecided())
    }

    /// A point of the domain where conditions in their normal form hold, if there is one.
    fn anywhere(&mut self, conditions: &[Expr]) -> Result<Option<Vec<i64>>, Error> {
        self.ranges = self.domain.within_reach(conditions)?;
        self.possible(conditions)
    }

    /// A point where conditions hold and two expressions differ, or only one of them is defined.
    fn difference(
        &mut self,
        one: &Partial,
        two: &Partial,
        holds: &[Expr],
    ) -> Result<Option<Vec<i64>>, Error> {
        let domain = self.domain;
        let different = domain.apart(&one.value, &two.value)?;
        let (a, b) = (one.condition(), two.condition());
        let both = vec![domain.normal(a)?, domain.normal(b)?, different];
        for question in [vec![domain.apart(a, b)?], both] {
            if let Some(point) = self.anywhere(&[holds, &question].concat())? {
                return Ok(Some(point));
            }
        }
        Ok(None)
    }

    /// [`Domain::equal`].
    pub(super) fn equal(&mut self, a: &Expression, b: &Expression) -> Result<Same, Error> {
        let (one, two) = (self.domain.body(a)?, self.domain.body(b)?);
        if a.is_condition() != b.is_condition() {
            let text = if a.is_condition() { b } else { a }.to_string();
            return Err(Error::WrongKind { text, found: "number", expected: "condition" });
        }
        let holds = self.domain.holds.iter().map(|one| self.domain.normal(one));
        let holds = holds.collect::<Result<Vec<_>, _>>()?;
        let found = self.difference(&one, &two, &holds)?;
        let Some(point) = found else { return Ok(Same::Yes) };
        let values = (one.at(&point), two.at(&point));
        Ok(Same::No { point, values })
    }

    /// The least or greatest value and where it is taken, if there is one; `None` if it counts nowhere.
    fn end(
        &mut self,
        value: &Expr,
        holds: &[Expr],
        greatest: bool,
    ) -> Result<Option<Option<Taken>>, Error> {
        // If there is one, it is taken within the reach; else something beyond is ahead of it.
        self.ranges = self.domain.within_reach(&[holds, &[about(value)]].concat())?;
        let Some((end, at)) = self.extreme(value, holds, greatest)? else { return Ok(None) };
        if !self.domain.is_open() {
            return Ok(Some(Some((end, at))));
        }
        let number = i64::try_from(end).map_err(|_| Error::ExpressionRange { number: end })?;
        let relation = if greatest { Relation::Greater } else { Relation::Less };
        let ahead = Expr::compare(value.clone(), relation, Expr::Number(number));
        let beyond = self.anywhere(&[holds, &[ahead]].concat())?;
        Ok(Some(beyond.is_none().then_some((end, at))))
    }
}
