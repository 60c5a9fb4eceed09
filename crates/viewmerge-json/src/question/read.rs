//! Reads a question member by member, to say what is wrong with it.
//!
//! A message names the member, says what it may hold, and shows what it holds:
//! `views[1].shape: expected a list of whole numbers, found 2`. Ignored members are not
//! looked at.
//!
//! Cost: a line is read about twice more; only lines that were not read at once
//! come here.

use serde_json::value::RawValue;
use viewmerge::{Movement, View, ViewParts};

use super::{Asked, AskedLayouts, Text, Wanted};
use crate::members::{Members, expected, json};
use crate::refused::Refused;

pub(crate) const OBJECT: &str = "an object such as {\"chain\":\"(2,3)\"}";

const NUMBER: &str = "a whole number that fits 64 bits";

const VIEW: &str =
    r#"a view such as {"shape":[2,3],"strides":[1,2],"offset":0,"mask":[[0,2],[1,3]]}"#;

const OP: &str = r#"an op such as ["permute",[1,0]]"#;

/// The arguments of the ops.
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

/// The question of these members, and its options.
pub(crate) fn question(found: &Members<'_>) -> Result<(Asked, Wanted), Refused> {
    let asked = if found.get("cute").is_some() { layouts(found)? } else { asked(found)? };
    let steps = |steps: &RawValue| {
        serde_json::from_str(steps.get())
            .map_err(|_| expected("steps", "a whole number, 0 or more", steps.get()))
    };
    let steps = found.get("steps").map(steps).transpose()?;
    let (certify, split) = (flag(found, "certify")?, flag(found, "split")?);
    Ok((asked, Wanted { steps, certify, split }))
}

/// Whether a member is true.
fn flag(found: &Members<'_>, name: &str) -> Result<bool, Refused> {
    match found.get(name) {
        None => Ok(false),
        Some(value) => serde_json::from_str(value.get())
            .map_err(|_| expected(name, "true or false", value.get())),
    }
}

fn asked(found: &Members<'_>) -> Result<Asked, Refused> {
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
        // A bad shape is reported before a bad op.
        View::contiguous(&shape).map_err(|error| Refused::of("shape", &error))?;
        let ops = list("ops", ops, "a list of ops")?;
        let ops = ops.iter().enumerate().map(|(n, value)| op(&format!("ops[{n}]"), value));
        Ok(Asked::Ops(shape, ops.collect::<Result<_, _>>()?))
    } else if let Some(chain) = found.get("chain") {
        let text = serde_json::from_str(chain.get());
        text.map(Asked::Chain)
            .map_err(|_| expected("chain", "text such as \"(2,3) | permute(1,0)\"", chain.get()))
    } else if let Some(expr) = found.get("expr") {
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
        Err(Refused::new("question", "line: it asks nothing"))
    }
}

/// A question about layouts.
fn layouts(found: &Members<'_>) -> Result<Asked, Refused> {
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
    let (operation, a) = (operation.unwrap_or_default(), a.unwrap_or_default());
    Ok(Asked::Cute(AskedLayouts { operation, a, b, extend: flag(found, "extend")? }))
}

/// The items of a list.
fn list<'a>(part: &str, value: &'a RawValue, what: &str) -> Result<Vec<&'a RawValue>, Refused> {
    serde_json::from_str(value.get()).map_err(|_| expected(part, what, value.get()))
}

fn numbers(part: &str, value: &RawValue) -> Result<Vec<i64>, Refused> {
    let items = list(part, value, "a list of whole numbers")?;
    items.iter().enumerate().map(|(n, item)| number(&format!("{part}[{n}]"), item)).collect()
}

fn number(part: &str, value: &RawValue) -> Result<i64, Refused> {
    serde_json::from_str(value.get()).map_err(|_| expected(part, NUMBER, value.get()))
}

fn view(part: &str, value: &RawValue) -> Result<View, Refused> {
    let parts: ViewParts = match serde_json::from_str(value.get()) {
        Ok(parts) => parts,
        Err(_) => return Err(wrong_view(part, value)),
    };
    View::try_from(parts).map_err(|error| Refused::of(part, &error))
}

/// Why a view cannot be read.
fn wrong_view(part: &str, value: &RawValue) -> Refused {
    let check = || -> Result<(), Refused> {
        let members: Members<'_> =
            serde_json::from_str(value.get()).map_err(|_| expected(part, VIEW, value.get()))?;
        members.check_once(part)?;
        members.check_known(part, "a view", &["shape", "strides", "offset", "mask"])?;
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

fn check_mask(part: &str, value: &RawValue) -> Result<(), Refused> {
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

fn op(part: &str, value: &RawValue) -> Result<Movement, Refused> {
    let wrong = |_| {
        let members: Option<Vec<&RawValue>> = serde_json::from_str(value.get()).ok();
        let name: Option<String> =
            members.and_then(|members| serde_json::from_str(members.first()?.get()).ok());
        let Some(name) = name else { return expected(part, OP, value.get()) };
        match ARGUMENTS.iter().find(|(known, _)| *known == name) {
            None => Refused::of(part, &Movement::unknown(&name)),
            Some((_, arguments)) => {
                expected(part, &format!("[\"{name}\",{arguments}]"), value.get())
            }
        }
    };
    serde_json::from_str(value.get()).map_err(wrong)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_arguments_of_every_op_are_known() {
        assert!(ARGUMENTS.iter().map(|(name, _)| *name).eq(Movement::names().iter().copied()));
    }
}
