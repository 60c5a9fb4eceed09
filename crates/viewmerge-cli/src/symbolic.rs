//! `viewmerge merge --param`: for which parameters is it one view?

use viewmerge_json::symbolic::limits;
use viewmerge_symbolic::{Kind, Params, SymbolicChain};

use crate::args::Format;
use crate::commands::no_latex;
use crate::show::{Answer, Refusal, verdict_word};

/// `viewmerge merge --param`
///
/// # Errors
///
/// What is wrong with the input.
pub fn merge(
    parts: &[String],
    declared: &[String],
    steps: Option<u64>,
    format: Format,
) -> Result<Answer, Refusal> {
    no_latex(format)?;
    let bad = |error: viewmerge_symbolic::Error| Refusal::Bad(error.to_string());
    let params = declared.iter().try_fold(Params::new(), |params, text| params.read(text));
    let chain = SymbolicChain::parse(&params.map_err(bad)?, &parts.join(" | ")).map_err(bad)?;
    let answer = chain.merge(&limits(steps));
    let yes = answer.kind() != Kind::Never;
    if format == Format::Json {
        return Answer::json(yes, &answer);
    }
    let code = |text: String| if format == Format::Markdown { format!("`{text}`") } else { text };
    let mut lines = Vec::new();
    if !answer.requires().is_always() {
        lines.push(format!("requires {}", code(answer.requires().to_string())));
    }
    for case in answer.cases() {
        let when = match case.guard.is_always() {
            true => verdict_word(true, "always"),
            false => format!("{} {}", verdict_word(true, "if"), code(case.guard.to_string())),
        };
        lines.push(format!("{when}: {}", code(case.view.to_string())));
    }
    if !answer.open().is_never() {
        lines.push(format!("undecided if {}", code(answer.open().to_string())));
    }
    match answer.kind() {
        Kind::Always => {}
        Kind::Never => lines.push(verdict_word(false, "never one view")),
        _ => lines.push(format!("otherwise {}", verdict_word(false, "not one view"))),
    }
    Ok(Answer::new(yes, lines.join("\n")))
}
