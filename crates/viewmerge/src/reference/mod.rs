//! The definitions, as naive code.
//!
//! Nothing here is fast and nothing here is shared with the solver: a view is
//! four plain lists, a function is the table of its values, and every question
//! is answered by walking all indices. Use it to check answers, not to get
//! them.
//!
//! - A [`Spec`] is a view as written, canonical or not.
//! - A [`Table`] is a shape and, for every index in row-major order, a memory
//!   position or padding. A movement op says where each cell of its result comes from: [`Table::pull`].
//! - [`evaluate`] is the function of a chain at one index;
//!   [`Table::of_chain`] lists it.
//! - [`Table::single_view`] is the criterion: the valid indices are a box, and
//!   along every axis all steps on it are equal.
//! - [`check_witness`] evaluates a witness.
//!
//! A second oracle, written in Coq, is compared with the library by
//! `proofs/compare`.
//! Proved: `check_correct`, `check_witness_correct` (proofs/theories/Checker.v).

mod table;

pub use table::{MOST_CELLS, Table};

use alloc::vec::Vec;

use crate::view::{Validity, View, ViewParts};
use crate::witness::Witness;

/// A view as plain lists; what the definitions are stated on.
///
/// ```
/// use viewmerge::View;
/// use viewmerge::reference::Spec;
///
/// let view: View = "(2,3):(3,1)+1 [0:2,1:3]".parse()?;
/// let spec = Spec::from(&view);
/// assert_eq!(spec.index(&[1, 1]), Some(5));
/// assert_eq!(spec.index(&[1, 0]), None);
/// # Ok::<(), viewmerge::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Spec {
    /// Sizes, each 0 or more.
    pub shape: Vec<i64>,
    /// Strides, one for each axis.
    pub strides: Vec<i64>,
    /// The position of the index (0, …, 0).
    pub offset: i64,
    /// The valid interval of every axis; `None` if nothing is valid.
    pub bounds: Option<Vec<(i64, i64)>>,
}

impl Spec {
    /// The parts of a view as given, nothing made canonical; contiguous strides if there are none.
    ///
    /// ```
    /// use viewmerge::ViewParts;
    /// use viewmerge::reference::Spec;
    ///
    /// let parts: ViewParts = "(2,3)+4".parse()?;
    /// assert_eq!(Spec::from_parts(&parts).index(&[1, 2]), Some(9));
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    #[must_use]
    pub fn from_parts(parts: &ViewParts) -> Spec {
        let shape = parts.shape.clone();
        let contiguous = |axis: usize| {
            shape[axis + 1..].iter().fold(1i64, |product, &size| product.saturating_mul(size))
        };
        let strides =
            parts.strides.clone().unwrap_or_else(|| (0..shape.len()).map(contiguous).collect());
        let bounds = match &parts.validity {
            Validity::All => Some(shape.iter().map(|&size| (0, size)).collect()),
            Validity::Box(bounds) => Some(bounds.to_vec()),
            Validity::Nothing => None,
        };
        Spec { shape, strides, offset: parts.offset, bounds }
    }

    /// The memory position of an index, `None` for padding and outside the shape.
    ///
    /// ```
    /// use viewmerge::reference::Spec;
    ///
    /// let spec = Spec::from_parts(&"(3):(2)+1 [0:2]".parse()?);
    /// assert_eq!([0, 1, 2].map(|i| spec.index(&[i])), [Some(1), Some(3), None]);
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    #[must_use]
    pub fn index(&self, index: &[i64]) -> Option<i128> {
        let bounds = self.bounds.as_ref()?;
        let mut position = i128::from(self.offset);
        for (axis, &i) in index.iter().enumerate() {
            let &(lo, hi) = bounds.get(axis)?;
            if i < lo || i >= hi {
                return None;
            }
            position += i128::from(*self.strides.get(axis)?) * i128::from(i);
        }
        (index.len() == self.shape.len()).then_some(position)
    }
}

impl From<&View> for Spec {
    fn from(view: &View) -> Spec {
        Spec::from_parts(&ViewParts::from(view.clone()))
    }
}

/// All indices of a shape in row-major order.
///
/// ```
/// let all: Vec<_> = viewmerge::reference::indices(&[2, 1]).collect();
/// assert_eq!(all, [[0, 0], [1, 0]]);
/// ```
pub fn indices(shape: &[i64]) -> impl Iterator<Item = Vec<i64>> + '_ {
    (0..count(shape)).map_while(|position| unravel(shape, position))
}

