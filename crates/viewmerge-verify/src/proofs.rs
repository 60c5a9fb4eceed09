//! The proofs of a certificate, and whether every claim has a correct one.
//!
//! Each claim must appear once, and no other may. The caller makes the claims and their rows from the
//! subject of the certificate; the certificate only supplies proofs.

use std::collections::BTreeMap;

use crate::budget::Budget;
use crate::claim::Claim;
use crate::json::Source;
use crate::proof::{ProofNode, flawed};
use crate::refusal::{Failure, Node, Refusal};
use crate::system::Row;

/// The cost of finding a claim, and of a row.
const STEPS_A_CLAIM: u64 = 512;
const STEPS_A_ROW: u64 = 128;

/// A claim and the root of its proof.
pub(crate) struct Proved {
    /// Where it is in the text.
    pub(crate) at: usize,
    pub(crate) claim: Claim,
    pub(crate) root: usize,
}

/// The proofs of a certificate that no claim has used yet.
pub(crate) struct Proofs<'a> {
    roots: BTreeMap<&'a Claim, usize>,
    nodes: &'a [ProofNode],
    source: Source<'a>,
    pub(crate) budget: &'a Budget,
}

impl<'a> Proofs<'a> {
    pub(crate) fn new(
        proofs: &'a [Proved],
        nodes: &'a [ProofNode],
        source: Source<'a>,
        budget: &'a Budget,
    ) -> Result<Proofs<'a>, Refusal> {
        let mut roots = BTreeMap::new();
        for Proved { claim, root, .. } in proofs {
            budget.entry::<(&Claim, usize)>()?;
            budget.spend(STEPS_A_CLAIM)?;
            if roots.insert(claim, *root).is_some() {
                return Err(Failure::Repeated { claim: claim.clone() }.into());
            }
        }
        Ok(Proofs { roots, nodes, source, budget })
    }

    /// The root of the proof of a claim; each can be taken once.
    pub(crate) fn root(&mut self, claim: &Claim<usize>) -> Result<usize, Failure> {
        let claim = Claim::from(claim);
        self.roots.remove(&claim).ok_or(Failure::Missing { claim })
    }

    /// Whether the proof with this root shows that the rows have no point.
    pub(crate) fn check(
        &self,
        claim: &Claim<usize>,
        root: usize,
        variables: usize,
        rows: Vec<Row<'_>>,
    ) -> Result<(), Refusal> {
        let held = self.budget.held();
        for row in &rows {
            self.budget.entry::<Row<'_>>()?;
            self.budget.hold(row.heap())?;
            self.budget.spend(STEPS_A_ROW)?;
        }
        let flawed = flawed(self.nodes, root, variables, rows, self.budget)?;
        self.budget.release(held);
        let Some(flawed) = flawed else { return Ok(()) };
        let (line, column) = self.source.line_and_column(self.nodes[flawed.node].at);
        let node = Node { line, column, path: flawed.path };
        Err(Failure::Unproved { claim: claim.into(), node, flaw: flawed.flaw }.into())
    }

    /// Whether no proof is left over.
    pub(crate) fn end(&self) -> Result<(), Failure> {
        match self.roots.first_key_value() {
            None => Ok(()),
            Some((&claim, _)) => Err(Failure::Unasked { claim: claim.clone() }),
        }
    }
}
