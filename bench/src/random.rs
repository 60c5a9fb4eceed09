//! Random questions, the same in every run; the truth is found by walking every index
//! (`viewmerge::reference`).

use std::collections::HashSet;

use viewmerge::reference::{Spec, Table};
use viewmerge::{Movement, Validity, View, ViewParts};
use viewmerge_testkit::check::apply_to_table;
use viewmerge_testkit::choices::Choices;
use viewmerge_testkit::tables::TableOps;
use viewmerge_testkit::{accidental, generate};

use crate::Result;
use crate::question::{Ask, Question};

/// The number of questions of each kind.
const COUNT: usize = 3000;
/// The most ops in a chain of them.
const MOST_OPS: i64 = 8;

/// The bytes from which a question is drawn.
const BYTES: usize = 160;
/// The seed of the accidental ones.
const ACCIDENTAL: u64 = 2;

/// Pseudo-random bytes (splitmix64).
pub(crate) struct Bytes(pub(crate) u64);

impl Bytes {
    fn next(&mut self) -> [u8; 8] {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)).to_le_bytes()
    }

    pub(crate) fn take(&mut self, count: usize) -> Vec<u8> {
        (0..count.div_ceil(8)).flat_map(|_| self.next()).collect()
    }
}

/// The first chains that [`accidental()`] draws, without their truth.
pub(crate) fn accidental_chains(count: usize) -> Vec<Vec<View>> {
    let mut bytes = Bytes(ACCIDENTAL);
    (0..count).map(|_| accidental::chain(&mut Choices::new(&bytes.take(BYTES)))).collect()
}

/// Distinct questions; draws that yield none are repeated.
fn collect(
    seed: u64,
    draw: impl Fn(&mut Choices<'_>) -> Option<(Ask, Table)>,
) -> Result<Vec<Question>> {
    let (mut bytes, mut seen, mut questions) = (Bytes(seed), HashSet::new(), Vec::new());
    while questions.len() < COUNT {
        let Some((ask, table)) = draw(&mut Choices::new(&bytes.take(BYTES))) else { continue };
        if seen.insert(serde_json::to_string(&ask)?) {
            let truth = table.single_view().map(view).transpose()?;
            questions.push(Question::new(ask, truth)?);
        }
    }
    Ok(questions)
}

fn view(spec: Spec) -> Result<View> {
    let validity = match spec.bounds {
        Some(bounds) => Validity::boxed(&bounds),
        None => Validity::Nothing,
    };
    let Spec { shape, strides, offset, .. } = spec;
    Ok(View::try_from(ViewParts { shape, strides: Some(strides), offset, validity })?)
}

/// Whether there are two or more elements; fewer make no question.
fn has_elements(shape: &[i64]) -> bool {
    shape.iter().product::<i64>() > 1
}

fn merging(views: Vec<View>) -> Option<(Ask, Table)> {
    let elements = views.iter().all(|view| has_elements(view.shape()));
    let chain: Vec<Spec> = views.iter().map(Spec::from).collect();
    let table = Table::of_chain(&chain)?;
    (elements && views.len() > 1).then_some((Ask::Merge { views }, table))
}

/// Pairs of views, some like those of programs, some with random strides.
pub(crate) fn pairs() -> Result<Vec<Question>> {
    collect(1, |choices| {
        let below = generate::parts(choices);
        let top = generate::parts_above(choices, &below.shape);
        merging(vec![View::try_from(below).ok()?, View::try_from(top).ok()?])
    })
}

/// Two or three views built so that several levels overflow together, and near misses.
pub(crate) fn accidental() -> Result<Vec<Question>> {
    collect(ACCIDENTAL, |choices| merging(accidental::chain(choices)))
}

/// A view with some strides, padding and broadcast axes, reshaped.
pub(crate) fn reshapes() -> Result<Vec<Question>> {
    collect(3, |choices| {
        let view = View::try_from(generate::parts(choices)).ok()?;
        if !has_elements(view.shape()) {
            return None;
        }
        let new_shape = generate::regroup(choices, view.count());
        let table = Table::of_chain(&[Spec::from(&view)])?.reshape(&new_shape)?;
        (new_shape != view.shape()).then_some((Ask::Reshape { view, new_shape }, table))
    })
}

/// A view without padding or negative strides, reshaped.
pub(crate) fn strided_reshapes() -> Result<Vec<Question>> {
    collect(5, |choices| {
        let mut parts = generate::parts(choices);
        parts.validity = Validity::All;
        parts.offset = 0;
        parts.strides.iter_mut().flatten().for_each(|stride| *stride = stride.abs());
        let view = View::try_from(parts).ok()?;
        if !has_elements(view.shape()) {
            return None;
        }
        let new_shape = generate::regroup(choices, view.count());
        let table = Table::of_chain(&[Spec::from(&view)])?.reshape(&new_shape)?;
        (new_shape != view.shape()).then_some((Ask::Reshape { view, new_shape }, table))
    })
}

/// A contiguous tensor after two to eight ops, one of them a reshape.
///
/// Without steps, because tinygrad has no op for them.
pub(crate) fn ops() -> Result<Vec<Question>> {
    collect(4, |choices| {
        let shape = generate::shape(choices);
        let mut table = Table::contiguous(&shape)?;
        let mut ops = Vec::new();
        for _ in 0..choices.between(2, MOST_OPS) {
            let op = generate::movement(choices, table.shape());
            table = apply_to_table(&table, &op)?;
            ops.push(op);
        }
        let reshaped = ops.iter().any(|op| matches!(op, Movement::Reshape(_)));
        (reshaped && has_elements(table.shape())).then_some((Ask::Ops { shape, ops }, table))
    })
}
