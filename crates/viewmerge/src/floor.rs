//! When is ⌊n(i)/m⌋ affine on a box? (theory, "a floor on a box")
//!
//! Let n(i) = a + Σ t_l·i_l on a box. With α_l = ⌊(a+t_l)/m⌋ − ⌊a/m⌋ and
//! r_l = t_l − m·α_l, the floor is affine exactly when the *residue*
//! (a mod m) + Σ r_l·i_l stays within [0, m) at its two extreme corners; its
//! slopes then are the α_l. Otherwise some carry differs from the others: an
//! *overflow*. Cost: one division, and one more for each axis whose first step
//! leaves [0, m).
//!
//! Running example: ⌊4i/3⌋ for 0 ≤ i < 4: α = 1, r = 1, the residue reaches
//! 3 at i = 3, so the floor is affine on the first three indices only.
//!
//! Overflow policy: n is a valid position, in [0, 2^62], at every index of the
//! box, so a, t and r are below 2^62 in magnitude; travel (r times an extent)
//! is `i128`.
//!
//! Proved: `floor_affine_iff`, `floor_affine_corners`, `floor_affine_slopes`
//! (proofs/theories/Floors.v).

use smallvec::SmallVec;

use crate::arith::{divide, divide_down};
use crate::dims::Dims;
use crate::region::Affine;
use crate::staircase::position;

/// n split into m·quotient + residue, both affine at the low corner and its neighbours.
pub(crate) struct Floor {
    /// ⌊n/m⌋ at the low corner, and its slopes α if [`Floor::is_affine`].
    pub quotient: Affine,
    /// n mod m at the low corner, and its slopes r.
    pub residue: Affine,
    /// Smallest and largest value of the affine residue over the box.
    low: i128,
    high: i128,
    modulus: i64,
}

impl Floor {
    /// Splits `n` at `modulus` ≥ 1 on a box of these extents.
    pub(crate) fn new(n: &Affine, extent: &[i64], modulus: i64) -> Floor {
        let rank = extent.len();
        let mut quotient = Affine::constant(divide(n.base, modulus), rank);
        let mut residue = Affine::constant(n.base - quotient.base * modulus, rank);
        for (l, (&step, &size)) in n.slope.iter().zip(extent).enumerate() {
            if size == 1 {
                continue;
            }
            let next = residue.base + step;
            if next < 0 || next >= modulus {
                quotient.slope[l] = divide_down(next, modulus);
                residue.slope[l] = step - modulus * quotient.slope[l];
            } else {
                residue.slope[l] = step;
            }
        }
        let (low, high) = residue.range(extent);
        Floor { quotient, residue, low, high, modulus }
    }

    /// Whether ⌊n/m⌋ is affine on the whole box.
    pub(crate) fn is_affine(&self) -> bool {
        self.low >= 0 && self.high < i128::from(self.modulus)
    }

    /// The first step whose carry differs from the one at the low corner, on the straight way, along
    /// these axes one after the other, to where the residue is farthest outside [0, m): its axis, and
    /// the index it starts from. `None` if the floor is affine.
    pub(crate) fn first_overflow(
        &self,
        extent: &[i64],
        axes: impl Iterator<Item = usize>,
    ) -> Option<(usize, Dims)> {
        let modulus = i128::from(self.modulus);
        let upwards = self.high >= modulus;
        let mut residue = i128::from(self.residue.base);
        let mut index: Dims = SmallVec::from_elem(0, extent.len());
        for axis in axes {
            let (slope, last) = (i128::from(self.residue.slope[axis]), extent[axis] - 1);
            if slope == 0 || (slope > 0) != upwards {
                continue;
            }
            // How far the residue can go along this axis without leaving [0, m).
            let room = if upwards { modulus - 1 - residue } else { residue };
            let steps = room / slope.abs();
            if steps < i128::from(last) {
                index[axis] = position(steps);
                return Some((axis, index));
            }
            index[axis] = last;
            residue += slope * i128::from(last);
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Walks the box: is ⌊n/m⌋ affine with the slopes read at the low corner?
    fn affine_by_definition(n: &Affine, extent: &[i64], modulus: i64) -> bool {
        let value = |index: &[i64]| {
            let n = n.slope.iter().zip(index).fold(n.base, |sum, (t, i)| sum + t * i);
            n.div_euclid(modulus)
        };
        let origin = vec![0; extent.len()];
        let slope: Vec<i64> = (0..extent.len())
            .map(|l| {
                let mut step = origin.clone();
                step[l] = (extent[l] - 1).min(1);
                value(&step) - value(&origin)
            })
            .collect();
        crate::dims::Indices::new(extent, extent.iter().product()).all(|index| {
            let expected: i64 = index.iter().zip(&slope).map(|(i, s)| i * s).sum();
            value(&index) == value(&origin) + expected
        })
    }

    #[test]
    fn agrees_with_the_definition() {
        let (mut seen, mut affine) = (0, 0);
        for modulus in 1..7i64 {
            for (t, u) in (-5..8i64).flat_map(|t| (-4..6i64).map(move |u| (t, u))) {
                for extent in [[4i64, 1], [3, 2], [2, 5], [1, 1]] {
                    let lowest = (t * (extent[0] - 1)).min(0) + (u * (extent[1] - 1)).min(0);
                    for base in -lowest..-lowest + modulus {
                        let slope = [t, u].into_iter().zip(extent);
                        let slope = slope.map(|(s, e)| if e > 1 { s } else { 0 });
                        let n = Affine { base, slope: slope.collect() };
                        let floor = Floor::new(&n, &extent, modulus);
                        let truth = affine_by_definition(&n, &extent, modulus);
                        assert_eq!(floor.is_affine(), truth, "{n:?} / {modulus} on {extent:?}");
                        seen += 1;
                        affine += i32::from(truth);
                    }
                }
            }
        }
        assert!(affine > 500 && seen - affine > 500, "{affine} of {seen}");
    }
}
