//! Points of a domain: most false claims fail at one of a few dozen.

use std::sync::Arc;

use crate::cond::Cond;
use crate::domain::{Domain, Sample, Samples, State};
use crate::names::{Def, Names};
use crate::poly::{Mono, Poly, Var};

/// A small generator of numbers, the same on every run.
struct Draw(u64);

impl Draw {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (z ^ (z >> 31)) % n
    }
}

/// How far above its lower bound a variable is tried.
const AWAY: [i128; 12] = [0, 1, 0, 2, 1, 3, 0, 4, 5, 2, 7, 11];

const WANTED: usize = 24;
/// With fewer left of those found before, others are looked for.
const ENOUGH: usize = 6;
const TRIES: usize = 72;
/// As costly as a step on one term.
const TRIES_A_STEP: usize = 4;
/// With facts to satisfy it takes more.
const TRIES_WITH_FACTS: usize = 320;

impl Domain {
    /// Some points of the domain: those of before that still are, if they are not too few.
    pub(crate) fn samples(&self, names: &Names) -> Arc<Vec<Sample>> {
        let Samples { list, stale } = self.samples.borrow().clone();
        if !stale {
            return list;
        }
        // Without steps nothing is proved, so nothing has to be refuted.
        if names.left() == 0 {
            return Arc::default();
        }
        let free = self.free_vars();
        let known = list.iter().map(|sample| sample.values.clone());
        let mut found: Vec<Sample> =
            known.filter_map(|values| self.completed(names, &free, values)).collect();
        if found.len() < ENOUGH {
            let (mut draw, drawn) = (Draw(7), self.drawn_vars(names));
            let plain = self.facts.is_empty() && self.rules.is_empty();
            let mut tries = 0;
            while tries < if plain { TRIES } else { TRIES_WITH_FACTS } && found.len() < WANTED {
                tries += 1;
                found.extend(self.sample(names, (&free, &drawn), &mut draw));
            }
            names.spend_for(tries / TRIES_A_STEP);
        }
        let list = Arc::new(found);
        *self.samples.borrow_mut() = Samples { list: Arc::clone(&list), stale: false };
        list
    }

    /// The variables that others follow from.
    fn drawn_vars(&self, names: &Names) -> Vec<Var> {
        let drawn = |v: &Var| match self.state(*v) {
            State::Base { derived, .. } => !derived || self.is_circular(names, *v),
            _ => false,
        };
        self.free_vars().into_iter().filter(drawn).collect()
    }

    fn sample(
        &self,
        names: &Names,
        (free, drawn): (&[Var], &[Var]),
        draw: &mut Draw,
    ) -> Option<Sample> {
        let mut values: Vec<Option<i128>> = vec![None; self.states.len()];
        for &v in drawn {
            let State::Base { lo, hi, .. } = self.state(v) else { continue };
            let away = AWAY[usize::try_from(draw.below(12)).ok()?];
            values[usize::from(v)] = Some(match (lo, hi) {
                (Some(lo), Some(hi)) => {
                    let span = u64::try_from((hi - lo).min(30)).ok()? + 1;
                    lo + i128::from(draw.below(span))
                }
                (Some(lo), None) => lo + away,
                (None, Some(hi)) => hi - away,
                (None, None) => away - 3,
            });
        }
        self.completed(names, free, values)
    }

    /// The point with these values of free variables, if it is one of the domain.
    fn completed(&self, names: &Names, free: &[Var], values: Vec<Option<i128>>) -> Option<Sample> {
        let mut sample = Sample { values };
        sample.values.resize(self.states.len(), None);
        for place in 0..self.states.len() {
            self.fill(names, &mut sample, Var::try_from(place).ok()?, 0)?;
        }
        let replaced = |(state, value): (&State, &Option<i128>)| match state {
            State::Gone(by) => by.value(&|v| sample.get(v)) == *value,
            _ => true,
        };
        let holds =
            |p: &Poly, test: fn(i128) -> bool| p.value(&|v| sample.get(v)).is_some_and(test);
        let same = |mono: Mono, by: &Poly| {
            let p = Poly::term(mono, 1) - by;
            p.value(&|v| sample.get(v)) == Some(0)
        };
        let good = self.states.iter().zip(&sample.values).all(replaced)
            && self.rules.iter().all(|(mono, by)| same(*mono, by))
            && self.facts.iter().all(|p| holds(p, |x| x >= 0))
            && self.nonzero.iter().all(|p| holds(p, |x| x != 0))
            && self.clauses.iter().all(|clause| {
                // What is not known at the point may hold.
                let may = |cond: &Cond| {
                    cond.poly().value(&|v| sample.get(v)).is_none_or(|value| cond.holds_for(value))
                };
                clause.iter().any(may)
            })
            && free.iter().all(|&v| {
                let (lo, hi) = self.bounds(v);
                sample
                    .get(v)
                    .is_some_and(|x| lo.is_none_or(|lo| x >= lo) && hi.is_none_or(|hi| x <= hi))
            });
        good.then_some(sample)
    }

    /// Whether what a quotient with a name divides is told by that quotient: then it is drawn, and the facts
    /// tell whether it fits.
    fn is_circular(&self, names: &Names, v: Var) -> bool {
        match names.def(v) {
            Def::Quotient(num, den) => {
                self.normal(&num).mentions(v) || self.normal(&den).mentions(v)
            }
            _ => false,
        }
    }

    /// The values that follow from those of the free variables.
    fn fill(&self, names: &Names, sample: &mut Sample, v: Var, depth: u32) -> Option<()> {
        if sample.get(v).is_some() || matches!(self.state(v), State::Absent) {
            return Some(());
        }
        if depth > 20 {
            return None;
        }
        let value = match self.state(v) {
            State::Gone(by) => self.evaluated(names, sample, by, depth)?,
            _ => {
                let def = names.def(v);
                for part in def.parts().filter(|_| !matches!(def, Def::Sum(_))) {
                    self.evaluated(names, sample, part, depth)?;
                }
                def.value(&|v| sample.get(v))?
            }
        };
        let place = usize::from(v);
        sample.values[place] = Some(value);
        Some(())
    }

    fn evaluated(&self, names: &Names, sample: &mut Sample, p: &Poly, depth: u32) -> Option<i128> {
        for v in p.vars() {
            self.fill(names, sample, v, depth + 1)?;
        }
        p.value(&|v| sample.get(v))
    }
}
