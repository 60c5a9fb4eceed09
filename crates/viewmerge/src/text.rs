//! Lists of numbers as text.

use alloc::string::String;
use core::fmt;

/// `(1,2,3)`.
pub fn write_tuple(f: &mut impl fmt::Write, numbers: &[i64]) -> fmt::Result {
    f.write_str("(")?;
    for (place, number) in numbers.iter().enumerate() {
        write!(f, "{}{number}", if place == 0 { "" } else { "," })?;
    }
    f.write_str(")")
}

/// [`write_tuple`] as a text.
pub fn tuple(numbers: &[i64]) -> String {
    let mut text = String::new();
    // Writing to a text does not fail.
    let _ = write_tuple(&mut text, numbers);
    text
}

/// A number with its sign: `+3`, `−2`.
pub struct Signed<N>(pub N);

impl<N: fmt::Display> fmt::Display for Signed<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let number = alloc::format!("{}", self.0);
        match number.strip_prefix('-') {
            Some(size) => write!(f, "−{size}"),
            None => write!(f, "+{number}"),
        }
    }
}

/// `0, 1 and 2`.
pub fn listed<T: fmt::Display>(items: &[T]) -> String {
    let mut text = String::new();
    for (place, item) in items.iter().enumerate() {
        let comma = match place {
            0 => "",
            _ if place + 1 == items.len() => " and ",
            _ => ", ",
        };
        text += &alloc::format!("{comma}{item}");
    }
    text
}
