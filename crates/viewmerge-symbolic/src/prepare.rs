//! A chain before its pass: sizes that must be known, and unit axes that go.

use crate::cond::Cond;
use crate::engine::{Answer, Engine, Front, Left, Mode, Outcome, Position, Stop};
use crate::poly::Poly;
use crate::stage::{Bounds, Stage};

impl Engine<'_> {
    /// What needs no case distinction or no pass, or views without unit axes to pass through.
    pub(crate) fn prepared(&mut self, stages: &[Stage]) -> Answer<Left<Vec<Stage>>> {
        let stages = self.normal_stages(stages);
        if stages.iter().any(Stage::is_spoilt) {
            return Ok(Left::Break(Outcome::Open));
        }
        self.mode = Mode::Strict;
        if let Some(outcome) = self.sizes_allow(&stages)? {
            return Ok(Left::Break(outcome));
        }
        self.mode = Mode::Lazy;
        if let Ok(outcome) = self.pass(&stages) {
            return Ok(Left::Break(outcome));
        }
        self.mode = Mode::Strict;
        let stages: Vec<Stage> = self.normal_stages(&stages);
        let Some((top, below)) = stages.split_last() else {
            return Ok(Left::Break(Outcome::Open));
        };
        let mut slim: Vec<Stage> = Vec::new();
        for stage in below {
            match self.without_units(stage)? {
                Some(stage) => slim.push(stage),
                None => return Ok(Left::Break(Outcome::Nothing)),
            }
        }
        slim.push(top.clone());
        Ok(Left::Continue(slim))
    }

    /// A chain without an axis of the last view that has no part in anything: the leading axis of every
    /// view. Which axis it is, and its step.
    pub(crate) fn peeled(&mut self, stages: &[Stage]) -> Option<(Vec<Stage>, Poly)> {
        // Only masks have so many cases that it pays.
        if stages.len() < 2 || !stages.iter().any(Stage::is_masked) {
            return None;
        }
        if stages.iter().any(|stage| stage.rank() < 2 || !stage.bounds[0].is_free()) {
            return None;
        }
        for pair in stages.windows(2) {
            // What the other axes add stays within one index of the leading axis.
            let behind = self.norm(&pair[0].shape[1..].iter().product());
            let last: Vec<Poly> = pair[1].shape.iter().map(|size| size - 1).collect();
            let (front, position) = (Front::whole(&last), pair[1].position());
            let floor = self.seen_floor(&front, &position, &behind)?;
            if floor.quotient != Position::column(last.len(), 0) || !floor.residue.step[0].is_zero()
            {
                return None;
            }
        }
        let slim = stages.iter().map(|stage| stage.without(0)).collect();
        Some((slim, stages[0].strides[0].clone()))
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
    pub(crate) fn size_at_least(&mut self, size: &Poly, least: i128) -> Answer<bool> {
        let size = self.norm(size);
        let cond = Cond::Ge(&size - least);
        if let Some(truth) = self.ask(&cond) {
            return Ok(truth);
        }
        // A sum of products is told apart by its factors; a single one by its own least values only.
        let plain = size.terms().iter().all(|(_, c)| *c > 0);
        for (mono, _) in size.terms() {
            let alone = size.terms().len() == 1;
            if mono.degree() == 0 || (!alone && !plain && mono.degree() == 1) {
                continue;
            }
            for v in mono.vars() {
                if let (Some(lo), _) = self.domain.bounds(v)
                    && (0..least).contains(&lo)
                    && (alone || lo == 0 || mono.degree() > 1)
                {
                    return Err(Stop::Split(Cond::Ge(Poly::var(v) - Poly::number(lo + 1))));
                }
            }
        }
        self.know(cond)
    }

    /// A lower view without its axes of size 1; `None` if it is valid nowhere.
    fn without_units(&mut self, stage: &Stage) -> Answer<Option<Stage>> {
        let mut stage = stage.clone();
        let mut kept = Vec::new();
        for axis in 0..stage.rank() {
            let (size, given) =
                (stage.shape[axis].clone(), std::mem::take(&mut stage.bounds[axis]));
            let mut room = given.room(&Poly::zero());
            if self.size_at_least(&size, 2)? {
                kept.push(axis);
                // Whether a mask ends at 0 or at the size decides more than anything else.
                let Bounds { lo: lower, hi: upper } = &mut stage.bounds[axis];
                for lo in given.lo {
                    if self.at_least(&lo, 1)? {
                        lower.push(lo);
                    }
                }
                for hi in given.hi {
                    if self.at_least(&(&size - &hi), 1)? {
                        upper.push(hi);
                    }
                }
                let between = lower.iter().flat_map(|lo| upper.iter().map(move |hi| hi - lo));
                let ends = upper.iter().cloned().chain(lower.iter().map(|lo| &size - lo));
                room = between.chain(ends).map(|room| room - 1).collect();
            }
            for room in room {
                if !self.know(Cond::Ge(room))? {
                    return Ok(None);
                }
            }
        }
        Ok(Some(stage.rearranged(&kept)))
    }
}
