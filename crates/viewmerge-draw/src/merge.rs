//! The steps between neighbours, and the indices that show why a chain is not one view.
//!
//! A view has one step an axis. So the first step along an axis is taken as the
//! one to keep, and every other one that differs stands out.
//!
//! Running example: `(10,3,3):(8,1,2) | (6):(4)` has the steps 3, 3, 3, 3, 8; the
//! last one is odd.

use svg::node::Node;
use svg::node::element::{Element, Group};
use viewmerge::{Index, Witness};

use crate::geometry::{Area, Geometry, Spacing};
use crate::grid::{Cell, Grid, path, rectangle};
use crate::layout::{COLUMN, ROLES, ROW};
use crate::text::{Anchor, Font, rounded, text};

/// From a cell to the arrows beside it; frames around cells come between.
const TO_ARROWS: f64 = 9.0;
/// From an arrow down to its length.
const TO_LENGTH: f64 = 7.0;
/// The margins of frames: two around the same cell do not cover each other.
const MARGINS: [f64; 2] = [3.5, 6.5];

/// A step between two neighbouring cells of a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Step {
    /// The role of the axis it goes along.
    role: usize,
    from: [usize; ROLES],
    to: [usize; ROLES],
    length: i128,
    /// Whether it differs from the first one along its axis.
    odd: bool,
    /// Whether its length is written: odd ones, and the first of the others.
    labelled: bool,
}

impl Step {
    fn label(&self) -> String {
        format!("{:+}", self.length)
    }
}

/// All steps that are shown along rows and columns.
#[derive(Debug, Clone)]
pub(crate) struct Steps(Vec<Step>);

impl Steps {
    /// The steps between neighbours that both have a memory position.
    pub(crate) fn of(grid: &Grid) -> Steps {
        let lengths = grid.layout.lengths();
        let mut steps = Vec::new();
        for role in [COLUMN, ROW] {
            let mut first = None;
            for (from, cell) in grid.iter() {
                let mut to = from;
                to[role] += 1;
                if to[role] == lengths[role] {
                    continue;
                }
                let (Cell::At(here), Cell::At(there)) = (cell, grid.cell(to)) else { continue };
                let length = i128::from(there) - i128::from(here);
                let labelled = first.is_none_or(|first| first != length);
                let odd = labelled && first.is_some();
                first = first.or(Some(length));
                steps.push(Step { role, from, to, length, odd, labelled });
            }
        }
        Steps(steps)
    }

    /// The room that arrows and their lengths need.
    pub(crate) fn spacing(&self) -> Spacing {
        let columns = (self.longest(COLUMN) + 2.0 * TO_ARROWS + 6.0).max(42.0);
        // A length beside an arrow down stays within the width of the cells,
        // out of the way of frames and of the next column.
        let cell = self.longest(ROW) + TO_LENGTH + 10.0;
        Spacing { columns, rows: 42.0, cell }
    }

    /// The width of the longest label along rows or columns.
    fn longest(&self, role: usize) -> f64 {
        let labels = self.0.iter().filter(|step| step.labelled && step.role == role);
        labels.map(|step| Font::Small.width(&step.label())).fold(0.0, f64::max)
    }

    /// Draws an arrow for every step.
    pub(crate) fn draw(&self, geometry: &Geometry, into: &mut Group) {
        // An arrow down and the longest length together are in the middle of a cell.
        let aside = (self.longest(ROW) + TO_LENGTH) / 2.0;
        for step in &self.0 {
            let (from, to) = (geometry.cell(step.from), geometry.cell(step.to));
            let (line, tip, label) = if step.odd {
                ("line odd", "tip odd", "step odd")
            } else {
                ("line", "tip", "step")
            };
            let (start, end, anchor, at) = if step.role == COLUMN {
                let (_, y) = from.middle();
                let (start, end) = (from.right() + TO_ARROWS, to.x - TO_ARROWS);
                let at = ((start + end) / 2.0, y - 6.0);
                ((start, y), (end, y), Anchor::Middle, at)
            } else {
                let x = from.middle().0 - aside;
                let (start, end) = (from.bottom() + TO_ARROWS, to.y - TO_ARROWS);
                let at = (x + TO_LENGTH, (start + end) / 2.0 + 3.0);
                ((x, start), (x, end), Anchor::Start, at)
            };
            let ahead = (f64::from(step.role == COLUMN) * 5.0, f64::from(step.role == ROW) * 5.0);
            let neck = (end.0 - ahead.0, end.1 - ahead.1);
            into.append(path(line, &[[start, neck]]));
            into.append(arrowhead(tip, neck, end));
            if step.labelled {
                into.append(text(Font::Small, label, anchor, at, &step.label()));
            }
        }
    }
}

