//! The answer: for which parameters it is one view, and which; or over which split of its axes.
//!
//! Example: (N,M) transposed and flattened is one view if N == 1 or M == 1; otherwise it is one over the
//! split ((M,N)), whatever N and M are. A split in an answer is the coarsest one there is, at every point
//! of its case.

use std::fmt;

use serde::Serialize;
use smallvec::SmallVec;
use viewmerge::{Limit, Split, View};

use crate::cases::{Leaf, explore};
use crate::chain::SymbolicChain;
use crate::cond::{Choice, Cond, all, any};
use crate::engine::Outcome;
use crate::error::Error;
use crate::expr::Expr;
use crate::group::{Formula, Grouped, group};
use crate::guard::Guard;
use crate::json::region;
use crate::names::{Def, Names, used};
use crate::poly::{Poly, Var};
use crate::print::{self, tuple};
use crate::report::{At, Kind, shown_requires, simplified};
use crate::stage::{Bounds, Stage};
use crate::values::by_values;
use crate::view::SymbolicView;

/// A view and the parameters for which it is the right one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Case {
    /// Where it is right.
    #[serde(rename = "when")]
    pub guard: Guard,
    /// If a split was asked for: for every axis factors of its size, slowest first; one factor if it
    /// is not cut.
    #[serde(skip_serializing_if = "Option::is_none")]
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
    /// assert!(chain.split(&Limit::none()).cases[0].is_trivial());
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
    /// assert_eq!(chain.split(&Limit::none()).cases[0].shown_split(), "((3,N))");
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
#[derive(Debug, Clone, Serialize)]
pub struct Answer {
    /// For which parameters there is a case, roughly.
    #[serde(rename = "verdict")]
    pub kind: Kind,
    /// What the ops require of the parameters; outside they are refused.
    pub requires: Guard,
    /// The cases, each right wherever its guard holds; where several do, they are the same view.
    pub cases: Vec<Case>,
    /// The parameters for which nothing was proved: ask the concrete library there.
    #[serde(serialize_with = "region")]
    pub open: Guard,
    /// Whether it is not one view for some parameters: those for which no case holds and nothing is open.
    pub rest: bool,
    /// The question, with the names that the answer uses.
    #[serde(skip)]
    pub(crate) chain: SymbolicChain,
    /// The cases and the open part as they are evaluated.
    #[serde(skip)]
    pub(crate) found: Vec<(Choice, Formula)>,
    #[serde(skip)]
    pub(crate) undecided: Choice,
    /// The variables that conditions use and that have a definition, each after those that it uses.
    #[serde(skip)]
    pub(crate) used: Vec<Var>,
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
    /// assert_eq!(answer.kind, Kind::When);
    /// # Ok::<(), viewmerge_symbolic::Error>(())
    /// ```
    pub fn merge(&self, limit: &Limit<'_>) -> Answer {
        self.answered(limit, false)
    }

    /// Over which split of its axes it is one view, for which parameters.
    ///
    /// At every point of a case the split is the coarsest one there is, as
    /// [`viewmerge::ViewChain::split`] finds it; outside all cases and the open part there is none. The
    /// limits hold for the merge and for the splits each.
    ///
    /// ```
    /// use viewmerge_symbolic::{Limit, Params, SymbolicChain};
    ///
    /// let params = Params::new().size("N")?.size("M")?;
    /// let chain = SymbolicChain::parse(&params, "(N,M) | permute(1,0) | flatten()")?;
    /// assert_eq!(
    ///     chain.split(&Limit::none()).to_string(),
    ///     "M == 1 or N == 1 -> (N*M):(1); M >= 2 and N >= 2 -> ((M,N)): (M,N):(1,M)",
    /// );
    /// // Rows of 4 with a gap, and the first K elements of them.
    /// let params = Params::new().range("N", Some(2), None)?.range("K", Some(5), None)?;
    /// let chain = SymbolicChain::parse(&params, "(N,4):(7,1) | flatten() | shrink((0,K))")?;
    /// assert_eq!(
    ///     chain.split(&Limit::none()).to_string(),
    ///     "K%4 == 0 -> ((K//4,4)): (K//4,4):(7,1), requires 4*N >= K",
    /// );
    /// # Ok::<(), viewmerge_symbolic::Error>(())
    /// ```
    pub fn split(&self, limit: &Limit<'_>) -> Answer {
        self.answered(limit, true)
    }

