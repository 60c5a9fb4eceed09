//! The function of a chain, F(i), on boxes of the last view's indices.
//!
//! A chain is prepared once: the last view stays affine, every view below it
//! becomes a [`Staircase`]. Then a box is pushed down stage by stage. On a box
//! where every slab and every floor of a stage is affine, the next stage's
//! position is affine again; otherwise the box is clipped or cut where a slab
//! or an overflow says so. Everything the solver knows it learns here:
//!
//! - [`Composite::piece`] says what F is on a box, or where to cut it;
//! - [`Composite::value`] is F at one index.
//!
//! Only axes with two or more valid indices of the last view take part
//! (*active* axes); an index here has one entry for each of them.
//!
//! Overflow policy: on a box all of whose indices are valid so far, positions
//! and their steps are differences of valid positions, so they fit `i64` (V7).

use smallvec::SmallVec;

use crate::dims::{Dims, INLINE_AXES};
use crate::error::Error;
use crate::floor::{Floor, Prefer, Range, cut_towards, range};
use crate::index::{Bounds, Index};
use crate::region::{Affine, Cut, Region};
use crate::staircase::{Slab, Staircase, narrow};
use crate::view::{Validity, View};

/// A chain whose every view has valid indices, ready to be asked about.
pub(crate) struct Composite<'a> {
    top: &'a View,
    below: &'a [View],
    axes: SmallVec<[usize; INLINE_AXES]>,
    /// Strides of the last view on its active axes.
    slope: Dims,
    /// The views below the last one, the next one first.
    stages: SmallVec<[Staircase; 2]>,
}

/// What F is on a box.
pub(crate) enum Piece {
    /// All valid, and affine.
    Affine(Affine),
    /// All padding.
    Padding,
    /// Not known yet: cut the box here.
    Cut(Cut),
}

/// How far to push a box.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ask {
    /// Valid or not: the lowest view's jumps do not matter.
    Validity,
    /// The memory position as well.
    Position,
}

impl<'a> Composite<'a> {
    /// Prepares a chain, memory side first in `below`; all views have valid indices.
    pub(crate) fn new(below: &'a [View], top: &'a View) -> Composite<'a> {
        let axes: SmallVec<_> = (0..top.rank())
            .filter(|&axis| {
                let (lo, hi) = top.interval(axis);
                hi - lo > 1
            })
            .collect();
        let slope = axes.iter().map(|&axis| top.strides()[axis]).collect();
        let stages = below.iter().rev().map(Staircase::new).collect();
        Composite { top, below, axes, slope, stages }
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

