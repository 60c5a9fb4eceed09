//! A chain with few indices, decided at each of them.
//!
//! The value at an index is a polynomial in the parameters and in the quotients on the way, which get names. So whether
//! all steps agree is an equation, and whether an index is valid is a comparison: nothing has to be proved.
//!
//! Example: (3,2,M):(0,s,t) read at 3·x + N, x < 3. With f(n) = s·(n//M%2) + t·(n%M) it is one view if
//! f(N) + f(N + 6) = 2·f(N + 3).

use crate::cases::{Leaf, points};
use crate::combine::extended;
use crate::cond::Cond;
use crate::domain::Domain;
use crate::engine::Outcome;
use crate::names::Names;
use crate::poly::Poly;
use crate::stage::Stage;

/// Chains with more indices are not decided so.
const MOST: usize = 4;
/// Nor is what takes more cases.
const MOST_CASES: usize = 32;

/// An index with its value.
type Valued = (Vec<usize>, Poly);

/// A chain at some of its indices.
struct Evaluation<'a> {
    names: &'a Names<'a>,
    domain: Domain,
    stages: &'a [Stage],
    cases: Vec<(Vec<Cond>, Outcome)>,
}

/// The cases of a chain with few indices on a domain; `None` if they are too many.
pub(crate) fn by_values(names: &Names, root: &Domain, stages: &[Stage]) -> Option<Vec<Leaf>> {
    let mut domain = root.clone();
    let mut indices: Vec<Vec<usize>> = vec![Vec::new()];
    for size in &stages.last()?.shape {
        let size = usize::try_from(domain.norm(names, size).as_number()?).ok()?;
        if size == 0 || indices.len() * size > MOST {
            return None;
        }
        indices = extended(&indices, &(0..size).collect::<Vec<_>>()).collect();
    }
    let mut evaluation = Evaluation { names, domain, stages, cases: Vec::new() };
    evaluation.tell(&indices, Vec::new(), Vec::new())?;
    let Evaluation { domain, cases, .. } = evaluation;
    let leaves = cases.into_iter().map(|(conds, outcome)| {
        let domain = conds.iter().fold(domain.clone(), |domain, cond| domain.with(names, cond));
        let path = conds.iter().map(|cond| cond.expanded(names)).collect();
        let points = points(names, &domain);
        Leaf { path, domain, outcome, points }
    });
    Some(leaves.filter(|leaf| !leaf.domain.dead).collect())
}

impl Evaluation<'_> {
    /// Tells apart which of the remaining indices are valid.
    fn tell(&mut self, left: &[Vec<usize>], conds: Vec<Cond>, valid: Vec<Valued>) -> Option<()> {
        let Some((index, left)) = left.split_first() else { return self.conclude(conds, valid) };
        let (value, needs) = self.value(index)?;
        for (place, need) in needs.iter().enumerate() {
            let mut conds = conds.clone();
            conds.extend_from_slice(&needs[..place]);
            conds.push(need.negated());
            self.tell(left, conds, valid.clone())?;
        }
        let conds = [conds, needs].concat();
        self.tell(left, conds, [valid, vec![(index.clone(), value)]].concat())
    }

    /// The value at an index, and what makes the index valid.
    fn value(&mut self, index: &[usize]) -> Option<(Poly, Vec<Cond>)> {
        let (top, below) = self.stages.split_last()?;
        let mut needs = Vec::new();
        for stage in self.stages {
            needs.extend(stage.alive.iter().cloned().map(Cond::Ge));
        }
        let digits: Vec<Poly> = index.iter().map(|&x| Poly::number(x as i128)).collect();
        let mut position = self.through(top, &digits, &mut needs);
        for stage in below.iter().rev() {
            let mut digits = vec![Poly::zero(); stage.rank()];
            let mut rest = position;
            for axis in (1..stage.rank()).rev() {
                let size = self.domain.norm(self.names, &stage.shape[axis]);
                let quotient = self.domain.divide(self.names, &rest, &size)?;
                digits[axis] = &rest - &size * &quotient;
                rest = quotient;
            }
            if let Some(first) = digits.first_mut() {
                *first = rest;
            }
            position = self.through(stage, &digits, &mut needs);
        }
        let unknown = |need: &Cond| !need.poly().as_number().is_some_and(|p| need.holds_for(p));
        needs.retain(unknown);
        (!position.is_spoilt()).then_some((position, needs))
    }

    /// The position that a view gives, and what its mask asks of the digits.
    fn through(&mut self, stage: &Stage, digits: &[Poly], needs: &mut Vec<Cond>) -> Poly {
        let mut position = stage.offset.clone();
        for (axis, digit) in digits.iter().enumerate() {
            let (bounds, size) = (&stage.bounds[axis], &stage.shape[axis]);
            let lower = bounds.lo.iter().filter(|lo| !lo.is_zero()).map(|lo| digit - lo);
            let upper = bounds.hi.iter().filter(|hi| *hi != size).map(|hi| hi - digit - 1);
            needs.extend(lower.chain(upper).map(|p| Cond::Ge(self.domain.norm(self.names, &p))));
            position += &stage.strides[axis] * digit;
        }
        self.domain.norm(self.names, &position)
    }

    /// The cases where just these indices are valid.
    fn conclude(&mut self, mut conds: Vec<Cond>, valid: Vec<Valued>) -> Option<()> {
        let (Some((low, base)), Some((high, _))) = (valid.first(), valid.last()) else {
            return self.add(conds, Outcome::Nothing);
        };
        // In row-major order a box starts and ends with its corners.
        let sides = || low.iter().zip(high).map(|(&lo, &hi)| (lo, hi));
        let count: usize = sides().map(|(lo, hi)| (hi + 1).saturating_sub(lo)).product();
        let inside = |(index, _): &Valued| {
            index.iter().zip(sides()).all(|(x, (lo, hi))| lo <= *x && *x <= hi)
        };
        if count != valid.len() || !valid.iter().all(inside) {
            return self.add(conds, Outcome::Never);
        }
        let next = |axis: usize| {
            let is = |index: &[usize]| {
                (0..index.len()).all(|l| index[l] == low[l] + usize::from(l == axis))
            };
            valid.iter().find(|(index, _)| is(index)).map(|(_, value)| value - base)
        };
        let steps: Vec<Option<Poly>> = (0..low.len()).map(next).collect();
        for (index, value) in &valid {
            let mut off = value - base;
            for (step, (x, lo)) in steps.iter().zip(index.iter().zip(low)) {
                if let Some(step) = step {
                    off -= step * (x - lo) as i128;
                }
            }
            let off = self.domain.normal(&off);
            if !off.is_zero() {
                self.add([&conds[..], &[Cond::Ne(off.clone())]].concat(), Outcome::Never)?;
                conds.push(Cond::Eq(off));
            }
        }
        let bound = |x: usize| Poly::number(x as i128);
        let bounds = sides().map(|(lo, hi)| (bound(lo), bound(hi + 1))).collect();
        let outcome = Outcome::View { base: base.clone(), steps, bounds, cuts: Vec::new() };
        self.add(conds, outcome)
    }

    /// Adds a case, unless its conditions are seen never to hold; `None` if it is one too many.
    fn add(&mut self, mut conds: Vec<Cond>, outcome: Outcome) -> Option<()> {
        conds.retain(|cond| !cond.poly().as_number().is_some_and(|p| cond.holds_for(p)));
        if conds.iter().all(|cond| cond.poly().as_number().is_none()) {
            self.cases.push((conds, outcome));
        }
        (self.cases.len() <= MOST_CASES).then_some(())
    }
}