/// The number of indices of a shape.
fn count(shape: &[i64]) -> i128 {
    if shape.iter().any(|&size| size <= 0) {
        return 0;
    }
    shape.iter().fold(1, |product: i128, &size| product.saturating_mul(size.into()))
}

/// The mixed-radix digits of a position, the last axis fastest; `None` outside the shape.
///
/// ```
/// assert_eq!(viewmerge::reference::unravel(&[2, 3], 4), Some(vec![1, 1]));
/// assert_eq!(viewmerge::reference::unravel(&[2, 3], 6), None);
/// ```
#[must_use]
pub fn unravel(shape: &[i64], position: i128) -> Option<Vec<i64>> {
    let mut rest = position;
    let mut digits = Vec::new();
    for &size in shape.iter().rev() {
        if size <= 0 {
            return None;
        }
        digits.push(rest.rem_euclid(size.into()) as i64);
        rest = rest.div_euclid(size.into());
    }
    digits.reverse();
    (rest == 0).then_some(digits)
}

/// The function of a chain, memory side first, at an index: `Some(None)` for
/// padding, `None` if it has no value there, because the index is outside the
/// last view, a position is outside the view below, or there is no view.
///
/// ```
/// use viewmerge::reference::{Spec, evaluate};
///
/// let chain = ["(2,3):(1,2)", "(6)"].map(|v| Spec::from_parts(&v.parse().unwrap()));
/// assert_eq!(evaluate(&chain, &[1]), Some(Some(2)));
/// assert_eq!(evaluate(&chain, &[6]), None);
/// ```
#[must_use]
pub fn evaluate(chain: &[Spec], index: &[i64]) -> Option<Option<i128>> {
    let (last, below) = chain.split_last()?;
    let inside = index.iter().zip(&last.shape).all(|(i, size)| 0 <= *i && i < size);
    if index.len() != last.shape.len() || !inside {
        return None;
    }
    let Some(mut position) = last.index(index) else { return Some(None) };
    for view in below.iter().rev() {
        match view.index(&unravel(&view.shape, position)?) {
            Some(next) => position = next,
            None => return Some(None),
        }
    }
    Some(Some(position))
}

/// A valid index of a view whose position is outside the view below it.
///
/// Gives the number of the view, counted from the memory side, and the index.
///
/// ```
/// use viewmerge::reference::{Spec, find_offending};
///
/// let chain = ["(2,3)", "(4):(2)"].map(|v| Spec::from_parts(&v.parse().unwrap()));
/// assert_eq!(find_offending(&chain), Some((1, vec![3])));
/// ```
#[must_use]
pub fn find_offending(chain: &[Spec]) -> Option<(usize, Vec<i64>)> {
    for (number, pair) in chain.windows(2).enumerate() {
        for index in indices(&pair[1].shape) {
            if let Some(position) = pair[1].index(&index)
                && unravel(&pair[0].shape, position).is_none()
            {
                return Some((number + 1, index));
            }
        }
    }
    None
}

/// Whether a witness holds for a chain: evaluates the function at its few indices.
///
/// ```
/// use viewmerge::{Limit, View, merge};
/// use viewmerge::reference::{Spec, check_witness};
///
/// let views: [View; 2] = ["(2,2):(1,2)".parse()?, "(4)".parse()?];
/// let verdict = merge(&views, &Limit::none())?;
/// let chain: Vec<Spec> = views.iter().map(Spec::from).collect();
/// assert!(check_witness(&chain, verdict.witness().unwrap()));
/// # Ok::<(), viewmerge::Error>(())
/// ```
#[must_use]
pub fn check_witness(chain: &[Spec], witness: &Witness) -> bool {
    let value = |index: &[i64]| evaluate(chain, index).flatten();
    match witness {
        Witness::Step { axis, at, step, other, other_step } => {
            let step_from = |index: &[i64]| {
                let mut next = index.to_vec();
                *next.get_mut(*axis)? += 1;
                Some(value(&next)? - value(index)?)
            };
            step != other_step
                && step_from(at) == Some(i128::from(*step))
                && step_from(other) == Some(i128::from(*other_step))
        }
        Witness::Hole { valid: [first, second], invalid } => {
            let ends = first.iter().zip(second.iter());
            let between = |(i, (a, b)): (&i64, (&i64, &i64))| a.min(b) <= i && i <= a.max(b);
            value(first).is_some()
                && value(second).is_some()
                && evaluate(chain, invalid) == Some(None)
                && invalid.iter().zip(ends).all(between)
        }
    }
}
