//! Lists of numbers as text.

use alloc::string::String;
use core::fmt;

/// Items with something between any two of them.
pub fn joined<T: fmt::Display>(items: impl IntoIterator<Item = T>, between: &str) -> String {
    let mut text = String::new();
    for (place, item) in items.into_iter().enumerate() {
        text += if place == 0 { "" } else { between };
        text += &format!("{item}");
    }
    text
}

/// `(1,2,3)`.
pub fn tuple(numbers: &[i64]) -> String {
    format!("({})", joined(numbers, ","))
}

/// A number with its sign: `+3`, `−2`.
pub struct Signed<N>(pub N);

impl<N: fmt::Display> fmt::Display for Signed<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&format!("{:+}", self.0).replace('-', "−"))
    }
}

/// `0, 1 and 2`.
pub fn listed<T: fmt::Display>(items: &[T]) -> String {
    match items.split_last() {
        Some((last, others)) if !others.is_empty() => {
            format!("{} and {last}", joined(others, ", "))
        }
        _ => joined(items, ", "),
    }
}
