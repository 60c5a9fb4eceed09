//! Index expressions and guarded views.

use pyo3::prelude::*;
use pyo3::types::PyTuple;
use viewmerge::{View, ViewChain};
use viewmerge_index::{
    FloorTerm, Guard, GuardedView, IndexChain, IndexForm, Language, Linear, Render,
};

use crate::args;
use crate::classes::{PyChain, PyGuarded, PyView};
use crate::error::OrRefuse;
use crate::notation::mask_object;
use crate::patience;
use crate::verdict::hash;

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

pub(crate) fn guard_records<'py>(
    py: Python<'py>,
    guards: &[Guard],
) -> PyResult<Bound<'py, PyTuple>> {
    let each = guards.iter().map(|guard| {
        record(py, "Guard", (linear_record(py, &guard.function)?, guard.lower, guard.upper))
    });
    PyTuple::new(py, each.collect::<PyResult<Vec<_>>>()?)
}

fn floor_record<'py>(py: Python<'py>, floor: &FloorTerm) -> PyResult<Bound<'py, PyAny>> {
    record(py, "FloorTerm", (linear_record(py, &floor.operand)?, floor.divisor, floor.range))
}

/// The function of a chain as one expression: made by `ViewChain.form`.
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
    pub(crate) form: IndexForm,
    source: Source,
}

/// The source of a form.
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

    /// The floors; each uses earlier ones only.
    ///
    /// >>> View((2, 3)).form().floors
    /// ()
    #[getter]
    fn floors<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let floors = self.form.floors().iter().map(|floor| floor_record(py, floor));
        PyTuple::new(py, floors.collect::<PyResult<Vec<_>>>()?)
    }

    /// The guards, each correct where the box and the guards before it hold.
    ///
    /// >>> ViewChain.parse("(18):(1) [2:17] | (16,3):(1,1)").form().guards[0].upper
    /// 17
    #[getter]
    fn guards<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        guard_records(py, self.form.guards())
    }

    /// The memory position, correct where the index is valid.
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
        self.form.max_magnitude()
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
