//! The answer: for which parameters it is one view, and which.

use std::fmt;

use viewmerge::{Validity, View};

use crate::chain::SymbolicChain;
use crate::cond::{Clause, Cond};
use crate::domain::Domain;
use crate::error::Error;
use crate::expr::Expr;
use crate::group::{Choice, Formula, Grouped, is_equality};
use crate::guard::Guard;
use crate::names::{Def, Names, value};
use crate::params::Params;
use crate::poly::Poly;
use crate::print;
use crate::told::{Holding, Told};

/// For which parameters a chain is one view.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Kind {
    /// For all that the ops allow.
    Always,
    /// For none.
    Never,
    /// For some, or it is open for some.
    When,
}

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
        let tuple = |list: &[Expr]| {
            let texts: Vec<String> = list.iter().map(Expr::to_string).collect();
            format!("({})", texts.join(","))
        };
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
    /// The view.
    pub view: SymbolicView,
}

/// What an answer says at one point.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum At {
    /// One view, this one.
    View(View),
    /// Not one view.
    NotOneView,
    /// The concrete library is to be asked.
    Open,
    /// Some op is not allowed there.
    Refused,
}

/// For which parameters a chain is one view: cases, each right wherever its guard holds; *not one view*
/// where none does and nothing is open; and what the ops require. Guards are evaluated only where what
/// is required holds.
///
/// ```
/// use viewmerge_symbolic::{At, Limits, Params, SymbolicChain};
///
/// let params = Params::new().size("u")?.size("s")?;
/// let chain = SymbolicChain::parse(&params, "(u,18,s) | reshape(-1,144)")?;
/// let answer = chain.merge(&Limits::default());
/// assert_eq!(answer.to_string(), "always (u*s//8,144):(144,1), requires u*s%8 == 0");
/// assert_eq!(answer.at(&[("u", 4), ("s", 4)])?, At::View("(2,144)".parse()?));
/// assert_eq!(answer.at(&[("u", 4), ("s", 3)])?, At::Refused);
/// # Ok::<(), viewmerge_symbolic::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Answer {
    pub(crate) told: Told,
    shown: Vec<Case>,
}

impl Answer {
    pub(crate) fn new(chain: &SymbolicChain, names: &Names, grouped: Grouped) -> Answer {
        let mut root = chain.domain.clone();
        let told = Told::new(chain, names, grouped);
        let whole = &chain.last().shape;
        let shape: Vec<Poly> = whole.iter().map(|p| names.expand(&root.norm(names, p))).collect();
        let case = |(choice, formula): &(Choice, Formula)| Case {
            guard: told.guard(choice),
            view: shown(&told.defs, whole, &shape, formula),
        };
        let shown = told.cases.iter().map(case).collect();
        Answer { told, shown }
    }

    /// For which parameters it is one view, roughly.
    ///
    /// ```
    /// use viewmerge_symbolic::{Kind, Limits, Params, SymbolicChain};
    ///
    /// let chain = SymbolicChain::parse(&Params::new().size("N")?, "(N,3) | flatten()")?;
    /// assert_eq!(chain.merge(&Limits::default()).kind(), Kind::Always);
    /// # Ok::<(), viewmerge_symbolic::Error>(())
    /// ```
    pub fn kind(&self) -> Kind {
        match &self.shown[..] {
            _ if self.told.open.is_empty() && !self.told.rest => Kind::Always,
            [] if self.told.open.is_empty() => Kind::Never,
            _ => Kind::When,
        }
    }

    /// The cases, each right wherever its guard holds; where several do, they are the same view.
    ///
    /// ```
    /// use viewmerge_symbolic::{Limits, Params, SymbolicChain};
    ///
    /// let params = Params::new().size("N")?.size("M")?;
    /// let chain = SymbolicChain::parse(&params, "(N,M) | permute(1,0) | flatten()")?;
    /// assert_eq!(chain.merge(&Limits::default()).cases().len(), 1);
    /// # Ok::<(), viewmerge_symbolic::Error>(())
    /// ```
    pub fn cases(&self) -> &[Case] {
        &self.shown
    }

    /// The parameters for which nothing was proved: ask the concrete library there.
    ///
    /// ```
    /// use viewmerge_symbolic::{Limits, Params, SymbolicChain};
    ///
    /// let chain = SymbolicChain::parse(&Params::new().size("N")?, "(N,3) | flatten()")?;
    /// assert!(chain.merge(&Limits::default()).open().is_never());
    /// # Ok::<(), viewmerge_symbolic::Error>(())
    /// ```
    pub fn open(&self) -> &Guard {
        &self.told.shown_open
    }

