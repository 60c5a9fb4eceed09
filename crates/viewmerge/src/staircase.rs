//! A view read by linear position: a ramp with jumps (theory, "a view as a staircase").
//!
//! Let c_j be the product of the sizes behind axis j. For 0 ≤ n < count,
//!
//! ```text
//! v.at(n) = base + slope·n + Σ jump_j·⌊n / c_j⌋     jump_j = stride_j − size_{j+1}·stride_{j+1}
//! ```
//!
//! A jump of 0 means that axes j and j+1 are contiguous to each other: the
//! level vanishes, and what is left are the *broken levels*. A mask on axis j
//! says that n modulo c_{j−1} lies in [lo·c_j, hi·c_j): a *slab*.
//!
//! Running example: `(10,3,3):(8,1,2)` is 2n − 5·⌊n/3⌋ + 5·⌊n/9⌋.
//!
//! An axis with one valid index has no stride of its own. It is given the one
//! that fuses it with the axis behind it, so it breaks no level: where its slab
//! holds, ⌊n/c_j⌋ follows from ⌊n/c_{j−1}⌋.
//!
//! Overflow policy: moduli, slab bounds and positions are `i64` (V2, V7).
//! Slope and jumps are `i128`: a stride invented for an axis with one valid
//! index is at most the largest stride times the count, below 2^125.
//!
//! Proved: `closed_form`, `slab`, `box_is_slabs`, `unit_axes_drop`, `fuse_sound`,
//! `fuse_necessary` (proofs/theories/Staircase.v).

use smallvec::SmallVec;

use crate::arith::divide;
use crate::dims::INLINE_AXES;
use crate::region::Affine;
use crate::view::{Validity, View};
use lattice_point::Side;

/// A jump at every multiple of a modulus.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Level {
    /// Where the jumps are: at its multiples.
    pub modulus: i64,
    /// What each of them adds.
    pub jump: i128,
}

/// The positions n with n mod `modulus` in [lo, hi) are the valid ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Slab {
    /// `None` on the outermost axis: n itself lies in [lo, hi).
    pub modulus: Option<i64>,
    /// The smallest valid residue.
    pub lo: i64,
    /// One past the largest.
    pub hi: i64,
}

impl Slab {
    /// The sides on which a position can miss it; `count` is that of the view's positions.
    pub fn sides(&self, count: i64) -> impl Iterator<Item = Side> {
        sides_outside((self.lo, self.hi), self.modulus.unwrap_or(count))
    }
}

/// The sides on which an interval leaves out numbers of 0..size.
pub(crate) fn sides_outside((lo, hi): (i64, i64), size: i64) -> impl Iterator<Item = Side> {
    let low = (lo > 0).then_some(Side::Low);
    low.into_iter().chain((hi < size).then_some(Side::High))
}

/// An axis longer than 1 on the way from the last axis to the first: where a position carries
/// into it from the axis behind, and what that adds.
#[derive(Debug, Clone, Copy)]
pub struct Rise {
    /// Which axis of the view.
    pub axis: usize,
    /// The position carries at every multiple of this, the product of the sizes behind.
    pub behind: i64,
    /// The size of the axis.
    pub size: i64,
    /// Its stride.
    pub stride: i64,
    /// The first valid coordinate, and one past the last.
    pub interval: (i64, i64),
    /// Size times stride of the axis behind: the stride that would be contiguous to it.
    pub contiguous: Option<i128>,
}

impl Rise {
    /// Whether any stride suits the axis, because one of its indices is valid.
    pub fn is_free(&self) -> bool {
        self.interval.1 - self.interval.0 == 1
    }

    /// The product of the axis's own size and those behind.
    pub fn whole(&self) -> i64 {
        self.behind * self.size
    }

    /// The residues modulo [`Rise::whole`] that the mask allows, if it does not allow all.
    pub fn slab(&self) -> Option<(i64, i64)> {
        let (lo, hi) = self.interval;
        (lo > 0 || hi < self.size).then(|| (lo * self.behind, hi * self.behind))
    }
}

/// The axes longer than 1 of a view that has valid indices, the last one first. A free axis takes
/// the stride that is contiguous, if `free_axes_fuse`.
#[inline]
pub fn rises(view: &View, free_axes_fuse: bool) -> impl Iterator<Item = Rise> + '_ {
    let mask = match view.validity() {
        Validity::Box(bounds) => Some(bounds.as_slice()),
        _ => None,
    };
    let axes = view.shape().iter().zip(view.strides()).enumerate().rev();
    let (mut behind, mut contiguous) = (1, None);
    axes.filter(|(_, (size, _))| **size != 1).map(move |(axis, (&size, &stride))| {
        let interval = mask.map_or((0, size), |mask| mask[axis]);
        let rise = Rise { axis, behind, size, stride, interval, contiguous };
        let taken = match contiguous {
            Some(contiguous) if free_axes_fuse && rise.is_free() => contiguous,
            _ => i128::from(stride),
        };
        // At most the largest stride times the count, below 2^125.
        contiguous = Some(taken * i128::from(size));
        behind *= size;
        rise
    })
}

