//! Mathematical notations: floors are written out where they are used.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;

use super::Language;
use super::body::Valid;
use super::names::Names;
use super::sum::{Condition, Sum, conditions};
use crate::error::Error;
use crate::form::IndexForm;

/// The signs of a notation.
pub(super) struct Notation {
    times: &'static str,
    floor: fn(&str, i64) -> String,
    condition: fn(&Condition<'_>) -> Vec<String>,
    /// Between conditions.
    pub and: &'static str,
    /// What is always true, and what never is.
    pub words: [&'static str; 2],
}

const MLIR: Notation = Notation {
    times: " * ",
    floor: |operand, m| format!("(({operand}) floordiv {m})"),
    condition: constraints,
    and: ", ",
    words: ["0 == 0", "1 == 0"],
};

const ISL: Notation = Notation {
    times: "*",
    floor: |operand, m| format!("floor(({operand})/{m})"),
    condition: |condition| vec![between(condition, "*", " <= ", " < ")],
    and: " and ",
    words: ["true", "false"],
};

const LATEX: Notation = Notation {
    times: " ",
    floor: |operand, m| format!("\\left\\lfloor \\frac{{{operand}}}{{{m}}} \\right\\rfloor"),
    condition: |condition| vec![between(condition, " ", " \\le ", " < ")],
    and: ",\\ ",
    words: ["\\text{true}", "\\text{false}"],
};

/// A form as formulas.
pub(super) struct Formulas {
    pub valid: Valid,
    pub position: String,
    pub notation: Notation,
}

impl Formulas {
    /// In MLIR, isl or LaTeX.
    fn new(form: &IndexForm, names: &Names, notation: Notation) -> Formulas {
        let mut floors: Vec<String> = Vec::new();
        for term in form.floors() {
            let operand = Sum::of(&term.operand, &names.axes, &floors).write(notation.times);
            floors.push((notation.floor)(&operand, term.divisor));
        }
        let position = Sum::of(form.position(), &names.axes, &floors).write(notation.times);
        let valid = match conditions(form, &names.axes, &floors) {
            None => Valid::Never,
            Some(all) if all.is_empty() => Valid::Always,
            Some(all) => Valid::If(all.iter().flat_map(notation.condition).collect()),
        };
        Formulas { valid, position, notation }
    }

    /// In any notation that has guards as well as positions.
    pub(super) fn of(
        form: &IndexForm,
        language: Language,
        names: &Names,
    ) -> Result<Formulas, Error> {
        match language {
            Language::Mlir => Ok(Formulas::new(form, names, MLIR)),
            Language::Isl => Ok(Formulas::new(form, names, ISL)),
            Language::Latex => Ok(Formulas::new(form, names, LATEX)),
            _ => {
                let position = tinygrad(form, names)?;
                let words = ["True", "False"];
                let formulas = Formulas::new(form, names, Notation { words, ..ISL });
                if matches!(formulas.valid, Valid::If(_)) {
                    return Err(no_tinygrad("its positions come without a guard"));
                }
                Ok(Formulas { position, ..formulas })
            }
        }
    }

    /// When an index is valid, as one expression.
    pub(super) fn guard(&self) -> String {
        self.valid.write(self.notation.and, self.notation.words)
    }
}

/// `sum - lower >= 0` and `upper - 1 - sum >= 0`.
fn constraints(condition: &Condition<'_>) -> Vec<String> {
    let Condition { sum: Sum { terms, constant }, lower, upper } = condition;
    let shifted = |sign: i64, constant: i128| -> String {
        let terms = terms.iter().map(|&(c, name)| (sign * c, name)).collect();
        format!("{} >= 0", Sum { terms, constant }.write(" * "))
    };
    let lower = lower.map(|lower| shifted(1, constant - i128::from(lower)));
    let upper = upper.map(|upper| shifted(-1, i128::from(upper) - 1 - constant));
    lower.into_iter().chain(upper).collect()
}

/// `lower ≤ sum < upper`.
fn between(condition: &Condition<'_>, times: &str, at_most: &str, below: &str) -> String {
    let lower = condition.lower.map_or(String::new(), |lower| format!("{lower}{at_most}"));
    let upper = condition.upper.map_or(String::new(), |upper| format!("{below}{upper}"));
    format!("{lower}{}{upper}", condition.sum.write(times))
}

/// MLIR: where the memory position is, and which indices are valid.
pub(super) fn mlir(form: &IndexForm, names: &Names) -> String {
    let formulas = Formulas::new(form, names, MLIR);
    let (axes, position, guard) = (names.axes.join(", "), &formulas.position, formulas.guard());
    format!("affine_map<({axes}) -> ({position})>\naffine_set<({axes}) : ({guard})>\n")
}

/// isl: the map from valid indices to positions.
pub(super) fn isl(form: &IndexForm, names: &Names) -> String {
    let formulas = Formulas::new(form, names, ISL);
    let sides = names.axes.iter().zip(form.shape());
    let mut parts: Vec<String> =
        sides.map(|(name, size)| format!("0 <= {name} < {size}")).collect();
    if !matches!(formulas.valid, Valid::Always) {
        parts.push(formulas.guard());
    }
    let domain =
        if parts.is_empty() { String::new() } else { format!(" : {}", parts.join(" and ")) };
    format!("{{ [{}] -> [{}]{domain} }}\n", names.axes.join(", "), formulas.position)
}

/// LaTeX, for math mode.
pub(super) fn latex(form: &IndexForm, names: &Names) -> String {
    let formulas = Formulas::new(form, names, LATEX);
    match &formulas.valid {
        Valid::Never => "\\text{nothing}\n".into(),
        Valid::Always => format!("{}\n", formulas.position),
        Valid::If(_) => {
            format!("{} \\quad \\text{{if }} {}\n", formulas.position, formulas.guard())
        }
    }
}

fn no_tinygrad(why: &'static str) -> Error {
    Error::NoRendering { language: "tinygrad", why }
}

/// As tinygrad prints the index of one view: `((idx0*4)+(idx1*2)+idx2)`.
pub(super) fn tinygrad(form: &IndexForm, names: &Names) -> Result<String, Error> {
    if !form.floors().is_empty() || !form.guards().is_empty() {
        return Err(no_tinygrad("it prints single views, and this chain is not one"));
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
    Ok(if terms.len() > 1 { format!("({text})") } else { text })
}
