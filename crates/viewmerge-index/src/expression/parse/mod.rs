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
//! | text to pieces | `tokens.rs` |
//! | operators by how tightly they bind | here |
//! | what two operands make | `binary.rs` |
//! | brackets, names, functions | `calls.rs` |
//! | numbers and conditions, one as the other | `terms.rs` |
//!
//! Cost: linear in the text. What is nested more than 120 deep, or longer than a text may
//! be, is refused.

mod binary;
mod calls;
mod terms;
mod tokens;

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::Dialect;
use super::tree::{Expr, Relation};
pub(super) use terms::Term;
use terms::{choose, compare, join};
pub(super) use tokens::Token;
use tokens::{syntax, tokens};
use viewmerge::Error;

/// How deep brackets and operators may be nested.
const DEEPEST: usize = 120;

/// A text in pieces, and where each starts.
pub(super) struct Reader {
    tokens: Vec<(Token, usize)>,
    next: usize,
    depth: usize,
    pub names: Vec<String>,
    pub dialect: Dialect,
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

impl Reader {
    pub(super) fn new(text: &str, dialect: Dialect) -> Result<Reader, Error> {
        let products = text.trim_start().starts_with('{');
        let (tokens, names) = (tokens(text, products)?, Vec::new());
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

    /// Whether a sign or a word follows.
    pub(super) fn is(&self, text: &str) -> bool {
        self.peek().text() == text
    }

    /// Passes a sign or a word if it follows; whether it does.
    pub(super) fn take(&mut self, text: &str) -> bool {
        let is = self.is(text);
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

    /// Items separated by commas, up to a sign.
    pub(super) fn list<T>(
        &mut self,
        close: &'static str,
        expected: &'static str,
        mut item: impl FnMut(&mut Self) -> Result<T, Error>,
    ) -> Result<Vec<T>, Error> {
        let mut items = Vec::new();
        loop {
            items.push(item(self)?);
            if self.take(close) {
                return Ok(items);
            }
            self.expect(",", expected)?;
        }
    }

    /// The error that something else was expected here.
    pub(super) fn unexpected(&self, expected: &'static str) -> Error {
        let found = match self.peek() {
            Token::Number(number) => number.to_string(),
            Token::End => "the end".to_string(),
            other => format!("{:?}", other.text()),
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

    /// A whole expression, up to the first token that cannot continue it.
    pub(super) fn term(&mut self) -> Result<Term, Error> {
        self.binding(TERNARY)
    }

    /// A number.
    pub(super) fn value(&mut self) -> Result<Expr, Error> {
        self.term()?.value()
    }

    /// A condition; a number that is not 0 holds, as in C.
    pub(super) fn condition(&mut self) -> Result<Expr, Error> {
        self.term()?.condition()
    }

    /// The operator that follows, if one does, and how tightly it binds.
    fn operator(&self) -> Option<(&'static str, usize)> {
        let mut levels = OPERATORS.iter().enumerate();
        levels.find_map(|(binds, signs)| {
            let sign = signs.iter().find(|sign| self.is(sign))?;
            Some((*sign, binds))
        })
    }

    fn binding(&mut self, least: usize) -> Result<Term, Error> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(syntax(self.at(), "at most 120 nested brackets and operators", "more"));
        }
        let read = self.operators(least);
        self.depth -= 1;
        read
    }

    fn operators(&mut self, least: usize) -> Result<Term, Error> {
        let start = self.at();
        let mut left = self.prefix()?.moved(start);
        let mut deep = 0;
        while let Some((sign, binds)) = self.operator().filter(|(_, binds)| *binds >= least) {
            let at = self.at();
            self.advance();
            // Long sums and conditions are flat.
            deep += usize::from(!matches!(sign, "+" | "-" | "or" | "||" | "and" | "&&"));
            if deep > DEEPEST {
                return Err(syntax(at, "at most 120 operators in a row", "more"));
            }
            let term = match sign {
                "?" => {
                    let condition = left.condition()?;
                    let yes = self.binding(TERNARY)?;
                    self.expect(":", "`:` and the value for otherwise")?;
                    choose(condition, yes, self.binding(TERNARY)?, at)?
                }
                "if" => {
                    let condition = self.binding(OR)?.moved(at).condition()?;
                    self.expect("else", "`else` and the value for otherwise")?;
                    choose(condition, left, self.binding(TERNARY)?, at)?
                }
                "or" | "||" | "and" | "&&" => {
                    let right = self.binding(binds + 1)?;
                    join(left.condition()?, right.condition()?, binds > OR).into()
                }
                _ => match Relation::read(sign) {
                    Some(relation) => self.comparisons(left, relation, at)?,
                    None => {
                        let right = self.binding(binds + 1)?;
                        self.binary(left, sign, right, at)?
                    }
                },
            };
            left = term.moved(start);
        }
        Ok(left)
    }

    /// `a < b`, `a <= b < c` …
    fn comparisons(
        &mut self,
        mut left: Term,
        mut relation: Relation,
        mut at: usize,
    ) -> Result<Term, Error> {
        let mut found: Vec<Expr> = Vec::new();
        loop {
            let right = self.binding(COMPARE + 1)?;
            found.push(compare(left, relation, right.clone(), at)?);
            let Some((sign, COMPARE)) = self.operator() else { break };
            let Some(next) = Relation::read(sign) else { break };
            (left, relation, at) = (right, next, self.at());
            self.advance();
        }
        Ok(Expr::join(found, true).into())
    }
}
