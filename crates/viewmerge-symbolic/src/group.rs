//! Cases joined and their conditions shortened.
//!
//! Leaves that one formula fits form one case. A condition of a path is dropped if the larger
//! region still misses every leaf that the formula does not fit, leaves that are open included.
//!
//! Example: (A,B):(s0,s1) flattened has the leaves A = 1; A ≥ 2, B = 1; A ≥ 2, B ≥ 2, s0 = B·s1; and
//! one that is no view. The stride s1 fits the first and the third: A == 1 or s0 == B*s1.

use crate::cases::Leaf;
use crate::cond::{Choice, Cond};
use crate::domain::Domain;
use crate::engine::Outcome;
use crate::names::Names;
use crate::poly::Poly;

/// A view in terms that mean the same in every case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Formula {
    pub(crate) strides: Vec<Poly>,
    pub(crate) offset: Poly,
    pub(crate) bounds: Vec<(Poly, Poly)>,
    /// Valid nowhere.
    pub(crate) nothing: bool,
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
    let good = |leaf: &Leaf| !matches!(leaf.outcome, Outcome::Never | Outcome::Open);
    let mut todo: Vec<bool> = leaves.iter().map(good).collect();
    let mut chosen: Vec<usize> = Vec::new();
    while todo.contains(&true) {
        let covers =
            |f: usize| fits[f].iter().zip(&todo).filter(|(fit, todo)| **fit && **todo).count();
        let Some(best) = (0..formulas.len()).max_by_key(|&f| (covers(f), formulas.len() - f))
        else {
            break;
        };
        if covers(best) == 0 {
            // Nothing fits: left to the concrete solver.
            for (place, leaf) in leaves.iter_mut().enumerate() {
                if todo[place] {
                    leaf.outcome = Outcome::Open;
                }
            }
            break;
        }
        for (place, todo) in todo.iter_mut().enumerate() {
            *todo &= !fits[best][place];
        }
        chosen.push(best);
    }
    // Leaves that one formula only fits shape its guard; the others are covered where they can be.
    let fitting = |l: usize| chosen.iter().filter(|&&f| fits[f][l]).count();
    let mut guards: Vec<Choice> = Vec::new();
    for &f in &chosen {
        let mine: Vec<usize> =
            (0..leaves.len()).filter(|&l| fits[f][l] && fitting(l) == 1).collect();
        let bad: Vec<usize> = (0..leaves.len()).filter(|&l| !fits[f][l]).collect();
        let mut guard = Vec::new();
        shorten(names, root, &mut leaves, &mine, &bad, Some(&formulas[f]), &mut guard);
        guards.push(guard);
    }
    for l in 0..leaves.len() {
        if !good(&leaves[l]) || fitting(l) < 2 {
            continue;
        }
        let covered = chosen.iter().zip(&guards).any(|(&f, guard)| {
            let domain = &mut leaves[l].domain;
            fits[f][l] && guard.iter().any(|conds| conds.iter().all(|c| domain.implies(names, c)))
        });
        let place = chosen.iter().position(|&f| fits[f][l]);
        if let (false, Some(place)) = (covered, place) {
            let f = chosen[place];
            let bad: Vec<usize> = (0..leaves.len()).filter(|&l| !fits[f][l]).collect();
            let formula = Some(&formulas[f]);
            shorten(names, root, &mut leaves, &[l], &bad, formula, &mut guards[place]);
        }
    }
    let cases = chosen.iter().zip(guards).map(|(&f, guard)| (guard, formulas[f].clone())).collect();
    let is_open = |leaf: &Leaf| matches!(leaf.outcome, Outcome::Open);
    let (mine, bad): (Vec<usize>, Vec<usize>) =
        (0..leaves.len()).partition(|&l| is_open(&leaves[l]));
    let mut open = Vec::new();
    shorten(names, root, &mut leaves, &mine, &bad, None, &mut open);
    let rest = leaves.iter().any(|leaf| matches!(leaf.outcome, Outcome::Never));
    Grouped { cases, open, rest }
}

