//! Linear functions of an index and of floors of it.
//!
//! Running example: over the axes of (4,6), with F = ⌊(6·i0 + i1)/8⌋, the
//! residue 6·i0 + i1 − 8·F has constant 0, axes (6,1), floors (−8).
//!
//! Overflow policy: coefficients are `i64`; sums are made in `i128` and a
//! coefficient that does not fit is an error, never a wrapped number.

use alloc::vec::Vec;

use smallvec::SmallVec;

use viewmerge::Error;
use viewmerge::internal::{INLINE_AXES, gcd};

/// `constant + Σ axes[l]·i[l] + Σ floors[k]·F[k]`.
///
/// Floors beyond the end of the list have coefficient 0.
///
/// ```
/// use viewmerge_index::IndexChain;
/// use viewmerge::Limit;
///
/// let chain: viewmerge::ViewChain = "(3,2):(1,3) | (6)".parse()?;
/// let form = chain.form(&Limit::none())?;
/// // 3·i − 5·⌊i/2⌋
/// assert_eq!(form.position().axes(), [3]);
/// assert_eq!(form.position().floors(), [-5]);
/// # Ok::<(), viewmerge::Error>(())
/// ```
#[derive(Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(from = "super::json::LinearParts", into = "super::json::LinearParts")
)]
pub struct Linear {
    pub(crate) constant: i64,
    /// How many axes there are.
    rank: usize,
    /// One coefficient for each axis, then one for each floor, as far as one is not 0.
    terms: Terms,
}

/// The coefficients of a few axes and floors.
type Terms = SmallVec<[i64; INLINE_AXES + 4]>;

/// Copies the list as a whole.
impl Clone for Linear {
    fn clone(&self) -> Linear {
        let terms = SmallVec::from_slice(&self.terms);
        Linear { constant: self.constant, rank: self.rank, terms }
    }
}

impl Linear {
    /// The value where every index and every floor is 0.
    ///
    /// ```
    /// use viewmerge::View;
    /// use viewmerge_index::IndexForm;
    ///
    /// let view: View = "(2,3):(1,2)+5".parse()?;
    /// assert_eq!(IndexForm::of_view(&view)?.position().constant(), 5);
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    #[must_use]
    pub fn constant(&self) -> i64 {
        self.constant
    }

    /// One coefficient for each axis.
    ///
    /// ```
    /// use viewmerge::View;
    /// use viewmerge_index::IndexForm;
    ///
    /// let view: View = "(2,3):(1,2)+5".parse()?;
    /// assert_eq!(IndexForm::of_view(&view)?.position().axes(), [1, 2]);
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    #[must_use]
    pub fn axes(&self) -> &[i64] {
        &self.terms[..self.rank]
    }

    /// One coefficient for each floor, as far as one is not 0.
    ///
    /// ```
    /// use viewmerge::View;
    /// use viewmerge_index::IndexForm;
    ///
    /// let view: View = "(2,3):(1,2)+5".parse()?;
    /// assert_eq!(IndexForm::of_view(&view)?.position().floors(), []);
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    #[must_use]
    pub fn floors(&self) -> &[i64] {
        &self.terms[self.rank..]
    }

    /// With coefficients for axes and then floors.
    pub(crate) fn new(constant: i64, rank: usize, terms: impl IntoIterator<Item = i64>) -> Linear {
        let mut function = Linear { constant, rank, terms: terms.into_iter().collect() };
        function.trim();
        function
    }

    /// The same value everywhere.
    pub(crate) fn always(constant: i64, rank: usize) -> Linear {
        Linear { constant, rank, terms: SmallVec::from_elem(0, rank) }
    }

    /// One axis, or a floor behind the axes.
    pub(crate) fn column(column: usize, rank: usize) -> Linear {
        let mut function = Linear::always(0, rank);
        function.add_column(column, 1);
        function
    }

