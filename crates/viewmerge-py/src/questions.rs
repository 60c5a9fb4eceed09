//! The questions: functions of the module.
//!
//! Answers that are plain data are handed over as tuples, from which
//! `_questions.py` makes records.

use pyo3::exceptions::{PyIndexError, PyRuntimeError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PySlice, PyTuple};
use viewmerge::reference::{Spec, Table};
use viewmerge::{
    Blame, Conditions, CopyPlan, Equivalence, Error, Limit, OverflowTable, Reason, Remedies,
    StridePattern, Verdict, View, ViewChain,
};

use crate::args;
use crate::chain::PyChain;
use crate::error::{OrRefuse, exception};
use crate::patience;
use crate::verdict::{PyVerdict, Reduced, verdict_object, witness_object};
use crate::view::PyView;
use crate::walk::Walk;

/// Whether views, memory side first, are one view.
///
/// Takes views, chains or the text of them, one by one or in a sequence.
///
/// >>> merge("(10,3,3):(8,1,2)", "(4):(4)")
/// Merged(View((4,), (3,)))
/// >>> verdict = merge([View((3, 2), (1, 3)), View((6,))])
/// >>> print(verdict)
/// not one view: along axis 0 the step from (0) is 3, but from (1) it is -2
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
    let views = args::views(views)?;
    let verdict = patience::merge(py, &views)?.or_refuse(py)?;
    verdict_object(py, verdict, Some(view_tuple(py, views)?))
}

/// The same with at most about so many steps of search; None if undecided.
///
/// Deciding is coNP-complete when the number of axes is unbounded. Views that
/// programs make take a handful of steps, a step some 100 ns.
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

/// The verdict on every chain of a list.
///
/// Quickest for `ViewChain` objects. The answer is a sequence; its items become
/// objects when they are asked for. Other threads go on meanwhile. A chain whose
/// views do not compose is an error for the whole list.
///
/// >>> verdicts = merge_many([["(2,3)", "(6)"], ViewChain.parse("(3,2):(1,3) | (6)")])
/// >>> verdicts[0], verdicts.merged
/// (Merged(View((6,), (1,))), (True, False))
#[pyfunction]
pub(crate) fn merge_many(py: Python<'_>, chains: &Bound<'_, PyAny>) -> PyResult<Verdicts> {
    let items = chains.try_iter()?.map(|item| own_chain(&item?)).collect::<PyResult<Vec<_>>>()?;
    let refs: Vec<&ViewChain> = items.iter().map(|item| &item.get().0).collect();
    let mut verdicts: Vec<Verdict> = Vec::with_capacity(refs.len());
    while verdicts.len() < refs.len() {
        let done = verdicts.len();
        let next = &refs[done..refs.len().min(done + AT_A_TIME)];
        // Other threads may run, unless that would take longer than the work.
        let list = &mut verdicts;
        let stopped =
            if next.len() < 64 { quickly(next, list) } else { py.detach(|| quickly(next, list)) };
        match stopped {
            Some(Err(error)) => return Err(error).or_refuse_for(py, refs[verdicts.len()].last()),
            Some(Ok(())) => {
                let hard = refs[verdicts.len()];
                verdicts.push(patience::merge_chain(py, hard)?.or_refuse_for(py, hard.last())?);
            }
            None => {}
        }
        py.check_signals()?;
    }
    drop(refs);
    let chains = items.into_iter().map(Bound::unbind).collect();
    Ok(Verdicts { verdicts, chains })
}

/// Views as a tuple of objects, which nobody can change.
pub(crate) fn view_tuple(py: Python<'_>, views: Vec<View>) -> PyResult<Py<PyAny>> {
    let objects = views.into_iter().map(|view| Bound::new(py, PyView(view)));
    let objects = objects.collect::<PyResult<Vec<_>>>()?;
    Ok(PyTuple::new(py, objects)?.into_any().unbind())
}

/// How many are decided between two looks for signals.
const AT_A_TIME: usize = 8192;

/// Decides one chain after the other, up to one that is refused or not quick.
fn quickly(
    chains: &[&ViewChain],
    verdicts: &mut Vec<Verdict>,
) -> Option<Result<(), viewmerge::Error>> {
    for chain in chains {
        match patience::merge_quickly(chain) {
            Ok(verdict) => verdicts.push(verdict),
            Err(Error::Undecided { .. }) => return Some(Ok(())),
            Err(error) => return Some(Err(error)),
        }
    }
    None
}

