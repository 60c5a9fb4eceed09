//! The valid set along a single long axis.
//!
//! Along one axis a slab is an interval of (a + t·i) mod m, and the first index
//! from some place on that is inside, or outside, takes O(log) to find
//! ([`super::euclid`]). So: the first valid index, the first invalid one after
//! it, and the first valid one after that, if any, which makes a hole.
//!
//! Several slabs are met by stepping from one's next valid index to the
//! other's; if they do not agree after a number of steps, the question is left
//! to the search.

use crate::composite::Composite;
use crate::merge::euclid::first_in;
use crate::region::Region;
use crate::staircase::Slab;

/// Where along the axis, counted from the low corner, indices are valid.
pub(super) enum Along {
    /// Nowhere.
    Nothing,
    /// From the first of these up to, not including, the second.
    Interval(i64, i64),
    /// At the first and the last of these, but not at the one between.
    Hole([i64; 3]),
}

/// The valid set of a box with one long axis below which just one view has
/// slabs, the next one; `None` for any other, or if it takes too long.
pub(super) fn find(composite: &Composite<'_>, region: &Region, axis: usize) -> Option<Along> {
    let (stage, below) = composite.stages().split_first()?;
    if below.iter().any(|stage| !stage.slabs.is_empty()) {
        return None;
    }
    let n = composite.top_affine(region);
    let line = Line {
        slabs: &stage.slabs,
        base: n.base,
        step: n.slope[axis],
        extent: region.extent[axis],
    };
    let Some(first) = line.next_valid(0)? else { return Some(Along::Nothing) };
    let Some(end) = line.next_invalid(first) else {
        return Some(Along::Interval(first, line.extent));
    };
    Some(match line.next_valid(end)? {
        Some(again) => Along::Hole([first, end, again]),
        None => Along::Interval(first, end),
    })
}

struct Line<'a> {
    slabs: &'a [Slab],
    base: i64,
    step: i64,
    extent: i64,
}

impl Line<'_> {
    /// The first index from `from` on, if any, where the position is in `[lo, hi]` of a slab's modulus.
    fn next_in(&self, slab: &Slab, from: i64, lo: i64, hi: i64) -> Option<i64> {
        if lo > hi {
            return None;
        }
        // Positions are below 2^62, so that much is no modulus at all.
        let modulus = slab.modulus.unwrap_or(1 << 62);
        let start = (self.base + self.step * from) % modulus;
        let steps = first_in(self.step.rem_euclid(modulus), modulus, start, lo, hi)?;
        from.checked_add(steps).filter(|index| *index < self.extent)
    }

    /// The first valid index from `from` on; the outer `None` if it takes too long.
    fn next_valid(&self, from: i64) -> Option<Option<i64>> {
        const MOST_STEPS: usize = 1_000;
        let mut index = from;
        if index >= self.extent {
            return Some(None);
        }
        for _ in 0..MOST_STEPS {
            let start = index;
            for slab in self.slabs {
                match self.next_in(slab, index, slab.lo, slab.hi - 1) {
                    Some(next) => index = next,
                    None => return Some(None),
                }
            }
            if index == start {
                return Some(Some(index));
            }
        }
        None
    }

    /// The first invalid index from `from` on.
    fn next_invalid(&self, from: i64) -> Option<i64> {
        let outside = |slab: &Slab| {
            let modulus = slab.modulus.unwrap_or(1 << 62);
            let below = self.next_in(slab, from, 0, slab.lo - 1);
            let above = self.next_in(slab, from, slab.hi, modulus - 1);
            below.into_iter().chain(above).min()
        };
        self.slabs.iter().filter_map(outside).min()
    }
}
