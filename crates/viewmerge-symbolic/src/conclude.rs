//! What a chain is on a domain if a view does not take the box.
//!
//! A box with corners cut off is not one view. If no signed sum of two or more jumps is 0, of levels whose floors
//! are not affine, the chain is not one view either. Otherwise the box is decided in pieces (`pieces.rs`), or a
//! *witness* is found (`witness.rs`): steps along an axis that differ. What
//! none of these settles is open.
//!
//! Example: (N,M):(s,1) flattened, N ≥ 2, M ≥ 2 and s ≠ M. The only level has the jump s − M; one jump that is not 0
//! cannot cancel, so the chain is never one view.

use crate::combine::extended;
use crate::cond::Cond;
use crate::engine::{Answer, Block, Engine, Left, Mode, Outcome, Stuck};
use crate::poly::Poly;
use crate::stage::Stage;

/// Relations among more jumps are not looked at.
const MOST_LEVELS: usize = 4;

impl Engine<'_> {
    /// Decides a chain that is stuck at a view.
    pub(crate) fn conclude(
        &mut self,
        stages: &[Stage],
        stuck: &Stuck,
        cuts: u32,
    ) -> Answer<Outcome> {
        let Some(top) = stages.last() else { return Ok(Outcome::Open) };
        let stages = &stages[..=stuck.number];
        let below = &stages[..stuck.number];
        match &stuck.block {
            // Every axis reaches its end somewhere in the valid set, but not all of them at once: it is not a box.
            Block::Mask { slab: true, .. } if !below.iter().any(Stage::is_masked) => {
                return Ok(Outcome::Never);
            }
            Block::Levels(levels)
                if levels.len() <= MOST_LEVELS && !stages.iter().any(Stage::is_masked) =>
            {
                if let Some(slope) = self.ramp(below)
                    && !self.know(Cond::Eq(slope))?
                    && relations(levels).all(|jump| self.cannot_vanish(&jump))
                {
                    return Ok(Outcome::Never);
                }
            }
            _ => {}
        }
        if let Some(outcome) = self.by_pieces(stages, top, stuck, cuts)? {
            return Ok(outcome);
        }
        if self.steps_differ(stages, stuck) {
            return Ok(Outcome::Never);
        }
        self.by_indices(stages, top, stuck, cuts)
    }

    /// The slope of views that are one ramp; 1 for none.
    pub(crate) fn ramp(&mut self, below: &[Stage]) -> Option<Poly> {
        let Some(upper) = below.last() else { return Some(Poly::one()) };
        let line = Stage::contiguous(vec![self.norm(&upper.count())]);
        let mode = std::mem::replace(&mut self.mode, Mode::Lazy);
        let walked = self.walk(&[below, &[line]].concat());
        self.mode = mode;
        match walked {
            Ok(Left::Break(Outcome::View { steps, .. })) => steps.into_iter().next()?,
            _ => None,
        }
    }

    /// Whether a number is proved not to be 0.
    pub(crate) fn cannot_vanish(&mut self, p: &Poly) -> bool {
        let p = self.norm(p);
        self.domain.proves_nonzero(self.names, &p)
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