/// A chain object; made of views where it is none.
fn own_chain<'py>(item: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyChain>> {
    match item.cast::<PyChain>() {
        Ok(chain) => Ok(chain.clone()),
        Err(_) => Bound::new(item.py(), PyChain(args::chain(item)?)),
    }
}

/// The verdicts on a list of chains, a sequence: made by `merge_many`, or of verdicts.
///
/// >>> verdicts = merge_many(["(2,3) | (6)", "(3,2):(1,3) | (6)"])
/// >>> len(verdicts), verdicts.merged, [bool(verdict) for verdict in verdicts]
/// (2, (True, False), [True, False])
/// >>> verdicts[-1].witness.axis
/// 0
#[pyclass(frozen, module = "viewmerge", name = "Verdicts")]
pub(crate) struct Verdicts {
    verdicts: Vec<Verdict>,
    /// The chains they are about; none if they were made by hand.
    chains: Vec<Py<PyChain>>,
}

impl Verdicts {
    /// One of them, as an object.
    fn at(&self, py: Python<'_>, place: usize) -> PyResult<Py<PyAny>> {
        let asked = self.chains.get(place).map(|chain| chain.clone_ref(py).into_any());
        verdict_object(py, self.verdicts[place].clone(), asked)
    }
}

#[pymethods]
impl Verdicts {
    #[new]
    fn new(verdicts: &Bound<'_, PyAny>) -> PyResult<Verdicts> {
        let each = verdicts.try_iter()?.map(|item| {
            let verdict = item?.cast::<PyVerdict>()?.get().verdict.clone();
            Ok(verdict)
        });
        let verdicts = each.collect::<PyResult<_>>()?;
        Ok(Verdicts { verdicts, chains: Vec::new() })
    }

    /// Whether each is one view.
    ///
    /// >>> merge_many(["(2,3) | (6)"]).merged
    /// (True,)
    #[getter]
    fn merged<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.verdicts.iter().map(Verdict::is_merged))
    }

    fn __len__(&self) -> usize {
        self.verdicts.len()
    }

    fn __iter__(slf: Py<Self>) -> Walk {
        let count = i64::try_from(slf.get().verdicts.len()).unwrap_or(i64::MAX);
        Walk::new(count, move |py, place| slf.get().at(py, place as usize))
    }

    fn __getitem__(&self, py: Python<'_>, key: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        if let Ok(slice) = key.cast::<PySlice>() {
            let part = slice.indices(isize::try_from(self.verdicts.len())?)?;
            let place = |k: usize| part.start + part.step * k as isize;
            let places: Vec<usize> = (0..part.slicelength).map(|k| place(k) as usize).collect();
            let picked = Verdicts {
                verdicts: places.iter().map(|&place| self.verdicts[place].clone()).collect(),
                chains: places
                    .iter()
                    .filter_map(|&place| self.chains.get(place))
                    .map(|chain| chain.clone_ref(py))
                    .collect(),
            };
            return Ok(picked.into_pyobject(py)?.into_any().unbind());
        }
        let number: isize = key.extract()?;
        let place = if number < 0 { number + self.verdicts.len() as isize } else { number };
        match usize::try_from(place) {
            Ok(place) if place < self.verdicts.len() => self.at(py, place),
            _ => Err(PyIndexError::new_err("there are fewer verdicts")),
        }
    }

    fn __repr__(&self) -> String {
        let merged = self.verdicts.iter().filter(|verdict| verdict.is_merged()).count();
        format!("<Verdicts: {merged} of {} are one view>", self.verdicts.len())
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Verdicts>().is_ok_and(|other| other.get().verdicts == self.verdicts)
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> Reduced<'py, (Vec<Py<PyAny>>,)> {
        let all = 0..slf.get().verdicts.len();
        let each = all.map(|place| slf.get().at(slf.py(), place));
        Ok((slf.get_type(), (each.collect::<PyResult<_>>()?,)))
    }

    fn __hash__(&self) -> u64 {
        crate::verdict::hash(&self.verdicts.iter().map(Verdict::view).collect::<Vec<_>>())
    }
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

/// (size, stride, real size) of every group of axes that run through memory as one.
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

/// The largest length of an axis of the last view, shortened at its end, at
/// which the chain is one view; at least 1 if the axis has any indices.
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