/// A triangle from the neck of an arrow to its end.
fn arrowhead(class: &str, neck: (f64, f64), end: (f64, f64)) -> Element {
    let (across, along) = ((end.1 - neck.1) * 0.8, (end.0 - neck.0) * 0.8);
    let corners = [(neck.0 - across, neck.1 - along), (neck.0 + across, neck.1 + along), end];
    let corners = corners.map(|(x, y)| format!("{},{}", rounded(x), rounded(y)));
    let mut element = Element::new("polygon");
    element.assign("class", class);
    element.assign("points", corners.join(" "));
    element
}

/// The indices a witness speaks of.
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

fn next(index: &Index, axis: usize) -> Index {
    let mut next = index.clone();
    next[axis] += 1;
    next
}

/// Draws frames around the cells of a witness, as far as they are shown.
pub(crate) fn draw_witness(witness: &Witness, grid: &Grid, geometry: &Geometry, into: &mut Group) {
    let place = |index: &Index| grid.layout.place(index);
    let area = |index: &Index| place(index).map(|place| geometry.cell(place));
    match witness {
        Witness::Step { axis, at, other, .. } => {
            for (index, class, margin) in
                [(at, "mark good", MARGINS[0]), (other, "mark", MARGINS[1])]
            {
                let (Some(here), Some(there)) = (area(index), area(&next(index, *axis))) else {
                    continue;
                };
                let within_block =
                    [ROW, COLUMN].iter().any(|&role| grid.layout.axes[role].number == Some(*axis));
                if within_block {
                    into.append(frame(class, here.around(there).grown(margin)));
                } else {
                    into.append(frame(class, here.grown(margin)));
                    into.append(frame(class, there.grown(margin)));
                }
            }
        }
        Witness::Hole { valid, invalid } => {
            for index in valid {
                if let Some(area) = area(index) {
                    into.append(frame("mark good", area.grown(MARGINS[0])));
                }
            }
            if let Some(area) = area(invalid) {
                let Area { x, y, .. } = area;
                let (right, bottom) = (area.right(), area.bottom());
                let cross = [[(x, y), (right, bottom)], [(x, bottom), (right, y)]];
                into.append(path("mark cross", &cross));
                into.append(frame("mark", area.grown(MARGINS[0])));
            }
        }
    }
}

fn frame(class: &str, area: Area) -> Element {
    let mut element = rectangle(class, area);
    element.assign("rx", 4);
    element
}

#[cfg(test)]
mod tests {
    use viewmerge::{View, ViewChain};

    use super::*;
    use crate::function::Function;
    use crate::layout::Room;

    fn steps(views: &[&str]) -> Vec<Step> {
        let views: Vec<View> = views.iter().map(|view| view.parse().expect(view)).collect();
        let chain = ViewChain::from_views(&views).expect("composes");
        Steps::of(&Grid::new(Function::Chain(&chain), Room::for_cells(240), &[]).expect("elements"))
            .0
    }

    #[test]
    fn odd_steps_stand_out() {
        // (views, steps along columns, steps along rows); odd ones in brackets
        let rows: [(&[&str], &str, &str); 5] = [
            (&["(10,3,3):(8,1,2)", "(6):(4)"], "3 3 3 3 [8]", ""),
            (&["(3,2):(1,3)", "(6)"], "3 [-2] 3 [-2] 3", ""),
            (&["(2,2):(5,7)"], "7 7", "5 5"),
            (&["(5):(1)-1 [1:4]"], "1 1", ""),
            (&["()"], "", ""),
        ];
        for (views, columns, down) in rows {
            let found = steps(views);
            let written = |role: usize| {
                let along = found.iter().filter(|step| step.role == role);
                let written = along.map(|step| {
                    let length = step.length;
                    if step.odd { format!("[{length}]") } else { length.to_string() }
                });
                written.collect::<Vec<_>>().join(" ")
            };
            assert_eq!(written(COLUMN), columns, "{views:?}");
            assert_eq!(written(ROW), down, "{views:?}");
        }
    }

    #[test]
    fn a_common_step_is_written_once() {
        let found = steps(&["(2,3,4)"]);
        let labelled: Vec<_> = found.iter().filter(|step| step.labelled).collect();
        assert_eq!(labelled.iter().map(|step| step.length).collect::<Vec<_>>(), [1, 4]);
    }
}
