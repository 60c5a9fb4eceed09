//! Polynomials and conditions as expressions.

use std::fmt;

use viewmerge::internal::joined;

use crate::cond::{Choice, Cond};
use crate::expr::Expr;
use crate::guard::{Atom, Guard};
use crate::names::Def;
use crate::poly::{Mono, Poly, Var};
use crate::signs::Relation;

/// A variable by its definition.
pub(crate) fn variable(defs: &[Def], v: Var) -> Expr {
    match defs.get(usize::from(v)) {
        Some(Def::Param(name)) => Expr::Name(name.clone()),
        Some(Def::Quotient(num, den)) => expr(defs, num).floor_div(expr(defs, den)),
        Some(Def::Remainder(num, den)) => expr(defs, num).modulo(expr(defs, den)),
        Some(Def::Sum(sum)) => expr(defs, sum),
        Some(Def::Case(cond, a, b)) => {
            let (first, second) = (expr(defs, a), expr(defs, b));
            match cond {
                Cond::Ge(p) if *p == b - a => Expr::pair(Expr::Min, first, second),
                Cond::Ge(p) if *p == a - b => Expr::pair(Expr::Max, first, second),
                _ => {
                    let Atom { left, relation, right } = atom(defs, cond);
                    let holds = match relation {
                        Relation::AtLeast => Expr::pair(Expr::AtLeast, left, right),
                        Relation::AtMost => Expr::pair(Expr::AtLeast, right, left),
                        _ => Expr::pair(Expr::Same, left, right),
                    };
                    chosen(holds, expr(defs, &(a - b)), second)
                }
            }
        }
        None => Expr::Number(0),
    }
}

/// A number, and a difference where something that is 1 or 0 holds.
pub(crate) fn chosen(holds: Expr, difference: Expr, other: Expr) -> Expr {
    let more = match difference.as_number() {
        Some(1) => holds,
        _ => holds * difference,
    };
    if other.as_number() == Some(0) { more } else { other + more }
}

fn term(variable: &impl Fn(Var) -> Expr, mono: Mono, coefficient: i128) -> Expr {
    let mut factors = mono.vars().map(variable);
    let Some(first) = factors.next() else { return Expr::Number(coefficient) };
    let first = if coefficient == 1 { first } else { Expr::Number(coefficient) * first };
    factors.fold(first, |product, factor| product * factor)
}

/// A polynomial, largest terms first, what is added before what is taken off.
pub(crate) fn expr(defs: &[Def], p: &Poly) -> Expr {
    expr_with(&|v| variable(defs, v), p)
}

/// The same with other words for variables.
pub(crate) fn expr_with(variable: &impl Fn(Var) -> Expr, p: &Poly) -> Expr {
    let (plus, minus): (Vec<_>, Vec<_>) =
        p.terms().iter().copied().rev().partition(|(_, c)| *c > 0);
    let mut plus: Vec<Expr> = plus.into_iter().map(|(mono, c)| term(variable, mono, c)).collect();
    let mut minus = minus.into_iter().peekable();
    // A number in front keeps its sign.
    let lead = minus.next_if(|(mono, c)| plus.is_empty() && (*c != -1 || mono.degree() == 0));
    plus.extend(lead.map(|(mono, c)| term(variable, mono, c)));
    total(plus, minus.map(|(mono, c)| term(variable, mono, -c)))
}

/// Some terms less others.
pub(crate) fn total(plus: Vec<Expr>, minus: impl IntoIterator<Item = Expr>) -> Expr {
    let mut minus = minus.into_iter();
    let sum = plus.into_iter().reduce(|sum, term| sum + term);
    let sum = sum.or_else(|| minus.next().map(|first| -first));
    minus.fold(sum.unwrap_or(Expr::Number(0)), |sum, term| sum - term)
}

/// A condition with what is positive on the left and what is negative on the right.
pub(crate) fn atom(defs: &[Def], cond: &Cond) -> Atom {
    atom_with(&|v| variable(defs, v), cond)
}

/// The same with other words for variables.
pub(crate) fn atom_with(variable: &impl Fn(Var) -> Expr, cond: &Cond) -> Atom {
    let (mut left, mut right) = (Poly::zero(), Poly::zero());
    for (mono, c) in cond.reduced().poly().terms() {
        if *c > 0 {
            left += Poly::term(*mono, *c);
        } else {
            right -= Poly::term(*mono, *c);
        }
    }
    // Numbers stand on the right.
    let turn = left.as_number().is_some() && right.as_number().is_none();
    let relation = match cond {
        Cond::Ge(_) if turn => Relation::AtMost,
        Cond::Ge(_) => Relation::AtLeast,
        Cond::Eq(_) => Relation::Equal,
        Cond::Ne(_) => Relation::Different,
    };
    let (left, right) = if turn { (right, left) } else { (left, right) };
    Atom { left: expr_with(variable, &left), relation, right: expr_with(variable, &right) }
}

/// A choice of conditions.
pub(crate) fn guard(defs: &[Def], choice: &Choice) -> Guard {
    let lists = choice.iter().map(|conds| conds.iter().map(|c| atom(defs, c)).collect());
    Guard { choices: lists.collect() }
}

/// `(N,3)`.
pub(crate) fn tuple<T: fmt::Display>(list: &[T]) -> String {
    format!("({})", joined(list, ","))
}

/// Parameters and their values.
pub(crate) fn point(point: &[(String, i64)]) -> String {
    joined(point.iter().map(|(name, value)| format!("{name} = {value}")), ", ")
}
