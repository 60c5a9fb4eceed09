//! Mathematical notations: floors and quotients are written out where they are used.

use viewmerge_index::{Language, Snippet};

use super::{BITS, Called};
use crate::error::Error;
use crate::expr::Expr;
use crate::form::{Linear, SymbolicForm};
use crate::poly::{Poly, Var};
use crate::print::{expr_with, variable};
use crate::sum::{Comparison, Sum};

/// The signs of a notation.
struct Notation {
    times: &'static str,
    floor: fn(&str, &str) -> String,
    modulo: fn(&str, &str) -> String,
    same: fn(&str, &str) -> String,
    /// What is compared: with 0, or two sides.
    zero: bool,
    at_most: &'static str,
    at_least: &'static str,
}

const MLIR: Notation = Notation {
    times: " * ",
    floor: |a, b| format!("({a} floordiv {b})"),
    modulo: |a, b| format!("({a} mod {b})"),
    same: |a, b| format!("({a} == {b})"),
    zero: true,
    at_most: "<=",
    at_least: ">=",
};

const ISL: Notation = Notation {
    times: "*",
    floor: |a, b| format!("floor({a}/{b})"),
    modulo: |a, b| format!("({a} mod {b})"),
    zero: false,
    ..MLIR
};

const LATEX: Notation = Notation {
    times: " ",
    floor: |a, b| format!("\\left\\lfloor \\frac{{{a}}}{{{b}}} \\right\\rfloor"),
    modulo: |a, b| format!("({a} \\bmod {b})"),
    same: |a, b| format!("[{a} = {b}]"),
    zero: false,
    at_most: "\\le",
    at_least: "\\ge",
};

const TINYGRAD: Notation =
    Notation { floor: |a, b| format!("({a}//{b})"), modulo: |a, b| format!("({a}%{b})"), ..ISL };

impl Notation {
    fn of(language: Language) -> Notation {
        match language {
            Language::Mlir => MLIR,
            Language::Isl => ISL,
            Language::Latex => LATEX,
            _ => TINYGRAD,
        }
    }

    /// The text of an expression; `above` is 0 in a sum, 1 after a minus, 2 in a product.
    fn text(&self, expr: &Expr, above: u8) -> String {
        let bracketed = |text: String, own: u8| {
            if above > own { format!("({text})") } else { text }
        };
        let side = |expr: &Expr| {
            // A fraction has room of its own.
            self.text(expr, if self.times == " " { 0 } else { 3 })
        };
        match expr {
            Expr::Number(value) if *value < 0 && above > 0 => format!("({value})"),
            Expr::Number(value) => value.to_string(),
            Expr::Name(name) => name.clone(),
            Expr::Product(minus, right) if **minus == Expr::Number(-1) => {
                bracketed(format!("-{}", self.text(right, 2)), 0)
            }
            Expr::Sum(a, b) => bracketed(format!("{} + {}", self.text(a, 0), self.text(b, 0)), 0),
            Expr::Difference(a, b) => {
                bracketed(format!("{} - {}", self.text(a, 0), self.text(b, 1)), 0)
            }
            Expr::Product(a, b) => {
                bracketed(format!("{}{}{}", self.text(a, 2), self.times, self.text(b, 2)), 2)
            }
            Expr::FloorDiv(a, b) => (self.floor)(&side(a), &side(b)),
            Expr::Exact(a, b) => (self.floor)(&side(a), &side(b)),
            Expr::Mod(a, b) => (self.modulo)(&self.text(a, 3), &self.text(b, 3)),
            Expr::Same(a, b) => (self.same)(&self.text(a, 0), &self.text(b, 0)),
        }
    }
}

fn refused(language: Language, why: &'static str) -> Error {
    viewmerge::Error::NoRendering { language: language.name(), why }.into()
}

/// Whether a sum has numbers only for coefficients, and a constant without products.
fn is_affine(linear: &Linear) -> bool {
    let numbers = linear.axes.iter().chain(&linear.floors).all(|p| p.as_number().is_some());
    numbers && linear.constant.degree() <= 1
}

