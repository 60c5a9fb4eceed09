//! `viewmerge expr`: the index expression of a chain, in a language.

use serde_json::json;
use viewmerge::Limit;
use viewmerge_index::{IndexChain, Language, Render, Snippet, Tiling};
use viewmerge_json::expression::Written;

use super::{Outcome, read_chain};
use crate::options::Format;
use crate::show::{Answer, Refusal};

/// How `viewmerge expr` should write.
pub struct Wanted<'a> {
    /// The language, or one readable line.
    pub lang: Option<&'a str>,
    /// The names of the axes.
    pub names: Option<&'a [String]>,
    /// The name of the function.
    pub function: Option<&'a str>,
    /// Whether divisions by powers of two are shifts.
    pub shifts: bool,
    /// Whether to write guard and position alone.
    pub bare: bool,
    /// Whether the axes may be cut.
    pub split: bool,
}

/// `viewmerge expr`
///
/// # Errors
///
/// If the input is bad.
pub fn expr(parts: &[String], wanted: &Wanted<'_>, limit: &Limit<'_>, format: Format) -> Outcome {
    let language = language(wanted, format)?;
    let chain = read_chain(parts)?;
    let tiling = if wanted.split { Some(chain.tiling(limit)?) } else { None };
    let tiled = tiling.as_ref().map(Tiling::form).transpose()?.flatten();
    let form = tiled.map_or_else(|| chain.form(limit), Ok)?;
    let how = language.map(|language| render(language, wanted));
    let written = match (&tiling, &how) {
        (Some(tiling), None) => Written::Text(format!("{form}{}", over(tiling))),
        _ => Written::new(&form, how.as_ref(), wanted.bare)?,
    };
    if format == Format::Json {
        let mut value = written.json(&form)?;
        if let Some(tiling) = &tiling {
            value["tiling"] = json!(tiling);
        }
        return Answer::json(true, &value);
    }
    let text = match written {
        Written::Text(text) => text,
        Written::Bare(bare) => lines(&bare),
    };
    match format {
        Format::Markdown => {
            let lang = language.map_or("text", Language::name);
            Ok(Answer::new(true, format!("```{lang}\n{text}\n```")))
        }
        _ => Ok(Answer::new(true, text)),
    }
}

/// The loops of the expression, if they are not the chain's axes.
fn over(tiling: &Tiling) -> String {
    match tiling.split() {
        Some((split, pads)) if !split.is_trivial() => {
            let padded = pads.iter().any(|&pad| pad != (0, 0));
            let pads: Vec<String> =
                pads.iter().map(|(before, after)| format!("({before},{after})")).collect();
            match padded {
                true => format!(" over {split} of pad({})", pads.join(",")),
                false => format!(" over {split}"),
            }
        }
        _ => String::new(),
    }
}

/// The language, if the other options go with it.
///
/// # Errors
///
/// If an option does not go with it.
pub(crate) fn language(wanted: &Wanted<'_>, format: Format) -> Result<Option<Language>, Refusal> {
    let named = wanted.lang.map(|name| name.parse::<Language>()).transpose()?;
    let language = match (named, format) {
        (Some(language), Format::Latex) if language != Language::Latex => {
            return Err(format!("--format latex writes latex, --lang asks for {language}").into());
        }
        (None, Format::Latex) => Some(Language::Latex),
        (named, _) => named,
    };
    let code_only = [("--function", wanted.function.is_some()), ("--shifts", wanted.shifts)];
    let any = [("--names", wanted.names.is_some()), ("--bare", wanted.bare)];
    match language {
        None => match code_only.iter().chain(&any).find(|(_, given)| *given) {
            Some((option, _)) => Err(format!("{option} needs a --lang").into()),
            None => Ok(None),
        },
        Some(language) if !language.has_functions() => {
            match code_only.iter().find(|(_, given)| *given) {
                Some((option, _)) => {
                    Err(format!("{option} is for code, and {language} is a notation").into())
                }
                None => Ok(Some(language)),
            }
        }
        Some(language) => Ok(Some(language)),
    }
}

/// The options of the renderer.
pub(crate) fn render(language: Language, wanted: &Wanted<'_>) -> Render {
    let mut how = Render::new(language).shifts(wanted.shifts);
    if let Some(function) = wanted.function {
        how = how.function(function);
    }
    if let Some(names) = wanted.names {
        how = how.names(names);
    }
    how
}

/// The definitions, then guard and position.
fn lines(bare: &Snippet) -> String {
    let definitions = bare.definitions.iter().map(|one| format!("{}\n", one.statement));
    let definitions: String = definitions.collect();
    format!("{definitions}guard: {}\nposition: {}", bare.guard, bare.position)
}
