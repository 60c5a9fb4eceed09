//! Affine functions of integer columns, and closed intervals of their values.
//!
//! Invariants, established at construction:
//!
//! - **A1** [`Affine`] has no trailing zero among its terms, so equality of values is equality of
//!   functions, whatever number of columns they were written over.
//! - **W1** [`Within`] has low ≤ high where both ends are there; an absent end is `None`, never a
//!   large number.
//!
//! Running example: 5 + 2·z₀ − z₂ over 0 ≤ z₀ ≤ 3 and 0 ≤ z₂ ≤ 1 lies within 4 ..= 11.
//!
//! Overflow policy: every operation reports [`Overflow`].

use alloc::vec;
use alloc::vec::Vec;

use crate::number::{Number, Overflow};
use crate::row::Row;

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
    /// assert!(lattice_point::Affine::always(7).is_constant());
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
        let mut terms = vec![N::ZERO; column + 1];
        terms[column] = N::ONE;
        Affine { constant: N::ZERO, terms }
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

    /// Whether no column appears.
    ///
    /// ```
    /// assert!(!lattice_point::Affine::new(5, vec![2]).is_constant());
    /// ```
    #[must_use]
    pub fn is_constant(&self) -> bool {
        self.terms.is_empty()
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
        for (to, by) in self.terms.iter_mut().zip(&other.terms) {
            if !by.is_zero() {
                *to = to.plus(&factor.times(by)?)?;
            }
        }
        self.trim();
        Ok(self)
    }

    /// factor·self.
    ///
    /// # Errors
    ///
    /// [`Overflow`] if a number does not fit.
    ///
    /// ```
    /// use lattice_point::Affine;
    ///
    /// assert_eq!(Affine::new(1, vec![2]).scaled(&3)?, Affine::new(3, vec![6]));
    /// # Ok::<(), lattice_point::Overflow>(())
    /// ```
    pub fn scaled(&self, factor: &N) -> Result<Affine<N>, Overflow> {
        let terms = self.terms.iter().map(|term| term.times(factor));
        let terms: Vec<N> = terms.collect::<Result<_, _>>()?;
        Ok(Affine::new(self.constant.times(factor)?, terms))
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
        let mut sum = self.constant.clone();
        for (term, at) in self.terms.iter().zip(point) {
            if !term.is_zero() {
                sum = sum.plus(&term.times(at)?)?;
            }
        }
        Ok(sum)
    }

    /// The interval of the values over a box of columns; exact where every column may take its
    /// ends. Columns beyond the box are unbounded.
    ///
    /// # Errors
    ///
    /// [`Overflow`] if a number does not fit.
    ///
    /// ```
    /// use lattice_point::{Affine, Within};
    ///
    /// let column = Within::new(Some(0), Some(3)).unwrap();
    /// let range = Affine::new(5, vec![-2]).range(&[column])?;
    /// assert_eq!((range.low(), range.high()), (Some(&-1), Some(&5)));
    /// # Ok::<(), lattice_point::Overflow>(())
    /// ```
    pub fn range(&self, columns: &[Within<N>]) -> Result<Within<N>, Overflow> {
        let (mut low, mut high) = (Some(self.constant.clone()), Some(self.constant.clone()));
        for (column, term) in self.terms.iter().enumerate() {
            if term.is_zero() {
                continue;
            }
            let ends = columns.get(column).map(|within| (within.low(), within.high()));
            let (first, last) = ends.unwrap_or((None, None));
            let (first, last) = if term.is_negative() { (last, first) } else { (first, last) };
            let moved = |sum: Option<N>, end: Option<&N>| match (sum, end) {
                (Some(sum), Some(end)) => sum.plus(&term.times(end)?).map(Some),
                _ => Ok(None),
            };
            (low, high) = (moved(low, first)?, moved(high, last)?);
        }
        Ok(Within { low, high })
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

/// The numbers from `low` to `high`, both included; an absent end does not bound.
///
/// ```
/// use lattice_point::Within;
///
/// let few = Within::new(Some(2), Some(5)).unwrap();
/// assert!(few.contains(&5) && !few.contains(&6));
/// assert_eq!(Within::new(Some(5), Some(2)), None);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Within<N> {
    low: Option<N>,
    high: Option<N>,
}

impl<N: Ord + Clone> Within<N> {
    /// The numbers between two ends; `None` if there are none (W1).
    ///
    /// ```
    /// assert!(lattice_point::Within::new(Some(1), None).is_some());
    /// ```
    #[must_use]
    pub fn new(low: Option<N>, high: Option<N>) -> Option<Within<N>> {
        match (&low, &high) {
            (Some(first), Some(last)) if first > last => None,
            _ => Some(Within { low, high }),
        }
    }

    /// All numbers.
    ///
    /// ```
    /// assert!(lattice_point::Within::all().contains(&i128::MIN));
    /// ```
    #[must_use]
    pub const fn all() -> Within<N> {
        Within { low: None, high: None }
    }

