//! Where the parameters may lie: a box as far as possible, facts where not.
//!
//! Example: N ≥ 1 and S ≥ p + T. The second is no interval, so S is written p + T + w with a
//! new variable w = S − p − T ≥ 0, and the domain is the box N ≥ 1, p ≥ 0, T ≥ 1, w ≥ 0 again.
//! An equality replaces a variable, `N mod 4 = 0` makes N = 4·(N div 4), and what stays
//! (`s·u = 8·q`) is a rule that rewrites the monomial. Every polynomial is kept in normal form
//! under these, so equal numbers look equal.

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;

use smallvec::SmallVec;

use crate::cond::{Clause, Cond};
use crate::names::{Def, Names};
use crate::poly::{Mono, Poly, Var};

/// How deep one assumption may lead to others.
pub(crate) const DEEPEST: u32 = 40;

/// Values of all variables that a domain has met, one of its points.
#[derive(Clone, Debug)]
pub(crate) struct Sample {
    pub(crate) values: Vec<Option<i128>>,
}

impl Sample {
    pub(crate) fn get(&self, v: Var) -> Option<i128> {
        self.values.get(usize::from(v)).copied().flatten()
    }
}

/// Some points, and whether the domain has changed since they were found.
#[derive(Clone, Debug)]
pub(crate) struct Samples {
    pub(crate) list: Arc<Vec<Sample>>,
    pub(crate) stale: bool,
}

impl Default for Samples {
    fn default() -> Samples {
        Samples { list: Arc::default(), stale: true }
    }
}

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
    /// Of each of these one holds.
    pub(crate) clauses: Vec<Clause>,
    /// Monomials and what they equal.
    pub(crate) rules: Vec<(Mono, Poly)>,
    /// Known to have no point.
    pub(crate) dead: bool,
    pub(crate) samples: RefCell<Samples>,
    pub(crate) seen: Seen,
    /// Guards against endless rewriting.
    pub(crate) depth: u32,
}

/// Goals p ≥ 0 that were tried, and whether they were proved: the same ones come up again and again.
/// A copy of a domain is about to be changed, so it starts without.
#[derive(Debug, Default)]
pub(crate) struct Seen(RefCell<HashMap<Poly, bool>>);

impl Clone for Seen {
    fn clone(&self) -> Seen {
        Seen::default()
    }
}

impl Seen {
    pub(crate) fn get(&self, p: &Poly) -> Option<bool> {
        self.0.borrow().get(p).copied()
    }

    pub(crate) fn put(&self, p: Poly, proved: bool) {
        self.0.borrow_mut().insert(p, proved);
    }

    pub(crate) fn forget(&mut self) {
        self.0.get_mut().clear();
    }
}

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
        self.seen.forget();
    }

    /// A free variable with bounds.
    pub(crate) fn declare(&mut self, v: Var, lo: Option<i128>, hi: Option<i128>) {
        self.set_state(v, State::Base { lo, hi, derived: false });
        self.dead |= matches!((lo, hi), (Some(lo), Some(hi)) if lo > hi);
        self.forget();
    }

    /// The domain has changed: what was found out may be different by now.
    pub(crate) fn forget(&mut self) {
        self.samples.get_mut().stale = true;
        self.seen.forget();
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
                let (rule, by) =
                    self.rules.iter().find_map(|(m, by)| Some((mono.over(*m)?, by)))?;
                Some((Poly::term(*mono, *c), by.times_term(rule, *c)))
            });
            match found {
                Some((out, into)) => p = &p - &out + &into,
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
            Def::Case(..) => {
                self.set_state(v, State::Base { lo: None, hi: None, derived: true });
                self.settle_case(names, v);
            }
            Def::Quotient(num, den) => {
                let quotient = self.divide(names, &num, &den);
                self.settle_definition(v, quotient);
            }
            Def::Remainder(num, den) => {
                let quotient = self.divide(names, &num, &den);
                let rest = quotient.map(|quotient| self.norm(names, &(num - den * quotient)));
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
        self.forget();
    }

    /// Whether a condition follows (`Some(true)`), its opposite does, or neither is seen.
    pub(crate) fn truth(&self, names: &Names, cond: &Cond) -> Option<bool> {
        let p = cond.poly();
        match cond {
            Cond::Ge(_) if self.proves(names, p) => Some(true),
            Cond::Ge(_) => self.proves(names, &(-p - 1)).then_some(false),
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

    /// The same for a condition that need not be in normal form.
    pub(crate) fn ask(&mut self, names: &Names, cond: &Cond) -> Option<bool> {
        let p = self.norm(names, cond.poly());
        self.truth(names, &cond.map(|_| p))
    }

    /// Whether a condition, in any variables, follows.
    pub(crate) fn implies(&mut self, names: &Names, cond: &Cond) -> bool {
        self.dead || self.ask(names, cond) == Some(true)
    }

    /// Whether no point satisfies all of these as well.
    pub(crate) fn excludes(&self, names: &Names, conds: &[Cond]) -> bool {
        if !names.spend_for(conds.len()) {
            return false;
        }
        let mut domain = self.clone();
        for cond in conds {
            domain.assume(names, cond);
            if domain.dead {
                return true;
            }
        }
        // What came first may contradict what was learnt later.
        conds.iter().any(|cond| domain.ask(names, cond) == Some(false))
    }

    /// The free variables of some polynomials, each once.
    pub(crate) fn free_vars(&self) -> SmallVec<[Var; 8]> {
        (0..self.states.len())
            .filter(|&v| matches!(self.states[v], State::Base { .. }))
            .filter_map(|v| Var::try_from(v).ok())
            .collect()
    }
}
