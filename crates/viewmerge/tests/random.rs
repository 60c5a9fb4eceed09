//! Random inputs against the naive `reference`.
//!
//! A fixed share runs here; `VIEWMERGE_CASES=20` runs twenty times as many.

use viewmerge::{View, ViewChain};
use viewmerge_testkit::{check, generate, run};

#[test]
fn chains_of_views() {
    run(15_000, |choices| check::chain(&generate::chain(choices)));
}

#[test]
fn chains_as_written() {
    run(10_000, |choices| {
        let mut parts = generate::chain_parts(choices);
        if choices.one_in(2) {
            // Usually spoils the composition.
            let last = parts.len() - 1;
            parts[last].offset += choices.between(-8, 8);
        }
        check::raw_chain(&parts)
    });
}

#[test]
fn equal_views_are_equal_functions() {
    run(10_000, |choices| {
        let first = generate::parts(choices);
        let mut second = first.clone();
        if let Some(strides) = &mut second.strides
            && !strides.is_empty()
        {
            // A changed stride matters only if the axis has two valid indices;
            // an offset that makes up for it at one of them may hide it.
            let axis = choices.below(strides.len() as i64) as usize;
            let change = choices.between(-3, 3);
            strides[axis] += change;
            second.offset -= change * choices.below(first.shape[axis].max(1));
        } else {
            second.offset += choices.below(2);
        }
        if choices.one_in(4) {
            second.validity = generate::parts(choices).validity;
            if let viewmerge::Validity::Box(bounds) = &second.validity {
                let fits = bounds.len() == first.shape.len()
                    && bounds.iter().zip(&first.shape).all(|(b, size)| b.1 <= *size);
                if !fits {
                    second.validity = first.validity.clone();
                }
            }
        }
        check::equality(&first, &second)
    });
}

#[test]
fn op_sequences() {
    run(10_000, |choices| {
        let view = View::try_from(generate::parts(choices)).map_err(|e| e.to_string())?;
        let mut chain = ViewChain::from(view);
        for _ in 0..choices.between(1, 5) {
            let op = generate::movement(choices, chain.shape());
            chain = check::movement(&chain, &op)?;
        }
        check::chain(chain.views())
    });
}
