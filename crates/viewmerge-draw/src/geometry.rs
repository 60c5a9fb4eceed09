//! The places of the cells of a layout and of their labels, in pixels.
//!
//! From the left: the index of the row of blocks, the name of the row axis, the
//! row indices, the blocks. From the top: the index of the block, the name of
//! the column axis, the column indices, the rows; the column indices are repeated
//! in each row of blocks. A part without an axis takes no room.
//!
//! Blocks that do not fit beside each other wrap into further lines, like words; each
//! line then repeats the indices of its blocks.
//!
//! Running example: six blocks of 300 pixels on a page of 1175 are two lines of three.

use crate::area::Area;
use crate::layout::{BLOCK, BLOCK_ROW, COLUMN, Layout, Place, ROW, ShownAxis, Slot};
use crate::text::Font;

const CELL_HEIGHT: f64 = 28.0;
const LEAST_CELL_WIDTH: f64 = 36.0;
const GAP: f64 = 26.0;
const BETWEEN_BLOCKS: f64 = 26.0;
/// From a row of blocks to the ellipsis below it, so that it does not look like one of cells.
const ABOVE_GAP: f64 = 8.0;
/// From a cell to the indices beside and above it; frames around cells come between.
pub(crate) const TO_LABELS: f64 = 11.0;
/// Room for frames around the last cells.
const FRAMES: f64 = 9.0;

/// Room for other items.
#[derive(Debug, Clone, Default)]
pub(crate) struct Spacing {
    /// Between columns.
    pub columns: f64,
    /// Between rows.
    pub rows: f64,
    /// The least width of a cell.
    pub cell: f64,
    /// The least height of a cell.
    pub high: f64,
    /// Between blocks, at the least.
    pub blocks: f64,
    /// Between rows of blocks, in addition.
    pub block_rows: f64,
    /// Before the first block, at the least.
    pub left: f64,
    /// After the last block of a line that continues.
    pub line_end: f64,
    /// Before each column, in addition.
    pub before_columns: Vec<f64>,
    /// Above each row, in addition.
    pub above_rows: Vec<f64>,
}

/// The start and extent of every slot of an axis.
type Spans = Vec<(f64, f64)>;

/// The place of a block, or of an ellipsis between blocks, in a row of blocks.
#[derive(Debug, Clone, Copy)]
struct BlockPlace {
    line: usize,
    x: f64,
    width: f64,
}

/// The places of everything.
#[derive(Debug, Clone)]
pub(crate) struct Geometry {
    /// The rows of blocks, from the edge of the picture.
    block_rows: Spans,
    blocks: Vec<BlockPlace>,
    /// The cells, from the edge of their block.
    rows: Spans,
    columns: Spans,
    /// From one line of a row of blocks to the next.
    line: f64,
    spacing: Spacing,
    /// The whole picture.
    pub width: f64,
    /// The whole picture.
    pub height: f64,
}

impl Geometry {
    /// Room for cells whose numbers have at most this many characters, on a page of some width.
    pub(crate) fn new(layout: &Layout, characters: usize, spacing: Spacing, page: f64) -> Geometry {
        let [block_row_axis, block_axis, row_axis, column_axis] = &layout.axes;
        let cell = (characters as f64 * Font::Number.character() + 12.0).max(LEAST_CELL_WIDTH);
        let cell = cell.max(longest(column_axis) + 6.0).max(spacing.cell).ceil();
        let columns = spread(&column_axis.slots, cell, spacing.columns, &spacing.before_columns);
        let rows = spread(
            &row_axis.slots,
            CELL_HEIGHT.max(spacing.high),
            spacing.rows,
            &spacing.above_rows,
        );

        let left = [(block_row_axis, Font::Small.line() + 4.0), (row_axis, Font::Small.line())];
        let left: f64 = left.iter().filter(|(axis, _)| axis.number.is_some()).map(|(_, w)| w).sum();
        let left = left
            + if row_axis.number.is_some() { longest(row_axis) + TO_LABELS + 2.0 } else { 1.0 };
        let blocks = in_lines(
            &block_axis.slots,
            left.max(spacing.left).ceil(),
            end(&columns).max(block_label_width(block_axis)).ceil(),
            (BETWEEN_BLOCKS + spacing.columns).max(spacing.blocks),
            spacing.line_end,
            page - FRAMES,
        );
        let lines = blocks.last().map_or(1, |block| block.line + 1);

        let small = Font::Small.line();
        let mut top = 1.0;
        if block_axis.number.is_some() {
            top += small;
        }
        if column_axis.number.is_some() {
            top += 2.0 * small + 5.0;
        }
        let repeated = if lines > 1 { small } else { 0.0 };
        let between = (small + 14.0 + spacing.rows / 2.0).ceil() + repeated + spacing.block_rows;
        let line = end(&rows) + between;
        let high = end(&rows) + (lines - 1) as f64 * line;
        let high = high.max(block_label_width(block_row_axis) + rows[0].0).ceil();
        let mut block_rows = in_rows(&block_row_axis.slots, high, between);
        block_rows.iter_mut().for_each(|(y, _)| *y += top);

        let right = blocks.iter().map(|block| block.x + block.width).fold(0.0, f64::max);
        let line_end = if lines > 1 { spacing.line_end } else { 0.0 };
        let (width, height) = (right + line_end + FRAMES, end(&block_rows) + FRAMES);
        Geometry { block_rows, blocks, rows, columns, line, spacing, width, height }
    }

