//! Checks what each kind of certificate must show.
//!
//! A certificate of *yes* must prove every claim in the list that follows from the views, each once, and no
//! other: the list is made here from the views alone. A certificate of *no* names a few indices, and the
//! chain is evaluated there.

mod indices;

use crate::budget::Budget;
use crate::certificate::{Certificate, Content, Witness};
use crate::claim::{Claim, Side};
use crate::json::Source;
use crate::number::Integer;
use crate::proofs::Proofs;
use crate::refusal::{Failure, List, Refusal};
use crate::system::{Chain, Form, Row};
use crate::view::{self, Mask, View, value};

/// Whether the certificate holds; `source` is the text it was read from.
pub(crate) fn check(
    certificate: &Certificate,
    source: Source<'_>,
    budget: &Budget,
) -> Result<(), Refusal> {
    let views = &certificate.views;
    if let Content::Always(proof) = &certificate.content {
        return proof.check(budget);
    }
    if let Content::Apart { view, index } = &certificate.content {
        return indices::are_apart(views, view, index, budget);
    }
    composes(views, List::Views, budget)?;
    if let Content::Equal { other, .. } | Content::Differ { other, .. } = &certificate.content {
        composes(other, List::Other, budget)?;
    }
    let proofs = |proofs| Proofs::new(proofs, &certificate.nodes, source, budget);
    match &certificate.content {
        Content::Merged { merged, proofs: given } => is_view(views, merged, proofs(given)?),
        Content::Equal { other, proofs: given } => are_equal(views, other, proofs(given)?),
        Content::Witness(witness) => is_witness(views, witness, budget),
        Content::Differ { other, differ } => are_different(views, other, differ.as_deref(), budget),
        Content::EqualExpressions { pair, proofs: given } => pair.are_equal(proofs(given)?),
        Content::DifferentExpressions { pair, differ } => pair.are_different(differ, budget),
        Content::Collision(indices) => indices::collide(views, indices, budget),
        Content::Apart { .. } | Content::Always(_) => Ok(()),
    }
}

/// Whether the valid positions of every view are elements of the view below.
fn composes(views: &[View], list: List, budget: &Budget) -> Result<(), Refusal> {
    let Some(apart) = view::apart(views, budget)? else { return Ok(()) };
    let view::Apart { view, least, greatest, elements } = apart;
    Err(Failure::DoesNotCompose { list, view, least, greatest, elements }.into())
}

/// The last view; `views` is never empty.
fn top(views: &[View]) -> &View {
    &views[views.len() - 1]
}

fn same_shape(one: &View, other: &View) -> Result<(), Failure> {
    if one.shape == other.shape {
        return Ok(());
    }
    Err(Failure::ShapesDiffer { one: one.shape.clone(), other: other.shape.clone() })
}

/// The first view that is *nothing*, whatever its size.
fn nothing(views: &[View]) -> Option<usize> {
    views.iter().position(|view| view.mask == Mask::Nothing)
}

/// Whether exactly these claims are present, each with a proof for its rows.
fn check_claims<'r>(
    claims: &[Claim<usize>],
    variables: usize,
    mut proofs: Proofs<'_>,
    rows: impl Fn(&Claim<usize>) -> Vec<Row<'r>>,
) -> Result<(), Refusal> {
    let mut roots = Vec::new();
    for claim in claims {
        proofs.budget.entry::<(Claim<usize>, usize)>()?;
        roots.push(proofs.root(claim)?);
    }
    proofs.end()?;
    for (claim, root) in claims.iter().zip(roots) {
        proofs.check(claim, root, variables, rows(claim))?;
    }
    Ok(())
}

/// Whether the chain, none of whose views is *nothing*, is shown to have no valid index.
fn is_empty(views: &[View], number: Option<usize>, proofs: Proofs<'_>) -> Result<(), Refusal> {
    let chain = Chain::new(views, 0, proofs.budget)?;
    let valid = top(views).valid_box().unwrap_or_default();
    check_claims(&[Claim::Empty { chain: number }], chain.variables, proofs, |_| {
        let mut rows = Vec::new();
        chain.box_rows(&valid, &mut rows);
        chain.digit_rows(None, &mut rows);
        rows
    })
}

/// The claims that no index misses a mask, for some views of a chain.
fn holes(
    views: &[View],
    numbers: std::ops::Range<usize>,
    chain: Option<usize>,
    claims: &mut Vec<Claim<usize>>,
) {
    for view in numbers {
        let Mask::Box(intervals) = &views[view].mask else { continue };
        for (axis, ((lo, hi), size)) in intervals.iter().zip(&views[view].shape).enumerate() {
            if *lo > Integer::ZERO {
                claims.push(Claim::Hole { chain, view, axis, side: Side::Low });
            }
            if hi < size {
                claims.push(Claim::Hole { chain, view, axis, side: Side::High });
            }
        }
    }
}

