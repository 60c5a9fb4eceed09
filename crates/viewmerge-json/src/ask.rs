//! Every question by name.
//!
//! A text without `"ask"` is a question of `question.rs`, or one with unknown sizes. Cost: up to
//! three reads of the text, and the question's own.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::error::Category;
use serde_json::value::RawValue;
use serde_json::{Value, json};
use viewmerge::{Equivalence, Limit, Verdict, ViewChain, merge_dims};
use viewmerge_cute::{Atom, Banks, Operation, Outcome};
use viewmerge_draw::{ColourBy, Drawing};
use viewmerge_index::{IndexChain, Language, Render};
use viewmerge_paste::Pasted;

use crate::MOST_ROWS;
use crate::atoms;
use crate::conditions::{self, Asked};
use crate::explained::Explained;
use crate::expression::Written;
use crate::layouts::{self, Pattern, Told};
use crate::look;
use crate::members::{Kind, Members, expected, json as unreadable};
use crate::question::{OBJECT, Question, answer_chain};
use crate::refused::{Refused, written};
use crate::symbolic;
use crate::verified::verified;

/// The members of questions that have a name; the table of `members.rs` says which may have which.
#[derive(Deserialize)]
struct Request<'a> {
    #[serde(borrow)]
    ask: Option<Cow<'a, str>>,
    #[serde(borrow)]
    chain: Option<Cow<'a, str>>,
    #[serde(borrow)]
    other: Option<Cow<'a, str>>,
    #[serde(borrow)]
    lang: Option<Cow<'a, str>>,
    names: Option<Vec<String>>,
    function: Option<String>,
    shifts: Option<bool>,
    bare: Option<bool>,
    table: Option<bool>,
    open: Option<bool>,
    index: Option<Vec<i64>>,
    windows: Option<Vec<Option<look::Window>>>,
    #[serde(borrow)]
    certificate: Option<Cow<'a, str>>,
    #[serde(borrow)]
    kind: Option<Cow<'a, str>>,
    #[serde(borrow)]
    layout: Option<Cow<'a, str>>,
    tile: Option<[i64; 2]>,
    thread: Option<i64>,
    #[serde(borrow)]
    name: Option<Cow<'a, str>>,
    #[serde(borrow)]
    cute: Option<Cow<'a, str>>,
    #[serde(borrow)]
    a: Option<Cow<'a, str>>,
    #[serde(borrow)]
    b: Option<Cow<'a, str>>,
    extend: Option<bool>,
    bytes: Option<i64>,
    vector: Option<i64>,
    banks: Option<i64>,
    width: Option<i64>,
    lanes: Option<i64>,
    at: Option<Vec<i64>>,
    repeat: Option<[i64; 3]>,
    #[serde(borrow)]
    before: Option<Cow<'a, str>>,
    #[serde(borrow)]
    after: Option<Cow<'a, str>>,
    from: Option<i64>,
    to: Option<i64>,
    steps: Option<u64>,
}

/// Answers one question: one line of JSON, whatever the text.
///
/// ```
/// use viewmerge::Limit;
/// use viewmerge_json::ask;
///
/// let answer = ask(r#"{"ask":"equal","chain":"(4,6) | reshape(24)","other":"(24)"}"#, &Limit::none());
/// assert_eq!(answer, r#"{"equal":true,"index":null}"#);
/// let answer = ask(r#"{"ask":"dims","chain":"(2,3)","id":7}"#, &Limit::none());
/// assert_eq!(answer, r#"{"id":7,"answer":[{"size":6,"stride":1,"real_size":6}]}"#);
/// let answer = ask(r#"{"ask":"?"}"#, &Limit::none());
/// assert!(answer.contains("there are merge, read"));
/// ```
pub fn ask(text: &str, limit: &Limit<'_>) -> String {
    answer_line(text.as_bytes(), limit)
}

/// Answers one line of a batch, which may be any bytes.
///
/// ```
/// use viewmerge::Limit;
/// use viewmerge_json::answer_line;
///
/// let answer = answer_line(br#"{"id":"a","chain":"(2,3)","stesp":9}"#, &Limit::none());
/// assert!(answer.starts_with(r#"{"id":"a","error":{"kind":"question","#), "{answer}");
/// assert!(answer.contains(r#"unknown member \"stesp\""#), "{answer}");
/// assert!(answer.contains(r#"did you mean \"steps\"?"#), "{answer}");
/// ```
pub fn answer_line(line: &[u8], limit: &Limit<'_>) -> String {
    if let Some(mut question) = Question::at_once(line) {
        let id = question.id.take();
        let answer = question.answer(limit).and_then(|answer| written(&answer));
        return with_id(answer, id.as_deref().map(RawValue::get));
    }
    let members = match read_members(line) {
        Ok(members) => members,
        Err(refused) => return with_id(Err(refused), None),
    };
    match members.id() {
        Ok(id) => with_id(answer_members(&members, line, limit), id),
        Err(refused) => with_id(Err(refused), None),
    }
}

