//! How many bits hold every part of an expression at every point of the ranges.
//!
//! Running example: `i * 65536 // 7` for i from 0 to 99999 takes 64 bits, although its values fit 32.

use crate::expression::lower::interval;
use crate::expression::tree::Expr;

/// 32 or 64, whichever holds all numbers from the first to the last.
fn width((low, high): (i128, i128)) -> Option<u32> {
    let fits_32 = i32::try_from(low).is_ok() && i32::try_from(high).is_ok();
    let fits_64 = i64::try_from(low).is_ok() && i64::try_from(high).is_ok();
    if fits_32 { Some(32) } else { fits_64.then_some(64) }
}

/// Whether 32 bits hold every part of an expression, or 64; `None` if it takes more.
pub(super) fn bits(expr: &Expr, ranges: &[(i64, i64)]) -> Option<u32> {
    let mut most = width(interval(expr, ranges))?;
    for child in expr.children() {
        most = most.max(bits(child, ranges)?);
    }
    match expr {
        Expr::Sum(all) => {
            let mut sum = (0i128, 0i128);
            for (low, high) in all.iter().map(|one| interval(one, ranges)) {
                sum = (sum.0.checked_add(low)?, sum.1.checked_add(high)?);
                most = most.max(width(sum)?);
            }
        }
        Expr::Divide(ab, ..) => {
            // The dividend is moved by up to the divisor and its least value.
            let ((low, high), (_, by)) = (interval(&ab[0], ranges), interval(&ab[1], ranges));
            let moved = high.checked_add(by)?.checked_sub(low.min(0))?;
            most = most.max(width((0, moved.max(0)))?);
        }
        _ => {}
    }
    Some(most)
}
