//! The cells of a grid and their labels.

use viewmerge::Index;

use crate::area::{Area, Point};
use crate::cell::Cell;
use crate::colour::{Colour, Scale};
use crate::cuts;
use crate::function::Function;
use crate::geometry::{Geometry, TO_LABELS, block_label};
use crate::layout::{BLOCK, BLOCK_ROW, COLUMN, Layout, Place, ROLES, ROW, Room, Slot};
use crate::scene::{Look, Scene, Text, TextLook};
use crate::text::{Anchor, Font};

/// The height of a cell with two lines.
const TWO_LINES: f64 = 34.0;

/// The shown indices of a function and their positions.
#[derive(Debug, Clone)]
pub(crate) struct Grid {
    /// Which indices are shown.
    pub layout: Layout,
    /// The cells in row-major order of their places.
    cells: Vec<Cell>,
    /// The multiples at which the axis of each role is cut.
    cuts: [Vec<i64>; ROLES],
    /// What to call the cells without a position.
    pub padding: &'static str,
}

impl Grid {
    /// The cells of a function that fit into the room, including the wanted ones;
    /// `None` if there are no elements.
    pub(crate) fn new(function: Function<'_>, room: Room, wanted: &[Index]) -> Option<Grid> {
        let mut layout = Layout::new(function.shape(), room, wanted)?;
        let mut cuts: [Vec<i64>; ROLES] = Default::default();
        for (axis, cuts) in layout.axes.iter_mut().zip(&mut cuts) {
            let Some(number) = axis.number else { continue };
            axis.name = function.axis_name(number);
            *cuts = function.cuts(number).to_vec();
        }
        let cell = |place| match layout.index(place) {
            None => Cell::Gap,
            Some(index) => function.cell(&index),
        };
        let cells = places(layout.lengths()).map(cell).collect();
        Some(Grid { layout, cells, cuts, padding: function.padding() })
    }

    /// The cell at a place, given by slot numbers.
    pub(crate) fn cell(&self, place: Place) -> Cell {
        let lengths = self.layout.lengths();
        let number =
            place.iter().zip(lengths).fold(0, |number, (slot, length)| number * length + slot);
        self.cells[number].clone()
    }

