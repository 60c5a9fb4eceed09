//! Index expressions and guarded views.

use pyo3::prelude::*;
use pyo3::types::PyTuple;
use viewmerge::{
    FloorTerm, Guard, GuardedView, IndexForm, Language, Linear, Render, Validity, View, ViewChain,
    unravel,
};
use viewmerge_draw::Drawing;

use crate::args;
use crate::chain::PyChain;
use crate::error::OrRefuse;
use crate::patience;
use crate::verdict::{Reduced, hash};
use crate::view::{PyView, draw, mask_object};
use crate::walk::Walk;

/// The form of a chain.
pub(crate) fn of_chain(py: Python<'_>, chain: &ViewChain) -> PyResult<IndexForm> {
    let decided = !patience::is_undecided(&patience::merge_quickly(chain));
    let own = chain.clone();
    patience::run(py, decided, move |limit| own.form(limit))?.or_refuse_for(py, chain.last())
}

/// A form in a language.
pub(crate) fn render(
    py: Python<'_>,
    form: &IndexForm,
    lang: &str,
    names: Option<Vec<String>>,
    shifts: bool,
    function: &str,
) -> PyResult<String> {
    let language: Language = lang.parse::<Language>().or_refuse(py)?;
    let mut how = Render::new(language).shifts(shifts).function(function);
    if let Some(names) = names {
        how = how.names(&names);
    }
    form.render(&how).or_refuse(py)
}

/// A linear function as (constant, coefficients of the axes, of the floors).
type LinearParts<'py> = (i64, Bound<'py, PyTuple>, Bound<'py, PyTuple>);

fn linear<'py>(py: Python<'py>, function: &Linear) -> PyResult<LinearParts<'py>> {
    let (axes, floors) = (args::tuple(py, function.axes())?, args::tuple(py, function.floors())?);
    Ok((function.constant(), axes, floors))
}

/// Builds a record of `_records.py`.
fn record<'py>(
    py: Python<'py>,
    name: &str,
    parts: impl pyo3::call::PyCallArgs<'py>,
) -> PyResult<Bound<'py, PyAny>> {
    py.import("viewmerge._records")?.call_method1(name, parts)
}

fn linear_record<'py>(py: Python<'py>, function: &Linear) -> PyResult<Bound<'py, PyAny>> {
    record(py, "Linear", linear(py, function)?)
}

fn guard_records<'py>(py: Python<'py>, guards: &[Guard]) -> PyResult<Bound<'py, PyTuple>> {
    let each = guards.iter().map(|guard| {
        record(py, "Guard", (linear_record(py, &guard.function)?, guard.lower, guard.upper))
    });
    PyTuple::new(py, each.collect::<PyResult<Vec<_>>>()?)
}

fn floor_record<'py>(py: Python<'py>, floor: &FloorTerm) -> PyResult<Bound<'py, PyAny>> {
    record(py, "FloorTerm", (linear_record(py, &floor.operand)?, floor.divisor, floor.range))
}

/// What a chain computes, as one expression: made by `ViewChain.form`.
///
/// The position is a linear function of the index and of floors; an index is
/// valid where a box and a list of guards hold.
///
/// >>> form = ViewChain.parse("(4,3):(1,4) | (12)").form()
/// >>> print(form)
/// 4*i0 - 11*f0 where f0 = i0 / 3
/// >>> form.position.axes, form.position.floors, form.floors[0].divisor
/// ((4,), (-11,), 3)
/// >>> form.index(5)
/// 9
#[pyclass(frozen, module = "viewmerge", name = "IndexForm")]
pub(crate) struct PyForm {
    form: IndexForm,
    source: Source,
}

/// What a form was made of.
pub(crate) enum Source {
    View(View),
    Chain(ViewChain),
    Guarded(GuardedView),
}

impl PyForm {
    pub(crate) fn new(form: IndexForm, source: Source) -> PyForm {
        PyForm { form, source }
    }

    fn source<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(match &self.source {
            Source::View(view) => Bound::new(py, PyView(view.clone()))?.into_any(),
            Source::Chain(chain) => Bound::new(py, PyChain(chain.clone()))?.into_any(),
            Source::Guarded(guarded) => Bound::new(py, PyGuarded(guarded.clone()))?.into_any(),
        })
    }
}

