//! `viewmerge merge --param`, and batch lines with `"params"`: for which parameters is it one view?

use serde::{Deserialize, Serialize};
use viewmerge_symbolic::{Kind, Limits, Param, Params, SymbolicChain};

use crate::args::Format;
use crate::commands::no_latex;
use crate::show::{Answer, Refusal, verdict_word};

/// The limits of a question with `--steps`.
fn limits(steps: Option<u64>) -> Limits {
    steps.map_or_else(Limits::default, |steps| Limits { steps, ..Limits::default() })
}

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

/// A batch line with parameters.
#[derive(Deserialize)]
struct Line {
    params: serde_json::Map<String, serde_json::Value>,
    chain: String,
    steps: Option<u64>,
}

/// One parameter of a batch line.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Declared {
    #[serde(default = "one")]
    min: Option<i64>,
    #[serde(default)]
    max: Option<i64>,
    #[serde(default = "multiple")]
    multiple: i64,
}

fn one() -> Option<i64> {
    Some(1)
}

fn multiple() -> i64 {
    1
}

/// An error in the form that all batch lines have.
#[derive(Serialize)]
struct Mistake {
    error: Message,
}

#[derive(Serialize)]
struct Message {
    kind: &'static str,
    message: String,
}

/// The answer to a batch line that declares parameters; `None` for other lines.
pub fn line(text: &[u8]) -> Option<serde_json::Result<String>> {
    const KEY: &[u8] = b"\"params\"";
    if !text.windows(KEY.len()).any(|part| part == KEY) {
        return None;
    }
    let line: Line = serde_json::from_slice(text).ok()?;
    Some(match answer(&line) {
        Ok(answer) => serde_json::to_string(&answer),
        Err(message) => {
            serde_json::to_string(&Mistake { error: Message { kind: "symbolic", message } })
        }
    })
}

fn answer(line: &Line) -> Result<viewmerge_symbolic::Answer, String> {
    let mut params = Params::new();
    for (name, value) in &line.params {
        let declared: Declared = serde_json::from_value(value.clone())
            .map_err(|error| format!("parameter {name}: {error}"))?;
        let Declared { min, max, multiple } = declared;
        let param = Param { name: name.clone(), min, max, multiple };
        params = params.declare(param).map_err(|error| error.to_string())?;
    }
    let chain = SymbolicChain::parse(&params, &line.chain).map_err(|error| error.to_string())?;
    Ok(chain.merge(&limits(line.steps)))
}
