//! Which indices of a shape are shown, and where an ellipsis stands for others.
//!
//! The last four axes have roles: rows of blocks, blocks, rows and columns. A
//! shape with fewer axes has one slot in the roles it lacks; a shape with more first
//! loses its unit axes, then stays at one index of its leading axes, unless the wanted
//! indices differ along them.
//!
//! Running example: (1000,1000) shows the rows 0 to 6, …, 998, 999 and the
//! columns 0 to 8, …, 998, 999.
//!
//! Cost: the number of slots, never the sizes of the axes.

use std::collections::BTreeSet;

use viewmerge::Index;

/// The number of axes a picture can show.
pub(crate) const ROLES: usize = 4;
/// The role of the axis whose indices are rows of blocks.
pub(crate) const BLOCK_ROW: usize = 0;
/// The role of the axis whose indices are blocks beside each other.
pub(crate) const BLOCK: usize = 1;
/// The role of the axis whose indices are rows of a block.
pub(crate) const ROW: usize = 2;
/// The role of the axis whose indices are columns of a block.
pub(crate) const COLUMN: usize = 3;

/// A cell of a picture, by the number of its slot in each role.
pub(crate) type Place = [usize; ROLES];

/// How far the axis of each role is shown if there is room.
const USUAL: [usize; ROLES] = [4, 6, 10, 12];
/// A shortened axis keeps its first and last index and the ellipsis.
const LEAST: usize = 3;
/// Without its last index.
const NO_LAST: usize = 2;
/// Without its first index either.
const ONLY_WANTED: usize = 1;
/// The cells for which [`USUAL`] is meant.
pub(crate) const USUAL_CELLS: usize = 240;
/// Never more cells than this are shown.
pub(crate) const MOST_CELLS: usize = 10_000;

/// How much may be shown.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Room {
    /// Cells in all.
    cells: usize,
    /// Columns of all blocks together.
    pub columns: usize,
    /// Rows of all rows of blocks together.
    rows: usize,
    /// Slots of each axis.
    ceilings: [usize; ROLES],
}

impl Room {
    /// Room for about this many cells, on a page that grows evenly in both directions.
    pub(crate) fn for_cells(cells: usize) -> Room {
        let cells = cells.clamp(1, MOST_CELLS);
        // In hundredths, so that a little more room is not rounded away.
        let scale = (cells * 10_000 / USUAL_CELLS).isqrt().max(100);
        let scaled = |usual: usize| usual * scale / 100;
        Room { cells, columns: scaled(30), rows: scaled(24), ceilings: USUAL.map(scaled) }
    }

    /// The same room with fewer columns in a block, by some factor; `None` if they are
    /// the fewest already. If some indices are wanted, the first and the last may be left
    /// out too.
    pub(crate) fn narrowed(self, factor: f64, wanted: &[Index]) -> Option<Room> {
        let least = if wanted.is_empty() { LEAST } else { ONLY_WANTED };
        let columns = self.ceilings[COLUMN];
        if columns <= least {
            return None;
        }
        let fewer = (columns as f64 * factor) as usize;
        let mut ceilings = self.ceilings;
        // Below the usual minimum, one step at a time.
        ceilings[COLUMN] = fewer.clamp(LEAST.min(columns - 1), columns - 1);
        Some(Room { ceilings, ..self })
    }
}

/// One place along an axis.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Slot {
    /// An index of the axis.
    At(i64),
    /// Indices left out.
    Gap,
}

/// The shown part of one axis.
#[derive(Debug, Clone)]
pub(crate) struct ShownAxis {
    /// Its number in the shape; `None` if the shape has no axis in this role.
    pub number: Option<usize>,
    /// Its name.
    pub name: String,
    /// Its places, in order; one if the shape has no axis in this role.
    pub slots: Vec<Slot>,
}

/// The shown part of a shape.
#[derive(Debug, Clone)]
pub(crate) struct Layout {
    /// The axis in each role.
    pub axes: [ShownAxis; ROLES],
    /// The fixed index on axes without a role.
    resting: Index,
    /// Axes without a role that have other indices too.
    surplus: Vec<usize>,
}

