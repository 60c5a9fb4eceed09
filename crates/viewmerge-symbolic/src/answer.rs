//! The answer: for which parameters it is one view, and which.

use std::fmt;

use viewmerge::{Limit, Split, Validity, View};

use crate::cases::explore;
use crate::chain::SymbolicChain;
use crate::cond::Choice;
use crate::error::Error;
use crate::expr::Expr;
use crate::group::{Formula, Grouped, group};
use crate::guard::Guard;
use crate::names::{Def, Names, value};
use crate::params::Params;
use crate::poly::{Poly, Var};
use crate::print::{self, tuple};
use crate::report::{At, Kind, Report};
use crate::stage::Stage;

/// A view whose numbers are expressions.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct SymbolicView {
    /// The sizes.
    pub shape: Vec<Expr>,
    /// The strides.
    pub strides: Vec<Expr>,
    /// The offset.
    pub offset: Expr,
    /// The valid interval of every axis; `None` if all is valid.
    pub mask: Option<Vec<(Expr, Expr)>>,
    /// Whether it is valid nowhere.
    pub nothing: bool,
}

impl fmt::Display for SymbolicView {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.nothing {
            return write!(f, "{} nothing", tuple(&self.shape));
        }
        write!(f, "{}:{}", tuple(&self.shape), tuple(&self.strides))?;
        write!(f, "{}", print::offset(&self.offset))?;
        if let Some(mask) = &self.mask {
            let bounds: Vec<String> = mask.iter().map(|(lo, hi)| format!("{lo}:{hi}")).collect();
            write!(f, " [{}]", bounds.join(","))?;
        }
        Ok(())
    }
}

/// A view and the parameters for which it is the right one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Case {
    /// Where it is right.
    pub guard: Guard,
    /// If a split was asked for: for every axis factors of its size, slowest first; one factor if it
    /// is not cut.
    pub split: Option<Vec<Vec<Expr>>>,
    /// The view, over the shape of all factors if axes are cut.
    pub view: SymbolicView,
}

impl Case {
    /// Whether no axis is cut: the chain is one view as it stands.
    ///
    /// ```
    /// use viewmerge_symbolic::{Limit, Params, SymbolicChain};
    ///
    /// let chain = SymbolicChain::parse(&Params::new().size("N")?, "(N,3) | flatten()")?;
    /// assert!(chain.split(&Limit::none()).cases()[0].is_trivial());
    /// # Ok::<(), viewmerge_symbolic::Error>(())
    /// ```
    pub fn is_trivial(&self) -> bool {
        self.split.iter().flatten().all(|factors| factors.len() == 1)
    }

    /// The split as text, an axis that is cut as the tuple of its factors: `((M,N),3)`.
    ///
    /// ```
    /// use viewmerge_symbolic::{Limit, Params, SymbolicChain};
    ///
    /// let params = Params::new().range("N", Some(2), None)?;
    /// let chain = SymbolicChain::parse(&params, "(N,3) | permute(1,0) | flatten()")?;
    /// assert_eq!(chain.split(&Limit::none()).cases()[0].shown_split(), "((3,N))");
    /// # Ok::<(), viewmerge_symbolic::Error>(())
    /// ```
    pub fn shown_split(&self) -> String {
        let axis = |factors: &Vec<Expr>| match &factors[..] {
            [one] => one.to_string(),
            several => tuple(several),
        };
        match &self.split {
            None => tuple(&self.view.shape),
            Some(split) => tuple(&split.iter().map(axis).collect::<Vec<_>>()),
        }
    }
}

impl fmt::Display for Case {
    /// The view, after the split if an axis is cut.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.is_trivial() {
            write!(f, "{}: ", self.shown_split())?;
        }
        write!(f, "{}", self.view)
    }
}

/// For which parameters a chain is one view, as it stands or over a split of its axes: cases, each right
/// wherever its guard holds; *not one view* where none does and nothing is open; and what the ops require.
/// Guards are evaluated only where what is required holds.
///
/// ```
/// use viewmerge_symbolic::{At, Limit, Params, SymbolicChain};
///
/// let params = Params::new().size("u")?.size("s")?;
/// let chain = SymbolicChain::parse(&params, "(u,18,s) | reshape(-1,144)")?;
/// let answer = chain.merge(&Limit::none());
/// assert_eq!(answer.to_string(), "always (u*s//8,144):(144,1), requires u*s%8 == 0");
/// assert_eq!(answer.at(&[("u", 4), ("s", 4)])?, At::Yes("(2,144)".parse()?));
/// assert_eq!(answer.at(&[("u", 4), ("s", 3)])?, At::Refused);
/// # Ok::<(), viewmerge_symbolic::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Answer {
    pub(crate) told: Report,
    shown: Vec<Case>,
}

