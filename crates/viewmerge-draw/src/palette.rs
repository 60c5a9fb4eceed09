//! The looks of items: colours and line widths, on a light, a dark and an unknown page.
//!
//! Cells bring their own colours. Everything else lies on the page. If the page is
//! unknown, a middle tone is readable on both.

use crate::colour::Colour;

/// The page a picture is for.
///
/// An SVG for [`Theme::Auto`] follows the reader's preference for light or dark,
/// which no other format can; those are then drawn for a light page.
///
/// ```
/// use viewmerge_draw::{Drawing, Theme};
///
/// let drawing = Drawing::of_view(&"(2,3)".parse()?);
/// assert!(drawing.to_svg().contains("prefers-color-scheme"));
/// let dark = drawing.theme(Theme::Dark).to_svg();
/// assert!(!dark.contains("prefers-color-scheme") && dark.contains("#1e1e1e"));
/// # Ok::<(), viewmerge::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Theme {
    /// Any page. An SVG that is part of another document, a PDF and a TikZ picture have no
    /// background then.
    #[default]
    Auto,
    /// A white background.
    Light,
    /// A dark background.
    Dark,
}

/// The colours of what lies on the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Palette {
    pub background: Colour,
    pub text: Colour,
    pub odd_text: Colour,
    pub line: Colour,
    pub odd: Colour,
    pub good: Colour,
}

/// The lengths of dashes and of the gaps between them.
pub(crate) const DASHES: [f64; 2] = [4.0, 3.0];
/// How opaque the lines across padding are.
pub(crate) const HATCH_OPACITY: f64 = 0.55;
/// The width of odd arrows.
pub(crate) const ODD_WIDTH: f64 = 2.0;
/// The width of the frames around the cells of a witness.
pub(crate) const FRAME_WIDTH: f64 = 3.0;

impl Palette {
    /// Readable on any page.
    pub(crate) const ANY: Palette = Palette {
        background: Colour::new(0xff, 0xff, 0xff),
        text: Colour::new(0x7a, 0x7a, 0x7a),
        odd_text: Colour::new(0xe0, 0x43, 0x2f),
        line: Colour::new(0x8a, 0x8a, 0x8a),
        odd: Colour::new(0xe0, 0x43, 0x2f),
        good: Colour::new(0x1f, 0x8f, 0xd6),
    };
    /// For a white page.
    pub(crate) const LIGHT: Palette = Palette {
        text: Colour::new(0x33, 0x33, 0x33),
        odd_text: Colour::new(0xc2, 0x2a, 0x17),
        ..Palette::ANY
    };
    /// For a dark page.
    pub(crate) const DARK: Palette = Palette {
        background: Colour::new(0x1e, 0x1e, 0x1e),
        text: Colour::new(0xdd, 0xdd, 0xdd),
        odd_text: Colour::new(0xff, 0x8a, 0x75),
        ..Palette::ANY
    };

    /// The colours of formats that cannot follow the reader's preference.
    pub(crate) fn fixed(theme: Theme) -> Palette {
        match theme {
            Theme::Auto | Theme::Light => Palette::LIGHT,
            Theme::Dark => Palette::DARK,
        }
    }
}

/// A colour of cells, as CSS writes it, and whether text on it is white.
pub type Shade = (String, bool);

/// The colours of all pictures, for a page that draws cells of its own.
///
/// ```
/// let shades = viewmerge_draw::shades();
/// assert_eq!((shades.memory.len(), shades.banks.len()), (32, 32));
/// assert!(shades.memory[0].1 && !shades.memory[31].1, "dark first, light last");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Shades {
    /// Memory positions, from the first to the last.
    pub memory: Vec<Shade>,
    /// Banks 0 to 31 of 32.
    pub banks: Vec<Shade>,
    /// The page, light and dark.
    pub page: [String; 2],
    /// Text on a light and on a dark page.
    pub text: [String; 2],
    /// Text that stands out, on a light and on a dark page.
    pub odd: [String; 2],
    /// Lines, on any page.
    pub line: String,
    /// Marks that stand out, on any page.
    pub mark: String,
}

/// The colours of all pictures.
pub fn shades() -> Shades {
    let shade = |colour: Colour| (colour.css(), colour.is_dark());
    let pages = [Palette::LIGHT, Palette::DARK];
    Shades {
        memory: (0..32).map(|n| shade(Colour::on_scale(f64::from(n) / 31.0))).collect(),
        banks: (0..32).map(|bank| shade(Colour::of_bank(bank, 32))).collect(),
        page: pages.map(|palette| palette.background.css()),
        text: pages.map(|palette| palette.text.css()),
        odd: pages.map(|palette| palette.odd_text.css()),
        line: Palette::ANY.line.css(),
        mark: Palette::ANY.odd.css(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_stands_out_from_its_page() {
        // No colour has a contrast of 4.5 on both pages.
        let both = [Palette::LIGHT.background, Palette::DARK.background];
        let rows = [
            (Palette::LIGHT, &both[..1], 4.5),
            (Palette::DARK, &both[1..], 4.5),
            (Palette::ANY, &both, 3.0),
        ];
        for (palette, pages, least) in rows {
            for colour in [palette.text, palette.odd_text, palette.odd, palette.good] {
                for page in pages {
                    let least = if [palette.text, palette.odd_text].contains(&colour) {
                        least
                    } else {
                        3.0
                    };
                    let found = colour.contrast(*page);
                    assert!(found >= least, "{} on {}: {found}", colour.css(), page.css());
                }
            }
        }
    }
}
