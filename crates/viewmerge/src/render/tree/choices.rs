//! `min`, `max` and choices, as each language has them.
//!
//! Running example: `min(i, 3)` is `(i < 3 ? i : 3)` in C and `i32::min(i, 3)` in Rust.

use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::{Language, Text, Writer, within};
use crate::error::Error;
use crate::expression::lower::interval;
use crate::expression::print::Binds;
use crate::expression::tree::{Expr, Relation};

impl Writer<'_> {
    /// A part of a choice: a number by itself gets the type of the others.
    fn part(&self, value: &Expr, least: Binds) -> Result<String, Error> {
        if let (Expr::Number(number), false) = (value, self.small) {
            let integer = self.integer;
            match self.language {
                Language::C | Language::Cuda | Language::OpenCl | Language::Metal => {
                    return Ok(format!("({integer}){number}"));
                }
                Language::Hlsl => return Ok(format!("{integer}({number})")),
                _ => {}
            }
        }
        self.inner(value, least)
    }

    pub(super) fn extreme(&self, all: &[Expr], least: bool) -> Text {
        let word = if least { "min" } else { "max" };
        let mut parts: Vec<String> = Vec::with_capacity(all.len());
        for one in all {
            let least = match self.language {
                // Compared first.
                Language::C
                | Language::Cuda
                | Language::OpenCl
                | Language::Metal
                | Language::Hlsl => Binds::Sum,
                _ => Binds::Choice,
            };
            parts.push(self.part(one, least)?);
        }
        let listed = parts.join(", ");
        let pairs = |call: &dyn Fn(&str, &str) -> String| {
            parts.iter().skip(1).fold(parts[0].clone(), |so_far, next| call(&so_far, next))
        };
        if parts.is_empty() {
            return Err(self.refused("it is the least of nothing"));
        }
        let text = match self.language {
            Language::Mlir => {
                return Err(self.refused("an affine_map has no min, max or choices"));
            }
            Language::Isl | Language::Python => format!("{word}({listed})"),
            Language::Latex => format!("\\{word}({listed})"),
            Language::Rust => pairs(&|a, b| format!("{}::{word}({a}, {b})", self.integer)),
            Language::Wgsl | Language::Tinygrad => pairs(&|a, b| format!("{word}({a}, {b})")),
            Language::Triton => pairs(&|a, b| format!("tl.{word}imum({a}, {b})")),
            _ => {
                let sign = if least { "<" } else { ">" };
                pairs(&|a, b| format!("({a} {sign} {b} ? {a} : {b})"))
            }
        };
        Ok((text, Binds::Atom))
    }

    pub(super) fn choose(&self, when: &Expr, a: &Expr, b: &Expr) -> Text {
        let plain = self.holds(when)?;
        let (yes, no) = (self.part(a, Binds::Or)?, self.part(b, Binds::Or)?);
        Ok(match self.language {
            Language::Mlir | Language::Isl => return self.one_or_zero(when, a, b),
            Language::Latex if matches!((a, b), (Expr::Number(1), Expr::Number(0))) => {
                (format!("[{}]", plain.0), Binds::Atom)
            }
            Language::Latex => (
                format!(
                    "\\begin{{cases}} {yes} & \\text{{if }} {} \\\\ {no} & \\text{{otherwise}} \\end{{cases}}",
                    plain.0
                ),
                Binds::Choice,
            ),
            Language::Wgsl => (format!("select({no}, {yes}, {})", plain.0), Binds::Atom),
            Language::Rust => {
                (format!("(if {} {{ {yes} }} else {{ {no} }})", plain.0), Binds::Atom)
            }
            Language::Triton => (format!("tl.where({}, {yes}, {no})", plain.0), Binds::Atom),
            Language::Python | Language::Tinygrad => {
                (format!("({yes} if {} else {no})", plain.0), Binds::Atom)
            }
            _ => (format!("({} ? {yes} : {no})", within(plain, Binds::Or)), Binds::Atom),
        })
    }

    /// 1 where a difference d is above 0, and 0 elsewhere: min(1, max(0, d)), or ⌊(d − 1)/m⌋ + 1 for an m
    /// that d does not reach.
    fn one_or_zero(&self, when: &Expr, a: &Expr, b: &Expr) -> Text {
        let refused = || match self.language {
            Language::Isl => self.refused("isl's maps have min and max, but no other choices"),
            _ => self.refused("an affine_map has no min, max or choices"),
        };
        let (Expr::Compare(sides, relation), Expr::Number(1), Expr::Number(0)) = (when, a, b)
        else {
            return Err(refused());
        };
        let [one, other] = &**sides;
        let (more, less, shift) = match relation {
            Relation::AtLeast => (one, other, 1),
            Relation::Greater => (one, other, 0),
            Relation::AtMost => (other, one, 1),
            Relation::Less => (other, one, 0),
            _ => return Err(refused()),
        };
        let mut terms = alloc::vec![more.clone(), Expr::Negate(Box::new(less.clone()))];
        if let Expr::Number(number) = less {
            let constant = number.checked_neg().and_then(|n| n.checked_add(shift));
            terms[1] = Expr::Number(constant.ok_or_else(refused)?);
        } else if shift != 0 {
            terms.push(Expr::Number(shift));
        }
        if self.language == Language::Isl {
            return Ok((format!("min(1, max(0, {}))", self.sum(&terms)?.0), Binds::Atom));
        }
        let (low, high) = interval(&Expr::Sum(terms.clone()), self.ranges);
        let by = i64::try_from(high.max(1 - low).max(1)).map_err(|_| refused())?;
        match terms.last_mut() {
            Some(Expr::Number(last)) => *last = last.checked_sub(1).ok_or_else(refused)?,
            _ => terms.push(Expr::Number(-1)),
        }
        if terms.last() == Some(&Expr::Number(0)) {
            terms.pop();
        }
        Ok((format!("({}) floordiv {by} + 1", self.sum(&terms)?.0), Binds::Sum))
    }
}
