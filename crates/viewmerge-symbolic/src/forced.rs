//! The places that every split of a chain must have where its valid indices are a box.
//!
//! Along an axis the chain takes the positions a, a + t, a + 2t, … How many of them, starting with the
//! first, are evenly spaced in memory? Every level with a modulus m has a closed form. Let r = a mod m and
//! ρ = t mod m. Either no step carries until the residue runs out of room, after ⌈(m − r)/ρ⌉ elements; or
//! the first step carries, and all do up to ⌊r/(m − ρ)⌋ + 1 elements. The
//! least of these numbers is where the first digit ends, and every split cuts there. The next digit is read off the
//! same line in steps of that place.
//!
//! Example: (4,3):(1,4) flattened has one level, m = 3, with a = 0 and t = 1: the first digit ends after
//! three elements. In steps of 3 no level is left, so the split is (4,3).
//!
//! Cost: one pass for each digit, and at most [`MOST_DIGITS`] digits on an axis.

use crate::cond::Cond;
use crate::cut::{Cuts, over, whole};
use crate::engine::{Answer, Block, Engine, Left, Outcome, Stop, Stuck};
use crate::poly::Poly;
use crate::stage::Stage;

/// Where levels change first.
struct Change {
    /// After this many elements.
    after: Poly,
    /// By how much the first changed step differs from those before it.
    jump: Poly,
}

const MOST_DIGITS: usize = 5;
const MOST_LEVELS: usize = 3;