/// One formula for each leaf that is a view; free strides as in a leaf where they are not free.
fn formulas(
    names: &Names,
    leaves: &mut [Leaf],
    shape: &[Poly],
    plain: Option<Formula>,
) -> Vec<Formula> {
    for leaf in leaves.iter_mut() {
        leaf.name_ends(names, shape);
    }
    let rank = shape.len();
    let mut found: Vec<Formula> = Vec::new();
    let mut add = |formula: Formula| {
        if !found.contains(&formula) {
            found.push(formula);
        }
    };
    let mut views: Vec<_> = leaves
        .iter()
        .filter_map(|leaf| match &leaf.outcome {
            Outcome::View { base, steps, bounds, cuts } => Some((base, steps, bounds, cuts)),
            _ => None,
        })
        .collect();
    if let Some(plain) = plain {
        add(plain);
    }
    views.sort_by_key(|(_, steps, ..)| steps.iter().filter(|s| s.is_none()).count());
    for (base, steps, bounds, cuts) in &views {
        let mut strides = Vec::new();
        let mut offset = (*base).clone();
        for (axis, step) in steps.iter().enumerate() {
            let other = || {
                let mut alike = views.iter().filter(|(.., others)| others == cuts);
                alike.find_map(|(_, steps, ..)| steps[axis].clone())
            };
            let stride = step.clone().or_else(other).unwrap_or_default();
            offset -= &stride * &bounds[axis].0;
            strides.push(names.expand(&stride));
        }
        add(Formula {
            strides,
            offset: names.expand(&offset),
            bounds: bounds.iter().map(|(lo, hi)| (names.expand(lo), names.expand(hi))).collect(),
            nothing: false,
            cuts: cuts.iter().map(|axis| axis.iter().map(|p| names.expand(p)).collect()).collect(),
        });
    }
    let nothing = Formula {
        strides: vec![Poly::zero(); rank],
        offset: Poly::zero(),
        bounds: vec![(Poly::zero(), Poly::zero()); rank],
        nothing: true,
        cuts: Vec::new(),
    };
    let none = |leaf: &Leaf| matches!(leaf.outcome, Outcome::Nothing);
    let empty = |leaf: &Leaf| matches!(leaf.outcome, Outcome::Empty);
    let whole = views.iter().any(|(.., cuts)| cuts.is_empty());
    if leaves.iter().any(none) || (!whole && leaves.iter().any(empty)) {
        add(nothing);
    }
    found
}

impl Leaf {
    /// Writes an end of a valid interval as the size where it is the size.
    fn name_ends(&mut self, names: &Names, shape: &[Poly]) {
        if let Outcome::View { bounds, cuts, .. } = &mut self.outcome {
            let factors: Vec<Poly> = cuts.iter().flatten().cloned().collect();
            let shape = if cuts.is_empty() { shape } else { &factors };
            for ((_, hi), size) in bounds.iter_mut().zip(shape) {
                if self.domain.norm(names, &(&*hi - size)).is_zero() {
                    *hi = size.clone();
                }
            }
        }
    }

    /// Whether a formula is right in this case.
    fn fits(&mut self, names: &Names, formula: &Formula) -> bool {
        let domain = &mut self.domain;
        match &self.outcome {
            Outcome::Never | Outcome::Open => false,
            // Where nothing is valid nothing is cut.
            Outcome::Empty => formula.cuts.is_empty(),
            Outcome::Nothing if !formula.cuts.is_empty() => false,
            Outcome::Nothing => {
                formula.nothing
                    || formula.bounds.iter().any(|(lo, hi)| {
                        let p = domain.norm(names, &(lo - hi));
                        domain.proves(names, &p)
                    })
            }
            Outcome::View { base, steps, bounds, cuts } => {
                if formula.nothing || !cut_alike(cuts, &formula.cuts) {
                    return false;
                }
                let mut same = |a: &Poly, b: &Poly| {
                    let p = domain.norm(names, &(a - b));
                    p.is_zero() || domain.truth(names, &Cond::Eq(p)) == Some(true)
                };
                if !cuts
                    .iter()
                    .flatten()
                    .zip(formula.cuts.iter().flatten())
                    .all(|(a, b)| same(a, b))
                {
                    return false;
                }
                let mut corner = formula.offset.clone();
                for (stride, (lo, _)) in formula.strides.iter().zip(bounds) {
                    corner += stride * lo;
                }
                same(&corner, base)
                    && bounds
                        .iter()
                        .zip(&formula.bounds)
                        .all(|((lo, hi), (low, high))| same(lo, low) && same(hi, high))
                    && steps.iter().zip(&formula.strides).zip(bounds).all(
                        |((step, stride), (lo, hi))| {
                            // A step along one valid index is no step.
                            step.as_ref().is_none_or(|step| {
                                same(step, stride) || same(&(hi - lo), &Poly::one())
                            })
                        },
                    )
            }
        }
    }