#[pymethods]
impl PyForm {
    /// The sizes of the axes.
    ///
    /// >>> View((2, 3)).form().shape
    /// (2, 3)
    #[getter]
    fn shape<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        args::tuple(py, self.form.shape())
    }

    /// The box outside of which no index is valid, as `View.mask`.
    ///
    /// >>> View((3,)).pad((1, 0)).form().validity
    /// ((1, 4),)
    #[getter]
    fn validity(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        mask_object(py, self.form.validity())
    }

    /// The floors, each using earlier ones only.
    ///
    /// >>> View((2, 3)).form().floors
    /// ()
    #[getter]
    fn floors<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let floors = self.form.floors().iter().map(|floor| floor_record(py, floor));
        PyTuple::new(py, floors.collect::<PyResult<Vec<_>>>()?)
    }

    /// The guards, each right where the box and the guards before it hold.
    ///
    /// >>> ViewChain.parse("(18):(1) [2:17] | (16,3):(1,1)").form().guards[0].upper
    /// 17
    #[getter]
    fn guards<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        guard_records(py, self.form.guards())
    }

    /// The memory position, right where the index is valid.
    ///
    /// >>> View((2, 3), offset=4).form().position
    /// Linear(constant=4, axes=(3, 1), floors=())
    #[getter]
    fn position<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        linear_record(py, self.form.position())
    }

    /// The largest magnitude that any sum of the expression takes.
    ///
    /// >>> View((2, 3)).form().reach
    /// 5
    #[getter]
    fn reach(&self) -> i64 {
        self.form.reach()
    }

    /// Whether 32 bits suffice for every sum.
    ///
    /// >>> View((2, 3)).form().fits_32_bits
    /// True
    #[getter]
    fn fits_32_bits(&self) -> bool {
        self.form.fits_32_bits()
    }

    /// The single view that this form is, or None if it has floors or guards.
    ///
    /// >>> ViewChain.parse("(2,6) | (3,4)").form().single_view()
    /// View((3, 4), (4, 1))
    fn single_view(&self, py: Python<'_>) -> PyResult<Option<PyView>> {
        Ok(self.form.single_view().or_refuse(py)?.map(PyView))
    }

    /// The guarded view that this form is, or None if it has floors.
    ///
    /// >>> View((2, 3)).form().guarded().guards
    /// ()
    fn guarded(&self, py: Python<'_>) -> PyResult<Option<PyGuarded>> {
        Ok(self.form.guarded().or_refuse(py)?.map(PyGuarded))
    }

    /// The memory position of an index, or None for padding.
    ///
    /// >>> View((2, 3)).form().index(1, 2)
    /// 5
    #[pyo3(signature = (*index))]
    fn index(&self, py: Python<'_>, index: &Bound<'_, PyTuple>) -> PyResult<Option<i64>> {
        self.form.index(&args::spread(index)?).or_refuse(py)
    }

    /// The expression in a language: see `ViewChain.expr`.
    ///
    /// >>> print(View((2, 3)).form().expr("python", names=["row", "column"]), end="")
    /// def at(row, column):
    ///     return 3*row + column
    #[pyo3(signature = (lang="c", names=None, shifts=false, function="at"))]
    fn expr(
        &self,
        py: Python<'_>,
        lang: &str,
        names: Option<Vec<String>>,
        shifts: bool,
        function: &str,
    ) -> PyResult<String> {
        render(py, &self.form, lang, names, shifts, function)
    }

    fn __str__(&self) -> String {
        self.form.to_string()
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!("{}.form()", self.source(py)?.repr()?))
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<PyForm>().is_ok_and(|other| other.get().form == self.form)
    }

    fn __hash__(&self) -> u64 {
        hash(&self.form)
    }

    fn __copy__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __deepcopy__(slf: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
        slf
    }

    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyAny>,))> {
        let form = py.import("operator")?.call_method1("methodcaller", ("form",))?;
        Ok((form, (self.source(py)?,)))
    }
}

/// A view some of whose indices are padding because of affine conditions.
///
/// GuardedView(view, guards): a guard is (coefficients, lower, upper); an index
/// is valid where the view is and `lower <= sum of coefficient * index < upper`
/// for every guard. A bound may be None.
///
/// >>> upper = GuardedView(View((3, 3)), [((-1, 1), 0, None)])
/// >>> print(upper)
/// (3,3):(3,1) if 0 <= -i0 + i1
/// >>> upper.index(1, 2), upper.index(2, 1)
/// (5, None)
/// >>> eval(repr(upper)) == upper
/// True
#[pyclass(frozen, module = "viewmerge", name = "GuardedView")]
pub(crate) struct PyGuarded(pub(crate) GuardedView);

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
    /// The upper view counts, beside the position, what every guard looks at;
    /// the lower one is masked by the guards.
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
        Ok(format!("GuardedView({}, {guards})", crate::view::repr(py, self.0.view())?))
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
