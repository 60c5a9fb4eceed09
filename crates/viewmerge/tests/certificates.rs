//! Every answer is certified, and an independent checker accepts the certificate.

use viewmerge::{Equivalence, Limit, Verdict, View, ViewChain};
use viewmerge_testkit::{accidental, cases, generate, run};
use viewmerge_verify::{Shown, verify};

/// Certifies a chain; the checker must be shown what `merge` says.
fn certified(views: &[View]) -> Result<(), String> {
    let limit = Limit::none();
    let verdict = match viewmerge::merge(views, &limit) {
        Ok(verdict) => verdict,
        // One view exists, but cannot be written down.
        Err(_) => return Ok(()),
    };
    let chain = ViewChain::from_views(views).map_err(|error| error.to_string())?;
    let certificate = chain.certify(&limit).map_err(|error| error.to_string())?;
    let text = certificate.to_string();
    let shown = verify(&text).map_err(|refusal| format!("{refusal}: {text}"))?;
    let agrees = matches!(
        (&verdict, &shown),
        (Verdict::Merged(_), Shown::IsView { .. } | Shown::NothingValid { .. })
            | (Verdict::NotMergeable(_), Shown::NotOneView { .. })
    );
    if agrees { Ok(()) } else { Err(format!("{verdict:?}, but {shown}")) }
}

fn certified_pair(a: &ViewChain, b: &ViewChain) -> Result<(), String> {
    let limit = Limit::none();
    let found = a.equivalent(b, &limit).map_err(|error| error.to_string())?;
    let text = a.certify_equivalence(b, &limit).map_err(|error| error.to_string())?.to_string();
    let shown = verify(&text).map_err(|refusal| format!("{refusal}: {text}"))?;
    let agrees = matches!(
        (&found, &shown),
        (Equivalence::Same, Shown::Equal { .. })
            | (Equivalence::Shapes | Equivalence::Differ(_), Shown::Different { .. })
    );
    if agrees { Ok(()) } else { Err(format!("{found:?}, but {shown}")) }
}

#[test]
fn random_chains() {
    run(4_000, |choices| certified(&generate::chain(choices)));
    run(2_000, |choices| certified(&accidental::chain(choices)));
}

#[test]
fn pairs_of_chains() {
    run(4_000, |choices| {
        let first = ViewChain::from_views(&generate::chain(choices)).map_err(|e| e.to_string())?;
        // The same function written differently, or nearly so.
        let mut second = first.clone();
        for _ in 0..choices.between(0, 2) {
            let count = second.count();
            if count == 0 {
                break;
            }
            let shape = generate::regroup(choices, count);
            second = second.reshape(&shape).map_err(|e| e.to_string())?;
        }
        second = second.reshape(first.shape()).map_err(|e| e.to_string())?;
        if choices.one_in(3) && !first.shape().is_empty() {
            second = second.flip(&[0]).map_err(|e| e.to_string())?;
        }
        certified_pair(&first, &second)
    });
}

#[test]
fn testdata() {
    for file in ["cases.jsonl", "pairs.jsonl", "reshapes.jsonl"] {
        for case in cases::read(file) {
            if let Ok(views) = case.question.views() {
                certified(&views).unwrap_or_else(|wrong| panic!("{file}, {}: {wrong}", case.name));
            }
        }
    }
}
