//! A box of a few indices, decided index by index.
//!
//! Whatever the levels do, a chain on three indices is one view if its values are on a line. Quotients that
//! are no polynomials get names, so the answer is exact: in the worst case it has divisions in it.
//!
//! Example: (M,N):(K,1) through (3):(M + 1) is one view where K = N, or where (M + 1) div N, twice, is
//! (2·M + 2) div N.

use crate::combine::extended;
use crate::cond::Cond;
use crate::engine::{Answer, Engine, Outcome, Position, Stop, Stuck};
use crate::evaluate::Seen;
use crate::poly::Poly;
use crate::stage::Stage;

/// The most indices that are tried one by one.
const MOST: i128 = 9;
/// The most quotients and conditions that one value may depend on.
const DEEPEST: usize = 24;

impl Engine<'_> {
    /// Decides a chain on the box of a view that does not take it; `None` if there are too many indices.
    pub(crate) fn index_by_index(
        &mut self,
        stages: &[Stage],
        top: &Stage,
        stuck: &Stuck,
    ) -> Answer<Option<Outcome>> {
        let n = &stuck.position;
        let mut sizes = Vec::new();
        for last in &stuck.front.last {
            match self.norm(last).as_number() {
                Some(last @ 0..MOST) => sizes.push(last + 1),
                _ => return Ok(None),
            }
        }
        if sizes.iter().product::<i128>() > MOST {
            return Ok(None);
        }
        let mut places: Vec<Vec<i128>> = vec![Vec::new()];
        for &size in &sizes {
            places = extended(&places, &(0..size).collect::<Vec<_>>()).collect();
        }
        let mut valid: Vec<(Vec<i128>, Poly)> = Vec::new();
        for place in places {
            if let Some(value) = self.told_value(stages, n, &place)? {
                valid.push((place, value));
            }
        }
        let Some((corner, _)) = valid.first() else { return Ok(Some(Outcome::Nothing)) };
        let (mut lo, mut hi) = (corner.clone(), corner.clone());
        for (place, _) in &valid {
            for (l, &x) in place.iter().enumerate() {
                lo[l] = lo[l].min(x);
                hi[l] = hi[l].max(x);
            }
        }
        let room: i128 = lo.iter().zip(&hi).map(|(lo, hi)| hi - lo + 1).product();
        if i128::try_from(valid.len()) != Ok(room) {
            return Ok(Some(Outcome::Never));
        }
        // All of the box is valid, and its first index comes first.
        let base = valid[0].1.clone();
        let mut step = Vec::new();
        for l in 0..lo.len() {
            let next = valid.iter().find(|(place, _)| {
                place.iter().enumerate().all(|(k, &x)| x == lo[k] + i128::from(k == l))
            });
            step.push(next.map_or_else(Poly::zero, |(_, value)| value - &base));
        }
        for (place, value) in &valid {
            let mut off = value - &base;
            for (l, &x) in place.iter().enumerate() {
                off = &off - &step[l].scaled(x - lo[l]);
            }
            if !self.know(Cond::Eq(off))? {
                return Ok(Some(Outcome::Never));
            }
        }
        let mut whole = stuck.whole.clone();
        let mut front = stuck.front.clone();
        let mut position = Position { base: self.norm(&base), step: Vec::new() };
        for (l, step) in step.iter().enumerate().rev() {
            front.lo[l] = self.norm(&(&front.lo[l] + &Poly::number(lo[l])));
            front.last[l] = Poly::number(hi[l] - lo[l]);
            if hi[l] == lo[l] {
                let (axis, lo) = (front.axis.remove(l), front.lo.remove(l));
                front.last.remove(l);
                whole[axis] = (lo.clone(), &lo + &Poly::one());
            } else {
                position.step.insert(0, self.norm(step));
            }
        }
        Ok(Some(self.single(top, whole, &front, position)))
    }

    /// The chain below at one index, `None` for padding; what it depends on is told apart or named.
    fn told_value(&mut self, stages: &[Stage], n: &Position, at: &[i128]) -> Answer<Option<Poly>> {
        let at: Vec<Poly> = at.iter().map(|&x| Poly::number(x)).collect();
        for _ in 0..DEEPEST {
            match self.evaluate(stages, n, &at) {
                Seen::Valid(value) => return Ok(Some(value)),
                Seen::Padding => return Ok(None),
                Seen::Quotient(p, c) => {
                    self.quotient(&p, &c)?;
                }
                Seen::Unknown(cond) => {
                    self.know(cond)?;
                }
            }
        }
        Err(Stop::Unknown)
    }
}
