//! For which strides views merge, and how digits overflow.

use pyo3::prelude::*;
use pyo3::types::PyTuple;
use viewmerge::{Conditions, OpenChain, OverflowTable, StridePattern, View};

use crate::args;
use crate::classes::PyView;
use crate::error::OrRefuse;
use crate::notation::mask_object;
use crate::patience;
use crate::verdict::{Reduced, witness_object};

/// A view with open strides: StridePattern(shape, strides=None, mask=None).
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

/// A pattern with few enough axes: the conditions need a table of axes by axes.
fn pattern(value: &Bound<'_, PyAny>) -> PyResult<StridePattern> {
    let pattern = any_pattern(value)?;
    args::check_length(value.py(), pattern.shape().len())?;
    Ok(pattern)
}

/// A pattern, or anything that makes one: its text, a shape, or a view, whose strides are known.
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
        // The mask in canonical form.
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
        // The mask follows the strides.
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
        mask_object(py, &self.mask)
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
        let chain = OpenChain::new(below.clone(), std::slice::from_ref(&above));
        let found = chain.and_then(|chain| chain.conditions(limit));
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

    /// The equations, in the order in which growing axes need them.
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

    /// For every axis of the upper view, the lengths (padding at its start included) at
    /// which a new equation appears.
    ///
    /// >>> conditions("(10,3,3)", "(20):(4)").lengths
    /// ((4, 6),)
    #[getter]
    fn lengths<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let lengths = self.found.lengths().iter().map(|lengths| args::tuple(py, lengths));
        PyTuple::new(py, lengths.collect::<PyResult<Vec<_>>>()?)
    }

    /// Strides whose integer combinations are exactly those that satisfy the equations,
    /// known strides aside; None if they do not fit 64 bits.
    ///
    /// >>> conditions("(10,3,3)", "(4):(4)").basis()
    /// ((2, 1, 0), (3, 0, 1))
    fn basis<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyTuple>>> {
        let Some(basis) = self.found.basis() else { return Ok(None) };
        let rows = basis.iter().map(|row| args::tuple(py, row)).collect::<PyResult<Vec<_>>>()?;
        PyTuple::new(py, rows).map(Some)
    }

    /// A hole if the valid indices are not a box, else None; with a hole, no strides merge.
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

    /// The equations solved over the integers: each gives one stride in terms of the free
    /// ones and of arbitrary integers t₁, t₂ …
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

/// A longer table is never listed whole.
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
        OpenChain::new(below, &[above])?.overflow_table(most_rows, limit)
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
