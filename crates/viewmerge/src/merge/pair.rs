//! Two levels whose overflows cancel (theory, "accidental").
//!
//! Let m divide m·M, n affine on a box, and h = ⌊n/m⌋ − ⌊n/(mM)⌋ (or +). Let A
//! be the affine function that agrees with h at the low corner and its
//! neighbours. Then h = A at an index exactly when there
//!
//! ```text
//! d = A − (M − 1)·e lies in [0, M − 1],  e =  ⌊(n − mA)/m⌋     for the difference
//! d = A − (M + 1)·e lies in [0, M − 1],  e = −⌊(n − mA)/m⌋     for the sum
//! ```
//!
//! so h is affine exactly when the extremes of d say so, and an index where d
//! leaves the range is an index where h is not A. Along one axis the extremes
//! take O(log) ([`super::euclid`]), however long it is; an axis on which
//! n − mA moves by multiples of m only shifts d. Many axes are split into two
//! halves that meet ([`super::halves`]); a few are left to the system.
//!
//! Running example: (B,3,4) seen with stride 6 has levels 4 and 12; for
//! opposite jumps it merges at every length B.
//!
//! Overflow policy: A is first checked at the corners against the largest value
//! h can have, after which every number is below 2^126; the extremes are checked.
//!
//! Proved: `two_level_criterion_opposite`, `two_level_criterion_equal`,
//! `accidental_opposite`, `accidental_equal` (proofs/theories/Accidental.v); for
//! cutting axes `period_cut` (proofs/theories/Periods.v).

use smallvec::SmallVec;

use crate::arith::gcd;
use crate::dims::{Dims, INLINE_AXES};
use crate::floor::Floor;
use crate::limit::{Exhausted, Meter};
use crate::merge::euclid::{Extreme, Sawtooth};
use crate::merge::halves;
use crate::region::Affine;
use crate::staircase::position;

/// Whether a function is the affine one that the low corner of a box and its neighbours suggest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Checked<Places> {
    /// Everywhere on the box.
    Affine,
    /// Not here; places are counted from the low corner.
    Wrong(Places),
    /// Not decided here.
    Open,
}

/// ⌊n/fine⌋ − ⌊n/coarse⌋, or their sum, on a box.
#[derive(Clone, Copy)]
pub(super) struct Pair<'a> {
    pub n: &'a Affine,
    pub extent: &'a [i64],
    pub fine: i64,
    /// A multiple of `fine`.
    pub coarse: i64,
    /// 1 for the difference, −1 for the sum.
    pub sign: i64,
}

/// d as an affine part and a floor: shift + Σ slope·x + lever·⌊(w + Σ u·x)/fine⌋.
struct Distance {
    shift: i128,
    slope: SmallVec<[i128; INLINE_AXES]>,
    lever: i128,
    w: i128,
    u: SmallVec<[i128; INLINE_AXES]>,
    /// Extents cut to one period and one more index.
    extent: Dims,
}

impl Pair<'_> {
    /// Whether the pair is affine on the box, if a closed form or meeting in the middle can tell.
    pub(super) fn cancels(&self, meter: &mut Meter<'_>) -> Result<Checked<Dims>, Exhausted> {
        meter.spend(1)?;
        let candidate = self.candidate();
        if let Some(corner) = self.impossible_corner(&candidate) {
            return Ok(Checked::Wrong(corner));
        }
        let distance = self.distance(&candidate);
        let mut moving =
            (0..self.extent.len()).filter(|&l| distance.u[l] % i128::from(self.fine) != 0);
        let (axis, second) = (moving.next(), moving.next());
        if second.is_none() {
            return Ok(self.along(&distance, axis));
        }
        if 2 + moving.count() < halves::LEAST_AXES {
            return Ok(Checked::Open);
        }
        halves::in_the_middle(self, &candidate, &distance.extent, meter)
    }

    /// The affine function the pair is at the low corner and its neighbours.
    pub(super) fn candidate(&self) -> Affine {
        let fine = Floor::new(self.n, self.extent, self.fine).quotient;
        let coarse = Floor::new(self.n, self.extent, self.coarse).quotient;
        let slopes = fine.slope.iter().zip(&coarse.slope);
        Affine {
            base: fine.base - self.sign * coarse.base,
            slope: slopes.map(|(&f, &c)| f - self.sign * c).collect(),
        }
    }

    /// The pair at an index counted from the low corner.
    pub(super) fn value(&self, index: &[i64]) -> i64 {
        self.at(self.n.slope.iter().zip(index).fold(self.n.base, |n, (&t, &x)| n + t * x))
    }

    /// The pair where n is this.
    pub(super) fn at(&self, n: i64) -> i64 {
        n / self.fine - self.sign * (n / self.coarse)
    }

    /// A corner at which the candidate is larger than the pair can be.
    fn impossible_corner(&self, candidate: &Affine) -> Option<Dims> {
        let largest = self.n.range(self.extent).1 / i128::from(self.fine) * 2 + 1;
        let (low, high) = candidate.range(self.extent);
        let upwards = high > largest;
        let ends = candidate.slope.iter().zip(self.extent);
        let end = |(&slope, &size): (&i64, &i64)| if (slope > 0) == upwards { size - 1 } else { 0 };
        (upwards || low < -largest).then(|| ends.map(end).collect())
    }

    fn distance(&self, candidate: &Affine) -> Distance {
        let (m, coarse) = (i128::from(self.fine), i128::from(self.coarse));
        let slope: SmallVec<[i128; INLINE_AXES]> =
            candidate.slope.iter().map(|&s| i128::from(s)).collect();
        let u = self.n.slope.iter().zip(&slope).map(|(&t, &s)| i128::from(t) - m * s);
        let extent = self.n.slope.iter().zip(self.extent);
        Distance {
            shift: candidate.base.into(),
            lever: -i128::from(self.sign) * (coarse / m - i128::from(self.sign)),
            w: i128::from(self.n.base) - m * i128::from(candidate.base),
            u: u.collect(),
            slope,
            extent: extent.map(|(&t, &size)| cut_to_period(t, size, self.coarse)).collect(),
        }
    }

    /// Whether the extremes of d along the one axis (or none) on which the floor moves are in its
    /// range.
    fn along(&self, distance: &Distance, axis: Option<usize>) -> Checked<Dims> {
        let m = i128::from(self.fine);
        let teeth = Sawtooth {
            p: axis.map_or(0, |l| distance.slope[l]),
            q: distance.lever,
            u: axis.map_or(0, |l| distance.u[l]),
            w: distance.w,
            m,
            len: axis.map_or(1, |l| distance.extent[l].into()),
        };
        let (Some(lowest), Some(highest)) = (teeth.minimum(), teeth.maximum()) else {
            return Checked::Open;
        };
        // Axes on which the floor moves evenly only shift d; they are best at an end.
        let drift = |l: usize| distance.slope[l] + distance.lever * (distance.u[l] / m);
        let index = |extreme: Extreme, upwards: bool| -> Dims {
            (0..self.extent.len())
                .map(|l| match axis {
                    Some(moving) if moving == l => position(extreme.index),
                    _ if (drift(l) > 0) == upwards => distance.extent[l] - 1,
                    _ => 0,
                })
                .collect()
        };
        let (mut low, mut high) = (distance.shift + lowest.value, distance.shift + highest.value);
        for l in (0..self.extent.len()).filter(|&l| Some(l) != axis) {
            let travel = drift(l) * i128::from(distance.extent[l] - 1);
            low += travel.min(0);
            high += travel.max(0);
        }
        if low < 0 {
            Checked::Wrong(index(lowest, false))
        } else if high >= i128::from(self.coarse / self.fine) {
            Checked::Wrong(index(highest, true))
        } else {
            Checked::Affine
        }
    }
}

