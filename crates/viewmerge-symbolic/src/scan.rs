//! Expressions as text, among the numbers of the core's notation.
//!
//! ```text
//! expr    = term {("+" | "-") term}
//! term    = factor {("*" | "//" | "/" | "%") factor}
//! factor  = ["-"] (number | name | "(" expr [(">=" | "==") expr] ")" | ("min" | "max") "(" expr "," expr ")")
//! ```

use std::str::FromStr;

use viewmerge::Error as Concrete;
use viewmerge::internal::{Argument, Kind, Scanner};

use crate::error::Error;
use crate::expr::Expr;

/// Letters, digits and underscores, no digit first, and no word of the notation.
pub(crate) fn is_name(text: &str) -> bool {
    let mut chars = text.chars();
    chars.next().is_some_and(|c| c.is_alphabetic() || c == '_')
        && chars.all(|c| c.is_alphanumeric() || c == '_')
        && !matches!(text, "and" | "or" | "not" | "nothing")
}

/// How deep brackets may nest.
const DEEPEST: u32 = 64;

/// How many numbers and names one expression may have.
const MOST_PARTS: u32 = 2_000;

/// An expression while it is read.
struct Reader<'s> {
    scan: &'s mut Scanner,
    depth: u32,
    parts: u32,
}

impl Reader<'_> {
    fn deeper(&mut self, instead: &'static str) -> Result<(), Concrete> {
        self.depth += 1;
        if self.depth > DEEPEST { Err(self.scan.unexpected(instead)) } else { Ok(()) }
    }

    fn expr(&mut self) -> Result<Expr, Concrete> {
        self.deeper("brackets that nest less deeply")?;
        let mut sum = self.term()?;
        loop {
            if self.scan.take('+') {
                sum = sum + self.term()?;
            } else if self.scan.take('-') {
                sum = sum - self.term()?;
            } else {
                self.depth -= 1;
                return Ok(sum);
            }
        }
    }

    fn term(&mut self) -> Result<Expr, Concrete> {
        let mut product = self.factor()?;
        loop {
            if self.scan.take('*') {
                product = product * self.factor()?;
            } else if self.scan.take_all("//") {
                product = product.floor_div(self.factor()?);
            } else if self.scan.take('/') {
                product = Expr::pair(Expr::Exact, product, self.factor()?);
            } else if self.scan.take('%') {
                product = product.modulo(self.factor()?);
            } else {
                return Ok(product);
            }
        }
    }

    fn factor(&mut self) -> Result<Expr, Concrete> {
        self.parts += 1;
        if self.parts > MOST_PARTS {
            return Err(self.scan.unexpected("a shorter text"));
        }
        if self.scan.take('-') {
            self.deeper("fewer signs")?;
            let factor = self.factor()?;
            self.depth -= 1;
            return Ok(match factor {
                Expr::Number(value) => Expr::Number(-value),
                other => -other,
            });
        }
        if self.scan.take('(') {
            let inner = self.expr()?;
            let compared = match () {
                () if self.scan.take_all(">=") => Expr::pair(Expr::AtLeast, inner, self.expr()?),
                () if self.scan.take_all("==") => Expr::pair(Expr::Same, inner, self.expr()?),
                () => inner,
            };
            self.scan.expect(')', "`)`")?;
            return Ok(compared);
        }
        if let Some('0'..='9') = self.scan.peek() {
            return self.scan.number().map(Expr::from);
        }
        let name = self.scan.nested(Kind::Part, |scan| Ok(scan.word()))?;
        if !is_name(&name) {
            return Err(self.scan.unexpected_at_word(&name, "a number, a name or `(`"));
        }
        let make = match name.as_str() {
            "min" if self.scan.take('(') => Expr::Min,
            "max" if self.scan.take('(') => Expr::Max,
            _ => return Ok(Expr::Name(name)),
        };
        let first = self.expr()?;
        self.scan.expect(',', "`,`")?;
        let second = self.expr()?;
        self.scan.expect(')', "`)`")?;
        Ok(Expr::pair(make, first, second))
    }
}

impl Argument for Expr {
    fn read(scan: &mut Scanner) -> Result<Expr, Concrete> {
        scan.nested(Kind::Part, |scan| Reader { scan, depth: 0, parts: 0 }.expr())
    }

    fn text(&self) -> String {
        self.to_string()
    }
}

impl FromStr for Expr {
    type Err = Error;

    fn from_str(text: &str) -> Result<Expr, Error> {
        let mut scan = Scanner::new(text);
        let expr = Expr::read(&mut scan)?;
        scan.end()?;
        Ok(expr)
    }
}
