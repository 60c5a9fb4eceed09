//! Adding what is known to a domain, so that it stays a box as far as possible.
//!
//! Example: S ≥ p + T is no interval. S becomes p + T + w with a new variable w ≥ 0. An equality replaces
//! a variable that stands alone in it, or becomes a rule that rewrites its leading monomial;
//! what fits neither is kept as a fact.

use crate::cond::Cond;
use crate::domain::{Domain, State};
use crate::names::{Def, Names};
use crate::poly::{Poly, Var};

/// How deep one assumption may lead to others.
pub(crate) const DEEPEST: u32 = 40;

impl Domain {
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
            // Proofs on the way may have made samples that do not know of it yet, and failed.
            self.filter_samples(&cond);
            self.seen.forget();
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
        let opposite = -&p;
        if let Some(place) = self.facts.iter().position(|fact| *fact == opposite) {
            // Both p ≥ 0 and −p ≥ 0.
            self.facts.remove(place);
            return self.add(names, Cond::Eq(p));
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
        if let Some(factor) = self.only_factor(names, &p) {
            return self.add(names, Cond::Eq(factor));
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
}

/// `p ≥ 0` divided by what its coefficients share; the constant rounds down.
pub(crate) fn tightened(p: &Poly) -> Poly {
    match p.content() {
        0 | 1 => p.clone(),
        content => p.divided_down(content),
    }
}
