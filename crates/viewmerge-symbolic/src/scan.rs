//! A cursor over text that reads expressions, names and numbers.
//!
//! ```text
//! expr    = term {("+" | "-") term}
//! term    = factor {("*" | "//" | "/" | "%") factor}
//! factor  = ["-"] (number | name | "(" expr [(">=" | "==") expr] ")" | ("min" | "max") "(" expr "," expr ")")
//! ```

use std::str::FromStr;

use crate::error::Error;
use crate::expr::Expr;

/// The cursor, and what it has passed: where a mistake is told once what was read is refused.
pub(crate) struct Scanner {
    chars: Vec<char>,
    at: usize,
    depth: u32,
    parts: u32,
    /// Every name, number and whole expression, as it prints.
    pub(crate) read: Vec<(usize, String)>,
    /// The closing bracket of every list, and the places of its opening one and of its items.
    pub(crate) lists: Vec<(&'static str, Vec<usize>)>,
}

/// Letters, digits and underscores, no digit first, and no word of the notation.
pub(crate) fn is_name(text: &str) -> bool {
    let mut chars = text.chars();
    chars.next().is_some_and(|c| c.is_alphabetic() || c == '_')
        && chars.all(|c| c.is_alphanumeric() || c == '_')
        && !matches!(text, "and" | "or" | "not" | "nothing")
}

/// How deep brackets may nest.
const DEEPEST: u32 = 64;

/// How many numbers and names one text may have.
const MOST_PARTS: u32 = 2_000;

impl Scanner {
    pub(crate) fn new(text: &str) -> Scanner {
        let chars = text.chars().map(|c| if c == '−' { '-' } else { c }).collect();
        Scanner { chars, at: 0, depth: 0, parts: 0, read: Vec::new(), lists: Vec::new() }
    }

    /// How many blanks the text starts with.
    pub(crate) fn blank(&self) -> usize {
        self.chars.iter().take_while(|c| c.is_whitespace()).count()
    }

    /// The whole text.
    pub(crate) fn text(&self) -> String {
        self.chars.iter().collect()
    }

    pub(crate) fn peek(&mut self) -> Option<char> {
        while self.chars.get(self.at).is_some_and(|c| c.is_whitespace()) {
            self.at += 1;
        }
        self.chars.get(self.at).copied()
    }

    pub(crate) fn take(&mut self, wanted: &str) -> bool {
        self.peek();
        let found =
            wanted.chars().enumerate().all(|(k, c)| self.chars.get(self.at + k) == Some(&c));
        if found {
            self.at += wanted.chars().count();
        }
        found
    }

    pub(crate) fn expect(&mut self, wanted: &str) -> Result<(), Error> {
        if self.take(wanted) { Ok(()) } else { Err(self.unexpected(&format!("`{wanted}`"))) }
    }

    pub(crate) fn end(&mut self) -> Result<(), Error> {
        if self.peek().is_none() { Ok(()) } else { Err(self.unexpected("the end")) }
    }

    pub(crate) fn unexpected(&mut self, expected: &str) -> Error {
        let found = match self.peek() {
            Some(c) => format!("`{c}`"),
            None => "the end".to_owned(),
        };
        let error = Error::Syntax { expected: expected.to_owned(), found };
        Error::InText { at: self.at, error: Box::new(error) }
    }

    /// The word that comes next, left where it is.
    pub(crate) fn peek_word(&mut self) -> String {
        self.peek();
        let rest = self.chars[self.at..].iter();
        rest.take_while(|c| c.is_alphanumeric() || **c == '_').collect()
    }

    pub(crate) fn take_word(&mut self, wanted: &str) -> bool {
        let found = self.peek_word() == wanted;
        if found {
            self.at += wanted.chars().count();
        }
        found
    }

    pub(crate) fn word(&mut self, wanted: &str) -> Result<(), Error> {
        if self.take_word(wanted) { Ok(()) } else { Err(self.unexpected(&format!("`{wanted}`"))) }
    }

