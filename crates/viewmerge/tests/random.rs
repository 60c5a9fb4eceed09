//! Random inputs against the naive `reference`.
//!
//! A fixed share runs here; `VIEWMERGE_CASES=20` runs twenty times as many.

use viewmerge::{Limit, OpenChain, StridePattern, Verdict, View, ViewChain, Witness};
use viewmerge_testkit::{accidental, check, forms, generate, ops, run};

#[test]
fn chains_of_views() {
    run(15_000, |choices| check::chain(&generate::chain(choices)));
}

#[test]
fn accidental_merges_and_near_misses() {
    run(20_000, |choices| check::merging(&accidental::chain(choices)));
}

#[test]
fn index_expressions() {
    run(15_000, |choices| forms::check(&generate::chain(choices)));
    run(5_000, |choices| forms::check(&accidental::chain(choices)));
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

/// Ops that are shorthand for others, good and bad.
#[test]
fn shorthand_ops() {
    let seen = std::cell::Cell::new([0; 2]);
    run(10_000, |choices| {
        let view = View::try_from(generate::parts(choices)).map_err(|e| e.to_string())?;
        let mut chain = ViewChain::from(view);
        for _ in 0..choices.between(1, 4) {
            let op = match choices.one_in(4) {
                true => generate::movement(choices, chain.shape()),
                false => ops::shorthand(choices, chain.shape()),
            };
            let mut counts = seen.get();
            counts[usize::from(chain.apply(&op).is_ok())] += 1;
            seen.set(counts);
            chain = check::movement(&chain, &op)?;
        }
        check::chain(chain.views())
    });
    let [refused, applied] = seen.get();
    assert!(refused > 3_000 && applied > 10_000, "{refused} refused, {applied} applied");
}

/// A chain, and one that is mostly the same function written differently, or nearly so.
#[test]
fn equivalent_chains() {
    let same = std::cell::Cell::new([0; 2]);
    run(10_000, |choices| {
        let views = generate::chain(choices);
        let last = views.len() - 1;
        let mut other = views.clone();
        match choices.below(4) {
            // Through another shape and back.
            0 => {
                let shape = generate::regroup(choices, views[last].count().max(1));
                let through = |shape: &[i64]| View::contiguous(shape).map_err(|e| e.to_string());
                if !views[last].is_empty() {
                    other.push(through(&shape)?);
                    other.push(through(views[last].shape())?);
                }
            }
            // One run merged.
            1 if last > 0 => {
                if let Ok(Verdict::Merged(view)) = viewmerge::merge(&views[..2], &Limit::none()) {
                    other.splice(..2, [view]);
                }
            }
            // Memory read a little differently.
            _ => {
                let mut parts = viewmerge::ViewParts::from(views[0].clone());
                if let Some(strides) = &mut parts.strides
                    && !strides.is_empty()
                {
                    let axis = choices.below(strides.len() as i64) as usize;
                    strides[axis] += choices.between(0, 1);
                }
                other[0] = View::try_from(parts).map_err(|e| e.to_string())?;
            }
        }
        let mut counts = same.get();
        counts[usize::from(check::equivalence(&views, &other)?)] += 1;
        same.set(counts);
        Ok(())
    });
    let [differ, same] = same.get();
    assert!(differ > 1_000 && same > 1_000, "{differ} and {same}");
}

/// The equations hold for exactly the strides that merge: on the space they
/// leave, off it, and anywhere.
#[test]
fn conditions_on_strides() {
    let seen = std::cell::Cell::new([0; 2]);
    run(3_000, |choices| {
        let mut below = generate::parts(choices);
        let above = generate::parts_above(choices, &below.shape);
        let told = |e: viewmerge::Error| format!("{below:?} {above:?}: {e}");
        let open = vec![None; below.shape.len()];
        let pattern = StridePattern::masked(&below.shape, &open, below.validity.clone());
        let above_view = View::try_from(above.clone()).map_err(told)?;
        let open = OpenChain::new(pattern.map_err(told)?, std::slice::from_ref(&above_view))
            .map_err(told)?;
        let found = open.conditions(&Limit::none()).map_err(told)?;
        let basis = found.basis().ok_or("too large")?;
        for attempt in 0..4 {
            let mut strides: Vec<i64> = vec![0; below.shape.len()];
            for vector in basis.iter().filter(|_| attempt < 3) {
                let times = choices.between(-2, 2);
                strides.iter_mut().zip(vector).for_each(|(s, x)| *s += times * x);
            }
            if attempt > 0 && !strides.is_empty() {
                let axis = choices.below(strides.len() as i64) as usize;
                strides[axis] += choices.between(-3, 3);
            }
            below.strides = Some(strides.clone());
            let views =
                [View::try_from(below.clone()).map_err(|e| e.to_string())?, above_view.clone()];
            let merges = check::merging(&views).and_then(|()| {
                viewmerge::merge(&views, &Limit::none())
                    .map(|v| v.is_merged())
                    .map_err(|e| e.to_string())
            })?;
            if merges != found.allow(&strides) {
                return Err(format!("{views:?}: merges: {merges}, {:?}", found.equations()));
            }
            let mut counts = seen.get();
            counts[usize::from(merges)] += 1;
            seen.set(counts);
        }
        Ok(())
    });
    let [not, merged] = seen.get();
    assert!(not > 1_000 && merged > 1_000, "{not} and {merged}");
}

#[test]
fn explanations_hold() {
    run(5_000, |choices| {
        let views =
            if choices.one_in(2) { generate::chain(choices) } else { accidental::chain(choices) };
        check::explanation(&views)
    });
}

#[test]
fn bad_arguments_are_refused_and_good_ones_are_not() {
    run(10_000, |choices| {
        let view = View::try_from(generate::parts(choices)).map_err(|e| e.to_string())?;
        let chain = ViewChain::from(view);
        let op = generate::spoilt_movement(choices, chain.shape());
        check::movement(&chain, &op).map(|_| ())
    });
}

#[test]
fn numbers_near_the_limits_are_handled_or_refused() {
    let accepted = std::cell::Cell::new(0);
    run(20_000, |choices| {
        let Ok(view) = View::try_from(generate::extreme_parts(choices)) else { return Ok(()) };
        check::bounded(&view)?;
        forms::at_corners(&ViewChain::from(view.clone()))?;
        if let Ok(chain) = ViewChain::from(view.clone()).reshape(&[-1]) {
            forms::at_corners(&chain)?;
        }
        let op = generate::extreme_movement(choices, view.rank());
        if let Ok(verdict) = view.apply(&op) {
            verdict.view().map_or(Ok(()), check::bounded)?;
            accepted.set(accepted.get() + 1);
        }
        Ok(())
    });
    assert!(accepted.get() > 500, "{}", accepted.get());
}

/// The generator must reach every kind of answer often.
#[test]
fn inputs_are_varied() {
    let seen = std::cell::RefCell::new([0u32; 5]);
    run(4_000, |choices| {
        let views = generate::chain(choices);
        let verdict = viewmerge::merge(&views, &Limit::none()).map_err(|e| e.to_string())?;
        let kind = match &verdict {
            _ if views.len() == 1 => return Ok(()),
            Verdict::Merged(view) if view.valid_box().is_none() => 0,
            Verdict::Merged(view) if view.masked_axes().next().is_some() => 1,
            Verdict::Merged(_) => 2,
            Verdict::NotMergeable(Witness::Step { .. }) => 3,
            Verdict::NotMergeable(_) => 4,
        };
        seen.borrow_mut()[kind] += 1;
        Ok(())
    });
    let seen = seen.into_inner();
    assert!(seen.iter().all(|&count| count > 100), "{seen:?}");
}
