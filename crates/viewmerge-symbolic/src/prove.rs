//! Is p ≥ 0 on a domain? A proof, or *not seen*; never a guess.
//!
//! Example, on N ≥ 2, M ≥ 1: N·M − M ≥ 0. With N = 2 + n and M = 1 + m it is
//! 1 + m + n + n·m, whose coefficients are all positive: proved. This settles most goals; the
//! false ones mostly fail at a sample. In between: a bounded variable goes to both ends, facts
//! are subtracted to cancel negative terms, a variable is set to 0 and to ≥ 1, and p = v·q + r
//! is proved by q ≥ 0 and r ≥ 0.
//!
//! Cost: at most [`STEPS`] steps of a microsecond.

use smallvec::SmallVec;

use crate::assume::tightened;
use crate::domain::{Domain, Sample, State};
use crate::eliminate::contradict;
use crate::names::Names;
use crate::poly::{Mono, Poly, Var};

/// The most steps of one proof.
const STEPS: u32 = 40;

/// Values of all variables, above their least ones.
type Point = Vec<Option<i128>>;

/// Polynomials that are not negative, and points at which that is so.
type Known<'a> = (&'a [Poly], &'a [Point]);

struct Goal<'a> {
    domain: &'a Domain,
    names: &'a Names<'a>,
    left: u32,
}

impl Domain {
    /// Whether p ≥ 0 is seen to hold; p must be in normal form.
    pub(crate) fn proves(&self, names: &Names, p: &Poly) -> bool {
        if let Some(value) = p.as_number() {
            return value >= 0;
        }
        if p.is_spoilt() || names.steps.get() == 0 {
            return false;
        }
        let p = tightened(p);
        if let Some(known) = self.seen.get(&p) {
            return known;
        }
        names.spend_for(p.terms().len());
        let proved = self.tries(names, &p);
        // What was given up for want of steps is tried again when there are some.
        if proved || names.steps.get() > 0 {
            self.seen.put(p, proved);
        }
        proved
    }

    fn tries(&self, names: &Names, p: &Poly) -> bool {
        let samples = self.samples(names);
        if samples.iter().any(|s| p.value(&|v| s.get(v)).is_some_and(|x| x < 0)) {
            return false;
        }
        if samples.first().is_some_and(|sample| self.falls(p, sample)) {
            return false;
        }
        let shifted = self.shifted(p);
        let mut goal = Goal { domain: self, names, left: STEPS };
        if goal.plain(&shifted) {
            return true;
        }
        if self.descends(names, p) {
            return false;
        }
        let facts: SmallVec<[Poly; 4]> = self.facts.iter().map(|f| self.shifted(f)).collect();
        if !facts.is_empty() {
            let mut rows: Vec<Poly> = facts.to_vec();
            rows.push(&-&shifted - &Poly::one());
            let widths = self.free_vars().into_iter().filter_map(|v| Some((v, goal.width(v)?)));
            rows.extend(widths.map(|(v, width)| &Poly::number(width) - &Poly::var(v)));
            names.spend_for(rows.len());
            if contradict(rows, |mono| goal.positive(mono)) {
                return true;
            }
        }
        // What is tried on the way must hold at the samples, too.
        let above = |s: &Sample, v: Var| s.get(v).map(|x| x - self.bounds(v).0.unwrap_or(0));
        let count = Var::try_from(self.states.len()).unwrap_or(Var::MAX);
        let points: Vec<Point> =
            samples.iter().map(|s| (0..count).map(|v| above(s, v)).collect()).collect();
        goal.prove(&shifted, (&facts, &points), 4)
    }

    /// Whether p falls without end from a point on, along a variable that may be as large as it likes.
    fn falls(&self, p: &Poly, from: &Sample) -> bool {
        let free = |v: Var| {
            let bounds = self.bounds(v);
            let grows = |fact: &Poly| {
                let mut own = fact.terms().iter().filter(|(mono, _)| mono.count(v) > 0);
                own.all(|(mono, c)| *c > 0 && mono.0.iter().all(|&w| self.bounds(w).0 >= Some(0)))
            };
            bounds.0.is_some()
                && bounds.1.is_none()
                && self.facts.iter().all(grows)
                && self.clauses.is_empty()
                && self.rules.is_empty()
        };
        p.vars().into_iter().any(|v| {
            let mut own = p.terms().iter().filter(|(mono, _)| mono.count(v) > 0);
            own.all(|(mono, c)| {
                let rest = mono.0.iter().filter(|&&w| w != v);
                let mut at = rest.map(|&w| from.get(w).unwrap_or(0));
                *c < 0 && at.all(|x| x > 0)
            }) && free(v)
        })
    }

