//! One pass over the whole box (theory, "levelwise"): nearly every real merge.
//!
//! The last view's valid box is pushed down through the views. At each view
//! every mask clips the box to the indices that can be valid, and every broken
//! level must have an affine floor; then the next position is affine again, and
//! at memory the chain is one view. After a clip the pass starts again on the smaller box, where
//! more floors are affine: a mask can rescue a merge. Where a mask runs across axes or repeats
//! there is usually a hole, and [`hole`] knows where to look. What cannot be settled this way
//! stays open.
//!
//! Speed matters most here, so this reads levels and slabs (see
//! [`crate::staircase`]) straight off the view, last axis first, keeps its
//! numbers in arrays on the stack, and divides only where a step leaves its
//! block of the modulus. Axes with one valid index of the last view take no
//! part; with up to `N` others nothing is allocated.
//!
//! Overflow policy: as in [`crate::floor`] and [`crate::staircase`].
//!
//! Proved: `levelwise_sound`, `levelwise_merges` (proofs/theories/Levels.v), for
//! one view below and no masks.

mod hole;

use smallvec::SmallVec;

use crate::arith::{divide, divide_down, divide_up_wide, divide_wide, reached};
use crate::dims::INLINE_AXES;
use crate::error::Error;
use crate::path::affine_view;
use crate::region::Region;
use crate::staircase::{position, rises};
use crate::view::View;
use crate::witness::Witness;

/// The most axes of size 2 or more that a view can have (V2).
const MOST_AXES: usize = 62;

/// What one pass found.
pub(crate) enum Settled {
    /// The chain is this view, or the view it is cannot be written down.
    Merged(Result<View, Error>),
    /// The valid indices do not form a box.
    Hole(Witness),
    /// The valid indices lie in this box of the active axes; nothing else is known.
    Open(Region),
}

/// Settles a chain of views that all have valid indices, memory side first in `below`.
pub(crate) fn settle(below: &[View], top: &View) -> Settled {
    match ActiveBox::<INLINE_AXES>::new(top) {
        Some(active) => active.settle(below, top),
        // Sizes of 2 or more multiply to at most 2^62 (V2), so these are enough.
        None => ActiveBox::<MOST_AXES>::new(top).map_or_else(
            || unreachable!("more than {MOST_AXES} axes of size 2"),
            |active| active.settle(below, top),
        ),
    }
}

/// A box of the active axes, those with two or more valid indices of the last view.
struct ActiveBox<const N: usize> {
    rank: usize,
    /// Which axis of the last view each of them is.
    axis: [usize; N],
    lo: [i64; N],
    /// Extent − 1.
    last: [i64; N],
}

/// An affine function on the box: its value at the low corner, and its steps.
struct Position<const N: usize> {
    base: i64,
    step: [i64; N],
}

/// How a view takes a box.
enum Pushed<const N: usize> {
    /// All valid, and the next position is affine.
    Through(Position<N>),
    /// The box was clipped.
    Clipped,
    /// No index is valid.
    Nothing,
    /// Some floor is not affine, or some mask, the first of which this is, is
    /// neither met nor missed by the whole box.
    Open(Option<Slab<N>>),
}

/// The indices whose position, modulo a modulus, lies in [lo, hi).
struct Slab<const N: usize> {
    lo: i64,
    hi: i64,
    residue: Floor<N>,
}

impl<const N: usize> ActiveBox<N> {
    /// The valid box of a view; `None` for more than `N` axes.
    fn new(top: &View) -> Option<ActiveBox<N>> {
        let mut active = ActiveBox { rank: 0, axis: [0; N], lo: [0; N], last: [0; N] };
        for axis in 0..top.rank() {
            let (lo, hi) = top.interval(axis);
            if hi - lo > 1 {
                *active.axis.get_mut(active.rank)? = axis;
                active.lo[active.rank] = lo;
                active.last[active.rank] = hi - lo - 1;
                active.rank += 1;
            }
        }
        Some(active)
    }

