//! Choices inside of values: finding one, and what becomes of the tree each way it goes.
//!
//! Running example: `min(i, 3) + 1 < j` is `i + 1 < j` where `i <= 3` and `4 < j` where `i > 3`.

use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;

use super::normal::{self, compare};
use super::tree::{Condition, Relation, Value};
use crate::error::Error;

/// A choice whose condition, or whose parts where these are compared, do not choose.
pub(super) struct Choice {
    pub node: Value,
}

impl Choice {
    /// The ways it can go: conditions, and the value then.
    pub(super) fn ways(
        &self,
        ranges: &[(i64, i64)],
    ) -> Result<Vec<(Vec<Condition>, Value)>, Error> {
        Ok(match &self.node {
            Value::Where(when, a, b) => {
                let opposite = normal::condition(when, true, ranges)?;
                vec![(vec![(**when).clone()], (**a).clone()), (vec![opposite], (**b).clone())]
            }
            Value::Least(all) | Value::Greatest(all) => {
                let least = matches!(self.node, Value::Least(_));
                let mut ways = Vec::with_capacity(all.len());
                for (k, one) in all.iter().enumerate() {
                    // Ahead of those before, and not behind those after.
                    let others = all.iter().enumerate().filter(|(j, _)| *j != k);
                    let conditions = others.map(|(j, other)| {
                        let relation = match (least, j < k) {
                            (true, true) => Relation::Less,
                            (true, false) => Relation::AtMost,
                            (false, true) => Relation::Greater,
                            (false, false) => Relation::AtLeast,
                        };
                        compare(one.clone(), relation, other.clone())
                    });
                    ways.push((conditions.collect(), one.clone()));
                }
                ways
            }
            other => vec![(vec![], other.clone())],
        })
    }
}

/// A choice of a condition that can be told apart next.
pub(super) fn first(condition: &Condition) -> Option<Choice> {
    match condition {
        Condition::Always(_) => None,
        Condition::Compare(a, _, b) => first_of(a).or_else(|| first_of(b)),
        Condition::All(all) | Condition::Any(all) => all.iter().find_map(first),
        Condition::Not(inner) => first(inner),
    }
}

fn first_of(value: &Value) -> Option<Choice> {
    match value {
        Value::Number(_) | Value::Variable(_) => None,
        Value::Sum(all) => all.iter().find_map(first_of),
        Value::Negate(a) => first_of(a),
        Value::Multiply(a, b, _) | Value::Divide(a, b, ..) => first_of(a).or_else(|| first_of(b)),
        Value::Least(all) | Value::Greatest(all) => {
            all.iter().find_map(first_of).or_else(|| Some(Choice { node: value.clone() }))
        }
        // What is inside of the one value does not matter to the other.
        Value::Where(when, ..) => first(when).or_else(|| Some(Choice { node: value.clone() })),
    }
}

/// A condition with a value in place of a choice, wherever it stands.
pub(super) fn replaced(condition: &Condition, node: &Value, by: &Value) -> Condition {
    let list = |all: &[Condition]| all.iter().map(|one| replaced(one, node, by)).collect();
    match condition {
        Condition::Always(_) => condition.clone(),
        Condition::Compare(a, relation, b) => {
            compare(replaced_in(a, node, by), *relation, replaced_in(b, node, by))
        }
        Condition::All(all) => Condition::All(list(all)),
        Condition::Any(all) => Condition::Any(list(all)),
        Condition::Not(inner) => Condition::Not(Box::new(replaced(inner, node, by))),
    }
}

pub(super) fn replaced_in(value: &Value, node: &Value, by: &Value) -> Value {
    if value == node {
        return by.clone();
    }
    let list = |all: &[Value]| all.iter().map(|one| replaced_in(one, node, by)).collect();
    let boxed = |one: &Value| Box::new(replaced_in(one, node, by));
    match value {
        Value::Number(_) | Value::Variable(_) => value.clone(),
        Value::Sum(all) => Value::Sum(list(all)),
        Value::Negate(a) => Value::Negate(boxed(a)),
        Value::Multiply(a, b, place) => Value::Multiply(boxed(a), boxed(b), *place),
        Value::Divide(a, b, rounding, part, place) => {
            Value::Divide(boxed(a), boxed(b), *rounding, *part, *place)
        }
        Value::Least(all) => Value::Least(list(all)),
        Value::Greatest(all) => Value::Greatest(list(all)),
        Value::Where(when, a, b) => {
            Value::Where(Box::new(replaced(when, node, by)), boxed(a), boxed(b))
        }
    }
}
