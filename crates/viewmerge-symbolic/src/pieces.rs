//! A box that a view does not take whole, decided in pieces.
//!
//! Along an axis with step t the digits of a view repeat after a period of p indices, where p·t is a multiple of the
//! modulus. So the axis is cut into full periods, a box with one more axis, of size p, which the view is more likely
//! to take; what is left over is a second piece. Within a period
//! the axis is cut where a digit carries, and where several axes carry only together a short one is cut index by index.
//! What is one view on a box is one view on each of its pieces, and pieces
//! that are views are one view together if each continues the one before. Both directions are exact.
//!
//! Example: (C,R,2):(R + 1,1,1) seen through (C·R,2):(2,1). The first axis is cut into (C,R), and over (C,R,2) it is
//! the view itself. It is one view over (C·R,2) if the first two axes fuse, R + 1 = R·1, so never.
//!
//! Cost: one pass for each piece; cuts nest at most `MOST_CUTS` deep (`engine.rs`).

use crate::cond::Cond;
use crate::engine::{Answer, Engine, Front, Outcome, Position, Stop, Stuck};
use crate::poly::{Poly, gcd};
use crate::stage::Stage;

/// An axis with at most so many indices is short.
const SHORT: i128 = 3;

/// A box by its extents, and a position on it.
struct Piece {
    extents: Vec<Poly>,
    position: Position,
}

impl Piece {
    /// The box with an axis restricted to a part of it.
    fn part(&self, l: usize, from: &Poly, extent: Poly) -> Piece {
        let (mut extents, mut position) = (self.extents.clone(), self.position.clone());
        position.base += &position.step[l] * from;
        extents[l] = extent;
        Piece { extents, position }
    }

    /// The box with an axis cut into two, of which the second has p indices.
    fn cut(&self, l: usize, times: Poly, p: &Poly) -> Piece {
        let mut cut = self.part(l, &Poly::zero(), p.clone());
        cut.extents.insert(l, times);
        let step = &cut.position.step[l] * p;
        cut.position.step.insert(l, step);
        cut
    }
}