    /// The cell at a place, given by slot numbers.
    pub(crate) fn cell(&self, place: Place) -> Area {
        let (x, width) = self.columns[place[COLUMN]];
        let (y, height) = self.rows[place[ROW]];
        let block = self.blocks[place[BLOCK]];
        Area { x, y, width, height }.moved((block.x, self.line_top(place[BLOCK_ROW], block.line)))
    }

    /// The cells of a block, or the ellipsis between blocks.
    pub(crate) fn block(&self, block_row: usize, block: usize, layout: &Layout) -> Area {
        let place = self.blocks[block];
        let (y, high) = self.block_rows[block_row];
        let slots = |role: usize| &layout.axes[role].slots;
        let mut area = Area { x: place.x, y, width: place.width, height: high };
        if slots(BLOCK)[block] != Slot::Gap {
            area.x += self.columns[0].0;
            area.width = end(&self.columns) - self.columns[0].0;
        }
        if slots(BLOCK_ROW)[block_row] != Slot::Gap {
            area.y = self.line_top(block_row, place.line) + self.rows[0].0;
            area.height = end(&self.rows) - self.rows[0].0;
        }
        area
    }

    /// The whole height of a row of blocks, with all its lines: where it starts and ends.
    pub(crate) fn block_row(&self, block_row: usize) -> (f64, f64) {
        let (y, high) = self.block_rows[block_row];
        (y + self.rows[0].0, y + high)
    }

    /// The number of the line in which a block is.
    pub(crate) fn line(&self, block: usize) -> usize {
        self.blocks[block].line
    }

    /// Where the blocks of a block's line begin.
    pub(crate) fn left_of_line(&self, block: usize) -> f64 {
        self.blocks[block].x
    }

    /// Whether rows of blocks have several lines.
    pub(crate) fn is_wrapped(&self) -> bool {
        self.blocks.last().is_some_and(|block| block.line > 0)
    }

    /// The additional room before a column.
    pub(crate) fn before_column(&self, column: usize) -> f64 {
        room(&self.spacing.before_columns, column)
    }

    /// The additional room above a row.
    pub(crate) fn above_row(&self, row: usize) -> f64 {
        room(&self.spacing.above_rows, row)
    }

    fn line_top(&self, block_row: usize, line: usize) -> f64 {
        self.block_rows[block_row].0 + line as f64 * self.line
    }
}

/// The label of an index of a block axis.
pub(crate) fn block_label(axis: &ShownAxis, index: i64) -> String {
    format!("{} = {index}", axis.name)
}

