//! The checks that a fuzzer runs on its bytes, and the tests on the saved inputs. A disagreement
//! with `reference` panics, as a broken invariant would.

use viewmerge::{Limit, OpenChain, Slice, StridePattern, View, ViewChain};
use viewmerge_symbolic::{Params, SymbolicChain};

use crate::choices::Choices;
use crate::{accidental, check, forms, generate, symbolic};

fn expect(outcome: Result<(), String>) {
    if let Err(message) = outcome {
        panic!("{message}");
    }
}

/// Merging: chains, accidental merges, and views near the limits.
pub fn merge(bytes: &[u8]) {
    let mut choices = Choices::new(bytes);
    match choices.below(3) {
        0 => {
            let views = generate::chain(&mut choices);
            expect(check::merging(&views));
            expect(forms::check(&views));
        }
        1 => {
            let views = accidental::chain(&mut choices);
            expect(check::merging(&views));
            expect(forms::check(&views));
        }
        _ => {
            let parts =
                [generate::extreme_parts(&mut choices), generate::extreme_parts(&mut choices)];
            let views: Result<Vec<View>, _> = parts.into_iter().map(View::try_from).collect();
            if let Ok(views) = views {
                let _ = viewmerge::merge(&views, &Limit::steps(2_000));
                if let Ok(chain) = ViewChain::from_views(&views) {
                    expect(forms::at_corners(&chain));
                }
            }
        }
    }
}

/// Reshapes of one view.
pub fn reshape(bytes: &[u8]) {
    let mut choices = Choices::new(bytes);
    let Ok(view) = View::try_from(generate::parts(&mut choices)) else { return };
    let op = viewmerge::Movement::Reshape(generate::regroup(&mut choices, view.count().max(1)));
    expect(check::movement(&ViewChain::from(view), &op).map(|_| ()));
}

/// Ops on chains, with good arguments, bad ones, and ones near the limits.
pub fn ops(bytes: &[u8]) {
    let mut choices = Choices::new(bytes);
    if choices.one_in(4) {
        let Ok(view) = View::try_from(generate::extreme_parts(&mut choices)) else { return };
        expect(check::bounded(&view));
        let op = generate::extreme_movement(&mut choices, view.rank());
        if let Ok(verdict) = view.apply(&op) {
            expect(verdict.view().map_or(Ok(()), check::bounded));
        }
        return;
    }
    let Ok(view) = View::try_from(generate::parts(&mut choices)) else { return };
    let mut chain = ViewChain::from(view);
    for _ in 0..choices.between(1, 6) {
        let op = match choices.one_in(4) {
            true => generate::spoilt_movement(&mut choices, chain.shape()),
            false => generate::movement(&mut choices, chain.shape()),
        };
        match check::movement(&chain, &op) {
            Ok(after) => chain = after,
            Err(message) => panic!("{message}"),
        }
    }
    expect(check::chain(chain.views()));
    expect(forms::check(chain.views()));
}

/// Text that may be a view, a slice, a pattern of strides or a chain.
pub fn notation(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    if let Ok(view) = text.parse::<View>() {
        expect(check::bounded(&view));
    }
    let _ = text.parse::<Slice>();
    let _ = text.parse::<StridePattern>();
    let _ = text.parse::<OpenChain>();
    if let Ok(chain) = text.parse::<ViewChain>() {
        let printed = chain.to_string();
        if printed.parse().as_ref() != Ok(&chain) {
            panic!("{printed} does not parse back");
        }
    }
}

/// Chains with unknown sizes; every fourth input is read as the text of one.
pub fn symbolic(bytes: &[u8]) {
    let mut choices = Choices::new(bytes);
    if choices.one_in(4) {
        let declared =
            ["N", "M>=0", "s:int"].iter().try_fold(Params::new(), |p, text| p.read(text));
        if let (Ok(params), Some(Ok(text))) = (declared, bytes.get(1..).map(std::str::from_utf8)) {
            let _ =
                SymbolicChain::parse(&params, text).map(|chain| chain.merge(&Limit::steps(200)));
            let _ = params.assume(text);
        }
        return;
    }
    expect(symbolic::check(&mut choices));
}
