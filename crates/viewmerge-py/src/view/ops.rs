//! Ops on views.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use viewmerge::{Verdict, View, ViewChain};

use crate::args::{self, Transposed};
use crate::classes::{PyChain, PyView};
use crate::error::{OrRefuse, exception, refusal};
use crate::order::Order;
use crate::patience;
use crate::questions::view_tuple;
use crate::subscript::{Edit, Subscript};
use crate::verdict::verdict_object;

/// The contiguous view of the shape that a regrouping of `view` asks for.
fn target(
    py: Python<'_>,
    view: &View,
    regroup: impl Fn(&View) -> Result<Verdict, viewmerge::Error>,
) -> PyResult<View> {
    // A contiguous view of the same shape allows every valid regrouping.
    let plain = View::contiguous(view.shape()).or_refuse_for(py, view)?;
    let regrouped = regroup(&plain).or_refuse_for(py, view)?;
    regrouped.into_view().ok_or_else(|| PyTypeError::new_err("a contiguous view was not regrouped"))
}

/// Whether the first view seen through the second is one view.
fn regrouped_pair(py: Python<'_>, pair: &[View; 2]) -> PyResult<Verdict> {
    let [view, top] = pair;
    if top.shape() == view.shape() && top.is_contiguous() {
        return Ok(Verdict::Merged(view.clone()));
    }
    patience::merge(py, pair)?.or_refuse_for(py, view)
}

/// Whether `view` seen through `top` is one view.
fn regrouped(py: Python<'_>, view: &View, top: View) -> PyResult<Py<PyAny>> {
    let pair = [view.clone(), top];
    let verdict = regrouped_pair(py, &pair)?;
    verdict_object(py, verdict, Some(view_tuple(py, pair.to_vec())?))
}

/// The target of a reshape.
pub(crate) fn reshape_target(py: Python<'_>, view: &View, shape: &[i64]) -> PyResult<View> {
    target(py, view, |plain| plain.reshape(shape))
}

/// The target of a flatten.
pub(crate) fn flatten_target(py: Python<'_>, view: &View, start: i64, end: i64) -> PyResult<View> {
    target(py, view, |plain| plain.flatten(start, end))
}

/// The order of axes for flattening those from `start` to `end` in an order of elements.
pub(crate) fn flatten_axes(order: Order, rank: usize, start: i64, end: i64) -> Vec<i64> {
    let from_front = |axis: i64| {
        usize::try_from(if axis < 0 { axis.saturating_add(rank as i64) } else { axis }).unwrap_or(0)
    };
    order.axes(rank, from_front(start), from_front(end).saturating_add(1))
}

/// The target of an unflatten.
pub(crate) fn unflatten_target(
    py: Python<'_>,
    view: &View,
    axis: i64,
    sizes: &[i64],
) -> PyResult<View> {
    target(py, view, |plain| plain.unflatten(axis, sizes))
}

/// The ops of `apply`.
pub(crate) const OPS: [&str; 18] = [
    "reshape",
    "permute",
    "transpose",
    "expand",
    "broadcast_to",
    "pad",
    "shrink",
    "flip",
    "step",
    "slice",
    "squeeze",
    "squeeze_all",
    "unsqueeze",
    "flatten",
    "unflatten",
    "as_strided",
    "masked",
    "append",
];

/// Calls the method that an op, as data, names.
pub(crate) fn apply<'py>(
    target: &Bound<'py, PyAny>,
    op: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    let expected = || PyTypeError::new_err("an op is (name, argument, ...), as (\"flip\", 0)");
    if op.extract::<std::borrow::Cow<'_, str>>().is_ok() || op.len().is_err() {
        return Err(expected());
    }
    let parts = op.try_iter()?.collect::<PyResult<Vec<_>>>()?;
    let (name, arguments) = parts.split_first().ok_or_else(expected)?;
    let name: String = name.extract().map_err(|_| expected())?;
    if !OPS.contains(&name.as_str()) {
        let fields = PyDict::new(target.py());
        fields.set_item("op", &name)?;
        let message = format!("unknown op {name}; expected one of {}", OPS.join(", "));
        return Err(exception(target.py(), "unknown_op", &message, &fields));
    }
    target.call_method1(name.as_str(), PyTuple::new(target.py(), arguments)?)
}

