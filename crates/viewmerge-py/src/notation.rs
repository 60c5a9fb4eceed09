//! How Python shows a view: its `repr` and its mask.

use pyo3::prelude::*;
use viewmerge::{Validity, View};

use crate::args;

/// The `repr` of a view.
pub(crate) fn repr(py: Python<'_>, view: &View) -> PyResult<String> {
    let list =
        |numbers: &[i64]| -> PyResult<String> { Ok(args::tuple(py, numbers)?.repr()?.to_string()) };
    let mut text = format!("View({}", list(view.shape())?);
    if *view.validity() == Validity::Nothing {
        return Ok(text + ", mask='nothing')");
    }
    text += &format!(", {}", list(view.strides())?);
    if view.offset() != 0 {
        text += &format!(", offset={}", view.offset());
    }
    if let Validity::Box(bounds) = view.validity() {
        text += &format!(", mask={}", args::pairs_tuple(py, bounds)?.repr()?);
    }
    Ok(text + ")")
}

/// The mask as a Python object.
pub(crate) fn mask_object(py: Python<'_>, validity: &Validity) -> PyResult<Py<PyAny>> {
    Ok(match validity {
        Validity::All => py.None(),
        Validity::Box(bounds) => args::pairs_tuple(py, bounds)?.into_any().unbind(),
        Validity::Nothing => "nothing".into_pyobject(py)?.into_any().unbind(),
    })
}
