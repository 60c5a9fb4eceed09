//! Trees of expressions in any language.
//!
//! Running example: `(i - 3) // 7 * 2` for i from 0 to 31, in C: `2*((i + 4) / 7) - 2`. C rounds
//! towards 0, so what is divided is made non-negative first: ⌊a/m⌋ = ⌊(a + k·m)/m⌋ − k.
//!
//! Sums and quotients are here, choices in `choices.rs`, conditions in `conditions.rs`, and how many bits
//! it takes in `bits.rs`. Choices are what a language has for them, and refused where it has nothing. Every
//! operation gets brackets unless it is a sum, a product or a comparison that needs none.

mod bits;
mod choices;
mod conditions;

use alloc::format;
use alloc::string::{String, ToString};

use super::Language;
use crate::error::Error;
use crate::expression::lower::interval;
use crate::expression::print::{self, Binds, within};
use crate::expression::tree::{Expr, Part};
pub(super) use bits::bits;

type Text = Result<(String, Binds), Error>;

/// Writes trees in a language.
pub(super) struct Writer<'a> {
    pub language: Language,
    pub names: &'a [String],
    pub ranges: &'a [(i64, i64)],
    /// The type of integers.
    pub integer: &'static str,
    pub small: bool,
    pub shifts: bool,
}

