//! A question read member by member, to say what is wrong with it.
//!
//! A message names the member, says what it may hold, and shows what it holds:
//! `views[1].shape: expected a list of whole numbers, found 2`. Only members that
//! count are looked at.
//!
//! Cost: a line is read about twice more; only lines that were not read at once
//! come here.

use std::borrow::Cow;
use std::fmt;

use serde::Deserialize;
use serde::de::{MapAccess, Visitor};
use serde_json::error::Category;
use serde_json::value::RawValue;
use viewmerge::{Movement, View, ViewParts};

use super::{Asked, AskedLayouts, Failure, Text, Wanted};

/// The members that count.
const MEMBERS: [&str; 11] = [
    "views",
    "view",
    "new_shape",
    "shape",
    "ops",
    "chain",
    "expr",
    "steps",
    "certify",
    "split",
    "cute",
];

/// Those of a question about an expression.
const OF_EXPRESSIONS: [&str; 2] = ["vars", "valid"];

/// Those of a question about layouts.
const OF_LAYOUTS: [&str; 3] = ["a", "b", "extend"];

const QUESTION: &str = "a question has \"views\", or \"view\" and \"new_shape\", or \"shape\" and \
                        \"ops\", or \"chain\", or \"expr\", or \"cute\" and \"a\"";

const OBJECT: &str = "an object such as {\"chain\":\"(2,3)\"}";

const NUMBER: &str = "a whole number that fits 64 bits";

const VIEW: &str =
    r#"a view such as {"shape":[2,3],"strides":[1,2],"offset":0,"mask":[[0,2],[1,3]]}"#;

const OP: &str = r#"an op such as ["permute",[1,0]]"#;

/// What the ops take.
const ARGUMENTS: [(&str, &str); 14] = [
    ("reshape", "[size, ...]"),
    ("flatten", "[first axis,last axis] or []"),
    ("unflatten", "[axis,[size, ...]]"),
    ("permute", "[axis, ...]"),
    ("transpose", "[axis,axis]"),
    ("expand", "[size, ...]"),
    ("pad", "[[before,after], ...]"),
    ("shrink", "[[lo,hi], ...]"),
    ("slice", r#"["start:stop:step", ...]"#),
    ("flip", "[axis, ...]"),
    ("step", "[number, ...]"),
    ("squeeze", "[axis]"),
    ("unsqueeze", "[axis]"),
    ("as_strided", "[[size, ...],[stride, ...],offset]"),
];

/// What a line asks, and how.
pub(super) fn question(line: &[u8]) -> Result<(Asked, Wanted), Failure> {
    let text = str::from_utf8(line).map_err(|error| {
        json("line", format_args!("no text, byte {} is not UTF-8", error.valid_up_to()))
    })?;
    if text.trim().is_empty() {
        return Err(expected("line", OBJECT, "an empty line"));
    }
    let found: Members<'_> =
        serde_json::from_str(text).map_err(|error| match error.classify() {
            Category::Data => expected("line", OBJECT, text),
            _ => {
                // All of it is on one line.
                let message = error.to_string().replace(" at line 1 column ", " at column ");
                json("line", format_args!("no JSON, {message}"))
            }
        })?;
    found.check_once("line", &MEMBERS)?;
    if let Some((given, meant)) = found.nearest() {
        let message = format!("line: unknown member {given:?}, did you mean {meant:?}?");
        return Err(Failure { kind: "question".into(), message });
    }
    let asked = if found.get("cute").is_some() { layouts(&found)? } else { asked(&found)? };
    let steps = |steps: &RawValue| {
        serde_json::from_str(steps.get())
            .map_err(|_| expected("steps", "a whole number, 0 or more", steps.get()))
    };
    let steps = found.get("steps").map(steps).transpose()?;
    let (certify, split) = (found.flag("certify")?, found.flag("split")?);
    Ok((asked, Wanted { steps, certify, split }))
}

fn asked(found: &Members<'_>) -> Result<Asked, Failure> {
    let pair = |one, other| found.get(one).zip(found.get(other));
    if let Some(views) = found.get("views") {
        let views = list("views", views, "a list of views")?;
        let views = views.iter().enumerate();
        Ok(Asked::Views(
            views
                .map(|(n, value)| view(&format!("views[{n}]"), value))
                .collect::<Result<_, _>>()?,
        ))
    } else if let Some((one, new_shape)) = pair("view", "new_shape") {
        Ok(Asked::Reshape(view("view", one)?, numbers("new_shape", new_shape)?))
    } else if let Some((shape, ops)) = pair("shape", "ops") {
        let shape = numbers("shape", shape)?;
        // A bad shape is told before a bad op.
        View::contiguous(&shape).map_err(|error| Failure::refused("shape", &error))?;
        let ops = list("ops", ops, "a list of ops")?;
        let ops = ops.iter().enumerate().map(|(n, value)| op(&format!("ops[{n}]"), value));
        Ok(Asked::Ops(shape, ops.collect::<Result<_, _>>()?))
    } else if let Some(chain) = found.get("chain") {
        let text = serde_json::from_str(chain.get());
        text.map(Asked::Chain)
            .map_err(|_| expected("chain", "text such as \"(2,3) | permute(1,0)\"", chain.get()))
    } else if let Some(expr) = found.get("expr") {
        found.check_once("line", &OF_EXPRESSIONS)?;
        let text = |part: &str, value: &RawValue| {
            serde_json::from_str(value.get())
                .map_err(|_| expected(part, "text such as \"(4*i + j) // 8\"", value.get()))
        };
        let vars = |value: &RawValue| {
            let what = "ranges such as {\"i\":[0,15]}, null for no end";
            serde_json::from_str(value.get()).map_err(|_| expected("vars", what, value.get()))
        };
        Ok(Asked::Expr(super::expr::Asked {
            expr: text("expr", expr)?,
            vars: found.get("vars").map(vars).transpose()?.unwrap_or_default(),
            valid: found.get("valid").map(|valid| text("valid", valid)).transpose()?,
        }))
    } else {
        Err(found.no_question())
    }
}

/// A question about layouts.
fn layouts(found: &Members<'_>) -> Result<Asked, Failure> {
    found.check_once("line", &OF_LAYOUTS)?;
    let text = |part: &'static str, what: &str| match found.get(part) {
        None => Ok(None),
        Some(value) => match serde_json::from_str::<Text>(value.get()) {
            Ok(text) => Ok(Some(text.into_text())),
            Err(_) => Err(expected(part, what, value.get())),
        },
    };
    let operation = text("cute", "the name of an operation such as \"compose\"")?;
    let a = text("a", "a layout such as \"(4,2):(2,1)\"")?;
    let b = text("b", "text such as \"4:2\"")?;
    match operation.zip(a) {
        Some((operation, a)) => {
            Ok(Asked::Cute(AskedLayouts { operation, a, b, extend: found.flag("extend")? }))
        }
        None => Err(found.no_question()),
    }
}

