//! Lists of numbers as text.

use alloc::string::String;
use core::fmt;

pub use viewmerge_strides::words::{joined, tuple};

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
