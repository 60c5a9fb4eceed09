//! What operators and functions make of their operands.
//!
//! A sign and a function are applied alike: `i // 3` is `FloorDiv(i, 3)`, and `c ? a : b` is `where(c, a, b)`.
//! A condition used as a number is 1 or 0; a number used as a condition holds where it is not 0.
//!
//! Numbers may be fractions until something rounds them: `floor(i/3 + j/2)` is ⌊(2·i + 3·j)/6⌋. Bit
//! operators work on conditions, and on numbers where they mean a quotient, a multiple or a remainder:
//! `i >> 2`, `i & 7`.

use alloc::vec::Vec;

use super::pieces::{is_name, syntax};
use crate::expression::Dialect;
use crate::expression::tree::{Expr, Part, Place, Relation, Rounding, division};
use viewmerge::Error;

/// `expr / den`: a number may still wait for its quotient to be rounded. A condition has `den` 1.
#[derive(Debug, Clone)]
pub(super) struct Term {
    expr: Expr,
    /// Above 0.
    den: i64,
    /// Where the last `/` stands.
    at: usize,
}

impl From<Expr> for Term {
    fn from(expr: Expr) -> Term {
        Term { expr, den: 1, at: 0 }
    }
}

impl Term {
    /// A number or a condition, but no fraction.
    pub(super) fn whole(self) -> Result<Expr, Error> {
        let expected = "`//`, or `/` inside floor(…): a quotient must say how it is rounded";
        if self.den == 1 { Ok(self.expr) } else { Err(syntax(self.at, expected, "`/`")) }
    }

    pub(super) fn value(self) -> Result<Expr, Error> {
        self.whole().map(Expr::into_value)
    }

    /// A condition; a number that is not 0 holds, as in C.
    pub(super) fn condition(self) -> Result<Expr, Error> {
        self.whole().map(Expr::into_condition)
    }
}

fn times(value: Expr, by: i64, place: Place) -> Expr {
    if by == 1 { value } else { Expr::multiply(value, Expr::Number(by), place) }
}

/// The numerators of two numbers over one denominator.
fn numerators(a: Term, b: Term, place: Place) -> (Expr, Expr) {
    let (m, n) = if a.den == b.den { (1, 1) } else { (a.den, b.den) };
    (times(a.expr.into_value(), n, place), times(b.expr.into_value(), m, place))
}

/// Long sums are flat, so that no text makes a deep tree.
fn sum(a: Expr, b: Expr) -> Expr {
    match a {
        Expr::Sum(mut all) => {
            all.push(b);
            Expr::Sum(all)
        }
        a => Expr::Sum(vec![a, b]),
    }
}

/// Applies an operator or a function, which stands at a place of the text.
pub(super) fn apply(
    name: &str,
    operands: Vec<Term>,
    at: usize,
    dialect: Dialect,
) -> Result<Term, Error> {
    let count = operands.len();
    let conditions = operands.iter().all(|one| one.expr.is_condition());
    let name = match (name, dialect) {
        ("and" | "&&", _) if count == 2 => "And",
        ("or" | "||", _) if count == 2 => "Or",
        ("&" | "*", _) if conditions => "And",
        ("|", _) if conditions => "Or",
        ("^", _) if conditions => "!=",
        ("/", Dialect::C) => "truncdiv",
        ("%", Dialect::C) => "truncmod",
        _ => name,
    };
    let all = |operands: Vec<Term>, to: fn(Term) -> Result<Expr, Error>| {
        operands.into_iter().map(to).collect::<Result<Vec<Expr>, Error>>()
    };
    Ok(match name {
        "And" | "Or" if count > 0 => {
            Expr::join(all(operands, Term::condition)?, name == "And").into()
        }
        "min" | "Min" | "minimum" | "max" | "Max" | "maximum" if count > 0 => {
            Expr::Extreme(all(operands, Term::value)?, name[1..].starts_with("in")).into()
        }
        _ => match <[Term; 2]>::try_from(operands) {
            Ok([a, b]) => two(name, a, b, at)?,
            Err(operands) => several(name, operands, at)?,
        },
    })
}

