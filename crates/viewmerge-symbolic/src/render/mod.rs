//! Index expressions with parameters, in programming languages and mathematical notations.
//!
//! Running example: (N,M) transposed and flattened, in C:
//!
//! ```text
//! static inline bool at(int64_t N, int64_t M, int64_t i0, int64_t *position) {
//!     const int64_t f0 = i0 / N;
//!     *position = M*i0 - (N*M - 1)*f0;
//!     return true;
//! }
//! ```
//!
//! The parameters are arguments before the indices. Quotients of parameters are computed first, as
//! q0, q1 …, then those of indices, as f0, f1 … What is divided is not negative where that matters, or
//! the division is written so that it rounds down in every language. Integers are 64 bits
//! wide, in WGSL 32, which has no others: sizes are unknown, so it is for the caller to see that all
//! numbers fit.

mod formula;

use std::fmt;

use viewmerge::internal::check_rank;
use viewmerge_index::{Definition, Language, Render, Scope, Snippet};

use crate::cond::Cond;
use crate::error::Error;
use crate::expr::Expr;
use crate::form::SymbolicForm;
use crate::guard::Atom;
use crate::names::{Def, Names, used};
use crate::poly::{Poly, Var};
use crate::print;
use crate::signs::{self, Signs, Style};
use crate::sum::Sum;

/// Sizes are unknown, so integers are as wide as they can be.
const BITS: u32 = 64;

/// Names that do not collide.
struct Called {
    params: Vec<String>,
    axes: Vec<String>,
    floors: String,
    quotients: String,
}

/// A form as texts: what is defined under which name, where an index is valid, its position.
struct Pieces {
    definitions: Vec<(String, String)>,
    guards: Vec<String>,
    position: String,
}

impl SymbolicForm {
    /// The expression in a language, ending with a line break; the parameters are arguments before the
    /// indices.
    ///
    /// # Errors
    ///
    /// If a name cannot be used in the language, parameters included, or if the language cannot say it:
    /// isl has no products of indices and parameters, tinygrad prints single views only.
    ///
    /// ```
    /// use viewmerge_index::{Language, Render};
    /// use viewmerge_symbolic::{Limit, Params, SymbolicChain};
    ///
    /// let params = Params::new().size("N")?.size("M")?;
    /// let chain = SymbolicChain::parse(&params, "(N,M) | permute(1,0) | flatten()")?;
    /// let form = chain.form(&Limit::none())?;
    /// assert_eq!(
    ///     form.render(&Render::new(Language::Python).names(&["i"]))?,
    ///     "def at(N, M, i):\n    f0 = i // N\n    return M*i - (N*M - 1)*f0\n",
    /// );
    /// assert_eq!(
    ///     form.render(&Render::new(Language::Mlir))?,
    ///     "affine_map<(i0)[N, M] -> (M * i0 - (N * M - 1) * (i0 floordiv N))>\n\
    ///      affine_set<(i0)[N, M] : (0 == 0)>\n",
    /// );
    /// # Ok::<(), viewmerge_symbolic::Error>(())
    /// ```
    pub fn render(&self, how: &Render) -> Result<String, Error> {
        let (snippet, called) = (self.snippet(how)?, self.called(how)?);
        let bounds = self.bounds(&called.axes);
        let (parameters, axes) = (Some(&called.params[..]), &called.axes[..]);
        Ok(snippet.whole(how, &Scope { parameters, axes, bounds: &bounds }))
    }

    /// The pieces of a program instead of a whole function.
    ///
    /// # Errors
    ///
    /// As [`SymbolicForm::render`].
    ///
    /// ```
    /// use viewmerge_index::{Language, Render};
    /// use viewmerge_symbolic::{Limit, Params, SymbolicChain};
    ///
    /// let params = Params::new().size("N")?;
    /// let chain = SymbolicChain::parse(&params, "(N,3) | permute(1,0) | flatten()")?;
    /// let bare = chain.form(&Limit::none())?.snippet(&Render::new(Language::Rust))?;
    /// assert_eq!(bare.definitions[0].statement, "let f0 = i0 / N;");
    /// assert_eq!((bare.guard.as_str(), bare.position.as_str()), ("true", "3*i0 - (3*N - 1)*f0"));
    /// let chain = SymbolicChain::parse(&params, "(N) | pad((0,1))")?;
    /// let bare = chain.form(&Limit::none())?.snippet(&Render::new(Language::C))?;
    /// assert_eq!((bare.guard.as_str(), bare.position.as_str()), ("i0 < N", "i0"));
    /// # Ok::<(), viewmerge_symbolic::Error>(())
    /// ```
    pub fn snippet(&self, how: &Render) -> Result<Snippet, Error> {
        let (language, called) = (how.language(), self.called(how)?);
        self.check(language)?;
        let used = if language.has_functions() { self.used() } else { Vec::new() };
        let Pieces { definitions, guards, position } =
            self.pieces(language, signs::of(language), &called, &used);
        let definitions = definitions.iter();
        let definitions =
            definitions.map(|(name, value)| Definition::new(language, name, value, BITS)).collect();
        Ok(Snippet::new(language, definitions, Some(guards), position, BITS))
    }

