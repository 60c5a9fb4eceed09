//! ⌊p / c⌋ as a polynomial where one is proved, otherwise under a name.
//!
//! Example: (N + 3) div 4 makes N = 4·q + r − 3 with 0 ≤ r < 4, two plain variables and no case
//! distinction. A quotient q by a polynomial c is accepted if
//! 0 ≤ p − c·q ≤ c − 1 is proved. What nothing is proved of becomes a variable f with the facts
//! 0 ≤ p − c·f ≤ c − 1, so the method never gets stuck.

use crate::cond::Cond;
use crate::domain::{Domain, State};
use crate::names::{Def, Names};
use crate::poly::{Poly, Var, gcd};

impl Domain {
    /// ⌊num / den⌋ in normal form, a new name if need be; `None` unless den ≥ 1 is known.
    pub(crate) fn divide(&mut self, names: &Names, num: &Poly, den: &Poly) -> Option<Poly> {
        let (num, den) = (self.norm(names, num), self.norm(names, den));
        match self.proves(names, &(&den - 1)) {
            true => self.divide_by_positive(names, &num, &den),
            false => self.divided(names, &num, &den),
        }
    }

    /// The same where den ≥ 1 is known to hold on the domain without a proof.
    pub(crate) fn divide_by_positive(
        &mut self,
        names: &Names,
        num: &Poly,
        den: &Poly,
    ) -> Option<Poly> {
        let (num, den) = (self.norm(names, num), self.norm(names, den));
        if let Some(quotient) = self.divided(names, &num, &den) {
            return Some(quotient);
        }
        let found = den.as_number().and_then(|k| self.by_number(names, &num, k));
        if found.is_some() {
            return found;
        }
        // (M·T − 1) div W·T is (M − 1) div W.
        for v in den.vars() {
            let ((whole, rest), (den, other)) = (num.split_at(v), den.split_at(v));
            if other.is_zero()
                && self.bounds(v).0.is_some_and(|lo| lo > 0)
                && let Some(more) = self.divided(names, &rest, &Poly::var(v))
            {
                return self.divide_by_positive(names, &(whole + more), &den);
            }
        }
        let def = Def::Quotient(names.expand(&num), names.expand(&den));
        self.named(names, def, &num, &den)
    }

    /// ⌊num / den⌋ if it is a polynomial in the variables at hand; both in normal form.
    pub(crate) fn divided(&self, names: &Names, num: &Poly, den: &Poly) -> Option<Poly> {
        if let (Some(a), Some(k)) = (num.as_number(), den.as_number()) {
            return (k > 0).then(|| Poly::number(a.div_euclid(k)));
        }
        if den.as_number() == Some(1) {
            return Some(num.clone());
        }
        if den.as_number().is_some_and(|k| k < 1) || num.is_spoilt() || den.is_spoilt() {
            return None;
        }
        // Only what is right at all samples is worth a proof.
        let base = long_division(num, den);
        let (least, most) = self.spread(names, num, den, &base)?;
        let quotient = base + least;
        (least == most && self.is_quotient(names, num, den, &quotient)).then_some(quotient)
    }

    /// By how much ⌊num / den⌋ is more than a polynomial at samples: the least and the most.
    fn spread(&self, names: &Names, num: &Poly, den: &Poly, base: &Poly) -> Option<(i128, i128)> {
        let mut found: Option<(i128, i128)> = None;
        for sample in self.samples(names).iter() {
            let at = |p: &Poly| p.value(&|v| sample.get(v));
            let (Some(num), Some(den @ 1..), Some(base)) = (at(num), at(den), at(base)) else {
                continue;
            };
            let more = num.div_euclid(den).checked_sub(base)?;
            found =
                Some(found.map_or((more, more), |(least, most)| (least.min(more), most.max(more))));
        }
        // Without samples the nearest guess has to do.
        Some(found.unwrap_or((0, 0)))
    }

