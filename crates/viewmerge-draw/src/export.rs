//! Errors of formats that are not text.

/// Why a picture cannot be written as PNG or PDF.
///
/// ```
/// use viewmerge_draw::{Drawing, ExportError};
///
/// let drawing = Drawing::of_view(&"(2,3)".parse()?).title("視");
/// let error = drawing.to_png(1.0).unwrap_err();
/// assert_eq!(error, ExportError::NoGlyph { character: '視' });
/// assert_eq!(
///     error.to_string(),
///     "the font has no glyph for '視' (U+8996); SVG and TikZ leave fonts to the reader",
/// );
/// # Ok::<(), viewmerge::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ExportError {
    /// A title has a character that the font lacks.
    #[error("the font has no glyph for '{character}' (U+{code:04X}); SVG and TikZ leave fonts to the reader", code = u32::from(*character))]
    NoGlyph {
        /// The character.
        character: char,
    },
    /// The scale is not a number between 0.1 and 16.
    #[error("the scale is {scale}, but must be from 0.1 to 16")]
    Scale {
        /// The scale asked for.
        scale: f64,
    },
    /// The picture is larger than the format or the memory allows.
    #[error(
        "the picture is {width} by {height}, but may be at most {most}; draw fewer cells, or at a smaller scale"
    )]
    TooLarge {
        /// Its width, in pixels or points.
        width: u64,
        /// Its height, in pixels or points.
        height: u64,
        /// The allowed size.
        most: &'static str,
    },
    /// A built-in font cannot be read.
    #[error("the font {name} cannot be read")]
    Font {
        /// The name of the font.
        name: &'static str,
    },
    /// The file could not be encoded.
    #[error("the picture cannot be encoded: {reason}")]
    Encoding {
        /// The encoder's message.
        reason: String,
    },
}

/// Files hold 32-bit numbers; a picture is at most some thousand pixels large.
pub(crate) fn single(number: f64) -> f32 {
    number as f32
}
