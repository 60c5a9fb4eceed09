//! Turns refusals of the library into Python exceptions.
//!
//! The class is `viewmerge.Error`, written in Python (`_error.py`); a refusal passes it
//! the kind, the message and the fields of the Rust error, and the shape and strides of
//! the view in question, if the error has none.

use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyTuple};
use viewmerge::strides::Error as ListError;
use viewmerge::{Error, Exhausted, View};

static BUILD: PyOnceLock<Py<PyAny>> = PyOnceLock::new();

/// The exception of this kind, with these fields.
pub(crate) fn exception(
    py: Python<'_>,
    kind: &str,
    message: &str,
    fields: &Bound<'_, PyDict>,
) -> PyErr {
    let build = BUILD.get_or_try_init(py, || {
        Ok::<_, PyErr>(py.import("viewmerge._error")?.getattr("build")?.unbind())
    });
    match build.and_then(|build| build.bind(py).call1((kind, message, fields))) {
        Ok(exception) => PyErr::from_value(exception),
        Err(error) => error,
    }
}

/// A message with the text it is about, and a caret under the place.
pub(crate) fn with_caret(message: &str, text: &str, at: usize) -> String {
    // Replace characters that would move the cursor.
    let line = text.replace(char::is_control, " ");
    format!("{message}\n  {line}\n  {:>1$}", '^', at + 1)
}

/// The exception for an error in a text, with a caret under the place, if it is known.
pub(crate) fn refused_text(py: Python<'_>, error: &Error, text: &str) -> PyErr {
    if error.at().is_none() {
        return refusal(py, error, None, None);
    }
    let fields = PyDict::new(py);
    let filled = fields.set_item("text", text).and_then(|()| fields_of(py, &fields, error));
    match filled {
        Ok(()) => exception(py, error.kind(), &error.with_source(text), &fields),
        Err(error) => error,
    }
}

