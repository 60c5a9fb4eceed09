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

use alloc::vec::Vec;

use super::answer::Partial;
use super::decide::{Task, narrowed};
use super::{Domain, Expression, Same, Simplified};
use cases::systems;
use lattice_point::{Encode, Limit, Meter};
use viewmerge::internal::{certificate, numbers, tree};
use viewmerge::{Certificate, Error};

/// What a certificate needs of ranges.
const NO_ENDS: &str = "a certificate holds within ranges, give it one";

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
    ) -> Result<Certificate, Error> {
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
    ) -> Result<Certificate, Error> {
        self.closed(NO_ENDS)?;
        let (one, two) = (self.whole(expression)?, self.partial(simple)?);
        self.certificate(one, two, Same::Yes, &mut Meter::new(limit))
    }

    fn certificate(
        &self,
        one: Partial,
        two: Partial,
        found: Same,
        meter: &mut Meter<'_>,
    ) -> Result<Certificate, Error> {
        let one = one.into_value().normal(&self.ranges)?;
        let two = two.into_value().normal(&self.ranges)?;
        let json = json::about(&self.names, &self.ranges, [&one, &two]);
        let differ =
            |point: &[i64]| certificate(format!(r#"{json},"differ":{}"#, numbers(point)), None);
        if let Same::No { point, .. } = found {
            return Ok(differ(&point));
        }
        // Greater, less, defined where the other is not. Ends are those of the difference.
        let claims = [
            ("above", [&one, &two], Some((Some(1), None))),
            ("below", [&one, &two], Some((None, Some(-1)))),
            ("lost", [&one, &two], None),
            ("gained", [&two, &one], None),
        ];
        let mut proofs = Vec::new();
        for (claim, sides, ends) in claims {
            for (case, system) in systems(&self.ranges, sides, ends)?.into_iter().enumerate() {
                match system.refute(meter)? {
                    Ok(proof) => {
                        let tree = tree(&proof, system.rows.len());
                        let json = format!(r#"{{"claim":"{claim}","case":{case},"proof":{tree}}}"#);
                        proofs.push((json, proof.nodes()));
                    }
                    // There is one after all.
                    Err(point) => return Ok(differ(&narrowed(&point[..self.ranges.len()]))),
                }
            }
        }
        Ok(certificate(json, Some(proofs)))
    }
}
