//! Why a text is refused, as data.
//!
//! Three cases are kept apart: a text that is not a certificate at all ([`Malformed`]), a certificate that
//! does not show what it claims ([`Failure`]), and one that is too large to check.

mod flaw;

use std::fmt;

use crate::claim::Claim;
use crate::number::{Integer, Tuple};

pub use flaw::{Flaw, Node};

/// Why a certificate is refused.
///
/// ```
/// use viewmerge_verify::{Refusal, verify};
///
/// assert!(matches!(verify("[1, 2]"), Err(Refusal::Malformed(_))));
/// // The chain and the view that it is claimed to be have different values.
/// let wrong = r#"{"views":[{"shape":[4],"strides":[3],"offset":0,"mask":null}],
///     "merged":{"shape":[4],"strides":[2],"offset":0,"mask":null},"proofs":[]}"#;
/// assert!(matches!(verify(wrong), Err(Refusal::Fails(_))));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Refusal {
    /// The text is not a certificate.
    #[error("not a certificate: {0}")]
    Malformed(#[from] Malformed),
    /// It is a certificate, but does not show what it claims.
    #[error("does not hold: {0}")]
    Fails(#[from] Failure),
    /// Checking it would exceed the checker's limits, so it is not known whether it holds.
    #[error("too large to check: {0}")]
    TooLarge(#[from] TooLarge),
}

/// A resource that checking a certificate uses up.
///
/// ```
/// assert_eq!(viewmerge_verify::Resource::Bytes.to_string(), "bytes");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Resource {
    /// Bytes of memory, at any one time.
    Bytes,
    /// Steps of about a nanosecond.
    Steps,
}

impl fmt::Display for Resource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Resource::Bytes => "bytes",
            Resource::Steps => "steps",
        })
    }
}

/// A certificate that would exceed a limit.
///
/// ```
/// use viewmerge_verify::{Refusal, Resource, verify};
///
/// // A number with two million digits.
/// let text = format!(r#"{{"differ":[{}]}}"#, "7".repeat(2_000_000));
/// let Err(Refusal::TooLarge(too_large)) = verify(&text) else { panic!("was checked") };
/// assert_eq!(too_large.resource, Resource::Steps);
/// assert_eq!(too_large.to_string(), "it takes more than 4294967296 steps, the most allowed");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("it takes more than {limit} {resource}, the most allowed")]
#[non_exhaustive]
pub struct TooLarge {
    /// The resource that it would use too much of.
    pub resource: Resource,
    /// The most it may use.
    pub limit: u64,
}

/// Why a text is not a certificate, and where.
///
/// ```
/// use viewmerge_verify::{Refusal, verify};
///
/// let text = "{\"views\":[],\n \"witnes\":{}}";
/// let Err(Refusal::Malformed(malformed)) = verify(text) else { panic!("was accepted") };
/// assert_eq!(malformed.to_string(),
///     "line 1, column 10, views: found no view, accepted: one view or more");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}, {member}: found {found}, accepted: {accepted}")]
#[non_exhaustive]
pub struct Malformed {
    /// The line, counted from 1.
    pub line: usize,
    /// The column, counted from 1.
    pub column: usize,
    /// The member, or the kind of object, that was being read.
    pub member: &'static str,
    /// What was found.
    pub found: String,
    /// What is accepted.
    pub accepted: String,
}

/// One of the two lists of views.
///
/// ```
/// assert_eq!(viewmerge_verify::List::Other.to_string(), "other");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum List {
    /// `views`.
    Views,
    /// `other`.
    Other,
}

impl fmt::Display for List {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            List::Views => "views",
            List::Other => "other",
        })
    }
}

