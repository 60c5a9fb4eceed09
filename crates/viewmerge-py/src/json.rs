//! JSON in and out.

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::error::exception;

/// Reads a value; a failure is an error of kind "json".
pub(crate) fn read<T: serde::de::DeserializeOwned>(py: Python<'_>, text: &str) -> PyResult<T> {
    serde_json::from_str(text)
        .map_err(|error| exception(py, "json", &error.to_string(), &PyDict::new(py)))
}

/// Writes a value.
pub(crate) fn write(value: &impl serde::Serialize) -> PyResult<String> {
    serde_json::to_string(value).map_err(|error| PyRuntimeError::new_err(error.to_string()))
}
