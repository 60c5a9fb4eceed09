//! Questions with `"params"`: for which parameters is it one view, as it stands or over a split? Are two
//! chains the same? Which index expression is it?

use serde::{Deserialize, Serialize};
use serde_json::json;
use viewmerge_index::{Language, Render};
use viewmerge_symbolic::{Limit, Param, Params, SymbolicChain};

/// The limit of a question with a number of steps of its own.
pub fn limit(steps: Option<u64>) -> Limit<'static> {
    steps.map_or(Limit::none(), Limit::steps)
}

/// A batch line with parameters.
#[derive(Deserialize)]
struct Line {
    params: serde_json::Map<String, serde_json::Value>,
    chain: String,
    other: Option<String>,
    ask: Option<String>,
    lang: Option<String>,
    names: Option<Vec<String>>,
    function: Option<String>,
    bare: Option<bool>,
    split: Option<bool>,
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

/// The answer to a batch line that declares parameters; `None` for other lines. With `"other"` it
/// compares two chains, with `"split":true` it cuts axes; `"ask"` may be `"explain"`, `"expr"` or `"split"` instead.
///
/// ```
/// use viewmerge_json::symbolic::line as line_of;
///
/// let line = line_of(br#"{"ask":"expr","params":{"N":{}},"chain":"(N,3) | flip(0)","lang":"c","bare":true}"#);
/// let answer: serde_json::Value = serde_json::from_str(&line.expect("parameters")?)?;
/// assert_eq!(answer["position"], "i1 + 3*N - 3*i0 - 3");
///
/// let line = line_of(br#"{"params":{"N":{"min":2}},"chain":"(N,3) | permute(1,0) | flatten()","split":true}"#);
/// let answer: serde_json::Value = serde_json::from_str(&line.expect("parameters")?)?;
/// assert_eq!(answer["cases"][0]["split"].to_string(), r#"[["3","N"]]"#);
/// # Ok::<(), serde_json::Error>(())
/// ```
pub fn line(text: &[u8]) -> Option<serde_json::Result<String>> {
    const KEY: &[u8] = b"\"params\"";
    if !text.windows(KEY.len()).any(|part| part == KEY) {
        return None;
    }
    let line: Line = serde_json::from_slice(text).ok()?;
    Some(match answer(&line) {
        Ok(answer) => answer,
        Err(message) => {
            serde_json::to_string(&Mistake { error: Message { kind: "symbolic", message } })
        }
    })
}

fn answer(line: &Line) -> Result<serde_json::Result<String>, String> {
    let mut params = Params::new();
    for (name, value) in &line.params {
        let declared: Declared = serde_json::from_value(value.clone())
            .map_err(|error| format!("parameter {name}: {error}"))?;
        let Declared { min, max, multiple } = declared;
        let param = Param { name: name.clone(), min, max, multiple };
        params = params.declare(param).map_err(|error| error.to_string())?;
    }
    let read = |text: &str| SymbolicChain::parse(&params, text).map_err(|error| error.to_string());
    let (chain, limit) = (read(&line.chain)?, limit(line.steps));
    Ok(match (line.ask.as_deref(), &line.other) {
        (Some("explain"), _) => serde_json::to_string(&chain.explain(&limit)),
        (Some("expr"), _) => serde_json::to_string(&expression(line, &chain, &limit)?),
        (Some("split"), _) => serde_json::to_string(&chain.split(&limit)),
        (_, Some(other)) => {
            let compared = chain.equivalent(&read(other)?, &limit);
            serde_json::to_string(&compared.map_err(|error| error.to_string())?)
        }
        (_, None) if line.split == Some(true) => serde_json::to_string(&chain.split(&limit)),
        (_, None) => serde_json::to_string(&chain.merge(&limit)),
    })
}

/// The index expression, in a language or as one readable line.
fn expression(
    line: &Line,
    chain: &SymbolicChain,
    limit: &Limit<'_>,
) -> Result<serde_json::Value, String> {
    let told = |error: viewmerge_symbolic::Error| error.to_string();
    let form = chain.form(limit).map_err(told)?;
    let requires = form.requires();
    let requires = (!requires.is_always()).then(|| requires.to_string());
    let mut value = json!({ "shape": form.shape(), "requires": requires,
        "divisions": form.divisions() });
    let Some(lang) = &line.lang else {
        value["text"] = json!(form.to_string());
        return Ok(value);
    };
    let language: Language = lang.parse().map_err(|error: viewmerge::Error| error.to_string())?;
    let mut how = Render::new(language);
    if let Some(names) = &line.names {
        how = how.names(names);
    }
    if let Some(function) = &line.function {
        how = how.function(function);
    }
    if line.bare.unwrap_or(false) {
        let bare = form.snippet(&how).map_err(told)?;
        value["definitions"] =
            json!(bare.definitions.iter().map(|one| &one.statement).collect::<Vec<_>>());
        value["guard"] = json!(bare.guard);
        value["position"] = json!(bare.position);
    } else {
        value["text"] = json!(form.render(&how).map_err(told)?);
    }
    Ok(value)
}
