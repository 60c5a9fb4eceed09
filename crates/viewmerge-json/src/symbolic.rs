//! Questions with `"params"`: for which parameters is a chain one view, as it stands or over a split?
//! Are two chains the same? What is its index expression?

use serde::Deserialize;
use serde_json::json;
use viewmerge_index::{Language, Render};
use viewmerge_symbolic::{Limit, Param, Params, SymbolicChain};

use crate::members::{Members, expected};
use crate::refused::{Refused, written};

/// The limit of a question that gives its own number of steps.
pub fn limit(steps: Option<u64>) -> Limit<'static> {
    steps.map_or(Limit::none(), Limit::steps)
}

/// A batch line with parameters.
#[derive(Deserialize)]
struct Line<'a> {
    #[serde(borrow)]
    params: Members<'a>,
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

/// The answer to a line that declares parameters. With `"other"` it compares two chains, with
/// `"split":true` it cuts axes; `"ask"` may be `"explain"`, `"expr"` or `"split"` instead.
pub(crate) fn answer(line: &[u8], limit: &Limit<'_>) -> Result<String, Refused> {
    let line: Line<'_> = serde_json::from_slice(line)
        .map_err(|error| Refused::new("json", format!("line: {error}")))?;
    let mut params = Params::new();
    for (name, value) in line.params.0.iter() {
        let part = format!("params.{name}");
        if let Ok(members) = serde_json::from_str::<Members<'_>>(value.get()) {
            members.check_known(&part, "a parameter", &["min", "max", "multiple"])?;
        }
        let Declared { min, max, multiple } = serde_json::from_str(value.get())
            .map_err(|_| expected(&part, "bounds such as {\"min\":2,\"max\":64}", value.get()))?;
        params = params.declare(Param { name: name.clone(), min, max, multiple })?;
    }
    let chain = SymbolicChain::parse(&params, &line.chain)?;
    let own = line.steps.map(Limit::steps);
    let limit = own.as_ref().unwrap_or(limit);
    match (line.ask.as_deref(), &line.other) {
        (Some("explain"), _) => written(&chain.explain(limit)),
        (Some("expr"), _) => written(&expression(&line, &chain, limit)?),
        (Some("split"), _) => written(&chain.split(limit)),
        (_, Some(other)) => {
            let other = SymbolicChain::parse(&params, other)?;
            written(&chain.equivalent(&other, limit)?)
        }
        (_, None) if line.split == Some(true) => written(&chain.split(limit)),
        (_, None) => written(&chain.merge(limit)),
    }
}

/// The index expression, in a language or as one readable line.
fn expression(
    line: &Line<'_>,
    chain: &SymbolicChain,
    limit: &Limit<'_>,
) -> Result<serde_json::Value, Refused> {
    let form = chain.form(limit)?;
    let mut value = json!({ "shape": form.shape(), "requires": form.requires,
        "divisions": form.divisions() });
    let Some(lang) = &line.lang else {
        value["text"] = json!(form.to_string());
        return Ok(value);
    };
    let language: Language = lang.parse()?;
    let mut how = Render::new(language);
    if let Some(names) = &line.names {
        how = how.names(names);
    }
    if let Some(function) = &line.function {
        how = how.function(function);
    }
    if line.bare.unwrap_or(false) {
        let bare = form.snippet(&how)?;
        value["definitions"] =
            json!(bare.definitions.iter().map(|one| &one.statement).collect::<Vec<_>>());
        value["guard"] = json!(bare.guard);
        value["position"] = json!(bare.position);
    } else {
        value["text"] = json!(form.render(&how)?);
    }
    Ok(value)
}