impl SymbolicChain {
    /// Whether it is one view, for which parameters.
    ///
    /// ```
    /// use viewmerge_symbolic::{Kind, Limit, Params, SymbolicChain};
    ///
    /// let params = Params::new().size("N")?.size("M")?;
    /// let chain = SymbolicChain::parse(&params, "(N,3,M) | permute(2,0,1) | reshape(M*N,3)")?;
    /// let answer = chain.merge(&Limit::none());
    /// assert_eq!(answer.kind(), Kind::When);
    /// # Ok::<(), viewmerge_symbolic::Error>(())
    /// ```
    pub fn merge(&self, limit: &Limit<'_>) -> Answer {
        let names = Names::new(self.defs.clone(), limit);
        if let Some(alone) = self.alone() {
            return Answer::new(self, &names, alone, false);
        }
        let params = self.params.list().len();
        let leaves = explore(&names, &self.domain, &self.stages, params);
        names.refill();
        let grouped = group(&names, &self.domain, leaves, &self.last().shape, self.plainly());
        Answer::new(self, &names, grouped, false)
    }

    /// Whether a stride depends on whether an axis was repeated.
    fn may_repeat(&self, stage: &Stage) -> bool {
        let same = |v: &Var| matches!(self.defs[usize::from(*v)], Def::Same(..));
        stage.strides.iter().any(|p| p.vars().iter().any(same))
    }

    /// The answer about one view, which needs no proof if it is clear what its mask is.
    pub(crate) fn alone(&self) -> Option<Grouped> {
        let [stage] = &self.stages[..] else { return None };
        if !stage.alive.is_empty() || self.may_repeat(stage) {
            return None;
        }
        let mut bounds = Vec::new();
        for (mask, size) in stage.bounds.iter().zip(&stage.shape) {
            if mask.beyond && !mask.is_free() {
                return None;
            }
            bounds.push(mask.single(size)?);
        }
        let (strides, offset) = (stage.strides.clone(), stage.offset.clone());
        let plain = Formula { strides, offset, bounds, nothing: false, cuts: Vec::new() };
        let cases = vec![(vec![Vec::new()], plain)];
        Some(Grouped { cases, open: Vec::new(), rest: false })
    }

    /// What the view would be if no axis of the views below were ever left: a formula that often
    /// joins several cases.
    pub(crate) fn plainly(&self) -> Option<Formula> {
        let top = self.last();
        if self.stages.iter().any(|stage| stage.is_masked() || self.may_repeat(stage)) {
            return None;
        }
        let (mut slope, mut offset) = (Poly::one(), Poly::zero());
        for stage in &self.stages[..self.stages.len() - 1] {
            offset += &slope * &stage.offset;
            slope *= stage.strides.last()?;
        }
        Some(Formula {
            strides: top.strides.iter().map(|s| s * &slope).collect(),
            offset: &offset + &slope * &top.offset,
            bounds: top.shape.iter().map(|size| (Poly::zero(), size.clone())).collect(),
            nothing: false,
            cuts: Vec::new(),
        })
    }
}

impl Answer {
    /// The answer; `split` tells whether axes could be cut.
    pub(crate) fn new(
        chain: &SymbolicChain,
        names: &Names,
        grouped: Grouped,
        split: bool,
    ) -> Answer {
        let told = Report::new(chain, names, grouped);
        let case = |(choice, formula): &(Choice, Formula)| {
            let view = told.view(names, formula);
            let split = split.then(|| formula.by_axis(&told.chain, &view.shape));
            Case { guard: told.guard(choice), split, view }
        };
        let shown = told.cases.iter().map(case).collect();
        Answer { told, shown }
    }

    /// For which parameters there is a case, roughly.
    ///
    /// ```
    /// use viewmerge_symbolic::{Kind, Limit, Params, SymbolicChain};
    ///
    /// let chain = SymbolicChain::parse(&Params::new().size("N")?, "(N,3) | flatten()")?;
    /// assert_eq!(chain.merge(&Limit::none()).kind(), Kind::Always);
    /// # Ok::<(), viewmerge_symbolic::Error>(())
    /// ```
    pub fn kind(&self) -> Kind {
        self.told.kind()
    }

    /// The cases, each right wherever its guard holds; where several do, they are the same view.
    ///
    /// ```
    /// use viewmerge_symbolic::{Limit, Params, SymbolicChain};
    ///
    /// let params = Params::new().size("N")?.size("M")?;
    /// let chain = SymbolicChain::parse(&params, "(N,M) | permute(1,0) | flatten()")?;
    /// assert_eq!(chain.merge(&Limit::none()).cases().len(), 1);
    /// # Ok::<(), viewmerge_symbolic::Error>(())
    /// ```
    pub fn cases(&self) -> &[Case] {
        &self.shown
    }

