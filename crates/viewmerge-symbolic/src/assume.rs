//! Adding what is known to a domain, so that it stays a box as far as possible.
//!
//! Example: S ≥ p + T is no interval. S becomes p + T + w with a new variable w ≥ 0. An equality replaces
//! a variable that stands alone in it, or becomes a rule that rewrites its leading monomial;
//! what fits neither is kept as a fact.

use crate::cond::{Clause, Cond};
use crate::domain::{DEEPEST, Domain, State};
use crate::names::{Def, Names};
use crate::poly::{Mono, Poly, Var};
use crate::quotient::long_division;

/// Larger roots are not looked for.
const MOST_ROOT: i128 = 12;
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
        self.forget();
        self.settle_clauses(names);
    }

    /// Adds the last condition of each choice of which all others are known to fail.
    fn settle_clauses(&mut self, names: &Names) {
        for clause in std::mem::take(&mut self.clauses) {
            let mut left = Vec::new();
            let mut holds = false;
            for cond in &clause {
                match self.ask(names, cond) {
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
            match &cond {
                Cond::Ge(p) => self.add_ge(names, p),
                Cond::Eq(p) => self.add_eq(names, p),
                Cond::Ne(p) => self.add_ne(names, p.clone()),
            }
            // Proofs on the way may have failed because they did not know of it yet.
            self.forget();
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
            _ => {
                self.set_state(v, State::Base { lo, hi, derived });
                self.recheck(names);
            }
        }
    }

    fn add_eq(&mut self, names: &Names, p: &Poly) {
        if let Some(value) = p.as_number() {
            self.dead |= value != 0;
            return;
        }
        if self.proves_nonzero(names, p) {
            self.dead = true;
            return;
        }
        let p = tightened(p);
        if let Some((factor, _)) = self.only_factor(names, &p) {
            return self.add(names, Cond::Eq(factor));
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
                let rules = std::mem::replace(&mut self.rules, vec![(mono, rest)]);
                self.rules.extend(rules);
                self.forget();
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
        self.forget();
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

    /// Brings all that is known into normal form again.
    fn renew(&mut self, names: &Names) {
        self.recheck(names);
        for p in std::mem::take(&mut self.facts) {
            let normal = self.normal(&p);
            if normal == p {
                self.facts.push(p);
            } else {
                self.add(names, Cond::Ge(normal));
            }
        }
    }

    /// Adds again what may say more by now: rules that have another normal form, or a factor that says nothing any more
    /// (B·k = 24·B is k = 24 where B ≥ 1), and what is not 0.
    fn recheck(&mut self, names: &Names) {
        for (mono, by) in std::mem::take(&mut self.rules) {
            let p = Poly::term(mono, 1) - &by;
            let normal = self.normal(&p);
            if normal == p && self.only_factor(names, &p).is_none() {
                self.rules.push((mono, by));
            } else {
                self.add(names, Cond::Eq(normal));
            }
        }
        for p in std::mem::take(&mut self.nonzero) {
            let p = self.normal(&p);
            self.add(names, Cond::Ne(p));
        }
    }

    /// The same condition without a factor that says nothing: on N ≥ 1 and M ≥ 0, (N − 1)·(M + 2) ≥ 1 is N ≥ 2.
    pub(crate) fn plain(&self, names: &Names, cond: &Cond) -> Option<Cond> {
        let Cond::Ge(p) = cond else {
            return self.only_factor(names, cond.poly()).map(|(factor, _)| cond.map(|_| factor));
        };
        [0, 1].into_iter().find_map(|least| {
            let (factor, rest) = self.only_factor(names, &(p + least))?;
            match () {
                () if self.proves(names, &(&rest - 1)) => Some(Cond::Ge(factor - least)),
                () if self.proves(names, &(-rest - 1)) => Some(Cond::Ge(-factor - least)),
                () => None,
            }
        })
    }

    /// p as v − c times another polynomial, one of them never 0, which comes last: the other is 0 where p is. On N ≥ 1,
    /// N·s − 3·N·t is N times s − 3·t, and s − 9·s·N is s times what is never 0.
    fn only_factor(&self, names: &Names, p: &Poly) -> Option<(Poly, Poly)> {
        if p.degree() < 2 {
            return None;
        }
        p.vars().into_iter().find_map(|v| {
            (0..=MOST_ROOT).find_map(|c| {
                let (factor, rest) = root(p, v, c)?;
                match () {
                    () if self.proves_nonzero(names, &factor) => Some((rest, factor)),
                    () if self.proves_nonzero(names, &rest) => Some((factor, rest)),
                    () => None,
                }
            })
        })
    }

    /// Bounds that follow from p ≥ 0 for its variables; whether there were any.
    fn propagate(&mut self, names: &Names, p: &Poly) -> bool {
        let mut found = false;
        for v in p.vars() {
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

    /// The coefficient of a variable that stands alone in p, and the most that the other terms can be.
    fn room(&self, p: &Poly, v: Var) -> Option<(i128, i128)> {
        let mut most = 0i128;
        for (mono, a) in p.terms().iter().filter(|(mono, _)| *mono != Mono::var(v)) {
            let mut product = *a;
            for w in mono.vars() {
                let (lo, hi) = self.bounds(w);
                if mono.degree() > 1 && lo.is_none_or(|lo| lo < 0) {
                    return None;
                }
                product = product.checked_mul(if *a > 0 { hi? } else { lo? })?;
            }
            most = most.checked_add(product)?;
        }
        p.lone(v).map(|c| (c, most))
    }
}

/// v − c and the other factor, if p is 0 where v = c.
fn root(p: &Poly, v: Var, c: i128) -> Option<(Poly, Poly)> {
    if !p.replaced(v, &Poly::number(c)).is_zero() {
        return None;
    }
    let factor = Poly::var(v) - c;
    let rest = long_division(p, &factor);
    (p - &rest * &factor).is_zero().then_some((factor, rest))
}

/// `p ≥ 0` divided by what its coefficients share; the constant rounds down.
pub(crate) fn tightened(p: &Poly) -> Poly {
    match p.content() {
        0 | 1 => p.clone(),
        content => p.divided_down(content),
    }
}
