//! The systems of a certificate about expressions, exactly as docs/certificates.md numbers them.
//!
//! The trees are walked once for every way that choices can go. A walk has a variable for every quotient
//! met, and a row for every quotient and every comparison, in the order in which they are met. Ways
//! are in the order of their choices, the first choice first.
//!
//! Running example: `min(i // 2, 3)` has two ways. Both have q with the row 0 ≤ i − 2q ≤ 1; the one is q where
//! q − 3 ≤ 0, the other 3 where 3 − q ≤ 0.

use alloc::vec::Vec;

use crate::expression::answer::Partial;
use crate::expression::tree::{Ends, Expr, Part, Relation};
use lattice_point::{Affine, Row, System};
use viewmerge::Error;

/// How many ways a question may have.
const MOST: usize = 1_024;

/// The systems of a claim about two expressions of variables with these ranges, one for every way: that
/// the first is defined, and its difference from the second within some ends; without ends, that only
/// the first is defined.
pub(super) fn systems(
    ranges: &[(i64, i64)],
    [one, two]: [&Partial; 2],
    ends: Option<Ends>,
) -> Result<Vec<System<i128>>, Error> {
    let (mut systems, mut taken) = (Vec::new(), Vec::new());
    for _ in 0..MOST {
        let mut way = Way { ranges, taken, ..Way::default() };
        way.condition(one.condition(), true)?;
        match ends {
            Some(ends) => way.difference(&one.value, &two.value, &[ends])?,
            None => way.condition(two.condition(), false)?,
        }
        taken = core::mem::take(&mut way.taken);
        systems.extend(way.system());
        // The last choice that has another alternative takes it.
        while taken.pop_if(|(now, of)| *now + 1 == *of).is_some() {}
        match taken.last_mut() {
            None => return Ok(systems),
            Some((now, _)) => *now += 1,
        }
    }
    let (cases, most) = (MOST as u128 + 1, MOST as u64);
    Err(Error::TooManyCases { what: "alternatives", cases, most })
}

/// a + times·b.
fn combined(a: &Affine<i128>, times: i128, b: &Affine<i128>) -> Result<Affine<i128>, Error> {
    // The number that does not fit is a sum of products with this one.
    a.clone().plus(&times, b).map_err(|_| Error::ExpressionRange { number: times })
}

/// A walk on which every choice goes one way, and what is known then.
#[derive(Default)]
struct Way<'a> {
    ranges: &'a [(i64, i64)],
    /// Which alternative each choice takes, and of how many; later choices take their first.
    taken: Vec<(usize, usize)>,
    /// How many choices were met.
    met: usize,
    /// Dividends and divisors of the quotients.
    quotients: Vec<(Affine<i128>, i64)>,
    /// Coefficients of later quotients are left out.
    rows: Vec<Row<i128>>,
    /// There is no such way.
    is_none: bool,
}

