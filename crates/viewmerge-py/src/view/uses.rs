//! Uses of views: positions, expressions, arrays and pictures.

use pyo3::prelude::*;
use pyo3::types::PyTuple;
use viewmerge_draw::Drawing;

use crate::args;
use crate::classes::PyView;
use crate::error::OrRefuse;
use crate::form::{self, PyForm, Source};
use crate::patience;
use crate::walk::Walk;

#[pymethods]
impl PyView {
    /// Whether no two valid indices share a memory position.
    ///
    /// >>> View((3, 2), (2, 3)).is_injective(), View((4, 3), (2, 3)).is_injective()
    /// (True, False)
    fn is_injective(&self, py: Python<'_>) -> PyResult<bool> {
        let view = self.0.clone();
        let quick = self.0.rank() <= 4 || patience::is_small(std::slice::from_ref(&self.0));
        patience::run(py, quick, move |limit| view.is_injective(limit))?.or_refuse(py)
    }

    /// The memory position of an index, or None for padding.
    ///
    /// >>> View((2, 3)).index(1, 2), View((2, 3)).index((1, 2))
    /// (5, 5)
    /// >>> View((3,), mask=[(0, 2)]).index(2) is None
    /// True
    #[pyo3(signature = (*index))]
    fn index(&self, py: Python<'_>, index: &Bound<'_, PyTuple>) -> PyResult<Option<i64>> {
        self.0.index(&args::spread(index)?).or_refuse_for(py, &self.0)
    }

    /// The memory position at a row-major linear position, or None for padding.
    ///
    /// >>> View((3, 2), (1, 3)).at(1)
    /// 3
    fn at(&self, py: Python<'_>, position: i64) -> PyResult<Option<i64>> {
        self.0.at(position).or_refuse_for(py, &self.0)
    }

    /// Every index, in row-major order, one at a time.
    ///
    /// >>> list(View((2, 2)).indices())
    /// [(0, 0), (0, 1), (1, 0), (1, 1)]
    fn indices(&self) -> Walk {
        Walk::over(self.0.shape(), self.0.count())
    }

    /// The memory position of every index in row-major order, None for padding, one at a time.
    ///
    /// >>> list(View((2,)).pad((0, 1)).positions())
    /// [0, 1, None]
    fn positions(&self) -> Walk {
        let view = self.0.clone();
        Walk::new(view.count(), move |py, place| {
            Ok(view.at(place).or_refuse(py)?.into_pyobject(py)?.unbind())
        })
    }

    /// The index expression in a language: c, cuda, opencl, metal, hlsl, wgsl, rust,
    /// python, triton, mlir, isl, latex or tinygrad.
    ///
    /// >>> print(View((2, 3), mask=[(0, 2), (1, 3)]).expr("python"), end="")
    /// def at(i0, i1):
    ///     return 3*i0 + i1 if 1 <= i1 else None
    #[pyo3(signature = (lang="c", names=None, shifts=false, function="at"))]
    fn expr(
        &self,
        py: Python<'_>,
        lang: &str,
        names: Option<Vec<String>>,
        shifts: bool,
        function: &str,
    ) -> PyResult<String> {
        let form = viewmerge_index::IndexForm::of_view(&self.0).or_refuse_for(py, &self.0)?;
        form::render(py, &form, lang, names, shifts, function)
    }

    /// The index expression, as data.
    ///
    /// >>> print(View((2, 3)).form())
    /// 3*i0 + i1
    fn form(&self, py: Python<'_>) -> PyResult<PyForm> {
        let form = viewmerge_index::IndexForm::of_view(&self.0).or_refuse_for(py, &self.0)?;
        Ok(PyForm::new(form, Source::View(self.0.clone())))
    }

    /// This view of a NumPy array, without copying.
    ///
    /// `buffer` is the memory: a C-contiguous array, or anything with the buffer
    /// protocol. A position outside of it is refused. A view with padding needs
    /// `fill`, the value of padding, and gives a copy. The array is writable if the
    /// buffer is and no two indices share a position. With `dtype` the positions count
    /// bytes of the buffer, with an element of that type at each.
    ///
    /// >>> import numpy
    /// >>> View((3, 2), (1, 3)).numpy(numpy.arange(6))
    /// array([[0, 3],
    ///        [1, 4],
    ///        [2, 5]])
    /// >>> View((2,)).pad((1, 1)).numpy(numpy.arange(2), fill=-1)
    /// array([-1,  0,  1, -1])
    /// >>> records = numpy.array([(1, 2.5), (3, 4.5)], dtype=[("a", "i4"), ("b", "f8")])
    /// >>> View((2,), (12,), 4).numpy(records, dtype="f8")
    /// array([2.5, 4.5])
    #[pyo3(signature = (buffer, fill=None, *, dtype=None))]
    fn numpy<'py>(
        slf: &Bound<'py, Self>,
        buffer: &Bound<'py, PyAny>,
        fill: Option<&Bound<'py, PyAny>>,
        dtype: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let arrays = slf.py().import("viewmerge._arrays")?;
        arrays.call_method1("view_to_numpy", (slf, buffer, fill, dtype))
    }

    /// This view of a PyTorch tensor, without copying.
    ///
    /// `buffer` is the memory: a contiguous tensor. A position outside of it is
    /// refused, and so are negative strides, which PyTorch does not have. A view
    /// with padding needs `fill`, the value of padding, and gives a copy.
    #[pyo3(signature = (buffer, fill=None))]
    fn torch<'py>(
        slf: &Bound<'py, Self>,
        buffer: &Bound<'py, PyAny>,
        fill: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let arrays = slf.py().import("viewmerge._arrays")?;
        arrays.call_method1("view_to_torch", (slf, buffer, fill))
    }

    /// The picture of the view: every index, with its memory position.
    ///
    /// >>> View((2, 3)).svg(title="rows").startswith("<svg")
    /// True
    #[pyo3(signature = (*, title=None, most_cells=None))]
    fn svg(&self, title: Option<&str>, most_cells: Option<usize>) -> String {
        draw(Drawing::of_view(&self.0), title, most_cells)
    }

    fn _repr_svg_(&self) -> String {
        Drawing::of_view(&self.0).to_svg()
    }
}

/// A drawing with its options.
pub(crate) fn draw(mut drawing: Drawing, title: Option<&str>, most_cells: Option<usize>) -> String {
    if let Some(title) = title {
        drawing = drawing.title(title);
    }
    if let Some(cells) = most_cells {
        drawing = drawing.most_cells(cells);
    }
    drawing.to_svg()
}