    /// A condition that tells apart values of ⌊num / den⌋, where samples show a few; both in normal
    /// form.
    pub(crate) fn few_quotients(&self, names: &Names, num: &Poly, den: &Poly) -> Option<Cond> {
        let base = long_division(num, den);
        let (least, most) = self.spread(names, num, den, &base)?;
        let width = most.checked_sub(least).filter(|width| *width > 0)?;
        // Whether it is 0 or more is always worth knowing; others only if there are no more.
        let sign = base.is_zero() && least == 0;
        let top = &base + most.checked_add(1)?;
        let room = self.normal(&(den * &top - (num + 1)));
        let next = base + least.checked_add(1)?;
        (sign || (width <= MOST_QUOTIENTS && self.proves(names, &room)))
            .then(|| Cond::Ge(self.normal(&(num - den * next))))
    }

    /// A condition that tells apart what num leaves when it is divided by a small number; both in normal form.
    pub(crate) fn residue(&mut self, names: &Names, num: &Poly, den: &Poly) -> Option<Cond> {
        den.as_number().filter(|den| (2..=MOST_RESIDUES).contains(den))?;
        let quotient = self.divide(names, num, den)?;
        let rest = self.norm(names, &(num - den * &quotient));
        let [r] = rest.vars()[..] else { return None };
        self.few(r)
    }

    /// A condition that tells apart the values of a residue, if it has few.
    fn few(&self, r: Var) -> Option<Cond> {
        let (Some(lo), Some(hi)) = self.bounds(r) else { return None };
        (1..MOST_RESIDUES).contains(&(hi - lo)).then(|| Cond::Ge(Poly::var(r) - (lo + 1)))
    }

    /// A condition on the residue of a variable that a named quotient in p depends on: where P = 3·u, (2·P + 1) div 3
    /// is 2·u.
    pub(crate) fn inner_residue(&mut self, names: &Names, p: &Poly) -> Option<Cond> {
        p.vars().into_iter().find_map(|f| {
            let (State::Base { derived: true, .. }, Def::Quotient(num, by)) =
                (self.state(f), names.def(f))
            else {
                return None;
            };
            let (num, k) = (self.norm(names, &num), by.as_number()?);
            num.vars().into_iter().find_map(|v| {
                let plain = matches!(self.state(v), State::Base { derived: false, .. });
                let moves = num.terms().iter().any(|(mono, c)| mono.count(v) > 0 && c % k != 0);
                (plain && moves).then(|| self.residue(names, &Poly::var(v), &by)).flatten()
            })
        })
    }

    /// 0 ≤ num − den·q ≤ den − 1.
    pub(crate) fn is_quotient(&self, names: &Names, num: &Poly, den: &Poly, q: &Poly) -> bool {
        let rest = self.normal(&(num - den * q));
        let room = self.normal(&(den - 1 - &rest));
        self.proves(names, &rest) && self.proves(names, &room)
    }

    /// By a number, unless the quotient needs a name.
    fn by_number(&mut self, names: &Names, num: &Poly, k: i128) -> Option<Poly> {
        if k < 2 {
            return None;
        }
        let shared = gcd(num.content(), k);
        if shared > 1 {
            let (num, k) = (num.divided_down(shared), Poly::number(k / shared));
            return self.divide(names, &num, &k);
        }
        let (mut whole, mut rest) = (Poly::zero(), Poly::zero());
        for (mono, c) in num.terms() {
            whole += Poly::term(*mono, c.div_euclid(k));
            rest += Poly::term(*mono, c.rem_euclid(k));
        }
        if !whole.is_zero() {
            let rest = self.divide(names, &rest, &Poly::number(k))?;
            return Some(self.norm(names, &(&whole + &rest)));
        }
        // A plain variable, perhaps with a number added.
        let [v] = rest.vars()[..] else { return None };
        let State::Base { lo: Some(_), derived: false, .. } = self.state(v) else { return None };
        if rest.lone(v) != Some(1) {
            return None;
        }
        self.divide_variable(names, v, rest.constant(), k)
    }

