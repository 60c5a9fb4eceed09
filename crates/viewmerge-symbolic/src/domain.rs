//! Where the parameters may lie: a box as far as possible, facts where not.
//!
//! Example: N ≥ 1 and S ≥ p + T. The second is no interval, so S is written p + T + w with a
//! new variable w = S − p − T ≥ 0, and the domain is the box N ≥ 1, p ≥ 0, T ≥ 1, w ≥ 0 again.
//! An equality replaces a variable, `N mod 4 = 0` makes N = 4·(N div 4), and what stays
//! (`s·u = 8·q`) is a rule that rewrites the monomial. Every polynomial is kept in normal form
//! under these, so equal numbers look equal.

use std::cell::RefCell;
use std::sync::Arc;

use smallvec::SmallVec;

use crate::cond::Cond;
use crate::names::{Def, Names};
use crate::poly::{Mono, Poly, Var};
use crate::sample::Sample;

/// What a domain knows of one variable.
#[derive(Clone, Debug)]
pub(crate) enum State {
    /// Not met yet.
    Absent,
    /// A free variable and its bounds.
    Base { lo: Option<i128>, hi: Option<i128>, derived: bool },
    /// Replaced by this.
    Gone(Poly),
}

/// A set of parameter points.
#[derive(Clone, Debug, Default)]
pub(crate) struct Domain {
    pub(crate) states: Vec<State>,
    /// All ≥ 0.
    pub(crate) facts: Vec<Poly>,
    /// All ≠ 0.
    pub(crate) nonzero: Vec<Poly>,
    /// Monomials and what they equal.
    pub(crate) rules: Vec<(Mono, Poly)>,
    /// Known to have no point.
    pub(crate) dead: bool,
    pub(crate) samples: RefCell<Option<Arc<Vec<Sample>>>>,
    /// Guards against endless rewriting.
    depth: u32,
}

/// How deep one assumption may lead to others.
const DEEPEST: u32 = 40;

impl Domain {
    pub(crate) fn state(&self, v: Var) -> &State {
        self.states.get(usize::from(v)).unwrap_or(&State::Absent)
    }

    pub(crate) fn bounds(&self, v: Var) -> (Option<i128>, Option<i128>) {
        match self.state(v) {
            State::Base { lo, hi, .. } => (*lo, *hi),
            _ => (None, None),
        }
    }

    pub(crate) fn set_state(&mut self, v: Var, state: State) {
        let place = usize::from(v);
        if self.states.len() <= place {
            self.states.resize(place + 1, State::Absent);
        }
        self.states[place] = state;
    }

    /// A free variable with bounds.
    pub(crate) fn declare(&mut self, v: Var, lo: Option<i128>, hi: Option<i128>) {
        self.set_state(v, State::Base { lo, hi, derived: false });
        self.dead |= matches!((lo, hi), (Some(lo), Some(hi)) if lo > hi);
        self.forget_samples();
    }

    pub(crate) fn forget_samples(&mut self) {
        *self.samples.get_mut() = None;
    }

    /// Keeps the samples that satisfy a condition.
    fn filter_samples(&mut self, cond: &Cond) {
        if let Some(samples) = self.samples.get_mut().take() {
            let holds =
                |s: &&Sample| cond.poly().value(&|v| s.get(v)).is_some_and(|x| cond.holds_for(x));
            let kept: Vec<Sample> = samples.iter().filter(holds).cloned().collect();
            if kept.len() >= 6 {
                *self.samples.get_mut() = Some(Arc::new(kept));
            }
        }
    }

    /// The polynomial in normal form.
    pub(crate) fn norm(&mut self, names: &Names, p: &Poly) -> Poly {
        for v in p.vars() {
            if matches!(self.state(v), State::Absent) {
                self.install(names, v);
            }
        }
        self.normal(p)
    }

