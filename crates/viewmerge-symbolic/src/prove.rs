//! Is p ≥ 0 on a domain? A proof, or *not seen*; never a guess.
//!
//! Example, on N ≥ 2, M ≥ 1: N·M − M ≥ 0. With N = 2 + n and M = 1 + m it is
//! 1 + m + n + n·m, whose coefficients are all positive: proved. This settles most goals; the
//! false ones mostly fail at a sample. For those in between the proof is that p < 0 contradicts the facts and the upper
//! ends of variables (`eliminate.rs`).

use crate::assume::tightened;
use crate::domain::{Domain, Sample};
use crate::eliminate::contradict;
use crate::names::Names;
use crate::poly::{Mono, Poly, Var};

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
        if shifted.terms().iter().all(|(mono, c)| *c > 0 && self.is_natural(*mono)) {
            return true;
        }
        let samples = self.samples(names);
        let negative = |s: &Sample| p.value(&|v| s.get(v)).is_some_and(|x| x < 0);
        !samples.iter().any(negative) && self.contradicts(names, &shifted)
    }

    /// Whether the facts contradict p < 0, first alone, then with facts and upper ends times a variable of p added; all
    /// in variables that start at 0.
    fn contradicts(&self, names: &Names, p: &Poly) -> bool {
        let facts: Vec<Poly> = self.facts.iter().map(|fact| self.shifted(fact)).collect();
        let met = |v: &Var| p.mentions(*v) || facts.iter().any(|fact| fact.mentions(*v));
        let room = |v: Var| match self.bounds(v) {
            (Some(lo), Some(hi)) => Some(Poly::number(hi - lo) - Poly::var(v)),
            _ => None,
        };
        let widths: Vec<Poly> = self.free_vars().into_iter().filter(met).filter_map(room).collect();
        if facts.is_empty() && widths.is_empty() {
            return false;
        }
        let mut rows = [&facts[..], &widths, &[-p - 1]].concat();
        let fails = |rows: &[Poly]| contradict(names, rows, |mono| self.is_natural(mono));
        if fails(&rows) {
            return true;
        }
        let vars: Vec<Var> = p.vars().into_iter().filter(|&v| self.bounds(v).0.is_some()).collect();
        [facts, widths].into_iter().any(|known| {
            let before = rows.len();
            for fact in known.iter().filter(|fact| fact.degree() < p.degree()) {
                rows.extend(vars.iter().map(|&v| fact.times_term(Mono::var(v), 1)));
            }
            rows.len() > before && fails(&rows)
        })
    }

    /// Whether a product is not negative wherever its variables, counted from one of their bounds, are within them.
    fn is_natural(&self, mono: Mono) -> bool {
        mono.vars().all(|v| self.bounds(v) != (None, None) || mono.count(v).is_multiple_of(2))
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

    /// The polynomial in variables that start at 0, counted down from their greatest values if they have no least ones.
    pub(crate) fn shifted(&self, p: &Poly) -> Poly {
        p.vars().into_iter().fold(p.clone(), |p, v| match self.bounds(v) {
            (Some(0), _) | (None, None) => p,
            (Some(lo), _) => p.replaced(v, &(Poly::var(v) + lo)),
            (None, Some(hi)) => p.replaced(v, &(-Poly::var(v) + hi)),
        })
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
