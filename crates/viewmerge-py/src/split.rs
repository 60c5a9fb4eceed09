//! Splits, and questions about CuTe layouts; answers go to Python as JSON, from which
//! `_splits.py` and `cute.py` make objects.

use pyo3::prelude::*;
use pyo3::types::PyDict;
use viewmerge_cute::{Access, Banks, Error, Operation};
use viewmerge_draw::{ColourBy, Drawing};
use viewmerge_index::IndexChain;

use crate::classes::PyChain;
use crate::error::{OrRefuse, exception, refusal};
use crate::view::uses::draw;
use crate::{json, patience};

/// The best tiling of a chain, as JSON.
#[pyfunction]
pub(crate) fn tiling(py: Python<'_>, chain: &PyChain) -> PyResult<String> {
    let chain = chain.0.clone();
    let quick = patience::is_small(chain.views());
    let last = chain.last().clone();
    let found = patience::run(py, quick, move |limit| chain.tiling(limit))?;
    json::write(&found.or_refuse_for(py, &last)?)
}

/// The answer to a question about CuTe layouts, as JSON.
#[pyfunction]
#[pyo3(signature = (operation, a, b=None, extend=false))]
pub(crate) fn cute(
    py: Python<'_>,
    operation: &str,
    a: String,
    b: Option<String>,
    extend: bool,
) -> PyResult<String> {
    let operation: Operation = operation.parse().map_err(|error| refused(py, &error))?;
    // Texts this short are layouts of a few modes.
    const SHORT: usize = 80;
    let quick = a.len() + b.as_ref().map_or(0, String::len) <= SHORT;
    let found =
        patience::run(py, quick, move |limit| operation.ask(&a, b.as_deref(), extend, limit))?;
    json::write(&found.map_err(|error| refused(py, &error))?)
}

/// The bank conflicts of threads that read a memory, as text and as JSON.
#[pyfunction]
#[pyo3(signature = (memory, pattern, bytes, vector, banks, width, lanes))]
#[allow(clippy::too_many_arguments)] // The command's options.
pub(crate) fn cute_banks(
    py: Python<'_>,
    memory: &str,
    pattern: Option<&str>,
    bytes: i64,
    vector: i64,
    banks: i64,
    width: i64,
    lanes: Option<i64>,
) -> PyResult<(String, String)> {
    let read = || -> Result<Access, Error> {
        let pattern = pattern.map(str::parse).transpose()?;
        Ok(Access { memory: memory.parse()?, pattern, bytes, vector })
    };
    let access = read().map_err(|error| refused(py, &error))?;
    let banks = Banks { banks, width, lanes };
    let found = patience::run(py, false, move |limit| access.conflicts(&banks, limit))?;
    let found = found.map_err(|error| refused(py, &error))?;
    Ok((found.to_string(), json::write(&found)?))
}

/// The picture of a CuTe layout; for the kind "thread" or "value", of who holds what.
#[pyfunction]
#[pyo3(signature = (layout, kind="", tile=None, title=None, most_cells=None))]
pub(crate) fn layout_svg(
    py: Python<'_>,
    layout: &str,
    kind: &str,
    tile: Option<[i64; 2]>,
    title: Option<&str>,
    most_cells: Option<usize>,
) -> PyResult<String> {
    let by = match kind {
        "thread" => Some(ColourBy::Thread),
        "value" => Some(ColourBy::Value),
        _ => None,
    };
    let drawing = match by {
        None => Drawing::of_cute(layout),
        Some(by) => layout.parse().and_then(|layout| Drawing::of_thread_values(&layout, tile, by)),
    };
    Ok(draw(drawing.map_err(|error| refused(py, &error))?, title, most_cells))
}

fn refused(py: Python<'_>, error: &Error) -> PyErr {
    match error {
        Error::View(error) => refusal(py, error, None, None),
        error => exception(py, error.kind(), &error.to_string(), &PyDict::new(py)),
    }
}
