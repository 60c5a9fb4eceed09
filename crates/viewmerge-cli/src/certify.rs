//! `viewmerge certify`: an answer with a proof, as one line of JSON.
//!
//! The format is that of docs/certificates.md, which `viewmerge verify` checks. It is about the views and ops
//! that were given, one view each, and not about fewer that are the same.

use viewmerge::{Limit, ViewChain, certify, certify_equivalence};

use crate::show::{Answer, Refusal, mistake};

/// Certifies whether a chain is one view, or the same function as another.
///
/// # Errors
///
/// What is wrong with the input, or that the limit was reached.
pub fn run(parts: &[String], equal: Option<&str>, limit: &Limit<'_>) -> Result<Answer, Refusal> {
    let read = |text: &str| ViewChain::op_by_op(text).map_err(|error| mistake(text, &error));
    let chain = read(&parts.join(" | "))?;
    let certificate = match equal {
        None => certify(&chain, limit)?,
        Some(other) => certify_equivalence(&chain, &read(other)?, limit)?,
    };
    Ok(Answer::new(certificate.is_yes(), certificate.to_string()))
}
