//! Makes and checks certificates.
//!
//! The checker is `viewmerge-verify`'s, which shares nothing with the solver.

use std::borrow::Cow;

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use viewmerge::{Certificate, Limit, View, ViewChain};
use viewmerge_verify::{Refusal, verify};

use crate::args;
use crate::error::{OrRefuse, exception};
use crate::patience;

/// (text, is yes, nodes) of the certificate of a chain, or of the equality of two.
#[pyfunction]
#[pyo3(signature = (chain, equal=None))]
pub(crate) fn certificate(
    py: Python<'_>,
    chain: &Bound<'_, PyAny>,
    equal: Option<&Bound<'_, PyAny>>,
) -> PyResult<(String, bool, usize)> {
    let views = views_of(chain)?;
    let other = equal.map(views_of).transpose()?;
    let small = patience::is_small(&views) && other.as_deref().is_none_or(patience::is_small);
    let work = move |limit: &Limit<'_>| prove(&views, other.as_deref(), limit);
    let found = patience::run(py, small, work)?.or_refuse(py)?;
    Ok((found.to_string(), found.is_yes(), found.nodes()))
}

/// The views of an argument; a text has one for each of its ops.
fn views_of(chain: &Bound<'_, PyAny>) -> PyResult<Vec<View>> {
    match chain.extract::<Cow<'_, str>>() {
        Ok(text) => {
            ViewChain::op_by_op(&text).or_refuse(chain.py()).map(|chain| chain.views().to_vec())
        }
        Err(_) => args::views(&PyTuple::new(chain.py(), [chain])?),
    }
}

fn prove(
    views: &[View],
    other: Option<&[View]>,
    limit: &Limit<'_>,
) -> Result<Certificate, viewmerge::Error> {
    let chain = ViewChain::from_views(views)?;
    match other {
        None => chain.certify(limit),
        Some(other) => chain.certify_equivalence(&ViewChain::from_views(other)?, limit),
    }
}

/// (kind, text) of what a certificate shows.
#[pyfunction]
pub(crate) fn shown(py: Python<'_>, text: &str) -> PyResult<(&'static str, String)> {
    let found = {
        let text = text.to_string();
        py.detach(move || verify(&text))
    };
    match found {
        Ok(shown) => Ok((shown.kind(), shown.to_string())),
        Err(refusal) => {
            let kind = match &refusal {
                Refusal::Malformed(_) => "not_a_certificate",
                Refusal::Fails(_) => "does_not_hold",
                _ => "too_large",
            };
            Err(exception(py, kind, &refusal.to_string(), &PyDict::new(py)))
        }
    }
}
