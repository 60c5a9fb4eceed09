//! Guesses which name was meant.

use alloc::string::String;
use alloc::vec::Vec;

/// The known name that differs from the given one by a typo, or two in a long name.
pub(crate) fn nearest(given: &str, known: &'static [&'static str]) -> Option<&'static str> {
    let given: String = given.to_lowercase();
    // A much longer name matches none of these, so its distance is not computed.
    let near = known.iter().filter(|known| given.len() <= 2 * known.len());
    let (distance, name) = near.map(|known| (distance(&given, known), known)).min()?;
    (distance <= (name.len() / 3).max(1)).then_some(*name)
}

/// The least number of letters to insert, delete, change or swap with the next one.
fn distance(one: &str, other: &str) -> usize {
    let other: Vec<char> = other.chars().collect();
    let mut before: Vec<usize> = Vec::new();
    let mut row: Vec<usize> = (0..=other.len()).collect();
    let mut last = None;
    for (place, letter) in one.chars().enumerate() {
        let mut next = Vec::with_capacity(row.len());
        next.push(place + 1);
        for (column, &there) in other.iter().enumerate() {
            let change = row[column] + usize::from(there != letter);
            let mut least = change.min(row[column + 1] + 1).min(next[column] + 1);
            let swapped = column > 0 && last == Some(there) && other[column - 1] == letter;
            if swapped {
                least = least.min(before[column - 1] + 1);
            }
            next.push(least);
        }
        before = core::mem::replace(&mut row, next);
        last = Some(letter);
    }
    row[other.len()]
}

#[cfg(test)]
mod tests {
    use super::distance;

    #[test]
    fn letters_differ() {
        let rows = [
            ("", "pad", 3),
            ("pad", "pad", 0),
            ("pd", "pad", 1),
            ("padd", "pad", 1),
            ("pda", "pad", 1),
            ("flat", "flip", 2),
            ("ca", "abc", 3),
        ];
        for (one, other, expected) in rows {
            assert_eq!(distance(one, other), expected, "{one} {other}");
            assert_eq!(distance(other, one), expected, "{other} {one}");
        }
    }
}
