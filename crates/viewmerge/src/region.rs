//! A box of indices, and an affine function on it.
//!
//! Both are written relative to the box's low corner: an affine function is
//! its value there and its slopes. The slope of an axis of extent 1 cannot be
//! observed on the box and is kept at 0.

use smallvec::SmallVec;

use crate::arith::{reached, scattered};
use crate::dims::{Dims, Intervals, next_within};

/// The indices `lo[l] <= i[l] < lo[l] + extent[l]`, every extent at least 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Region {
    pub lo: Dims,
    pub extent: Dims,
}

impl Region {
    /// The number of axes.
    pub(crate) fn rank(&self) -> usize {
        self.lo.len()
    }

    /// The smallest box around two indices, the first of which is nowhere above the second.
    pub(crate) fn spanned(lo: Dims, high: &[i64]) -> Region {
        let extent = lo.iter().zip(high).map(|(&lo, &high)| high - lo + 1).collect();
        Region { lo, extent }
    }

    /// The low and the high corner, and their neighbour corners.
    pub(crate) fn near_corners(&self) -> impl Iterator<Item = Dims> + '_ {
        let rank = self.rank();
        let end = |l: usize, high: bool| self.lo[l] + if high { self.extent[l] - 1 } else { 0 };
        [true, false].into_iter().flat_map(move |high| {
            (0..=rank).map(move |moved| (0..rank).map(|l| end(l, high != (l == moved))).collect())
        })
    }

    /// Some indices spread over the box, the axes independently of each other.
    pub(crate) fn scattered(&self, count: usize) -> impl Iterator<Item = Dims> + '_ {
        let mut state = 0u64;
        (0..count).map(move |_| {
            let places = (0..self.rank()).map(|l| {
                let wide =
                    u128::from(scattered(&mut state)) * u128::from(self.extent[l].unsigned_abs());
                self.lo[l] + i64::try_from(wide >> 64).unwrap_or(0)
            });
            places.collect()
        })
    }

    /// Whether the box has at most this many indices.
    pub(crate) fn has_at_most(&self, most: i64) -> bool {
        let count = self.extent.iter().try_fold(1i64, |count, &size| count.checked_mul(size));
        count.is_some_and(|count| count <= most)
    }

    /// All indices, the last axis fastest.
    pub(crate) fn all(&self) -> impl Iterator<Item = Dims> + '_ {
        let interval = |l: usize| (self.lo[l], self.lo[l] + self.extent[l]);
        core::iter::successors(Some(self.lo.clone()), move |index| next_within(index, interval))
    }

    /// Whether an index is in the box.
    pub(crate) fn contains(&self, index: &[i64]) -> bool {
        let axes = index.iter().zip(&self.lo).zip(&self.extent);
        axes.into_iter().all(|((&i, &lo), &extent)| i >= lo && i - lo < extent)
    }

    /// The corners of smallest and of largest indices.
    pub(crate) fn corners(&self) -> [Dims; 2] {
        let ends = self.lo.iter().zip(&self.extent);
        [self.lo.clone(), ends.map(|(&lo, &extent)| lo + extent - 1).collect()]
    }

    /// The intervals [lo, hi) of the axes.
    pub(crate) fn bounds(&self) -> Intervals {
        self.lo.iter().zip(&self.extent).map(|(&lo, &extent)| (lo, lo + extent)).collect()
    }
}

/// `base + Σ slope[l]·(i[l] − lo[l])` on a region.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Affine {
    pub base: i64,
    pub slope: Dims,
}

impl Affine {
    /// The same value at every index.
    pub(crate) fn constant(base: i64, rank: usize) -> Affine {
        Affine { base, slope: SmallVec::from_elem(0, rank) }
    }

    /// The smallest and the largest value on a box of these extents.
    pub(crate) fn range(&self, extent: &[i64]) -> (i128, i128) {
        let axes = self.slope.iter().zip(extent);
        reached(self.base.into(), axes.map(|(&s, &size)| i128::from(s) * i128::from(size - 1)))
    }

    /// The value at a place, counted from the low corner; wide, because it may be off the box.
    pub(crate) fn at(&self, place: impl Iterator<Item = i64>) -> i128 {
        let terms = self.slope.iter().zip(place);
        terms.fold(self.base.into(), |sum, (&slope, x)| sum + i128::from(slope) * i128::from(x))
    }
}
