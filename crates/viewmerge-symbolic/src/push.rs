//! Pushing a box through one view.
//!
//! A view read by linear position is a ramp with a jump at every multiple of a modulus c
//! (a *level*). On the box the position n is affine: a base plus a step t for every axis x. The level
//! asks whether ⌊n/c⌋ is affine, too. It is if n is c times an affine function (the quotient) plus a
//! residue that stays in [0, c) at its two
//! extreme corners. A mask asks the same, and then whether the residue meets the mask's bounds.
//!
//! Example: the view (N,M):(s,1) read at n = M·x + 2·y, x < N and y < K. The only level has the modulus M: the
//! quotient is x, the residue 2·y, and the floor is affine if 2·(K − 1) < M. Then the position
//! below is s·x + 2·y.

use crate::combine::extended;
use crate::cond::Cond;
use crate::engine::{Answer, Block, Engine, Front, Mode, Position, Pushed, Stop};
use crate::poly::Poly;
use crate::quotient::long_division;
use crate::stage::Stage;

/// n = modulus·quotient + residue on the box, both affine, 0 ≤ residue < modulus.
#[derive(Clone, Debug)]
pub(crate) struct Floor {
    pub(crate) quotient: Position,
    pub(crate) residue: Position,
}

/// Numbers up to this one are tried one by one.
const SMALL: i128 = 8;

/// A floor is not decided where more choices of axes that carry are left.
const MOST_CHOICES: usize = 16;

/// What a bound does to the box.
pub(crate) enum Clip {
    Inside,
    Smaller,
    /// Nothing is left.
    Empty,
    /// It cuts across several axes.
    Across,
}

