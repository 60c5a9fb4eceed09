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

use viewmerge_index::{Definition, Language, Render, Scope, Snippet};

use crate::cond::Cond;
use crate::error::Error;
use crate::expr::{Expr, Style};
use crate::form::SymbolicForm;
use crate::names::{Def, Names, used};
use crate::poly::{Poly, Var};
use crate::sum::{Comparison, Sum};

/// What a form computes, as expressions of a language instead of a whole function.
///
/// ```
/// use viewmerge_index::{Language, Render};
/// use viewmerge_symbolic::{Limit, Params, SymbolicChain};
///
/// let chain = SymbolicChain::parse(&Params::new().size("N")?, "(N,3) | permute(1,0) | flatten()")?;
/// let bare = chain.form(&Limit::none())?.expressions(&Render::new(Language::Rust))?;
/// assert_eq!(bare.definitions, ["let f0 = i0 / N;"]);
/// assert_eq!((bare.guard.as_str(), bare.position.as_str()), ("true", "3*i0 - (3*N - 1)*f0"));
/// # Ok::<(), viewmerge_symbolic::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct SymbolicExpressions {
    /// Statements that define what guard and position use, in order; mathematical notations have none.
    pub definitions: Vec<String>,
    /// Whether an index of the shape is valid.
    pub guard: String,
    /// The memory position of a valid index.
    pub position: String,
}

/// Sizes are unknown, so integers are as wide as they can be.
pub(crate) const BITS: u32 = 64;

