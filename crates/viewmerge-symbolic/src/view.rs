//! A view whose numbers are expressions, as answers have it and as it is written.

use std::fmt;

use viewmerge::internal::joined;

use crate::cond::Cond;
use crate::expr::Expr;
use crate::json::{Mask, object};
use crate::names::Def;
use crate::poly::Poly;
use crate::print::{atom, expr, tuple};
use crate::stage::{Bounds, Stage};

/// A view whose numbers are expressions.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct SymbolicView {
    /// The sizes.
    pub shape: Vec<Expr>,
    /// The strides.
    pub strides: Vec<Expr>,
    /// The offset.
    pub offset: Expr,
    /// The valid interval of every axis; `None` if all is valid.
    pub mask: Option<Vec<(Expr, Expr)>>,
    /// Whether it is valid nowhere.
    pub nothing: bool,
}

impl fmt::Display for SymbolicView {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.nothing {
            return write!(f, "{} nothing", tuple(&self.shape));
        }
        write!(f, "{}:{}", tuple(&self.shape), tuple(&self.strides))?;
        match self.offset.to_string() {
            zero if zero == "0" => {}
            negative if negative.starts_with('-') => f.write_str(&negative)?,
            text => write!(f, "+{text}")?,
        }
        let Some(mask) = &self.mask else { return Ok(()) };
        write!(f, " [{}]", joined(mask.iter().map(|(lo, hi)| format!("{lo}:{hi}")), ","))
    }
}

object!(SymbolicView, view,
    "shape": view.shape, "strides": view.strides, "offset": view.offset,
    "mask": if view.nothing { Mask::Nothing("nothing") } else { Mask::Box(&view.mask) },
);

impl Stage {
    /// The view with expressions for numbers; which of several bounds counts is a maximum or a minimum.
    pub(crate) fn shown(&self, defs: &[Def]) -> SymbolicView {
        let all = |list: &[Poly]| list.iter().map(|p| expr(defs, p)).collect::<Vec<_>>();
        let one = |list: &[Poly], end: &Poly, of: fn(Box<Expr>, Box<Expr>) -> Expr| {
            let strongest = all(list).into_iter().reduce(|a, b| Expr::pair(of, a, b));
            strongest.unwrap_or_else(|| expr(defs, end))
        };
        let interval = |(bounds, size): (&Bounds, &Poly)| {
            (one(&bounds.lo, &Poly::zero(), Expr::Max), one(&bounds.hi, size, Expr::Min))
        };
        let is_masked = !self.bounds.iter().all(Bounds::is_free);
        SymbolicView {
            shape: all(&self.shape),
            strides: all(&self.strides),
            offset: expr(defs, &self.offset),
            mask: is_masked.then(|| self.bounds.iter().zip(&self.shape).map(interval).collect()),
            nothing: !self.alive.is_empty(),
        }
    }

    /// The view as in the notation, and where it is valid nowhere.
    pub(crate) fn written(&self, defs: &[Def]) -> String {
        let alive = self.alive.iter().map(|p| format!(" if {}", atom(defs, &Cond::Ge(p.clone()))));
        let view = SymbolicView { nothing: false, ..self.shown(defs) };
        view.to_string() + &alive.collect::<String>()
    }
}
