//! Room for arrows from block to block.
//!
//! Such an arrow cannot run straight through the cells between. It leaves its cell
//! at the top, runs in a *lane* above its row, over to the same cell of the next
//! block, and down to it. To the block below it runs in a lane left of its column.
//! Two arrows share a lane if they do not overlap along it.
//!
//! Running example: of the arrows from block 0 to 1 and from 1 to 2, both at the
//! first cell, the second starts where the first ends: one lane will do. Another
//! arrow from block 0 to 1, at the second cell of the same row, takes a second.

use std::collections::BTreeMap;

use crate::layout::{BLOCK, BLOCK_ROW, COLUMN, Place, ROLES, ROW};

/// The most lanes above a row: more would push the rows too far apart.
const MOST_ABOVE: usize = 3;
/// The most lanes beside a column, the length of an arrow on either side of them.
const MOST_BESIDE: usize = 2;

/// The lanes taken along one axis.
pub(crate) struct Lanes {
    role: usize,
    lengths: [usize; ROLES],
    /// The arrows in each lane, by the row or column of cells that the lane goes along:
    /// where they start and end, counted in cells.
    taken: BTreeMap<[usize; 2], Vec<Vec<[usize; 2]>>>,
}

impl Lanes {
    /// No lane is taken.
    pub(crate) fn new(role: usize, lengths: [usize; ROLES]) -> Lanes {
        Lanes { role, lengths, taken: BTreeMap::new() }
    }

    /// Takes a lane for an arrow from a cell to the same one of the next block; `None` if
    /// all are taken.
    pub(crate) fn take(&mut self, from: Place) -> Option<usize> {
        let (track, cell, most) = if self.role == BLOCK {
            ([from[BLOCK_ROW], from[ROW]], COLUMN, MOST_ABOVE)
        } else {
            ([from[BLOCK], from[COLUMN]], ROW, MOST_BESIDE)
        };
        let length = self.lengths[cell];
        let start = from[self.role] * length + from[cell];
        let arrow = [start, start + length];
        let lanes = self.taken.entry(track).or_default();
        let apart = |other: &[usize; 2]| arrow[1] <= other[0] || other[1] <= arrow[0];
        let lane = match lanes.iter().position(|lane| lane.iter().all(apart)) {
            Some(lane) => lane,
            None if lanes.len() < most => {
                lanes.push(Vec::new());
                lanes.len() - 1
            }
            None => return None,
        };
        lanes[lane].push(arrow);
        Some(lane)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrows_beside_each_other_have_lanes_of_their_own() {
        // Two rows of four blocks with three rows and five columns.
        let mut lanes = Lanes::new(BLOCK, [2, 4, 3, 5]);
        let rows = [
            ([0, 0, 0, 0], Some(0)),
            ([0, 1, 0, 0], Some(0)),
            ([0, 0, 0, 1], Some(1)),
            ([0, 0, 0, 4], Some(2)),
            ([0, 0, 0, 3], None),
            // Other rows have room above them.
            ([0, 0, 1, 3], Some(0)),
            ([1, 0, 0, 3], Some(0)),
        ];
        for (from, lane) in rows {
            assert_eq!(lanes.take(from), lane, "{from:?}");
        }

        let mut lanes = Lanes::new(BLOCK_ROW, [4, 2, 3, 5]);
        let rows = [
            ([0, 0, 0, 0], Some(0)),
            ([1, 0, 0, 0], Some(0)),
            ([0, 0, 2, 0], Some(1)),
            ([0, 0, 1, 0], None),
            ([0, 0, 1, 1], Some(0)),
            ([0, 1, 1, 0], Some(0)),
        ];
        for (from, lane) in rows {
            assert_eq!(lanes.take(from), lane, "{from:?}");
        }
    }
}
