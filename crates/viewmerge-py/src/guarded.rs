//! Guarded views.

use pyo3::prelude::*;
use pyo3::types::PyTuple;
use viewmerge::{Validity, View, ViewChain, unravel};
use viewmerge_draw::Drawing;
use viewmerge_index::GuardedView;

use crate::args;
use crate::classes::{PyChain, PyGuarded, PyView};
use crate::error::OrRefuse;
use crate::form::{PyForm, Source, guard_records, render};
use crate::notation::repr;
use crate::verdict::{Reduced, hash};
use crate::view::uses::draw;
use crate::walk::Walk;

/// The same function as two views: see `chain`.
fn as_chain(guarded: &GuardedView) -> Option<ViewChain> {
    let view = guarded.view();
    let (Some(bounds), Some((first, last))) = (view.valid_box(), view.position_range()) else {
        return Some(view.clone().into());
    };
    // The shape, strides and mask of the lower view: an axis for each guard, then the position.
    let (mut sizes, mut mask) = (Vec::new(), Vec::new());
    let mut rows: Vec<(Vec<i64>, i64)> = Vec::new();
    for guard in guarded.guards() {
        let coefficients = guard.function.axes().to_vec();
        let (mut low, mut high) = (0i64, 0i64);
        for (&c, &(lo, hi)) in coefficients.iter().zip(&bounds) {
            let ends = (c.checked_mul(lo)?, c.checked_mul(hi - 1)?);
            low = low.checked_add(ends.0.min(ends.1))?;
            high = high.checked_add(ends.0.max(ends.1))?;
        }
        let size = high.checked_sub(low)?.checked_add(1)?;
        let inside = |bound: i64| Some(bound.checked_sub(low)?.clamp(0, size));
        let from = inside(guard.lower.unwrap_or(low))?;
        let to = guard.upper.map_or(Some(size), inside)?;
        sizes.push(size);
        mask.push((from, to.max(from)));
        rows.push((coefficients, low.checked_neg()?));
    }
    sizes.push(last - first + 1);
    mask.push((0, last - first + 1));
    rows.push((view.strides().to_vec(), view.offset().checked_sub(first)?));
    let mut strides = vec![0i64; view.rank()];
    let (mut offset, mut run) = (0i64, 1i64);
    for ((coefficients, constant), size) in rows.iter().zip(&sizes).rev() {
        for (stride, c) in strides.iter_mut().zip(coefficients) {
            *stride = stride.checked_add(c.checked_mul(run)?)?;
        }
        offset = offset.checked_add(constant.checked_mul(run)?)?;
        run = run.checked_mul(*size)?;
    }
    let mut below = vec![0; sizes.len()];
    *below.last_mut()? = 1;
    let below = View::new(&sizes, &below, first, Validity::boxed(&mask)).ok()?;
    let above = View::new(view.shape(), &strides, offset, view.validity().clone()).ok()?;
    ViewChain::from_views(&[below, above]).ok()
}

type GuardArguments<'py> = (Bound<'py, PyTuple>, Option<i64>, Option<i64>);

impl PyGuarded {
    fn guard_arguments<'py>(&self, py: Python<'py>) -> PyResult<Vec<GuardArguments<'py>>> {
        let guards = self.0.guards().iter();
        guards.map(|g| Ok((args::tuple(py, g.function.axes())?, g.lower, g.upper))).collect()
    }
}

#[pymethods]
impl PyGuarded {
    #[new]
    fn new(
        view: &Bound<'_, PyAny>,
        guards: Vec<(Bound<'_, PyAny>, Option<i64>, Option<i64>)>,
    ) -> PyResult<PyGuarded> {
        let own = args::view(view)?;
        let read = guards.iter().map(|(list, lo, hi)| Ok((args::numbers(list)?, *lo, *hi)));
        let read: Vec<_> = read.collect::<PyResult<_>>()?;
        let guards: Vec<_> =
            read.iter().map(|(list, lo, hi)| (list.as_slice(), *lo, *hi)).collect();
        GuardedView::new(own.clone(), &guards).or_refuse_for(view.py(), &own).map(PyGuarded)
    }

    /// The guarded view from JSON.
    ///
    /// >>> upper = GuardedView(View((3, 3)), [((-1, 1), 0, None)])
    /// >>> GuardedView.from_json(upper.to_json()) == upper
    /// True
    #[staticmethod]
    fn from_json(py: Python<'_>, text: &str) -> PyResult<PyGuarded> {
        crate::json::read(py, text).map(PyGuarded)
    }

    /// The guarded view as JSON.
    ///
    /// >>> GuardedView(View((3,)), []).to_json()
    /// '{"view":{"shape":[3],"strides":[1],"offset":0,"mask":null},"guards":[]}'
    fn to_json(&self) -> PyResult<String> {
        crate::json::write(&self.0)
    }

    /// The view without the guards.
    ///
    /// >>> GuardedView(View((3,)), []).view
    /// View((3,), (1,))
    #[getter]
    fn view(&self) -> PyView {
        PyView(self.0.view().clone())
    }

    /// The guards.
    ///
    /// >>> GuardedView(View((3, 3)), [((-1, 1), 0, None)]).guards[0].lower
    /// 0
    #[getter]
    fn guards<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        guard_records(py, self.0.guards())
    }

