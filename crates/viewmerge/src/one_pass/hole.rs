//! Where the first undecided slab suggests a hole.
//!
//! This is a guess: three indices are evaluated, and either they are a hole or nothing is
//! learned. Axes that the slab does not depend on stay near the middle of the box,
//! where other slabs are most likely met.
//!
//! - A slab that runs across two axes: from the corner farthest inside, go as
//!   far as the slab allows along the one and along the other; doing both leaves it.
//! - A slab that repeats along an axis: a line along it enters the
//!   slab, leaves it, and enters it again.
//! - Or two such lines enter it at different places, and the one that enters
//!   later is not yet inside where the other is.
//!
//! Running example: a window over padding, `(6):(1)-1 [1:5]` through
//! `(4,3):(1,1)`: (0,2) and (3,0) are valid, (0,0) is not.
//!
//! Proved: `hole_not_box` (proofs/theories/Hole.v).

use super::{ActiveBox, Position, Slab};
use crate::arith::{divide_up_wide, divide_wide};
use crate::path::{full_index, read_through};
use crate::staircase::position;
use crate::view::View;
use crate::witness::Witness;

/// An index counted from the low corner of the box.
type Place<const N: usize> = [i64; N];

/// Two valid places, and an invalid one between them.
pub(super) type Hole<const N: usize> = [Place<N>; 3];

impl<const N: usize> ActiveBox<N> {
    /// Looks for a hole; `views`, memory side first, end with the one that has the slab.
    pub(super) fn find_hole(
        &self,
        views: &[View],
        n: &Position<N>,
        slab: &Slab<N>,
    ) -> Option<Hole<N>> {
        let is_hole = |[first, second, between]: &Hole<N>| {
            let valid = |place: &Place<N>| {
                let steps = n.step.iter().zip(place);
                read_through(views, steps.fold(n.base, |n, (&t, &x)| n + t * x)).is_some()
            };
            !valid(between) && valid(first) && valid(second)
        };
        if slab.residue.affine {
            let (along, across) = self.two_longest(&slab.residue.rest);
            return self.diagonal(slab, along?, across?).filter(is_hole);
        }
        // Steps that differ by the modulus are the same; the shortest say most.
        let half = slab.residue.modulus / 2;
        let shortest =
            |r: i64| if r.abs() > half { r - slab.residue.modulus * r.signum() } else { r };
        let rest = slab.residue.rest.map(shortest);
        let (along, across) = self.two_longest(&rest);
        let line = Line { last: &self.last, slab, rest: &rest, along: along? };
        [4, 3].into_iter().find_map(|eighths| {
            let mut start = self.last.map(|last| last / 8 * eighths + last % 8 * eighths / 8);
            start[line.along] = 0;
            let torn = match line.places(&start) {
                [Some(enters), Some(leaves), Some(again)] => Some([enters, again, leaves]),
                _ => None,
            };
            torn.filter(is_hole).or_else(|| {
                let across = across?;
                line.shifted(start, across, self.last[across]).filter(is_hole)
            })
        })
    }

    /// The two axes along which the residue travels farthest.
    fn two_longest(&self, rest: &[i64; N]) -> (Option<usize>, Option<usize>) {
        let travel = |l: usize| i128::from(rest[l]).abs() * i128::from(self.last[l]);
        let (mut first, mut second) = (None, None);
        for l in (0..self.rank).filter(|&l| travel(l) != 0) {
            if first.is_none_or(|known| travel(l) > travel(known)) {
                (first, second) = (Some(l), first);
            } else if second.is_none_or(|known| travel(l) > travel(known)) {
                second = Some(l);
            }
        }
        (first, second)
    }

    /// As far as the slab allows along two axes, and both.
    fn diagonal(&self, slab: &Slab<N>, first: usize, second: usize) -> Option<Hole<N>> {
        let residue = &slab.residue;
        let (below, above) =
            (i128::from(slab.lo) - residue.low, residue.high - i128::from(slab.hi) + 1);
        // From the corner of largest residue down, or the other way.
        let downwards = below > 0;
        let room = residue.high - residue.low - if downwards { below } else { above };
        let mut corner = self.last.map(|last| last / 2);
        let ends = residue.rest.iter().zip(&self.last[..self.rank]);
        for (place, (&rest, &last)) in corner.iter_mut().zip(ends) {
            if rest != 0 {
                *place = if (rest > 0) == downwards { last } else { 0 };
            }
        }
        let far = |l: usize| {
            let speed = i128::from(residue.rest[l]).abs();
            let steps = position(divide_wide(room, speed).min(self.last[l].into()));
            if (residue.rest[l] > 0) == downwards { corner[l] - steps } else { corner[l] + steps }
        };
        let (mut one, mut other, mut both) = (corner, corner, corner);
        (one[first], other[second]) = (far(first), far(second));
        (both[first], both[second]) = (one[first], other[second]);
        Some([one, other, both])
    }

    /// A hole as indices of the last view.
    pub(super) fn hole_witness(&self, top: &View, hole: Hole<N>) -> Witness {
        let index = |place: Place<N>| {
            let axes = &self.axis[..self.rank];
            full_index(top, axes, self.lo.iter().zip(place).map(|(lo, x)| lo + x))
        };
        let [first, second, between] = hole;
        Witness::Hole { valid: [index(first), index(second)], invalid: index(between) }
    }
}

/// Lines along an axis, and a slab they pass through.
struct Line<'a, const N: usize> {
    last: &'a [i64; N],
    slab: &'a Slab<N>,
    /// The steps of the residue.
    rest: &'a [i64; N],
    along: usize,
}

impl<const N: usize> Line<'_, N> {
    /// Where two parallel lines enter the slab, and the later one at the earlier place.
    fn shifted(&self, mut start: Place<N>, across: usize, last: i64) -> Option<Hole<N>> {
        start[across] = 0;
        let one = self.places(&start)[0]?;
        start[across] = last;
        let other = self.places(&start)[0]?;
        let in_order = one[self.along] < other[self.along];
        let (earlier, later) = if in_order { (one, other) } else { (other, one) };
        let mut between = later;
        between[self.along] = earlier[self.along];
        Some([earlier, later, between])
    }

    /// Where the line from a place on first enters the slab, leaves it, and
    /// enters it again, as far as that is within the box.
    fn places(&self, start: &Place<N>) -> [Option<Place<N>>; 3] {
        let residue = &self.slab.residue;
        let modulus = i128::from(residue.modulus);
        let moves = self.rest.iter().zip(start);
        let at_start = moves
            .fold(i128::from(residue.residue), |sum, (&r, &x)| sum + i128::from(r) * i128::from(x));
        let mut at_start = at_start - divide_wide(at_start, modulus) * modulus;
        let (mut lo, mut hi) = (i128::from(self.slab.lo), i128::from(self.slab.hi));
        let speed = i128::from(self.rest[self.along]);
        if speed < 0 {
            // A falling residue is a rising one read from the other end of the modulus.
            (at_start, lo, hi) = (modulus - 1 - at_start, modulus - hi, modulus - lo);
        }
        let round = if at_start < hi { 0 } else { modulus };
        [round + lo, round + hi, round + modulus + lo].map(|bound| {
            let steps = divide_up_wide(bound - at_start, speed.abs()).max(0);
            (steps <= self.last[self.along].into()).then(|| {
                let mut place = *start;
                place[self.along] = position(steps);
                place
            })
        })
    }
}
