//! Ops on chains.

use pyo3::prelude::*;
use pyo3::types::PyTuple;
use viewmerge::{Error, Movement, Verdict, View, ViewChain};

use crate::args::{self, Transposed};
use crate::classes::PyChain;
use crate::error::{OrRefuse, refusal};
use crate::order::Order;
use crate::patience;
use crate::subscript::{Edit, Subscript};
use crate::view::ops as view;

impl PyChain {
    /// The chain with `top` on it, merged into the last view if the two are one view.
    fn regroup(
        &self,
        py: Python<'_>,
        top: View,
        op: impl FnOnce() -> Movement,
    ) -> PyResult<PyChain> {
        let last = self.0.last();
        let views = match patience::merge(py, &[last.clone(), top.clone()])? {
            Ok(Verdict::Merged(view)) => {
                let below = &self.0.views()[..self.0.views().len() - 1];
                [below, &[view]].concat()
            }
            // A view whose positions exceed the bounds cannot be written down; the two views can.
            Ok(Verdict::NotMergeable(_))
            | Err(Error::OffsetRange { .. } | Error::IndexRange { .. }) => {
                [self.0.views(), &[top]].concat()
            }
            Err(Error::NotComposable { index, position, count, .. }) => {
                let view = self.0.views().len();
                let error = Error::NotComposable { view, index, position, count };
                return Err(refusal(py, &error, Some(last.shape()), Some(last.strides())));
            }
            Err(error) => return Err(error).or_refuse_for(py, last),
        };
        self.op(py, self.0.become_by(op, &views))
    }

    /// The chain reshaped to the shape of a contiguous view.
    fn reshaped(
        slf: &Bound<'_, Self>,
        top: View,
        op: impl FnOnce() -> Movement,
    ) -> PyResult<Py<PyChain>> {
        if top.shape() == slf.get().0.shape() {
            return Ok(slf.clone().unbind());
        }
        Py::new(slf.py(), slf.get().regroup(slf.py(), top, op)?)
    }
}

/// The op that puts a view on top.
fn strided(top: &View) -> Movement {
    Movement::AsStrided {
        shape: top.shape().to_vec(),
        strides: top.strides().to_vec(),
        offset: top.offset(),
    }
}

#[pymethods]
impl PyChain {
    /// The chain with one more view on top, which counts its elements.
    ///
    /// >>> ViewChain.contiguous(6).append("(2):(3)+1").index(1)
    /// 4
    fn append(&self, py: Python<'_>, view: &Bound<'_, PyAny>) -> PyResult<PyChain> {
        self.op(py, self.0.append(args::view(view)?))
    }

    /// The chain with another on top, whose memory is this one's elements.
    ///
    /// >>> inner = ViewChain.parse("(2,3) | permute(1,0)")
    /// >>> inner.compose("(6) | flip(0)").index(0)
    /// 5
    fn compose(&self, py: Python<'_>, outer: &Bound<'_, PyAny>) -> PyResult<PyChain> {
        self.op(py, self.0.compose(&args::chain(outer)?))
    }

    /// The elements in the same order under another shape; one size may be -1.
    ///
    /// >>> print(ViewChain.contiguous(2, 3).permute(1, 0).reshape(-1))
    /// (3,2):(1,3) | (6):(1)
    /// >>> print(ViewChain.contiguous(2, 3).permute(1, 0).reshape(-1, order="F"))
    /// (6):(1)
    #[pyo3(signature = (*shape, order="C"))]
    fn reshape(
        slf: &Bound<'_, Self>,
        shape: &Bound<'_, PyTuple>,
        order: &str,
    ) -> PyResult<Py<PyChain>> {
        let (py, order, last) = (slf.py(), Order::read(order)?, slf.get().0.last());
        let shape = args::spread(shape)?;
        let top = view::reshape_target(py, last, &shape)?;
        if order == Order::C || top.shape() == last.shape() {
            return PyChain::reshaped(slf, top, || Movement::Reshape(shape.to_vec()));
        }
        let below = slf.get().0.permute(&order.axes(last.rank(), 0, last.rank()));
        let below = PyChain(below.or_refuse_for(py, last)?);
        let top = order.view(py, top)?;
        Py::new(py, below.regroup(py, top.clone(), || strided(&top))?)
    }

