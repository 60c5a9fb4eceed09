//! Text of a picture: its size and its allowed characters.
//!
//! All text is monospaced, so its width is known without a font.

/// Font sizes and the width of a character, in pixels; a little wide, since fonts differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Font {
    /// The title of a picture.
    Title,
    /// Notation above a grid.
    Heading,
    /// Memory positions.
    Number,
    /// Indices, steps and remarks.
    Small,
}

impl Font {
    /// Its name in style sheets.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Font::Title => "title",
            Font::Heading => "head",
            Font::Number => "num",
            Font::Small => "small",
        }
    }

    /// All of them.
    pub(crate) const ALL: [Font; 4] = [Font::Title, Font::Heading, Font::Number, Font::Small];

    /// The size of the letters.
    pub(crate) fn size(self) -> f64 {
        match self {
            Font::Title => 16.0,
            Font::Heading => 13.0,
            Font::Number => 12.0,
            Font::Small => 11.0,
        }
    }

    /// The height of a line: the letters and the space above and below them.
    pub(crate) fn line(self) -> f64 {
        match self {
            Font::Title => 24.0,
            Font::Heading => 18.0,
            Font::Number | Font::Small => 16.0,
        }
    }

    /// The width of one character.
    pub(crate) fn character(self) -> f64 {
        match self {
            Font::Title => 10.2,
            Font::Heading => 8.1,
            Font::Number => 7.5,
            Font::Small => 6.9,
        }
    }

    /// The width of a text.
    pub(crate) fn width(self, text: &str) -> f64 {
        self.character() * units(text) as f64
    }
}

/// Which point of a text lies at its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Anchor {
    Start,
    Middle,
    End,
}

/// The width of a text in characters; East Asian ones and symbols count twice.
pub(crate) fn units(text: &str) -> usize {
    text.chars()
        .map(|c| if c >= '\u{1100}' && !('\u{2000}'..'\u{2e80}').contains(&c) { 2 } else { 1 })
        .sum()
}

/// A tenth of a pixel is finer than the eye; more digits only make the file longer.
pub(crate) fn rounded(length: f64) -> f64 {
    (length * 10.0).round() / 10.0
}

/// The text without characters that XML cannot hold.
pub(crate) fn printable(text: &str) -> String {
    let replaced = text.chars().map(|c| match c {
        '\u{fffe}' | '\u{ffff}' => '\u{fffd}',
        c if c.is_control() => ' ',
        c => c,
    });
    replaced.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn widths() {
        assert_eq!(units("(2,3) …"), 7);
        assert_eq!(units("視点"), 4);
    }

    #[test]
    fn no_controls() {
        assert_eq!(printable("a\0b\u{1b}\u{ffff}視"), "a b \u{fffd}視");
    }
}
