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

use viewmerge::{Language, Limit, Render, ViewChain};

use crate::cond::Cond;
use crate::dialect::Dialect;
use crate::error::Error;
use crate::expr::{Expr, Style};
use crate::form::SymbolicForm;
use crate::formula;
use crate::names::{Def, Names};
use crate::poly::{Poly, Var};
use crate::sum::{Comparison, Sum};

/// What a form computes, as expressions of a language instead of a whole function.
///
/// ```
/// use viewmerge::{Language, Render};
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
    /// use viewmerge::{Language, Render};
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
        if !how.language().has_functions() {
            return formula::written(self, how.language(), &called);
        }
        let SymbolicExpressions { definitions, guard, position } = self.code(how, &called);
        let language = how.language();
        let dialect = Dialect::of(language);
        let (integer, function) = (dialect.integer, how.function_name());
        let always = guard == dialect.words[0];
        let definitions: String = definitions.iter().map(|one| format!("    {one}\n")).collect();
        let arguments = |argument: &dyn Fn(&String) -> String, more: String| {
            let all = called.params.iter().chain(&called.axes).map(argument);
            let more = Some(more).filter(|more| !more.is_empty());
            all.chain(more).collect::<Vec<_>>().join(", ")
        };
        let typed = |name: &String| format!("{integer} {name}");
        let annotated = |name: &String| format!("{name}: {integer}");
        let stored = |head: &str, result: String, target: &str| {
            let arguments = arguments(&typed, result);
            format!(
                "{head} {function}({arguments}) {{\n{definitions}    {target}position = {position};\n    \
                 return {guard};\n}}\n"
            )
        };
        Ok(match language {
            Language::Python => {
                let arguments = arguments(&String::clone, String::new());
                let otherwise =
                    if always { String::new() } else { format!(" if {guard} else None") };
                format!(
                    "def {function}({arguments}):\n{definitions}    return {position}{otherwise}\n"
                )
            }
            Language::Triton => {
                let arguments = arguments(&String::clone, String::new());
                let widened: String = called
                    .axes
                    .iter()
                    .map(|name| format!("    {name} = tl.cast({name}, tl.int64)\n"))
                    .collect();
                format!(
                    "@triton.jit\ndef {function}({arguments}):\n{widened}{definitions}    \
                     return {position}, {guard}\n"
                )
            }
            Language::Rust => {
                let arguments = arguments(&annotated, String::new());
                let result = match always {
                    true => format!("Some({position})"),
                    false => format!("({guard}).then_some({position})"),
                };
                format!(
                    "fn {function}({arguments}) -> Option<{integer}> {{\n{definitions}    {result}\n}}\n"
                )
            }
            Language::Wgsl => {
                let arguments = arguments(&annotated, "position: ptr<function, i32>".to_owned());
                format!(
                    "fn {function}({arguments}) -> bool {{\n{definitions}    *position = {position};\n    \
                     return {guard};\n}}\n"
                )
            }
            Language::Hlsl => stored("bool", format!("out {integer} position"), ""),
            Language::Cuda => stored(
                "static __device__ __forceinline__ bool",
                format!("{integer} *position"),
                "*",
            ),
            Language::OpenCl => {
                stored("static inline bool", format!("__private {integer} *position"), "*")
            }
            Language::Metal => {
                stored("static inline bool", format!("thread {integer} *position"), "*")
            }
            _ => stored("static inline bool", format!("{integer} *position"), "*"),
        })
    }

    /// Guard and position as expressions of a language, without a function around them.
    ///
    /// # Errors
    ///
    /// As [`SymbolicForm::render`].
    ///
    /// ```
    /// use viewmerge::{Language, Render};
    /// use viewmerge_symbolic::{Limit, Params, SymbolicChain};
    ///
    /// let chain = SymbolicChain::parse(&Params::new().size("N")?, "(N) | pad((0,1))")?;
    /// let bare = chain.form(&Limit::none())?.expressions(&Render::new(Language::C))?;
    /// assert_eq!((bare.guard.as_str(), bare.position.as_str()), ("i0 < N", "i0"));
    /// # Ok::<(), viewmerge_symbolic::Error>(())
    /// ```
    pub fn expressions(&self, how: &Render) -> Result<SymbolicExpressions, Error> {
        let called = self.called(how)?;
        match how.language().has_functions() {
            true => Ok(self.code(how, &called)),
            false => formula::bare(self, how.language(), &called),
        }
    }

    /// The names in use, checked by the concrete library as names of so many axes.
    fn called(&self, how: &Render) -> Result<Called, Error> {
        let language = how.language();
        let rank = self.shape.len();
        let axes: Vec<String> = match how.axis_names() {
            Some(names) if names.len() == rank => names.to_vec(),
            Some(names) => {
                let (expected, found) = (rank, names.len());
                return Err(Error::RankMismatch { op: "names".to_owned(), expected, found });
            }
            None => (0..rank)
                .map(|axis| match language {
                    Language::Tinygrad => format!("idx{axis}"),
                    Language::Latex => format!("i_{{{axis}}}"),
                    _ => format!("i{axis}"),
                })
                .collect(),
        };
        let params: Vec<String> = self.chain.params().names().map(str::to_owned).collect();
        let allowed = |names: &[String]| -> Result<(), Error> {
            let view = ViewChain::contiguous(&vec![1; names.len()])?;
            let how = Render::new(language).names(names).function(how.function_name());
            let checked = view.form(&Limit::none())?.expressions(&how);
            checked.map(|_| ()).map_err(|error| match error {
                viewmerge::Error::ExpressionName { axis, name, why } if axis >= rank => {
                    let what = format!("the parameter {name:?} is no name there: {why}");
                    Error::Unsupported { op: language.to_string(), what }
                }
                other => other.into(),
            })
        };
        let mut all = axes.clone();
        all.extend(params.iter().cloned());
        allowed(&all)?;
        let free = |letter: &str, count: usize| {
            let mut prefix = letter.to_owned();
            for _ in 0..8 {
                let mut names = all.clone();
                names.extend((0..count).map(|number| format!("{prefix}{number}")));
                if allowed(&names).is_ok() {
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
        fn visit(defs: &[Def], v: Var, found: &mut Vec<Var>) {
            let (Some(Def::Quotient(a, b) | Def::Remainder(a, b) | Def::Same(a, b)), false) =
                (defs.get(usize::from(v)), found.contains(&v))
            else {
                return;
            };
            for w in a.vars().into_iter().chain(b.vars()) {
                visit(defs, w, found);
            }
            found.push(v);
        }
        let mut found = Vec::new();
        let floors = self.floors.iter().flat_map(|f| f.operand.polys().chain([&f.divisor]));
        let rest = self.conditions.iter().flat_map(|c| c.polys()).chain(self.position.polys());
        for v in floors.chain(rest).flat_map(Poly::vars) {
            visit(&self.defs, v, &mut found);
        }
        found
    }

    fn code(&self, how: &Render, called: &Called) -> SymbolicExpressions {
        let dialect = Dialect::of(how.language());
        let used = self.used();
        let variable = |v: Var| match used.iter().position(|&w| w == v) {
            Some(number) => Expr::Name(format!("{}{number}", called.quotients)),
            None => called.param(v),
        };
        let mut definitions = Vec::new();
        let mut define = |name: String, value: String| {
            let (before, after) = &dialect.define;
            definitions.push(format!("{before}{name} = {value}{after}"));
        };
        let text = |expr: &Expr| expr.written(Style::C);
        for (number, &v) in used.iter().enumerate() {
            let expr = |p: &Poly| crate::print::expr_with(&variable, p);
            let value = match &self.defs[usize::from(v)] {
                Def::Same(a, b) => {
                    let (before, after) = dialect.number;
                    format!("{before}{} == {}{after}", text(&expr(a)), text(&expr(b)))
                }
                Def::Remainder(a, b) => self.remainder(a, &expr(a), &expr(b)),
                Def::Quotient(a, b) if self.not_negative(a) => {
                    format!("{} {} {}", atom(&expr(a)), dialect.divide, atom(&expr(b)))
                }
                Def::Quotient(a, b) => {
                    // Without a rest all languages divide alike.
                    let rest = self.remainder(a, &expr(a), &expr(b));
                    format!("({} - {rest}) {} {}", text(&expr(a)), dialect.divide, atom(&expr(b)))
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
            let value = format!("{} {} {}", atom(&operand), dialect.divide, atom(&divisor));
            define(format!("{}{number}", called.floors), value);
        }
        let mut guards: Vec<String> = Vec::new();
        for condition in &self.conditions {
            let Comparison { left, sign, right } = sum(condition).comparison();
            guards.push(format!("{} {sign} {}", text(&left), text(&right)));
        }
        if dialect.brackets && guards.len() > 1 {
            guards.iter_mut().for_each(|one| *one = format!("({one})"));
        }
        let guard = match guards.is_empty() {
            true => dialect.words[0].to_owned(),
            false => guards.join(dialect.and),
        };
        SymbolicExpressions { definitions, guard, position: text(&sum(&self.position).expr()) }
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
