//! Variables without a first or a last value, and how far out they must be examined.
//!
//! A range without an end is cut at a *reach* that provably suffices: if conditions hold somewhere, they
//! hold at a point whose open variables are within ±reach. So the searches for
//! bounded ranges decide questions about open ones, and always end.
//!
//! Why it suffices. Take a point x where all of some comparisons hold, and let L be a common multiple of the
//! divisors, those of nested quotients multiplied. Among the points whose open variables leave the same remainders
//! modulo L as x, whose signs are those of x and whose other variables are as in x, every quotient is affine: ⌊e/m⌋
//! moves by e's own step over m. There the comparisons are rows Σ aₖ·xₖ ≤ b over the u open
//! variables, with whole numbers aₖ after multiplying with a denominator. They are a polyhedron with
//! corners (the signs see to that), and x is a convex sum of corners and a sum of u edges with factors that
//! are not negative. Reducing each factor modulo L leads to another point of the polyhedron
//! with the same remainders. By Cramer's rule a corner is at most u·P·b away, and an
//! edge at most P long, where P is the product of the u − 1 largest Σ|aₖ|. So u·P·(b + L) suffices. A value that
//! has a greatest one takes it there as well: an edge along which it falls has no factor L at a point where
//! it is greatest.
//!
//! Choices (`or`, `min`, `max`, `where`) go one way at x, which adds rows; the bounds here are those of
//! all ways at once.
//!
//! Running example: `i // 4 % 3 == 2 and i >= 100`: L = 12, the rows say i ≥ 100, u = 1. A point, if there is one, is
//! found up to 100 + 1 + 12 and some: 104.
//!
//! Cost: one pass over the trees. Overflow policy: checked `i128`; a reach beyond 2^60 is
//! refused, and what was asked stays undecided.

use alloc::vec::Vec;

use super::domain::{Domain, FARTHEST};
use super::tree::{Expr, Part};
use lattice_point::Number;
use viewmerge::Error;

/// Stands for a first value that is not there. No range begins or ends that far out.
pub(crate) const NO_FIRST: i64 = i64::MIN;
/// Stands for a last value that is not there.
pub(crate) const NO_LAST: i64 = i64::MAX;

/// Whether a range lacks an end.
fn is_open((first, last): (i64, i64)) -> bool {
    first == NO_FIRST || last == NO_LAST
}

/// The shape of a value where remainders and choices are settled: den·value is Σ aₖ·xₖ + b with whole aₖ, Σ|aₖ|
/// is at most `norm`, and |b| at most `constant`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Shape {
    den: i128,
    norm: i128,
    constant: i128,
}

impl Shape {
    fn number(constant: i128) -> Shape {
        Shape { den: 1, norm: 0, constant }
    }

    /// Both over one denominator, put together.
    fn with(self, other: Shape, join: fn(i128, i128) -> Option<i128>) -> Option<Shape> {
        let den = multiple(self.den, other.den)?;
        let (a, b) = (den / self.den, den / other.den);
        let join = |one: i128, two: i128| join(one.checked_mul(a)?, two.checked_mul(b)?);
        let norm = join(self.norm, other.norm)?;
        Some(Shape { den, norm, constant: join(self.constant, other.constant)? })
    }

    /// The sum or the difference of two values.
    fn plus(self, other: Shape) -> Option<Shape> {
        self.with(other, i128::checked_add)
    }

    /// Either of two values.
    fn or(self, other: Shape) -> Option<Shape> {
        self.with(other, |a, b| Some(a.max(b)))
    }

    fn times(self, by: i128) -> Option<Shape> {
        let common = self.den.gcd(&by).ok()?;
        let by = (by / common).abs();
        let (norm, constant) = (self.norm.checked_mul(by)?, self.constant.checked_mul(by)?);
        Some(Shape { den: self.den / common, norm, constant })
    }
}

/// The least common multiple of numbers above 0.
fn multiple(a: i128, b: i128) -> Option<i128> {
    (a / a.gcd(&b).ok()?).checked_mul(b)
}

