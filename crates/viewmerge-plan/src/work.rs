//! The parts of a plan: classes, candidates, and the solved program over them.

use std::collections::BTreeSet;

use crate::classes::Classes;
use crate::closure::{Closure, Placed, closure};
use crate::error::PlanError;
use crate::graph::Graph;
use crate::program::{Choosable, Program, Solved, Spot};
use crate::target::Target;

/// Everything found on the way to a plan.
pub(crate) struct Work {
    pub classes: Classes,
    pub closure: Closure,
    pub solved: Solved,
    program: Program,
}

impl Work {
    /// The cost of a choice, in bytes.
    pub fn cost(&self, chosen: &[usize]) -> i64 {
        self.program.cost(chosen)
    }
}

/// Classes, candidates and the solved program.
pub(crate) fn work(graph: &Graph, target: &Target) -> Result<Work, PlanError> {
    let classes = Classes::of(graph)?;
    let bytes: i128 = graph.tensors().iter().map(|tensor| i128::from(tensor.bytes())).sum();
    if bytes > 1 << 50 {
        return Err(PlanError::TooLarge);
    }
    let closure = closure(graph, &classes, target);
    let program = program(graph, &classes, &closure);
    let solved = program.solve()?;
    Ok(Work { classes, closure, solved, program })
}

fn program(graph: &Graph, classes: &Classes, closure: &Closure) -> Program {
    let bytes = classes.classes.iter().map(|class| graph.tensor(class.root).bytes()).collect();
    let option = |placed: &Placed| {
        let uses: BTreeSet<Spot> = placed.uses.iter().copied().collect();
        Choosable { uses: uses.into_iter().collect(), cost: placed.configuration.cost }
    };
    let choosers =
        closure.choices.iter().map(|choice| choice.options.iter().map(option).collect()).collect();
    Program { bytes, choosers }
}
