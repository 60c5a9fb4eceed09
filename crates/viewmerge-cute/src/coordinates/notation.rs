//! Layouts of coordinates as text: `(2,0) o (4,8):(1@0,1@1)`.
//!
//! A stride is a sum of terms `k@i`, or 0. Naming an entry implies all entries before it: `4:1@1` takes i
//! to (0,i).

use std::fmt;
use std::str::FromStr;

use super::{CoordinateLayout, MOST_ENTRIES, MOST_NESTED, NAME, Path};
use crate::error::Error;
use crate::layout::{Layout, MOST_DEPTH, Mode};
use crate::notation::{Reader, Tuple};

/// A stride: how much it adds to which coordinates.
type Stride = Vec<(i64, Path)>;

/// Strides, nested.
enum Strides {
    One(Stride),
    Tuple(Vec<Strides>),
}

fn read_stride(reader: &mut Reader<'_>) -> Result<Stride, Error> {
    let mut stride = Vec::new();
    loop {
        let factor = reader.integer()?;
        let mut path = Vec::new();
        while reader.take("@") {
            if path.len() == MOST_NESTED {
                return Err(reader.wrong("a coordinate nested at most 4 deep"));
            }
            match usize::try_from(reader.integer()?) {
                Ok(entry) if entry < MOST_ENTRIES => path.push(entry),
                _ => return Err(reader.wrong("an entry from 0 to 15 before this")),
            }
        }
        // The innermost entry comes first in the text.
        path.reverse();
        if path.is_empty() && factor != 0 {
            return Err(reader.wrong("'@' and the coordinate that the stride adds to"));
        }
        if !path.is_empty() {
            stride.push((factor, path));
        }
        if !reader.take("+") {
            return Ok(stride);
        }
    }
}

fn read_strides(reader: &mut Reader<'_>, depth: usize) -> Result<Strides, Error> {
    if depth > MOST_DEPTH {
        return Err(Error::Depth { most: MOST_DEPTH });
    }
    if !reader.take("(") {
        return read_stride(reader).map(Strides::One);
    }
    let mut items = Vec::new();
    while !reader.take(")") {
        items.push(read_strides(reader, depth + 1)?);
        if !reader.take(",") {
            reader.expect(")", "',' or ')'")?;
            break;
        }
    }
    Ok(Strides::Tuple(items))
}

impl Strides {
    fn collect_paths<'a>(&'a self, paths: &mut Vec<&'a [usize]>) {
        match self {
            Strides::One(stride) => paths.extend(stride.iter().map(|(_, path)| path.as_slice())),
            Strides::Tuple(items) => items.iter().for_each(|item| item.collect_paths(paths)),
        }
    }

    /// The shape with what these strides add to one coordinate.
    fn part(&self, shape: &Tuple, path: &[usize], at: &str) -> Result<Mode, Error> {
        match (shape, self) {
            (Tuple::Number(size), Strides::One(stride)) => {
                let terms = stride.iter().filter(|(_, named)| named == path).map(|(k, _)| *k);
                let sum = terms.map(i128::from).sum::<i128>();
                let stride = i64::try_from(sum).map_err(|_| Error::Operand {
                    op: NAME,
                    why: "takes strides that fit into 64 bits",
                })?;
                Ok(Mode::Leaf { size: *size, stride })
            }
            (Tuple::Tuple(sizes), Strides::Tuple(items)) if sizes.len() == items.len() => {
                let modes = sizes.iter().zip(items).enumerate().map(|(number, (size, item))| {
                    let at = match at {
                        "the layout" => format!("mode {number}"),
                        _ => format!("{at}.{number}"),
                    };
                    item.part(size, path, &at)
                });
                Ok(Mode::Node(modes.collect::<Result<_, _>>()?))
            }
            _ => Err(Error::NotCongruent {
                at: at.to_string(),
                shape: shape.described(),
                strides: match self {
                    Strides::One(_) => "one stride".to_string(),
                    Strides::Tuple(items) => format!("a tuple of {}", items.len()),
                },
            }),
        }
    }
}

/// These coordinates and all those they imply: in order, without gaps.
pub(super) fn all_paths(named: &[&[usize]]) -> Result<Vec<Path>, Error> {
    let mut paths = Vec::new();
    fill(named, &mut Vec::new(), &mut paths)?;
    Ok(paths)
}

