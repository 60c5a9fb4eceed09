//! Points and rectangles, in pixels from the upper left corner.

/// A place on the page: from the left, from the top.
pub(crate) type Point = (f64, f64);

/// A rectangle.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Area {
    pub x: f64,
    pub y: f64,
    pub width: f64,
    pub height: f64,
}

impl Area {
    /// The middle.
    pub(crate) fn middle(self) -> Point {
        (self.x + self.width / 2.0, self.y + self.height / 2.0)
    }

    /// The right edge.
    pub(crate) fn right(self) -> f64 {
        self.x + self.width
    }

    /// The bottom edge.
    pub(crate) fn bottom(self) -> f64 {
        self.y + self.height
    }

    /// The area with a margin around it.
    pub(crate) fn grown(self, margin: f64) -> Area {
        Area {
            x: self.x - margin,
            y: self.y - margin,
            width: self.width + 2.0 * margin,
            height: self.height + 2.0 * margin,
        }
    }

    /// The smallest area around both.
    pub(crate) fn around(self, other: Area) -> Area {
        let (x, y) = (self.x.min(other.x), self.y.min(other.y));
        let width = self.right().max(other.right()) - x;
        let height = self.bottom().max(other.bottom()) - y;
        Area { x, y, width, height }
    }

    /// The area, moved.
    pub(crate) fn moved(self, (right, down): Point) -> Area {
        Area { x: self.x + right, y: self.y + down, ..self }
    }
}

/// The point, moved.
pub(crate) fn moved((x, y): Point, (right, down): Point) -> Point {
    (x + right, y + down)
}
