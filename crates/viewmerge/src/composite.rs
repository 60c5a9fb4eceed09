//! The function of a chain, F(i), ready to be asked about.
//!
//! A chain is prepared once: the last view stays affine, every view below it
//! becomes a [`Staircase`]. [`Composite::value`] is F at one index;
//! [`Composite::path`] is what the system encodes.
//!
//! Only axes with two or more valid indices of the last view take part
//! (*active* axes); an [`ActiveIndex`] has one entry for each of them.
//!
//! Overflow policy: positions of valid indices, and their differences, fit `i64` (V7).

use smallvec::SmallVec;

use crate::dims::{Dims, INLINE_AXES, Intervals};
use crate::error::Error;
use crate::index::Index;
use crate::merge::Witness;
use crate::region::{Affine, Region};
use crate::staircase::{Staircase, position};
use crate::system::encode::{Path, Reach};
use crate::view::{Validity, View};

/// An index over the active axes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct ActiveIndex(pub Dims);

impl ActiveIndex {
    /// The next index along an active axis.
    pub(crate) fn next(&self, l: usize) -> ActiveIndex {
        let mut next = self.clone();
        next.0[l] += 1;
        next
    }
}

/// A chain whose every view has valid indices, ready to be asked about.
pub(crate) struct Composite<'a> {
    top: &'a View,
    axes: SmallVec<[usize; INLINE_AXES]>,
    /// Strides of the last view on its active axes.
    slope: Dims,
    /// The views below the last one, the next one first.
    stages: SmallVec<[Staircase; 2]>,
}

impl<'a> Composite<'a> {
    /// Prepares a chain, memory side first in `below`; all views have valid indices.
    pub(crate) fn new(below: &[View], top: &'a View) -> Composite<'a> {
        let active = |axis: &usize| {
            let (lo, hi) = top.interval(*axis);
            hi - lo > 1
        };
        let axes: SmallVec<_> = (0..top.rank()).filter(active).collect();
        let slope = axes.iter().map(|&axis| top.strides()[axis]).collect();
        let stages = below.iter().rev().map(Staircase::new).collect();
        Composite { top, axes, slope, stages }
    }

    /// The valid box of the last view.
    pub(crate) fn domain(&self) -> Region {
        let intervals = self.axes.iter().map(|&axis| self.top.interval(axis));
        Region {
            lo: intervals.clone().map(|(lo, _)| lo).collect(),
            extent: intervals.map(|(lo, hi)| hi - lo).collect(),
        }
    }

    /// The axis of the last view that an active axis is.
    pub(crate) fn axis(&self, active: usize) -> usize {
        self.axes[active]
    }

    /// The active axis that an axis of the last view is, if it has two or more valid indices.
    pub(crate) fn active(&self, axis: usize) -> Option<usize> {
        self.axes.iter().position(|&known| known == axis)
    }

    /// The views below the last one as staircases, the next one first.
    pub(crate) fn stages(&self) -> &[Staircase] {
        &self.stages
    }

    /// The number of digits that an index has on its way to memory, about.
    pub(crate) fn digits(&self) -> usize {
        let below = self.stages.iter().map(|stage| stage.levels.len() + stage.slabs.len());
        self.axes.len() + below.sum::<usize>()
    }

    /// The chain as the system follows it.
    pub(crate) fn path(&self, reach: Reach) -> Path<'_> {
        Path { offset: self.top.offset(), slope: &self.slope, stages: &self.stages, reach }
    }

    /// The index in a point of a system, whose first variables are the active axes.
    pub(crate) fn index_of(&self, point: &[i128]) -> ActiveIndex {
        ActiveIndex(point[..self.axes.len()].iter().map(|&i| position(i)).collect())
    }

    /// An index of the last view from one over the active axes.
    pub(crate) fn full_index(&self, index: &ActiveIndex) -> Index {
        let mut full: Dims = (0..self.top.rank()).map(|axis| self.top.interval(axis).0).collect();
        for (&axis, &i) in self.axes.iter().zip(&index.0) {
            full[axis] = i;
        }
        Index::new(full)
    }

    /// The witness of two valid indices and an invalid one between them.
    pub(crate) fn hole(&self, valid: [&ActiveIndex; 2], invalid: &ActiveIndex) -> Witness {
        Witness::Hole {
            valid: valid.map(|index| self.full_index(index)),
            invalid: self.full_index(invalid),
        }
    }

    /// The last view's position as an affine function on a box.
    pub(crate) fn top_affine(&self, region: &Region) -> Affine {
        Affine { base: self.top_position(&region.lo), slope: self.slope.clone() }
    }

    fn top_position(&self, index: &[i64]) -> i64 {
        self.slope.iter().zip(index).fold(self.top.offset(), |n, (&t, &i)| n + t * i)
    }

    /// F at an index of the last view's valid box; `None` for padding.
    pub(crate) fn value(&self, index: &ActiveIndex) -> Option<i64> {
        self.stages.iter().try_fold(self.top_position(&index.0), |n, stage| stage.at(n))
    }

    /// F at an index known to be valid.
    pub(crate) fn valid_value(&self, index: &ActiveIndex) -> i64 {
        match self.value(index) {
            Some(value) => value,
            None => unreachable!("the index is valid"),
        }
    }

    /// The single view that is valid on `region` and affine there.
    ///
    /// Fails if that view, though it exists, leaves the bounds on positions (V7).
    pub(crate) fn single_view(&self, region: &Region, function: &Affine) -> Result<View, Error> {
        let rank = self.top.rank();
        let mut strides: Dims = SmallVec::from_elem(0, rank);
        let mut offset = i128::from(function.base);
        let mut bounds: Intervals = (0..rank).map(|axis| self.top.interval(axis)).collect();
        for (l, &axis) in self.axes.iter().enumerate() {
            let (lo, extent) = (region.lo[l], region.extent[l]);
            bounds[axis] = (lo, lo + extent);
            if extent > 1 {
                strides[axis] = function.slope[l];
                offset -= i128::from(function.slope[l]) * i128::from(lo);
            }
        }
        let validity = Validity::within(self.top.shape(), &bounds);
        View::canonical(self.top.shape().into(), strides, offset, validity)
    }
}

/// All the ways in which an index of the last view's box can be padding, given the views below it.
pub(crate) fn ways_to_miss(stages: &[Staircase]) -> impl Iterator<Item = Reach> + '_ {
    stages.iter().enumerate().flat_map(|(stage, stairs)| {
        stairs.slabs.iter().enumerate().flat_map(move |(slab, sides)| {
            sides.sides(stairs.count).map(move |side| Reach::Missed { stage, slab, side })
        })
    })
}
