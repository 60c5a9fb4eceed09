//! A box of indices, and an affine function on it.
//!
//! Both are written relative to the box's low corner: an affine function is
//! its value there and its slopes. The slope of an axis of extent 1 cannot be
//! observed on the box and is kept at 0.

use smallvec::SmallVec;

use crate::dims::{Bounds, Dims};

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
    pub(crate) fn spanned(low: &[i64], high: &[i64]) -> Region {
        let ends = low.iter().zip(high);
        Region { lo: low.into(), extent: ends.map(|(&lo, &high)| high - lo + 1).collect() }
    }

    /// The intervals [lo, hi) of the axes.
    pub(crate) fn bounds(&self) -> Bounds {
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
}