/// The row of an index or digit beyond one end of [lo, hi).
fn beyond<'a>(form: &'a Form, (lo, hi): (Integer, Integer), side: Side) -> Row<'a> {
    match side {
        Side::Low => Row::at_most(form, &lo - &Integer::ONE),
        Side::High => Row::at_least(form, hi),
    }
}

/// The row of a difference of functions that is not 0.
fn apart<'a>(difference: &'a Form, claim: &Claim<usize>) -> Row<'a> {
    match claim {
        Claim::Above => Row::at_least(difference, Integer::ONE),
        _ => Row::at_most(difference, &Integer::ZERO - &Integer::ONE),
    }
}

/// Whether the chain is shown to be the view `merged`.
fn is_view(views: &[View], merged: &View, proofs: Proofs<'_>) -> Result<(), Refusal> {
    let last = top(views);
    same_shape(last, merged)?;
    if !merged.has_elements() {
        return Ok(proofs.end()?);
    }
    let Some(merged_box) = merged.valid_box() else {
        return match nothing(views) {
            Some(_) => Ok(proofs.end()?),
            None => is_empty(views, None, proofs),
        };
    };
    if let Some(view) = nothing(views) {
        return Err(Failure::NothingIsValid { view }.into());
    }
    let mut claims = vec![Claim::Above, Claim::Below];
    let top_box: Vec<_> = (0..last.shape.len()).map(|axis| last.interval(axis)).collect();
    for (axis, ((lo, hi), (top_lo, top_hi))) in merged_box.iter().zip(&top_box).enumerate() {
        if lo < top_lo || hi > top_hi {
            let (lo, hi, top_lo, top_hi) = (lo.clone(), hi.clone(), top_lo.clone(), top_hi.clone());
            return Err(Failure::BoxOutside { axis, lo, hi, top_lo, top_hi }.into());
        }
        if top_lo < lo {
            claims.push(Claim::Outside { axis, side: Side::Low });
        }
        if top_hi > hi {
            claims.push(Claim::Outside { axis, side: Side::High });
        }
    }
    holes(views, 0..views.len() - 1, None, &mut claims);

    let budget = proofs.budget;
    let chain = Chain::new(views, 0, budget)?;
    let index = &chain.digits[chain.top()];
    let mut difference = chain.value.copied(budget)?;
    difference.subtract(&Form::constant(&merged.offset, budget)?, budget)?;
    for (stride, x) in merged.strides.iter().zip(index) {
        difference.add(&(&Integer::ZERO - stride), x, budget)?;
    }
    check_claims(&claims, chain.variables, proofs, |claim| {
        let mut rows = Vec::new();
        let outside = matches!(claim, Claim::Outside { .. });
        chain.box_rows(if outside { &top_box } else { &merged_box }, &mut rows);
        match claim {
            Claim::Outside { axis, side } => {
                chain.digit_rows(None, &mut rows);
                rows.push(beyond(&index[*axis], merged_box[*axis].clone(), *side));
            }
            Claim::Hole { view, axis, side, .. } => {
                chain.digit_rows(Some(*view), &mut rows);
                let interval = views[*view].interval(*axis);
                rows.push(beyond(&chain.digits[*view][*axis], interval, *side));
            }
            Claim::Above | Claim::Below | Claim::Empty { .. } | Claim::Case { .. } => {
                chain.digit_rows(None, &mut rows);
                rows.push(apart(&difference, claim));
            }
        }
        rows
    })
}

