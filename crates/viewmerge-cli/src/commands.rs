//! What the command does, one function for each subcommand.
//!
//! A function gives the answer to be shown, or the message for bad input.

use serde_json::json;
use viewmerge::{
    Conditions, Equivalence, Error, Language, OverflowTable, Render, StridePattern, Verdict, View,
    ViewChain, equivalent, merge_dims, overflow_table,
};

use crate::args::Format;
use crate::question;
use crate::show::{Answer, mistake, verdict_word};

type Outcome = Result<Answer, String>;

/// The most rows of an overflow table that are all shown.
const MOST_ROWS: i64 = 40;

fn read<T: std::str::FromStr<Err = Error>>(text: &str) -> Result<T, String> {
    text.parse().map_err(|error| mistake(text, &error))
}

pub(crate) fn read_chain(parts: &[String]) -> Result<ViewChain, String> {
    read(&parts.join(" | "))
}

pub(crate) fn told(error: Error) -> String {
    error.to_string()
}

/// LaTeX is for tables and equations.
fn no_latex(format: Format) -> Result<(), String> {
    match format {
        Format::Latex => {
            Err("--format latex is for tables and equations, use it with --table or conditions"
                .into())
        }
        _ => Ok(()),
    }
}

/// A verdict on a chain.
fn verdict_answer(chain: &ViewChain, format: Format) -> Outcome {
    no_latex(format)?;
    let verdict = chain.merge().map_err(told)?;
    if format == Format::Json {
        return match verdict {
            Verdict::Merged(view) => {
                Answer::json(true, &question::Answer::Merged { mergeable: true, view })
            }
            Verdict::NotMergeable(witness) => {
                let views = chain.simplify().map_err(told)?.views().to_vec();
                let answer = question::Answer::NotMergeable { mergeable: false, witness, views };
                Answer::json(false, &answer)
            }
        };
    }
    let code = |text: String| if format == Format::Markdown { format!("`{text}`") } else { text };
    Ok(match verdict {
        Verdict::Merged(view) => Answer::new(true, code(view.to_string())),
        Verdict::NotMergeable(witness) => {
            Answer::new(false, format!("{}: {witness}", verdict_word(false, "not one view")))
        }
    })
}

/// `viewmerge merge`
///
/// # Errors
///
/// What is wrong with the input.
pub fn merge(parts: &[String], format: Format) -> Outcome {
    verdict_answer(&read_chain(parts)?, format)
}

/// `viewmerge reshape`
///
/// # Errors
///
/// What is wrong with the input.
pub fn reshape(view: &str, shape: &[i64], format: Format) -> Outcome {
    let chain = ViewChain::from(read::<View>(view)?);
    verdict_answer(&chain.reshape(shape).map_err(told)?, format)
}

/// `viewmerge chain`
///
/// # Errors
///
/// What is wrong with the input.
pub fn chain(parts: &[String], format: Format) -> Outcome {
    no_latex(format)?;
    let simple = read_chain(parts)?.simplify().map_err(told)?;
    let one = simple.views().len() == 1;
    match format {
        Format::Json => verdict_answer(&simple, format),
        Format::Markdown => {
            let views = simple.views().iter().map(|view| format!("- `{view}`\n"));
            Ok(Answer::new(one, views.collect::<String>()))
        }
        _ => Ok(Answer::new(one, simple.to_string())),
    }
}

/// `viewmerge explain`
///
/// # Errors
///
/// What is wrong with the input.
pub fn explain(parts: &[String], table: bool, format: Format) -> Outcome {
    let chain = read_chain(parts)?;
    let why = viewmerge::explain(&chain).map_err(told)?;
    let yes = why.verdict.is_merged();
    let table = if table { Some(table_of(&chain)?) } else { None };
    if format == Format::Json {
        let value = json!({
            "mergeable": yes,
            "view": why.verdict.view(),
            "witness": why.verdict.witness(),
            "blame": why.blame,
            "remedies": why.remedies,
            "text": why.to_string(),
            "table": table,
        });
        return Answer::json(yes, &value);
    }
    if table.is_none() {
        no_latex(format)?;
    }
    let text = why.to_string();
    let (word, rest) = text.split_once(':').unwrap_or((&text, ""));
    let paragraph = match format {
        Format::Text => format!("{}:{rest}\n", verdict_word(yes, word)),
        _ => format!("{text}\n"),
    };
    let table = table.map_or(String::new(), |table| format!("\n{}", written(&table, format)));
    Ok(Answer::new(yes, paragraph + &table))
}

