//! A question while it is built: names, what is known, and what ops required.

use std::fmt::Display;

use viewmerge::Limit;
use viewmerge::internal::{Argument, Scanner};

use crate::cond::{Clause, Cond};
use crate::domain::{Domain, State};
use crate::error::Error;
use crate::expr::Expr;
use crate::names::{Def, Names};
use crate::params::Params;
use crate::poly::{Poly, Var};
use crate::print;

/// Steps of proofs that building a chain may take.
pub(crate) const BUILDING: u64 = 600;

pub(crate) struct Work {
    /// What is built, as errors name it.
    pub(crate) op: &'static str,
    pub(crate) params: Params,
    pub(crate) names: Names<'static>,
    pub(crate) domain: Domain,
    /// What the declarations say beyond ranges.
    pub(crate) assumed: Vec<Cond>,
    /// Of each of these one must hold; each can be evaluated where those before it hold.
    pub(crate) requires: Vec<Clause>,
}

impl Work {
    /// The polynomial an expression is, quotients named.
    pub(crate) fn poly(&mut self, expr: &Expr) -> Result<Poly, Error> {
        let p = match expr {
            Expr::Number(value) => Poly::number(*value),
            Expr::Name(name) => {
                let place = self.params.names().position(|known| known == name);
                let Some(place) = place.and_then(|place| Var::try_from(place).ok()) else {
                    let declared: Vec<&str> = self.params.names().collect();
                    let declared = match declared.is_empty() {
                        true => "nothing".to_owned(),
                        false => declared.join(", "),
                    };
                    return Err(Error::Undeclared { name: name.clone(), declared });
                };
                Poly::var(place)
            }
            Expr::Sum(a, b) => self.poly(a)? + self.poly(b)?,
            Expr::Difference(a, b) => self.poly(a)? - self.poly(b)?,
            Expr::Product(a, b) => {
                let (a, b) = (self.poly(a)?, self.poly(b)?);
                if a.terms().len() * b.terms().len() > 400 {
                    return Err(Error::TooLarge);
                }
                a * b
            }
            Expr::FloorDiv(a, b) => self.divided(expr, a, b)?.0,
            Expr::Mod(a, b) => self.divided(expr, a, b)?.1,
            Expr::Exact(a, b) => {
                let (quotient, rest) = self.divided(expr, a, b)?;
                self.require(expr, Cond::Eq(rest))?;
                quotient
            }
            Expr::Same(a, b) => {
                let same = Cond::Eq(self.poly(a)? - self.poly(b)?);
                self.choice(same, &Poly::one(), &Poly::zero())?
            }
            Expr::AtLeast(a, b) => {
                let more = self.poly(a)? - self.poly(b)?;
                self.case(&more, &Poly::one(), &Poly::zero())?
            }
            Expr::Min(a, b) | Expr::Max(a, b) => {
                let (a, b) = (self.poly(a)?, self.poly(b)?);
                let first = if matches!(expr, Expr::Min(..)) { &b - &a } else { &a - &b };
                self.case(&first, &a, &b)?
            }
        };
        let p = self.domain.norm(&self.names, &p);
        if p.is_spoilt() || p.terms().len() > 400 { Err(Error::TooLarge) } else { Ok(p) }
    }

    /// The quotient and the remainder of an expression that divides.
    fn divided(&mut self, expr: &Expr, a: &Expr, b: &Expr) -> Result<(Poly, Poly), Error> {
        let (a, b) = (self.poly(a)?, self.poly(b)?);
        let quotient = self.divide(expr, &a, &b)?;
        let rest = &a - &b * &quotient;
        Ok((quotient, rest))
    }

    /// A number that has a definition.
    pub(crate) fn define(&mut self, def: &Def) -> Result<Poly, Error> {
        let def = def.map(|p| self.names.expand(p));
        let v = self.names.intern(def).ok_or(Error::TooLarge)?;
        Ok(self.domain.norm(&self.names, &Poly::var(v)))
    }

    /// ⌊a / b⌋; that b ≥ 1 is a requirement.
    pub(crate) fn divide(
        &mut self,
        argument: impl Display,
        a: &Poly,
        b: &Poly,
    ) -> Result<Poly, Error> {
        self.require(argument, Cond::Ge(b - 1))?;
        // What is required holds, whether it is seen or not.
        let found = self.domain.divide_by_positive(&self.names, a, b);
        found.ok_or(Error::TooLarge)
    }

    /// Restricts the domain to where an op has a meaning.
    pub(crate) fn require(&mut self, argument: impl Display, cond: Cond) -> Result<(), Error> {
        self.require_one(argument, &[cond])
    }