impl Engine<'_> {
    /// Decides a chain on the pieces of a box that its last view does not take; `None` if there is nothing to cut.
    pub(crate) fn by_pieces(
        &mut self,
        stages: &[Stage],
        top: &Stage,
        stuck: &Stuck,
        cuts: u32,
    ) -> Answer<Option<Outcome>> {
        if cuts == 0 {
            return Ok(None);
        }
        let whole = self.stuck_box(stuck);
        for modulus in stuck.moduli() {
            let modulus = self.norm(&modulus);
            for l in 0..whole.extents.len() {
                match self.in_pieces(stages, &whole, &modulus, l, cuts - 1)? {
                    None | Some(Outcome::Open) => {}
                    Some(outcome) => return Ok(Some(self.in_place(top, stuck, outcome))),
                }
            }
        }
        Ok(None)
    }

    /// Where several axes carry together: a short one is cut index by index.
    pub(crate) fn by_indices(
        &mut self,
        stages: &[Stage],
        top: &Stage,
        stuck: &Stuck,
        cuts: u32,
    ) -> Answer<Outcome> {
        let whole = self.stuck_box(stuck);
        let short = |p: &Poly| p.as_number().is_some_and(|extent| extent <= SHORT);
        let Some(l) = whole.extents.iter().position(short).filter(|_| cuts > 0) else {
            return Ok(Outcome::Open);
        };
        let outcome = self.in_two(stages, &whole, l, &Poly::one(), cuts - 1)?;
        Ok(self.in_place(top, stuck, outcome))
    }

    fn stuck_box(&mut self, stuck: &Stuck) -> Piece {
        let extents = stuck.front.last.iter().map(|last| self.norm(&(last + 1))).collect();
        Piece { extents, position: stuck.position.clone() }
    }

    /// The chain on a box cut along an axis where a modulus repeats or carries first.
    fn in_pieces(
        &mut self,
        stages: &[Stage],
        whole: &Piece,
        modulus: &Poly,
        l: usize,
        cuts: u32,
    ) -> Answer<Option<Outcome>> {
        let step = self.norm(&whole.position.step[l]);
        let times = self.quotient(&step, modulus)?;
        let modulus = &self.norm(modulus);
        let rest = self.norm(&(&step - modulus * &times));
        if rest.is_zero() {
            return Ok(None);
        }
        let extent = self.norm(&whole.extents[l]);
        if let Some(period) = self.period(&rest, modulus)
            && self.at_least(&(&extent - &period), 1)?
        {
            let times = self.quotient(&extent, &period)?;
            let (extent, period) = (self.norm(&extent), self.norm(&period));
            let covered = self.norm(&(&times * &period));
            let first = if self.at_least(&times, 2)? {
                let cut = whole.cut(l, times.clone(), &period);
                let outcome = self.on_piece(stages, &cut, cuts)?;
                self.rejoined(outcome, l, &period)?
            } else {
                self.on_piece(stages, &whole.part(l, &Poly::zero(), period.clone()), cuts)?
            };
            if !self.at_least(&(&extent - &covered), 1)? {
                return Ok(Some(first));
            }
            let more = whole.part(l, &covered, &extent - &covered);
            return self.followed(stages, first, &more, l, &covered, cuts).map(Some);
        }
        // The first index at which it carries.
        let base = self.norm(&whole.position.base);
        let quotient = self.quotient(&base, modulus)?;
        let (modulus, rest) = (self.norm(modulus), self.norm(&rest));
        let way = self.norm(&(&modulus * (&quotient + 1) - &base + &rest - 1));
        if !self.at_least(&rest, 1)? {
            return Ok(None);
        }
        let from = self.quotient(&way, &rest)?;
        let extent = self.norm(&extent);
        if !self.at_least(&(&extent - &from), 1)? {
            return Ok(None);
        }
        self.in_two(stages, whole, l, &from, cuts).map(Some)
    }

    /// The chain on the first indices of an axis and on the others.
    fn in_two(
        &mut self,
        stages: &[Stage],
        whole: &Piece,
        l: usize,
        from: &Poly,
        cuts: u32,
    ) -> Answer<Outcome> {
        let first = self.on_piece(stages, &whole.part(l, &Poly::zero(), from.clone()), cuts)?;
        let more = whole.part(l, from, &whole.extents[l] - from);
        self.followed(stages, first, &more, l, from, cuts)
    }

    /// After how many indices a step less than the modulus reaches a multiple of it.
    fn period(&self, step: &Poly, modulus: &Poly) -> Option<Poly> {
        if let Some(step) = step.as_number() {
            let shared = gcd(gcd(modulus.content(), modulus.constant()), step);
            return Some(modulus.divided_down(shared));
        }
        let times = self.domain.divided(self.names, modulus, step)?;
        self.domain.normal(&(modulus - step * &times)).is_zero().then_some(times)
    }

    /// The chain on a piece.
    fn on_piece(&mut self, stages: &[Stage], piece: &Piece, cuts: u32) -> Answer<Outcome> {
        if !self.names.spend_for(4) {
            return Err(Stop::Unknown);
        }
        let Piece { extents, position } = piece;
        let through = Stage::strided(extents.clone(), position.step.clone(), position.base.clone());
        let mut stages = stages.to_vec();
        stages.push(through);
        let stages = self.normal_stages(&stages);
        self.pass_cutting(&stages, cuts)
    }

    /// A view over a cut axis, written over the whole axis.
    fn rejoined(&mut self, outcome: Outcome, l: usize, period: &Poly) -> Answer<Outcome> {
        let Outcome::View { base, mut steps, mut bounds, cuts } = outcome else {
            return Ok(outcome);
        };
        let outer = steps.remove(l);
        let (lo, hi) = bounds.remove(l);
        let first = self.norm(&(&lo * period));
        if self.at_least(&(&hi - &lo), 2)? {
            let whole = self.know(Cond::Eq(bounds[l].0.clone()))?
                && self.know(Cond::Eq(&bounds[l].1 - period))?;
            if !whole {
                return Ok(Outcome::Never);
            }
            if let (Some(outer), Some(inner)) = (&outer, &steps[l])
                && !self.know(Cond::Eq(outer - inner * period))?
            {
                return Ok(Outcome::Never);
            }
            steps[l] = steps[l].take().or(outer);
            bounds[l] = (first, &hi * period);
        } else {
            bounds[l] = (&first + &bounds[l].0, &first + &bounds[l].1);
        }
        let (low, high) = &bounds[l];
        bounds[l] = (self.norm(low), self.norm(high));
        Ok(Outcome::View { base, steps, bounds, cuts })
    }

    /// A piece and the one after it along an axis, as one view.
    fn followed(
        &mut self,
        stages: &[Stage],
        first: Outcome,
        more: &Piece,
        l: usize,
        from: &Poly,
        cuts: u32,
    ) -> Answer<Outcome> {
        if matches!(first, Outcome::Never | Outcome::Open | Outcome::Empty) {
            return Ok(first);
        }
        let mut more = self.on_piece(stages, more, cuts)?;
        if let Outcome::View { bounds, .. } = &mut more {
            let (lo, hi) = &bounds[l];
            bounds[l] = (self.norm(&(lo + from)), self.norm(&(hi + from)));
        }
        if matches!(first, Outcome::Nothing) {
            return Ok(more);
        }
        let Outcome::View { base: next, steps: more, bounds: further, .. } = more else {
            return Ok(if matches!(more, Outcome::Nothing) { first } else { more });
        };
        let Outcome::View { base, mut steps, mut bounds, .. } = first else { return Ok(first) };
        for axis in 0..bounds.len() {
            let ends = match axis == l {
                true => vec![&bounds[l].1 - &further[l].0],
                false => {
                    vec![&bounds[axis].0 - &further[axis].0, &bounds[axis].1 - &further[axis].1]
                }
            };
            for p in ends {
                if !self.know(Cond::Eq(p))? {
                    return Ok(Outcome::Never);
                }
            }
            if let (Some(a), Some(b)) = (&steps[axis], &more[axis])
                && !self.know(Cond::Eq(a - b))?
            {
                return Ok(Outcome::Never);
            }
            steps[axis] = steps[axis].take().or(more[axis].clone());
        }
        let length = &bounds[l].1 - &bounds[l].0;
        let added = self.norm(&(&next - &base));
        match &steps[l] {
            Some(step) => {
                if !self.know(Cond::Eq(&added - step * &length))? {
                    return Ok(Outcome::Never);
                }
            }
            // One valid index each.
            None => steps[l] = Some(added),
        }
        bounds[l].1 = further[l].1.clone();
        Ok(Outcome::View { base, steps, bounds, cuts: Vec::new() })
    }

    /// Translates an outcome on the stuck box to the axes of the chain's last view.
    pub(crate) fn in_place(&mut self, top: &Stage, stuck: &Stuck, outcome: Outcome) -> Outcome {
        let Outcome::View { base, steps, bounds, .. } = outcome else { return outcome };
        let mut front = Front { axis: Vec::new(), lo: Vec::new(), last: Vec::new() };
        let mut whole = stuck.whole.clone();
        let mut position = Position { base: self.norm(&base), step: Vec::new() };
        for (l, (step, (lo, hi))) in steps.into_iter().zip(bounds).enumerate() {
            let axis = stuck.front.axis[l];
            let low = self.norm(&(&stuck.front.lo[l] + &lo));
            match step {
                Some(step) => {
                    front.axis.push(axis);
                    front.lo.push(low);
                    front.last.push(self.norm(&(&hi - &lo - 1)));
                    position.step.push(self.norm(&step));
                }
                None => whole[axis] = (low.clone(), &low + 1),
            }
        }
        self.single(top, whole, &front, position)
    }
}
