//! `ViewChain`.

use pyo3::prelude::*;
use pyo3::types::PyTuple;
use viewmerge::{Error, Verdict, View, ViewChain, unravel};
use viewmerge_draw::Drawing;

use crate::args::{self, Transposed};
use crate::error::{OrRefuse, refusal};
use crate::form::{self, PyForm, PyGuarded, Source};
use crate::order::Order;
use crate::patience;
use crate::subscript::{Edit, Subscript};
use crate::verdict::{Reduced, hash, verdict_object};
use crate::view::{self, PyView, draw};
use crate::walk::Walk;

/// Views that compose, memory side first: the last one is what is indexed.
///
/// ViewChain(views): `views` is a sequence of views, or one view, or the text
/// of either. Every op succeeds on good arguments: where one view cannot hold
/// the result, a further view goes on top. `merge` tells whether it is still
/// one view.
///
/// >>> chain = ViewChain.contiguous(2, 3).permute(1, 0).reshape(6)
/// >>> print(chain)
/// (3,2):(1,3) | (6):(1)
/// >>> chain.index(1)
/// 3
/// >>> bool(chain.merge())
/// False
/// >>> eval(repr(chain)) == chain
/// True
#[pyclass(frozen, module = "viewmerge", name = "ViewChain")]
pub(crate) struct PyChain(pub(crate) ViewChain);

impl PyChain {
    fn op(&self, py: Python<'_>, result: Result<ViewChain, Error>) -> PyResult<PyChain> {
        result.or_refuse_for(py, self.0.last()).map(PyChain)
    }

    /// The chain with `top` on it, merged into the last view if the two are one.
    fn regroup(&self, py: Python<'_>, top: View) -> PyResult<PyChain> {
        let last = self.0.last();
        let views = match patience::merge(py, &[last.clone(), top.clone()])? {
            Ok(Verdict::Merged(view)) => {
                let below = &self.0.views()[..self.0.views().len() - 1];
                [below, &[view]].concat()
            }
            // One view that leaves the bounds on positions cannot be written down; two can.
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
        self.op(py, ViewChain::from_views(&views))
    }

    /// The chain reshaped to the shape of a contiguous view.
    fn reshaped(slf: &Bound<'_, Self>, top: View) -> PyResult<Py<PyChain>> {
        if top.shape() == slf.get().0.shape() {
            return Ok(slf.clone().unbind());
        }
        Py::new(slf.py(), slf.get().regroup(slf.py(), top)?)
    }
}

#[pymethods]
impl PyChain {
    #[new]
    fn new(views: &Bound<'_, PyAny>) -> PyResult<PyChain> {
        args::chain(views).map(PyChain)
    }

    /// Reads views and ops, memory side first, separated by `|`.
    ///
    /// >>> print(ViewChain.parse("(2,3,4) | permute(2,0,1) | reshape(8,3)"))
    /// (4,2,3):(1,12,4) | (8,3):(3,1)
    #[staticmethod]
    fn parse(py: Python<'_>, text: &str) -> PyResult<PyChain> {
        args::parse_chain(py, text).map(PyChain)
    }

    /// The chain of one contiguous view.
    ///
    /// >>> ViewChain.contiguous(2, 3)
    /// ViewChain([View((2, 3), (3, 1))])
    #[staticmethod]
    #[pyo3(signature = (*shape))]
    fn contiguous(py: Python<'_>, shape: &Bound<'_, PyTuple>) -> PyResult<PyChain> {
        let shape = args::spread(shape)?;
        let chain = ViewChain::contiguous(&shape);
        chain.map(PyChain).map_err(|error| refusal(py, &error, Some(&shape), None))
    }