/// What is made of two operands.
fn two(name: &str, a: Term, b: Term, at: usize) -> Result<Term, Error> {
    let place = Place(at);
    if let Some(relation) = Relation::read(name) {
        let conditions = a.expr.is_condition() && b.expr.is_condition();
        return Ok(Term::from(match relation {
            Relation::Unequal if conditions => Expr::unequal(a.expr, b.expr),
            Relation::Equal if conditions => Expr::unequal(a.expr, b.expr).not(),
            _ => {
                let (a, b) = numerators(a, b, place);
                Expr::compare(a, relation, b)
            }
        }));
    }
    let product = |m: i64, n: i64| {
        let den = m.checked_mul(n).filter(|den| *den > 0);
        den.ok_or_else(|| syntax(at, "a divisor from 1 to 2^63", format!("{m} times {n}")))
    };
    match name {
        "+" | "-" => {
            let (at, m, n) = (a.at.max(b.at), a.den, b.den);
            let (a, b) = numerators(a, b, place);
            let b = if name == "+" { b } else { b.negate() };
            let den = if m == n { m } else { product(m, n)? };
            return Ok(Term { expr: sum(a, b), den, at });
        }
        "*" => {
            let (at, den) = (a.at.max(b.at), product(a.den, b.den)?);
            let (a, b) = (a.expr.into_value(), b.expr.into_value());
            return Ok(Term { expr: Expr::multiply(a, b, place), den, at });
        }
        "/" => {
            let Expr::Number(by) = b.value()? else {
                return Err(syntax(at, "a number behind `/`, inside floor(…)", "no number"));
            };
            return Ok(Term { expr: a.expr.into_value(), den: product(a.den, by)?, at });
        }
        _ => {}
    }
    let (a, b) = (a.value()?, b.value()?);
    let power = || match b {
        Expr::Number(bits @ 0..=62) => Ok(Expr::Number(1 << bits)),
        _ => Err(syntax(at, "a shift by 0 to 62 bits", "another")),
    };
    let (name, b) = match name {
        "<<" => return Ok(Expr::multiply(a, power()?, place).into()),
        ">>" => ("//", power()?),
        // The low bits.
        "&" => match b {
            Expr::Number(mask @ 0..) if mask < i64::MAX && mask & (mask + 1) == 0 => {
                ("%", Expr::Number(mask + 1))
            }
            _ => return Err(syntax(at, "low bits behind `&`, such as 7 or 15", "others")),
        },
        _ => (name, b),
    };
    let (rounding, part) = division(name).ok_or_else(|| unknown(name, 2, at))?;
    Ok(Expr::divide(a, b, rounding, part, place).into())
}

/// What is made of one operand or three.
fn several(name: &str, operands: Vec<Term>, at: usize) -> Result<Term, Error> {
    let count = operands.len();
    let mut operands = operands.into_iter();
    let mut next = || operands.next().ok_or_else(|| unknown(name, count, at));
    Ok(match (name, count) {
        ("+", 1) => next()?,
        ("-", 1) => {
            let Term { expr, den, at } = next()?;
            // −2^63 is refused as 2^63 is: it is read before its sign.
            let expr = match expr.into_value() {
                Expr::Number(number) => Expr::Number(-number),
                value => value.negate(),
            };
            Term { expr, den, at }
        }
        ("not" | "!" | "~" | "Not", 1) => next()?.condition()?.not().into(),
        ("floor" | "ceil" | "ceiling", 1) => {
            let Term { expr, den, .. } = next()?;
            let rounding = if name == "floor" { Rounding::Down } else { Rounding::Up };
            match (expr.into_value(), Expr::Number(den)) {
                (value, Expr::Number(1)) => value.into(),
                (a, b) => Expr::divide(a, b, rounding, Part::Quotient, Place(at)).into(),
            }
        }
        ("abs" | "Abs", 1) => {
            let a = next()?.value()?;
            let opposite = a.clone().negate();
            Expr::Extreme(vec![a, opposite], false).into()
        }
        ("int" | "i32" | "i64" | "int32_t" | "int64_t" | "Identity" | "long", 1) => {
            next()?.value()?.into()
        }
        ("bool", 1) => next()?.condition()?.into(),
        ("where" | "select" | "Where", 3) => {
            let (when, yes, no) = (next()?.condition()?, next()?.whole()?, next()?.whole()?);
            match yes.is_condition() && no.is_condition() {
                true => Expr::either(when, yes, no).into(),
                false => Expr::choose(when, yes.into_value(), no.into_value()).into(),
            }
        }
        ("ModularIndexing", 3) => {
            let quotient = two("//", next()?, next()?, at)?;
            two("%", quotient, next()?, at)?
        }
        _ => return Err(unknown(name, count, at)),
    })
}

/// That nothing is made of so many operands.
fn unknown(name: &str, count: usize, at: usize) -> Error {
    if !is_name(name) {
        return syntax(at, "conditions on both sides, or no bits", format!("{name:?}"));
    }
    let expected = "an operator, or a function: FloorDiv(a, b), Mod(a, b), ModularIndexing(a, b, c), \
                    floor(a), min(a, …), where(c, a, b) …";
    syntax(at, expected, format!("{name}(…) with {count}"))
}