impl Layout {
    /// The part of a shape to show, including the `wanted` indices if possible;
    /// `None` if there are no elements.
    pub(crate) fn new(shape: &[i64], room: Room, wanted: &[Index]) -> Option<Layout> {
        if shape.contains(&0) {
            return None;
        }
        let mut kept: Vec<usize> = (0..shape.len()).collect();
        if kept.len() > ROLES {
            kept.retain(|&axis| shape[axis] != 1);
        }
        // Axes along which wanted indices differ come first, then the last ones. The
        // first two wanted indices of a step differ along its own axis alone.
        let differ = |count: usize, axis: usize| {
            wanted.iter().take(count).any(|index| index[axis] != wanted[0][axis])
        };
        kept.sort_by_key(|&axis| (differ(2, axis), differ(wanted.len(), axis), axis));
        let mut surplus: Vec<_> = kept.drain(..kept.len().saturating_sub(ROLES)).collect();
        surplus.sort_unstable();
        kept.sort_unstable();
        let missing = ROLES - kept.len();
        let number = |role: usize| role.checked_sub(missing).map(|place| kept[place]);
        let sizes = std::array::from_fn(|role| number(role).map_or(1, |axis| shape[axis]));
        let lengths = share_room(sizes, room);
        let axes = std::array::from_fn(|role| {
            let number = number(role);
            let wanted = number.map(|axis| wanted.iter().map(move |index| index[axis]));
            let slots = slots(sizes[role], lengths[role], wanted.into_iter().flatten());
            let name = number.map_or(String::new(), |axis| format!("axis {axis}"));
            ShownAxis { number, name, slots }
        });
        let resting = wanted.first().cloned().unwrap_or_else(|| shape.iter().map(|_| 0).collect());
        Some(Layout { axes, resting, surplus })
    }

    /// The number of slots in each role.
    pub(crate) fn lengths(&self) -> [usize; ROLES] {
        std::array::from_fn(|role| self.axes[role].slots.len())
    }

    /// The index at a place, given by slot numbers; `None` if an ellipsis is there.
    pub(crate) fn index(&self, place: Place) -> Option<Index> {
        let mut index = self.resting.clone();
        for (axis, slot) in self.axes.iter().zip(place) {
            match (axis.slots[slot], axis.number) {
                (Slot::Gap, _) => return None,
                (Slot::At(i), Some(number)) => index[number] = i,
                (Slot::At(_), None) => {}
            }
        }
        Some(index)
    }

    /// Where an index is shown, in slot numbers.
    pub(crate) fn place(&self, index: &[i64]) -> Option<Place> {
        if self.surplus.iter().any(|&axis| index[axis] != self.resting[axis]) {
            return None;
        }
        let mut place = [0; ROLES];
        for (axis, slot) in self.axes.iter().zip(&mut place) {
            let i = axis.number.map_or(0, |number| index[number]);
            *slot = axis.slots.iter().position(|&shown| shown == Slot::At(i))?;
        }
        Some(place)
    }

    /// A sentence on the axes that are not shown.
    pub(crate) fn note(&self) -> Option<String> {
        let parts: Vec<_> = self
            .surplus
            .iter()
            .map(|&axis| format!("axis {axis} = {}", self.resting[axis]))
            .collect();
        (!parts.is_empty()).then(|| format!("shown where {}", parts.join(", ")))
    }
}

/// How many slots each axis gets: all grow in proportion to [`USUAL`] until the room is used up.
fn share_room(sizes: [i64; ROLES], room: Room) -> [usize; ROLES] {
    let whole = sizes.map(|size| usize::try_from(size).unwrap_or(usize::MAX));
    let mut lengths: [usize; ROLES] =
        std::array::from_fn(|role| whole[role].min(LEAST).min(room.ceilings[role]));
    let fits = |lengths: &[usize; ROLES]| {
        lengths.iter().product::<usize>() <= room.cells
            && lengths[BLOCK] * lengths[COLUMN] <= room.columns
            && lengths[BLOCK_ROW] * lengths[ROW] <= room.rows
    };
    loop {
        let grown = |role: usize| {
            let mut more = lengths;
            more[role] += 1;
            more
        };
        let next = (0..ROLES)
            .filter(|&role| lengths[role] < whole[role].min(room.ceilings[role]))
            .filter(|&role| fits(&grown(role)))
            .min_by_key(|&role| lengths[role] * 1000 / USUAL[role]);
        match next {
            Some(role) => lengths = grown(role),
            None => return lengths,
        }
    }
}

