//! Are the valid indices of a chain a box?
//!
//! The box is cut into pieces that are all valid or all padding. The *hull* is
//! the smallest box around the valid pieces seen so far. The valid set is a
//! box exactly when it fills its hull; otherwise two valid indices span a box
//! with an invalid one in it:
//!
//! - take for every axis a valid index of smallest coordinate and meet them one
//!   after the other: either some meet is invalid, a hole between the two that
//!   met, or the hull's low corner is valid; likewise its high corner;
//! - with both corners valid, any padding in the hull is a hole between them.
//!
//! A box with one long axis needs no pieces ([`super::line`]). Of any other
//! some corners are looked at first, and padding met on the way is
//! remembered and tried as soon as the hull grows, so a valid set that runs
//! diagonally or is torn is recognised after a few pieces.
//!
//! Proved: `not_box_hole`, `box_or_hole_or_empty` (proofs/theories/Hole.v).

use smallvec::SmallVec;

use crate::composite::{Ask, Composite, Piece};
use crate::dims::{Dims, INLINE_AXES};
use crate::limit::{Meter, Stop};
use crate::merge::Witness;
use crate::merge::line::{self, Along};
use crate::region::Region;

/// What the valid indices are.
pub(super) enum ValidSet {
    Nothing,
    Box(Region),
}

/// Finds the valid set of a chain, all of which lies in `region`; stops at a hole.
pub(super) fn find(
    composite: &Composite<'_>,
    region: Region,
    meter: &mut Meter,
) -> Result<ValidSet, Stop> {
    if composite.stages().iter().all(|stage| stage.slabs.is_empty()) {
        return Ok(ValidSet::Box(region));
    }
    if let Some(found) = along_one_axis(composite, &region)? {
        return Ok(found);
    }
    let mut search = Search::new(composite);
    search.probe(&region)?;
    search.cover(region, meter)?;
    match search.hull {
        None => Ok(ValidSet::Nothing),
        Some(hull) if search.volume == hull.region.volume() => Ok(ValidSet::Box(hull.region)),
        Some(hull) => Err(hull.hole_somewhere(composite, meter)?.into()),
    }
}

/// The valid set of a box with one long axis, if it can be had without walking.
fn along_one_axis(composite: &Composite<'_>, region: &Region) -> Result<Option<ValidSet>, Stop> {
    let mut long = (0..region.rank()).filter(|&l| region.extent[l] > 1);
    let (Some(axis), None) = (long.next(), long.next()) else { return Ok(None) };
    let Some(along) = line::find(composite, region, axis) else { return Ok(None) };
    match along {
        Along::Nothing => Ok(Some(ValidSet::Nothing)),
        Along::Interval(from, to) => {
            let mut valid = region.clone();
            valid.lo[axis] += from;
            valid.extent[axis] = to - from;
            Ok(Some(ValidSet::Box(valid)))
        }
        Along::Hole(places) => {
            let [first, invalid, second] = places.map(|place| {
                let mut index = region.lo.clone();
                index[axis] += place;
                index
            });
            Err(hole(composite, [first, second], invalid).into())
        }
    }
}

struct Search<'a> {
    composite: &'a Composite<'a>,
    hull: Option<Hull>,
    /// The last few boxes of padding seen outside the hull.
    padding: SmallVec<[Region; 2]>,
    /// How many valid indices the pieces seen have.
    volume: i64,
}

