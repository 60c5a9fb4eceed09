//! The indices that show why a chain is not one view, and the frames around them.

use viewmerge::{Index, Witness};

use crate::area::Area;
use crate::geometry::Geometry;
use crate::grid::Grid;
use crate::layout::{COLUMN, Place, ROW};
use crate::scene::{Kind, Look, Scene};

/// The margins of frames; they differ so that two around the same cell are both visible.
const MARGINS: [f64; 2] = [3.5, 6.5];

/// The indices of a witness.
pub(crate) fn indices(witness: &Witness) -> Vec<Index> {
    match witness {
        Witness::Step { axis, at, other, .. } => {
            vec![at.clone(), next(at, *axis), other.clone(), next(other, *axis)]
        }
        Witness::Hole { valid: [first, second], invalid } => {
            vec![first.clone(), second.clone(), invalid.clone()]
        }
    }
}

/// The places where the two steps of a witness start, as far as they are shown.
pub(crate) fn steps_from(witness: Option<&Witness>, grid: &Grid) -> Vec<Place> {
    match witness {
        Some(Witness::Step { at, other, .. }) => {
            [at, other].iter().filter_map(|index| grid.layout.place(index)).collect()
        }
        _ => Vec::new(),
    }
}

fn next(index: &Index, axis: usize) -> Index {
    let mut next = index.clone();
    next[axis] += 1;
    next
}

/// Draws frames around the cells of a witness, as far as they are shown.
pub(crate) fn draw(witness: &Witness, grid: &Grid, geometry: &Geometry, into: &mut Scene) {
    let place = |index: &Index| grid.layout.place(index);
    let area = |index: &Index| place(index).map(|place| geometry.cell(place));
    match witness {
        Witness::Step { axis, at, other, .. } => {
            for (index, kind, margin) in
                [(at, Kind::Usual, MARGINS[0]), (other, Kind::Odd, MARGINS[1])]
            {
                let (Some(here), Some(there)) = (area(index), area(&next(index, *axis))) else {
                    continue;
                };
                let within_block =
                    [ROW, COLUMN].iter().any(|&role| grid.layout.axes[role].number == Some(*axis));
                if within_block {
                    into.frame(kind, here.around(there).grown(margin));
                } else {
                    into.frame(kind, here.grown(margin));
                    into.frame(kind, there.grown(margin));
                }
            }
        }
        Witness::Hole { valid, invalid } => {
            for index in valid {
                if let Some(area) = area(index) {
                    into.frame(Kind::Usual, area.grown(MARGINS[0]));
                }
            }
            if let Some(area) = area(invalid) {
                let Area { x, y, .. } = area;
                let (right, bottom) = (area.right(), area.bottom());
                let cross = vec![vec![(x, y), (right, bottom)], vec![(x, bottom), (right, y)]];
                into.lines(Look::Cross, cross);
                into.frame(Kind::Odd, area.grown(MARGINS[0]));
            }
        }
    }
}
