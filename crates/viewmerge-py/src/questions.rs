//! The questions: functions of the module.
//!
//! Plain data is returned as tuples, from which `_questions.py` makes records.

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use viewmerge::reference::{Spec, Table};
use viewmerge::{Blame, CopyPlan, Equivalence, Limit, Reason, Remedies, Verdict, View, ViewChain};

use crate::args;
use crate::classes::PyView;
use crate::error::{OrRefuse, exception};
use crate::patience;
use crate::verdict::verdict_object;

/// Whether views, memory side first, are one view.
///
/// Takes views, chains or texts, one by one or in a sequence.
///
/// >>> merge("(10,3,3):(8,1,2)", "(4):(4)")
/// Merged(View((4,), (3,)))
/// >>> verdict = merge([View((3, 2), (1, 3)), View((6,))])
/// >>> print(verdict)
/// not one view: the step along axis 0 is +3 at (0), but −2 at (1)
#[pyfunction]
#[pyo3(signature = (*views))]
pub(crate) fn merge(py: Python<'_>, views: &Bound<'_, PyTuple>) -> PyResult<Py<PyAny>> {
    if views.len() == 2
        && let (Ok(below), Ok(above)) = (views.get_borrowed_item(0), views.get_borrowed_item(1))
        && let (Ok(below), Ok(above)) = (below.cast::<PyView>(), above.cast::<PyView>())
    {
        let pair = [below.get().0.clone(), above.get().0.clone()];
        let verdict = patience::merge(py, &pair)?.or_refuse(py)?;
        return verdict_object(py, verdict, Some(views.clone().into_any().unbind()));
    }
    let views = match args::views(views) {
        Ok(views) => views,
        // A chain with unknown sizes is a Python object, which answers itself.
        Err(error) => match views.get_item(0).ok().filter(|_| views.len() == 1) {
            Some(only) if only.get_type().name()?.to_cow()? == "SymbolicChain" => {
                return only.call_method0("merge").map(Bound::unbind);
            }
            _ => return Err(error),
        },
    };
    let verdict = patience::merge(py, &views)?.or_refuse(py)?;
    verdict_object(py, verdict, Some(view_tuple(py, views)?))
}

/// The same within about this many steps of search; None if undecided.
///
/// Deciding is coNP-complete when the number of axes is unbounded. Views of real programs
/// take a handful of steps, each some 100 ns.
///
/// >>> merge_within(["(10,3,3):(8,1,2)", "(4):(4)"], 100)
/// Merged(View((4,), (3,)))
/// >>> merge_within(["(10,3,3):(8,1,2)", "(4):(4)"], 0) is None
/// True
#[pyfunction]
pub(crate) fn merge_within(
    py: Python<'_>,
    views: &Bound<'_, PyAny>,
    steps: u64,
) -> PyResult<Option<Py<PyAny>>> {
    let views = args::views(&PyTuple::new(py, [views])?)?;
    let found = patience::merge_at_most(py, &views, steps)?;
    if patience::is_undecided(&found) {
        return Ok(None);
    }
    verdict_object(py, found.or_refuse(py)?, Some(view_tuple(py, views)?)).map(Some)
}

/// Views as a tuple of objects.
pub(crate) fn view_tuple(py: Python<'_>, views: Vec<View>) -> PyResult<Py<PyAny>> {
    let objects = views.into_iter().map(|view| Bound::new(py, PyView(view)));
    let objects = objects.collect::<PyResult<Vec<_>>>()?;
    Ok(PyTuple::new(py, objects)?.into_any().unbind())
}

/// (kind, index): whether two chains are the same function.
#[pyfunction]
pub(crate) fn equivalence<'py>(
    py: Python<'py>,
    a: &Bound<'py, PyAny>,
    b: &Bound<'py, PyAny>,
) -> PyResult<(&'static str, Option<Bound<'py, PyTuple>>)> {
    let (a, b) = (args::chain(a)?, args::chain(b)?);
    let few = |chain: &ViewChain| {
        patience::runs_are_quick(chain.views())
            && chain.simplify(&Limit::none()).is_ok_and(|c| c.views().len() == 1)
    };
    let small = patience::is_small(a.views()) && patience::is_small(b.views());
    let quick = small || few(&a) && patience::runs_are_quick(b.views());
    Ok(match patience::run(py, quick, move |limit| a.equivalent(&b, limit))?.or_refuse(py)? {
        Equivalence::Same => ("same", None),
        Equivalence::Shapes => ("shapes", None),
        Equivalence::Differ(index) => ("differ", Some(args::tuple(py, &index)?)),
    })
}