/// What is collected of conditions.
struct Reach<'r> {
    ranges: &'r [(i64, i64)],
    /// Which open variables occur.
    occurs: Vec<bool>,
    /// L.
    period: i128,
    /// Σ|aₖ| of the rows that have any.
    norms: Vec<i128>,
    /// The largest b.
    constant: i128,
}

impl Reach<'_> {
    /// The shape of a value; the rows of what it compares are noted. `None` for a number that is too
    /// large, here and below.
    fn value(&mut self, value: &Expr) -> Option<Shape> {
        let mut terms = value.terms().ok()?.into_iter();
        terms
            .try_fold(Shape::number(0), |sum, (times, one)| sum.plus(self.term(one)?.times(times)?))
    }

    fn term(&mut self, value: &Expr) -> Option<Shape> {
        match value {
            Expr::Number(number) => Some(Shape::number(i128::from(*number).abs())),
            Expr::Variable(variable) => {
                let (first, last) = *self.ranges.get(*variable)?;
                if !is_open((first, last)) {
                    let farthest = i128::from(first).abs().max(i128::from(last).abs());
                    return Some(Shape::number(farthest));
                }
                self.occurs[*variable] = true;
                Some(Shape { den: 1, norm: 1, constant: 0 })
            }
            Expr::Divide(ab, _, part, _) => {
                let [a, Expr::Number(by)] = &**ab else { return None };
                let inner = self.value(a)?;
                let by = i128::from(*by).abs();
                if inner.norm == 0 {
                    // It does not move where remainders are settled.
                    let most =
                        if *part == Part::Remainder { by } else { inner.constant / inner.den + 1 };
                    return Some(Shape::number(most));
                }
                let den = inner.den.checked_mul(by)?;
                self.period = multiple(self.period, den)?;
                Some(match part {
                    // e/m minus something below 1; the remainder stays what it is.
                    Part::Quotient => {
                        Shape { den, constant: inner.constant.checked_add(den)?, ..inner }
                    }
                    Part::Remainder => Shape::number(by),
                })
            }
            Expr::Extreme(all, _) => {
                let (first, others) = all.split_first()?;
                let first = self.value(first)?;
                let any = others.iter().try_fold(first, |any, one| any.or(self.value(one)?))?;
                // One is ahead of all the others.
                let ahead = any.plus(any)?;
                let rows = others.len().min(self.ranges.len());
                (0..rows).try_for_each(|_| self.row(ahead))?;
                Some(any)
            }
            Expr::Where(parts) => {
                let [when, yes, no] = &**parts;
                self.condition(when)?;
                let yes = self.value(yes)?;
                yes.or(self.value(no)?)
            }
            _ => None,
        }
    }

    /// A row, and one more for an end that is not included.
    fn row(&mut self, shape: Shape) -> Option<()> {
        self.constant = self.constant.max(shape.constant.checked_add(shape.den)?);
        self.norms.extend((shape.norm > 0).then_some(shape.norm));
        Some(())
    }

    fn condition(&mut self, condition: &Expr) -> Option<()> {
        let Expr::Compare(ab, _) = condition else {
            return condition.children().iter().try_for_each(|one| self.condition(one));
        };
        let difference = self.value(&ab[0])?.plus(self.value(&ab[1])?)?;
        self.row(difference)
    }

    /// u·P·(b + L).
    fn total(mut self) -> Option<i64> {
        let open = self.occurs.iter().filter(|occurs| **occurs).count().max(1);
        self.norms.sort_unstable_by(|a, b| b.cmp(a));
        let product =
            self.norms.iter().take(open - 1).try_fold(1i128, |p, norm| p.checked_mul(*norm))?;
        let far = self.constant.checked_add(self.period)?;
        let reach = product.checked_mul(i128::try_from(open).ok()?)?.checked_mul(far)?;
        i64::try_from(reach).ok().filter(|reach| *reach <= FARTHEST)
    }
}

