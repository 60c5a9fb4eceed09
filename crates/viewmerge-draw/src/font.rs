//! The font of pictures that are not text: DejaVu Sans Mono, regular and bold.
//!
//! It is built in, so that a picture is the same everywhere and shows its numbers even
//! where no font is installed. It has the letters of most languages written from left to
//! right; a character that it lacks is refused by name.

use ttf_parser::{Face, GlyphId};

use crate::export::ExportError;
use crate::scene::Text;
use crate::text::Anchor;

/// The regular and the bold font.
pub(crate) struct Fonts {
    faces: [Typeface; 2],
}

/// A font that can be read.
pub(crate) struct Typeface {
    /// Its name in a PDF file.
    pub name: &'static str,
    /// The font file.
    pub data: &'static [u8],
    pub face: Face<'static>,
}

/// A glyph and where it starts, from the start of the text, for letters of size 1.
pub(crate) struct Placed {
    pub glyph: GlyphId,
    pub character: char,
    pub offset: f64,
}

/// A text as glyphs, from its anchor.
pub(crate) struct Run<'a> {
    pub typeface: &'a Typeface,
    pub glyphs: Vec<Placed>,
}

impl Fonts {
    /// Reads the fonts.
    ///
    /// # Errors
    ///
    /// If a font file cannot be read.
    pub(crate) fn new() -> Result<Fonts, ExportError> {
        let files = [
            ("DejaVuSansMono", dejavu::sans_mono::regular()),
            ("DejaVuSansMono-Bold", dejavu::sans_mono::bold()),
        ];
        let typeface = |(name, data): (&'static str, &'static [u8])| {
            let face = Face::parse(data, 0).map_err(|_| ExportError::Font { name })?;
            Ok(Typeface { name, data, face })
        };
        let [regular, bold] = files.map(typeface);
        Ok(Fonts { faces: [regular?, bold?] })
    }

    /// Regular and bold.
    pub(crate) fn both(&self) -> &[Typeface; 2] {
        &self.faces
    }

    /// The glyphs of a text.
    ///
    /// # Errors
    ///
    /// If the font has no glyph for a character.
    pub(crate) fn run(&self, text: &Text) -> Result<Run<'_>, ExportError> {
        let typeface = &self.faces[usize::from(text.is_bold())];
        let mut glyphs = Vec::new();
        let mut end = 0.0;
        for character in text.words.chars() {
            let glyph = typeface.face.glyph_index(character);
            let glyph = glyph.ok_or(ExportError::NoGlyph { character })?;
            glyphs.push(Placed { glyph, character, offset: end });
            end += typeface.advance(glyph);
        }
        let start = match text.anchor {
            Anchor::Start => 0.0,
            Anchor::Middle => end / 2.0,
            Anchor::End => end,
        };
        glyphs.iter_mut().for_each(|placed| placed.offset -= start);
        Ok(Run { typeface, glyphs })
    }
}

impl Typeface {
    /// How far a glyph reaches, for letters of size 1.
    pub(crate) fn advance(&self, glyph: GlyphId) -> f64 {
        f64::from(self.face.glyph_hor_advance(glyph).unwrap_or(0)) / self.units()
    }

    /// The size of letters in the units of the font.
    pub(crate) fn units(&self) -> f64 {
        f64::from(self.face.units_per_em())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::{Kind, TextLook};
    use crate::text::Font;

    #[test]
    fn all_that_pictures_say_by_themselves() {
        let fonts = Fonts::new().expect("are read");
        let ascii: String = (' '..='~').collect();
        for kind in [Kind::Usual, Kind::Odd] {
            let words = format!("{ascii}…\u{fffd}éßжλ");
            let text = Text::new(Font::Small, Anchor::Start, (0.0, 0.0), &words);
            let run = fonts.run(&text.look(TextLook::Plain(kind))).expect("has all");
            assert_eq!(run.glyphs.len(), words.chars().count());
            assert_eq!(run.typeface.name.contains("Bold"), kind == Kind::Odd);
        }
    }

    #[test]
    fn texts_fit_the_room_they_are_given() {
        let fonts = Fonts::new().expect("are read");
        for font in Font::ALL {
            let text = Text::new(font, Anchor::End, (0.0, 0.0), "0123456789");
            let run = fonts.run(&text).expect("has digits");
            let width = -run.glyphs[0].offset * font.size();
            assert!(width <= font.width(&text.words) && width > 0.9 * font.width(&text.words));
        }
    }

    #[test]
    fn unknown_characters() {
        let fonts = Fonts::new().expect("are read");
        let text = Text::new(Font::Title, Anchor::Start, (0.0, 0.0), "a視");
        let error = fonts.run(&text).err().expect("is no part of the font");
        assert_eq!(error, ExportError::NoGlyph { character: '視' });
    }
}
