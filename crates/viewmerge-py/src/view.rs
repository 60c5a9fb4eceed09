//! `View`.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use viewmerge::{Validity, Verdict, View, ViewChain, ViewParts, unravel};
use viewmerge_draw::Drawing;

use crate::args::{self, Transposed};
use crate::chain::PyChain;
use crate::error::{OrRefuse, exception, refusal};
use crate::form::{self, PyForm, Source};
use crate::order::Order;
use crate::patience;
use crate::questions::view_tuple;
use crate::subscript::{Edit, Subscript};
use crate::verdict::{Reduced, hash, verdict_object};
use crate::walk::Walk;

/// A shape, strides, an offset and a validity over flat memory.
///
/// View(shape, strides=None, offset=0, mask=None): without strides the view is
/// contiguous. `mask` is None (every index is valid), a pair `(lo, hi)` for
/// every axis, or "nothing". An index that is not valid is padding and touches
/// no memory.
///
/// Views are immutable, hashable and in canonical form: they are equal exactly
/// if they are the same function.
///
/// >>> view = View((10, 3, 3), (8, 1, 2), offset=5)
/// >>> print(view)
/// (10,3,3):(8,1,2)+5
/// >>> view.index(1, 2, 0)
/// 15
/// >>> View((2, 3)) == View.parse("(2,3):(3,1)")
/// True
/// >>> eval(repr(view)) == view
/// True
#[pyclass(frozen, subclass, module = "viewmerge", name = "View")]
pub(crate) struct PyView(pub(crate) View);

/// What `repr` gives.
pub(crate) fn repr(py: Python<'_>, view: &View) -> PyResult<String> {
    let list =
        |numbers: &[i64]| -> PyResult<String> { Ok(args::tuple(py, numbers)?.repr()?.to_string()) };
    let mut text = format!("View({}", list(view.shape())?);
    if *view.validity() == Validity::Nothing {
        return Ok(text + ", mask='nothing')");
    }
    text += &format!(", {}", list(view.strides())?);
    if view.offset() != 0 {
        text += &format!(", offset={}", view.offset());
    }
    if let Validity::Box(bounds) = view.validity() {
        text += &format!(", mask={}", args::pairs_tuple(py, bounds)?.repr()?);
    }
    Ok(text + ")")
}

/// The mask as Python has it.
pub(crate) fn mask_object(py: Python<'_>, validity: &Validity) -> PyResult<Py<PyAny>> {
    Ok(match validity {
        Validity::All => py.None(),
        Validity::Box(bounds) => args::pairs_tuple(py, bounds)?.into_any().unbind(),
        Validity::Nothing => "nothing".into_pyobject(py)?.into_any().unbind(),
    })
}

/// The contiguous view of the shape that a regrouping of `view` asks for.
fn target(
    py: Python<'_>,
    view: &View,
    regroup: impl Fn(&View) -> Result<Verdict, viewmerge::Error>,
) -> PyResult<View> {
    // The contiguous view of the same shape can be regrouped in any way that is allowed.
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

/// The order of axes to flatten those from `start` to `end` in an order of elements.
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

/// Ops that `apply` knows.
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
        let message = format!("{name:?} is no op, an op is one of {}", OPS.join(", "));
        return Err(exception(target.py(), "unknown_op", &message, &fields));
    }
    target.call_method1(name.as_str(), PyTuple::new(target.py(), arguments)?)
}

impl PyView {
    fn op(&self, py: Python<'_>, result: Result<View, viewmerge::Error>) -> PyResult<PyView> {
        result.or_refuse_for(py, &self.0).map(PyView)
    }
}

