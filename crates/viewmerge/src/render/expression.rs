//! Index expressions that were simplified, in any language.
//!
//! The function around an expression is the same as for a chain: it tells whether the expression
//! counts, and its value. Divisions are written where they stand.

use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use super::body::{Body, Dialect, Valid};
use super::names::Names;
use super::tree::{Writer, bits};
use super::{Expressions, Language, Render, code};
use crate::error::Error;
use crate::expression::open::{NO_FIRST, NO_LAST};
use crate::expression::tree::Expr;
use crate::expression::{Domain, Simplified};

/// What is written, and how.
struct Parts<'d> {
    value: Expr,
    /// The condition that the expression is, if it is no number.
    asked: Option<Expr>,
    valid: Option<Expr>,
    ranges: &'d [(i64, i64)],
    names: Names,
    small: bool,
    how: &'d Render,
}

impl Domain {
    /// A simplified expression as a function of a language, or as a formula, ending with a line break.
    ///
    /// The names are those of the variables, unless there are others. A condition is the number 1 or 0.
    ///
    /// # Errors
    ///
    /// [`Error::ExpressionName`] and [`Error::FunctionName`] for names that cannot be used,
    /// [`Error::NoRendering`] for what the language cannot say, or needs more than 64 bits, and
    /// [`Error::OpenRange`] for a range without an end, except in Python and in formulas.
    ///
    /// ```
    /// use viewmerge::{Domain, Language, Limit, Render};
    ///
    /// let domain = Domain::new(&[("i", 0, 31)])?.valid(&"i % 2 == 0".parse()?)?;
    /// let simple = domain.simplify(&"(i - 3) // 7 * 2".parse()?, &Limit::none())?;
    /// assert_eq!(domain.render(&simple, &Render::new(Language::C))?, "\
    /// static inline bool at(int32_t i, int32_t *position) {
    ///     *position = 2*((i + 4) / 7) - 2;
    ///     return i % 2 == 0;
    /// }
    /// ");
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    pub fn render(&self, simple: &Simplified, how: &Render) -> Result<String, Error> {
        let parts = self.rendering(simple, how)?;
        let text = parts.write(&parts.value)?;
        let axes = parts.names.axes.join(", ");
        Ok(match how.language {
            Language::Mlir => {
                let guard = parts.guard()?;
                format!("affine_map<({axes}) -> ({text})>\naffine_set<({axes}) : ({guard})>\n")
            }
            Language::Isl => {
                let mut all: Vec<String> = Vec::new();
                for (name, (first, last)) in parts.names.axes.iter().zip(parts.ranges) {
                    match (*first != NO_FIRST, *last != NO_LAST) {
                        (true, true) => all.push(format!("{first} <= {name} <= {last}")),
                        (true, false) => all.push(format!("{first} <= {name}")),
                        (false, true) => all.push(format!("{name} <= {last}")),
                        (false, false) => {}
                    }
                }
                if parts.valid.is_some() {
                    all.push(format!("({})", parts.guard()?));
                }
                let when = if all.is_empty() { "" } else { " : " };
                format!("{{ [{axes}] -> [{text}]{when}{} }}\n", all.join(" and "))
            }
            Language::Latex => match &parts.valid {
                None => format!("{text}\n"),
                Some(_) => format!("{text} \\quad \\text{{if }} {}\n", parts.guard()?),
            },
            Language::Tinygrad => match &parts.valid {
                None => format!("{text}\n"),
                Some(_) => format!("({}).where({text}, Invalid)\n", parts.guard()?),
            },
            language => {
                let guard = parts.guard()?;
                let valid = match &parts.valid {
                    None => Valid::Always,
                    Some(Expr::Always(false)) => Valid::Never,
                    Some(_) => Valid::If(vec![guard.clone()]),
                };
                let body = Body { definitions: vec![], valid, position: text, guard };
                code::around(body, language, &parts.names, parts.small)
            }
        })
    }

    /// A simplified expression, and when it counts, as expressions of a language.
    ///
    /// # Errors
    ///
    /// As [`Domain::render`].
    ///
    /// ```
    /// use viewmerge::{Domain, Language, Limit, Render};
    ///
    /// let domain = Domain::new(&[("i", -8, 7)])?;
    /// let simple = domain.simplify(&"min(i, 3) % 4".parse()?, &Limit::none())?;
    /// let write = |language| domain.expressions(&simple, &Render::new(language));
    /// assert_eq!(write(Language::Python)?.position, "min(i, 3) % 4");
    /// assert_eq!(write(Language::C)?.position, "((i < 3 ? i : 3) + 8) % 4");
    /// assert_eq!(write(Language::Rust)?.position, "(i32::min(i, 3) + 8) % 4");
    /// assert_eq!(write(Language::Mlir).unwrap_err().kind(), "no_rendering");
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    pub fn expressions(&self, simple: &Simplified, how: &Render) -> Result<Expressions, Error> {
        let parts = self.rendering(simple, how)?;
        let position = match &parts.asked {
            Some(condition) => parts.writer().condition(condition)?,
            None => parts.write(&parts.value)?,
        };
        let bits = if parts.small { 32 } else { 64 };
        Ok(Expressions { definitions: vec![], guard: parts.guard()?, position, bits })
    }

    fn rendering<'d>(&'d self, simple: &Simplified, how: &'d Render) -> Result<Parts<'d>, Error> {
        let (value, asked, valid) = self.normal_parts(simple)?;
        let (variables, ranges) = self.variables();
        let mut named = how.clone();
        named.names.get_or_insert_with(|| variables.to_vec());
        let names = Names::of(ranges.len(), 0, &named)?;
        let refused = |why| Error::NoRendering { language: how.language.name(), why };
        let wide = || refused("its numbers need more than 64 bits");
        let endless = matches!(
            how.language,
            Language::Python | Language::Mlir | Language::Isl | Language::Latex
        );
        if endless && self.is_open() {
            return Ok(Parts { value, asked, valid, ranges, names, small: false, how });
        }
        self.closed("integers of a program have 64 bits, give it one")?;
        let ends = ranges.iter().flat_map(|&(first, last)| [first, last]);
        let small = ends.clone().all(|end| i32::try_from(end).is_ok());
        let width = bits(&value, ranges).ok_or_else(wide)?;
        let width = match &valid {
            Some(valid) => width.max(bits(valid, ranges).ok_or_else(wide)?),
            None => width,
        };
        let small = small && width == 32;
        if how.language == Language::Wgsl && !small {
            return Err(refused("it has 32-bit integers only, and this expression needs 64 bits"));
        }
        Ok(Parts { value, asked, valid, ranges, names, small, how })
    }
}

impl Parts<'_> {
    fn writer(&self) -> Writer<'_> {
        let language = self.how.language;
        let integer = Dialect::of(language, self.small).integer;
        let (names, ranges) = (&self.names.axes, self.ranges);
        Writer { language, names, ranges, integer, small: self.small, shifts: self.how.shifts }
    }

    fn write(&self, value: &Expr) -> Result<String, Error> {
        self.writer().value(value)
    }

    fn guard(&self) -> Result<String, Error> {
        self.writer().condition(self.valid.as_ref().unwrap_or(&Expr::Always(true)))
    }
}
