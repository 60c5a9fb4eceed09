//! What every answer by cases holds: the cases with their conditions, what is open and what the ops
//! require, as they are told and as they are evaluated at a point.

use serde::Serialize;
use smallvec::SmallVec;

use crate::chain::SymbolicChain;
use crate::cond::{Choice, Clause, Cond, one_holds};
use crate::domain::Domain;
use crate::error::Error;
use crate::group::{Formula, Grouped, is_equality};
use crate::guard::Guard;
use crate::names::{Def, Names, used};
use crate::poly::{Poly, Var};
use crate::print;

/// For which parameters there is a case.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Kind {
    /// For all that the ops allow.
    Always,
    /// For none.
    Never,
    /// For some, or it is open for some.
    When,
}

/// What an answer says at one point.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum At<T> {
    /// A case holds, and says this.
    Yes(T),
    /// No case holds: not one view, or not the same function.
    No,
    /// The concrete library is to be asked.
    Open,
    /// Some op is not allowed there.
    Refused,
}

/// Cases, each right wherever its condition holds; where it is open; what the ops require.
#[derive(Debug, Clone)]
pub(crate) struct Report {
    pub chain: SymbolicChain,
    pub defs: Vec<Def>,
    pub cases: Vec<(Choice, Formula)>,
    pub open: Choice,
    /// Whether something is left where no case holds and nothing is open.
    pub rest: bool,
    /// The variables that conditions use and that have a definition, each after those that it uses.
    used: Vec<Var>,
    pub shown_open: Guard,
    pub shown_requires: Guard,
}

impl Report {
    pub(crate) fn new(chain: &SymbolicChain, names: &Names, grouped: Grouped) -> Report {
        let plain = |choice: &Choice| simplified_choice(&chain.domain, names, choice);
        let cases: Vec<(Choice, Formula)> =
            grouped.cases.into_iter().map(|(choice, view)| (plain(&choice), view)).collect();
        let (open, rest) = (plain(&grouped.open), grouped.rest);
        let shown_requires = shown_requires(names, &chain.requires);
        let defs = names.defs();
        let shown_open = print::guard(&defs, &open);
        let lists = cases.iter().flat_map(|(choice, _)| choice).chain(&open);
        let conds = lists.chain(&chain.requires).flatten();
        let used = used(&defs, conds.map(Cond::poly));
        Report { chain: chain.clone(), defs, cases, open, rest, used, shown_open, shown_requires }
    }

    /// For which parameters there is a case.
    pub(crate) fn kind(&self) -> Kind {
        match &self.cases[..] {
            _ if self.open.is_empty() && !self.rest => Kind::Always,
            [] if self.open.is_empty() => Kind::Never,
            _ => Kind::When,
        }
    }

    /// Which case holds for these values of all parameters; open where that cannot be evaluated.
    pub(crate) fn choose(&self, point: impl Iterator<Item = i128>) -> At<usize> {
        let mut values: SmallVec<[Option<i128>; 24]> = point.map(Some).collect();
        for &v in &self.used {
            let place = usize::from(v);
            let value = self.defs[place].value(&|w| values[usize::from(w)]);
            values.resize(values.len().max(place + 1), None);
            values[place] = value;
        }
        let holds = |cond: &Cond| {
            let value = cond.poly().value(&|v| values[usize::from(v)])?;
            Some(cond.holds_for(value))
        };
        for clause in &self.chain.requires {
            match one_holds(clause, holds) {
                Some(true) => {}
                Some(false) => return At::Refused,
                None => return At::Open,
            }
        }
        // Every case is right by itself, so one that divides by 0 there does not stand before the others.
        let mut known = true;
        for (number, (choice, _)) in self.cases.iter().enumerate() {
            match chosen(choice, &holds) {
                Some(true) => return At::Yes(number),
                Some(false) => {}
                None => known = false,
            }
        }
        match chosen(&self.open, &holds) {
            Some(false) if known => At::No,
            _ => At::Open,
        }
    }

    /// What the case that holds at a point says; open where it says nothing.
    pub(crate) fn at<T>(
        &self,
        values: &[(&str, i64)],
        said: impl FnOnce(&Formula, &[i128]) -> Option<T>,
    ) -> Result<At<T>, Error> {
        let point = self.chain.point(values)?;
        Ok(match self.choose(point.iter().copied()) {
            At::Yes(number) => said(&self.cases[number].1, &point).map_or(At::Open, At::Yes),
            At::No => At::No,
            At::Open => At::Open,
            At::Refused => At::Refused,
        })
    }
}

/// What ops require, as it is told.
pub(crate) fn shown_requires(names: &Names, requires: &[Clause]) -> Guard {
    let defs = names.defs();
    let mut choice: Choice = vec![Vec::new()];
    for clause in requires {
        let mut options: Vec<Cond> = clause
            .iter()
            .flat_map(|cond| match print::either(&defs, cond) {
                Some(two) => two.to_vec(),
                None => vec![remainder_form(names, cond)],
            })
            .collect();
        // Too many alternatives are written as one comparison: nothing is negative that may be empty.
        if choice.len() * options.len() > MOST_LISTS {
            options = vec![match &clause[..] {
                [one] => one.clone(),
                several => Cond::Ge(several.iter().map(Cond::poly).product()),
            }];
        }
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
    print::guard(&names.defs(), &choice)
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

/// Whether a choice holds, `None` if that needs what cannot be evaluated.
fn chosen(choice: &Choice, holds: &impl Fn(&Cond) -> Option<bool>) -> Option<bool> {
    let fails = |conds: &Vec<Cond>| all(conds.iter().map(holds)).map(|holds| !holds);
    all(choice.iter().map(fails)).map(|none| !none)
}

/// Whether all are true; one that is not decides, one that is not known leaves it open.
fn all(mut truths: impl Iterator<Item = Option<bool>>) -> Option<bool> {
    let known = truths.try_fold(Some(true), |known, truth| match truth {
        Some(false) => None,
        truth => Some(known.and(truth)),
    });
    known.unwrap_or(Some(false))
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
    let cond = cond.reduced();
    let p = cond.poly();
    for v in p.vars() {
        if let Def::Quotient(num, den) = names.def(v) {
            let rest = &num - &den * Poly::var(v);
            for sign in [1, -1] {
                let other = p - &rest.scaled(sign);
                if !other.mentions(v)
                    && other.as_number().is_some()
                    && let Some(r) = names.intern(Def::Remainder(num.clone(), den.clone()))
                {
                    return cond.map(|_| &other + Poly::var(r).scaled(sign));
                }
            }
        }
    }
    cond
}
