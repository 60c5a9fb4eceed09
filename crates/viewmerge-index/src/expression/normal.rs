//! The normal form: fewer kinds of nodes.
//!
//! Every quotient becomes one that rounds down and has a positive divisor, every remainder
//! likewise, and conditions lose their negations:
//!
//! | written | becomes |
//! |---|---|
//! | a // −m, a % −m | (−a) // m, −((−a) % m) |
//! | ⌈a/m⌉ | −((−a) // m) |
//! | a / m towards 0 | a // m where a ≥ 0, −((−a) // m) elsewhere |
//! | its remainder | a % m where a ≥ 0, −((−a) % m) elsewhere |
//! | Euclid's a / m | a // m for m > 0, −(a // −m) for m < 0; the remainder a % \|m\| |
//! | not (a < b and c) | b <= a or not c |
//!
//! A variable with a single value becomes a number. A product of two expressions that both vary, and
//! a divisor that varies, become choices if one of them takes at most [`MOST_VALUES`] values;
//! otherwise the expression is refused, with the place of the operator.

use alloc::boxed::Box;
use alloc::vec::Vec;

use super::lower::interval;
use super::tree::{Expr, Part, Place, Relation, Rounding};
use viewmerge::Error;

/// How many values a factor or a divisor may take to be split into cases.
const MOST_VALUES: i128 = 8;

/// How large a tree of cases may be.
const MOST_NODES: i128 = 500;

/// The first and last value of every variable.
pub(super) type Ranges<'a> = &'a [(i64, i64)];

fn not_linear(what: &'static str, place: Place) -> Error {
    Error::InText { at: place.0, error: Box::new(Error::NotLinear { what }) }
}

fn negated(value: Expr) -> Expr {
    match value {
        Expr::Number(number) if number != i64::MIN => Expr::Number(-number),
        other => match other.scaled() {
            Some((inner, -1)) => inner.clone(),
            _ => other.negate(),
        },
    }
}

/// The normal form of a number or a condition.
pub(super) fn normal(given: &Expr, ranges: Ranges<'_>) -> Result<Expr, Error> {
    if given.is_condition() {
        return condition(given, false, ranges);
    }
    let node = given.map_children(|one| normal(one, ranges))?;
    if !node.is_choice()
        && let Some(number) = folded(&node)
    {
        return Ok(Expr::Number(number));
    }
    Ok(match node {
        Expr::Variable(variable) => match ranges.get(variable) {
            Some((first, last)) if first == last => Expr::Number(*first),
            _ => node,
        },
        Expr::Extreme(mut all, _) if all.len() == 1 => all.remove(0),
        Expr::Where(parts) => match *parts {
            [Expr::Always(true), yes, _] => yes,
            [Expr::Always(false), _, no] => no,
            [_, yes, no] if yes == no => yes,
            [when, yes, no] => Expr::choose(when, yes, no),
        },
        Expr::Sum(all) => {
            let flat = |one| match one {
                Expr::Sum(inner) => inner,
                other => vec![other],
            };
            Expr::Sum(all.into_iter().flat_map(flat).collect())
        }
        Expr::Multiply(ab, place) => {
            let [a, b] = *ab;
            product(a, b, place, ranges)?
        }
        Expr::Divide(ab, rounding, part, place) => match *ab {
            [a, Expr::Number(by)] => divide(a, by, rounding, part, place)?,
            [a, b] => by_cases(&b, &a, ranges, ("a divisor that varies", place), |by| {
                divide(a.clone(), by, rounding, part, place)
            })?,
        },
        other => other,
    })
}

/// The value of a sum, a product or a division of numbers, if it fits.
fn folded(node: &Expr) -> Option<i64> {
    let numbers = node.children().iter().all(|one| matches!(one, Expr::Number(_)));
    numbers.then(|| i64::try_from(node.at(&[])?).ok())?
}

fn product(a: Expr, b: Expr, place: Place, ranges: Ranges<'_>) -> Result<Expr, Error> {
    Ok(match (a, b) {
        (Expr::Number(a), Expr::Number(_)) => {
            return Err(Error::ExpressionRange { number: a.into() });
        }
        (Expr::Number(0), _) | (_, Expr::Number(0)) => Expr::Number(0),
        (Expr::Number(1), other) | (other, Expr::Number(1)) => other,
        (Expr::Number(-1), other) | (other, Expr::Number(-1)) => negated(other),
        (by @ Expr::Number(_), other) | (other, by @ Expr::Number(_)) => {
            Expr::multiply(other, by, place)
        }
        (a, b) => {
            // By cases of the factor that takes fewer values.
            let (few, other) = if width(&a, ranges) < width(&b, ranges) { (a, b) } else { (b, a) };
            let what = "a product of two expressions that both vary";
            by_cases(&few, &other, ranges, (what, place), |by| {
                Ok(Expr::multiply(other.clone(), Expr::Number(by), place))
            })?
        }
    })
}

/// A bound on how many values an expression takes.
fn width(value: &Expr, ranges: Ranges<'_>) -> i128 {
    let (low, high) = interval(value, ranges);
    high.saturating_sub(low).saturating_add(1)
}

