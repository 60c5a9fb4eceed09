//! Checks that a proof shows rows to have no integer solution.
//!
//! A leaf adds up multiples of rows to something absurd, such as 1 ≤ 0. A split
//! adds a row: form ≤ k on its low side, form ≥ k + 1 on its high side; an integer
//! satisfies one of them, so if both sides are absurd the whole is.
//!
//! Cost: every node once, without recursion; a leaf takes as many additions as the rows
//! it names have terms.

use crate::certificate::{Multiple, ProofNode, ProofStep};
use crate::claim::Side;
use crate::number::Integer;
use crate::refusal::Flaw;
use crate::system::{Form, Row};

/// Where a proof is flawed, and how.
pub(crate) struct Flawed {
    /// The number of the node.
    pub(crate) node: usize,
    pub(crate) path: Vec<Side>,
    pub(crate) flaw: Flaw,
}

/// A node that is still to be checked.
struct Open<'a> {
    node: usize,
    /// The number of splits above the one it hangs on.
    depth: usize,
    /// The side of the split it hangs on, and the row of that side.
    split: Option<(Side, Row<'a>)>,
}

/// Checks the proof with this root.
pub(crate) fn check<'a>(
    nodes: &'a [ProofNode],
    root: usize,
    variables: usize,
    mut rows: Vec<Row<'a>>,
) -> Result<(), Flawed> {
    let given = rows.len();
    let mut path = Vec::new();
    let mut open = vec![Open { node: root, depth: 0, split: None }];
    while let Some(Open { node, depth, split }) = open.pop() {
        // `path` and the rows after the given ones are the splits above the node at hand.
        path.truncate(depth);
        rows.truncate(given + depth);
        if let Some((side, row)) = split {
            path.push(side);
            rows.push(row);
        }
        let flaw = match &nodes[node].step {
            ProofStep::Absurd(multiples) => absurd(multiples, &rows).err(),
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
            return Err(Flawed { node, path, flaw });
        }
    }
    Ok(())
}

/// Whether the multiples add up to a positive number that is at most 0.
fn absurd(multiples: &[Multiple], rows: &[Row<'_>]) -> Result<(), Flaw> {
    let mut sum = Form::default();
    for Multiple { row: number, side, multiplier } in multiples {
        let place = usize::try_from(number).ok();
        let Some((place, row)) = place.and_then(|place| Some((place, rows.get(place)?))) else {
            return Err(Flaw::NoRow { row: number.clone(), rows: rows.len() });
        };
        if multiplier.is_negative() {
            let (row, multiplier) = (number.clone(), multiplier.clone());
            return Err(Flaw::NegativeMultiplier { row, multiplier });
        }
        let negative = &Integer::ZERO - multiplier;
        // low − form ≤ 0, or form − high ≤ 0.
        let (end, of_end, of_form) = match side {
            Side::Low => (&row.low, multiplier, &negative),
            Side::High => (&row.high, &negative, multiplier),
        };
        let end = end.as_ref().ok_or(Flaw::NoEnd { row: place, side: *side })?;
        sum.add(of_form, row.form);
        sum.constant = &sum.constant + &(of_end * end);
    }
    if let Some((variable, coefficient)) = sum.terms.pop_first() {
        return Err(Flaw::VariableLeft { variable, coefficient });
    }
    if sum.constant <= Integer::ZERO {
        return Err(Flaw::NotPositive { constant: sum.constant });
    }
    Ok(())
}