    /// Merges it; with `split`, every part of the domain where it is not one view is decided again with its axes
    /// cut (`cut.rs`).
    fn answered(&self, limit: &Limit<'_>, split: bool) -> Answer {
        let names = Names::new(self.defs.clone(), limit);
        if let Some(alone) = self.alone(&names) {
            let cases = vec![(vec![Vec::new()], alone)];
            return Answer::new(
                self,
                &names,
                Grouped { cases, open: Vec::new(), rest: false },
                split,
            );
        }
        let whole = vec![(Vec::new(), self.domain.clone())];
        let mut leaves = explore(&names, whole, |engine| engine.decide(&self.stages));
        if leaves.iter().any(|leaf| matches!(leaf.outcome, Outcome::Open)) {
            names.refill();
            leaves = by_values(&names, &self.domain, &self.stages).unwrap_or(leaves);
        }
        if split {
            let stuck = |leaf: &Leaf| matches!(leaf.outcome, Outcome::Never | Outcome::Open);
            let (todo, done): (Vec<Leaf>, Vec<Leaf>) = leaves.into_iter().partition(stuck);
            names.refill();
            let parts = todo.into_iter().map(|leaf| (leaf.path, leaf.domain)).collect();
            leaves = done;
            leaves.extend(explore(&names, parts, |engine| engine.cut(&self.stages)));
        }
        names.refill();
        let grouped = group(&names, &self.domain, leaves, &self.last().shape, self.plainly());
        names.refill();
        Answer::new(self, &names, grouped, split)
    }

    /// Whether a stride depends on whether an axis was repeated.
    fn may_repeat(&self, stage: &Stage) -> bool {
        let same = |v: &Var| matches!(self.defs[usize::from(*v)], Def::Case(Cond::Eq(_), ..));
        stage.strides.iter().any(|p| p.vars().iter().any(same))
    }

    /// The answer about one view, if its masks are seen to lie within their axes.
    fn alone(&self, names: &Names) -> Option<Formula> {
        let [stage] = &self.stages[..] else { return None };
        let mut domain = self.domain.clone();
        let mut within = |p: Poly| domain.implies(names, &Cond::Ge(p));
        let clear = stage.bounds.iter().zip(&stage.shape).all(|(Bounds { lo, hi }, size)| {
            lo.iter().all(|lo| within(lo.clone())) && hi.iter().all(|hi| within(size - hi))
        });
        let is_box = stage.alive.is_empty() && stage.intervals().is_some();
        let alone = clear && is_box && !self.may_repeat(stage);
        alone.then(|| Formula { view: stage.clone(), cuts: Vec::new() })
    }

    /// What the view would be if no axis of the views below were ever left: a formula that often
    /// joins several cases.
    fn plainly(&self) -> Option<Formula> {
        if self.stages.iter().any(|stage| stage.is_masked() || self.may_repeat(stage)) {
            return None;
        }
        let (top, below) = self.stages.split_last()?;
        let (mut slope, mut offset) = (Poly::one(), Poly::zero());
        for stage in below {
            offset += &slope * &stage.offset;
            slope *= stage.strides.last()?;
        }
        let strides = top.strides.iter().map(|s| s * &slope).collect();
        let view = Stage::strided(top.shape.clone(), strides, offset + slope * &top.offset);
        Some(Formula { view, cuts: Vec::new() })
    }
}

