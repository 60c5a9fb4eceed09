//! Numbers and conditions while they are read, and one as the other: a condition is 1 or 0, a number
//! that is not 0 holds.

use alloc::boxed::Box;
use alloc::vec;

use super::tokens::syntax;
use crate::error::Error;
use crate::expression::tree::{Condition, Part, Place, Relation, Rounding, Value};

/// A number or a condition; a number may still wait for its quotient to be rounded.
#[derive(Debug, Clone)]
pub(in crate::expression) enum Term {
    /// value / divisor; the divisor is above 0.
    Number(Value, i64),
    Holds(Condition),
}

pub(super) fn unrounded(at: usize) -> Error {
    syntax(at, "`//`, or `/` inside floor(…): a quotient must say how it is rounded", "`/`")
}

pub(super) fn whole_number(value: Value) -> Term {
    Term::Number(value, 1)
}

/// Long sums are flat, so that no text makes a deep tree.
pub(super) fn sum(a: Value, b: Value) -> Value {
    match a {
        Value::Sum(mut all) => {
            all.push(b);
            Value::Sum(all)
        }
        a => Value::Sum(vec![a, b]),
    }
}

pub(super) fn times(value: Value, by: i64, place: Place) -> Value {
    match by {
        1 => value,
        _ => Value::Multiply(Box::new(value), Box::new(Value::Number(by)), place),
    }
}

pub(super) fn divide(a: Value, b: Value, rounding: Rounding, part: Part, place: Place) -> Term {
    whole_number(Value::Divide(Box::new(a), Box::new(b), rounding, part, place))
}

/// A condition as the number 1 or 0.
pub(super) fn as_ratio(term: Term) -> (Value, i64) {
    match term {
        Term::Number(value, by) => (value, by),
        Term::Holds(condition) => (one_or_zero(condition), 1),
    }
}

/// 1 where a condition holds, 0 elsewhere.
pub(in crate::expression) fn one_or_zero(condition: Condition) -> Value {
    let (one, zero) = (Box::new(Value::Number(1)), Box::new(Value::Number(0)));
    Value::Where(Box::new(condition), one, zero)
}

pub(in crate::expression) fn as_value(term: Term, at: usize) -> Result<Value, Error> {
    match as_ratio(term) {
        (value, 1) => Ok(value),
        _ => Err(unrounded(at)),
    }
}

pub(super) fn number((term, at): (Term, usize)) -> Result<Value, Error> {
    as_value(term, at)
}

pub(super) fn as_condition(term: Term, at: usize) -> Result<Condition, Error> {
    match term {
        Term::Holds(condition) => Ok(condition),
        Term::Number(Value::Number(number), 1) => Ok(Condition::Always(number != 0)),
        Term::Number(value, 1) => {
            let zero = Box::new(Value::Number(0));
            Ok(Condition::Compare(Box::new(value), Relation::Unequal, zero))
        }
        Term::Number(..) => Err(unrounded(at)),
    }
}

pub(super) fn choose(condition: Condition, yes: Term, no: Term, at: usize) -> Result<Term, Error> {
    if let (Term::Holds(yes), Term::Holds(no)) = (&yes, &no) {
        let otherwise = all(not(condition.clone()), no.clone());
        return Ok(Term::Holds(any(all(condition, yes.clone()), otherwise)));
    }
    let (yes, no) = (Box::new(as_value(yes, at)?), Box::new(as_value(no, at)?));
    Ok(whole_number(Value::Where(Box::new(condition), yes, no)))
}

pub(super) fn all(a: Condition, b: Condition) -> Condition {
    let mut list = match a {
        Condition::All(list) => list,
        other => vec![other],
    };
    match b {
        Condition::All(more) => list.extend(more),
        other => list.push(other),
    }
    Condition::All(list)
}

pub(super) fn any(a: Condition, b: Condition) -> Condition {
    let mut list = match a {
        Condition::Any(list) => list,
        other => vec![other],
    };
    match b {
        Condition::Any(more) => list.extend(more),
        other => list.push(other),
    }
    Condition::Any(list)
}

pub(super) fn not(a: Condition) -> Condition {
    match a {
        Condition::Not(inner) => *inner,
        Condition::Always(holds) => Condition::Always(!holds),
        other => Condition::Not(Box::new(other)),
    }
}

/// One of two conditions holds, not both.
pub(super) fn unequal(a: Condition, b: Condition) -> Condition {
    match (a, b) {
        (Condition::Always(always), other) | (other, Condition::Always(always)) => {
            if always {
                not(other)
            } else {
                other
            }
        }
        (a, b) => any(all(a.clone(), not(b.clone())), all(not(a), b)),
    }
}

pub(super) fn compare(
    left: Term,
    sign: &'static str,
    right: Term,
    at: usize,
    from: usize,
) -> Result<Condition, Error> {
    let relation = match sign {
        "<" => Relation::Less,
        "<=" => Relation::AtMost,
        ">" => Relation::Greater,
        ">=" => Relation::AtLeast,
        "!=" => Relation::Unequal,
        _ => Relation::Equal,
    };
    match (left, right) {
        // Conditions are the same, or not.
        (Term::Holds(a), Term::Holds(b)) if relation == Relation::Unequal => Ok(unequal(a, b)),
        (Term::Holds(a), Term::Holds(b)) if relation == Relation::Equal => Ok(not(unequal(a, b))),
        (left, right) => {
            let ((a, m), (b, n)) = (as_ratio(left), as_ratio(right));
            let place = Place(at.min(from));
            let (a, b) = if m == n { (a, b) } else { (times(a, n, place), times(b, m, place)) };
            Ok(Condition::Compare(Box::new(a), relation, Box::new(b)))
        }
    }
}
