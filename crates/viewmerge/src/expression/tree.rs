//! An expression as a tree, and its value at a point.
//!
//! Running example: `(4*i + j) // 8 if i < 3 else 0` is
//! `Where(Compare(i, Less, 3), Divide(Sum(..), 8), Number(0))`.
//!
//! Overflow policy: values are `i128` and every step is checked; what does not fit has
//! no value.

use alloc::boxed::Box;
use alloc::vec::Vec;

/// An integer.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Value {
    Number(i64),
    /// A variable, by its place among the names.
    Variable(usize),
    Sum(Vec<Value>),
    Negate(Box<Value>),
    Multiply(Box<Value>, Box<Value>, Place),
    /// A quotient, or what is left of it.
    Divide(Box<Value>, Box<Value>, Rounding, Part, Place),
    Least(Vec<Value>),
    Greatest(Vec<Value>),
    Where(Box<Condition>, Box<Value>, Box<Value>),
}

/// Where in the text an operator stands, in characters from the start.
#[derive(Debug, Clone, Copy, Eq, Default)]
pub(crate) struct Place(pub usize);

/// Trees are compared, not where they were read.
impl PartialEq for Place {
    fn eq(&self, _: &Place) -> bool {
        true
    }
}

impl core::hash::Hash for Place {
    fn hash<H: core::hash::Hasher>(&self, _: &mut H) {}
}

/// Which way a quotient is rounded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Rounding {
    Down,
    Up,
    TowardsZero,
    /// What is left is never negative.
    Euclid,
}

/// What of a division is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Part {
    Quotient,
    Rest,
}

/// Something that holds or not.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Condition {
    Always(bool),
    Compare(Box<Value>, Relation, Box<Value>),
    All(Vec<Condition>),
    Any(Vec<Condition>),
    Not(Box<Condition>),
}

/// How two values are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Relation {
    Less,
    AtMost,
    Greater,
    AtLeast,
    Equal,
    Unequal,
}

impl Relation {
    pub(super) fn holds(self, a: i128, b: i128) -> bool {
        match self {
            Relation::Less => a < b,
            Relation::AtMost => a <= b,
            Relation::Greater => a > b,
            Relation::AtLeast => a >= b,
            Relation::Equal => a == b,
            Relation::Unequal => a != b,
        }
    }
}

/// ⌊a / b⌋ for b ≠ 0.
pub(super) fn floor(a: i128, b: i128) -> Option<i128> {
    let (q, r) = (a.checked_div(b)?, a.checked_rem(b)?);
    Some(if r != 0 && (r < 0) != (b < 0) { q - 1 } else { q })
}

/// A quotient, rounded as asked; none for a divisor of 0.
pub(super) fn quotient(a: i128, b: i128, rounding: Rounding) -> Option<i128> {
    match rounding {
        Rounding::Down => floor(a, b),
        Rounding::Up => floor(a.checked_neg()?, b)?.checked_neg(),
        Rounding::TowardsZero => a.checked_div(b),
        Rounding::Euclid => a.checked_div_euclid(b),
    }
}

impl Value {
    /// The value at a point, if every number on the way fits and no divisor is 0.
    pub(super) fn at(&self, point: &[i128]) -> Option<i128> {
        match self {
            Value::Number(number) => Some(i128::from(*number)),
            Value::Variable(variable) => point.get(*variable).copied(),
            Value::Sum(all) => {
                all.iter().try_fold(0i128, |sum, one| sum.checked_add(one.at(point)?))
            }
            Value::Negate(a) => a.at(point)?.checked_neg(),
            Value::Multiply(a, b, _) => a.at(point)?.checked_mul(b.at(point)?),
            Value::Divide(a, b, rounding, part, _) => {
                let (a, b) = (a.at(point)?, b.at(point)?);
                let quotient = quotient(a, b, *rounding)?;
                match part {
                    Part::Quotient => Some(quotient),
                    Part::Rest => a.checked_sub(b.checked_mul(quotient)?),
                }
            }
            Value::Least(all) => {
                let values: Option<Vec<i128>> = all.iter().map(|one| one.at(point)).collect();
                values?.into_iter().min()
            }
            Value::Greatest(all) => {
                let values: Option<Vec<i128>> = all.iter().map(|one| one.at(point)).collect();
                values?.into_iter().max()
            }
            Value::Where(condition, a, b) => {
                if condition.at(point)? {
                    a.at(point)
                } else {
                    b.at(point)
                }
            }
        }
    }
}

impl Condition {
    /// Whether it holds at a point. Both sides of an `and` and an `or` must have a value,
    /// unless one before decides.
    pub(super) fn at(&self, point: &[i128]) -> Option<bool> {
        match self {
            Condition::Always(holds) => Some(*holds),
            Condition::Compare(a, relation, b) => Some(relation.holds(a.at(point)?, b.at(point)?)),
            Condition::All(all) => {
                for one in all {
                    if !one.at(point)? {
                        return Some(false);
                    }
                }
                Some(true)
            }
            Condition::Any(all) => {
                for one in all {
                    if one.at(point)? {
                        return Some(true);
                    }
                }
                Some(false)
            }
            Condition::Not(one) => Some(!one.at(point)?),
        }
    }
}

impl Value {
    /// Gives every variable another number.
    pub(super) fn renumber(&mut self, places: &[usize]) {
        match self {
            Value::Number(_) => {}
            Value::Variable(variable) => *variable = places[*variable],
            Value::Sum(all) | Value::Least(all) | Value::Greatest(all) => {
                all.iter_mut().for_each(|one| one.renumber(places));
            }
            Value::Negate(a) => a.renumber(places),
            Value::Multiply(a, b, _) | Value::Divide(a, b, ..) => {
                a.renumber(places);
                b.renumber(places);
            }
            Value::Where(when, a, b) => {
                when.renumber(places);
                a.renumber(places);
                b.renumber(places);
            }
        }
    }
}

impl Condition {
    /// Gives every variable another number.
    pub(super) fn renumber(&mut self, places: &[usize]) {
        match self {
            Condition::Always(_) => {}
            Condition::Compare(a, _, b) => {
                a.renumber(places);
                b.renumber(places);
            }
            Condition::All(all) | Condition::Any(all) => {
                all.iter_mut().for_each(|one| one.renumber(places));
            }
            Condition::Not(inner) => inner.renumber(places),
        }
    }
}