/// The overflow table of a chain of two views.
fn table_of(chain: &ViewChain) -> Result<OverflowTable, String> {
    let [below, above] = chain.views() else {
        return Err(format!(
            "--table takes two views, but these ops and views make {}",
            chain.views().len()
        ));
    };
    let open = vec![None; below.rank()];
    let pattern = StridePattern::masked(below.shape(), &open, below.validity().clone());
    overflow_table(&pattern.map_err(told)?, above, MOST_ROWS).map_err(told)
}

fn written(table: &OverflowTable, format: Format) -> String {
    match format {
        Format::Markdown => table.to_markdown(),
        Format::Latex => table.to_latex(),
        _ => table.to_text(),
    }
}

/// `viewmerge conditions`
///
/// # Errors
///
/// What is wrong with the input.
pub fn conditions(below: &str, above: &str, table: bool, format: Format) -> Outcome {
    let (pattern, view): (StridePattern, View) = (read(below)?, read(above)?);
    let found = viewmerge::conditions(&pattern, &view).map_err(told)?;
    let yes = !found.is_impossible();
    if table {
        let table = overflow_table(&pattern, &view, MOST_ROWS).map_err(told)?;
        return match format {
            Format::Json => Answer::json(yes, &table),
            _ => Ok(Answer::new(yes, written(&table, format))),
        };
    }
    match format {
        Format::Json => Answer::json(yes, &conditions_json(&found)),
        Format::Latex => Ok(Answer::new(yes, found.to_latex())),
        Format::Markdown => Ok(Answer::new(yes, conditions_text(&found, "- "))),
        Format::Text => Ok(Answer::new(yes, conditions_text(&found, ""))),
    }
}

fn conditions_json(found: &Conditions) -> serde_json::Value {
    let equations = found.equations().iter().map(|equation| {
        let mut value = json!(equation);
        value["text"] = json!(equation.to_string());
        value
    });
    json!({
        "possible": !found.is_impossible(),
        "hole": found.hole(),
        "equations": equations.collect::<Vec<_>>(),
        "solved": found.solved(),
        "merged_strides": found.merged_strides(),
        "lengths": found.lengths(),
    })
}

fn conditions_text(found: &Conditions, bullet: &str) -> String {
    if let Some(hole) = found.hole() {
        return format!("{}: {hole}", verdict_word(false, "no strides merge"));
    }
    let mut lines = Vec::new();
    for equation in found.equations() {
        lines.push(format!(
            "{bullet}{equation}, by the steps along axis {} from {:?} and {:?}",
            equation.axis,
            equation.at.as_slice(),
            equation.other.as_slice()
        ));
    }
    for (axis, lengths) in found.lengths().iter().enumerate().filter(|(_, l)| !l.is_empty()) {
        let lengths: Vec<String> = lengths.iter().map(i64::to_string).collect();
        lines
            .push(format!("{bullet}axis {axis} adds an equation at length {}", lengths.join(", ")));
    }
    let solved = found.solved();
    if found.equations().is_empty() {
        lines.push(format!("{bullet}all strides merge"));
    } else if found.is_impossible() {
        let word = verdict_word(false, "no strides merge");
        lines.push(format!("{bullet}{word}: the known strides contradict the equations"));
    } else if solved.is_empty() {
        lines.push(format!("{bullet}the known strides satisfy all equations"));
    } else {
        lines.push(format!("{bullet}solved: {}", solved.join(", ")));
    }
    if !found.is_impossible() {
        lines.push(format!("{bullet}merged strides: ({})", found.merged_strides().join(", ")));
    }
    lines.join("\n")
}