    /// Whether p ≠ 0 is seen to hold; p must be in normal form.
    pub(crate) fn proves_nonzero(&self, names: &Names, p: &Poly) -> bool {
        if let Some(value) = p.as_number() {
            return value != 0;
        }
        let content = p.content();
        if content > 1 && p.constant() % content != 0 {
            return true;
        }
        let samples = self.samples(names);
        if samples.iter().any(|s| p.value(&|v| s.get(v)) == Some(0)) {
            return false;
        }
        let one = Poly::one();
        if self.proves(names, &(p - &one)) || self.proves(names, &(&-p - &one)) {
            return true;
        }
        self.nonzero.iter().any(|known| is_multiple(p, known)) || self.nonzero_factors(names, p)
    }

    /// p is a product of factors that are not 0.
    fn nonzero_factors(&self, names: &Names, p: &Poly) -> bool {
        let common = p.common_mono();
        if common.degree() == 0 {
            return false;
        }
        let not_zero = |v: Var| {
            let (lo, hi) = self.bounds(v);
            lo.is_some_and(|lo| lo > 0)
                || hi.is_some_and(|hi| hi < 0)
                || self.nonzero.iter().any(|known| is_multiple(&Poly::var(v), known))
        };
        if !common.0.iter().all(|&v| not_zero(v)) {
            return false;
        }
        p.over_mono(&common).is_some_and(|rest| self.proves_nonzero(names, &rest))
    }

    /// The polynomial in variables that start at 0.
    fn shifted(&self, p: &Poly) -> Poly {
        let mut p = p.clone();
        for v in p.vars() {
            if let Some(lo) = self.bounds(v).0
                && lo != 0
            {
                p = p.replaced(v, &(&Poly::var(v) + &Poly::number(lo)));
            }
        }
        p
    }
}

/// Whether p = ±k·q with a number k.
fn is_multiple(p: &Poly, q: &Poly) -> bool {
    let (Some((mono, a)), Some((other, b))) = (p.terms().last(), q.terms().last()) else {
        return false;
    };
    mono == other && p.terms().len() == q.terms().len() && {
        (p.scaled(*b) - &q.scaled(*a)).is_zero()
    }
}

impl std::ops::Sub<&Poly> for Poly {
    type Output = Poly;
    fn sub(self, other: &Poly) -> Poly {
        &self - other
    }
}

