//! Affine functions of integer columns.
//!
//! Invariant, established at construction:
//!
//! - **A1** [`Affine`] has no trailing zero among its terms, so equality of values is equality of
//!   functions, whatever number of columns they were written over.
//!
//! Running example: 5 + 2·z₀ − z₂ is 10 at (3, 9, 1).
//!
//! Overflow policy: every operation reports [`Overflow`].

use alloc::vec::Vec;

use crate::number::{Number, Overflow};
use crate::row::Row;
use crate::vector::{add_multiple, dot, unit};

/// constant + Σ terms·z.
///
/// ```
/// use lattice_point::Affine;
///
/// let f = Affine::new(5, vec![2, 0, -1, 0]);
/// assert_eq!(f, Affine::new(5, vec![2, 0, -1]));
/// assert_eq!(f.at(&[3, 9, 1])?, 10);
/// # Ok::<(), lattice_point::Overflow>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Affine<N> {
    constant: N,
    /// A1: the last is not 0.
    terms: Vec<N>,
}

impl<N: Number> Affine<N> {
    /// constant + Σ terms·z.
    ///
    /// ```
    /// assert_eq!(lattice_point::Affine::new(1, vec![0, 0]).terms(), []);
    /// ```
    #[must_use]
    pub fn new(constant: N, terms: Vec<N>) -> Affine<N> {
        let mut affine = Affine { constant, terms };
        affine.trim();
        affine
    }

    fn trim(&mut self) {
        let used = self.terms.iter().rposition(|term| !term.is_zero()).map_or(0, |last| last + 1);
        self.terms.truncate(used);
    }

    /// The same value everywhere.
    ///
    /// ```
    /// assert!(lattice_point::Affine::always(7).terms().is_empty());
    /// ```
    #[must_use]
    pub fn always(constant: N) -> Affine<N> {
        Affine { constant, terms: Vec::new() }
    }

    /// The column itself.
    ///
    /// ```
    /// assert_eq!(lattice_point::Affine::<i128>::column(2).terms(), [0, 0, 1]);
    /// ```
    #[must_use]
    pub fn column(column: usize) -> Affine<N> {
        Affine { constant: N::ZERO, terms: unit(column + 1, column) }
    }

    /// The value where all columns are 0.
    ///
    /// ```
    /// assert_eq!(lattice_point::Affine::new(5, vec![2]).constant(), &5);
    /// ```
    #[must_use]
    pub fn constant(&self) -> &N {
        &self.constant
    }

    /// The coefficients, the last of which is not 0 (A1).
    ///
    /// ```
    /// assert_eq!(lattice_point::Affine::new(5, vec![2, 0]).terms(), [2]);
    /// ```
    #[must_use]
    pub fn terms(&self) -> &[N] {
        &self.terms
    }

    /// The coefficient of a column, 0 beyond the last.
    ///
    /// ```
    /// assert_eq!(lattice_point::Affine::new(5, vec![2]).term(9), 0);
    /// ```
    #[must_use]
    pub fn term(&self, column: usize) -> N {
        self.terms.get(column).cloned().unwrap_or(N::ZERO)
    }

    /// self + factor·other.
    ///
    /// # Errors
    ///
    /// [`Overflow`] if a number does not fit.
    ///
    /// ```
    /// use lattice_point::Affine;
    ///
    /// let sum = Affine::new(1, vec![2, 3]).plus(&-1, &Affine::new(5, vec![0, 3]))?;
    /// assert_eq!(sum, Affine::new(-4, vec![2]));
    /// # Ok::<(), lattice_point::Overflow>(())
    /// ```
    pub fn plus(mut self, factor: &N, other: &Affine<N>) -> Result<Affine<N>, Overflow> {
        self.constant = self.constant.plus(&factor.times(&other.constant)?)?;
        if self.terms.len() < other.terms.len() {
            self.terms.resize(other.terms.len(), N::ZERO);
        }
        add_multiple(&mut self.terms, factor, &other.terms)?;
        self.trim();
        Ok(self)
    }

    /// The value at a point; columns beyond the point count as 0.
    ///
    /// # Errors
    ///
    /// [`Overflow`] if a number does not fit.
    ///
    /// ```
    /// assert_eq!(lattice_point::Affine::new(1, vec![2, 3]).at(&[10, 100])?, 321);
    /// # Ok::<(), lattice_point::Overflow>(())
    /// ```
    pub fn at(&self, point: &[N]) -> Result<N, Overflow> {
        self.constant.plus(&dot(&self.terms, point)?)
    }

    /// The row low ≤ self ≤ high over this many columns, the constant taken over to the ends.
    ///
    /// # Errors
    ///
    /// [`Overflow`] if a number does not fit.
    ///
    /// ```
    /// let row = lattice_point::Affine::new(5, vec![2]).between(Some(7), None, 3)?;
    /// assert_eq!((row.form, row.low), (vec![2, 0, 0], Some(2)));
    /// # Ok::<(), lattice_point::Overflow>(())
    /// ```
    pub fn between(
        self,
        low: Option<N>,
        high: Option<N>,
        columns: usize,
    ) -> Result<Row<N>, Overflow> {
        let shifted = |end: Option<N>| end.map(|end| end.minus(&self.constant)).transpose();
        let (low, high) = (shifted(low)?, shifted(high)?);
        let mut form = self.terms;
        form.resize(columns, N::ZERO);
        Ok(Row { form, low, high })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equality_does_not_depend_on_the_width() {
        let f = Affine::new(1i128, vec![2, 0, 3]);
        let back = f.clone().plus(&-1, &Affine::new(0, vec![0, 0, 3])).expect("small");
        assert_eq!(back, Affine::new(1, vec![2, 0, 0]));
        assert_eq!(f.clone().plus(&-1, &f), Ok(Affine::always(0)));
        assert_eq!(Affine::new(i128::MAX, vec![]).plus(&1, &Affine::always(1)), Err(Overflow));
    }
}
