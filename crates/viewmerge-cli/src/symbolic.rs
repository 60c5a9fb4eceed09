//! Commands with `--param`: for which parameters is the answer yes?

use serde_json::json;
use viewmerge::Limit;
use viewmerge_index::Render;
use viewmerge_json::symbolic::limit;
use viewmerge_symbolic::{Kind, Params, SymbolicChain};

use crate::commands::{Wanted, language, no_latex, render};
use crate::options::{Declared, Format};
use crate::show::{Answer, Refusal, verdict_word};

fn bad(error: viewmerge_symbolic::Error) -> Refusal {
    in_text(error, None)
}

/// A refusal, with a caret in the text.
fn in_text(error: viewmerge_symbolic::Error, text: Option<&str>) -> Refusal {
    let message = error.to_string();
    let marked = text.map_or(message.clone(), |text| error.with_source(text).to_string());
    Refusal::Refused { kind: error.kind(), message, at: error.at(), marked }
}

fn params(declared: &Declared) -> Result<Params, Refusal> {
    declared.param.iter().try_fold(Params::new(), |params, text| params.read(text)).map_err(bad)
}

fn chain(parts: &[String], declared: &Declared) -> Result<SymbolicChain, Refusal> {
    let text = parts.join(" | ");
    SymbolicChain::parse(&params(declared)?, &text).map_err(|error| in_text(error, Some(&text)))
}

/// `viewmerge merge --param`
///
/// # Errors
///
/// If the input is bad.
pub fn merge(
    parts: &[String],
    declared: &Declared,
    steps: Option<u64>,
    format: Format,
) -> Result<Answer, Refusal> {
    let answer = chain(parts, declared)?.merge(&limit(steps));
    cases(&answer, format, ["never one view", "not one view"])
}

/// `viewmerge certify --param`: with a point, the certificate of the chain there, with the view of
/// the case that holds; without one, a certificate that it is one view for all parameters.
///
/// # Errors
///
/// If the input is bad, the limit was reached, or there is no certificate.
pub fn certify(
    parts: &[String],
    equal: Option<&str>,
    declared: &Declared,
    at: &[String],
    limit: &Limit<'_>,
) -> Result<Answer, Refusal> {
    let value = |text: &String| {
        let found = text.split_once('=').and_then(|(name, value)| {
            Some((name.trim().to_owned(), value.trim().parse::<i64>().ok()?))
        });
        found.ok_or_else(|| Refusal::Bad(format!("--at {text}: NAME=VALUE is expected, as N=3")))
    };
    let values = at.iter().map(value).collect::<Result<Vec<_>, _>>()?;
    let values: Vec<(&str, i64)> = values.iter().map(|(name, value)| (&name[..], *value)).collect();
    let params = params(declared)?;
    // One view for each op, as in certificates.
    let chain = |text: &str| SymbolicChain::op_by_op(&params, text).map_err(bad);
    if at.is_empty() {
        if equal.is_some() {
            return Err(Refusal::Bad("--equal with --param is certified --at a point".to_owned()));
        }
        let certificate = chain(&parts.join(" | "))?.certify(limit);
        let none = "no certificate for all values: one pass over the views does not settle it, give some by --at";
        let certificate = certificate.ok_or_else(|| Refusal::Undecided(none.to_owned()))?;
        return Ok(Answer::new(true, certificate.to_string()));
    }
    let read = |text: &str| chain(text)?.at(&values).map_err(bad);
    let chain = read(&parts.join(" | "))?;
    let certificate = match equal {
        None => chain.certify(limit)?,
        Some(other) => chain.certify_equivalence(&read(other)?, limit)?,
    };
    Ok(Answer::new(certificate.is_yes(), certificate.to_string()))
}

/// Writes an answer case by case; `never` and `otherwise` are the words for no cases at all and
/// for the parameters without a case.
fn cases(
    answer: &viewmerge_symbolic::Answer,
    format: Format,
    [never, otherwise]: [&str; 2],
) -> Result<Answer, Refusal> {
    no_latex(format)?;
    let yes = answer.kind != Kind::Never;
    if format == Format::Json {
        return Answer::json(yes, answer);
    }
    let code = |text: String| if format == Format::Markdown { format!("`{text}`") } else { text };
    let mut lines = Vec::new();
    if !answer.requires.is_always() {
        lines.push(format!("requires {}", code(answer.requires.to_string())));
    }
    for case in &answer.cases {
        let when = match case.guard.is_always() {
            true => verdict_word(true, "always"),
            false => format!("{} {}", verdict_word(true, "if"), code(case.guard.to_string())),
        };
        let told = match case.is_trivial() {
            true => case.view.to_string(),
            false => format!("over {} {}", case.shown_split(), case.view),
        };
        lines.push(format!("{when}: {}", code(told)));
    }
    if !answer.open.is_never() {
        lines.push(format!("undecided if {}", code(answer.open.to_string())));
    }
    if answer.rest {
        lines.push(match yes {
            true => format!("otherwise {}", verdict_word(false, otherwise)),
            false => verdict_word(false, never),
        });
    }
    Ok(Answer::new(yes, lines.join("\n")))
}