fn fill(named: &[&[usize]], before: &mut Path, paths: &mut Vec<Path>) -> Result<(), Error> {
    let entries = named.iter().filter_map(|path| path.first()).max().map_or(1, |most| most + 1);
    for entry in 0..entries {
        let inside: Vec<&[usize]> =
            named.iter().filter_map(|path| path.strip_prefix(&[entry])).collect();
        before.push(entry);
        match inside.iter().filter(|path| path.is_empty()).count() {
            _ if inside.is_empty() => paths.push(before.clone()),
            0 => fill(&inside, before, paths)?,
            count if count == inside.len() => paths.push(before.clone()),
            _ => {
                let why = "takes every coordinate as a number or as a tuple, not as both";
                return Err(Error::Operand { op: NAME, why });
            }
        }
        before.pop();
    }
    Ok(())
}

/// The numbers of an origin, each with the entries that lead to it.
fn origin_entries(origin: &Tuple, before: &mut Path, found: &mut Stride) -> Result<(), Error> {
    match origin {
        Tuple::Number(number) => found.push((*number, before.clone())),
        Tuple::Tuple(items) => {
            if items.len() > MOST_ENTRIES || before.len() == MOST_NESTED {
                let why = "takes at most 16 entries of a tuple, nested at most 4 deep";
                return Err(Error::Operand { op: NAME, why });
            }
            for (entry, item) in items.iter().enumerate() {
                before.push(entry);
                origin_entries(item, before, found)?;
                before.pop();
            }
        }
    }
    Ok(())
}

impl FromStr for CoordinateLayout {
    type Err = Error;

    fn from_str(text: &str) -> Result<CoordinateLayout, Error> {
        let mut reader = Reader::new(text);
        let marked = reader.take("ArithTuple");
        let mut shape = reader.tuple(0)?;
        let mut origin = Vec::new();
        if reader.take("o") {
            if !matches!(shape, Tuple::Tuple(_)) {
                let why = "takes a tuple as its origin, such as (0,4)";
                return Err(Error::Operand { op: NAME, why });
            }
            origin_entries(&shape, &mut Vec::new(), &mut origin)?;
            shape = reader.tuple(0)?;
        } else if marked {
            return Err(reader.wrong("'o' and a layout after the origin"));
        }
        reader.expect(":", "':' and the strides")?;
        let strides = read_strides(&mut reader, 0)?;
        reader.end()?;
        let mut named = Vec::new();
        strides.collect_paths(&mut named);
        // A zero origin may be flat even where the strides are nested.
        let inside =
            |path: &Path| named.iter().any(|n| n.len() > path.len() && n.starts_with(path));
        origin.retain(|(number, path)| *number != 0 || !inside(path));
        named.extend(origin.iter().map(|(_, path)| path.as_slice()));
        let paths = all_paths(&named)?;
        let part = |path: &Path| Layout::new(strides.part(&shape, path, "the layout")?);
        let parts = paths.iter().map(part).collect::<Result<_, _>>()?;
        let start = |path: &Path| origin.iter().find(|(_, own)| own == path).map_or(0, |one| one.0);
        let origin = paths.iter().map(start).collect();
        CoordinateLayout::new(paths, parts, origin)
    }
}

/// The layout that takes every coordinate of a shape to itself.
pub(super) fn identity(mode: &Mode) -> Result<CoordinateLayout, Error> {
    fn leaves(mode: &Mode, before: &mut Path, found: &mut Vec<Path>) {
        match mode {
            Mode::Leaf { .. } => found.push(before.clone()),
            Mode::Node(modes) => {
                for (entry, mode) in modes.iter().enumerate() {
                    before.push(entry);
                    leaves(mode, before, found);
                    before.pop();
                }
            }
        }
    }
    let mut paths = Vec::new();
    match mode {
        Mode::Leaf { .. } => paths.push(vec![0]),
        Mode::Node(_) => leaves(mode, &mut Vec::new(), &mut paths),
    }
    let far = |path: &Path| path.len() > MOST_NESTED || path.iter().any(|&e| e >= MOST_ENTRIES);
    let empty_tuple = paths.is_empty() || all_paths(&as_slices(&paths))? != paths;
    if empty_tuple || paths.iter().any(far) {
        let why = "takes a shape of 1 to 16 modes side by side, nested at most 4 deep";
        return Err(Error::Operand { op: NAME, why });
    }
    let part = |number: usize| {
        let mut leaf = 0;
        let mode = mode.map(&mut |size, _| {
            leaf += 1;
            Mode::Leaf { size, stride: i64::from(leaf == number + 1) }
        });
        Layout::new(mode)
    };
    let parts = (0..paths.len()).map(part).collect::<Result<_, _>>()?;
    let origin = vec![0; paths.len()];
    CoordinateLayout::new(paths, parts, origin)
}

