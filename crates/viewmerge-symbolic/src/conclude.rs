//! Why a chain is not one view on a domain, when one pass got stuck.
//!
//! Without a signed relation among the jumps of the levels that are not affine, the chain is
//! not one view. Otherwise a *witness* is looked for: a few symbolic indices at which the
//! chain is evaluated, among them steps along one axis that differ, or a hole between two valid
//! indices. What neither settles is open.

use crate::combine::extended;
use crate::cond::Cond;
use crate::engine::{Answer, Engine, Front, Interval, Mode, Outcome, Position, Pushed};
use crate::poly::Poly;
use crate::stage::Stage;

/// The value of a chain at an index, as far as it is seen.
#[derive(Clone, Debug)]
pub(crate) enum Seen {
    Valid(Poly),
    Padding,
    /// It depends on this quotient.
    Quotient(Poly, Poly),
    Unknown,
}

impl Engine<'_> {
    /// Decides a chain whose last pushed view, `stages.last()`, has levels that are not affine.
    pub(crate) fn conclude(
        &mut self,
        stages: &[Stage],
        front: &Front,
        n: &Position,
        levels: &[(Poly, Poly)],
        pending: bool,
    ) -> Answer<Outcome> {
        let masked = stages.iter().any(Stage::is_masked);
        if !pending
            && !masked
            && !levels.is_empty()
            && let Some(slope) = self.ramp(&stages[..stages.len() - 1])
        {
            if self.know(Cond::Eq(slope))? {
                // Everything below is constant, which other rungs see.
                return Ok(Outcome::Open);
            }
            if let Some(outcome) = self.by_relations(levels) {
                return Ok(outcome);
            }
        }
        if let Some(outcome) = self.by_witness(stages, front, n, levels) {
            return Ok(outcome);
        }
        if !pending && !masked && stages.len() == 1 {
            // A relation may hold; where it does not, there is no view.
            let Some(relations) = relations(levels) else { return Ok(Outcome::Open) };
            for relation in relations {
                if self.know(Cond::Eq(relation))? {
                    return Ok(Outcome::Open);
                }
            }
            return Ok(Outcome::Never);
        }
        Ok(Outcome::Open)
    }

    /// The slope of views that are one ramp; 1 for none.
    pub(crate) fn ramp(&mut self, below: &[Stage]) -> Option<Poly> {
        let Some(upper) = below.last() else { return Some(Poly::one()) };
        let count = self.norm(&upper.count());
        let front =
            Front { axis: vec![0], lo: vec![Poly::zero()], last: vec![&count - &Poly::one()] };
        let mut position = Position { base: Poly::zero(), step: vec![Poly::one()] };
        let mode = std::mem::replace(&mut self.mode, Mode::Lazy);
        let mut front = front;
        for stage in below.iter().rev() {
            match self.push(stage, &mut front, &position) {
                Ok(Pushed::Through(next)) => position = next,
                _ => {
                    self.mode = mode;
                    return None;
                }
            }
        }
        self.mode = mode;
        position.step.pop()
    }

    /// No relation can hold among the jumps.
    fn by_relations(&mut self, levels: &[(Poly, Poly)]) -> Option<Outcome> {
        let known = relations(levels)?.iter().all(|p| {
            let p = self.domain.normal(p);
            self.domain.proves_nonzero(self.names, &p)
        });
        known.then_some(Outcome::Never)
    }

    /// Two steps along an axis that differ, or a hole.
    fn by_witness(
        &mut self,
        stages: &[Stage],
        front: &Front,
        n: &Position,
        levels: &[(Poly, Poly)],
    ) -> Option<Outcome> {
        let last: Vec<Poly> = front.last.iter().map(|e| self.norm(e)).collect();
        let targets = self.targets(stages.last()?, levels);
        let seen = self.steps_differ(stages, n, &last, &targets)
            || self.has_hole(stages, n, &last, &targets);
        seen.then_some(Outcome::Never)
    }

    /// Positions of a view at which something changes: multiples of its moduli, and the first and
    /// last valid ones.
    pub(crate) fn targets(&mut self, stage: &Stage, levels: &[(Poly, Poly)]) -> Vec<Poly> {
        let mut found: Vec<Poly> = levels.iter().map(|(modulus, _)| modulus.clone()).collect();
        let mut behind = vec![Poly::one(); stage.rank() + 1];
        for axis in (0..stage.rank()).rev() {
            behind[axis] = self.norm(&(&behind[axis + 1] * &stage.shape[axis]));
        }
        if !stage.is_masked() {
            found.extend(behind.into_iter().skip(1).filter(|c| c.as_number() != Some(1)));
            return found;
        }
        let mode = std::mem::replace(&mut self.mode, Mode::Lazy);
        let mut intervals = Vec::new();
        for (bounds, size) in stage.bounds.iter().zip(&stage.shape) {
            if let Ok(Interval::Of(lo, hi)) = self.interval(bounds, size) {
                intervals.push((lo, hi));
            }
        }
        self.mode = mode;
        if intervals.len() < stage.rank() {
            return found;
        }
        let mut first = Poly::zero();
        let mut end = Poly::zero();
        for (axis, (lo, hi)) in intervals.iter().enumerate() {
            first = &first + &(lo * &behind[axis + 1]);
            end = &end + &(&(hi - &Poly::one()) * &behind[axis + 1]);
        }
        let (first, end) = (self.norm(&first), self.norm(&end));
        for (axis, (lo, hi)) in intervals.iter().enumerate() {
            let c = &behind[axis + 1];
            // The next valid index of this axis, and the first one past its interval.
            found.push(&first + c);
            found.push(&first + &(&(hi - lo) * c));
            found.push(&end - c);
            found.push(&end - &(&(hi - lo) * c));
        }
        found.push(first);
        found.push(end);
        found.iter().map(|p| self.norm(p)).collect()
    }

    /// Where along an axis the position reaches a target, the other axes at 0.
    pub(crate) fn reached(&mut self, n: &Position, l: usize, target: &Poly) -> Option<Poly> {
        let step = self.norm(&n.step[l]);
        let way = self.norm(&(target - &n.base));
        let (way, step) = if step.as_number().is_some_and(|t| t < 0)
            || step.terms().iter().all(|(_, c)| *c < 0)
        {
            (-&way, -&step)
        } else {
            (way, step)
        };
        if step.is_zero() {
            return None;
        }
        let x = self.domain.divided(self.names, &way, &step)?;
        let rest = self.norm(&(&way - &(&step * &x)));
        rest.is_zero().then_some(x)
    }

    /// Whether two steps along one axis are seen to differ.
    fn steps_differ(
        &mut self,
        stages: &[Stage],
        n: &Position,
        last: &[Poly],
        targets: &[Poly],
    ) -> bool {
        let rank = last.len();
        let one = Poly::one();
        let mut corners = vec![vec![Poly::zero(); rank], last.to_vec()];
        for l in 0..rank.min(3) {
            if rank > 1 {
                let mut corner = vec![Poly::zero(); rank];
                corner[l] = last[l].clone();
                corners.push(corner);
            }
        }
        let mut work = 0;
        for l in 0..rank {
            let mut places = vec![Poly::zero(), &last[l] - &one];
            for target in targets {
                if let Some(x) = self.reached(n, l, target) {
                    places.push(&x - &one);
                    places.push(x);
                }
            }
            places.push(Poly::one());
            let mut first: Option<Poly> = None;
            for (number, x) in places.iter().enumerate() {
                let (here, next) = (self.norm(x), self.norm(&(x + &one)));
                if places[..number].contains(x)
                    || !self.domain.proves(self.names, &here)
                    || !self.domain.proves(self.names, &self.domain.normal(&(&last[l] - &next)))
                {
                    continue;
                }
                for corner in &corners {
                    work += 1;
                    if work > 80 {
                        return false;
                    }
                    let mut at = corner.clone();
                    at[l] = here.clone();
                    let Seen::Valid(from) = self.evaluate(stages, n, &at) else { continue };
                    at[l] = next.clone();
                    let Seen::Valid(to) = self.evaluate(stages, n, &at) else { continue };
                    let step = self.norm(&(&to - &from));
                    match &first {
                        None => first = Some(step),
                        Some(known) => {
                            let difference = self.norm(&(&step - known));
                            if self.domain.proves_nonzero(self.names, &difference) {
                                return true;
                            }
                        }
                    }
                }
            }
        }
        false
    }

    /// Two valid indices with padding in the box between them.
    fn has_hole(
        &mut self,
        stages: &[Stage],
        n: &Position,
        last: &[Poly],
        targets: &[Poly],
    ) -> bool {
        if !stages.iter().any(Stage::is_masked) {
            return false;
        }
        let one = Poly::one();
        let rank = last.len();
        // Along one axis, others at a corner.
        for l in 0..rank {
            let mut places = vec![Poly::zero(), last[l].clone()];
            for target in targets {
                if let Some(x) = self.reached(n, l, target) {
                    places.push(x);
                }
            }
            for corner in [vec![Poly::zero(); rank], last.to_vec()] {
                let (mut valid, mut padding) = (Vec::new(), Vec::new());
                for x in &places {
                    let x = self.norm(x);
                    let room = self.domain.normal(&(&last[l] - &x));
                    if !self.domain.proves(self.names, &x) || !self.domain.proves(self.names, &room)
                    {
                        continue;
                    }
                    let mut at = corner.clone();
                    at[l] = x.clone();
                    match self.evaluate(stages, n, &at) {
                        Seen::Valid(_) => valid.push(x),
                        Seen::Padding => padding.push(x),
                        Seen::Quotient(..) | Seen::Unknown => {}
                    }
                }
                let less = |a: &Poly, b: &Poly| {
                    self.domain.proves(self.names, &self.domain.normal(&(b - a)))
                };
                let hole = padding
                    .iter()
                    .any(|x| valid.iter().any(|a| less(a, x)) && valid.iter().any(|b| less(x, b)));
                if hole {
                    return true;
                }
            }
        }
        if !(2..=3).contains(&rank) {
            return false;
        }
        let mut options: Vec<Vec<Poly>> = vec![Vec::new()];
        for e in last {
            let mut values = vec![Poly::zero(), e.clone()];
            if rank == 2 {
                values.push(one.clone());
                values.push(e - &one);
            }
            options = extended(&options, &values).collect();
        }
        let seen: Vec<Seen> = options.iter().map(|at| self.evaluate(stages, n, at)).collect();
        let valid: Vec<usize> =
            (0..options.len()).filter(|&k| matches!(seen[k], Seen::Valid(_))).collect();
        let padding: Vec<usize> =
            (0..options.len()).filter(|&k| matches!(seen[k], Seen::Padding)).collect();
        padding.iter().any(|&c| {
            valid.iter().any(|&a| {
                valid.iter().any(|&b| {
                    (0..rank)
                        .all(|l| options[c][l] == options[a][l] || options[c][l] == options[b][l])
                })
            })
        })
    }

    /// The chain below at an index of the box.
    pub(crate) fn evaluate(&mut self, stages: &[Stage], n: &Position, at: &[Poly]) -> Seen {
        let mut position = n.base.clone();
        for (t, x) in n.step.iter().zip(at) {
            position = &position + &(t * x);
        }
        for stage in stages.iter().rev() {
            let mut rest = self.norm(&position);
            position = stage.offset.clone();
            for axis in (0..stage.rank()).rev() {
                let size = self.norm(&stage.shape[axis]);
                let digit = if axis == 0 {
                    rest.clone()
                } else {
                    let Some(quotient) = self.domain.divided(self.names, &rest, &size) else {
                        return Seen::Quotient(rest, size);
                    };
                    let digit = &rest - &(&size * &quotient);
                    rest = quotient;
                    self.norm(&digit)
                };
                for lo in &stage.bounds[axis].lo {
                    match self.ask(&Cond::Ge(&digit - lo)) {
                        Some(true) => {}
                        Some(false) => return Seen::Padding,
                        None => return Seen::Unknown,
                    }
                }
                for hi in &stage.bounds[axis].hi {
                    match self.ask(&Cond::Ge(&(hi - &digit) - &Poly::one())) {
                        Some(true) => {}
                        Some(false) => return Seen::Padding,
                        None => return Seen::Unknown,
                    }
                }
                position = &position + &(&stage.strides[axis] * &digit);
            }
        }
        Seen::Valid(self.norm(&position))
    }
}

/// The signed sums of two or more jumps, one of each pair ±; `None` for too many jumps.
fn relations(levels: &[(Poly, Poly)]) -> Option<Vec<Poly>> {
    if levels.len() > 4 {
        return None;
    }
    let mut sums: Vec<(usize, Poly)> = vec![(0, Poly::zero())];
    for (_, jump) in levels {
        let more: Vec<(usize, Poly)> = sums
            .iter()
            .flat_map(|(terms, sum)| {
                // The first term is taken with a plus.
                let plus = (terms + 1, sum + jump);
                let minus = (terms + 1, sum - jump);
                if *terms == 0 { vec![plus] } else { vec![plus, minus] }
            })
            .collect();
        sums.extend(more);
    }
    Some(sums.into_iter().filter(|(terms, _)| *terms >= 2).map(|(_, sum)| sum).collect())
}