/// Whether the chains are shown to be the same function.
fn are_equal(views: &[View], other: &[View], proofs: Proofs<'_>) -> Result<(), Refusal> {
    same_shape(top(views), top(other))?;
    if !top(views).has_elements() {
        return Ok(proofs.end()?);
    }
    match (nothing(views), nothing(other)) {
        (None, None) => {}
        (Some(_), Some(_)) => return Ok(proofs.end()?),
        (None, Some(_)) => return is_empty(views, Some(0), proofs),
        (Some(_), None) => return is_empty(other, Some(1), proofs),
    }
    let mut claims = vec![Claim::Above, Claim::Below];
    holes(views, 0..views.len(), Some(0), &mut claims);
    holes(other, 0..other.len(), Some(1), &mut claims);

    let budget = proofs.budget;
    let one = Chain::new(views, 0, budget)?;
    let two = Chain::new(other, one.variables, budget)?;
    let chains = [&one, &two];
    let mut difference = one.value.copied(budget)?;
    difference.subtract(&two.value, budget)?;
    let boxes = chains.map(|chain| {
        let view = top(chain.views);
        (0..view.shape.len()).map(|axis| view.interval(axis)).collect::<Vec<_>>()
    });
    let both: Vec<_> = boxes[0]
        .iter()
        .zip(&boxes[1])
        .map(|(a, b)| ((&a.0).max(&b.0).clone(), (&a.1).min(&b.1).clone()))
        .collect();
    check_claims(&claims, two.variables, proofs, |claim| {
        let mut rows = Vec::new();
        if let Claim::Hole { chain: Some(number), view, axis, side } = claim {
            let chain = chains[*number];
            let at_top = *view == chain.top();
            chain.box_rows(if at_top { &boxes[1 - number] } else { &both }, &mut rows);
            // A hole in the last view has no views above it, so no rows of its chain apply.
            one.digit_rows((*number == 0).then_some(*view), &mut rows);
            two.digit_rows((*number == 1).then_some(*view), &mut rows);
            let interval = chain.views[*view].interval(*axis);
            rows.push(beyond(&chain.digits[*view][*axis], interval, *side));
        } else {
            one.box_rows(&both, &mut rows);
            one.digit_rows(None, &mut rows);
            two.digit_rows(None, &mut rows);
            rows.push(apart(&difference, claim));
        }
        rows
    })
}

/// The value at an index, which must be in the shape; `None` if the index is not valid.
fn at(views: &[View], index: &[Integer], budget: &Budget) -> Result<Option<Integer>, Refusal> {
    let last = top(views);
    if !last.contains(index) {
        let (index, shape) = (index.to_vec(), last.shape.clone());
        return Err(Failure::OutsideShape { index, shape }.into());
    }
    Ok(value(views, index, budget)?)
}

/// The value at an index that must be valid.
fn valid_at(views: &[View], index: &[Integer], budget: &Budget) -> Result<Integer, Refusal> {
    let value = at(views, index, budget)?;
    value.ok_or_else(|| Failure::NotValid { index: index.to_vec() }.into())
}

/// Whether the witness shows that the chain is not one view.
fn is_witness(views: &[View], witness: &Witness, budget: &Budget) -> Result<(), Refusal> {
    match witness {
        Witness::Step { axis, at: from, step, other, other_step } => {
            let rank = top(views).shape.len();
            let place = usize::try_from(axis).ok().filter(|place| *place < rank);
            let place = place.ok_or_else(|| Failure::NoAxis { axis: axis.clone(), rank })?;
            for (index, claimed) in [(from, step), (other, other_step)] {
                let here = valid_at(views, index, budget)?;
                let mut next = index.clone();
                next[place] = &next[place] + &Integer::ONE;
                let found = &valid_at(views, &next, budget)? - &here;
                if found != *claimed {
                    let claimed = claimed.clone();
                    return Err(Failure::OtherStep { at: index.clone(), claimed, found }.into());
                }
            }
            if step == other_step {
                return Err(Failure::SameSteps { step: step.clone() }.into());
            }
        }
        Witness::Hole { valid: [one, other], invalid } => {
            valid_at(views, one, budget)?;
            valid_at(views, other, budget)?;
            if at(views, invalid, budget)?.is_some() {
                return Err(Failure::IsValid { index: invalid.clone() }.into());
            }
            for (axis, (i, (a, b))) in invalid.iter().zip(one.iter().zip(other)).enumerate() {
                if i < a.min(b) || i > a.max(b) {
                    let (i, one, other) = (i.clone(), a.clone(), b.clone());
                    return Err(Failure::NotBetween { axis, i, one, other }.into());
                }
            }
        }
    }
    Ok(())
}

/// Whether the chains differ in shape, or else at the index.
fn are_different(
    views: &[View],
    other: &[View],
    index: Option<&[Integer]>,
    budget: &Budget,
) -> Result<(), Refusal> {
    let (one, two) = (top(views), top(other));
    let Some(index) = index else {
        return match same_shape(one, two) {
            Ok(()) => Err(Failure::ShapesAreEqual { shape: one.shape.clone() }.into()),
            Err(_) => Ok(()),
        };
    };
    same_shape(one, two)?;
    if at(views, index, budget)? == at(other, index, budget)? {
        return Err(Failure::SameThere { index: index.to_vec() }.into());
    }
    Ok(())
}
