//! The steps between neighbours: which are drawn, and which of them stand out.
//!
//! A view has one step for each axis. So the first step along an axis is the one to keep,
//! or the one the witness keeps, and every step that differs from it stands out.
//!
//! Within a block every step is drawn. Between two neighbouring blocks there is a
//! step for each cell, mostly of the same length: each *length* is drawn once, from the
//! witness's cell if that has it, else from the first cell that has it and has room for
//! an arrow ([`lanes`](crate::lanes)).
//!
//! Running example: `(10,3,3):(8,1,2) | (6):(4)` has the steps 3, 3, 3, 3, 8; the
//! last one is odd.
//!
//! Cost: the number of cells.

use viewmerge::Witness;

use crate::cell::Cell;
use crate::grid::Grid;
use crate::lanes::Lanes;
use crate::layout::{BLOCK, BLOCK_ROW, COLUMN, Place, ROW};
use crate::scene::Kind;
use crate::witness::steps_from;

/// A step between two neighbouring cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Step {
    /// The role of the axis it goes along.
    pub role: usize,
    pub from: Place,
    pub to: Place,
    pub length: i128,
    /// Whether it differs from the one to keep along its axis.
    pub kind: Kind,
    /// Whether its length is written: that of odd steps, of the witness's, and of the first of the
    /// others.
    pub labelled: bool,
    /// How far from the cells it runs, if it goes to another block.
    pub lane: usize,
}

impl Step {
    /// The length as text.
    pub(crate) fn label(&self) -> String {
        format!("{:+}", self.length)
    }
}

/// All steps that are drawn.
#[derive(Debug, Clone, Default)]
pub(crate) struct Steps {
    pub steps: Vec<Step>,
    /// How many lengths between blocks were left out for lack of room.
    pub left_out: usize,
}

/// A length between two blocks, and the cells that have it.
struct Group {
    length: i128,
    from: Vec<Place>,
}

impl Steps {
    /// The steps between neighbours that both have a memory position.
    pub(crate) fn of(grid: &Grid, witness: Option<&Witness>) -> Steps {
        let mut steps = Steps::default();
        for role in [COLUMN, ROW, BLOCK, BLOCK_ROW] {
            let shown = Along::new(grid, role, witness);
            if role == COLUMN || role == ROW {
                shown.every_step(&mut steps);
            } else {
                shown.every_length(&mut steps);
            }
        }
        steps
    }

    /// The steps along the axis in a role.
    pub(crate) fn along(&self, role: usize) -> impl Iterator<Item = &Step> + '_ {
        self.steps.iter().filter(move |step| step.role == role)
    }
}

/// The steps along one axis.
struct Along<'a> {
    grid: &'a Grid,
    role: usize,
    /// The step to keep, if the witness gives one.
    kept: Option<i128>,
    /// Where the steps of the witness start, if they go along this axis.
    witnessed: Vec<Place>,
}