/// A failure to read a part of a line.
fn json(part: &str, why: fmt::Arguments<'_>) -> Failure {
    Failure { kind: "json".into(), message: format!("{part}: {why}") }
}

fn expected(part: &str, what: &str, found: &str) -> Failure {
    json(part, format_args!("expected {what}, found {}", short(found)))
}

/// JSON as it stands, without its end if it is long.
fn short(value: &str) -> Cow<'_, str> {
    const MOST: usize = 60;
    let value = value.trim();
    match value.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}...", &value[..end]).into(),
        None => value.into(),
    }
}

/// The items of a list.
fn list<'a>(part: &str, value: &'a RawValue, what: &str) -> Result<Vec<&'a RawValue>, Failure> {
    serde_json::from_str(value.get()).map_err(|_| expected(part, what, value.get()))
}

fn numbers(part: &str, value: &RawValue) -> Result<Vec<i64>, Failure> {
    let items = list(part, value, "a list of whole numbers")?;
    items.iter().enumerate().map(|(n, item)| number(&format!("{part}[{n}]"), item)).collect()
}

fn number(part: &str, value: &RawValue) -> Result<i64, Failure> {
    serde_json::from_str(value.get()).map_err(|_| expected(part, NUMBER, value.get()))
}

fn view(part: &str, value: &RawValue) -> Result<View, Failure> {
    let parts: ViewParts = match serde_json::from_str(value.get()) {
        Ok(parts) => parts,
        Err(_) => return Err(wrong_view(part, value)),
    };
    View::try_from(parts).map_err(|error| Failure::refused(part, &error))
}

/// What is wrong with a view that cannot be read.
fn wrong_view(part: &str, value: &RawValue) -> Failure {
    let check = || -> Result<(), Failure> {
        let members: Members<'_> =
            serde_json::from_str(value.get()).map_err(|_| expected(part, VIEW, value.get()))?;
        members.check_once(part, &["shape", "strides", "offset", "mask"])?;
        let inner = |name: &str| format!("{part}.{name}");
        match members.value("shape") {
            Some(shape) => numbers(&inner("shape"), shape)?,
            None => return Err(json(part, format_args!("it has no \"shape\", expected {VIEW}"))),
        };
        if let Some(strides) = members.get("strides") {
            numbers(&inner("strides"), strides)?;
        }
        if let Some(offset) = members.value("offset") {
            number(&inner("offset"), offset)?;
        }
        if let Some(mask) = members.get("mask") {
            check_mask(&inner("mask"), mask)?;
        }
        Ok(())
    };
    check().err().unwrap_or_else(|| expected(part, VIEW, value.get()))
}