fn as_slices(paths: &[Path]) -> Vec<&[usize]> {
    paths.iter().map(Vec::as_slice).collect()
}

impl CoordinateLayout {
    /// Whether a text is meant as a layout of coordinates: it names a coordinate or has an origin.
    ///
    /// ```
    /// use viewmerge_cute::CoordinateLayout;
    ///
    /// assert!(CoordinateLayout::is_meant("(4,8):(1@0,1@1)"));
    /// assert!(!CoordinateLayout::is_meant("(4,8):(1,4)"));
    /// assert!(!CoordinateLayout::is_meant("Sw<1,0,1> o 0 o 4:1"));
    /// ```
    pub fn is_meant(text: &str) -> bool {
        text.contains(['@', 'o']) && !text.trim_start().starts_with("Sw")
    }

    /// Coordinates as CuTe writes them, nested like those of this layout.
    ///
    /// ```
    /// let layout: viewmerge_cute::CoordinateLayout = "(4,8):(1@1@0,1@1)".parse()?;
    /// assert_eq!(layout.written(&layout.at(7)?), "((0,3),1)");
    /// # Ok::<(), viewmerge_cute::Error>(())
    /// ```
    pub fn written(&self, coordinates: &[i64]) -> String {
        let mut text = String::new();
        let mut open: &[usize] = &[];
        for (path, number) in self.paths.iter().zip(coordinates) {
            let common = open.iter().zip(path).take_while(|(one, other)| one == other).count();
            let close = open.len().saturating_sub(common + 1);
            text.push_str(&")".repeat(close));
            text.push_str(if open.is_empty() { "" } else { "," });
            let deeper = path.len() - common - usize::from(!open.is_empty());
            text.push_str(&"(".repeat(deeper));
            text.push_str(&number.to_string());
            open = path;
        }
        text + &")".repeat(open.len())
    }

    fn write_strides(
        &self,
        f: &mut fmt::Formatter<'_>,
        mode: &Mode,
        leaf: &mut usize,
        strides: &[Vec<(i64, i64)>],
    ) -> fmt::Result {
        match mode {
            Mode::Leaf { .. } => {
                let number = *leaf;
                *leaf += 1;
                let terms = strides.iter().zip(&self.paths).filter(|(part, _)| part[number].1 != 0);
                let terms: Vec<String> = terms
                    .map(|(part, path)| {
                        let entries = path.iter().rev().map(|entry| format!("@{entry}"));
                        format!("{}{}", part[number].1, entries.collect::<String>())
                    })
                    .collect();
                f.write_str(if terms.is_empty() { "0" } else { "" })?;
                f.write_str(&terms.join("+"))
            }
            Mode::Node(modes) => {
                f.write_str("(")?;
                for (number, mode) in modes.iter().enumerate() {
                    f.write_str(if number == 0 { "" } else { "," })?;
                    self.write_strides(f, mode, leaf, strides)?;
                }
                f.write_str(")")
            }
        }
    }
}

