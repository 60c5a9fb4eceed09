//! Are the valid indices of a chain a box?
//!
//! The *hull* is the smallest box around the valid indices: for every axis the
//! system is asked for the valid index of smallest and of largest coordinate.
//! The valid set is a box exactly when it fills its hull; otherwise two valid
//! indices span a box with an invalid one in it:
//!
//! - take for every axis a valid index of smallest coordinate and meet them one
//!   after the other: either some meet is invalid, a hole between the two that
//!   met, or the hull's low corner is valid; likewise its high corner;
//! - with both corners valid, any padding in the hull is a hole between them,
//!   and the system is asked for an index of the hull that misses some slab.
//!
//! Some indices are evaluated before the system is asked: most sets that are not boxes show it
//! there. The corners are evaluated whenever the hull grows, so a valid set that runs
//! diagonally or is torn is recognised after a few questions.
//!
//! Proved: `not_box_hole`, `box_or_hole_or_empty` (proofs/theories/Hole.v).

use smallvec::SmallVec;

use crate::dims::{Bounds, Dims, INLINE_AXES};
use crate::encoding::{Question, Reach, Target};
use crate::limit::{Exhausted, Meter};
use crate::merge::steps::{Candidate, hole};
use crate::merge::{SAMPLES, Stop, Witness};
use crate::path::{Path, ways_to_miss};
use crate::region::Region;
use crate::view::View;
use lattice_point::{Encode, Side};

/// Finds the box of valid indices of a chain with masks, all of which are in `region`;
/// `None` if there are none. Stops at a hole.
pub(super) fn find(
    path: &Path<'_>,
    region: &Region,
    meter: &mut Meter<'_>,
) -> Result<Option<Region>, Stop> {
    let bounds = region.bounds();
    let mut valid = Question::about(&bounds, [path.route(Reach::Valid)]);
    let mut known = Known::new(path);
    known.look_at(region.near_corners())?;
    if known.hull.is_none() {
        known.look_at(region.scattered(SAMPLES))?;
    }
    if known.hull.is_none() {
        match valid.point(meter)? {
            Some(point) => known.look_at([path.index_of(&point)])?,
            None => return Ok(None),
        }
    }
    known.look_along_axes(region)?;
    known.look_at(region.scattered(2 * SAMPLES))?;
    let Some(mut hull) = known.hull else { return Ok(None) };
    // Padding or a wrong step within what is known of the hull ends it before the hull is known.
    Candidate::new(path, &hull.spanned()?)?.look_around(4 * SAMPLES)?;
    let mut filled = hull.filled(meter)?;
    for (axis, &(lo, hi)) in bounds.iter().enumerate() {
        for side in [Side::Low, Side::High] {
            // The largest x, or the largest −x.
            let (known, end) = match side {
                Side::Low => (-hull.lowest[axis][axis], -lo),
                Side::High => (hull.highest[axis][axis], hi - 1),
            };
            if known == end {
                continue;
            }
            valid.target = Target::Index { axis, side };
            if let Some(point) = valid.largest(Some(known.into()), meter)? {
                hull.grow(&path.index_of(&point));
                hull.corners()?;
            }
        }
    }
    if filled != hull.spanned()? {
        filled = hull.filled(meter)?;
    }
    Ok(Some(filled))
}

/// The smallest or the largest coordinate of a valid index on an active axis, if an index is valid.
pub(crate) fn extreme(
    path: &Path<'_>,
    axis: usize,
    side: Side,
    meter: &mut Meter<'_>,
) -> Result<Option<i64>, Exhausted> {
    let bounds = path.domain().bounds();
    let mut valid = Question::about(&bounds, [path.route(Reach::Valid)]);
    valid.target = Target::Index { axis, side };
    let point = valid.largest(None, meter)?;
    Ok(point.map(|point| path.index_of(&point)[axis]))
}

/// The smallest box around the valid indices of a chain that has some, for views known to compose.
pub(crate) fn valid_hull(
    below: &[View],
    top: &View,
    meter: &mut Meter<'_>,
) -> Result<Bounds, Exhausted> {
    let mut hull: Bounds = (0..top.rank()).map(|axis| top.interval(axis)).collect();
    let path = Path::new(below, top);
    for (active, &axis) in path.axes.iter().enumerate().filter(|_| path.has_masks()) {
        let mut end = |side| extreme(&path, active, side, meter);
        if let (Some(first), Some(last)) = (end(Side::Low)?, end(Side::High)?) {
            hull[axis] = (first, last + 1);
        }
    }
    Ok(hull)
}

/// [`find`] by evaluating every index of `region`.
pub(super) fn walk(
    path: &Path<'_>,
    region: &Region,
    meter: &mut Meter<'_>,
) -> Result<Option<Region>, Stop> {
    let mut known = Known::new(path);
    for index in super::walk(region, meter) {
        known.note(index?);
    }
    known.check()?;
    let Some(hull) = known.hull else { return Ok(None) };
    Ok(Some(hull.spanned()?))
}

