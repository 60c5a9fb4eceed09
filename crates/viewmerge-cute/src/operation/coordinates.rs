//! The operations by name, where at least one layout has coordinates as values.
//!
//! A division composes A with the divided positions of A. An ordinary A composed with a B of coordinates is
//! A composed with the positions that these coordinates denote: `(4,8):(8,1)` ∘ `(8,4):(1@1,1@0)` is
//! `(4,8):(8,1)` ∘ `(8,4):(4,1)`.

use viewmerge::Limit;

use super::Operation;
use crate::answer::{Answer, NoLayout};
use crate::coordinates::{CoordinateLayout, NAME, name};
use crate::divide::{flat_divide, logical_divide, tiled_divide, zipped_divide};
use crate::error::Error;
use crate::layout::{Layout, Mode};
use crate::outcome::{Outcome, Refutation};
use crate::swizzled::Swizzled;

impl CoordinateLayout {
    /// The positions in a shape that these coordinates denote: the sum of place · coordinate.
    fn positions_in(&self, shape: &Layout) -> Result<Layout, Error> {
        if self.origin.iter().any(|&start| start != 0) {
            let why = "takes a B of coordinates only if its origin is 0";
            return Err(Error::Operand { op: "compose", why });
        }
        let mut leaves: Vec<(i64, i64)> = self.leaf_sizes().map(|size| (size, 0)).collect();
        for (part, path) in self.parts.iter().zip(&self.paths) {
            let (least, most) = part.view()?.position_range().unwrap_or((0, 0));
            let (place, size) = mode_at(shape, path).unwrap_or((1, 0));
            if (least, most) != (0, 0) && (least < 0 || most >= size) {
                let coordinate = name(path);
                return Err(Error::CoordinateDomain { coordinate, least, most, size });
            }
            // The coordinates are in range, so the products are: each is at most the size of the shape.
            for (sum, (size, stride)) in leaves.iter_mut().zip(part.leaves()) {
                sum.1 += if size > 1 { place.saturating_mul(stride) } else { 0 };
            }
        }
        let mut leaves = leaves.into_iter();
        let tree = self.parts.first().map_or(&Mode::UNIT, |part| part.mode());
        Layout::new(tree.map(&mut |_, _| leaves.next().map_or(Mode::UNIT, Mode::leaf)))
    }
}

/// The place and the size of the mode that a path leads to.
fn mode_at(shape: &Layout, path: &[usize]) -> Option<(i64, i64)> {
    let size = |mode: &Mode| mode.leaves().iter().map(|leaf| leaf.0).product::<i64>();
    let (mut modes, mut place) = (shape.modes(), 1i64);
    let mut found: Option<&Mode> = None;
    for (depth, &entry) in path.iter().enumerate() {
        if depth > 0 {
            let Mode::Node(inside) = found? else { return None };
            modes = inside;
        }
        place *= modes.get(..entry)?.iter().map(size).product::<i64>();
        found = Some(modes.get(entry)?);
    }
    found.map(|mode| (place, size(mode)))
}

/// Answers questions that involve layouts of coordinates; `None` for all others.
pub(crate) fn ask(
    operation: Operation,
    a: &str,
    b: Option<&str>,
    extend: bool,
    limit: &Limit<'_>,
) -> Option<Result<Outcome, Error>> {
    let above = b.filter(|b| CoordinateLayout::is_meant(b));
    if CoordinateLayout::is_meant(a) {
        return Some(ask_coordinates(operation, a, b, extend, limit));
    }
    // An ordinary A over coordinates: replace these by positions.
    above.map(|above| {
        if operation != Operation::Compose {
            return Err(takes_numbers(operation));
        }
        let swizzled = a.trim_start().starts_with("Sw");
        let shape = if swizzled { a.parse::<Swizzled>()?.layout().clone() } else { a.parse()? };
        let b = above.parse::<CoordinateLayout>()?.positions_in(&shape)?;
        operation.ask(a, Some(&b.to_string()), extend, limit)
    })
}

fn takes_numbers(operation: Operation) -> Error {
    let why = "takes layouts whose values are numbers; of coordinates there are compose, coalesce, \
               logical_divide, zipped_divide, tiled_divide, equal, is_injective and size";
    Error::Operand { op: operation.name(), why }
}

fn ask_coordinates(
    operation: Operation,
    text: &str,
    b: Option<&str>,
    extend: bool,
    limit: &Limit<'_>,
) -> Result<Outcome, Error> {
    let a: CoordinateLayout = text.parse()?;
    let right = b.unwrap_or_default();
    let written = |found: Result<CoordinateLayout, NoLayout>| match found {
        Ok(layout) => Outcome::Layout(layout.to_string()),
        Err(none) => Outcome::None(none),
    };
    Ok(match operation {
        Operation::Compose if CoordinateLayout::is_meant(right) => {
            let shape =
                a.parts.first().ok_or(Error::Operand { op: NAME, why: "has a coordinate" })?;
            let b = right.parse::<CoordinateLayout>()?.positions_in(shape)?;
            written(a.compose(&b, extend, limit)?)
        }
        Operation::Compose => written(a.compose_tiler(&right.parse()?, extend, limit)?),
        Operation::Coalesce => Outcome::Layout(a.coalesce(b)?.to_string()),
        Operation::LogicalDivide
        | Operation::ZippedDivide
        | Operation::TiledDivide
        | Operation::FlatDivide => {
            let divide = match operation {
                Operation::LogicalDivide => logical_divide,
                Operation::ZippedDivide => zipped_divide,
                Operation::TiledDivide => tiled_divide,
                _ => flat_divide,
            };
            match divide(&positions(&a)?, &right.parse()?, limit)? {
                Answer::Layout(tiles) => written(a.compose(&tiles, false, limit)?),
                Answer::None(none) => Outcome::None(none),
            }
        }
        Operation::Equal => {
            let other: CoordinateLayout = right.parse()?;
            let sizes = [a.size(), other.size()];
            let witness = match a.difference(&other)? {
                Some((position, coordinates)) => {
                    Some(Refutation::Coordinates { position, coordinates })
                }
                None if sizes[0] != sizes[1] => Some(Refutation::Sizes { sizes }),
                None => None,
            };
            Outcome::Truth { value: witness.is_none(), witness }
        }
        Operation::IsInjective => {
            let witness =
                a.collision(limit)?.map(|coordinates| Refutation::Collision { coordinates });
            Outcome::Truth { value: witness.is_none(), witness }
        }
        Operation::Size => Outcome::Number(a.size()),
        _ => return Err(takes_numbers(operation)),
    })
}

/// The positions of a layout, with its modes.
fn positions(a: &CoordinateLayout) -> Result<Layout, Error> {
    let mut place = 1;
    let leaf = |mode: &Mode| {
        let size = mode.leaves().iter().map(|leaf| leaf.0).product();
        let stride = place;
        place *= size;
        Mode::Leaf { size, stride }
    };
    let modes: Vec<Mode> = a.modes().iter().map(leaf).collect();
    match a.parts.first().map(Layout::mode) {
        Some(Mode::Node(_)) => Layout::new(Mode::Node(modes)),
        _ => Layout::new(modes.into_iter().next().unwrap_or(Mode::UNIT)),
    }
}