/// Why a certificate does not show what it claims.
///
/// ```
/// use viewmerge_verify::{Failure, Refusal, verify};
///
/// // A column of the transpose: both steps are 3.
/// let text = r#"{"views":[{"shape":[3,2],"strides":[1,3],"offset":0,"mask":null}],
///     "witness":{"kind":"step","axis":1,"at":[0,0],"step":3,"other":[2,0],"other_step":4}}"#;
/// let Err(Refusal::Fails(failure)) = verify(text) else { panic!("was accepted") };
/// assert!(matches!(failure, Failure::OtherStep { .. }));
/// assert_eq!(failure.to_string(), "the step from (2,0) is 3, not 4");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Failure {
    /// A valid position of a view is not an element of the view below.
    #[error(
        "view {view} of {list} has valid positions from {least} to {greatest}, the view below has {} elements, counted from 0",
        elements.as_ref().map_or_else(|| String::from("2^127 or more"), Integer::to_string)
    )]
    DoesNotCompose {
        /// Which chain.
        list: List,
        /// The view, counted from the memory side.
        view: usize,
        /// Its least valid position.
        least: Integer,
        /// Its greatest valid position.
        greatest: Integer,
        /// The number of elements of the view below; `None` for 2^127 or more.
        elements: Option<Integer>,
    },
    /// A claim about all sizes is not shown.
    #[error("{place}: {what}")]
    NotForAll {
        /// The part of the certificate.
        place: String,
        /// What is wrong with it.
        what: String,
    },
    /// The shapes differ but must be the same.
    #[error("the shapes are {} and {}, they must be the same", Tuple(one), Tuple(other))]
    ShapesDiffer {
        /// The shape of `views`.
        one: Vec<Integer>,
        /// The shape of `merged` or `other`.
        other: Vec<Integer>,
    },
    /// `differ` is null, so the shapes must differ, but they do not.
    #[error("differ is null, but both chains have the shape {}: name an index of it", Tuple(shape))]
    ShapesAreEqual {
        /// The shape.
        shape: Vec<Integer>,
    },
    /// `merged` has a valid index, but a view of the chain has none.
    #[error("view {view} of views has no valid index, merged has one")]
    NothingIsValid {
        /// The view, counted from the memory side.
        view: usize,
    },
    /// The valid box of `merged` exceeds that of the last view.
    #[error(
        "axis {axis} of merged is valid in [{lo}, {hi}), that must lie in the last view's [{top_lo}, {top_hi})"
    )]
    BoxOutside {
        /// The axis.
        axis: usize,
        /// First valid index of `merged`.
        lo: Integer,
        /// One past its last.
        hi: Integer,
        /// First valid index of the last view.
        top_lo: Integer,
        /// One past its last.
        top_hi: Integer,
    },
    /// A claim that must be proved is missing.
    #[error("the claim {claim} must be proved, but is missing")]
    Missing {
        /// The claim.
        claim: Claim,
    },
    /// A claim appears twice.
    #[error("the claim {claim} appears twice, each may appear once")]
    Repeated {
        /// The claim.
        claim: Claim,
    },
    /// A claim does not belong to these views or these expressions.
    #[error("the claim {claim} does not belong to {}", what(claim))]
    Unasked {
        /// The claim.
        claim: Claim,
    },
    /// A proof has a flaw.
    #[error("the claim {claim} is not proved: in {node} {flaw}")]
    Unproved {
        /// The claim.
        claim: Claim,
        /// The node of the proof.
        node: Node,
        /// What is wrong with it.
        flaw: Flaw,
    },
    /// The axis of a step is not an axis of the chain.
    #[error("there is no axis {axis}, the chain has {rank} axes, counted from 0")]
    NoAxis {
        /// The axis.
        axis: Integer,
        /// The number of axes.
        rank: usize,
    },
    /// An index is outside the shape.
    #[error("the index {} is not in the shape {}", Tuple(index), Tuple(shape))]
    OutsideShape {
        /// The index.
        index: Vec<Integer>,
        /// The shape.
        shape: Vec<Integer>,
    },
    /// An index is not valid but must be.
    #[error("the index {} is not valid, but must be", Tuple(index))]
    NotValid {
        /// The index.
        index: Vec<Integer>,
    },
    /// An index is valid but must not be.
    #[error("the index {} is valid, but must not be", Tuple(index))]
    IsValid {
        /// The index.
        index: Vec<Integer>,
    },
    /// A hole is not between the two valid indices.
    #[error("on axis {axis} the invalid index {i} is not between {one} and {other}")]
    NotBetween {
        /// The axis.
        axis: usize,
        /// The invalid index there.
        i: Integer,
        /// The first valid index there.
        one: Integer,
        /// The second one.
        other: Integer,
    },
    /// A step differs from the witness.
    #[error("the step from {} is {found}, not {claimed}", Tuple(at))]
    OtherStep {
        /// The index it starts from.
        at: Vec<Integer>,
        /// The step in the witness.
        claimed: Integer,
        /// The actual step.
        found: Integer,
    },
    /// The two steps of a witness are the same.
    #[error("both steps are {step}, they must differ")]
    SameSteps {
        /// The step.
        step: Integer,
    },
    /// A point is not in the ranges of the variables.
    #[error("the point {} is not in the ranges of the variables", Tuple(point))]
    OutsideRanges {
        /// The point.
        point: Vec<Integer>,
    },
    /// The expressions do not differ at the point.
    #[error("at the point {} both expressions are the same", Tuple(point))]
    SameValue {
        /// The point.
        point: Vec<Integer>,
    },
    /// No view with this number has a view below it.
    #[error(
        "there is no view {view} with a view below it, the chain has {views} views, counted from 0"
    )]
    NoViewAbove {
        /// The number.
        view: Integer,
        /// How many views there are.
        views: usize,
    },
    /// An index does not point outside the view below, but must.
    #[error("the index {} is at position {position}, an element of the view below", Tuple(index))]
    PointsInside {
        /// The index.
        index: Vec<Integer>,
        /// Its position.
        position: Integer,
    },
    /// Two indices are the same but must differ.
    #[error("both indices are {}, they must differ", Tuple(index))]
    SameIndex {
        /// The index.
        index: Vec<Integer>,
    },
    /// Two indices have different positions but must have the same.
    #[error("the positions are {one} and {other}, they must be the same")]
    OtherPosition {
        /// The position of the first.
        one: Integer,
        /// The position of the second.
        other: Integer,
    },
    /// The chains do not differ at the index.
    #[error("at the index {} both chains are the same", Tuple(index))]
    SameThere {
        /// The index.
        index: Vec<Integer>,
    },
}

/// What a claim is about.
fn what(claim: &Claim) -> &'static str {
    match claim {
        Claim::Case { .. } => "these expressions",
        _ => "these views",
    }
}
