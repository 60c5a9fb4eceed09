//! The subcommands, a function for each.
//!
//! Each returns the answer to show, or a refusal.

mod expr;
mod simplify;

pub use expr::{Wanted, expr};
pub(crate) use expr::{language, render};
pub use simplify::{Simpler, same, simplify};

use std::io;

use serde_json::json;
use viewmerge::{
    Conditions, Equivalence, Error, Limit, OpenChain, OverflowTable, StridePattern, Verdict, View,
    ViewChain, merge_dims,
};
use viewmerge_json::explained::{Explained, TableOf, tables_of};
use viewmerge_json::{MOST_ROWS, conditions as as_json};
use viewmerge_paste::Unread;

use crate::options::Format;
use crate::question;
use crate::show::{Answer, Refusal, mistake, tuple, verdict_word};

type Outcome = Result<Answer, Refusal>;

pub(crate) fn read<T: std::str::FromStr<Err = Error>>(text: &str) -> Result<T, Refusal> {
    text.parse().map_err(|error| mistake(text, error))
}

/// A chain in our notation, or a text that can be read as one; `-` is standard input.
pub(crate) fn read_chain(parts: &[String]) -> Result<ViewChain, Refusal> {
    match parts {
        [one] if one == "-" => {
            read_text(&io::read_to_string(io::stdin()).map_err(|error| error.to_string())?)
        }
        parts => read_text(&parts.join(" | ")),
    }
}

/// [`read_chain`] for one text.
pub(crate) fn read_text(text: &str) -> Result<ViewChain, Refusal> {
    read_by(text, str::parse)
}

/// Reads a text with `reader`, as it stands or as pasted text.
pub(crate) fn read_by<T>(
    text: &str,
    reader: impl Fn(&str) -> Result<T, Error>,
) -> Result<T, Refusal> {
    viewmerge_paste::parse(text, reader).map_err(|unread| match unread {
        Unread::Refused { error, text } => mistake(&text, error),
        unread => unread.to_string().into(),
    })
}

/// LaTeX is for tables and equations.
pub(crate) fn no_latex(format: Format) -> Result<(), Refusal> {
    match format {
        Format::Latex => {
            Err("--format latex is for tables, equations and expressions: explain --table, \
                 conditions and expr take it"
                .into())
        }
        _ => Ok(()),
    }
}

