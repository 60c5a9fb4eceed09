//! All cases of a chain: domains that cover the parameters, each with its outcome.
//!
//! The engine is asked on the whole domain; where it stops at a condition, it is asked again on
//! both sides. At the limit of cases or steps what is left is open, never guessed.

use crate::cond::Cond;
use crate::domain::Domain;
use crate::engine::{Engine, Mode, Outcome, Stop};
use crate::names::Names;
use crate::poly::Var;
use crate::stage::Stage;

/// With more cases than this residues are not told apart any more.
const FEW: usize = 12;

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

/// Decides a chain on a domain, case by case.
pub(crate) fn explore(
    names: &Names,
    root: &Domain,
    stages: &[Stage],
    params: usize,
    most: usize,
) -> Vec<Leaf> {
    explore_with(names, root, params, most, |engine| engine.decide(stages))
}

/// A part of the parameters and the conditions that lead to it.
pub(crate) type Part = (Vec<Cond>, Domain);

/// The same for any question.
pub(crate) fn explore_with(
    names: &Names,
    root: &Domain,
    params: usize,
    most: usize,
    question: impl FnMut(&mut Engine<'_>) -> Result<Outcome, Stop>,
) -> Vec<Leaf> {
    explore_from(names, vec![(Vec::new(), root.clone())], params, most, question)
}

/// The same for some parts.
pub(crate) fn explore_from(
    names: &Names,
    mut work: Vec<Part>,
    params: usize,
    most: usize,
    mut question: impl FnMut(&mut Engine<'_>) -> Result<Outcome, Stop>,
) -> Vec<Leaf> {
    let mut leaves = Vec::new();
    while let Some((path, mut domain)) = work.pop() {
        if domain.dead {
            continue;
        }
        let spent = leaves.len() + work.len() >= most || names.steps.get() == 0;
        let answer = if spent {
            Ok(Outcome::Open)
        } else {
            let answer = question(&mut Engine { names, domain: &mut domain, mode: Mode::Strict });
            match answer {
                Ok(Outcome::Open) | Err(Stop::Unknown) if leaves.len() + work.len() <= FEW => {
                    let vars = domain.free_vars();
                    domain.residue(names, &vars).map_or(Ok(Outcome::Open), |c| Err(Stop::Split(c)))
                }
                answer => answer,
            }
        };
        match answer {
            Ok(outcome) => {
                let points = points(names, &domain, params);
                leaves.push(Leaf { path, domain, outcome, points });
            }
            Err(Stop::Unknown) => {
                let points = points(names, &domain, params);
                leaves.push(Leaf { path, domain, outcome: Outcome::Open, points });
            }
            Err(Stop::Split(cond)) => {
                let told = cond.expanded(names);
                if path.contains(&told) || path.contains(&told.negated()) {
                    let points = points(names, &domain, params);
                    leaves.push(Leaf { path, domain, outcome: Outcome::Open, points });
                    continue;
                }
                for side in [cond.negated(), cond] {
                    let next = domain.with(names, &side);
                    if !next.dead {
                        let mut path = path.clone();
                        path.push(side.expanded(names));
                        work.push((path, next));
                    }
                }
            }
        }
    }
    leaves
}

fn points(names: &Names, domain: &Domain, params: usize) -> Vec<Vec<i128>> {
    let samples = domain.samples(names);
    samples
        .iter()
        .filter_map(|sample| {
            (0..params).map(|v| sample.get(Var::try_from(v).ok()?)).collect::<Option<Vec<_>>>()
        })
        .collect()
}
