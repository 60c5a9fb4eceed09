//! `ViewChain`: its parts, and the questions about it.

mod ops;
mod uses;

use pyo3::prelude::*;
use pyo3::types::PyTuple;
use viewmerge::{Error, View, ViewChain};

use crate::args;
use crate::classes::{PyChain, PyView};
use crate::error::{OrRefuse, refusal};
use crate::notation::repr;
use crate::patience;
use crate::verdict::{Reduced, hash, verdict_object};

impl PyChain {
    /// A chain that remembers its ops, so that explanations can name them.
    fn recording(chain: ViewChain) -> PyChain {
        PyChain(chain.recording())
    }

    fn op(&self, py: Python<'_>, result: Result<ViewChain, Error>) -> PyResult<PyChain> {
        result.or_refuse_for(py, self.0.last()).map(PyChain)
    }
}

#[pymethods]
impl PyChain {
    #[new]
    fn new(views: &Bound<'_, PyAny>) -> PyResult<PyChain> {
        args::chain(views).map(PyChain::recording)
    }

    /// Reads views and ops, memory side first, separated by `|`.
    ///
    /// >>> print(ViewChain.parse("(2,3,4) | permute(2,0,1) | reshape(8,3)"))
    /// (4,2,3):(1,12,4) | (8,3):(3,1)
    #[staticmethod]
    fn parse(py: Python<'_>, text: &str) -> PyResult<PyChain> {
        args::parse_chain(py, text).map(PyChain::recording)
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
        chain.map(PyChain::recording).map_err(|error| refusal(py, &error, Some(&shape), None))
    }

    /// The chain of an array's view: see `View.of`.
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
        Ok(PyChain::recording(view.get().0.clone().into()))
    }

    /// The chain from JSON: a list of views.
    ///
    /// >>> print(ViewChain.from_json('[{"shape": [2, 3]}, {"shape": [6]}]'))
    /// (2,3):(3,1) | (6):(1)
    #[staticmethod]
    fn from_json(py: Python<'_>, text: &str) -> PyResult<PyChain> {
        let parts: Vec<viewmerge::ViewParts> = crate::json::read(py, text)?;
        let views: Result<Vec<View>, Error> = parts.into_iter().map(View::try_from).collect();
        ViewChain::from_views(&views.or_refuse(py)?).or_refuse(py).map(PyChain::recording)
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

    /// Whether the chain is one view.
    ///
    /// >>> ViewChain.parse("(2,3) | (6)").merge()
    /// Merged(View((6,), (1,)))
    fn merge(slf: &Bound<'_, Self>) -> PyResult<Py<PyAny>> {
        let (py, chain) = (slf.py(), &slf.get().0);
        let verdict = patience::merge_chain(py, chain)?.or_refuse_for(py, chain.last())?;
        verdict_object(py, verdict, Some(slf.clone().into_any().unbind()))
    }

    /// The same within about this many steps of search; None if undecided.
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

    /// The same function with the fewest views that cutting the chain into mergeable runs
    /// can give; one view if it is one.
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

    /// For every axis, how far memory moves along it; None if that varies, or padding
    /// depends on the axis.
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

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let views = self.0.views().iter().map(|view| repr(py, view));
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
