//! Is p ≥ 0 on a domain? A proof, or *not seen*; never a guess.
//!
//! Example, on N ≥ 2, M ≥ 1: N·M − M ≥ 0. With N = 2 + n and M = 1 + m it is
//! 1 + m + n + n·m, whose coefficients are all positive: proved. This settles most goals; the
//! false ones mostly fail at a sample. For those in between, a bounded variable is set to both ends. If the
//! domain has facts, the proof is that they contradict p < 0 (`eliminate.rs`).
//!
//! Cost: at most [`STEPS`] steps of about a microsecond.

use crate::assume::tightened;
use crate::domain::{Domain, Sample, State};
use crate::eliminate::contradict;
use crate::names::Names;
use crate::poly::{Mono, Poly, Var};

/// The most steps of one proof.
const STEPS: u32 = 40;

/// Values of all variables, each counted from its least value.
type Point = Vec<Option<i128>>;

struct Goal<'a> {
    domain: &'a Domain,
    names: &'a Names<'a>,
    left: u32,
}

impl Domain {
    /// Whether p ≥ 0 is proved; p must be in normal form.
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
        // A goal given up for lack of steps may be tried again later.
        if proved || names.steps.get() > 0 {
            self.seen.put(p, proved);
        }
        proved
    }

    fn tries(&self, names: &Names, p: &Poly) -> bool {
        let shifted = self.shifted(p);
        let mut goal = Goal { domain: self, names, left: STEPS };
        if goal.plain(&shifted) {
            return true;
        }
        let samples = self.samples(names);
        if samples.iter().any(|s| p.value(&|v| s.get(v)).is_some_and(|x| x < 0)) {
            return false;
        }
        if !self.facts.is_empty() {
            return self.contradicts(&goal, &shifted);
        }
        // Every goal on the way must hold at the samples, too.
        let above = |s: &Sample, v: Var| s.get(v).map(|x| x - self.bounds(v).0.unwrap_or(0));
        let count = Var::try_from(self.states.len()).unwrap_or(Var::MAX);
        let points: Vec<Point> =
            samples.iter().map(|s| (0..count).map(|v| above(s, v)).collect()).collect();
        goal.prove(&shifted, &points, 4)
    }

    /// Whether the facts contradict p < 0, first alone, then with facts and upper ends times a variable of p added; all
    /// in variables that start at 0.
    fn contradicts(&self, goal: &Goal<'_>, p: &Poly) -> bool {
        let facts: Vec<Poly> = self.facts.iter().map(|fact| self.shifted(fact)).collect();
        let widths = self.free_vars().into_iter().filter_map(|v| Some((v, goal.width(v)?)));
        let widths: Vec<Poly> =
            widths.map(|(v, width)| Poly::number(width) - Poly::var(v)).collect();
        let mut rows = [&facts[..], &widths, &[-p - 1]].concat();
        let fails = |rows: &[Poly]| contradict(goal.names, rows, |mono| goal.positive(mono));
        if fails(&rows) {
            return true;
        }
        let vars: Vec<Var> = p.vars().into_iter().filter(|&v| !goal.signed(v)).collect();
        [facts, widths].into_iter().any(|known| {
            let before = rows.len();
            for fact in known.iter().filter(|fact| fact.degree() < p.degree()) {
                rows.extend(vars.iter().map(|&v| fact.times_term(Mono::var(v), 1)));
            }
            rows.len() > before && fails(&rows)
        })
    }

    /// Whether p ≠ 0 is proved; p must be in normal form.
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
        if self.proves(names, &(p - 1)) || self.proves(names, &(-p - 1)) {
            return true;
        }
        self.nonzero.iter().any(|known| is_multiple(p, known))
    }

    /// The polynomial in variables that start at 0.
    pub(crate) fn shifted(&self, p: &Poly) -> Poly {
        let mut p = p.clone();
        for v in p.vars() {
            if let Some(lo) = self.bounds(v).0
                && lo != 0
            {
                p = p.replaced(v, &(Poly::var(v) + lo));
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
        (p.scaled(*b) - q.scaled(*a)).is_zero()
    }
}

impl Goal<'_> {
    fn signed(&self, v: Var) -> bool {
        self.domain.bounds(v).0.is_none()
    }

    /// Whether a product is not negative wherever its variables are in their bounds.
    fn positive(&self, mono: Mono) -> bool {
        mono.vars().all(|v| !self.signed(v) || mono.count(v).is_multiple_of(2))
    }

    fn plain(&self, p: &Poly) -> bool {
        p.terms().iter().all(|(mono, c)| *c > 0 && self.positive(*mono))
    }

    /// The width of a variable's interval, if it has two ends.
    fn width(&self, v: Var) -> Option<i128> {
        match self.domain.state(v) {
            State::Base { lo: Some(lo), hi: Some(hi), .. } => Some(hi - lo),
            _ => None,
        }
    }

    fn prove(&mut self, p: &Poly, points: &[Point], depth: u32) -> bool {
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
        if depth == 0 || self.left == 0 || !self.names.spend_for(p.terms().len()) {
            return false;
        }
        let value = |point: &Point| p.value(&|v| point.get(usize::from(v)).copied().flatten());
        if points.iter().any(|point| value(point).is_some_and(|x| x < 0)) {
            return false;
        }
        self.left -= 1;
        // A factor that is never negative does not matter.
        let common = p.common_mono();
        if common.degree() > 0
            && common.vars().all(|v| !self.signed(v))
            && let Some(rest) = p.over_mono(common)
        {
            return self.prove(&rest, points, depth);
        }
        // The constant is the value with all variables at their least.
        if p.constant() < 0 {
            return false;
        }
        let vars = p.vars();
        for &v in &vars {
            if let Some(width) = self.width(v)
                && p.degree_in(v) == 1
            {
                let ends = [Poly::zero(), Poly::number(width)];
                return ends.iter().all(|end| self.prove(&p.replaced(v, end), points, depth));
            }
        }
        false
    }
}
