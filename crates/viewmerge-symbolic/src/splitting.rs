//! Over which split of its axes is a chain one view, and for which parameters?
//!
//! Example: (N,M) transposed and flattened is one view if N == 1 or M == 1; otherwise it is one over the
//! split ((M,N)), whatever N and M are.
//!
//! First the chain is merged; where it is one view nothing is cut. Every part of the domain where it is
//! not is decided again (`cut.rs`). A split in an answer is the coarsest one there is, at every point
//! of its case.

use std::fmt;

use viewmerge::{Limit, Split, View};

use crate::answer::SymbolicView;
use crate::cases::{Leaf, explore, explore_from};
use crate::chain::SymbolicChain;
use crate::cond::Choice;
use crate::engine::Outcome;
use crate::error::Error;
use crate::expr::Expr;
use crate::group::{Formula, Grouped, group};
use crate::guard::Guard;
use crate::names::{Names, value};
use crate::poly::Poly;
use crate::report::{Holding, Report};
use crate::{Kind, Params};

/// A split, the view over it, and the parameters for which they are right.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SplitCase {
    /// Where it is right, unless an earlier case is.
    pub guard: Guard,
    /// For every axis factors of its size, slowest first; one factor if it is not cut.
    pub split: Vec<Vec<Expr>>,
    /// The view over the shape of all factors.
    pub view: SymbolicView,
}

impl SplitCase {
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
        self.split.iter().all(|factors| factors.len() == 1)
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
        let axes: Vec<String> = self
            .split
            .iter()
            .map(|factors| {
                let factors: Vec<String> = factors.iter().map(Expr::to_string).collect();
                match &factors[..] {
                    [one] => one.clone(),
                    several => format!("({})", several.join(",")),
                }
            })
            .collect();
        format!("({})", axes.join(","))
    }
}

/// What an answer says at one point.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum SplitAt {
    /// One view over a split; it cuts nothing if the chain is one view as it stands.
    Split {
        /// The coarsest split.
        split: Split,
        /// The view over its shape.
        view: View,
    },
    /// Over no split one view.
    None,
    /// The concrete library is to be asked.
    Open,
    /// Some op is not allowed there.
    Refused,
}

/// Over which splits a chain is one view: cases, of which the first whose guard holds counts; *none*
/// where none does; where it is open; and what the ops require.
///
/// ```
/// use viewmerge_symbolic::{Limit, Params, SplitAt, SymbolicChain};
///
/// let params = Params::new().size("N")?.size("M")?;
/// let chain = SymbolicChain::parse(&params, "(N,M) | permute(1,0) | flatten()")?;
/// let answer = chain.split(&Limit::none());
/// assert_eq!(
///     answer.to_string(),
///     "M == 1 or N == 1 -> (N*M):(1); M >= 2 and N >= 2 -> ((M,N)): (M,N):(1,M)",
/// );
/// let SplitAt::Split { split, view } = answer.at(&[("N", 3), ("M", 4)])? else { unreachable!() };
/// assert_eq!((split.to_string(), view.to_string()), ("((4,3))".into(), "(4,3):(1,4)".into()));
/// # Ok::<(), viewmerge_symbolic::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct SymbolicSplitting {
    told: Report,
    shown: Vec<SplitCase>,
}

