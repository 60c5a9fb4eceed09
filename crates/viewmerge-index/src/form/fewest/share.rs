//! What can be looked at by itself: axes and floors that have no condition in common with others.
//!
//! Example: in `4*i - 11*(i // 3) + j % 2` nothing is said of i and j together, so
//! that they are two shares: i with its floor, j with its own.

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

    /// The axis that is all of it, if nothing is said of that: there is nothing to be found.
    pub(super) fn free_axis(&self, problem: &Problem<'_>) -> Option<usize> {
        let &[axis] = &self.axes[..] else { return None };
        let (first, last) = problem.axes[axis];
        let said = self.assumed.len() + self.guards.len() + problem.cases.len();
        (said == 0 && self.floors.is_empty() && first < last).then_some(axis)
    }
}

/// Axes and then floors that a function uses, by number.
fn variables(function: &Linear, rank: usize) -> impl Iterator<Item = usize> {
    let places = |list: &[i64]| {
        let places: Vec<usize> = (0..list.len()).filter(|&k| list[k] != 0).collect();
        places
    };
    let floors = places(&function.floors).into_iter().map(move |floor| rank + floor);
    places(&function.axes).into_iter().chain(floors)
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
        // Cases and functions of other axes say something of all.
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
