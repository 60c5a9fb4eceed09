//! Text of a picture: how wide it is, and the elements that hold it.
//!
//! All text is monospaced, so its width is known without a font.

use svg::node::Node;
use svg::node::element::Element;

/// Font sizes and the width of a character, in pixels; a little wide, for fonts differ.
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
    /// The height of the letters and what is above and below them.
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

    fn class(self) -> &'static str {
        match self {
            Font::Title => "title",
            Font::Heading => "head",
            Font::Number => "num",
            Font::Small => "small",
        }
    }
}

/// Which point of a text is where it is put.
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

/// A text with its baseline at `y`; `extra` are classes besides the font's.
pub(crate) fn text(
    font: Font,
    extra: &str,
    anchor: Anchor,
    (x, y): (f64, f64),
    words: &str,
) -> Element {
    let mut element = Element::new("text");
    let anchor = match anchor {
        Anchor::Start => "",
        Anchor::Middle => " mid",
        Anchor::End => " end",
    };
    let space = if extra.is_empty() { "" } else { " " };
    element.assign("class", format!("{}{space}{extra}{anchor}", font.class()));
    element.assign("x", rounded(x));
    element.assign("y", rounded(y));
    element.append(svg::node::Text::new(printable(words)));
    element
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
    fn escaped_and_printable() {
        let element = text(Font::Small, "", Anchor::Start, (1.04, 2.0), "a<b & \"c\"\0");
        assert_eq!(
            element.to_string(),
            r#"<text class="small" x="1" y="2">a&lt;b &amp; "c" </text>"#,
        );
    }

    #[test]
    fn widths() {
        assert_eq!(units("(2,3) … ⋮"), 9);
        assert_eq!(units("視点"), 4);
    }
}
