//! One search for every value of a coordinate, and one proof from all of theirs.

use alloc::collections::VecDeque;

use super::node::{Node, Shape};
use super::{Found, Values};
use crate::limit::{Halt, Meter};
use crate::lp::Multiples;
use crate::number::{Big, Number};
use crate::proof::{Origin, Proof, RowRef, Trail, big_list};
use crate::row::Side;

impl<N: Number> Node<N> {
    /// Goes on with every value of the last coordinate, those in the middle first.
    pub(super) fn branch(
        &self,
        values: &Values<N>,
        meter: &mut Meter<'_>,
    ) -> Result<Found<N>, Halt> {
        let Values { first, last, because } = values;
        let half = last.minus(first)?.divided_down(&N::from(2));
        let middle = first.plus(&half)?;
        let coordinate = &self.free[self.width() - 1];
        let form = big_list(&coordinate.dual);
        let end = |split: usize, side: Side| Origin::new(RowRef::Split(split), side, &form);
        let split = || self.trail.as_ref().map_or(0, Trail::split);
        // The splits around the values that have been searched, which have no gaps, and the proofs
        // of the values between them.
        let (mut splits, mut proofs) = (VecDeque::from([split()]), VecDeque::new());
        let (mut down, mut up) = (middle.clone(), middle.plus(&N::ONE)?);
        while down >= *first || up <= *last {
            for (value, upwards) in [(&down, false), (&up, true)] {
                if value < first || value > last {
                    continue;
                }
                let new = split();
                let (below, above) = match upwards {
                    true => (splits[splits.len() - 1], new),
                    false => (new, splits[0]),
                };
                let mut child = self.clone();
                if let Some(trail) = &mut child.trail {
                    trail.fix(
                        &coordinate.column,
                        vec![end(below, Side::Low), end(above, Side::High)],
                    );
                }
                child.fix_last(value)?;
                if child.shape == Shape::Fitted {
                    child.shape = Shape::Reduced;
                }
                match (child.explore(meter)?, upwards) {
                    (Ok(point), _) => return Ok(Ok(point)),
                    (Err(proof), true) => {
                        splits.push_back(new);
                        proofs.push_back(proof);
                    }
                    (Err(proof), false) => {
                        splits.push_front(new);
                        proofs.push_front(proof);
                    }
                }
            }
            (down, up) = (down.minus(&N::ONE)?, up.plus(&N::ONE)?);
        }
        let Some(trail) = &self.trail else { return Ok(Err(None)) };
        let outside = |(multiples, den): &(Multiples<N>, N), end: Origin| {
            let mut parts = self.origins(multiples);
            parts.push((end, den.clone().into()));
            trail.absurd(&parts)
        };
        let [smallest, largest] = because;
        proofs.push_front(Some(outside(smallest, end(splits[0], Side::High))));
        let mut proof = outside(largest, end(splits[splits.len() - 1], Side::Low));
        let mut at: Big = last.clone().into();
        for (number, low) in splits.into_iter().zip(proofs).rev() {
            let Some(low) = low else { return Ok(Err(None)) };
            proof = Proof::split(number, &form, at.clone(), low, proof);
            at -= Big::ONE;
        }
        Ok(Err(Some(proof)))
    }
}
