//! Breaks text into lines of some width.

use crate::text::{Font, units};

/// A caption longer than this many lines ends in an ellipsis.
const MOST_LINES: usize = 6;

/// The text in lines no wider than `width`, broken after spaces; a word longer than a
/// line is broken after commas, or anywhere.
pub(crate) fn wrap(text: &str, font: Font, width: f64) -> Vec<String> {
    let most = ((width / font.character()) as usize).max(20);
    // Only as much as the lines that are kept can hold: a text may be very long.
    let text: String = text.chars().take(most * (MOST_LINES + 1)).collect();
    let mut lines = Vec::new();
    let mut line = String::new();
    for word in text.split_inclusive(' ') {
        let long = units(word.trim_end()) > most;
        for part in word.split_inclusive(|c| long && c == ',') {
            if units(&line) + units(part.trim_end()) > most && !line.is_empty() {
                lines.push(std::mem::take(&mut line));
            }
            for c in part.chars() {
                if units(&line) >= most && c != ' ' {
                    lines.push(std::mem::take(&mut line));
                }
                line.push(c);
            }
        }
    }
    lines.push(line);
    if lines.len() > MOST_LINES {
        lines.truncate(MOST_LINES);
        if let Some(last) = lines.last_mut() {
            last.push('…');
        }
    }
    lines.iter().map(|line| line.trim_end().to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines() {
        let width = 20.0 * Font::Small.character();
        let rows: [(&str, &[&str]); 6] = [
            ("", &[""]),
            ("(2,3):(1,2)", &["(2,3):(1,2)"]),
            ("one view, and then some more", &["one view, and then", "some more"]),
            ("the step from (1,1,1,1)", &["the step from", "(1,1,1,1)"]),
            ("(100,200,300,400,500):(1)", &["(100,200,300,400,", "500):(1)"]),
            ("0123456789012345678901234", &["01234567890123456789", "01234"]),
        ];
        for (text, expected) in rows {
            assert_eq!(wrap(text, Font::Small, width), expected, "{text}");
        }
    }

    #[test]
    fn endless() {
        let lines = wrap(&"1,".repeat(1 << 20), Font::Small, 200.0);
        assert_eq!(lines.len(), MOST_LINES);
        assert!(lines[MOST_LINES - 1].ends_with('…'));
    }
}
