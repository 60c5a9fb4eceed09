//! What an operator makes of two operands.
//!
//! Numbers may be fractions until something rounds them: `floor(i/3 + j/2)` is ⌊(2·i + 3·j)/6⌋. Bits are read
//! of conditions, and of numbers where they are a quotient, a multiple or a remainder: `i >> 2`, `i & 7`.

use alloc::boxed::Box;
use alloc::format;
use alloc::string::ToString;

use super::terms::{
    Term, all, any, as_ratio, divide, sum, times, unequal, unrounded, whole_number,
};
use super::tokens::syntax;
use super::{Dialect, Reader};
use crate::error::Error;
use crate::expression::tree::{Part, Place, Rounding, Value};

impl Reader<'_> {
    pub(super) fn binary(
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
}
