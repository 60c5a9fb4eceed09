//! CuTe layouts as people draw them: mode 0 down, mode 1 across, the value in every cell.
//!
//! Further modes are panels; lines show where a mode is nested. `((2,2),4):((1,8),2)`
//! is a grid of 4 by 4 with a line between its rows 1 and 2.
//!
//! A thread-value layout takes (thread, value) to a position of a tile, and is drawn
//! inversely: the tile, with the holder of each cell in it. `(4,2):(2,1)` over a tile of 8
//! has T0 V0, T0 V1, T1 V0, … . A cell can have several holders, or none.
//!
//! Cost: for a layout, the cells drawn; for a thread-value layout, all its positions,
//! 65,536 at most.

use std::collections::{BTreeMap, BTreeSet};

use viewmerge::Index;
use viewmerge_cute::{
    Access, Banks, Conflicts, CoordinateLayout, Error, Layout, Limit, Memory, Mode, Swizzled,
    Tiler, local_tile,
};

use crate::cell::{Banked, Cell, ColourBy, Holder};

/// The most positions of a thread-value layout.
const MOST_HELD: i64 = 1 << 16;

/// A layout, ready to be drawn.
#[derive(Debug, Clone)]
pub(crate) struct Modes {
    pub heading: String,
    /// The sizes of the drawn axes: panels first, then rows and columns.
    pub shape: Vec<i64>,
    /// The name of each axis.
    pub names: Vec<String>,
    /// The multiples at which each axis is cut.
    pub cuts: Vec<Vec<i64>>,
    pub remarks: Vec<String>,
    cells: Cells,
    banked: Option<InBanks>,
    /// The positions that the question is about; all, if `None`.
    only: Option<BTreeSet<i64>>,
}

/// How elements lie in banks, and which thread reads which position in the transaction shown, if
/// any.
#[derive(Debug, Clone)]
struct InBanks {
    bytes: i64,
    banks: Banks,
    readers: BTreeMap<i64, i64>,
}

#[derive(Debug, Clone)]
enum Cells {
    /// What one step of each drawn axis adds to the position; the function.
    Values { places: Vec<i64>, function: Values },
    /// The holders of each position of the tile; what one step of each drawn axis adds to the
    /// position.
    Held { places: Vec<i64>, holders: BTreeMap<i64, Holder>, layout: Layout, threads: i64 },
}

#[derive(Debug, Clone)]
enum Values {
    Plain(Layout),
    Swizzled(Swizzled),
    Coordinates(CoordinateLayout),
}

impl Modes {
    pub(crate) fn of_layout(layout: &Layout) -> Modes {
        Modes::of_values(layout.to_string(), layout.modes(), Values::Plain(layout.clone()))
    }

    pub(crate) fn of_swizzled(swizzled: &Swizzled) -> Modes {
        let function = Values::Swizzled(swizzled.clone());
        Modes::of_values(swizzled.to_string(), swizzled.layout().modes(), function)
    }

    pub(crate) fn of_coordinates(layout: &CoordinateLayout) -> Modes {
        let function = Values::Coordinates(layout.clone());
        let mut modes = Modes::of_values(layout.to_string(), layout.modes(), function);
        modes.remarks.push("coloured by the first coordinate, modulo 16".to_owned());
        modes
    }

    /// A memory in the colours of its banks, and what the worst transaction reads, if known.
    pub(crate) fn of_access(access: &Access, banks: &Banks, told: Option<&Conflicts>) -> Modes {
        let mut modes = match &access.memory {
            Memory::Plain(layout) => Modes::of_layout(layout),
            Memory::Swizzled(swizzled) => Modes::of_swizzled(swizzled),
        };
        modes
            .remarks
            .push(format!("{} banks of {} bytes, coloured by bank", banks.banks, banks.width));
        let mut readers = BTreeMap::new();
        if let Some((told, worst)) = told.and_then(|told| Some((told, told.worst.as_ref()?))) {
            let reads = access.reads(worst.access, worst.thread, told.lanes);
            for (position, thread) in reads {
                readers.entry(position).or_insert(thread);
            }
            let (from, to) = (worst.thread, worst.thread + told.lanes - 1);
            modes.remarks.push(format!(
                "what threads {from} to {to} read at once: a cell says who reads it"
            ));
        }
        modes.banked = Some(InBanks { bytes: access.bytes, banks: *banks, readers });
        modes
    }