    /// The chain of the one view that an array is: see `View.of`.
    ///
    /// >>> import numpy
    /// >>> print(ViewChain.of(numpy.zeros((2, 3)).T))
    /// (3,2):(1,3)
    #[staticmethod]
    #[pyo3(signature = (array, *, base=None))]
    fn of(
        py: Python<'_>,
        array: &Bound<'_, PyAny>,
        base: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<PyChain> {
        let view = crate::of::view_of(py, array, base)?;
        Ok(PyChain(view.get().0.clone().into()))
    }

    /// The chain from JSON: a list of views.
    ///
    /// >>> print(ViewChain.from_json('[{"shape": [2, 3]}, {"shape": [6]}]'))
    /// (2,3):(3,1) | (6):(1)
    #[staticmethod]
    fn from_json(py: Python<'_>, text: &str) -> PyResult<PyChain> {
        let parts: Vec<viewmerge::ViewParts> = crate::json::read(py, text)?;
        let views: Result<Vec<View>, Error> = parts.into_iter().map(View::try_from).collect();
        ViewChain::from_views(&views.or_refuse(py)?).or_refuse(py).map(PyChain)
    }

    /// The chain as JSON: a list of views.
    ///
    /// >>> ViewChain.contiguous(6).to_json()
    /// '[{"shape":[6],"strides":[1],"offset":0,"mask":null}]'
    fn to_json(&self) -> PyResult<String> {
        crate::json::write(&self.0.views())
    }

    /// The views, memory side first.
    ///
    /// >>> ViewChain.parse("(6) | (2):(3)").views
    /// (View((6,), (1,)), View((2,), (3,)))
    #[getter]
    fn views<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let views = self.0.views().iter().map(|view| PyView(view.clone()));
        PyTuple::new(py, views.map(|view| Bound::new(py, view)).collect::<PyResult<Vec<_>>>()?)
    }

    /// The view that is indexed.
    ///
    /// >>> ViewChain.parse("(6) | (2):(3)").last
    /// View((2,), (3,))
    #[getter]
    fn last(&self) -> PyView {
        PyView(self.0.last().clone())
    }

    /// The shape of the last view.
    ///
    /// >>> ViewChain.parse("(6) | (2):(3)").shape
    /// (2,)
    #[getter]
    fn shape<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        args::tuple(py, self.0.shape())
    }

    /// The number of axes of the last view.
    ///
    /// >>> ViewChain.contiguous(2, 3).rank
    /// 2
    #[getter]
    fn rank(&self) -> usize {
        self.0.last().rank()
    }

    /// The number of elements, padding included.
    ///
    /// >>> ViewChain.contiguous(2).pad((1, 1)).count
    /// 4
    #[getter]
    fn count(&self) -> i64 {
        self.0.count()
    }

    /// NumPy's name for `rank`.
    ///
    /// >>> ViewChain.contiguous(2, 3).ndim
    /// 2
    #[getter]
    fn ndim(&self) -> usize {
        self.rank()
    }

    /// NumPy's name for `count`.
    ///
    /// >>> ViewChain.contiguous(2, 3).size
    /// 6
    #[getter]
    fn size(&self) -> i64 {
        self.0.count()
    }

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
        let shape = self.0.shape().to_vec();
        Walk::new(self.0.count(), move |py, place| {
            let index = unravel(&shape, place).or_refuse(py)?;
            Ok(args::tuple(py, &index)?.into_any().unbind())
        })
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

    /// Whether the chain is one view.
    ///
    /// >>> ViewChain.parse("(2,3) | (6)").merge()
    /// Merged(View((6,), (1,)))
    fn merge(slf: &Bound<'_, Self>) -> PyResult<Py<PyAny>> {
        let (py, chain) = (slf.py(), &slf.get().0);
        let verdict = patience::merge_chain(py, chain)?.or_refuse_for(py, chain.last())?;
        verdict_object(py, verdict, Some(slf.clone().into_any().unbind()))
    }

    /// The same with at most about so many steps of search; None if undecided.
    ///
    /// >>> chain = ViewChain.parse("(10,3,3):(8,1,2) | (4):(4)")
    /// >>> chain.merge_within(100)
    /// Merged(View((4,), (3,)))
    /// >>> chain.merge_within(0) is None
    /// True
    fn merge_within(slf: &Bound<'_, Self>, steps: u64) -> PyResult<Option<Py<PyAny>>> {
        let (py, chain) = (slf.py(), &slf.get().0);
        let found = patience::merge_at_most(py, chain.views(), steps)?;
        if patience::is_undecided(&found) {
            return Ok(None);
        }
        let verdict = found.or_refuse_for(py, chain.last())?;
        verdict_object(py, verdict, Some(slf.clone().into_any().unbind())).map(Some)
    }

    /// The same function with the fewest views that cutting the chain into
    /// mergeable runs can give; one view whenever there is one.
    ///
    /// >>> print(ViewChain.parse("(2,3) | (6) | (3,2)").simplify())
    /// (3,2):(2,1)
    fn simplify(&self, py: Python<'_>) -> PyResult<PyChain> {
        let chain = self.0.clone();
        let quick = patience::runs_are_quick(chain.views());
        let found = patience::run(py, quick, move |limit| chain.simplify(limit))?;
        self.op(py, found)
    }

