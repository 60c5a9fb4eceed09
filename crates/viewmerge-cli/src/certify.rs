//! `viewmerge certify`: an answer with a proof, as one line of JSON.
//!
//! docs/certificates.md defines the format, `viewmerge verify` checks it. The certificate is about the views
//! and ops as given, one view each, not about a shorter chain that is the same function.

use viewmerge::{Error, Limit, View, ViewChain, certify_apart, certify_collision};

use crate::commands::read_by;
use crate::options::Refuted;
use crate::show::{Answer, Refusal};

/// Certifies whether a chain is one view, or the same function as another.
///
/// # Errors
///
/// If the input is bad, or the limit was reached.
pub fn run(parts: &[String], equal: Option<&str>, limit: &Limit<'_>) -> Result<Answer, Refusal> {
    let read = |text: &str| read_by(text, ViewChain::op_by_op);
    let chain = read(&parts.join(" | "))?;
    let certificate = match equal {
        None => chain.certify(limit)?,
        Some(other) => chain.certify_equivalence(&read(other)?, limit)?,
    };
    Ok(Answer::new(certificate.is_yes(), certificate.to_string()))
}

/// Certifies that views do not compose, or that a view is not injective.
///
/// # Errors
///
/// If the input is bad, there is nothing to refute, or the limit was reached.
pub fn refute(parts: &[String], what: Refuted, limit: &Limit<'_>) -> Result<Answer, Refusal> {
    let text = parts.join(" | ");
    let views: Result<Vec<View>, Error> = text.split('|').map(str::parse).collect();
    let views = views.map_err(|error| format!("{error}: --refute takes views, without ops"))?;
    let found = match (what, views.as_slice()) {
        (Refuted::Composes, views) => certify_apart(views),
        (Refuted::Injective, [view]) => certify_collision(view, limit)?,
        (Refuted::Injective, _) => return Err("--refute injective takes one view".into()),
    };
    match found {
        Some(certificate) => Ok(Answer::new(false, certificate.to_string())),
        None => Err(match what {
            Refuted::Composes => "there is nothing to refute: the views compose".into(),
            Refuted::Injective => "there is nothing to refute: the view is injective".into(),
        }),
    }
}