/// (size, stride, real size) of every group of axes that can be fused.
#[pyfunction]
pub(crate) fn merged_dims(view: &Bound<'_, PyAny>) -> PyResult<Vec<(i64, i64, i64)>> {
    let groups = viewmerge::merge_dims(&args::view(view)?);
    Ok(groups.iter().map(|group| (group.size, group.stride, group.real_size)).collect())
}

type Copy<'py> = (usize, Bound<'py, PyTuple>, i64, Bound<'py, PyView>);
type Remedy<'py> = (Option<(usize, usize, i64)>, Option<(usize, i64)>, Option<Copy<'py>>);
type Because<'py> = Vec<(&'static str, Bound<'py, PyDict>)>;
type Reasons<'py> = (Py<PyAny>, Because<'py>, Vec<Bound<'py, PyTuple>>, Remedy<'py>, String);

fn copy_parts<'py>(py: Python<'py>, plan: CopyPlan) -> PyResult<Copy<'py>> {
    let stored = PyTuple::new(py, plan.stored.iter())?;
    Ok((plan.view, stored, plan.elements, Bound::new(py, PyView(plan.rest))?))
}

/// (kind, fields) of a reason why a chain is one view.
fn reason_parts<'py>(
    py: Python<'py>,
    reason: Reason,
) -> PyResult<(&'static str, Bound<'py, PyDict>)> {
    let fields = PyDict::new(py);
    let axes = |view: usize, outer: usize, inner: usize| -> PyResult<()> {
        fields.set_item("view", view)?;
        fields.set_item("outer", outer)?;
        fields.set_item("inner", inner)
    };
    let kind = match reason {
        Reason::Single => "single",
        Reason::NothingValid => "nothing_valid",
        Reason::Line { view } => {
            fields.set_item("view", view)?;
            "line"
        }
        Reason::Contiguous { view, outer, inner } => {
            axes(view, outer, inner)?;
            "contiguous"
        }
        Reason::OneIndex { view, axis } => {
            fields.set_item("view", view)?;
            fields.set_item("axis", axis)?;
            "one_index"
        }
        Reason::Steady { view, outer, inner, carries } => {
            axes(view, outer, inner)?;
            fields.set_item("carries", PyTuple::new(py, carries)?)?;
            "steady"
        }
        Reason::Cancel { view, axis, at, overflows } => {
            fields.set_item("view", view)?;
            fields.set_item("axis", axis)?;
            fields.set_item("at", args::tuple(py, &at)?)?;
            let carries = overflows.iter().map(|c| (c.outer, c.inner, c.jump, c.extra));
            fields.set_item("overflows", PyTuple::new(py, carries.collect::<Vec<_>>())?)?;
            "cancel"
        }
        Reason::Together { first, last } => {
            fields.set_item("first", first)?;
            fields.set_item("last", last)?;
            "together"
        }
        other => return Err(PyRuntimeError::new_err(format!("{other:?} has no record"))),
    };
    Ok((kind, fields))
}

/// (verdict, because, blame, remedies, text) of a chain.
#[pyfunction]
pub(crate) fn reasons<'py>(py: Python<'py>, chain: &Bound<'py, PyAny>) -> PyResult<Reasons<'py>> {
    let asked = view_tuple(py, args::chain(chain)?.views().to_vec())?;
    let chain = args::chain(chain)?;
    let merges = matches!(patience::merge_quickly(&chain), Ok(Verdict::Merged(_)));
    let quick =
        merges && patience::runs_are_quick(chain.views()) || patience::is_small(chain.views());
    let why = patience::run(py, quick, move |limit| chain.explain(limit))?.or_refuse(py)?;
    let text = why.to_string();
    let blame = why.blame.into_iter().map(|blame| match blame {
        Blame::Axes { view, outer, inner, stride, contiguous } => {
            ("axes", view, outer, inner, stride, contiguous).into_pyobject(py)
        }
        Blame::Mask { view, axis, across } => {
            ("mask", view, axis, PyTuple::new(py, across)?).into_pyobject(py)
        }
        other => Err(PyRuntimeError::new_err(format!("{other:?} has no record"))),
    });
    let blame = blame.collect::<PyResult<Vec<_>>>()?;
    let because = why.because.into_iter().map(|reason| reason_parts(py, reason));
    let because = because.collect::<PyResult<Vec<_>>>()?;
    let Remedies { stride, length, copy, .. } = why.remedies;
    let stride = stride.map(|other| (other.view, other.axis, other.stride));
    let length = length.map(|shorter| (shorter.axis, shorter.length));
    let copy = copy.map(|plan| copy_parts(py, plan)).transpose()?;
    Ok((
        verdict_object(py, why.verdict, Some(asked))?,
        because,
        blame,
        (stride, length, copy),
        text,
    ))
}

