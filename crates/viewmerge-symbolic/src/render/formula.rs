//! What only some notations need: isl has no products of unknown numbers, tinygrad prints views.

use viewmerge_index::Language;

use crate::engine::Position;
use crate::error::Error;
use crate::expr::Expr;
use crate::form::{Floor, SymbolicForm};
use crate::names::{self, Def};
use crate::poly::{Poly, Var};
use crate::print::expr;
use crate::signs;

/// Whether a sum has numbers only for coefficients, and a constant without products.
fn is_affine(sum: &Position) -> bool {
    sum.step.iter().all(|p| p.as_number().is_some()) && sum.base.degree() <= 1
}

impl SymbolicForm {
    /// Whether isl can say it: no products of what is not known, divisions by numbers.
    fn is_presburger(&self) -> bool {
        let plain = |a: &Poly, b: &Poly| a.degree() <= 1 && b.as_number().is_some();
        let quotients = self.used().into_iter().all(|v| match &self.chain.defs[usize::from(v)] {
            Def::Quotient(a, b) | Def::Remainder(a, b) => plain(a, b),
            _ => false,
        });
        let affine =
            |floor: &Floor| is_affine(&floor.operand) && floor.divisor.as_number().is_some();
        quotients
            && self.floors.iter().all(affine)
            && self.conditions.iter().all(is_affine)
            && is_affine(&self.position)
            && self.chain.last().shape.iter().all(|size| size.degree() <= 1)
    }

    /// That a language can say it.
    pub(super) fn check(&self, language: Language) -> Result<(), Error> {
        let compares = |v: &Var| matches!(self.chain.defs[usize::from(*v)], Def::Case(..));
        let mut used = self.used();
        if language == Language::Isl {
            used.extend(names::used(&self.chain.defs, self.chain.last().shape.iter()));
        }
        let why = match language {
            Language::Mlir | Language::Isl if used.iter().any(compares) => {
                "it has no comparisons as numbers"
            }
            Language::Isl if !self.is_presburger() => "it has no products of unknown numbers",
            Language::Tinygrad if !self.floors.is_empty() || !self.conditions.is_empty() => {
                "it prints single views, and this chain is not one"
            }
            _ => return Ok(()),
        };
        Err(viewmerge::Error::NoRendering { language: language.name(), why }.into())
    }

    /// The position of a view as tinygrad prints it: `((idx0*N)+idx1)`.
    pub(super) fn tinygrad(&self, axes: &[Expr]) -> String {
        let signs = signs::of(Language::Tinygrad);
        let text = |p: &Poly| expr(&self.chain.defs, p).written_inside(signs, 2);
        let mut terms: Vec<String> = Vec::new();
        for (p, name) in self.position.step.iter().zip(axes).filter(|(p, _)| !p.is_zero()) {
            terms.push(match p.as_number() {
                Some(1) => name.to_string(),
                _ => format!("({name}*{})", text(p)),
            });
        }
        if !self.position.base.is_zero() || terms.is_empty() {
            terms.push(text(&self.position.base));
        }
        let joined = terms.join("+");
        if terms.len() > 1 { format!("({joined})") } else { joined }
    }

    /// The sizes of the axes, as isl says them.
    pub(super) fn bounds(&self, axes: &[String]) -> Vec<String> {
        let size = |p: &Poly| expr(&self.chain.defs, p).written_with(signs::of(Language::Isl));
        let sides = self.chain.last().shape.iter().zip(axes);
        sides.map(|(p, name)| format!("0 <= {name} < {}", size(p))).collect()
    }
}
