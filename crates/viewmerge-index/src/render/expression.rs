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
use crate::expression::{Domain, Partial, Simplified};
use viewmerge::Error;

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
        let (snippet, names) = self.written(simple, how, true)?;
        let sides = names.axes.iter().zip(self.variables().1);
        let bounds: Vec<String> = sides
            .filter_map(|(name, &(first, last))| match (first != NO_FIRST, last != NO_LAST) {
                (true, true) => Some(format!("{first} <= {name} <= {last}")),
                (true, false) => Some(format!("{first} <= {name}")),
                (false, true) => Some(format!("{name} <= {last}")),
                (false, false) => None,
            })
            .collect();
        let scope = Scope { parameters: None, axes: &names.axes, bounds: &bounds };
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
        Ok(self.written(simple, how, false)?.0)
    }

    /// The pieces and the names in them. In a whole function a condition is a number.
    fn written(
        &self,
        simple: &Simplified,
        how: &Render,
        whole: bool,
    ) -> Result<(Snippet, Names), Error> {
        let (variables, ranges) = self.variables();
        let found = self.partial(simple)?;
        let found = if whole { found.into_value() } else { found };
        let Partial { value, valid } = found.normal(ranges)?;
        let mut named = how.clone();
        named.names.get_or_insert_with(|| variables.to_vec());
        let names = Names::new(ranges.len(), 0, &named)?;
        let language = how.language;
        let wide = || language.refused("its numbers need more than 64 bits");
        let endless =
            matches!(language, Language::Python | Language::Mlir | Language::Isl | Language::Latex);
        let mut bits = 64;
        if !endless || !self.is_open() {
            self.closed("integers of a program have 64 bits, give it one")?;
            let mut ends = ranges.iter().flat_map(|&(first, last)| [first, last]);
            bits = if ends.all(|end| i32::try_from(end).is_ok()) { 32 } else { 64 };
            for expr in core::iter::once(&value).chain(&valid) {
                bits = bits.max(width(expr, ranges).ok_or_else(wide)?);
            }
        }
        language.check_bits(bits)?;
        let writer = Writer { how, names: &names.axes, ranges, bits };
        let position = writer.text(&value)?;
        let guards = match &valid {
            None => Some(vec![]),
            Some(Expr::Always(false)) if language.has_functions() => None,
            Some(valid) => {
                let guard = writer.text(valid)?;
                // The bounds of the axes stand beside it.
                let beside = whole && language == Language::Isl;
                Some(vec![if beside { format!("({guard})") } else { guard }])
            }
        };
        Ok((Snippet::new(language, vec![], guards, position, bits), names))
    }
}
