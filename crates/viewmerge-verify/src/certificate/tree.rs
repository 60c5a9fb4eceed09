//! Reads proofs, which nest: half-read nodes wait on a list, not on the stack.

use crate::claim::Side;
use crate::json::{Object, Read, Reader};
use crate::number::Integer;
use crate::proof::{Multiple, ProofNode, ProofStep};
use crate::system::Form;

const PROOF: &str = "absurd; or split, at, low and high";

impl Reader<'_> {
    /// Reads a proof of any depth and returns the number of its root.
    pub(super) fn proof(&mut self, nodes: &mut Vec<ProofNode>) -> Read<usize> {
        let mut inner = HalfRead::begin(self)?;
        let mut outer = Vec::new();
        loop {
            match self.next(&mut inner.object)? {
                Some("absurd") => {
                    inner.absurd = Some(self.list("a list of [row, side, multiplier]", multiple)?);
                }
                Some("split") => inner.split = Some(self.integers()?),
                Some("at") => inner.at = Some(self.integer()?),
                Some(side) => {
                    inner.waits_for = if side == "low" { Side::Low } else { Side::High };
                    outer.push(std::mem::replace(&mut inner, HalfRead::begin(self)?));
                }
                None => {
                    let number = inner.end(self, nodes)?;
                    let Some(parent) = outer.pop() else { return Ok(number) };
                    inner = parent;
                    match inner.waits_for {
                        Side::Low => inner.low = Some(number),
                        Side::High => inner.high = Some(number),
                    }
                }
            }
        }
    }
}

/// A node of a proof, some of whose members have been read.
struct HalfRead {
    object: Object,
    absurd: Option<Vec<Multiple>>,
    split: Option<Vec<Integer>>,
    at: Option<Integer>,
    low: Option<usize>,
    high: Option<usize>,
    /// The side that is being read.
    waits_for: Side,
}

impl HalfRead {
    fn begin(reader: &mut Reader<'_>) -> Read<HalfRead> {
        reader.budget.entry::<HalfRead>()?;
        let object = reader.open("proof", &["absurd", "split", "at", "low", "high"])?;
        let (absurd, split, at, low, high) = (None, None, None, None, None);
        Ok(HalfRead { object, absurd, split, at, low, high, waits_for: Side::Low })
    }

    fn end(&mut self, reader: &Reader<'_>, nodes: &mut Vec<ProofNode>) -> Read<usize> {
        let at = self.object.at;
        let split = (self.split.take(), self.at.take(), self.low, self.high);
        let step = match (self.absurd.take(), split) {
            (Some(multiples), (None, None, None, None)) => ProofStep::Absurd(multiples),
            (None, (Some(coefficients), Some(at), Some(low), Some(high))) => ProofStep::Split {
                coefficients: coefficients.len(),
                form: Form::of(coefficients, reader.budget)?,
                at,
                low,
                high,
            },
            _ => return Err(reader.incomplete(&self.object, PROOF)),
        };
        reader.budget.entry::<ProofNode>()?;
        nodes.push(ProofNode { at, step });
        Ok(nodes.len() - 1)
    }
}

fn multiple(reader: &mut Reader<'_>) -> Read<Multiple> {
    reader.sign(b'[', "[row, side, multiplier]")?;
    let row = reader.integer()?;
    reader.sign(b',', "`,`, as in [row, side, multiplier]")?;
    let side = reader.side()?;
    reader.sign(b',', "`,`, as in [row, side, multiplier]")?;
    let multiplier = reader.integer()?;
    reader.sign(b']', "`]`, as in [row, side, multiplier]")?;
    Ok(Multiple { row, side, multiplier })
}
