//! Certificates about expressions as JSON: trees as lists, members in a fixed order.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::{Display, Formatter, Result};

use super::cases::Claim;
use super::{Answer, ExpressionCertificate};
use crate::expression::answer::Partial;
use crate::expression::tree::{Expr, Part};
use viewmerge::internal::{list, small, tree};

impl Display for ExpressionCertificate {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        f.write_str(r#"{"variables":"#)?;
        let variables: Vec<_> = self.names.iter().zip(&self.ranges).collect();
        list(f, &variables, |f, (variable, (first, last))| {
            f.write_str("[")?;
            name(f, variable)?;
            f.write_str(",")?;
            small(f, first)?;
            f.write_str(",")?;
            small(f, last)?;
            f.write_str("]")
        })?;
        f.write_str(r#","one":"#)?;
        self.partial(f, &self.one)?;
        f.write_str(r#","two":"#)?;
        self.partial(f, &self.two)?;
        match &self.answer {
            Answer::Same(proofs) => {
                f.write_str(r#","proofs":"#)?;
                list(f, proofs, |f, proven| {
                    let claim = match proven.claim {
                        Claim::Above => "above",
                        Claim::Below => "below",
                        Claim::Lost => "lost",
                        Claim::Gained => "gained",
                    };
                    write!(f, r#"{{"claim":"{claim}","case":{},"proof":"#, proven.case)?;
                    tree(f, &proven.proof, proven.rows)?;
                    f.write_str("}")
                })?;
            }
            Answer::Differ(point) => {
                f.write_str(r#","differ":"#)?;
                list(f, point, small)?;
            }
        }
        f.write_str("}")
    }
}

fn name(f: &mut Formatter<'_>, text: &str) -> Result {
    write!(f, "\"{text}\"")
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
    fn partial(&self, f: &mut Formatter<'_>, of: &Partial) -> Result {
        f.write_str(r#"{"value":"#)?;
        self.expr(f, &of.value)?;
        f.write_str(r#","valid":"#)?;
        match &of.valid {
            None => f.write_str("null")?,
            Some(valid) => self.expr(f, valid)?,
        }
        f.write_str("}")
    }

    /// A number, a name, or `[sign, child …]`.
    fn expr(&self, f: &mut Formatter<'_>, expr: &Expr) -> Result {
        let sign = match expr {
            Expr::Number(number) => return small(f, number),
            Expr::Variable(variable) => {
                return name(f, self.names.get(*variable).map_or("", String::as_str));
            }
            Expr::Negate(_) | Expr::Multiply(..) => {
                // Only products with numbers are in the normal form.
                let (inner, by) = match expr {
                    Expr::Negate(inner) => (&**inner, -1),
                    _ => expr.scaled().ok_or(core::fmt::Error)?,
                };
                f.write_str(r#"["*","#)?;
                small(f, &by)?;
                f.write_str(",")?;
                self.expr(f, inner)?;
                return f.write_str("]");
            }
            Expr::Sum(_) => "+",
            Expr::Divide(_, _, Part::Quotient, _) => "//",
            Expr::Divide(_, _, Part::Remainder, _) => "%",
            Expr::Least(_) => "min",
            Expr::Greatest(_) => "max",
            Expr::Where(_) => "where",
            Expr::Always(true) | Expr::All(_) => "and",
            Expr::Always(false) | Expr::Any(_) => "or",
            Expr::Not(_) => "not",
            Expr::Compare(_, relation) => relation.sign(),
        };
        write!(f, "[\"{sign}\"")?;
        for child in expr.children() {
            f.write_str(",")?;
            self.expr(f, child)?;
        }
        f.write_str("]")
    }
}
