//! Conditions, as each language has them.
//!
//! Running example: `3 <= i and i < 10` is `3 <= i && i < 10` in C and `i - 3 >= 0, 10 - i - 1 >= 0` in MLIR.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::{Language, Text, Writer, within};
use crate::expression::print::Binds;
use crate::expression::tree::{Expr, Relation};

impl Writer<'_> {
    fn words(&self) -> [&'static str; 2] {
        match self.language {
            Language::Python | Language::Triton | Language::Tinygrad => ["True", "False"],
            Language::Mlir => ["0 == 0", "1 == 0"],
            Language::Latex => ["\\text{true}", "\\text{false}"],
            _ => ["true", "false"],
        }
    }

    pub(super) fn holds(&self, condition: &Expr) -> Text {
        let words = self.words();
        match condition {
            Expr::Always(holds) => Ok((words[usize::from(!holds)].into(), Binds::Compare)),
            Expr::Compare(ab, relation) if self.language == Language::Mlir => {
                self.constraint(&ab[0], *relation, &ab[1])
            }
            Expr::Compare(ab, relation) => {
                let (a, b) = (self.inner(&ab[0], Binds::Sum)?, self.inner(&ab[1], Binds::Sum)?);
                let sign = match (relation, self.language) {
                    (Relation::AtMost, Language::Latex) => "\\le",
                    (Relation::AtLeast, Language::Latex) => "\\ge",
                    (Relation::Equal, Language::Latex) => "=",
                    (Relation::Unequal, Language::Latex) => "\\ne",
                    (relation, _) => relation.sign(),
                };
                let text = format!("{a} {sign} {b}");
                // `&` and `|` bind more tightly than comparisons.
                match self.language {
                    Language::Triton | Language::Tinygrad => Ok((format!("({text})"), Binds::Atom)),
                    _ => Ok((text, Binds::Compare)),
                }
            }
            Expr::All(all) => self.joined(all, true),
            Expr::Any(all) => self.joined(all, false),
            Expr::Not(inner) => {
                let inner = within(self.holds(inner)?, Binds::Atom);
                let sign = match self.language {
                    Language::Triton | Language::Tinygrad => "~",
                    Language::Python | Language::Isl => "not ",
                    Language::Latex => "\\lnot ",
                    Language::Mlir => return Err(self.refused("an affine_set has no `or`")),
                    _ => "!",
                };
                Ok((format!("{sign}{inner}"), Binds::And))
            }
            value => self.written(value),
        }
    }

    fn joined(&self, all: &[Expr], and: bool) -> Text {
        if all.is_empty() {
            return Ok((self.words()[usize::from(!and)].into(), Binds::Compare));
        }
        let word = match (self.language, and) {
            (Language::Mlir, true) => ", ",
            (Language::Mlir, false) => return Err(self.refused("an affine_set has no `or`")),
            (Language::Isl | Language::Python, true) => " and ",
            (Language::Isl | Language::Python, false) => " or ",
            (Language::Latex, true) => " \\land ",
            (Language::Latex, false) => " \\lor ",
            (Language::Triton | Language::Tinygrad, true) => " & ",
            (Language::Triton | Language::Tinygrad, false) => " | ",
            (_, true) => " && ",
            (_, false) => " || ",
        };
        let mut parts: Vec<String> = Vec::with_capacity(all.len());
        for one in all {
            // Compilers warn of `or` and `and` side by side without brackets.
            parts.push(within(self.holds(one)?, Binds::Compare));
        }
        Ok((parts.join(word), if and { Binds::And } else { Binds::Or }))
    }

    /// `form >= 0` or `form == 0`, as an affine_set has it.
    fn constraint(&self, a: &Expr, relation: Relation, b: &Expr) -> Text {
        let (more, less, shift, sign) = match relation {
            Relation::Less => (b, a, -1, ">="),
            Relation::AtMost => (b, a, 0, ">="),
            Relation::Greater => (a, b, -1, ">="),
            Relation::AtLeast => (a, b, 0, ">="),
            Relation::Equal => (a, b, 0, "=="),
            Relation::Unequal => return Err(self.refused("an affine_set has no `or`")),
        };
        let mut terms = alloc::vec![more.clone()];
        match less {
            Expr::Number(number) => match number.checked_neg().and_then(|n| n.checked_add(shift)) {
                Some(0) => {}
                Some(constant) => terms.push(Expr::Number(constant)),
                None => return Err(self.refused("its numbers are too large")),
            },
            other => {
                terms.push(Expr::Negate(alloc::boxed::Box::new(other.clone())));
                if shift != 0 {
                    terms.push(Expr::Number(shift));
                }
            }
        }
        Ok((format!("{} {sign} 0", self.sum(&terms)?.0), Binds::Compare))
    }
}