/// A view some of whose strides are open: StridePattern(shape, strides=None, mask=None).
///
/// Open strides are None; without strides all are open.
///
/// >>> StridePattern.parse("(10,3,3):(?,?,1)")
/// StridePattern((10, 3, 3), (None, None, 1))
/// >>> print(StridePattern((10, 3)))
/// (10,3):(?,?)
#[pyclass(frozen, module = "viewmerge", name = "StridePattern")]
pub(crate) struct PyPattern {
    pattern: StridePattern,
    mask: viewmerge::Validity,
}

/// A pattern of not too many axes: the conditions take a table of axes by axes.
fn pattern(value: &Bound<'_, PyAny>) -> PyResult<StridePattern> {
    let pattern = any_pattern(value)?;
    args::check_length(value.py(), pattern.shape().len())?;
    Ok(pattern)
}

/// A pattern, or what makes one: its text, a shape, or a view, whose strides are known.
fn any_pattern(value: &Bound<'_, PyAny>) -> PyResult<StridePattern> {
    let py = value.py();
    if let Ok(pattern) = value.cast::<PyPattern>() {
        return Ok(pattern.get().pattern.clone());
    }
    if let Ok(view) = value.cast::<PyView>() {
        let view = &view.get().0;
        let strides: Vec<Option<i64>> = view.strides().iter().copied().map(Some).collect();
        return StridePattern::masked(view.shape(), &strides, view.validity().clone())
            .or_refuse(py);
    }
    if let Ok(text) = value.extract::<std::borrow::Cow<'_, str>>() {
        return text.parse::<StridePattern>().or_refuse(py);
    }
    let shape = args::numbers(value)?;
    StridePattern::new(&shape, &vec![None; shape.len()]).or_refuse(py)
}

#[pymethods]
impl PyPattern {
    #[new]
    #[pyo3(signature = (shape, strides=None, mask=None))]
    fn new(
        py: Python<'_>,
        shape: &Bound<'_, PyAny>,
        strides: Option<Vec<Option<i64>>>,
        mask: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<PyPattern> {
        let shape = args::numbers(shape)?;
        let strides = strides.unwrap_or_else(|| vec![None; shape.len()]);
        let mask = args::validity(mask)?;
        let pattern = StridePattern::masked(&shape, &strides, mask.clone()).or_refuse(py)?;
        // What is valid, in canonical form.
        let frame = View::new(&shape, &vec![0; shape.len()], 0, mask).or_refuse(py)?;
        Ok(PyPattern { pattern, mask: frame.validity().clone() })
    }

    /// Reads a view with `?` for an open stride; strides left out are all open.
    ///
    /// >>> StridePattern.parse("(4,3) [0:4,1:3]")
    /// StridePattern((4, 3), (None, None), mask=((0, 4), (1, 3)))
    #[staticmethod]
    fn parse(py: Python<'_>, text: &str) -> PyResult<PyPattern> {
        let pattern = text.parse::<StridePattern>().or_refuse(py)?;
        // The mask stands behind the strides.
        let written = pattern.to_string();
        let mask = written.split_once(' ').map_or("", |(_, mask)| mask);
        let zeros = vec!["0"; pattern.shape().len()].join(",");
        let shape: Vec<String> = pattern.shape().iter().map(i64::to_string).collect();
        let frame: View =
            format!("({}):({zeros}) {mask}", shape.join(",")).parse::<View>().or_refuse(py)?;
        // Without the offset, which no condition depends on.
        let mask = frame.validity().clone();
        let pattern = StridePattern::masked(pattern.shape(), pattern.strides(), mask.clone());
        Ok(PyPattern { pattern: pattern.or_refuse(py)?, mask })
    }

    /// The sizes of the axes.
    ///
    /// >>> StridePattern.parse("(10,3):(?,1)").shape
    /// (10, 3)
    #[getter]
    fn shape<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        args::tuple(py, self.pattern.shape())
    }

    /// The strides, None where open.
    ///
    /// >>> StridePattern.parse("(10,3):(?,1)").strides
    /// (None, 1)
    #[getter]
    fn strides<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.pattern.strides())
    }

    /// Which indices are valid, as `View.mask`.
    ///
    /// >>> StridePattern.parse("(10,3)").mask is None
    /// True
    #[getter]
    fn mask(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        crate::view::mask_object(py, &self.mask)
    }

    fn __str__(&self) -> String {
        self.pattern.to_string()
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let mut text =
            format!("StridePattern({}, {}", self.shape(py)?.repr()?, self.strides(py)?.repr()?);
        let mask = self.mask(py)?;
        if !mask.is_none(py) {
            text += &format!(", mask={}", mask.bind(py).repr()?);
        }
        Ok(text + ")")
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<PyPattern>().is_ok_and(|other| other.get().pattern == self.pattern)
    }

    fn __hash__(&self) -> u64 {
        crate::verdict::hash(&self.pattern.to_string())
    }

    fn __reduce__<'py>(
        slf: &Bound<'py, Self>,
    ) -> Reduced<'py, (Bound<'py, PyTuple>, Bound<'py, PyTuple>, Py<PyAny>)> {
        let (py, own) = (slf.py(), slf.get());
        Ok((slf.get_type(), (own.shape(py)?, own.strides(py)?, own.mask(py)?)))
    }
}

