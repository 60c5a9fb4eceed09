//! How shapes and texts are drawn in formats without a style sheet.

use crate::colour::Colour;
use crate::palette::{FRAME_WIDTH, HATCH_OPACITY, ODD_WIDTH, Palette};
use crate::scene::{Kind, Look, TextLook};

/// A line: its colour, its width in pixels, how opaque it is, and whether it is dashed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Stroke {
    pub colour: Colour,
    pub width: f64,
    pub opacity: f64,
    pub dashed: bool,
}

/// How a shape is drawn.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Ink {
    pub fill: Option<Colour>,
    pub stroke: Option<Stroke>,
}

impl Palette {
    /// How a shape is drawn.
    pub(crate) fn ink(&self, look: Look) -> Ink {
        let colour = |kind: Kind| if kind == Kind::Odd { self.odd } else { self.line };
        let thin = Stroke { colour: self.line, width: 1.0, opacity: 1.0, dashed: false };
        let (fill, stroke) = match look {
            Look::Cell(colour) => (Some(colour), Some(thin)),
            Look::Padding => (None, Some(thin)),
            Look::Hatch => (None, Some(Stroke { opacity: HATCH_OPACITY, ..thin })),
            Look::Nothing => (None, Some(Stroke { dashed: true, ..thin })),
            Look::Dot => (Some(self.text), None),
            Look::Arrow(Kind::Usual) => (None, Some(thin)),
            Look::Arrow(Kind::Odd) => {
                (None, Some(Stroke { colour: self.odd, width: ODD_WIDTH, ..thin }))
            }
            Look::Tip(kind) => (Some(colour(kind)), None),
            Look::Frame(Kind::Usual) => {
                (None, Some(Stroke { colour: self.good, width: FRAME_WIDTH, ..thin }))
            }
            Look::Frame(Kind::Odd) | Look::Cross => {
                (None, Some(Stroke { colour: self.odd, width: FRAME_WIDTH, ..thin }))
            }
        };
        Ink { fill, stroke }
    }

    /// The colour of a text.
    pub(crate) fn text(&self, look: TextLook) -> Colour {
        match look {
            TextLook::Plain(Kind::Usual) | TextLook::Step(Kind::Usual) => self.text,
            TextLook::Plain(Kind::Odd) | TextLook::Step(Kind::Odd) => self.odd_text,
            TextLook::OnDark => Colour::new(0xff, 0xff, 0xff),
            TextLook::OnLight => Colour::new(0, 0, 0),
        }
    }
}