    pub(crate) fn name(&mut self) -> Result<String, Error> {
        let word = self.peek_word();
        if !is_name(&word) {
            return Err(self.unexpected("a name"));
        }
        self.read.push((self.at, word.clone()));
        self.at += word.chars().count();
        Ok(word)
    }

    pub(crate) fn integer(&mut self) -> Result<i64, Error> {
        self.peek();
        let start = self.at;
        let negative = self.take("-");
        let digits = self.peek_word();
        let text = if negative { format!("-{digits}") } else { digits.clone() };
        match text.parse() {
            Ok(value) => {
                self.at += digits.chars().count();
                self.read.push((start, text));
                Ok(value)
            }
            Err(_) => Err(self.unexpected("a number that fits 64 bits")),
        }
    }

    pub(crate) fn expr(&mut self) -> Result<Expr, Error> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(self.unexpected("brackets that nest less deeply"));
        }
        self.peek();
        let start = self.at;
        let mut sum = self.term()?;
        loop {
            if self.take("+") {
                sum = sum + self.term()?;
            } else if self.take("-") {
                sum = sum - self.term()?;
            } else {
                break;
            }
        }
        self.depth -= 1;
        if self.depth == 0 {
            self.read.push((start, sum.to_string()));
        }
        Ok(sum)
    }

    fn term(&mut self) -> Result<Expr, Error> {
        let mut product = self.factor()?;
        loop {
            if self.take("*") {
                product = product * self.factor()?;
            } else if self.take("//") {
                product = product.floor_div(self.factor()?);
            } else if self.take("/") {
                product = Expr::Exact(Box::new(product), Box::new(self.factor()?));
            } else if self.take("%") {
                product = product.modulo(self.factor()?);
            } else {
                return Ok(product);
            }
        }
    }

    fn factor(&mut self) -> Result<Expr, Error> {
        self.parts += 1;
        if self.parts > MOST_PARTS {
            return Err(self.unexpected("a shorter text"));
        }
        if self.take("-") {
            self.depth += 1;
            if self.depth > DEEPEST {
                return Err(self.unexpected("fewer signs"));
            }
            let factor = self.factor()?;
            self.depth -= 1;
            return Ok(match factor {
                Expr::Number(value) => Expr::Number(-value),
                other => -other,
            });
        }
        if self.take("(") {
            let inner = self.expr()?;
            let compared = match () {
                () if self.take(">=") => Expr::AtLeast(Box::new(inner), Box::new(self.expr()?)),
                () if self.take("==") => Expr::Same(Box::new(inner), Box::new(self.expr()?)),
                () => inner,
            };
            self.expect(")")?;
            return Ok(compared);
        }
        match self.peek() {
            Some('0'..='9') => self.integer().map(Expr::from),
            _ if is_name(&self.peek_word()) => {
                let name = self.name()?;
                let make = match name.as_str() {
                    "min" if self.take("(") => Expr::Min,
                    "max" if self.take("(") => Expr::Max,
                    _ => return Ok(Expr::Name(name)),
                };
                let first = self.expr()?;
                self.expect(",")?;
                let second = self.expr()?;
                self.expect(")")?;
                Ok(make(Box::new(first), Box::new(second)))
            }
            _ => Err(self.unexpected("a number, a name or `(`")),
        }
    }

    /// Items separated by commas, a last comma allowed, up to the closing bracket.
    pub(crate) fn list<T>(
        &mut self,
        close: &'static str,
        mut item: impl FnMut(&mut Scanner) -> Result<T, Error>,
    ) -> Result<Vec<T>, Error> {
        let (mut items, list) = (Vec::new(), self.lists.len());
        self.lists.push((close, vec![self.at.saturating_sub(1)]));
        while !self.take(close) {
            self.lists[list].1.push(self.at);
            items.push(item(self)?);
            if !self.take(",") {
                if !self.take(close) {
                    return Err(self.unexpected(&format!("`,` or `{close}`")));
                }
                break;
            }
        }
        Ok(items)
    }
}

impl FromStr for Expr {
    type Err = Error;

    fn from_str(text: &str) -> Result<Expr, Error> {
        let mut scan = Scanner::new(text);
        let expr = scan.expr()?;
        scan.end()?;
        Ok(expr)
    }
}
