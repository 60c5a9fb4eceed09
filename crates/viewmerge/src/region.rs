//! A box of indices, and an affine function on it.
//!
//! Both are written relative to the box's low corner: an affine function is
//! its value there and its slopes. The slope of an axis of extent 1 cannot be
//! observed on the box and is kept at 0.

use smallvec::SmallVec;

use crate::dims::Dims;

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

    /// The corner of largest indices.
    pub(crate) fn high_corner(&self) -> Dims {
        self.lo.iter().zip(&self.extent).map(|(&lo, &extent)| lo + extent - 1).collect()
    }

    /// The number of indices; it fits by V2.
    pub(crate) fn volume(&self) -> i64 {
        self.extent.iter().product()
    }

    /// The parts before and from the `at`-th index of an axis, 0 < at < extent.
    pub(crate) fn split(&self, cut: Cut) -> (Region, Region) {
        let (mut before, mut from) = (self.clone(), self.clone());
        before.extent[cut.axis] = cut.at;
        from.lo[cut.axis] += cut.at;
        from.extent[cut.axis] -= cut.at;
        (before, from)
    }

    /// Whether every index of `other` is in this box.
    pub(crate) fn contains(&self, other: &Region) -> bool {
        (0..self.rank()).all(|l| {
            self.lo[l] <= other.lo[l]
                && other.lo[l] + other.extent[l] <= self.lo[l] + self.extent[l]
        })
    }

    /// The smallest box around both.
    pub(crate) fn hull(&self, other: &Region) -> Region {
        let mut around = self.clone();
        for l in 0..self.rank() {
            let end = (self.lo[l] + self.extent[l]).max(other.lo[l] + other.extent[l]);
            around.lo[l] = self.lo[l].min(other.lo[l]);
            around.extent[l] = end - around.lo[l];
        }
        around
    }

    /// The low corner of what two boxes share, if they share anything.
    pub(crate) fn meeting_point(&self, other: &Region) -> Option<Dims> {
        (0..self.rank())
            .map(|l| {
                let lo = self.lo[l].max(other.lo[l]);
                let end = (self.lo[l] + self.extent[l]).min(other.lo[l] + other.extent[l]);
                (lo < end).then_some(lo)
            })
            .collect()
    }
}

/// Where a box is cut in two: before the `at`-th index of `axis`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Cut {
    pub axis: usize,
    pub at: i64,
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
}
