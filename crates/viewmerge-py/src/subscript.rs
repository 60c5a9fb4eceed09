//! NumPy's basic indexing, `view[1:, ::-1, None, ..., 2]`, as movement ops.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyEllipsis, PySlice, PyTuple};
use viewmerge::{Error, Slice};

use crate::args;
use crate::error::refusal;

/// A subscript: slices of the leading axes, then axes inserted and removed.
pub(crate) struct Subscript {
    pub(crate) slices: Vec<Slice>,
    pub(crate) edits: Vec<Edit>,
}

/// Inserts or removes an axis of size 1.
pub(crate) enum Edit {
    Squeeze(i64),
    Unsqueeze(i64),
}

impl Subscript {
    /// Reads what is in the brackets.
    pub(crate) fn read(key: &Bound<'_, PyAny>, shape: &[i64]) -> PyResult<Subscript> {
        let py = key.py();
        let items: Vec<Bound<'_, PyAny>> = match key.cast::<PyTuple>() {
            Ok(tuple) => tuple.iter().collect(),
            Err(_) => vec![key.clone()],
        };
        let is_ellipsis = |item: &Bound<'_, PyAny>| item.is_instance_of::<PyEllipsis>();
        let taken = items.iter().filter(|item| !item.is_none() && !is_ellipsis(item)).count();
        let rank = shape.len();
        let Some(left) = rank.checked_sub(taken) else {
            return Err(refusal(
                py,
                &Error::TooManySlices { rank, found: taken },
                Some(shape),
                None,
            ));
        };
        let mut subscript = Subscript { slices: Vec::new(), edits: Vec::new() };
        let mut seen_ellipsis = false;
        let mut axis = 0i64;
        for item in &items {
            if item.is_none() {
                subscript.edits.push(Edit::Unsqueeze(axis));
                axis += 1;
            } else if is_ellipsis(item) {
                if std::mem::replace(&mut seen_ellipsis, true) {
                    return Err(PyTypeError::new_err("a subscript can have one ... only"));
                }
                subscript.slices.extend((0..left).map(|_| WHOLE));
                axis += left as i64;
            } else if item.is_instance_of::<PySlice>() {
                subscript.slices.push(args::slice(item)?);
                axis += 1;
            } else if item.is_instance_of::<PyBool>() {
                return Err(only());
            } else {
                let number: i64 = item.extract().map_err(|error: PyErr| {
                    if error.is_instance_of::<PyTypeError>(py) { only() } else { error }
                })?;
                let place = subscript.slices.len();
                let size = shape[place];
                let index = if number < 0 { number.saturating_add(size) } else { number };
                if index < 0 || index >= size {
                    let error = Error::IndexOutOfBounds { axis: place, index: number, size };
                    return Err(refusal(py, &error, Some(shape), None));
                }
                subscript.slices.push((index..index + 1).into());
                subscript.edits.push(Edit::Squeeze(axis));
            }
        }
        Ok(subscript)
    }
}

const WHOLE: Slice = Slice { start: None, stop: None, step: 1 };

fn only() -> PyErr {
    PyTypeError::new_err(
        "a subscript takes integers, slices, None and ..., as a view can be indexed",
    )
}
