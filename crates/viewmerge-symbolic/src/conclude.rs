//! What a chain is on a domain if a view does not take the box.
//!
//! A box with corners cut off is not one view. If no signed sum of two or more jumps is 0, of levels whose floors
//! are not affine, the chain is
//! not one view either. Otherwise the view falls into two (`apart.rs`), the box is decided in pieces
//! (`pieces.rs`), or a *witness* is found (`witness.rs`): steps along an axis that differ, or a hole between two valid
//! indices. What none of these settles is open.
//!
//! Example: (N,M):(s,1) flattened, N ≥ 2, M ≥ 2 and s ≠ M. The only level has the jump s − M; one jump that is not 0
//! cannot cancel, so the chain is never one view.

use crate::cond::Cond;
use crate::engine::{Answer, Engine, Front, Mode, Outcome, Position, Pushed, Stuck};
use crate::poly::Poly;
use crate::stage::Stage;

impl Engine<'_> {
    /// Decides a chain that is stuck at a view.
    pub(crate) fn conclude(
        &mut self,
        stages: &[Stage],
        stuck: Stuck,
        cuts: u32,
    ) -> Answer<Outcome> {
        let Some(top) = stages.last() else { return Ok(Outcome::Open) };
        let stages = &stages[..=stuck.number];
        let Stuck { front, position: n, levels, pending, .. } = &stuck;
        let pending = *pending;
        let below = &stages[..stages.len() - 1];
        if stuck.slab && !below.iter().any(Stage::is_masked) {
            // Every axis reaches its end somewhere in the valid set, but not all of them at once: it is not a box.
            return Ok(Outcome::Never);
        }
        let masked = stages.iter().any(Stage::is_masked);
        if !pending
            && !masked
            && !levels.is_empty()
            && let Some(slope) = self.ramp(below)
        {
            if self.know(Cond::Eq(slope))? {
                // Everything below is constant; this is decided elsewhere.
                return Ok(Outcome::Open);
            }
            if let Some(outcome) = self.by_relations(levels) {
                return Ok(outcome);
            }
        }
        if let Some(outcome) = self.apart(stages, top, &stuck)? {
            return Ok(outcome);
        }
        if let Some(outcome) = self.by_pieces(stages, top, &stuck, cuts)? {
            return Ok(outcome);
        }
        if let Some(outcome) = self.by_witness(stages, front, n, levels)? {
            return Ok(outcome);
        }
        if !pending && !masked && stages.len() == 1 {
            // Where no signed sum of jumps is 0, the chain is not one view.
            let Some(relations) = relations(levels) else { return Ok(Outcome::Open) };
            for relation in relations {
                if self.know(Cond::Eq(relation))? {
                    return Ok(Outcome::Open);
                }
            }
            return Ok(Outcome::Never);
        }
        Ok(Outcome::Open)
    }

    /// The slope of views that are one ramp; 1 for none.
    pub(crate) fn ramp(&mut self, below: &[Stage]) -> Option<Poly> {
        let Some(upper) = below.last() else { return Some(Poly::one()) };
        let count = self.norm(&upper.count());
        let front = Front { axis: vec![0], lo: vec![Poly::zero()], last: vec![&count - 1] };
        let mut position = Position { base: Poly::zero(), step: vec![Poly::one()] };
        let mode = std::mem::replace(&mut self.mode, Mode::Lazy);
        let mut front = front;
        for stage in below.iter().rev() {
            match self.push(stage, &mut front, &position) {
                Ok(Pushed::Through(next)) => position = next,
                _ => {
                    self.mode = mode;
                    return None;
                }
            }
        }
        self.mode = mode;
        position.step.pop()
    }

    /// Never one view, if no signed sum of two or more jumps can be 0.
    fn by_relations(&mut self, levels: &[(Poly, Poly)]) -> Option<Outcome> {
        let known = relations(levels)?.iter().all(|p| {
            let p = self.domain.normal(p);
            self.domain.proves_nonzero(self.names, &p)
        });
        known.then_some(Outcome::Never)
    }
}

/// The signed sums of two or more jumps, one of each pair that differ in sign; `None` for too many jumps.
fn relations(levels: &[(Poly, Poly)]) -> Option<Vec<Poly>> {
    if levels.len() > 4 {
        return None;
    }
    let mut sums: Vec<(usize, Poly)> = vec![(0, Poly::zero())];
    for (_, jump) in levels {
        let more: Vec<(usize, Poly)> = sums
            .iter()
            .flat_map(|(terms, sum)| {
                // The first term has a plus.
                let plus = (terms + 1, sum + jump);
                let minus = (terms + 1, sum - jump);
                if *terms == 0 { vec![plus] } else { vec![plus, minus] }
            })
            .collect();
        sums.extend(more);
    }
    Some(sums.into_iter().filter(|(terms, _)| *terms >= 2).map(|(_, sum)| sum).collect())
}
