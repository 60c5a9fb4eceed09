//! Numbers, and lists of them, in words.

use alloc::string::String;
use core::fmt::Display;

/// Items with something between any two of them.
pub fn joined<T: Display>(items: impl IntoIterator<Item = T>, between: &str) -> String {
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

/// A number of things, in words that fit one of them or many.
pub fn counted<T: Display + PartialEq + From<u8>>(number: T, one: &str, many: &str) -> String {
    let word = if number == T::from(1) { one } else { many };
    format!("{number} {word}")
}

/// `2 axes`.
pub fn axes(number: usize) -> String {
    counted(number, "axis", "axes")
}
