//! That two expressions are the same, or that one was simplified rightly, with a proof.
//!
//! A certificate names the variables with their ranges, two expressions and when each counts, and
//! for every way in which they could differ a proof that no integers do: the one is above the other, or
//! below it, or counts where the other does not. docs/certificates.md describes the format; the crate
//! `viewmerge-verify` checks it, sharing no code with this one. A certificate of *no* is a point.
//!
//! Simplifying is certified as a whole: the expression as it was given and as it became, each with
//! its condition. So every floor and every comparison that went is covered by one of these proofs.
//!
//! | step | where |
//! |---|---|
//! | the systems that must have no point | `cases.rs` |
//! | written down | `json.rs` |
//!
//! Running example: `i // 2 * 2 + i % 2` is `i`: with q = ⌊i/2⌋ the one is 2q + (i − 2q), so *above* has
//! the row 0 ≥ 1, which is absurd by itself.
//!
//! Cost: a search for every case, as in deciding; `or`, choices, `min` and `max` make several.

mod cases;
mod json;

use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use super::ask::narrowed;
use super::tree::{Condition, Value};
use super::{Body, Domain, Expression, Same, Simplified, normal};
use crate::certificate::Tree;
use crate::error::Error;
use crate::limit::{Exhausted, Limit, Meter};
use crate::system::Encode;
use cases::{Claim, Question};

/// What a certificate needs of ranges.
const NO_ENDS: &str = "a certificate holds within ranges, give it one";

/// Two expressions, whether they are the same, and why that is true.
///
/// It is written as JSON by `Display`, in the format of docs/certificates.md.
///
/// ```
/// use viewmerge::{Domain, Limit};
///
/// let domain = Domain::new(&[("i", 0, 99)])?;
/// let (a, b) = ("i // 2 * 2 + i % 2".parse()?, "i".parse()?);
/// let certificate = domain.certify_equal(&a, &b, &Limit::none())?;
/// assert!(certificate.is_yes());
/// assert!(certificate.to_string().starts_with(r#"{"variables":[["i",0,99]],"one":{"value":["+","#));
/// # Ok::<(), viewmerge::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ExpressionCertificate {
    names: Vec<String>,
    ranges: Vec<(i64, i64)>,
    one: Partial,
    two: Partial,
    answer: Answer,
}

/// A value, and when it counts.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Partial {
    value: Value,
    valid: Option<Condition>,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Answer {
    Same(Vec<Proven>),
    Differ(Vec<i64>),
}

/// A claim about one of the cases, and its proof.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Proven {
    claim: Claim,
    case: usize,
    proof: Tree,
}

impl ExpressionCertificate {
    /// Whether the two are the same.
    ///
    /// ```
    /// use viewmerge::{Domain, Limit};
    ///
    /// let domain = Domain::new(&[("i", 0, 5)])?;
    /// let certificate = domain.certify_equal(&"i".parse()?, &"i % 5".parse()?, &Limit::none())?;
    /// assert!(!certificate.is_yes());
    /// assert!(certificate.to_string().ends_with(r#""differ":[5]}"#));
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    #[must_use]
    pub fn is_yes(&self) -> bool {
        matches!(self.answer, Answer::Same(_))
    }

    /// The number of nodes of all its proofs.
    ///
    /// ```
    /// use viewmerge::{Domain, Limit};
    ///
    /// let domain = Domain::new(&[("i", 0, 5)])?;
    /// let certificate = domain.certify_equal(&"i + i".parse()?, &"2*i".parse()?, &Limit::none())?;
    /// assert_eq!(certificate.nodes(), 2);
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    #[must_use]
    pub fn nodes(&self) -> usize {
        match &self.answer {
            Answer::Same(proofs) => proofs.iter().map(|proven| proven.proof.nodes()).sum(),
            Answer::Differ(_) => 0,
        }
    }
}