/// Turns results of the library into results for Python.
pub(crate) trait OrRefuse<T> {
    /// The value, or the exception.
    fn or_refuse(self, py: Python<'_>) -> PyResult<T>;

    /// The same for a question about a view: the exception has its shape and strides.
    fn or_refuse_for(self, py: Python<'_>, view: &View) -> PyResult<T>;
}

impl<T> OrRefuse<T> for Result<T, Error> {
    fn or_refuse(self, py: Python<'_>) -> PyResult<T> {
        self.map_err(|error| refusal(py, &error, None, None))
    }

    fn or_refuse_for(self, py: Python<'_>, view: &View) -> PyResult<T> {
        self.map_err(|error| refusal(py, &error, Some(view.shape()), Some(view.strides())))
    }
}

/// The exception for an error, with the shape and strides that were asked about.
pub(crate) fn refusal(
    py: Python<'_>,
    error: &Error,
    shape: Option<&[i64]>,
    strides: Option<&[i64]>,
) -> PyErr {
    let fields = PyDict::new(py);
    let filled = (|| {
        if let Some(shape) = shape {
            fields.set_item("shape", PyTuple::new(py, shape)?)?;
        }
        if let Some(strides) = strides {
            fields.set_item("strides", PyTuple::new(py, strides)?)?;
        }
        fields_of(py, &fields, error)
    })();
    match filled {
        Ok(()) => exception(py, error.kind(), &error.to_string(), &fields),
        Err(error) => error,
    }
}

/// Sets the fields of an error.
pub(crate) fn fields_of(py: Python<'_>, fields: &Bound<'_, PyDict>, error: &Error) -> PyResult<()> {
    macro_rules! set {
        ($($name:ident $(= $value:expr)?),* $(,)?) => {{
            $(set!(@one $name $(= $value)?);)*
        }};
        (@one $name:ident = $value:expr) => { fields.set_item(stringify!($name), $value)? };
        (@one $name:ident) => { fields.set_item(stringify!($name), $name)? };
    }
    let list = |numbers: &[i64]| PyTuple::new(py, numbers);
    match error {
        Error::Lists(ListError::RankMismatch { what, expected, found }) => {
            set!(what, expected, found)
        }
        Error::Lists(ListError::NegativeSize { axis, size }) => set!(axis, size),
        Error::Lists(ListError::TooManyElements { axis, size, shape }) => {
            set!(axis, size, shape = list(shape)?)
        }
        Error::MaskOutside { axis, lo, hi, size } => set!(axis, lo, hi, size),
        Error::MaskReversed { axis, lo, hi } => set!(axis, lo, hi),
        Error::OffsetRange { offset } => set!(offset),
        Error::IndexRange { axis, size, stride, min, max } => set!(axis, size, stride, min, max),
        Error::Lists(ListError::NumberRange { what, axis, number }) => set!(what, axis, number),
        Error::ExpressionRange { number } => set!(number),
        Error::NotLinear { what } => set!(what),
        Error::NoRange { name } => set!(name),
        Error::BadRange { name, first, last } => set!(name, first, last),
        Error::OpenRange { name, .. } => set!(name),
        Error::TextTooLong { length, most } => set!(length, most),
        Error::WrongKind { text, found, expected } => set!(text, found, expected),
        Error::ExpressionName { axis, name, why } => set!(axis, name, why),
        Error::FunctionName { name, why } => set!(name, why),
        Error::UnknownLanguage { name, .. } => set!(name),
        Error::NoRendering { language, why } => set!(language, why),
        Error::Undecided(Exhausted { steps, stopped }) => set!(steps, stopped),
        Error::TooManyCases { what, cases, most } => set!(what, cases, most),
        Error::IndexOutOfBounds { axis, index, size } => set!(axis, index, size),
        Error::PositionOutOfBounds { position, count } => set!(position, count),
        Error::Lists(ListError::AxisOutOfRange { op, axis, rank }) => set!(op, axis, rank),
        Error::Lists(ListError::RepeatedAxis { op, axis }) => set!(op, axis),
        Error::Lists(ListError::ReshapeCount { from, from_count, to }) => {
            set!(op = "reshape", shape = list(from)?, count = from_count, new_shape = list(to)?)
        }
        Error::TwoInferred { op, first, second } => set!(op, axis = second, first, second),
        Error::CannotInfer { op, axis, count, to } => {
            set!(op, axis, count, new_shape = list(to)?)
        }
        Error::Lists(ListError::CannotExpand { axis, size, new_size }) => {
            set!(op = "expand", axis, size, new_size)
        }
        Error::Lists(ListError::ExpandRank { rank, found }) => set!(op = "expand", rank, found),
        Error::NegativePad { axis, size, before, after } => {
            set!(op = "pad", axis, size, before, after)
        }
        Error::ShrinkOutside { axis, size, lo, hi } => set!(op = "shrink", axis, size, lo, hi),
        Error::ZeroStep { op, axis } => set!(op, axis),
        Error::NotUnit { axis, size } => set!(op = "squeeze", axis, size),
        Error::FlattenOrder { start, end } => set!(op = "flatten", axis = start, start, end),
        Error::UnflattenCount { axis, size, sizes } => {
            set!(op = "unflatten", axis, size, new_shape = list(sizes)?)
        }
        Error::UnknownOp { name, nearest, .. } => set!(op = name, nearest),
        Error::TooManySlices { rank, found } => set!(op = "slice", rank, found),
        Error::NotComposable { view, index, position, count } => {
            set!(view, index = list(index)?, position, count)
        }
        Error::NotInvertible { view, reason } => set!(view, reason = reason.to_string()),
        Error::InText { at, error } => {
            set!(at);
            fields_of(py, fields, error)?;
        }
        Error::Syntax { at, expected, found } => set!(at, expected, found),
        // The message is enough.
        _ => {}
    }
    Ok(())
}
