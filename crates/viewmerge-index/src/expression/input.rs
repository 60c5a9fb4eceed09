//! Expressions: read from text, evaluated, written again.

use alloc::string::String;
use alloc::vec::Vec;
use core::str::FromStr;

use super::frame;
use super::tree::Expr;
use viewmerge::Error;

/// How long a text may be by default.
const MOST_CHARACTERS: usize = 20_000;
/// What `/` and `%` mean in a text.
///
/// ```
/// use viewmerge_index::{Dialect, Expression};
///
/// let python = Expression::read("-7 % 4", Dialect::Python)?;
/// let c = Expression::read("-7 % 4", Dialect::C)?;
/// assert_eq!((python.value(&[]), c.value(&[])), (Some(1), Some(-3)));
/// # Ok::<(), viewmerge::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Dialect {
    /// `//` rounds down, `%` has the sign of the divisor, and `/` is for inside of `floor(…)`. So
    /// in Python, tinygrad, sympy, MLIR and isl.
    #[default]
    Python,
    /// `/` rounds towards 0 and `%` has the sign of the dividend. So in C, and whatever follows it.
    C,
}

/// An index expression, or a condition on indices.
///
/// What can be written: integers, names, `+`, `-`, `*`, `//`, `%`, `floordiv`, `ceildiv`, `mod`,
/// `<<`, `>>`, `min`, `max`, `abs`, `FloorDiv`, `Mod`, `ModularIndexing`, `floor(a/3)`,
/// `div_euclid`, `truncdiv`, comparisons and chains of them, `and`, `or`, `not`, `&&`, `||`, `!`,
/// `&` and `|` of conditions, `a if c else b`, `c ? a : b`, `where(c, a, b)`, `c.where(a, b)`; an
/// `affine_map` or `affine_set` of MLIR, a map of isl.
///
/// ```
/// use viewmerge_index::Expression;
///
/// let expression: Expression = "FloorDiv(i, 3) + ModularIndexing(i, 3, 5)".parse()?;
/// assert_eq!(expression.names(), ["i"]);
/// assert_eq!(expression.to_string(), "i // 3 + (i // 3) % 5");
/// let map: Expression = "affine_map<(d0)[s0] -> (d0 floordiv 4 + s0)>".parse()?;
/// assert_eq!(map.to_string(), "d0 // 4 + s0");
/// let mistyped = "4*i + ) // 3".parse::<Expression>().unwrap_err();
/// assert_eq!(mistyped.at(), Some(6));
/// # Ok::<(), viewmerge::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Expression {
    pub(super) names: Vec<String>,
    pub(crate) body: Expr,
    /// Where it is defined, as given by a map of isl.
    pub(super) valid: Option<Expr>,
}

impl FromStr for Expression {
    type Err = Error;

    fn from_str(text: &str) -> Result<Expression, Error> {
        Expression::read(text, Dialect::Python)
    }
}

impl Expression {
    /// Reads an expression of up to 20,000 characters.
    ///
    /// # Errors
    ///
    /// [`Error::Syntax`] with the place of what cannot be read, [`Error::TextTooLong`].
    ///
    /// ```
    /// use viewmerge_index::{Dialect, Expression};
    ///
    /// assert!(Expression::read("a < 3 && b / 2 == 1", Dialect::C)?.is_condition());
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    pub fn read(text: &str, dialect: Dialect) -> Result<Expression, Error> {
        Expression::read_up_to(text, dialect, MOST_CHARACTERS)
    }

    /// Reads an expression of up to so many characters.
    ///
    /// # Errors
    ///
    /// As [`Expression::read`].
    ///
    /// ```
    /// use viewmerge_index::{Dialect, Expression};
    ///
    /// let refused = Expression::read_up_to("i + 1", Dialect::Python, 4).unwrap_err();
    /// assert_eq!(refused.to_string(), "the text has 5 characters, at most 4 are read");
    /// ```
    pub fn read_up_to(text: &str, dialect: Dialect, most: usize) -> Result<Expression, Error> {
        let length = text.chars().count();
        if length > most {
            return Err(Error::TextTooLong { length, most });
        }
        frame::read(text, dialect)
    }

    /// The names of its variables, in the order in which they come.
    ///
    /// ```
    /// let expression: viewmerge_index::Expression = "b + 3*a".parse()?;
    /// assert_eq!(expression.names(), ["b", "a"]);
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    #[must_use]
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Whether it is a condition, not a number.
    ///
    /// ```
    /// assert!("a < 3".parse::<viewmerge_index::Expression>()?.is_condition());
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    #[must_use]
    pub fn is_condition(&self) -> bool {
        self.body.is_condition()
    }

    /// How many quotients and remainders it has; one that comes again is counted once.
    ///
    /// ```
    /// let expression: viewmerge_index::Expression = "i // 3 + i // 3 % 5".parse()?;
    /// assert_eq!(expression.divisions(), 2);
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    #[must_use]
    pub fn divisions(&self) -> usize {
        self.body.divisions()
    }

    /// Its value where its variables, in their order, have these; a condition is 1 or 0.
    ///
    /// `None` if there are other than so many values, or a number leaves 128 bits.
    ///
    /// ```
    /// let expression: viewmerge_index::Expression = "i // 3".parse()?;
    /// assert_eq!(expression.value(&[-1]), Some(-1));
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    #[must_use]
    pub fn value(&self, point: &[i64]) -> Option<i128> {
        if point.len() != self.names.len() {
            return None;
        }
        self.body.at(point)
    }
}