impl Writer<'_> {
    /// A value, which stands by itself.
    pub(super) fn value(&self, value: &Expr) -> Result<String, Error> {
        match self.language {
            Language::Python if !self.shifts => Ok(print::text(value, self.names)),
            _ => Ok(self.written(value)?.0),
        }
    }

    /// A condition, which stands by itself.
    pub(super) fn condition(&self, condition: &Expr) -> Result<String, Error> {
        match self.language {
            Language::Python if !self.shifts => Ok(print::text(condition, self.names)),
            _ => Ok(self.holds(condition)?.0),
        }
    }

    fn refused(&self, why: &'static str) -> Error {
        Error::NoRendering { language: self.language.name(), why }
    }

    fn times(&self) -> &'static str {
        match self.language {
            Language::Mlir => " * ",
            Language::Latex => " ",
            _ => "*",
        }
    }

    fn inner(&self, value: &Expr, least: Binds) -> Result<String, Error> {
        let least = if self.language == Language::Tinygrad { Binds::Atom } else { least };
        Ok(within(self.written(value)?, least))
    }

    fn written(&self, value: &Expr) -> Text {
        match value {
            Expr::Number(number) if *number < 0 => Ok((number.to_string(), Binds::Sum)),
            Expr::Number(number) => Ok((number.to_string(), Binds::Atom)),
            Expr::Variable(variable) => {
                Ok((self.names.get(*variable).cloned().unwrap_or_default(), Binds::Atom))
            }
            Expr::Sum(all) => self.sum(all),
            Expr::Negate(_) | Expr::Multiply(..) => match self.signed(value)? {
                (true, rest) => Ok((format!("-{rest}"), Binds::Sum)),
                (false, rest) => Ok((rest, Binds::Product)),
            },
            Expr::Divide(ab, _, part, _) => {
                let [a, Expr::Number(by)] = &**ab else {
                    return Err(Error::NotLinear { what: "a divisor that varies" });
                };
                self.divide(a, *by, *part)
            }
            Expr::Least(all) => self.extreme(all, true),
            Expr::Greatest(all) => self.extreme(all, false),
            Expr::Where(parts) => self.choose(&parts[0], &parts[1], &parts[2]),
            condition => self.holds(condition),
        }
    }

    fn sum(&self, all: &[Expr]) -> Text {
        let mut text = String::new();
        for one in all {
            let (negative, rest) = self.signed(one)?;
            text.push_str(print::sign(text.is_empty(), negative));
            text.push_str(&rest);
        }
        Ok((text, Binds::Sum))
    }

    /// Whether a term is to be subtracted, and what.
    fn signed(&self, term: &Expr) -> Result<(bool, String), Error> {
        Ok(match term {
            Expr::Number(number) if *number < 0 => (true, number.unsigned_abs().to_string()),
            Expr::Negate(a) => (true, self.inner(a, Binds::Atom)?),
            Expr::Multiply(ab, _) => match term.scaled() {
                Some((other, by)) => {
                    let text = self.inner(other, Binds::Atom)?;
                    (by < 0, format!("{}{}{text}", by.unsigned_abs(), self.times()))
                }
                None => {
                    let [a, b] = &**ab;
                    let (a, b) = (self.inner(a, Binds::Atom)?, self.inner(b, Binds::Atom)?);
                    (false, format!("{a}{}{b}", self.times()))
                }
            },
            other => (false, self.inner(other, Binds::Product)?),
        })
    }

    /// Whether a quotient is rounded down, and a rest never negative.
    fn rounds_down(&self) -> bool {
        matches!(
            self.language,
            Language::Python
                | Language::Mlir
                | Language::Isl
                | Language::Latex
                | Language::Tinygrad
        )
    }

    fn divide(&self, a: &Expr, by: i64, part: Part) -> Text {
        let (low, _) = interval(a, self.ranges);
        if !self.rounds_down() && low < 0 {
            // Moved up by whole divisors.
            let cells = (-low).div_euclid(by.into()) + i128::from((-low) % i128::from(by) != 0);
            let cells =
                i64::try_from(cells).map_err(|_| self.refused("its numbers are too large"))?;
            let up =
                by.checked_mul(cells).ok_or_else(|| self.refused("its numbers are too large"))?;
            let mut terms = match a {
                Expr::Sum(all) => all.clone(),
                other => alloc::vec![other.clone()],
            };
            match terms.last_mut() {
                Some(Expr::Number(last)) => match last.checked_add(up) {
                    Some(0) => drop(terms.pop()),
                    Some(sum) => *last = sum,
                    None => return Err(self.refused("its numbers are too large")),
                },
                _ => terms.push(Expr::Number(up)),
            }
            let moved = if terms.len() == 1 { terms.remove(0) } else { Expr::Sum(terms) };
            let divided = self.plain_divide(&moved, by, part)?;
            return Ok(match part {
                Part::Remainder => divided,
                Part::Quotient => {
                    (format!("{} - {cells}", within(divided, Binds::Sum)), Binds::Sum)
                }
            });
        }
        self.plain_divide(a, by, part)
    }

    fn plain_divide(&self, a: &Expr, by: i64, part: Part) -> Text {
        match self.language {
            Language::Isl => {
                let a = self.written(a)?.0;
                return Ok(match part {
                    Part::Quotient => (format!("floor(({a})/{by})"), Binds::Atom),
                    Part::Remainder => (format!("(({a}) mod {by})"), Binds::Atom),
                });
            }
            Language::Latex => {
                return Ok(match part {
                    Part::Quotient => {
                        let a = self.written(a)?.0;
                        let text = format!("\\left\\lfloor \\frac{{{a}}}{{{by}}} \\right\\rfloor");
                        (text, Binds::Atom)
                    }
                    Part::Remainder => {
                        (format!("{} \\bmod {by}", self.inner(a, Binds::Atom)?), Binds::Product)
                    }
                });
            }
            _ => {}
        }
        let a = self.inner(a, Binds::Atom)?;
        if self.shifts && self.language.has_functions() && by.count_ones() == 1 {
            let unsigned = if self.language == Language::Wgsl { "u" } else { "" };
            return Ok(match part {
                Part::Quotient => {
                    (format!("{a} >> {}{unsigned}", by.trailing_zeros()), Binds::Choice)
                }
                Part::Remainder => (format!("{a} & {}", by - 1), Binds::Choice),
            });
        }
        let sign = match (self.language, part) {
            (Language::Mlir, Part::Quotient) => "floordiv",
            (Language::Mlir, Part::Remainder) => "mod",
            (_, Part::Remainder) => "%",
            (Language::Python | Language::Triton | Language::Tinygrad, Part::Quotient) => "//",
            (_, Part::Quotient) => "/",
        };
        Ok((format!("{a} {sign} {by}"), Binds::Product))
    }
}