impl Answer {
    /// The answer; `split` tells whether axes could be cut.
    pub(crate) fn new(
        chain: &SymbolicChain,
        names: &Names,
        Grouped { cases, open, rest }: Grouped,
        split: bool,
    ) -> Answer {
        let plain = |choice: &Choice| simplified(&chain.domain, names, choice);
        let found: Vec<(Choice, Formula)> =
            cases.into_iter().map(|(choice, formula)| (plain(&choice), formula)).collect();
        let undecided = plain(&open);
        let requires = shown_requires(names, &chain.requires);
        let defs = names.defs();
        let case = |(choice, formula): &(Choice, Formula)| {
            let view = formula.view.shown(&defs);
            let split = split.then(|| formula.by_axis(&view.shape));
            Case { guard: print::guard(&defs, choice), split, view }
        };
        let cases: Vec<Case> = found.iter().map(case).collect();
        let kind = match &cases[..] {
            _ if undecided.is_empty() && !rest => Kind::Always,
            [] if undecided.is_empty() => Kind::Never,
            _ => Kind::When,
        };
        let open = print::guard(&defs, &undecided);
        let lists = found.iter().flat_map(|(choice, _)| choice).chain(&undecided);
        let used = used(&defs, lists.chain(&chain.requires).flatten().map(Cond::poly));
        let chain = SymbolicChain { defs, ..chain.clone() };
        Answer { kind, requires, cases, open, rest, chain, found, undecided, used }
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
        match values.len() == self.chain.params.list().len() {
            true => self.chosen(values.iter().map(|&value| value.into())),
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
        self.said(values, |formula, point| formula.view.at(&self.chain.defs, point).ok())
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
        self.said(values, |formula, point| {
            let view = formula.view.at(&self.chain.defs, point).ok()?;
            let factors = formula.by_axis(view.shape());
            let split = Split::new(&factors.iter().map(Vec::as_slice).collect::<Vec<_>>()).ok()?;
            Some((split, view))
        })
    }
}

impl Formula {
    /// What is given for each factor, in lists for each axis.
    fn by_axis<T: Clone>(&self, factors: &[T]) -> Vec<Vec<T>> {
        if self.cuts.is_empty() {
            return factors.iter().map(|size| vec![size.clone()]).collect();
        }
        let mut factors = factors.iter().cloned();
        self.cuts.iter().map(|axis| factors.by_ref().take(axis.len()).collect()).collect()
    }
}

impl fmt::Display for Answer {
    /// One case that always holds, *never*, or all that there is.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = |case: &Case| format!("{} -> {case}", case.guard);
        let mut parts: Vec<String> = self.cases.iter().map(text).collect();
        if !self.open.is_never() {
            parts.push(format!("open {}", self.open));
        }
        match self.cases.first() {
            Some(case) if case.guard.is_always() => write!(f, "always {case}")?,
            _ if parts.is_empty() => f.write_str("never")?,
            _ => f.write_str(&parts.join("; "))?,
        }
        if !self.requires.is_always() {
            write!(f, ", requires {}", self.requires)?;
        }
        Ok(())
    }
}

impl Answer {
    /// Which case holds for these values of all parameters; open where that cannot be evaluated.
    pub(crate) fn chosen(&self, point: impl Iterator<Item = i128>) -> At<usize> {
        let mut values: SmallVec<[Option<i128>; 24]> = point.map(Some).collect();
        for &v in &self.used {
            let place = usize::from(v);
            let value = self.chain.defs[place].value(&|w| values[usize::from(w)]);
            values.resize(values.len().max(place + 1), None);
            values[place] = value;
        }
        let holds = |cond: &Cond| {
            let value = cond.poly().value(&|v| values[usize::from(v)])?;
            Some(cond.holds_for(value))
        };
        let one_list =
            |choice: &Choice| any(choice.iter().map(|conds| all(conds.iter().map(holds))));
        for clause in &self.chain.requires {
            match any(clause.iter().map(holds)) {
                Some(true) => {}
                Some(false) => return At::Refused,
                None => return At::Open,
            }
        }
        // Every case is right by itself, so one that divides by 0 there does not stand before the others.
        let mut known = true;
        for (number, (choice, _)) in self.found.iter().enumerate() {
            match one_list(choice) {
                Some(true) => return At::Yes(number),
                Some(false) => {}
                None => known = false,
            }
        }
        match one_list(&self.undecided) {
            Some(false) if known => At::No,
            _ => At::Open,
        }
    }

    /// What the case that holds at a point says; open where it says nothing.
    pub(crate) fn said<T>(
        &self,
        values: &[(&str, i64)],
        say: impl FnOnce(&Formula, &[i128]) -> Option<T>,
    ) -> Result<At<T>, Error> {
        let point = self.chain.point(values)?;
        Ok(match self.chosen(point.iter().copied()) {
            At::Yes(number) => say(&self.found[number].1, &point).map_or(At::Open, At::Yes),
            At::No => At::No,
            At::Open => At::Open,
            At::Refused => At::Refused,
        })
    }
}
