//! Every part of the solver by itself, on everything it may be given.

use viewmerge::diagnostics::{Rung, decide_alone};
use viewmerge::{Limit, Verdict, View, ViewChain};
use viewmerge_testkit::{accidental, cases, check, generate, low_rank, run};

const ALONE: [Rung; 4] = [Rung::OnePass, Rung::Walk, Rung::ClosedForm, Rung::System];

/// What a part says must be what `reference` says; the system must say something.
fn alone_against_reference(views: &[View]) -> Result<(), String> {
    for rung in ALONE {
        match decide_alone(views, rung, &Limit::none()) {
            Ok(Some(verdict)) => {
                check::verdict_of(views, &verdict).map_err(|wrong| format!("{rung:?}: {wrong}"))?;
            }
            Ok(None) if rung == Rung::System => {
                let chain = ViewChain::from_views(views).map_err(|error| error.to_string())?;
                let decided = chain.decide(&Limit::none()).map_err(|error| error.to_string())?;
                if decided.rung != Rung::Plain {
                    return Err("the system does not decide".into());
                }
            }
            // One view that cannot be written down.
            Ok(None) | Err(_) => {}
        }
    }
    Ok(())
}

#[test]
fn random_chains() {
    run(10_000, |choices| alone_against_reference(&generate::chain(choices)));
}

#[test]
fn accidental_merges() {
    run(10_000, |choices| alone_against_reference(&accidental::chain(choices)));
}

#[test]
fn testdata() {
    let mut settled = [0; ALONE.len()];
    for file in ["cases.jsonl", "pairs.jsonl", "reshapes.jsonl"] {
        for case in cases::read(file) {
            let (Ok(views), Ok(expected)) = (case.question.views(), case.question.answer()) else {
                continue;
            };
            for (count, rung) in settled.iter_mut().zip(ALONE) {
                let Ok(Some(found)) = decide_alone(&views, rung, &Limit::none()) else { continue };
                *count += 1;
                match (&found, &expected) {
                    (Verdict::Merged(a), Verdict::Merged(b)) => assert_eq!(a, b, "{rung:?}"),
                    (Verdict::NotMergeable(_), Verdict::NotMergeable(_)) => {}
                    _ => panic!("{rung:?}: {found:?}, not {expected:?}"),
                }
            }
        }
    }
    // Most is settled in one pass; the system decides all that is a question.
    assert!(settled[0] > 5_000 && settled[3] >= settled[0], "{settled:?}");
}

/// Long axes cannot be walked; there the parts must agree with each other.
#[test]
fn long_axes() {
    run(3_000, |choices| {
        let Some(chain) = low_rank::chain(choices) else { return Ok(()) };
        let Ok(decided) = chain.decide(&Limit::none()) else { return Ok(()) };
        for rung in ALONE {
            let Ok(Some(found)) = decide_alone(&chain, rung, &Limit::none()) else { continue };
            agree(&chain, &decided.verdict, &found)
                .map_err(|wrong| format!("{rung:?}: {wrong}"))?;
        }
        Ok(())
    });
}

fn agree(chain: &ViewChain, one: &Verdict, other: &Verdict) -> Result<(), String> {
    match (one, other) {
        (Verdict::Merged(a), Verdict::Merged(b)) if a == b => Ok(()),
        (Verdict::NotMergeable(a), Verdict::NotMergeable(b)) => {
            for witness in [a, b] {
                if !check::witness_holds(chain.views(), witness) {
                    return Err(format!("{chain}: {witness} does not hold"));
                }
            }
            Ok(())
        }
        _ => Err(format!("{chain}: {one:?} and {other:?}")),
    }
}
