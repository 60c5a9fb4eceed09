//! The order in which elements are counted: row-major, or NumPy's order "F".
//!
//! In the order "F" the first axis runs fastest, in the array and in the result.
//! Example: `(2,3)` reshaped to (3, 2) reads the elements 0, 3, 1, 4, 2, 5 in columns. It
//! is the array with its axes reversed, seen through the column-major view of the
//! new shape, so a merge decides it.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use viewmerge::View;

use crate::error::OrRefuse;

/// The order of elements.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Order {
    /// Row-major.
    C,
    /// Column-major.
    F,
}

impl Order {
    /// Reads "C" or "F".
    pub(crate) fn read(name: &str) -> PyResult<Order> {
        match name {
            "C" => Ok(Order::C),
            "F" => Ok(Order::F),
            _ => Err(PyTypeError::new_err(format!("order is \"C\" or \"F\", not {name:?}"))),
        }
    }

    /// The order of axes that makes row-major counting of the axes from `start` to `end`
    /// count in this order.
    pub(crate) fn axes(self, rank: usize, start: usize, end: usize) -> Vec<i64> {
        let mut axes: Vec<i64> = (0..rank as i64).collect();
        if self == Order::F
            && let Some(range) = axes.get_mut(start..end)
        {
            range.reverse();
        }
        axes
    }

    /// The row-major view `top` in this order.
    pub(crate) fn view(self, py: Python<'_>, top: View) -> PyResult<View> {
        if self == Order::C {
            return Ok(top);
        }
        let reversed: Vec<i64> = top.shape().iter().rev().copied().collect();
        let columns = View::contiguous(&reversed).or_refuse(py)?;
        columns.permute(&Order::F.axes(reversed.len(), 0, reversed.len())).or_refuse(py)
    }
}
