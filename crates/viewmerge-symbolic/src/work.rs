//! A question while it is built: names, what is known, and what ops required.

use crate::cond::{Clause, Cond};
use crate::domain::Domain;
use crate::error::Error;
use crate::expr::Expr;
use crate::names::{Def, Names};
use crate::params::Params;
use crate::poly::{Poly, Var};
use crate::print;

pub(crate) struct Work {
    pub(crate) params: Params,
    pub(crate) names: Names,
    pub(crate) domain: Domain,
    /// What the declarations say beyond ranges.
    pub(crate) assumed: Vec<Cond>,
    /// Of each of these one must hold; each can be evaluated where those before it hold.
    pub(crate) requires: Vec<Clause>,
}

impl Work {
    pub(crate) fn new(params: Params, names: Names, domain: Domain) -> Work {
        Work { params, names, domain, assumed: Vec::new(), requires: Vec::new() }
    }

    /// The polynomial an expression is, quotients named.
    pub(crate) fn poly(&mut self, op: &str, expr: &Expr) -> Result<Poly, Error> {
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
            Expr::Sum(a, b) => &self.poly(op, a)? + &self.poly(op, b)?,
            Expr::Difference(a, b) => &self.poly(op, a)? - &self.poly(op, b)?,
            Expr::Product(a, b) => {
                let (a, b) = (self.poly(op, a)?, self.poly(op, b)?);
                if a.terms().len() * b.terms().len() > 400 || a.degree() + b.degree() > 24 {
                    return Err(Error::TooLarge);
                }
                &a * &b
            }
            Expr::FloorDiv(a, b) => {
                let (a, b) = (self.poly(op, a)?, self.poly(op, b)?);
                self.quotient(op, expr, &a, &b)?
            }
            Expr::Mod(a, b) => {
                let (a, b) = (self.poly(op, a)?, self.poly(op, b)?);
                let q = self.quotient(op, expr, &a, &b)?;
                &a - &(&b * &q)
            }
            Expr::Exact(a, b) => {
                let (a, b) = (self.poly(op, a)?, self.poly(op, b)?);
                let q = self.quotient(op, expr, &a, &b)?;
                self.require(op, &expr.to_string(), Cond::Eq(&a - &(&b * &q)))?;
                q
            }
            Expr::Same(a, b) => {
                let (a, b) = (self.poly(op, a)?, self.poly(op, b)?);
                let same = Def::Same(self.names.expand(&a), self.names.expand(&b));
                Poly::var(self.names.intern(same).ok_or(Error::TooLarge)?)
            }
        };
        let p = self.domain.norm(&self.names, &p);
        if p.is_spoilt() || p.terms().len() > 400 { Err(Error::TooLarge) } else { Ok(p) }
    }

    /// ⌊a / b⌋; that b ≥ 1 is a requirement.
    fn quotient(&mut self, op: &str, expr: &Expr, a: &Poly, b: &Poly) -> Result<Poly, Error> {
        self.divide(op, &expr.to_string(), a, b)
    }

    /// ⌊a / b⌋; that b ≥ 1 is a requirement.
    pub(crate) fn divide(
        &mut self,
        op: &str,
        argument: &str,
        a: &Poly,
        b: &Poly,
    ) -> Result<Poly, Error> {
        self.require(op, argument, Cond::Ge(b - &Poly::one()))?;
        // What is required holds, whether it is seen or not.
        let found = self.domain.divide_by_positive(&self.names, a, b);
        found.ok_or(Error::TooLarge)
    }

    /// Restricts the domain to where an op has a meaning.
    pub(crate) fn require(&mut self, op: &str, argument: &str, cond: Cond) -> Result<(), Error> {
        let p = self.domain.norm(&self.names, cond.poly());
        if p.is_spoilt() {
            return Err(Error::TooLarge);
        }
        let cond = cond.map(|_| p);
        match self.domain.truth(&self.names, &cond) {
            Some(true) => return Ok(()),
            Some(false) => return Err(self.never(op, argument, &cond)),
            None => {}
        }
        let next = self.domain.with(&self.names, &cond);
        if next.dead {
            return Err(self.never(op, argument, &cond));
        }
        self.domain = next;
        self.requires.push(vec![cond.expanded(&self.names)]);
        Ok(())
    }

    /// The same where one of some conditions must hold, the last one unless something is empty.
    pub(crate) fn require_one(
        &mut self,
        op: &str,
        argument: &str,
        clause: &[Cond],
    ) -> Result<(), Error> {
        let mut open = Vec::new();
        for cond in clause {
            let p = self.domain.norm(&self.names, cond.poly());
            if p.is_spoilt() {
                return Err(Error::TooLarge);
            }
            let cond = cond.map(|_| p);
            match self.domain.truth(&self.names, &cond) {
                Some(true) => return Ok(()),
                Some(false) => {}
                None => open.push(cond.expanded(&self.names)),
            }
        }
        let Some(last) = clause.last() else { return Ok(()) };
        if let [] | [_] = &open[..] {
            return self.require(op, argument, open.pop().unwrap_or_else(|| last.clone()));
        }
        self.domain.assume_one(&self.names, open.clone());
        if self.domain.dead {
            return Err(self.never(op, argument, last));
        }
        self.requires.push(open);
        Ok(())
    }

    fn never(&self, op: &str, argument: &str, cond: &Cond) -> Error {
        let defs = self.names.defs();
        Error::NeverLegal {
            op: op.to_owned(),
            argument: argument.to_owned(),
            requirement: print::atom(&defs, &cond.expanded(&self.names)).to_string(),
        }
    }
}