    /// The sizes of the axes.
    ///
    /// >>> GuardedView(View((3,)), []).shape
    /// (3,)
    #[getter]
    fn shape<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        args::tuple(py, self.0.view().shape())
    }

    /// The number of elements, padding included.
    ///
    /// >>> GuardedView(View((3,)), []).count
    /// 3
    #[getter]
    fn count(&self) -> i64 {
        self.0.view().count()
    }

    /// The memory position of an index, or None for padding.
    ///
    /// >>> GuardedView(View((3,)), []).index(1)
    /// 1
    #[pyo3(signature = (*index))]
    fn index(&self, py: Python<'_>, index: &Bound<'_, PyTuple>) -> PyResult<Option<i64>> {
        self.0.index(&args::spread(index)?).or_refuse_for(py, self.0.view())
    }

    /// The memory position of every index in row-major order, None for padding, one at a time.
    ///
    /// >>> list(GuardedView(View((2, 2)), [((1, 1), 1, None)]).positions())
    /// [None, 1, 2, 3]
    fn positions(&self) -> Walk {
        let guarded = self.0.clone();
        Walk::new(guarded.view().count(), move |py, place| {
            let index = unravel(guarded.view().shape(), place).or_refuse(py)?;
            Ok(guarded.index(&index).or_refuse(py)?.into_pyobject(py)?.unbind())
        })
    }

    /// A chain of two views that is the same function; None if it would be too large.
    ///
    /// The upper view computes the position and the value of every guard; the guards mask
    /// the lower one.
    ///
    /// >>> upper = GuardedView(View((2, 2)), [((-1, 1), 0, None)])
    /// >>> list(upper.chain().positions()) == list(upper.positions())
    /// True
    fn chain(&self) -> Option<PyChain> {
        as_chain(&self.0).map(PyChain)
    }

    /// The picture of the guarded view: every index, with its memory position.
    ///
    /// >>> GuardedView(View((2, 2)), [((-1, 1), 0, None)]).svg().startswith("<svg")
    /// True
    #[pyo3(signature = (*, title=None, most_cells=None))]
    fn svg(&self, title: Option<&str>, most_cells: Option<usize>) -> String {
        draw(Drawing::of_guarded(&self.0), title, most_cells)
    }

    fn _repr_svg_(&self) -> String {
        self.svg(None, None)
    }

    /// The index expression, as data.
    ///
    /// >>> print(GuardedView(View((3, 3)), [((-1, 1), 0, None)]).form())
    /// 3*i0 + i1 if 0 <= -i0 + i1
    fn form(&self, py: Python<'_>) -> PyResult<PyForm> {
        let form = self.0.to_form().or_refuse_for(py, self.0.view())?;
        Ok(PyForm::new(form, Source::Guarded(self.0.clone())))
    }

    /// The index expression in a language: see `ViewChain.expr`.
    ///
    /// >>> "2 <= i0 + i1" in GuardedView(View((4, 4)), [((1, 1), 2, None)]).expr("python")
    /// True
    #[pyo3(signature = (lang="c", names=None, shifts=false, function="at"))]
    fn expr(
        &self,
        py: Python<'_>,
        lang: &str,
        names: Option<Vec<String>>,
        shifts: bool,
        function: &str,
    ) -> PyResult<String> {
        render(py, &self.form(py)?.form, lang, names, shifts, function)
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let guards = self.guard_arguments(py)?.into_pyobject(py)?.repr()?.to_string();
        Ok(format!("GuardedView({}, {guards})", repr(py, self.0.view())?))
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<PyGuarded>().is_ok_and(|other| other.get().0 == self.0)
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

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> Reduced<'py, (PyView, Vec<GuardArguments<'py>>)> {
        let guarded = slf.get();
        Ok((slf.get_type(), (guarded.view(), guarded.guard_arguments(slf.py())?)))
    }
}
