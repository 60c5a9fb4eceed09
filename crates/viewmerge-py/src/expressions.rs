//! Questions about index expressions, as text over variables with ranges.
//!
//! Expressions of other libraries are written as text, and answers read back, in Python
//! (`_expressions.py`, `_languages.py`).

use pyo3::prelude::*;
use pyo3::types::PyTuple;
use viewmerge::{Error, Limit};
use viewmerge_index::{Dialect, Domain, Expression, Same};

use crate::args;
use crate::classes::PyView;
use crate::error::{refusal, refused_text};
use crate::patience;

/// First and last value of every variable (None if unbounded), where it is valid, how `/` and `%` are read, and
/// how long a text may be.
#[derive(FromPyObject)]
pub(crate) struct Asked(Vec<(String, Option<i64>, Option<i64>)>, Option<String>, bool, usize);

/// An error, and the text it is in.
struct Mistake {
    error: Error,
    text: Option<String>,
}

impl Mistake {
    fn of(error: Error) -> Mistake {
        Mistake { error, text: None }
    }

    fn within(text: &str) -> impl Fn(Error) -> Mistake + '_ {
        move |error| Mistake { error, text: Some(text.to_string()) }
    }

    /// With a caret under the place, if it is known.
    fn raised(&self, py: Python<'_>) -> PyErr {
        match &self.text {
            Some(text) => refused_text(py, &self.error, text),
            None => refusal(py, &self.error, None, None),
        }
    }
}

impl Asked {
    fn read(&self, text: &str) -> Result<Expression, Mistake> {
        let dialect = if self.2 { Dialect::C } else { Dialect::Python };
        Expression::read_up_to(text, dialect, self.3).map_err(Mistake::within(text))
    }

    fn domain(&self) -> Result<Domain, Mistake> {
        let domain = Domain::with_ranges(&self.0).map_err(Mistake::of)?;
        match &self.1 {
            Some(valid) => domain.valid(&self.read(valid)?).map_err(Mistake::within(valid)),
            None => Ok(domain),
        }
    }
}

/// Steps done at once, some milliseconds.
const AT_ONCE: u64 = 100;

/// Answers a question at once if it takes few steps, else in a thread.
fn decided<T: Send + 'static>(
    py: Python<'_>,
    steps: Option<u64>,
    question: impl Fn(&Limit<'_>) -> Result<T, Mistake> + Send + 'static,
    is_decided: impl Fn(&T) -> bool,
) -> PyResult<T> {
    let most = steps.unwrap_or(u64::MAX);
    let mut found = question(&Limit::steps(most.min(AT_ONCE)));
    let undecided = match &found {
        Ok(found) => !is_decided(found),
        Err(mistake) => matches!(mistake.error, Error::Undecided { .. }),
    };
    if undecided && most > AT_ONCE {
        found = patience::patiently(py, most, question)?;
    }
    found.map_err(|mistake| mistake.raised(py))
}

/// (expression, where it is valid, divisions, the one view, whether it was settled).
#[pyfunction]
#[pyo3(signature = (text, asked, steps=None))]
#[allow(clippy::type_complexity, reason = "the parts of the answer")]
pub(crate) fn expression_simplified(
    py: Python<'_>,
    text: String,
    asked: Asked,
    steps: Option<u64>,
) -> PyResult<(String, Option<String>, usize, Option<PyView>, bool)> {
    let question = move |limit: &Limit<'_>| {
        let (expression, domain) = (asked.read(&text)?, asked.domain()?);
        let simple = domain.simplify(&expression, limit).map_err(Mistake::within(&text))?;
        let view = match simple.is_decided() && !simple.expression().is_condition() {
            // No view if it is too large to write down, or undecided.
            true => domain.as_view(&simple, limit).unwrap_or(None),
            false => None,
        };
        Ok((simple, view))
    };
    let (simple, view) = decided(py, steps, question, |(simple, _)| simple.is_decided())?;
    let valid = simple.condition().map(ToString::to_string);
    let divisions = simple.expression().divisions();
    Ok((simple.to_string(), valid, divisions, view.map(PyView), simple.is_decided()))
}

/// Where two expressions differ and their values there, or None if they are the same.
#[pyfunction]
#[pyo3(signature = (one, other, asked, steps=None))]
#[allow(clippy::type_complexity, reason = "the parts of the answer")]
pub(crate) fn expression_difference<'py>(
    py: Python<'py>,
    one: String,
    other: String,
    asked: Asked,
    steps: Option<u64>,
) -> PyResult<Option<(Bound<'py, PyTuple>, (Option<i128>, Option<i128>))>> {
    let question = move |limit: &Limit<'_>| {
        let (a, b) = (asked.read(&one)?, asked.read(&other)?);
        asked.domain()?.equal(&a, &b, limit).map_err(Mistake::of)
    };
    match decided(py, steps, question, |_| true)? {
        Same::No { point, values } => Ok(Some((args::tuple(py, &point)?, values))),
        _ => Ok(None),
    }
}

/// (least, where, greatest, where) of an expression, or None if it is valid nowhere. A least or
/// greatest value that does not exist is None.
#[pyfunction]
#[pyo3(signature = (text, asked, steps=None))]
#[allow(clippy::type_complexity, reason = "the parts of the answer")]
pub(crate) fn expression_range<'py>(
    py: Python<'py>,
    text: String,
    asked: Asked,
    steps: Option<u64>,
) -> PyResult<
    Option<(Option<i128>, Option<Bound<'py, PyTuple>>, Option<i128>, Option<Bound<'py, PyTuple>>)>,
> {
    let question = move |limit: &Limit<'_>| {
        let expression = asked.read(&text)?;
        asked.domain()?.range(&expression, limit).map_err(Mistake::within(&text))
    };
    let Some(found) = decided(py, steps, question, |_| true)? else { return Ok(None) };
    let point = |at: Option<Vec<i64>>| at.map(|at| args::tuple(py, &at)).transpose();
    Ok(Some((found.least, point(found.least_at)?, found.greatest, point(found.greatest_at)?)))
}

/// The one view that an expression is, or None.
#[pyfunction]
#[pyo3(signature = (text, asked, steps=None))]
pub(crate) fn expression_view(
    py: Python<'_>,
    text: String,
    asked: Asked,
    steps: Option<u64>,
) -> PyResult<Option<PyView>> {
    let question = move |limit: &Limit<'_>| {
        let (expression, domain) = (asked.read(&text)?, asked.domain()?);
        let simple = domain.simplify(&expression, limit).map_err(Mistake::within(&text))?;
        domain.as_view(&simple, limit).map_err(Mistake::within(&text))
    };
    Ok(decided(py, steps, question, |_| true)?.map(PyView))
}