    /// Whether a formula is right in this case where some conditions hold.
    fn fits_where(&self, names: &Names, formula: &Formula, conds: &[Cond]) -> bool {
        if matches!(self.outcome, Outcome::Never | Outcome::Open) {
            return false;
        }
        let mut part = self.clone();
        for cond in conds {
            part.domain.assume(names, cond);
        }
        part.domain.dead || part.fits(names, formula)
    }

    /// Whether one of the sampled points of the case satisfies all conditions.
    fn meets(&self, defs: &[crate::names::Def], conds: &[Cond]) -> bool {
        self.points
            .iter()
            .any(|point| conds.iter().all(|cond| cond.holds(defs, point) == Some(true)))
    }
}

/// Whether two splits have as many factors on every axis.
fn cut_alike(one: &[Vec<Poly>], other: &[Vec<Poly>]) -> bool {
    one.len() == other.len() && one.iter().zip(other).all(|(a, b)| a.len() == b.len())
}

/// Adds conditions for some leaves that hold in none of the bad ones, or only where the formula is
/// right in them too.
fn shorten(
    names: &Names,
    root: &Domain,
    leaves: &mut [Leaf],
    mine: &[usize],
    bad: &[usize],
    formula: Option<&Formula>,
    choice: &mut Choice,
) {
    if mine.is_empty() {
        return;
    }
    if bad.is_empty() {
        *choice = vec![Vec::new()];
        return;
    }
    let defs = names.defs();
    let mut order = mine.to_vec();
    order.sort_by_key(|&l| leaves[l].path.len());
    for l in order {
        let covered = choice.iter().any(|conds| {
            let domain = &mut leaves[l].domain;
            conds.iter().all(|cond| domain.implies(names, cond))
        });
        if covered {
            continue;
        }
        let mut conds = leaves[l].path.clone();
        // Equalities are worth keeping, so the others are tried first.
        let mut tries: Vec<Cond> = conds.clone();
        tries.sort_by_key(|cond| match cond {
            Cond::Ne(_) => 0,
            Cond::Ge(p) => 1 + usize::from(is_equality(root, names, p)),
            Cond::Eq(_) => 3,
        });
        for cond in tries {
            let less: Vec<Cond> = conds.iter().filter(|c| **c != cond).cloned().collect();
            if less.len() == conds.len() {
                continue;
            }
            let mut region = root.clone();
            for cond in &less {
                region.assume(names, cond);
            }
            let spared = |b: usize| {
                let leaf = &leaves[b];
                if leaf.meets(&defs, &less) {
                    return formula.is_some_and(|formula| leaf.fits_where(names, formula, &less));
                }
                region.excludes(names, &leaf.path)
                    || formula.is_some_and(|formula| leaf.fits_where(names, formula, &less))
            };
            if bad.iter().all(|&b| spared(b)) {
                conds = less;
            }
        }
        choice.push(conds);
    }
    // What another list covers is not needed.
    let mut place = 0;
    while place < choice.len() {
        let mut region = root.clone();
        for cond in &choice[place] {
            region.assume(names, cond);
        }
        let covered = (0..choice.len()).any(|other| {
            other != place && choice[other].iter().all(|cond| region.implies(names, cond))
        });
        if covered {
            choice.remove(place);
        } else {
            place += 1;
        }
    }
}

/// Whether p ≥ 0 says p = 0 on the root domain.
pub(crate) fn is_equality(root: &Domain, names: &Names, p: &Poly) -> bool {
    let mut root = root.clone();
    let p = root.norm(names, p);
    root.proves(names, &-&p)
}
