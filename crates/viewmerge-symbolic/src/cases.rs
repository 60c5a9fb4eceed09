//! All cases of a chain: domains that cover the parameters, each with its outcome.
//!
//! The engine is asked on the whole domain; where it stops at a condition, it is asked again on
//! both sides, in the order in which the sides come up, so that a difficult one leaves the others
//! their share. At the limit of cases or steps what is left is open, never guessed.

use std::collections::VecDeque;

use crate::cond::Cond;
use crate::domain::Domain;
use crate::engine::{Answer, Engine, Mode, Outcome, Stop};
use crate::names::Names;
use crate::poly::{Poly, Var};

/// The most cases that are told apart.
const MOST: usize = 192;
/// A variable with more values than this, less one, is not told apart value by value.
const WIDE: i128 = 8;
/// A part may spend what is left, divided by this.
const SHARE: u64 = 4;

/// One case.
#[derive(Clone, Debug)]
pub(crate) struct Leaf {
    /// The conditions that lead here, in terms that mean the same everywhere.
    pub(crate) path: Vec<Cond>,
    pub(crate) domain: Domain,
    pub(crate) outcome: Outcome,
    /// Some parameter points of the case.
    pub(crate) points: Vec<Vec<i128>>,
}

/// Conditions that lead to a part of a domain, and the part.
pub(crate) type Part = (Vec<Cond>, Domain);

/// Asks a question on some parts, case by case.
pub(crate) fn explore(
    names: &Names,
    parts: Vec<Part>,
    mut question: impl FnMut(&mut Engine<'_>) -> Answer<Outcome>,
) -> Vec<Leaf> {
    let mut leaves: Vec<(Vec<usize>, Leaf)> = Vec::new();
    // Parts that wait for their turn, and which side was taken at each condition: they are told in this order.
    let parts = parts.into_iter().enumerate();
    let mut work: VecDeque<(Vec<usize>, Part)> =
        parts.map(|(number, part)| (vec![number], part)).collect();
    while let Some((sides, (path, mut domain))) = work.pop_front() {
        if domain.dead {
            continue;
        }
        let (mut outcome, mut split) = (Outcome::Open, None);
        let total = names.steps.get();
        if leaves.len() + work.len() < MOST && total > 0 {
            let share = total / SHARE;
            names.steps.set(share);
            domain.settle_names(names);
            let mut vars = domain.free_vars().into_iter();
            let answer = match vars.find_map(|v| domain.tells(names, v)) {
                Some(cond) => Err(Stop::Split(cond)),
                None => question(&mut Engine { names, domain: &mut domain, mode: Mode::Strict }),
            };
            let left = names.steps.get();
            names.steps.set(total - (share - left));
            match answer {
                // What was not proved for want of steps is no distinction.
                Err(_) if left == 0 => {}
                Err(Stop::Split(cond)) => split = Some(cond),
                Ok(Outcome::Open) | Err(Stop::Unknown) => {
                    split = domain.narrow(&domain.free_vars());
                }
                Ok(decided) => outcome = decided,
            }
        }
        if let Some(cond) = split {
            let named = cond.expanded(names);
            if !path.contains(&named) && !path.contains(&named.negated()) {
                for (side, cond) in [cond.clone(), cond.negated()].iter().enumerate() {
                    let sides = [&sides[..], &[side]].concat();
                    let path = [&path[..], &[cond.expanded(names)]].concat();
                    work.push_back((sides, (path, domain.with(names, cond))));
                }
                continue;
            }
        }
        let points = points(names, &domain);
        leaves.push((sides, Leaf { path, domain, outcome, points }));
    }
    leaves.sort_by(|(a, _), (b, _)| a.cmp(b));
    leaves.into_iter().map(|(_, leaf)| leaf).collect()
}

impl Domain {
    /// What tells apart the values of the first of some variables that has few.
    pub(crate) fn narrow(&self, vars: &[Var]) -> Option<Cond> {
        vars.iter().find_map(|&v| match self.bounds(v) {
            (Some(lo), Some(hi)) if hi - lo <= WIDE => {
                Some(Cond::Ge(Poly::var(v) - Poly::number(lo + 1)))
            }
            _ => None,
        })
    }
}

/// The parameters at some points of a domain.
pub(crate) fn points(names: &Names, domain: &Domain) -> Vec<Vec<i128>> {
    let (samples, params) = (domain.samples(names), names.params());
    samples
        .iter()
        .filter_map(|sample| {
            (0..params).map(|v| sample.get(Var::try_from(v).ok()?)).collect::<Option<Vec<_>>>()
        })
        .collect()
}
