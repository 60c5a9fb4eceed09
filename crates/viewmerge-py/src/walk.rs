//! Iterators over the elements of a view, one at a time.

use std::sync::atomic::{AtomicI64, Ordering};

use pyo3::prelude::*;
use viewmerge::unravel;

use crate::args;
use crate::error::OrRefuse;

type Element = dyn Fn(Python<'_>, i64) -> PyResult<Py<PyAny>> + Send + Sync;

/// Yields a value for every row-major position of a shape.
#[pyclass(frozen, module = "viewmerge._core", name = "Walk")]
pub(crate) struct Walk {
    element: Box<Element>,
    next: AtomicI64,
    count: i64,
}

impl Walk {
    pub(crate) fn new(
        count: i64,
        element: impl Fn(Python<'_>, i64) -> PyResult<Py<PyAny>> + Send + Sync + 'static,
    ) -> Walk {
        Walk { element: Box::new(element), next: AtomicI64::new(0), count }
    }

    /// Every index of a shape with `count` elements.
    pub(crate) fn over(shape: &[i64], count: i64) -> Walk {
        let shape = shape.to_vec();
        Walk::new(count, move |py, place| {
            let index = unravel(&shape, place).or_refuse(py)?;
            Ok(args::tuple(py, &index)?.into_any().unbind())
        })
    }
}

#[pymethods]
impl Walk {
    fn __iter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Py<PyAny>>> {
        let place = self.next.load(Ordering::Relaxed);
        if place >= self.count {
            return Ok(None);
        }
        self.next.store(place + 1, Ordering::Relaxed);
        (self.element)(py, place).map(Some)
    }

    fn __length_hint__(&self) -> usize {
        usize::try_from(self.count - self.next.load(Ordering::Relaxed)).unwrap_or(0)
    }
}