impl Engine<'_> {
    /// Reads off which cuts every split of a chain has whose valid indices are the stuck box, with no mask
    /// below, as far as that is seen; `None` if there is no split.
    pub(crate) fn read_off(&mut self, stages: &[Stage], stuck: &Stuck) -> Answer<Option<Cuts>> {
        let top = stages.last().ok_or(Stop::Unknown)?;
        let below = &stages[..=stuck.number];
        let (position, front) = (&stuck.position, &stuck.front);
        // The factors of the box, and those of the whole axes.
        let (mut inner, mut cuts) = (Cuts::new(), whole(top));
        for (l, &axis) in front.axis.iter().enumerate() {
            let (lo, extent) = (&front.lo[l], &front.last[l] + 1);
            let factors = match self.line(below, &position.base, &position.step[l], &extent) {
                Err(Stop::Unknown) => continue,
                factors => factors?,
            };
            let Some(factors) = factors else { return Ok(None) };
            let Some(outer) = self.outer(&factors, &top.shape[axis], lo)? else {
                return Ok(None);
            };
            cuts[axis] = [&[outer], &factors[1..]].concat();
            inner.push(factors);
        }
        if inner.len() == front.axis.len() {
            let extents = front.last.iter().map(|last| last + 1).collect();
            let shrunk = Stage::strided(extents, position.step.clone(), position.base.clone());
            let over = self.normal_stages(&over(below, &shrunk, &inner));
            match self.pass(&over) {
                Ok(Outcome::Never) => return Ok(None),
                Err(Stop::Split(cond)) => return Err(Stop::Split(cond)),
                _ => {}
            }
        }
        Ok(Some(cuts))
    }

    /// The slowest factor of an axis on which only an interval is valid, from the factors of the interval: all
    /// digits below the first are full, so the interval begins and ends at multiples of the last place.
    fn outer(&mut self, factors: &[Poly], size: &Poly, lo: &Poly) -> Answer<Option<Poly>> {
        let place = factors.iter().skip(1).product::<Poly>();
        match self.divisible(lo, &place)? {
            Some(_) => self.divisible(size, &place),
            None => Ok(None),
        }
    }

    /// The factors that a line forces on its axis; `None` if a place does not divide the size.
    fn line(
        &mut self,
        below: &[Stage],
        base: &Poly,
        step: &Poly,
        size: &Poly,
    ) -> Answer<Option<Vec<Poly>>> {
        let (mut step, mut count) = (self.norm(step), self.norm(size));
        let mut factors = Vec::new();
        while self.size_at_least(&count, 2)?
            && let Some(place) = self.run(below, base, &step, &count)?
        {
            let Some(rest) = self.divisible(&count, &place)? else { return Ok(None) };
            step = self.norm(&(&step * &place));
            factors.insert(0, place);
            count = self.norm(&rest);
            if factors.len() == MOST_DIGITS {
                return Err(Stop::Unknown);
            }
        }
        factors.insert(0, count);
        Ok(Some(factors.iter().map(|p| self.norm(p)).collect()))
    }

    /// p / c if c ≥ 1 divides p, `None` if it does not.
    pub(crate) fn divisible(&mut self, p: &Poly, c: &Poly) -> Answer<Option<Poly>> {
        let (p, c) = (self.norm(p), self.norm(c));
        if p.as_number().is_some() {
            self.tell_small(&p, &c)?;
        }
        let quotient = self.domain.divide(self.names, &p, &c).ok_or(Stop::Unknown)?;
        Ok(self.know(Cond::Eq(&p - &c * &quotient))?.then(|| self.norm(&quotient)))
    }

    /// How many elements of a line, from the first on, are evenly spaced, if not all are.
    fn run(
        &mut self,
        below: &[Stage],
        base: &Poly,
        step: &Poly,
        count: &Poly,
    ) -> Answer<Option<Poly>> {
        let mut extent = count.clone();
        let mut broken: Option<(usize, Change)> = None;
        for _ in 0..4 {
            let line = Stage::strided(vec![extent.clone()], vec![step.clone()], base.clone());
            let stages = self.normal_stages(&[below, &[line]].concat());
            match self.walk(&stages)? {
                Left::Break(Outcome::View { .. }) => {
                    let Some((number, change)) = broken else { return Ok(None) };
                    let slope = self.ramp(&stages[..number]).ok_or(Stop::Unknown)?;
                    // If the changes cancel, the run goes on.
                    return match self.know(Cond::Eq(slope * &change.jump))? {
                        true => Err(Stop::Unknown),
                        false => Ok(Some(change.after)),
                    };
                }
                Left::Continue(stuck) => {
                    let change = self.first_change(&stuck)?;
                    extent = change.after.clone();
                    broken = Some((stuck.number, change));
                }
                Left::Break(_) => break,
            }
        }
        Err(Stop::Unknown)
    }

    /// Where the first of the levels that are not affine changes.
    fn first_change(&mut self, stuck: &Stuck) -> Answer<Change> {
        let ([step], Block::Levels(levels)) = (&stuck.position.step[..], &stuck.block) else {
            return Err(Stop::Unknown);
        };
        if levels.len() > MOST_LEVELS {
            return Err(Stop::Unknown);
        }
        let mut changes: Vec<Change> = Vec::new();
        for (modulus, jump) in levels {
            changes.push(self.change(&stuck.position.base, step, modulus, jump)?);
        }
        let mut changes = changes.into_iter();
        let mut first = changes.next().ok_or(Stop::Unknown)?;
        for change in changes {
            let later = &change.after - &first.after;
            if self.know(Cond::Eq(later.clone()))? {
                first.jump += &change.jump;
            } else if !self.know(Cond::Ge(later))? {
                first = change;
            }
        }
        Ok(first)
    }

    /// Where one level that is not affine changes.
    fn change(&mut self, base: &Poly, step: &Poly, modulus: &Poly, jump: &Poly) -> Answer<Change> {
        let mut rests = Vec::new();
        for p in [base, step] {
            let quotient = self.quotient(p, modulus)?;
            rests.push(p - modulus * &quotient);
        }
        let [r, rho] = [&rests[0], &rests[1]].map(|p| self.norm(p));
        let modulus = self.norm(modulus);
        // From this residue on a step carries.
        let edge = self.norm(&(&modulus - &rho));
        let high = self.know(Cond::Ge(&r - &edge))?;
        let (p, c) = match high {
            true => (&r + &edge, edge),
            false => (&modulus - &r + &rho - 1, rho),
        };
        let after = self.domain.divide(self.names, &p, &c).ok_or(Stop::Unknown)?;
        let jump = self.norm(&if high { -jump } else { jump.clone() });
        Ok(Change { after: self.norm(&after), jump })
    }
}