/// (view, stored, elements, rest) of the cheapest copy, or None if the chain is one view.
#[pyfunction]
pub(crate) fn copy_plan<'py>(
    py: Python<'py>,
    chain: &Bound<'py, PyAny>,
) -> PyResult<Option<Copy<'py>>> {
    let chain = args::chain(chain)?;
    let quick = patience::is_small(chain.views());
    let plan = patience::run(py, quick, move |limit| chain.cheapest_copy(limit))?.or_refuse(py)?;
    plan.map(|plan| copy_parts(py, plan)).transpose()
}

/// The largest length to which an axis of the last view can be shortened, at its end, so
/// that the chain is one view; at least 1 if the axis has any indices.
///
/// >>> longest_mergeable(["(10,3,3):(8,1,2)", "(20):(4)"], 0)
/// 5
#[pyfunction]
pub(crate) fn longest_mergeable(
    py: Python<'_>,
    chain: &Bound<'_, PyAny>,
    axis: usize,
) -> PyResult<i64> {
    let chain = args::chain(chain)?;
    let quick = patience::is_small(chain.views());
    patience::run(py, quick, move |limit| chain.longest_mergeable(axis, limit))?.or_refuse(py)
}

/// The number of elements of a shape.
///
/// >>> element_count((2, 3)), element_count(())
/// (6, 1)
#[pyfunction]
pub(crate) fn element_count(py: Python<'_>, shape: &Bound<'_, PyAny>) -> PyResult<i64> {
    viewmerge::element_count(&args::numbers(shape)?).or_refuse(py)
}

/// The row-major linear position of an index.
///
/// >>> ravel((2, 3), (1, 1))
/// 4
#[pyfunction]
pub(crate) fn ravel(
    py: Python<'_>,
    shape: &Bound<'_, PyAny>,
    index: &Bound<'_, PyAny>,
) -> PyResult<i64> {
    viewmerge::ravel(&args::numbers(shape)?, &args::numbers(index)?).or_refuse(py)
}

/// The index at a row-major linear position.
///
/// >>> unravel((2, 3), 4)
/// (1, 1)
#[pyfunction]
pub(crate) fn unravel<'py>(
    py: Python<'py>,
    shape: &Bound<'py, PyAny>,
    position: i64,
) -> PyResult<Bound<'py, PyTuple>> {
    args::tuple(py, &viewmerge::unravel(&args::numbers(shape)?, position).or_refuse(py)?)
}

/// The cells and the one view, if there is one, by walking every index as in the definition.
#[pyfunction]
#[allow(clippy::type_complexity, reason = "the parts of the answer")]
pub(crate) fn by_definition(
    py: Python<'_>,
    chain: &Bound<'_, PyAny>,
) -> PyResult<(Vec<Option<i128>>, Option<PyView>)> {
    let chain = args::chain(chain)?;
    let quick = patience::is_small(chain.views());
    let found = patience::run(py, quick, move |_| {
        let specs: Vec<Spec> = chain.views().iter().map(Spec::from).collect();
        let table = Table::of_chain(&specs)?;
        let single = table.single_view();
        Some((table.cells().to_vec(), single))
    })?;
    let Some((cells, single)) = found else {
        let message = "the chain has more elements than are walked";
        return Err(exception(py, "too_many_cells", message, &PyDict::new(py)));
    };
    let Some(spec) = single else { return Ok((cells, None)) };
    let validity = match &spec.bounds {
        Some(bounds) => viewmerge::Validity::boxed(bounds),
        None => viewmerge::Validity::Nothing,
    };
    let view = View::new(&spec.shape, &spec.strides, spec.offset, validity).or_refuse(py)?;
    Ok((cells, Some(PyView(view))))
}
