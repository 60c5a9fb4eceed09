//! The ways in which two chains of one shape can differ, each as a question about integers.
//!
//! Two chains are the same function if no index is valid in one and padding in the other, and
//! none is valid in both at two positions. The search for a difference looks for a point of each
//! question; a certificate proves that none of them has one.
//!
//! Example: `(6)` and `(6):(1) [1:6]` can differ in three ways: an index below 1 is valid in the first;
//! or the position of the first is the higher one, or the lower one, at an index valid in both.

use alloc::vec::Vec;

use crate::dims::Intervals;
use crate::encoding::{Claim, Miss, Question, Reach, Route};
use crate::path::{Path, ways_to_miss};
use crate::staircase::sides_outside;
use lattice_point::Side;

/// A way in which two chains, 0 and 1, can differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Difference {
    /// Outside the mask of a chain's last view, on one side of an active axis, and valid in the
    /// other chain.
    Outside { chain: usize, axis: usize, side: Side },
    /// Rejected by a mask further down a chain, and valid in the other.
    Missed { chain: usize, miss: Miss },
    /// Valid in both, and the position of chain 0 is higher, or lower.
    Position { side: Side },
}

/// Two chains of one shape.
pub(crate) struct Pair<'a> {
    paths: [&'a Path<'a>; 2],
    boxes: [Intervals; 2],
    /// Where both last views are valid; intervals may be empty.
    both: Intervals,
}

impl<'a> Pair<'a> {
    pub(crate) fn new(paths: [&'a Path<'a>; 2]) -> Pair<'a> {
        let boxes = paths.map(|path| path.domain().bounds());
        let ends = boxes[0].iter().zip(&boxes[1]);
        let both = ends.map(|(&(lo, hi), &(from, to))| (lo.max(from), hi.min(to))).collect();
        Pair { paths, boxes, both }
    }

    /// All ways in which the chains can differ.
    pub(crate) fn differences(&self) -> Vec<Difference> {
        let mut all = Vec::new();
        for (chain, path) in self.paths.iter().enumerate() {
            for (axis, &interval) in self.boxes[chain].iter().enumerate() {
                let sides = sides_outside(interval, path.top.shape()[path.axes[axis]]);
                all.extend(sides.map(|side| Difference::Outside { chain, axis, side }));
            }
        }
        for (chain, path) in self.paths.iter().enumerate() {
            let missed = ways_to_miss(&path.stages);
            all.extend(missed.map(|miss| Difference::Missed { chain, miss }));
        }
        all.extend([Side::High, Side::Low].map(|side| Difference::Position { side }));
        all
    }

    /// Whether the other chain's last view has valid indices outside this mask.
    pub(crate) fn is_open(&self, difference: &Difference) -> bool {
        let &Difference::Outside { chain, axis, side } = difference else { return true };
        let ((lo, hi), (from, to)) = (self.boxes[chain][axis], self.boxes[1 - chain][axis]);
        if side == Side::Low { from < lo } else { to > hi }
    }

    /// An index at which the chains differ in this way is a point of the question.
    pub(crate) fn question(&self, difference: &Difference) -> Question<'_> {
        let route = |chain: usize, reach| Route { chain, ..self.paths[chain].route(reach) };
        let valid = |chain: usize| route(chain, Reach::Valid);
        match *difference {
            Difference::Outside { chain, axis, side } => {
                let (lo, hi) = self.boxes[chain][axis];
                let value = if side == Side::Low { lo - 1 } else { hi };
                let claim = Claim::Index { axis, side, value };
                Question { claim, ..Question::about(&self.boxes[1 - chain], [valid(1 - chain)]) }
            }
            Difference::Missed { chain, miss } => {
                Question::about(&self.both, [route(chain, Reach::Missed(miss)), valid(1 - chain)])
            }
            Difference::Position { side } => {
                let claim = Claim::Differ { by: 0, side };
                Question { claim, ..Question::about(&self.both, [valid(0), valid(1)]) }
            }
        }
    }
}
