//! Whether there is a case, what an answer says at a point, and conditions as they are printed.

use serde::Serialize;

use crate::combine::extended;
use crate::cond::{Choice, Clause, Cond};
use crate::domain::Domain;
use crate::group::is_equality;
use crate::guard::Guard;
use crate::names::{Def, Names};
use crate::poly::Poly;
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

/// What ops require, as it is told.
pub(crate) fn shown_requires(names: &Names, requires: &[Clause]) -> Guard {
    let mut choice: Choice = vec![Vec::new()];
    for clause in requires {
        let mut options = clause.clone();
        // Too many alternatives are written as one comparison: nothing is negative that may be empty.
        if choice.len() * options.len() > MOST_LISTS {
            options = vec![match &clause[..] {
                [one] => one.clone(),
                several => Cond::Ge(several.iter().map(Cond::poly).product()),
            }];
        }
        choice = told(names, extended(&choice, &options));
    }
    print::guard(&names.defs(), &choice)
}

/// More alternatives of what is required than this are not written out.
const MOST_LISTS: usize = 32;

/// The lists that do not ask for more than another one.
fn without_covered(lists: &[Vec<Cond>]) -> Choice {
    let says_all = |more: &[Cond], less: &[Cond]| {
        less.iter().all(|asked| more.iter().any(|known| says(known, asked)))
    };
    let covered = |l: usize| {
        (0..lists.len()).any(|k| {
            let more = says_all(&lists[l], &lists[k]);
            l != k && more && (k < l || !says_all(&lists[k], &lists[l]))
        })
    };
    (0..lists.len()).filter(|&l| !covered(l)).map(|l| lists[l].clone()).collect()
}

/// Whether a condition plainly says another one: it is the same, or a bound that is no weaker.
fn says(known: &Cond, asked: &Cond) -> bool {
    let (Cond::Ge(p) | Cond::Eq(p), Cond::Ge(q)) = (known, asked) else { return known == asked };
    let enough = |more: Poly| more.as_number().is_some_and(|more| more >= 0);
    enough(q - p) || matches!(known, Cond::Eq(_)) && enough(q + p)
}

/// Adds a condition; of two bounds of one polynomial the stronger one stays, at the place of the first,
/// and two that leave one value are an equality.
fn add_cond(list: &mut Vec<Cond>, cond: &Cond) {
    for known in list.iter_mut() {
        if says(known, cond) {
            return;
        }
        let (Cond::Ge(p), Cond::Ge(q)) = (&*known, cond) else { continue };
        let one_value = (p + q).is_zero();
        if one_value || says(cond, known) {
            *known = if one_value { Cond::Eq(p.clone()) } else { cond.clone() };
            return;
        }
    }
    list.push(cond.clone());
}

/// Conditions as they are told: p ≥ 0 as p = 0 where that is the same on the domain, and each list once.
pub(crate) fn simplified(root: &Domain, names: &Names, choice: &Choice) -> Choice {
    let plain = |cond: &Cond| match cond {
        Cond::Ge(p) if is_equality(root, names, p) => Cond::Eq(p.clone()),
        cond => cond.clone(),
    };
    told(names, choice.iter().map(|conds| conds.iter().map(plain).collect()))
}

/// Lists without what they say twice, and each once.
fn told(names: &Names, lists: impl Iterator<Item = Vec<Cond>>) -> Choice {
    let told = lists.map(|conds| {
        let mut list = Vec::new();
        conds.iter().for_each(|cond| add_cond(&mut list, &remainder_form(names, cond)));
        list
    });
    without_covered(&told.collect::<Choice>())
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::poly::Var;

    #[test]
    fn each_list_once() {
        let least = |v: Var, x: i128| Cond::Ge(Poly::var(v) - x);
        let is = |v: Var, x: i128| Cond::Eq(Poly::var(v) - x);
        let both = vec![least(0, 2), least(1, 2)];
        let rows = [
            (vec![both.clone(), both.clone()], vec![0]),
            (vec![vec![least(1, 2), least(0, 2)], both.clone()], vec![0]),
            (vec![vec![is(0, 2), least(1, 2)], both.clone()], vec![1]),
            (vec![both.clone(), vec![least(0, 3), least(1, 2)], vec![is(1, 4)]], vec![0, 2]),
            (vec![both.clone(), vec![least(1, 2)]], vec![1]),
            (vec![both.clone(), vec![least(0, 2), least(1, 1)], Vec::new()], vec![2]),
        ];
        for (lists, kept) in rows {
            let expected: Choice = kept.iter().map(|&k: &usize| lists[k].clone()).collect();
            assert_eq!(without_covered(&lists), expected, "{lists:?}");
        }
    }
}