#[pymethods]
impl PyView {
    #[new]
    #[pyo3(signature = (shape, strides=None, offset=0, mask=None))]
    fn new(
        py: Python<'_>,
        shape: &Bound<'_, PyAny>,
        strides: Option<&Bound<'_, PyAny>>,
        offset: i64,
        mask: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<PyView> {
        let shape = args::numbers(shape)?;
        let strides = strides.map(args::numbers).transpose()?;
        let validity = args::validity(mask)?;
        let view = match &strides {
            Some(strides) => View::new(&shape, strides, offset, validity),
            None => {
                View::try_from(ViewParts { shape: shape.to_vec(), strides: None, offset, validity })
            }
        };
        view.map(PyView).map_err(|error| refusal(py, &error, Some(&shape), strides.as_deref()))
    }

    /// Reads the notation that `str` writes.
    ///
    /// >>> View.parse("(2,3):(3,1)-1 [0:2,1:3]")
    /// View((2, 3), (3, 1), offset=-1, mask=((0, 2), (1, 3)))
    /// >>> View.parse("(2,3):(3,x)")
    /// Traceback (most recent call last):
    ///     ...
    /// viewmerge.Error: at character 9: expected a number, found `x`
    #[staticmethod]
    fn parse(py: Python<'_>, text: &str) -> PyResult<PyView> {
        text.parse::<View>().or_refuse(py).map(PyView)
    }

    /// The row-major view of a shape.
    ///
    /// >>> View.contiguous(2, 3)
    /// View((2, 3), (3, 1))
    #[staticmethod]
    #[pyo3(signature = (*shape))]
    fn contiguous(py: Python<'_>, shape: &Bound<'_, PyTuple>) -> PyResult<PyView> {
        let shape = args::spread(shape)?;
        let view = View::contiguous(&shape);
        view.map(PyView).map_err(|error| refusal(py, &error, Some(&shape), None))
    }

    /// A view without padding.
    ///
    /// >>> View.strided((2, 3), (1, 2), 4)
    /// View((2, 3), (1, 2), offset=4)
    #[staticmethod]
    #[pyo3(signature = (shape, strides, offset=0))]
    fn strided(
        py: Python<'_>,
        shape: &Bound<'_, PyAny>,
        strides: &Bound<'_, PyAny>,
        offset: i64,
    ) -> PyResult<PyView> {
        PyView::new(py, shape, Some(strides), offset, None)
    }

    /// The view that is padding everywhere.
    ///
    /// >>> View.nothing(2, 3)
    /// View((2, 3), mask='nothing')
    #[staticmethod]
    #[pyo3(signature = (*shape))]
    fn nothing(py: Python<'_>, shape: &Bound<'_, PyTuple>) -> PyResult<PyView> {
        let shape = args::spread(shape)?;
        let view = View::nothing(&shape);
        view.map(PyView).map_err(|error| refusal(py, &error, Some(&shape), None))
    }

    /// The view that an array is of its memory, in elements.
    ///
    /// Works without importing anything for NumPy arrays and whatever has
    /// `shape`, `strides` in bytes and `itemsize`; for PyTorch tensors; for
    /// objects with `__array_interface__` or `__cuda_array_interface__`,
    /// DLPack, or the buffer protocol.
    ///
    /// The offset of a tensor is its `storage_offset()`. Other arrays do not
    /// say where they begin, so their offset is 0; with `base`, an array over
    /// the same memory, it is counted from the first element of `base`.
    ///
    /// Where the strides, or the distance to `base`, are no whole number of elements, the
    /// view counts bytes, as those of a field of records. What has no strides (sparse
    /// tensors) and a `base` that is other memory are refused.
    ///
    /// >>> import numpy
    /// >>> x = numpy.arange(24).reshape(4, 6)
    /// >>> View.of(x.T)
    /// View((6, 4), (1, 6))
    /// >>> View.of(x[1:, ::-2], base=x)
    /// View((3, 3), (6, -2), offset=11)
    #[staticmethod]
    #[pyo3(signature = (array, *, base=None))]
    fn of(
        py: Python<'_>,
        array: &Bound<'_, PyAny>,
        base: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Py<PyView>> {
        crate::of::view_of(py, array, base)
    }

    /// The view from JSON.
    ///
    /// >>> View.from_json('{"shape": [2, 3], "mask": [[0, 2], [1, 3]]}')
    /// View((2, 3), (3, 1), mask=((0, 2), (1, 3)))
    #[staticmethod]
    fn from_json(py: Python<'_>, text: &str) -> PyResult<PyView> {
        let parts: ViewParts = crate::json::read(py, text)?;
        View::try_from(parts).or_refuse(py).map(PyView)
    }

    /// The view as JSON.
    ///
    /// >>> View((2, 3)).to_json()
    /// '{"shape":[2,3],"strides":[3,1],"offset":0,"mask":null}'
    fn to_json(&self) -> PyResult<String> {
        crate::json::write(&self.0)
    }

    /// The sizes of the axes.
    ///
    /// >>> View((2, 3)).shape
    /// (2, 3)
    #[getter]
    fn shape<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        args::tuple(py, self.0.shape())
    }

    /// How far memory moves along each axis, in elements.
    ///
    /// >>> View((2, 3)).strides
    /// (3, 1)
    #[getter]
    fn strides<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        args::tuple(py, self.0.strides())
    }

    /// The position of the index 0, 0, ...
    ///
    /// >>> View.parse("(2,3)+4").offset
    /// 4
    #[getter]
    fn offset(&self) -> i64 {
        self.0.offset()
    }

    /// Which indices are valid: None for all, a pair for every axis, or "nothing".
    ///
    /// >>> View((3,), mask=[(0, 2)]).mask
    /// ((0, 2),)
    #[getter]
    fn mask(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        mask_object(py, self.0.validity())
    }

    /// The number of axes.
    ///
    /// >>> View((2, 3)).rank
    /// 2
    #[getter]
    fn rank(&self) -> usize {
        self.0.rank()
    }

