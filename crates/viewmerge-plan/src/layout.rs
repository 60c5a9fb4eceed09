//! Layouts: the order in which the elements of a tensor lie in memory.
//!
//! A layout is a list of *digits* of the row-major index, slowest in memory first. A digit
//! `(place, size)` is `index / place % size`. A tensor of shape (2,3,4) has the row-major
//! layout `24:1`, one digit; with the last axis first it is `4:1 6:4`. Neighbours that
//! continue each other are fused, so equal layouts are equal lists.
//!
//! As a view, a layout leads from memory to the index: its shape is the sizes, its strides are
//! the places. Every question about layouts (as seen after a transpose, or cut at the axes of a
//! shape) is then a question about a chain of two views, which [`ViewChain::split`] answers: with
//! the digits, or with a witness that there are none.

use std::fmt;

use serde::{Deserialize, Serialize};
use viewmerge::{Limit, NoSplit, SplitView, View, ViewChain};

/// A digit of an index: `index / place % size`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Digit {
    /// What one step of the digit adds to the index.
    pub place: i64,
    /// How many values it has; at least 2 in a layout.
    pub size: i64,
}

/// The order of a tensor's elements in memory: a list of digits of its row-major index, slowest
/// in memory first. Neighbours that continue each other are fused.
///
/// ```
/// use viewmerge_plan::Layout;
///
/// let nhwc = Layout::permuted(&[1, 8, 4, 4], &[0, 2, 3, 1]).unwrap();
/// assert_eq!(nhwc.to_string(), "16:1 8:16");
/// assert_eq!(nhwc.inverse().to_string(), "8:1 16:8");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Layout(Vec<Digit>);

/// A digit of one axis of a shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AxisDigit {
    /// The axis.
    pub axis: usize,
    /// What one step adds to the axis's index.
    pub place: i64,
    /// How many values it has.
    pub size: i64,
}

impl Layout {
    /// Elements in the order of their index.
    #[must_use]
    pub fn row_major(elements: i64) -> Layout {
        Layout::canonical([Digit { place: 1, size: elements }])
    }

    /// Drops digits with a single value and fuses neighbours that continue each other.
    pub(crate) fn canonical(digits: impl IntoIterator<Item = Digit>) -> Layout {
        let mut fused: Vec<Digit> = Vec::new();
        for digit in digits {
            match fused.last_mut() {
                _ if digit.size == 1 => {}
                Some(last) if last.place == digit.place * digit.size => {
                    *last = Digit { place: digit.place, size: last.size * digit.size };
                }
                _ => fused.push(digit),
            }
        }
        Layout(fused)
    }

    /// The layout of a tensor of `shape` whose memory has the axes in the order `axes`.
    ///
    /// `None` if `axes` is not a permutation of the axes.
    #[must_use]
    pub fn permuted(shape: &[i64], axes: &[usize]) -> Option<Layout> {
        let mut seen = vec![false; shape.len()];
        for &axis in axes {
            if std::mem::replace(seen.get_mut(axis)?, true) {
                return None;
            }
        }
        let places = row_major_strides(shape);
        let digit = |&axis: &usize| Digit { place: places[axis], size: shape[axis] };
        (axes.len() == shape.len()).then(|| Layout::canonical(axes.iter().map(digit)))
    }

    /// The digits, slowest in memory first.
    #[must_use]
    pub fn digits(&self) -> &[Digit] {
        &self.0
    }

    /// How many elements it orders.
    #[must_use]
    pub fn elements(&self) -> i64 {
        self.0.iter().map(|digit| digit.size).product()
    }

    /// Whether memory follows the index.
    #[must_use]
    pub fn is_row_major(&self) -> bool {
        self.0.len() < 2
    }

    /// The layout that undoes this one: from the index to memory.
    #[must_use]
    pub fn inverse(&self) -> Layout {
        let mut place = 1;
        let mut back: Vec<(i64, Digit)> = Vec::with_capacity(self.0.len());
        for digit in self.0.iter().rev() {
            back.push((digit.place, Digit { place, size: digit.size }));
            place *= digit.size;
        }
        back.sort_by_key(|(place, _)| std::cmp::Reverse(*place));
        Layout::canonical(back.into_iter().map(|(_, digit)| digit))
    }

    /// The view from memory to the index.
    fn view(&self) -> Option<View> {
        let (sizes, places): (Vec<i64>, Vec<i64>) =
            self.0.iter().map(|digit| (digit.size, digit.place)).unzip();
        View::strided(&sizes, &places, 0).ok()
    }