/// The strides of a view for which it merges with another: made by `conditions`.
///
/// True if some strides merge. σ₁ is the stride of axis 0.
///
/// >>> found = conditions("(10,3,3)", "(6):(4)")
/// >>> found.solved
/// ('σ₁ = 9σ₃', 'σ₂ = 3σ₃')
/// >>> found.allow((9, 3, 1)), found.allow((8, 1, 2))
/// (True, False)
#[pyclass(frozen, module = "viewmerge", name = "Conditions")]
pub(crate) struct PyConditions {
    found: Conditions,
    below: StridePattern,
    above: View,
}

/// The strides of `below`, a view whose shape is known, for which it merges with `above`.
///
/// `below` is a StridePattern or its text, a shape, or a view, whose strides
/// are then all known.
///
/// >>> print(conditions("(10,3,3)", "(6):(4)"))
/// σ₁ = 9σ₃, σ₂ = 3σ₃; merged strides (4σ₃)
/// >>> print(conditions("(10,3,3)", "(3):(4)"))
/// all strides merge; merged strides (σ₂ + σ₃)
#[pyfunction]
pub(crate) fn conditions(
    py: Python<'_>,
    below: &Bound<'_, PyAny>,
    above: &Bound<'_, PyAny>,
) -> PyResult<PyConditions> {
    let (below, above) = (pattern(below)?, args::view(above)?);
    let quick = below.shape().len() <= 16 && patience::is_small(std::slice::from_ref(&above));
    let (below, above, found) = patience::run(py, quick, move |limit| {
        let found = viewmerge::conditions(&below, &above, limit);
        (below, above, found)
    })?;
    Ok(PyConditions { found: found.or_refuse_for(py, &above)?, below, above })
}

#[pymethods]
impl PyConditions {
    /// The equations as (coefficients, axis, at, other, grown, length, text).
    #[getter]
    fn _equations<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyTuple>>> {
        let equations = self.found.equations().iter().map(|equation| {
            let coefficients = args::tuple(py, &equation.coefficients)?;
            let (at, other) = (args::tuple(py, &equation.at)?, args::tuple(py, &equation.other)?);
            let text = equation.to_string();
            let (grown, length) = (equation.grown, equation.length);
            (coefficients, equation.axis, at, other, grown, length, text).into_pyobject(py)
        });
        equations.collect()
    }

