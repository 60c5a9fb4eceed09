//! Sums over indices, with polynomials for coefficients.
//!
//! The columns of a [`Position`] are axes, in forms followed by floors; columns that are left out are 0.

use crate::engine::{Front, Position};
use crate::poly::Poly;
use crate::stage::Stage;

impl Position {
    /// The same everywhere.
    pub(crate) fn constant(base: Poly, rank: usize) -> Position {
        Position { base, step: vec![Poly::zero(); rank] }
    }

    /// One column.
    pub(crate) fn column(rank: usize, column: usize) -> Position {
        let mut one = Position::constant(Poly::zero(), rank.max(column + 1));
        one.step[column] = Poly::one();
        one
    }

    /// `self + by·other`.
    pub(crate) fn plus(&self, by: &Poly, other: &Position) -> Position {
        let zero = Poly::zero();
        let at = |p: &'_ Position, k: usize| p.step.get(k).unwrap_or(&zero).clone();
        let count = self.step.len().max(other.step.len());
        Position {
            base: &self.base + by * &other.base,
            step: (0..count).map(|k| &at(self, k) + by * &at(other, k)).collect(),
        }
    }

    /// The value at an index.
    pub(crate) fn at(&self, index: &[Poly]) -> Poly {
        self.step.iter().zip(index).fold(self.base.clone(), |sum, (t, x)| sum + t * x)
    }

    pub(crate) fn map(&self, mut f: impl FnMut(&Poly) -> Poly) -> Position {
        Position { step: self.step.iter().map(&mut f).collect(), base: f(&self.base) }
    }

    pub(crate) fn polys(&self) -> impl Iterator<Item = &Poly> {
        self.step.iter().chain(std::iter::once(&self.base))
    }
}

impl Stage {
    /// The position at an index.
    pub(crate) fn position(&self) -> Position {
        Position { base: self.offset.clone(), step: self.strides.clone() }
    }

    /// What a carry out of an axis adds; nothing is carried out of the first.
    pub(crate) fn jump(&self, axis: usize) -> Poly {
        let Some(outer) = axis.checked_sub(1) else { return Poly::zero() };
        &self.strides[outer] - &self.shape[axis] * &self.strides[axis]
    }
}

impl Front {
    /// All indices from 0 to the last of every axis.
    pub(crate) fn whole(last: &[Poly]) -> Front {
        let (axis, lo) = ((0..last.len()).collect(), vec![Poly::zero(); last.len()]);
        Front { axis, lo, last: last.to_vec() }
    }
}
