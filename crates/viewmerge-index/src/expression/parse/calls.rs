//! Operands: numbers, names, brackets, signs, functions and methods.
//!
//! Running example: `ModularIndexing(i, 3, 5)` is `i // 3 % 5`, and `(i < 3).where(i, 0)` a choice.

use alloc::boxed::Box;
use alloc::vec::Vec;

use super::terms::{Term, choose, compare, not, times};
use super::tokens::{Token, syntax};
use super::{NOT, Reader, SIGN, TERNARY};
use crate::expression::tree::{Expr, Part, Place, Relation, Rounding, division};
use viewmerge::Error;

impl Reader {
    /// Whether what follows is a name that a number before it multiplies.
    fn is_factor(&self) -> bool {
        let is_name = matches!(self.peek(), Token::Name(_));
        is_name && !self.is("else") && self.operator().is_none()
    }

    pub(super) fn prefix(&mut self) -> Result<Term, Error> {
        let at = self.at();
        let term = match self.advance() {
            Token::Number(number) if self.products && self.is_factor() => {
                let (value, den) = self.prefix()?.ratio();
                Term { expr: times(value, number, Place(at)), den, at }
            }
            Token::Number(number) => Expr::Number(number).into(),
            Token::Sign("-") => {
                // −2^63 is refused as 2^63 is: it is read before its sign.
                let (value, den) = self.binding(SIGN)?.ratio();
                let expr = match value {
                    Expr::Number(number) => Expr::Number(-number),
                    value => Expr::Negate(Box::new(value)),
                };
                Term { expr, den, at }
            }
            Token::Sign("+") => self.binding(SIGN)?,
            Token::Sign("!" | "~") => self.negation(SIGN)?,
            Token::Sign("(") => {
                let inside = self.binding(TERNARY)?;
                self.expect(")", "`)` or an operator")?;
                inside
            }
            Token::Name(name) => match name.as_str() {
                "not" => self.negation(NOT)?,
                "True" | "true" => Expr::Always(true).into(),
                "False" | "false" => Expr::Always(false).into(),
                "tl" | "np" | "torch" | "sympy" | "math" if self.is(".") => {
                    self.advance();
                    return self.prefix();
                }
                _ if self.is("(") => {
                    self.advance();
                    let arguments = self.arguments()?;
                    self.call(&name, arguments, at)?
                }
                _ => Expr::Variable(self.variable(name, at)?).into(),
            },
            _ => {
                self.next = self.next.saturating_sub(usize::from(self.at() != at));
                return Err(self.unexpected("a number, a name, `(` or `-`"));
            }
        };
        self.methods(term, at)
    }

    fn negation(&mut self, binds: usize) -> Result<Term, Error> {
        Ok(not(self.binding(binds)?.condition()?).into())
    }

    /// `condition.where(a, b)`, `a.maximum(b)` …, as tinygrad writes them.
    fn methods(&mut self, mut term: Term, at: usize) -> Result<Term, Error> {
        while self.take(".") {
            let place = self.at();
            let Token::Name(name) = self.advance() else {
                return Err(syntax(place, "where, maximum, minimum or cast", "no name"));
            };
            self.expect("(", "`(` and arguments")?;
            let mut arguments = self.arguments()?;
            arguments.insert(0, term.moved(at));
            term = self.call(&name, arguments, place)?;
        }
        Ok(term)
    }

    /// The arguments of a function, whose bracket is open.
    fn arguments(&mut self) -> Result<Vec<Term>, Error> {
        if self.take(")") {
            return Ok(Vec::new());
        }
        self.list(")", "`,` and another argument, or `)`", Reader::term)
    }

    fn call(&mut self, name: &str, arguments: Vec<Term>, at: usize) -> Result<Term, Error> {
        let place = Place(at);
        let count = arguments.len();
        let wrong = |expected| syntax(at, expected, format!("{name}(…) with {count}"));
        let mut terms = arguments.into_iter();
        let mut next = || terms.next().ok_or_else(|| wrong("more arguments"));
        if let (Some((rounding, part)), 2) = (division(name), count) {
            let (a, b) = (next()?.value()?, next()?.value()?);
            return Ok(Expr::divide(a, b, rounding, part, place).into());
        }
        if let (Some(relation), 2) = (Relation::read(name), count) {
            return Ok(compare(next()?, relation, next()?, at)?.into());
        }
        match (name, count) {
            ("ModularIndexing", 3) => {
                let (a, b, c) = (next()?.value()?, next()?.value()?, next()?.value()?);
                let inner = Expr::divide(a, b, Rounding::Down, Part::Quotient, place);
                Ok(Expr::divide(inner, c, Rounding::Down, Part::Remainder, place).into())
            }
            ("floor" | "ceil" | "ceiling", 1) => {
                let (value, by) = next()?.ratio();
                if by == 1 {
                    return Ok(value.into());
                }
                let rounding = if name == "floor" { Rounding::Down } else { Rounding::Up };
                let by = Expr::Number(by);
                Ok(Expr::divide(value, by, rounding, Part::Quotient, place).into())
            }
            ("min" | "Min" | "minimum" | "max" | "Max" | "maximum", 1..) => {
                let all = (0..count).map(|_| next()?.value()).collect::<Result<_, _>>()?;
                Ok(Expr::Extreme(all, name[1..].starts_with("in")).into())
            }
            ("abs" | "Abs", 1) => {
                let a = next()?.value()?;
                let opposite = Expr::Negate(Box::new(a.clone()));
                Ok(Expr::Extreme(vec![a, opposite], false).into())
            }
            ("where" | "select" | "Where", 3) => choose(next()?.condition()?, next()?, next()?, at),
            ("int" | "i32" | "i64" | "int32_t" | "int64_t" | "Identity" | "long", 1) => {
                Ok(next()?.value()?.into())
            }
            ("bool", 1) => Ok(next()?.condition()?.into()),
            ("And" | "Or", 1..) => {
                let found = (0..count).map(|_| next()?.condition()).collect::<Result<_, _>>()?;
                Ok(Expr::Join(found, name == "And").into())
            }
            ("Not", 1) => Ok(not(next()?.condition()?).into()),
            (
                "FloorDiv" | "Mod" | "mod" | "ModularIndexing" | "CeilDiv" | "floor" | "ceil"
                | "min" | "max" | "where" | "int" | "abs",
                _,
            ) => Err(wrong("another number of arguments")),
            _ => Err(syntax(
                at,
                "an operator, or a function: FloorDiv, Mod, ModularIndexing, floor, min, max, where …",
                format!("{name:?}"),
            )),
        }
    }
}
