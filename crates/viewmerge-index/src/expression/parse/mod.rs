//! Expressions read from text.
//!
//! One grammar reads what Python, C, tinygrad, sympy and MLIR write: their signs do not
//! contradict each other, but for `/` and `%`, which [`Dialect`] settles. Maps of MLIR and
//! isl have a frame around the expression ([`super::frame`]).
//!
//! Running example: `FloorDiv(i, 3) + ModularIndexing(i, 3, 5)` is `i // 3 + (i // 3) % 5`.
//!
//! | step | where |
//! |---|---|
//! | text to pieces | `pieces.rs` |
//! | operators by how tightly they bind; brackets, names, calls | here |
//! | what operators and functions make of operands | `apply.rs` |
//!
//! Cost: linear in the text. What is nested more than 120 deep, or longer than a text may
//! be, is refused.

mod apply;
mod pieces;

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::Dialect;
use super::tree::Expr;
use apply::{Term, apply};
pub(super) use pieces::{Piece, syntax};
use pieces::{integer, is_name, is_number, pieces};
use viewmerge::Error;

/// How deep brackets and operators may be nested.
const DEEPEST: usize = 120;

/// A text in pieces.
pub(super) struct Reader<'t> {
    pieces: Vec<Piece<'t>>,
    next: usize,
    depth: usize,
    pub names: Vec<String>,
    dialect: Dialect,
    /// A number before a name multiplies it.
    products: bool,
    /// Names may not be added.
    pub closed: bool,
}

/// The operators between operands, those that bind more tightly behind the others.
const OPERATORS: [&[&str]; 11] = [
    &["?", "if"],
    &["or", "||"],
    &["and", "&&"],
    &[], // `not`
    &["<", "<=", ">", ">=", "==", "!=", "="],
    &["|"],
    &["^"],
    &["&"],
    &["<<", ">>"],
    &["+", "-"],
    &["*", "/", "//", "%", "mod", "floordiv", "ceildiv"],
];
const TERNARY: usize = 0;
const OR: usize = 1;
const NOT: usize = 3;
const COMPARE: usize = 4;
const SIGN: usize = OPERATORS.len();

/// The error that something else was expected than a piece.
fn unexpected((at, piece): Piece<'_>, expected: &'static str) -> Error {
    let found = match piece {
        "" => "the end".to_string(),
        number if is_number(number) => number.to_string(),
        other => format!("{other:?}"),
    };
    syntax(at, expected, found)
}

impl<'t> Reader<'t> {
    pub(super) fn new(text: &'t str, dialect: Dialect) -> Result<Reader<'t>, Error> {
        let products = text.trim_start().starts_with('{');
        let (pieces, names) = (pieces(text, products)?, Vec::new());
        Ok(Reader { pieces, products, next: 0, depth: 0, names, dialect, closed: false })
    }

    fn peek(&self) -> Piece<'t> {
        self.pieces[self.next]
    }