    /// The parameters for which nothing was proved: ask the concrete library there.
    ///
    /// ```
    /// use viewmerge_symbolic::{Limit, Params, SymbolicChain};
    ///
    /// let chain = SymbolicChain::parse(&Params::new().size("N")?, "(N,3) | flatten()")?;
    /// assert!(chain.merge(&Limit::none()).open().is_never());
    /// # Ok::<(), viewmerge_symbolic::Error>(())
    /// ```
    pub fn open(&self) -> &Guard {
        &self.told.shown_open
    }

    /// Whether it is not one view for some parameters: those for which no case holds and nothing is open.
    ///
    /// ```
    /// use viewmerge_symbolic::{Limit, Params, SymbolicChain};
    ///
    /// let params = Params::new().size("N")?.size("M")?;
    /// let chain = SymbolicChain::parse(&params, "(N,M) | permute(1,0) | flatten()")?;
    /// assert!(chain.merge(&Limit::none()).has_rest());
    /// # Ok::<(), viewmerge_symbolic::Error>(())
    /// ```
    pub fn has_rest(&self) -> bool {
        self.told.rest
    }

    /// What the ops require of the parameters; outside they are refused.
    ///
    /// ```
    /// use viewmerge_symbolic::{Limit, Params, SymbolicChain};
    ///
    /// let chain = SymbolicChain::parse(&Params::new().size("N")?, "(N) | reshape(-1,4)")?;
    /// assert_eq!(chain.merge(&Limit::none()).requires().to_string(), "N%4 == 0");
    /// # Ok::<(), viewmerge_symbolic::Error>(())
    /// ```
    pub fn requires(&self) -> &Guard {
        &self.told.shown_requires
    }

    /// The parameters of the question.
    ///
    /// ```
    /// use viewmerge_symbolic::{Limit, Params, SymbolicChain};
    ///
    /// let chain = SymbolicChain::parse(&Params::new().size("N")?, "(N,3) | flatten()")?;
    /// assert_eq!(chain.merge(&Limit::none()).params().list().len(), 1);
    /// # Ok::<(), viewmerge_symbolic::Error>(())
    /// ```
    pub fn params(&self) -> &Params {
        self.told.chain.params()
    }

    /// Which case holds for these values of the parameters, in the order of their declaration, in some
    /// dozen nanoseconds; values are taken to be as declared. Another number of values is answered with
    /// *open*.
    ///
    /// ```
    /// use viewmerge_symbolic::{At, Limit, Params, SymbolicChain};
    ///
    /// let params = Params::new().size("A")?.size("B")?.integer("s0")?.integer("s1")?;
    /// let chain = SymbolicChain::parse(&params, "(A,B):(s0,s1) | reshape(A*B)")?;
    /// let answer = chain.merge(&Limit::none());
    /// assert_eq!(answer.choose(&[4, 3, 6, 2]), At::Yes(0));
    /// assert_eq!(answer.choose(&[4, 3, 7, 2]), At::No);
    /// # Ok::<(), viewmerge_symbolic::Error>(())
    /// ```
    pub fn choose(&self, values: &[i64]) -> At<usize> {
        match values.len() == self.params().list().len() {
            true => self.told.choose(values.iter().map(|&value| value.into())),
            false => At::Open,
        }
    }

    /// The view at a point, over the shape of the split's factors if axes are cut.
    ///
    /// # Errors
    ///
    /// If a parameter has no value, or one outside its declaration.
    ///
    /// ```
    /// use viewmerge_symbolic::{At, Limit, Params, SymbolicChain};
    ///
    /// let params = Params::new().size("N")?.size("M")?;
    /// let chain = SymbolicChain::parse(&params, "(N,M) | permute(1,0) | flatten()")?;
    /// let answer = chain.merge(&Limit::none());
    /// assert_eq!(answer.at(&[("N", 2), ("M", 3)])?, At::No);
    /// assert!(answer.at(&[("N", 2)]).is_err());
    /// # Ok::<(), viewmerge_symbolic::Error>(())
    /// ```
    pub fn at(&self, values: &[(&str, i64)]) -> Result<At<View>, Error> {
        let shape = &self.told.chain.last().shape;
        self.told.at(values, |formula, point| {
            formula.view_at(&self.told.defs, &formula.shape(shape), point)
        })
    }

