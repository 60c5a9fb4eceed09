//! Proofs that two expressions are equal, or that one was simplified correctly.
//!
//! A certificate names the variables with their ranges, two expressions and where each is defined,
//! and for each way they could differ a proof that it is impossible: the first is greater, or less,
//! or defined where the second is not. docs/certificates.md describes the format; the crate
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
use alloc::vec::Vec;

use super::answer::Partial;
use super::decide::{Task, narrowed};
use super::{Domain, Expression, Same, Simplified};
use cases::{Claim, systems};
use lattice_point::{Encode, Limit, Meter, Proof};
use viewmerge::Error;

/// What a certificate needs of ranges.
const NO_ENDS: &str = "a certificate holds within ranges, give it one";

/// Two expressions, whether they are the same, and why that is true.
///
/// It is written as JSON by `Display`, in the format of docs/certificates.md.
///
/// ```
/// use viewmerge::Limit;
/// use viewmerge_index::Domain;
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
    proof: Proof,
    /// How many rows the system has.
    rows: usize,
}

impl ExpressionCertificate {
    /// Whether the two are the same.
    ///
    /// ```
    /// use viewmerge::Limit;
    /// use viewmerge_index::Domain;
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
    /// use viewmerge::Limit;
    /// use viewmerge_index::Domain;
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
    /// As [`Domain::equal`], and [`Error::OpenRange`] for a range without an end. At most 1,024 alternatives are distinguished.
    ///
    /// ```
    /// use viewmerge::Limit;
    /// use viewmerge_index::Domain;
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
        let mut meter = Meter::new(limit);
        let found = Task::new(self, &mut meter).equal(a, b)?;
        self.certificate(self.whole(a)?, self.whole(b)?, found, &mut meter)
    }

    /// What [`Domain::simplify`] found, with a proof that it is defined at the same points and has the
    /// same values there.
    ///
    /// # Errors
    ///
    /// As [`Domain::certify_equal`].
    ///
    /// ```
    /// use viewmerge::Limit;
    /// use viewmerge_index::Domain;
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
        // The simplified expression has its own condition.
        let mut two = self.body(&simple.expression)?;
        two.valid = simple.guard().cloned();
        self.certificate(self.whole(expression)?, two, Same::Yes, &mut Meter::new(limit))
    }

    fn certificate(
        &self,
        one: Partial,
        two: Partial,
        found: Same,
        meter: &mut Meter<'_>,
    ) -> Result<ExpressionCertificate, Error> {
        let one = one.into_value().normal(&self.ranges)?;
        let two = two.into_value().normal(&self.ranges)?;
        let answer = match found {
            Same::No { point, .. } => Answer::Differ(point),
            Same::Yes => self.prove(&one, &two, meter)?,
        };
        let (names, ranges) = (json::identifiers(&self.names), self.ranges.clone());
        Ok(ExpressionCertificate { names, ranges, one, two, answer })
    }

    /// A proof for every case of every claim; a point if there is one after all.
    fn prove(&self, one: &Partial, two: &Partial, meter: &mut Meter<'_>) -> Result<Answer, Error> {
        let mut proofs = Vec::new();
        for claim in Claim::ALL {
            for (case, system) in systems(&self.ranges, claim, one, two)?.into_iter().enumerate() {
                match system.refute(meter)? {
                    Ok(proof) => {
                        proofs.push(Proven { claim, case, proof, rows: system.rows.len() });
                    }
                    Err(point) => {
                        return Ok(Answer::Differ(narrowed(&point[..self.ranges.len()])));
                    }
                }
            }
        }
        Ok(Answer::Same(proofs))
    }
}
