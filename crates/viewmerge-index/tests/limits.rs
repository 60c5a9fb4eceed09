//! Limits: within one the answer is the same as without, or *undecided*, and one limit is for the whole
//! question.

use std::fmt::Debug;
use std::sync::atomic::AtomicBool;

use viewmerge::{Error, Exhausted, Limit, ViewChain};
use viewmerge_index::IndexChain;
use viewmerge_testkit::{accidental, expressions, generate, run};

/// Asks without a limit, with more and more steps, and with the flag raised.
fn check<T: PartialEq + Debug>(
    what: &str,
    ask: impl Fn(&Limit<'_>) -> Result<T, Error>,
) -> Result<(), String> {
    let expected = ask(&Limit::steps(1_000_000));
    if matches!(expected, Err(Error::Undecided { .. })) {
        return Ok(());
    }
    let mut decided = false;
    for steps in [0, 1, 2, 10, 100, 1_000, 1_000_000] {
        let found = ask(&Limit::steps(steps));
        match &found {
            Err(Error::Undecided(Exhausted { steps: spent, stopped: false })) => {
                if decided || *spent > steps {
                    return Err(format!("{what}: {spent} of {steps} steps, but undecided"));
                }
            }
            _ if found == expected => decided = true,
            _ => return Err(format!("{what}: {found:?} with {steps} steps, not {expected:?}")),
        }
    }
    let found = ask(&Limit::none().stopped_by(&AtomicBool::new(true)));
    match found {
        Err(Error::Undecided(Exhausted { steps: 0, stopped: true })) => Ok(()),
        // Ranges settle it without a step.
        _ if found == expected => Ok(()),
        _ => Err(format!("{what}: goes on when it is stopped: {found:?}")),
    }
}

#[test]
fn every_question_about_an_expression_keeps_to_its_limit() {
    run(400, |choices| {
        let asked = expressions::generate(choices);
        let (domain, expression) = asked.question()?;
        let what = |question: &str| format!("{question} {asked:?}");
        let Ok(simple) = domain.simplify(&expression, &Limit::steps(100_000)) else {
            return Ok(());
        };
        // Here a limit that is reached is no error: the expression is kept as it is.
        let raised = AtomicBool::new(true);
        let limits = [0, 1, 10, 1_000].map(Limit::steps);
        for limit in limits.iter().chain([&Limit::none().stopped_by(&raised)]) {
            let found = domain.simplify(&expression, limit).map_err(|e| e.to_string())?;
            if found.is_decided() && found != simple {
                return Err(format!(
                    "{}: {found} within {limit:?}, not {simple}",
                    what("simplify")
                ));
            }
        }
        check(&what("range"), |limit| domain.range(&expression, limit))?;
        check(&what("equal"), |limit| domain.equal(&expression, simple.expression(), limit))?;
        check(&what("certify"), |limit| domain.certify_equal(&expression, &expression, limit))?;
        check(&what("certify"), |limit| domain.certify_simplified(&expression, &simple, limit))?;
        check(&what("as_view"), |limit| domain.as_view(&simple, limit))?;
        check(&what("views"), |limit| domain.views(&simple, limit))
    });
}

#[test]
fn every_question_about_a_chain_keeps_to_its_limit() {
    run(150, |choices| {
        let views = match choices.one_in(2) {
            true => accidental::chain(choices),
            false => generate::chain(choices),
        };
        let chain = ViewChain::from_views(&views).map_err(|e| e.to_string())?;
        let what = |question: &str| format!("{question} {chain}");
        check(&what("form"), |limit| chain.form(limit))?;
        check(&what("guarded"), |limit| chain.guarded(limit))?;
        check(&what("tiling"), |limit| chain.tiling(limit))?;
        check(&what("guarded split"), |limit| chain.guarded_split(limit))
    });
}