/// `viewmerge split --param`
///
/// # Errors
///
/// If the input is bad.
pub fn split(
    parts: &[String],
    declared: &Declared,
    steps: Option<u64>,
    format: Format,
) -> Result<Answer, Refusal> {
    let answer = chain(parts, declared)?.split(&limit(steps));
    cases(&answer, format, ["never one view over a split", "not one view over any split"])
}

/// `viewmerge equal --param`
///
/// # Errors
///
/// If the input is bad, or the answer is open.
pub fn equal(
    [one, other]: [&str; 2],
    declared: &Declared,
    steps: Option<u64>,
    format: Format,
) -> Result<Answer, Refusal> {
    no_latex(format)?;
    let params = params(declared)?;
    let read = |text: &str| SymbolicChain::parse(&params, text).map_err(bad);
    let answer = read(one)?.equivalent(&read(other)?, &limit(steps)).map_err(bad)?;
    // As for `merge`: yes if they are the same for some parameters.
    let yes = !answer.same.is_never();
    if format == Format::Json {
        return Answer::json(yes, &answer);
    }
    let code = |text: String| if format == Format::Markdown { format!("`{text}`") } else { text };
    let mut lines = Vec::new();
    if !answer.requires.is_always() {
        lines.push(format!("requires {}", code(answer.requires.to_string())));
    }
    if answer.is_same() {
        lines.push(verdict_word(true, "the same"));
    } else if yes {
        let guard = code(answer.same.to_string());
        lines.push(format!("{} if {guard}", verdict_word(true, "the same")));
    }
    if let Some(found) = &answer.difference {
        lines.push(format!("{}: at {found}", verdict_word(false, "computes a different function")));
    }
    if !answer.open.is_never() {
        lines.push(format!("undecided if {}", code(answer.open.to_string())));
    }
    if !yes && answer.difference.is_none() {
        return Err(Refusal::Undecided(lines.join("\n")));
    }
    Ok(Answer::new(yes, lines.join("\n")))
}

/// `viewmerge explain --param`
///
/// # Errors
///
/// If the input is bad.
pub fn explain(
    parts: &[String],
    declared: &Declared,
    steps: Option<u64>,
    format: Format,
) -> Result<Answer, Refusal> {
    no_latex(format)?;
    let chain = chain(parts, declared)?;
    let why = chain.explain(&limit(steps));
    let yes = why.answer.kind != Kind::Never;
    match format {
        Format::Json => Answer::json(yes, &why),
        Format::Markdown => Ok(Answer::new(yes, format!("```text\n{why}\n```"))),
        _ => Ok(Answer::new(yes, why.to_string())),
    }
}

/// `viewmerge expr --param`
///
/// # Errors
///
/// If the input is bad, or the language cannot express it.
pub fn expr(
    parts: &[String],
    declared: &Declared,
    wanted: &Wanted<'_>,
    steps: Option<u64>,
    format: Format,
) -> Result<Answer, Refusal> {
    let refused = [("--shifts", wanted.shifts), ("--split", wanted.split)];
    if let Some((option, _)) = refused.iter().find(|(_, given)| *given) {
        return Err(format!("{option} is for numbers that are known, leave out --param").into());
    }
    let language = language(wanted, format)?;
    let chain = chain(parts, declared)?;
    let form = chain.form(&limit(steps)).map_err(bad)?;
    let how: Option<Render> = language.map(|language| render(language, wanted));
    let text = match &how {
        None => form.to_string(),
        Some(how) if wanted.bare => {
            let bare = form.snippet(how).map_err(bad)?;
            let definitions: String =
                bare.definitions.iter().map(|one| format!("{}\n", one.statement)).collect();
            format!("{definitions}guard: {}\nposition: {}", bare.guard, bare.position)
        }
        Some(how) => form.render(how).map_err(bad)?.trim_end().to_owned(),
    };
    match format {
        Format::Json => Answer::json(
            true,
            &json!({ "text": text, "shape": form.shape(), "requires": form.requires,
                "divisions": form.divisions() }),
        ),
        Format::Markdown => {
            let lang = language.map_or("text", |language| language.name());
            Ok(Answer::new(true, format!("```{lang}\n{text}\n```")))
        }
        _ => Ok(Answer::new(true, text)),
    }
}