    /// All places with their cells.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (Place, Cell)> + '_ {
        places(self.layout.lengths()).zip(self.cells.iter().cloned())
    }

    /// Whether some cell is padding.
    pub(crate) fn has_padding(&self) -> bool {
        self.cells.contains(&Cell::Padding)
    }

    /// The length of the longest number.
    pub(crate) fn widest(&self) -> usize {
        let width = |cell: &Cell| match cell {
            Cell::At(position) | Cell::Faded(position) => position.to_string().len(),
            Cell::Coordinates(text, _) => text.len(),
            Cell::Held(holder) => widest(&holder.lines()),
            Cell::Banked(banked) => widest(&banked.lines()),
            Cell::Padding | Cell::Gap => 0,
        };
        self.cells.iter().map(width).max().unwrap_or(0)
    }

    /// The height that two lines in a cell need, if a cell has two.
    pub(crate) fn high(&self) -> f64 {
        let two = |cell: &Cell| matches!(cell, Cell::Held(_) | Cell::Banked(_));
        if self.cells.iter().any(two) { TWO_LINES } else { 0.0 }
    }

    fn positions(&self) -> impl Iterator<Item = i64> + '_ {
        self.cells.iter().filter_map(|cell| match cell {
            Cell::At(position) => Some(*position),
            _ => None,
        })
    }

    /// Draws the cells and the labels around them.
    pub(crate) fn draw(&self, geometry: &Geometry, into: &mut Scene) {
        let scale = Scale::of(self.positions());
        for (place, cell) in self.iter() {
            let area = geometry.cell(place);
            match cell {
                Cell::At(position) => {
                    let colour = scale.colour(position);
                    into.rectangle(Look::Cell(colour), area);
                    let look = if colour.is_dark() { TextLook::OnDark } else { TextLook::OnLight };
                    into.text(in_middle(Font::Number, area, &position.to_string()).look(look));
                }
                Cell::Faded(position) => {
                    into.rectangle(Look::Cell(Colour::FADED), area);
                    let text = in_middle(Font::Number, area, &position.to_string());
                    into.text(text.look(TextLook::OnLight));
                }
                Cell::Coordinates(text, kind) => {
                    let colour = Colour::of_kind(kind);
                    into.rectangle(Look::Cell(colour), area);
                    let look = if colour.is_dark() { TextLook::OnDark } else { TextLook::OnLight };
                    into.text(in_middle(Font::Number, area, &text).look(look));
                }
                Cell::Held(holder) => draw_lines(&holder.lines(), holder.colour(), area, into),
                Cell::Banked(banked) => draw_lines(&banked.lines(), banked.colour(), area, into),
                Cell::Padding => {
                    into.rectangle(Look::Padding, area);
                    into.lines(Look::Hatch, hatch(area));
                }
                Cell::Gap => self.draw_gap_in_block(place, area, into),
            }
        }
        cuts::draw(&self.layout, &self.cuts, geometry, into);
        self.draw_gaps_between_blocks(geometry, into);
        self.draw_labels(geometry, into);
    }

    fn draw_gap_in_block(&self, place: Place, area: Area, into: &mut Scene) {
        let gap = |role: usize| self.layout.axes[role].slots[place[role]] == Slot::Gap;
        if !gap(BLOCK_ROW) && !gap(BLOCK) {
            into.ellipsis(area.middle(), towards(gap(COLUMN), gap(ROW)));
        }
    }

    fn draw_gaps_between_blocks(&self, geometry: &Geometry, into: &mut Scene) {
        let slots = |role: usize| self.layout.axes[role].slots.iter().enumerate();
        for (block_row, &above) in slots(BLOCK_ROW) {
            for (block, &beside) in slots(BLOCK) {
                // Two rows of blocks have one ellipsis line between them, however many lines they
                // have.
                let again = above == Slot::Gap && geometry.line(block) > 0;
                let way = towards(beside == Slot::Gap, above == Slot::Gap);
                if way != (0.0, 0.0) && !again {
                    let area = geometry.block(block_row, block, &self.layout);
                    into.ellipsis(area.middle(), way);
                }
            }
        }
    }

    fn draw_labels(&self, geometry: &Geometry, into: &mut Scene) {
        let [block_rows, blocks, ..] = &self.layout.axes;
        for (block_row, &above) in block_rows.slots.iter().enumerate() {
            let Slot::At(above) = above else { continue };
            if block_rows.number.is_some() {
                let (top, bottom) = geometry.block_row(block_row);
                let at = (Font::Small.line() - 4.0, (top + bottom) / 2.0);
                into.text(small(Anchor::Middle, at, &block_label(block_rows, above)).upright());
            }
            let mut line = None;
            for (block, &beside) in blocks.slots.iter().enumerate() {
                if line != Some(geometry.line(block)) {
                    line = Some(geometry.line(block));
                    self.draw_row_labels(geometry, [block_row, block, 0, 0], into);
                }
                let Slot::At(beside) = beside else { continue };
                self.draw_column_labels(geometry, [block_row, block, 0, 0], beside, into);
            }
        }
    }

    /// The indices of the rows and the name of their axis, before the first block of a line.
    fn draw_row_labels(&self, geometry: &Geometry, place: Place, into: &mut Scene) {
        let [block_rows, _, rows, _] = &self.layout.axes;
        if rows.number.is_none() {
            return;
        }
        let line = Font::Small.line();
        let cells = self.layout.lengths()[ROW];
        let [first, last] = [0, cells - 1].map(|row| {
            let mut place = place;
            place[ROW] = row;
            geometry.cell(place)
        });
        let (_, middle) = first.around(last).middle();
        let x = if block_rows.number.is_some() { 2.0 * line } else { line - 4.0 };
        into.text(small(Anchor::Middle, (x, middle), &rows.name).upright());
        let edge = geometry.left_of_line(place[BLOCK]) - TO_LABELS;
        for (row, slot) in rows.slots.iter().enumerate() {
            let Slot::At(i) = slot else { continue };
            let mut place = place;
            place[ROW] = row;
            let (_, y) = on_line(geometry.cell(place));
            into.text(small(Anchor::End, (edge, y), &i.to_string()));
        }
    }

    /// The indices of the columns above a block, and its own index where readers look for it.
    fn draw_column_labels(&self, geometry: &Geometry, place: Place, index: i64, into: &mut Scene) {
        let [_, blocks, _, columns] = &self.layout.axes;
        let [block_row, block, ..] = place;
        let area = geometry.block(block_row, block, &self.layout);
        let (middle, _) = area.middle();
        let line = Font::Small.line();
        let mut y = area.y - geometry.above_row(0) - TO_LABELS;
        if columns.number.is_some() {
            for (column, slot) in columns.slots.iter().enumerate() {
                let Slot::At(i) = slot else { continue };
                let (x, _) = geometry.cell([block_row, block, 0, column]).middle();
                into.text(small(Anchor::Middle, (x, y), &i.to_string()));
            }
            y -= line;
            if block_row == 0 && geometry.line(block) == 0 {
                into.text(small(Anchor::Middle, (middle, y), &columns.name));
                y -= line;
            }
        }
        let told = geometry.is_wrapped() || block_row == 0;
        if blocks.number.is_some() && told {
            into.text(small(Anchor::Middle, (middle, y), &block_label(blocks, index)));
        }
    }
}