    /// The normal form of a polynomial whose variables have all been met.
    pub(crate) fn normal(&self, p: &Poly) -> Poly {
        let mut p = p.clone();
        for v in p.vars() {
            if let State::Gone(by) = self.state(v) {
                p = p.replaced(v, by);
            }
        }
        if !self.rules.is_empty() {
            p = self.rewritten(p);
        }
        p
    }

    fn rewritten(&self, mut p: Poly) -> Poly {
        for _ in 0..16 {
            let found = p.terms().iter().find_map(|(mono, c)| {
                let (rule, by) = self.rules.iter().find_map(|(m, by)| Some((mono.over(m)?, by)))?;
                Some((Poly::term(mono.clone(), *c), by.times_term(&rule, *c)))
            });
            match found {
                Some((out, into)) => p = &(&p - &out) + &into,
                None => return p,
            }
        }
        p
    }

    /// Meets a variable by its definition.
    fn install(&mut self, names: &Names, v: Var) {
        self.depth += 1;
        if self.depth > DEEPEST {
            self.set_state(v, State::Base { lo: None, hi: None, derived: true });
            self.depth -= 1;
            return;
        }
        match names.def(v) {
            Def::Param(_) => self.set_state(v, State::Base { lo: None, hi: None, derived: false }),
            Def::Sum(sum) => {
                let sum = self.norm(names, &sum);
                self.set_state(v, State::Gone(sum));
            }
            Def::Quotient(num, den) => {
                let quotient = self.divide(names, &num, &den);
                self.settle_definition(v, quotient);
            }
            Def::Remainder(num, den) => {
                let rest = self.divide(names, &num, &den).map(|quotient| {
                    let (num, den) = (self.norm(names, &num), self.norm(names, &den));
                    self.normal(&(&num - &(&den * &quotient)))
                });
                self.settle_definition(v, rest);
            }
        }
        self.depth -= 1;
    }

    fn settle_definition(&mut self, v: Var, meaning: Option<Poly>) {
        if !matches!(self.state(v), State::Absent) {
            return;
        }
        let state = match meaning {
            Some(meaning) if !meaning.mentions(v) => State::Gone(meaning),
            _ => State::Base { lo: None, hi: None, derived: true },
        };
        self.set_state(v, state);
        self.forget_samples();
    }

    /// Adds a condition.
    pub(crate) fn assume(&mut self, names: &Names, cond: &Cond) {
        if self.dead {
            return;
        }
        let p = self.norm(names, cond.poly());
        self.add(names, cond.map(|_| p));
    }

    /// With one more condition.
    pub(crate) fn with(&self, names: &Names, cond: &Cond) -> Domain {
        let mut domain = self.clone();
        domain.assume(names, cond);
        domain
    }

    fn add(&mut self, names: &Names, cond: Cond) {
        self.depth += 1;
        if self.depth <= DEEPEST && !self.dead && !cond.poly().is_spoilt() {
            self.filter_samples(&cond);
            match &cond {
                Cond::Ge(p) => self.add_ge(names, p),
                Cond::Eq(p) => self.add_eq(names, p),
                Cond::Ne(p) => self.add_ne(names, p.clone()),
            }
            // Proofs on the way may have made samples that do not know of it yet.
            self.filter_samples(&cond);
        }
        self.depth -= 1;
    }

    fn add_ge(&mut self, names: &Names, p: &Poly) {
        let p = tightened(p);
        if let Some(value) = p.as_number() {
            self.dead |= value < 0;
            return;
        }
        let vars = p.vars();
        if let [v] = vars[..]
            && p.degree() == 1
        {
            return self.bound(names, v, &p);
        }
        if let Some(rest) = self.without_factors(names, &Cond::Ge(p.clone())) {
            return self.add(names, Cond::Ge(rest));
        }
        if self.propagate(names, &p) {
            let p = self.normal(&p);
            return self.add(names, Cond::Ge(p));
        }
        if self.proves(names, &p) {
            return;
        }
        if self.proves(names, &(&-&p - &Poly::one())) {
            self.dead = true;
            return;
        }
        for v in vars.into_iter().rev() {
            let State::Base { lo, hi: None, derived: false } = *self.state(v) else { continue };
            if p.lone(v) != Some(1) {
                continue;
            }
            let without = &p - &Poly::var(v);
            let own = lo.map(|lo| &-&without - &Poly::number(lo));
            if own.is_none_or(|own| self.proves(names, &own))
                && let Some(w) = names.intern(Def::Sum(names.expand(&p)))
                && matches!(self.state(w), State::Absent)
            {
                self.set_state(w, State::Base { lo: Some(0), hi: None, derived: false });
                self.replace(names, v, &Poly::var(w) - &without);
                return;
            }
        }
        if !self.facts.contains(&p) {
            self.facts.push(p);
        }
    }

