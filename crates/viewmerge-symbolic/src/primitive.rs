//! Conditions without factors that say nothing.
//!
//! Example, on N ≥ 1: N·s = 3·N·t says s = 3·t, and s = 9·s·B says s = 0, since 1 − 9·B is never 0.

use crate::cond::Cond;
use crate::domain::Domain;
use crate::names::Names;
use crate::poly::{Mono, Poly, Var};
use crate::quotient::long_division;

/// Larger roots are not looked for.
const MOST_ROOT: i128 = 12;

impl Domain {
    /// The same condition without factors that say nothing.
    pub(crate) fn primitive(&self, names: &Names, cond: &Cond) -> Cond {
        let mut cond = cond.reduced();
        if let Some(rest) = self.without_factors(names, &cond) {
            cond = cond.map(|_| rest);
        }
        if let Cond::Eq(p) | Cond::Ne(p) = &cond
            && let Some(factor) = self.only_factor(names, p)
        {
            return cond.map(|_| factor);
        }
        if let Some(found) = self.at_its_lowest(names, &cond) {
            return found;
        }
        let turned = matches!(cond, Cond::Ge(_)).then(|| cond.negated());
        let found = turned.and_then(|turned| self.at_its_lowest(names, &turned));
        found.map_or(cond, |found| found.negated())
    }

    /// The factor v − c of p = (v − c)·q with q never 0, so that p = 0 says v = c.
    pub(crate) fn only_factor(&self, names: &Names, p: &Poly) -> Option<Poly> {
        if p.degree() > 1 && p.terms().len() > 2 {
            for v in p.vars() {
                let Some(lo) = self.bounds(v).0 else { continue };
                for c in lo.max(1)..=MOST_ROOT {
                    if let Some((factor, rest)) = root(p, v, c)
                        && self.proves_nonzero(names, &rest)
                    {
                        return Some(factor);
                    }
                }
            }
        }
        let common = p.common_mono();
        let v = common.vars().next()?;
        if p.terms().len() < 2 || common.vars().any(|w| w != v) {
            return None;
        }
        let rest = p.over_mono(common)?;
        self.proves_nonzero(names, &rest).then(|| Poly::var(v))
    }

    /// A condition on (v − lo)·q with q ≥ 1 as one on v.
    fn at_its_lowest(&self, names: &Names, cond: &Cond) -> Option<Cond> {
        let p = match cond {
            Cond::Ge(p) => p + 1,
            _ => cond.poly().clone(),
        };
        if p.degree() < 2 {
            return None;
        }
        for v in p.vars() {
            let Some(lo) = self.bounds(v).0 else { continue };
            if let Some((factor, rest)) = root(&p, v, lo)
                && self.proves(names, &(&rest - 1))
            {
                return Some(match cond {
                    Cond::Ge(_) => Cond::Ge(&factor - 1),
                    _ => cond.map(|_| factor),
                });
            }
        }
        None
    }

    /// A condition's polynomial without variables that divide it and do not matter: positive ones
    /// of p ≥ 0, others than 0 of p = 0; `None` if there are none.
    pub(crate) fn without_factors(&self, names: &Names, cond: &Cond) -> Option<Poly> {
        let p = cond.poly();
        let idle = |v: Var| match cond {
            Cond::Ge(_) => self.bounds(v).0.is_some_and(|lo| lo >= 1),
            _ => self.proves_nonzero(names, &Poly::var(v)),
        };
        let factors = Mono::product(p.common_mono().vars().filter(|&v| idle(v)))?;
        // A single variable is not divided away.
        if factors.degree() == 0 || p.terms().len() == 1 && factors.degree() == p.degree() {
            return None;
        }
        p.over_mono(factors)
    }
}

/// v − c and the other factor, if p is 0 where v = c.
fn root(p: &Poly, v: Var, c: i128) -> Option<(Poly, Poly)> {
    if !p.replaced(v, &Poly::number(c)).is_zero() {
        return None;
    }
    let factor = Poly::var(v) - c;
    let rest = long_division(p, &factor, Some(v));
    (p - &rest * &factor).is_zero().then_some((factor, rest))
}