impl Domain {
    /// As [`Domain::equal`], with the reason written down.
    ///
    /// # Errors
    ///
    /// As [`Domain::equal`], and [`Error::OpenRange`] for a range without an end. Up to 1,024 alternatives are told apart.
    ///
    /// ```
    /// use viewmerge::{Domain, Limit};
    ///
    /// let domain = Domain::new(&[("i", 0, 999)])?;
    /// let (a, b) = ("i // 2 % 120 // 6".parse()?, "i // 12 % 20".parse()?);
    /// let certificate = domain.certify_equal(&a, &b, &Limit::none())?;
    /// assert!(certificate.is_yes());
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    pub fn certify_equal(
        &self,
        a: &Expression,
        b: &Expression,
        limit: &Limit<'_>,
    ) -> Result<ExpressionCertificate, Error> {
        self.closed(NO_ENDS)?;
        let found = self.equal(a, b, limit)?;
        let (one, two) = (self.partial(a)?, self.partial(b)?);
        self.certificate(one, two, found, limit)
    }

    /// What [`Domain::simplify`] found, with a proof that it is the same wherever it counts, and
    /// counts at the same points.
    ///
    /// # Errors
    ///
    /// As [`Domain::certify_equal`].
    ///
    /// ```
    /// use viewmerge::{Domain, Limit};
    ///
    /// let domain = Domain::new(&[("i", 0, 31)])?.valid(&"3 <= i < 10".parse()?)?;
    /// let expression = "(i - 3) // 7 + i".parse()?;
    /// let simple = domain.simplify(&expression, &Limit::none())?;
    /// let certificate = domain.certify_simplified(&expression, &simple, &Limit::none())?;
    /// assert!(certificate.is_yes());
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    pub fn certify_simplified(
        &self,
        expression: &Expression,
        simple: &Simplified,
        limit: &Limit<'_>,
    ) -> Result<ExpressionCertificate, Error> {
        self.closed(NO_ENDS)?;
        // What was found says by itself when it counts.
        let all = Domain { holds: vec![], ..self.clone() };
        let one = self.partial(expression)?;
        let mut two = all.partial(&simple.expression)?;
        if let Some(valid) = &simple.valid {
            two.valid = match all.body(valid)?.0 {
                Body::Condition(condition) => {
                    Some(normal::condition(&condition, false, &self.ranges)?)
                }
                Body::Value(_) => None,
            };
        }
        self.certificate(one, two, Same::Yes, limit)
    }

    /// An expression and when it counts, in the words of certificates.
    fn partial(&self, expression: &Expression) -> Result<Partial, Error> {
        let (body, own) = self.body(expression)?;
        let value = match body {
            Body::Value(value) => value,
            Body::Condition(condition) => super::parse::one_or_zero(condition),
        };
        let value = normal::value(&value, &self.ranges)?;
        let mut holds = self.holds.clone();
        holds.extend(own);
        let valid = match holds.len() {
            0 => None,
            _ => Some(normal::condition(&Condition::All(holds), false, &self.ranges)?),
        };
        Ok(Partial { value, valid })
    }

    fn certificate(
        &self,
        one: Partial,
        two: Partial,
        found: Same,
        limit: &Limit<'_>,
    ) -> Result<ExpressionCertificate, Error> {
        let answer = match found {
            Same::No { point, .. } => Answer::Differ(point),
            Same::Yes => self.prove(&one, &two, &mut Meter::new(limit))?,
        };
        let (names, ranges) = (json::identifiers(&self.names), self.ranges.clone());
        Ok(ExpressionCertificate { names, ranges, one, two, answer })
    }

    /// A proof for every case of every claim; a point if there is one after all.
    fn prove(&self, one: &Partial, two: &Partial, meter: &mut Meter<'_>) -> Result<Answer, Error> {
        let question = Question { ranges: &self.ranges, one, two };
        let mut proofs = Vec::new();
        for claim in Claim::ALL {
            for (case, system) in question.systems(claim)?.into_iter().enumerate() {
                match system.refute(meter).map_err(Exhausted::undecided)? {
                    Ok(proof) => {
                        let proof = Tree::of_system(&proof, system.rows.len());
                        proofs.push(Proven { claim, case, proof });
                    }
                    Err(mut point) => {
                        point.truncate(self.ranges.len());
                        return Ok(Answer::Differ(narrowed(&point)));
                    }
                }
            }
        }
        Ok(Answer::Same(proofs))
    }
}
