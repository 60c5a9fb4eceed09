//! Shares of a problem: axes and floors that have no condition in common with others.
//!
//! Example: in `4*i - 11*(i // 3) + j % 2` no condition involves both i and j, so
//! they are two shares: i with its floor, j with its own.

use alloc::vec;
use alloc::vec::Vec;

use super::super::linear::Linear;
use super::super::{FloorTerm, Guard};
use super::Problem;

/// Axes and floors, and the conditions on them, by their numbers in a problem.
pub(super) struct Share {
    pub axes: Vec<usize>,
    pub floors: Vec<usize>,
    pub assumed: Vec<usize>,
    pub guards: Vec<usize>,
}

impl Share {
    /// The shares of a problem, those with earlier guards first.
    pub(super) fn of(problem: &Problem<'_>) -> Vec<Share> {
        let used = used(problem);
        let labels = labels(problem, &used);
        let rank = problem.axes.len();
        let conditions = problem.guards.iter().chain(problem.assumed);
        let named = conditions.filter_map(|guard| variables(&guard.function, rank).next());
        let mut names: Vec<usize> = Vec::new();
        for variable in named.chain((0..used.len()).filter(|&variable| used[variable])) {
            if !names.contains(&labels[variable]) {
                names.push(labels[variable]);
            }
        }
        if names.is_empty() {
            // Nothing varies.
            names.push(used.len());
        }
        let share = |&name: &usize| {
            let of = |variable: usize| used[variable] && labels[variable] == name;
            let about = |guard: &Guard| match variables(&guard.function, rank).next() {
                Some(variable) => labels[variable] == name,
                // What is always so, or never, goes to the first.
                None => name == names[0],
            };
            let numbers = |guards: &[Guard]| {
                (0..guards.len()).filter(|&number| about(&guards[number])).collect()
            };
            Share {
                axes: (0..rank).filter(|&axis| of(axis)).collect(),
                floors: (0..problem.floors.len()).filter(|&floor| of(rank + floor)).collect(),
                assumed: numbers(problem.assumed),
                guards: numbers(&problem.guards),
            }
        };
        names.iter().map(share).collect()
    }

    /// The axis that makes up the whole share, if no condition involves it: nothing can be found then.
    pub(super) fn free_axis(&self, problem: &Problem<'_>) -> Option<usize> {
        let &[axis] = &self.axes[..] else { return None };
        let (first, last) = problem.axes[axis];
        let said = self.assumed.len() + self.guards.len() + problem.cases.len();
        (said == 0 && self.floors.is_empty() && first < last).then_some(axis)
    }
}

impl Share {
    /// Whether it is a single floor over a box and nothing else: the builder has found that it is
    /// not affine there, so no relation is about it.
    pub(super) fn is_settled(&self, problem: &Problem<'_>) -> bool {
        let said = self.assumed.len() + self.guards.len() + problem.cases.len();
        let varies = |&axis: &usize| problem.axes[axis].0 < problem.axes[axis].1;
        said == 0
            && self.floors.len() == 1
            && problem.inputs == problem.axes.len()
            && self.axes.iter().all(varies)
    }

    /// Takes over the terms of the position as they are.
    pub(super) fn keep(
        &self,
        problem: &Problem<'_>,
        position: &mut Option<Linear>,
        two_valued: &mut Vec<(usize, i64)>,
    ) {
        let (Some(sum), Some(given)) = (position, &problem.position) else { return };
        for &axis in &self.axes {
            sum.axes[axis] = given.axes[axis];
        }
        for &floor in &self.floors {
            // Exact: the operand has axes alone, and they are in a box.
            let FloorTerm { operand, divisor, .. } = &problem.floors[floor];
            let (low, high) = operand.interval(problem.axes.iter().copied());
            let [low, high] = [low, high].map(|end| end.div_euclid((*divisor).into()));
            if high <= low.saturating_add(1)
                && let Ok(low) = i64::try_from(low)
            {
                two_valued.push((floor, low));
            }
            sum.add_floor(floor, given.floors.get(floor).copied().unwrap_or(0));
        }
    }
}

/// Axes and then floors that a function uses, by number.
fn variables(function: &Linear, rank: usize) -> impl Iterator<Item = usize> {
    let axes = function.axes.iter().enumerate();
    let floors = function.floors.iter().enumerate().map(move |(k, c)| (rank + k, c));
    axes.chain(floors).filter(|(_, c)| **c != 0).map(|(k, _)| k)
}

/// Which axes and floors take part: those of conditions and position, and what their floors are
/// made of.
fn used(problem: &Problem<'_>) -> Vec<bool> {
    let rank = problem.axes.len();
    let mut used = vec![false; rank + problem.floors.len()];
    let conditions = problem.assumed.iter().chain(&problem.guards);
    let conditions = conditions.chain(problem.cases.iter().flatten());
    let functions = conditions.map(|guard| &guard.function).chain(&problem.position);
    functions.for_each(|function| variables(function, rank).for_each(|k| used[k] = true));
    for number in (0..problem.floors.len()).rev() {
        if used[rank + number] {
            variables(&problem.floors[number].operand, rank).for_each(|k| used[k] = true);
        }
    }
    used
}

/// For every axis and floor the name of its share, one of its members.
fn labels(problem: &Problem<'_>, used: &[bool]) -> Vec<usize> {
    let rank = problem.axes.len();
    if !problem.cases.is_empty() || problem.inputs < rank {
        // Cases and functions of other axes involve all axes.
        return vec![0; used.len()];
    }
    let mut labels: Vec<usize> = (0..used.len()).collect();
    let mut join = |a: usize, b: usize| {
        let (to, from) = (labels[a], labels[b]);
        labels.iter_mut().filter(|label| **label == from).for_each(|label| *label = to);
    };
    for (number, FloorTerm { operand, .. }) in problem.floors.iter().enumerate() {
        if used[rank + number] {
            variables(operand, rank).for_each(|k| join(rank + number, k));
        }
    }
    for guard in problem.assumed.iter().chain(&problem.guards) {
        let mut members = variables(&guard.function, rank);
        if let Some(first) = members.next() {
            members.for_each(|k| join(first, k));
        }
    }
    labels
}
