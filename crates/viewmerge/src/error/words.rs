//! Words of messages: numbers of things, lists of names.

use alloc::string::{String, ToString};
use core::fmt::Display;

pub(super) fn meant(nearest: Option<&str>, known: &[&str]) -> String {
    match nearest {
        Some(name) => format!("did you mean {name}?"),
        None => format!("expected one of {}", known.join(", ")),
    }
}

/// A number of things, in words that fit one of them or many.
pub(super) fn counted<T: Display + PartialEq + From<u8>>(
    number: T,
    one: &str,
    many: &str,
) -> String {
    let word = if number == T::from(1) { one } else { many };
    format!("{number} {word}")
}

/// That there are too many cases, and what to do.
pub(super) fn too_many(what: &str, cases: u128, most: u64) -> String {
    match what {
        "strides" => format!(
            "the open strides of the upper view can take {cases} values, at most {most} are tried: give more of them"
        ),
        _ => format!(
            "undecided: the {what} of the expressions (or, min, max, choices) make more than {most} cases, which are not all tried"
        ),
    }
}

pub(super) fn axes(number: usize) -> String {
    counted(number, "axis", "axes")
}

pub(super) fn axes_accepted(rank: usize) -> String {
    match rank {
        0 => "none".to_string(),
        _ => format!("-{rank}..={}", rank - 1),
    }
}
