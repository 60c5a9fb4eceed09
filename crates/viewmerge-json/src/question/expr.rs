//! `expr`, `vars` and `valid`: an index expression, simplified.
//!
//! `{"expr":"(4*i + j) // 8","vars":{"i":[0,15],"j":[0,3]},"valid":"i < 9"}`: ranges hold both
//! their ends. The answer's `expr` and `valid` are Python's: equal wherever valid, valid at the same
//! points.

use std::fmt;

use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use viewmerge::{Domain, Error, Expression, Limit};

use super::{Answer, Failure};

/// What is asked of an expression.
pub(super) struct Asked {
    pub expr: String,
    pub vars: Vars,
    pub valid: Option<String>,
}

/// Names with their first and last values, in the order they are given.
#[derive(Default)]
pub(super) struct Vars(pub Vec<(String, [i64; 2])>);

impl<'de> Deserialize<'de> for Vars {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Vars, D::Error> {
        struct Collect;
        impl<'de> Visitor<'de> for Collect {
            type Value = Vars;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object of ranges")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Vars, A::Error> {
                let mut vars = Vec::new();
                while let Some(one) = map.next_entry()? {
                    vars.push(one);
                }
                Ok(Vars(vars))
            }
        }
        deserializer.deserialize_map(Collect)
    }
}

/// Simplifies the expression of a line.
pub(super) fn decide(asked: &Asked, limit: &Limit<'_>) -> Result<Answer, Failure> {
    let read = |member: &str, text: &str| -> Result<Expression, Failure> {
        text.parse().map_err(|error: Error| Failure::refused(member, &error))
    };
    let ranges: Vec<(&str, i64, i64)> =
        asked.vars.0.iter().map(|(name, [first, last])| (name.as_str(), *first, *last)).collect();
    let mut domain = Domain::new(&ranges).map_err(|error| Failure::refused("vars", &error))?;
    if let Some(valid) = &asked.valid {
        let condition = read("valid", valid)?;
        domain = domain.valid(&condition).map_err(|error| Failure::refused("valid", &error))?;
    }
    let expression = read("expr", &asked.expr)?;
    let refused = |error: Error| Failure::refused("expr", &error);
    let simple = domain.simplify(&expression, limit).map_err(refused)?;
    // A view is told where there is one; what keeps it from being told is no failure.
    let view = if simple.is_decided() && !simple.expression().is_condition() {
        domain.view_of(&simple, limit).unwrap_or(None)
    } else {
        None
    };
    Ok(Answer::Simplified {
        expr: simple.to_string(),
        valid: simple.valid().map(ToString::to_string),
        divisions: simple.expression().divisions(),
        view,
        decided: simple.is_decided(),
    })
}
