//! Views of real arrays, from their attributes.
//!
//! NumPy's attributes and PyTorch's methods, the most frequent, are read here; `_arrays.py` describes
//! everything else as (shape, strides, unit, offset), `unit` being the size of an element in the units
//! of the strides.

use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::{intern, types::PyDict};
use viewmerge::View;

use crate::args;
use crate::classes::PyView;
use crate::error::{exception, refusal};

/// See [`PyView::of`].
pub(crate) fn view_of(
    py: Python<'_>,
    array: &Bound<'_, PyAny>,
    base: Option<&Bound<'_, PyAny>>,
) -> PyResult<Py<PyView>> {
    if base.is_none() {
        if let Ok(view) = array.cast::<PyView>() {
            return Ok(view.clone().unbind());
        }
        if let Some(strides) = array.getattr_opt(intern!(py, "strides"))?
            && !strides.is_none()
            && let Some(itemsize) = array.getattr_opt(intern!(py, "itemsize"))?
        {
            let shape = args::numbers(&array.getattr(intern!(py, "shape"))?)?;
            let strides = args::numbers(&strides)?;
            let unit = whole_unit(&shape, &strides, itemsize.extract()?);
            return build(py, &shape, strides, unit, 0);
        }
        if let Some(stride) = array.getattr_opt(intern!(py, "stride"))?
            && stride.is_callable()
            && let Some(offset) = array.getattr_opt(intern!(py, "storage_offset"))?
        {
            let shape = args::numbers(&array.getattr(intern!(py, "shape"))?)?;
            if has_strides(py, array)? {
                let strides = args::numbers(&stride.call0()?)?;
                return build(py, &shape, strides, 1, args::number(&offset.call0()?)?);
            }
        }
    }
    // (A torch tensor without strides is refused there, with the reason.)
    let told = py.import("viewmerge._arrays")?.call_method1("describe", (array, base))?;
    let (shape, strides, unit, offset): (Bound<'_, PyAny>, Option<Bound<'_, PyAny>>, i64, i64) =
        told.extract()?;
    let shape = args::numbers(&shape)?;
    match strides {
        Some(strides) => build(py, &shape, args::numbers(&strides)?, unit, offset),
        None => {
            let row_major = View::contiguous(&shape)
                .map_err(|error| refusal(py, &error, Some(&shape), None))?;
            build(py, &shape, row_major.strides().into(), 1, offset)
        }
    }
}

/// Whether a tensor has strides; sparse ones and MKL-DNN's do not.
fn has_strides(py: Python<'_>, tensor: &Bound<'_, PyAny>) -> PyResult<bool> {
    let Some(layout) = tensor.getattr_opt(intern!(py, "layout"))? else { return Ok(true) };
    if let Some(strided) = STRIDED.get(py) {
        return Ok(layout.is(strided));
    }
    let modules = py.import("sys")?.getattr("modules")?;
    let torch = modules.call_method1("get", ("torch",))?;
    let Some(strided) = torch.getattr_opt("strided")? else { return Ok(true) };
    Ok(layout.is(STRIDED.get_or_init(py, || strided.unbind())))
}

/// `torch.strided`, once PyTorch is imported.
static STRIDED: PyOnceLock<Py<PyAny>> = PyOnceLock::new();

/// The unit for strides in bytes: elements, or bytes if elements do not divide them.
fn whole_unit(shape: &[i64], strides: &[i64], itemsize: i64) -> i64 {
    if itemsize == 1 {
        return 1;
    }
    // Where there is no step, the stride means nothing.
    let empty = shape.contains(&0);
    let whole =
        |(&size, &stride): (&i64, &i64)| size == 1 || itemsize > 0 && stride % itemsize == 0;
    if empty || shape.iter().zip(strides).all(whole) { itemsize } else { 1 }
}

/// The view with strides in parts of an element, `unit` of which make one.
fn build(
    py: Python<'_>,
    shape: &[i64],
    mut strides: args::Numbers,
    unit: i64,
    offset: i64,
) -> PyResult<Py<PyView>> {
    if unit != 1 {
        let empty = shape.contains(&0);
        for (axis, stride) in strides.iter_mut().enumerate() {
            // Where there is no step, the stride means nothing.
            if empty || shape.get(axis) == Some(&1) {
                *stride = 0;
            } else if unit <= 0 || *stride % unit != 0 {
                return Err(no_whole_stride(py, shape, axis, *stride, unit)?);
            } else {
                *stride /= unit;
            }
        }
    }
    let view = View::strided(shape, &strides, offset)
        .map_err(|error| refusal(py, &error, Some(shape), Some(&strides)))?;
    Py::new(py, PyView(view))
}

fn no_whole_stride(
    py: Python<'_>,
    shape: &[i64],
    axis: usize,
    stride: i64,
    itemsize: i64,
) -> PyResult<PyErr> {
    let fields = PyDict::new(py);
    fields.set_item("axis", axis)?;
    fields.set_item("stride", stride)?;
    fields.set_item("itemsize", itemsize)?;
    fields.set_item("shape", args::tuple(py, shape)?)?;
    let message = format!(
        "axis {axis} has a stride of {stride} bytes, it must be a whole number of elements of \
         {itemsize} bytes"
    );
    Ok(exception(py, "byte_stride", &message, &fields))
}
