//! Checks that a proof shows that rows have no integer solution.
//!
//! A leaf adds up multiples of rows to a contradiction such as 1 ≤ 0. A split adds a row: form ≤ k on its
//! low side, form ≥ k + 1 on its high side. Every integer satisfies one of them, so if both sides are
//! contradictory, the whole is.
//!
//! Proofs are one flat list of nodes, so neither checking nor dropping one depends on the stack, however
//! deep it is.
//!
//! Cost: each node once; a leaf takes as many additions as its rows have terms, and all of them are
//! charged.

use crate::budget::Budget;
use crate::claim::Side;
use crate::number::Integer;
use crate::refusal::{Flaw, TooLarge};
use crate::system::{Form, Row};

/// A node of a proof.
pub(crate) struct ProofNode {
    /// Where it is in the text.
    pub(crate) at: usize,
    pub(crate) step: ProofStep,
}

pub(crate) enum ProofStep {
    Absurd(Vec<Multiple>),
    Split { form: Form, coefficients: usize, at: Integer, low: usize, high: usize },
}

/// A multiple of one end of a row.
pub(crate) struct Multiple {
    pub(crate) row: Integer,
    pub(crate) side: Side,
    pub(crate) multiplier: Integer,
}

/// The cost of looking at a node.
const STEPS_A_NODE: u64 = 256;

/// Where a proof is flawed, and how.
pub(crate) struct Flawed {
    /// The number of the node.
    pub(crate) node: usize,
    pub(crate) path: Vec<Side>,
    pub(crate) flaw: Flaw,
}

/// A node still to be checked.
struct Open<'a> {
    node: usize,
    /// The number of splits above its parent.
    depth: usize,
    /// The side of its parent that it is on, and the row of that side.
    split: Option<(Side, Row<'a>)>,
}

/// The flaw of the proof with this root, if it has one.
pub(crate) fn flawed<'a>(
    nodes: &'a [ProofNode],
    root: usize,
    variables: usize,
    mut rows: Vec<Row<'a>>,
    budget: &Budget,
) -> Result<Option<Flawed>, TooLarge> {
    let given = rows.len();
    let mut path = Vec::new();
    let mut open = vec![Open { node: root, depth: 0, split: None }];
    while let Some(Open { node, depth, split }) = open.pop() {
        // `path`, and the rows after the given ones, are the splits above the current node.
        budget.spend(STEPS_A_NODE)?;
        path.truncate(depth);
        rows.truncate(given + depth);
        if let Some((side, row)) = split {
            path.push(side);
            rows.push(row);
        }
        let flaw = match &nodes[node].step {
            ProofStep::Absurd(multiples) => absurd(multiples, &rows, budget)?,
            ProofStep::Split { coefficients, .. } if *coefficients != variables => {
                Some(Flaw::Coefficients { found: *coefficients, variables })
            }
            ProofStep::Split { form, at, low, high, .. } => {
                let above = Row::at_least(form, at + &Integer::ONE);
                let below = Row::at_most(form, at.clone());
                let depth = path.len();
                open.push(Open { node: *high, depth, split: Some((Side::High, above)) });
                open.push(Open { node: *low, depth, split: Some((Side::Low, below)) });
                None
            }
        };
        if let Some(flaw) = flaw {
            return Ok(Some(Flawed { node, path, flaw }));
        }
    }
    Ok(None)
}

/// Why the multiples do not add up to "a positive number is at most 0", or `None` if they do.
fn absurd(
    multiples: &[Multiple],
    rows: &[Row<'_>],
    budget: &Budget,
) -> Result<Option<Flaw>, TooLarge> {
    let held = budget.held();
    let mut sum = Form::default();
    for Multiple { row: number, side, multiplier } in multiples {
        let place = usize::try_from(number).ok();
        let Some((place, row)) = place.and_then(|place| Some((place, rows.get(place)?))) else {
            return Ok(Some(Flaw::NoRow { row: number.clone(), rows: rows.len() }));
        };
        if multiplier.is_negative() {
            let (row, multiplier) = (number.clone(), multiplier.clone());
            return Ok(Some(Flaw::NegativeMultiplier { row, multiplier }));
        }
        let negative = &Integer::ZERO - multiplier;
        // low − form ≤ 0, or form − high ≤ 0.
        let (end, of_end, of_form) = match side {
            Side::Low => (&row.low, multiplier, &negative),
            Side::High => (&row.high, &negative, multiplier),
        };
        let Some(end) = end else { return Ok(Some(Flaw::NoEnd { row: place, side: *side })) };
        sum.add(of_form, row.form, budget)?;
        sum.constant = budget.sum(&sum.constant, &budget.product(of_end, end)?)?;
    }
    budget.release(held);
    if let Some((variable, coefficient)) = sum.terms.into_iter().next() {
        return Ok(Some(Flaw::VariableLeft { variable, coefficient }));
    }
    if sum.constant <= Integer::ZERO {
        return Ok(Some(Flaw::NotPositive { constant: sum.constant }));
    }
    Ok(None)
}
