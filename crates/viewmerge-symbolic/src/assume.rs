//! Adding what is known to a domain, so that it stays a box as far as possible.
//!
//! Example: S ≥ p + T is no interval. S becomes p + T + w with a new variable w ≥ 0. An equality replaces
//! a variable that stands alone in it, or becomes a rule that rewrites its leading monomial;
//! what fits neither is kept as a fact.

use crate::cond::{Clause, Cond};
use crate::domain::{DEEPEST, Domain, State};
use crate::names::{Def, Names};
use crate::poly::{Mono, Poly, Var};

/// More values of a variable than this are not tried one by one.
const MOST_VALUES: i128 = 256;
/// So far above its least value a variable is tried.
const SMALL: i128 = 4;
/// Polynomials with more terms are not looked through for this.
const MOST_TERMS: usize = 8;

impl Domain {
    /// Adds a condition.
    pub(crate) fn assume(&mut self, names: &Names, cond: &Cond) {
        if self.dead {
            return;
        }
        let p = self.norm(names, cond.poly());
        self.add(names, cond.map(|_| p));
        self.settle_clauses(names);
    }

    /// Adds that one of some conditions holds.
    pub(crate) fn assume_one(&mut self, names: &Names, clause: Clause) {
        self.clauses.push(clause);
        self.forget_samples();
        self.settle_clauses(names);
    }

