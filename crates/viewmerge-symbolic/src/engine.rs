//! What a chain is on one domain: one view, nothing, never one view, or open.
//!
//! The box of the last view's valid indices is pushed down through the views, as in the
//! concrete library's one pass, with polynomials for numbers. Where something must be known
//! (is this size 1? is that jump 0? does this residue stay below its modulus?) and the domain
//! does not say, the answer is a condition to split on; the caller asks again on both sides.
//!
//! Example: (N,M):(s,1) flattened, with N ≥ 2 and M ≥ 2. The box 0 ≤ x < N·M meets one level, with modulus M and
//! jump s − M, and ⌊x/M⌋ is not affine on it. Whether the jump is 0 is not known, so the engine asks to split: where
//! s = M the chain is the view (N·M):(1), elsewhere it is never one view.
//!
//! The first attempt uses no size ([`Mode::Lazy`]): a formula found this way is
//! right for all sizes, including 1. Only if it fails are sizes told apart.

use std::ops::ControlFlow;

use crate::cond::Cond;
use crate::domain::Domain;
use crate::names::Names;
pub(crate) use crate::outcome::Outcome;
use crate::outcome::longest;
use crate::poly::Poly;
use crate::stage::{Bounds, Stage};

/// How deep cuts of a box may nest.
const MOST_CUTS: u32 = 5;

/// Why no answer was reached.
pub(crate) enum Stop {
    /// It depends on this condition.
    Split(Cond),
    /// No proof was found.
    Unknown,
}

pub(crate) type Answer<T> = Result<T, Stop>;

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mode {
    Lazy,
    Strict,
}

/// A question on one domain.
pub(crate) struct Engine<'a> {
    pub(crate) names: &'a Names<'a>,
    pub(crate) domain: &'a mut Domain,
    pub(crate) mode: Mode,
}

/// A box of indices of the last view.
#[derive(Clone, Debug)]
pub(crate) struct Front {
    /// The axis of the last view that each axis of the box is.
    pub(crate) axis: Vec<usize>,
    pub(crate) lo: Vec<Poly>,
    /// Extent − 1.
    pub(crate) last: Vec<Poly>,
}

/// An affine function on the box.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Position {
    pub(crate) base: Poly,
    pub(crate) step: Vec<Poly>,
}

/// How a view takes a box.
pub(crate) enum Pushed {
    Through(Position),
    /// The box got smaller.
    Clipped,
    Nothing,
    Blocked(Block),
}

/// Why a view does not take a box.
pub(crate) enum Block {
    /// Its mask is not met yet. `moduli`: those of the floors that are not affine. `slab`: the mask cuts corners off
    /// the box and leaves an index on each of its sides.
    Mask { moduli: Vec<Poly>, slab: bool },
    /// Modulus and jump of every level whose floor is not affine.
    Levels(Vec<(Poly, Poly)>),
}

/// What is left to decide, unless the outcome is known by now.
pub(crate) type Left<T> = ControlFlow<Outcome, T>;

/// A box and its position above a view that does not take it.
pub(crate) struct Stuck {
    /// The view, counted from the memory side.
    pub(crate) number: usize,
    /// The valid interval of every axis of the last view; it is final for axes with
    /// one valid index.
    pub(crate) whole: Vec<(Poly, Poly)>,
    pub(crate) front: Front,
    pub(crate) position: Position,
    pub(crate) block: Block,
}

impl Stuck {
    /// The moduli of the floors that are not affine.
    pub(crate) fn moduli(&self) -> Vec<Poly> {
        match &self.block {
            Block::Mask { moduli, .. } => moduli.clone(),
            Block::Levels(levels) => levels.iter().map(|(modulus, _)| modulus.clone()).collect(),
        }
    }
}