impl Goal<'_> {
    /// Whether nothing may be spent any more.
    fn spent(&self) -> bool {
        self.left == 0 || self.names.steps.get() == 0
    }

    fn signed(&self, v: Var) -> bool {
        self.domain.bounds(v).0.is_none()
    }

    /// Not negative wherever its variables are in their bounds.
    fn positive(&self, mono: &Mono) -> bool {
        mono.0.iter().all(|&v| !self.signed(v) || mono.count(v).is_multiple_of(2))
    }

    fn plain(&self, p: &Poly) -> bool {
        p.terms().iter().all(|(mono, c)| *c > 0 && self.positive(mono))
    }

    /// The width of a variable's interval, if it has two ends.
    fn width(&self, v: Var) -> Option<i128> {
        match self.domain.state(v) {
            State::Base { lo: Some(lo), hi: Some(hi), .. } => Some(hi - lo),
            _ => None,
        }
    }

    fn prove(&mut self, p: &Poly, known: Known<'_>, depth: u32) -> bool {
        let p = tightened(p);
        if let Some(value) = p.as_number() {
            return value >= 0;
        }
        if p.is_spoilt() {
            return false;
        }
        if self.plain(&p) {
            return true;
        }
        let (facts, points) = known;
        if depth == 0 || self.left == 0 || !self.names.spend_for(p.terms().len() + facts.len()) {
            return false;
        }
        let value = |point: &Point| p.value(&|v| point.get(usize::from(v)).copied().flatten());
        if points.iter().any(|point| value(point).is_some_and(|x| x < 0)) {
            return false;
        }
        self.left -= 1;
        // A factor that is never negative says nothing.
        let common = p.common_mono();
        if common.degree() > 0
            && common.0.iter().all(|&v| !self.signed(v))
            && let Some(rest) = p.over_mono(&common)
        {
            return self.prove(&rest, known, depth);
        }
        // All variables at their lowest.
        if p.constant() < 0 && facts.iter().all(|f| f.constant() >= 0) {
            return false;
        }
        let vars = p.vars();
        for &v in &vars {
            if let Some(width) = self.width(v)
                && p.degree_in(v) == 1
                && !facts.iter().any(|f| f.mentions(v))
            {
                let ends = [Poly::zero(), Poly::number(width)];
                return ends.iter().all(|end| self.prove(&p.replaced(v, end), known, depth));
            }
        }
        if self.by_facts(&p, known, depth) {
            return true;
        }
        for &v in &vars {
            if let Some(width) = self.width(v)
                && p.degree_in(v) == 1
            {
                let ends = [Poly::zero(), Poly::number(width)];
                let both = ends.iter().all(|end| self.prove(&p.replaced(v, end), known, depth - 1));
                // Facts in which the variable stays free are weaker, never wrong.
                if both {
                    return true;
                }
            }
        }
        self.by_factors(&p, known, depth, &vars) || self.by_values(&p, known, depth, &vars)
    }

    /// Cancels a negative term by a multiple of a fact.
    fn by_facts(&mut self, p: &Poly, known: Known<'_>, depth: u32) -> bool {
        for (mono, c) in p.terms().iter().filter(|(_, c)| *c < 0) {
            for fact in known.0 {
                for (own, b) in fact.terms().iter().filter(|(_, b)| *b < 0) {
                    let Some(times) = mono.over(own) else { continue };
                    if !times.0.iter().all(|&v| !self.signed(v)) {
                        continue;
                    }
                    let down = c / b;
                    let up = down + i128::from(c % b != 0);
                    for k in if down == up || down == 0 { [up, 0] } else { [up, down] } {
                        if self.spent() {
                            return false;
                        }
                        if k > 0 {
                            let rest = p - &fact.times_term(&times, k);
                            if self.prove(&rest, known, depth - 1) {
                                return true;
                            }
                        }
                    }
                }
            }
        }
        false
    }

    /// p = v·q + r.
    fn by_factors(&mut self, p: &Poly, known: Known<'_>, depth: u32, vars: &[Var]) -> bool {
        for &v in vars {
            if self.signed(v) || depth < 3 || self.spent() {
                continue;
            }
            let (q, r) = p.split_at(v);
            if r.is_zero() || q.as_number().is_some() {
                continue;
            }
            if self.prove(&q, known, depth - 2) && self.prove(&r, known, depth - 2) {
                return true;
            }
            // v ≥ 1 is not known here, so only v·(q − 1) + (r + v).
            let (less, more) = (&q - &Poly::one(), &r + &Poly::var(v));
            if self.prove(&less, known, depth - 2) && self.prove(&more, known, depth - 2) {
                return true;
            }
        }
        false
    }

    /// v = 0, and v ≥ 1.
    fn by_values(&mut self, p: &Poly, known: Known<'_>, depth: u32, vars: &[Var]) -> bool {
        for &v in vars {
            if self.signed(v) || self.spent() {
                continue;
            }
            // It helps only where the variable takes part in something negative.
            if !p.terms().iter().any(|(mono, c)| *c < 0 && mono.count(v) > 0) {
                continue;
            }
            let place = usize::from(v);
            let (none, more) = (Poly::zero(), &Poly::var(v) + &Poly::one());
            let facts_at = |by: &Poly| -> SmallVec<[Poly; 4]> {
                known.0.iter().map(|f| f.replaced(v, by)).collect()
            };
            let is = |point: &&Point, zero: bool| point[place].is_some_and(|x| (x == 0) == zero);
            let zero: Vec<Point> = known.1.iter().filter(|p| is(p, true)).cloned().collect();
            if !self.prove(&p.replaced(v, &none), (&facts_at(&none), &zero), depth - 1) {
                continue;
            }
            let mut rest: Vec<Point> = known.1.iter().filter(|p| is(p, false)).cloned().collect();
            for point in &mut rest {
                point[place] = point[place].map(|x| x - 1);
            }
            if self.prove(&p.replaced(v, &more), (&facts_at(&more), &rest), depth - 1) {
                return true;
            }
        }
        false
    }
}
