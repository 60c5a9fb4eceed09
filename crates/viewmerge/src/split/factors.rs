//! A split: for every axis the factors of its size.

use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

use crate::dims::{Index, element_count};
use crate::error::Error;
use crate::text::{joined, tuple};

/// How the axes of a shape are cut: for every axis factors of its size, slowest first.
///
/// As text, an axis that is cut is written as the tuple of its factors:
/// `((4,3),5)` cuts (12,5). In serde formats it is a list of lists, `[[4,3],[5]]`.
///
/// ```
/// use viewmerge::Split;
///
/// let split = Split::new(&[&[2, 3, 4], &[5]])?;
/// assert_eq!(split.to_string(), "((2,3,4),5)");
/// assert_eq!(split.shape(), [2, 3, 4, 5]);
/// assert_eq!(split.places(0), [4, 12]);
/// # Ok::<(), viewmerge::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "Vec<Vec<i64>>", into = "Vec<Vec<i64>>"))]
pub struct Split {
    /// Never empty on any axis; together at most 2^62 elements.
    factors: Vec<Vec<i64>>,
}

impl Split {
    /// A split from the factors of every axis; an axis without factors has size 1.
    ///
    /// # Errors
    ///
    /// As [`element_count`] for the shape of all factors.
    ///
    /// ```
    /// use viewmerge::Split;
    ///
    /// assert_eq!(Split::new(&[&[4, 3]])?.factors(), [[4, 3]]);
    /// assert!(Split::new(&[&[4, -3]]).is_err());
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    pub fn new(factors: &[&[i64]]) -> Result<Split, Error> {
        Split::try_from(factors.iter().map(|axis| axis.to_vec()).collect::<Vec<_>>())
    }

    /// The split that cuts nothing.
    pub(crate) fn trivial(shape: &[i64]) -> Split {
        Split { factors: shape.iter().map(|&size| vec![size]).collect() }
    }

    /// From the size of every axis and its places, finest first, each of which
    /// divides the next, and the last the size.
    #[doc(hidden)]
    pub fn from_places<P: Iterator<Item = i64>>(axes: impl Iterator<Item = (i64, P)>) -> Split {
        let factors = axes.map(|(size, places)| {
            let mut factors = Vec::with_capacity(1);
            let mut behind = 1;
            for place in places {
                factors.push(place / behind);
                behind = place;
            }
            factors.push(size / behind);
            factors.reverse();
            factors
        });
        Split { factors: factors.collect() }
    }

    /// The factors of every axis, slowest first.
    ///
    /// ```
    /// let split = viewmerge::Split::new(&[&[4, 3], &[5]])?;
    /// assert_eq!(split.factors()[0], [4, 3]);
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    #[must_use]
    pub fn factors(&self) -> &[Vec<i64>] {
        &self.factors
    }

    /// The shape after cutting: all factors in order.
    ///
    /// ```
    /// assert_eq!(viewmerge::Split::new(&[&[4, 3], &[5]])?.shape(), [4, 3, 5]);
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    #[must_use]
    pub fn shape(&self) -> Vec<i64> {
        self.factors.iter().flatten().copied().collect()
    }

    /// The sizes of the axes before cutting.
    ///
    /// ```
    /// assert_eq!(viewmerge::Split::new(&[&[4, 3], &[5]])?.sizes(), [12, 5]);
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    #[must_use]
    pub fn sizes(&self) -> Vec<i64> {
        let product = |factors: &Vec<i64>| {
            if factors.contains(&0) { 0 } else { factors.iter().product() }
        };
        self.factors.iter().map(product).collect()
    }

    /// Where an axis is cut: the products of its last factors, finest first, without the
    /// size itself. Empty for an axis that does not exist.
    ///
    /// ```
    /// assert_eq!(viewmerge::Split::new(&[&[4, 3], &[5]])?.places(0), [3]);
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    #[must_use]
    pub fn places(&self, axis: usize) -> Vec<i64> {
        let factors = self.factors.get(axis).map_or(&[][..], |factors| &factors[1..]);
        let products = factors.iter().rev().scan(1i64, |place, &factor| {
            // Only where the size is 0 can a product be too large.
            *place = place.saturating_mul(factor);
            Some(*place)
        });
        products.filter(|&place| place > 0).collect()
    }

    /// Whether no axis is cut.
    ///
    /// ```
    /// assert!(viewmerge::Split::new(&[&[12], &[5]])?.is_trivial());
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    #[must_use]
    pub fn is_trivial(&self) -> bool {
        self.factors.iter().all(|factors| factors.len() == 1)
    }

    /// What is cut: `axis 0 into 4 × 3`.
    pub(crate) fn in_words(&self) -> String {
        let cut = self.factors.iter().enumerate().filter(|(_, factors)| factors.len() > 1);
        let axes =
            cut.map(|(axis, factors)| format!("axis {axis} into {}", joined(factors, " × ")));
        joined(axes, " and ")
    }

    /// The index of the shape before cutting that an index after cutting is.
    pub(crate) fn join(&self, index: &[i64]) -> Index {
        let mut rest = index.iter();
        let joined = self.factors.iter().map(|factors| {
            let digits = factors.iter().zip(rest.by_ref());
            digits.fold(0, |x, (&factor, &digit)| x * factor + digit)
        });
        joined.collect()
    }

    /// The axis before cutting that an axis after cutting belongs to, and its place.
    #[doc(hidden)]
    #[must_use]
    pub fn axis_of(&self, digit: usize) -> (usize, i64) {
        let mut first = 0;
        for (axis, factors) in self.factors.iter().enumerate() {
            if digit < first + factors.len() {
                return (axis, factors[digit - first + 1..].iter().product());
            }
            first += factors.len();
        }
        (self.factors.len(), 1)
    }
}

impl fmt::Display for Split {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let axes = self.factors.iter().map(|factors| match factors.as_slice() {
            [size] => size.to_string(),
            factors => tuple(factors),
        });
        write!(f, "({})", joined(axes, ","))
    }
}

impl TryFrom<Vec<Vec<i64>>> for Split {
    type Error = Error;

    fn try_from(mut factors: Vec<Vec<i64>>) -> Result<Split, Error> {
        for axis in factors.iter_mut().filter(|axis| axis.is_empty()) {
            axis.push(1);
        }
        let split = Split { factors };
        element_count(&split.shape())?;
        Ok(split)
    }
}

impl From<Split> for Vec<Vec<i64>> {
    fn from(split: Split) -> Vec<Vec<i64>> {
        split.factors
    }
}
