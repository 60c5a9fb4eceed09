//! Expressions read from text.
//!
//! One grammar reads what Python, C, tinygrad, sympy and MLIR write: their signs do not
//! contradict each other, but for `/` and `%`, which [`Dialect`] settles. Maps of MLIR and
//! isl have a frame around the expression ([`super::frame`]).
//!
//! Running example: `FloorDiv(i, 3) + ModularIndexing(i, 3, 5)` is `i // 3 + (i // 3) % 5`.
//!
//! Cost: linear in the text. What is nested more than 120 deep, or longer than a text may
//! be, is refused.

use alloc::boxed::Box;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;

use super::Dialect;
use super::tree::{Condition, Part, Place, Relation, Rounding, Value};
use crate::error::Error;

/// How deep brackets and operators may be nested.
const DEEPEST: usize = 120;

/// A number or a condition; a number may still wait for its quotient to be rounded.
#[derive(Debug, Clone)]
pub(super) enum Term {
    /// value / divisor; the divisor is above 0.
    Number(Value, i64),
    Holds(Condition),
}

/// A piece of text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Token {
    Number(i64),
    Name(String),
    Sign(&'static str),
    End,
}

/// Signs, longer ones first.
const SIGNS: [&str; 35] = [
    "//", "<=", ">=", "==", "!=", "&&", "||", "<<", ">>", "->", "**", "+", "-", "*", "/", "%", "<",
    ">", "=", "!", "&", "|", "^", "~", "(", ")", "[", "]", "{", "}", ",", ":", "?", ".", ";",
];

/// A text in pieces, and where each starts.
pub(super) struct Reader<'a> {
    tokens: Vec<(Token, usize)>,
    next: usize,
    depth: usize,
    pub names: &'a mut Vec<String>,
    pub dialect: Dialect,
    /// A number before a name multiplies it.
    products: bool,
    /// Names may not be added.
    pub closed: bool,
}

fn syntax(at: usize, expected: &'static str, found: impl Into<String>) -> Error {
    Error::Syntax { at, expected, found: found.into() }
}

/// The pieces of a text; with `products` a name may follow a number, as isl writes `4i`.
fn tokens(text: &str, products: bool) -> Result<Vec<(Token, usize)>, Error> {
    let letters: Vec<char> = text.chars().collect();
    let mut tokens = Vec::new();
    let mut at = 0;
    while at < letters.len() {
        let letter = letters[at];
        if letter.is_whitespace() {
            at += 1;
        } else if letter.is_ascii_digit() {
            let start = at;
            let (radix, skip) = match letters.get(at + 1) {
                Some('x' | 'X') if letter == '0' => (16, 2),
                _ => (10, 0),
            };
            at += skip;
            let mut number = 0i64;
            let mut digits = 0;
            while let Some(&letter) = letters.get(at) {
                if letter != '_' {
                    let Some(digit) = letter.to_digit(radix) else { break };
                    let grown = number.checked_mul(radix.into());
                    let grown = grown.and_then(|n| n.checked_add(digit.into()));
                    number = grown
                        .ok_or_else(|| syntax(start, "a number below 2^63", "a larger one"))?;
                    digits += 1;
                }
                at += 1;
            }
            // C's suffixes.
            while digits > 0 && matches!(letters.get(at), Some('u' | 'U' | 'l' | 'L')) {
                at += 1;
            }
            let runs_on = letters.get(at).is_some_and(|l| l.is_alphanumeric());
            if digits == 0 || runs_on && !products {
                let rest: String = letters[start..].iter().take(12).collect();
                return Err(syntax(start, "an integer", format!("{rest:?}")));
            }
            tokens.push((Token::Number(number), start));
        } else if letter.is_alphabetic() || letter == '_' || letter == '$' {
            let start = at;
            while letters.get(at).is_some_and(|l| l.is_alphanumeric() || matches!(l, '_' | '$')) {
                at += 1;
            }
            tokens.push((Token::Name(letters[start..at].iter().collect()), start));
        } else {
            let fits = |sign: &&&str| {
                sign.chars().enumerate().all(|(k, l)| letters.get(at + k) == Some(&l))
            };
            let Some(sign) = SIGNS.iter().find(fits) else {
                return Err(syntax(at, "an expression", format!("{letter:?}")));
            };
            tokens.push((Token::Sign(sign), at));
            at += sign.len();
        }
    }
    tokens.push((Token::End, letters.len()));
    Ok(tokens)
}