impl SymbolicChain {
    /// Over which split of its axes it is one view, for which parameters.
    ///
    /// At every point of a case the split is the coarsest one there is, as
    /// [`viewmerge::ViewChain::split`] finds it; outside all cases and the open part there is none. The
    /// limits hold for the merge and for the splits each.
    ///
    /// ```
    /// use viewmerge_symbolic::{Limit, Params, SymbolicChain};
    ///
    /// // Rows of 4 with a gap, and the first K elements of them.
    /// let params = Params::new().range("N", Some(2), None)?.range("K", Some(5), None)?;
    /// let chain = SymbolicChain::parse(&params, "(N,4):(7,1) | flatten() | shrink((0,K))")?;
    /// assert_eq!(
    ///     chain.split(&Limit::none()).to_string(),
    ///     "K%4 == 0 -> ((K//4,4)): (K//4,4):(7,1), requires 4*N >= K",
    /// );
    /// # Ok::<(), viewmerge_symbolic::Error>(())
    /// ```
    pub fn split(&self, limit: &Limit<'_>) -> SymbolicSplitting {
        let names = Names::new(self.defs.clone(), limit);
        if let Some(alone) = self.alone() {
            return SymbolicSplitting::new(self, &names, alone);
        }
        let params = self.params.list().len();
        let leaves = explore(&names, &self.domain, &self.stages, params);
        let stuck = |leaf: &Leaf| matches!(leaf.outcome, Outcome::Never | Outcome::Open);
        let (todo, mut leaves): (Vec<Leaf>, Vec<Leaf>) = leaves.into_iter().partition(stuck);
        names.refill();
        let parts = todo.into_iter().map(|leaf| (leaf.path, leaf.domain)).collect();
        leaves.extend(explore_from(&names, parts, params, |engine| engine.cut(&self.stages)));
        names.refill();
        let grouped = group(&names, &self.domain, leaves, &self.last().shape, self.plainly());
        names.refill();
        SymbolicSplitting::new(self, &names, grouped)
    }
}

impl SymbolicSplitting {
    fn new(chain: &SymbolicChain, names: &Names, grouped: Grouped) -> SymbolicSplitting {
        let told = Report::new(chain, names, grouped);
        let case = |(choice, formula): &(Choice, Formula)| {
            let view = told.view(names, formula);
            let mut factors = view.shape.iter().cloned();
            let counts =
                (0..chain.last().rank()).map(|axis| formula.cuts.get(axis).map_or(1, Vec::len));
            let split = counts.map(|count| factors.by_ref().take(count).collect()).collect();
            SplitCase { guard: told.guard(choice), split, view }
        };
        let shown = told.cases.iter().map(case).collect();
        SymbolicSplitting { told, shown }
    }

    /// For which parameters there is a split, roughly.
    ///
    /// ```
    /// use viewmerge_symbolic::{Kind, Limit, Params, SymbolicChain};
    ///
    /// let params = Params::new().size("N")?.size("M")?;
    /// let chain = SymbolicChain::parse(&params, "(N,M) | permute(1,0) | flatten()")?;
    /// assert_eq!(chain.merge(&Limit::none()).kind(), Kind::When);
    /// assert_eq!(chain.split(&Limit::none()).kind(), Kind::Always);
    /// # Ok::<(), viewmerge_symbolic::Error>(())
    /// ```
    pub fn kind(&self) -> Kind {
        self.told.kind()
    }

    /// Whether there is no split for some parameters: those for which no case holds and nothing is open.
    ///
    /// ```
    /// use viewmerge_symbolic::{Limit, Params, SymbolicChain};
    ///
    /// let params = Params::new().size("N")?.size("M")?;
    /// let chain = SymbolicChain::parse(&params, "(N,M) | permute(1,0) | flatten()")?;
    /// assert!(!chain.split(&Limit::none()).has_rest());
    /// # Ok::<(), viewmerge_symbolic::Error>(())
    /// ```
    pub fn has_rest(&self) -> bool {
        self.told.rest
    }

    /// The cases, each right wherever its guard holds.
    ///
    /// ```
    /// use viewmerge_symbolic::{Limit, Params, SymbolicChain};
    ///
    /// let params = Params::new().size("N")?.size("M")?;
    /// let chain = SymbolicChain::parse(&params, "(N,M) | permute(1,0) | flatten()")?;
    /// assert_eq!(chain.split(&Limit::none()).cases().len(), 2);
    /// # Ok::<(), viewmerge_symbolic::Error>(())
    /// ```
    pub fn cases(&self) -> &[SplitCase] {
        &self.shown
    }

