//! Cases joined and their conditions shortened.
//!
//! Leaves that one formula fits form one case. A condition of a path is dropped if the larger
//! region still misses every leaf that the formula does not fit, leaves that are open included.
//!
//! Example: (A,B):(s0,s1) flattened has the leaves A = 1; A ≥ 2, B = 1; A ≥ 2, B ≥ 2, s0 = B·s1; and
//! one that is no view. The stride s1 fits the first and the third: A == 1 or s0 == B*s1.

use std::cell::RefCell;
use std::cmp::Reverse;
use std::collections::HashMap;

use crate::cases::{Leaf, points};
use crate::cond::{Choice, Cond};
use crate::domain::{Domain, State};
use crate::engine::Outcome;
use crate::names::{Def, Names, used, value};
use crate::poly::{Poly, Var};
use crate::print;
use crate::stage::Stage;

/// A view in terms that mean the same in every case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Formula {
    /// Valid in a box or nowhere; over the factors of all axes if axes are cut.
    pub(crate) view: Stage,
    /// The factors of every axis that the view is over; empty if no axis is cut.
    pub(crate) cuts: Vec<Vec<Poly>>,
}

/// The cases, each right wherever its conditions hold; where it is open; and whether more is left.
pub(crate) struct Grouped {
    pub(crate) cases: Vec<(Choice, Formula)>,
    pub(crate) open: Choice,
    pub(crate) rest: bool,
}

/// Joins leaves.
pub(crate) fn group(
    names: &Names,
    root: &Domain,
    mut leaves: Vec<Leaf>,
    shape: &[Poly],
    plain: Option<Formula>,
) -> Grouped {
    let formulas = formulas(names, &mut leaves, shape, plain);
    // Which leaves each formula fits.
    let mut fits: Vec<Vec<bool>> = Vec::new();
    for formula in &formulas {
        fits.push(leaves.iter_mut().map(|leaf| leaf.fits(names, formula)).collect());
    }
    let mut todo: Vec<usize> = (0..leaves.len()).filter(|&l| leaves[l].is_view()).collect();
    let mut chosen: Vec<usize> = Vec::new();
    while !todo.is_empty() {
        let covers = |f: &usize| todo.iter().filter(|&&l| fits[*f][l]).count();
        let best = (0..formulas.len()).max_by_key(|f| (covers(f), Reverse(*f)));
        let Some(best) = best.filter(|f| covers(f) > 0) else {
            // Nothing fits: left to the concrete solver.
            todo.iter().for_each(|&l| leaves[l].outcome = Outcome::Open);
            break;
        };
        todo.retain(|&l| !fits[best][l]);
        chosen.push(best);
    }
    let all = 0..leaves.len();
    let mut shorten =
        Shorten { names, regions: RefCell::default(), defs: names.defs(), root, leaves };
    let split = |f: usize| all.clone().partition::<Vec<usize>, _>(|&l| fits[f][l]);
    // Leaves that one formula only fits shape its guard; the others are covered where they can be.
    let fitting = |l: usize| chosen.iter().filter(|&&f| fits[f][l]).count();
    let mut cases: Vec<(Choice, Formula)> = Vec::new();
    for &f in &chosen {
        let (mut mine, bad) = split(f);
        mine.retain(|&l| fitting(l) == 1);
        let mut guard = Vec::new();
        shorten.add(&mut guard, &mine, &bad, Some(&formulas[f]));
        cases.push((guard, formulas[f].clone()));
    }
    for l in all.clone().filter(|&l| fitting(l) > 1) {
        let fitting = || (0..chosen.len()).filter(|&place| fits[chosen[place]][l]);
        let covered = fitting().any(|place| shorten.covers(&cases[place].0, l));
        if let (false, Some(place)) = (covered, fitting().next()) {
            let (guard, formula) = &mut cases[place];
            shorten.add(guard, &[l], &split(chosen[place]).1, Some(formula));
        }
    }
    let outcome = |l: usize| &shorten.leaves[l].outcome;
    let rest = all.clone().any(|l| matches!(outcome(l), Outcome::Never));
    let (mine, bad): (Vec<usize>, _) = all.partition(|&l| matches!(outcome(l), Outcome::Open));
    let mut open = Vec::new();
    shorten.add(&mut open, &mine, &bad, None);
    Grouped { cases, open, rest }
}

