//! Two steps along an axis that differ: then a chain is not one view.
//!
//! Along every axis of the box, the others at 0, the first steps are evaluated. Below the last view a mask has rows:
//! a line that meets two of them and the padding between is seen without evaluating anything.
//!
//! Example: (N,M) padded by P on the right of each row, flattened, and read at every second position, where N, M and P
//! are 2 or more. A position in every row is met, and so is one of the padding between the first two.

use crate::engine::{Answer, Engine, Front, Stop, Stuck};
use crate::evaluate::Seen;
use crate::poly::Poly;
use crate::stage::Stage;

/// So many steps from the first index on are evaluated.
const FIRST: i128 = 5;

impl Engine<'_> {
    /// Whether two steps along an axis are proved to differ.
    pub(crate) fn steps_differ(&mut self, stages: &[Stage], stuck: &Stuck) -> bool {
        let last: Vec<Poly> = stuck.front.last.iter().map(|last| self.norm(last)).collect();
        (0..last.len()).any(|l| {
            let mut steps =
                (0..FIRST).map_while(|place| self.step(stages, stuck, &last, (l, place)));
            let Some(first) = steps.next() else { return false };
            let differences: Vec<Poly> = steps.map(|step| step - &first).collect();
            differences.iter().any(|difference| self.cannot_vanish(difference))
        })
    }

    /// Whether a line along an axis of the last view shows that the chain is not one view, by the rows of the mask below
    /// it: it meets two rows and the padding between them, or two steps on it differ.
    pub(crate) fn rows_differ(&mut self, stages: &[Stage]) -> Answer<bool> {
        let [below @ .., stage, top] = stages else { return Ok(false) };
        let masked = below.iter().any(Stage::is_masked) || top.is_masked();
        let free = |axis: &usize| stage.bounds[*axis].is_free();
        let Some(axis) = (1..stage.rank()).rev().find(|axis| !free(axis)) else { return Ok(false) };
        let Some(valid) = stage.intervals().filter(|_| !masked && stage.alive.is_empty()) else {
            return Ok(false);
        };
        let behind = stage.shape[axis + 1..].iter().product::<Poly>();
        let width = (&valid[axis].1 - &valid[axis].0) * &behind;
        let count = &valid[axis - 1].1 - &valid[axis - 1].0;
        let period = self.norm(&(&behind * &stage.shape[axis]));
        let gap = &period - &width;
        // The first valid position, and what is left of it in its row.
        let (mut start, mut elements) = (Poly::zero(), Poly::one());
        for ((lo, _), size) in valid.iter().zip(&stage.shape).rev() {
            start += lo * &elements;
            elements *= size;
        }
        let before = self.norm(&(&valid[axis].0 * &behind));
        let n = top.position();
        let last: Vec<Poly> = top.shape.iter().map(|size| self.norm(&(size - 1))).collect();
        if self.seen_floor(&Front::whole(&last), &n, &period).is_some() {
            return Ok(false);
        }
        let aligned = self.norm(&(&n.base - &before)).is_zero();
        // From a row to the next a step adds something else than within a row.
        let turns = axis + 1 == stage.rank()
            && match self.ramp(below) {
                Some(slope) => self.cannot_vanish(&(&slope * stage.jump(axis))),
                None => false,
            };
        for (step, last) in n.step.iter().zip(&last) {
            let Some(step @ 1..) = self.norm(step).as_number() else { continue };
            if !self.at_least(&count, 2)? {
                continue;
            }
            let (rows, more) = match (self.at_least(&width, step)?, self.at_least(&gap, step)?) {
                // Every row is met, and so is all padding between two of them.
                (true, true) => (1, step - 1),
                // Two elements of a row are met.
                (true, false) if turns && self.at_least(&width, 2 * step)? => (1, step - 1),
                // As the residues of their first elements return, 0 among them, so many rows are met at least as often as
                // a row has elements.
                (false, true)
                    if aligned && self.at_least(&width, 2)? && self.at_least(&count, step)? =>
                {
                    (step - 1, step - 1)
                }
                // One of `step` rows is met at its first element.
                (false, true) if aligned && self.at_least(&count, 2 * step)? => (2 * step - 1, 0),
                _ => {
                    let vars = self.norm(&(&gap + &width * &count)).vars();
                    match self.domain.narrow(&vars) {
                        Some(cond) => return Err(Stop::Split(cond)),
                        None => continue,
                    }
                }
            };
            let end = &n.base + last.scaled(step) - (&start + period.scaled(rows) + more);
            let room = [self.norm(&(&start - &n.base)), self.norm(&end)];
            if room.iter().all(|p| self.domain.proves(self.names, p)) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// What a step along an axis adds, from an index to the next, the others at 0.
    fn step(
        &mut self,
        stages: &[Stage],
        stuck: &Stuck,
        last: &[Poly],
        (l, place): (usize, i128),
    ) -> Option<Poly> {
        let room = self.norm(&(&last[l] - (place + 1)));
        if !self.domain.proves(self.names, &room) {
            return None;
        }
        let mut value = |place: i128| {
            let mut at = vec![Poly::zero(); last.len()];
            at[l] = Poly::number(place);
            match self.evaluate(stages, &stuck.position, &at) {
                Seen::Valid(value) => Some(value),
                _ => None,
            }
        };
        Some(value(place + 1)? - value(place)?)
    }
}
