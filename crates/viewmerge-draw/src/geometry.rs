//! Where the cells of a layout and their labels lie, in pixels.
//!
//! From the left: the index of the row of blocks, the name of the row axis, the
//! row indices, the blocks. From the top: the index of the block, the name of
//! the column axis, the column indices, the rows; the column indices are repeated
//! in each row of blocks. What a shape has no axis for takes no room.

use crate::layout::{BLOCK, BLOCK_ROW, COLUMN, Layout, ROLES, ROW, ShownAxis, Slot};
use crate::text::Font;

const CELL_HEIGHT: f64 = 28.0;
const LEAST_CELL_WIDTH: f64 = 36.0;
const GAP: f64 = 26.0;
const BETWEEN_BLOCKS: f64 = 26.0;
/// From a cell to the indices beside and above it; frames around cells come between.
pub(crate) const TO_LABELS: f64 = 11.0;

/// What else needs room in a block.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Spacing {
    /// Between columns.
    pub columns: f64,
    /// Between rows.
    pub rows: f64,
    /// The least width of a cell.
    pub cell: f64,
}

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
    pub(crate) fn middle(self) -> (f64, f64) {
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

    /// The least area around both.
    pub(crate) fn around(self, other: Area) -> Area {
        let (x, y) = (self.x.min(other.x), self.y.min(other.y));
        let width = self.right().max(other.right()) - x;
        let height = self.bottom().max(other.bottom()) - y;
        Area { x, y, width, height }
    }
}

/// The start and extent of every slot of an axis.
type Spans = Vec<(f64, f64)>;

/// Where everything is.
#[derive(Debug, Clone)]
pub(crate) struct Geometry {
    /// For each role: blocks from the edge of the picture, cells from that of their block.
    spans: [Spans; ROLES],
    /// The whole picture.
    pub width: f64,
    /// The whole picture.
    pub height: f64,
}

impl Geometry {
    /// Room for cells whose numbers have at most so many characters.
    pub(crate) fn new(layout: &Layout, characters: usize, spacing: Spacing) -> Geometry {
        let [block_row_axis, block_axis, row_axis, column_axis] = &layout.axes;
        let cell = (characters as f64 * Font::Number.character() + 12.0).max(LEAST_CELL_WIDTH);
        let cell = cell.max(longest(column_axis) + 6.0).max(spacing.cell);
        let columns = spread(&column_axis.slots, 0.0, cell, spacing.columns);
        let rows = spread(&row_axis.slots, 0.0, CELL_HEIGHT, spacing.rows);

        let left = [(block_row_axis, Font::Small.line() + 4.0), (row_axis, Font::Small.line())];
        let left: f64 = left.iter().filter(|(axis, _)| axis.number.is_some()).map(|(_, w)| w).sum();
        let left = left
            + if row_axis.number.is_some() { longest(row_axis) + TO_LABELS + 2.0 } else { 1.0 };
        let block_label = block_label_width(block_axis);
        let blocks = spread(
            &block_axis.slots,
            left,
            end(&columns).max(block_label),
            BETWEEN_BLOCKS + spacing.columns,
        );

        let mut top = 1.0;
        if block_axis.number.is_some() {
            top += Font::Small.line();
        }
        if column_axis.number.is_some() {
            top += 2.0 * Font::Small.line() + 5.0;
        }
        let between = Font::Small.line() + 14.0 + spacing.rows / 2.0;
        let block_row_label = block_label_width(block_row_axis);
        let block_rows =
            spread(&block_row_axis.slots, top, end(&rows).max(block_row_label), between);

        let spans = [block_rows, blocks, rows, columns];
        let (width, height) = (end(&spans[BLOCK]), end(&spans[BLOCK_ROW]));
        // Frames around the last cells.
        Geometry { spans, width: width + 9.0, height: height + 9.0 }
    }

    /// The cell at a place, given by slot numbers.
    pub(crate) fn cell(&self, place: [usize; ROLES]) -> Area {
        let span = |role: usize| self.spans[role][place[role]];
        Area {
            x: span(BLOCK).0 + span(COLUMN).0,
            y: span(BLOCK_ROW).0 + span(ROW).0,
            width: span(COLUMN).1,
            height: span(ROW).1,
        }
    }

    /// The cells of a block, or the ellipsis between blocks.
    pub(crate) fn block(&self, block_row: usize, block: usize, layout: &Layout) -> Area {
        let (x, wide) = self.spans[BLOCK][block];
        let (y, high) = self.spans[BLOCK_ROW][block_row];
        let extent = |role: usize, slot: usize, cells: usize, whole: f64| match layout.axes[role]
            .slots[slot]
        {
            Slot::At(_) => end(&self.spans[cells]),
            Slot::Gap => whole,
        };
        let width = extent(BLOCK, block, COLUMN, wide);
        Area { x, y, width, height: extent(BLOCK_ROW, block_row, ROW, high) }
    }
}

/// The label of an index of a block axis.
pub(crate) fn block_label(axis: usize, index: i64) -> String {
    format!("axis {axis} = {index}")
}

fn block_label_width(axis: &ShownAxis) -> f64 {
    let Some(number) = axis.number else { return 0.0 };
    indices(axis).map(|i| Font::Small.width(&block_label(number, i))).fold(0.0, f64::max)
}

/// The width of the longest index of an axis.
fn longest(axis: &ShownAxis) -> f64 {
    indices(axis).map(|i| Font::Small.width(&i.to_string())).fold(0.0, f64::max)
}

fn indices(axis: &ShownAxis) -> impl Iterator<Item = i64> + '_ {
    axis.slots.iter().filter_map(|slot| match slot {
        Slot::At(i) => Some(*i),
        Slot::Gap => None,
    })
}

/// Slots one after the other from `start`; an ellipsis is narrower than the others.
fn spread(slots: &[Slot], start: f64, extent: f64, between: f64) -> Spans {
    let mut next = start;
    let spans = slots.iter().map(|slot| {
        let extent = if *slot == Slot::Gap { GAP } else { extent };
        let span = (next, extent);
        next += extent + between;
        span
    });
    spans.collect()
}

/// Where the last span ends.
fn end(spans: &Spans) -> f64 {
    spans.last().map_or(0.0, |(start, extent)| start + extent)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::Room;

    #[test]
    fn cells_do_not_overlap() {
        for shape in [&[][..], &[4], &[3, 40], &[9, 2, 3], &[2, 9, 3, 50], &[1 << 30, 1 << 30]] {
            let layout = Layout::new(shape, Room::for_cells(240), &[]).expect("elements");
            let geometry = Geometry::new(&layout, 3, Spacing::default());
            let [a, b, c, d] = layout.lengths();
            let places =
                (0..a * b * c * d).map(|n| [n / (b * c * d), n / (c * d) % b, n / d % c, n % d]);
            let cells = places.filter(|&place| layout.index(place).is_some());
            let areas: Vec<_> = cells.map(|place| geometry.cell(place)).collect();
            for (number, one) in areas.iter().enumerate() {
                assert!(one.x >= 0.0 && one.right() <= geometry.width, "{shape:?}");
                assert!(one.y >= 0.0 && one.bottom() <= geometry.height, "{shape:?}");
                let apart = |other: &Area| {
                    one.right() <= other.x
                        || other.right() <= one.x
                        || one.bottom() <= other.y
                        || other.bottom() <= one.y
                };
                assert!(areas[..number].iter().all(apart), "{shape:?}");
            }
        }
    }
}
