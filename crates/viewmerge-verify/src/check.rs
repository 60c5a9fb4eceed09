//! What each kind of certificate must show, and whether it does.
//!
//! A certificate of *yes* must prove every claim in the list that the views call
//! for, each once, and no other: the list is made here from the views alone. A
//! certificate of *no* names a few indices, and the chain is evaluated there.

use std::collections::BTreeMap;

use crate::certificate::{Certificate, Content, ProofNode, Proved, Witness};
use crate::claim::{Claim, Side};
use crate::json::Source;
use crate::number::Integer;
use crate::proof;
use crate::refusal::{Failure, List, Node, Refusal};
use crate::system::{Chain, Form, Memory, Row};
use crate::view::{Mask, View, composes, value};

/// Whether the certificate holds; the source is what it was read from.
pub(crate) fn check(certificate: &Certificate, source: Source<'_>) -> Result<(), Refusal> {
    let views = &certificate.views;
    composes(views, List::Views)?;
    if let Content::Equal { other, .. } | Content::Differ { other, .. } = &certificate.content {
        composes(other, List::Other)?;
    }
    let proofs = |proofs| Proofs { proofs, nodes: &certificate.nodes, source };
    match &certificate.content {
        Content::Merged { merged, proofs: given } => is_view(views, merged, &proofs(given)),
        Content::Equal { other, proofs: given } => are_equal(views, other, &proofs(given)),
        Content::Witness(witness) => Ok(is_witness(views, witness)?),
        Content::Differ { other, differ } => Ok(are_different(views, other, differ.as_deref())?),
        Content::EqualExpressions { pair, proofs: given } => pair.are_equal(&proofs(given)),
        Content::DifferentExpressions { pair, differ } => Ok(pair.are_different(differ)?),
    }
}

/// The last view; `views` are never empty.
fn top(views: &[View]) -> &View {
    &views[views.len() - 1]
}

fn same_shape(one: &View, other: &View) -> Result<(), Failure> {
    if one.shape == other.shape {
        return Ok(());
    }
    Err(Failure::ShapesDiffer { one: one.shape.clone(), other: other.shape.clone() })
}

/// The first view without any valid index, whatever its size.
fn nothing(views: &[View]) -> Option<usize> {
    views.iter().position(|view| view.mask == Mask::Nothing)
}

/// The proofs of a certificate.
pub(crate) struct Proofs<'a> {
    proofs: &'a [Proved],
    nodes: &'a [ProofNode],
    source: Source<'a>,
}

impl<'a> Proofs<'a> {
    /// Whether just these claims are there, each with a proof for the rows that belong to it.
    fn settle(
        &self,
        claims: &[Claim<usize>],
        variables: usize,
        rows: impl Fn(&Claim<usize>) -> Vec<Row<'a>>,
    ) -> Result<(), Failure> {
        for (claim, root) in self.matched(claims)? {
            self.prove(claim, root, variables, rows(claim))?;
        }
        Ok(())
    }

    /// The roots of the proofs of just these claims.
    pub(crate) fn matched<'c>(
        &self,
        claims: &'c [Claim<usize>],
    ) -> Result<Vec<(&'c Claim<usize>, usize)>, Failure> {
        let mut roots = BTreeMap::new();
        for Proved { claim, root, .. } in self.proofs {
            if roots.insert(claim, *root).is_some() {
                return Err(Failure::Repeated { claim: claim.clone() });
            }
        }
        let mut tasks = Vec::new();
        for claim in claims {
            let named = Claim::from(claim);
            let Some(root) = roots.remove(&named) else {
                return Err(Failure::Missing { claim: named });
            };
            tasks.push((claim, root));
        }
        if let Some((&claim, _)) = roots.first_key_value() {
            return Err(Failure::Unasked { claim: claim.clone() });
        }
        Ok(tasks)
    }

    /// Whether the proof of a claim shows that the rows have no point.
    pub(crate) fn prove(
        &self,
        claim: &Claim<usize>,
        root: usize,
        variables: usize,
        rows: Vec<Row<'a>>,
    ) -> Result<(), Failure> {
        proof::check(self.nodes, root, variables, rows).map_err(|flawed| {
            let (line, column) = self.source.line_and_column(self.nodes[flawed.node].at);
            let node = Node { line, column, path: flawed.path };
            Failure::Unproved { claim: claim.into(), node, flaw: flawed.flaw }
        })
    }

    /// Whether no claim is there at all.
    fn none(&self) -> Result<(), Failure> {
        self.settle(&[], 0, |_| Vec::new())
    }

    /// Whether the chain, none of whose views is *nothing*, is shown to have no valid index.
    fn empty(&self, views: &[View], number: Option<usize>) -> Result<(), Refusal> {
        let chain = Chain::new(views, 0, &mut Memory::default())?;
        let valid = top(views).valid_box().unwrap_or_default();
        self.settle(&[Claim::Empty { chain: number }], chain.variables, |_| {
            let mut rows = Vec::new();
            chain.box_rows(&valid, &mut rows);
            chain.digit_rows(None, &mut rows);
            rows
        })?;
        Ok(())
    }
}