/// How tightly an operator binds.
const TERNARY: u8 = 1;
const OR: u8 = 2;
const AND: u8 = 3;
const NOT: u8 = 4;
const COMPARE: u8 = 5;
const BITS_OR: u8 = 6;
const BITS_XOR: u8 = 7;
const BITS_AND: u8 = 8;
const SHIFT: u8 = 9;
const SUM: u8 = 10;
const PRODUCT: u8 = 11;
const SIGN: u8 = 12;

impl<'a> Reader<'a> {
    pub(super) fn new(
        text: &str,
        names: &'a mut Vec<String>,
        dialect: Dialect,
    ) -> Result<Reader<'a>, Error> {
        let products = text.trim_start().starts_with('{');
        let tokens = tokens(text, products)?;
        Ok(Reader { tokens, products, next: 0, depth: 0, names, dialect, closed: false })
    }

    pub(super) fn peek(&self) -> &Token {
        &self.tokens[self.next].0
    }

    pub(super) fn at(&self) -> usize {
        self.tokens[self.next].1
    }

    pub(super) fn advance(&mut self) -> Token {
        let token = self.tokens[self.next].0.clone();
        // The end stays the end.
        self.next = (self.next + 1).min(self.tokens.len() - 1);
        token
    }

    pub(super) fn is(&self, sign: &str) -> bool {
        matches!(self.peek(), Token::Sign(found) if *found == sign)
    }

    pub(super) fn is_word(&self, word: &str) -> bool {
        matches!(self.peek(), Token::Name(found) if found == word)
    }

    pub(super) fn take(&mut self, sign: &str) -> bool {
        let is = self.is(sign);
        if is {
            self.advance();
        }
        is
    }

    pub(super) fn take_word(&mut self, word: &str) -> bool {
        let is = self.is_word(word);
        if is {
            self.advance();
        }
        is
    }

    pub(super) fn expect(
        &mut self,
        sign: &'static str,
        expected: &'static str,
    ) -> Result<(), Error> {
        if self.take(sign) { Ok(()) } else { Err(self.unexpected(expected)) }
    }

    /// The error that something else stands here.
    pub(super) fn unexpected(&self, expected: &'static str) -> Error {
        let found = match self.peek() {
            Token::Number(number) => number.to_string(),
            Token::Name(name) => format!("{name:?}"),
            Token::Sign(sign) => format!("{sign:?}"),
            Token::End => "the end".to_string(),
        };
        syntax(self.at(), expected, found)
    }

    /// The place of a name among the names.
    pub(super) fn variable(&mut self, name: String, at: usize) -> Result<usize, Error> {
        if let Some(known) = self.names.iter().position(|known| *known == name) {
            return Ok(known);
        }
        if self.closed {
            return Err(syntax(at, "one of the names that were given", format!("{name:?}")));
        }
        self.names.push(name);
        Ok(self.names.len() - 1)
    }

    /// A whole expression, up to what cannot go on with it.
    pub(super) fn term(&mut self) -> Result<Term, Error> {
        self.binding(TERNARY)
    }

    /// A number.
    pub(super) fn value(&mut self) -> Result<Value, Error> {
        let at = self.at();
        let term = self.term()?;
        as_value(term, at)
    }

    /// A condition; a number that is not 0 holds, as in C.
    pub(super) fn condition(&mut self) -> Result<Condition, Error> {
        let at = self.at();
        let term = self.term()?;
        as_condition(term, at)
    }

    fn binding(&mut self, least: u8) -> Result<Term, Error> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(syntax(self.at(), "at most 120 nested brackets and operators", "more"));
        }
        let read = self.operators(least);
        self.depth -= 1;
        read
    }

    fn operators(&mut self, least: u8) -> Result<Term, Error> {
        let start = self.at();
        let mut left = self.prefix()?;
        let mut deep = 0;
        loop {
            let at = self.at();
            let (sign, binds): (&'static str, u8) = match self.peek() {
                Token::Sign("||") => ("or", OR),
                Token::Sign("&&") => ("and", AND),
                Token::Sign(sign @ ("<" | "<=" | ">" | ">=" | "==" | "!=" | "=")) => {
                    (sign, COMPARE)
                }
                Token::Sign("|") => ("|", BITS_OR),
                Token::Sign("^") => ("^", BITS_XOR),
                Token::Sign("&") => ("&", BITS_AND),
                Token::Sign(sign @ ("<<" | ">>")) => (sign, SHIFT),
                Token::Sign(sign @ ("+" | "-")) => (sign, SUM),
                Token::Sign(sign @ ("*" | "//" | "/" | "%")) => (sign, PRODUCT),
                Token::Sign("?") => ("?", TERNARY),
                Token::Name(name) => match name.as_str() {
                    "or" => ("or", OR),
                    "and" => ("and", AND),
                    "mod" => ("mod", PRODUCT),
                    "floordiv" => ("//", PRODUCT),
                    "ceildiv" => ("ceildiv", PRODUCT),
                    "if" => ("if", TERNARY),
                    _ => return Ok(left),
                },
                _ => return Ok(left),
            };
            if binds < least {
                return Ok(left);
            }
            self.advance();
            deep += usize::from(binds != SUM && binds != OR && binds != AND);
            if deep > DEEPEST {
                return Err(syntax(at, "at most 120 operators in a row", "more"));
            }
            left = match sign {
                "?" => {
                    let condition = as_condition(left, start)?;
                    let yes = self.binding(TERNARY)?;
                    self.expect(":", "`:` and the value for otherwise")?;
                    let no = self.binding(TERNARY)?;
                    choose(condition, yes, no, at)?
                }
                "if" => {
                    let condition = self.binding(OR)?;
                    let condition = as_condition(condition, at)?;
                    if !self.take_word("else") {
                        return Err(self.unexpected("`else` and the value for otherwise"));
                    }
                    let no = self.binding(TERNARY)?;
                    choose(condition, left, no, at)?
                }
                "or" | "and" => {
                    let from = self.at();
                    let right = self.binding(binds + 1)?;
                    let (a, b) = (as_condition(left, start)?, as_condition(right, from)?);
                    Term::Holds(if sign == "or" { any(a, b) } else { all(a, b) })
                }
                "<" | "<=" | ">" | ">=" | "==" | "!=" | "=" => self.comparisons(left, sign, at)?,
                _ => {
                    let right = self.binding(binds + 1)?;
                    self.binary(left, sign, right, at)?
                }
            };
        }
    }

    /// `a < b`, `a <= b < c` …
    fn comparisons(&mut self, left: Term, sign: &'static str, at: usize) -> Result<Term, Error> {
        let (mut left, mut sign, mut at) = (left, sign, at);
        let mut found: Vec<Condition> = Vec::new();
        loop {
            let from = self.at();
            let right = self.binding(COMPARE + 1)?;
            found.push(compare(left, sign, right.clone(), at, from)?);
            match self.peek() {
                Token::Sign(next @ ("<" | "<=" | ">" | ">=" | "==" | "!=" | "=")) => {
                    (left, sign, at) = (right, *next, self.at());
                    self.advance();
                }
                _ => break,
            }
        }
        Ok(Term::Holds(match found.pop() {
            Some(only) if found.is_empty() => only,
            Some(last) => {
                found.push(last);
                Condition::All(found)
            }
            None => Condition::Always(true),
        }))
    }

    fn binary(
        &mut self,
        left: Term,
        sign: &'static str,
        right: Term,
        at: usize,
    ) -> Result<Term, Error> {
        // Python's and tinygrad's bits of conditions.
        if let (Term::Holds(a), Term::Holds(b)) = (&left, &right) {
            let (a, b) = (a.clone(), b.clone());
            match sign {
                "&" | "*" => return Ok(Term::Holds(all(a, b))),
                "|" => return Ok(Term::Holds(any(a, b))),
                "^" => return Ok(Term::Holds(unequal(a, b))),
                _ => {}
            }
        }
        let (a, m) = as_ratio(left);
        let (b, n) = as_ratio(right);
        let whole = |value: Value, by: i64| -> Result<Value, Error> {
            if by == 1 { Ok(value) } else { Err(unrounded(at)) }
        };
        let place = Place(at);
        match sign {
            "+" | "-" => {
                let (a, b, den) = if m == n {
                    (a, b, m)
                } else {
                    let too_large = || syntax(at, "a divisor below 2^63", "a larger one");
                    (
                        times(a, n, place),
                        times(b, m, place),
                        m.checked_mul(n).ok_or_else(too_large)?,
                    )
                };
                let b = if sign == "+" { b } else { Value::Negate(Box::new(b)) };
                Ok(Term::Number(sum(a, b), den))
            }
            "*" => {
                let den = m.checked_mul(n);
                let den = den.ok_or_else(|| syntax(at, "a divisor below 2^63", "a larger one"))?;
                Ok(Term::Number(Value::Multiply(Box::new(a), Box::new(b), place), den))
            }
            "/" if self.dialect == Dialect::C => {
                let (a, b) = (whole(a, m)?, whole(b, n)?);
                Ok(divide(a, b, Rounding::TowardsZero, Part::Quotient, place))
            }
            "/" => {
                let Value::Number(by) = whole(b, n)? else {
                    return Err(syntax(at, "a number behind `/`, inside floor(…)", "no number"));
                };
                let den = m.checked_mul(by).filter(|den| *den > 0);
                let den =
                    den.ok_or_else(|| syntax(at, "a divisor from 1 to 2^63", by.to_string()))?;
                Ok(Term::Number(a, den))
            }
            _ => {
                let (a, b) = (whole(a, m)?, whole(b, n)?);
                let truncating = self.dialect == Dialect::C;
                match sign {
                    "//" => Ok(divide(a, b, Rounding::Down, Part::Quotient, place)),
                    "mod" => Ok(divide(a, b, Rounding::Down, Part::Rest, place)),
                    "ceildiv" => Ok(divide(a, b, Rounding::Up, Part::Quotient, place)),
                    "%" if truncating => Ok(divide(a, b, Rounding::TowardsZero, Part::Rest, place)),
                    "%" => Ok(divide(a, b, Rounding::Down, Part::Rest, place)),
                    "<<" | ">>" => {
                        let bits = match b {
                            Value::Number(bits @ 0..=62) => 1i64 << bits,
                            _ => return Err(syntax(at, "a shift by 0 to 62 bits", "another")),
                        };
                        let by = Value::Number(bits);
                        Ok(match sign {
                            "<<" => whole_number(Value::Multiply(Box::new(a), Box::new(by), place)),
                            _ => divide(a, by, Rounding::Down, Part::Quotient, place),
                        })
                    }
                    "&" => match b {
                        // The low bits.
                        Value::Number(mask)
                            if (0..i64::MAX).contains(&mask) && (mask + 1).count_ones() == 1 =>
                        {
                            let by = Value::Number(mask + 1);
                            Ok(divide(a, by, Rounding::Down, Part::Rest, place))
                        }
                        _ => Err(syntax(at, "low bits behind `&`, such as 7 or 15", "others")),
                    },
                    _ => {
                        Err(syntax(at, "conditions on both sides, or no bits", format!("{sign:?}")))
                    }
                }
            }
        }
    }

    /// Whether what follows is a name that a number before it multiplies.
    fn is_factor(&self) -> bool {
        const WORDS: [&str; 7] = ["and", "or", "mod", "if", "else", "floordiv", "ceildiv"];
        matches!(self.peek(), Token::Name(name) if !WORDS.contains(&name.as_str()))
    }

    fn prefix(&mut self) -> Result<Term, Error> {
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

fn unrounded(at: usize) -> Error {
    syntax(at, "`//`, or `/` inside floor(…): a quotient must say how it is rounded", "`/`")
}

fn whole_number(value: Value) -> Term {
    Term::Number(value, 1)
}

/// Long sums are flat, so that no text makes a deep tree.
fn sum(a: Value, b: Value) -> Value {
    match a {
        Value::Sum(mut all) => {
            all.push(b);
            Value::Sum(all)
        }
        a => Value::Sum(vec![a, b]),
    }
}

fn times(value: Value, by: i64, place: Place) -> Value {
    match by {
        1 => value,
        _ => Value::Multiply(Box::new(value), Box::new(Value::Number(by)), place),
    }
}

fn divide(a: Value, b: Value, rounding: Rounding, part: Part, place: Place) -> Term {
    whole_number(Value::Divide(Box::new(a), Box::new(b), rounding, part, place))
}

/// A condition as the number 1 or 0.
fn as_ratio(term: Term) -> (Value, i64) {
    match term {
        Term::Number(value, by) => (value, by),
        Term::Holds(condition) => (one_or_zero(condition), 1),
    }
}

/// 1 where a condition holds, 0 elsewhere.
pub(super) fn one_or_zero(condition: Condition) -> Value {
    let (one, zero) = (Box::new(Value::Number(1)), Box::new(Value::Number(0)));
    Value::Where(Box::new(condition), one, zero)
}

pub(super) fn as_value(term: Term, at: usize) -> Result<Value, Error> {
    match as_ratio(term) {
        (value, 1) => Ok(value),
        _ => Err(unrounded(at)),
    }
}

fn number((term, at): (Term, usize)) -> Result<Value, Error> {
    as_value(term, at)
}

pub(super) fn as_condition(term: Term, at: usize) -> Result<Condition, Error> {
    match term {
        Term::Holds(condition) => Ok(condition),
        Term::Number(Value::Number(number), 1) => Ok(Condition::Always(number != 0)),
        Term::Number(value, 1) => {
            let zero = Box::new(Value::Number(0));
            Ok(Condition::Compare(Box::new(value), Relation::Unequal, zero))
        }
        Term::Number(..) => Err(unrounded(at)),
    }
}

fn choose(condition: Condition, yes: Term, no: Term, at: usize) -> Result<Term, Error> {
    if let (Term::Holds(yes), Term::Holds(no)) = (&yes, &no) {
        let otherwise = all(not(condition.clone()), no.clone());
        return Ok(Term::Holds(any(all(condition, yes.clone()), otherwise)));
    }
    let (yes, no) = (Box::new(as_value(yes, at)?), Box::new(as_value(no, at)?));
    Ok(whole_number(Value::Where(Box::new(condition), yes, no)))
}

fn all(a: Condition, b: Condition) -> Condition {
    let mut list = match a {
        Condition::All(list) => list,
        other => vec![other],
    };
    match b {
        Condition::All(more) => list.extend(more),
        other => list.push(other),
    }
    Condition::All(list)
}

fn any(a: Condition, b: Condition) -> Condition {
    let mut list = match a {
        Condition::Any(list) => list,
        other => vec![other],
    };
    match b {
        Condition::Any(more) => list.extend(more),
        other => list.push(other),
    }
    Condition::Any(list)
}

fn not(a: Condition) -> Condition {
    match a {
        Condition::Not(inner) => *inner,
        Condition::Always(holds) => Condition::Always(!holds),
        other => Condition::Not(Box::new(other)),
    }
}

/// One of two conditions holds, not both.
fn unequal(a: Condition, b: Condition) -> Condition {
    match (a, b) {
        (Condition::Always(always), other) | (other, Condition::Always(always)) => {
            if always {
                not(other)
            } else {
                other
            }
        }
        (a, b) => any(all(a.clone(), not(b.clone())), all(not(a), b)),
    }
}

fn compare(
    left: Term,
    sign: &'static str,
    right: Term,
    at: usize,
    from: usize,
) -> Result<Condition, Error> {
    let relation = match sign {
        "<" => Relation::Less,
        "<=" => Relation::AtMost,
        ">" => Relation::Greater,
        ">=" => Relation::AtLeast,
        "!=" => Relation::Unequal,
        _ => Relation::Equal,
    };
    match (left, right) {
        // Conditions are the same, or not.
        (Term::Holds(a), Term::Holds(b)) if relation == Relation::Unequal => Ok(unequal(a, b)),
        (Term::Holds(a), Term::Holds(b)) if relation == Relation::Equal => Ok(not(unequal(a, b))),
        (left, right) => {
            let ((a, m), (b, n)) = (as_ratio(left), as_ratio(right));
            let place = Place(at.min(from));
            let (a, b) = if m == n { (a, b) } else { (times(a, n, place), times(b, m, place)) };
            Ok(Condition::Compare(Box::new(a), relation, Box::new(b)))
        }
    }
}