/// `viewmerge dims`
///
/// # Errors
///
/// What is wrong with the input.
pub fn dims(view: &str, format: Format) -> Outcome {
    no_latex(format)?;
    let groups = merge_dims(&read(view)?);
    let cells = || groups.iter().map(|d| [d.size, d.stride, d.real_size].map(|n| n.to_string()));
    match format {
        Format::Json => Answer::json(true, &groups),
        Format::Markdown => {
            let rows = cells().map(|row| format!("| {} |\n", row.join(" | ")));
            Ok(Answer::new(
                true,
                format!(
                    "| size | stride | real size |\n|---|---|---|\n{}",
                    rows.collect::<String>()
                ),
            ))
        }
        _ => {
            let triples: Vec<String> = cells().map(|row| format!("({})", row.join(","))).collect();
            Ok(Answer::new(true, format!("({})", triples.join(","))))
        }
    }
}

/// `viewmerge equal`
///
/// # Errors
///
/// What is wrong with the input.
pub fn equal(one: &str, other: &str, format: Format) -> Outcome {
    no_latex(format)?;
    let (first, second): (ViewChain, ViewChain) = (read(one)?, read(other)?);
    let answer = equivalent(&first, &second).map_err(told)?;
    let yes = answer == Equivalence::Same;
    if format == Format::Json {
        let index = match &answer {
            Equivalence::Differ(index) => Some(index),
            _ => None,
        };
        return Answer::json(yes, &json!({ "equal": yes, "index": index }));
    }
    let differ = verdict_word(false, "not the same");
    Ok(match answer {
        Equivalence::Same => Answer::new(true, verdict_word(true, "the same")),
        Equivalence::Shapes => Answer::new(
            false,
            format!("{differ}: the shapes are {:?} and {:?}", first.shape(), second.shape()),
        ),
        Equivalence::Differ(index) => {
            let at = |chain: &ViewChain| match chain.index(&index) {
                Ok(Some(position)) => position.to_string(),
                _ => "padding".to_string(),
            };
            let (here, there) = (at(&first), at(&second));
            Answer::new(
                false,
                format!("{differ}: at {:?} the one is {here}, the other {there}", index.as_slice()),
            )
        }
    })
}

/// How `viewmerge expr` is asked to write.
pub struct Wanted<'a> {
    /// The language, or one readable line.
    pub lang: Option<&'a str>,
    /// The names of the axes.
    pub names: Option<&'a [String]>,
    /// The name of the function.
    pub function: &'a str,
    /// Whether divisions by powers of two are shifts.
    pub shifts: bool,
}

/// `viewmerge expr`
///
/// # Errors
///
/// What is wrong with the input.
pub fn expr(parts: &[String], wanted: &Wanted<'_>, format: Format) -> Outcome {
    let form = read_chain(parts)?.form().map_err(told)?;
    let language = match (wanted.lang, format) {
        (Some(name), _) => Some(name.parse::<Language>().map_err(told)?),
        (None, Format::Latex) => Some(Language::Latex),
        (None, _) => None,
    };
    let text = match language {
        None if wanted.names.is_some() => return Err("--names needs a --lang".into()),
        None => form.to_string(),
        Some(language) => {
            let mut how = Render::new(language).function(wanted.function).shifts(wanted.shifts);
            if let Some(names) = wanted.names {
                how = how.names(names);
            }
            form.render(&how).map_err(told)?.trim_end().to_string()
        }
    };
    match format {
        Format::Json => {
            let value = json!({
                "form": form,
                "guarded": form.guarded().map_err(told)?,
                "text": text,
            });
            Answer::json(true, &value)
        }
        Format::Markdown => {
            let lang = language.map_or("text", Language::name);
            Ok(Answer::new(true, format!("```{lang}\n{text}\n```")))
        }
        _ => Ok(Answer::new(true, text)),
    }
}
