//! What a chain is on a domain if a view does not take the box.
//!
//! A box with corners cut off is not one view. If no signed sum of two or more jumps is 0, of levels whose floors
//! are not affine, the chain is not one view either. Otherwise the box is decided in pieces (`pieces.rs`), or a
//! *witness* is found (`witness.rs`): steps along an axis that differ, or a hole between two valid indices. What
//! none of these settles is open.
//!
//! Example: (N,M):(s,1) flattened, N ≥ 2, M ≥ 2 and s ≠ M. The only level has the jump s − M; one jump that is not 0
//! cannot cancel, so the chain is never one view.

use crate::cond::Cond;
use crate::engine::{Answer, Engine, Front, Mode, Outcome, Position, Pushed, Stop, Stuck};
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
        let Stuck { levels, pending, .. } = &stuck;
        let pending = *pending;
        let below = &stages[..stages.len() - 1];
        if stuck.slab && !below.iter().any(Stage::is_masked) {
            // Every axis reaches its end somewhere in the valid set, but not all of them at once: it is not a box.
            return Ok(Outcome::Never);
        }
        let masked = stages.iter().any(Stage::is_masked);
        let mut decisive = None;
        if !pending
            && !masked
            && !levels.is_empty()
            && let Some(slope) = self.ramp(below)
        {
            if self.know(Cond::Eq(slope))? {
                // Everything below is constant; this is decided elsewhere.
                return Ok(Outcome::Open);
            }
            decisive = relations(levels);
        }
        let cannot_vanish = |relation: &Poly| {
            let p = self.domain.normal(relation);
            self.domain.proves_nonzero(self.names, &p)
        };
        if decisive.as_ref().is_some_and(|relations| relations.iter().all(cannot_vanish)) {
            return Ok(Outcome::Never);
        }
        let found = self.by_parts(stages, top, &stuck, cuts);
        let given_up = matches!(found, Ok(None | Some(Outcome::Open)) | Err(Stop::Unknown));
        if let (true, Some(relations)) = (given_up, decisive) {
            // What is left depends on whether jumps cancel.
            let mut cancel = false;
            for relation in relations {
                cancel |= self.know(Cond::Eq(relation))?;
            }
            if !cancel {
                return Ok(Outcome::Never);
            }
        }
        Ok(found?.unwrap_or(Outcome::Open))
    }

    /// Decides a chain in pieces, or by a witness.
    fn by_parts(
        &mut self,
        stages: &[Stage],
        top: &Stage,
        stuck: &Stuck,
        cuts: u32,
    ) -> Answer<Option<Outcome>> {
        if let Some(outcome) = self.by_pieces(stages, top, stuck, cuts)? {
            return Ok(Some(outcome));
        }
        match self.by_witness(stages, &stuck.front, &stuck.position, &stuck.levels)? {
            None => self.by_indices(stages, top, stuck, cuts),
            found => Ok(found),
        }
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
