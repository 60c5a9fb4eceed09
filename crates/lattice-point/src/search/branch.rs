//! One search for every value of a coordinate, and one proof from all of theirs.

use alloc::boxed::Box;
use alloc::collections::VecDeque;
use alloc::vec::Vec;

use super::node::{Node, Shape};
use super::{Found, Search, Values};
use crate::limit::Halt;
use crate::lp::Multiples;
use crate::number::{Big, Number, big_list};
use crate::proof::{Origin, Proof, Recorder, RowRef};

impl Search<'_, '_> {
    /// Goes on with every value of the last coordinate, those in the middle first.
    pub(super) fn branch<N: Number>(
        &mut self,
        node: &Node<N>,
        values: &Values<N>,
    ) -> Result<Found<N>, Halt> {
        let Values { first, last, .. } = values;
        let half = last.minus(first)?.divided_down(&N::from_wide(2));
        let middle = first.plus(&half)?;
        let coordinate = &node.free[node.width() - 1];
        let branches = |recorder| Branches::new(big_list(&coordinate.dual), recorder);
        let mut branches = self.recorder.as_mut().map(branches);
        // Two fronts that go outwards.
        let (mut down, mut up) = (middle.clone(), middle.plus(&N::ONE)?);
        while down >= *first || up <= *last {
            for upwards in [false, true] {
                let front = if upwards { &mut up } else { &mut down };
                if *front < *first || *front > *last {
                    continue;
                }
                let value = front.clone();
                *front = if upwards { value.plus(&N::ONE)? } else { value.minus(&N::ONE)? };
                if let Some((branches, recorder)) = branches.as_mut().zip(self.recorder.as_mut()) {
                    branches.enter(&coordinate.column, upwards, recorder);
                }
                let mut child = node.clone();
                child.fix_last(&value)?;
                if child.shape == Shape::Fitted {
                    child.shape = Shape::Reduced;
                }
                let found = self.explore(child)?;
                let Err(proof) = found else { return Ok(found) };
                if let Some((branches, recorder)) = branches.as_mut().zip(self.recorder.as_mut()) {
                    branches.leave(proof, upwards, recorder);
                }
            }
        }
        let proof = branches.zip(self.recorder.as_ref());
        Ok(Err(proof.and_then(|(branches, recorder)| branches.proof(node, values, recorder))))
    }
}

/// The values of a coordinate that have been searched, without gaps, and their proofs.
struct Branches<N> {
    /// The coordinate as a form of the variables.
    form: Vec<Big>,
    /// The splits around the values: one below each of them, and one above the last.
    splits: VecDeque<Split<N>>,
    proofs: VecDeque<Option<Proof>>,
}

/// A split on the coordinate, and the ends of its row: the coordinate is above it, or not.
struct Split<N> {
    number: usize,
    above: Origin<N>,
    not_above: Origin<N>,
}

impl<N: Number> Branches<N> {
    /// No value yet; the first one is below the first split.
    fn new(form: Vec<Big>, recorder: &mut Recorder) -> Branches<N> {
        let mut branches = Branches { form, splits: VecDeque::new(), proofs: VecDeque::new() };
        let split = branches.split(recorder);
        branches.splits.push_back(split);
        branches
    }

    fn split(&self, recorder: &mut Recorder) -> Split<N> {
        let number = recorder.split();
        let [above, not_above] = recorder.ends(RowRef::Split(number), &self.form);
        Split { number, above, not_above }
    }

    /// The coordinate takes the next value up or down, between its two splits.
    fn enter(&mut self, column: &[N], upwards: bool, recorder: &mut Recorder) {
        let split = self.split(recorder);
        let below = if upwards {
            self.splits.push_back(split);
            self.splits.len() - 2
        } else {
            self.splits.push_front(split);
            0
        };
        recorder.fix(column, &self.splits[below].above, &self.splits[below + 1].not_above);
    }

    /// The search for the value just entered has ended with this proof.
    fn leave(&mut self, proof: Option<Proof>, upwards: bool, recorder: &mut Recorder) {
        recorder.unfix_to(recorder.fixed_count() - 1);
        if upwards {
            self.proofs.push_back(proof);
        } else {
            self.proofs.push_front(proof);
        }
    }

    /// One split after the other, from the last value down to the first.
    fn proof(self, node: &Node<N>, values: &Values<N>, recorder: &Recorder) -> Option<Proof> {
        let outside = |(multiples, den): &(Multiples<N>, N), end: &Origin<N>| {
            let mut parts = node.origins(multiples);
            parts.push((end.clone(), den.clone()));
            recorder.absurd(&parts)
        };
        let [smallest, largest] = &values.because;
        let mut proof = outside(largest, &self.splits.back()?.above);
        let low = outside(smallest, &self.splits.front()?.not_above);
        let lows = core::iter::once(Some(low)).chain(self.proofs);
        let splits = self.splits.iter().zip(lows.collect::<Vec<_>>()).enumerate();
        for (place, (split, low)) in splits.rev() {
            proof = Proof::Split {
                number: split.number,
                form: self.form.clone(),
                // The first split is just below the first value.
                at: values.first.big() - Big::ONE + Big::from(place),
                low: Box::new(low?),
                high: Box::new(proof),
            };
        }
        Some(proof)
    }
}