    /// The sum of a constant and of multiples of functions, if its coefficients fit.
    pub(crate) fn sum<'f>(
        constant: i128,
        rank: usize,
        parts: impl Iterator<Item = (i128, &'f Linear)>,
    ) -> Result<Linear, Error> {
        let mut sums: SmallVec<[i128; INLINE_AXES + 5]> = SmallVec::from_elem(0, 1 + rank);
        sums[0] = constant;
        for (times, function) in parts {
            let small = i64::try_from(times).ok().map(i128::from);
            if sums.len() <= function.terms.len() {
                sums.resize(1 + function.terms.len(), 0);
            }
            let numbers = core::iter::once(&function.constant).chain(&function.terms);
            for (sum, &c) in sums.iter_mut().zip(numbers).filter(|(_, c)| **c != 0) {
                let product = match small {
                    Some(times) => Some(times * i128::from(c)),
                    None => times.checked_mul(c.into()),
                };
                let more = product.and_then(|product| sum.checked_add(product));
                *sum = more.ok_or(Error::ExpressionRange { number: times })?;
            }
        }
        let terms = sums[1..].iter().map(|&sum| narrow(sum)).collect::<Result<Terms, _>>()?;
        Ok(Linear::new(narrow(sums[0])?, rank, terms))
    }

    /// p − m·⌊p/m⌋, given the floor.
    pub(crate) fn remainder(&self, modulus: i64, floor: &Linear) -> Result<Linear, Error> {
        let parts = [(1, self), (-i128::from(modulus), floor)];
        Linear::sum(0, self.rank, parts.into_iter())
    }

    /// The coefficients of all columns: axes, then floors as far as one is not 0.
    pub(crate) fn terms(&self) -> &[i64] {
        &self.terms
    }

    /// The coefficient of a column, axes first.
    pub(crate) fn term(&self, column: usize) -> i64 {
        self.terms.get(column).copied().unwrap_or(0)
    }

    /// The columns that it depends on.
    pub(crate) fn columns(&self) -> impl Iterator<Item = usize> {
        self.terms.iter().enumerate().filter(|(_, c)| **c != 0).map(|(column, _)| column)
    }

    /// The axis of a function c·i of one axis alone.
    pub(crate) fn only_axis(&self) -> Option<usize> {
        let mut columns = self.columns();
        let first = columns.next().filter(|&column| column < self.rank);
        first.filter(|_| columns.next().is_none())
    }

    /// Leaves out a column.
    pub(crate) fn without(&self, column: usize) -> Linear {
        let mut function = self.clone();
        function.terms[column] = 0;
        function.trim();
        function
    }

    /// Adds a multiple of a column.
    pub(crate) fn add_column(&mut self, column: usize, times: i64) {
        if self.terms.len() <= column {
            self.terms.resize(column + 1, 0);
        }
        self.terms[column] += times;
        self.trim();
    }

    /// The function with every coefficient mapped, and another constant.
    pub(crate) fn map(&self, constant: i64, map: impl Fn(i64) -> i64) -> Linear {
        let mut function = Linear { constant, ..self.clone() };
        function.terms.iter_mut().for_each(|c| *c = map(*c));
        function.trim();
        function
    }

    /// The function over some columns, so many of which are axes.
    pub(crate) fn over(&self, columns: &[usize], rank: usize) -> Linear {
        Linear::new(self.constant, rank, columns.iter().map(|&column| self.term(column)))
    }

    /// The function of an index that counts from another point.
    pub(crate) fn moved(&self, from: &[i64]) -> Result<Linear, Error> {
        Ok(Linear { constant: narrow(self.at(from))?, ..self.clone() })
    }

    /// Divides the coefficients, not the constant, by what they have in common, such that the first is
    /// positive; by how much, 0 if all are 0.
    pub(crate) fn make_primitive(&mut self) -> i64 {
        let common = self.terms.iter().fold(0, |g, c| gcd(g, c.checked_abs().unwrap_or(1)));
        let leading = self.terms.iter().find(|c| **c != 0);
        let unit = if leading.is_some_and(|c| *c < 0) { -common } else { common };
        if unit != 0 && unit != 1 {
            self.terms.iter_mut().for_each(|c| *c /= unit);
        }
        unit
    }

    /// Zeros at the end are left out, so that equal functions have equal fields.
    fn trim(&mut self) {
        while self.terms.len() > self.rank && self.terms.last() == Some(&0) {
            self.terms.pop();
        }
    }

