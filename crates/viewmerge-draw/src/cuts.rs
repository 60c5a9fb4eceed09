//! Lines between the cells on both sides of a cut.
//!
//! An axis of 12 that is cut at multiples of 3 has lines before its indices 3, 6 and 9.
//! They extend beyond the edges of the cells, those of a coarser cut farther.

use crate::geometry::Geometry;
use crate::layout::{BLOCK, BLOCK_ROW, COLUMN, Layout, ROLES, ROW, Slot};
use crate::scene::{Kind, Look, Scene};

/// How far a line of the finest cut extends.
const OUT: f64 = 3.0;
/// How much farther those of each coarser cut extend.
const FARTHER: f64 = 1.5;
/// The farthest that a line extends, since the labels lie beyond.
const MOST_OUT: f64 = 6.0;

/// Draws the lines of all blocks; `cuts` are the multiples at which the axis of a role is cut.
pub(crate) fn draw(
    layout: &Layout,
    cuts: &[Vec<i64>; ROLES],
    geometry: &Geometry,
    into: &mut Scene,
) {
    let shown = |role: usize| {
        let slots = layout.axes[role].slots.iter().enumerate();
        slots.filter(|(_, slot)| **slot != Slot::Gap).map(|(number, _)| number)
    };
    let [columns, rows] = [COLUMN, ROW].map(|role| lines(&layout.axes[role].slots, &cuts[role]));
    let mut strokes = Vec::new();
    for block_row in shown(BLOCK_ROW) {
        for block in shown(BLOCK) {
            let area = geometry.block(block_row, block, layout);
            for &(column, out) in &columns {
                let x = geometry.cell([block_row, block, 0, column]).x;
                strokes.push(vec![(x, area.y - out), (x, area.bottom() + out)]);
            }
            for &(row, out) in &rows {
                let y = geometry.cell([block_row, block, row, 0]).y;
                strokes.push(vec![(area.x - out, y), (area.right() + out, y)]);
            }
        }
    }
    if !strokes.is_empty() {
        into.lines(Look::Frame(Kind::Usual), strokes);
    }
}

/// The slots that a line precedes, and how far it extends.
fn lines(slots: &[Slot], cuts: &[i64]) -> Vec<(usize, f64)> {
    let line = |number: usize| {
        let (Slot::At(_), Slot::At(index)) = (slots[number - 1], slots[number]) else {
            return None;
        };
        let coarsest = cuts.iter().rposition(|place| index % place == 0)?;
        Some((number, (OUT + FARTHER * coarsest as f64).min(MOST_OUT)))
    };
    (1..slots.len()).filter_map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_where_the_cuts_are() {
        let slots: Vec<Slot> = (0..12).map(Slot::At).collect();
        assert_eq!(lines(&slots, &[3]), [(3, 3.0), (6, 3.0), (9, 3.0)]);
        assert_eq!(lines(&slots, &[3, 6]), [(3, 3.0), (6, 4.5), (9, 3.0)]);
        assert_eq!(lines(&slots, &[]), []);
        // No line beside an ellipsis, which stands for indices on both sides of the cut.
        let cut = [Slot::At(0), Slot::Gap, Slot::At(6), Slot::At(7)];
        assert_eq!(lines(&cut, &[3]), []);
    }
}
