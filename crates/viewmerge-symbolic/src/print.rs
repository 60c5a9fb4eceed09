//! Polynomials and conditions as expressions.

use std::fmt;

use crate::cond::{Choice, Cond};
use crate::expr::Expr;
use crate::guard::{Atom, Guard};
use crate::names::Def;
use crate::poly::{Mono, Poly, Var};
use crate::signs::Relation;
use crate::stage::Stage;

/// A variable by its definition.
pub(crate) fn variable(defs: &[Def], v: Var) -> Expr {
    match defs.get(usize::from(v)) {
        Some(Def::Param(name)) => Expr::Name(name.clone()),
        Some(Def::Quotient(num, den)) => expr(defs, num).floor_div(expr(defs, den)),
        Some(Def::Remainder(num, den)) => expr(defs, num).modulo(expr(defs, den)),
        Some(Def::Sum(sum)) => expr(defs, sum),
        Some(Def::Same(a, b)) => Expr::Same(Box::new(expr(defs, a)), Box::new(expr(defs, b))),
        Some(Def::Case(p, a, b)) => {
            let (first, second) = (expr(defs, a), expr(defs, b));
            match () {
                () if *p == b - a => Expr::Min(Box::new(first), Box::new(second)),
                () if *p == a - b => Expr::Max(Box::new(first), Box::new(second)),
                () => {
                    let holds = Expr::AtLeast(Box::new(expr(defs, p)), Box::new(Expr::Number(0)));
                    second + holds * expr(defs, &(a - b))
                }
            }
        }
        None => Expr::Number(0),
    }
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

/// A condition that two numbers are marked as equal as the equality.
fn plain_equality(defs: &[Def], cond: &Cond) -> Option<Cond> {
    let [v] = cond.poly().vars()[..] else { return None };
    let Some(Def::Same(a, b)) = defs.get(usize::from(v)) else { return None };
    let at = |x: i128| Some(cond.holds_for(cond.poly().value(&|_| Some(x))?));
    match (at(0)?, at(1)?) {
        (false, true) => Some(Cond::Eq(a - b)),
        (true, false) => Some(Cond::Ne(a - b)),
        _ => None,
    }
}

/// What an op required of the size of an axis that is repeated or has its new size already: one or
/// the other.
pub(crate) fn either(defs: &[Def], cond: &Cond) -> Option<[Cond; 2]> {
    let Cond::Eq(p) = cond else { return None };
    p.vars().iter().find_map(|&v| {
        let Some(Def::Same(a, b)) = defs.get(usize::from(v)) else { return None };
        let (unit, grown) = (a - 1, Poly::var(v) * (b - 1));
        let matches = (p - (&unit - &grown)).is_zero();
        matches.then(|| [Cond::Eq(unit), Cond::Eq(a - b)])
    })
}

/// A condition with what is positive on the left and what is negative on the right.
pub(crate) fn atom(defs: &[Def], cond: &Cond) -> Atom {
    if let Some(cond) = plain_equality(defs, cond) {
        return atom(defs, &cond);
    }
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
    Atom { left: expr(defs, &left), relation, right: expr(defs, &right) }
}

/// A condition of which some hold.
pub(crate) fn one(defs: &[Def], clause: &[Cond]) -> Guard {
    guard(defs, &clause.iter().map(|cond| vec![cond.clone()]).collect())
}

/// A choice of conditions.
pub(crate) fn guard(defs: &[Def], choice: &Choice) -> Guard {
    let lists = choice.iter().map(|conds| conds.iter().map(|c| atom(defs, c)).collect());
    Guard { choices: lists.collect() }
}

/// `(N,3)`.
pub(crate) fn tuple<T: fmt::Display>(list: &[T]) -> String {
    let texts: Vec<String> = list.iter().map(T::to_string).collect();
    format!("({})", texts.join(","))
}

/// Parameters and their values.
pub(crate) fn point(point: &[(String, i64)]) -> String {
    let texts: Vec<String> =
        point.iter().map(|(name, value)| format!("{name} = {value}")).collect();
    texts.join(", ")
}

/// A view as in the notation.
pub(crate) fn view<T: fmt::Display>(
    shape: &[T],
    strides: &[T],
    offset: &T,
    mask: Option<Vec<String>>,
) -> String {
    let offset = match offset.to_string() {
        zero if zero == "0" => String::new(),
        negative if negative.starts_with('-') => negative,
        text => format!("+{text}"),
    };
    let mask = mask.map_or(String::new(), |mask| format!(" [{}]", mask.join(",")));
    format!("{}:{}{offset}{mask}", tuple(shape), tuple(strides))
}

/// A view as in the notation; which of several bounds counts is written with `max` and `min`.
pub(crate) fn stage(defs: &[Def], stage: &Stage) -> String {
    let all = |list: &[Poly]| list.iter().map(|p| expr(defs, p)).collect::<Vec<_>>();
    let several = |list: &[Poly], end: &Poly, of: &str| match list {
        [] => expr(defs, end).to_string(),
        [one] => expr(defs, one).to_string(),
        several => format!("{of}{}", tuple(&all(several))),
    };
    let mask = stage.is_masked().then(|| {
        let sides = stage.bounds.iter().zip(&stage.shape);
        let ends = sides.map(|(b, size)| {
            format!("{}:{}", several(&b.lo, &Poly::zero(), "max"), several(&b.hi, size, "min"))
        });
        ends.collect()
    });
    let offset = expr(defs, &stage.offset);
    let alive = stage.alive.iter().map(|p| format!(" if {}", atom(defs, &Cond::Ge(p.clone()))));
    view(&all(&stage.shape), &all(&stage.strides), &offset, mask) + &alive.collect::<String>()
}
