//! Linear functions of an index and of floors of it.
//!
//! Running example: over the axes of (4,6), with F = ⌊(6·i0 + i1)/8⌋, the
//! residue 6·i0 + i1 − 8·F is `constant` 0, `axes` (6,1), `floors` (−8).
//!
//! Overflow policy: coefficients are `i64`; sums are made in `i128` and a
//! coefficient that does not fit is an error, never a wrapped number.

use alloc::vec;
use alloc::vec::Vec;

use smallvec::SmallVec;

use super::FloorTerm;
use viewmerge::Error;
use viewmerge::internal::{Dims, INLINE_AXES};

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
#[cfg_attr(feature = "serde", serde(from = "super::json::LinearParts"))]
pub struct Linear {
    /// The value where every index and every floor is 0.
    pub(crate) constant: i64,
    /// One coefficient for each axis.
    pub(crate) axes: Dims,
    /// One coefficient for each floor, as far as one is not 0.
    pub(crate) floors: SmallVec<[i64; 4]>,
}

/// Copies the lists as a whole.
impl Clone for Linear {
    fn clone(&self) -> Linear {
        Linear {
            constant: self.constant,
            axes: Dims::from_slice(&self.axes),
            floors: SmallVec::from_slice(&self.floors),
        }
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
        &self.axes
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
        &self.floors
    }

    /// The same value everywhere.
    pub(crate) fn always(constant: i64, rank: usize) -> Linear {
        Linear { constant, axes: SmallVec::from_elem(0, rank), floors: SmallVec::new() }
    }

    /// Bounds on the value where the variables, axes first, are in these ranges; they saturate.
    pub(crate) fn interval(&self, ranges: impl Iterator<Item = (i64, i64)>) -> (i128, i128) {
        let terms = self.coefficients().map(i128::from).zip(ranges);
        interval(core::iter::once((self.constant.into(), (1, 1))).chain(terms))
    }

    /// The coefficients of all variables, axes first.
    pub(crate) fn coefficients(&self) -> impl Iterator<Item = i64> + Clone {
        self.axes.iter().chain(&self.floors).copied()
    }

    /// The coefficient of one variable, axes first.
    pub(crate) fn coefficient(&self, variable: usize) -> i64 {
        match variable.checked_sub(self.axes.len()) {
            None => self.axes[variable],
            Some(floor) => self.floors.get(floor).copied().unwrap_or(0),
        }
    }

    /// Whether no floor takes part.
    pub(crate) fn is_affine(&self) -> bool {
        self.floors.iter().all(|&c| c == 0)
    }

    /// The axis of a function c·i of one axis alone.
    pub(crate) fn only_axis(&self) -> Option<usize> {
        let mut moving = (0..self.axes.len()).filter(|&l| self.axes[l] != 0);
        let axis = moving.next()?;
        (moving.next().is_none() && self.is_affine()).then_some(axis)
    }

    /// Adds a multiple of a floor.
    pub(crate) fn add_floor(&mut self, number: usize, times: i64) {
        if self.floors.len() <= number {
            self.floors.resize(number + 1, 0);
        }
        self.floors[number] += times;
        self.trim();
    }

    /// Zeros at the end are left out, so that equal functions have equal fields.
    pub(crate) fn trim(&mut self) {
        while self.floors.last() == Some(&0) {
            self.floors.pop();
        }
    }

    /// `self + times·other`; `None` if a coefficient does not fit.
    pub(crate) fn plus(&self, other: &Linear, times: i64) -> Option<Linear> {
        let add = |a: i64, b: i64| a.checked_add(b.checked_mul(times)?);
        let mut sum = self.clone();
        sum.constant = add(sum.constant, other.constant)?;
        for (a, &b) in sum.axes.iter_mut().zip(&other.axes) {
            *a = add(*a, b)?;
        }
        if sum.floors.len() < other.floors.len() {
            sum.floors.resize(other.floors.len(), 0);
        }
        for (a, &b) in sum.floors.iter_mut().zip(&other.floors) {
            *a = add(*a, b)?;
        }
        sum.trim();
        Some(sum)
    }

