//! The function of a chain, F(i), prepared for questions.
//!
//! A chain is prepared once: the last view stays affine, every view below it
//! becomes a [`Staircase`]. [`Path::value`] is F at one index;
//! [`Path::route`] is what the system encodes.
//!
//! Only some axes of the last view take part, the *active* ones; here, an index has an entry for
//! each of them, as in a [`Region`]. Deciding needs the axes with two or more valid indices, comparing two
//! chains those of size 2 or more.
//!
//! Overflow policy: positions of valid indices, and their differences, fit `i64` (V7).

use smallvec::SmallVec;

use crate::dims::{Bounds, Dims, INLINE_AXES, Index, unravel_within};
use crate::encoding::{Miss, Reach, Route};
use crate::error::Error;
use crate::region::{Affine, Region};
use crate::staircase::{Staircase, position};
use crate::view::{Validity, View};
use crate::witness::Witness;

/// A chain whose views all have valid indices, prepared for questions.
pub(crate) struct Path<'a> {
    /// Memory side first.
    below: &'a [View],
    pub top: &'a View,
    /// The active axes.
    pub axes: SmallVec<[usize; INLINE_AXES]>,
    /// Strides of the last view on its active axes.
    slope: Dims,
    /// The views below the last one, the next one first.
    pub stages: SmallVec<[Staircase; 2]>,
}

impl<'a> Path<'a> {
    /// Prepares a chain, memory side first in `below`; all views have valid indices. Follows the
    /// axes with two or more valid indices.
    pub(crate) fn new(below: &'a [View], top: &'a View) -> Path<'a> {
        let active = |axis: usize| {
            let (lo, hi) = top.interval(axis);
            hi - lo > 1
        };
        Path::along(below, top, active, Staircase::new)
    }

    /// Follows every axis of size 2 or more, each view below read as `stairs`.
    pub(crate) fn whole(
        below: &'a [View],
        top: &'a View,
        stairs: fn(&View) -> Staircase,
    ) -> Path<'a> {
        Path::along(below, top, |axis| top.shape()[axis] > 1, stairs)
    }

    fn along(
        below: &'a [View],
        top: &'a View,
        active: impl Fn(usize) -> bool,
        stairs: fn(&View) -> Staircase,
    ) -> Path<'a> {
        let axes: SmallVec<_> = (0..top.rank()).filter(|&axis| active(axis)).collect();
        let slope = axes.iter().map(|&axis| top.strides()[axis]).collect();
        let stages = below.iter().rev().map(stairs).collect();
        Path { below, top, axes, slope, stages }
    }

    /// The valid box of the last view.
    pub(crate) fn domain(&self) -> Region {
        let intervals = self.axes.iter().map(|&axis| self.top.interval(axis));
        Region {
            lo: intervals.clone().map(|(lo, _)| lo).collect(),
            extent: intervals.map(|(lo, hi)| hi - lo).collect(),
        }
    }

    /// The number of the view that a stage is, counted from the memory side.
    pub(crate) fn view_number(&self, stage: usize) -> usize {
        self.below.len() - 1 - stage
    }

    /// The view that a stage is.
    pub(crate) fn view(&self, stage: usize) -> &'a View {
        &self.below[self.view_number(stage)]
    }

    /// Whether an index of the last view's valid box can be padding.
    pub(crate) fn has_masks(&self) -> bool {
        self.stages.iter().any(|stage| !stage.slabs.is_empty())
    }

    /// About how many digits an index has on its way to memory.
    pub(crate) fn digits(&self) -> usize {
        let below = self.stages.iter().map(|stage| stage.levels.len() + stage.slabs.len());
        self.axes.len() + below.sum::<usize>()
    }

    /// The chain as the system follows it.
    pub(crate) fn route(&self, reach: Reach) -> Route<'_> {
        let offset = self.top.offset().into();
        Route { chain: 0, offset, slope: &self.slope, stages: &self.stages, reach }
    }

    /// The index in a point of a system, whose first variables are the active axes.
    pub(crate) fn index_of(&self, point: &[i128]) -> Dims {
        point[..self.axes.len()].iter().map(|&i| position(i)).collect()
    }

    /// An index of the last view from one over the active axes.
    pub(crate) fn full_index(&self, index: &[i64]) -> Index {
        full_index(self.top, &self.axes, index.iter().copied())
    }

    /// The witness of two valid indices and an invalid one between them.
    pub(crate) fn hole(&self, valid: [&[i64]; 2], invalid: &[i64]) -> Witness {
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
    pub(crate) fn value(&self, index: &[i64]) -> Option<i64> {
        self.stages.iter().try_fold(self.top_position(index), |n, stage| stage.at(n))
    }

    /// F at an index known to be valid.
    pub(crate) fn valid_value(&self, index: &[i64]) -> i64 {
        match self.value(index) {
            Some(value) => value,
            None => unreachable!("the index is valid"),
        }
    }
}

/// The view of the shape of `top` that is valid on a box of its active axes and affine there, with the value
/// `base` at the low corner. `axes` holds the number, the interval and the slope of each active axis.
///
/// Fails if that view, though it exists, leaves the bounds on positions (V7).
#[inline]
pub(crate) fn affine_view(
    top: &View,
    base: i64,
    axes: impl Iterator<Item = (usize, (i64, i64), i64)> + Clone,
) -> Result<View, Error> {
    // An axis that is not active has one valid index, hence stride 0 (V6).
    let mut strides: Dims = SmallVec::from_slice(top.strides());
    let mut offset = i128::from(base);
    let mut whole = top.validity() == &Validity::All;
    for (axis, (lo, hi), slope) in axes.clone() {
        strides[axis] = if hi - lo == 1 { 0 } else { slope };
        offset -= i128::from(strides[axis]) * i128::from(lo);
        whole &= hi - lo == top.shape()[axis];
    }
    let validity = if whole {
        Validity::All
    } else {
        let mut bounds: Bounds = (0..top.rank()).map(|axis| top.interval(axis)).collect();
        axes.for_each(|(axis, interval, _)| bounds[axis] = interval);
        Validity::Box(bounds)
    };
    View::canonical(top.shape().into(), strides, offset, validity)
}

/// An index of the last view: at these coordinates of its active axes, and where the others are valid.
pub(crate) fn full_index(
    top: &View,
    axes: &[usize],
    index: impl IntoIterator<Item = i64>,
) -> Index {
    let mut full: Dims = (0..top.rank()).map(|axis| top.interval(axis).0).collect();
    axes.iter().zip(index).for_each(|(&axis, i)| full[axis] = i);
    Index::new(full)
}

/// What views, memory side first, read at a linear position of the last; `None` for padding.
pub(crate) fn read_through(views: &[View], position: i64) -> Option<i64> {
    views.iter().rev().try_fold(position, |position, view| {
        view.index_within(&unravel_within(view.shape(), position))
    })
}

/// What a chain reads at an index of its last view; `None` for padding.
pub(crate) fn value_at(chain: &[View], index: &[i64]) -> Option<i64> {
    let (top, below) = chain.split_last()?;
    read_through(below, top.index_within(index)?)
}

/// All the ways in which an index of the last view's box can be padding, given the views below it.
pub(crate) fn ways_to_miss(stages: &[Staircase]) -> impl Iterator<Item = Miss> + '_ {
    stages.iter().enumerate().flat_map(|(stage, stairs)| {
        stairs.slabs.iter().enumerate().flat_map(move |(slab, sides)| {
            sides.sides(stairs.count).map(move |side| Miss { stage, slab, side })
        })
    })
}
