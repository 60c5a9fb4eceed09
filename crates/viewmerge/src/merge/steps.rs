//! Are the steps along every axis the same everywhere on a box of valid indices?
//!
//! The candidate is the affine function A that agrees with F at the low corner
//! and its neighbours. If the position that enters the lowest view is affine on
//! the box, only the levels of that view can disagree, and [`super::levels`]
//! decides, mostly in closed form; what it leaves open is cut to one period of
//! the carries. Then the box is cut at overflows into pieces on which F is
//! affine, and each piece is compared with A, value and slopes, as soon as it
//! is known. A disagreement yields a witness: walking from the low corner to
//! the index where F ≠ A, one axis after the other, some single step must be
//! wrong, and bisection finds it in O(log) evaluations.
//!
//! Proved: `strides_at_low_corner` (proofs/theories/Criterion.v),
//! `affine_iff_candidate` (proofs/theories/Accidental.v), `period_cut_flat`
//! (proofs/theories/Periods.v).

use smallvec::SmallVec;

use crate::composite::{Ask, Composite, Piece};
use crate::dims::Dims;
use crate::floor::Floor;
use crate::limit::{Exhausted, Meter, Stop};
use crate::merge::Witness;
use crate::merge::levels::{self, Outcome};
use crate::merge::pair::cut_to_period;
use crate::region::{Affine, Region};
use crate::staircase::{Level, Staircase};

/// The affine function F is on a box of valid indices, or a witness that it is none.
pub(super) fn find_disagreement(
    composite: &Composite<'_>,
    region: &Region,
    meter: &mut Meter,
) -> Result<Affine, Stop> {
    let candidate = Candidate::new(composite, region);
    let mut searched = region.clone();
    if let Some((lowest, n)) = entering_lowest(composite, region, meter)? {
        let (broken, n) = broken_levels(lowest, &n, &region.extent);
        match levels::decide(&broken, &n, &region.extent, meter)? {
            Outcome::Affine => return Ok(candidate.function),
            Outcome::Wrong(suspects) => {
                for suspect in suspects {
                    let index: Dims =
                        suspect.iter().zip(&region.lo).map(|(x, lo)| x + lo).collect();
                    if candidate.error(&index) != 0 {
                        return Err(candidate.witness(index).into());
                    }
                }
                debug_assert!(false, "one of the two indices is wrong");
            }
            Outcome::Open => {}
        }
        if let Some(coarsest) = broken.last() {
            for (l, extent) in searched.extent.iter_mut().enumerate() {
                *extent = cut_to_period(n.slope[l], *extent, coarsest.modulus);
            }
        }
    }
    let mut open = vec![searched];
    while let Some(part) = open.pop() {
        meter.spend(1)?;
        match composite.piece(&part, Ask::Position) {
            Piece::Affine(function) => {
                if let Some(index) = candidate.disagrees(&part, &function) {
                    return Err(candidate.witness(index).into());
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

/// The levels of a view that are not affine on a box, and the position they
/// are to be read at, both [reduced](levels::reduce).
fn broken_levels(stage: &Staircase, n: &Affine, extent: &[i64]) -> (SmallVec<[Level; 4]>, Affine) {
    let levels = stage.levels.iter().copied();
    let broken: SmallVec<[Level; 4]> =
        levels.filter(|level| !Floor::new(n, extent, level.modulus).is_affine()).collect();
    levels::reduce(&broken, n, extent)
}

/// The lowest view and the position that enters it, if that is affine on the box.
fn entering_lowest<'a>(
    composite: &'a Composite<'_>,
    region: &Region,
    meter: &mut Meter,
) -> Result<Option<(&'a Staircase, Affine)>, Exhausted> {
    let Some((lowest, above)) = composite.stages().split_last() else { return Ok(None) };
    let mut n = composite.top_affine(region);
    for stage in above {
        let (broken, reduced) = broken_levels(stage, &n, &region.extent);
        match levels::decide(&broken, &reduced, &region.extent, meter)? {
            Outcome::Affine => n = stage.seemingly_affine(&n, &region.extent),
            Outcome::Wrong(_) | Outcome::Open => return Ok(None),
        }
    }
    Ok(Some((lowest, n)))
}

/// Two neighbours between which something begins to hold, on the straight way,
/// one axis after the other, from an index where it does not to one where it does.
pub(super) fn first_change(from: Dims, to: Dims, holds: impl Fn(&[i64]) -> bool) -> [Dims; 2] {
    let mut index = from;
    let mut l = 0;
    loop {
        let mut moved = index.clone();
        moved[l] = to[l];
        if l + 1 == to.len() || holds(&moved) {
            break;
        }
        index = moved;
        l += 1;
    }
    let (mut good, mut bad) = (index[l], to[l]);
    while bad - good > 1 {
        index[l] = good + (bad - good) / 2;
        if holds(&index) {
            bad = index[l];
        } else {
            good = index[l];
        }
    }
    index[l] = good;
    let mut next = index.clone();
    next[l] = bad;
    [index, next]
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
        let from = self.region.lo.clone();
        let [index, next] = first_change(from, wrong, |index| self.error(index) != 0);
        let moves = |l: &usize| index[*l] != next[*l];
        let l = (0..index.len()).find(moves).unwrap_or(0);
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
