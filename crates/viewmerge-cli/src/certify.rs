//! `viewmerge certify`: an answer with a proof, as one line of JSON.
//!
//! The format is that of docs/certificates.md, which `viewmerge verify` checks.

use viewmerge::{Limit, ViewChain, certify, certify_equivalence};

use crate::commands::{read, read_chain};
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