    /// `±v + c ≥ 0`.
    fn bound(&mut self, names: &Names, v: Var, p: &Poly) {
        let State::Base { lo, hi, derived } = *self.state(v) else { return };
        let c = p.constant();
        let (lo, hi) = if p.lone(v) == Some(1) {
            (Some(lo.map_or(-c, |lo| lo.max(-c))), hi)
        } else {
            (lo, Some(hi.map_or(c, |hi| hi.min(c))))
        };
        match (lo, hi) {
            (Some(lo), Some(hi)) if lo > hi => self.dead = true,
            (Some(lo), Some(hi)) if lo == hi => self.replace(names, v, Poly::number(lo)),
            _ => {
                self.set_state(v, State::Base { lo, hi, derived });
                if self.nonzero.iter().any(|q| q.mentions(v)) {
                    self.recheck_nonzero(names);
                }
            }
        }
    }

    fn add_eq(&mut self, names: &Names, p: &Poly) {
        if let Some(value) = p.as_number() {
            self.dead |= value != 0;
            return;
        }
        let content = p.content();
        if p.constant() % content != 0 {
            self.dead = true;
            return;
        }
        let p = p.divided_down(content);
        if let Some(rest) = self.without_factors(names, &Cond::Eq(p.clone())) {
            return self.add(names, Cond::Eq(rest));
        }
        if self.proves_nonzero(names, &p) {
            self.dead = true;
            return;
        }
        // A variable that stands alone with coefficient ±1 is replaced: a plain one if
        // possible, and the one with the weakest bounds.
        let mut best: Option<(u8, Var, Poly)> = None;
        for v in p.vars() {
            let Some(sign @ (1 | -1)) = p.lone(v) else { continue };
            let State::Base { lo, derived, .. } = *self.state(v) else { continue };
            let other = (&Poly::var(v).scaled(sign) - &p).scaled(sign);
            let own = lo.map(|lo| &other - &Poly::number(lo));
            let follows = own.is_none_or(|own| self.proves(names, &own));
            let rank = u8::from(derived) * 2 + u8::from(!follows);
            if best.as_ref().is_none_or(|(known, ..)| rank <= *known) {
                best = Some((rank, v, other));
            }
        }
        if let Some((_, v, other)) = best {
            return self.replace(names, v, other);
        }
        let leading = p.terms().last().cloned();
        if let Some((mono, c @ (1 | -1))) = leading {
            let rest = (&p - &Poly::term(mono.clone(), c)).scaled(-c);
            if mono.degree() > 1 && rest.terms().iter().all(|(m, _)| m.over(&mono).is_none()) {
                let rules = std::mem::take(&mut self.rules);
                self.rules.push((mono, rest));
                for (mono, by) in rules {
                    let p = self.normal(&(&Poly::term(mono, 1) - &by));
                    self.add(names, Cond::Eq(p));
                }
                self.forget_samples();
                return self.renew(names);
            }
        }
        for fact in [-&p, p] {
            if !self.facts.contains(&fact) {
                self.facts.push(fact);
            }
        }
    }

