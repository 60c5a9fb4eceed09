//! What a chain is on a domain if a view does not take the box.
//!
//! A box with corners cut off is not one view. If no signed sum of two or more jumps is 0, of levels whose floors
//! are not affine, the chain is not one view either. Otherwise the box is decided in pieces (`pieces.rs`), or a
//! *witness* is found (`witness.rs`): steps along an axis that differ, or a hole between two valid indices. What
//! none of these settles is open.
//!
//! Example: (N,M):(s,1) flattened, N ≥ 2, M ≥ 2 and s ≠ M. The only level has the jump s − M; one jump that is not 0
//! cannot cancel, so the chain is never one view.

use crate::combine::extended;
use crate::cond::Cond;
use crate::engine::{Answer, Engine, Front, Mode, Outcome, Position, Pushed, Stuck};
use crate::poly::Poly;
use crate::stage::Stage;

/// Relations among more jumps are not looked at.
const MOST_LEVELS: usize = 4;

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
        let below = &stages[..stages.len() - 1];
        if stuck.slab && !below.iter().any(Stage::is_masked) {
            // Every axis reaches its end somewhere in the valid set, but not all of them at once: it is not a box.
            return Ok(Outcome::Never);
        }
        if (1..=MOST_LEVELS).contains(&stuck.levels.len())
            && !stages.iter().any(Stage::is_masked)
            && let Some(slope) = self.ramp(below)
        {
            if self.know(Cond::Eq(slope))? {
                // Everything below is constant; this is decided elsewhere.
                return Ok(Outcome::Open);
            }
            let cannot_vanish = |relation: Poly| {
                let p = self.domain.normal(&relation);
                self.domain.proves_nonzero(self.names, &p)
            };
            if relations(&stuck.levels).all(cannot_vanish) {
                return Ok(Outcome::Never);
            }
        }
        if let Some(outcome) = self.by_pieces(stages, top, &stuck, cuts)? {
            return Ok(outcome);
        }
        if self.steps_differ(stages, &stuck) {
            return Ok(Outcome::Never);
        }
        self.by_indices(stages, top, &stuck, cuts)
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

/// The signed sums of two or more jumps.
fn relations(levels: &[(Poly, Poly)]) -> impl Iterator<Item = Poly> {
    let none = vec![Vec::new()];
    let signs = levels.iter().fold(none, |lists, _| extended(&lists, &[0, 1, -1]).collect());
    let several = |signs: &Vec<i128>| signs.iter().filter(|sign| **sign != 0).count() > 1;
    signs.into_iter().filter(several).map(move |signs| {
        let terms = signs.iter().zip(levels);
        terms.fold(Poly::zero(), |sum, (sign, (_, jump))| sum + jump.scaled(*sign))
    })
}