impl SymbolicForm {
    /// Whether isl can say it: no products of what is not known, divisions by numbers.
    fn is_presburger(&self) -> bool {
        let quotients = self.used().into_iter().all(|v| {
            use crate::names::Def;
            match &self.defs[usize::from(v)] {
                Def::Quotient(a, b) | Def::Remainder(a, b) => {
                    a.degree() <= 1 && b.as_number().is_some()
                }
                _ => false,
            }
        });
        let affine = |floor: &crate::form::Floor| {
            is_affine(&floor.operand) && floor.divisor.as_number().is_some()
        };
        quotients
            && self.floors.iter().all(affine)
            && self.conditions.iter().all(is_affine)
            && is_affine(&self.position)
            && self.shape.iter().all(|size| size.degree() <= 1)
    }
}

/// Guard and position.
pub(crate) fn snippet(
    form: &SymbolicForm,
    language: Language,
    called: &Called,
) -> Result<Snippet, Error> {
    let notation = Notation::of(language);
    match language {
        Language::Isl if !form.is_presburger() => {
            return Err(refused(language, "it has no products of unknown numbers"));
        }
        Language::Tinygrad if !form.floors.is_empty() || !form.conditions.is_empty() => {
            return Err(refused(language, "it prints single views, and this chain is not one"));
        }
        Language::Mlir => {
            let same = |&v: &Var| matches!(form.defs[usize::from(v)], crate::names::Def::Same(..));
            if form.used().iter().any(same) {
                return Err(refused(language, "it has no comparisons as numbers"));
            }
        }
        _ => {}
    }
    let meaning = |v: Var| match variable(&form.defs, v) {
        Expr::Name(_) => called.param(v),
        other => other,
    };
    let axes: Vec<Expr> = called.axes.iter().cloned().map(Expr::Name).collect();
    let mut floors: Vec<Expr> = Vec::new();
    for floor in &form.floors {
        let operand = Sum::new(&floor.operand, &axes, &floors, &meaning).expr();
        floors.push(operand.floor_div(expr_with(&meaning, &floor.divisor)));
    }
    let sum = |linear| Sum::new(linear, &axes, &floors, &meaning);
    let position = match language {
        Language::Tinygrad => tinygrad(form, &axes, &meaning, &notation),
        _ => notation.text(&sum(&form.position).expr(), 0),
    };
    let guards: Vec<String> = form
        .conditions
        .iter()
        .map(|condition| {
            if notation.zero {
                return format!("{} >= 0", notation.text(&sum(condition).expr(), 0));
            }
            let Comparison { left, sign, right } = sum(condition).comparison();
            let sign = match sign {
                "<=" => notation.at_most,
                ">=" => notation.at_least,
                sign => sign,
            };
            format!("{} {sign} {}", notation.text(&left, 0), notation.text(&right, 0))
        })
        .collect();
    Ok(Snippet::new(language, Vec::new(), Some(guards), position, BITS))
}

/// `((idx0*N)+idx1)`.
fn tinygrad(
    form: &SymbolicForm,
    axes: &[Expr],
    meaning: &impl Fn(Var) -> Expr,
    notation: &Notation,
) -> String {
    let text = |p: &Poly| notation.text(&expr_with(meaning, p), 2);
    let mut terms: Vec<String> = Vec::new();
    for (p, name) in form.position.axes.iter().zip(axes).filter(|(p, _)| !p.is_zero()) {
        terms.push(match p.as_number() {
            Some(1) => name.to_string(),
            _ => format!("({name}*{})", text(p)),
        });
    }
    if !form.position.constant.is_zero() || terms.is_empty() {
        terms.push(text(&form.position.constant));
    }
    let joined = terms.join("+");
    if terms.len() > 1 { format!("({joined})") } else { joined }
}

/// The sizes of the axes, as isl says them.
pub(crate) fn bounds(form: &SymbolicForm, called: &Called) -> Vec<String> {
    let size = |p: &Poly| ISL.text(&expr_with(&|v| variable(&form.defs, v), p), 0);
    let sides = form.shape.iter().zip(&called.axes);
    sides.map(|(p, name)| format!("0 <= {name} < {}", size(p))).collect()
}
