//! `viewmerge split`: the coarsest split of a chain.

use viewmerge::Limit;
use viewmerge_index::{IndexChain, Tiling};

use crate::commands::{no_latex, read_chain};
use crate::options::Format;
use crate::show::{Answer, Refusal, verdict_word};

/// `viewmerge split`
///
/// # Errors
///
/// If the input is bad, or the limit was reached.
pub fn run(parts: &[String], limit: &Limit<'_>, format: Format) -> Result<Answer, Refusal> {
    no_latex(format)?;
    let tiling = read_chain(parts)?.tiling(limit)?;
    let yes = !matches!(tiling, Tiling::NotFound { .. });
    if format == Format::Json {
        return Answer::json(yes, &tiling);
    }
    let text = tiling.to_string();
    let (word, rest) = text.split_once(':').unwrap_or((&text, ""));
    Ok(Answer::new(
        yes,
        match format {
            Format::Markdown if yes => format!("{word}: `{}`", rest.trim()),
            Format::Markdown => text,
            _ => format!("{}:{rest}", verdict_word(yes, word)),
        },
    ))
}
