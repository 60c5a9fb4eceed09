//! All cases of a chain: domains that cover the parameters, each with its outcome.
//!
//! The engine is asked on the whole domain; where it stops at a condition, it is asked again on
//! both sides, in the order in which the sides come up, so that a difficult one leaves the others
//! their share. At the limit of cases or steps what is left is open, never guessed.

use std::collections::VecDeque;

use crate::cond::Cond;
use crate::domain::Domain;
use crate::engine::{Answer, Engine, Mode, Outcome, Stop};
use crate::names::{Def, Names};
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

/// A part that waits for its turn.
struct Waiting {
    /// Which side was taken at each condition: parts are told in this order.
    sides: Vec<usize>,
    path: Vec<Cond>,
    domain: Domain,
}

/// Asks a question on some parts, case by case.
pub(crate) fn explore(
    names: &Names,
    parts: Vec<Part>,
    mut question: impl FnMut(&mut Engine<'_>) -> Answer<Outcome>,
) -> Vec<Leaf> {
    let mut leaves: Vec<(Vec<usize>, Leaf)> = Vec::new();
    let waiting =
        |(number, (path, domain)): (usize, Part)| Waiting { sides: vec![number], path, domain };
    let mut work: VecDeque<Waiting> = parts.into_iter().enumerate().map(waiting).collect();
    while let Some(mut part) = work.pop_front() {
        if part.domain.dead {
            continue;
        }
        let cases = leaves.len() + work.len();
        let total = names.steps.get();
        let share = total / SHARE;
        let answer = if cases >= MOST || total == 0 {
            Ok(Outcome::Open)
        } else {
            names.steps.set(share);
            part.domain.settle_names(names);
            let answer = match part.untold(names) {
                Some(cond) => Err(Stop::Split(cond)),
                None => {
                    let domain = &mut part.domain;
                    question(&mut Engine { names, domain, mode: Mode::Strict })
                }
            };
            let left = names.steps.get();
            names.steps.set(total - (share - left));
            match answer {
                // What was not proved for want of steps is no distinction.
                Err(_) if left == 0 => Ok(Outcome::Open),
                Ok(Outcome::Open) | Err(Stop::Unknown) => {
                    match part.domain.narrow(&part.domain.free_vars()) {
                        Some(cond) => Err(Stop::Split(cond)),
                        None => Ok(Outcome::Open),
                    }
                }
                answer => answer,
            }
        };
        let outcome = match answer {
            Ok(outcome) => outcome,
            Err(Stop::Unknown) => Outcome::Open,
            Err(Stop::Split(cond)) => {
                let named = cond.expanded(names);
                if !part.path.contains(&named) && !part.path.contains(&named.negated()) {
                    let sides = [cond.clone(), cond.negated()];
                    work.extend(
                        sides.iter().enumerate().map(|(side, cond)| part.side(names, side, cond)),
                    );
                    continue;
                }
                Outcome::Open
            }
        };
        let Waiting { sides, path, domain, .. } = part;
        let points = points(names, &domain);
        leaves.push((sides, Leaf { path, domain, outcome, points }));
    }
    leaves.sort_by(|(a, _), (b, _)| a.cmp(b));
    leaves.into_iter().map(|(_, leaf)| leaf).collect()
}

impl Waiting {
    /// The part where a condition holds as well.
    fn side(&self, names: &Names, side: usize, cond: &Cond) -> Waiting {
        let (mut sides, mut path) = (self.sides.clone(), self.path.clone());
        sides.push(side);
        path.push(cond.expanded(names));
        Waiting { sides, path, domain: self.domain.with(names, cond) }
    }

    /// What tells which of two numbers a size is, or whether an axis is repeated.
    fn untold(&mut self, names: &Names) -> Option<Cond> {
        self.domain.free_vars().into_iter().find_map(|v| match names.def(v) {
            Def::Same(..) => Some(Cond::Ge(Poly::var(v) - Poly::one())),
            _ => self.domain.tells(names, v),
        })
    }
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
