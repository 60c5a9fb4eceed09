//! `viewmerge simplify` and `viewmerge same`: questions about index expressions.

use serde_json::json;
use viewmerge::{Dialect, Domain, Error, Expression, Limit, Same};

use super::{Outcome, no_latex};
use crate::args::{Format, Ranges};
use crate::show::{Answer, mistake, verdict_word};

fn read(text: &str, c: bool) -> Result<Expression, String> {
    let dialect = if c { Dialect::C } else { Dialect::Python };
    Expression::read(text, dialect).map_err(|error| mistake(text, &error))
}

/// A refusal that tells a place in an expression is shown with a caret.
fn in_text(text: &str, error: Error) -> crate::show::Refusal {
    if error.at().is_some() { mistake(text, &error).into() } else { error.into() }
}

/// `i=0:10`, the end not included.
fn range(text: &str) -> Result<(String, i64, i64), String> {
    let what = || format!("{text:?} is no range, write NAME=FIRST:END, such as i=0:10");
    let (name, ends) = text.split_once('=').ok_or_else(what)?;
    let (first, end) = ends.split_once(':').ok_or_else(what)?;
    let number = |text: &str| text.trim().parse::<i64>().map_err(|_| what());
    let (first, end) = (number(first)?, number(end)?);
    let last = end.checked_sub(1).ok_or_else(what)?;
    Ok((name.trim().to_string(), first, last))
}

fn domain(asked: &Ranges) -> Result<Domain, crate::show::Refusal> {
    let ranges: Vec<(String, i64, i64)> =
        asked.range.iter().map(|text| range(text)).collect::<Result<_, _>>()?;
    let domain = Domain::new(&ranges)?;
    Ok(match &asked.valid {
        Some(valid) => {
            let condition = read(valid, asked.c)?;
            domain.valid(&condition).map_err(|error| in_text(valid, error))?
        }
        None => domain,
    })
}

/// `viewmerge simplify`
///
/// # Errors
///
/// What is wrong with the input, or that the limit was reached.
pub fn simplify(text: &str, asked: &Ranges, limit: &Limit<'_>, format: Format) -> Outcome {
    no_latex(format)?;
    let expression = read(text, asked.c)?;
    let domain = domain(asked)?;
    let simple = domain.simplify(&expression, limit).map_err(|error| in_text(text, error))?;
    let valid = simple.valid().map(ToString::to_string);
    if format == Format::Json {
        let view = if simple.is_decided() && !simple.expression().is_condition() {
            domain.view_of(&simple, limit).unwrap_or(None)
        } else {
            None
        };
        return Answer::json(
            true,
            &json!({
                "expr": simple.to_string(),
                "valid": valid,
                "divisions": simple.expression().divisions(),
                "view": view,
                "decided": simple.is_decided(),
            }),
        );
    }
    if !simple.is_decided() {
        return Err(crate::show::Refusal::Undecided(format!(
            "undecided within the limit, or too many alternatives; it stays\n  {simple}"
        )));
    }
    let code = |text: String| if format == Format::Markdown { format!("`{text}`") } else { text };
    let when = valid.map_or(String::new(), |valid| format!(" if {}", code(valid)));
    Ok(Answer::new(true, format!("{}{when}", code(simple.to_string()))))
}

/// `viewmerge same`
///
/// # Errors
///
/// What is wrong with the input, or that the limit was reached.
pub fn same(one: &str, other: &str, asked: &Ranges, limit: &Limit<'_>, format: Format) -> Outcome {
    no_latex(format)?;
    let (first, second) = (read(one, asked.c)?, read(other, asked.c)?);
    let domain = domain(asked)?;
    let found = domain.equal(&first, &second, limit)?;
    let Same::No { point, values } = &found else {
        return match format {
            Format::Json => Answer::json(true, &json!({ "same": true })),
            _ => Ok(Answer::new(true, verdict_word(true, "the same"))),
        };
    };
    let at: Vec<(&String, i64)> = domain.names().iter().zip(point.iter().copied()).collect();
    let value = |value: Option<i128>| value.map_or("not valid".into(), |v: i128| v.to_string());
    if format == Format::Json {
        let at: serde_json::Map<String, serde_json::Value> =
            at.iter().map(|(name, x)| ((*name).clone(), json!(x))).collect();
        let values = [value(values.0), value(values.1)];
        return Answer::json(false, &json!({ "same": false, "at": at, "values": values }));
    }
    let at: Vec<String> = at.iter().map(|(name, x)| format!("{name} = {x}")).collect();
    let differ = verdict_word(false, "not the same");
    let (here, there) = (value(values.0), value(values.1));
    Ok(Answer::new(
        false,
        format!("{differ}: at {} the one is {here}, the other {there}", at.join(", ")),
    ))
}