/// One formula for each leaf that is a view; free strides as in a leaf where they are not free.
fn formulas(
    names: &Names,
    leaves: &mut [Leaf],
    shape: &[Poly],
    plain: Option<Formula>,
) -> Vec<Formula> {
    let over = |cuts: &[Vec<Poly>]| if cuts.is_empty() { shape.to_vec() } else { cuts.concat() };
    for leaf in leaves.iter_mut() {
        if let Outcome::View { bounds, cuts, .. } = &mut leaf.outcome {
            leaf.domain.name_ends(names, bounds, &over(cuts));
        }
    }
    let mut views: Vec<_> = leaves
        .iter()
        .filter_map(|leaf| match &leaf.outcome {
            Outcome::View { base, steps, bounds, cuts } => Some((base, steps, bounds, cuts)),
            _ => None,
        })
        .collect();
    views.sort_by_key(|(_, steps, ..)| steps.iter().filter(|s| s.is_none()).count());
    let mut found: Vec<Formula> = plain.into_iter().collect();
    for (base, steps, bounds, cuts) in &views {
        let stride = |axis: usize| {
            let mut alike = views.iter().filter(|(.., others)| others == cuts);
            let other = || alike.find_map(|(_, steps, ..)| steps[axis].clone());
            steps[axis].clone().or_else(other).unwrap_or_default()
        };
        let strides = (0..steps.len()).map(stride).collect();
        let view = Stage::from_corner(&over(cuts), strides, (*base).clone(), bounds);
        let factors = |axis: &Vec<Poly>| axis.iter().map(|p| names.expand(p)).collect();
        let formula =
            Formula { view: view.expanded(names), cuts: cuts.iter().map(factors).collect() };
        if !found.contains(&formula) {
            found.push(formula);
        }
    }
    let whole = views.iter().any(|(.., cuts)| cuts.is_empty());
    let nothing = |leaf: &Leaf| match leaf.outcome {
        Outcome::Nothing => true,
        Outcome::Empty => !whole,
        _ => false,
    };
    if leaves.iter().any(nothing) {
        let strides = vec![Poly::zero(); shape.len()];
        let mut view = Stage::strided(shape.to_vec(), strides, Poly::zero());
        view.close();
        found.push(Formula { view, cuts: Vec::new() });
    }
    found
}

impl Domain {
    /// Writes an end of a valid interval as the size where it is the size.
    pub(crate) fn name_ends(&mut self, names: &Names, bounds: &mut [(Poly, Poly)], shape: &[Poly]) {
        for ((_, hi), size) in bounds.iter_mut().zip(shape) {
            if self.norm(names, &(&*hi - size)).is_zero() {
                *hi = size.clone();
            }
        }
    }

    /// The part where some conditions hold.
    fn where_all(&self, names: &Names, conds: &[Cond]) -> Domain {
        let mut part = self.clone();
        conds.iter().for_each(|cond| part.assume(names, cond));
        part
    }

    fn implies_all(&mut self, names: &Names, conds: &[Cond]) -> bool {
        conds.iter().all(|cond| self.implies(names, cond))
    }
}

impl Leaf {
    /// Whether there is a formula for it.
    fn is_view(&self) -> bool {
        !matches!(self.outcome, Outcome::Never | Outcome::Open)
    }

    /// Whether a formula is right in this case.
    fn fits(&mut self, names: &Names, formula: &Formula) -> bool {
        let Formula { view, cuts: factors } = formula;
        let (nothing, whole) = (!view.alive.is_empty(), factors.is_empty());
        let Some(valid) = view.intervals() else { return false };
        let domain = &mut self.domain;
        let mut same = |a: &Poly, b: &Poly| domain.implies(names, &Cond::Eq(a - b));
        match &self.outcome {
            Outcome::Never | Outcome::Open => false,
            // Where nothing is valid nothing is cut.
            Outcome::Empty => whole,
            Outcome::Nothing => {
                let mut empty = |(lo, hi): &(Poly, Poly)| domain.implies(names, &Cond::Ge(lo - hi));
                whole && (nothing || valid.iter().any(&mut empty))
            }
            Outcome::View { base, steps, bounds, cuts } => {
                let counts = |cuts: &[Vec<Poly>]| cuts.iter().map(Vec::len).collect::<Vec<_>>();
                if nothing || counts(cuts) != counts(factors) {
                    return false;
                }
                let mut corner = view.offset.clone();
                for (stride, (lo, _)) in view.strides.iter().zip(bounds) {
                    corner += stride * lo;
                }
                let mut sizes = cuts.iter().flatten().zip(factors.iter().flatten());
                let mut ends = bounds.iter().zip(&valid);
                let mut strides = steps.iter().zip(&view.strides).zip(bounds);
                sizes.all(|(a, b)| same(a, b))
                    && same(&corner, base)
                    && ends.all(|((lo, hi), (low, high))| same(lo, low) && same(hi, high))
                    && strides.all(|((step, stride), (lo, hi))| {
                        // A step along one valid index is no step.
                        let single = |p: &Poly| same(p, stride) || same(&(hi - lo), &Poly::one());
                        step.as_ref().is_none_or(single)
                    })
            }
        }
    }

