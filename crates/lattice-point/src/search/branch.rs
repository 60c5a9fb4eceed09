//! One search for every value of a coordinate, with or without a proof.

use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;

use super::part::Part;
use super::{Explored, Search, Shape, Values};
use crate::limit::Halt;
use crate::lp::Multiples;
use crate::number::{Big, Number};
use crate::proof::{Origin, Proof, RowRef};
use crate::reduce::Coordinates;
use crate::row::Side;

impl<N: Number> Search<'_, '_, N> {
    /// Goes on with every value of the last coordinate, those in the middle first.
    pub(super) fn branch(
        &mut self,
        part: &Part<N>,
        coordinates: &Coordinates<N>,
        shape: Shape,
        values: Values<N>,
    ) -> Result<Explored, Halt> {
        if self.recorder.is_some() {
            return self.branch_with_proof(part, coordinates, shape, values);
        }
        let Values { first, last, .. } = values;
        let two = N::ONE.plus(&N::ONE)?;
        let middle = first.plus(&last.minus(&first)?.divided_down(&two))?;
        // Two fronts that go outwards.
        let (mut down, mut up) = (middle.clone(), middle.plus(&N::ONE)?);
        while down >= first || up <= last {
            for upwards in [false, true] {
                let front = if upwards { &mut up } else { &mut down };
                if *front < first || *front > last {
                    continue;
                }
                let value = front.clone();
                *front = if upwards { value.plus(&N::ONE)? } else { value.minus(&N::ONE)? };
                let mut child = part.clone();
                child.fix_last(&value)?;
                let mut narrower = coordinates.clone();
                narrower.fix_last(&value)?;
                if let Explored::Point = self.explore(child, narrower, shape.below())? {
                    return Ok(Explored::Point);
                }
            }
        }
        Ok(Explored::Nothing(None))
    }

    pub(super) fn branch_with_proof(
        &mut self,
        part: &Part<N>,
        coordinates: &Coordinates<N>,
        shape: Shape,
        Values { first, last, because }: Values<N>,
    ) -> Result<Explored, Halt> {
        let dual = &coordinates.duals[coordinates.width() - 1];
        let dual: Vec<Big> = dual.iter().map(Number::big).collect();
        // Ends of the coordinate, one pair of splits for every value.
        let mut values = vec![first.clone()];
        while values[values.len() - 1] < last {
            let next = values[values.len() - 1].plus(&N::ONE)?;
            values.push(next);
        }
        if last < first {
            values.clear();
        }
        let middle = values.len() / 2;
        let mut order: Vec<usize> = (0..values.len()).collect();
        order.sort_by_key(|&k| k.abs_diff(middle));
        let Some(recorder) = &mut self.recorder else { return Ok(Explored::Nothing(None)) };
        // Split i has at = first − 1 + i.
        let splits: Vec<usize> = (0..=values.len()).map(|_| recorder.split()).collect();
        let mut ends = Vec::with_capacity(splits.len());
        for &split in &splits {
            let row = RowRef::Split(split);
            let low: Origin<N> = recorder.source(row, Side::Low, dual.clone());
            let high: Origin<N> = recorder.source(row, Side::High, dual.clone());
            ends.push((low, high));
        }
        let fixed = recorder.fixed_count();
        let mut proofs: Vec<Option<Proof>> = values.iter().map(|_| None).collect();
        for k in order {
            let mut child = part.clone();
            child.fix_last(&values[k])?;
            let mut narrower = coordinates.clone();
            let column = narrower.fix_last(&values[k])?;
            if let Some(recorder) = &mut self.recorder {
                recorder.fix(&column, &ends[k].0, &ends[k + 1].1);
            }
            let explored = self.explore(child, narrower, shape.below());
            if let Some(recorder) = &mut self.recorder {
                recorder.unfix_to(fixed);
            }
            match explored? {
                Explored::Point => return Ok(Explored::Point),
                Explored::Nothing(proof) => proofs[k] = proof,
            }
        }
        let Some(recorder) = &self.recorder else { return Ok(Explored::Nothing(None)) };
        let outside = |(multiples, den): &(Multiples<N>, N), end: &Origin<N>| {
            let mut parts: Vec<(Origin<N>, N)> = multiples
                .iter()
                .map(|(row, side, times)| (part.rows[*row].origin(*side).clone(), times.clone()))
                .collect();
            parts.push((end.clone(), den.clone()));
            Some(recorder.absurd(&parts))
        };
        let [smallest, largest] = &because;
        // From the last split up to the first.
        let mut proof = outside(largest, &ends[values.len()].0);
        for k in (0..=values.len()).rev() {
            let low = if k == 0 { outside(smallest, &ends[0].1) } else { proofs[k - 1].take() };
            let at = first.big() - Big::ONE + Big::from(k);
            proof = match (low, proof) {
                (Some(low), Some(high)) => Some(Proof::Split {
                    number: splits[k],
                    form: dual.clone(),
                    at,
                    low: Box::new(low),
                    high: Box::new(high),
                }),
                _ => None,
            };
        }
        Ok(Explored::Nothing(proof))
    }
}
