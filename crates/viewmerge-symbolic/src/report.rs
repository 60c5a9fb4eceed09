//! What an answer says at a point, and its conditions as they are told.

use serde::Serialize;
use smallvec::SmallVec;

use crate::answer::Answer;
use crate::cond::{Choice, Clause, Cond, all, any};
use crate::domain::Domain;
use crate::error::Error;
use crate::group::{Formula, is_equality};
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
        choice = without_covered(&lists);
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
    let lists = choice.iter().map(|conds| {
        let mut list = Vec::new();
        for cond in conds {
            let equal = matches!(cond, Cond::Ge(p) if is_equality(root, names, p));
            let cond = if equal { Cond::Eq(cond.poly().clone()) } else { cond.clone() };
            add_cond(&mut list, &remainder_form(names, &cond));
        }
        list
    });
    without_covered(&lists.collect::<Choice>())
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