impl<'a> Search<'a> {
    fn new(composite: &'a Composite<'a>) -> Search<'a> {
        Search { composite, hull: None, padding: SmallVec::new(), volume: 0 }
    }

    /// Looks at the low and the high corner of a box and their neighbour corners.
    fn probe(&mut self, region: &Region) -> Result<(), Witness> {
        let ends = [region.lo.clone(), region.high_corner()];
        for (corner, opposite) in [(&ends[0], &ends[1]), (&ends[1], &ends[0])] {
            for moved in (0..region.rank()).map(Some).chain([None]) {
                let mut index = corner.clone();
                if let Some(l) = moved {
                    index[l] = opposite[l];
                }
                let valid = self.composite.value(&index).is_some();
                let point = Region { extent: SmallVec::from_elem(1, index.len()), lo: index };
                if valid {
                    self.see_valid(point)?;
                } else {
                    self.see_padding(point)?;
                }
            }
        }
        Ok(())
    }

    /// Sees every piece of a box; stops at the first hole.
    fn cover(&mut self, region: Region, meter: &mut Meter) -> Result<(), Stop> {
        let mut open = vec![region];
        while let Some(part) = open.pop() {
            meter.spend(1)?;
            match self.composite.piece(&part, Ask::Validity) {
                Piece::Affine(_) => {
                    self.volume += part.volume();
                    self.see_valid(part)?;
                }
                Piece::Padding => self.see_padding(part)?,
                Piece::Cut(cut) => {
                    let (before, from) = part.split(cut);
                    open.push(from);
                    open.push(before);
                }
            }
        }
        Ok(())
    }

    fn see_valid(&mut self, part: Region) -> Result<(), Witness> {
        match &mut self.hull {
            None => self.hull = Some(Hull::new(part)),
            Some(hull) if hull.region.contains(&part) => {}
            Some(hull) => {
                hull.grow(part);
                // Looks at the corners even if there is no padding to try.
                let corners = hull.corners(self.composite)?;
                for padding in &self.padding {
                    if let Some(invalid) = hull.region.meeting_point(padding) {
                        return Err(hole(self.composite, corners, invalid));
                    }
                }
            }
        }
        Ok(())
    }

    fn see_padding(&mut self, part: Region) -> Result<(), Witness> {
        const REMEMBERED: usize = 16;
        if let Some(hull) = &self.hull
            && let Some(invalid) = hull.region.meeting_point(&part)
        {
            let corners = hull.corners(self.composite)?;
            return Err(hole(self.composite, corners, invalid));
        }
        if self.padding.len() == REMEMBERED {
            self.padding.remove(0);
        }
        self.padding.push(part);
        Ok(())
    }
}

/// The smallest box around some valid boxes, and for each of its sides one of them on it.
struct Hull {
    region: Region,
    parts: SmallVec<[Region; 2]>,
    /// For every axis which of the parts reaches lowest and highest.
    lowest: SmallVec<[usize; INLINE_AXES]>,
    highest: SmallVec<[usize; INLINE_AXES]>,
}

impl Hull {
    fn new(part: Region) -> Hull {
        let rank = part.rank();
        Hull {
            region: part.clone(),
            parts: smallvec::smallvec![part],
            lowest: SmallVec::from_elem(0, rank),
            highest: SmallVec::from_elem(0, rank),
        }
    }

    fn grow(&mut self, part: Region) {
        let hull = self.region.hull(&part);
        for l in 0..hull.rank() {
            if hull.lo[l] < self.region.lo[l] {
                self.lowest[l] = self.parts.len();
            }
            if hull.lo[l] + hull.extent[l] > self.region.lo[l] + self.region.extent[l] {
                self.highest[l] = self.parts.len();
            }
        }
        self.region = hull;
        self.parts.push(part);
    }

    /// The low and the high corner, if both are valid; else a hole.
    fn corners(&self, composite: &Composite<'_>) -> Result<[Dims; 2], Witness> {
        let lowest = self.lowest.iter().map(|&part| self.parts[part].lo.clone());
        let highest = self.highest.iter().map(|&part| self.parts[part].high_corner());
        let low = meet_all(composite, lowest, i64::min)?;
        let high = meet_all(composite, highest, i64::max)?;
        Ok([low, high])
    }

    /// A hole in a hull that is known not to be filled.
    fn hole_somewhere(
        &self,
        composite: &Composite<'_>,
        meter: &mut Meter,
    ) -> Result<Witness, Stop> {
        let corners = self.corners(composite)?;
        let mut open = vec![self.region.clone()];
        while let Some(part) = open.pop() {
            meter.spend(1)?;
            match composite.piece(&part, Ask::Validity) {
                Piece::Affine(_) => {}
                Piece::Padding => return Ok(hole(composite, corners, part.lo)),
                Piece::Cut(cut) => {
                    let (before, from) = part.split(cut);
                    open.push(from);
                    open.push(before);
                }
            }
        }
        unreachable!("fewer valid indices than the hull has, but no padding in it")
    }
}

/// Meets valid indices one after the other, coordinate by coordinate.
fn meet_all(
    composite: &Composite<'_>,
    mut indices: impl Iterator<Item = Dims>,
    pick: fn(i64, i64) -> i64,
) -> Result<Dims, Witness> {
    let Some(mut corner) = indices.next() else { return Ok(Dims::new()) };
    for index in indices {
        let met: Dims = corner.iter().zip(&index).map(|(&a, &b)| pick(a, b)).collect();
        if composite.value(&met).is_none() {
            return Err(hole(composite, [corner, index], met));
        }
        corner = met;
    }
    Ok(corner)
}

fn hole(composite: &Composite<'_>, valid: [Dims; 2], invalid: Dims) -> Witness {
    Witness::Hole {
        valid: valid.map(|index| composite.full_index(&index)),
        invalid: composite.full_index(&invalid),
    }
}