    /// The value at an index, given the values of the floors.
    pub(crate) fn value(&self, index: &[i64], floors: &[i64]) -> i64 {
        let sum = |coefficients: &[i64], values: &[i64]| -> i64 {
            coefficients.iter().zip(values).map(|(c, x)| c * x).sum()
        };
        self.constant + sum(&self.axes, index) + sum(&self.floors, floors)
    }
}

/// A linear function while it is being summed up.
pub(crate) struct Sum {
    constant: i128,
    axes: SmallVec<[i128; INLINE_AXES]>,
    floors: SmallVec<[i128; 4]>,
}

impl Sum {
    pub(crate) fn new(constant: i128, rank: usize) -> Sum {
        Sum { constant, axes: SmallVec::from_elem(0, rank), floors: SmallVec::new() }
    }

    /// Adds `times·function`.
    pub(crate) fn add(&mut self, function: &Linear, times: i128) -> Result<(), Error> {
        let small = i64::try_from(times).ok().map(i128::from);
        let add = |a: &mut i128, b: i64| -> Result<(), Error> {
            if b == 0 {
                return Ok(());
            }
            let product = match small {
                Some(times) => Some(times * i128::from(b)),
                None => times.checked_mul(b.into()),
            };
            let sum = product.and_then(|product| a.checked_add(product));
            *a = sum.ok_or(Error::ExpressionRange { number: times })?;
            Ok(())
        };
        add(&mut self.constant, function.constant)?;
        for (a, &b) in self.axes.iter_mut().zip(&function.axes) {
            add(a, b)?;
        }
        if self.floors.len() < function.floors.len() {
            self.floors.resize(function.floors.len(), 0);
        }
        for (a, &b) in self.floors.iter_mut().zip(&function.floors) {
            add(a, b)?;
        }
        Ok(())
    }

    /// The sum, if its coefficients fit.
    pub(crate) fn finish(self) -> Result<Linear, Error> {
        let fit = |&number: &i128| narrow(number);
        let mut function = Linear {
            constant: narrow(self.constant)?,
            axes: self.axes.iter().map(fit).collect::<Result<_, _>>()?,
            floors: self.floors.iter().map(fit).collect::<Result<_, _>>()?,
        };
        function.trim();
        Ok(function)
    }
}

/// Which floors some functions are made of, those inside of others included.
pub(crate) fn used_floors<'a>(
    functions: impl Iterator<Item = &'a Linear>,
    floors: &[FloorTerm],
) -> Vec<bool> {
    let mut used = vec![false; floors.len()];
    let mark = |function: &Linear, used: &mut [bool]| {
        for (used, &c) in used.iter_mut().zip(&function.floors) {
            *used |= c != 0;
        }
    };
    functions.for_each(|function| mark(function, &mut used));
    for number in (0..floors.len()).rev() {
        if used[number] {
            mark(&floors[number].operand, &mut used);
        }
    }
    used
}

/// Bounds on a sum of terms over their ranges; they saturate.
pub(crate) fn interval<N: Into<i128>>(terms: impl Iterator<Item = (i128, (N, N))>) -> (i128, i128) {
    terms.fold((0i128, 0i128), |(low, high), (c, (first, last))| {
        let ends = [first.into(), last.into()].map(|end: i128| c.saturating_mul(end));
        (low.saturating_add(ends[0].min(ends[1])), high.saturating_add(ends[0].max(ends[1])))
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
        Linear { constant, axes: axes.into(), floors: floors.into() }
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
        let mut sum = Sum::new(0, 1);
        sum.add(&one, i128::from(i64::MAX)).expect("128 bits");
        assert_eq!(sum.finish().map_err(|error| error.kind()), Err("expression_range"));
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

    #[test]
    fn floors_inside_of_others_are_used() {
        let floor = |operand| FloorTerm { operand, divisor: 2, range: (0, 1) };
        let floors = [
            floor(function(0, &[1], &[])),
            floor(function(0, &[3], &[])),
            floor(function(0, &[0], &[1])),
        ];
        let rows: [(&[i64], [bool; 3]); 4] = [
            (&[], [false; 3]),
            (&[0, 1], [false, true, false]),
            (&[0, 0, 5], [true, false, true]),
            (&[0, 1, 1], [true; 3]),
        ];
        for (used, expected) in rows {
            let function = function(0, &[1], used);
            assert_eq!(used_floors([&function].into_iter(), &floors), expected, "{used:?}");
        }
    }
}