    fn settle(mut self, below: &[View], top: &View) -> Settled {
        // A bounded number of clips keeps the cost flat.
        const MOST_CLIPS: usize = 64;
        'pass: for _ in 0..=MOST_CLIPS {
            let mut position = self.start(top);
            for number in (0..below.len()).rev() {
                match self.push(&below[number], &position) {
                    Pushed::Through(next) => position = next,
                    Pushed::Clipped => continue 'pass,
                    Pushed::Nothing => return Settled::Merged(Ok(top.never())),
                    Pushed::Open(slab) => {
                        let reached = &below[..=number];
                        return match slab.and_then(|slab| self.find_hole(reached, &position, &slab))
                        {
                            Some(hole) => Settled::Hole(self.hole_witness(top, hole)),
                            None => Settled::Open(self.region()),
                        };
                    }
                }
            }
            return Settled::Merged(self.single_view(top, &position));
        }
        Settled::Open(self.region())
    }

    /// The last view's position on the box.
    fn start(&self, top: &View) -> Position<N> {
        let mut position = Position { base: top.offset(), step: [0; N] };
        for l in 0..self.rank {
            let stride = top.strides()[self.axis[l]];
            position.base += stride * self.lo[l];
            // An axis with one index left takes no steps.
            position.step[l] = if self.last[l] == 0 { 0 } else { stride };
        }
        position
    }

    fn region(&self) -> Region {
        Region {
            lo: SmallVec::from_slice(&self.lo[..self.rank]),
            extent: self.last[..self.rank].iter().map(|last| last + 1).collect(),
        }
    }

    /// Pushes the box through one view.
    fn push(&mut self, view: &View, n: &Position<N>) -> Pushed<N> {
        let (lowest, highest) = self.range(n);
        let mut base = i128::from(view.offset());
        let mut step = [0i128; N];
        let mut open = false;
        let mut open_slab: Option<Slab<N>> = None;
        let mut floor: Option<Floor<N>> = None;
        for rise in rises(view, true) {
            let stride = i128::from(rise.stride);
            match rise.contiguous {
                None => {
                    base += stride * i128::from(n.base);
                    for (sum, &t) in step.iter_mut().zip(&n.step[..self.rank]) {
                        *sum = stride * i128::from(t);
                    }
                }
                Some(contiguous) if rise.is_free() => {
                    base -= contiguous * i128::from(rise.interval.0);
                }
                Some(contiguous) if stride != contiguous && highest >= rise.behind => {
                    let jump = stride - contiguous;
                    let known = floor.take().filter(|known| known.modulus == rise.behind);
                    let level =
                        known.unwrap_or_else(|| self.floor(n, rise.behind, lowest, highest));
                    open |= !level.affine;
                    base += jump * i128::from(level.quotient);
                    if level.carries {
                        for (sum, &carry) in step.iter_mut().zip(&level.carry[..self.rank]) {
                            *sum += jump * i128::from(carry);
                        }
                    }
                }
                Some(_) => {}
            }
            if let Some((lo, hi)) = rise.slab() {
                let residue = self.floor(n, rise.whole(), lowest, highest);
                let clip = if residue.affine { self.clip(&residue, (lo, hi)) } else { Clip::Same };
                match clip {
                    Clip::Inside => floor = Some(residue),
                    Clip::Smaller => return Pushed::Clipped,
                    Clip::Empty => return Pushed::Nothing,
                    Clip::Same => {
                        open = true;
                        open_slab.get_or_insert(Slab { lo, hi, residue });
                    }
                }
            }
        }
        if open {
            return Pushed::Open(open_slab);
        }
        let mut next = Position { base: position(base), step: [0; N] };
        for (to, &from) in next.step.iter_mut().zip(&step[..self.rank]) {
            *to = position(from);
        }
        Pushed::Through(next)
    }

    /// The smallest and the largest position; valid ones, so they fit (V7).
    fn range(&self, n: &Position<N>) -> (i64, i64) {
        let axes = n.step.iter().zip(&self.last[..self.rank]);
        reached(n.base, axes.map(|(&t, &last)| t * last))
    }

    /// ⌊n/modulus⌋ and n mod modulus on the box.
    fn floor(&self, n: &Position<N>, modulus: i64, lowest: i64, highest: i64) -> Floor<N> {
        let quotient = divide(n.base, modulus);
        let start = quotient * modulus;
        let residue = n.base - start;
        let (low, high) = (i128::from(lowest - start), i128::from(highest - start));
        let (carry, rest) = ([0; N], n.step);
        let (carries, affine) = (false, true);
        let mut floor =
            Floor { modulus, quotient, carry, carries, residue, rest, low, high, affine };
        if lowest >= start && highest - start < modulus {
            // All in one block.
            return floor;
        }
        (floor.low, floor.high, floor.carries) = (residue.into(), residue.into(), true);
        for l in 0..self.rank {
            let next = residue + n.step[l];
            if next < 0 || next >= modulus {
                let carry = divide_down(next, modulus);
                floor.carry[l] = carry;
                floor.rest[l] -= carry * modulus;
            }
            let travel = i128::from(floor.rest[l]) * i128::from(self.last[l]);
            if travel < 0 {
                floor.low += travel;
            } else {
                floor.high += travel;
            }
        }
        floor.affine = floor.low >= 0 && floor.high < i128::from(modulus);
        floor
    }

    /// Shrinks the box to the bounding box of its indices whose residue is in the slab.
    fn clip(&mut self, residue: &Floor<N>, (lo, hi): (i64, i64)) -> Clip {
        let (lower, upper) = (i128::from(lo), i128::from(hi) - 1);
        let (low, high) = (residue.low, residue.high);
        if low >= lower && high <= upper {
            return Clip::Inside;
        }
        if high < lower || low > upper {
            return Clip::Empty;
        }
        let mut clip = Clip::Same;
        for l in 0..self.rank {
            let (slope, last) = (i128::from(residue.rest[l]), i128::from(self.last[l]));
            if slope == 0 {
                continue;
            }
            // lower ≤ others_high + slope·x and others_low + slope·x ≤ upper
            let travel = slope * last;
            let need_low = lower - (high - travel.max(0));
            let need_high = upper - (low - travel.min(0));
            let (first, final_) = if slope > 0 {
                (divide_up_wide(need_low, slope), divide_wide(need_high, slope))
            } else {
                (divide_up_wide(-need_high, -slope), divide_wide(-need_low, -slope))
            };
            let (first, final_) = (first.max(0), final_.min(last));
            if first > final_ {
                return Clip::Empty;
            }
            if first > 0 || final_ < last {
                // The bounds on the other axes hold for the old box as well,
                // so all axes may be clipped at once.
                self.lo[l] += position(first);
                self.last[l] = position(final_ - first);
                clip = Clip::Smaller;
            }
        }
        clip
    }

    /// The view that is valid on the box and has this position there.
    fn single_view(&self, top: &View, position: &Position<N>) -> Result<View, Error> {
        let axes = (0..self.rank).map(|l| {
            let interval = (self.lo[l], self.lo[l] + self.last[l] + 1);
            (self.axis[l], interval, position.step[l])
        });
        affine_view(top, position.base, axes)
    }
}

