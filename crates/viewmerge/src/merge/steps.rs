//! Are the steps along every axis the same everywhere on a box of valid indices?
//!
//! Indices of a box may be evaluated before all of them are known to be valid: if its low and high
//! corners are, any padding between them is a hole, which is also an answer.
//!
//! The candidate is the affine function A that agrees with F at the low corner
//! and its neighbours: if F is affine it is this one. If the position that
//! enters the lowest view is affine on the box, only the levels of that view
//! can disagree, and [`super::levels`] may decide in closed form. Otherwise the
//! system is asked for an index with F > A, and for one with F < A. An index
//! where they differ yields a witness: walking there from the low corner, one
//! axis after the other, some single step must be wrong, and bisection finds it
//! in O(log) evaluations.
//!
//! Proved: `strides_at_low_corner` (proofs/theories/Criterion.v),
//! `affine_iff_candidate` (proofs/theories/Accidental.v).

use core::convert::Infallible;

use crate::arith::bisect;
use crate::dims::Dims;
use crate::encoding::{Claim, Question, Reach, Route};
use crate::limit::{Exhausted, Meter};
use crate::merge::levels;
use crate::merge::pair::Checked;
use crate::merge::{Stop, Witness};
use crate::path::Path;
use crate::region::{Affine, Region};
use lattice_point::{Encode, Side};

/// The only affine function F can be on a box with valid corners.
pub(super) struct Candidate<'a> {
    path: &'a Path<'a>,
    region: &'a Region,
    pub(super) function: Affine,
}

impl<'a> Candidate<'a> {
    /// Stops at padding beside the low corner.
    pub(super) fn new(path: &'a Path<'a>, region: &'a Region) -> Result<Candidate<'a>, Witness> {
        let base = path.valid_value(&region.lo);
        let step = |l: usize| match region.extent[l] {
            1 => Ok(0),
            _ => {
                let mut next = region.lo.clone();
                next[l] += 1;
                let value = path.value(&next);
                value.map(|value| value - base).ok_or_else(|| hole(path, region, &next))
            }
        };
        let slope = (0..region.rank()).map(step).collect::<Result<_, _>>()?;
        Ok(Candidate { path, region, function: Affine { base, slope } })
    }

    /// Whether F is the candidate everywhere, by closed forms; `None` if they do not say.
    pub(super) fn by_closed_forms(
        &self,
        meter: &mut Meter<'_>,
    ) -> Result<Option<Result<(), Witness>>, Exhausted> {
        let extent = &self.region.extent;
        let stages = &self.path.stages;
        let mut n = self.path.top_affine(self.region);
        for (number, stage) in stages.iter().enumerate() {
            match levels::together(stage, &n, extent, meter)? {
                Checked::Affine => n = stage.seemingly_affine(&n, extent),
                Checked::Wrong(suspects) if number + 1 == stages.len() => {
                    let mut indices = suspects.into_iter().map(|place| -> Dims {
                        place.iter().zip(&self.region.lo).map(|(x, lo)| x + lo).collect()
                    });
                    // Closed forms are trusted for yes, checked for no.
                    let wrong = indices.find(|index| !self.is_right(index));
                    return Ok(wrong.map(|index| Err(self.witness(index))));
                }
                Checked::Wrong(_) | Checked::Open => return Ok(None),
            }
        }
        Ok(Some(Ok(())))
    }

    /// A witness among some indices of the box, if one of them is wrong.
    pub(super) fn look_around(&self, count: usize) -> Result<(), Witness> {
        let mut indices = self.region.near_corners().chain(self.region.scattered(count));
        indices.try_for_each(|index| self.look_at(index))
    }

    /// A witness among all indices of the box, if one of them is wrong.
    pub(super) fn walk(&self, meter: &mut Meter<'_>) -> Result<(), Stop> {
        super::walk(self.region, meter).try_for_each(|index| Ok(self.look_at(index?)?))
    }

    fn look_at(&self, index: Dims) -> Result<(), Witness> {
        if self.is_right(&index) { Ok(()) } else { Err(self.witness(index)) }
    }

    /// Whether F is the candidate everywhere, by the system.
    pub(super) fn by_system(&self, meter: &mut Meter<'_>) -> Result<(), Stop> {
        let bounds = self.region.bounds();
        let offset = self.function.at(self.region.lo.iter().map(|lo| -lo));
        for side in [Side::High, Side::Low] {
            let candidate = Route::affine(offset, &self.function.slope);
            let mut question =
                Question::about(&bounds, [self.path.route(Reach::Position), candidate]);
            question.claim = Claim::Differ { by: 0, side };
            if let Some(point) = question.point(meter)? {
                return Err(self.witness(self.path.index_of(&point)).into());
            }
        }
        Ok(())
    }

    /// Whether F is the candidate at an index of the box.
    fn is_right(&self, index: &[i64]) -> bool {
        let place = index.iter().zip(&self.region.lo).map(|(i, lo)| i - lo);
        self.path.value(index).is_some_and(|value| i128::from(value) == self.function.at(place))
    }

    /// A witness from an index at which F is not the candidate.
    fn witness(&self, wrong: Dims) -> Witness {
        let low = &self.region.lo;
        let [index, next] = first_change(low.clone(), wrong, |index| !self.is_right(index));
        let l = (0..index.len()).find(|&l| index[l] != next[l]).unwrap_or(0);
        let Some(value) = self.path.value(&next) else {
            return hole(self.path, self.region, &next);
        };
        Witness::Step {
            axis: self.path.axes[l],
            at: self.path.full_index(low),
            step: self.function.slope[l],
            other: self.path.full_index(&index),
            other_step: value - self.path.valid_value(&index),
        }
    }
}

/// The hole at padding in a box whose low and high corners are valid.
pub(super) fn hole(path: &Path<'_>, spanned: &Region, padding: &[i64]) -> Witness {
    let [low, high] = spanned.corners();
    path.hole([&low, &high], padding)
}

/// Two neighbours between which something begins to hold, on the straight way,
/// one axis after the other, from an index where it does not to one where it does.
pub fn first_change(from: Dims, to: Dims, holds: impl Fn(&[i64]) -> bool) -> [Dims; 2] {
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
    let Ok(last) = bisect::<Infallible>(index[l], to[l], |x| {
        index[l] = x;
        Ok(!holds(&index))
    });
    index[l] = last;
    let mut next = index.clone();
    next[l] = to[l].min(last + 1);
    [index, next]
}