#[pymethods]
impl PyView {
    /// The view with fewer valid indices: only those within a pair for every axis.
    ///
    /// >>> View((3, 4)).masked((0, 3), (1, 3)).mask
    /// ((0, 3), (1, 3))
    #[pyo3(signature = (*bounds))]
    fn masked(&self, py: Python<'_>, bounds: &Bound<'_, PyTuple>) -> PyResult<PyView> {
        self.op(py, self.0.masked(&args::spread_pairs(bounds)?))
    }

    /// The elements in the same order under another shape; one size may be -1.
    ///
    /// Returns a verdict: the view, or why there is none.
    ///
    /// >>> View((4, 6)).T.reshape(2, 3, -1).view
    /// View((2, 3, 4), (3, 1, 6))
    /// >>> bool(View((4, 6)).T.reshape(24)), bool(View((4, 6)).T.reshape(24, order="F"))
    /// (False, True)
    #[pyo3(signature = (*shape, order="C"))]
    fn reshape(
        &self,
        py: Python<'_>,
        shape: &Bound<'_, PyTuple>,
        order: &str,
    ) -> PyResult<Py<PyAny>> {
        let order = Order::read(order)?;
        let top = reshape_target(py, &self.0, &args::spread(shape)?)?;
        if order == Order::C {
            return regrouped(py, &self.0, top);
        }
        let rank = self.0.rank();
        let below = self.0.permute(&order.axes(rank, 0, rank)).or_refuse_for(py, &self.0)?;
        regrouped(py, &below, order.view(py, top)?)
    }