    /// v + b = k·q + r.
    fn divide_variable(&mut self, names: &Names, v: Var, b: i128, k: i128) -> Option<Poly> {
        let (num, den) = (names.expand(&(Poly::var(v) + b)), Poly::number(k));
        let quotient = names.intern(Def::Quotient(num.clone(), den.clone()))?;
        let rest = names.intern(Def::Remainder(num, den))?;
        let absent = |v: Var| matches!(self.state(v), State::Absent);
        if !absent(quotient) || !absent(rest) {
            return None;
        }
        let (lo, hi) = self.bounds(v);
        let lowest = (lo? + b).div_euclid(k);
        let highest = hi.map(|hi| (hi + b).div_euclid(k));
        self.set_state(rest, State::Base { lo: Some(0), hi: Some(k - 1), derived: false });
        self.set_state(quotient, State::Base { lo: Some(lowest), hi: highest, derived: false });
        let (q, r) = (Poly::var(quotient), Poly::var(rest));
        self.replace(names, v, &q.scaled(k) + &r - b);
        Some(self.normal(&q))
    }

    /// A new variable with what is known of a quotient.
    fn named(&mut self, names: &Names, def: Def, num: &Poly, den: &Poly) -> Option<Poly> {
        let f = names.intern(def)?;
        match self.state(f).clone() {
            State::Gone(meaning) => return Some(meaning),
            State::Base { .. } => return Some(Poly::var(f)),
            State::Absent => {}
        }
        let lo = if self.proves(names, &(num - den)) {
            Some(1)
        } else if self.proves(names, num) {
            Some(0)
        } else {
            None
        };
        self.set_state(f, State::Base { lo, hi: None, derived: true });
        let rest = num - den * Poly::var(f);
        let room = den - 1 - &rest;
        self.facts.push(rest);
        self.facts.push(room);
        self.forget();
        Some(Poly::var(f))
    }
}

impl Domain {
    /// Quotients with a name that more is known of by now: (N·M + N) div 2 is N·m + N div 2 where M = 2·m.
    pub(crate) fn settle_names(&mut self, names: &Names) {
        for f in self.free_vars() {
            let State::Base { derived: true, .. } = self.state(f) else { continue };
            let (num, den) = match names.def(f) {
                Def::Quotient(num, den) => (num, den),
                Def::Case(..) => {
                    self.settle_case(names, f);
                    continue;
                }
                _ => continue,
            };
            let num = self.norm(names, &num);
            let quotient = den.as_number().and_then(|k| self.by_number(names, &num, k));
            if let Some(quotient) = quotient.filter(|quotient| !quotient.mentions(f)) {
                self.replace(names, f, quotient);
            }
        }
    }
}

/// More values of a quotient than this, less one, are not told apart.
const MOST_QUOTIENTS: i128 = 3;

/// Larger divisors than this are not decided by the residues of variables.
const MOST_RESIDUES: i128 = 3;

impl Domain {
    /// A condition on a residue of few values that p depends on, but not as part of what it is the
    /// residue of: P ≥ H%2 + 1 is two plain conditions, while 2·(H//2) + H%2 is only H.
    pub(crate) fn lone_residue(&self, names: &Names, p: &Poly) -> Option<Cond> {
        p.vars().into_iter().find_map(|r| {
            let Def::Remainder(num, den) = names.def(r) else { return None };
            let cond = self.few(r)?;
            let whole = names.intern(Def::Quotient(num, den.clone()))?;
            let own = |v: Var| p.lone(v);
            let part = own(r)
                .is_some_and(|c| den.as_number().is_some_and(|k| own(whole) == c.checked_mul(k)));
            (!part).then_some(cond)
        })
    }
}

/// Long division by the leading term; what a coefficient leaves is not divided further.
pub(crate) fn long_division(num: &Poly, den: &Poly) -> Poly {
    let leading = |p: &Poly| p.terms().last().copied();
    let Some((lead, c)) = leading(den) else { return Poly::zero() };
    let (mut quotient, mut rest) = (Poly::zero(), num.clone());
    for _ in 0..32 {
        let Some((mono, a)) = leading(&rest) else { break };
        let part = mono.over(lead).map(|over| Poly::term(over, a.div_euclid(c)));
        let part = part.unwrap_or_default();
        rest -= &part * den;
        quotient += part;
        if let Some((_, left)) = leading(&rest).filter(|(still, _)| *still == mono) {
            rest -= Poly::term(mono, left);
        }
    }
    quotient
}
