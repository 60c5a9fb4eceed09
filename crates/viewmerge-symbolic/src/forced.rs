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
use crate::cut::{Cuts, over, told};
use crate::engine::{Answer, Engine, Outcome, Position, Stop, Stuck, Walked};
use crate::evaluate::Seen;
use crate::poly::Poly;
use crate::push::SMALL;
use crate::quotient::candidates;
use crate::stage::Stage;

/// What a line forces on its axis.
enum Line {
    OffGrid,
    Factors(Vec<Poly>),
    Unknown,
}

/// How long a line is evenly spaced.
enum Run {
    Whole,
    /// For this many elements, fewer than there are.
    Broken(Poly),
    Unknown,
}

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
    /// Decides a chain whose valid indices are the stuck box, with no mask below; `None` if a line
    /// cannot be read.
    pub(crate) fn read_off(&mut self, stages: &[Stage], stuck: &Stuck) -> Answer<Option<Outcome>> {
        let Some(top) = stages.last() else { return Ok(None) };
        let below = &stages[..=stuck.number];
        let (base, front) = (&stuck.position.base, &stuck.front);
        // The factors of the box, and those of the whole axes.
        let mut inner = Cuts::new();
        let mut cuts: Cuts = top.shape.iter().map(|size| vec![size.clone()]).collect();
        let mut unread = false;
        for (l, &axis) in front.axis.iter().enumerate() {
            let extent = &front.last[l] + 1;
            match self.line(below, base, &stuck.position.step[l], &extent)? {
                Line::OffGrid => return Ok(Some(Outcome::Never)),
                Line::Unknown => unread = true,
                Line::Factors(factors) => {
                    match self.whole(&factors, &top.shape[axis], &front.lo[l], &extent)? {
                        Line::OffGrid => return Ok(Some(Outcome::Never)),
                        Line::Unknown => unread = true,
                        Line::Factors(whole) => cuts[axis] = whole,
                    }
                    inner.push(factors);
                }
            }
        }
        if unread {
            return Ok(None);
        }
        let extents = front.last.iter().map(|last| last + 1).collect();
        let shrunk = Stage::strided(extents, stuck.position.step.clone(), base.clone());
        let over = self.normal_stages(&over(below, &shrunk, &inner));
        match self.pass(&over) {
            Ok(Outcome::View { base, steps, .. }) => {
                self.placed(stuck, &inner, cuts, (base, steps)).map(Some)
            }
            Ok(Outcome::Never) => Ok(Some(Outcome::Never)),
            Err(Stop::Split(cond)) => Err(Stop::Split(cond)),
            Ok(_) | Err(Stop::Unknown) => Ok(None),
        }
    }

    /// The factors of an axis on which only an interval is valid: all digits below the first are
    /// full, so the interval begins and ends at multiples of the last place.
    fn whole(&mut self, factors: &[Poly], size: &Poly, lo: &Poly, extent: &Poly) -> Answer<Line> {
        let Some((_, fine)) = factors.split_first() else { return Ok(Line::Unknown) };
        if fine.is_empty() {
            return Ok(Line::Factors(vec![self.norm(size)]));
        }
        if self.norm(lo).is_zero() && self.norm(&(size - extent)).is_zero() {
            return Ok(Line::Factors(factors.to_vec()));
        }
        let place = fine.iter().product::<Poly>();
        let mut quotients = Vec::new();
        for p in [lo, size] {
            match self.divisible(p, &place)? {
                Some(quotient) => quotients.push(quotient),
                None => return Ok(Line::OffGrid),
            }
        }
        let mut whole = vec![self.norm(&quotients[1])];
        whole.extend(fine.iter().map(|factor| self.norm(factor)));
        Ok(Line::Factors(whole))
    }

    /// Translates a view over the factors of the box to the factors of the whole axes.
    fn placed(
        &mut self,
        stuck: &Stuck,
        inner: &Cuts,
        cuts: Cuts,
        (base, steps): (Poly, Vec<Option<Poly>>),
    ) -> Answer<Outcome> {
        let mut steps = steps.into_iter();
        let (mut placed, mut bounds) = (Vec::new(), Vec::new());
        for (axis, factors) in cuts.iter().enumerate() {
            let Some(l) = stuck.front.axis.iter().position(|&a| a == axis) else {
                placed.push(None);
                bounds.push(stuck.whole[axis].clone());
                continue;
            };
            placed.extend(steps.by_ref().take(inner[l].len()));
            let (first, fine) = (&inner[l][0], &factors[1..]);
            let place = fine.iter().product::<Poly>();
            let place = self.norm(&place);
            let Some(lo) = self.domain.divide(self.names, &stuck.front.lo[l], &place) else {
                return Ok(Outcome::Open);
            };
            bounds.push((self.norm(&lo), self.norm(&(&lo + first))));
            bounds.extend(fine.iter().map(|factor| (Poly::zero(), factor.clone())));
        }
        Ok(Outcome::View { base, steps: placed, bounds, cuts: told(cuts) })
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
                    // Two elements are always evenly spaced, and there are at least two runs.
                    let two = Poly::number(2);
                    self.domain.assume(self.names, &Cond::Ge(&place - &two));
                    if self.runs_differ(below, base, &step, &count, &place)? {
                        return Ok(Line::OffGrid);
                    }
                    let Some(rest) = self.divisible(&count, &place)? else {
                        return Ok(Line::OffGrid);
                    };
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

    /// Whether a later run is proved to differ from the first, so that no split has the
    /// place where the first one ends.
    fn runs_differ(
        &mut self,
        below: &[Stage],
        base: &Poly,
        step: &Poly,
        count: &Poly,
        place: &Poly,
    ) -> Answer<bool> {
        let one = Poly::one();
        let n = Position { base: base.clone(), step: vec![step.clone()] };
        for run in [1, 2] {
            for within in [&one, &(place - 1)] {
                let start = place.scaled(run);
                let end = &start + within;
                let room = self.norm(&(count - 1 - &end));
                if !self.domain.proves(self.names, &room) {
                    continue;
                }
                let mut values = Vec::new();
                for x in [&Poly::zero(), within, &start, &end] {
                    match self.evaluate(below, &n, std::slice::from_ref(x)) {
                        Seen::Valid(value) => values.push(value),
                        Seen::Quotient(p, c) => {
                            self.tell_small(&p, &c)?;
                            break;
                        }
                        _ => break,
                    }
                }
                if let [zero, first, start, end] = &values[..] {
                    let mixed = self.norm(&(end - start - (first - zero)));
                    if self.domain.proves_nonzero(self.names, &mixed) {
                        return Ok(true);
                    }
                }
            }
        }
        Ok(false)
    }

    /// p / c if c ≥ 1 divides p, `None` if it does not.
    pub(crate) fn divisible(&mut self, p: &Poly, c: &Poly) -> Answer<Option<Poly>> {
        let (mut p, c) = (self.norm(p), self.norm(c));
        let mut whole = Poly::zero();
        for _ in 0..3 {
            // First, what c divides as a polynomial.
            let Some(part) = candidates(&p, &c).into_iter().next().filter(|q| !q.is_zero()) else {
                break;
            };
            let rest = self.norm(&(&p - &c * &part));
            if rest.terms().len() > p.terms().len() {
                break;
            }
            whole += &part;
            p = rest;
        }
        if p.is_zero() {
            return Ok(Some(self.norm(&whole)));
        }
        if let Some(number) = p.as_number()
            && (-SMALL..=SMALL).contains(&number)
        {
            // A small number has few divisors.
            if !self.know(Cond::Ge(Poly::number(number.abs()) - &c))? {
                return Ok(None);
            }
            for value in 1..=number.abs() {
                if self.know(Cond::Eq(&c - value))? {
                    let part = Poly::number(number / value);
                    return Ok((number % value == 0).then(|| self.norm(&(&whole + &part))));
                }
            }
            return Err(Stop::Unknown);
        }
        let Some(part) = self.domain.divide(self.names, &p, &c) else { return Err(Stop::Unknown) };
        if self.know(Cond::Eq(&p - &c * &part))? {
            return Ok(Some(self.norm(&(&whole + &part))));
        }
        Ok(None)
    }

    /// How many elements of a line, from the first on, are evenly spaced.
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
                    // If the changes cancel, the run goes on.
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

    /// How far the first element after an even run is from where the run would put it.
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
            Seen::Valid(found) => Some(&found - start - &even? * &change.after),
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
        let mut rests = Vec::new();
        for p in [base, step] {
            let quotient = self.quotient(p, modulus)?;
            rests.push(p - modulus * &quotient);
        }
        let [r, rho] = [&rests[0], &rests[1]].map(|p| self.norm(p));
        let modulus = self.norm(modulus);
        // From this residue on a step carries.
        let edge = self.norm(&(&modulus - &rho));
        // If the step were a multiple of the modulus, the level would be affine.
        self.domain.assume(self.names, &Cond::Ge(&rho - 1));
        let high = self.know(Cond::Ge(&r - &edge))?;
        let (p, c) = match high {
            true => (&r + &edge, edge),
            false => (&modulus - &r + &rho - 1, rho),
        };
        let Some(after) = self.domain.divide(self.names, &p, &c) else { return Ok(None) };
        let after = self.norm(&after);
        // The place is p/c rounded down by a small number: split on the remainder.
        let rest = self.norm(&(&p - &c * &after));
        if let ([v], Some(2..=SMALL)) = (&rest.vars()[..], c.as_number())
            && let (Some(lo), Some(_)) = self.domain.bounds(*v)
        {
            return Err(Stop::Split(Cond::Ge(Poly::var(*v) - Poly::number(lo + 1))));
        }
        let jump = self.norm(&if high { -jump } else { jump.clone() });
        Ok(Some(Change { after, jump }))
    }
}
