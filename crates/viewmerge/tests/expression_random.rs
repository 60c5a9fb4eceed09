//! Random index expressions against enumeration.
//!
//! A fixed share runs here; `VIEWMERGE_CASES=25` runs half a million expressions.

use viewmerge_testkit::{expressions, run};

#[test]
fn expressions_at_every_point() {
    run(20_000, |choices| {
        let asked = expressions::generate(choices);
        expressions::check(&asked, &expressions::generate(choices))
    });
}

#[test]
fn conditions_at_every_point() {
    run(10_000, |choices| {
        let asked = expressions::generate(choices);
        expressions::check_condition(&asked, &expressions::generate(choices))
    });
}
