//! What an operator makes of two operands.
//!
//! Numbers may be fractions until something rounds them: `floor(i/3 + j/2)` is ⌊(2·i + 3·j)/6⌋. Bit
//! operators work on conditions, and on numbers where they mean a quotient, a multiple or a remainder:
//! `i >> 2`, `i & 7`.

use alloc::boxed::Box;
use alloc::string::ToString;

use super::terms::{Term, join, sum, times, unequal, unrounded};
use super::tokens::syntax;
use super::{Dialect, Reader};
use crate::expression::tree::{Expr, Place, division};
use viewmerge::Error;

impl Reader {
    pub(super) fn binary(
        &mut self,
        left: Term,
        sign: &'static str,
        right: Term,
        at: usize,
    ) -> Result<Term, Error> {
        if left.is_condition() && right.is_condition() {
            match sign {
                "&" | "*" => return Ok(join(left.expr, right.expr, true).into()),
                "|" => return Ok(join(left.expr, right.expr, false).into()),
                "^" => return Ok(unequal(left.expr, right.expr).into()),
                _ => {}
            }
        }
        let ((a, m), (b, n)) = (left.ratio(), right.ratio());
        let place = Place(at);
        let too_large = || syntax(at, "a divisor below 2^63", "a larger one");
        match sign {
            "+" | "-" => {
                let (a, b, den) = match m == n {
                    true => (a, b, m),
                    false => {
                        let den = m.checked_mul(n).ok_or_else(too_large)?;
                        (times(a, n, place), times(b, m, place), den)
                    }
                };
                let b = if sign == "+" { b } else { Expr::Negate(Box::new(b)) };
                return Ok(Term { expr: sum(a, b), den, at });
            }
            "*" => {
                let den = m.checked_mul(n).ok_or_else(too_large)?;
                return Ok(Term { expr: Expr::multiply(a, b, place), den, at });
            }
            "/" if self.dialect != Dialect::C => {
                if n != 1 {
                    return Err(unrounded(at));
                }
                let Expr::Number(by) = b else {
                    return Err(syntax(at, "a number behind `/`, inside floor(…)", "no number"));
                };
                let den = m.checked_mul(by).filter(|den| *den > 0);
                let den =
                    den.ok_or_else(|| syntax(at, "a divisor from 1 to 2^63", by.to_string()))?;
                return Ok(Term { expr: a, den, at });
            }
            _ if m != 1 || n != 1 => return Err(unrounded(at)),
            _ => {}
        }
        let shift = || match b {
            Expr::Number(bits @ 0..=62) => Ok(Expr::Number(1 << bits)),
            _ => Err(syntax(at, "a shift by 0 to 62 bits", "another")),
        };
        let (divisor, name) = match sign {
            "<<" => return Ok(Expr::multiply(a, shift()?, place).into()),
            ">>" => (shift()?, "//"),
            // The low bits.
            "&" => match b {
                Expr::Number(mask)
                    if (0..i64::MAX).contains(&mask) && (mask + 1).count_ones() == 1 =>
                {
                    (Expr::Number(mask + 1), "%")
                }
                _ => return Err(syntax(at, "low bits behind `&`, such as 7 or 15", "others")),
            },
            "/" => (b, "truncdiv"),
            "%" if self.dialect == Dialect::C => (b, "truncmod"),
            _ => (b, sign),
        };
        let Some((rounding, part)) = division(name) else {
            let found = format!("{sign:?}");
            return Err(syntax(at, "conditions on both sides, or no bits", found));
        };
        Ok(Expr::divide(a, divisor, rounding, part, place).into())
    }
}