    /// A layout and one tile of it.
    pub(crate) fn of_tile(
        layout: &Layout,
        tiler: &Tiler,
        at: &[i64],
        limit: &Limit<'_>,
    ) -> Result<Modes, Error> {
        let mut place = 1;
        let compact = layout.modes().iter().map(|mode| {
            let size: i64 = factors(mode).iter().product();
            let leaf = Mode::Leaf { size, stride: place };
            place *= size;
            leaf
        });
        let positions = Layout::new(Mode::Node(compact.collect()))?;
        let refuse = |why| Err(Error::Operand { op: "a picture of a tile", why });
        let (start, tile) = match local_tile(&positions, tiler, at, limit)? {
            Ok(found) => found,
            Err(_) => return refuse("takes tiles that fill the layout evenly"),
        };
        if tile.size() > MOST_HELD {
            return refuse("takes a tile of at most 65536 positions");
        }
        let mut modes = Modes::of_layout(layout);
        modes.only = Some(table(&tile).into_iter().map(|offset| start + offset).collect());
        modes.remarks.push("coloured: the tile".to_owned());
        Ok(modes)
    }

    fn of_values(heading: String, layout: &[Mode], function: Values) -> Modes {
        let mut axes: Vec<Axis> = Vec::new();
        let mut place = 1;
        for (number, mode) in layout.iter().enumerate() {
            let factors = factors(mode);
            let size: i64 = factors.iter().product();
            match axes.get_mut(LAST_MODE) {
                // A fifth mode continues the fourth.
                Some(last) => last.take_in(&factors),
                None => axes.push(Axis::new(format!("mode {number}"), &factors, place)),
            }
            place *= size;
        }
        if layout.len() > LAST_MODE + 1 {
            axes[LAST_MODE].name = format!("modes {LAST_MODE} on");
        }
        Modes::new(heading, axes, |places| Cells::Values { places, function })
    }

    pub(crate) fn of_thread_values(
        layout: &Layout,
        tile: Option<[i64; 2]>,
        by: ColourBy,
    ) -> Result<Modes, Error> {
        let refuse = |why| Err(Error::Operand { op: "a picture of a thread-value layout", why });
        let [threads, values] = layout.modes() else {
            return refuse("takes a layout of two modes, the threads and the values");
        };
        if layout.size() > MOST_HELD {
            return refuse("takes at most 65536 threads and values together");
        }
        let reach = layout.cosize();
        let sizes = tile.map_or(vec![reach], Vec::from);
        if sizes.iter().any(|&size| size < 1) {
            return refuse("takes a tile of sizes of 1 or more");
        }
        if sizes
            .iter()
            .try_fold(1i64, |all, &size| all.checked_mul(size))
            .is_some_and(|all| all < reach)
        {
            return refuse("takes a tile that holds all its positions, this one is too small");
        }
        let count: i64 = factors(threads).iter().product();
        let mut holders: BTreeMap<i64, Holder> = BTreeMap::new();
        for (position, at) in (0..).zip(table(layout)) {
            if at < 0 {
                return refuse("takes strides that lead to positions of 0 or more");
            }
            let (thread, value) = (position % count, position / count);
            let first = Holder { thread, value, others: -1, by, faded: false };
            holders.entry(at).or_insert(first).others += 1;
        }
        let mut place = 1;
        let mut axes = Vec::new();
        for (number, &size) in sizes.iter().enumerate() {
            let name =
                if sizes.len() > 1 { format!("mode {number}") } else { "position".to_owned() };
            axes.push(Axis::new(name, &[size], place));
            place *= size;
        }
        let what = match by {
            ColourBy::Thread => "thread",
            ColourBy::Value => "value",
        };
        let values: i64 = factors(values).iter().product();
        let shared = holders.values().filter(|holder| holder.others > 0).count();
        let mut remarks =
            vec![format!("{count} threads of {values} values, coloured by {what}, modulo 16")];
        if shared > 0 {
            remarks.push(format!("{shared} cells have several holders: +1 is one more than shown"));
        }
        let mut modes = Modes::new(layout.to_string(), axes, |places| Cells::Held {
            places,
            holders,
            layout: layout.clone(),
            threads: count,
        });
        modes.remarks = remarks;
        Ok(modes)
    }

    /// Fades what other threads hold; a cell with several holders shows this thread if it is one of
    /// them.
    pub(crate) fn only_thread(&mut self, thread: i64) {
        let Cells::Held { holders, layout, threads, .. } = &mut self.cells else { return };
        holders.values_mut().for_each(|holder| holder.faded = holder.thread != thread);
        let count = *threads;
        let own = if (0..count).contains(&thread) { layout.size() / count } else { 0 };
        for value in 0..own {
            let at = layout.at(thread + value * count).unwrap_or(-1);
            if let Some(holder) = holders.get_mut(&at).filter(|holder| holder.faded) {
                *holder = Holder { thread, value, faded: false, ..*holder };
            }
        }
        self.remarks.push(format!("only what thread {thread} holds is coloured"));
    }

