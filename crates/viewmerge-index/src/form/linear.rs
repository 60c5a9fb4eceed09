//! Linear functions of an index and of floors of it.
//!
//! Running example: over the axes of (4,6), with F = ⌊(6·i0 + i1)/8⌋, the
//! residue 6·i0 + i1 − 8·F is `constant` 0, `axes` (6,1), `floors` (−8).
//!
//! Overflow policy: coefficients are `i64`; sums are made in `i128` and a
//! coefficient that does not fit is an error, never a wrapped number.

use smallvec::SmallVec;

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

/// A number of an expression, if it fits 64 bits.
pub(crate) fn narrow(number: i128) -> Result<i64, Error> {
    i64::try_from(number).map_err(|_| Error::ExpressionRange { number })
}