    fn add_ne(&mut self, names: &Names, p: Poly) {
        if let Some(value) = p.as_number() {
            self.dead |= value == 0;
            return;
        }
        if self.proves_nonzero(names, &p) {
            return;
        }
        let one = Poly::one();
        if self.proves(names, &p) {
            return self.add(names, Cond::Ge(&p - &one));
        }
        if self.proves(names, &-&p) {
            return self.add(names, Cond::Ge(&-&p - &one));
        }
        self.nonzero.push(p);
    }

    /// Replaces a variable everywhere.
    pub(crate) fn replace(&mut self, names: &Names, v: Var, by: Poly) {
        let (lo, hi) = self.bounds(v);
        self.set_state(v, State::Gone(by.clone()));
        for state in &mut self.states {
            if let State::Gone(other) = state
                && other.mentions(v)
            {
                *other = other.replaced(v, &by);
            }
        }
        self.forget_samples();
        for (mono, by) in std::mem::take(&mut self.rules) {
            let p = self.normal(&(&Poly::term(mono, 1) - &by));
            self.add(names, Cond::Eq(p));
        }
        self.renew(names);
        if let Some(lo) = lo {
            let p = self.normal(&(&by - &Poly::number(lo)));
            self.add(names, Cond::Ge(p));
        }
        if let Some(hi) = hi {
            let p = self.normal(&(&Poly::number(hi) - &by));
            self.add(names, Cond::Ge(p));
        }
    }

    /// Brings facts into normal form again.
    fn renew(&mut self, names: &Names) {
        let facts = std::mem::take(&mut self.facts);
        let nonzero = std::mem::take(&mut self.nonzero);
        for p in facts {
            let p = self.normal(&p);
            self.add(names, Cond::Ge(p));
        }
        for p in nonzero {
            let p = self.normal(&p);
            self.add(names, Cond::Ne(p));
        }
    }

    fn recheck_nonzero(&mut self, names: &Names) {
        for p in std::mem::take(&mut self.nonzero) {
            self.add(names, Cond::Ne(p));
        }
    }

    /// Whether a condition follows (`Some(true)`), its opposite does, or neither is seen.
    pub(crate) fn truth(&self, names: &Names, cond: &Cond) -> Option<bool> {
        let p = cond.poly();
        match cond {
            Cond::Ge(_) => {
                if self.proves(names, p) {
                    Some(true)
                } else if self.proves(names, &(&-p - &Poly::one())) {
                    Some(false)
                } else {
                    None
                }
            }
            Cond::Eq(_) | Cond::Ne(_) => {
                let equal = matches!(cond, Cond::Eq(_));
                if p.is_zero() {
                    Some(equal)
                } else if self.proves_nonzero(names, p) {
                    Some(!equal)
                } else if !self.facts.is_empty() && self.proves(names, p) && self.proves(names, &-p)
                {
                    Some(equal)
                } else {
                    None
                }
            }
        }
    }

    /// The same condition without factors that say nothing.
    pub(crate) fn primitive(&self, names: &Names, cond: &Cond) -> Cond {
        let p = cond.poly();
        let exact = !matches!(cond, Cond::Ge(_));
        let content = p.content();
        let p = match content {
            0 | 1 => p.clone(),
            _ if exact && p.constant() % content != 0 => p.clone(),
            _ => p.divided_down(content),
        };
        let cond = cond.map(|_| p);
        let cond = match self.without_factors(names, &cond) {
            Some(rest) => cond.map(|_| rest),
            None => cond,
        };
        self.at_its_lowest(names, &cond).unwrap_or(cond)
    }

    /// A condition on (v − lo)·q with q ≥ 1 as one on v.
    fn at_its_lowest(&self, names: &Names, cond: &Cond) -> Option<Cond> {
        let one = Poly::one();
        let p = match cond {
            Cond::Ge(p) => p + &one,
            _ => cond.poly().clone(),
        };
        if p.degree() < 2 {
            return None;
        }
        for v in p.vars() {
            let Some(lo) = self.bounds(v).0 else { continue };
            if !p.replaced(v, &Poly::number(lo)).is_zero() {
                continue;
            }
            let factor = &Poly::var(v) - &Poly::number(lo);
            let rest = crate::quotient::long_division(&p, &factor, Some(v));
            if (&p - &(&rest * &factor)).is_zero() && self.proves(names, &(&rest - &one)) {
                return Some(match cond {
                    Cond::Ge(_) => Cond::Ge(&factor - &one),
                    _ => cond.map(|_| factor),
                });
            }
        }
        None
    }

