//! What a chain is on one domain: one view, nothing, never one view, or open.
//!
//! The box of the last view's valid indices is pushed down through the views, as in the
//! concrete library's single pass, with polynomials for numbers. Where something must be known
//! (is this size 1? is that jump 0? does this residue stay below its modulus?) and the domain
//! does not say, the answer is a condition to split on; the caller asks again on both sides.
//!
//! First everything is tried without knowing any size ([`Mode::Lazy`]): a formula found so is
//! right for all sizes, 1 included. Only then sizes are told apart.

use crate::cond::Cond;
use crate::domain::Domain;
use crate::names::Names;
use crate::poly::Poly;
use crate::stage::{Bounds, Stage};

/// Why no answer was reached.
pub(crate) enum Stop {
    /// It depends on this.
    Split(Cond),
    /// Not seen.
    Unknown,
}

pub(crate) type Answer<T> = Result<T, Stop>;

/// What the chain is on the domain.
#[derive(Clone, Debug)]
pub(crate) enum Outcome {
    /// One view: its position at the low corner of the valid box, a step for every axis (`None`
    /// where there is one valid index only) and the valid interval of every axis.
    View {
        base: Poly,
        steps: Vec<Option<Poly>>,
        bounds: Vec<(Poly, Poly)>,
    },
    /// Valid nowhere.
    Nothing,
    /// The shape has no elements.
    Empty,
    /// Not one view.
    Never,
    Open,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mode {
    Lazy,
    Strict,
}

/// A question on one domain.
pub(crate) struct Engine<'a> {
    pub(crate) names: &'a Names,
    pub(crate) domain: &'a mut Domain,
    pub(crate) mode: Mode,
}

/// A box of indices of the last view.
#[derive(Clone, Debug)]
pub(crate) struct Front {
    /// Which axis of the last view each one is.
    pub(crate) axis: Vec<usize>,
    pub(crate) lo: Vec<Poly>,
    /// Extent − 1.
    pub(crate) last: Vec<Poly>,
}

/// An affine function on the box.
#[derive(Clone, Debug)]
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
    /// Levels whose floors are not affine: modulus and jump. Masks that are not met: pending.
    Stuck {
        levels: Vec<(Poly, Poly)>,
        pending: bool,
    },
}

/// What is known of the interval of an axis.
pub(crate) enum Interval {
    Empty,
    Of(Poly, Poly),
}

