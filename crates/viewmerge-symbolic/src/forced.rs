//! The places that every split of a chain without masks must have.
//!
//! Along an axis the chain takes the positions a, a + t, a + 2t, … How many of them, starting with the
//! first, are evenly spaced in memory is a closed form for every level: with r = a mod m and
//! ρ = t mod m a step carries as the first one does until the residue has no room any more, which is
//! after ⌈(m − r)/ρ⌉ elements, or after ⌊r/(m − ρ)⌋ + 1 if the first step is one of the larger ones. The
//! least of these is where the first digit ends; every split cuts there. The next digit is read off the
//! same line in steps of that place.
//!
//! Example: (4,3):(1,4) flattened has m = 3, a = 0, t = 1: three elements, then in steps of 3 no level is
//! left: the split is (4,3).

use crate::conclude::Seen;
use crate::cond::Cond;
use crate::cut::Cuts;
use crate::engine::{Answer, Engine, Outcome, Position, Stuck, Walked};
use crate::poly::Poly;
use crate::stage::Stage;

/// What the lines of a chain force.
pub(crate) enum Reading {
    /// A place that does not divide its size: there is no split.
    OffGrid,
    Cuts(Cuts),
    Unknown,
}

/// The same for one axis.
enum Line {
    OffGrid,
    Factors(Vec<Poly>),
    Unknown,
}

/// How long a line is even.
enum Run {
    Whole,
    /// So many elements, fewer than there are.
    Broken(Poly),
    Unknown,
}

/// Where levels change first.
struct Change {
    /// After so many elements.
    after: Poly,
    /// How much more the first changed step adds.
    jump: Poly,
}

const MOST_DIGITS: usize = 5;
const MOST_LEVELS: usize = 3;

