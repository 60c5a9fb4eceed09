//! What an operand begins with: numbers, names, brackets, signs, functions and methods.
//!
//! Running example: `ModularIndexing(i, 3, 5)` is `i // 3 % 5`, and `(i < 3).where(i, 0)` a choice.

use alloc::boxed::Box;
use alloc::format;
use alloc::vec;
use alloc::vec::Vec;

use super::terms::{
    Term, as_condition, as_ratio, choose, compare, divide, not, number, times, whole_number,
};
use super::tokens::{Token, syntax};
use super::{NOT, Reader, SIGN, TERNARY};
use crate::error::Error;
use crate::expression::tree::{Condition, Part, Place, Rounding, Value};

impl Reader<'_> {
    /// Whether what follows is a name that a number before it multiplies.
    fn is_factor(&self) -> bool {
        const WORDS: [&str; 7] = ["and", "or", "mod", "if", "else", "floordiv", "ceildiv"];
        matches!(self.peek(), Token::Name(name) if !WORDS.contains(&name.as_str()))
    }

    pub(super) fn prefix(&mut self) -> Result<Term, Error> {
        let at = self.at();
        let term = match self.advance() {
            Token::Number(number) if self.products && self.is_factor() => {
                let (value, den) = as_ratio(self.prefix()?);
                Term::Number(times(value, number, Place(at)), den)
            }
            Token::Number(number) => whole_number(Value::Number(number)),
            Token::Sign("-") => {
                // −2^63 has no positive number to be the opposite of; it is refused as 2^63 is.
                let (value, den) = as_ratio(self.binding(SIGN)?);
                Term::Number(
                    match value {
                        Value::Number(number) => Value::Number(-number),
                        value => Value::Negate(Box::new(value)),
                    },
                    den,
                )
            }
            Token::Sign("+") => self.binding(SIGN)?,
            Token::Sign("!" | "~") => {
                let from = self.at();
                let term = self.binding(SIGN)?;
                Term::Holds(not(as_condition(term, from)?))
            }
            Token::Sign("(") => {
                let inside = self.binding(TERNARY)?;
                self.expect(")", "`)` or an operator")?;
                inside
            }
            Token::Name(name) => match name.as_str() {
                "not" => {
                    let from = self.at();
                    let term = self.binding(NOT)?;
                    Term::Holds(not(as_condition(term, from)?))
                }
                "True" | "true" => Term::Holds(Condition::Always(true)),
                "False" | "false" => Term::Holds(Condition::Always(false)),
                "tl" | "np" | "torch" | "sympy" | "math" if self.is(".") => {
                    self.advance();
                    return self.prefix();
                }
                _ if self.is("(") => {
                    self.advance();
                    let arguments = self.arguments()?;
                    self.call(&name, arguments, at)?
                }
                _ => whole_number(Value::Variable(self.variable(name, at)?)),
            },
            _ => {
                self.next = self.next.saturating_sub(usize::from(self.at() != at));
                return Err(self.unexpected("a number, a name, `(` or `-`"));
            }
        };
        self.methods(term, at)
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
            arguments.insert(0, (term, at));
            term = self.call(&name, arguments, place)?;
        }
        Ok(term)
    }

    /// The arguments of a function, whose bracket is open.
    fn arguments(&mut self) -> Result<Vec<(Term, usize)>, Error> {
        let mut arguments = Vec::new();
        if self.take(")") {
            return Ok(arguments);
        }
        loop {
            let at = self.at();
            arguments.push((self.binding(TERNARY)?, at));
            if self.take(")") {
                return Ok(arguments);
            }
            self.expect(",", "`,` and another argument, or `)`")?;
        }
    }

    fn call(
        &mut self,
        name: &str,
        arguments: Vec<(Term, usize)>,
        at: usize,
    ) -> Result<Term, Error> {
        let place = Place(at);
        let count = arguments.len();
        let wrong = |expected| syntax(at, expected, format!("{name}(…) with {count}"));
        let mut values = arguments.into_iter();
        let mut next = || values.next().ok_or_else(|| wrong("more arguments"));
        match (name, count) {
            ("FloorDiv" | "floordiv" | "floor_div" | "floord" | "CleanDiv" | "idiv", 2) => {
                let (a, b) = (number(next()?)?, number(next()?)?);
                Ok(divide(a, b, Rounding::Down, Part::Quotient, place))
            }
            ("Mod" | "mod" | "PythonMod" | "floormod" | "remainder", 2) => {
                let (a, b) = (number(next()?)?, number(next()?)?);
                Ok(divide(a, b, Rounding::Down, Part::Rest, place))
            }
            ("ModularIndexing", 3) => {
                let (a, b, c) = (number(next()?)?, number(next()?)?, number(next()?)?);
                let (inner, _) = as_ratio(divide(a, b, Rounding::Down, Part::Quotient, place));
                Ok(divide(inner, c, Rounding::Down, Part::Rest, place))
            }
            ("CeilDiv" | "ceildiv" | "cdiv" | "ceild", 2) => {
                let (a, b) = (number(next()?)?, number(next()?)?);
                Ok(divide(a, b, Rounding::Up, Part::Quotient, place))
            }
            ("truncdiv" | "TruncDiv" | "trunc_div" | "cdivtrunc", 2) => {
                let (a, b) = (number(next()?)?, number(next()?)?);
                Ok(divide(a, b, Rounding::TowardsZero, Part::Quotient, place))
            }
            ("truncmod" | "trunc_mod" | "fmod" | "rem", 2) => {
                let (a, b) = (number(next()?)?, number(next()?)?);
                Ok(divide(a, b, Rounding::TowardsZero, Part::Rest, place))
            }
            ("div_euclid", 2) => {
                let (a, b) = (number(next()?)?, number(next()?)?);
                Ok(divide(a, b, Rounding::Euclid, Part::Quotient, place))
            }
            ("rem_euclid", 2) => {
                let (a, b) = (number(next()?)?, number(next()?)?);
                Ok(divide(a, b, Rounding::Euclid, Part::Rest, place))
            }
            ("floor" | "ceil" | "ceiling", 1) => {
                let (value, by) = as_ratio(next()?.0);
                if by == 1 {
                    return Ok(whole_number(value));
                }
                let rounding = if name == "floor" { Rounding::Down } else { Rounding::Up };
                Ok(divide(value, Value::Number(by), rounding, Part::Quotient, place))
            }
            ("min" | "Min" | "minimum" | "max" | "Max" | "maximum", 1..) => {
                let mut all = Vec::with_capacity(count);
                for _ in 0..count {
                    all.push(number(next()?)?);
                }
                let least = name.starts_with(['m', 'M']) && name[1..].starts_with("in");
                Ok(whole_number(if least { Value::Least(all) } else { Value::Greatest(all) }))
            }
            ("abs" | "Abs", 1) => {
                let a = number(next()?)?;
                let opposite = Value::Negate(Box::new(a.clone()));
                Ok(whole_number(Value::Greatest(vec![a, opposite])))
            }
            ("where" | "select" | "Where", 3) => {
                let (condition, from) = next()?;
                let condition = as_condition(condition, from)?;
                choose(condition, next()?.0, next()?.0, at)
            }
            ("int" | "i32" | "i64" | "int32_t" | "int64_t" | "Identity" | "long", 1) => {
                Ok(whole_number(number(next()?)?))
            }
            ("bool", 1) => {
                let (term, from) = next()?;
                Ok(Term::Holds(as_condition(term, from)?))
            }
            ("And" | "Or", 1..) => {
                let mut found = Vec::with_capacity(count);
                for _ in 0..count {
                    let (term, from) = next()?;
                    found.push(as_condition(term, from)?);
                }
                Ok(Term::Holds(if name == "And" {
                    Condition::All(found)
                } else {
                    Condition::Any(found)
                }))
            }
            ("Not", 1) => {
                let (term, from) = next()?;
                Ok(Term::Holds(not(as_condition(term, from)?)))
            }
            ("Eq" | "Ne" | "Lt" | "Le" | "Gt" | "Ge", 2) => {
                let sign = match name {
                    "Eq" => "==",
                    "Ne" => "!=",
                    "Lt" => "<",
                    "Le" => "<=",
                    "Gt" => ">",
                    _ => ">=",
                };
                let (left, right) = (next()?, next()?);
                Ok(Term::Holds(compare(left.0, sign, right.0, at, right.1)?))
            }
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