    /// Requires 0 ≤ lo ≤ hi ≤ size of an axis.
    pub(crate) fn require_within(
        &mut self,
        axis: usize,
        (lo, hi): (&Poly, &Poly),
        size: &Poly,
    ) -> Result<(), Error> {
        for p in [lo.clone(), hi - lo, size - hi] {
            self.require(format_args!("axis {axis}"), Cond::Ge(p))?;
        }
        Ok(())
    }

    /// The same where one of some conditions must hold, the last one unless something is empty.
    pub(crate) fn require_one(
        &mut self,
        argument: impl Display,
        clause: &[Cond],
    ) -> Result<(), Error> {
        let polys: Vec<&Poly> = clause.iter().map(Cond::poly).collect();
        let named =
            |cond: &Cond| cond.map(|p| self.domain.norm(&self.names, p)).expanded(&self.names);
        let named: Clause = clause.iter().map(named).collect();
        let (mut wanted, mut plain) = (Vec::new(), true);
        for (path, mut domain) in self.parts(&polys) {
            // Outside of this part it says nothing.
            let mut open: Clause = path.iter().map(Cond::negated).collect();
            let mut holds = false;
            let mut told = None;
            for cond in clause {
                let p = domain.norm(&self.names, cond.poly());
                if p.is_spoilt() {
                    return Err(Error::TooLarge);
                }
                let cond = cond.map(|_| p);
                let truth = domain.truth(&self.names, &cond);
                holds |= truth == Some(true);
                open.extend(truth.is_none().then(|| cond.expanded(&self.names)));
                told = Some(cond);
            }
            let Some(told) = told.filter(|_| !holds) else { continue };
            match &open[..] {
                [cond] => self.domain.assume(&self.names, cond),
                _ => self.domain.assume_one(&self.names, open.clone()),
            }
            if self.domain.dead {
                let told = print::atom(&self.names.defs(), &told.expanded(&self.names));
                return Err(Error::NeverLegal {
                    op: self.op.to_owned(),
                    argument: argument.to_string(),
                    requirement: told.to_string(),
                });
            }
            plain &= path.is_empty() || open.len() == 1;
            wanted.push(open);
        }
        // What is not one condition in every part is told by the names of clamped numbers.
        self.requires.extend(if plain { wanted } else { vec![named] });
        Ok(())
    }
}

impl Params {
    /// What is known at the start of a question.
    pub(crate) fn start(&self) -> Result<Work, Error> {
        let defs = self.names().map(|name| Def::Param(name.to_owned())).collect();
        let names = Names::new(defs, &Limit::steps(BUILDING));
        let mut domain = Domain::default();
        for (place, param) in self.list.iter().enumerate() {
            let v = Var::try_from(place).map_err(|_| Error::TooLarge)?;
            let wide = |bound: Option<i64>| bound.map(i128::from);
            if param.multiple == 1 {
                domain.declare(v, wide(param.min), wide(param.max));
                continue;
            }
            let multiple = Poly::number(param.multiple.into());
            let def = Def::Quotient(Poly::var(v), multiple.clone());
            let q = names.intern(def).ok_or(Error::TooLarge)?;
            let (lo, hi) = param.quotients();
            domain.declare(q, wide(lo), wide(hi));
            domain.set_state(v, State::Gone(Poly::var(q) * &multiple));
        }
        let (params, assumed, requires) = (self.clone(), Vec::new(), Vec::new());
        let mut work = Work { op: "assume", params, names, domain, assumed, requires };
        for text in &self.assumed {
            for cond in work.comparisons(text)? {
                work.domain.assume(&work.names, &cond);
                if work.domain.dead {
                    return Err(Error::Contradiction { what: text.clone() });
                }
                work.assumed.push(cond);
            }
        }
        Ok(Work { op: "view", ..work })
    }
}

impl Work {
    /// Comparisons joined by `and`, as conditions.
    fn comparisons(&mut self, text: &str) -> Result<Vec<Cond>, Error> {
        let mut scan = Scanner::new(text);
        let mut conds = Vec::new();
        loop {
            let left = Expr::read(&mut scan)?;
            let mut signs = ["==", "!=", ">=", "<=", ">", "<"].into_iter();
            let sign = signs.find(|sign| scan.take_all(sign));
            let sign = sign.ok_or_else(|| scan.unexpected("a comparison"))?;
            let right = Expr::read(&mut scan)?;
            let (left, right) = (self.poly(&left)?, self.poly(&right)?);
            let (more, less) = (&left - &right, &right - &left);
            conds.push(match sign {
                "==" => Cond::Eq(more),
                "!=" => Cond::Ne(more),
                ">=" => Cond::Ge(more),
                "<=" => Cond::Ge(less),
                ">" => Cond::Ge(&more - 1),
                _ => Cond::Ge(&less - 1),
            });
            if !scan.take_all("and") {
                break;
            }
        }
        scan.end()?;
        Ok(conds)
    }
}
