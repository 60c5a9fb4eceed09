//! Arrows for steps: where they run, and the room they need.
//!
//! A step to the next column or row is a straight arrow between the two cells. A
//! step to another block leaves the cells and runs in a lane
//! ([`lanes`](crate::lanes)), with its length between the blocks. If the other block is
//! in another line, the arrow ends behind this block and another one continues before
//! that one.

use crate::area::{Area, Point};
use crate::geometry::{Geometry, Spacing};
use crate::layout::{BLOCK, BLOCK_ROW, COLUMN, Layout, ROW};
use crate::scene::{Scene, Text, TextLook};
use crate::steps::{Step, Steps};
use crate::text::{Anchor, Font};

/// From a cell to the arrows beside it; frames around cells come between.
const TO_ARROWS: f64 = 9.0;
/// From an arrow down to its length.
const TO_LENGTH: f64 = 7.0;
/// From a cell to the first lane beside it.
const TO_LANE: f64 = 20.0;
/// From lane to lane above a row; the length of a step is between them.
const ABOVE: f64 = 16.0;
/// From lane to lane beside a column.
const BESIDE: f64 = 10.0;
/// From the length in one lane beside a column down to that in the next.
const LOWER: f64 = 13.0;
/// How far an arrow that continues elsewhere runs out of its line.
const STUB: f64 = 22.0;
/// From the middle of a cell to the arrow that comes from the block before, and to the one that
/// goes to the next; an arrow from the row above is on the other side.
const BESIDE_ROW_ARROW: [f64; 2] = [1.0, 11.0];
/// The same for blocks below each other; an arrow from the column before is in the middle.
const BESIDE_COLUMN_ARROW: [f64; 2] = [-8.0, 8.0];

impl Steps {
    /// The room that arrows and their lengths need.
    pub(crate) fn spacing(&self, layout: &Layout) -> Spacing {
        let [_, _, rows, columns] = layout.lengths();
        let lanes = |role: usize, cell: usize, slot: usize| {
            let steps = self.along(role).filter(|step| step.from[cell] == slot);
            steps.map(|step| step.lane + 1).max()
        };
        let above = |row| {
            lanes(BLOCK, ROW, row).map_or(0.0, |lanes| TO_LANE + (lanes - 1) as f64 * ABOVE + 13.0)
        };
        let before = |column| {
            let lanes = lanes(BLOCK_ROW, COLUMN, column);
            lanes.map_or(0.0, |lanes| TO_LANE + (lanes - 1) as f64 * BESIDE + 6.0)
        };
        Spacing {
            columns: (self.longest(COLUMN) + 2.0 * TO_ARROWS + 6.0).max(42.0),
            rows: 42.0,
            // A length beside an arrow down stays within the width of the cells,
            // out of the way of frames and of the next column.
            cell: self.longest(ROW) + TO_LENGTH + 10.0,
            blocks: self.longest(BLOCK) + 20.0,
            block_rows: self
                .along(BLOCK_ROW)
                .map(|step| step.lane as f64 * LOWER)
                .fold(0.0, f64::max),
            left: self.before_first_column(),
            line_end: match self.along(BLOCK).next() {
                Some(_) => STUB + self.longest(BLOCK) + 6.0,
                None => 0.0,
            },
            before_columns: (0..columns).map(before).collect(),
            above_rows: (0..rows).map(above).collect(),
            ..Spacing::default()
        }
    }

    /// The width of the longest length that is written along an axis.
    fn longest(&self, role: usize) -> f64 {
        let labels = self.along(role).filter(|step| step.labelled);
        labels.map(|step| Font::Small.width(&step.label())).fold(0.0, f64::max)
    }

    /// The room for lengths left of the first column, beside an upright label.
    fn before_first_column(&self) -> f64 {
        let outer = self.along(BLOCK_ROW).filter(|step| step.labelled && step.lane > 0);
        let widths = outer
            .filter(|step| step.from[COLUMN] == 0)
            .map(|step| Font::Small.width(&step.label()));
        widths.fold(0.0, f64::max) + Font::Small.line() + 4.0
    }

