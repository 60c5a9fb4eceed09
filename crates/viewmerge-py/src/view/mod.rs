//! `View`: its constructors and attributes.

pub(crate) mod ops;
pub(crate) mod uses;

use pyo3::prelude::*;
use pyo3::types::PyTuple;
use viewmerge::{View, ViewParts};

use crate::args;
use crate::classes::PyView;
use crate::error::{OrRefuse, refusal, refused_text};
use crate::notation::{mask_object, repr};
use crate::verdict::{Reduced, hash};

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
        #[pyo3(from_py_with = args::number)] offset: i64,
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
    /// viewmerge.Error: at column 10: expected a number, found `x`
    ///   (2,3):(3,x)
    ///            ^
    #[staticmethod]
    fn parse(py: Python<'_>, text: &str) -> PyResult<PyView> {
        text.parse().map(PyView).map_err(|error| refused_text(py, &error, text))
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
        #[pyo3(from_py_with = args::number)] offset: i64,
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

    /// The view of its memory that an array is, in elements.
    ///
    /// Works, without importing anything, for NumPy arrays and other objects with
    /// `shape`, `strides` in bytes and `itemsize`; for PyTorch tensors; and for objects
    /// with `__array_interface__` or `__cuda_array_interface__`, DLPack, or the buffer
    /// protocol.
    ///
    /// The offset of a tensor is its `storage_offset()`. Other arrays do not know where
    /// their memory begins, so their offset is 0; with `base`, an array over the same
    /// memory, it counts from the first element of `base`.
    ///
    /// If the strides or the distance to `base` are not whole numbers of elements, as for
    /// a field of records, the view counts bytes. Arrays without strides (sparse tensors)
    /// and a `base` over other memory are refused.
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

    /// Whether it is the row-major view of its shape, starting at position 0.
    ///
    /// >>> View((2, 3)).is_contiguous, View((2, 3), offset=1).is_contiguous
    /// (True, False)
    #[getter]
    fn is_contiguous(&self) -> bool {
        self.0.is_contiguous()
    }

    /// Whether it is row-major, starting at any position.
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

    /// The smallest and largest position it reads, or None if it reads none.
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
