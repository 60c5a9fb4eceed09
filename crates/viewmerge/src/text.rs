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
