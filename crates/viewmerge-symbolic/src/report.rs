//! What every answer by cases holds: the cases with their conditions, what is open and what the ops
//! require, as they are told and as they are evaluated at a point.

use std::fmt::{self, Display};

use crate::chain::SymbolicChain;
use crate::cond::{Choice, Clause, Cond, one_holds};
use crate::domain::Domain;
use crate::error::Error;
use crate::group::{Formula, Grouped, is_equality};
use crate::guard::Guard;
use crate::names::{Def, Names};
use crate::poly::Poly;
use crate::print;

/// Cases, each right wherever its condition holds; where it is open; what the ops require.
#[derive(Debug, Clone)]
pub(crate) struct Report {
    pub chain: SymbolicChain,
    pub defs: Vec<Def>,
    pub cases: Vec<(Choice, Formula)>,
    pub open: Choice,
    /// Whether something is left where no case holds and nothing is open.
    pub rest: bool,
    pub shown_open: Guard,
    pub shown_requires: Guard,
}

/// What holds at a point.
pub(crate) enum Holding<'a> {
    /// A case that does, and the values of the parameters.
    Case(&'a Formula, Vec<i128>),
    /// No case, and nothing is open.
    Nothing,
    Open,
    /// Some op is not allowed there.
    Refused,
}

impl Report {
    pub(crate) fn new(chain: &SymbolicChain, names: &Names, grouped: Grouped) -> Report {
        let plain = |choice: &Choice| simplified_choice(&chain.domain, names, choice);
        let cases: Vec<(Choice, Formula)> =
            grouped.cases.into_iter().map(|(choice, view)| (plain(&choice), view)).collect();
        let (open, rest) = (plain(&grouped.open), grouped.rest);
        let requires = shown_requires(names, &chain.requires);
        let defs = names.defs();
        let shown_open = print::guard(&defs, &open);
        let shown_requires = print::guard(&defs, &requires);
        Report { chain: chain.clone(), defs, cases, open, rest, shown_open, shown_requires }
    }

    /// The guard of a case.
    pub(crate) fn guard(&self, choice: &Choice) -> Guard {
        print::guard(&self.defs, choice)
    }

    /// What holds at a point; open where that cannot be evaluated.
    pub(crate) fn at(&self, values: &[(&str, i64)]) -> Result<Holding<'_>, Error> {
        let point = self.chain.point(values)?;
        let holds = |cond: &Cond| cond.holds(&self.defs, &point);
        for clause in &self.chain.requires {
            match one_holds(clause, &self.defs, &point) {
                Some(true) => {}
                Some(false) => return Ok(Holding::Refused),
                None => return Ok(Holding::Open),
            }
        }
        // Every case is right by itself, so one that divides by 0 there does not stand before the others.
        let mut known = true;
        for (choice, formula) in &self.cases {
            match chosen(choice, &holds) {
                Some(true) => return Ok(Holding::Case(formula, point)),
                Some(false) => {}
                None => known = false,
            }
        }
        Ok(match chosen(&self.open, &holds) {
            Some(false) if known => Holding::Nothing,
            _ => Holding::Open,
        })
    }

    /// Writes the answer: one case that always holds, *never*, or all that there is.
    pub(crate) fn write<C: Display>(
        &self,
        f: &mut fmt::Formatter<'_>,
        cases: &[(&Guard, C)],
        always: Option<&C>,
    ) -> fmt::Result {
        if let Some(case) = always {
            write!(f, "always {case}")?;
        } else if cases.is_empty() && self.open.is_empty() {
            f.write_str("never")?;
        } else {
            for (place, (guard, case)) in cases.iter().enumerate() {
                let before = if place == 0 { "" } else { "; " };
                write!(f, "{before}{guard} -> {case}")?;
            }
            if !self.open.is_empty() {
                let before = if cases.is_empty() { "" } else { "; " };
                write!(f, "{before}open {}", self.shown_open)?;
            }
        }
        if !self.shown_requires.is_always() {
            write!(f, ", requires {}", self.shown_requires)?;
        }
        Ok(())
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
            add_cond(&mut list, cond);
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

/// Adds a condition; of two bounds of one polynomial the stronger one stays, at the place of the first,
/// and two that leave one value are an equality.
fn add_cond(list: &mut Vec<Cond>, cond: &Cond) {
    for known in list.iter_mut() {
        if known == cond {
            return;
        }
        let (Cond::Ge(p) | Cond::Eq(p), Cond::Ge(q)) = (&*known, cond) else { continue };
        let equal = matches!(known, Cond::Eq(_));
        // How much more is known than is asked.
        match ((q - p).as_number(), (q + p).as_number()) {
            (Some(0..), _) => return,
            (_, Some(0..)) if equal => return,
            (Some(_), _) if !equal => {
                *known = cond.clone();
                return;
            }
            (_, Some(0)) => {
                *known = Cond::Eq(p.clone());
                return;
            }
            _ => {}
        }
    }
    list.push(cond.clone());
}

/// Conditions as they are told.
fn simplified_choice(root: &Domain, names: &Names, choice: &Choice) -> Choice {
    let list = |conds: &Vec<Cond>| {
        let mut list = Vec::new();
        conds.iter().for_each(|cond| add_cond(&mut list, &simplified(root, names, cond)));
        list
    };
    choice.iter().map(list).collect()
}

/// Whether one of the lists holds; `None` if that cannot be evaluated.
fn chosen(choice: &Choice, holds: &impl Fn(&Cond) -> Option<bool>) -> Option<bool> {
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