    /// Adds the last condition of each choice of which all others are known to fail.
    fn settle_clauses(&mut self, names: &Names) {
        for clause in std::mem::take(&mut self.clauses) {
            let mut left = Vec::new();
            let mut holds = false;
            for cond in &clause {
                let p = self.norm(names, cond.poly());
                match self.truth(names, &cond.map(|_| p)) {
                    Some(true) => holds = true,
                    Some(false) => {}
                    None => left.push(cond.clone()),
                }
            }
            match &left[..] {
                _ if holds || self.dead => {}
                [] => self.dead = true,
                [cond] => self.assume(names, cond),
                _ => self.clauses.push(left),
            }
        }
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
        if let [v] = vars[..]
            && let Some(most) = self.greatest(&p, v)
            && self.bounds(v).1.is_none_or(|hi| hi > most)
        {
            self.bound(names, v, &(Poly::number(most) - Poly::var(v)));
            let p = self.normal(&p);
            return self.add(names, Cond::Ge(p));
        }
        if self.propagate(names, &p) {
            let p = self.normal(&p);
            return self.add(names, Cond::Ge(p));
        }
        if let Some((v, sum)) = self.bound_with_fact(&p) {
            self.bound(names, v, &sum);
            let p = self.normal(&p);
            return self.add(names, Cond::Ge(p));
        }
        if self.proves(names, &p) {
            return;
        }
        if self.proves(names, &(-&p - 1)) {
            self.dead = true;
            return;
        }
        for v in vars.into_iter().rev() {
            let State::Base { lo, hi: None, derived: false } = *self.state(v) else { continue };
            if p.lone(v) != Some(1) {
                continue;
            }
            let without = &p - Poly::var(v);
            let own = lo.map(|lo| -&without - lo);
            if own.is_none_or(|own| self.proves(names, &own))
                && let Some(w) = names.intern(Def::Sum(names.expand(&p)))
                && matches!(self.state(w), State::Absent)
            {
                self.set_state(w, State::Base { lo: Some(0), hi: None, derived: false });
                self.replace(names, v, Poly::var(w) - &without);
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

    /// A new bound of one variable, as a sum that is at least 0, that p ≥ 0 and a fact say together: M ≥ W·q and
    /// W·q + 1 ≥ M + q say 1 ≥ q.
    fn bound_with_fact(&self, p: &Poly) -> Option<(Var, Poly)> {
        self.facts.iter().find_map(|fact| {
            let sum = tightened(&(p + fact));
            let ([v], 1) = (&sum.vars()[..], sum.degree()) else { return None };
            let (lo, hi) = self.bounds(*v);
            let news = match sum.lone(*v)? {
                1 => lo.is_none_or(|lo| lo < -sum.constant()),
                _ => hi.is_none_or(|hi| hi > sum.constant()),
            };
            news.then_some((*v, sum))
        })
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
            // Proofs start from lower ends: v = hi − w with w ≥ 0.
            (None, Some(hi))
                if !derived
                    && let below = Poly::number(hi) - Poly::var(v)
                    && let Some(w) = names.intern(Def::Sum(names.expand(&below)))
                    && matches!(self.state(w), State::Absent) =>
            {
                self.set_state(w, State::Base { lo: Some(0), hi: None, derived: false });
                self.replace(names, v, Poly::number(hi) - Poly::var(w));
            }
            _ => {
                self.set_state(v, State::Base { lo, hi, derived });
                if self.nonzero.iter().any(|q| q.mentions(v)) {
                    self.recheck_nonzero(names);
                }
                if lo.is_some_and(|lo| lo >= 1) {
                    self.recheck_rules(names, v);
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
            let own = lo.map(|lo| &other - lo);
            let follows = own.is_none_or(|own| self.proves(names, &own));
            let rank = u8::from(derived) * 2 + u8::from(!follows);
            if best.as_ref().is_none_or(|(known, ..)| rank <= *known) {
                best = Some((rank, v, other));
            }
        }
        if let Some((_, v, other)) = best {
            return self.replace(names, v, other);
        }
        let leading = p.terms().last().copied();
        if let Some((mono, c @ (1 | -1))) = leading {
            let rest = (&p - Poly::term(mono, c)).scaled(-c);
            if mono.degree() > 1 && rest.terms().iter().all(|(m, _)| m.over(mono).is_none()) {
                let rules = std::mem::take(&mut self.rules);
                self.rules.push((mono, rest));
                for (mono, by) in rules {
                    let p = self.normal(&(Poly::term(mono, 1) - &by));
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
        if self.proves(names, &p) {
            return self.add(names, Cond::Ge(&p - 1));
        }
        if self.proves(names, &-&p) {
            return self.add(names, Cond::Ge(-&p - 1));
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
            let p = self.normal(&(Poly::term(mono, 1) - &by));
            self.add(names, Cond::Eq(p));
        }
        self.renew(names);
        if let Some(lo) = lo {
            let p = self.normal(&(&by - lo));
            self.add(names, Cond::Ge(p));
        }
        if let Some(hi) = hi {
            let p = self.normal(&(Poly::number(hi) - &by));
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

    /// A factor that is not 0 any more says nothing: B·k = 24·B is k = 24 where B ≥ 1.
    fn recheck_rules(&mut self, names: &Names, v: Var) {
        let factor = |mono: &Mono, by: &Poly| {
            mono.count(v) > 0 && by.terms().iter().all(|(other, _)| other.count(v) > 0)
        };
        if !self.rules.iter().any(|(mono, by)| factor(mono, by)) {
            return;
        }
        let (loose, rules) =
            std::mem::take(&mut self.rules).into_iter().partition(|(mono, by)| factor(mono, by));
        self.rules = rules;
        for (mono, by) in loose {
            let p = self.normal(&(Poly::term(mono, 1) - &by));
            self.add(names, Cond::Eq(p));
        }
    }

    fn recheck_nonzero(&mut self, names: &Names) {
        for p in std::mem::take(&mut self.nonzero) {
            self.add(names, Cond::Ne(p));
        }
    }

    /// The greatest value of the only variable of p for which p ≥ 0, if it is small.
    fn greatest(&self, p: &Poly, v: Var) -> Option<i128> {
        let ((_, lead), lo) = (p.terms().last()?, self.bounds(v).0?);
        if *lead >= 0 {
            return None;
        }
        // Beyond this the leading term outweighs the others.
        let others = p.terms().iter().map(|(_, c)| c.unsigned_abs()).max()?;
        let far = i128::try_from(others / lead.unsigned_abs()).ok()?.checked_add(2)?;
        if far > MOST_VALUES {
            return None;
        }
        let fits = |x: &i128| p.value(&|_| Some(*x)).is_some_and(|value| value >= 0);
        Some((lo..=far).rev().find(fits).unwrap_or(lo - 1))
    }

    /// Bounds that follow from p ≥ 0 for its variables; whether there were any.
    fn propagate(&mut self, names: &Names, p: &Poly) -> bool {
        let mut found = false;
        for v in p.vars() {
            // p = c·v + others, c a number for a lone variable; otherwise −c·m·v + others with m ≥ 1.
            let (lo, hi) = self.bounds(v);
            let at_most = |greatest: i128| {
                hi.is_none_or(|hi| hi > greatest).then(|| Poly::number(greatest) - Poly::var(v))
            };
            let bound = self.room(p, v).and_then(|(c, most)| match c {
                1.. => {
                    let least = -most.div_euclid(c);
                    lo.is_none_or(|lo| lo < least).then(|| Poly::var(v) - least)
                }
                _ => at_most(most.div_euclid(-c)),
            });
            let bound = bound.or_else(|| at_most(self.impossible(names, p, v)? - 1));
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

    /// A small value from which on v leaves p ≥ 0 no solution: 3·N − M·N − 1 is negative from M = 3 on.
    fn impossible(&self, names: &Names, p: &Poly, v: Var) -> Option<i128> {
        let takes = |(mono, c): &(Mono, i128)| *c < 0 && mono.degree() > 1 && mono.count(v) > 0;
        let short = p.terms().len() <= MOST_TERMS;
        if !short
            || !p.terms().iter().any(takes)
            || p.vars().iter().any(|&w| self.bounds(w).0.is_none())
        {
            return None;
        }
        let lo = self.bounds(v).0?;
        if !names.spend_for(p.terms().len()) {
            return None;
        }
        (1..=SMALL).find_map(|more| {
            let p = self.shifted(&p.replaced(v, &(Poly::var(v) + more)));
            let negative = p.constant() < 0 && p.terms().iter().all(|(_, c)| *c < 0);
            negative.then_some(lo + more)
        })
    }

    /// A coefficient c and the most that the other terms of p can be, so that p ≥ 0 says c·v + most ≥ 0.
    fn room(&self, p: &Poly, v: Var) -> Option<(i128, i128)> {
        let mut own: Option<i128> = None;
        let mut most = 0i128;
        for (mono, a) in p.terms() {
            if *mono == Mono::var(v) {
                own = Some(own.unwrap_or(0).checked_add(*a)?);
                continue;
            }
            // The least, or the most, that the other factors can be; they are not negative.
            let mut product = 1i128;
            for w in mono.without(v).vars() {
                let (lo, hi) = self.bounds(w);
                if mono.degree() > 1 && lo.is_none_or(|lo| lo < 0) {
                    return None;
                }
                product = product.checked_mul(if *a > 0 { hi? } else { lo? })?;
            }
            if mono.count(v) == 0 {
                most = most.checked_add(a.checked_mul(product)?)?;
                continue;
            }
            // A product that the variable is part of counts if it only takes away.
            if *a > 0 || product < 1 || self.bounds(v).0.is_none_or(|lo| lo < 1) {
                return None;
            }
            own = Some(own.unwrap_or(0).checked_add(a.checked_mul(product)?)?);
        }
        own.filter(|c| *c != 0).map(|c| (c, most))
    }
}

/// `p ≥ 0` divided by what its coefficients share; the constant rounds down.
pub(crate) fn tightened(p: &Poly) -> Poly {
    match p.content() {
        0 | 1 => p.clone(),
        content => p.divided_down(content),
    }
}