fn block_label_width(axis: &ShownAxis) -> f64 {
    if axis.number.is_none() {
        return 0.0;
    }
    indices(axis).map(|i| Font::Small.width(&block_label(axis, i))).fold(0.0, f64::max)
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

fn room(rooms: &[f64], slot: usize) -> f64 {
    rooms.get(slot).copied().unwrap_or(0.0)
}

/// An ellipsis is narrower than other slots.
fn extent(slot: Slot, usual: f64) -> f64 {
    if slot == Slot::Gap { GAP } else { usual }
}

/// The room before a slot, for arrows, none of which goes to an ellipsis.
fn between(slots: &[Slot], number: usize, arrows: f64, least: f64) -> f64 {
    match number.checked_sub(1) {
        None => 0.0,
        Some(before) if [slots[before], slots[number]].contains(&Slot::Gap) => least,
        Some(_) => arrows.max(least).ceil(),
    }
}

/// Slots in a row, with room for arrows and additional room before some.
fn spread(slots: &[Slot], usual: f64, arrows: f64, before: &[f64]) -> Spans {
    let mut end = 0.0;
    let spans = slots.iter().enumerate().map(|(number, &slot)| {
        let start = end + between(slots, number, arrows, arrows.min(FRAMES)) + room(before, number);
        let extent = extent(slot, usual);
        end = start + extent;
        (start, extent)
    });
    spans.collect()
}

/// Rows of blocks below each other; each has its column indices above it.
fn in_rows(slots: &[Slot], usual: f64, labels: f64) -> Spans {
    let mut end = 0.0;
    let spans = slots.iter().enumerate().map(|(number, &slot)| {
        let before = match slot {
            _ if number == 0 => 0.0,
            Slot::Gap => ABOVE_GAP,
            Slot::At(_) => labels,
        };
        let start = end + before;
        let extent = extent(slot, usual);
        end = start + extent;
        (start, extent)
    });
    spans.collect()
}

/// Slots in lines between `left` and `right`, in as few as possible, all about as long.
fn in_lines(
    slots: &[Slot],
    left: f64,
    usual: f64,
    arrows: f64,
    line_end: f64,
    right: f64,
) -> Vec<BlockPlace> {
    let flow = |most: usize, line_end: f64| {
        let (mut line, mut end, mut count) = (0, left, 0);
        let places = slots.iter().enumerate().map(|(number, &slot)| {
            let width = extent(slot, usual);
            let mut x = end + between(slots, number, arrows, BETWEEN_BLOCKS);
            if count > 0 && (count == most || x + width + line_end > right) {
                (line, x, count) = (line + 1, left, 0);
            }
            count += 1;
            end = x + width;
            BlockPlace { line, x, width }
        });
        places.collect::<Vec<_>>()
    };
    let lines = |places: &[BlockPlace]| places.last().map_or(1, |block| block.line + 1);
    let one = flow(usize::MAX, 0.0);
    if lines(&one) == 1 {
        return one;
    }
    let few = lines(&flow(usize::MAX, line_end));
    let even = flow(slots.len().div_ceil(few), line_end);
    if lines(&even) == few { even } else { flow(usize::MAX, line_end) }
}

/// Where the last span ends.
fn end(spans: &Spans) -> f64 {
    spans.last().map_or(0.0, |(start, extent)| start + extent)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::Room;

    fn geometry(shape: &[i64], spacing: Spacing, page: f64) -> (Layout, Geometry) {
        let layout = Layout::new(shape, Room::for_cells(240), &[]).expect("elements");
        let geometry = Geometry::new(&layout, 3, spacing, page);
        (layout, geometry)
    }

    #[test]
    fn cells_do_not_overlap() {
        let wide = Spacing {
            columns: 42.0,
            rows: 42.0,
            line_end: 50.0,
            before_columns: vec![24.0, 0.0, 24.0],
            above_rows: vec![33.0, 49.0],
            ..Spacing::default()
        };
        let shapes = [
            &[][..],
            &[4],
            &[3, 40],
            &[9, 2, 3],
            &[2, 9, 3, 50],
            &[1 << 30, 1 << 30],
            &[3, 6, 2, 5],
        ];
        for shape in shapes {
            for (spacing, page) in
                [(Spacing::default(), 1e9), (Spacing::default(), 300.0), (wide.clone(), 400.0)]
            {
                let (layout, geometry) = geometry(shape, spacing, page);
                let [a, b, c, d] = layout.lengths();
                let places = (0..a * b * c * d)
                    .map(|n| [n / (b * c * d), n / (c * d) % b, n / d % c, n % d]);
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

    #[test]
    fn blocks_go_on_in_another_line() {
        // (page, the line of each of six blocks)
        let rows = [
            (1e9, [0; 6]),
            (700.0, [0, 0, 0, 1, 1, 1]),
            (400.0, [0, 0, 1, 1, 2, 2]),
            (1.0, [0, 1, 2, 3, 4, 5]),
        ];
        for (page, lines) in rows {
            let (_, geometry) = geometry(&[6, 2, 4], Spacing::default(), page);
            assert_eq!([0, 1, 2, 3, 4, 5].map(|block| geometry.line(block)), lines, "{page}");
            assert!(geometry.width <= page.max(250.0), "{page}");
        }
    }
}