impl Along<'_> {
    fn new<'a>(grid: &'a Grid, role: usize, witness: Option<&Witness>) -> Along<'a> {
        let number = grid.layout.axes[role].number;
        match witness {
            Some(Witness::Step { axis, step, .. }) if number == Some(*axis) => Along {
                grid,
                role,
                kept: Some(i128::from(*step)),
                witnessed: steps_from(witness, grid),
            },
            _ => Along { grid, role, kept: None, witnessed: Vec::new() },
        }
    }

    /// The end and the length of a step from a place.
    fn step(&self, from: Place) -> Option<(Place, i128)> {
        let mut to = from;
        to[self.role] += 1;
        if to[self.role] == self.grid.layout.lengths()[self.role] {
            return None;
        }
        match (self.grid.cell(from), self.grid.cell(to)) {
            (Cell::At(here), Cell::At(there)) => Some((to, i128::from(there) - i128::from(here))),
            _ => None,
        }
    }

    fn every_step(&self, into: &mut Steps) {
        let found = self
            .grid
            .iter()
            .filter_map(|(from, _)| self.step(from).map(|(to, length)| (from, to, length)));
        let start = into.steps.len();
        into.steps.extend(found.map(|(from, to, length)| self.plain(from, to, length, 0)));
        self.judge(&mut into.steps[start..]);
    }

    fn every_length(&self, into: &mut Steps) {
        let mut groups = self.groups();
        // The steps of the witness come first: there is always room for two.
        let seen = |group: &Group| group.from.iter().any(|from| self.witnessed.contains(from));
        groups.sort_by_key(|group| !seen(group));
        let mut lanes = Lanes::new(self.role, self.grid.layout.lengths());
        let start = into.steps.len();
        for Group { length, mut from } in groups {
            from.sort_by_key(|from| !self.witnessed.contains(from));
            let drawn = from.into_iter().find_map(|from| {
                let (to, _) = self.step(from)?;
                Some(self.plain(from, to, length, lanes.take(from)?))
            });
            into.left_out += usize::from(drawn.is_none());
            into.steps.extend(drawn);
        }
        into.steps[start..].sort_by_key(|step| step.from);
        self.judge(&mut into.steps[start..]);
    }

    /// The lengths between any two neighbouring blocks, in order.
    fn groups(&self) -> Vec<Group> {
        let mut groups: Vec<Group> = Vec::new();
        // The groups of the current blocks.
        let mut current = ([usize::MAX; 2], 0);
        for (from, _) in self.grid.iter() {
            let Some((_, length)) = self.step(from) else { continue };
            let block = [from[BLOCK_ROW], from[BLOCK]];
            if current.0 != block {
                current = (block, groups.len());
            }
            match groups[current.1..].iter_mut().find(|group| group.length == length) {
                Some(group) => group.from.push(from),
                None => groups.push(Group { length, from: vec![from] }),
            }
        }
        groups
    }

    fn plain(&self, from: Place, to: Place, length: i128, lane: usize) -> Step {
        let (kind, labelled) = (Kind::Usual, false);
        Step { role: self.role, from, to, length, kind, labelled, lane }
    }

    /// Decides which steps are odd and which are labelled.
    fn judge(&self, steps: &mut [Step]) {
        let Some(kept) = self.kept.or(steps.first().map(|step| step.length)) else { return };
        let mut told =
            steps.iter().any(|step| step.length == kept && self.witnessed.contains(&step.from));
        for step in steps {
            if step.length != kept {
                step.kind = Kind::Odd;
            }
            step.labelled = step.kind == Kind::Odd || self.witnessed.contains(&step.from) || !told;
            told |= step.kind == Kind::Usual;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use viewmerge::{View, ViewChain};
    use viewmerge_testkit::choices::Choices;
    use viewmerge_testkit::generate;

    use super::*;
    use crate::function::Function;
    use crate::layout::{ROLES, Room};
    use crate::witness::indices;

    /// The shown part of a chain, if it has elements.
    fn shown(chain: &ViewChain) -> Option<(Grid, Steps, Option<Witness>)> {
        let verdict = chain.merge().expect("fits");
        let witness = verdict.witness();
        let wanted = witness.map(indices).unwrap_or_default();
        let grid = Grid::new(Function::Chain(chain), Room::for_cells(240), &wanted)?;
        let steps = Steps::of(&grid, witness);
        Some((grid, steps, witness.cloned()))
    }

    fn steps(views: &[&str]) -> Steps {
        let views: Vec<View> = views.iter().map(|view| view.parse().expect(view)).collect();
        shown(&ViewChain::from_views(&views).expect("composes")).expect("elements").1
    }

    fn written(steps: &Steps, role: usize) -> String {
        let written = steps.along(role).map(|step| match step.kind {
            Kind::Odd => format!("[{}]", step.length),
            Kind::Usual => step.length.to_string(),
        });
        written.collect::<Vec<_>>().join(" ")
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
            assert_eq!(written(&found, COLUMN), columns, "{views:?}");
            assert_eq!(written(&found, ROW), down, "{views:?}");
        }
    }

    #[test]
    fn a_length_between_blocks_is_drawn_once() {
        // (views, lengths from block to block beside, below)
        let rows: [(&[&str], &str, &str); 5] = [
            (&["(2,3,4)"], "12", ""),
            (&["(2,2,2,2)"], "4 4", "8 8"),
            (&["(3,2):(1,3)", "(6,2,2):(1,0,0)"], "3 [-2] 3 [-2] 3", ""),
            (&["(3,2):(1,3)", "(2,3,2,2):(3,1,0,0)"], "3 [-2] [-2] 3", "4 [-1] 4"),
            // The cells of two blocks do not agree among themselves.
            (&["(3,2):(1,3)", "(3,4,1):(1,1,0)"], "3 [-2] [-2] 3", ""),
        ];
        for (views, beside, below) in rows {
            let found = steps(views);
            assert_eq!(written(&found, BLOCK), beside, "{views:?}");
            assert_eq!(written(&found, BLOCK_ROW), below, "{views:?}");
            assert_eq!(found.left_out, 0, "{views:?}");
        }
    }

    #[test]
    fn a_common_step_is_written_once() {
        let found = steps(&["(2,3,4,5)"]);
        let labelled: Vec<_> = found.steps.iter().filter(|step| step.labelled).collect();
        assert_eq!(labelled.iter().map(|step| step.length).collect::<Vec<_>>(), [1, 5, 20, 60]);
    }

    /// Checks that any two shown neighbours have an arrow, with the right length.
    fn every_step_is_drawn(chain: &ViewChain) {
        let Some((grid, steps, witness)) = shown(chain) else { return };
        let mut missing = BTreeSet::new();
        for role in 0..ROLES {
            let Some(axis) = grid.layout.axes[role].number else { continue };
            let mut lengths = BTreeSet::new();
            for (from, _) in grid.iter() {
                let Some(index) = grid.layout.index(from) else { continue };
                let mut next = index.clone();
                next[axis] += 1;
                let Some(to) = grid.layout.place(&next) else { continue };
                let position = |index| chain.index(index).expect("in bounds");
                let (Some(here), Some(there)) = (position(&index), position(&next)) else {
                    continue;
                };
                let length = i128::from(there) - i128::from(here);
                lengths.insert(length);
                let found = steps.along(role).find(|step| {
                    let same =
                        if role >= ROW { step.from == from } else { step.from[..2] == from[..2] };
                    same && step.to[role] == to[role] && step.length == length
                });
                if found.is_none() {
                    missing.insert((role, [from[0], from[1]], length));
                }
                let witnessed = match &witness {
                    Some(Witness::Step { axis: along, at, other, .. }) => {
                        *along == axis && (*at == index || *other == index)
                    }
                    _ => false,
                };
                let own = steps.along(role).any(|step| step.from == from && step.labelled);
                assert!(!witnessed || own, "{chain}: no arrow from {index:?}");
            }
            // One length is usual, all others are odd, and each is written at least once.
            let told = |kind| -> BTreeSet<i128> {
                let told = steps.along(role).filter(|step| step.labelled && step.kind == kind);
                told.map(|step| step.length).collect()
            };
            assert!(told(Kind::Usual).is_disjoint(&told(Kind::Odd)), "{chain}");
            assert!(told(Kind::Usual).len() == usize::from(!lengths.is_empty()), "{chain}");
        }
        assert_eq!(missing.len(), steps.left_out, "{chain}: {missing:?}");
        assert!(missing.iter().all(|(role, ..)| *role < ROW), "{chain}: {missing:?}");
    }

    #[test]
    fn every_step_of_random_chains_is_drawn() {
        let mut state = 3u64;
        for _ in 0..1000 {
            let byte = |_| {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                (state >> 56) as u8
            };
            let bytes: Vec<u8> = (0..200).map(byte).collect();
            let views = generate::chain(&mut Choices::new(&bytes));
            if let Ok(chain) = ViewChain::from_views(&views) {
                every_step_is_drawn(&chain);
            }
        }
    }

    #[test]
    fn no_room_for_all_lengths() {
        // Four lengths from the one block to the other, in one row with three lanes.
        let found = steps(&["(2,2,2,2):(1,10,100,1000)", "(2,1,8):(1,0,1)"]);
        assert_eq!((found.along(BLOCK).count(), found.left_out), (3, 1));
    }
}