    /// The views below the last one, memory side first.
    pub(crate) fn below(&self) -> &'a [View] {
        self.below
    }

    /// An index of the last view from one over the active axes.
    pub(crate) fn full_index(&self, index: &[i64]) -> Index {
        let mut full: Dims = (0..self.top.rank()).map(|axis| self.top.interval(axis).0).collect();
        for (&axis, &i) in self.axes.iter().zip(index) {
            full[axis] = i;
        }
        Index::new(full)
    }

    /// The last view's position at an index.
    fn top_position(&self, index: &[i64]) -> i64 {
        self.slope.iter().zip(index).fold(self.top.offset(), |n, (&t, &i)| n + t * i)
    }

    /// The last view's position as an affine function on a box.
    pub(crate) fn top_affine(&self, region: &Region) -> Affine {
        Affine { base: self.top_position(&region.lo), slope: self.slope.clone() }
    }

    /// F at one index of the domain; `None` for padding.
    pub(crate) fn value(&self, index: &[i64]) -> Option<i64> {
        self.stages.iter().try_fold(self.top_position(index), |n, stage| stage.at(n))
    }

    /// The step of F along an active axis if the axis can cause no carry at
    /// all: it moves by whole multiples of every modulus on the way.
    pub(crate) fn carry_free_stride(&self, active: usize) -> Option<i64> {
        self.stages.iter().try_fold(self.slope[active], |step, stage| {
            let slabs = stage.slabs.iter().map(|slab| slab.modulus);
            let levels = stage.levels.iter().map(|level| Some(level.modulus));
            let carries = |modulus: Option<i64>| modulus.map_or(step, |m| step % m) != 0;
            if slabs.chain(levels).any(carries) {
                return None;
            }
            let jumps = stage.levels.iter().map(|l| l.jump * i128::from(step / l.modulus));
            i64::try_from(stage.slope * i128::from(step) + jumps.sum::<i128>()).ok()
        })
    }

    /// What F is on a box within the domain, or where to cut it.
    pub(crate) fn piece(&self, region: &Region, ask: Ask) -> Piece {
        let mut position = self.top_affine(region);
        let lowest = self.stages.len().saturating_sub(1);
        for (number, stage) in self.stages.iter().enumerate() {
            let mut cut = None;
            for slab in &stage.slabs {
                match Crossing::new(slab, &position, &region.extent) {
                    Crossing::Inside => {}
                    Crossing::Outside => return Piece::Padding,
                    Crossing::Overflow(place) => cut = Some(place),
                    Crossing::Partly { function, range } => {
                        let bounds = (slab.lo.into(), i128::from(slab.hi) - 1);
                        cut = Some(cut_towards(
                            &function,
                            range,
                            &region.extent,
                            bounds,
                            Prefer::Central,
                        ));
                    }
                }
            }
            if let Some(place) = cut {
                return Piece::Cut(place);
            }
            if number == lowest && ask == Ask::Validity {
                break;
            }
            match push_down(stage, &position, &region.extent) {
                Ok(next) => position = next,
                Err(place) => return Piece::Cut(place),
            }
        }
        Piece::Affine(position)
    }

    /// The single view that is valid on `region` and affine there.
    ///
    /// Fails if that view, though it exists, leaves the bounds on positions (V7).
    pub(crate) fn single_view(&self, region: &Region, function: &Affine) -> Result<View, Error> {
        let rank = self.top.rank();
        let mut strides: Dims = SmallVec::from_elem(0, rank);
        let mut offset = i128::from(function.base);
        let mut bounds: Bounds = (0..rank).map(|axis| self.top.interval(axis)).collect();
        for (l, &axis) in self.axes.iter().enumerate() {
            let (lo, extent) = (region.lo[l], region.extent[l]);
            bounds[axis] = (lo, lo + extent);
            if extent > 1 {
                strides[axis] = function.slope[l];
                offset -= i128::from(function.slope[l]) * i128::from(lo);
            }
        }
        View::canonical(self.top.shape().into(), strides, offset, Validity::Box(bounds))
    }
}

/// The next position, if every floor of the stage is affine on the box; else where to cut it.
fn push_down(stage: &Staircase, n: &Affine, extent: &[i64]) -> Result<Affine, Cut> {
    let mut base = stage.base + stage.slope * i128::from(n.base);
    let mut slope: SmallVec<[i128; INLINE_AXES]> =
        n.slope.iter().map(|&t| stage.slope * i128::from(t)).collect();
    for level in &stage.levels {
        let floor = Floor::new(n, extent, level.modulus);
        if !floor.is_affine() {
            return Err(floor.overflow(extent));
        }
        base += level.jump * i128::from(floor.quotient.base);
        for (sum, &alpha) in slope.iter_mut().zip(&floor.quotient.slope) {
            *sum += level.jump * i128::from(alpha);
        }
    }
    let slope = slope.iter().zip(extent).map(|(&s, &e)| if e > 1 { narrow(s) } else { 0 });
    Ok(Affine { base: narrow(base), slope: slope.collect() })
}

/// How a box lies to a slab.
enum Crossing {
    Inside,
    Outside,
    /// The slab's own floor is not affine on the box.
    Overflow(Cut),
    /// Some indices may be inside, some are outside: the slab is slab.lo ≤ function < slab.hi.
    Partly {
        function: Affine,
        range: Range,
    },
}

impl Crossing {
    fn new(slab: &Slab, n: &Affine, extent: &[i64]) -> Crossing {
        let (function, range) = match slab.modulus {
            None => (n.clone(), range(n, extent)),
            Some(modulus) => {
                let floor = Floor::new(n, extent, modulus);
                if !floor.is_affine() {
                    return Crossing::Overflow(floor.overflow(extent));
                }
                (floor.residue, floor.range)
            }
        };
        let (lo, hi) = (i128::from(slab.lo), i128::from(slab.hi));
        if range.low >= lo && range.high < hi {
            Crossing::Inside
        } else if range.high < lo || range.low >= hi {
            Crossing::Outside
        } else {
            Crossing::Partly { function, range }
        }
    }
}