    /// The split at a point, and the view over its shape; it cuts nothing if the chain is one view as it
    /// stands.
    ///
    /// # Errors
    ///
    /// If a parameter has no value, or one outside its declaration.
    ///
    /// ```
    /// use viewmerge_symbolic::{At, Limit, Params, SymbolicChain};
    ///
    /// let params = Params::new().size("K")?;
    /// let chain = SymbolicChain::parse(&params, "(9,4):(7,1) | flatten() | shrink((0,K))")?;
    /// let answer = chain.split(&Limit::none());
    /// let At::Yes((split, view)) = answer.split_at(&[("K", 8)])? else { unreachable!() };
    /// assert_eq!((split.to_string(), view.to_string()), ("((2,4))".into(), "(2,4):(7,1)".into()));
    /// assert_eq!(answer.split_at(&[("K", 10)])?, At::No);
    /// assert_eq!(answer.split_at(&[("K", 40)])?, At::Refused);
    /// # Ok::<(), viewmerge_symbolic::Error>(())
    /// ```
    pub fn split_at(&self, values: &[(&str, i64)]) -> Result<At<(Split, View)>, Error> {
        let Report { chain, defs, .. } = &self.told;
        self.told.at(values, |formula, point| {
            let shape = formula.shape(&chain.last().shape);
            let number = |p: &Poly| i64::try_from(value(defs, point, p)?).ok();
            let sizes = shape.iter().map(number).collect::<Option<Vec<i64>>>()?;
            let factors = formula.by_axis(chain, &sizes);
            let split = Split::new(&factors.iter().map(Vec::as_slice).collect::<Vec<_>>()).ok()?;
            Some((split, formula.view_at(defs, &shape, point)?))
        })
    }
}

impl Formula {
    /// What is given for each factor, in lists for each axis.
    fn by_axis<T: Clone>(&self, chain: &SymbolicChain, factors: &[T]) -> Vec<Vec<T>> {
        let mut factors = factors.iter().cloned();
        let counts = (0..chain.last().rank()).map(|axis| self.cuts.get(axis).map_or(1, Vec::len));
        counts.map(|count| factors.by_ref().take(count).collect()).collect()
    }

    /// The sizes that the view is over, if nothing is cut those of the chain.
    pub(crate) fn shape(&self, whole: &[Poly]) -> Vec<Poly> {
        match self.cuts.is_empty() {
            true => whole.to_vec(),
            false => self.cuts.iter().flatten().cloned().collect(),
        }
    }

    /// The view over a shape at a point; `None` if it cannot be written down.
    pub(crate) fn view_at(&self, defs: &[Def], shape: &[Poly], point: &[i128]) -> Option<View> {
        let number = |p: &Poly| i64::try_from(value(defs, point, p)?).ok();
        let all = |list: &[Poly]| list.iter().map(number).collect::<Option<Vec<i64>>>();
        let shape = all(shape)?;
        if shape.contains(&0) {
            return View::contiguous(&shape).ok();
        }
        if self.nothing {
            return View::nothing(&shape).ok();
        }
        let ends = |(lo, hi): &(Poly, Poly)| Some((number(lo)?, number(hi)?));
        let bounds = self.bounds.iter().map(ends).collect::<Option<Vec<_>>>()?;
        // Where nothing is valid along one axis, the ends of the others may lie anywhere.
        if bounds.iter().any(|(lo, hi)| lo >= hi) {
            return View::nothing(&shape).ok();
        }
        if bounds.iter().zip(&shape).any(|((lo, hi), size)| *lo < 0 || hi > size) {
            return None;
        }
        let strides = all(&self.strides)?;
        View::new(&shape, &strides, number(&self.offset)?, Validity::boxed(&bounds)).ok()
    }
}

impl Report {
    /// A formula as a view, over the factors of its axes if they are cut.
    pub(crate) fn view(&self, names: &Names, formula: &Formula) -> SymbolicView {
        let text = |p: &Poly| print::expr(&self.defs, p);
        let given = formula.shape(&self.chain.last().shape);
        let mut root = self.chain.domain.clone();
        let mut whole = |size: &Poly, (lo, hi): &(Poly, Poly)| {
            let normal = names.expand(&root.norm(names, size));
            lo.is_zero() && (hi == size || *hi == normal)
        };
        let trivial = given.iter().zip(&formula.bounds).all(|(size, bounds)| whole(size, bounds));
        let bounds = formula.bounds.iter().map(|(lo, hi)| (text(lo), text(hi)));
        SymbolicView {
            strides: formula.strides.iter().map(text).collect(),
            offset: text(&formula.offset),
            mask: (!trivial && !formula.nothing).then(|| bounds.collect()),
            nothing: formula.nothing,
            shape: given.iter().map(text).collect(),
        }
    }
}

impl fmt::Display for Answer {
    /// One case that always holds, *never*, or all that there is.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = |case: &Case| format!("{} -> {case}", case.guard);
        let mut parts: Vec<String> = self.shown.iter().map(text).collect();
        if !self.open().is_never() {
            parts.push(format!("open {}", self.open()));
        }
        match self.shown.first() {
            Some(case) if case.guard.is_always() => write!(f, "always {case}")?,
            _ if parts.is_empty() => f.write_str("never")?,
            _ => f.write_str(&parts.join("; "))?,
        }
        if !self.requires().is_always() {
            write!(f, ", requires {}", self.requires())?;
        }
        Ok(())
    }
}
