//! Index expressions that were simplified, in any language.
//!
//! The function around an expression is the same as for a chain: it tells whether the expression
//! is defined, and its value. Divisions are written where they stand.

use alloc::string::String;
use alloc::vec::Vec;

use super::bits::bits as width;
use super::names::Names;
use super::write::Writer;
use super::{Language, Render, Scope, Snippet};
use crate::expression::open::{NO_FIRST, NO_LAST};
use crate::expression::tree::Expr;
use crate::expression::{Domain, Simplified};
use viewmerge::Error;

/// What is written, and how.
struct Parts<'d> {
    value: Expr,
    /// The condition that the expression is, if it is no number.
    asked: Option<Expr>,
    valid: Option<Expr>,
    ranges: &'d [(i64, i64)],
    names: Names,
    bits: u32,
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
    /// [`Error::NoRendering`] for what the language cannot express, or needs more than 64 bits, and
    /// [`Error::OpenRange`] for a range without an end, except in Python and in formulas.
    ///
    /// ```
    /// use viewmerge::Limit;
    /// use viewmerge_index::{Domain, Language, Render};
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
        let position = parts.writer().text(&parts.value)?;
        let guards = match &parts.valid {
            None => Some(vec![]),
            Some(Expr::Always(false)) if how.language.has_functions() => None,
            Some(_) if how.language == Language::Isl => Some(vec![format!("({})", parts.guard()?)]),
            Some(_) => Some(vec![parts.guard()?]),
        };
        let snippet = Snippet::new(how.language, vec![], guards, position, parts.bits);
        let sides = parts.names.axes.iter().zip(parts.ranges);
        let bounds: Vec<String> = sides
            .filter_map(|(name, &(first, last))| match (first != NO_FIRST, last != NO_LAST) {
                (true, true) => Some(format!("{first} <= {name} <= {last}")),
                (true, false) => Some(format!("{first} <= {name}")),
                (false, true) => Some(format!("{name} <= {last}")),
                (false, false) => None,
            })
            .collect();
        let scope = Scope { parameters: None, axes: &parts.names.axes, bounds: &bounds };
        Ok(snippet.whole(how, &scope))
    }

    /// A simplified expression, and where it is defined, without a function around them.
    ///
    /// # Errors
    ///
    /// As [`Domain::render`].
    ///
    /// ```
    /// use viewmerge::Limit;
    /// use viewmerge_index::{Domain, Language, Render};
    ///
    /// let domain = Domain::new(&[("i", -8, 7)])?;
    /// let simple = domain.simplify(&"min(i, 3) % 4".parse()?, &Limit::none())?;
    /// let write = |language| domain.snippet(&simple, &Render::new(language));
    /// assert_eq!(write(Language::Python)?.position, "min(i, 3) % 4");
    /// assert_eq!(write(Language::C)?.position, "((i < 3 ? i : 3) + 8) % 4");
    /// assert_eq!(write(Language::Rust)?.position, "(i32::min(i, 3) + 8) % 4");
    /// assert_eq!(write(Language::Mlir).unwrap_err().kind(), "no_rendering");
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    pub fn snippet(&self, simple: &Simplified, how: &Render) -> Result<Snippet, Error> {
        let parts = self.rendering(simple, how)?;
        let position = parts.writer().text(parts.asked.as_ref().unwrap_or(&parts.value))?;
        let guards = match &parts.valid {
            None => Some(vec![]),
            Some(_) => Some(vec![parts.guard()?]),
        };
        Ok(Snippet::new(how.language, vec![], guards, position, parts.bits))
    }

    fn rendering<'d>(&'d self, simple: &Simplified, how: &'d Render) -> Result<Parts<'d>, Error> {
        let (value, asked, valid) = self.normal_parts(simple)?;
        let (variables, ranges) = self.variables();
        let mut named = how.clone();
        named.names.get_or_insert_with(|| variables.to_vec());
        let names = Names::new(ranges.len(), 0, &named)?;
        let refused = |why| Error::NoRendering { language: how.language.name(), why };
        let wide = || refused("its numbers need more than 64 bits");
        let endless = matches!(
            how.language,
            Language::Python | Language::Mlir | Language::Isl | Language::Latex
        );
        let mut bits = 64;
        if !endless || !self.is_open() {
            self.closed("integers of a program have 64 bits, give it one")?;
            let mut ends = ranges.iter().flat_map(|&(first, last)| [first, last]);
            bits = if ends.all(|end| i32::try_from(end).is_ok()) { 32 } else { 64 };
            for expr in core::iter::once(&value).chain(&valid) {
                bits = bits.max(width(expr, ranges).ok_or_else(wide)?);
            }
        }
        if how.language == Language::Wgsl && bits > 32 {
            return Err(refused("it has 32-bit integers only, and this expression needs 64 bits"));
        }
        Ok(Parts { value, asked, valid, ranges, names, bits, how })
    }
}

impl Parts<'_> {
    fn writer(&self) -> Writer<'_> {
        Writer::new(self.how, &self.names.axes, self.ranges, self.bits == 32)
    }

    fn guard(&self) -> Result<String, Error> {
        self.writer().text(self.valid.as_ref().unwrap_or(&Expr::Always(true)))
    }
}