impl Engine<'_> {
    /// Reads the places of all axes, each off the line through the index 0.
    pub(crate) fn forced(&mut self, below: &[Stage], top: &Stage) -> Answer<Reading> {
        let mut cuts = Cuts::new();
        for (size, stride) in top.shape.iter().zip(&top.strides) {
            match self.line(below, &top.offset, stride, size)? {
                Line::OffGrid => return Ok(Reading::OffGrid),
                Line::Factors(factors) => cuts.push(factors),
                Line::Unknown => {}
            }
        }
        if cuts.len() < top.rank() {
            return Ok(Reading::Unknown);
        }
        Ok(Reading::Cuts(cuts))
    }

    fn line(&mut self, below: &[Stage], base: &Poly, step: &Poly, size: &Poly) -> Answer<Line> {
        let (mut step, mut count) = (self.norm(step), self.norm(size));
        let mut factors = Vec::new();
        for _ in 0..MOST_DIGITS {
            if !self.size_at_least(&count, 2)? {
                break;
            }
            match self.run(below, base, &step, &count)? {
                Run::Whole => break,
                Run::Unknown => return Ok(Line::Unknown),
                Run::Broken(place) => {
                    let Some(rest) = self.domain.divide(self.names, &count, &place) else {
                        return Ok(Line::Unknown);
                    };
                    let left = &count - &(&place * &rest);
                    if !self.know(Cond::Eq(left))? {
                        return Ok(Line::OffGrid);
                    }
                    // Two elements are always even, and there is more than one run.
                    let two = Poly::number(2);
                    self.domain.assume(self.names, &Cond::Ge(&place - &two));
                    self.domain.assume(self.names, &Cond::Ge(&rest - &two));
                    step = self.norm(&(&step * &place));
                    factors.insert(0, place);
                    count = self.norm(&rest);
                    if factors.len() + 1 > MOST_DIGITS {
                        return Ok(Line::Unknown);
                    }
                }
            }
        }
        factors.insert(0, count);
        Ok(Line::Factors(factors.iter().map(|p| self.norm(p)).collect()))
    }

    /// How many elements of a line are even.
    fn run(&mut self, below: &[Stage], base: &Poly, step: &Poly, count: &Poly) -> Answer<Run> {
        let mut extent = count.clone();
        let mut broken: Option<(usize, Change)> = None;
        for _ in 0..4 {
            let line = Stage::strided(vec![extent.clone()], vec![step.clone()], base.clone());
            let mut stages = below.to_vec();
            stages.push(line);
            let stages = self.normal_stages(&stages);
            match self.walk(&stages)? {
                Walked::Settled(Outcome::View { base: start, steps, .. }) => {
                    let Some((number, change)) = broken else { return Ok(Run::Whole) };
                    let n = Position { base: base.clone(), step: vec![step.clone()] };
                    let even = steps.into_iter().flatten().next();
                    let Some(jump) = self.jump_at(&stages, &n, number, &change, &start, even)
                    else {
                        return Ok(Run::Unknown);
                    };
                    // Changes that cancel let the run go on.
                    return Ok(match self.know(Cond::Eq(jump))? {
                        true => Run::Unknown,
                        false => Run::Broken(change.after),
                    });
                }
                Walked::Stuck(stuck) if !stuck.pending => {
                    let Some(change) = self.first_change(&stuck)? else { return Ok(Run::Unknown) };
                    extent = change.after.clone();
                    broken = Some((stuck.number, change));
                }
                _ => return Ok(Run::Unknown),
            }
        }
        Ok(Run::Unknown)
    }

    /// By how much memory is off what the even run would give, at the first element behind it.
    fn jump_at(
        &mut self,
        stages: &[Stage],
        n: &Position,
        number: usize,
        change: &Change,
        start: &Poly,
        even: Option<Poly>,
    ) -> Option<Poly> {
        if let Some(slope) = self.ramp(&stages[..number]) {
            return Some(&slope * &change.jump);
        }
        let below = &stages[..stages.len() - 1];
        match self.evaluate(below, n, std::slice::from_ref(&change.after)) {
            Seen::Valid(found) => Some(&(&found - start) - &(&even? * &change.after)),
            _ => None,
        }
    }

    /// Where the first of the levels that are not affine changes.
    fn first_change(&mut self, stuck: &Stuck) -> Answer<Option<Change>> {
        let [step] = &stuck.position.step[..] else { return Ok(None) };
        if stuck.levels.len() > MOST_LEVELS {
            return Ok(None);
        }
        let mut changes: Vec<Change> = Vec::new();
        for (modulus, jump) in &stuck.levels {
            match self.change(&stuck.position.base, step, modulus, jump)? {
                Some(change) => changes.push(change),
                None => return Ok(None),
            }
        }
        let mut first: Option<Change> = None;
        for change in changes {
            let Some(known) = first else {
                first = Some(change);
                continue;
            };
            let later = &change.after - &known.after;
            first = Some(if self.know(Cond::Eq(later.clone()))? {
                Change { after: known.after, jump: &known.jump + &change.jump }
            } else if self.know(Cond::Ge(later))? {
                known
            } else {
                change
            });
        }
        Ok(first)
    }

    /// Where one level that is not affine changes.
    fn change(
        &mut self,
        base: &Poly,
        step: &Poly,
        modulus: &Poly,
        jump: &Poly,
    ) -> Answer<Option<Change>> {
        let one = Poly::one();
        let mut rests = Vec::new();
        for p in [base, step] {
            let Some(quotient) = self.domain.divide(self.names, p, modulus) else {
                return Ok(None);
            };
            rests.push(p - &(modulus * &quotient));
        }
        let [r, rho] = [&rests[0], &rests[1]].map(|p| self.norm(p));
        let modulus = self.norm(modulus);
        // From here on a step is one of the larger ones.
        let edge = self.norm(&(&modulus - &rho));
        // A level that is not affine has a rest.
        self.domain.assume(self.names, &Cond::Ge(&rho - &one));
        let high = self.know(Cond::Ge(&r - &edge))?;
        let after = if high {
            self.domain.divide(self.names, &r, &edge).map(|steps| &steps + &one)
        } else {
            let room = &(&(&modulus - &r) + &rho) - &one;
            self.domain.divide(self.names, &room, &rho)
        };
        let Some(after) = after else { return Ok(None) };
        let after = self.norm(&after);
        let jump = self.norm(&if high { -jump } else { jump.clone() });
        Ok(Some(Change { after, jump }))
    }
}