/// How far open variables need to be looked at to tell whether conditions hold together, or where
/// they do and a value that they compare is least or greatest; `None` for farther than 2^60.
fn reach(conditions: &[Expr], ranges: &[(i64, i64)]) -> Option<i64> {
    let ends = ranges.iter().filter(|range| is_open(**range)).flat_map(|&(a, b)| [a, b]);
    let farthest = ends.filter(|end| ![NO_FIRST, NO_LAST].contains(end)).map(|end| end.abs()).max();
    let mut reach = Reach {
        ranges,
        occurs: vec![false; ranges.len()],
        period: 1,
        norms: vec![],
        constant: farthest.unwrap_or(0).into(),
    };
    conditions.iter().try_for_each(|one| reach.condition(one))?;
    reach.total()
}

impl Domain {
    /// Whether a variable lacks an end.
    pub(crate) fn is_open(&self) -> bool {
        self.ranges.iter().copied().any(is_open)
    }

    /// Refuses a variable without an end.
    pub(crate) fn closed(&self, why: &'static str) -> Result<(), Error> {
        match self.ranges.iter().position(|range| is_open(*range)) {
            None => Ok(()),
            Some(variable) => Err(Error::OpenRange { name: self.names[variable].clone(), why }),
        }
    }

    /// The ranges, with ends at ±reach where there are none.
    pub(super) fn cut_at(&self, reach: i64) -> Vec<(i64, i64)> {
        let first = |first: i64| if first == NO_FIRST { -reach } else { first };
        let last = |last: i64| if last == NO_LAST { reach } else { last };
        self.ranges.iter().map(|&(a, b)| (first(a), last(b))).collect()
    }

    /// The ranges, as far as they need to be looked at for these conditions.
    pub(super) fn within_reach(&self, conditions: &[Expr]) -> Result<Vec<(i64, i64)>, Error> {
        let reach = if self.is_open() { self.reach(conditions)? } else { 0 };
        Ok(self.cut_at(reach))
    }

    /// How far open variables need to be looked at for these conditions, at least 1.
    pub(super) fn reach(&self, conditions: &[Expr]) -> Result<i64, Error> {
        match reach(conditions, &self.ranges) {
            Some(reach) => Ok(reach.max(1)),
            None => {
                self.closed("it would have to be looked at beyond 2^60, give it one")?;
                Ok(1)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expression::{Expression, normal};

    #[test]
    fn reaches() {
        let open = (NO_FIRST, NO_LAST);
        // (condition of a, b, c, their ranges, the reach)
        let rows = [
            // 100 and 1 for the end, and the period.
            ("a >= 100", [(0, NO_LAST), (0, 0), (0, 0)], Some(102)),
            ("a // 4 % 3 == 2 and a >= 100", [(0, NO_LAST), (0, 0), (0, 0)], Some(101 + 12)),
            // 6·(⌊a/2⌋ − ⌊a/3⌋) is off by less than 12, and its end by 6.
            ("a // 2 < a // 3", [open, (0, 0), (0, 0)], Some(12 + 6 + 6)),
            // A bounded variable contributes its values.
            ("a < b", [open, (-7, 3), (0, 0)], Some(8 + 1)),
            // A single open variable needs no norms.
            ("a // 2 < (a + b) // 2", [open, (0, 5), (0, 0)], Some(2 + 7 + 2 + 2)),
            // Two rows of norm 4 and 2: 2·4·(0 + 1 + 1).
            ("3*a < b and a < b", [open, open, (0, 0)], Some(2 * 4 * 2)),
            // Far out is too far.
            ("a // 4611686018427387904 == 1", [open, (0, 0), (0, 0)], None),
            ("a + b + c < 1000000000000000000", [open, open, open], None),
        ];
        for (text, ranges, expected) in rows {
            let read: Expression = text.parse().expect(text);
            let place = |name: &String| Expr::Variable(usize::from(name.as_bytes()[0] - b'a'));
            let places: Vec<Expr> = read.names.iter().map(place).collect();
            let condition = read.body.of(&places);
            let condition = normal::condition(&condition, false, &ranges).expect(text);
            assert_eq!(reach(&[condition], &ranges), expected, "{text}");
        }
    }
}