    /// `self + times·other`; `None` if a coefficient does not fit.
    pub(crate) fn plus(&self, other: &Linear, times: i64) -> Option<Linear> {
        let add = |a: i64, b: i64| a.checked_add(b.checked_mul(times)?);
        let mut sum = self.clone();
        sum.constant = add(sum.constant, other.constant)?;
        if sum.terms.len() < other.terms.len() {
            sum.terms.resize(other.terms.len(), 0);
        }
        for (a, &b) in sum.terms.iter_mut().zip(&other.terms) {
            *a = add(*a, b)?;
        }
        sum.trim();
        Some(sum)
    }

    /// Bounds on the value where the columns are in these ranges; they saturate.
    pub(crate) fn interval(&self, ranges: impl Iterator<Item = (i64, i64)>) -> (i128, i128) {
        let terms = self.terms.iter().copied().zip(ranges);
        interval(self.constant, terms)
    }

    /// The value at a point, which has a number for every column; it saturates.
    pub(crate) fn at(&self, point: &[i64]) -> i128 {
        match self.small_at(point) {
            Some(value) => value.into(),
            None => {
                self.terms.iter().zip(point).fold(i128::from(self.constant), |sum, (&c, &x)| {
                    sum.saturating_add(i128::from(c) * i128::from(x))
                })
            }
        }
    }

    /// The value at a point, if every sum on the way fits 64 bits, as nearly all do.
    pub(crate) fn small_at(&self, point: &[i64]) -> Option<i64> {
        let mut terms = self.terms.iter().zip(point).map(|(c, &x)| c.checked_mul(x));
        terms.try_fold(self.constant, |sum, term| sum.checked_add(term?))
    }

    /// The vector (constant, coefficients …) over so many columns.
    pub(crate) fn vector(&self, columns: usize) -> Vec<i128> {
        let mut vector = Vec::with_capacity(1 + columns);
        vector.push(self.constant.into());
        vector.extend(self.terms.iter().map(|&c| i128::from(c)));
        vector.resize(1 + columns, 0);
        vector
    }
}

/// Bounds on a sum of terms over their ranges; they saturate.
pub(crate) fn interval(
    constant: i64,
    terms: impl Iterator<Item = (i64, (i64, i64))>,
) -> (i128, i128) {
    let start = (i128::from(constant), i128::from(constant));
    terms.filter(|(c, _)| *c != 0).fold(start, |(low, high), (c, (first, last))| {
        let (a, b) = if c < 0 { (last, first) } else { (first, last) };
        let [a, b] = [a, b].map(|end| i128::from(c) * i128::from(end));
        (low.saturating_add(a), high.saturating_add(b))
    })
}

/// A number of an expression, if it fits 64 bits.
pub(crate) fn narrow(number: i128) -> Result<i64, Error> {
    i64::try_from(number).map_err(|_| Error::ExpressionRange { number })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn function(constant: i64, axes: &[i64], floors: &[i64]) -> Linear {
        Linear::new(constant, axes.len(), axes.iter().chain(floors).copied())
    }

    #[test]
    fn sums() {
        // 1 + 2·i + F, and twice it from itself; zeros at the end go.
        let one = function(1, &[2], &[1]);
        let rows = [(1, function(2, &[4], &[2])), (-1, function(0, &[0], &[])), (0, one.clone())];
        for (times, expected) in rows {
            assert_eq!(one.plus(&one, times), Some(expected), "{times}");
        }
        assert_eq!(one.plus(&one, i64::MAX), None);
        let far = i128::from(i64::MAX);
        let sum = |parts: &[(i128, &Linear)]| Linear::sum(5, 1, parts.iter().copied());
        assert_eq!(sum(&[(far, &one)]).map_err(|error| error.kind()), Err("expression_range"));
        // What is too large on the way may fit in the end.
        assert_eq!(sum(&[(far, &one), (1 - far, &one)]), Ok(function(6, &[2], &[1])));
    }

    #[test]
    fn intervals() {
        // (function of i from -2 to 3 and F from 0 to 5, its bounds)
        let rows = [
            (function(7, &[0], &[]), (7, 7)),
            (function(0, &[3], &[]), (-6, 9)),
            (function(1, &[-3], &[2]), (-8, 17)),
            (function(0, &[1], &[-1]), (-7, 3)),
        ];
        for (function, expected) in rows {
            let ranges = [(-2, 3), (0, 5)].into_iter();
            assert_eq!(function.interval(ranges), expected, "{function:?}");
        }
    }
}
