//! Two steps along an axis that differ: then a chain is not one view.
//!
//! Along every axis of the box, the others at their first or their last index, a few steps are evaluated: the first
//! ones, the last one, and those at which a level carries first.
//!
//! Example: (N,M):(1,N) flattened, N ≥ 3 and M ≥ 2. The level carries first at x = M: the step from 0
//! adds N, that from M − 1 adds 1 − (M − 1)·N, and these differ for all N and M.

use crate::cond::Cond;
use crate::engine::{Answer, Engine, Front, Position, Stop, Stuck};
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

    /// Whether two rows of a mask below the last view show that the chain is not one view: by padding between two valid
    /// indices, or by steps that differ.
    pub(crate) fn rows_differ(&mut self, stages: &[Stage]) -> Answer<bool> {
        let [stages @ .., top] = stages else { return Ok(false) };
        let (Some(stage), false) = (stages.last(), top.is_masked()) else { return Ok(false) };
        let Some(valid) = stage.intervals() else { return Ok(false) };
        let n = top.position();
        let last: Vec<Poly> = top.shape.iter().map(|size| self.norm(&(size - 1))).collect();
        let (mut start, mut behind, mut rows) = (Poly::zero(), Poly::one(), Vec::new());
        for axis in (0..stage.rank()).rev() {
            let (lo, hi) = &valid[axis];
            start += lo * &behind;
            let width = (hi - lo) * &behind;
            behind *= &stage.shape[axis];
            if axis > 0 && !stage.bounds[axis].is_free() {
                let (first, end) = &valid[axis - 1];
                rows.push((end - first, width, self.norm(&behind)));
            }
        }
        for (count, width, period) in rows {
            if self.seen_floor(&Front::whole(&last), &n, &period).is_some() {
                continue;
            }
            for l in 0..last.len() {
                let Some(step @ 1..) = self.norm(&n.step[l]).as_number() else { continue };
                if !self.at_least(&count, 2)? {
                    continue;
                }
                let wide = self.is_long(&(&period - &width), step)?;
                if !self.is_long(&width, if wide { step } else { 2 * step })? {
                    continue;
                }
                let ends = [start.clone(), &start + &width, &start + &period];
                let domain = self.domain.clone();
                let differ = self.row_differs(stages, (&n, &last), l, &ends);
                *self.domain = domain;
                if differ? {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// Whether p is at least so much; the few values that it has otherwise are told apart.
    fn is_long(&mut self, p: &Poly, least: i128) -> Answer<bool> {
        let long = self.at_least(p, least)?;
        let p = self.norm(p);
        match self.domain.narrow(&p.vars()) {
            Some(cond) if !long => Err(Stop::Split(cond)),
            _ => Ok(long),
        }
    }

    fn row_differs(
        &mut self,
        stages: &[Stage],
        (n, last): (&Position, &[Poly]),
        l: usize,
        [start, end, next]: &[Poly; 3],
    ) -> Answer<bool> {
        let step = self.norm(&n.step[l]);
        let mut place = |p: &Poly| {
            let way = self.norm(&(p - &n.base + &step - 1));
            self.domain.divide_by_positive(self.names, &way, &step)
        };
        let (Some(first), Some(end), Some(second)) = (place(start), place(end), place(next)) else {
            return Ok(false);
        };
        let room = [self.norm(&first), self.norm(&(&last[l] - &second - 1))];
        if !room.iter().all(|p| self.domain.proves(self.names, p)) {
            return Ok(false);
        }
        self.know(Cond::Ge(&n.base + &step * &end - next))?;
        let mut seen = |place: Poly| {
            let mut at = vec![Poly::zero(); last.len()];
            at[l] = place;
            self.evaluate(stages, n, &at)
        };
        let seen = [&first - 0, &first + 1, &end - 1, &end - 0, &end + 1, second].map(&mut seen);
        Ok(match seen {
            [Seen::Valid(_), _, _, Seen::Padding, Seen::Valid(_), _]
            | [Seen::Valid(_), _, _, Seen::Padding, _, Seen::Valid(_)] => true,
            [Seen::Valid(a), Seen::Valid(b), Seen::Valid(c), Seen::Valid(d), ..] => {
                let difference = self.norm(&(b - a - d + c));
                self.domain.proves_nonzero(self.names, &difference)
            }
            _ => false,
        })
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