/// The answer or the refusal, with the question's `id` as its first member. An answer that is not an
/// object becomes the member `answer`.
fn with_id(answer: Result<String, Refused>, id: Option<&str>) -> String {
    let answer = answer.unwrap_or_else(|error| error.to_string());
    match (id, answer.strip_prefix('{')) {
        (None, _) => answer,
        (Some(id), Some(members)) => format!("{{\"id\":{id},{members}"),
        (Some(id), None) => format!("{{\"id\":{id},\"answer\":{answer}}}"),
    }
}

fn read_members(line: &[u8]) -> Result<Members<'_>, Refused> {
    let text = str::from_utf8(line).map_err(|error| {
        unreadable("line", format_args!("no text, byte {} is not UTF-8", error.valid_up_to()))
    })?;
    if text.trim().is_empty() {
        return Err(expected("line", OBJECT, "an empty line"));
    }
    serde_json::from_str(text).map_err(|error| match error.classify() {
        Category::Data => expected("line", OBJECT, text),
        _ => {
            // A question is a single line.
            let message = error.to_string().replace(" at line 1 column ", " at column ");
            unreadable("line", format_args!("no JSON, {message}"))
        }
    })
}

fn answer_members(
    members: &Members<'_>,
    line: &[u8],
    limit: &Limit<'_>,
) -> Result<String, Refused> {
    let kind = members.kind()?;
    if members.get("params").is_some() {
        return symbolic::answer(line, limit);
    }
    match kind.ask {
        "" => written(&Question::of(members)?.answer(limit)?),
        name => named(name, line, limit),
    }
}