/// A choice with one branch for each value that `few` takes.
fn by_cases(
    few: &Expr,
    other: &Expr,
    ranges: Ranges<'_>,
    (what, place): (&'static str, Place),
    branch: impl Fn(i64) -> Result<Expr, Error>,
) -> Result<Expr, Error> {
    let (low, high) = interval(few, ranges);
    let cases = width(few, ranges);
    let nodes = few.count(|_| true) as i128 + other.count(|_| true) as i128;
    let few_enough = cases <= MOST_VALUES && nodes.saturating_mul(cases) <= MOST_NODES;
    let (Ok(low), Ok(high), true) = (i64::try_from(low), i64::try_from(high), few_enough) else {
        return Err(not_linear(what, place));
    };
    let mut chosen = normal(&branch(high)?, ranges)?;
    for number in (low..high).rev() {
        let here = normal(&branch(number)?, ranges)?;
        if here != chosen {
            let when = Expr::compare(few.clone(), Relation::AtMost, Expr::Number(number));
            chosen = Expr::choose(when, here, chosen);
        }
    }
    Ok(chosen)
}

fn divide(a: Expr, by: i64, rounding: Rounding, part: Part, place: Place) -> Result<Expr, Error> {
    if by == 0 {
        return Err(not_linear("a divisor of 0", place));
    }
    let size = by.checked_abs().ok_or(Error::ExpressionRange { number: by.into() })?;
    let negate_if = |condition: bool, value| if condition { negated(value) } else { value };
    let (negative, quotient) = (by < 0, part == Part::Quotient);
    // a // m or a % m for m > 0.
    let down = |a: Expr| match part {
        Part::Quotient if size == 1 => a,
        Part::Remainder if size == 1 => Expr::Number(0),
        _ => Expr::divide(a, Expr::Number(size), Rounding::Down, part, place),
    };
    Ok(match rounding {
        Rounding::Down => negate_if(negative && !quotient, down(negate_if(negative, a))),
        // ⌈a/b⌉ = −⌊−a/b⌋, and a − b·⌈a/b⌉ = −((−a) mod b), with (−a) mod −m = −(a mod m).
        Rounding::Up => negate_if(quotient || !negative, down(negate_if(!negative, a))),
        Rounding::Euclid => negate_if(quotient && negative, down(a)),
        Rounding::TowardsZero => {
            let (positive, opposite) = (down(a.clone()), negated(down(negated(a.clone()))));
            let when = Expr::compare(a, Relation::AtLeast, Expr::Number(0));
            negate_if(negative && quotient, Expr::choose(when, positive, opposite))
        }
    })
}

/// The normal form of a condition, or of its opposite: `All`, `Any` and comparisons, none of
/// them `Unequal`.
pub(super) fn condition(given: &Expr, opposite: bool, ranges: Ranges<'_>) -> Result<Expr, Error> {
    Ok(match given {
        Expr::Always(holds) => Expr::Always(*holds != opposite),
        Expr::Not(inner) => condition(inner, !opposite, ranges)?,
        Expr::Join(list, all) => {
            let is_all = *all != opposite;
            let mut parts = Vec::with_capacity(list.len());
            for one in list {
                match (condition(one, opposite, ranges)?, is_all) {
                    (Expr::Always(holds), _) if holds == is_all => {}
                    (Expr::Always(holds), _) => return Ok(Expr::Always(holds)),
                    (other, _) => parts.push(other),
                }
            }
            Expr::join(parts, is_all)
        }
        Expr::Compare(ab, relation) => {
            let (a, b) = (normal(&ab[0], ranges)?, normal(&ab[1], ranges)?);
            let relation = if opposite { relation.opposite() } else { *relation };
            match (&a, &b) {
                (Expr::Number(a), Expr::Number(b)) => {
                    Expr::Always(relation.holds((*a).into(), (*b).into()))
                }
                _ if relation == Relation::Unequal => {
                    let less = Expr::compare(a.clone(), Relation::Less, b.clone());
                    Expr::Join(vec![less, Expr::compare(a, Relation::Greater, b)], false)
                }
                _ => Expr::compare(a, relation, b),
            }
        }
        value => condition(&value.clone().into_condition(), opposite, ranges)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expression::Expression;

    #[test]
    fn normal_forms_have_the_same_values() {
        let rows = [
            "i // -3",
            "i % -3",
            "ceildiv(i, 4)",
            "ceildiv(i, -4)",
            "truncdiv(i, 3)",
            "truncdiv(i, -3)",
            "truncmod(i, 3)",
            "truncmod(i, -3)",
            "div_euclid(i, 3)",
            "div_euclid(i, -3)",
            "rem_euclid(i, -3)",
            "i * (j + 1)",
            "i // (j + 2)",
            "not (i < j and i != 3)",
            "abs(i - j)",
        ];
        let ranges = [(-9, 9), (0, 3)];
        for text in rows {
            let given = text.parse::<Expression>().expect(text);
            let normal = normal(&given.body, &ranges).expect(text);
            let odd = |node: &Expr| match node {
                Expr::Not(_) => true,
                Expr::Divide(ab, rounding, ..) => {
                    *rounding != Rounding::Down || !matches!(ab[1], Expr::Number(1..))
                }
                Expr::Compare(_, relation) => *relation == Relation::Unequal,
                Expr::Multiply(ab, _) => !matches!(ab[1], Expr::Number(_)),
                _ => false,
            };
            assert_eq!(normal.count(odd), 0, "{text}: {normal:?}");
            for (i, j) in (-9..=9).flat_map(|i| (0..=3).map(move |j| (i, j))) {
                assert_eq!(normal.at(&[i, j]), given.body.at(&[i, j]), "{text} at {i}, {j}");
            }
        }
    }

    #[test]
    fn what_varies_too_much_is_refused() {
        for (text, at) in [("i * i", 2), ("5 // i", 2), ("i // 0", 2)] {
            let given = text.parse::<Expression>().expect(text);
            let refused = normal(&given.body, &[(0, 99)]).expect_err(text);
            assert_eq!(refused.at(), Some(at), "{text}");
        }
    }
}