    /// Where the concrete library is to be asked, unless a case holds.
    ///
    /// ```
    /// use viewmerge_symbolic::{Limit, Params, SymbolicChain};
    ///
    /// let chain = SymbolicChain::parse(&Params::new().size("N")?, "(N,3) | flatten()")?;
    /// assert!(chain.split(&Limit::none()).open().is_never());
    /// # Ok::<(), viewmerge_symbolic::Error>(())
    /// ```
    pub fn open(&self) -> &Guard {
        &self.told.shown_open
    }

    /// What the ops require of the parameters; outside they are refused.
    ///
    /// ```
    /// use viewmerge_symbolic::{Limit, Params, SymbolicChain};
    ///
    /// let chain = SymbolicChain::parse(&Params::new().size("N")?, "(N) | reshape(-1,4)")?;
    /// assert_eq!(chain.split(&Limit::none()).requires().to_string(), "N%4 == 0");
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
    /// assert_eq!(chain.split(&Limit::none()).params().list().len(), 1);
    /// # Ok::<(), viewmerge_symbolic::Error>(())
    /// ```
    pub fn params(&self) -> &Params {
        self.told.chain.params()
    }

    /// What it says at a point.
    ///
    /// # Errors
    ///
    /// If a parameter has no value, or one outside its declaration.
    ///
    /// ```
    /// use viewmerge_symbolic::{Limit, Params, SplitAt, SymbolicChain};
    ///
    /// let params = Params::new().size("K")?;
    /// let chain = SymbolicChain::parse(&params, "(9,4):(7,1) | flatten() | shrink((0,K))")?;
    /// let answer = chain.split(&Limit::none());
    /// assert_eq!(answer.at(&[("K", 10)])?, SplitAt::None);
    /// assert_eq!(answer.at(&[("K", 40)])?, SplitAt::Refused);
    /// # Ok::<(), viewmerge_symbolic::Error>(())
    /// ```
    pub fn at(&self, values: &[(&str, i64)]) -> Result<SplitAt, Error> {
        Ok(match self.told.at(values)? {
            Holding::Case(formula, point) => {
                self.split_at(formula, &point).unwrap_or(SplitAt::Open)
            }
            Holding::Nothing => SplitAt::None,
            Holding::Open => SplitAt::Open,
            Holding::Refused => SplitAt::Refused,
        })
    }

    fn split_at(&self, formula: &Formula, point: &[i128]) -> Option<SplitAt> {
        let shape = formula.shape(&self.told.chain.last().shape);
        let view = formula.view_at(&self.told.defs, &shape, point)?;
        let number = |p: &Poly| i64::try_from(value(&self.told.defs, point, p)?).ok();
        let sizes = shape.iter().map(number).collect::<Option<Vec<i64>>>()?;
        let mut rest = &sizes[..];
        let mut factors: Vec<&[i64]> = Vec::new();
        for axis in 0..self.told.chain.last().rank() {
            let count = formula.cuts.get(axis).map_or(1, Vec::len);
            let (own, others) = rest.split_at_checked(count)?;
            factors.push(own);
            rest = others;
        }
        Some(SplitAt::Split { split: Split::new(&factors).ok()?, view })
    }
}

impl fmt::Display for SplitCase {
    /// The view, after the split if there is one.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_trivial() {
            return write!(f, "{}", self.view);
        }
        write!(f, "{}: {}", self.shown_split(), self.view)
    }
}

impl fmt::Display for SymbolicSplitting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let cases: Vec<(&Guard, &SplitCase)> =
            self.shown.iter().map(|case| (&case.guard, case)).collect();
        let always = match &cases[..] {
            [(guard, case)] if guard.is_always() => Some(case),
            _ => None,
        };
        self.told.write(f, &cases, always)
    }
}