impl Engine<'_> {
    /// Pushes the box through one view without unit axes (or, lazily, with them).
    pub(crate) fn push(
        &mut self,
        stage: &Stage,
        front: &mut Front,
        n: &Position,
    ) -> Answer<Pushed> {
        let rank = stage.rank();
        // The number of elements behind each axis.
        let mut behind = vec![Poly::one(); rank + 1];
        for axis in (0..rank).rev() {
            behind[axis] = &behind[axis + 1] * &stage.shape[axis];
        }
        // Which axes of the box a bound cuts across, and whether that shows that there is no view.
        let (mut moduli, mut across, mut slab) = (Vec::new(), vec![false; front.axis.len()], true);
        for axis in 0..rank {
            let bounds = &stage.bounds[axis];
            if bounds.is_free() {
                continue;
            }
            let residue = if stage.shape[..axis].iter().all(|size| size.as_number() == Some(1)) {
                Some(n.clone())
            } else {
                self.floor(front, n, &behind[axis].clone())?.map(|floor| floor.residue)
            };
            let Some(residue) = residue else {
                moduli.push(behind[axis].clone());
                continue;
            };
            let c = &behind[axis + 1];
            let lower = bounds.lo.iter().map(|lo| (lo * c, false));
            let upper = bounds.hi.iter().map(|hi| (hi * c - 1, true));
            let mut cut = 0;
            for (bound, above) in lower.chain(upper).collect::<Vec<_>>() {
                match self.clip(front, &residue, &bound, above)? {
                    Clip::Inside => {}
                    Clip::Smaller => return Ok(Pushed::Clipped),
                    Clip::Empty => return Ok(Pushed::Nothing),
                    Clip::Across => cut += 1,
                }
            }
            if cut == 0 {
                continue;
            }
            slab &= cut == 1;
            for (across, step) in across.iter_mut().zip(&residue.step) {
                slab &= !*across || step.is_zero();
                *across |= !step.is_zero();
            }
        }
        if !moduli.is_empty() || across.contains(&true) {
            slab &= moduli.is_empty();
            return Ok(Pushed::Blocked(Block::Mask { moduli, slab }));
        }
        self.climb(stage, front, n, &behind)
    }

    /// The position below the view, if every level's floor is affine.
    fn climb(
        &mut self,
        stage: &Stage,
        front: &Front,
        n: &Position,
        behind: &[Poly],
    ) -> Answer<Pushed> {
        let Some(last) = stage.strides.last() else {
            let step = vec![Poly::zero(); front.axis.len()];
            return Ok(Pushed::Through(Position { base: stage.offset.clone(), step }));
        };
        let mut base = &stage.offset + last * &n.base;
        let mut step: Vec<Poly> = n.step.iter().map(|t| last * t).collect();
        let mut failed = Vec::new();
        for axis in (1..stage.rank()).rev() {
            let jump = self.norm(&stage.jump(axis));
            if jump.is_zero() {
                continue;
            }
            let modulus = self.norm(&behind[axis]);
            let mut found = self.seen_floor(front, n, &modulus);
            if found.is_none() && self.mode == Mode::Strict {
                if self.know(Cond::Eq(jump.clone()))? {
                    continue;
                }
                found = self.exact_floor(front, n, &modulus)?;
            }
            match found {
                Some(floor) => {
                    base += &jump * &floor.quotient.base;
                    for (sum, carry) in step.iter_mut().zip(&floor.quotient.step) {
                        *sum += &jump * carry;
                    }
                }
                None => failed.push((modulus, jump)),
            }
        }
        if !failed.is_empty() {
            return Ok(Pushed::Blocked(Block::Levels(failed)));
        }
        let base = self.norm(&base);
        let step = step.iter().map(|p| self.norm(p)).collect();
        Ok(Pushed::Through(Position { base, step }))
    }

    /// The floor by a modulus if it is affine.
    fn floor(&mut self, front: &Front, n: &Position, modulus: &Poly) -> Answer<Option<Floor>> {
        let modulus = self.norm(modulus);
        match self.seen_floor(front, n, &modulus) {
            Some(floor) => Ok(Some(floor)),
            None if self.mode == Mode::Lazy => Ok(None),
            None => self.exact_floor(front, n, &modulus),
        }
    }

    /// The floor by a modulus if it is seen to be affine, wherever sizes are 1 or more.
    pub(crate) fn seen_floor(
        &mut self,
        front: &Front,
        n: &Position,
        modulus: &Poly,
    ) -> Option<Floor> {
        let n = n.map(|p| self.norm(p));
        let base = self.domain.divided(self.names, &n.base, modulus)?;
        let room = modulus - 1 - (&n.base - modulus * &base);
        let mut step = Vec::new();
        for (t, last) in n.step.iter().zip(&front.last) {
            let quotient = long_division(t, modulus);
            // A step that has no room carries.
            let rest = self.norm(&(&room - (t - modulus * &quotient) * last));
            let carries = !self.domain.proves(self.names, &rest);
            step.push(if carries { quotient + 1 } else { quotient });
        }
        let floor = self.floor_with(&n, modulus, Position { base, step });
        let (mut low, mut high) = (floor.residue.base.clone(), floor.residue.base.clone());
        for (t, last) in floor.residue.step.iter().zip(&front.last) {
            let travel = self.norm(&(t * last));
            if self.domain.proves(self.names, &travel) {
                high += travel;
            } else if self.domain.proves(self.names, &-&travel) {
                low += travel;
            } else {
                return None;
            }
        }
        let room = [self.norm(&low), self.norm(&(modulus - 1 - high))];
        room.iter().all(|p| self.domain.proves(self.names, p)).then_some(floor)
    }

    /// n by a modulus, with this quotient.
    fn floor_with(&mut self, n: &Position, modulus: &Poly, quotient: Position) -> Floor {
        let residue = n.plus(&-modulus, &quotient).map(|p| self.norm(p));
        Floor { quotient, residue }
    }

    /// ⌊p / c⌋. Before it gets a name, the least values of the variables of c are told apart where that
    /// helps: 2·M div 2·N·M is 1 if N = 1, otherwise 0.
    pub(crate) fn quotient(&mut self, p: &Poly, c: &Poly) -> Answer<Poly> {
        let (p, c) = (self.norm(p), self.norm(c));
        if let Some(quotient) = self.domain.divided(self.names, &p, &c) {
            return Ok(quotient);
        }
        if self.mode == Mode::Strict {
            self.tell_small(&p, &c)?;
            if c.as_number().is_none()
                && let Some(cond) = self.domain.few_quotients(self.names, &p, &c)
            {
                self.know(cond)?;
            }
        }
        self.domain.divide(self.names, &p, &c).ok_or(Stop::Unknown)
    }

    /// Splits on a variable of c that may be 1, or at its least value, if p is a small number that c may
    /// reach.
    pub(crate) fn tell_small(&mut self, p: &Poly, c: &Poly) -> Answer<()> {
        let small = |least: i128| p.as_number().is_some_and(|p| (least..=SMALL).contains(&p));
        let vars = c.vars();
        for &v in &vars {
            let Some(lo) = self.domain.bounds(v).0 else { continue };
            let least = || c.replaced(v, &Poly::number(lo)).as_number();
            if lo == 1 || (vars.len() == 1 && lo > 1 && least().is_some_and(small)) {
                return Err(Stop::Split(Cond::Ge(Poly::var(v) - Poly::number(lo + 1))));
            }
        }
        Ok(())
    }

    /// Whether the floor is affine, all extents ≥ 2, decided by splitting.
    fn exact_floor(
        &mut self,
        front: &Front,
        n: &Position,
        modulus: &Poly,
    ) -> Answer<Option<Floor>> {
        let base = self.quotient(&n.base, modulus)?;
        let mut step = Vec::new();
        for t in &n.step {
            step.push(self.quotient(t, modulus)?);
        }
        // Names given to quotients may have replaced variables.
        let modulus = &self.norm(modulus);
        let quotient = Position { base, step }.map(|p| self.norm(p));
        let last: Vec<Poly> = front.last.iter().map(|last| self.norm(last)).collect();
        let Floor { quotient, residue } = self.floor_with(n, modulus, quotient);
        let (r, room) = (&residue.base, modulus - 1);
        // A step along each axis carries or does not; at most one choice fits at a point.
        let mut choices: Vec<Vec<bool>> = vec![Vec::new()];
        for (rho, last) in residue.step.iter().zip(&last) {
            let mut options = Vec::new();
            let up = &room - r - rho * last;
            if self.ask(&Cond::Ge(up)) != Some(false) {
                options.push(false);
            }
            let down = r + (rho - modulus) * last;
            if !rho.is_zero() && self.ask(&Cond::Ge(down)) != Some(false) {
                options.push(true);
            }
            choices = extended(&choices, &options).collect();
            if choices.len() > MOST_CHOICES {
                return Err(Stop::Unknown);
            }
        }
        for choice in choices {
            let (mut low, mut high, mut chosen) = (r.clone(), r.clone(), quotient.clone());
            for (l, carries) in choice.into_iter().enumerate() {
                if carries {
                    low += (&residue.step[l] - modulus) * &last[l];
                    chosen.step[l] += 1;
                } else {
                    high += &residue.step[l] * &last[l];
                }
            }
            if self.know(Cond::Ge(low))? && self.know(Cond::Ge(&room - &high))? {
                return Ok(Some(self.floor_with(n, modulus, chosen)));
            }
        }
        Ok(None)
    }

    /// Shrinks the box to where residue ≥ bound, or ≤ bound if `above`.
    pub(crate) fn clip(
        &mut self,
        front: &mut Front,
        residue: &Position,
        bound: &Poly,
        above: bool,
    ) -> Answer<Clip> {
        // The box is shrunk to where g(x) ≥ 0.
        let turn = |p: &Poly| if above { -p } else { p.clone() };
        let g = self.norm(&turn(&(&residue.base - bound)));
        let slopes: Vec<Poly> = residue.step.iter().map(|t| self.norm(&turn(t))).collect();
        let (mut least, mut most) = (g.clone(), g);
        let mut rising = Vec::new();
        for (slope, last) in slopes.iter().zip(&front.last) {
            let up = slope.is_zero() || self.know(Cond::Ge(slope.clone()))?;
            let end = if up { &mut most } else { &mut least };
            *end += slope * last;
            rising.push(up);
        }
        let (least, most) = (self.norm(&least), self.norm(&most));
        if self.ask(&Cond::Ge(least.clone())) == Some(true) {
            return Ok(Clip::Inside);
        }
        if !self.know(Cond::Ge(most.clone()))? {
            return Ok(Clip::Empty);
        }
        for (l, up) in rising.into_iter().enumerate() {
            let slope = if up { slopes[l].clone() } else { -&slopes[l] };
            if !self.at_least(&slope, 1)? {
                continue;
            }
            // The value with this axis at its worst end and all others at their best.
            let worst = self.norm(&(&most - &slope * &front.last[l]));
            // A cut by 0 does no harm, so whether it is 0 need not be known.
            let seen = self.domain.divided(self.names, &worst, &slope);
            let seen = seen.filter(|cut| self.domain.proves(self.names, &-cut));
            if seen.is_none() && self.know(Cond::Ge(worst.clone()))? {
                continue;
            }
            let cut = seen.or_else(|| self.domain.divide(self.names, &worst, &slope));
            let cut = cut.ok_or(Stop::Unknown)?;
            if cut.is_zero() {
                continue;
            }
            // −cut indices are removed.
            if up {
                front.lo[l] = self.norm(&(&front.lo[l] - &cut));
            }
            front.last[l] = self.norm(&(&front.last[l] + &cut));
            return Ok(Clip::Smaller);
        }
        Ok(if self.know(Cond::Ge(least))? { Clip::Inside } else { Clip::Across })
    }
}
