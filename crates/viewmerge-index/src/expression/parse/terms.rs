//! Operands while a text is read. A condition used as a number is 1 or 0; a number used as a condition
//! holds where it is not 0.

use alloc::boxed::Box;

use super::tokens::syntax;
use crate::expression::tree::{Expr, Place, Relation};
use viewmerge::Error;

/// `expr / den`: a number may still wait for its quotient to be rounded. A condition has `den` 1.
#[derive(Debug, Clone)]
pub(crate) struct Term {
    pub expr: Expr,
    /// Above 0.
    pub den: i64,
    /// Where it starts.
    pub at: usize,
}

impl From<Expr> for Term {
    fn from(expr: Expr) -> Term {
        Term { expr, den: 1, at: 0 }
    }
}

impl Term {
    pub(super) fn is_condition(&self) -> bool {
        self.expr.is_condition()
    }

    /// The numerator and the denominator of a number.
    pub(super) fn ratio(self) -> (Expr, i64) {
        (self.expr.into_value(), self.den)
    }

    /// A whole expression.
    pub(crate) fn whole(self) -> Result<Expr, Error> {
        if self.den == 1 { Ok(self.expr) } else { Err(unrounded(self.at)) }
    }

    pub(super) fn value(self) -> Result<Expr, Error> {
        self.whole().map(Expr::into_value)
    }

    pub(super) fn condition(self) -> Result<Expr, Error> {
        self.whole().map(Expr::into_condition)
    }

    /// The same, said to be elsewhere.
    pub(super) fn moved(self, at: usize) -> Term {
        Term { at, ..self }
    }
}

pub(super) fn unrounded(at: usize) -> Error {
    syntax(at, "`//`, or `/` inside floor(…): a quotient must say how it is rounded", "`/`")
}

/// Long sums are flat, so that no text makes a deep tree.
pub(super) fn sum(a: Expr, b: Expr) -> Expr {
    match a {
        Expr::Sum(mut all) => {
            all.push(b);
            Expr::Sum(all)
        }
        a => Expr::Sum(vec![a, b]),
    }
}

pub(super) fn times(value: Expr, by: i64, place: Place) -> Expr {
    if by == 1 { value } else { Expr::multiply(value, Expr::Number(by), place) }
}

pub(super) fn choose(condition: Expr, yes: Term, no: Term, at: usize) -> Result<Term, Error> {
    if yes.is_condition() && no.is_condition() {
        let otherwise = join(not(condition.clone()), no.expr, true);
        return Ok(join(join(condition, yes.expr, true), otherwise, false).into());
    }
    Ok(Expr::choose(condition, yes.moved(at).value()?, no.moved(at).value()?).into())
}

/// Both conditions, or either of them; long lists are flat.
pub(super) fn join(a: Expr, b: Expr, both: bool) -> Expr {
    let list = |one| match one {
        Expr::Join(list, all) if all == both => list,
        other => vec![other],
    };
    Expr::Join([list(a), list(b)].concat(), both)
}

pub(super) fn not(a: Expr) -> Expr {
    match a {
        Expr::Not(inner) => *inner,
        Expr::Always(holds) => Expr::Always(!holds),
        other => Expr::Not(Box::new(other)),
    }
}

/// Exactly one of two conditions holds.
pub(super) fn unequal(a: Expr, b: Expr) -> Expr {
    match (a, b) {
        (Expr::Always(true), other) | (other, Expr::Always(true)) => not(other),
        (Expr::Always(false), other) | (other, Expr::Always(false)) => other,
        (a, b) => {
            let only_a = join(a.clone(), not(b.clone()), true);
            join(only_a, join(not(a), b, true), false)
        }
    }
}

pub(super) fn compare(
    left: Term,
    relation: Relation,
    right: Term,
    at: usize,
) -> Result<Expr, Error> {
    if left.is_condition() && right.is_condition() {
        match relation {
            Relation::Unequal => return Ok(unequal(left.expr, right.expr)),
            Relation::Equal => return Ok(not(unequal(left.expr, right.expr))),
            _ => {}
        }
    }
    let ((a, m), (b, n)) = (left.ratio(), right.ratio());
    let place = Place(at);
    let (a, b) = if m == n { (a, b) } else { (times(a, n, place), times(b, m, place)) };
    Ok(Expr::compare(a, relation, b))
}