impl fmt::Display for CoordinateLayout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let strides: Vec<Vec<(i64, i64)>> = self.parts.iter().map(Layout::leaves).collect();
        let named = self.paths.iter().zip(&strides);
        let named = named.filter(|(_, part)| part.iter().any(|leaf| leaf.1 != 0));
        let named: Vec<&[usize]> = named.map(|(path, _)| path.as_slice()).collect();
        // Without an origin, the strides must name every coordinate.
        let all_named =
            !named.is_empty() && all_paths(&named).is_ok_and(|paths| paths == self.paths);
        if !all_named || self.origin.iter().any(|&start| start != 0) {
            write!(f, "{} o ", self.written(&self.origin))?;
        }
        let Some(part) = self.parts.first() else { return Ok(()) };
        let text = part.to_string();
        f.write_str(text.split_once(':').map_or("", |(shape, _)| shape))?;
        f.write_str(":")?;
        self.write_strides(f, part.mode(), &mut 0, &strides)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_and_writes() {
        // (input, as printed, the values at some positions)
        let rows = [
            ("(4,8):(1@0,1@1)", "(4,8):(1@0,1@1)", "(0,0) (1,0) (1,1)"),
            ("(4,8):(_1@1,_1@0)", "(4,8):(1@1,1@0)", "(0,0) (0,1) (1,1)"),
            ("ArithTuple(0,0) o (4,8):(_1@0,_1@1)", "(4,8):(1@0,1@1)", "(0,0) (1,0) (1,1)"),
            ("(2,-1) o (4,8):(1@0,1@1)", "(2,-1) o (4,8):(1@0,1@1)", "(2,-1) (3,-1) (3,0)"),
            ("(0,0,0) o (4,8):(1@0,1@1)", "(0,0,0) o (4,8):(1@0,1@1)", "(0,0,0) (1,0,0) (1,1,0)"),
            ("(4,8):(0,3@1)", "(4,8):(0,3@1)", "(0,0) (0,0) (0,3)"),
            ("(4,8):(1@0 + 2@1, -1@1)", "(4,8):(1@0+2@1,-1@1)", "(0,0) (1,2) (1,1)"),
            ("(4,8):(1@1@0,5@1)", "(4,8):(1@1@0,5@1)", "((0,0),0) ((0,1),0) ((0,1),5)"),
            ("(4,8):(1@0,1@0@1@1)", "(4,8):(1@0,1@0@1@1)", "(0,(0,(0))) (1,(0,(0))) (1,(0,(1)))"),
            ("(0,0) o (4,8):(1@1@0,5@1)", "(4,8):(1@1@0,5@1)", "((0,0),0) ((0,1),0) ((0,1),5)"),
            ("(0,0) o 6:0", "(0,0) o 6:0", "(0,0) (0,0) (0,0)"),
            ("6:2@0", "6:2@0", "(0) (2) (10)"),
        ];
        for (text, written, values) in rows {
            let layout: CoordinateLayout = text.parse().expect(text);
            assert_eq!(layout.to_string(), written, "{text}");
            assert_eq!(written.parse::<CoordinateLayout>(), Ok(layout.clone()), "{text}");
            let value = |at| layout.written(&layout.at(at).expect("inside"));
            assert_eq!([0, 1, 5].map(value).join(" "), values, "{text}");
        }
    }

    #[test]
    fn refusals() {
        let rows = [
            (
                "(4,8):(1@0,1)",
                "at column 13: expected '@' and the coordinate that the stride adds to, found ')'",
            ),
            (
                "(4,8):(1@0,1@16)",
                "at column 16: expected an entry from 0 to 15 before this, found ')'",
            ),
            (
                "4:1@0@0@0@0@0",
                "at column 13: expected a coordinate nested at most 4 deep, found '0'",
            ),
            (
                "(4,8):(1@0,1@1@0)",
                "a layout of coordinates takes every coordinate as a number or as a tuple, not as both",
            ),
            (
                "(1,2) o (4,8):(1@0,1@1@0)",
                "a layout of coordinates takes every coordinate as a number or as a tuple, not as both",
            ),
            (
                "(4,8):(1@0)",
                "the strides are not nested as the shape is: the layout has a tuple of 2 in the shape and a tuple of 1 in the strides",
            ),
            (
                "(4,8):1@0",
                "the strides are not nested as the shape is: the layout has a tuple of 2 in the shape and one stride in the strides",
            ),
            (
                "ArithTuple(0,0)",
                "at column 16: expected 'o' and a layout after the origin, found the end",
            ),
            ("3 o 4:1@0", "a layout of coordinates takes a tuple as its origin, such as (0,4)"),
            (
                "(9223372036854775807) o 4:1@0",
                "a layout of coordinates takes an origin that keeps every coordinate within 64 bits",
            ),
            ("(0,4):(1@0,1@1)", "mode 0 has size 0, a size must be 1 or more"),
            (
                "2:9223372036854775807@0+1@0",
                "a layout of coordinates takes strides that fit into 64 bits",
            ),
        ];
        for (text, refusal) in rows {
            let found = text.parse::<CoordinateLayout>().map_err(|error| error.to_string());
            assert_eq!(found, Err(refusal.to_string()), "{text}");
        }
        let deep = format!("4:{}", "(".repeat(100_000));
        assert!(deep.parse::<CoordinateLayout>().is_err());
        let wide = format!("({}):({})", ["2"; 17].join(","), ["1@0"; 17].join(","));
        assert!(
            CoordinateLayout::identity(&wide.parse::<CoordinateLayout>().unwrap().parts[0])
                .is_err()
        );
    }
}