    /// This layout composed with `below`, whose memory is this layout's index: from memory here
    /// to the index there.
    ///
    /// # Errors
    ///
    /// A witness that this is not an order of digits.
    pub(crate) fn after(&self, below: &Layout) -> Result<Layout, NoDigits> {
        if below.is_row_major() {
            return Ok(self.clone());
        }
        if self.is_row_major() {
            return Ok(below.clone());
        }
        let (Some(inner), Some(outer)) = (below.view(), self.view()) else {
            return Err(NoDigits(None));
        };
        match ViewChain::from_views(&[inner, outer]).and_then(|pair| pair.split(&Limit::none())) {
            Ok(Ok(SplitView { view, .. })) => {
                let digits = view.shape().iter().zip(view.strides());
                Ok(Layout::canonical(digits.map(|(&size, &place)| Digit { place, size })))
            }
            Ok(Err(none)) => Err(NoDigits(Some(Box::new(none)))),
            Err(_) => Err(NoDigits(None)),
        }
    }

    /// The digits cut at the axes of `shape`, slowest in memory first; `None` if a digit crosses
    /// an axis boundary unevenly.
    #[must_use]
    pub(crate) fn on_axes(&self, shape: &[i64]) -> Option<Vec<AxisDigit>> {
        let inner = self.inverse().view()?;
        let outer = View::contiguous(shape).ok()?;
        let pair = ViewChain::from_views(&[inner, outer]).ok()?;
        let Ok(Ok(SplitView { split, view, .. })) = pair.split(&Limit::none()) else {
            return None;
        };
        let mut digits: Vec<(i64, AxisDigit)> = Vec::with_capacity(view.rank());
        let mut strides = view.strides().iter();
        for (axis, factors) in split.factors().iter().enumerate() {
            let mut place: i64 = factors.iter().product();
            for &size in factors {
                place /= size;
                let &stride = strides.next()?;
                if size > 1 {
                    digits.push((stride, AxisDigit { axis, place, size }));
                }
            }
        }
        digits.sort_by_key(|(stride, _)| std::cmp::Reverse(*stride));
        Some(digits.into_iter().map(|(_, digit)| digit).collect())
    }

    /// The layout of a tensor of `shape` with these digits of its axes, slowest first.
    pub(crate) fn from_axes(shape: &[i64], digits: &[AxisDigit]) -> Layout {
        let strides = row_major_strides(shape);
        let digit = |digit: &AxisDigit| Digit {
            place: strides[digit.axis] * digit.place,
            size: digit.size,
        };
        Layout::canonical(digits.iter().map(digit))
    }

    /// How memory in this layout becomes memory in layout `to`: a shape in which to read it, and
    /// a permutation of the axes. `None` if their digits have no common refinement.
    #[must_use]
    pub fn permutation_to(&self, to: &Layout) -> Option<(Vec<i64>, Vec<usize>)> {
        // From memory of `to` to memory here: digits of the memory here, in the order of `to`.
        let moved = to.after(&self.inverse()).ok()?;
        let mut sorted: Vec<Digit> = moved.0.clone();
        sorted.sort_by_key(|digit| std::cmp::Reverse(digit.place));
        let axis_of = |digit: &Digit| sorted.iter().position(|other| other == digit);
        let perm = moved.0.iter().map(axis_of).collect::<Option<Vec<usize>>>()?;
        Some((sorted.iter().map(|digit| digit.size).collect(), perm))
    }
}

/// Why a composition of layouts is not a layout; the core's witness, if it gave one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoDigits(pub Option<Box<NoSplit>>);

impl fmt::Display for NoDigits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Some(none) => none.fmt(f),
            None => f.write_str("it is too large to decide"),
        }
    }
}

impl fmt::Display for Layout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() {
            return f.write_str("1");
        }
        for (number, digit) in self.0.iter().enumerate() {
            let gap = if number > 0 { " " } else { "" };
            write!(f, "{gap}{}:{}", digit.size, digit.place)?;
        }
        Ok(())
    }
}

/// What one step along every axis adds to the row-major index.
pub(crate) fn row_major_strides(shape: &[i64]) -> Vec<i64> {
    let mut strides = vec![1; shape.len()];
    for axis in (1..shape.len()).rev() {
        strides[axis - 1] = strides[axis] * shape[axis];
    }
    strides
}