fn named(name: &str, line: &[u8], limit: &Limit<'_>) -> Result<String, Refused> {
    let request: Request<'_> =
        serde_json::from_slice(line).map_err(|error| Refused::new("json", error.to_string()))?;
    let own = request.steps.map(Limit::steps);
    let limit = own.as_ref().unwrap_or(limit);
    match name {
        "merge" => written(&answer_chain(&request.chain()?, limit)?),
        "read" => written(&match viewmerge_paste::read(request.chain_text()?) {
            None => Value::Null,
            Some(Pasted::Chain { chain, note }) => json!({ "chain": chain, "note": note }),
            Some(Pasted::Needs(what)) => json!({ "needs": what }),
            Some(_) => Value::Null,
        }),
        "views" => written(&look::views(&request.chain()?)),
        "cells" => {
            let windows = request.windows.as_deref().unwrap_or_default();
            written(&look::cells(&request.chain()?, windows)?)
        }
        "trace" => {
            let index = request.index.as_deref();
            let index = index.ok_or_else(|| needs("trace", "index"))?;
            written(&look::trace(&request.chain()?, index)?)
        }
        "witness" => {
            let chain = request.chain()?;
            match chain.merge_within(limit)? {
                Verdict::Merged(_) => written(&look::agreeing(&chain)?),
                Verdict::NotMergeable(witness) => written(&look::witnessed(&chain, &witness)?),
            }
        }
        "remedies" => {
            let chain = request.chain()?;
            written(&look::remedied(&chain, &chain.explain(limit)?)?)
        }
        "explain" => {
            let table = request.table.unwrap_or(false);
            written(&Explained::of(&request.chain()?, table, limit)?)
        }
        "conditions" => written(&request.conditions(limit)?),
        "expr" => written(&request.expression(limit)?),
        "guarded" => {
            let guarded = request.chain()?.guarded(limit)?;
            let told = guarded.map(|one| {
                json!({ "text": one.to_string(), "view": one.view(), "guards": one.guards() })
            });
            written(&told)
        }
        "split" => {
            let tiling = request.chain()?.tiling(limit)?;
            let text = tiling.to_string();
            written(&json!({ "text": text, "tiling": tiling }))
        }
        "languages" => written(&Language::all().iter().map(|one| one.name()).collect::<Vec<_>>()),
        "dims" => {
            let chain = request.chain()?;
            match chain.merge_within(limit)? {
                Verdict::Merged(view) => written(&merge_dims(&view)),
                Verdict::NotMergeable(_) => written(&answer_chain(&chain, limit)?),
            }
        }
        "equal" | "difference" => {
            let (one, other) = (request.chain()?, request.other()?);
            let found = match name {
                "difference" => look::first_difference(&one, &other, limit)?,
                _ => one.equivalent(&other, limit)?,
            };
            let index = match &found {
                Equivalence::Differ(index) => Some(index),
                _ => None,
            };
            written(&json!({ "equal": found == Equivalence::Same, "index": index }))
        }
        "palette" => {
            let shades = viewmerge_draw::shades();
            written(&json!({ "memory": shades.memory, "banks": shades.banks, "odd": shades.odd }))
        }
        "certify" => {
            let chain = ViewChain::op_by_op(request.chain_text()?)?;
            let certificate = match request.other.as_deref() {
                None => chain.certify(limit)?,
                Some(other) => chain.certify_equivalence(&ViewChain::op_by_op(other)?, limit)?,
            };
            Ok(certificate.to_string())
        }
        "verify" => {
            let text = request.certificate.as_deref();
            let text = text.ok_or_else(|| needs("verify", "certificate"))?;
            written(&verified(&viewmerge_verify::verify(text)))
        }
        "draw" => request.drawn(limit),
        "cute" => {
            let outcome = request.layouts(limit).map_err(layout_refused)?;
            written(&json!({ "text": outcome.to_string(), "answer": outcome }))
        }
        "atoms" => match request.name.as_deref() {
            None => written(&atoms::list()),
            Some(name) => written(&Atom::named(name).map_err(layout_refused)?),
        },
        "banks" => {
            written(&request.pattern().conflicts(&request.banks(), limit).map_err(layout_refused)?)
        }
        "sectors" => {
            let sectors = request.pattern().access().and_then(|access| access.sectors(limit));
            let answer = sectors.map_err(layout_refused)?;
            written(&Told { text: answer.to_string(), answer })
        }
        "tiled_mma" => {
            let name = request.name.as_deref().ok_or_else(|| needs("tiled_mma", "name"))?;
            let warps = request.b.as_deref().ok_or_else(|| needs("tiled_mma", "b"))?;
            written(&layouts::tiled(name, warps, request.repeat, limit).map_err(layout_refused)?)
        }
        "tiled_copy" => {
            let [a, b] = request.both("tiled_copy")?;
            written(&layouts::copied(a, b, limit).map_err(layout_refused)?)
        }
        "local_tile" => {
            let [a, b] = request.both("local_tile")?;
            let at = request.at.as_deref().ok_or_else(|| needs("local_tile", "at"))?;
            written(&layouts::tile_at(a, b, at, limit).map_err(layout_refused)?)
        }
        "sweep" => {
            let part = |name, part: &Option<Cow<'_, str>>| {
                part.as_deref().map(str::to_string).ok_or_else(|| needs("sweep", name))
            };
            let (before, after) =
                (part("before", &request.before)?, part("after", &request.after)?);
            let from = request.from.ok_or_else(|| needs("sweep", "from"))?;
            let to = request.to.ok_or_else(|| needs("sweep", "to"))?;
            written(&look::sweep(&before, &after, (from, to), limit)?)
        }
        // All names of the table are handled above.
        name => Kind::named(name).and_then(|kind| Err(needs(kind.ask, "an answer"))),
    }
}

fn layout_refused(error: viewmerge_cute::Error) -> Refused {
    Refused::new(error.kind(), error.to_string())
}

fn needs(name: &str, field: &str) -> Refused {
    Refused::new("question", format!("{name} needs {field:?}"))
}

