//! Shares of a problem: axes and floors that have no condition in common with others.
//!
//! Example: in `4*i - 11*(i // 3) + j % 2` no condition involves both i and j, so
//! they are two shares: i with its floor, j with its own.

use alloc::vec::Vec;

use super::super::linear::Linear;
use super::super::program::{FloorTerm, Guard, Program};
use super::{Fewest, Problem};

/// Columns, and the conditions on them, by their numbers in a problem.
pub(super) struct Share<'p> {
    /// Axes, then floors.
    pub columns: Vec<usize>,
    /// How many axes there are.
    pub rank: usize,
    pub assumed: Vec<&'p Guard>,
    pub guards: Vec<&'p Guard>,
}

impl<'p> Share<'p> {
    /// The shares of a problem, those with earlier guards first.
    pub(super) fn of(problem: &'p Problem<'p>) -> Vec<Share<'p>> {
        let conditions = || problem.program.guards.iter().chain(problem.assumed);
        let cases = problem.cases.iter().flatten().map(|guard| &guard.function);
        let functions = conditions().map(|guard| &guard.function).chain(cases);
        let uses = problem.program.uses(functions.chain([&problem.program.value]));
        let labels = labels(problem, &uses);
        let named = conditions().filter_map(|guard| guard.function.columns().next());
        let mut names: Vec<usize> = Vec::new();
        for column in named.chain((0..uses.len()).filter(|&column| uses[column] > 0)) {
            if !names.contains(&labels[column]) {
                names.push(labels[column]);
            }
        }
        if names.is_empty() {
            // Nothing varies.
            names.push(uses.len());
        }
        let share = |&name: &usize| {
            let about = |guard: &&Guard| match guard.function.columns().next() {
                Some(column) => labels[column] == name,
                // What is always so, or never, goes to the first.
                None => name == names[0],
            };
            let of = |column: &usize| uses[*column] > 0 && labels[*column] == name;
            let columns: Vec<usize> = (0..uses.len()).filter(of).collect();
            Share {
                rank: columns.partition_point(|&column| column < problem.program.rank()),
                columns,
                assumed: problem.assumed.iter().filter(about).collect(),
                guards: problem.program.guards.iter().filter(about).collect(),
            }
        };
        names.iter().map(share).collect()
    }

    /// Whether it is a single axis, or a single floor over a box, and nothing else: the builder has found
    /// that the floor is not affine there, so no relation is about it.
    pub(super) fn is_settled(&self, problem: &Problem<'_>) -> bool {
        let axes = &problem.program.axes;
        let said = self.assumed.len() + self.guards.len() + problem.cases.len();
        let varies = |&axis: &usize| axes[axis].0 < axes[axis].1;
        let alone = match self.columns.len() - self.rank {
            0 => self.rank == 1,
            floors => floors == 1 && problem.program.inputs == axes.len(),
        };
        said == 0 && alone && self.columns[..self.rank].iter().all(varies)
    }

    /// Takes over the terms of the value as they are.
    pub(super) fn keep(&self, problem: &Problem<'_>, found: &mut Fewest) {
        let Program { axes, floors, value, .. } = problem.program;
        for &column in &self.columns {
            found.value.add_column(column, value.term(column));
            let Some(number) = column.checked_sub(axes.len()) else { continue };
            // Exact: the operand has axes alone, and they are in a box.
            let FloorTerm { operand, divisor, .. } = &floors[number];
            let (low, high) = operand.interval(axes.iter().copied());
            let [low, high] = [low, high].map(|end| end.div_euclid((*divisor).into()));
            if high <= low.saturating_add(1)
                && let Ok(low) = i64::try_from(low)
            {
                found.two_valued.push((number, low));
            }
        }
    }

    /// A function of the share over all columns.
    pub(super) fn lifted(&self, function: &Linear, rank: usize) -> Linear {
        let mut whole = Linear::always(function.constant, rank);
        for (&column, &c) in self.columns.iter().zip(function.terms()).filter(|(_, c)| **c != 0) {
            whole.add_column(column, c);
        }
        whole
    }
}

/// For every column the name of its share, one of its members.
fn labels(problem: &Problem<'_>, uses: &[usize]) -> Vec<usize> {
    let Program { axes, floors, guards, inputs, .. } = problem.program;
    if !problem.cases.is_empty() || *inputs < axes.len() {
        // Cases and functions of other axes involve all axes.
        return vec![0; uses.len()];
    }
    let mut labels: Vec<usize> = (0..uses.len()).collect();
    let mut join = |a: usize, b: usize| {
        let (to, from) = (labels[a], labels[b]);
        labels.iter_mut().filter(|label| **label == from).for_each(|label| *label = to);
    };
    for (number, FloorTerm { operand, .. }) in floors.iter().enumerate() {
        if uses[axes.len() + number] > 0 {
            operand.columns().for_each(|column| join(axes.len() + number, column));
        }
    }
    for guard in problem.assumed.iter().chain(guards) {
        let mut members = guard.function.columns();
        if let Some(first) = members.next() {
            members.for_each(|column| join(first, column));
        }
    }
    labels
}