/// A verdict on a chain.
fn verdict_answer(chain: &ViewChain, limit: &Limit<'_>, format: Format) -> Outcome {
    no_latex(format)?;
    if format == Format::Json {
        let answer = question::answer_chain(chain, limit)?;
        let yes = matches!(answer, question::Answer::Merged { .. });
        return Answer::json(yes, &answer);
    }
    let verdict = chain.merge_within(limit)?;
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
/// If the input is bad, or the limit was reached.
pub fn merge(parts: &[String], limit: &Limit<'_>, format: Format) -> Outcome {
    verdict_answer(&read_chain(parts)?, limit, format)
}

/// `viewmerge reshape`
///
/// # Errors
///
/// If the input is bad, or the limit was reached.
pub fn reshape(view: &str, shape: &[String], limit: &Limit<'_>, format: Format) -> Outcome {
    let chain = ViewChain::from(read::<View>(view)?);
    verdict_answer(&chain.reshape(&sizes(&shape.join(","))?)?, limit, format)
}

/// Sizes with or without parentheses: `2,3`, `(2,3)`, `[2, 3]`.
fn sizes(text: &str) -> Result<Vec<i64>, String> {
    let inner = |open, close| text.trim().strip_prefix(open)?.strip_suffix(close);
    let list = inner('(', ')').or_else(|| inner('[', ']')).unwrap_or(text).trim();
    let list = list.strip_suffix(',').unwrap_or(list);
    let size = |part: &str| {
        let expected = "expected whole numbers such as 2,3 or (2,3)";
        part.trim().parse().map_err(|_| format!("sizes: {expected}, found `{}`", part.trim()))
    };
    list.split(',').filter(|_| !list.is_empty()).map(size).collect()
}

/// `viewmerge chain`
///
/// # Errors
///
/// If the input is bad, or the limit was reached.
pub fn chain(parts: &[String], limit: &Limit<'_>, format: Format) -> Outcome {
    no_latex(format)?;
    let simple = read_chain(parts)?.simplify(limit)?;
    let one = simple.views().len() == 1;
    match format {
        Format::Json => verdict_answer(&simple, limit, format),
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
/// If the input is bad, or the limit was reached.
pub fn explain(parts: &[String], table: bool, limit: &Limit<'_>, format: Format) -> Outcome {
    let chain = read_chain(parts)?;
    let why = chain.explain(limit)?;
    let yes = why.verdict.is_merged();
    let tables = if table { Some(tables_of(&chain, limit)?) } else { None };
    if format == Format::Json {
        return Answer::json(yes, &Explained::new(why, tables));
    }
    if tables.is_none() {
        no_latex(format)?;
    }
    let text = why.to_string();
    let (word, rest) = text.split_once(':').unwrap_or((&text, ""));
    let lines = match format {
        Format::Text => format!("{}:{rest}\n", verdict_word(yes, word)),
        // Columns need a monospaced font.
        Format::Markdown => format!("```text\n{text}\n```\n"),
        _ => format!("{text}\n"),
    };
    let mut text = lines;
    let tables = tables.unwrap_or_default();
    for TableOf { view, table } in &tables {
        text += "\n";
        // A single table needs no name.
        if tables.len() > 1 {
            let last = chain.views().len() - 1;
            text += &match (view + 1 == last, format) {
                (true, Format::Latex) => format!("% view {view} through view {last}\n"),
                (false, Format::Latex) => {
                    format!("% view {view} through views {} to {last}\n", view + 1)
                }
                (true, _) => format!("View {view} through view {last}:\n\n"),
                (false, _) => format!("View {view} through views {} to {last}:\n\n", view + 1),
            };
        }
        text += &written(table, format);
    }
    Ok(Answer::new(yes, text))
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
/// If the input is bad, or the limit was reached.
pub fn conditions(parts: &[String], table: bool, limit: &Limit<'_>, format: Format) -> Outcome {
    let text = parts.join(" | ");
    if let Some((below, above)) = text.split_once('|')
        && above.contains('?')
        && !above.contains('|')
    {
        return by_case(&read(below)?, &read(above.trim())?, table, limit, format);
    }
    let chain: OpenChain = read(&text)?;
    let found = chain.conditions(limit)?;
    let yes = !found.is_impossible();
    if table {
        let table = chain.overflow_table(MOST_ROWS, limit)?;
        let mut text = match format {
            Format::Json => return Answer::json(yes, &table),
            _ => written(&table, format),
        };
        // The table does not show why there are no such strides.
        if !yes && format != Format::Latex {
            text += &format!("\n{}", outcome(&found));
        }
        return Ok(Answer::new(yes, text));
    }
    match format {
        Format::Json => Answer::json(yes, &as_json::of_one(&found)),
        Format::Latex => Ok(Answer::new(yes, found.to_latex())),
        Format::Markdown => Ok(Answer::new(yes, conditions_text(&found, "- "))),
        Format::Text => Ok(Answer::new(yes, conditions_text(&found, ""))),
    }
}

/// The conditions for every choice of the open strides of the upper view.
fn by_case(
    below: &StridePattern,
    above: &StridePattern,
    table: bool,
    limit: &Limit<'_>,
    format: Format,
) -> Outcome {
    if table || format == Format::Latex {
        return Err("tables and LaTeX are for one case: give all strides of the upper view".into());
    }
    let cases = as_json::cases(below, above, limit)?;
    let yes = cases.iter().any(|case| !case.conditions.is_impossible());
    if format == Format::Json {
        return Answer::json(yes, &as_json::of_cases(&cases));
    }
    if cases.is_empty() {
        let word = verdict_word(false, "no strides merge");
        return Ok(Answer::new(false, format!("{word}: no choice of the upper view composes")));
    }
    let bullet = if format == Format::Markdown { "- " } else { "" };
    let lines: Vec<String> = cases
        .iter()
        .map(|case| format!("{bullet}through {}: {}", case.above, case.conditions))
        .collect();
    Ok(Answer::new(yes, lines.join("\n")))
}

fn conditions_text(found: &Conditions, bullet: &str) -> String {
    let mut lines = Vec::new();
    for equation in found.equations() {
        lines.push(format!(
            "{bullet}{equation}, by the steps along axis {} from {} and {}",
            equation.axis,
            tuple(&equation.at),
            tuple(&equation.other)
        ));
    }
    for (axis, lengths) in found.lengths().iter().enumerate().filter(|(_, l)| !l.is_empty()) {
        let lengths: Vec<String> = lengths.iter().map(i64::to_string).collect();
        lines
            .push(format!("{bullet}axis {axis} adds an equation at length {}", lengths.join(", ")));
    }
    lines.push(format!("{bullet}{}", outcome(found)));
    if !found.is_impossible() {
        lines.push(format!("{bullet}merged strides: ({})", found.merged_strides().join(", ")));
    }
    lines.join("\n")
}

/// The conclusion from the equations, with a coloured verdict.
fn outcome(found: &Conditions) -> String {
    let outcome = found.outcome();
    match outcome.split_once(':') {
        Some((word, reason)) if found.is_impossible() => {
            format!("{}:{reason}", verdict_word(false, word))
        }
        _ if found.is_impossible() || found.solved().is_empty() => outcome,
        _ => format!("solved: {outcome}"),
    }
}

/// `viewmerge dims`
///
/// # Errors
///
/// If the input is bad, or the limit was reached.
pub fn dims(parts: &[String], limit: &Limit<'_>, format: Format) -> Outcome {
    no_latex(format)?;
    let chain = read_chain(parts)?;
    let view = match chain.merge_within(limit)? {
        Verdict::Merged(view) => view,
        // Only the axes of one view can be joined.
        Verdict::NotMergeable(_) => return verdict_answer(&chain, limit, format),
    };
    let groups = merge_dims(&view);
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
/// If the input is bad, or the limit was reached.
pub fn equal(one: &str, other: &str, limit: &Limit<'_>, format: Format) -> Outcome {
    no_latex(format)?;
    let (first, second) = (read_text(one)?, read_text(other)?);
    let answer = first.equivalent(&second, limit)?;
    let yes = answer == Equivalence::Same;
    if format == Format::Json {
        let index = match &answer {
            Equivalence::Differ(index) => Some(index),
            _ => None,
        };
        return Answer::json(yes, &json!({ "equal": yes, "index": index }));
    }
    let differ = verdict_word(false, "computes a different function");
    Ok(match answer {
        Equivalence::Same => Answer::new(true, verdict_word(true, "the same")),
        Equivalence::Shapes => Answer::new(
            false,
            format!(
                "{differ}: the shapes are {} and {}",
                tuple(first.shape()),
                tuple(second.shape())
            ),
        ),
        Equivalence::Differ(index) => {
            let at = |chain: &ViewChain| match chain.index(&index) {
                Ok(Some(position)) => position.to_string(),
                _ => "padding".to_string(),
            };
            let (here, there) = (at(&first), at(&second));
            Answer::new(
                false,
                format!("{differ}: at {} the one is {here}, the other {there}", tuple(&index)),
            )
        }
    })
}