    /// Whether it is not one view for some parameters: those for which no case holds and nothing is open.
    ///
    /// ```
    /// use viewmerge_symbolic::{Limits, Params, SymbolicChain};
    ///
    /// let params = Params::new().size("N")?.size("M")?;
    /// let chain = SymbolicChain::parse(&params, "(N,M) | permute(1,0) | flatten()")?;
    /// assert!(chain.merge(&Limits::default()).has_rest());
    /// # Ok::<(), viewmerge_symbolic::Error>(())
    /// ```
    pub fn has_rest(&self) -> bool {
        self.told.rest
    }

    /// What the ops require of the parameters; outside they are refused.
    ///
    /// ```
    /// use viewmerge_symbolic::{Limits, Params, SymbolicChain};
    ///
    /// let chain = SymbolicChain::parse(&Params::new().size("N")?, "(N) | reshape(-1,4)")?;
    /// assert_eq!(chain.merge(&Limits::default()).requires().to_string(), "N%4 == 0");
    /// # Ok::<(), viewmerge_symbolic::Error>(())
    /// ```
    pub fn requires(&self) -> &Guard {
        &self.told.shown_requires
    }

    /// The parameters of the question.
    ///
    /// ```
    /// use viewmerge_symbolic::{Limits, Params, SymbolicChain};
    ///
    /// let chain = SymbolicChain::parse(&Params::new().size("N")?, "(N,3) | flatten()")?;
    /// assert_eq!(chain.merge(&Limits::default()).params().list().len(), 1);
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
    /// use viewmerge_symbolic::{At, Limits, Params, SymbolicChain};
    ///
    /// let params = Params::new().size("N")?.size("M")?;
    /// let chain = SymbolicChain::parse(&params, "(N,M) | permute(1,0) | flatten()")?;
    /// let answer = chain.merge(&Limits::default());
    /// assert_eq!(answer.at(&[("N", 2), ("M", 3)])?, At::NotOneView);
    /// assert!(answer.at(&[("N", 2)]).is_err());
    /// # Ok::<(), viewmerge_symbolic::Error>(())
    /// ```
    pub fn at(&self, values: &[(&str, i64)]) -> Result<At, Error> {
        Ok(match self.told.at(values)? {
            Holding::Case(formula, point) => {
                let shape = &self.told.chain.last().shape;
                let view = formula.view_at(&self.told.defs, shape, &point);
                view.map_or(At::Open, At::View)
            }
            Holding::Nothing => At::NotOneView,
            Holding::Open => At::Open,
            Holding::Refused => At::Refused,
        })
    }
}

impl Formula {
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
        let mut bounds = Vec::new();
        for ((lo, hi), &size) in self.bounds.iter().zip(&shape) {
            let (lo, hi) = (number(lo)?, number(hi)?);
            if lo >= hi {
                return View::nothing(&shape).ok();
            }
            if lo < 0 || hi > size {
                return None;
            }
            bounds.push((lo, hi));
        }
        let strides = all(&self.strides)?;
        View::new(&shape, &strides, number(&self.offset)?, Validity::boxed(&bounds)).ok()
    }
}

/// What ops require, as it is told.
pub(crate) fn shown_requires(names: &Names, requires: &[Clause]) -> Choice {
    let defs = names.defs();
    let mut choice: Choice = vec![Vec::new()];
    for clause in requires {
        let options: Vec<Cond> = clause
            .iter()
            .flat_map(|cond| match print::either(&defs, cond) {
                Some(two) => two.to_vec(),
                None => vec![remainder_form(names, cond)],
            })
            .collect();
        // Too many alternatives are written as one comparison: nothing is negative that may be empty.
        let options =
            match choice.len() * options.len() > MOST_LISTS {
                true => vec![clause.iter().skip(1).fold(clause[0].clone(), |product, cond| {
                    Cond::Ge(product.poly() * cond.poly())
                })],
                false => options,
            };
        let mut lists: Choice = Vec::new();
        for (list, cond) in choice.iter().flat_map(|l| options.iter().map(move |c| (l, c))) {
            let mut list = list.clone();
            add_required(&mut list, cond);
            lists.push(list);
        }
        // A list that asks for more than another is not needed.
        let covered = |l: usize, k: usize| {
            l != k
                && lists[k].iter().all(|cond| lists[l].contains(cond))
                && (lists[k].len() < lists[l].len() || k < l)
        };
        choice = (0..lists.len())
            .filter(|&l| !(0..lists.len()).any(|k| covered(l, k)))
            .map(|l| lists[l].clone())
            .collect();
    }
    choice
}