    /// The number of elements, padding included.
    ///
    /// >>> View((2, 3)).count
    /// 6
    #[getter]
    fn count(&self) -> i64 {
        self.0.count()
    }

    /// NumPy's name for `rank`.
    ///
    /// >>> View.contiguous(2, 3).ndim
    /// 2
    #[getter]
    fn ndim(&self) -> usize {
        self.rank()
    }

    /// NumPy's name for `count`.
    ///
    /// >>> View.contiguous(2, 3).size
    /// 6
    #[getter]
    fn size(&self) -> i64 {
        self.0.count()
    }

    /// Whether there are no elements.
    ///
    /// >>> View((2, 0)).is_empty
    /// True
    #[getter]
    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether it is the row-major view of its shape, from position 0 on.
    ///
    /// >>> View((2, 3)).is_contiguous, View((2, 3), offset=1).is_contiguous
    /// (True, False)
    #[getter]
    fn is_contiguous(&self) -> bool {
        self.0.is_contiguous()
    }

    /// Whether it is row-major from some position on.
    ///
    /// >>> View((2, 3), offset=1).is_consecutive
    /// True
    #[getter]
    fn is_consecutive(&self) -> bool {
        self.0.is_consecutive()
    }

    /// The valid interval of every axis, or None if no index is valid.
    ///
    /// >>> View((2, 3)).valid_box
    /// ((0, 2), (0, 3))
    #[getter]
    fn valid_box<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyTuple>>> {
        self.0.valid_box().map(|bounds| args::pairs_tuple(py, &bounds)).transpose()
    }

    /// The smallest and largest position that is touched, or None if none is.
    ///
    /// >>> View((2, 3), (3, -1), 2).position_range
    /// (0, 5)
    #[getter]
    fn position_range(&self) -> Option<(i64, i64)> {
        self.0.position_range()
    }

    /// The axes with stride 1.
    ///
    /// >>> View((2, 3)).unit_stride_axes
    /// (1,)
    #[getter]
    fn unit_stride_axes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.0.unit_stride_axes().collect::<Vec<_>>())
    }

    /// The axes along which some indices are padding.
    ///
    /// >>> View((2, 3), mask=[(0, 2), (1, 3)]).masked_axes
    /// (1,)
    #[getter]
    fn masked_axes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.0.masked_axes().collect::<Vec<_>>())
    }

    /// Whether no memory position is touched by two valid indices.
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
        let shape = self.0.shape().to_vec();
        Walk::new(self.0.count(), move |py, place| {
            let index = unravel(&shape, place).or_refuse(py)?;
            Ok(args::tuple(py, &index)?.into_any().unbind())
        })
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
    /// Gives a verdict: the view, or why there is none.
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
        offset: i64,
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

    /// Two axes exchanged, as PyTorch's `transpose`; any other number of axes is an order of
    /// all of them, as NumPy's, and none reverses them.
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

    /// Only the indices lo <= i < hi of every axis kept.
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

    /// Every so many-th index of each axis; a negative step walks backwards from the last.
    ///
    /// >>> View((5, 4)).step(2, -1)
    /// View((3, 4), (8, -1), offset=3)
    #[pyo3(signature = (*steps))]
    fn step(&self, py: Python<'_>, steps: &Bound<'_, PyTuple>) -> PyResult<PyView> {
        self.op(py, self.0.step(&args::spread(steps)?))
    }

    /// Slices of the leading axes; `view[...]` says the same.
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

    /// An axis of size 1 removed; all of them if none is named.
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
        let form = viewmerge::IndexForm::of_view(&self.0).or_refuse_for(py, &self.0)?;
        form::render(py, &form, lang, names, shifts, function)
    }

    /// The index expression, as data.
    ///
    /// >>> print(View((2, 3)).form())
    /// 3*i0 + i1
    fn form(&self, py: Python<'_>) -> PyResult<PyForm> {
        let form = viewmerge::IndexForm::of_view(&self.0).or_refuse_for(py, &self.0)?;
        Ok(PyForm::new(form, Source::View(self.0.clone())))
    }

    /// This view of a NumPy array, without copying.
    ///
    /// `buffer` is the memory: a C-contiguous array, or anything with the buffer
    /// protocol. A position outside of it is refused. A view with padding needs
    /// `fill`, the value of padding, and gives a copy. The array can be written
    /// to if the buffer can and no two indices share a position. With `dtype` the
    /// positions count bytes of the buffer, and such an element begins at each.
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

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        repr(py, &self.0)
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<PyView>().is_ok_and(|other| other.get().0 == self.0)
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

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> Reduced<'py, Bound<'py, PyTuple>> {
        let (py, view) = (slf.py(), slf.get());
        let parts = (view.shape(py)?, view.strides(py)?, view.0.offset(), view.mask(py)?);
        Ok((slf.get_type(), parts.into_pyobject(py)?))
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
