//! Batch lines with `"params"`: for which parameters is it one view?

use serde::{Deserialize, Serialize};
use viewmerge_symbolic::{Limits, Param, Params, SymbolicChain};

/// The limits of a question with a number of steps of its own.
pub fn limits(steps: Option<u64>) -> Limits {
    steps.map_or_else(Limits::default, |steps| Limits { steps, ..Limits::default() })
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
