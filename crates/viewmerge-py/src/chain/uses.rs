//! Uses of chains: positions, expressions, arrays and pictures.

use pyo3::prelude::*;
use pyo3::types::PyTuple;
use viewmerge_draw::Drawing;

use crate::args;
use crate::classes::{PyChain, PyGuarded};
use crate::error::OrRefuse;
use crate::form::{self, PyForm, Source};
use crate::view::uses::draw;
use crate::walk::Walk;

#[pymethods]
impl PyChain {
    /// The memory position of an index, or None for padding.
    ///
    /// >>> [ViewChain.parse("(2,2):(1,2) | (4)").index(i) for i in range(4)]
    /// [0, 2, 1, 3]
    #[pyo3(signature = (*index))]
    fn index(&self, py: Python<'_>, index: &Bound<'_, PyTuple>) -> PyResult<Option<i64>> {
        self.0.index(&args::spread(index)?).or_refuse_for(py, self.0.last())
    }

    /// The memory position at a row-major linear position, or None for padding.
    ///
    /// >>> ViewChain.parse("(2,2):(1,2)").at(1)
    /// 2
    fn at(&self, py: Python<'_>, position: i64) -> PyResult<Option<i64>> {
        self.0.at(position).or_refuse_for(py, self.0.last())
    }

    /// Every index of the last view, in row-major order, one at a time.
    ///
    /// >>> list(ViewChain.contiguous(3).indices())
    /// [(0,), (1,), (2,)]
    fn indices(&self) -> Walk {
        Walk::over(self.0.shape(), self.0.count())
    }

    /// The memory position of every index in row-major order, None for padding, one at a time.
    ///
    /// >>> list(ViewChain.parse("(2,2):(1,2) | (4)").positions())
    /// [0, 2, 1, 3]
    fn positions(&self) -> Walk {
        let chain = self.0.clone();
        Walk::new(chain.count(), move |py, place| {
            Ok(chain.at(place).or_refuse(py)?.into_pyobject(py)?.unbind())
        })
    }

    /// The index expression in a language: c, cuda, opencl, metal, hlsl, wgsl, rust,
    /// python, triton, mlir, isl, latex or tinygrad.
    ///
    /// `names` are the variables, one for each axis; with `shifts`, divisions by
    /// powers of two are written as shifts.
    ///
    /// >>> print(ViewChain.parse("(4,3):(1,4) | (12)").expr("python"), end="")
    /// def at(i0):
    ///     f0 = i0 // 3
    ///     return 4*i0 - 11*f0
    #[pyo3(signature = (lang="c", names=None, shifts=false, function="at"))]
    fn expr(
        &self,
        py: Python<'_>,
        lang: &str,
        names: Option<Vec<String>>,
        shifts: bool,
        function: &str,
    ) -> PyResult<String> {
        let form = form::of_chain(py, &self.0)?;
        form::render(py, &form, lang, names, shifts, function)
    }

    /// The index expression, as data.
    ///
    /// >>> print(ViewChain.parse("(4,3):(1,4) | (12)").form())
    /// 4*i0 - 11*f0 where f0 = i0 / 3
    fn form(&self, py: Python<'_>) -> PyResult<PyForm> {
        let form = form::of_chain(py, &self.0)?;
        Ok(PyForm::new(form, Source::Chain(self.0.clone())))
    }

    /// The chain as one view with affine guards, or None if it needs a division.
    ///
    /// >>> print(ViewChain.parse("(18):(1)-2 [2:17] | (16,3):(1,1)").guarded())
    /// (16,3):(1,1)-2 if 2 <= i0 + i1 < 17
    fn guarded(&self, py: Python<'_>) -> PyResult<Option<PyGuarded>> {
        let form = form::of_chain(py, &self.0)?;
        Ok(form.guarded().or_refuse_for(py, self.0.last())?.map(PyGuarded))
    }

    /// The coarsest split of the axes over which the chain is one view; see `Tiling`.
    ///
    /// If there is none: one after padding the axes, else one with guards.
    ///
    /// >>> ViewChain.parse("(4,3):(1,4) | (12)").split().factors
    /// ((4, 3),)
    fn split(slf: Bound<'_, PyChain>) -> PyResult<Bound<'_, PyAny>> {
        slf.py().import("viewmerge._splits")?.getattr("split")?.call1((slf,))
    }

    /// This chain of views of a NumPy array.
    ///
    /// Without copying if the chain is one view; otherwise with `copy=True`. For
    /// `buffer` and `fill` see `View.numpy`.
    ///
    /// >>> import numpy
    /// >>> ViewChain.parse("(2,3) | permute(1,0) | reshape(6)").numpy(numpy.arange(6), copy=True)
    /// array([0, 3, 1, 4, 2, 5])
    #[pyo3(signature = (buffer, fill=None, *, copy=false))]
    fn numpy<'py>(
        slf: &Bound<'py, Self>,
        buffer: &Bound<'py, PyAny>,
        fill: Option<&Bound<'py, PyAny>>,
        copy: bool,
    ) -> PyResult<Bound<'py, PyAny>> {
        let arrays = slf.py().import("viewmerge._arrays")?;
        arrays.call_method1("chain_to_numpy", (slf, buffer, fill, copy))
    }

    /// This chain of views of a PyTorch tensor: see `numpy`.
    #[pyo3(signature = (buffer, fill=None, *, copy=false))]
    fn torch<'py>(
        slf: &Bound<'py, Self>,
        buffer: &Bound<'py, PyAny>,
        fill: Option<&Bound<'py, PyAny>>,
        copy: bool,
    ) -> PyResult<Bound<'py, PyAny>> {
        let arrays = slf.py().import("viewmerge._arrays")?;
        arrays.call_method1("chain_to_torch", (slf, buffer, fill, copy))
    }

    /// The picture of the chain; with `merge`, it shows whether the chain is one view.
    ///
    /// >>> chain = ViewChain.parse("(2,3) | permute(1,0) | reshape(6)")
    /// >>> "not one view" in chain.svg(merge=True)
    /// True
    #[pyo3(signature = (*, merge=false, title=None, most_cells=None))]
    fn svg(
        &self,
        py: Python<'_>,
        merge: bool,
        title: Option<&str>,
        most_cells: Option<usize>,
    ) -> String {
        let drawing = if merge { Drawing::of_merge(&self.0) } else { Drawing::of_chain(&self.0) };
        py.detach(|| draw(drawing, title, most_cells))
    }

    fn _repr_svg_(&self, py: Python<'_>) -> String {
        self.svg(py, false, None, None)
    }
}
