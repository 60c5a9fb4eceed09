//! Words of messages.

use alloc::string::String;

pub(super) fn meant(nearest: Option<&str>, known: &[&str]) -> String {
    match nearest {
        Some(name) => format!("did you mean {name}?"),
        None => format!("expected one of {}", known.join(", ")),
    }
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
