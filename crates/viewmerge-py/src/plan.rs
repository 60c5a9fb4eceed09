//! Plans of ONNX models: how few bytes their copies must write.

use std::path::PathBuf;

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use viewmerge_onnx::{Converted, Error, Model, emit, report};
use viewmerge_plan::{Planning, Target};

use crate::error::exception;

/// A plan: report as JSON, report as text, certificate, model.
type Planned = (String, String, String, Py<PyBytes>);

/// The plan of a model, given as bytes or as a path; the planned model is written to a file, if one
/// is named.
#[pyfunction]
#[pyo3(signature = (model, path, target, table, emit_to))]
pub(crate) fn planned(
    py: Python<'_>,
    model: Option<Vec<u8>>,
    path: Option<PathBuf>,
    target: &str,
    table: Option<&str>,
    emit_to: Option<PathBuf>,
) -> PyResult<Planned> {
    let found = py.detach(|| plan(model, path, target, table, emit_to));
    let refuse = |message: String| exception(py, "plan", &message, &PyDict::new(py));
    let (json, text, certificate, bytes) = found.map_err(refuse)?;
    Ok((json, text, certificate, PyBytes::new(py, &bytes).unbind()))
}

fn plan(
    model: Option<Vec<u8>>,
    path: Option<PathBuf>,
    target: &str,
    table: Option<&str>,
    emit_to: Option<PathBuf>,
) -> Result<(String, String, String, Vec<u8>), String> {
    let said = |error: Error| error.to_string();
    let model = match (model, path) {
        (Some(bytes), _) => Model::from_bytes(bytes),
        (None, path) => Model::open(path.unwrap_or_default()),
    };
    let model = model.map_err(said)?;
    let converted = Converted::new(&model).map_err(said)?;
    let target = match table {
        Some(text) => Target::from_toml(text),
        None => Target::named(target),
    };
    let target = target.map_err(|error| error.to_string())?;
    let planning = Planning::new(&converted.graph, &target).map_err(|error| error.to_string())?;
    let plan = planning.plan();
    let written = emit(&model, &converted, &planning.to_emit()).map_err(said)?;
    if let Some(path) = emit_to {
        written.model.save(path).map_err(said)?;
    }
    let bytes = written.model.to_bytes().map_err(said)?;
    let json = report::json(&converted, &plan, Some(&written.copies)).to_string();
    let text = report::text(&converted, &plan, Some(&written.copies), false);
    Ok((json, text, planning.certificate(), bytes))
}