/// Names that do not collide.
pub(crate) struct Called {
    pub(crate) params: Vec<String>,
    pub(crate) axes: Vec<String>,
    floors: String,
    quotients: String,
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
        let called = self.called(how)?;
        let snippet = self.snippet(how, &called)?;
        let bounds = formula::bounds(self, &called);
        let (parameters, axes) = (Some(&called.params[..]), &called.axes[..]);
        Ok(snippet.whole(how, &Scope { parameters, axes, bounds: &bounds }))
    }

    /// Guard and position as expressions of a language, without a function around them.
    ///
    /// # Errors
    ///
    /// As [`SymbolicForm::render`].
    ///
    /// ```
    /// use viewmerge_index::{Language, Render};
    /// use viewmerge_symbolic::{Limit, Params, SymbolicChain};
    ///
    /// let chain = SymbolicChain::parse(&Params::new().size("N")?, "(N) | pad((0,1))")?;
    /// let bare = chain.form(&Limit::none())?.expressions(&Render::new(Language::C))?;
    /// assert_eq!((bare.guard.as_str(), bare.position.as_str()), ("i0 < N", "i0"));
    /// # Ok::<(), viewmerge_symbolic::Error>(())
    /// ```
    pub fn expressions(&self, how: &Render) -> Result<SymbolicExpressions, Error> {
        let called = self.called(how)?;
        let Snippet { definitions, guard, position, .. } = self.snippet(how, &called)?;
        let definitions = definitions.into_iter().map(|one| one.statement).collect();
        Ok(SymbolicExpressions { definitions, guard, position })
    }

    fn snippet(&self, how: &Render, called: &Called) -> Result<Snippet, Error> {
        match how.language().has_functions() {
            true => Ok(self.code(how.language(), called)),
            false => formula::snippet(self, how.language(), called),
        }
    }

    /// The names in use: axes, then parameters, then prefixes for floors and quotients.
    fn called(&self, how: &Render) -> Result<Called, Error> {
        let (language, rank) = (how.language(), self.shape.len());
        let axes: Vec<String> = match how.axis_names() {
            Some(names) if names.len() == rank => names.to_vec(),
            Some(names) => {
                let (expected, found) = (rank, names.len());
                return Err(Error::RankMismatch { op: "names".to_owned(), expected, found });
            }
            None => (0..rank).map(|axis| language.default_name(axis)).collect(),
        };
        let params: Vec<String> = self.chain.params().names().map(str::to_owned).collect();
        let mut all = axes.clone();
        all.extend(params.iter().cloned());
        how.check_names(&all).map_err(|error| match error {
            viewmerge::Error::ExpressionName { axis, name, why } if axis >= rank => {
                let what = format!("the parameter {name:?} is no name there: {why}");
                Error::Unsupported { op: language.to_string(), what }
            }
            other => other.into(),
        })?;
        let free = |letter: &str, count: usize| {
            let mut prefix = letter.to_owned();
            for _ in 0..8 {
                let mut names = all.clone();
                names.extend((0..count).map(|number| format!("{prefix}{number}")));
                if how.check_names(&names).is_ok() {
                    break;
                }
                prefix.push('_');
            }
            prefix
        };
        let floors = free("f", self.floors.len());
        let quotients = free("q", self.used().len());
        Ok(Called { params, axes, floors, quotients })
    }

    /// The quotients of parameters that are used, each after those that it uses.
    pub(crate) fn used(&self) -> Vec<Var> {
        let floors = self.floors.iter().flat_map(|f| f.operand.polys().chain([&f.divisor]));
        let rest = self.conditions.iter().flat_map(|c| c.polys()).chain(self.position.polys());
        used(&self.defs, floors.chain(rest))
    }

    fn code(&self, language: Language, called: &Called) -> Snippet {
        let used = self.used();
        let variable = |v: Var| match used.iter().position(|&w| w == v) {
            Some(number) => Expr::Name(format!("{}{number}", called.quotients)),
            None => called.param(v),
        };
        let mut definitions = Vec::new();
        let mut define = |name: String, value: String| {
            definitions.push(Definition::new(language, &name, &value, BITS));
        };
        let text = |expr: &Expr| expr.written(Style::C);
        for (number, &v) in used.iter().enumerate() {
            let expr = |p: &Poly| crate::print::expr_with(&variable, p);
            let value = match &self.defs[usize::from(v)] {
                Def::Same(a, b) => {
                    let same = format!("{} == {}", text(&expr(a)), text(&expr(b)));
                    let number = language.number(&same, BITS);
                    if number == same { format!("({same})") } else { number }
                }
                Def::Remainder(a, b) => self.remainder(a, &expr(a), &expr(b)),
                Def::Quotient(a, b) if self.not_negative(a) => {
                    language.quotient(&atom(&expr(a)), &atom(&expr(b)))
                }
                Def::Quotient(a, b) => {
                    // Without a rest all languages divide alike.
                    let rest = self.remainder(a, &expr(a), &expr(b));
                    let whole = format!("({} - {rest})", text(&expr(a)));
                    language.quotient(&whole, &atom(&expr(b)))
                }
                Def::Param(_) | Def::Sum(_) => continue,
            };
            define(format!("{}{number}", called.quotients), value);
        }
        let axes: Vec<Expr> = called.axes.iter().cloned().map(Expr::Name).collect();
        let floors: Vec<Expr> = (0..self.floors.len())
            .map(|number| Expr::Name(format!("{}{number}", called.floors)))
            .collect();
        let sum = |linear| Sum::new(linear, &axes, &floors, &variable);
        for (number, floor) in self.floors.iter().enumerate() {
            let operand = sum(&floor.operand).expr();
            let divisor = crate::print::expr_with(&variable, &floor.divisor);
            let value = language.quotient(&atom(&operand), &atom(&divisor));
            define(format!("{}{number}", called.floors), value);
        }
        let mut guards: Vec<String> = Vec::new();
        for condition in &self.conditions {
            let Comparison { left, sign, right } = sum(condition).comparison();
            guards.push(format!("{} {sign} {}", text(&left), text(&right)));
        }
        let position = text(&sum(&self.position).expr());
        Snippet::new(language, definitions, Some(guards), position, BITS)
    }

    /// Whether a polynomial is seen to be 0 or more where the ops allow.
    fn not_negative(&self, p: &Poly) -> bool {
        let names = Names::new(self.defs.clone(), &viewmerge::Limit::steps(1_000));
        self.chain.domain.clone().implies(&names, &Cond::Ge(p.clone()))
    }

    /// a mod b, not negative whatever way the language rounds.
    fn remainder(&self, p: &Poly, a: &Expr, b: &Expr) -> String {
        let (top, by) = (atom(a), atom(b));
        match self.not_negative(p) {
            true => format!("{top} % {by}"),
            false => format!("({top} % {by} + {by}) % {by}"),
        }
    }

    /// One readable line.
    pub(crate) fn line(&self) -> String {
        let axes: Vec<Expr> =
            (0..self.shape.len()).map(|axis| Expr::Name(format!("i{axis}"))).collect();
        let floors: Vec<Expr> =
            (0..self.floors.len()).map(|number| Expr::Name(format!("f{number}"))).collect();
        let variable = |v: Var| crate::print::variable(&self.defs, v);
        let sum = |linear| Sum::new(linear, &axes, &floors, &variable);
        let mut text = sum(&self.position).expr().to_string();
        for (number, condition) in self.conditions.iter().enumerate() {
            let Comparison { left, sign, right } = sum(condition).comparison();
            text += if number == 0 { " if " } else { " and " };
            text += &format!("{left} {sign} {right}");
        }
        for (number, floor) in self.floors.iter().enumerate() {
            let (operand, divisor) =
                (sum(&floor.operand).expr(), crate::print::expr(&self.defs, &floor.divisor));
            text += if number == 0 { " where " } else { ", " };
            text += &format!("f{number} = {} // {}", atom(&operand), atom(&divisor));
        }
        text
    }
}

impl Called {
    /// A parameter by its name.
    pub(crate) fn param(&self, v: Var) -> Expr {
        self.params.get(usize::from(v)).map_or(Expr::Number(0), |name| Expr::Name(name.clone()))
    }
}

/// An expression as one side of a division.
fn atom(expr: &Expr) -> String {
    let text = expr.written(Style::C);
    let single = matches!(expr, Expr::Name(_)) || expr.as_number().is_some_and(|value| value >= 0);
    if single { text } else { format!("({text})") }
}
