//! What the variables stand for.
//!
//! A variable is a parameter, or has a definition by earlier variables: a quotient, a
//! remainder, or a sum such as `S - T - p` that a bound made a variable of its own. The same
//! definition always gets the same variable, so conditions found in different cases compare.

use std::cell::{Cell, RefCell};

use viewmerge::Limit;

use crate::cond::Cond;
use crate::poly::{Mono, Poly, Var};

/// The meaning of a variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Def {
    Param(String),
    /// ⌊num / den⌋.
    Quotient(Poly, Poly),
    /// num mod den.
    Remainder(Poly, Poly),
    Sum(Poly),
    /// The first number where the condition holds, otherwise the second: a minimum, a maximum.
    Case(Cond, Poly, Poly),
}

/// The variables of one question, and what may still be spent on it.
#[derive(Debug)]
pub(crate) struct Names<'a> {
    defs: RefCell<Vec<Def>>,
    limit: Limit<'a>,
    /// Steps of proofs left.
    pub(crate) steps: Cell<u64>,
}

/// Steps for each part of a question that has no limit of its own: what is not seen then is mostly not
/// seen with more of them.
const STEPS: u64 = 32_000;

impl<'a> Names<'a> {
    pub(crate) fn new(defs: Vec<Def>, limit: &Limit<'a>) -> Names<'a> {
        let names = Names { defs: RefCell::new(defs), limit: *limit, steps: Cell::new(0) };
        names.refill();
        names
    }

    /// All steps again, for the next part of a question.
    pub(crate) fn refill(&self) {
        let most = self.limit.most();
        self.steps.set(if most == u64::MAX { STEPS } else { most });
    }

    pub(crate) fn into_defs(self) -> Vec<Def> {
        self.defs.into_inner()
    }

    pub(crate) fn defs(&self) -> Vec<Def> {
        self.defs.borrow().clone()
    }

    pub(crate) fn with_defs<T>(&self, f: impl FnOnce(&[Def]) -> T) -> T {
        f(&self.defs.borrow())
    }

    pub(crate) fn def(&self, v: Var) -> Def {
        self.defs.borrow()[usize::from(v)].clone()
    }

    /// How many parameters there are; they are the first variables.
    pub(crate) fn params(&self) -> usize {
        self.defs.borrow().iter().take_while(|def| matches!(def, Def::Param(_))).count()
    }

    /// The variable with this definition; `None` when there are too many.
    pub(crate) fn intern(&self, def: Def) -> Option<Var> {
        let mut defs = self.defs.borrow_mut();
        if let Some(place) = defs.iter().position(|known| *known == def) {
            return Var::try_from(place).ok();
        }
        // Far more than any question needs; a flood of names ends in an open answer.
        if defs.len() > usize::from(Var::MAX) {
            return None;
        }
        defs.push(def);
        Var::try_from(defs.len() - 1).ok()
    }

    /// The polynomial with sums written out, so that it means the same in every case; 3·(N div 3) + N mod 3 is N.
    pub(crate) fn expand(&self, p: &Poly) -> Poly {
        let mut p = p.clone();
        while let Some(whole) = p.vars().into_iter().rev().find_map(|v| self.written_out(&p, v)) {
            p = whole;
        }
        p
    }

    /// The polynomial without a variable that need not have a name in it.
    fn written_out(&self, p: &Poly, v: Var) -> Option<Poly> {
        match self.def(v) {
            Def::Sum(meaning) => Some(p.replaced(v, &meaning)),
            Def::Remainder(num, den) => {
                let (c, k) = (p.lone(v)?, den.as_number()?);
                let quotient = self.intern(Def::Quotient(num.clone(), den))?;
                let both = Poly::term(Mono::var(v), c)
                    + Poly::term(Mono::var(quotient), c.checked_mul(k)?);
                (p.lone(quotient)? == c * k).then(|| p - both + num.scaled(c))
            }
            _ => None,
        }
    }

    /// The steps left: none after the flag was raised.
    pub(crate) fn left(&self) -> u64 {
        if self.limit.is_raised() { 0 } else { self.steps.get() }
    }

    /// Whether a step on a polynomial with this many terms is still allowed; long ones cost more.
    pub(crate) fn spend_for(&self, terms: usize) -> bool {
        let left = self.left();
        let cost = u64::try_from(terms / 2).unwrap_or(u64::MAX).saturating_add(1);
        self.steps.set(left.saturating_sub(cost));
        left > 0
    }
}

impl Def {
    /// What it is made of.
    pub(crate) fn parts(&self) -> impl Iterator<Item = &Poly> {
        let parts = match self {
            Def::Param(_) => Vec::new(),
            Def::Sum(sum) => vec![sum],
            Def::Quotient(a, b) | Def::Remainder(a, b) => vec![a, b],
            Def::Case(cond, a, b) => vec![cond.poly(), a, b],
        };
        parts.into_iter()
    }

