//! Chains with unknown sizes; `_symbolic.py` wraps them in Python's `SymbolicChain`.

use std::sync::{Mutex, MutexGuard, PoisonError};

use pyo3::prelude::*;
use pyo3::types::PyDict;
use viewmerge_symbolic::{Answer, At, Error, Guard, Limit, Param, Params, Style, SymbolicChain};

use crate::classes::{PyChain, PyView};
use crate::error::{exception, refusal, refused_text, with_caret};
use crate::{json, patience};

/// A chain of views whose numbers are expressions in parameters.
#[pyclass(frozen, module = "viewmerge._core", name = "Symbolic")]
pub(crate) struct PySymbolic(Shared<SymbolicChain>);

/// For which parameters a chain is one view.
#[pyclass(frozen, module = "viewmerge._core", name = "SymbolicMerge")]
pub(crate) struct PyAnswer(Shared<Answer>);

/// For which parameters a chain is one view over a split, and which split.
#[pyclass(frozen, module = "viewmerge._core", name = "SymbolicCut")]
pub(crate) struct PySplitting(Shared<Answer>);

/// Lets Python ask from any thread; the value caches findings for the next question.
struct Shared<T>(Mutex<T>);

impl<T> Shared<T> {
    fn new(value: T) -> Shared<T> {
        Shared(Mutex::new(value))
    }

    fn get(&self) -> MutexGuard<'_, T> {
        // A question that panicked leaves the value intact.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Steps that take some milliseconds.
const QUICK: u64 = 10_000;

/// Name, least and greatest value, and a divisor.
type Declared = (String, Option<i64>, Option<i64>, i64);

fn values(given: &[(String, i64)]) -> Vec<(&str, i64)> {
    given.iter().map(|(name, value)| (name.as_str(), *value)).collect()
}

/// Asks with at most this many steps; a long question can be interrupted.
fn asked<T: Send + 'static>(
    py: Python<'_>,
    steps: Option<u64>,
    ask: impl FnOnce(&Limit<'_>) -> T + Send + 'static,
) -> PyResult<T> {
    match steps {
        Some(steps) if steps > QUICK => patience::patiently(py, steps, ask),
        _ => Ok(ask(&steps.map_or(Limit::none(), Limit::steps))),
    }
}

impl PySymbolic {
    fn new(chain: SymbolicChain) -> PySymbolic {
        PySymbolic(Shared::new(chain))
    }
}

#[pymethods]
impl PySymbolic {
    #[staticmethod]
    fn parse(
        py: Python<'_>,
        declared: Vec<Declared>,
        assumed: Vec<String>,
        text: &str,
    ) -> PyResult<PySymbolic> {
        let read = || {
            let mut params = Params::new();
            for (name, min, max, multiple) in declared {
                params = params.declare(Param { name, min, max, multiple })?;
            }
            for condition in assumed {
                params = params.assume(&condition)?;
            }
            SymbolicChain::parse(&params, text)
        };
        read().map(PySymbolic::new).map_err(|error| refused(py, &error, Some(text)))
    }

    fn apply(&self, py: Python<'_>, op: &str) -> PyResult<PySymbolic> {
        self.0.get().apply(op).map(PySymbolic::new).map_err(|error| refused(py, &error, Some(op)))
    }

    fn shape(&self) -> Vec<String> {
        self.0.get().shape().iter().map(ToString::to_string).collect()
    }

    fn at(&self, py: Python<'_>, given: Vec<(String, i64)>) -> PyResult<PyChain> {
        self.0.get().at(&values(&given)).map(PyChain).map_err(|error| refused(py, &error, None))
    }

    fn merge(&self, py: Python<'_>, steps: Option<u64>) -> PyResult<PyAnswer> {
        let chain = self.0.get().clone();
        asked(py, steps, move |limit| PyAnswer(Shared::new(chain.merge(limit))))
    }

    fn split(&self, py: Python<'_>, steps: Option<u64>) -> PyResult<PySplitting> {
        let chain = self.0.get().clone();
        asked(py, steps, move |limit| PySplitting(Shared::new(chain.split(limit))))
    }

    /// The explanation as JSON, with expressions in Python's syntax.
    fn explain(&self, py: Python<'_>, steps: Option<u64>) -> PyResult<String> {
        let chain = self.0.get().clone();
        asked(py, steps, move |limit| json::write(&chain.explain(limit)))?
    }