/// An extent cut to one period of the carries at a modulus, and one more index:
/// what holds on that much of the axis holds on all of it (theory, "periods").
fn cut_to_period(step: i64, extent: i64, modulus: i64) -> i64 {
    if extent <= 2 {
        return extent;
    }
    let period = modulus / gcd(modulus, step.abs());
    extent.min(period.saturating_add(1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dims::Indices;

    /// Walks the box.
    fn affine_by_definition(pair: &Pair<'_>) -> bool {
        let candidate = pair.candidate();
        Indices::new(pair.extent, pair.extent.iter().product())
            .all(|x| i128::from(pair.value(&x)) == candidate.at(x.iter().copied()))
    }

    fn check(pair: &Pair<'_>) -> bool {
        let truth = affine_by_definition(pair);
        match pair.cancels(&mut Meter::unlimited()).expect("unlimited") {
            Checked::Affine => assert!(truth),
            Checked::Wrong(index) => {
                let expected = pair.candidate().at(index.iter().copied());
                assert!(index.iter().zip(pair.extent).all(|(x, e)| 0 <= *x && x < e));
                assert_ne!(i128::from(pair.value(&index)), expected);
                assert!(!truth);
            }
            // Several axes move, but not many.
            Checked::Open => assert!(pair.extent.len() > 1),
        }
        truth
    }

    #[test]
    fn agrees_with_walking_one_axis() {
        let mut seen = [0; 2];
        for (fine, factor) in (2..6i64).flat_map(|m| (2..6i64).map(move |f| (m, f))) {
            for t in -13..14i64 {
                for (len, base) in [(2, 1), (7, 0), (9, 3), (30, 2), (41, 7)] {
                    for sign in [1, -1] {
                        let extent = [len];
                        let base = base - (t * (len - 1)).min(0);
                        let n = Affine { base, slope: smallvec::smallvec![t] };
                        let coarse = fine * factor;
                        let pair = Pair { n: &n, extent: &extent, fine, coarse, sign };
                        seen[usize::from(check(&pair))] += 1;
                    }
                }
            }
        }
        assert!(seen[0] > 1000 && seen[1] > 400, "{seen:?}");
    }

    #[test]
    fn agrees_with_walking_several_axes() {
        let mut seen = [0; 2];
        let boxes = [[3i64, 5, 2], [2, 2, 2], [9, 2, 4], [4, 4, 4]];
        for (fine, factor) in [(2, 3), (3, 2), (4, 3), (3, 5), (5, 4)] {
            for t in (0..400i64).map(|k| [k % 13 - 4, k % 17 - 3, k % 11]) {
                for (extent, sign) in boxes.iter().flat_map(|b| [(b, 1), (b, -1)]) {
                    let low: i64 = t.iter().zip(extent).map(|(t, e)| (t * (e - 1)).min(0)).sum();
                    let n = Affine { base: t[0].abs() - low, slope: t.into_iter().collect() };
                    let coarse = fine * factor;
                    let pair = Pair { n: &n, extent, fine, coarse, sign };
                    seen[usize::from(check(&pair))] += 1;
                }
            }
        }
        assert!(seen[0] > 1000 && seen[1] > 300, "{seen:?}");
    }
}
