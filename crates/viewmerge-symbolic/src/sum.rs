//! Sums over axes and floors as expressions and comparisons.

use crate::engine::Position;
use crate::expr::Expr;
use crate::guard::Atom;
use crate::poly::{Poly, Var};
use crate::print::{expr_with, total};
use crate::signs::Relation;

/// What is added, what is taken off, and a number.
#[derive(Clone)]
pub(crate) struct Sum {
    plus: Vec<Expr>,
    minus: Vec<Expr>,
    number: i128,
}

fn added(parts: &[Expr], number: i128) -> Expr {
    Sum { plus: parts.to_vec(), minus: Vec::new(), number }.expr()
}

impl Sum {
    pub(crate) fn new(
        position: &Position,
        columns: &[Expr],
        variable: &impl Fn(Var) -> Expr,
    ) -> Sum {
        let mut sum = Sum { plus: Vec::new(), minus: Vec::new(), number: position.base.constant() };
        for (p, name) in position.step.iter().zip(columns) {
            if p.is_zero() {
                continue;
            }
            // The sign is that of the leading term.
            let negative = p.terms().last().is_some_and(|(_, c)| *c < 0);
            let size = if negative { -p } else { p.clone() };
            let term = match size.as_number() {
                Some(1) => name.clone(),
                _ => expr_with(variable, &size) * name.clone(),
            };
            if negative { &mut sum.minus } else { &mut sum.plus }.push(term);
        }
        for (mono, c) in position.base.terms().iter().rev().filter(|(m, _)| m.degree() > 0) {
            let term = expr_with(variable, &Poly::term(*mono, c.saturating_abs()));
            if *c < 0 { &mut sum.minus } else { &mut sum.plus }.push(term);
        }
        sum
    }

    pub(crate) fn expr(&self) -> Expr {
        let Sum { mut plus, mut minus, number } = self.clone();
        let size = Expr::Number(number.saturating_abs());
        match number {
            0 => {}
            _ if plus.is_empty() && minus.is_empty() => plus.push(Expr::Number(number)),
            1.. => plus.push(size),
            _ => minus.push(size),
        }
        total(plus, minus)
    }

    /// That the sum is 0 or more.
    pub(crate) fn comparison(&self) -> Atom {
        let Sum { plus, minus, number } = self;
        use Relation::{AtLeast, AtMost, Less};
        let (left, relation, right) = match (plus.is_empty(), minus.is_empty(), *number) {
            (false, false, -1) => (added(minus, 0), Less, added(plus, 0)),
            (_, true, _) | (false, false, ..0) => {
                (added(plus, 0), AtLeast, added(minus, number.saturating_neg()))
            }
            _ => (added(minus, 0), AtMost, added(plus, *number)),
        };
        Atom { left, relation, right }
    }
}