    /// Draws an arrow for every step.
    pub(crate) fn draw(&self, layout: &Layout, geometry: &Geometry, into: &mut Scene) {
        // An arrow down and the longest length together are in the middle of a cell.
        let aside = (self.longest(ROW) + TO_LENGTH) / 2.0;
        for step in &self.steps {
            let (from, to) = (geometry.cell(step.from), geometry.cell(step.to));
            let drawn = match step.role {
                COLUMN => along_columns(from, to, geometry.before_column(step.to[COLUMN])),
                ROW => along_rows(from, to, geometry.above_row(step.to[ROW]), aside),
                BLOCK => to_next_block(step, layout, geometry),
                _ => to_block_below(step, layout, geometry),
            };
            for points in drawn.arrows {
                into.arrow(step.kind, points);
            }
            if step.labelled {
                let text = Text::new(Font::Small, drawn.anchor, drawn.at, &step.label());
                into.text(text.look(TextLook::Step(step.kind)));
            }
        }
    }
}

/// The arrows of a step, and where its length is written.
struct Drawn {
    arrows: Vec<Vec<Point>>,
    anchor: Anchor,
    at: Point,
}

/// An arrow to the right; `lanes` is room for other arrows before the second cell.
fn along_columns(from: Area, to: Area, lanes: f64) -> Drawn {
    let (_, y) = from.middle();
    let at = ((from.right() + to.x - lanes) / 2.0, y - 6.0);
    let arrow = vec![(from.right() + TO_ARROWS, y), (to.x - TO_ARROWS, y)];
    Drawn { arrows: vec![arrow], anchor: Anchor::Middle, at }
}

/// An arrow down; `lanes` is room for other arrows above the second cell.
fn along_rows(from: Area, to: Area, lanes: f64, aside: f64) -> Drawn {
    let x = from.middle().0 - aside;
    let at = (x + TO_LENGTH, (from.bottom() + to.y - lanes) / 2.0 + 3.0);
    let arrow = vec![(x, from.bottom() + TO_ARROWS), (x, to.y - TO_ARROWS)];
    Drawn { arrows: vec![arrow], anchor: Anchor::Start, at }
}

/// An arrow in a lane above the row.
fn to_next_block(step: &Step, layout: &Layout, geometry: &Geometry) -> Drawn {
    let (from, to) = (geometry.cell(step.from), geometry.cell(step.to));
    let [x_in, x_out] = BESIDE_ROW_ARROW;
    let (start, end) = (from.middle().0 + x_out, to.middle().0 + x_in);
    let lane = |cell: Area| cell.y - TO_LANE - step.lane as f64 * ABOVE;
    let up = vec![(start, from.y - TO_ARROWS), (start, lane(from))];
    let down = vec![(end, lane(to)), (end, to.y - TO_ARROWS)];
    let [here, there] =
        [step.from, step.to].map(|[block_row, block, ..]| geometry.block(block_row, block, layout));
    if geometry.line(step.from[BLOCK]) == geometry.line(step.to[BLOCK]) {
        let middle = (here.right() + there.x - geometry.before_column(0)) / 2.0;
        let at = (middle, lane(from) - 4.0);
        return Drawn { arrows: vec![[up, down].concat()], anchor: Anchor::Middle, at };
    }
    let stop = (here.right() + STUB, lane(from));
    let again = (there.x - geometry.before_column(0) - STUB / 2.0, lane(to));
    let arrows = vec![[up, vec![stop]].concat(), [vec![again], down].concat()];
    Drawn { arrows, anchor: Anchor::Start, at: (stop.0 + 4.0, stop.1 + 4.0) }
}

/// An arrow in a lane left of the column.
fn to_block_below(step: &Step, layout: &Layout, geometry: &Geometry) -> Drawn {
    let (from, to) = (geometry.cell(step.from), geometry.cell(step.to));
    let [y_in, y_out] = BESIDE_COLUMN_ARROW;
    let (start, end) = (from.middle().1 + y_out, to.middle().1 + y_in);
    let x = from.x - TO_LANE - step.lane as f64 * BESIDE;
    let out = vec![(from.x - TO_ARROWS, start), (x, start)];
    let back = vec![(x, end), (to.x - TO_ARROWS, end)];
    let [here, there] =
        [step.from, step.to].map(|[block_row, block, ..]| geometry.block(block_row, block, layout));
    // The first lane has its length on the right, the second on the left and lower, out of
    // the way of the column before.
    let (anchor, aside) = if step.lane == 0 { (Anchor::Start, 5.0) } else { (Anchor::End, -5.0) };
    let at = (x + aside, here.bottom() + 21.0 + step.lane as f64 * LOWER);
    if !geometry.is_wrapped() {
        return Drawn { arrows: vec![[out, back].concat()], anchor, at };
    }
    let stop = (x, here.bottom() + STUB);
    let again = (x, there.y - geometry.above_row(0) - STUB / 2.0);
    let arrows = vec![[out, vec![stop]].concat(), [vec![again], back].concat()];
    Drawn { arrows, anchor, at }
}
