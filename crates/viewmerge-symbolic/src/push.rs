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

use crate::cond::Cond;
use crate::engine::{Answer, Engine, Front, Mode, Position, Pushed, Stop};
use crate::poly::Poly;
use crate::quotient::candidates;
use crate::stage::Stage;

/// n = modulus·quotient + residue on the box, both affine, 0 ≤ residue < modulus.
#[derive(Clone, Debug)]
pub(crate) struct Floor {
    pub(crate) quotient: Position,
    pub(crate) residue: Position,
}

/// Numbers up to this one are tried one by one.
const SMALL: i128 = 8;

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
            let residue = if axis == 0 || self.all_one(&stage.shape[..axis]) {
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
            let mut cut = Vec::new();
            for (bound, above) in lower.chain(upper).collect::<Vec<_>>() {
                match self.clip(front, &residue, &bound, above)? {
                    Clip::Inside => {}
                    Clip::Smaller => return Ok(Pushed::Clipped),
                    Clip::Empty => return Ok(Pushed::Nothing),
                    Clip::Across => cut.push((bound, above)),
                }
            }
            slab &= match &cut[..] {
                [] => continue,
                [_] => true,
                [(low, false), (high, true)] => self.is_wide(&residue, low, high)?,
                _ => false,
            };
            for (across, step) in across.iter_mut().zip(&residue.step) {
                slab &= !*across || step.is_zero();
                *across |= !step.is_zero();
            }
        }
        if !moduli.is_empty() || across.contains(&true) {
            slab &= moduli.is_empty();
            return Ok(Pushed::Stuck { levels: Vec::new(), moduli, pending: true, slab });
        }
        self.climb(stage, front, n, &behind)
    }

    /// Whether no step jumps over the range between two bounds: then every side of the box has a valid index.
    fn is_wide(&mut self, residue: &Position, low: &Poly, high: &Poly) -> Answer<bool> {
        let width = high - low + 1;
        for step in &residue.step {
            let wide = self.know(Cond::Ge(&width - step))? && self.know(Cond::Ge(&width + step))?;
            if !wide {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn all_one(&self, sizes: &[Poly]) -> bool {
        sizes.iter().all(|size| size.as_number() == Some(1))
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
            let jump = &stage.strides[axis - 1] - &stage.shape[axis] * &stage.strides[axis];
            let jump = self.norm(&jump);
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
            let moduli = failed.iter().map(|(modulus, _)| modulus.clone()).collect();
            return Ok(Pushed::Stuck { levels: failed, moduli, pending: false, slab: false });
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

    /// The floor by a modulus, if samples suggest an affine one and it is proved.
    pub(crate) fn seen_floor(
        &mut self,
        front: &Front,
        n: &Position,
        modulus: &Poly,
    ) -> Option<Floor> {
        let base = self.norm(&n.base);
        let steps: Vec<Poly> = n.step.iter().map(|t| self.norm(t)).collect();
        let last: Vec<Poly> = front.last.iter().map(|e| self.norm(e)).collect();
        let samples = self.domain.samples(self.names);
        let floor_at = |num: &Poly, s: &crate::domain::Sample| -> Option<i128> {
            let (a, c) = (num.value(&|v| s.get(v))?, modulus.value(&|v| s.get(v))?);
            (c > 0).then(|| a.div_euclid(c))
        };
        // Candidates that agree with the floor at every sample.
        let b = with_neighbours(candidates(&base, modulus)).into_iter().find(|q| {
            samples.iter().all(|s| match (floor_at(&base, s), q.value(&|v| s.get(v))) {
                (Some(floor), Some(guess)) => floor == guess,
                _ => true,
            })
        })?;
        let mut alpha = Vec::new();
        for (t, e) in steps.iter().zip(&last) {
            let next = &base + t;
            let fits = |q: &Poly| {
                samples.iter().all(|s| {
                    if e.value(&|v| s.get(v)).is_some_and(|e| e < 1) {
                        return true;
                    }
                    let (from, to) = (floor_at(&base, s), floor_at(&next, s));
                    match (from, to, q.value(&|v| s.get(v))) {
                        (Some(from), Some(to), Some(guess)) => to - from == guess,
                        _ => true,
                    }
                })
            };
            alpha.push(with_neighbours(candidates(t, modulus)).into_iter().find(fits)?);
        }
        let residue = self.norm(&(&base - modulus * &b));
        let rest: Vec<Poly> =
            steps.iter().zip(&alpha).map(|(t, a)| self.domain.normal(&(t - modulus * a))).collect();
        let (mut low, mut high) = (residue.clone(), residue.clone());
        for (r, e) in rest.iter().zip(&last) {
            if r.is_zero() {
                continue;
            }
            let travel = r * e;
            if self.domain.proves(self.names, &self.domain.normal(&travel)) {
                high += &travel;
            } else if self.domain.proves(self.names, &self.domain.normal(&-&travel)) {
                low += &travel;
            } else {
                return None;
            }
        }
        let low = self.norm(&low);
        let room = self.norm(&(modulus - 1 - &high));
        if self.domain.proves(self.names, &low) && self.domain.proves(self.names, &room) {
            let quotient = Position { base: b, step: alpha };
            return Some(Floor { quotient, residue: Position { base: residue, step: rest } });
        }
        None
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
        let unknown = || Stop::Unknown;
        let base = self.quotient(&n.base, modulus)?;
        let mut quotients = Vec::new();
        for t in &n.step {
            quotients.push(self.quotient(t, modulus)?);
        }
        // Names given to quotients may have replaced variables.
        let modulus = self.norm(modulus);
        let base = self.norm(&base);
        let r = self.norm(&(&n.base - &modulus * &base));
        let mut axes = Vec::new();
        for (l, q) in quotients.iter().enumerate() {
            let q = self.norm(q);
            let rho = self.norm(&(&n.step[l] - &modulus * &q));
            axes.push((q, rho, self.norm(&front.last[l])));
        }
        // A step along each axis carries or does not; at most one choice fits at a point.
        let mut choices: Vec<Vec<bool>> = vec![Vec::new()];
        let room = &modulus - 1;
        for (_, rho, e) in &axes {
            let mut options = Vec::new();
            let up = &room - &r - rho * e;
            if self.ask(&Cond::Ge(up)) != Some(false) {
                options.push(false);
            }
            if !rho.is_zero() {
                let down = &r + (rho - &modulus) * e;
                if self.ask(&Cond::Ge(down)) != Some(false) {
                    options.push(true);
                }
            }
            choices = choices
                .iter()
                .flat_map(|known| {
                    options.iter().map(|&option| {
                        let mut next = known.clone();
                        next.push(option);
                        next
                    })
                })
                .collect();
            if choices.len() > 16 {
                return Err(unknown());
            }
        }
        for choice in choices {
            let (mut low, mut high) = (r.clone(), r.clone());
            for ((_, rho, e), &carries) in axes.iter().zip(&choice) {
                if carries {
                    low += (rho - &modulus) * e;
                } else {
                    high += rho * e;
                }
            }
            if self.know(Cond::Ge(low))? && self.know(Cond::Ge(&room - &high))? {
                let (mut step, mut rest) = (Vec::new(), Vec::new());
                for ((q, rho, _), &carries) in axes.iter().zip(&choice) {
                    step.push(if carries { q + 1 } else { q.clone() });
                    rest.push(if carries { rho - &modulus } else { rho.clone() });
                }
                return Ok(Some(Floor {
                    quotient: Position { base, step },
                    residue: Position { base: r, step: rest },
                }));
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
        for (slope, e) in slopes.iter().zip(&front.last) {
            if slope.is_zero() {
                rising.push(None);
                continue;
            }
            let up = self.know(Cond::Ge(slope.clone()))?;
            let travel = slope * e;
            if up {
                most += &travel;
            } else {
                least += &travel;
            }
            rising.push(Some(up));
        }
        let (least, most) = (self.norm(&least), self.norm(&most));
        if self.ask(&Cond::Ge(least.clone())) == Some(true) {
            return Ok(Clip::Inside);
        }
        if !self.know(Cond::Ge(most.clone()))? {
            return Ok(Clip::Empty);
        }
        let mut clip = Clip::Across;
        for l in 0..slopes.len() {
            let Some(up) = rising[l] else { continue };
            let slope = if up { slopes[l].clone() } else { -&slopes[l] };
            if !self.at_least(&slope, 1)? {
                continue;
            }
            // The value with this axis at its worst end and all others at their best.
            let worst = self.norm(&(&most - &slope * &front.last[l]));
            if worst.is_zero() {
                continue;
            }
            // A cut by 0 does no harm, so whether it is 0 need not be known.
            let seen = self.domain.divided(self.names, &worst, &slope);
            let seen = seen.filter(|cut| self.domain.proves(self.names, &-cut));
            if seen.is_none() && self.know(Cond::Ge(worst.clone()))? {
                continue;
            }
            let cut = seen.or_else(|| self.domain.divide(self.names, &worst, &slope));
            let Some(cut) = cut else { return Err(Stop::Unknown) };
            let cut = self.norm(&cut);
            // −cut indices are removed.
            if up {
                front.lo[l] = self.domain.normal(&(&front.lo[l] - &cut));
            }
            front.last[l] = self.norm(&(&front.last[l] + &cut));
            if !cut.is_zero() {
                clip = Clip::Smaller;
                break;
            }
        }
        if matches!(clip, Clip::Across) && self.know(Cond::Ge(least))? {
            clip = Clip::Inside;
        }
        for p in front.lo.iter_mut().chain(front.last.iter_mut()) {
            *p = self.domain.normal(p);
        }
        Ok(clip)
    }
}

/// Each candidate, then each with 1 taken off or added.
fn with_neighbours(found: impl IntoIterator<Item = Poly> + Clone) -> Vec<Poly> {
    let shifted = |by: i128| found.clone().into_iter().map(move |q| &q + by);
    shifted(0).chain(shifted(-1)).chain(shifted(1)).collect()
}