impl Way<'_> {
    /// The alternative that the next choice takes, of so many.
    fn choice(&mut self, of: usize) -> usize {
        self.is_none |= of == 0;
        if self.is_none {
            return 0;
        }
        if self.met == self.taken.len() {
            self.taken.push((0, of));
        }
        self.met += 1;
        self.taken[self.met - 1].0
    }

    fn system(self) -> Option<System<i128>> {
        let mut system = System::new(self.ranges.len() + self.quotients.len());
        for (number, &(first, last)) in self.ranges.iter().enumerate() {
            system.bound(number, Some(first.into()), Some(last.into()));
        }
        for mut row in self.rows {
            row.form.resize(system.variables, 0);
            system.rows.push(row);
        }
        (!self.is_none).then_some(system)
    }

    /// Adds the row low ≤ function ≤ high.
    fn bound(&mut self, function: Affine<i128>, (low, high): Ends) -> Result<(), Error> {
        let (number, columns) = (*function.constant(), function.terms().len());
        let row = function.between(low, high, columns);
        self.rows.push(row.map_err(|_| Error::ExpressionRange { number })?);
        Ok(())
    }

    /// That a − b is between one of some ends.
    fn difference(&mut self, a: &Expr, b: &Expr, ends: &[Ends]) -> Result<(), Error> {
        let (a, b) = (self.value(a)?, self.value(b)?);
        let ends = ends[self.choice(ends.len())];
        self.bound(combined(&a, -1, &b)?, ends)
    }

    fn value(&mut self, value: &Expr) -> Result<Affine<i128>, Error> {
        value.terms()?.into_iter().try_fold(Affine::always(0), |sum, (times, one)| {
            combined(&sum, times, &self.term(one)?)
        })
    }

    fn term(&mut self, value: &Expr) -> Result<Affine<i128>, Error> {
        let linear_only = || Error::NotLinear { what: "a divisor that varies" };
        match value {
            Expr::Number(number) => Ok(Affine::always((*number).into())),
            Expr::Variable(variable) => Ok(Affine::column(*variable)),
            Expr::Divide(ab, _, part, _) => {
                let [a, Expr::Number(by)] = &**ab else { return Err(linear_only()) };
                let form = self.value(a)?;
                let quotient = self.quotient(&form, *by)?;
                match part {
                    Part::Quotient => Ok(quotient),
                    Part::Remainder => combined(&form, -i128::from(*by), &quotient),
                }
            }
            // Each in turn, where no other is ahead.
            Expr::Extreme(all, least) => {
                let forms = all.iter().map(|one| self.value(one)).collect::<Result<Vec<_>, _>>()?;
                let chosen = self.choice(forms.len());
                let sign = if *least { 1 } else { -1 };
                for (_, other) in forms.iter().enumerate().filter(|(k, _)| *k != chosen) {
                    let ahead = combined(&forms[chosen], -1, other)?;
                    self.bound(combined(&Affine::always(0), sign, &ahead)?, (None, Some(0)))?;
                }
                forms.into_iter().nth(chosen).ok_or_else(linear_only)
            }
            Expr::Where(parts) => {
                let [when, yes, no] = &**parts;
                let holds = self.choice(2) == 0;
                self.condition(when, holds)?;
                self.value(if holds { yes } else { no })
            }
            _ => Err(linear_only()),
        }
    }

    /// The variable of a quotient; one that was met before is the same.
    fn quotient(&mut self, form: &Affine<i128>, by: i64) -> Result<Affine<i128>, Error> {
        let known = self.quotients.iter().position(|(of, d)| of == form && *d == by);
        let number = known.unwrap_or(self.quotients.len());
        let quotient = Affine::column(self.ranges.len() + number);
        if known.is_none() {
            self.quotients.push((form.clone(), by));
            let rest = combined(form, -i128::from(by), &quotient)?;
            self.bound(rest, (Some(0), Some(i128::from(by) - 1)))?;
        }
        Ok(quotient)
    }

    /// That a condition holds, or does not.
    fn condition(&mut self, condition: &Expr, holds: bool) -> Result<(), Error> {
        match condition {
            Expr::Not(inner) => self.condition(inner, !holds),
            Expr::Join(list, all) if *all == holds => {
                list.iter().try_for_each(|one| self.condition(one, holds))
            }
            Expr::Join(list, _) => match list.get(self.choice(list.len())) {
                Some(one) => self.condition(one, holds),
                None => Ok(()),
            },
            Expr::Compare(ab, relation) => {
                let ends = match if holds { *relation } else { relation.opposite() } {
                    Relation::Unequal => &[Relation::Less.bounds(), Relation::Greater.bounds()][..],
                    other => &[other.bounds()],
                };
                self.difference(&ab[0], &ab[1], ends)
            }
            other => {
                self.is_none |= *other != Expr::Always(holds);
                Ok(())
            }
        }
    }
}
