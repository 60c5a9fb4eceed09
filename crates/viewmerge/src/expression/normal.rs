//! Expressions in fewer kinds of nodes.
//!
//! Every quotient is made one that rounds down with a positive divisor, every remainder likewise,
//! and conditions lose their negations:
//!
//! | written | becomes |
//! |---|---|
//! | a // −m, a % −m | (−a) // m, −((−a) % m) |
//! | ⌈a/m⌉ | −((−a) // m) |
//! | a / m towards 0 | a // m where a ≥ 0, −((−a) // m) elsewhere |
//! | rest of it | a % m where a ≥ 0, −((−a) % m) elsewhere |
//! | Euclid's a / m | a // m for m > 0, −(a // −m) for m < 0; the rest a % \|m\| |
//! | not (a < b and c) | b <= a or not c |
//!
//! A variable of one value is a number. A product of two values that both vary, and a divisor that varies, are
//! choices by what takes at most [`MOST_VALUES`] values; what is not linear then is refused with its place.

use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;

use super::lower::interval;
use super::tree::{Condition, Part, Place, Relation, Rounding, Value};
use crate::error::Error;

/// How many values a factor or a divisor may take to be told apart by cases.
const MOST_VALUES: i128 = 8;

/// How large a tree of cases may be.
const MOST_NODES: i128 = 500;

/// The first and last value of every variable.
pub(super) type Ranges<'a> = &'a [(i64, i64)];

fn not_linear(what: &'static str, place: Place) -> Error {
    Error::InText { at: place.0, error: Box::new(Error::NotLinear { what }) }
}

fn number(value: Option<i128>) -> Option<Value> {
    Some(Value::Number(i64::try_from(value?).ok()?))
}

fn negated(value: Value) -> Value {
    match value {
        Value::Number(number) if number != i64::MIN => Value::Number(-number),
        Value::Negate(inner) => *inner,
        other => Value::Negate(Box::new(other)),
    }
}

/// a // m or a % m for m > 0.
fn down(a: Value, divisor: i64, part: Part, place: Place) -> Value {
    if divisor == 1 {
        return if part == Part::Quotient { a } else { Value::Number(0) };
    }
    if let Value::Number(a) = a {
        return Value::Number(match part {
            Part::Quotient => a.div_euclid(divisor),
            Part::Rest => a.rem_euclid(divisor),
        });
    }
    let divisor = Box::new(Value::Number(divisor));
    Value::Divide(Box::new(a), divisor, Rounding::Down, part, place)
}

/// The normal form of a value.
pub(super) fn value(given: &Value, ranges: Ranges<'_>) -> Result<Value, Error> {
    Ok(match given {
        Value::Number(_) => given.clone(),
        Value::Variable(variable) => match ranges.get(*variable) {
            Some((first, last)) if first == last => Value::Number(*first),
            _ => given.clone(),
        },
        Value::Sum(all) => {
            let mut sum = Vec::with_capacity(all.len());
            for one in all {
                match value(one, ranges)? {
                    Value::Sum(inner) => sum.extend(inner),
                    other => sum.push(other),
                }
            }
            let numbers = |one: &Value| matches!(one, Value::Number(_));
            if sum.iter().all(numbers)
                && let Some(folded) = number(Value::Sum(sum.clone()).at(&[]))
            {
                return Ok(folded);
            }
            Value::Sum(sum)
        }
        Value::Negate(a) => negated(value(a, ranges)?),
        Value::Multiply(a, b, place) => {
            let (a, b) = (value(a, ranges)?, value(b, ranges)?);
            match (a, b) {
                (Value::Number(a), Value::Number(b)) => number(i128::from(a).checked_mul(b.into()))
                    .ok_or(Error::ExpressionRange { number: a.into() })?,
                (Value::Number(0), _) | (_, Value::Number(0)) => Value::Number(0),
                (Value::Number(1), other) | (other, Value::Number(1)) => other,
                (Value::Number(by), other) | (other, Value::Number(by)) => {
                    Value::Multiply(Box::new(other), Box::new(Value::Number(by)), *place)
                }
                (a, b) => {
                    // By cases of the one that takes fewer values.
                    let (few, other) =
                        if width(&a, ranges) < width(&b, ranges) { (a, b) } else { (b, a) };
                    let what = "a product of two expressions that both vary";
                    by_cases(&few, &other, ranges, (what, *place), |by| {
                        let by = Box::new(Value::Number(by));
                        Ok(Value::Multiply(Box::new(other.clone()), by, *place))
                    })?
                }
            }
        }
        Value::Divide(a, b, rounding, part, place) => {
            let (a, b) = (value(a, ranges)?, value(b, ranges)?);
            let Value::Number(by) = b else {
                return by_cases(&b, &a, ranges, ("a divisor that varies", *place), |by| {
                    divide(a.clone(), by, *rounding, *part, *place)
                });
            };
            divide(a, by, *rounding, *part, *place)?
        }
        Value::Least(all) | Value::Greatest(all) => {
            let values: Vec<Value> =
                all.iter().map(|one| value(one, ranges)).collect::<Result<_, _>>()?;
            match (values.len(), matches!(given, Value::Least(_))) {
                (1, _) => values.into_iter().next().unwrap_or(Value::Number(0)),
                (_, true) => Value::Least(values),
                (_, false) => Value::Greatest(values),
            }
        }
        Value::Where(when, a, b) => {
            let (a, b) = (value(a, ranges)?, value(b, ranges)?);
            match condition(when, false, ranges)? {
                Condition::Always(true) => a,
                Condition::Always(false) => b,
                _ if a == b => a,
                when => Value::Where(Box::new(when), Box::new(a), Box::new(b)),
            }
        }
    })
}