    /// The same with every part changed.
    pub(crate) fn map(&self, f: impl Fn(&Poly) -> Poly) -> Def {
        match self {
            Def::Param(name) => Def::Param(name.clone()),
            Def::Sum(sum) => Def::Sum(f(sum)),
            Def::Quotient(a, b) => Def::Quotient(f(a), f(b)),
            Def::Remainder(a, b) => Def::Remainder(f(a), f(b)),
            Def::Case(cond, a, b) => Def::Case(cond.map(&f), f(a), f(b)),
        }
    }

    /// The value where every variable has one; a parameter's own is not known here.
    pub(crate) fn value(&self, of: &impl Fn(Var) -> Option<i128>) -> Option<i128> {
        let divisor = |p: &Poly| p.value(of).filter(|value| *value > 0);
        match self {
            Def::Param(_) => None,
            Def::Sum(sum) => sum.value(of),
            Def::Quotient(a, b) => a.value(of)?.checked_div_euclid(divisor(b)?),
            Def::Remainder(a, b) => a.value(of)?.checked_rem_euclid(divisor(b)?),
            Def::Case(cond, a, b) => {
                if cond.holds_for(cond.poly().value(of)?) { a } else { b }.value(of)
            }
        }
    }
}

impl Cond {
    pub(crate) fn expanded(&self, names: &Names) -> Cond {
        self.map(|p| names.expand(p))
    }

    /// Whether it holds at a parameter point; `None` where it divides by 0 or overflows.
    pub(crate) fn holds(&self, defs: &[Def], params: &[i128]) -> Option<bool> {
        value(defs, params, self.poly()).map(|value| self.holds_for(value))
    }
}

/// The variables with a definition that some polynomials use, each after those that it uses.
pub(crate) fn used<'p>(defs: &[Def], polys: impl Iterator<Item = &'p Poly>) -> Vec<Var> {
    fn visit(defs: &[Def], v: Var, found: &mut Vec<Var>) {
        let Some(def) = defs.get(usize::from(v)) else { return };
        if !matches!(def, Def::Param(_)) && !found.contains(&v) {
            def.parts().flat_map(Poly::vars).for_each(|w| visit(defs, w, found));
            found.push(v);
        }
    }
    let mut found = Vec::new();
    polys.flat_map(Poly::vars).for_each(|v| visit(defs, v, &mut found));
    found
}

/// The value of a variable at a parameter point.
pub(crate) fn value_of(defs: &[Def], params: &[i128], v: Var) -> Option<i128> {
    match defs.get(usize::from(v))? {
        Def::Param(_) => params.get(usize::from(v)).copied(),
        def => def.value(&|w| value_of(defs, params, w)),
    }
}

/// The value of a polynomial at a parameter point; `None` for a division by 0 or an overflow.
pub(crate) fn value(defs: &[Def], params: &[i128], p: &Poly) -> Option<i128> {
    p.value(&|v| value_of(defs, params, v))
}