/// A view that has valid indices, as a function of the linear position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Staircase {
    /// The number of positions.
    pub count: i64,
    /// What the position 0 is read as.
    pub base: i128,
    /// What a step adds where no level jumps.
    pub slope: i128,
    /// Broken levels, finest modulus first; no jump is 0.
    pub levels: SmallVec<[Level; INLINE_AXES]>,
    /// Slabs, finest modulus first.
    pub slabs: SmallVec<[Slab; 4]>,
}

impl Staircase {
    /// The staircase of a view with at least one valid index.
    pub fn new(view: &View) -> Staircase {
        Staircase::with(view, true)
    }

    /// The same, with the strides the view has: an axis with one valid index breaks levels as any
    /// other.
    pub fn literal(view: &View) -> Staircase {
        Staircase::with(view, false)
    }

    fn with(view: &View, free_axes_fuse: bool) -> Staircase {
        let mut stairs = Staircase {
            count: view.count(),
            base: view.offset().into(),
            slope: 0,
            levels: SmallVec::new(),
            slabs: SmallVec::new(),
        };
        for rise in rises(view, free_axes_fuse) {
            if let Some((lo, hi)) = rise.slab() {
                let modulus = Some(rise.whole()).filter(|&whole| whole < stairs.count);
                stairs.slabs.push(Slab { modulus, lo, hi });
            }
            let stride = i128::from(rise.stride);
            match rise.contiguous {
                None => stairs.slope = stride,
                Some(contiguous) if free_axes_fuse && rise.is_free() => {
                    stairs.base -= contiguous * i128::from(rise.interval.0);
                }
                Some(contiguous) if stride != contiguous => {
                    stairs.levels.push(Level { modulus: rise.behind, jump: stride - contiguous });
                }
                Some(_) => {}
            }
        }
        stairs
    }

    /// The affine function that agrees, at the low corner of a box and its
    /// neighbours, with what the view reads at the positions `n`; padding is ignored.
    pub(crate) fn seemingly_affine(&self, n: &Affine, extent: &[i64]) -> Affine {
        let base = self.value(n.base);
        let steps = n.slope.iter().zip(extent);
        let slope =
            steps.map(|(&t, &size)| if size > 1 { self.value(n.base + t) - base } else { 0 });
        Affine { base, slope: slope.collect() }
    }

    /// The memory position at a linear position, `None` for padding.
    pub fn at(&self, n: i64) -> Option<i64> {
        for slab in &self.slabs {
            let rest = slab.modulus.map_or(n, |m| n - divide(n, m) * m);
            if rest < slab.lo || rest >= slab.hi {
                return None;
            }
        }
        Some(self.value(n))
    }

    /// The memory position at a valid linear position.
    fn value(&self, n: i64) -> i64 {
        let mut value = self.base + self.slope * i128::from(n);
        for level in &self.levels {
            value += level.jump * i128::from(divide(n, level.modulus));
        }
        position(value)
    }
}

/// A position, or a difference of two, computed in wide arithmetic; it fits by V7.
pub fn position(value: i128) -> i64 {
    match i64::try_from(value) {
        Ok(position) => position,
        Err(_) => unreachable!("positions are bounded"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stairs(text: &str) -> Staircase {
        Staircase::new(&text.parse().expect(text))
    }

    #[test]
    fn forms() {
        // (view, slope, levels as (modulus, jump), slabs as (modulus, lo, hi))
        type Row = (&'static str, i128, &'static [(i64, i128)], &'static [(Option<i64>, i64, i64)]);
        let rows: [Row; 7] = [
            ("(10,3,3):(8,1,2)", 2, &[(3, -5), (9, 5)], &[]),
            ("(2,3,4)", 1, &[], &[]),
            ("(2,1,3):(6,0,1)", 1, &[(3, 3)], &[]),
            ("(4,3):(0,1) [1:2,0:3]", 1, &[], &[(None, 3, 6)]),
            ("(2,4,3):(3,0,1) [0:2,1:2,0:3]", 1, &[(12, -9)], &[(Some(12), 3, 6)]),
            ("(1,4):(0,1) [0:1,1:3]", 1, &[], &[(None, 1, 3)]),
            ("()+4", 0, &[], &[]),
        ];
        for (text, slope, levels, slabs) in rows {
            let found = stairs(text);
            assert_eq!(found.slope, slope, "{text}");
            let found_levels: Vec<_> = found.levels.iter().map(|l| (l.modulus, l.jump)).collect();
            assert_eq!(found_levels, levels, "{text}");
            let found_slabs: Vec<_> = found.slabs.iter().map(|s| (s.modulus, s.lo, s.hi)).collect();
            assert_eq!(found_slabs, slabs, "{text}");
        }
    }

    #[test]
    fn reads_as_the_view_does() {
        let rows = [
            "(10,3,3):(8,1,2)",
            "(2,4,3):(3,0,1)+7 [0:2,1:2,0:3]",
            "(2,4,3):(5,-2,9)+7 [0:2,1:4,2:3]",
            "(3,1,2,4):(1,0,50,-3) [1:3,0:1,1:2,1:4]",
            "()-4",
        ];
        for text in rows {
            let view: View = text.parse().expect(text);
            let found: Vec<_> = (0..view.count()).map(|n| stairs(text).at(n)).collect();
            assert_eq!(found, view.positions().collect::<Vec<_>>(), "{text}");
        }
    }
}