    /// The axes from `start` to `end`, both included, joined into one: a verdict.
    ///
    /// >>> View((2, 3, 4)).flatten(1).view
    /// View((2, 12), (12, 1))
    /// >>> View((2, 3, 4)).T.flatten(order="F").view
    /// View((24,), (1,))
    #[pyo3(
        signature = (start=0, end=-1, *, order="C"),
        text_signature = "($self, start=0, end=-1, *, order='C')"
    )]
    fn flatten(&self, py: Python<'_>, start: i64, end: i64, order: &str) -> PyResult<Py<PyAny>> {
        let axes = flatten_axes(Order::read(order)?, self.0.rank(), start, end);
        let top = flatten_target(py, &self.0, start, end)?;
        regrouped(py, &self.0.permute(&axes).or_refuse_for(py, &self.0)?, top)
    }

    /// One axis split into several, one of which may be -1: a verdict.
    ///
    /// >>> View((2, 12)).unflatten(1, (3, -1)).view
    /// View((2, 3, 4), (12, 4, 1))
    fn unflatten(
        &self,
        py: Python<'_>,
        axis: i64,
        sizes: &Bound<'_, PyAny>,
    ) -> PyResult<Py<PyAny>> {
        let top = unflatten_target(py, &self.0, axis, &args::numbers(sizes)?)?;
        regrouped(py, &self.0, top)
    }

    /// Any strided view of the elements in row-major order: a verdict.
    ///
    /// Strides and offset count elements of this view, not memory positions.
    ///
    /// >>> View((6,)).as_strided((4, 3), (1, 1)).view
    /// View((4, 3), (1, 1))
    #[pyo3(signature = (shape, strides, offset=0))]
    fn as_strided(
        &self,
        py: Python<'_>,
        shape: &Bound<'_, PyAny>,
        strides: &Bound<'_, PyAny>,
        #[pyo3(from_py_with = args::number)] offset: i64,
    ) -> PyResult<Py<PyAny>> {
        let (shape, strides) = (args::numbers(shape)?, args::numbers(strides)?);
        let top = View::strided(&shape, &strides, offset)
            .map_err(|error| refusal(py, &error, Some(&shape), Some(&strides)))?;
        let pair = [self.0.clone(), top];
        let verdict = patience::merge(py, &pair)?.or_refuse_for(py, &self.0)?;
        verdict_object(py, verdict, Some(view_tuple(py, pair.to_vec())?))
    }

    /// The axes in another order.
    ///
    /// >>> View((2, 3, 4)).permute(2, 0, 1)
    /// View((4, 2, 3), (1, 12, 4))
    #[pyo3(signature = (*axes))]
    fn permute(&self, py: Python<'_>, axes: &Bound<'_, PyTuple>) -> PyResult<PyView> {
        self.op(py, self.0.permute(&args::spread(axes)?))
    }

    /// Two axes exchanged, as in PyTorch; any other number is an order of all axes, as in
    /// NumPy, and no argument reverses them.
    ///
    /// >>> View((2, 3)).transpose(0, -1)
    /// View((3, 2), (1, 3))
    /// >>> View((2, 3, 4)).transpose(2, 0, 1).shape
    /// (4, 2, 3)
    #[pyo3(signature = (*axes))]
    fn transpose(&self, py: Python<'_>, axes: &Bound<'_, PyTuple>) -> PyResult<PyView> {
        self.op(
            py,
            match args::transposed(axes, self.0.rank())? {
                Transposed::Two(first, second) => self.0.transpose(first, second),
                Transposed::All(order) => self.0.permute(&order),
            },
        )
    }

    /// All axes in reverse order.
    ///
    /// >>> View((2, 3)).T
    /// View((3, 2), (1, 3))
    #[getter(T)]
    fn reversed_axes(&self, py: Python<'_>) -> PyResult<PyView> {
        let order: Vec<i64> = (0..self.0.rank() as i64).rev().collect();
        self.op(py, self.0.permute(&order))
    }

    /// Axes of size 1 repeated; further axes may be added in front, -1 keeps a size.
    ///
    /// >>> View((3, 1)).expand(2, -1, 4)
    /// View((2, 3, 4), (0, 1, 0))
    #[pyo3(signature = (*shape))]
    fn expand(&self, py: Python<'_>, shape: &Bound<'_, PyTuple>) -> PyResult<PyView> {
        self.op(py, self.0.expand(&args::spread(shape)?))
    }

    /// NumPy's name for `expand`, without -1.
    ///
    /// >>> View((3,)).broadcast_to((2, 3))
    /// View((2, 3), (0, 1))
    #[pyo3(signature = (*shape))]
    fn broadcast_to(&self, py: Python<'_>, shape: &Bound<'_, PyTuple>) -> PyResult<PyView> {
        self.op(py, self.0.broadcast_to(&args::spread(shape)?))
    }

    /// Padding of (before, after) invalid indices on every axis.
    ///
    /// >>> View((2,)).pad((1, 2))
    /// View((5,), (1,), offset=-1, mask=((1, 3),))
    #[pyo3(signature = (*amounts))]
    fn pad(&self, py: Python<'_>, amounts: &Bound<'_, PyTuple>) -> PyResult<PyView> {
        self.op(py, self.0.pad(&args::spread_pairs(amounts)?))
    }

    /// Only the indices lo <= i < hi of every axis.
    ///
    /// >>> View((4, 4)).shrink((1, 3), (0, 2))
    /// View((2, 2), (4, 1), offset=4)
    #[pyo3(signature = (*bounds))]
    fn shrink(&self, py: Python<'_>, bounds: &Bound<'_, PyTuple>) -> PyResult<PyView> {
        self.op(py, self.0.shrink(&args::spread_pairs(bounds)?))
    }

    /// The named axes reversed; an empty sequence reverses none, as in PyTorch.
    ///
    /// >>> View((2, 3)).flip(1)
    /// View((2, 3), (3, -1), offset=2)
    #[pyo3(signature = (*axes))]
    fn flip(&self, py: Python<'_>, axes: &Bound<'_, PyTuple>) -> PyResult<PyView> {
        args::some_axes(axes, self.0.rank())?;
        self.op(py, self.0.flip(&args::spread(axes)?))
    }

    /// Every n-th index of each axis; a negative step walks backwards from the last.
    ///
    /// >>> View((5, 4)).step(2, -1)
    /// View((3, 4), (8, -1), offset=3)
    #[pyo3(signature = (*steps))]
    fn step(&self, py: Python<'_>, steps: &Bound<'_, PyTuple>) -> PyResult<PyView> {
        self.op(py, self.0.step(&args::spread(steps)?))
    }

    /// Slices of the leading axes; `view[...]` does the same.
    ///
    /// >>> View((5, 4)).slice("1:", "::-2")
    /// View((4, 2), (4, -2), offset=7)
    /// >>> View((5, 4)).slice(slice(1, None))
    /// View((4, 4), (4, 1), offset=4)
    #[pyo3(signature = (*slices))]
    fn slice(&self, py: Python<'_>, slices: &Bound<'_, PyTuple>) -> PyResult<PyView> {
        self.op(py, self.0.slice(&args::spread_slices(slices)?))
    }

    /// NumPy's basic indexing: integers, slices, None and `...`.
    fn __getitem__(&self, py: Python<'_>, key: &Bound<'_, PyAny>) -> PyResult<PyView> {
        let subscript = Subscript::read(key, self.0.shape())?;
        let mut view = self.0.slice(&subscript.slices).or_refuse_for(py, &self.0)?;
        for edit in subscript.edits {
            view = match edit {
                Edit::Squeeze(axis) => view.squeeze(axis),
                Edit::Unsqueeze(axis) => view.unsqueeze(axis),
            }
            .or_refuse_for(py, &self.0)?;
        }
        Ok(PyView(view))
    }

    /// An axis of size 1 removed; without an argument, all of them.
    ///
    /// >>> View((2, 1, 1)).squeeze(1).shape, View((2, 1, 1)).squeeze().shape
    /// ((2, 1), (2,))
    #[pyo3(signature = (axis=None))]
    fn squeeze(&self, py: Python<'_>, axis: Option<i64>) -> PyResult<PyView> {
        self.op(py, axis.map_or_else(|| self.0.squeeze_all(), |axis| self.0.squeeze(axis)))
    }

    /// All axes of size 1 removed.
    ///
    /// >>> View((1, 2, 1)).squeeze_all().shape
    /// (2,)
    fn squeeze_all(&self, py: Python<'_>) -> PyResult<PyView> {
        self.op(py, self.0.squeeze_all())
    }

    /// A new axis of size 1, which will be axis `axis` of the result.
    ///
    /// >>> View((2, 3)).unsqueeze(-1).shape
    /// (2, 3, 1)
    fn unsqueeze(&self, py: Python<'_>, axis: i64) -> PyResult<PyView> {
        self.op(py, self.0.unsqueeze(axis))
    }

    /// Applies an op given as data, (name, argument, ...): a verdict.
    ///
    /// >>> View((2, 3)).apply(("permute", (1, 0))).view
    /// View((3, 2), (1, 3))
    fn apply(slf: &Bound<'_, Self>, op: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        let result = apply(slf.as_any(), op)?;
        match result.cast::<PyView>() {
            Ok(view) => {
                let asked = view_tuple(slf.py(), vec![view.get().0.clone()])?;
                verdict_object(slf.py(), Verdict::Merged(view.get().0.clone()), Some(asked))
            }
            Err(_) => Ok(result.unbind()),
        }
    }

    /// The chain of this view and one on top of it, which counts its elements.
    ///
    /// >>> print(View((6,)).append(View((2,), (3,), 1)))
    /// (6):(1) | (2):(3)+1
    fn append(&self, py: Python<'_>, view: &Bound<'_, PyAny>) -> PyResult<PyChain> {
        let chain = ViewChain::from(self.0.clone()).append(args::view(view)?);
        chain.or_refuse_for(py, &self.0).map(PyChain)
    }
}