    /// The names in use: axes, then parameters, then prefixes for floors and quotients.
    fn called(&self, how: &Render) -> Result<Called, Error> {
        let (language, rank) = (how.language(), self.chain.last().rank());
        let given = how.axis_names().map(<[String]>::to_vec);
        let default = || (0..rank).map(|axis| language.default_name(axis)).collect();
        let axes: Vec<String> = given.unwrap_or_else(default);
        check_rank("names", rank, axes.len())?;
        let params: Vec<String> = self.chain.params().names().map(str::to_owned).collect();
        let all = [&axes[..], &params].concat();
        how.check_names(&all).map_err(|error| match error {
            viewmerge::Error::ExpressionName { axis, name, why } if axis >= rank => {
                let what = format!("the parameter {name:?} is no name there: {why}");
                Error::Unsupported { op: language.to_string(), what }
            }
            other => other.into(),
        })?;
        let free = |letter: &str, count: usize| {
            let mut prefixes = (0..=8).map(|more| format!("{letter}{}", "_".repeat(more)));
            let is_free = |prefix: &String| {
                let own = (0..count).map(|number| format!("{prefix}{number}"));
                how.check_names(&all.iter().cloned().chain(own).collect::<Vec<_>>()).is_ok()
            };
            prefixes.find(is_free).unwrap_or_else(|| letter.to_owned())
        };
        let floors = free("f", self.floors.len());
        let quotients = free("q", self.used().len());
        Ok(Called { params, axes, floors, quotients })
    }

    /// The quotients of parameters that are used, each after those that it uses.
    pub(crate) fn used(&self) -> Vec<Var> {
        let floors = self.floors.iter().flat_map(|f| f.operand.polys().chain([&f.divisor]));
        let rest = self.conditions.iter().flat_map(|c| c.polys()).chain(self.position.polys());
        used(&self.chain.defs, floors.chain(rest))
    }

    /// The texts; the quotients in `used` get names, others are written out.
    fn pieces(&self, language: Language, signs: &Signs, called: &Called, used: &[Var]) -> Pieces {
        let variable = |v: Var| match used.iter().position(|&w| w == v) {
            Some(number) => Expr::Name(format!("{}{number}", called.quotients)),
            None => print::variable(&self.chain.defs, v),
        };
        let expr = |p: &Poly| print::expr_with(&variable, p);
        let side = |p: &Poly| in_brackets(&expr(p), signs);
        let number = |atom: Atom| {
            let text = atom.written(signs);
            let number = language.number(&text, BITS);
            Expr::Name(if number == text { format!("({text})") } else { number })
        };
        let mut definitions = Vec::new();
        for (place, &v) in used.iter().enumerate() {
            let value = match &self.chain.defs[usize::from(v)] {
                Def::Case(cond, a, b) => {
                    let holds = number(print::atom_with(&variable, cond));
                    print::chosen(holds, expr(&(a - b)), expr(b)).written_with(signs)
                }
                Def::Remainder(a, b) => self.remainder(a, &side(a), &side(b)),
                Def::Quotient(a, b) if self.not_negative(a) => {
                    language.quotient(&side(a), &side(b))
                }
                Def::Quotient(a, b) => {
                    // Without a rest all languages divide alike.
                    let rest = self.remainder(a, &side(a), &side(b));
                    let whole = format!("({} - {rest})", expr(a).written_with(signs));
                    language.quotient(&whole, &side(b))
                }
                Def::Sum(sum) => expr(sum).written_with(signs),
                Def::Param(_) => continue,
            };
            definitions.push((format!("{}{place}", called.quotients), value));
        }
        let mut columns: Vec<Expr> = called.axes.iter().cloned().map(Expr::Name).collect();
        for (number, floor) in self.floors.iter().enumerate() {
            let operand = Sum::new(&floor.operand, &columns, &variable).expr();
            if !language.has_functions() {
                columns.push(operand.floor_div(expr(&floor.divisor)));
                continue;
            }
            let name = format!("{}{number}", called.floors);
            let value = language.quotient(&in_brackets(&operand, signs), &side(&floor.divisor));
            definitions.push((name.clone(), value));
            columns.push(Expr::Name(name));
        }
        let sum = |position| Sum::new(position, &columns, &variable);
        let guards = self.conditions.iter().map(|condition| match language {
            Language::Mlir => format!("{} >= 0", sum(condition).expr().written_with(signs)),
            _ => sum(condition).comparison().written(signs),
        });
        let position = match language {
            Language::Tinygrad => self.tinygrad(&columns),
            _ => sum(&self.position).expr().written_with(signs),
        };
        Pieces { definitions, guards: guards.collect(), position }
    }

    /// Whether a polynomial is seen to be 0 or more where the ops allow.
    fn not_negative(&self, p: &Poly) -> bool {
        let names = Names::new(self.chain.defs.clone(), &viewmerge::Limit::steps(1_000));
        self.chain.domain.clone().implies(&names, &Cond::Ge(p.clone()))
    }

    /// a mod b, not negative whatever way the language rounds.
    fn remainder(&self, p: &Poly, a: &str, b: &str) -> String {
        match self.not_negative(p) {
            true => format!("{a} % {b}"),
            false => format!("({a} % {b} + {b}) % {b}"),
        }
    }
}

impl fmt::Display for SymbolicForm {
    /// One readable line, with floors called f0, f1 …
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let called = Called {
            params: Vec::new(),
            axes: (0..self.chain.last().rank()).map(|axis| format!("i{axis}")).collect(),
            floors: "f".to_owned(),
            quotients: String::new(),
        };
        let signs = Style::Python.signs();
        let Pieces { definitions, guards, position } =
            self.pieces(Language::Python, signs, &called, &[]);
        f.write_str(&position)?;
        if !guards.is_empty() {
            write!(f, " if {}", guards.join(signs.and))?;
        }
        for (number, (name, value)) in definitions.iter().enumerate() {
            write!(f, "{} {name} = {value}", if number == 0 { " where" } else { "," })?;
        }
        Ok(())
    }
}

/// An expression as one side of a division.
fn in_brackets(expr: &Expr, signs: &Signs) -> String {
    let text = expr.written_with(signs);
    let single = matches!(expr, Expr::Name(_)) || expr.as_number().is_some_and(|value| value >= 0);
    if single { text } else { format!("({text})") }
}