    /// A condition's polynomial without variables that divide it and do not matter: positive ones
    /// of p ≥ 0, others than 0 of p = 0; `None` if there are none.
    fn without_factors(&self, names: &Names, cond: &Cond) -> Option<Poly> {
        let p = cond.poly();
        let idle = |v: Var| match cond {
            Cond::Ge(_) => self.bounds(v).0.is_some_and(|lo| lo >= 1),
            _ => self.proves_nonzero(names, &Poly::var(v)),
        };
        let factors = Mono(p.common_mono().0.into_iter().filter(|&v| idle(v)).collect());
        // A single variable is not divided away.
        if factors.degree() == 0 || p.terms().len() == 1 && factors.degree() == p.degree() {
            return None;
        }
        p.over_mono(&factors)
    }

    /// Bounds that follow for the variables of a linear p ≥ 0; whether there were any.
    fn propagate(&mut self, names: &Names, p: &Poly) -> bool {
        if p.degree() != 1 {
            return false;
        }
        let mut found = false;
        for v in p.vars() {
            let Some(c) = p.lone(v) else { continue };
            // The most that the other terms can be.
            let most = p.terms().iter().try_fold(0i128, |sum, (mono, a)| {
                let Some(&w) = mono.0.first() else { return sum.checked_add(*a) };
                if w == v {
                    return Some(sum);
                }
                let (lo, hi) = self.bounds(w);
                let end = if *a > 0 { hi? } else { lo? };
                sum.checked_add(a.checked_mul(end)?)
            });
            let Some(most) = most else { continue };
            // c·v + most ≥ 0
            let (lo, hi) = self.bounds(v);
            let bound = if c > 0 {
                let least = -most.div_euclid(c);
                lo.is_none_or(|lo| lo < least).then(|| &Poly::var(v) - &Poly::number(least))
            } else {
                let greatest = most.div_euclid(-c);
                hi.is_none_or(|hi| hi > greatest).then(|| &Poly::number(greatest) - &Poly::var(v))
            };
            if let Some(bound) = bound {
                found = true;
                self.bound(names, v, &bound);
                if self.dead || !matches!(self.state(v), State::Base { .. }) {
                    return true;
                }
            }
        }
        found
    }

    /// Whether a condition, in any variables, follows.
    pub(crate) fn implies(&mut self, names: &Names, cond: &Cond) -> bool {
        let p = self.norm(names, cond.poly());
        self.dead || self.truth(names, &cond.map(|_| p)) == Some(true)
    }

    /// Whether no point satisfies all of these as well.
    pub(crate) fn excludes(&self, names: &Names, conds: &[Cond]) -> bool {
        let mut domain = self.clone();
        for cond in conds {
            domain.assume(names, cond);
            if domain.dead {
                return true;
            }
        }
        // What came first may contradict what was learnt later.
        conds.iter().any(|cond| {
            let p = domain.norm(names, cond.poly());
            domain.truth(names, &cond.map(|_| p)) == Some(false)
        })
    }

    /// The free variables of some polynomials, each once.
    pub(crate) fn free_vars(&self) -> SmallVec<[Var; 8]> {
        (0..self.states.len())
            .filter(|&v| matches!(self.states[v], State::Base { .. }))
            .filter_map(|v| Var::try_from(v).ok())
            .collect()
    }
}

/// `p ≥ 0` divided by what its coefficients share; the constant rounds down.
pub(crate) fn tightened(p: &Poly) -> Poly {
    match p.content() {
        0 | 1 => p.clone(),
        content => p.divided_down(content),
    }
}
