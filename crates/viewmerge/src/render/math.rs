//! Mathematical notations: floors are written out where they are used.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;

use super::names::Names;
use super::sum::{Condition, Sum, conditions};
use crate::error::Error;
use crate::form::IndexForm;

/// The floors, each with the earlier ones written out.
fn written_out(
    form: &IndexForm,
    names: &Names,
    times: &str,
    write: impl Fn(&str, i64) -> String,
) -> Vec<String> {
    let mut floors: Vec<String> = Vec::new();
    for term in form.floors() {
        let operand = Sum::of(&term.operand, &names.axes, &floors).write(times);
        floors.push(write(&operand, term.divisor));
    }
    floors
}

/// MLIR: where the memory position is, and which indices are valid.
pub(super) fn mlir(form: &IndexForm, names: &Names) -> String {
    let floors =
        written_out(form, names, " * ", |operand, m| format!("(({operand}) floordiv {m})"));
    let axes = names.axes.join(", ");
    let position = Sum::of(form.position(), &names.axes, &floors).write(" * ");
    let constraints: Vec<String> = match conditions(form, &names.axes, &floors) {
        None => vec!["1 == 0".into()],
        Some(all) if all.is_empty() => vec!["0 == 0".into()],
        Some(all) => all.into_iter().flat_map(constraints).collect(),
    };
    format!(
        "affine_map<({axes}) -> ({position})>\naffine_set<({axes}) : ({})>\n",
        constraints.join(", ")
    )
}

/// `sum - lower >= 0` and `upper - 1 - sum >= 0`.
fn constraints(condition: Condition<'_>) -> Vec<String> {
    let Condition { sum: Sum { terms, constant }, lower, upper } = condition;
    let shifted = |sign: i64, constant: i128| -> String {
        let terms = terms.iter().map(|&(c, name)| (sign * c, name)).collect();
        // A guard has no constant of its own, so its bound is the constant.
        let sum = Sum { terms, constant: constant as i64 };
        format!("{} >= 0", sum.write(" * "))
    };
    let constant = i128::from(constant);
    let lower = lower.map(|lower| shifted(1, constant - i128::from(lower)));
    let upper = upper.map(|upper| shifted(-1, i128::from(upper) - 1 - constant));
    lower.into_iter().chain(upper).collect()
}

/// isl: the map from valid indices to positions.
pub(super) fn isl(form: &IndexForm, names: &Names) -> String {
    let floors = written_out(form, names, "*", |operand, m| format!("floor(({operand})/{m})"));
    let position = Sum::of(form.position(), &names.axes, &floors).write("*");
    let mut parts: Vec<String> = names
        .axes
        .iter()
        .zip(form.shape())
        .map(|(name, size)| format!("0 <= {name} < {size}"))
        .collect();
    match conditions(form, &names.axes, &floors) {
        None => parts.push("false".into()),
        Some(all) => {
            parts.extend(all.iter().map(|condition| between(condition, "*", " <= ", " < ")))
        }
    }
    let domain =
        if parts.is_empty() { String::new() } else { format!(" : {}", parts.join(" and ")) };
    format!("{{ [{}] -> [{position}]{domain} }}\n", names.axes.join(", "))
}

/// `lower ≤ sum < upper`.
fn between(condition: &Condition<'_>, times: &str, at_most: &str, below: &str) -> String {
    let lower = condition.lower.map_or(String::new(), |lower| format!("{lower}{at_most}"));
    let upper = condition.upper.map_or(String::new(), |upper| format!("{below}{upper}"));
    format!("{lower}{}{upper}", condition.sum.write(times))
}

/// LaTeX, for math mode.
pub(super) fn latex(form: &IndexForm, names: &Names) -> String {
    let floors = written_out(form, names, " ", |operand, m| {
        format!("\\left\\lfloor \\frac{{{operand}}}{{{m}}} \\right\\rfloor")
    });
    let position = Sum::of(form.position(), &names.axes, &floors).write(" ");
    match conditions(form, &names.axes, &floors) {
        None => "\\text{nothing}\n".into(),
        Some(all) if all.is_empty() => format!("{position}\n"),
        Some(all) => {
            let all: Vec<String> =
                all.iter().map(|condition| between(condition, " ", " \\le ", " < ")).collect();
            format!("{position} \\quad \\text{{if }} {}\n", all.join(",\\ "))
        }
    }
}

/// As tinygrad prints the index of one view: `((idx0*4)+(idx1*2)+idx2)`.
pub(super) fn tinygrad(form: &IndexForm, names: &Names) -> Result<String, Error> {
    if !form.floors().is_empty() || !form.guards().is_empty() {
        return Err(Error::NoRendering {
            language: "tinygrad",
            why: "it prints single views, and this chain is not one",
        });
    }
    let sum = Sum::of(form.position(), &names.axes, &names.floors);
    let mut terms: Vec<String> = sum
        .terms
        .iter()
        .map(|&(c, name)| if c == 1 { name.to_string() } else { format!("({name}*{c})") })
        .collect();
    if sum.constant != 0 || terms.is_empty() {
        terms.push(sum.constant.to_string());
    }
    let text = terms.join("+");
    Ok(if terms.len() > 1 { format!("({text})\n") } else { format!("{text}\n") })
}
