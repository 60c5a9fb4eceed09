//! Why a chain is not one view on a domain, when one pass got stuck.
//!
//! Without a signed relation among the jumps of the levels that are not affine, the chain is
//! not one view. Otherwise a *witness* is looked for: a few symbolic indices at which the
//! chain is evaluated, among them steps along one axis that differ, or a hole between two valid
//! indices. What neither settles is open.

use crate::cond::Cond;
use crate::engine::{Answer, Engine, Front, Outcome, Position};
use crate::poly::Poly;
use crate::stage::Stage;

/// The value of a chain at an index, as far as it is seen.
#[derive(Clone, Debug)]
enum Seen {
    Valid(Poly),
    Padding,
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
        if !pending && !masked && !levels.is_empty() {
            if let Some(slope) = self.ramp(&stages[..stages.len() - 1]) {
                if self.know(Cond::Eq(slope))? {
                    // Everything below is constant; the box stays as it is.
                    return Ok(Outcome::Open);
                }
                if let Some(outcome) = self.by_relations(levels) {
                    return Ok(outcome);
                }
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
    fn ramp(&mut self, below: &[Stage]) -> Option<Poly> {
        let Some(upper) = below.last() else { return Some(Poly::one()) };
        let count = self.norm(&upper.count());
        let front = Front {
            axis: vec![0],
            lo: vec![Poly::zero()],
            last: vec![&count - &Poly::one()],
        };
        let mut position = Position { base: Poly::zero(), step: vec![Poly::one()] };
        let mode = std::mem::replace(&mut self.mode, crate::engine::Mode::Lazy);
        let mut front = front;
        for stage in below.iter().rev() {
            match self.push(stage, &mut front, &position) {
                Ok(crate::engine::Pushed::Through(next)) => position = next,
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

    /// Two steps along an axis that differ, four corners that do not add up, or a hole.
    fn by_witness(
        &mut self,
        stages: &[Stage],
        front: &Front,
        n: &Position,
        levels: &[(Poly, Poly)],
    ) -> Option<Outcome> {
        let rank = front.axis.len();
        let one = Poly::one();
        let last: Vec<Poly> = front.last.iter().map(|e| self.norm(e)).collect();
        let origin: Vec<Poly> = vec![Poly::zero(); rank];
        let mut corners = vec![origin, last.clone()];
        if rank == 2 {
            corners.push(vec![last[0].clone(), Poly::zero()]);
            corners.push(vec![Poly::zero(), last[1].clone()]);
        }
        // Where carries happen, along each axis.
        let mut places: Vec<Vec<Poly>> = Vec::new();
        for (l, e) in last.iter().enumerate() {
            let mut found = vec![Poly::zero(), e - &one];
            for (modulus, _) in levels {
                for by in [modulus.clone(), -modulus] {
                    if let Some(periods) = self.domain.divided(self.names, &by, &n.step[l]) {
                        found.push(&periods - &one);
                        found.push(periods);
                    }
                }
            }
            for stage in stages {
                let mut behind = Poly::one();
                for size in stage.shape.iter().skip(1).rev() {
                    behind = self.norm(&(&behind * size));
                    if n.step[l].as_number() == Some(1) {
                        found.push(&behind - &one);
                    }
                }
            }
            found.push(Poly::one());
            found.dedup();
            places.push(found);
        }
        let mut work = 0;
        for corner in &corners {
            for l in 0..rank {
                let mut first: Option<(Poly, Poly)> = None;
                for x in &places[l] {
                    let (here, next) = (self.norm(x), self.norm(&(x + &one)));
                    let inside = self.domain.proves(self.names, &here)
                        && self.domain.proves(self.names, &self.domain.normal(&(&last[l] - &next)));
                    work += 1;
                    if !inside || work > 60 {
                        continue;
                    }
                    let mut at = corner.clone();
                    at[l] = here.clone();
                    let from = self.evaluate(stages, n, &at);
                    at[l] = next;
                    let to = self.evaluate(stages, n, &at);
                    let (Seen::Valid(from), Seen::Valid(to)) = (from, to) else { continue };
                    let step = self.norm(&(&to - &from));
                    match &first {
                        None => first = Some((here, step)),
                        Some((_, known)) => {
                            let difference = self.norm(&(&step - known));
                            if self.domain.proves_nonzero(self.names, &difference) {
                                return Some(Outcome::Never);
                            }
                        }
                    }
                }
            }
        }
        if self.has_hole(stages, n, &last) { Some(Outcome::Never) } else { None }
    }

    /// Two valid indices with padding in the box between them.
    fn has_hole(&mut self, stages: &[Stage], n: &Position, last: &[Poly]) -> bool {
        if !stages.iter().any(Stage::is_masked) || last.len() > 3 {
            return false;
        }
        let one = Poly::one();
        let mut options: Vec<Vec<Poly>> = vec![Vec::new()];
        let near = last.len() <= 2;
        for e in last {
            let mut values = vec![Poly::zero(), e.clone()];
            if near {
                values.push(one.clone());
                values.push(e - &one);
            }
            options = options
                .iter()
                .flat_map(|known| {
                    values.iter().map(|value| {
                        let mut next = known.clone();
                        next.push(value.clone());
                        next
                    })
                })
                .collect();
        }
        let seen: Vec<Seen> = options.iter().map(|at| self.evaluate(stages, n, at)).collect();
        let valid = |seen: &Seen| matches!(seen, Seen::Valid(_));
        for (a, at_a) in options.iter().enumerate() {
            if !valid(&seen[a]) {
                continue;
            }
            for (b, at_b) in options.iter().enumerate().skip(a + 1) {
                if !valid(&seen[b]) {
                    continue;
                }
                let between = |c: &[Poly]| {
                    (0..c.len()).all(|l| c[l] == at_a[l] || c[l] == at_b[l])
                };
                let hole = options
                    .iter()
                    .zip(&seen)
                    .any(|(at, seen)| matches!(seen, Seen::Padding) && between(at));
                if hole {
                    return true;
                }
            }
        }
        false
    }

    /// The chain below at an index of the box.
    fn evaluate(&mut self, stages: &[Stage], n: &Position, at: &[Poly]) -> Seen {
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
                        return Seen::Unknown;
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