/// What is known from the indices evaluated so far.
struct Known<'a> {
    path: &'a Path<'a>,
    /// Of the valid ones.
    hull: Option<Hull<'a>>,
    padding: SmallVec<[Dims; 8]>,
}

impl<'a> Known<'a> {
    fn new(path: &'a Path<'a>) -> Known<'a> {
        Known { path, hull: None, padding: SmallVec::new() }
    }

    /// Evaluates some indices; stops if what is known shows a hole.
    fn look_at(&mut self, indices: impl IntoIterator<Item = Dims>) -> Result<(), Witness> {
        indices.into_iter().for_each(|index| self.note(index));
        self.check()
    }

    /// Evaluates an index.
    fn note(&mut self, index: Dims) {
        if self.path.value(&index).is_none() {
            self.padding.push(index);
        } else if let Some(hull) = &mut self.hull {
            hull.grow(&index);
        } else {
            self.hull = Some(Hull::new(self.path, index));
        }
    }

    /// Stops if what is known shows a hole.
    fn check(&self) -> Result<(), Witness> {
        let Some(hull) = &self.hull else { return Ok(()) };
        let spanned = hull.spanned()?;
        match self.padding.iter().find(|index| spanned.contains(index)) {
            None => Ok(()),
            Some(invalid) => Err(hole(self.path, &spanned, invalid)),
        }
    }

    /// Looks at the neighbours of a valid index, where a comb shows, and then
    /// near the corners of the hull, where a slab across axes does.
    fn look_along_axes(&mut self, region: &Region) -> Result<(), Witness> {
        // Next to it, and ever farther away.
        let steps = [1, 2, 3].into_iter().chain((2..62).map(|power| 1i64 << power));
        let start = self.hull.as_ref().and_then(|hull| hull.lowest.first()).cloned();
        let Some(start) = start else { return Ok(()) };
        for l in 0..region.rank() {
            let steps = steps.clone().take_while(|step| *step < region.extent[l]);
            let line = steps.flat_map(|step| [step, -step]).map(|step| {
                let mut index = start.clone();
                index[l] += step;
                index
            });
            self.look_at(line.filter(|index| region.contains(index)))?;
        }
        let Some(hull) = &self.hull else { return Ok(()) };
        let spanned = hull.spanned()?;
        self.look_at(spanned.near_corners())
    }
}

/// For every axis a valid index of smallest and of largest coordinate.
struct Hull<'a> {
    path: &'a Path<'a>,
    lowest: SmallVec<[Dims; INLINE_AXES]>,
    highest: SmallVec<[Dims; INLINE_AXES]>,
}

impl<'a> Hull<'a> {
    fn new(path: &'a Path<'a>, index: Dims) -> Hull<'a> {
        let lowest = SmallVec::from_elem(index, path.axes.len());
        Hull { path, highest: lowest.clone(), lowest }
    }

    fn grow(&mut self, index: &Dims) {
        for (axis, &i) in index.iter().enumerate() {
            if i < self.lowest[axis][axis] {
                self.lowest[axis] = index.clone();
            }
            if i > self.highest[axis][axis] {
                self.highest[axis] = index.clone();
            }
        }
    }

    /// The box, if its low and high corners are valid; else a hole.
    fn spanned(&self) -> Result<Region, Witness> {
        let [low, high] = self.corners()?;
        Ok(Region::spanned(low, &high))
    }

    /// The box, if all of it is valid; else a hole.
    fn filled(&self, meter: &mut Meter<'_>) -> Result<Region, Stop> {
        let spanned = self.spanned()?;
        let bounds = spanned.bounds();
        for reach in ways_to_miss(&self.path.stages).map(Reach::Missed) {
            if let Some(point) = Question::about(&bounds, [self.path.route(reach)]).point(meter)? {
                return Err(hole(self.path, &spanned, &self.path.index_of(&point)).into());
            }
        }
        Ok(spanned)
    }

    /// The low and the high corner, if both are valid; else a hole.
    fn corners(&self) -> Result<[Dims; 2], Witness> {
        Ok([self.meet_all(&self.lowest, i64::min)?, self.meet_all(&self.highest, i64::max)?])
    }

    /// Meets valid indices one after the other, coordinate by coordinate.
    fn meet_all(&self, indices: &[Dims], pick: fn(i64, i64) -> i64) -> Result<Dims, Witness> {
        let mut corner = indices.first().cloned().unwrap_or_default();
        for index in indices.iter().skip(1) {
            let met: Dims = corner.iter().zip(index).map(|(&a, &b)| pick(a, b)).collect();
            if self.path.value(&met).is_none() {
                return Err(self.path.hole([&corner, index], &met));
            }
            corner = met;
        }
        Ok(corner)
    }
}
