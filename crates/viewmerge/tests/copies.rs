//! The cheapest copy against copies between two ops of a program.

use std::cell::Cell;

use viewmerge::{Limit, Movement, ViewChain};
use viewmerge_testkit::choices::Choices;
use viewmerge_testkit::{generate, run};

/// A chain as a program makes it: the chain before each op and at the end, and the ops.
fn program(choices: &mut Choices<'_>) -> Option<(Vec<ViewChain>, Vec<Movement>)> {
    let mut stages = vec![ViewChain::contiguous(&generate::shape(choices)).ok()?];
    let mut ops = Vec::new();
    for _ in 0..2 + choices.below(4) {
        let before = stages.last()?;
        let op = generate::movement(choices, before.shape());
        stages.push(before.apply(&op).ok()?);
        ops.push(op);
    }
    Some((stages, ops))
}

/// The fewest elements of a stage whose contiguous copy the other ops leave one view.
fn fewest_between(stages: &[ViewChain], ops: &[Movement]) -> Option<i64> {
    let works = |number: &usize| {
        let copy = ViewChain::contiguous(stages[*number].shape());
        let rest = ops[*number..].iter().try_fold(copy.ok()?, |rest, op| rest.apply(op).ok())?;
        rest.merge().ok()?.is_merged().then_some(())
    };
    let stages_that_work = (0..stages.len()).filter(|number| works(number).is_some());
    stages_that_work.map(|number| stages[number].count()).min()
}

#[test]
fn no_copy_between_two_ops_is_cheaper() {
    let seen = Cell::new([0; 2]);
    run(10_000, |choices| {
        let Some((stages, ops)) = program(choices) else { return Ok(()) };
        let Some(chain) = stages.last() else { return Ok(()) };
        let Some(plan) =
            chain.cheapest_copy(&Limit::none()).map_err(|e| format!("{chain}: {e}"))?
        else {
            return Ok(());
        };
        let fewest = fewest_between(&stages, &ops).ok_or("the last stage always works")?;
        if plan.elements > fewest {
            return Err(format!("{chain}: {plan}, but {fewest} are enough after {ops:?}"));
        }
        let mut counts = seen.get();
        counts[usize::from(plan.elements < fewest)] += 1;
        seen.set(counts);
        Ok(())
    });
    assert!(seen.get().iter().all(|&count| count > 100), "{:?}", seen.get());
}