/// How many values something takes, at most.
fn width(value: &Value, ranges: Ranges<'_>) -> i128 {
    let (low, high) = interval(value, ranges);
    high.saturating_sub(low).saturating_add(1)
}

/// How many nodes a tree has.
fn size(value: &Value) -> usize {
    1 + match value {
        Value::Number(_) | Value::Variable(_) => 0,
        Value::Sum(all) | Value::Least(all) | Value::Greatest(all) => all.iter().map(size).sum(),
        Value::Negate(a) => size(a),
        Value::Multiply(a, b, _) | Value::Divide(a, b, ..) => size(a) + size(b),
        Value::Where(when, a, b) => size_in(when) + size(a) + size(b),
    }
}

fn size_in(condition: &Condition) -> usize {
    1 + match condition {
        Condition::Always(_) => 0,
        Condition::Compare(a, _, b) => size(a) + size(b),
        Condition::All(all) | Condition::Any(all) => all.iter().map(size_in).sum(),
        Condition::Not(one) => size_in(one),
    }
}

/// A value for each of the few that another takes: a choice of choices. What takes many is not linear.
fn by_cases(
    few: &Value,
    other: &Value,
    ranges: Ranges<'_>,
    (what, place): (&'static str, Place),
    value: impl Fn(i64) -> Result<Value, Error>,
) -> Result<Value, Error> {
    let (low, high) = interval(few, ranges);
    let cases = width(few, ranges);
    let nodes = (size(few) as i128 + size(other) as i128).saturating_mul(cases);
    let (Ok(low), Ok(high)) = (i64::try_from(low), i64::try_from(high)) else {
        return Err(not_linear(what, place));
    };
    if cases > MOST_VALUES || nodes > MOST_NODES {
        return Err(not_linear(what, place));
    }
    let mut chosen = self::value(&value(high)?, ranges)?;
    for number in (low..high).rev() {
        let when = compare(few.clone(), Relation::AtMost, Value::Number(number));
        let here = self::value(&value(number)?, ranges)?;
        if here != chosen {
            chosen = Value::Where(Box::new(when), Box::new(here), Box::new(chosen));
        }
    }
    Ok(chosen)
}

fn divide(a: Value, by: i64, rounding: Rounding, part: Part, place: Place) -> Result<Value, Error> {
    if by == 0 {
        return Err(not_linear("a divisor of 0", place));
    }
    let size = by.checked_abs().ok_or(Error::ExpressionRange { number: by.into() })?;
    let negative = by < 0;
    Ok(match (rounding, part) {
        (Rounding::Down, _) if !negative => down(a, size, part, place),
        (Rounding::Down, Part::Quotient) => down(negated(a), size, part, place),
        (Rounding::Down, Part::Rest) => negated(down(negated(a), size, part, place)),
        // ⌈a/b⌉ = −⌊−a/b⌋, and what is left is a − b·⌈a/b⌉ = −((−a) mod b).
        (Rounding::Up, Part::Quotient) => {
            let inner = if negative { a } else { negated(a) };
            negated(down(inner, size, part, place))
        }
        (Rounding::Up, Part::Rest) => {
            // −((−a) mod b), and (−a) mod −m = −(a mod m).
            let rest = if negative { a.clone() } else { negated(a.clone()) };
            let rest = down(rest, size, part, place);
            if negative { rest } else { negated(rest) }
        }
        (Rounding::Euclid, Part::Quotient) => {
            let quotient = down(a, size, part, place);
            if negative { negated(quotient) } else { quotient }
        }
        (Rounding::Euclid, Part::Rest) => down(a, size, part, place),
        (Rounding::TowardsZero, _) => {
            if let Value::Number(number) = a {
                let (quotient, rest) = (number / size, number % size);
                let quotient = match negative {
                    true => quotient
                        .checked_neg()
                        .ok_or(Error::ExpressionRange { number: number.into() })?,
                    false => quotient,
                };
                return Ok(Value::Number(if part == Part::Quotient { quotient } else { rest }));
            }
            let positive = down(a.clone(), size, part, place);
            let opposite = negated(down(negated(a.clone()), size, part, place));
            let zero = Box::new(Value::Number(0));
            let when = Condition::Compare(Box::new(a), Relation::AtLeast, zero);
            let chosen = Value::Where(Box::new(when), Box::new(positive), Box::new(opposite));
            if negative && part == Part::Quotient { negated(chosen) } else { chosen }
        }
    })
}

/// The normal form of a condition, or of its opposite: `All`, `Any` and comparisons, none of
/// them unequal.
pub(super) fn condition(
    given: &Condition,
    opposite: bool,
    ranges: Ranges<'_>,
) -> Result<Condition, Error> {
    Ok(match given {
        Condition::Always(holds) => Condition::Always(*holds != opposite),
        Condition::Not(inner) => condition(inner, !opposite, ranges)?,
        Condition::All(list) | Condition::Any(list) => {
            let is_all = matches!(given, Condition::All(_)) != opposite;
            let mut parts = Vec::with_capacity(list.len());
            for one in list {
                match (condition(one, opposite, ranges)?, is_all) {
                    (Condition::Always(holds), _) if holds == is_all => {}
                    (Condition::Always(holds), _) => return Ok(Condition::Always(holds)),
                    (Condition::All(inner), true) | (Condition::Any(inner), false) => {
                        parts.extend(inner);
                    }
                    (other, _) => parts.push(other),
                }
            }
            join(parts, is_all)
        }
        Condition::Compare(a, relation, b) => {
            let (a, b) = (value(a, ranges)?, value(b, ranges)?);
            let relation = if opposite { relation.opposite() } else { *relation };
            if let (Value::Number(a), Value::Number(b)) = (&a, &b) {
                return Ok(Condition::Always(relation.holds((*a).into(), (*b).into())));
            }
            if relation == Relation::Unequal {
                let less = compare(a.clone(), Relation::Less, b.clone());
                return Ok(Condition::Any(vec![less, compare(a, Relation::Greater, b)]));
            }
            compare(a, relation, b)
        }
    })
}

pub(super) fn compare(a: Value, relation: Relation, b: Value) -> Condition {
    Condition::Compare(Box::new(a), relation, Box::new(b))
}

/// All of them, or one of them.
pub(super) fn join(mut parts: Vec<Condition>, all: bool) -> Condition {
    match parts.len() {
        0 => Condition::Always(all),
        1 => parts.remove(0),
        _ if all => Condition::All(parts),
        _ => Condition::Any(parts),
    }
}

impl Relation {
    pub(super) fn opposite(self) -> Relation {
        match self {
            Relation::Less => Relation::AtLeast,
            Relation::AtMost => Relation::Greater,
            Relation::Greater => Relation::AtMost,
            Relation::AtLeast => Relation::Less,
            Relation::Equal => Relation::Unequal,
            Relation::Unequal => Relation::Equal,
        }
    }
}
