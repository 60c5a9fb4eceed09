//! Verdicts and witnesses.

use std::hash::{DefaultHasher, Hash, Hasher};

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple, PyType};
use viewmerge::reference::{Spec, check_witness};
use viewmerge::{Index, Verdict, Witness};

use crate::args;
use crate::classes::PyView;
use crate::error::exception;
use crate::notation::repr;

/// The result of `__reduce__`: a class and the arguments that rebuild the object.
pub(crate) type Reduced<'py, Arguments> = PyResult<(Bound<'py, PyType>, Arguments)>;

/// A hash that is the same in every run.
pub(crate) fn hash(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

/// Whether a chain of views is one view: `Merged` or `NotMergeable`.
///
/// A verdict is true if it is one view. `view` is the view then, otherwise
/// `witness` shows that no single view exists.
///
/// >>> verdict = merge("(10,3,3):(8,1,2)", "(4):(4)")
/// >>> bool(verdict), str(verdict.view), verdict.witness
/// (True, '(4):(3)', None)
/// >>> verdict = merge("(10,3,3):(8,1,2)", "(6):(4)")
/// >>> bool(verdict), verdict.view
/// (False, None)
/// >>> print(verdict)
/// not one view: the step along axis 0 is +3 at (0), but +8 at (4)
#[pyclass(frozen, subclass, module = "viewmerge", name = "Verdict")]
pub(crate) struct PyVerdict {
    pub(crate) verdict: Verdict,
    /// Its chain: views, or a `ViewChain`.
    asked: Option<Py<PyAny>>,
}

/// The verdict that the chain is one view.
///
/// >>> Merged(View((2, 3))).view
/// View((2, 3), (3, 1))
#[pyclass(frozen, extends = PyVerdict, module = "viewmerge", name = "Merged")]
pub(crate) struct PyMerged;

/// The verdict that no single view is the same function, with a witness.
///
/// >>> NotMergeable(Hole(valid=((0,), (2,)), invalid=(1,))).witness.invalid
/// (1,)
#[pyclass(frozen, extends = PyVerdict, module = "viewmerge", name = "NotMergeable")]
pub(crate) struct PyNotMergeable;

/// A verdict as an object of its class, with its chain if that is given.
#[inline]
pub(crate) fn verdict_object(
    py: Python<'_>,
    verdict: Verdict,
    asked: Option<Py<PyAny>>,
) -> PyResult<Py<PyAny>> {
    let merged = verdict.is_merged();
    let base = PyClassInitializer::from(PyVerdict { verdict, asked });
    Ok(if merged {
        Py::new(py, base.add_subclass(PyMerged))?.into_any()
    } else {
        Py::new(py, base.add_subclass(PyNotMergeable))?.into_any()
    })
}

#[pymethods]
impl PyVerdict {
    /// Whether one view was found.
    ///
    /// >>> merge("(2,3)", "(6)").is_merged
    /// True
    #[getter]
    fn is_merged(&self) -> bool {
        self.verdict.is_merged()
    }

    /// The one view, or None.
    ///
    /// >>> merge("(2,3)", "(6)").view
    /// View((6,), (1,))
    #[getter]
    fn view(&self) -> Option<PyView> {
        self.verdict.view().cloned().map(PyView)
    }

    /// Why there is no single view, or None.
    ///
    /// >>> merge("(3,2):(1,3)", "(6)").witness
    /// Step(axis=0, at=(0,), step=3, other=(1,), other_step=-2)
    #[getter]
    fn witness(&self, py: Python<'_>) -> PyResult<Option<Py<PyAny>>> {
        self.verdict.witness().map(|witness| witness_object(py, witness.clone())).transpose()
    }

    /// The verdict with a proof, which `verify` checks: see `certify`.
    ///
    /// A verdict made by hand, or unpickled, does not know its chain, so it has no certificate.
    ///
    /// >>> certificate = merge("(2,3)", "(6)").certificate()
    /// >>> print(verify(certificate))
    /// (2,3):(3,1) | (6):(1) is (6):(1)
    fn certificate<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let module = py.import("viewmerge._certificates")?;
        match &self.asked {
            Some(asked) => module.call_method1("certify", (asked,)),
            None => {
                let message = "this verdict does not know its chain, as it was made by hand or \
                               unpickled: use certify(chain)";
                Err(exception(py, "no_chain", message, &PyDict::new(py)))
            }
        }
    }

    fn __bool__(&self) -> bool {
        self.verdict.is_merged()
    }

    fn __str__(&self) -> String {
        self.verdict.to_string()
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(match &self.verdict {
            Verdict::Merged(view) => format!("Merged({})", repr(py, view)?),
            Verdict::NotMergeable(witness) => {
                format!("NotMergeable({})", witness_repr(py, witness)?)
            }
        })
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<PyVerdict>().is_ok_and(|other| other.get().verdict == self.verdict)
    }

    fn __hash__(&self) -> u64 {
        match &self.verdict {
            Verdict::Merged(view) => hash(&(0, view)),
            Verdict::NotMergeable(witness) => hash(&(1, witness.to_string())),
        }
    }

    fn __copy__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __deepcopy__(slf: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
        slf
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> Reduced<'py, Bound<'py, PyTuple>> {
        let py = slf.py();
        let part = match &slf.get().verdict {
            Verdict::Merged(view) => PyView(view.clone()).into_pyobject(py)?.into_any(),
            Verdict::NotMergeable(witness) => witness_object(py, witness.clone())?.into_bound(py),
        };
        Ok((slf.get_type(), PyTuple::new(py, [part])?))
    }
}

#[pymethods]
impl PyMerged {
    #[classattr]
    fn __match_args__() -> (&'static str,) {
        ("view",)
    }

    #[new]
    fn new(view: &Bound<'_, PyView>) -> PyClassInitializer<PyMerged> {
        let verdict = PyVerdict { verdict: Verdict::Merged(view.get().0.clone()), asked: None };
        PyClassInitializer::from(verdict).add_subclass(PyMerged)
    }
}

#[pymethods]
impl PyNotMergeable {
    #[classattr]
    fn __match_args__() -> (&'static str,) {
        ("witness",)
    }

    #[new]
    fn new(witness: &Bound<'_, PyWitness>) -> PyClassInitializer<PyNotMergeable> {
        let witness = witness.get().0.clone();
        let verdict = PyVerdict { verdict: Verdict::NotMergeable(witness), asked: None };
        PyClassInitializer::from(verdict).add_subclass(PyNotMergeable)
    }
}

/// Why no single view exists: a few indices at which no view could agree with
/// the chain. `Step` or `Hole`.
///
/// >>> chain = ViewChain.parse("(2,3) | permute(1,0) | reshape(6)")
/// >>> witness = chain.merge().witness
/// >>> isinstance(witness, Witness), witness.check(chain)
/// (True, True)
#[pyclass(frozen, subclass, module = "viewmerge", name = "Witness")]
pub(crate) struct PyWitness(pub(crate) Witness);

/// Two steps along the same axis that differ; a view has one stride for each axis.
///
/// >>> witness = merge("(10,3,3):(8,1,2)", "(6):(4)").witness
/// >>> witness.axis, witness.at, witness.step, witness.other, witness.other_step
/// (0, (0,), 3, (4,), 8)
#[pyclass(frozen, extends = PyWitness, module = "viewmerge", name = "Step")]
pub(crate) struct PyStep;

/// Two valid indices, and an invalid one in the box they span.
///
/// >>> witness = merge("(3,4) [0:3,1:3]", "(12)").witness
/// >>> witness.valid, witness.invalid
/// (((1,), (5,)), (3,))
#[pyclass(frozen, extends = PyWitness, module = "viewmerge", name = "Hole")]
pub(crate) struct PyHole;

/// A witness as an object of its class.
pub(crate) fn witness_object(py: Python<'_>, witness: Witness) -> PyResult<Py<PyAny>> {
    let step = matches!(witness, Witness::Step { .. });
    let base = PyClassInitializer::from(PyWitness(witness));
    Ok(if step {
        Py::new(py, base.add_subclass(PyStep))?.into_any()
    } else {
        Py::new(py, base.add_subclass(PyHole))?.into_any()
    })
}

fn witness_repr(py: Python<'_>, witness: &Witness) -> PyResult<String> {
    let list =
        |index: &Index| -> PyResult<String> { Ok(args::tuple(py, index)?.repr()?.to_string()) };
    Ok(match witness {
        Witness::Step { axis, at, step, other, other_step } => format!(
            "Step(axis={axis}, at={}, step={step}, other={}, other_step={other_step})",
            list(at)?,
            list(other)?
        ),
        Witness::Hole { valid: [first, second], invalid } => {
            format!("Hole(valid=({}, {}), invalid={})", list(first)?, list(second)?, list(invalid)?)
        }
    })
}

#[pymethods]
impl PyWitness {
    /// Whether the witness holds for a chain, by evaluating the chain's definition at
    /// these few indices.
    ///
    /// >>> witness = merge("(3,2):(1,3)", "(6)").witness
    /// >>> witness.check(["(3,2):(1,3)", "(6)"]), witness.check("(6)")
    /// (True, False)
    fn check(&self, chain: &Bound<'_, PyAny>) -> PyResult<bool> {
        let chain: Vec<Spec> = args::chain(chain)?.views().iter().map(Spec::from).collect();
        Ok(check_witness(&chain, &self.0))
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        witness_repr(py, &self.0)
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<PyWitness>().is_ok_and(|other| other.get().0 == self.0)
    }

    fn __hash__(&self) -> u64 {
        hash(&self.0.to_string())
    }

    fn __copy__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __deepcopy__(slf: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
        slf
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> Reduced<'py, Bound<'py, PyTuple>> {
        let py = slf.py();
        let parts = match &slf.get().0 {
            Witness::Step { axis, at, step, other, other_step } => {
                let (at, other) = (args::tuple(py, at)?, args::tuple(py, other)?);
                (axis, at, step, other, other_step).into_pyobject(py)?
            }
            Witness::Hole { valid: [first, second], invalid } => {
                let valid = (args::tuple(py, first)?, args::tuple(py, second)?);
                (valid, args::tuple(py, invalid)?).into_pyobject(py)?
            }
        };
        Ok((slf.get_type(), parts))
    }
}

/// Reads the parts of a witness of known kind.
macro_rules! parts {
    ($slf:expr, $kind:ident { $($part:ident),* }) => {
        match &$slf.as_super().get().0 {
            Witness::$kind { $($part),*, .. } => ($($part),*),
            _ => return Err(PyTypeError::new_err("this witness is of another kind")),
        }
    };
}

#[pymethods]
impl PyStep {
    #[classattr]
    fn __match_args__() -> (&'static str, &'static str, &'static str, &'static str, &'static str) {
        ("axis", "at", "step", "other", "other_step")
    }

    #[new]
    fn new(
        axis: usize,
        at: &Bound<'_, PyAny>,
        step: i64,
        other: &Bound<'_, PyAny>,
        other_step: i64,
    ) -> PyResult<PyClassInitializer<PyStep>> {
        let (at, other) = (args::index(at)?, args::index(other)?);
        let witness = Witness::Step { axis, at, step, other, other_step };
        Ok(PyClassInitializer::from(PyWitness(witness)).add_subclass(PyStep))
    }

    /// The axis.
    #[getter]
    fn axis(slf: &Bound<'_, Self>) -> PyResult<usize> {
        Ok(*parts!(slf, Step { axis }))
    }

    /// An index.
    #[getter]
    fn at<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        args::tuple(slf.py(), parts!(slf, Step { at }))
    }

    /// How far memory moves from `at` to the next index along the axis.
    #[getter]
    fn step(slf: &Bound<'_, Self>) -> PyResult<i64> {
        Ok(*parts!(slf, Step { step }))
    }

    /// Another index.
    #[getter]
    fn other<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        args::tuple(slf.py(), parts!(slf, Step { other }))
    }

    /// How far memory moves from `other` to the next index along the axis.
    #[getter]
    fn other_step(slf: &Bound<'_, Self>) -> PyResult<i64> {
        Ok(*parts!(slf, Step { other_step }))
    }
}

#[pymethods]
impl PyHole {
    #[classattr]
    fn __match_args__() -> (&'static str, &'static str) {
        ("valid", "invalid")
    }

    #[new]
    fn new(
        valid: (Bound<'_, PyAny>, Bound<'_, PyAny>),
        invalid: &Bound<'_, PyAny>,
    ) -> PyResult<PyClassInitializer<PyHole>> {
        let valid = [args::index(&valid.0)?, args::index(&valid.1)?];
        let witness = Witness::Hole { valid, invalid: args::index(invalid)? };
        Ok(PyClassInitializer::from(PyWitness(witness)).add_subclass(PyHole))
    }

    /// The two valid indices.
    #[getter]
    fn valid<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyTuple>, Bound<'py, PyTuple>)> {
        let [first, second] = parts!(slf, Hole { valid });
        Ok((args::tuple(slf.py(), first)?, args::tuple(slf.py(), second)?))
    }

    /// The invalid index.
    #[getter]
    fn invalid<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        args::tuple(slf.py(), parts!(slf, Hole { invalid }))
    }
}
