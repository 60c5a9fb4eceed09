//! `viewmerge certify`: an answer with a proof, as one line of JSON.
//!
//! The format is that of docs/certificates.md, which `viewmerge verify` checks.

use serde_json::value::RawValue;
use viewmerge::{Error, Limit, View, ViewChain, certify, certify_equivalence};

use crate::commands::{read, read_chain};
use crate::question::Failure;
use crate::show::{Answer, Refusal};

/// Certifies whether a chain is one view, or the same function as another.
///
/// # Errors
///
/// What is wrong with the input, or that the limit was reached.
pub fn run(parts: &[String], equal: Option<&str>, limit: &Limit<'_>) -> Result<Answer, Refusal> {
    let chain = read_chain(parts)?;
    let certificate = match equal {
        None => certify(&chain, limit)?,
        Some(other) => certify_equivalence(&chain, &read::<ViewChain>(other)?, limit)?,
    };
    Ok(Answer::new(certificate.is_yes(), certificate.to_string()))
}

/// The certificate of a line of a batch.
///
/// # Errors
///
/// That the limit was reached.
pub(crate) fn of_line(
    views: &[View],
    limit: &Limit<'_>,
    refused: impl FnOnce(Error) -> Failure,
) -> Result<Box<RawValue>, Failure> {
    let certificate = certify(views, limit).map_err(refused)?;
    RawValue::from_string(certificate.to_string())
        .map_err(|error| Failure { kind: "certificate".into(), message: error.to_string() })
}