/// More alternatives of what is required than this are not written out.
const MOST_LISTS: usize = 32;

/// Adds a condition; of two bounds of one polynomial the stronger one stays, at the place of the first.
fn add_required(list: &mut Vec<Cond>, cond: &Cond) {
    for known in list.iter_mut() {
        if known == cond {
            return;
        }
        if let (Cond::Ge(p), Cond::Ge(q)) = (&*known, cond)
            && let Some(more) = (p - q).as_number()
        {
            // q + more is known to be 0 or more.
            if more > 0 {
                *known = cond.clone();
            }
            return;
        }
    }
    list.push(cond.clone());
}

/// Conditions as they are told.
pub(crate) fn simplified_choice(root: &Domain, names: &Names, choice: &Choice) -> Choice {
    let list = |conds: &Vec<Cond>| conds.iter().map(|c| simplified(root, names, c)).collect();
    choice.iter().map(list).collect()
}

/// Whether one of the lists holds; `None` if that cannot be evaluated.
pub(crate) fn chosen(choice: &Choice, holds: &impl Fn(&Cond) -> Option<bool>) -> Option<bool> {
    let mut unknown = false;
    for conds in choice {
        let mut all = Some(true);
        for cond in conds {
            match holds(cond) {
                Some(true) => {}
                Some(false) => {
                    all = Some(false);
                    break;
                }
                None => all = None,
            }
        }
        match all {
            Some(true) => return Some(true),
            Some(false) => {}
            None => unknown = true,
        }
    }
    if unknown { None } else { Some(false) }
}

/// p ≥ 0 as p = 0 where that is the same on the domain.
fn simplified(root: &Domain, names: &Names, cond: &Cond) -> Cond {
    match cond {
        Cond::Ge(p) if is_equality(root, names, p) => remainder_form(names, &Cond::Eq(p.clone())),
        other => remainder_form(names, other),
    }
}

/// a − k·(a div k) written as a mod k.
fn remainder_form(names: &Names, cond: &Cond) -> Cond {
    let p = cond.poly();
    let content = p.content();
    let whole = content > 1 && (matches!(cond, Cond::Ge(_)) || p.constant() % content == 0);
    let p = &if whole { p.divided_down(content) } else { p.clone() };
    for v in p.vars() {
        if let Def::Quotient(num, den) = names.def(v) {
            let rest = &num - &(&den * &Poly::var(v));
            for sign in [1, -1] {
                let other = p - &rest.scaled(sign);
                if !other.mentions(v)
                    && other.as_number().is_some()
                    && let Some(r) = names.intern(Def::Remainder(num.clone(), den.clone()))
                {
                    return cond.map(|_| &other + &Poly::var(r).scaled(sign));
                }
            }
        }
    }
    cond.map(|_| p.clone())
}

pub(crate) fn shown(
    defs: &[Def],
    given: &[Poly],
    shape: &[Poly],
    formula: &Formula,
) -> SymbolicView {
    let text = |p: &Poly| print::expr(defs, p);
    let whole = |place: usize, (lo, hi): &(Poly, Poly)| {
        lo.is_zero() && ((hi - &shape[place]).is_zero() || (hi - &given[place]).is_zero())
    };
    let trivial = formula.bounds.iter().enumerate().all(|(place, bounds)| whole(place, bounds));
    SymbolicView {
        shape: given.iter().map(text).collect(),
        strides: formula.strides.iter().map(text).collect(),
        offset: text(&formula.offset),
        mask: (!trivial && !formula.nothing)
            .then(|| formula.bounds.iter().map(|(lo, hi)| (text(lo), text(hi))).collect()),
        nothing: formula.nothing,
    }
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let cases: Vec<(&Guard, &SymbolicView)> =
            self.shown.iter().map(|case| (&case.guard, &case.view)).collect();
        let always = cases.first().filter(|(guard, _)| guard.is_always());
        self.told.write(f, &cases, always.map(|(_, view)| view))
    }
}