impl Request<'_> {
    fn chain_text(&self) -> Result<&str, Refused> {
        let name = self.ask.as_deref().unwrap_or_default();
        self.chain.as_deref().ok_or_else(|| needs(name, "chain"))
    }

    fn chain(&self) -> Result<ViewChain, Refused> {
        Ok(viewmerge_paste::parse(self.chain_text()?, str::parse)?)
    }

    fn other(&self) -> Result<ViewChain, Refused> {
        let other = self.other.as_deref().ok_or_else(|| needs("equal", "other"))?;
        Ok(viewmerge_paste::parse(other, str::parse)?)
    }

    /// The answer of `viewmerge conditions`; with `"open"`, the conditions for the shape
    /// of the first view, ignoring its strides.
    fn conditions(&self, limit: &Limit<'_>) -> Result<Value, Refused> {
        let asked = if self.open.unwrap_or(false) {
            Asked::One(conditions::all_open(self.chain()?.views())?)
        } else {
            Asked::read(self.chain_text()?).map_err(|(_, error)| error)?
        };
        Ok(match asked {
            Asked::One(chain) if self.table.unwrap_or(false) => {
                json!(chain.overflow_table(MOST_ROWS, limit)?)
            }
            Asked::One(chain) => conditions::of_one(&chain.conditions(limit)?),
            Asked::Cases(below, above) => {
                conditions::of_cases(&conditions::cases(&below, &above, limit)?)
            }
        })
    }

    fn expression(&self, limit: &Limit<'_>) -> Result<Value, Refused> {
        let how = match self.lang.as_deref() {
            None => None,
            Some(name) => {
                let mut how = Render::new(name.parse()?).shifts(self.shifts.unwrap_or(false));
                if let Some(function) = &self.function {
                    how = how.function(function);
                }
                if let Some(names) = &self.names {
                    how = how.names(names);
                }
                Some(how)
            }
        };
        let form = self.chain()?.form(limit)?;
        let written = Written::new(&form, how.as_ref(), self.bare.unwrap_or(false))?;
        Ok(written.json(&form)?)
    }

    fn drawn(&self, limit: &Limit<'_>) -> Result<String, Refused> {
        if let Some(layout) = self.layout.as_deref() {
            let drawing = self.layout_drawn(layout, limit).map_err(layout_refused)?;
            return written(&json!({ "svg": drawing.to_svg() }));
        }
        let chain = self.chain()?;
        let drawing = match (self.kind.as_deref().unwrap_or("chain"), chain.views()) {
            ("merge", _) => Drawing::of_merge(&chain),
            ("guarded", _) => match chain.guarded(limit)? {
                Some(view) => Drawing::of_guarded(&view),
                None => {
                    let why = "this chain needs divisions, it is no view with guards";
                    return Err(Refused::new("question", why));
                }
            },
            ("split", _) => Drawing::of_tiling(&chain, &chain.tiling(limit)?),
            ("chain", [view]) => Drawing::of_view(view),
            ("chain", _) => Drawing::of_chain(&chain),
            (kind, _) => {
                let message = format!(
                    "there is no picture {kind:?}, there are chain, merge, guarded and split"
                );
                return Err(Refused::new("question", message));
            }
        };
        written(&json!({ "svg": drawing.to_svg() }))
    }

    /// The layouts A and B of a question that needs both.
    fn both(&self, name: &str) -> Result<[&str; 2], Refused> {
        let a = self.a.as_deref().ok_or_else(|| needs(name, "a"))?;
        Ok([a, self.b.as_deref().ok_or_else(|| needs(name, "b"))?])
    }

    fn pattern(&self) -> Pattern<'_> {
        let memory = self.a.as_deref().or(self.layout.as_deref()).unwrap_or_default();
        let (bytes, vector) = (self.bytes, self.vector);
        Pattern { memory, pattern: self.b.as_deref(), bytes, vector }
    }

    fn banks(&self) -> Banks {
        let usual = Banks::default();
        Banks {
            banks: self.banks.unwrap_or(usual.banks),
            width: self.width.unwrap_or(usual.width),
            lanes: self.lanes,
        }
    }

    /// The answer of `viewmerge cute`.
    fn layouts(&self, limit: &Limit<'_>) -> Result<Outcome, viewmerge_cute::Error> {
        let operation: Operation = self.cute.as_deref().unwrap_or_default().parse()?;
        let a = self.a.as_deref().unwrap_or_default();
        operation.ask(a, self.b.as_deref(), self.extend.unwrap_or(false), limit)
    }

    /// The picture of a CuTe layout. Kind "thread" or "value": who holds what, coloured by that, or what
    /// one thread holds; "banks": the banks a pattern reads; "tile": one tile.
    fn layout_drawn(
        &self,
        layout: &str,
        limit: &Limit<'_>,
    ) -> Result<Drawing, viewmerge_cute::Error> {
        let by = match self.kind.as_deref() {
            Some("banks") => {
                let (access, banks) = (self.pattern().access()?, self.banks());
                let told = access.conflicts(&banks, limit)?;
                return Ok(Drawing::of_access(&access, &banks, Some(&told)));
            }
            Some("tile") => {
                let (tiler, at) = (self.b.as_deref().unwrap_or_default(), self.at.as_deref());
                let at = at.unwrap_or_default();
                return Drawing::of_tile(&layout.parse()?, &tiler.parse()?, at, limit);
            }
            Some("thread") => ColourBy::Thread,
            Some("value") => ColourBy::Value,
            _ => return Drawing::of_cute(layout),
        };
        let drawing = Drawing::of_thread_values(&layout.parse()?, self.tile, by)?;
        Ok(match self.thread {
            None => drawing,
            Some(thread) => drawing.only_thread(thread),
        })
    }
}
