//! Rows over integer variables: low ≤ Σ form·z ≤ high.
//!
//! Example: 0 ≤ x − 2q ≤ 1 says that q = ⌊x/2⌋. An end that is `None` does not bound. A row
//! whose low end exceeds its high end is allowed and holds nowhere.

use alloc::vec::Vec;

use crate::number::Number;
use crate::vector::unit;

/// Which end of a row.
///
/// ```
/// use lattice_point::Side;
///
/// assert_eq!(Side::Low.opposite(), Side::High);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Side {
    /// The smallest value.
    Low,
    /// The largest value.
    High,
}

impl Side {
    /// The other end.
    ///
    /// ```
    /// assert_eq!(lattice_point::Side::High.opposite(), lattice_point::Side::Low);
    /// ```
    #[must_use]
    pub fn opposite(self) -> Side {
        match self {
            Side::Low => Side::High,
            Side::High => Side::Low,
        }
    }

    /// The end that this one becomes when the row is multiplied by a number other than 0.
    pub(crate) fn times<N: Number>(self, factor: &N) -> Side {
        if factor.is_negative() { self.opposite() } else { self }
    }
}

/// low ≤ Σ form·z ≤ high; an end that is `None` does not bound.
///
/// ```
/// use lattice_point::Row;
///
/// // 2x + 3y = 7
/// let row = Row { form: vec![2, 3], low: Some(7), high: Some(7) };
/// assert_eq!(row.form.len(), 2);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row<N> {
    /// A coefficient for each variable.
    pub form: Vec<N>,
    /// The smallest value allowed.
    pub low: Option<N>,
    /// The largest value allowed.
    pub high: Option<N>,
}

impl<N> Row<N> {
    /// A form that nothing bounds.
    pub(crate) fn free(form: Vec<N>) -> Row<N> {
        Row { form, low: None, high: None }
    }

    /// One of the two ends.
    pub(crate) fn end(&self, side: Side) -> Option<&N> {
        match side {
            Side::Low => self.low.as_ref(),
            Side::High => self.high.as_ref(),
        }
    }

    /// One of the two ends, to be changed.
    pub(crate) fn end_mut(&mut self, side: Side) -> &mut Option<N> {
        match side {
            Side::Low => &mut self.low,
            Side::High => &mut self.high,
        }
    }
}

/// Rows over integer variables, and a form to maximize.
///
/// ```
/// use lattice_point::{Encode, Limit, System};
///
/// // 6x + 10y = 8 with 0 ≤ x, y ≤ 9.
/// let mut system = System::new(2);
/// system.push(vec![6, 10], Some(8), Some(8));
/// system.bound(0, Some(-9), Some(9));
/// system.bound(1, Some(-9), Some(9));
/// let point = system.point(&mut Limit::none().meter())?.unwrap();
/// assert_eq!(6 * point[0] + 10 * point[1], 8);
/// # Ok::<(), lattice_point::Exhausted>(())
/// ```
#[derive(Debug, Clone)]
pub struct System<N> {
    /// How many variables there are.
    pub variables: usize,
    /// The rows; each has a coefficient for each variable.
    pub rows: Vec<Row<N>>,
    /// The form to maximize; may be empty where nothing is maximized.
    pub objective: Vec<N>,
}

impl<N: Number> System<N> {
    /// No rows yet: every integer point is allowed.
    ///
    /// ```
    /// assert_eq!(lattice_point::System::<i128>::new(3).variables, 3);
    /// ```
    #[must_use]
    pub fn new(variables: usize) -> System<N> {
        System { variables, rows: Vec::new(), objective: Vec::new() }
    }

    /// Adds a row.
    ///
    /// ```
    /// let mut system = lattice_point::System::new(2);
    /// system.push(vec![1, -2], Some(0), Some(1));
    /// assert_eq!(system.rows.len(), 1);
    /// ```
    pub fn push(&mut self, form: Vec<N>, low: Option<N>, high: Option<N>) {
        self.rows.push(Row { form, low, high });
    }

    /// Adds a row that bounds a single variable.
    ///
    /// ```
    /// let mut system = lattice_point::System::new(2);
    /// system.bound(1, Some(0), Some(9));
    /// assert_eq!(system.rows[0].form, [0, 1]);
    /// ```
    pub fn bound(&mut self, variable: usize, low: Option<N>, high: Option<N>) {
        self.push(unit(self.variables, variable), low, high);
    }
}