    /// The axes as they are drawn: mode 0 in rows, mode 1 in columns, the others around them.
    fn new(heading: String, axes: Vec<Axis>, cells: impl FnOnce(Vec<i64>) -> Cells) -> Modes {
        let order: &[usize] = match axes.len() {
            0 | 1 => &[0],
            2 => &[0, 1],
            3 => &[2, 0, 1],
            _ => &[3, 2, 0, 1],
        };
        let drawn: Vec<&Axis> = order.iter().filter_map(|&number| axes.get(number)).collect();
        let shape: Vec<i64> = drawn.iter().map(|axis| axis.size).collect();
        let cuts: Vec<Vec<i64>> = drawn.iter().map(|axis| axis.cuts.clone()).collect();
        let nested = cuts.iter().any(|cuts| !cuts.is_empty());
        Modes {
            heading,
            shape,
            names: drawn.iter().map(|axis| axis.name.clone()).collect(),
            cuts,
            remarks: nested
                .then(|| "lines: where modes are nested".to_owned())
                .into_iter()
                .collect(),
            cells: cells(drawn.iter().map(|axis| axis.place).collect()),
            banked: None,
            only: None,
        }
    }

    /// The cell at an index of the drawn axes.
    pub(crate) fn cell(&self, index: &Index) -> Cell {
        let at = |places: &[i64]| places.iter().zip(index.iter()).map(|(place, i)| place * i).sum();
        match &self.cells {
            Cells::Values { places, function } => {
                let position: i64 = at(places);
                let value = match function {
                    Values::Plain(layout) => layout.at(position),
                    Values::Swizzled(swizzled) => swizzled.at(position),
                    Values::Coordinates(layout) => {
                        return layout.at(position).map_or(Cell::Padding, |coordinates| {
                            let kind = coordinates.first().copied().unwrap_or(0);
                            Cell::Coordinates(layout.written(&coordinates).into(), kind)
                        });
                    }
                };
                match (value, &self.banked) {
                    (Err(_), _) => Cell::Padding,
                    (Ok(element), None) => match &self.only {
                        Some(only) if !only.contains(&position) => Cell::Faded(element),
                        _ => Cell::At(element),
                    },
                    (Ok(element), Some(within)) => Cell::Banked(within.cell(position, element)),
                }
            }
            Cells::Held { places, holders, .. } => {
                holders.get(&at(places)).map_or(Cell::Padding, |&holder| Cell::Held(holder))
            }
        }
    }
}

impl InBanks {
    fn cell(&self, position: i64, element: i64) -> Banked {
        let Banks { banks, width, .. } = self.banks;
        let byte = i128::from(element) * i128::from(self.bytes);
        let word = byte.div_euclid(i128::from(width));
        let bank = i64::try_from(word.rem_euclid(i128::from(banks))).unwrap_or(0);
        let thread = self.readers.get(&position).copied();
        let faded = !self.readers.is_empty() && thread.is_none();
        Banked { element, bank, banks, thread, faded }
    }
}

/// The number of the last mode that has an axis of its own.
const LAST_MODE: usize = 3;

/// One axis of the picture.
struct Axis {
    name: String,
    size: i64,
    /// What a step adds to the position.
    place: i64,
    cuts: Vec<i64>,
}

impl Axis {
    fn new(name: String, factors: &[i64], place: i64) -> Axis {
        let mut axis = Axis { name, size: 1, place, cuts: Vec::new() };
        factors.iter().for_each(|factor| axis.go_on(*factor));
        axis
    }

    fn take_in(&mut self, factors: &[i64]) {
        factors.iter().for_each(|factor| self.go_on(*factor));
    }

    /// Continues with a slower digit, which starts at a cut.
    fn go_on(&mut self, factor: i64) {
        if factor > 1 && self.size > 1 {
            self.cuts.push(self.size);
        }
        self.size *= factor;
    }
}

/// The values of a small layout at all its positions.
fn table(layout: &Layout) -> Vec<i64> {
    let mut values = vec![0];
    for (size, stride) in layout.leaves() {
        values = (0..size).flat_map(|i| values.iter().map(move |at| at + i * stride)).collect();
    }
    values
}