    fn __str__(&self) -> String {
        self.0.get().to_string()
    }
}

#[pymethods]
impl PyAnswer {
    /// Verdict, requires, cases and open as JSON, expressions in Python's syntax.
    fn to_json(&self) -> PyResult<String> {
        json::write(&*self.0.get())
    }

    /// The view at a point, or why there is none: "copy", "open" or "refused".
    fn at(
        &self,
        py: Python<'_>,
        given: Vec<(String, i64)>,
    ) -> PyResult<(&'static str, Option<PyView>)> {
        let found = self.0.get().at(&values(&given)).map_err(|error| refused(py, &error, None))?;
        Ok(match found {
            At::Yes(view) => ("view", Some(PyView(view))),
            At::No => ("copy", None),
            At::Refused => ("refused", None),
            _ => ("open", None),
        })
    }

    /// The conditions of all cases, what is required and what is open, in C or as mathematics.
    fn written(&self, mathematics: bool) -> (Vec<String>, String, String) {
        let answer = self.0.get();
        let guards = answer.cases.iter().map(|case| &case.guard);
        written(guards, &answer.requires, &answer.open, mathematics)
    }
}

#[pymethods]
impl PySplitting {
    /// Verdict, requires, cases and open as JSON, expressions in Python's syntax.
    fn to_json(&self) -> PyResult<String> {
        json::write(&*self.0.get())
    }

    /// The factors and the view at a point, or why there are none: "none", "open" or "refused".
    #[allow(clippy::type_complexity)] // The pair goes to Python.
    fn at(
        &self,
        py: Python<'_>,
        given: Vec<(String, i64)>,
    ) -> PyResult<(&'static str, Option<(Vec<Vec<i64>>, PyView)>)> {
        let found =
            self.0.get().split_at(&values(&given)).map_err(|error| refused(py, &error, None))?;
        Ok(match found {
            At::Yes((split, view)) => ("split", Some((split.factors().to_vec(), PyView(view)))),
            At::No => ("none", None),
            At::Refused => ("refused", None),
            _ => ("open", None),
        })
    }

    /// The conditions of all cases, what is required and what is open, in C or as mathematics.
    fn written(&self, mathematics: bool) -> (Vec<String>, String, String) {
        let answer = self.0.get();
        let guards = answer.cases.iter().map(|case| &case.guard);
        written(guards, &answer.requires, &answer.open, mathematics)
    }
}

/// Guards, what is required and what is open, in C or as mathematics.
fn written<'a>(
    guards: impl Iterator<Item = &'a Guard>,
    requires: &Guard,
    open: &Guard,
    mathematics: bool,
) -> (Vec<String>, String, String) {
    let style = if mathematics { Style::Math } else { Style::C };
    let guards = guards.map(|guard| guard.written(style)).collect();
    (guards, requires.written(style), open.written(style))
}

/// An error of unknown sizes as an exception, with a caret if it has a place in a text.
fn refused(py: Python<'_>, error: &Error, text: Option<&str>) -> PyErr {
    let (at, inner) = match error {
        Error::InText { at, error } => (Some(*at), &**error),
        Error::Concrete(error) => {
            return text.map_or_else(
                || refusal(py, error, None, None),
                |text| refused_text(py, error, text),
            );
        }
        error => (None, error),
    };
    let fields = PyDict::new(py);
    let filled = fill(&fields, inner).and_then(|()| match at {
        Some(at) => fields.set_item("at", at),
        None => Ok(()),
    });
    if let Err(error) = filled {
        return error;
    }
    let message = match (text, at) {
        (Some(text), Some(at)) => with_caret(&error.to_string(), text, at),
        _ => error.to_string(),
    };
    exception(py, error.kind(), &message, &fields)
}

/// Sets the fields of an error.
fn fill(fields: &Bound<'_, PyDict>, error: &Error) -> PyResult<()> {
    macro_rules! set {
        ($($name:ident),*) => {{ $(fields.set_item(stringify!($name), $name)?;)* }};
    }
    match error {
        Error::Undeclared { name, declared } => set!(name, declared),
        Error::Redeclared { name } | Error::BadName { name } | Error::BadMultiple { name, .. } => {
            set!(name)
        }
        Error::Contradiction { what } => set!(what),
        Error::NeverLegal { op, argument, requirement } => set!(op, argument, requirement),
        Error::Unsupported { op, what } => set!(op, what),
        Error::BadPoint { name, problem } => set!(name, problem),
        _ => {}
    }
    Ok(())
}
