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
use crate::engine::{Engine, Mode, Outcome};
use crate::evaluate::Seen;
use crate::names::Names;
use crate::poly::Poly;
use crate::stage::Stage;

/// Chains with more indices are not decided so.
const MOST: usize = 4;
/// Nor is what takes more cases.
const MOST_CASES: usize = 32;

/// An index with its value.
type Valued<'i> = (&'i Vec<i128>, Poly);

/// A chain at some of its indices.
struct Evaluation<'a> {
    engine: Engine<'a>,
    stages: &'a [Stage],
    /// All of them, in row-major order.
    indices: &'a [Vec<i128>],
    cases: Vec<(Vec<Cond>, Outcome)>,
}

/// The cases of a chain with few indices on a domain; `None` if they are too many.
pub(crate) fn by_values(names: &Names, root: &Domain, stages: &[Stage]) -> Option<Vec<Leaf>> {
    let mut domain = root.clone();
    let mut indices: Vec<Vec<i128>> = vec![Vec::new()];
    for size in &stages.last()?.shape {
        let size = domain.norm(names, size).as_number().filter(|size| *size <= MOST as i128)?;
        indices = extended(&indices, &(0..size).collect::<Vec<_>>()).collect();
    }
    if !(1..=MOST).contains(&indices.len()) {
        return None;
    }
    let indices = &indices;
    let engine = Engine { names, domain: &mut domain, mode: Mode::Strict };
    let mut evaluation = Evaluation { engine, stages, indices, cases: Vec::new() };
    evaluation.tell(indices, Vec::new(), Vec::new())?;
    let cases = evaluation.cases;
    let leaves = cases.into_iter().map(|(conds, outcome)| {
        let domain = conds.iter().fold(domain.clone(), |domain, cond| domain.with(names, cond));
        let path = conds.iter().map(|cond| cond.expanded(names)).collect();
        let points = points(names, &domain);
        Leaf { path, domain, outcome, points }
    });
    Some(leaves.filter(|leaf| !leaf.domain.dead).collect())
}

impl<'a> Evaluation<'a> {
    /// Tells apart which of the remaining indices are valid.
    fn tell(
        &mut self,
        left: &'a [Vec<i128>],
        mut conds: Vec<Cond>,
        mut valid: Vec<Valued<'a>>,
    ) -> Option<()> {
        let Some((index, left)) = left.split_first() else { return self.conclude(conds, valid) };
        let (value, needs) = self.value(index)?;
        for need in needs {
            self.tell(left, [&conds[..], &[need.negated()]].concat(), valid.clone())?;
            conds.push(need);
        }
        valid.push((index, value));
        self.tell(left, conds, valid)
    }

    /// The value at an index, and what makes the index valid.
    fn value(&mut self, index: &[i128]) -> Option<(Poly, Vec<Cond>)> {
        let at: Vec<Poly> = index.iter().copied().map(Poly::number).collect();
        let mut needs = Vec::new();
        let seen = self.engine.value_at(self.stages, &at, Some(&mut needs));
        let Seen::Valid(value) = seen else { return None };
        let unknown = |need: &Cond| !need.poly().as_number().is_some_and(|p| need.holds_for(p));
        needs.retain(unknown);
        (!value.is_spoilt()).then_some((value, needs))
    }

    /// The cases where just these indices are valid.
    fn conclude(&mut self, mut conds: Vec<Cond>, valid: Vec<Valued<'a>>) -> Option<()> {
        let (Some((low, base)), Some((high, _))) = (valid.first(), valid.last()) else {
            return self.add(conds, Outcome::Nothing);
        };
        // In row-major order a box starts and ends with its corners.
        let sides = || low.iter().zip(*high);
        let inside =
            |index: &[i128]| index.iter().zip(sides()).all(|(x, (lo, hi))| (lo..=hi).contains(&x));
        let is_valid = |index| valid.iter().any(|(known, _)| *known == index);
        if self.indices.iter().any(|index| inside(index) != is_valid(index)) {
            return self.add(conds, Outcome::Never);
        }
        let step = |axis: usize| {
            let mut next = low.to_vec();
            next[axis] += 1;
            valid.iter().find(|(index, _)| **index == next).map(|(_, value)| value - base)
        };
        let steps: Vec<Option<Poly>> = (0..low.len()).map(step).collect();
        for (index, value) in &valid {
            let mut off = value - base;
            for (step, (x, lo)) in steps.iter().zip(index.iter().zip(*low)) {
                // Without a step only one index of the axis is valid.
                off -= step.as_ref().map(|step| step * (x - lo)).unwrap_or_default();
            }
            let off = self.engine.norm(&off);
            if !off.is_zero() {
                self.add([&conds[..], &[Cond::Ne(off.clone())]].concat(), Outcome::Never)?;
                conds.push(Cond::Eq(off));
            }
        }
        let bounds = sides().map(|(&lo, hi)| (Poly::number(lo), Poly::number(hi + 1))).collect();
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
