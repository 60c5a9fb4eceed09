//! A picture as data: shapes and texts with their places, before any file format.
//!
//! A [`Drawing`](crate::Drawing) becomes a scene, and a scene becomes SVG, TikZ, PNG or
//! PDF. A scene says what an item *is* ([`Look`], [`TextLook`]);
//! [`palette`](crate::palette) defines what it looks like.
//!
//! Running example: the cell of memory position 3 is a [`Shape::Rectangle`] with
//! the look [`Look::Cell`], and a [`Text`] "3" in its middle.

use crate::area::{Area, Point, moved};
use crate::colour::Colour;
use crate::text::{Anchor, Font, printable};

/// Whether something is as expected or stands out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A step like the first one, an index as expected.
    Usual,
    /// What keeps the chain from being one view.
    Odd,
}

/// What a shape stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Look {
    /// A memory position.
    Cell(Colour),
    /// No memory.
    Padding,
    /// The lines across padding.
    Hatch,
    /// No cells at all.
    Nothing,
    /// A dot of an ellipsis: fonts do not have all the ellipses that are needed.
    Dot,
    /// The line of an arrow.
    Arrow(Kind),
    /// The tip of an arrow.
    Tip(Kind),
    /// The frame around cells of a witness.
    Frame(Kind),
    /// The cross through padding of a witness.
    Cross,
}

/// What a text stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TextLook {
    /// A label or a sentence.
    Plain(Kind),
    /// The length of a step.
    Step(Kind),
    /// A number on a dark cell.
    OnDark,
    /// A number on a light cell.
    OnLight,
}

/// A form with its place.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Shape {
    /// A rectangle, with round corners if the radius is not 0.
    Rectangle { area: Area, radius: f64 },
    /// Lines, each through some points.
    Lines(Vec<Vec<Point>>),
    /// A filled polygon.
    Polygon(Vec<Point>),
}

/// One line of text.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Text {
    pub font: Font,
    pub look: TextLook,
    pub anchor: Anchor,
    /// Where the baseline has its anchor.
    pub at: Point,
    /// Whether it runs upwards.
    pub upright: bool,
    pub words: String,
}

impl Text {
    /// A text with its baseline at a point.
    pub(crate) fn new(font: Font, anchor: Anchor, at: Point, words: &str) -> Text {
        let look = TextLook::Plain(Kind::Usual);
        Text { font, look, anchor, at, upright: false, words: printable(words) }
    }

    /// The text with another look.
    pub(crate) fn look(self, look: TextLook) -> Text {
        Text { look, ..self }
    }

    /// The text, running upwards.
    pub(crate) fn upright(self) -> Text {
        Text { upright: true, ..self }
    }

    /// Whether the letters are bold.
    #[cfg(feature = "export")]
    pub(crate) fn is_bold(&self) -> bool {
        let odd = matches!(self.look, TextLook::Plain(Kind::Odd) | TextLook::Step(Kind::Odd));
        odd || self.font == Font::Title
    }
}

/// A shape or a text.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Item {
    Shape(Shape, Look),
    Text(Text),
}

/// A picture; later items cover earlier ones.
#[derive(Debug, Clone, Default)]
pub(crate) struct Scene {
    pub width: f64,
    pub height: f64,
    /// A description in words.
    pub name: String,
    pub items: Vec<Item>,
}

impl Scene {
    /// Adds a rectangle.
    pub(crate) fn rectangle(&mut self, look: Look, area: Area) {
        self.items.push(Item::Shape(Shape::Rectangle { area, radius: 0.0 }, look));
    }

    /// Adds a rectangle with round corners.
    pub(crate) fn frame(&mut self, kind: Kind, area: Area) {
        let shape = Shape::Rectangle { area, radius: 4.0 };
        self.items.push(Item::Shape(shape, Look::Frame(kind)));
    }

    /// Adds three dots around a point, at some distance from each other.
    pub(crate) fn ellipsis(&mut self, (x, y): Point, (right, down): Point) {
        for number in [-1.0, 0.0, 1.0] {
            let at = Area { x: x + number * right, y: y + number * down, width: 0.0, height: 0.0 };
            let shape = Shape::Rectangle { area: at.grown(DOT), radius: DOT };
            self.items.push(Item::Shape(shape, Look::Dot));
        }
    }

    /// Adds lines, each through some points.
    pub(crate) fn lines(&mut self, look: Look, lines: Vec<Vec<Point>>) {
        self.items.push(Item::Shape(Shape::Lines(lines), look));
    }

    /// Adds an arrow through some points, the last two on a horizontal or vertical line.
    pub(crate) fn arrow(&mut self, kind: Kind, mut points: Vec<Point>) {
        let [.., before, end] = points[..] else { return };
        let length = (end.0 - before.0).abs() + (end.1 - before.1).abs();
        if length == 0.0 {
            return;
        }
        let ahead = ((end.0 - before.0) / length * TIP, (end.1 - before.1) / length * TIP);
        let neck = (end.0 - ahead.0, end.1 - ahead.1);
        let (across, along) = (ahead.1 * 0.8, ahead.0 * 0.8);
        let corners =
            vec![(neck.0 - across, neck.1 - along), (neck.0 + across, neck.1 + along), end];
        points.pop();
        points.push(neck);
        self.lines(Look::Arrow(kind), vec![points]);
        self.items.push(Item::Shape(Shape::Polygon(corners), Look::Tip(kind)));
    }

    /// Adds a text.
    pub(crate) fn text(&mut self, text: Text) {
        self.items.push(Item::Text(text));
    }

    /// Adds the items of another scene, moved.
    pub(crate) fn append(&mut self, other: Scene, by: Point) {
        self.items.extend(other.items.into_iter().map(|item| item.moved(by)));
    }
}

/// The radius of a dot.
const DOT: f64 = 1.5;
/// The length of the tip of an arrow.
const TIP: f64 = 5.0;

impl Item {
    fn moved(self, by: Point) -> Item {
        match self {
            Item::Text(text) => Item::Text(Text { at: moved(text.at, by), ..text }),
            Item::Shape(shape, look) => {
                let points = |points: Vec<Point>| points.into_iter().map(|at| moved(at, by));
                let shape = match shape {
                    Shape::Rectangle { area, radius } => {
                        Shape::Rectangle { area: area.moved(by), radius }
                    }
                    Shape::Lines(lines) => {
                        Shape::Lines(lines.into_iter().map(|line| points(line).collect()).collect())
                    }
                    Shape::Polygon(corners) => Shape::Polygon(points(corners).collect()),
                };
                Item::Shape(shape, look)
            }
        }
    }
}
