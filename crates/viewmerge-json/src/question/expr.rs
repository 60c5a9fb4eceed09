//! `expr`, `vars` and `valid`: an index expression, simplified.
//!
//! `{"expr":"(4*i + j) // 8","vars":{"i":[0,15],"j":[0,3]},"valid":"i < 9"}`: ranges include both ends; `null` stands for a missing
//! one. The answer's `expr` and `valid` are Python: equal wherever valid, and valid at the same points.

use serde_json::{Value, json};
use viewmerge::{Error, Limit};
use viewmerge_index::{Domain, Expression, Viewed};

use super::{Answer, Wanted, raw};
use crate::members::Entries;
use crate::refused::Refused;

/// A question about an expression.
pub(super) struct Asked {
    pub expr: String,
    pub vars: Vars,
    pub valid: Option<String>,
}

/// Names with their first and last values.
pub(super) type Vars = Entries<[Option<i64>; 2]>;

/// An expression that is not one view, as JSON: `guarded`, or `split` with its view, and `witness`.
///
/// ```
/// use viewmerge::Limit;
/// use viewmerge_index::Domain;
///
/// let domain = Domain::new(&[("i", 0, 11)])?;
/// let simple = domain.simplify(&"i // 3".parse()?, &Limit::none())?;
/// let viewed = domain.views(&simple, &Limit::none())?;
/// let value = viewmerge_json::question::viewed_json(&viewed);
/// assert_eq!(value["split"].to_string(), "[[4,3]]");
/// # Ok::<(), viewmerge::Error>(())
/// ```
#[must_use]
pub fn viewed_json(viewed: &Viewed) -> Value {
    match viewed {
        Viewed::One(view) => json!({ "view": view }),
        Viewed::Guarded { view, witness } => json!({ "guarded": view, "witness": witness }),
        Viewed::Split { split, view, witness } => {
            json!({ "split": split, "over": view, "witness": witness })
        }
        Viewed::None(witness) => json!({ "witness": witness }),
        _ => Value::Null,
    }
}

/// Simplifies the expression of a line.
pub(super) fn decide(asked: &Asked, wanted: &Wanted, limit: &Limit<'_>) -> Result<Answer, Refused> {
    let read = |member: &str, text: &str| -> Result<Expression, Refused> {
        text.parse().map_err(|error: Error| Refused::of(member, &error))
    };
    let ranges: Vec<(&str, Option<i64>, Option<i64>)> =
        asked.vars.0.iter().map(|(name, [first, last])| (name.as_str(), *first, *last)).collect();
    let mut domain = Domain::with_ranges(&ranges).map_err(|error| Refused::of("vars", &error))?;
    if let Some(valid) = &asked.valid {
        let condition = read("valid", valid)?;
        domain = domain.valid(&condition).map_err(|error| Refused::of("valid", &error))?;
    }
    let expression = read("expr", &asked.expr)?;
    let refused = |error: Error| Refused::of("expr", &error);
    let simple = domain.simplify(&expression, limit).map_err(refused)?;
    // The answer has a view if one is found; a failure to find one is not an error.
    let told = simple.is_decided() && !simple.expression().is_condition();
    let (view, viewed) = match told {
        false => (None, None),
        true if wanted.split => match domain.views(&simple, limit) {
            Ok(Viewed::One(view)) => (Some(view), None),
            Ok(viewed) => (None, Some(Box::new(viewed_json(&viewed)))),
            Err(_) => (None, None),
        },
        true => (domain.as_view(&simple, limit).unwrap_or(None), None),
    };
    let certificate = match wanted.certify {
        false => None,
        true => {
            let certificate = domain.certify_simplified(&expression, &simple, limit);
            Some(raw(certificate.map_err(refused)?.to_string())?)
        }
    };
    Ok(Answer::Simplified {
        expr: simple.to_string(),
        valid: simple.condition().map(ToString::to_string),
        divisions: simple.expression().divisions(),
        view,
        viewed,
        decided: simple.is_decided(),
        certificate,
    })
}

#[cfg(test)]
mod tests {
    use viewmerge::Limit;

    #[test]
    fn ranges_without_ends() {
        // (line, answer)
        let rows = [
            (
                r#"{"expr":"i // 4 * 4 + i % 4","vars":{"i":[null,null]}}"#,
                r#"{"expr":"i","valid":null,"divisions":0,"view":null}"#,
            ),
            (
                r#"{"expr":"max(i, 3)","vars":{"i":[0,null]},"valid":"2*i > 9","split":true}"#,
                r#"{"expr":"i","valid":"i >= 5","divisions":0,"view":null}"#,
            ),
            (
                r#"{"expr":"i // 4","vars":{"i":[0,null]},"certify":true}"#,
                r#"{"error":{"kind":"open_range","message":"expr: the range of \"i\" has no end: a certificate holds within ranges, give it one"}}"#,
            ),
            (
                r#"{"expr":"i // 4","vars":{"i":[0]}}"#,
                r#"{"error":{"kind":"json","message":"vars: expected ranges such as {\"i\":[0,15]}, null for no end, found {\"i\":[0]}"}}"#,
            ),
        ];
        for (line, expected) in rows {
            assert_eq!(crate::ask(line, &Limit::none()), expected, "{line}");
        }
    }
}