/// The sizes of a mode's leaves, fastest first.
fn factors(mode: &Mode) -> Vec<i64> {
    match mode {
        Mode::Leaf { size, .. } => vec![*size],
        Mode::Node(modes) => modes.iter().flat_map(factors).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(text: &str) -> Modes {
        Modes::of_layout(&text.parse().expect(text))
    }

    /// A layout, and the sizes, names and cuts of what is drawn.
    type Row = (&'static str, &'static [i64], &'static str, &'static [&'static [i64]]);

    #[test]
    fn modes_become_axes() {
        let rows: [Row; 5] = [
            ("4:2", &[4], "mode 0", &[&[]]),
            ("(4,8):(1,4)", &[4, 8], "mode 0 mode 1", &[&[], &[]]),
            ("((2,2),(4,1,3)):((1,4),(8,0,2))", &[4, 12], "mode 0 mode 1", &[&[2], &[4]]),
            ("(2,3,4)", &[4, 2, 3], "mode 2 mode 0 mode 1", &[&[], &[], &[]]),
            (
                "(2,3,4,5,6)",
                &[30, 4, 2, 3],
                "modes 3 on mode 2 mode 0 mode 1",
                &[&[5], &[], &[], &[]],
            ),
        ];
        for (text, shape, names, cuts) in rows {
            let found = drawn(text);
            assert_eq!(found.shape, shape, "{text}");
            assert_eq!(found.names.join(" "), names, "{text}");
            assert_eq!(found.cuts, cuts, "{text}");
        }
    }

    #[test]
    fn every_cell_is_the_value_at_its_position() {
        for text in ["4:2", "((2,2),3):((1,4),8)", "(2,3,4):(12,4,1)", "(2,3,4,5,6)"] {
            let layout: Layout = text.parse().expect(text);
            let found = drawn(text);
            // Mode by mode, the first fastest, as in the notation; the drawn order differs.
            let order = [0, 1, 2, 3]
                .map(|mode| found.names.iter().position(|name| name.contains(&format!(" {mode}"))));
            let order: Vec<usize> = order.into_iter().flatten().collect();
            for position in 0..layout.size() {
                let mut rest = position;
                let mut index: Index = found.shape.iter().map(|_| 0).collect();
                for &axis in &order {
                    index[axis] = rest % found.shape[axis];
                    rest /= found.shape[axis];
                }
                assert_eq!(
                    found.cell(&index),
                    Cell::At(layout.at(position).expect("in range")),
                    "{text}"
                );
            }
        }
    }

    #[test]
    fn coordinates_are_written_out() {
        let layout = "(2,4) o (4,8):(1@0,1@1)".parse().expect("a layout");
        let found = Modes::of_coordinates(&layout);
        assert_eq!(found.shape, [4, 8]);
        for (i, j) in [(0, 0), (3, 7), (1, 2)] {
            let text = format!("({},{})", i + 2, j + 4);
            assert_eq!(found.cell(&Index::from([i, j])), Cell::Coordinates(text.into(), i + 2));
        }
    }

    #[test]
    fn who_holds_what() {
        let layout = "((4,2),(2,2)):((4,1),(2,16))".parse().expect("a layout");
        let held = Modes::of_thread_values(&layout, Some([4, 8]), ColourBy::Thread).expect("fits");
        assert_eq!(held.shape, [4, 8]);
        for thread in 0..8 {
            for value in 0..4 {
                let at = layout.at(thread + 8 * value).expect("in range");
                let Cell::Held(holder) = held.cell(&Index::from([at % 4, at / 4])) else {
                    panic!("held")
                };
                assert_eq!(holder.lines(), [format!("T{thread}"), format!("V{value}")]);
            }
        }
        let shared = Modes::of_thread_values(
            &"(4,2):(1,0)".parse().expect("a layout"),
            None,
            ColourBy::Thread,
        );
        let shared = shared.expect("fits");
        let Cell::Held(holder) = shared.cell(&Index::from([2])) else { panic!("held") };
        assert_eq!(holder.lines(), ["T2", "V0+1"]);
        let mut one = shared.clone();
        one.only_thread(1);
        let told = |at| match one.cell(&Index::from([at])) {
            Cell::Held(holder) => holder.faded,
            _ => panic!("held"),
        };
        assert_eq!([0, 1, 2].map(told), [true, false, true]);
        let sparse = Modes::of_thread_values(
            &"(2,2):(4,1)".parse().expect("a layout"),
            None,
            ColourBy::Value,
        );
        assert_eq!(sparse.expect("fits").cell(&Index::from([2])), Cell::Padding);
    }

    #[test]
    fn refusals() {
        let rows: [(&str, Option<[i64; 2]>, &str); 5] = [
            ("8:1", None, "two modes"),
            ("(1024,1024)", None, "65536"),
            ("(4,2):(2,1)", Some([2, 3]), "too small"),
            ("(4,2):(2,1)", Some([0, 9]), "1 or more"),
            ("(4,2):(-2,1)", None, "0 or more"),
        ];
        for (text, tile, part) in rows {
            let refused =
                Modes::of_thread_values(&text.parse().expect(text), tile, ColourBy::Thread);
            assert!(refused.expect_err(text).to_string().contains(part), "{text}");
        }
    }
}
