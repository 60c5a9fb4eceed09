//! Certificates about expressions as JSON: trees as lists, members in a fixed order.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::{Display, Formatter, Result};

use super::{Answer, ExpressionCertificate};
use crate::expression::answer::Partial;
use crate::expression::tree::{Expr, Part};
use viewmerge::internal::{exact, listed, numbers, tree};

impl Display for ExpressionCertificate {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let variables = self.names.iter().zip(&self.ranges).map(|(name, &(first, last))| {
            format!(r#"["{name}",{},{}]"#, exact(first), exact(last))
        });
        let (one, two) = (self.partial(&self.one), self.partial(&self.two));
        write!(f, r#"{{"variables":{},"one":{one},"two":{two}"#, listed(variables))?;
        match &self.answer {
            Answer::Same(proofs) => {
                let proofs = proofs.iter().map(|proven| {
                    let (claim, case) = (proven.claim.name(), proven.case);
                    let proof = tree(&proven.proof, proven.rows);
                    format!(r#"{{"claim":"{claim}","case":{case},"proof":{proof}}}"#)
                });
                write!(f, r#","proofs":{}}}"#, listed(proofs))
            }
            Answer::Differ(point) => write!(f, r#","differ":{}}}"#, numbers(point)),
        }
    }
}

/// The names that certificates take: an identifier stays, another name becomes `$` and its place, with
/// more of `$` where that is taken.
pub(super) fn identifiers(names: &[String]) -> Vec<String> {
    let written = |(place, name): (usize, &String)| {
        if is_identifier(name) {
            return name.clone();
        }
        let mut other = format!("${place}");
        while names.contains(&other) {
            other.insert(0, '$');
        }
        other
    };
    names.iter().enumerate().map(written).collect()
}

fn is_identifier(name: &str) -> bool {
    let is_letter = |c: char| c.is_ascii_alphabetic() || c == '_' || c == '$';
    name.starts_with(is_letter)
        && name.chars().all(|c| is_letter(c) || c.is_ascii_digit())
        && !["and", "or", "not", "if", "else", "min", "max", "True", "False"].contains(&name)
}

impl ExpressionCertificate {
    fn partial(&self, of: &Partial) -> String {
        let valid = of.valid.as_ref().map_or("null".into(), |valid| self.expr(valid));
        format!(r#"{{"value":{},"valid":{valid}}}"#, self.expr(&of.value))
    }

    /// A number, a name, or `[sign, child …]`.
    fn expr(&self, expr: &Expr) -> String {
        let sign = match expr {
            Expr::Number(number) => return exact(*number),
            Expr::Variable(variable) => {
                return format!("\"{}\"", self.names.get(*variable).map_or("", String::as_str));
            }
            Expr::Negate(inner) => return format!(r#"["*",-1,{}]"#, self.expr(inner)),
            Expr::Multiply(ab, _) => {
                // Normal forms have the number behind the other factor.
                let [inner, by] = &**ab;
                return format!(r#"["*",{},{}]"#, self.expr(by), self.expr(inner));
            }
            Expr::Sum(_) => "+",
            Expr::Divide(_, _, Part::Quotient, _) => "//",
            Expr::Divide(_, _, Part::Remainder, _) => "%",
            Expr::Extreme(_, true) => "min",
            Expr::Extreme(_, false) => "max",
            Expr::Where(_) => "where",
            Expr::Always(true) | Expr::Join(_, true) => "and",
            Expr::Always(false) | Expr::Join(_, false) => "or",
            Expr::Not(_) => "not",
            Expr::Compare(_, relation) => relation.sign(),
        };
        let children = expr.children().iter().map(|child| format!(",{}", self.expr(child)));
        format!("[\"{sign}\"{}]", children.collect::<String>())
    }
}
