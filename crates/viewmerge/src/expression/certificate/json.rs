//! Certificates about expressions as JSON: trees as lists, members in a fixed order.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::{Display, Formatter, Result};

use super::cases::Claim;
use super::{Answer, ExpressionCertificate, Partial};
use crate::certificate::json::{list, small, tree};
use crate::expression::tree::{Condition, Part, Value};

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
                    tree(f, &proven.proof)?;
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
        self.value(f, &of.value)?;
        f.write_str(r#","valid":"#)?;
        match &of.valid {
            None => f.write_str("null")?,
            Some(valid) => self.condition(f, valid)?,
        }
        f.write_str("}")
    }

    fn value(&self, f: &mut Formatter<'_>, value: &Value) -> Result {
        let values = |f: &mut Formatter<'_>, sign: &str, all: &[Value]| {
            write!(f, "[\"{sign}\"")?;
            for one in all {
                f.write_str(",")?;
                self.value(f, one)?;
            }
            f.write_str("]")
        };
        let times = |f: &mut Formatter<'_>, by: &i64, one: &Value| {
            f.write_str(r#"["*","#)?;
            small(f, by)?;
            f.write_str(",")?;
            self.value(f, one)?;
            f.write_str("]")
        };
        match value {
            Value::Number(number) => small(f, number),
            Value::Variable(variable) => {
                name(f, self.names.get(*variable).map_or("", String::as_str))
            }
            Value::Sum(all) => values(f, "+", all),
            Value::Negate(a) => times(f, &-1, a),
            Value::Multiply(a, b, _) => match (&**a, &**b) {
                (one, Value::Number(by)) | (Value::Number(by), one) => times(f, by, one),
                // Not in the normal form.
                _ => Err(core::fmt::Error),
            },
            Value::Divide(a, b, _, part, _) => {
                let sign = if *part == Part::Quotient { "//" } else { "%" };
                write!(f, "[\"{sign}\",")?;
                self.value(f, a)?;
                f.write_str(",")?;
                self.value(f, b)?;
                f.write_str("]")
            }
            Value::Least(all) => values(f, "min", all),
            Value::Greatest(all) => values(f, "max", all),
            Value::Where(when, a, b) => {
                f.write_str(r#"["where","#)?;
                self.condition(f, when)?;
                for one in [a, b] {
                    f.write_str(",")?;
                    self.value(f, one)?;
                }
                f.write_str("]")
            }
        }
    }

    fn condition(&self, f: &mut Formatter<'_>, condition: &Condition) -> Result {
        let conditions = |f: &mut Formatter<'_>, word: &str, all: &[Condition]| {
            write!(f, "[\"{word}\"")?;
            for one in all {
                f.write_str(",")?;
                self.condition(f, one)?;
            }
            f.write_str("]")
        };
        match condition {
            Condition::Always(true) => conditions(f, "and", &[]),
            Condition::Always(false) => conditions(f, "or", &[]),
            Condition::All(all) => conditions(f, "and", all),
            Condition::Any(all) => conditions(f, "or", all),
            Condition::Not(one) => conditions(f, "not", core::slice::from_ref(&**one)),
            Condition::Compare(a, relation, b) => {
                let sign = relation.sign();
                write!(f, "[\"{sign}\",")?;
                self.value(f, a)?;
                f.write_str(",")?;
                self.value(f, b)?;
                f.write_str("]")
            }
        }
    }
}
