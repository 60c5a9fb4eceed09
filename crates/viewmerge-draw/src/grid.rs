//! The cells of a grid and their labels.

use svg::node::Node;
use svg::node::element::{Element, Group};
use viewmerge::Index;

use crate::colour::Scale;
use crate::function::Function;
use crate::geometry::{Area, Geometry, TO_LABELS, block_label};
use crate::layout::{BLOCK, BLOCK_ROW, COLUMN, Layout, ROLES, ROW, Room, Slot};
use crate::text::{Anchor, Font, rounded, text};

/// What a cell holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Cell {
    /// A memory position.
    At(i64),
    /// No memory.
    Padding,
    /// An ellipsis.
    Gap,
}

/// The shown indices of a function and where they lead.
#[derive(Debug, Clone)]
pub(crate) struct Grid {
    /// Which indices are shown.
    pub layout: Layout,
    /// The cells in row-major order of their places.
    cells: Vec<Cell>,
}

impl Grid {
    /// The cells of a function that there is room for, the wanted ones among them;
    /// `None` if there are no elements.
    pub(crate) fn new(function: Function<'_>, room: Room, wanted: &[Index]) -> Option<Grid> {
        let layout = Layout::new(function.shape(), room, wanted)?;
        let cell = |place| match layout.index(place) {
            None => Cell::Gap,
            Some(index) => function.index(&index).map_or(Cell::Padding, Cell::At),
        };
        let cells = places(layout.lengths()).map(cell).collect();
        Some(Grid { layout, cells })
    }

    /// The cell at a place, given by slot numbers.
    pub(crate) fn cell(&self, place: [usize; ROLES]) -> Cell {
        let lengths = self.layout.lengths();
        let number =
            place.iter().zip(lengths).fold(0, |number, (slot, length)| number * length + slot);
        self.cells[number]
    }

    /// All places with what is in them.
    pub(crate) fn iter(&self) -> impl Iterator<Item = ([usize; ROLES], Cell)> + '_ {
        places(self.layout.lengths()).zip(self.cells.iter().copied())
    }

    /// Whether some cell is padding.
    pub(crate) fn has_padding(&self) -> bool {
        self.cells.contains(&Cell::Padding)
    }

    /// The length of the longest number.
    pub(crate) fn widest(&self) -> usize {
        self.positions().map(|position| position.to_string().len()).max().unwrap_or(0)
    }

    fn positions(&self) -> impl Iterator<Item = i64> + '_ {
        self.cells.iter().filter_map(|cell| match cell {
            Cell::At(position) => Some(*position),
            _ => None,
        })
    }

    /// Draws the cells and the labels around them.
    pub(crate) fn draw(&self, geometry: &Geometry, into: &mut Group) {
        let scale = Scale::of(self.positions());
        for (place, cell) in self.iter() {
            let area = geometry.cell(place);
            match cell {
                Cell::At(position) => {
                    let colour = scale.colour(position);
                    let mut square = rectangle("line", area);
                    // A style, because the class would win over an attribute.
                    square.assign("style", format!("fill:{}", colour.css()));
                    into.append(square);
                    let class = if colour.is_dark() { "on-dark" } else { "on-light" };
                    let words = position.to_string();
                    into.append(text(Font::Number, class, Anchor::Middle, on_line(area), &words));
                }
                Cell::Padding => {
                    into.append(rectangle("line pad", area));
                    into.append(hatch(area));
                }
                Cell::Gap => self.draw_gap_in_block(place, area, into),
            }
        }
        self.draw_gaps_between_blocks(geometry, into);
        self.draw_labels(geometry, into);
    }

    fn draw_gap_in_block(&self, place: [usize; ROLES], area: Area, into: &mut Group) {
        let gap = |role: usize| self.layout.axes[role].slots[place[role]] == Slot::Gap;
        let sign = match (gap(ROW), gap(COLUMN)) {
            _ if gap(BLOCK_ROW) || gap(BLOCK) => return,
            (true, true) => "⋱",
            (true, false) => "⋮",
            _ => "…",
        };
        into.append(text(Font::Number, "", Anchor::Middle, on_line(area), sign));
    }

    fn draw_gaps_between_blocks(&self, geometry: &Geometry, into: &mut Group) {
        let slots = |role: usize| self.layout.axes[role].slots.iter().enumerate();
        for (block_row, &above) in slots(BLOCK_ROW) {
            for (block, &beside) in slots(BLOCK) {
                let sign = match (above, beside) {
                    (Slot::At(_), Slot::At(_)) => continue,
                    (Slot::Gap, Slot::Gap) => "⋱",
                    (Slot::Gap, _) => "⋮",
                    (_, Slot::Gap) => "…",
                };
                let area = geometry.block(block_row, block, &self.layout);
                into.append(text(Font::Title, "", Anchor::Middle, on_line(area), sign));
            }
        }
    }

    fn draw_labels(&self, geometry: &Geometry, into: &mut Group) {
        let [block_rows, blocks, rows, columns] = &self.layout.axes;
        let line = Font::Small.line();
        for (block_row, &above) in block_rows.slots.iter().enumerate() {
            let Slot::At(above) = above else { continue };
            let first = geometry.block(block_row, 0, &self.layout);
            let (_, middle) = first.middle();
            if let Some(axis) = block_rows.number {
                into.append(upright((line - 4.0, middle), &block_label(axis, above)));
            }
            if let Some(axis) = rows.number {
                let x = if block_rows.number.is_some() { 2.0 * line } else { line - 4.0 };
                into.append(upright((x, middle), &format!("axis {axis}")));
                for (row, slot) in rows.slots.iter().enumerate() {
                    let Slot::At(i) = slot else { continue };
                    let (_, y) = on_line(geometry.cell([block_row, 0, row, 0]));
                    into.append(small(Anchor::End, (first.x - TO_LABELS, y), &i.to_string()));
                }
            }
            for (block, &beside) in blocks.slots.iter().enumerate() {
                let Slot::At(beside) = beside else { continue };
                let area = geometry.block(block_row, block, &self.layout);
                let (middle, _) = area.middle();
                if let Some(axis) = columns.number {
                    for (column, slot) in columns.slots.iter().enumerate() {
                        let Slot::At(i) = slot else { continue };
                        let (x, _) = geometry.cell([block_row, block, 0, column]).middle();
                        into.append(small(Anchor::Middle, (x, area.y - TO_LABELS), &i.to_string()));
                    }
                    if block_row == 0 {
                        let y = area.y - TO_LABELS - line;
                        into.append(small(Anchor::Middle, (middle, y), &format!("axis {axis}")));
                    }
                }
                if let (Some(axis), 0) = (blocks.number, block_row) {
                    let at = (middle, area.y - TO_LABELS - 2.0 * line);
                    into.append(small(Anchor::Middle, at, &block_label(axis, beside)));
                }
            }
        }
    }
}