/// n on the box as modulus·quotient + residue.
struct Floor<const N: usize> {
    modulus: i64,
    /// ⌊n/modulus⌋ at the low corner, and its steps if it is affine.
    quotient: i64,
    carry: [i64; N],
    /// Whether any carry is not 0.
    carries: bool,
    /// n mod modulus at the low corner, and its steps.
    residue: i64,
    rest: [i64; N],
    /// The range of the affine residue.
    low: i128,
    high: i128,
    affine: bool,
}

enum Clip {
    Inside,
    Smaller,
    Same,
    Empty,
}

#[cfg(test)]
mod tests {
    use alloc::string::String;

    use super::*;
    use crate::chain::ViewChain;

    /// What one pass says, as text.
    fn settled(text: &str) -> String {
        let chain: ViewChain = text.parse().expect(text);
        let (top, below) = chain.views().split_last().expect(text);
        match settle(below, top) {
            Settled::Merged(Ok(view)) => format!("{view}"),
            Settled::Merged(Err(unwritable)) => format!("{unwritable:?}"),
            Settled::Hole(witness) => format!("{witness}"),
            Settled::Open(region) => format!("open on {:?}", region.bounds()),
        }
    }

    #[test]
    fn one_pass_settles_what_is_affine() {
        // (chain, what one pass says of it)
        let rows = [
            // No level is broken, or none is reached.
            ("(2,3) | (6)", "(6):(1)"),
            ("(2,3):(5,1) | (3)", "(3):(1)"),
            // Every carry happens at an axis of the last view.
            ("(2,3):(5,1) | (2,3):(3,1)", "(2,3):(5,1)"),
            ("(4,6):(1,4) | (4,2,3):(6,3,1)", "(4,2,3):(1,12,4)"),
            ("(4,6):(1,4) | (6,4):(4,1) | (24)", "open on [(0, 24)]"),
            // One carry for each step, whatever the start.
            ("(10,3,3):(8,1,2) | (3):(9)", "(3):(8)"),
            // Levels that cancel are left to the closed forms.
            ("(10,3,3):(8,1,2) | (4):(4)", "open on [(0, 4)]"),
        ];
        for (text, expected) in rows {
            assert_eq!(settled(text), expected, "{text}");
        }
    }

    #[test]
    fn one_pass_clips_the_box_to_masks() {
        let rows = [
            ("(6):(1)-1 [1:5] | (3):(2)", "(3):(2)-1 [1:3]"),
            ("(6):(1)-1 [1:5] | (2):(1)+2", "(2):(1)+1"),
            ("(6):(1)-1 [1:5] | (2):(5)", "(2) nothing"),
            // A window over padding: the valid indices do not form a box.
            (
                "(6):(1)-1 [1:5] | (4,3):(1,1)",
                "(0,2) and (3,0) are valid, but (0,0) between them is padding",
            ),
            // The mask repeats along the axis.
            (
                "(2,3):(3,1) [0:2,1:3] | (6)",
                "(1) and (4) are valid, but (3) between them is padding",
            ),
            // Clipped from above, then from below.
            ("(5):(1) [0:4] | (5):(1) [2:5] | (5):(1)", "(5):(1) [2:4]"),
        ];
        for (text, expected) in rows {
            assert_eq!(settled(text), expected, "{text}");
        }
    }
}