    /// The axes from `start` to `end`, both included, joined into one.
    ///
    /// >>> ViewChain.contiguous(2, 3, 4).flatten(0, 1).shape
    /// (6, 4)
    #[pyo3(
        signature = (start=0, end=-1, *, order="C"),
        text_signature = "($self, start=0, end=-1, *, order='C')"
    )]
    fn flatten(slf: &Bound<'_, Self>, start: i64, end: i64, order: &str) -> PyResult<Py<PyChain>> {
        let (py, order, last) = (slf.py(), Order::read(order)?, slf.get().0.last());
        let top = view::flatten_target(py, last, start, end)?;
        if order == Order::C {
            return PyChain::reshaped(slf, top, || Movement::Flatten(start, end));
        }
        let axes = view::flatten_axes(order, last.rank(), start, end);
        let below = PyChain(slf.get().0.permute(&axes).or_refuse_for(py, last)?);
        PyChain::reshaped(&Bound::new(py, below)?, top, || Movement::Flatten(start, end))
    }

    /// One axis split into several; one of their sizes may be -1.
    ///
    /// >>> ViewChain.contiguous(6, 4).unflatten(0, (2, -1)).shape
    /// (2, 3, 4)
    fn unflatten(
        slf: &Bound<'_, Self>,
        axis: i64,
        sizes: &Bound<'_, PyAny>,
    ) -> PyResult<Py<PyChain>> {
        let (last, sizes) = (slf.get().0.last(), args::numbers(sizes)?);
        let top = view::unflatten_target(slf.py(), last, axis, &sizes)?;
        PyChain::reshaped(slf, top, || Movement::Unflatten(axis, sizes.to_vec()))
    }

    /// Any strided view of the elements in row-major order.
    ///
    /// >>> ViewChain.contiguous(2, 3).permute(1, 0).as_strided((5, 2), (1, 1)).index(0, 1)
    /// 3
    #[pyo3(signature = (shape, strides, offset=0))]
    fn as_strided(
        &self,
        py: Python<'_>,
        shape: &Bound<'_, PyAny>,
        strides: &Bound<'_, PyAny>,
        #[pyo3(from_py_with = args::number)] offset: i64,
    ) -> PyResult<PyChain> {
        let (shape, strides) = (args::numbers(shape)?, args::numbers(strides)?);
        let top = View::strided(&shape, &strides, offset)
            .map_err(|error| refusal(py, &error, Some(&shape), Some(&strides)))?;
        self.regroup(py, top.clone(), || strided(&top))
    }

    /// The axes in another order.
    ///
    /// >>> ViewChain.contiguous(2, 3).permute(1, 0).shape
    /// (3, 2)
    #[pyo3(signature = (*axes))]
    fn permute(&self, py: Python<'_>, axes: &Bound<'_, PyTuple>) -> PyResult<PyChain> {
        self.op(py, self.0.permute(&args::spread(axes)?))
    }

    /// Two axes exchanged, or all in another order: see `View.transpose`.
    ///
    /// >>> ViewChain.contiguous(2, 3, 4).transpose(0, 2).shape
    /// (4, 3, 2)
    #[pyo3(signature = (*axes))]
    fn transpose(&self, py: Python<'_>, axes: &Bound<'_, PyTuple>) -> PyResult<PyChain> {
        self.op(
            py,
            match args::transposed(axes, self.0.last().rank())? {
                Transposed::Two(first, second) => self.0.transpose(first, second),
                Transposed::All(order) => self.0.permute(&order),
            },
        )
    }

    /// All axes in reverse order.
    ///
    /// >>> ViewChain.contiguous(2, 3).T.shape
    /// (3, 2)
    #[getter(T)]
    fn reversed_axes(&self, py: Python<'_>) -> PyResult<PyChain> {
        let order: Vec<i64> = (0..self.0.last().rank() as i64).rev().collect();
        self.op(py, self.0.permute(&order))
    }

    /// Axes of size 1 repeated; further axes may be added in front, -1 keeps a size.
    ///
    /// >>> ViewChain.contiguous(3, 1).expand(3, 4).index(2, 3)
    /// 2
    #[pyo3(signature = (*shape))]
    fn expand(&self, py: Python<'_>, shape: &Bound<'_, PyTuple>) -> PyResult<PyChain> {
        self.op(py, self.0.expand(&args::spread(shape)?))
    }

    /// NumPy's name for `expand`, without -1.
    ///
    /// >>> ViewChain.contiguous(3).broadcast_to((2, 3)).index(1, 2)
    /// 2
    #[pyo3(signature = (*shape))]
    fn broadcast_to(&self, py: Python<'_>, shape: &Bound<'_, PyTuple>) -> PyResult<PyChain> {
        self.op(py, self.0.broadcast_to(&args::spread(shape)?))
    }

    /// Padding of (before, after) invalid indices on every axis.
    ///
    /// >>> ViewChain.contiguous(2).pad((1, 0)).index(0) is None
    /// True
    #[pyo3(signature = (*amounts))]
    fn pad(&self, py: Python<'_>, amounts: &Bound<'_, PyTuple>) -> PyResult<PyChain> {
        self.op(py, self.0.pad(&args::spread_pairs(amounts)?))
    }

    /// Only the indices lo <= i < hi of every axis.
    ///
    /// >>> ViewChain.contiguous(5).shrink((2, 4)).index(0)
    /// 2
    #[pyo3(signature = (*bounds))]
    fn shrink(&self, py: Python<'_>, bounds: &Bound<'_, PyTuple>) -> PyResult<PyChain> {
        self.op(py, self.0.shrink(&args::spread_pairs(bounds)?))
    }

    /// The named axes reversed; an empty sequence reverses none, as in PyTorch.
    ///
    /// >>> ViewChain.contiguous(5).flip(0).index(0)
    /// 4
    #[pyo3(signature = (*axes))]
    fn flip(&self, py: Python<'_>, axes: &Bound<'_, PyTuple>) -> PyResult<PyChain> {
        args::some_axes(axes, self.0.last().rank())?;
        self.op(py, self.0.flip(&args::spread(axes)?))
    }

    /// Every n-th index of each axis; a negative step walks backwards from the last.
    ///
    /// >>> ViewChain.contiguous(5).step(2).index(2)
    /// 4
    #[pyo3(signature = (*steps))]
    fn step(&self, py: Python<'_>, steps: &Bound<'_, PyTuple>) -> PyResult<PyChain> {
        self.op(py, self.0.step(&args::spread(steps)?))
    }

    /// Slices of the leading axes; `chain[...]` does the same.
    ///
    /// >>> ViewChain.contiguous(5).slice("::-1").index(1)
    /// 3
    #[pyo3(signature = (*slices))]
    fn slice(&self, py: Python<'_>, slices: &Bound<'_, PyTuple>) -> PyResult<PyChain> {
        self.op(py, self.0.slice(&args::spread_slices(slices)?))
    }

    /// NumPy's basic indexing: integers, slices, None and `...`.
    fn __getitem__(&self, py: Python<'_>, key: &Bound<'_, PyAny>) -> PyResult<PyChain> {
        let subscript = Subscript::read(key, self.0.shape())?;
        let last = self.0.last();
        let mut chain = self.0.slice(&subscript.slices).or_refuse_for(py, last)?;
        for edit in subscript.edits {
            chain = match edit {
                Edit::Squeeze(axis) => chain.squeeze(axis),
                Edit::Unsqueeze(axis) => chain.unsqueeze(axis),
            }
            .or_refuse_for(py, last)?;
        }
        Ok(PyChain(chain))
    }

    /// An axis of size 1 removed; without an argument, all of them.
    ///
    /// >>> ViewChain.contiguous(1, 5).squeeze(0).shape
    /// (5,)
    #[pyo3(signature = (axis=None))]
    fn squeeze(&self, py: Python<'_>, axis: Option<i64>) -> PyResult<PyChain> {
        self.op(py, axis.map_or_else(|| self.0.squeeze_all(), |axis| self.0.squeeze(axis)))
    }

    /// All axes of size 1 removed.
    ///
    /// >>> ViewChain.contiguous(1, 5, 1).squeeze_all().shape
    /// (5,)
    fn squeeze_all(&self, py: Python<'_>) -> PyResult<PyChain> {
        self.op(py, self.0.squeeze_all())
    }

    /// A new axis of size 1, which will be axis `axis` of the result.
    ///
    /// >>> ViewChain.contiguous(5).unsqueeze(0).shape
    /// (1, 5)
    fn unsqueeze(&self, py: Python<'_>, axis: i64) -> PyResult<PyChain> {
        self.op(py, self.0.unsqueeze(axis))
    }

    /// The last view with fewer valid indices.
    ///
    /// >>> ViewChain.contiguous(3).masked((0, 2)).index(2) is None
    /// True
    #[pyo3(signature = (*bounds))]
    fn masked(&self, py: Python<'_>, bounds: &Bound<'_, PyTuple>) -> PyResult<PyChain> {
        let last = self.0.last().masked(&args::spread_pairs(bounds)?);
        let last = last.or_refuse_for(py, self.0.last())?;
        let below = &self.0.views()[..self.0.views().len() - 1];
        self.op(py, ViewChain::from_views(&[below, &[last]].concat()))
    }

    /// Applies an op given as data, (name, argument, ...).
    ///
    /// >>> ViewChain.contiguous(2, 3).apply(("permute", (1, 0))).shape
    /// (3, 2)
    fn apply<'py>(slf: &Bound<'py, Self>, op: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        view::apply(slf.as_any(), op)
    }
}
