//! Indices that prove that a chain is not one view.
//!
//! A few symbolic indices are tried: the ends of every axis, and the first places where a level of the stuck
//! view changes. A witness is two steps along an axis that differ, or padding in the box
//! of two valid indices. The chain is first evaluated with numbers at samples of the parameters, and a
//! proof is tried only for what is right at all of them.
//!
//! Example: (N,M):(1,N) flattened, N ≥ 3 and M ≥ 2. The level changes first at x = M: the step from 0
//! adds N, that from M − 1 adds 1 − (M − 1)·N, and these differ for all N and M.

use crate::cond::Cond;
use crate::engine::{Answer, Engine, Front, Outcome, Position, Stop};
use crate::evaluate::Seen;
use crate::points::Points;
use crate::poly::Poly;
use crate::stage::Stage;

/// The most witnesses for which a proof is tried.
const MOST_PROOFS: usize = 6;

impl Engine<'_> {
    /// Looks for a witness, or for a condition on which one depends.
    pub(crate) fn by_witness(
        &mut self,
        stages: &[Stage],
        front: &Front,
        n: &Position,
        levels: &[(Poly, Poly)],
    ) -> Answer<Option<Outcome>> {
        // Places may be given names, which nothing else needs.
        let domain = self.domain.clone();
        let found = self.witness(stages, front, n, levels);
        *self.domain = domain;
        match found {
            Some(Stop::Unknown) => Ok(Some(Outcome::Never)),
            Some(Stop::Split(cond)) => {
                // It may use those names.
                let cond = cond.expanded(self.names);
                self.know(cond)?;
                Ok(None)
            }
            None => Ok(None),
        }
    }

    /// `Unknown` for a witness, a condition to split on, or nothing.
    fn witness(
        &mut self,
        stages: &[Stage],
        front: &Front,
        n: &Position,
        levels: &[(Poly, Poly)],
    ) -> Option<Stop> {
        let last: Vec<Poly> = front.last.iter().map(|e| self.norm(e)).collect();
        let targets = self.targets(stages.last()?, levels);
        let points = self.points(stages, n, &last, &targets);
        if !self.names.spend_for(points.indices.len() / 4) {
            return None;
        }
        let steps: Vec<_> =
            points.steps.iter().filter_map(|step| Some((*step, points.step(step)?))).collect();
        let mut hint: Option<Cond> = None;
        let mut left = MOST_PROOFS;
        for (place, (step, added)) in steps.iter().enumerate() {
            for (other, more) in &steps[..place] {
                if step.0 != other.0 || left == 0 {
                    continue;
                }
                let pairs = || added.iter().zip(more).filter_map(|(a, b)| Some(((*a)?, (*b)?)));
                let both = pairs().count();
                let differ = pairs().filter(|(a, b)| a != b).count();
                if differ == both && differ > 0 {
                    left -= 1;
                    match self.difference(stages, n, &last, points.ends(other, step)) {
                        Ok(p) if self.domain.proves_nonzero(self.names, &p) => {
                            return Some(Stop::Unknown);
                        }
                        Ok(_) => {}
                        Err(cond) => hint = hint.or(cond),
                    }
                }
            }
        }
        if stages.iter().any(Stage::is_masked) {
            match self.hole(stages, n, &last, &points) {
                Ok(true) => return Some(Stop::Unknown),
                Ok(false) => {}
                Err(cond) => hint = hint.or(Some(cond)),
            }
        }
        hint.map(Stop::Split)
    }

    /// The difference of two steps, or a condition that it depends on.
    pub(crate) fn difference(
        &mut self,
        stages: &[Stage],
        n: &Position,
        last: &[Poly],
        steps: [[&Vec<Poly>; 2]; 2],
    ) -> Result<Poly, Option<Cond>> {
        let mut added = Vec::new();
        for step in steps {
            let mut ends = Vec::new();
            for at in step {
                self.inside(at, last)?;
                match self.evaluate(stages, n, at) {
                    Seen::Valid(value) => ends.push(value),
                    Seen::Padding => return Err(None),
                    seen => return Err(self.undecided(seen)),
                }
            }
            added.push(&ends[1] - &ends[0]);
        }
        Ok(self.norm(&(&added[0] - &added[1])))
    }

    /// A condition that a value depends on.
    fn undecided(&mut self, seen: Seen) -> Option<Cond> {
        match seen {
            Seen::Quotient(p, c) => {
                let (p, c) = (self.norm(&p), self.norm(&c));
                let few = self.domain.few_quotients(self.names, &p, &c);
                few.or_else(|| self.domain.residue(self.names, &p, &c))
            }
            Seen::Unknown(cond) => Some(cond),
            _ => None,
        }
    }

    /// That an index is in the box, or a condition that it depends on.
    fn inside(&mut self, at: &[Poly], last: &[Poly]) -> Result<(), Option<Cond>> {
        for (x, last) in at.iter().zip(last) {
            for p in [x.clone(), last - x] {
                let p = self.norm(&p);
                if !self.domain.proves(self.names, &p) {
                    return Err(Some(Cond::Ge(p)));
                }
            }
        }
        Ok(())
    }

    /// Whether there is padding in the box of two valid indices.
    fn hole(
        &mut self,
        stages: &[Stage],
        n: &Position,
        last: &[Poly],
        points: &Points,
    ) -> Result<bool, Cond> {
        let mut hint: Option<Cond> = None;
        for three in points.holes(MOST_PROOFS) {
            match self.is_hole(stages, n, last, three.map(|k| &points.indices[k])) {
                Ok(true) => return Ok(true),
                Ok(false) => {}
                Err(cond) => hint = hint.or(cond),
            }
        }
        hint.map_or(Ok(false), Err)
    }

    /// Whether the second of three indices is padding between two that are valid.
    pub(crate) fn is_hole(
        &mut self,
        stages: &[Stage],
        n: &Position,
        last: &[Poly],
        three: [&Vec<Poly>; 3],
    ) -> Result<bool, Option<Cond>> {
        for (number, at) in three.iter().enumerate() {
            self.inside(at, last)?;
            match (self.evaluate(stages, n, at), number) {
                (Seen::Padding, 1) | (Seen::Valid(_), 0 | 2) => {}
                (Seen::Padding | Seen::Valid(_), _) => return Ok(false),
                (seen, _) => return Err(self.undecided(seen)),
            }
        }
        let [a, c, b] = three;
        for l in 0..c.len() {
            let mut least = |p: &Poly, q: &Poly| {
                let p = self.norm(&(q - p));
                self.domain.proves(self.names, &p)
            };
            let rising = least(&a[l], &c[l]) && least(&c[l], &b[l]);
            let falling = !rising && least(&b[l], &c[l]) && least(&c[l], &a[l]);
            if !rising && !falling {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
