//! Two steps along an axis that differ: then a chain is not one view.
//!
//! Along every axis of the box, the others at their first or their last index, a few steps are evaluated: the first
//! ones, the last one, and those at which a level carries first.
//!
//! Example: (N,M):(1,N) flattened, N ≥ 3 and M ≥ 2. The level carries first at x = M: the step from 0
//! adds N, that from M − 1 adds 1 − (M − 1)·N, and these differ for all N and M.

use crate::engine::{Engine, Position, Stuck};
use crate::evaluate::Seen;
use crate::poly::Poly;
use crate::stage::Stage;

/// So many steps from the first index on are evaluated.
const FIRST: i128 = 5;

impl Engine<'_> {
    /// Whether two steps along an axis are proved to differ.
    pub(crate) fn steps_differ(&mut self, stages: &[Stage], stuck: &Stuck) -> bool {
        let last: Vec<Poly> = stuck.front.last.iter().map(|last| self.norm(last)).collect();
        let corners = [vec![Poly::zero(); last.len()], last.clone()];
        // Places may be given names, which nothing else needs.
        let domain = self.domain.clone();
        let differ = (0..last.len()).any(|l| {
            let mut places: Vec<Poly> = (0..FIRST).map(Poly::number).collect();
            places.push(&last[l] - 1);
            for (modulus, _) in &stuck.levels {
                places.extend(self.carry(&stuck.position, l, modulus));
            }
            corners.iter().any(|corner| {
                let mut steps: Vec<Poly> = Vec::new();
                places.iter().any(|place| {
                    let Some(step) = self.step(stages, &stuck.position, corner, &last, (l, place))
                    else {
                        return false;
                    };
                    let differs = steps.first().is_some_and(|first| {
                        let difference = self.norm(&(first - &step));
                        self.domain.proves_nonzero(self.names, &difference)
                    });
                    steps.push(step);
                    differs
                })
            })
        });
        *self.domain = domain;
        differ
    }

    /// What a step along an axis adds, from an index to the next.
    fn step(
        &mut self,
        stages: &[Stage],
        n: &Position,
        corner: &[Poly],
        last: &[Poly],
        (l, place): (usize, &Poly),
    ) -> Option<Poly> {
        let room = self.norm(&(&last[l] - place - 1));
        if !self.domain.proves(self.names, place) || !self.domain.proves(self.names, &room) {
            return None;
        }
        let mut value = |place: Poly| {
            let mut at = corner.to_vec();
            at[l] = place;
            match self.evaluate(stages, n, &at) {
                Seen::Valid(value) => Some(value),
                _ => None,
            }
        };
        Some(value(place + 1)? - value(place.clone())?)
    }

    /// The last index along an axis before the position reaches a modulus, the other axes at 0.
    fn carry(&mut self, n: &Position, l: usize, modulus: &Poly) -> Option<Poly> {
        let step = self.norm(&n.step[l]);
        let way = self.norm(&(modulus - &n.base - 1));
        self.domain.divide(self.names, &way, &step)
    }
}