/// An outlined area.
pub(crate) fn rectangle(class: &str, area: Area) -> Element {
    let mut element = Element::new("rect");
    element.assign("class", class);
    element.assign("x", rounded(area.x));
    element.assign("y", rounded(area.y));
    element.assign("width", rounded(area.width));
    element.assign("height", rounded(area.height));
    element
}

/// Straight strokes, each from one point to another.
pub(crate) fn path(class: &str, strokes: &[[(f64, f64); 2]]) -> Element {
    let mut element = Element::new("path");
    let strokes = strokes.iter().map(|[from, to]| {
        let [x, y, to_x, to_y] = [from.0, from.1, to.0, to.1].map(rounded);
        format!("M{x} {y}L{to_x} {to_y}")
    });
    element.assign("class", class);
    element.assign("d", strokes.collect::<String>());
    element
}

/// Slanted lines across an area.
fn hatch(area: Area) -> Element {
    let (width, height) = (area.width, area.height);
    let step = 9.0;
    let count = ((width + height) / step) as usize;
    let strokes = (1..=count).map(|number| {
        // The line on which the distances from the left and the top add up to `sum`.
        let sum = number as f64 * step;
        let from = (area.x + sum.min(width), area.y + (sum - width).max(0.0));
        let to = (area.x + (sum - height).max(0.0), area.y + sum.min(height));
        [from, to]
    });
    path("hatch", &strokes.collect::<Vec<_>>())
}

/// The point on whose baseline a text is in the middle of an area.
fn on_line(area: Area) -> (f64, f64) {
    let (x, y) = area.middle();
    (x, y + 4.0)
}

fn small(anchor: Anchor, at: (f64, f64), words: &str) -> Element {
    text(Font::Small, "", anchor, at, words)
}

/// A small text that runs upwards.
fn upright(at: (f64, f64), words: &str) -> Element {
    let mut element = small(Anchor::Middle, at, words);
    element.assign("transform", format!("rotate(-90 {} {})", rounded(at.0), rounded(at.1)));
    element
}

/// All places of a grid in row-major order.
fn places([a, b, c, d]: [usize; ROLES]) -> impl Iterator<Item = [usize; ROLES]> {
    (0..a * b * c * d).map(move |n| [n / (b * c * d), n / (c * d) % b, n / d % c, n % d])
}