/// The claims that a mask is not missed, for some views of a chain.
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
fn is_view(views: &[View], merged: &View, proofs: &Proofs<'_>) -> Result<(), Refusal> {
    let last = top(views);
    same_shape(last, merged)?;
    if !merged.has_elements() {
        return Ok(proofs.none()?);
    }
    let Some(merged_box) = merged.valid_box() else {
        return match nothing(views) {
            Some(_) => Ok(proofs.none()?),
            None => proofs.empty(views, None),
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

    let chain = Chain::new(views, 0, &mut Memory::default())?;
    let index = &chain.digits[chain.top()];
    let mut difference = chain.value.clone();
    let minus = |number: &Integer| &Integer::ZERO - number;
    difference.add(&minus(&Integer::ONE), &Form::constant(&merged.offset));
    for (stride, x) in merged.strides.iter().zip(index) {
        difference.add(&minus(stride), x);
    }
    proofs.settle(&claims, chain.variables, |claim| {
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
    })?;
    Ok(())
}

/// Whether the chains are shown to be the same function.
fn are_equal(views: &[View], other: &[View], proofs: &Proofs<'_>) -> Result<(), Refusal> {
    same_shape(top(views), top(other))?;
    if !top(views).has_elements() {
        return Ok(proofs.none()?);
    }
    match (nothing(views), nothing(other)) {
        (None, None) => {}
        (Some(_), Some(_)) => return Ok(proofs.none()?),
        (None, Some(_)) => return proofs.empty(views, Some(0)),
        (Some(_), None) => return proofs.empty(other, Some(1)),
    }
    let mut claims = vec![Claim::Above, Claim::Below];
    holes(views, 0..views.len(), Some(0), &mut claims);
    holes(other, 0..other.len(), Some(1), &mut claims);

    let mut memory = Memory::default();
    let one = Chain::new(views, 0, &mut memory)?;
    let two = Chain::new(other, one.variables, &mut memory)?;
    let chains = [&one, &two];
    let mut difference = one.value.clone();
    difference.add(&(&Integer::ZERO - &Integer::ONE), &two.value);
    let boxes = chains.map(|chain| {
        let view = top(chain.views);
        (0..view.shape.len()).map(|axis| view.interval(axis)).collect::<Vec<_>>()
    });
    let both: Vec<_> = boxes[0]
        .iter()
        .zip(&boxes[1])
        .map(|(a, b)| ((&a.0).max(&b.0).clone(), (&a.1).min(&b.1).clone()))
        .collect();
    proofs.settle(&claims, two.variables, |claim| {
        let mut rows = Vec::new();
        if let Claim::Hole { chain: Some(number), view, axis, side } = claim {
            let chain = chains[*number];
            let at_top = *view == chain.top();
            chain.box_rows(if at_top { &boxes[1 - number] } else { &both }, &mut rows);
            // A hole in the last view has no views above it, so it has none of its chain's rows.
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
    })?;
    Ok(())
}

/// The value at an index, which must be in the shape; `None` if it is not valid.
fn at(views: &[View], index: &[Integer]) -> Result<Option<Integer>, Failure> {
    let last = top(views);
    if !last.contains(index) {
        let (index, shape) = (index.to_vec(), last.shape.clone());
        return Err(Failure::OutsideShape { index, shape });
    }
    Ok(value(views, index))
}

/// The value at an index that must be valid.
fn valid_at(views: &[View], index: &[Integer]) -> Result<Integer, Failure> {
    at(views, index)?.ok_or_else(|| Failure::NotValid { index: index.to_vec() })
}

/// Whether the witness shows that the chain is not one view.
fn is_witness(views: &[View], witness: &Witness) -> Result<(), Failure> {
    match witness {
        Witness::Step { axis, at: from, step, other, other_step } => {
            let rank = top(views).shape.len();
            let place = usize::try_from(axis).ok().filter(|place| *place < rank);
            let place = place.ok_or_else(|| Failure::NoAxis { axis: axis.clone(), rank })?;
            for (index, claimed) in [(from, step), (other, other_step)] {
                let here = valid_at(views, index)?;
                let mut next = index.clone();
                next[place] = &next[place] + &Integer::ONE;
                let found = &valid_at(views, &next)? - &here;
                if found != *claimed {
                    let claimed = claimed.clone();
                    return Err(Failure::OtherStep { at: index.clone(), claimed, found });
                }
            }
            if step == other_step {
                return Err(Failure::SameSteps { step: step.clone() });
            }
        }
        Witness::Hole { valid: [one, other], invalid } => {
            valid_at(views, one)?;
            valid_at(views, other)?;
            if at(views, invalid)?.is_some() {
                return Err(Failure::IsValid { index: invalid.clone() });
            }
            for (axis, (i, (a, b))) in invalid.iter().zip(one.iter().zip(other)).enumerate() {
                if i < a.min(b) || i > a.max(b) {
                    let (i, one, other) = (i.clone(), a.clone(), b.clone());
                    return Err(Failure::NotBetween { axis, i, one, other });
                }
            }
        }
    }
    Ok(())
}

/// Whether the chains differ in shape, or else at the index.
fn are_different(views: &[View], other: &[View], index: Option<&[Integer]>) -> Result<(), Failure> {
    let (one, two) = (top(views), top(other));
    let Some(index) = index else {
        return match same_shape(one, two) {
            Ok(()) => Err(Failure::ShapesAreEqual { shape: one.shape.clone() }),
            Err(_) => Ok(()),
        };
    };
    same_shape(one, two)?;
    if at(views, index)? == at(other, index)? {
        return Err(Failure::SameThere { index: index.to_vec() });
    }
    Ok(())
}