fn check_mask(part: &str, value: &RawValue) -> Result<(), Failure> {
    const MASK: &str = "null, \"nothing\" or a list of [lo,hi]";
    if value.get() == "\"nothing\"" {
        return Ok(());
    }
    for (n, item) in list(part, value, MASK)?.into_iter().enumerate() {
        let part = format!("{part}[{n}]");
        let ends = list(&part, item, "[lo,hi]")?;
        let [lo, hi] = ends[..] else { return Err(expected(&part, "[lo,hi]", item.get())) };
        number(&format!("{part}[0]"), lo)?;
        number(&format!("{part}[1]"), hi)?;
    }
    Ok(())
}

fn op(part: &str, value: &RawValue) -> Result<Movement, Failure> {
    let wrong = |_| {
        let members: Option<Vec<&RawValue>> = serde_json::from_str(value.get()).ok();
        let name: Option<String> =
            members.and_then(|members| serde_json::from_str(members.first()?.get()).ok());
        let Some(name) = name else { return expected(part, OP, value.get()) };
        match ARGUMENTS.iter().find(|(known, _)| *known == name) {
            None => Failure::refused(part, &Movement::unknown(&name)),
            Some((_, arguments)) => {
                expected(part, &format!("[\"{name}\",{arguments}]"), value.get())
            }
        }
    };
    serde_json::from_str(value.get()).map_err(wrong)
}

/// The members of an object, unread, in their order.
struct Members<'a>(Vec<(String, &'a RawValue)>);

impl<'a> Members<'a> {
    /// The first member of this name.
    fn value(&self, name: &str) -> Option<&'a RawValue> {
        self.0.iter().find(|(known, _)| known == name).map(|(_, value)| *value)
    }

    /// The first member of this name, if it is not null.
    fn get(&self, name: &str) -> Option<&'a RawValue> {
        self.value(name).filter(|value| value.get() != "null")
    }

    /// Whether a member is true.
    fn flag(&self, name: &str) -> Result<bool, Failure> {
        match self.get(name) {
            None => Ok(false),
            Some(value) => serde_json::from_str(value.get())
                .map_err(|_| expected(name, "true or false", value.get())),
        }
    }

    /// Refuses members that are given twice.
    fn check_once(&self, part: &str, names: &[&str]) -> Result<(), Failure> {
        let times = |name: &str| self.0.iter().filter(|(known, _)| known == name).count();
        match names.iter().find(|name| times(name) > 1) {
            Some(name) => Err(json(part, format_args!("it has \"{name}\" twice"))),
            None => Ok(()),
        }
    }

    /// Why these members ask nothing.
    fn no_question(&self) -> Failure {
        let half = [
            ("view", "new_shape"),
            ("new_shape", "view"),
            ("shape", "ops"),
            ("ops", "shape"),
            ("cute", "a"),
        ];
        let half = half.iter().find(|(given, _)| self.get(given).is_some());
        let hint = match half {
            Some((given, missing)) => format!("; it has {given:?} without {missing:?}"),
            None => String::new(),
        };
        Failure { kind: "question".into(), message: format!("line: {QUESTION}{hint}") }
    }

    /// A member that does not count, and the one it may be meant to be.
    fn nearest(&self) -> Option<(&str, &'static str)> {
        let unknown = self.0.iter().map(|(name, _)| name.as_str());
        let known = |name: &&str| {
            [&MEMBERS[..], &OF_EXPRESSIONS, &OF_LAYOUTS].iter().any(|all| all.contains(name))
        };
        let mut unknown = unknown.filter(|name| !known(name));
        unknown.find_map(|name| {
            let distance = |known: &&str| strsim::osa_distance(&name.to_lowercase(), known);
            let near = MEMBERS.into_iter().min_by_key(distance)?;
            (distance(&near) <= (near.len() / 3).max(1)).then_some((name, near))
        })
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Members<'a> {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Members<'a>, D::Error> {
        struct Collect;
        impl<'de> Visitor<'de> for Collect {
            type Value = Members<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Members<'de>, A::Error> {
                let mut members = Vec::new();
                while let Some(name) = map.next_key::<String>()? {
                    members.push((name, map.next_value()?));
                }
                Ok(Members(members))
            }
        }
        deserializer.deserialize_map(Collect)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_arguments_of_every_op_are_known() {
        assert!(ARGUMENTS.iter().map(|(name, _)| *name).eq(Movement::names().iter().copied()));
    }
}