    /// The equations, in the order in which longer axes need them.
    ///
    /// >>> [str(e) for e in conditions("(10,3,3)", "(6):(4)").equations]
    /// ['σ₁ = 2σ₂ + 3σ₃', 'σ₁ = 3σ₂']
    #[getter]
    fn equations<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py()
            .import("viewmerge._records")?
            .call_method1("equations", (slf.get()._equations(slf.py())?,))
    }

    /// Whether no integer strides merge.
    ///
    /// >>> conditions("(10,3,3):(1,1,1)", "(4):(4)").is_impossible
    /// True
    #[getter]
    fn is_impossible(&self) -> bool {
        self.found.is_impossible()
    }

    /// For every axis of the upper view the lengths, padding at its start
    /// included, at which a new equation appears.
    ///
    /// >>> conditions("(10,3,3)", "(20):(4)").lengths
    /// ((4, 6),)
    #[getter]
    fn lengths<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let lengths = self.found.lengths().iter().map(|lengths| args::tuple(py, lengths));
        PyTuple::new(py, lengths.collect::<PyResult<Vec<_>>>()?)
    }

    /// Strides whose integer combinations are all that satisfy the equations, the
    /// known ones left aside; None if they do not fit 64 bits.
    ///
    /// >>> conditions("(10,3,3)", "(4):(4)").basis()
    /// ((2, 1, 0), (3, 0, 1))
    fn basis<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyTuple>>> {
        let Some(basis) = self.found.basis() else { return Ok(None) };
        let rows = basis.iter().map(|row| args::tuple(py, row)).collect::<PyResult<Vec<_>>>()?;
        PyTuple::new(py, rows).map(Some)
    }

    /// Why the valid indices are no box, or None; if they are none, strides do not matter.
    ///
    /// >>> conditions("(3,4) [0:3,1:3]", "(12)").hole.invalid
    /// (3,)
    #[getter]
    fn hole(&self, py: Python<'_>) -> PyResult<Option<Py<PyAny>>> {
        self.found.hole().map(|witness| witness_object(py, witness.clone())).transpose()
    }

    /// Whether these strides satisfy all equations and agree with the known ones.
    ///
    /// >>> conditions("(10,3,3):(?,?,1)", "(6):(4)").allow((18, 6, 2))
    /// False
    #[pyo3(signature = (*strides))]
    fn allow(&self, strides: &Bound<'_, PyTuple>) -> PyResult<bool> {
        Ok(self.found.allow(&args::spread(strides)?))
    }

    /// The equations solved over the integers: each gives one stride by those that
    /// stay free, and by integers t₁, t₂ … that may be chosen.
    ///
    /// >>> conditions("(4,6)", "(24)").solved
    /// ('σ₁ = 6σ₂',)
    #[getter]
    fn solved<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.found.solved())
    }

    /// The strides of the merged view, one formula for each axis.
    ///
    /// >>> conditions("(4,6)", "(24)").merged_strides
    /// ('σ₂',)
    #[getter]
    fn merged_strides<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.found.merged_strides())
    }

    /// The solved equations and the merged strides as LaTeX.
    ///
    /// >>> conditions("(4,6)", "(24)").to_latex().splitlines()[1]
    /// '\\sigma_{1} &= 6\\sigma_{2} \\\\'
    fn to_latex(&self) -> String {
        self.found.to_latex()
    }

    fn _repr_latex_(&self) -> String {
        format!("${}$", self.found.to_latex().trim_end())
    }

    fn __bool__(&self) -> bool {
        !self.found.is_impossible()
    }

    fn __str__(&self) -> String {
        self.found.to_string()
    }

    fn __repr__(&self) -> String {
        format!("conditions('{}', '{}')", self.below, self.above)
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<PyConditions>().is_ok_and(|other| other.get().found == self.found)
    }

    fn __hash__(&self) -> u64 {
        crate::verdict::hash(&(self.found.solved(), self.found.merged_strides()))
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, (String, String))> {
        let function = slf.py().import("viewmerge")?.getattr("conditions")?;
        Ok((function, (slf.get().below.to_string(), slf.get().above.to_string())))
    }
}

/// More rows are never listed all.
const MOST_ROWS: i64 = 1 << 16;

/// (rows, elided, text, Markdown, LaTeX) of the overflow table.
#[pyfunction]
#[allow(clippy::type_complexity, reason = "the parts of a table")]
pub(crate) fn table<'py>(
    py: Python<'py>,
    below: &Bound<'py, PyAny>,
    above: &Bound<'py, PyAny>,
    most_rows: i64,
) -> PyResult<(Vec<Bound<'py, PyTuple>>, bool, String, String, String)> {
    let (below, above) = (pattern(below)?, args::view(above)?);
    let quick = below.shape().len() <= 16 && patience::is_small(std::slice::from_ref(&above));
    let most_rows = most_rows.clamp(0, MOST_ROWS);
    let table = patience::run(py, quick, move |limit| {
        viewmerge::overflow_table(&below, &above, most_rows, limit)
    })?;
    let table: OverflowTable = table.or_refuse(py)?;
    let rows = table.rows.iter().map(|row| {
        let digits = row.digits.as_ref().map(|digits| args::tuple(py, digits)).transpose()?;
        let equation = row.equation.as_ref().map(|c| args::tuple(py, c)).transpose()?;
        let parts = (
            args::tuple(py, &row.index)?,
            row.position,
            digits,
            row.axis,
            PyTuple::new(py, &row.overflows)?,
            equation,
            row.new,
            row.holds,
            PyTuple::new(py, &row.solved)?,
        );
        parts.into_pyobject(py)
    });
    let rows = rows.collect::<PyResult<Vec<_>>>()?;
    Ok((rows, table.elided, table.to_text(), table.to_markdown(), table.to_latex()))
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

/// The cells and the one view, if there is one, by walking every index as the definition says.
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