impl Engine<'_> {
    /// Whether a condition holds on the domain; otherwise the condition to split on.
    pub(crate) fn know(&mut self, cond: Cond) -> Answer<bool> {
        match self.ask(&cond) {
            Some(truth) => Ok(truth),
            None if self.mode == Mode::Lazy => Err(Stop::Unknown),
            None => {
                let p = self.domain.normal(cond.poly());
                let residue = self.domain.lone_residue(self.names, &p);
                if let Some(cond) = residue.or_else(|| self.domain.inner_residue(self.names, &p)) {
                    return Err(Stop::Split(cond));
                }
                // Without factors that say nothing it may be known.
                let mut cond = cond.map(|_| p).reduced();
                while let Some(plain) = self.domain.plain(self.names, &cond) {
                    cond = plain;
                }
                self.ask(&cond).ok_or(Stop::Split(cond))
            }
        }
    }

    pub(crate) fn ask(&mut self, cond: &Cond) -> Option<bool> {
        self.domain.ask(self.names, cond)
    }

    pub(crate) fn at_least(&mut self, p: &Poly, least: i128) -> Answer<bool> {
        self.know(Cond::Ge(p - least))
    }

    pub(crate) fn norm(&mut self, p: &Poly) -> Poly {
        self.domain.norm(self.names, p)
    }

    /// All numbers of the views in normal form.
    pub(crate) fn normal_stages(&mut self, stages: &[Stage]) -> Vec<Stage> {
        stages.iter().map(|stage| stage.map(|p| self.domain.norm(self.names, p))).collect()
    }

    /// Decides a chain, memory side first.
    pub(crate) fn decide(&mut self, stages: &[Stage]) -> Answer<Outcome> {
        let stages = self.normal_stages(stages);
        if let Some((slim, step)) = self.peeled(&stages) {
            let size = &stages[stages.len() - 1].shape[0];
            if !self.size_at_least(size, 1)? {
                return Ok(Outcome::Empty);
            }
            let mut outcome = self.decide(&slim)?;
            if let Outcome::View { steps, bounds, .. } = &mut outcome {
                steps.insert(0, Some(step));
                bounds.insert(0, (Poly::zero(), size.clone()));
            }
            return Ok(outcome);
        }
        match self.prepared(&stages)? {
            Left::Break(outcome) => Ok(outcome),
            Left::Continue(slim) => self.forwards(&slim),
        }
    }

    /// A chain that reads only one element is a view with steps of 0.
    fn constant(&mut self, stages: &[Stage]) -> Answer<Outcome> {
        let (Some(memory), Some(top)) = (stages.first(), stages.last()) else {
            return Ok(Outcome::Open);
        };
        let mut steps = Vec::new();
        for size in &top.shape {
            steps.push(self.size_at_least(size, 2)?.then(Poly::zero));
        }
        let bounds = top.shape.iter().map(|size| (Poly::zero(), size.clone())).collect();
        Ok(Outcome::View { base: memory.offset.clone(), steps, bounds, cuts: Vec::new() })
    }

    /// Decides a chain if only the length of one axis of the last view is unknown: a part of one view is one view, so
    /// the chain is one up to some length, which the concrete library finds, and never beyond.
    fn up_to_a_length(&mut self, stages: &[Stage]) -> Answer<Option<Outcome>> {
        let Some(top) = stages.last() else { return Ok(None) };
        let unknown = top.shape.iter().position(|size| size.as_number().is_none());
        let found = unknown.and_then(|axis| {
            let most = self.greatest(&top.shape[axis])?;
            Some((axis, longest(stages, axis, most)?))
        });
        let Some((axis, (longest, mut outcome))) = found else { return Ok(None) };
        let size = &top.shape[axis];
        if !self.know(Cond::Ge(Poly::number(longest) - size))? {
            return Ok(Some(Outcome::Never));
        }
        if let Outcome::View { bounds, .. } = &mut outcome {
            bounds[axis].1 = size.clone();
        }
        Ok(Some(outcome))
    }

    /// The greatest value of a positive multiple of one variable plus a constant; `None` for other numbers, and
    /// without an upper end.
    fn greatest(&self, p: &Poly) -> Option<i128> {
        let [v] = p.vars()[..] else { return None };
        let times = p.lone(v).filter(|times| *times > 0)?;
        times.checked_mul(self.domain.bounds(v).1?)?.checked_add(p.constant())
    }

    /// Decides a chain with the axes of the last view turned so that none walks backwards.
    fn forwards(&mut self, stages: &[Stage]) -> Answer<Outcome> {
        if let Some(outcome) = Outcome::of_numbers(stages) {
            return Ok(outcome);
        }
        if let Some(outcome) = self.up_to_a_length(stages)? {
            return Ok(outcome);
        }
        let mut stages = stages.to_vec();
        let constant =
            stages.first().is_some_and(|memory| memory.strides.iter().all(Poly::is_zero));
        if constant && !stages.iter().any(Stage::is_masked) {
            return self.constant(&stages);
        }
        let Some(top) = stages.last_mut() else { return Ok(Outcome::Open) };
        let mut turned = Vec::new();
        for axis in 0..top.rank() {
            let (size, stride) = (top.shape[axis].clone(), top.strides[axis].clone());
            if !stride.is_zero() && self.size_at_least(&size, 2)? && !self.know(Cond::Ge(stride))? {
                top.flip(axis);
                turned.push((axis, size));
            }
        }
        let stages = self.normal_stages(&stages);
        if self.rows_differ(&stages)? {
            return Ok(Outcome::Never);
        }
        let mut outcome = self.pass(&stages)?;
        if let Outcome::View { base, steps, bounds, .. } = &mut outcome {
            for (axis, size) in turned {
                let (lo, hi) = bounds[axis].clone();
                if let Some(step) = &mut steps[axis] {
                    *base += &*step * (&hi - &lo - 1);
                    *step = -&*step;
                }
                bounds[axis] = (self.norm(&(&size - &hi)), self.norm(&(&size - &lo)));
            }
            *base = self.norm(base);
        }
        Ok(outcome)
    }

    /// Decides a chain without telling cases apart, on a domain where all sizes are ≥ 1.
    pub(crate) fn lazily(&mut self, stages: &[Stage]) -> Option<Outcome> {
        self.mode = Mode::Lazy;
        let stages = self.normal_stages(stages);
        self.pass(&stages).ok()
    }

    /// The strongest bounds of an axis; `None` if nothing lies between them.
    fn interval(&mut self, bounds: &Bounds, size: &Poly) -> Answer<Option<(Poly, Poly)>> {
        let (mut low, mut high) = (Poly::zero(), size.clone());
        for lo in &bounds.lo {
            if self.know(Cond::Ge(lo - &low))? {
                low = lo.clone();
            }
        }
        for hi in &bounds.hi {
            if self.know(Cond::Ge(&high - hi))? {
                high = hi.clone();
            }
        }
        let some = bounds.is_free() || self.at_least(&(&high - &low), 1)?;
        Ok(some.then_some((low, high)))
    }

    /// One pass over the whole chain.
    pub(crate) fn pass(&mut self, stages: &[Stage]) -> Answer<Outcome> {
        self.pass_cutting(stages, MOST_CUTS)
    }

    /// The same, with cuts of the box nested at most this deep.
    pub(crate) fn pass_cutting(&mut self, stages: &[Stage], cuts: u32) -> Answer<Outcome> {
        match self.walk(stages)? {
            Left::Break(outcome) => Ok(outcome),
            Left::Continue(_) if self.mode == Mode::Lazy => Err(Stop::Unknown),
            Left::Continue(stuck) => self.conclude(stages, &stuck, cuts),
        }
    }

    /// The box pushed down as far as it goes.
    pub(crate) fn walk(&mut self, stages: &[Stage]) -> Answer<Left<Stuck>> {
        let settled = |outcome: Outcome| Ok(Left::Break(outcome));
        let Some((top, below)) = stages.split_last() else { return settled(Outcome::Open) };
        for stage in stages {
            for p in &stage.alive {
                if !self.know(Cond::Ge(p.clone()))? {
                    return settled(Outcome::Nothing);
                }
            }
        }
        let mut whole: Vec<(Poly, Poly)> = Vec::new();
        for (bounds, size) in top.bounds.iter().zip(&top.shape) {
            match self.interval(bounds, size)? {
                None => return settled(Outcome::Nothing),
                Some(interval) => whole.push(interval),
            }
        }
        let mut front = Front { axis: Vec::new(), lo: Vec::new(), last: Vec::new() };
        for (axis, (lo, hi)) in whole.iter().enumerate() {
            let last = self.norm(&(hi - lo - 1));
            let several = match self.mode {
                Mode::Lazy => !last.is_zero(),
                Mode::Strict => self.size_at_least(&(&last + 1), 2)?,
            };
            if several {
                front.axis.push(axis);
                front.lo.push(lo.clone());
                front.last.push(last);
            }
        }
        'again: for _ in 0..24 {
            let mut position = self.start(top, &whole, &front);
            for number in (0..below.len()).rev() {
                match self.push(&below[number], &mut front, &position)? {
                    Pushed::Through(next) => position = next,
                    Pushed::Clipped => {
                        if self.mode == Mode::Strict {
                            self.drop_single(&mut front, &mut whole)?;
                        }
                        continue 'again;
                    }
                    Pushed::Nothing => return settled(Outcome::Nothing),
                    Pushed::Blocked(block) => {
                        let stuck = Stuck { number, whole, front, position, block };
                        return Ok(Left::Continue(stuck));
                    }
                }
            }
            return settled(self.single(top, whole, &front, position));
        }
        if self.mode == Mode::Lazy { Err(Stop::Unknown) } else { settled(Outcome::Open) }
    }

    /// Drops the axes on which a clip left one index.
    fn drop_single(&mut self, front: &mut Front, whole: &mut [(Poly, Poly)]) -> Answer<()> {
        for l in (0..front.axis.len()).rev() {
            if !self.at_least(&front.last[l].clone(), 1)? {
                let (axis, lo) = (front.axis.remove(l), front.lo.remove(l));
                front.last.remove(l);
                let hi = &lo + 1;
                whole[axis] = (lo, hi);
            }
        }
        Ok(())
    }

    /// The last view's position on the box.
    fn start(&mut self, top: &Stage, whole: &[(Poly, Poly)], front: &Front) -> Position {
        let mut base = top.offset.clone();
        let mut step = Vec::new();
        for (axis, (lo, _)) in whole.iter().enumerate() {
            let at = match front.axis.iter().position(|&a| a == axis) {
                Some(l) => {
                    step.push(self.norm(&top.strides[axis]));
                    &front.lo[l]
                }
                None => lo,
            };
            base += &top.strides[axis] * at;
        }
        Position { base: self.norm(&base), step }
    }

    pub(crate) fn single(
        &mut self,
        top: &Stage,
        mut bounds: Vec<(Poly, Poly)>,
        front: &Front,
        position: Position,
    ) -> Outcome {
        let mut steps: Vec<Option<Poly>> = vec![None; top.rank()];
        for (l, &axis) in front.axis.iter().enumerate() {
            steps[axis] = Some(position.step[l].clone());
            let hi = &front.lo[l] + &front.last[l] + 1;
            bounds[axis] = (front.lo[l].clone(), self.norm(&hi));
        }
        let spoilt = position.base.is_spoilt() || steps.iter().flatten().any(Poly::is_spoilt);
        if spoilt {
            return Outcome::Open;
        }
        Outcome::View { base: position.base, steps, bounds, cuts: Vec::new() }
    }
}