fn widest(lines: &[String; 2]) -> usize {
    lines.iter().map(String::len).max().unwrap_or(0)
}

/// A cell with two lines.
fn draw_lines(lines: &[String; 2], colour: Colour, area: Area, into: &mut Scene) {
    into.rectangle(Look::Cell(colour), area);
    let look = if colour.is_dark() { TextLook::OnDark } else { TextLook::OnLight };
    let (x, y) = on_line(area);
    for (line, down) in lines.iter().zip([-7.0, 7.0]) {
        into.text(Text::new(Font::Small, Anchor::Middle, (x, y + down), line).look(look));
    }
}

/// The vector from dot to dot of an ellipsis that stands for columns, rows or both.
fn towards(columns: bool, rows: bool) -> Point {
    let step = if columns && rows { 4.5 } else { 6.0 };
    (f64::from(columns) * step, f64::from(rows) * step)
}

/// Slanted lines across an area.
fn hatch(area: Area) -> Vec<Vec<Point>> {
    let (width, height) = (area.width, area.height);
    let step = 9.0;
    let count = ((width + height) / step) as usize;
    let strokes = (1..=count).map(|number| {
        // The line on which the distances from the left and the top add up to `sum`.
        let sum = number as f64 * step;
        let from = (area.x + sum.min(width), area.y + (sum - width).max(0.0));
        let to = (area.x + (sum - height).max(0.0), area.y + sum.min(height));
        vec![from, to]
    });
    strokes.collect()
}

/// The baseline point that puts a text in the middle of an area.
fn on_line(area: Area) -> Point {
    let (x, y) = area.middle();
    (x, y + 4.0)
}

fn in_middle(font: Font, area: Area, words: &str) -> Text {
    Text::new(font, Anchor::Middle, on_line(area), words)
}

fn small(anchor: Anchor, at: Point, words: &str) -> Text {
    Text::new(Font::Small, anchor, at, words)
}

/// All places of a grid in row-major order.
fn places([a, b, c, d]: [usize; ROLES]) -> impl Iterator<Item = Place> {
    (0..a * b * c * d).map(move |n| [n / (b * c * d), n / (c * d) % b, n / d % c, n % d])
}
