//! Are the steps along every axis the same everywhere on a box of valid indices?
//!
//! The candidate is the affine function A that agrees with F at the low corner
//! and its neighbours. The box is cut at overflows into pieces on which F is
//! affine, and each piece is compared with A, value and slopes, as soon as it
//! is known. A piece that disagrees yields a witness: walking from the low
//! corner to the index where F ≠ A, one axis after the other, some single step
//! must be wrong, and bisection finds it in O(log) evaluations.

use crate::composite::{Ask, Composite, Piece};
use crate::dims::Dims;
use crate::merge::Witness;
use crate::region::{Affine, Region};

/// The affine function F is on a box of valid indices, or a witness that it is none.
pub(super) fn find_disagreement(
    composite: &Composite<'_>,
    region: &Region,
) -> Result<Affine, Witness> {
    let candidate = Candidate::new(composite, region);
    let mut open = vec![region.clone()];
    while let Some(part) = open.pop() {
        match composite.piece(&part, Ask::Position) {
            Piece::Affine(function) => {
                if let Some(index) = candidate.disagrees(&part, &function) {
                    return Err(candidate.witness(index));
                }
            }
            Piece::Cut(cut) => {
                let (before, from) = part.split(cut);
                open.push(from);
                open.push(before);
            }
            Piece::Padding => unreachable!("every index of the box is valid"),
        }
    }
    Ok(candidate.function)
}

/// The only affine function F can be on the box.
struct Candidate<'a> {
    composite: &'a Composite<'a>,
    region: &'a Region,
    function: Affine,
}

impl<'a> Candidate<'a> {
    fn new(composite: &'a Composite<'a>, region: &'a Region) -> Candidate<'a> {
        let value =
            |index: &[i64]| composite.value(index).expect("every index of the box is valid");
        let base = value(&region.lo);
        let slope = (0..region.rank())
            .map(|l| {
                if region.extent[l] == 1 {
                    return 0;
                }
                let mut next = region.lo.clone();
                next[l] += 1;
                value(&next) - base
            })
            .collect();
        Candidate { composite, region, function: Affine { base, slope } }
    }

    /// The candidate at an index of the box; wide, because it may be wrong there.
    fn at(&self, index: &[i64]) -> i128 {
        let terms = self.function.slope.iter().zip(index).zip(&self.region.lo);
        terms.fold(self.function.base.into(), |sum, ((&slope, &i), &lo)| {
            sum + i128::from(slope) * i128::from(i - lo)
        })
    }

    /// An index of a piece at which F, known there, is not the candidate.
    fn disagrees(&self, part: &Region, function: &Affine) -> Option<Dims> {
        if i128::from(function.base) != self.at(&part.lo) {
            return Some(part.lo.clone());
        }
        let differing =
            |l: &usize| part.extent[*l] > 1 && function.slope[*l] != self.function.slope[*l];
        (0..part.rank()).find(differing).map(|l| {
            let mut index = part.lo.clone();
            index[l] += 1;
            index
        })
    }

    /// F minus the candidate at an index of the box.
    fn error(&self, index: &[i64]) -> i128 {
        let value = self.composite.value(index).expect("every index of the box is valid");
        i128::from(value) - self.at(index)
    }

    /// A step witness from an index at which F is not the candidate.
    fn witness(&self, wrong: Dims) -> Witness {
        // Invariant: the error at `index` is 0, and after the axes from l on
        // are moved to `wrong` it is not.
        let mut index = self.region.lo.clone();
        let mut l = 0;
        loop {
            let mut moved = index.clone();
            moved[l] = wrong[l];
            if self.error(&moved) != 0 {
                break;
            }
            index = moved;
            l += 1;
        }
        // Error 0 at `good`, not 0 at `bad`: close in on neighbours.
        let (mut good, mut bad) = (index[l], wrong[l]);
        while bad - good > 1 {
            index[l] = good + (bad - good) / 2;
            if self.error(&index) == 0 {
                good = index[l];
            } else {
                bad = index[l];
            }
        }
        index[l] = good;
        let mut next = index.clone();
        next[l] = bad;
        let other_step = i128::from(self.function.slope[l]) + self.error(&next);
        Witness::Step {
            axis: self.composite.axis(l),
            at: self.composite.full_index(&self.region.lo),
            step: self.function.slope[l],
            other: self.composite.full_index(&index),
            // A difference of two positions (V7).
            other_step: crate::staircase::narrow(other_step),
        }
    }
}