    /// The chain from memory, seen as an index of `memory_shape`, back to the
    /// row-major position of the element stored there.
    ///
    /// >>> print(ViewChain.contiguous(2, 3).permute(1, 0).invert(2, 3))
    /// (2,3):(1,2)
    #[pyo3(signature = (*memory_shape))]
    fn invert(&self, py: Python<'_>, memory_shape: &Bound<'_, PyTuple>) -> PyResult<PyChain> {
        let shape = args::spread(memory_shape)?;
        let chain = self.0.clone();
        let quick = patience::is_small(chain.views());
        let found = patience::run(py, quick, move |limit| chain.invert(&shape, limit))?;
        self.op(py, found)
    }

    /// For every axis the one amount by which memory moves along it; None where
    /// it is not always the same, or padding depends on the axis.
    ///
    /// >>> ViewChain.parse("(5,2,3) | permute(0,2,1) | reshape(5,6)").real_strides()
    /// (6, None)
    fn real_strides<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let chain = self.0.clone();
        let quick = patience::is_small(chain.views());
        let found = patience::run(py, quick, move |limit| chain.real_strides(limit))?;
        PyTuple::new(py, found.or_refuse_for(py, self.0.last())?)
    }

    /// One more than the largest memory position that is touched; 0 if none is.
    ///
    /// >>> ViewChain.contiguous(4, 4).shrink((0, 2), (0, 3)).real_size()
    /// 7
    fn real_size(&self, py: Python<'_>) -> PyResult<i64> {
        let chain = self.0.clone();
        let quick = patience::is_small(chain.views());
        patience::run(py, quick, move |limit| chain.real_size(limit))?.or_refuse(py)
    }

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
        let top = view::reshape_target(py, last, &args::spread(shape)?)?;
        if order == Order::C || top.shape() == last.shape() {
            return PyChain::reshaped(slf, top);
        }
        let below = slf.get().0.permute(&order.axes(last.rank(), 0, last.rank()));
        let below = PyChain(below.or_refuse_for(py, last)?);
        Py::new(py, below.regroup(py, order.view(py, top)?)?)
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
            return PyChain::reshaped(slf, top);
        }
        let axes = view::flatten_axes(order, last.rank(), start, end);
        let below = PyChain(slf.get().0.permute(&axes).or_refuse_for(py, last)?);
        PyChain::reshaped(&Bound::new(py, below)?, top)
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
        PyChain::reshaped(slf, view::unflatten_target(slf.py(), last, axis, &sizes)?)
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
        offset: i64,
    ) -> PyResult<PyChain> {
        let (shape, strides) = (args::numbers(shape)?, args::numbers(strides)?);
        let top = View::strided(&shape, &strides, offset)
            .map_err(|error| refusal(py, &error, Some(&shape), Some(&strides)))?;
        self.regroup(py, top)
    }

    /// The axes in another order.
    ///
    /// >>> ViewChain.contiguous(2, 3).permute(1, 0).shape
    /// (3, 2)
    #[pyo3(signature = (*axes))]
    fn permute(&self, py: Python<'_>, axes: &Bound<'_, PyTuple>) -> PyResult<PyChain> {
        self.op(py, self.0.permute(&args::spread(axes)?))
    }

    /// Two axes exchanged, or any other number as an order of all: see `View.transpose`.
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

    /// Only the indices lo <= i < hi of every axis kept.
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

    /// Every so many-th index of each axis; a negative step walks backwards from the last.
    ///
    /// >>> ViewChain.contiguous(5).step(2).index(2)
    /// 4
    #[pyo3(signature = (*steps))]
    fn step(&self, py: Python<'_>, steps: &Bound<'_, PyTuple>) -> PyResult<PyChain> {
        self.op(py, self.0.step(&args::spread(steps)?))
    }

    /// Slices of the leading axes; `chain[...]` says the same.
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

    /// An axis of size 1 removed; all of them if none is named.
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
    /// Where there is none, one after padding the axes, else one with guards.
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

    /// The picture of the chain; with `merge`, of whether it is one view.
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

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let views = self.0.views().iter().map(|view| view::repr(py, view));
        Ok(format!("ViewChain([{}])", views.collect::<PyResult<Vec<_>>>()?.join(", ")))
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<PyChain>().is_ok_and(|other| other.get().0 == self.0)
    }

    fn __hash__(&self) -> u64 {
        hash(&self.0)
    }

    fn __copy__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __deepcopy__(slf: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
        slf
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> Reduced<'py, (Bound<'py, PyTuple>,)> {
        Ok((slf.get_type(), (slf.get().views(slf.py())?,)))
    }
}
