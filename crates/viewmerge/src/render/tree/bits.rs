//! How many bits hold every part of an expression at every point of the ranges.
//!
//! Running example: `i * 65536 // 7` for i from 0 to 99999 takes 64 bits, although its values fit 32.

use crate::expression::lower::interval;
use crate::expression::tree::{Condition, Value};

/// Whether 32 bits, or at least 64, hold every part of a value.
pub(in crate::render) fn bits(value: &Value, ranges: &[(i64, i64)]) -> Option<u32> {
    let (low, high) = interval(value, ranges);
    let within = |least: i128, most: i128| least <= low && high <= most;
    let own = if within(i32::MIN.into(), i32::MAX.into()) {
        32
    } else if within(i64::MIN.into(), i64::MAX.into()) {
        64
    } else {
        return None;
    };
    let all =
        |list: &[Value]| list.iter().try_fold(own, |most, one| Some(most.max(bits(one, ranges)?)));
    match value {
        Value::Number(_) | Value::Variable(_) => Some(own),
        Value::Sum(list) => {
            // Every partial sum.
            let mut sum = (0i128, 0i128);
            let mut most = all(list)?;
            for one in list {
                let (low, high) = interval(one, ranges);
                sum = (sum.0.checked_add(low)?, sum.1.checked_add(high)?);
                let fits = i32::try_from(sum.0).is_ok() && i32::try_from(sum.1).is_ok();
                let wide = i64::try_from(sum.0).is_ok() && i64::try_from(sum.1).is_ok();
                most = if fits {
                    most
                } else if wide {
                    64
                } else {
                    return None;
                };
            }
            Some(most)
        }
        Value::Least(list) | Value::Greatest(list) => all(list),
        Value::Negate(a) => Some(own.max(bits(a, ranges)?)),
        Value::Multiply(a, b, _) => Some(own.max(bits(a, ranges)?).max(bits(b, ranges)?)),
        Value::Divide(a, b, ..) => {
            // What is divided is moved by up to the divisor and its least value.
            let (low, high) = interval(a, ranges);
            let (_, by) = interval(b, ranges);
            let most = high.checked_add(by)?.checked_sub(low.min(0))?;
            let moved = if i32::try_from(most).is_ok() { 32 } else { 64 };
            i64::try_from(most).ok()?;
            Some(own.max(moved).max(bits(a, ranges)?).max(bits(b, ranges)?))
        }
        Value::Where(when, a, b) => {
            Some(own.max(bits_of(when, ranges)?).max(bits(a, ranges)?).max(bits(b, ranges)?))
        }
    }
}

/// The same of what a condition compares.
pub(in crate::render) fn bits_of(condition: &Condition, ranges: &[(i64, i64)]) -> Option<u32> {
    match condition {
        Condition::Always(_) => Some(32),
        Condition::Compare(a, _, b) => Some(bits(a, ranges)?.max(bits(b, ranges)?)),
        Condition::All(all) | Condition::Any(all) => {
            all.iter().try_fold(32, |most, one| Some(most.max(bits_of(one, ranges)?)))
        }
        Condition::Not(one) => bits_of(one, ranges),
    }
}
