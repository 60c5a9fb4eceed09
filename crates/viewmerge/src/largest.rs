//! The largest memory position a chain touches, by branch and bound.
//!
//! A box of indices gives a range of positions at the last view, and a range
//! of positions at a view gives a range at the one below: the leading digits
//! that both ends share are fixed, the first one that differs is bounded, the
//! rest is free. The box of largest bound is bisected first, so boxes that
//! cannot win are never cut.

use std::collections::BinaryHeap;

use crate::composite::{Ask, Composite, Piece};
use crate::dims::unravel_within;
use crate::floor::range;
use crate::limit::{Exhausted, Meter};
use crate::region::{Cut, Region};
use crate::view::View;

/// The largest value of F on its domain; `None` if no index is valid.
pub(crate) fn largest_value(
    composite: &Composite<'_>,
    meter: &mut Meter,
) -> Result<Option<i64>, Exhausted> {
    let mut best = None;
    let mut open = BinaryHeap::new();
    open.extend(Bounded::new(composite, composite.domain()));
    while let Some(Bounded { bound, region }) = open.pop() {
        if best.is_some_and(|known| bound <= known) {
            break;
        }
        meter.spend(1)?;
        match composite.piece(&region, Ask::Position) {
            Piece::Padding => {}
            Piece::Affine(function) => {
                // The value at an index (V7).
                let largest = range(&function, &region.extent).high as i64;
                best = best.max(Some(largest));
            }
            Piece::Cut(_) => {
                let (before, from) = region.split(middle(composite, &region));
                open.extend(Bounded::new(composite, before));
                open.extend(Bounded::new(composite, from));
            }
        }
    }
    Ok(best)
}

/// The middle of the axis along which the last view travels farthest.
fn middle(composite: &Composite<'_>, region: &Region) -> Cut {
    let slope = composite.top_affine(region).slope;
    let travel = |l: &usize| i128::from(slope[*l]).abs() * i128::from(region.extent[*l] - 1);
    // A box that must be cut has an axis that moves; any of extent 1 has no travel.
    let axis = (0..region.rank()).max_by_key(travel).unwrap_or(0);
    Cut { axis, at: region.extent[axis] / 2 }
}

/// A box, and a bound on the values F takes on it.
struct Bounded {
    bound: i64,
    region: Region,
}

impl Bounded {
    /// `None` if the box is known to be padding.
    fn new(composite: &Composite<'_>, region: Region) -> Option<Bounded> {
        let top = range(&composite.top_affine(&region), &region.extent);
        // Positions of valid indices of the last view (V7).
        let positions = (top.low as i64, top.high as i64);
        let bounds = composite.below().iter().rev().try_fold(positions, positions_below);
        bounds.map(|(_, bound)| Bounded { bound, region })
    }
}

/// Bounds on what a view reads at the linear positions from `first` to `last`.
fn positions_below((first, last): (i64, i64), view: &View) -> Option<(i64, i64)> {
    let (first, last) = (unravel_within(view.shape(), first), unravel_within(view.shape(), last));
    let (mut low, mut high) = (view.offset(), view.offset());
    let mut shared = true;
    for (axis, &stride) in view.strides().iter().enumerate() {
        let (lo, hi) = view.interval(axis);
        let (mut from, mut to) = (lo, hi - 1);
        if shared {
            (from, to) = (from.max(first[axis]), to.min(last[axis]));
            shared = first[axis] == last[axis];
        }
        if from > to {
            return None;
        }
        low += (stride * from).min(stride * to);
        high += (stride * from).max(stride * to);
    }
    Some((low, high))
}

impl PartialEq for Bounded {
    fn eq(&self, other: &Bounded) -> bool {
        self.bound == other.bound
    }
}

impl Eq for Bounded {}

impl PartialOrd for Bounded {
    fn partial_cmp(&self, other: &Bounded) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Bounded {
    fn cmp(&self, other: &Bounded) -> std::cmp::Ordering {
        self.bound.cmp(&other.bound)
    }
}
