//! Checks certificates about stacks of tensor views, trusting nobody.
//!
//! A view is a shape, strides, an offset and a validity mask over flat memory; a chain of views is a
//! function from an index to a memory position or padding. That a chain is one view or is not, that two
//! chains are the same function or are not: each of these claims can be written down with a proof.
//! [`verify`] reads such a certificate and returns what it shows, or why it is refused.
//!
//! ```
//! use viewmerge_verify::{Shown, verify};
//!
//! // (2,2) seen through (4) is (4):(1). The system has the variables x and q, the rows
//! // 0: 0 ≤ x ≤ 3, 1: 0 ≤ x − 2q ≤ 1, 2: 0 ≤ q ≤ 1, and the value F = 2q + (x − 2q) = x = w.
//! // Row 3 of the claim "above" is F − w ≥ 1, which says 0 ≥ 1: absurd by itself.
//! let shown = verify(r#"{
//!     "views": [{"shape":[2,2],"strides":[2,1],"offset":0,"mask":null},
//!               {"shape":[4],"strides":[1],"offset":0,"mask":null}],
//!     "merged": {"shape":[4],"strides":[1],"offset":0,"mask":null},
//!     "proofs": [{"claim":"above","proof":{"absurd":[[3,"low",1]]}},
//!                {"claim":"below","proof":{"absurd":[[3,"high",1]]}}]}"#)?;
//! assert!(matches!(shown, Shown::IsView { .. }));
//! assert_eq!(shown.to_string(), "(2,2):(2,1) | (4):(1) is (4):(1)");
//! # Ok::<(), viewmerge_verify::Refusal>(())
//! ```
//!
//! # What is checked
//!
//! With the carries of mixed-radix digits as variables, everything a chain does is linear in integers: its
//! digits, its masks, its value. A certificate of *yes* proves, system by system, that no integers
//! contradict it: no valid index lies outside the merged view's box, none inside it misses a mask, and the
//! values differ nowhere. A proof is a tree. A leaf names rows of the system whose multiples add up to
//! 1 ≤ 0; a split continues with form ≤ k on one side and form ≥ k + 1 on the other. The checker makes the
//! systems itself from the views, so a certificate can only choose the multiples and the splits, and a
//! wrong choice is refused. A certificate of *no* names indices, and the chain is evaluated there.
//!
//! # What is trusted
//!
//! This crate (it shares nothing with the library that makes certificates), the big integers of
//! `num-bigint`, and the compiler. No number is rounded, no range is walked, and no part of a text is
//! skipped because it is not understood. A certificate is about *its* views or *its* expressions: [`Shown`]
//! returns them as data, and callers must compare them with their own.
//!
//! # Limits
//!
//! One bound holds for every text: a certificate may use 2^28 bytes at a time, in addition to its text, and
//! 2^32 steps of about a nanosecond, both charged before they are used. No honest certificate comes near. A
//! text that would exceed the bound is refused as [`Refusal::TooLarge`], which says nothing about whether
//! it holds. Nothing recurses, so a small stack is enough for texts of any depth.

mod budget;
mod certificate;
mod check;
mod claim;
mod conclusion;
mod expression;
mod json;
mod number;
pub mod plan;
mod proof;
mod proofs;
mod refusal;
mod sizes;
mod system;
mod view;

use budget::Budget;
use json::Source;

pub use certificate::Witness;
pub use claim::{Claim, Question, Side};
pub use conclusion::Shown;
pub use expression::{Expression, Partial, Relation, Term, Variable};
pub use number::{Divisor, Integer, TooWide};
pub use refusal::{Failure, Flaw, List, Malformed, Node, Refusal, Resource, TooLarge};
pub use sizes::{Always, Polynomial, PolynomialView};
pub use view::{Mask, View};

/// Checks a certificate.
///
/// ```
/// use viewmerge_verify::{Refusal, Shown, verify};
///
/// let text = r#"{"views":[{"shape":[3],"strides":[1],"offset":0,"mask":null}],
///     "other":[{"shape":[3],"strides":[2],"offset":0,"mask":null}],"differ":[INDEX]}"#;
/// let shown = verify(&text.replace("INDEX", "2"))?;
/// assert!(matches!(shown, Shown::Different { .. }));
///
/// // Both chains have the value 0 at the index 0.
/// let refused = verify(&text.replace("INDEX", "0")).unwrap_err();
/// assert_eq!(refused.to_string(), "does not hold: at the index (0) both chains are the same");
///
/// let refused = verify(&text.replace("INDEX", "x")).unwrap_err();
/// assert_eq!(refused.to_string(), "not a certificate: line 2, column 76, differ: found `x`, \
///     accepted: an integer, as a number or as decimal digits in quotes");
/// # Ok::<(), Refusal>(())
/// ```
///
/// # Errors
///
/// Why the text is not a certificate, or why the certificate does not hold.
pub fn verify(text: &str) -> Result<Shown, Refusal> {
    verify_source(Source { text, line: 1 })
}

/// Checks every certificate in a text that holds one, or one per line; blank lines are skipped.
///
/// Line numbers in a refusal are those of the whole text.
///
/// ```
/// use viewmerge_verify::verify_each;
///
/// let view = r#"{"shape":[],"strides":[],"offset":0,"mask":null}"#;
/// let same = format!(r#"{{"views":[{view}],"other":[{view}],"differ":[]}}"#);
/// let text = format!("{same}\n\n{same} x\n");
/// let answers: Vec<String> =
///     verify_each(&text).map(|result| result.unwrap_err().to_string()).collect();
/// assert_eq!(answers[0], "does not hold: at the index () both chains are the same");
/// assert!(answers[1].starts_with("not a certificate: line 3, column 133"), "{}", answers[1]);
/// ```
pub fn verify_each(text: &str) -> impl Iterator<Item = Result<Shown, Refusal>> {
    let lines = || {
        let lines = text.split('\n').map(str::trim_ascii_end).zip(1..);
        lines.filter(|(line, _)| !line.is_empty())
    };
    // In one JSON object, a `}` that ends a line is never followed by a `{` that begins the next.
    let several = matches!(
        (lines().next(), lines().nth(1)),
        (Some((one, _)), Some((two, _))) if one.ends_with('}') && two.trim_ascii_start().starts_with('{')
    );
    let whole = (!several).then_some((text, 1));
    let each = lines().take(if several { usize::MAX } else { 0 });
    whole.into_iter().chain(each).map(|(text, line)| verify_source(Source { text, line }))
}

fn verify_source(source: Source<'_>) -> Result<Shown, Refusal> {
    let budget = Budget::default();
    let certificate = certificate::read(source, &budget)?;
    check::check(&certificate, source, &budget)?;
    Ok(Shown::from(certificate))
}

/// Runs the examples in README with the other examples.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