    /// Whether a formula is right in this case where some conditions hold.
    fn fits_where(&self, names: &Names, formula: &Formula, conds: &[Cond]) -> bool {
        if !self.is_view() {
            return false;
        }
        let mut part = Leaf { domain: self.domain.where_all(names, conds), ..self.clone() };
        part.domain.dead || part.fits(names, formula)
    }

    /// Whether one of the sampled points of the case satisfies all conditions.
    fn meets(&self, defs: &[Def], conds: &[Cond]) -> bool {
        let holds = |point: &[i128]| conds.iter().all(|c| c.holds(defs, point) == Some(true));
        self.points.iter().any(|point| holds(point))
    }
}

/// The leaves of a question while their conditions are shortened.
struct Shorten<'a> {
    names: &'a Names<'a>,
    /// The parts where lists of conditions hold.
    regions: RefCell<HashMap<Vec<Cond>, Domain>>,
    defs: Vec<Def>,
    root: &'a Domain,
    leaves: Vec<Leaf>,
}

impl Shorten<'_> {
    /// The part where some conditions hold.
    fn region(&self, conds: &[Cond]) -> Domain {
        let Some((last, others)) = conds.split_last() else { return self.root.clone() };
        if let Some(known) = self.regions.borrow().get(conds) {
            return known.clone();
        }
        let region = self.region(others).with(self.names, last);
        self.regions.borrow_mut().insert(conds.to_vec(), region.clone());
        region
    }

    /// Whether a leaf lies in one of the regions of a choice.
    fn covers(&mut self, choice: &Choice, l: usize) -> bool {
        let domain = &mut self.leaves[l].domain;
        choice.iter().any(|conds| domain.implies_all(self.names, conds))
    }

    /// Adds conditions for some leaves that hold in none of the bad ones, or only where the formula is
    /// right in them too.
    fn add(
        &mut self,
        choice: &mut Choice,
        mine: &[usize],
        bad: &[usize],
        formula: Option<&Formula>,
    ) {
        if mine.is_empty() {
            return;
        }
        if bad.is_empty() {
            *choice = vec![Vec::new()];
            return;
        }
        let mut order = mine.to_vec();
        order.sort_by_key(|&l| self.leaves[l].path.len());
        for l in order {
            if !self.covers(choice, l) {
                let conds = self.shortened(&self.leaves[l].path, bad, formula);
                choice.push(match formula.and_then(|_| self.plainer(&conds)) {
                    Some(plain) => self.shortened(&plain, bad, formula),
                    None => conds,
                });
            }
        }
        // What another list covers is not needed.
        let mut place = 0;
        while place < choice.len() {
            let mut region = self.region(&choice[place]);
            let mut covers = |other: &Vec<Cond>| region.implies_all(self.names, other);
            let (before, after) = (&choice[..place], &choice[place + 1..]);
            if before.iter().chain(after).any(&mut covers) {
                choice.remove(place);
            } else {
                place += 1;
            }
        }
    }

    /// The same with equalities for conditions that say no more: W·(M div W) + 1 ≥ M + M div W is M = W where M ≥ W.
    /// `None` if nothing changes.
    fn plainer(&self, conds: &[Cond]) -> Option<Vec<Cond>> {
        let length = |cond: &Cond| print::atom(&self.defs, cond).to_string().len();
        (0..conds.len()).rev().find_map(|place| {
            let cond = &conds[place];
            if cond.poly().terms().len() < 3 || matches!(cond, Cond::Ne(_)) {
                return None;
            }
            let (before, after) = (&conds[..place], &conds[place + 1..]);
            let region = self.region(&[before, after].concat());
            let known = region.with(self.names, cond);
            let told = |v: Var| match known.state(v) {
                State::Gone(by) => Some(Cond::Eq(self.names.expand(&(Poly::var(v) - by)))),
                _ => None,
            };
            let told: Vec<Cond> = region.free_vars().into_iter().filter_map(told).collect();
            let plainer = told.iter().map(length).sum::<usize>() < length(cond)
                && region.where_all(self.names, &told).implies(self.names, cond);
            (plainer && !told.is_empty()).then(|| [before, &told, after].concat())
        })
    }

    /// What a condition divides by, apart from numbers.
    fn divisors(&self, cond: &Cond) -> Vec<&Poly> {
        let divisor = |v: Var| match &self.defs[usize::from(v)] {
            Def::Quotient(_, by) | Def::Remainder(_, by) if by.as_number().is_none() => Some(by),
            _ => None,
        };
        used(&self.defs, [cond.poly()].into_iter()).into_iter().filter_map(divisor).collect()
    }

    /// Whether what some conditions divide by is 1 or more wherever the others hold.
    fn are_defined(&self, conds: &[Cond]) -> bool {
        let mut divisors: Vec<&Poly> = conds.iter().flat_map(|cond| self.divisors(cond)).collect();
        divisors.dedup();
        divisors.into_iter().all(|by| {
            let other = |cond: &&Cond| !self.divisors(cond).contains(&by);
            let others: Vec<Cond> = conds.iter().filter(other).cloned().collect();
            let mut region = self.region(&others);
            region.implies(self.names, &Cond::Ge(by - 1))
        })
    }

    /// The conditions of a path that cannot be left out.
    fn shortened(&self, path: &[Cond], bad: &[usize], formula: Option<&Formula>) -> Vec<Cond> {
        let mut conds = path.to_vec();
        // Equalities are worth keeping, so the others are tried first; before them what divides, which needs others.
        let mut tries = conds.clone();
        tries.sort_by_cached_key(|cond| match cond {
            _ if !self.divisors(cond).is_empty() => 0,
            Cond::Ne(_) => 1,
            Cond::Ge(p) => 2 + usize::from(is_equality(self.root, self.names, p)),
            Cond::Eq(_) => 4,
        });
        for cond in tries {
            let less: Vec<Cond> = conds.iter().filter(|c| **c != cond).cloned().collect();
            if less.len() == conds.len() {
                continue;
            }
            // Most leaves stay apart by another condition. Of the others, a point where no formula is right shows that
            // this one is needed.
            let opposites: Vec<Cond> = less.iter().map(Cond::negated).collect();
            let near = |leaf: &&Leaf| !leaf.path.iter().any(|cond| opposites.contains(cond));
            let near: Vec<(&Leaf, bool)> = (bad.iter().map(|&b| &self.leaves[b]).filter(near))
                .map(|leaf| (leaf, leaf.meets(&self.defs, &less)))
                .collect();
            if near.iter().any(|(leaf, met)| *met && (formula.is_none() || !leaf.is_view())) {
                continue;
            }
            let region = self.region(&less);
            let spared = |(leaf, met): &(&Leaf, bool)| {
                let fits = |formula: &Formula| leaf.fits_where(self.names, formula, &less);
                (!met && region.excludes(self.names, &leaf.path)) || formula.is_some_and(fits)
            };
            if near.iter().all(spared) && self.are_defined(&less) {
                conds = less;
            }
        }
        // What is divided by comes first, unless it is 1 or more everywhere.
        let doubtful = |by: &&&Poly| !self.root.clone().implies(self.names, &Cond::Ge(**by - 1));
        conds.sort_by_cached_key(|cond| self.divisors(cond).iter().filter(doubtful).count());
        conds
    }
}

/// Whether p ≥ 0 says p = 0 on the root domain.
pub(crate) fn is_equality(root: &Domain, names: &Names, p: &Poly) -> bool {
    // Mostly a point shows that it does not.
    let positive = |point: &Vec<i128>| names.with_defs(|defs| value(defs, point, p) > Some(0));
    !points(names, root).iter().any(positive) && root.clone().implies(names, &Cond::Ge(-p))
}