impl Engine<'_> {
    /// Whether a condition holds here, or a stop.
    pub(crate) fn know(&mut self, cond: Cond) -> Answer<bool> {
        match self.ask(&cond) {
            Some(truth) => Ok(truth),
            None if self.mode == Mode::Lazy => Err(Stop::Unknown),
            None => {
                let p = self.domain.normal(cond.poly());
                Err(Stop::Split(self.domain.primitive(self.names, &cond.map(|_| p))))
            }
        }
    }

    pub(crate) fn ask(&mut self, cond: &Cond) -> Option<bool> {
        let p = self.domain.norm(self.names, cond.poly());
        self.domain.truth(self.names, &cond.map(|_| p))
    }

    pub(crate) fn at_least(&mut self, p: &Poly, least: i128) -> Answer<bool> {
        self.know(Cond::Ge(p - &Poly::number(least)))
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
        if stages.iter().any(Stage::is_spoilt) {
            return Ok(Outcome::Open);
        }
        self.mode = Mode::Strict;
        if let Some(outcome) = self.sizes_allow(&stages)? {
            return Ok(outcome);
        }
        self.mode = Mode::Lazy;
        if let Ok(outcome) = self.pass(&stages) {
            return Ok(outcome);
        }
        self.mode = Mode::Strict;
        for plain in [true, false] {
            for size in stages.iter().flat_map(|stage| &stage.shape) {
                if plain == (size.degree() == 1 || size.terms().len() == 1) {
                    self.told_from_one(size)?;
                }
            }
        }
        let stages: Vec<Stage> = self.normal_stages(&stages);
        let (top, below) = match stages.split_last() {
            Some((top, below)) => (top, below),
            None => return Ok(Outcome::Open),
        };
        let mut slim: Vec<Stage> = Vec::new();
        for stage in below {
            match self.without_units(stage)? {
                Some(stage) => slim.push(stage),
                None => return Ok(Outcome::Nothing),
            }
        }
        slim.push(top.clone());
        self.pass(&slim)
    }

    /// Decides a chain without any distinction of cases, on a domain where all sizes are ≥ 1.
    pub(crate) fn lazily(&mut self, stages: &[Stage]) -> Option<Outcome> {
        self.mode = Mode::Lazy;
        let stages = self.normal_stages(stages);
        self.pass(&stages).ok()
    }

    /// Empty shapes and views that are valid nowhere.
    fn sizes_allow(&mut self, stages: &[Stage]) -> Answer<Option<Outcome>> {
        let Some((top, below)) = stages.split_last() else { return Ok(Some(Outcome::Open)) };
        // Plain sizes are told apart first: products of them are then known.
        for size in stages.iter().flat_map(|stage| &stage.shape) {
            if size.degree() == 1 || size.terms().len() == 1 {
                self.size_at_least(size, 1)?;
            }
        }
        for size in &top.shape {
            if !self.size_at_least(size, 1)? {
                return Ok(Some(Outcome::Empty));
            }
        }
        for stage in below {
            for size in &stage.shape {
                if !self.size_at_least(size, 1)? {
                    // Only padding composes with a view without elements.
                    return Ok(Some(Outcome::Nothing));
                }
            }
        }
        Ok(None)
    }

    /// Sizes are told apart by their variables, so that the domain stays a box.
    fn size_at_least(&mut self, size: &Poly, least: i128) -> Answer<bool> {
        let size = self.norm(size);
        let cond = Cond::Ge(&size - &Poly::number(least));
        if let Some(truth) = self.ask(&cond) {
            return Ok(truth);
        }
        if let [(mono, c)] = size.terms()
            && mono.degree() > 0
            && *c > 0
        {
            for &v in &mono.0 {
                if let (Some(lo), _) = self.domain.bounds(v)
                    && (0..least).contains(&lo)
                {
                    return Err(Stop::Split(Cond::Ge(&Poly::var(v) - &Poly::number(lo + 1))));
                }
            }
        }
        self.know(cond)
    }

    fn told_from_one(&mut self, size: &Poly) -> Answer<bool> {
        self.size_at_least(size, 2)
    }

    /// A lower view without its axes of size 1; `None` if it is valid nowhere.
    fn without_units(&mut self, stage: &Stage) -> Answer<Option<Stage>> {
        let mut slim = Stage {
            shape: Vec::new(),
            strides: Vec::new(),
            offset: stage.offset.clone(),
            bounds: Vec::new(),
            alive: stage.alive.clone(),
        };
        for axis in 0..stage.rank() {
            if self.size_at_least(&stage.shape[axis], 2)? {
                slim.shape.push(stage.shape[axis].clone());
                slim.strides.push(stage.strides[axis].clone());
                slim.bounds.push(stage.bounds[axis].clone());
                continue;
            }
            for lo in &stage.bounds[axis].lo {
                if !self.know(Cond::Ge(-lo))? {
                    return Ok(None);
                }
            }
            for hi in &stage.bounds[axis].hi {
                if !self.at_least(hi, 1)? {
                    return Ok(None);
                }
            }
        }
        Ok(Some(slim))
    }

    /// The strongest bounds of an axis.
    pub(crate) fn interval(&mut self, bounds: &Bounds, size: &Poly) -> Answer<Interval> {
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
        if bounds.is_free() || self.at_least(&(&high - &low), 1)? {
            return Ok(Interval::Of(low, high));
        }
        Ok(Interval::Empty)
    }

    /// One pass over the whole chain.
    fn pass(&mut self, stages: &[Stage]) -> Answer<Outcome> {
        let Some((top, below)) = stages.split_last() else { return Ok(Outcome::Open) };
        for stage in stages {
            for p in &stage.alive {
                if !self.know(Cond::Ge(p.clone()))? {
                    return Ok(Outcome::Nothing);
                }
            }
        }
        let mut whole: Vec<(Poly, Poly)> = Vec::new();
        for (bounds, size) in top.bounds.iter().zip(&top.shape) {
            match self.interval(bounds, size)? {
                Interval::Empty => return Ok(Outcome::Nothing),
                Interval::Of(lo, hi) => whole.push((lo, hi)),
            }
        }
        let mut front = Front { axis: Vec::new(), lo: Vec::new(), last: Vec::new() };
        for (axis, (lo, hi)) in whole.iter().enumerate() {
            let last = self.norm(&(&(hi - lo) - &Poly::one()));
            let several = match self.mode {
                Mode::Lazy => !last.is_zero(),
                Mode::Strict => self.size_at_least(&(&last + &Poly::one()), 2)?,
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
                        if self.mode == Mode::Strict && !self.drop_single(&mut front, &mut whole)? {
                            return Ok(Outcome::Open);
                        }
                        continue 'again;
                    }
                    Pushed::Nothing => return Ok(Outcome::Nothing),
                    Pushed::Stuck { .. } if self.mode == Mode::Lazy => return Err(Stop::Unknown),
                    Pushed::Stuck { levels, pending } => {
                        return self.conclude(
                            &below[..=number],
                            &front,
                            &position,
                            &levels,
                            pending,
                        );
                    }
                }
            }
            return Ok(self.single(top, whole, &front, position));
        }
        if self.mode == Mode::Lazy { Err(Stop::Unknown) } else { Ok(Outcome::Open) }
    }

    /// Axes that a clip left one index of take no further part; false if a bound cannot be kept.
    fn drop_single(&mut self, front: &mut Front, whole: &mut [(Poly, Poly)]) -> Answer<bool> {
        for l in (0..front.axis.len()).rev() {
            if !self.at_least(&front.last[l].clone(), 1)? {
                let (axis, lo) = (front.axis.remove(l), front.lo.remove(l));
                front.last.remove(l);
                let hi = &lo + &Poly::one();
                whole[axis] = (lo, hi);
            }
        }
        Ok(true)
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
            base = &base + &(&top.strides[axis] * at);
        }
        Position { base: self.norm(&base), step }
    }

    fn single(
        &mut self,
        top: &Stage,
        mut bounds: Vec<(Poly, Poly)>,
        front: &Front,
        position: Position,
    ) -> Outcome {
        let mut steps: Vec<Option<Poly>> = vec![None; top.rank()];
        for (l, &axis) in front.axis.iter().enumerate() {
            steps[axis] = Some(position.step[l].clone());
            let hi = &(&front.lo[l] + &front.last[l]) + &Poly::one();
            bounds[axis] = (front.lo[l].clone(), self.norm(&hi));
        }
        let spoilt = position.base.is_spoilt() || steps.iter().flatten().any(Poly::is_spoilt);
        if spoilt { Outcome::Open } else { Outcome::View { base: position.base, steps, bounds } }
    }
}