    fn advance(&mut self) -> Piece<'t> {
        let piece = self.peek();
        // The end stays the end.
        self.next = (self.next + 1).min(self.pieces.len() - 1);
        piece
    }

    /// Passes a sign or a word if it follows; whether it does. The end is empty.
    pub(super) fn take(&mut self, text: &str) -> bool {
        let is = self.peek().1 == text;
        if is {
            self.advance();
        }
        is
    }

    pub(super) fn expect(&mut self, sign: &str, expected: &'static str) -> Result<(), Error> {
        if self.take(sign) { Ok(()) } else { Err(unexpected(self.peek(), expected)) }
    }

    /// A name that must follow.
    pub(super) fn name(&mut self, expected: &'static str) -> Result<Piece<'t>, Error> {
        let piece = self.advance();
        if is_name(piece.1) { Ok(piece) } else { Err(unexpected(piece, expected)) }
    }

    /// Items separated by commas, up to a sign; none if the sign follows at once.
    pub(super) fn list<T>(
        &mut self,
        close: &str,
        expected: &'static str,
        mut item: impl FnMut(&mut Self) -> Result<T, Error>,
    ) -> Result<Vec<T>, Error> {
        let mut items = Vec::new();
        while !self.take(close) {
            if !items.is_empty() {
                self.expect(",", expected)?;
            }
            items.push(item(self)?);
        }
        Ok(items)
    }

    /// The place of a name among the names.
    pub(super) fn variable(&mut self, (at, name): Piece<'_>) -> Result<usize, Error> {
        if let Some(known) = self.names.iter().position(|known| *known == name) {
            return Ok(known);
        }
        if self.closed {
            return Err(syntax(at, "one of the names that were given", format!("{name:?}")));
        }
        self.names.push(name.to_string());
        Ok(self.names.len() - 1)
    }

    /// A number or a condition, up to the first piece that cannot continue it.
    pub(super) fn whole(&mut self) -> Result<Expr, Error> {
        self.binding(TERNARY)?.whole()
    }

    /// A number.
    pub(super) fn value(&mut self) -> Result<Expr, Error> {
        self.whole().map(Expr::into_value)
    }

    /// A condition.
    pub(super) fn condition(&mut self) -> Result<Expr, Error> {
        self.whole().map(Expr::into_condition)
    }

    /// How tightly the operator that follows binds, if one does.
    fn binds(&self) -> Option<usize> {
        OPERATORS.iter().position(|signs| signs.contains(&self.peek().1))
    }

    fn apply(&self, (at, name): Piece<'_>, operands: Vec<Term>) -> Result<Term, Error> {
        apply(name, operands, at, self.dialect)
    }

    /// Operands, and the operators between them that bind so tightly or more.
    fn binding(&mut self, least: usize) -> Result<Term, Error> {
        self.depth += 1;
        if self.depth > DEEPEST {
            let expected = "at most 120 nested brackets and operators";
            return Err(syntax(self.peek().0, expected, "more"));
        }
        let mut left = self.operand()?;
        // The right side of the comparison before.
        let mut compared: Option<Term> = None;
        let mut deep = 0;
        while let Some(binds) = self.binds().filter(|binds| *binds >= least) {
            let (at, sign) = self.advance();
            // Long sums and conditions are flat.
            deep += usize::from(!matches!(sign, "+" | "-" | "or" | "||" | "and" | "&&"));
            if deep > DEEPEST {
                return Err(syntax(at, "at most 120 operators in a row", "more"));
            }
            left = match (sign, binds) {
                ("?", _) => {
                    let yes = self.binding(TERNARY)?;
                    self.expect(":", "`:` and the value for otherwise")?;
                    let no = self.binding(TERNARY)?;
                    self.apply((at, "where"), vec![left, yes, no])?
                }
                ("if", _) => {
                    let when = self.binding(OR)?;
                    self.expect("else", "`else` and the value for otherwise")?;
                    let no = self.binding(TERNARY)?;
                    self.apply((at, "where"), vec![when, left, no])?
                }
                // `a < b <= c` is `a < b and b <= c`.
                (_, COMPARE) => {
                    let right = self.binding(COMPARE + 1)?;
                    match compared.replace(right.clone()) {
                        None => self.apply((at, sign), vec![left, right])?,
                        Some(middle) => {
                            let last = self.apply((at, sign), vec![middle, right])?;
                            self.apply((at, "and"), vec![left, last])?
                        }
                    }
                }
                _ => {
                    let right = self.binding(binds + 1)?;
                    self.apply((at, sign), vec![left, right])?
                }
            };
        }
        self.depth -= 1;
        Ok(left)
    }

    /// A number, a name, a call or brackets, signs before it and methods behind it, as tinygrad writes
    /// them: `condition.where(a, b)`, `a.maximum(b)`.
    fn operand(&mut self) -> Result<Term, Error> {
        let (at, piece) = self.advance();
        let mut term = match piece {
            "-" | "+" | "!" | "~" | "not" => {
                let inside = self.binding(if piece == "not" { NOT } else { SIGN })?;
                self.apply((at, piece), vec![inside])?
            }
            "(" => {
                let inside = self.binding(TERNARY)?;
                self.expect(")", "`)` or an operator")?;
                inside
            }
            "True" | "true" => Expr::Always(true).into(),
            "False" | "false" => Expr::Always(false).into(),
            "tl" | "np" | "torch" | "sympy" | "math" if self.take(".") => return self.operand(),
            number if is_number(number) => {
                let number = Term::from(Expr::Number(integer((at, number))?));
                match self.products && self.is_factor() {
                    true => {
                        let factor = self.operand()?;
                        self.apply((at, "*"), vec![factor, number])?
                    }
                    false => number,
                }
            }
            name if is_name(name) => match self.take("(") {
                true => self.call((at, name), vec![])?,
                false => Expr::Variable(self.variable((at, name))?).into(),
            },
            _ => return Err(unexpected((at, piece), "a number, a name, `(` or `-`")),
        };
        while self.take(".") {
            let name = self.name("where, maximum or minimum")?;
            self.expect("(", "`(` and arguments")?;
            term = self.call(name, vec![term])?;
        }
        Ok(term)
    }

    /// Whether what follows is a name that a number before it multiplies.
    fn is_factor(&self) -> bool {
        let (_, piece) = self.peek();
        is_name(piece) && piece != "else" && self.binds().is_none()
    }

    /// A function whose bracket is open, of some operands and its arguments.
    fn call(&mut self, name: Piece<'_>, mut operands: Vec<Term>) -> Result<Term, Error> {
        let argument = |reader: &mut Self| reader.binding(TERNARY);
        operands.extend(self.list(")", "`,` and another argument, or `)`", argument)?);
        self.apply(name, operands)
    }
}