/// The first few indices, the wanted ones and the last, with gaps between them.
fn slots(size: i64, length: usize, wanted: impl Iterator<Item = i64>) -> Vec<Slot> {
    let (head, tail) = match length {
        ONLY_WANTED => (0, 0),
        NO_LAST => (1, 0),
        ..8 => (length - 2, 1),
        _ => (length - 3, 2),
    };
    let [length, head, tail] = [length, head, tail].map(|n| i64::try_from(n).unwrap_or(i64::MAX));
    if size <= length {
        return (0..size).map(Slot::At).collect();
    }
    let mut shown: BTreeSet<i64> = (0..head).chain(size - tail..size).collect();
    shown.extend(wanted);
    let mut slots = Vec::new();
    let mut next = 0;
    for i in shown {
        match i - next {
            0 => {}
            // An ellipsis would take the place of the one index it stands for.
            1 => slots.push(Slot::At(next)),
            _ => slots.push(Slot::Gap),
        }
        slots.push(Slot::At(i));
        next = i + 1;
    }
    if next < size {
        slots.push(Slot::Gap);
    }
    slots
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(axis: &ShownAxis) -> String {
        let slots = axis.slots.iter().map(|slot| match slot {
            Slot::At(i) => i.to_string(),
            Slot::Gap => "…".to_owned(),
        });
        slots.collect::<Vec<_>>().join(" ")
    }

    fn layout(shape: &[i64], cells: usize, wanted: &[Index]) -> Layout {
        Layout::new(shape, Room::for_cells(cells), wanted).expect("elements")
    }

    #[test]
    fn long_axes_are_cut_short() {
        // (shape, cells, the columns, the rows)
        let rows: [(&[i64], usize, &str, &str); 7] = [
            (&[], 240, "0", "0"),
            (&[5], 240, "0 1 2 3 4", "0"),
            (&[12], 240, "0 1 2 3 4 5 6 7 8 9 10 11", "0"),
            (&[13], 240, "0 1 2 3 4 5 6 7 8 … 11 12", "0"),
            (&[1000, 1000], 240, "0 1 2 3 4 5 6 7 8 … 998 999", "0 1 2 3 4 5 6 … 998 999"),
            (&[1 << 31, 1 << 31], 1, "0 … 2147483647", "0 … 2147483647"),
            (&[100], 960, "0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 … 98 99", "0"),
        ];
        for (shape, cells, columns, rows) in rows {
            let found = layout(shape, cells, &[]);
            assert_eq!(written(&found.axes[COLUMN]), columns, "{shape:?}");
            assert_eq!(written(&found.axes[ROW]), rows, "{shape:?}");
        }
    }

    #[test]
    fn wanted_indices_are_shown() {
        let wanted = [Index::from([500]), Index::from([10])];
        let found = layout(&[1000], 240, &wanted);
        assert_eq!(written(&found.axes[COLUMN]), "0 1 2 3 4 5 6 7 8 9 10 … 500 … 998 999");
        assert_eq!(found.place(&[500]), Some([0, 0, 0, 12]));
        assert_eq!(found.place(&[501]), None);

        let mut room = Room::for_cells(240);
        for expected in
            ["0 1 2 3 … 10 … 500 … 999", "0 … 10 … 500 … 999", "0 … 10 … 500 …", "… 10 … 500 …"]
        {
            room = room.narrowed(0.5, &wanted).expect("can be narrower");
            let found = Layout::new(&[1000], room, &wanted).expect("elements");
            assert_eq!(written(&found.axes[COLUMN]), expected);
        }
        assert!(room.narrowed(0.5, &wanted).is_none());
        let least = Room::for_cells(240).narrowed(0.1, &[]).expect("can be narrower");
        assert!(least.narrowed(0.1, &[]).is_none());
    }

    #[test]
    fn the_room_is_kept() {
        for cells in [1, 100, 240, 1000, 10_000, usize::MAX] {
            for shape in [&[1 << 15; 4][..], &[2, 1 << 40, 3], &[1 << 62], &[7; 9]] {
                let found = layout(shape, cells, &[]).lengths();
                let least = LEAST.pow(ROLES as u32);
                assert!(found.iter().product::<usize>() <= cells.clamp(least, MOST_CELLS));
            }
        }
    }

    #[test]
    fn more_than_four_axes() {
        let found = layout(&[2, 1, 3, 1, 4, 5], 240, &[]);
        assert_eq!(found.axes.each_ref().map(|axis| axis.number), [0, 2, 4, 5].map(Some));
        assert_eq!(found.note(), None);

        let found = layout(&[2, 3, 2, 2, 1, 2, 2], 240, &[]);
        assert_eq!(found.axes.each_ref().map(|axis| axis.number), [2, 3, 5, 6].map(Some));
        assert_eq!(found.note().as_deref(), Some("shown where axis 0 = 0, axis 1 = 0"));
        assert_eq!(found.place(&[0, 1, 0, 0, 0, 0, 0]), None);

        let wanted = [Index::from([1, 2, 0, 0, 0, 1, 1])];
        let found = layout(&[2, 3, 2, 2, 1, 2, 2], 240, &wanted);
        assert_eq!(found.place(&wanted[0]), Some([0, 0, 1, 1]));
        assert_eq!(found.index([0, 0, 1, 1]), Some(wanted[0].clone()));

        // A step along axis 1 is shown, although that is not one of the last four.
        let wanted = [[1, 1, 0, 0, 0, 1, 1], [1, 2, 0, 0, 0, 1, 1]].map(Index::from);
        let found = layout(&[2, 3, 2, 2, 1, 2, 2], 240, &wanted);
        assert_eq!(found.axes.each_ref().map(|axis| axis.number), [1, 3, 5, 6].map(Some));
        assert_eq!(
            wanted.each_ref().map(|i| found.place(i)),
            [Some([1, 0, 1, 1]), Some([2, 0, 1, 1])]
        );
        assert_eq!(found.note().as_deref(), Some("shown where axis 0 = 1, axis 2 = 0"));
    }

    #[test]
    fn no_elements() {
        assert!(Layout::new(&[3, 0], Room::for_cells(9), &[]).is_none());
    }
}