    /// One number.
    ///
    /// ```
    /// assert_eq!(lattice_point::Within::only(3).one(), Some(&3));
    /// ```
    #[must_use]
    pub fn only(number: N) -> Within<N> {
        Within { low: Some(number.clone()), high: Some(number) }
    }

    /// The smallest number, if there is one.
    ///
    /// ```
    /// assert_eq!(lattice_point::Within::only(3).low(), Some(&3));
    /// ```
    #[must_use]
    pub const fn low(&self) -> Option<&N> {
        self.low.as_ref()
    }

    /// The largest number, if there is one.
    ///
    /// ```
    /// assert_eq!(lattice_point::Within::<i64>::all().high(), None);
    /// ```
    #[must_use]
    pub const fn high(&self) -> Option<&N> {
        self.high.as_ref()
    }

    /// The number, if there is only one.
    ///
    /// ```
    /// assert_eq!(lattice_point::Within::new(Some(1), Some(2)).unwrap().one(), None);
    /// ```
    #[must_use]
    pub fn one(&self) -> Option<&N> {
        self.low.as_ref().filter(|_| self.low == self.high)
    }

    /// Whether a number is between the ends.
    ///
    /// ```
    /// assert!(!lattice_point::Within::only(3).contains(&4));
    /// ```
    #[must_use]
    pub fn contains(&self, number: &N) -> bool {
        self.low.as_ref().is_none_or(|low| low <= number)
            && self.high.as_ref().is_none_or(|high| number <= high)
    }

    /// The numbers in both; `None` if there are none.
    ///
    /// ```
    /// use lattice_point::Within;
    ///
    /// let from = |low: i64| Within::new(Some(low), None).unwrap();
    /// assert_eq!(from(2).meet(&from(5)), Some(from(5)));
    /// assert_eq!(from(2).meet(&Within::only(1)), None);
    /// ```
    #[must_use]
    pub fn meet(&self, other: &Within<N>) -> Option<Within<N>> {
        let low = match (&self.low, &other.low) {
            (Some(a), Some(b)) => Some(a.max(b).clone()),
            (a, b) => a.clone().or_else(|| b.clone()),
        };
        let high = match (&self.high, &other.high) {
            (Some(a), Some(b)) => Some(a.min(b).clone()),
            (a, b) => a.clone().or_else(|| b.clone()),
        };
        Within::new(low, high)
    }

    /// The smallest interval around both.
    ///
    /// ```
    /// use lattice_point::Within;
    ///
    /// let hull = Within::only(2).hull(&Within::only(7));
    /// assert_eq!(Some(hull), Within::new(Some(2), Some(7)));
    /// ```
    #[must_use]
    pub fn hull(&self, other: &Within<N>) -> Within<N> {
        let both =
            |a: &Option<N>, b: &Option<N>, pick: fn(N, N) -> N| Some(pick(a.clone()?, b.clone()?));
        Within {
            low: both(&self.low, &other.low, N::min),
            high: both(&self.high, &other.high, N::max),
        }
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
        assert_eq!(f.scaled(&0), Ok(Affine::always(0)));
        assert_eq!(Affine::new(i128::MAX, vec![]).plus(&1, &Affine::always(1)), Err(Overflow));
    }

    #[test]
    fn ranges_agree_with_walking() {
        for (a, b) in (-3..4i128).flat_map(|a| (-3..4).map(move |b| (a, b))) {
            let f = Affine::new(7, vec![a, b]);
            let columns = [Within::new(Some(-2), Some(3)), Within::new(Some(1), Some(4))];
            let columns = columns.map(|within| within.expect("not empty"));
            let range = f.range(&columns).expect("small");
            let all = (-2..=3).flat_map(|x| (1..=4).map(move |y| 7 + a * x + b * y));
            assert_eq!(range.low().copied(), all.clone().min());
            assert_eq!(range.high().copied(), all.max());
        }
        let f = Affine::new(0i128, vec![1, -1]);
        let half = [Within::new(Some(0), None), Within::new(Some(0), Some(2))];
        let half = half.map(|within| within.expect("not empty"));
        let range = f.range(&half).expect("small");
        assert_eq!((range.low(), range.high()), (Some(&-2), None));
        assert_eq!(f.range(&[]), Ok(Within::all()));
    }

    #[test]
    fn intervals() {
        let within = |low, high| Within::new(low, high).expect("not empty");
        assert_eq!(
            within(Some(1), Some(5)).meet(&within(Some(4), None)),
            Within::new(Some(4), Some(5))
        );
        assert_eq!(within(Some(1), Some(2)).meet(&within(Some(3), None)), None);
        assert_eq!(within(Some(1), None).hull(&within(Some(-3), Some(2))), within(Some(-3), None));
        assert_eq!(Within::new(Some(2), Some(1)), None);
    }
}
