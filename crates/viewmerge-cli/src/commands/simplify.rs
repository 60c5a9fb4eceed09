//! `viewmerge simplify` and `viewmerge same`: questions about index expressions.

use serde_json::json;
use viewmerge::{Error, Limit};
use viewmerge_index::{Dialect, Domain, Expression, Render, Same, Simplified, Viewed};
use viewmerge_json::question::viewed_json;

use super::{Outcome, no_latex};
use crate::options::{Format, Ranges};
use crate::show::{Answer, mistake, verdict_word};

fn read(text: &str, c: bool) -> Result<Expression, crate::show::Refusal> {
    let dialect = if c { Dialect::C } else { Dialect::Python };
    Expression::read(text, dialect).map_err(|error| mistake(text, error))
}

/// Shows a refusal with a caret under its place in the expression, if it has one.
fn in_text(text: &str, error: Error) -> crate::show::Refusal {
    if error.at().is_some() { mistake(text, error) } else { error.into() }
}

/// A name, a first and a last value.
type Named = (String, Option<i64>, Option<i64>);

/// `i=0:10`, end excluded; `i=0:` and `i=:10` are unbounded.
fn range(text: &str) -> Result<Named, String> {
    let what = || {
        format!("{text:?} is no range, write NAME=FIRST:END, such as i=0:10, or i=0: for no end")
    };
    let (name, ends) = text.split_once('=').ok_or_else(what)?;
    let (first, end) = ends.split_once(':').ok_or_else(what)?;
    let number = |text: &str| match text.trim() {
        "" => Ok(None),
        text => text.parse::<i64>().map(Some).map_err(|_| what()),
    };
    let (first, end) = (number(first)?, number(end)?);
    let last = end.map(|end| end.checked_sub(1).ok_or_else(what)).transpose()?;
    Ok((name.trim().to_string(), first, last))
}

fn domain(asked: &Ranges) -> Result<Domain, crate::show::Refusal> {
    let ranges: Vec<Named> =
        asked.range.iter().map(|text| range(text)).collect::<Result<_, _>>()?;
    let domain = Domain::with_ranges(&ranges)?;
    Ok(match &asked.valid {
        Some(valid) => {
            let condition = read(valid, asked.c)?;
            domain.valid(&condition).map_err(|error| in_text(valid, error))?
        }
        None => domain,
    })
}

/// The options of what `viewmerge simplify` prints.
#[derive(Debug, Clone, Copy, Default)]
pub struct Simpler<'a> {
    /// Print it as a view.
    pub view: bool,
    /// A language.
    pub lang: Option<&'a str>,
    /// Print value and condition without a function.
    pub bare: bool,
}

/// `viewmerge simplify`
///
/// # Errors
///
/// If the input is bad, or the limit was reached.
pub fn simplify(
    text: &str,
    asked: &Ranges,
    wanted: &Simpler<'_>,
    limit: &Limit<'_>,
    format: Format,
) -> Outcome {
    no_latex(format)?;
    let expression = read(text, asked.c)?;
    let domain = domain(asked)?;
    let simple = domain.simplify(&expression, limit).map_err(|error| in_text(text, error))?;
    if asked.certify {
        let certificate = domain.certify_simplified(&expression, &simple, limit)?;
        return Ok(Answer::new(certificate.is_yes(), certificate.to_string()));
    }
    if let (Some(lang), true) = (wanted.lang, simple.is_decided()) {
        return written(&domain, &simple, lang, wanted.bare, format);
    }
    if wanted.view && simple.is_decided() {
        let viewed = domain.views(&simple, limit).map_err(|error| in_text(text, error))?;
        return tell(&viewed, format);
    }
    let valid = simple.condition().map(ToString::to_string);
    if format == Format::Json {
        let view = if simple.is_decided() && !simple.expression().is_condition() {
            domain.as_view(&simple, limit).unwrap_or(None)
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
            "undecided: the limit, too many alternatives, or too far without an end; it stays\n  {simple}"
        )));
    }
    let code = |text: String| if format == Format::Markdown { format!("`{text}`") } else { text };
    let when = valid.map_or(String::new(), |valid| format!(" if {}", code(valid)));
    Ok(Answer::new(true, format!("{}{when}", code(simple.to_string()))))
}

/// An expression in a language.
fn written(
    domain: &Domain,
    simple: &Simplified,
    lang: &str,
    bare: bool,
    format: Format,
) -> Outcome {
    let how = Render::new(lang.parse()?);
    if !bare && format != Format::Json {
        let text = domain.render(simple, &how)?;
        let text = text.trim_end();
        return Ok(Answer::new(
            true,
            match format {
                Format::Markdown => format!("```{lang}\n{text}\n```"),
                _ => text.to_string(),
            },
        ));
    }
    let found = domain.snippet(simple, &how)?;
    if format == Format::Json {
        let text = domain.render(simple, &how)?;
        return Answer::json(true, &json!({ "bare": found, "text": text.trim_end() }));
    }
    Ok(Answer::new(true, format!("{}\n{}", found.guard, found.position)))
}

/// Prints an expression as a view; the answer is yes if it is one view.
fn tell(viewed: &Viewed, format: Format) -> Outcome {
    let one = matches!(viewed, Viewed::One(_));
    if format == Format::Json {
        return Answer::json(one, &viewed_json(viewed));
    }
    let told = match viewed {
        Viewed::One(view) => view.to_string(),
        Viewed::Guarded { view, witness } => format!("{view}\nnot one view: {witness}"),
        Viewed::Split { split, view, witness } => {
            format!("{view} over {split}\nnot one view: {witness}")
        }
        Viewed::None(witness) => format!("not one view: {witness}"),
        _ => String::new(),
    };
    Ok(Answer::new(one, told))
}

/// `viewmerge same`
///
/// # Errors
///
/// If the input is bad, or the limit was reached.
pub fn same(one: &str, other: &str, asked: &Ranges, limit: &Limit<'_>, format: Format) -> Outcome {
    no_latex(format)?;
    let (first, second) = (read(one, asked.c)?, read(other, asked.c)?);
    let domain = domain(asked)?;
    if asked.certify {
        let certificate = domain.certify_equal(&first, &second, limit)?;
        return Ok(Answer::new(certificate.is_yes(), certificate.to_string()));
    }
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
    let differ = verdict_word(false, "computes a different function");
    let (here, there) = (value(values.0), value(values.1));
    Ok(Answer::new(
        false,
        format!("{differ}: at {} the one is {here}, the other {there}", at.join(", ")),
    ))
}
