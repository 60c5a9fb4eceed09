//! Splits against the enumeration of every factorization.
//!
//! Nothing of the solver is used: a chain is its table of values, a split is tried by reshaping the
//! table, and the criterion for one view is checked by walking.

use viewmerge::reference::{Spec, Table, check_witness, evaluate};
use viewmerge::{Limit, NoSplit, Split, SplitView, Validity, View, ViewChain, common_split};
use viewmerge_index::IndexChain;

use crate::choices::Choices;
use crate::generate;
use crate::tables::TableOps;

/// The kind of a chain according to the enumeration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// One view without a split.
    Whole,
    /// One view over some split.
    Cut,
    /// Not one view over any split.
    None,
}

/// A random chain, often regrouped, which often splits.
pub fn chain(choices: &mut Choices<'_>) -> Vec<View> {
    let mut views = generate::chain(choices);
    let last = views.len() - 1;
    let top = views[last].clone();
    if top.count() > 0 && choices.one_in(2) {
        let shape = generate::regroup(choices, top.count());
        if let Ok(view) = View::contiguous(&shape) {
            views.push(view);
        }
    }
    views
}

/// A chain with an axis of up to some thousand indices: tiles, sliced or not, flattened, possibly
/// padded, and read in steps. Lines along it are too long to look at every index.
pub fn long_chain(choices: &mut Choices<'_>) -> Vec<View> {
    let mut shape = Vec::new();
    let mut count = 1;
    for _ in 0..choices.between(2, 3) {
        let size = choices.pick(&[2, 3, 4, 6, 8, 12, 16, 30, 40, 60]);
        if count * size <= 2_400 {
            shape.push(size);
            count *= size;
        }
    }
    let mut stride = choices.between(1, 2);
    let mut strides = vec![0; shape.len()];
    for axis in (0..shape.len()).rev() {
        strides[axis] = if choices.one_in(8) { choices.between(-3, 3) } else { stride };
        stride = stride * shape[axis] + choices.pick(&[0, 0, 1, 5]);
    }
    if choices.one_in(3) {
        strides.reverse();
    }
    let mut validity = Validity::All;
    if choices.one_in(2) {
        let bounds: Vec<(i64, i64)> = shape
            .iter()
            .map(|&size| {
                let lo = if choices.one_in(2) { choices.below(size) } else { 0 };
                (lo, if choices.one_in(2) { choices.between(lo + 1, size) } else { size })
            })
            .collect();
        validity = Validity::boxed(&bounds);
    }
    let mut views = vec![View::new(&shape, &strides, 0, validity).expect("small")];
    if choices.one_in(3) {
        let (before, after) = (choices.between(0, 90), choices.between(0, 90));
        let bounds = [(before, before + count)];
        let size = before + count + after;
        views.push(View::new(&[size], &[1], -before, Validity::boxed(&bounds)).expect("small"));
        count = size;
    }
    let step = choices.pick(&[1, 1, 1, 2, 3, 5]);
    let first = if choices.one_in(3) { choices.below(count) } else { 0 };
    let size = (count - 1 - first) / step + 1;
    views.push(match choices.below(4) {
        0 => View::strided(&[size], &[-step], first + step * (size - 1)).expect("inside"),
        1 if size % 2 == 0 => {
            View::strided(&[size / 2, 2], &[2 * step, step], first).expect("inside")
        }
        _ => View::strided(&[size], &[step], first).expect("inside"),
    });
    views
}

/// Every way to write a size as a product of factors of 2 or more, slowest first.
fn factorizations(size: i64) -> Vec<Vec<i64>> {
    let mut all = vec![vec![size]];
    for first in 2..size {
        if size % first == 0 {
            for mut rest in factorizations(size / first) {
                rest.insert(0, first);
                all.push(rest);
            }
        }
    }
    all
}

/// Every split of a shape.
fn splits(shape: &[i64]) -> Vec<Vec<Vec<i64>>> {
    let mut all = vec![vec![]];
    for &size in shape {
        let axis = factorizations(size);
        let extended = all.iter().flat_map(|split: &Vec<Vec<i64>>| {
            axis.iter().map(move |factors| {
                let mut longer = split.clone();
                longer.push(factors.clone());
                longer
            })
        });
        all = extended.collect();
    }
    all
}

/// The places of a split: (axis, place).
fn places(split: &[Vec<i64>]) -> Vec<(usize, i64)> {
    let axis = |(axis, factors): (usize, &Vec<i64>)| {
        let products = (1..factors.len()).map(|k| (axis, factors[k..].iter().product()));
        products.collect::<Vec<_>>()
    };
    split.iter().enumerate().flat_map(axis).collect()
}

fn contains(split: &[Vec<i64>], coarser: &[Vec<i64>]) -> bool {
    let all = places(split);
    places(coarser).iter().all(|place| all.contains(place))
}

/// The one view over a split, if it exists.
fn over(table: &Table, split: &[Vec<i64>]) -> Option<Spec> {
    table.reshape(&split.concat())?.single_view()
}

/// All splits over which a table is one view.
fn valid_splits(table: &Table) -> Vec<Vec<Vec<i64>>> {
    splits(table.shape()).into_iter().filter(|split| over(table, split).is_some()).collect()
}

fn table_of(views: &[View]) -> Result<Table, String> {
    let specs: Vec<Spec> = views.iter().map(Spec::from).collect();
    Table::of_chain(&specs).ok_or_else(|| format!("{views:?} has no table"))
}

/// Whether a view is the function that a spec is.
fn same(view: &View, spec: &Spec) -> bool {
    Table::of_chain(&[Spec::from(view)]) == Table::of_chain(std::slice::from_ref(spec))
}

/// Compares [`ViewChain::split`] with the enumeration: the coarsest split is found, it is
/// contained in every other, and without masks all its refinements are views.
///
/// # Errors
///
/// A description of the disagreement.
pub fn check(views: &[View]) -> Result<Kind, String> {
    let told = |what: &str| format!("{views:?}: {what}");
    let chain = ViewChain::from_views(views).map_err(|e| told(&e.to_string()))?;
    let table = table_of(views)?;
    let valid = valid_splits(&table);
    let found = chain.split(&Limit::none()).map_err(|e| told(&e.to_string()))?;
    match &found {
        Err(none) => {
            if let Some(split) = valid.first() {
                return Err(told(&format!("{split:?} is missed: {none}")));
            }
            check_none(views, none).map(|()| Kind::None)
        }
        Ok(SplitView { split, view, .. }) => {
            let factors = split.factors();
            let spec = over(&table, factors).ok_or_else(|| told(&format!("not over {split}")))?;
            if !same(view, &spec) {
                return Err(told(&format!("{view} over {split}, it is {spec:?}")));
            }
            if let Some(other) = valid.iter().find(|other| !contains(other, factors)) {
                return Err(told(&format!("{split} is not contained in {other:?}")));
            }
            if views.iter().all(|view| view.validity() == &Validity::All) {
                let refinements =
                    splits(table.shape()).into_iter().filter(|s| contains(s, factors));
                if refinements.count() != valid.len() {
                    return Err(told(&format!("a refinement of {split} is no view")));
                }
            }
            Ok(if split.is_trivial() { Kind::Whole } else { Kind::Cut })
        }
    }
}

/// Evaluates the witness that no split helps.
fn check_none(views: &[View], none: &NoSplit) -> Result<(), String> {
    let specs: Vec<Spec> = views.iter().map(Spec::from).collect();
    let value = |index: &[i64]| evaluate(&specs, index).flatten();
    let moved = |index: &[i64], axis: usize, by: i64| {
        let mut to = index.to_vec();
        to[axis] += by;
        to
    };
    let holds = match none {
        NoSplit::NotSeparable { axis, by, at, step, other, other_step } => {
            let go = |from: &[i64]| Some(value(&moved(from, *axis, *by))? - value(from)?);
            step != other_step
                && at[*axis] == other[*axis]
                && go(at) == Some((*step).into())
                && go(other) == Some((*other_step).into())
        }
        NoSplit::NotProduct { axis, valid: [first, second], invalid } => {
            let mut mixed = first.to_vec();
            mixed[*axis] = second[*axis];
            value(first).is_some()
                && value(second).is_some()
                && mixed == invalid.as_slice()
                && value(invalid).is_none()
        }
        NoSplit::OffGrid { axis, size, at, place, next } => {
            let on_line = |x: i64| value(&moved(at, *axis, x - at[*axis])).is_some();
            let first = (0..*size).find(|&x| on_line(x));
            let crowded = |first: i64| on_line(first + place) && on_line(first + next);
            *size == views[views.len() - 1].shape()[*axis]
                && first.is_some()
                && (next == size && size % place != 0 || next != size && first.is_some_and(crowded))
        }
        NoSplit::Forced { split, witness } => {
            let mut longer = specs.clone();
            let shape = split.shape();
            let view = View::contiguous(&shape).map_err(|e| e.to_string())?;
            longer.push(Spec::from(&view));
            check_witness(&longer, witness)
        }
        _ => return Err(format!("{views:?}: an unknown reason {none:?}")),
    };
    if holds { Ok(()) } else { Err(format!("{views:?}: {none:?} does not hold")) }
}

/// Compares [`ViewChain::padded_split`] of a chain of one axis with the enumeration of every
/// padding up to its size.
///
/// # Errors
///
/// A description of the disagreement.
pub fn check_padded(views: &[View]) -> Result<Kind, String> {
    let told = |what: &str| format!("{views:?}: {what}");
    let chain = ViewChain::from_views(views).map_err(|e| told(&e.to_string()))?;
    let table = table_of(views)?;
    let &[size] = table.shape() else { return Err(told("more than one axis")) };
    let mut valid = Vec::new();
    for before in 0..=size {
        for after in 0..=size {
            let padded = table.pad(&[(before, after)]).ok_or_else(|| told("no padding"))?;
            valid.extend(valid_splits(&padded).into_iter().map(|split| ((before, after), split)));
        }
    }
    match chain.padded_split(&Limit::none()).map_err(|e| told(&e.to_string()))? {
        Err(none) => match valid.first() {
            Some(missed) => Err(told(&format!("{missed:?} is missed: {none}"))),
            None => Ok(Kind::None),
        },
        Ok(found) => {
            let pads = found.pads[0];
            let factors = found.split.factors();
            let padded = table.pad(&[pads]).ok_or_else(|| told("no padding"))?;
            let spec = over(&padded, factors).ok_or_else(|| told(&format!("not {found}")))?;
            if !same(&found.view, &spec) {
                return Err(told(&format!("{found}, it is {spec:?}")));
            }
            let all = places(factors);
            for (other, split) in &valid {
                if !contains(split, factors) {
                    return Err(told(&format!("{found} is not contained in {split:?}")));
                }
                // With the same places, less padding must not be enough.
                if places(split) == all && other.0 < pads.0 {
                    return Err(told(&format!("{found}, but {other:?} is less")));
                }
            }
            Ok(if pads == (0, 0) { Kind::Whole } else { Kind::Cut })
        }
    }
}

/// Checks that [`ViewChain::guarded_split`] is the same function, where it returns one.
///
/// # Errors
///
/// A description of the disagreement.
pub fn check_guarded(views: &[View]) -> Result<Kind, String> {
    let told = |what: &str| format!("{views:?}: {what}");
    let chain = ViewChain::from_views(views).map_err(|e| told(&e.to_string()))?;
    let Some(found) = chain.guarded_split(&Limit::none()).map_err(|e| told(&e.to_string()))? else {
        return Ok(Kind::None);
    };
    let table = table_of(views)?;
    let over = table.pad(&found.pads).and_then(|t| t.reshape(&found.split.shape()));
    let over = over.ok_or_else(|| told(&format!("{found} does not fit")))?;
    let cells = found.guarded.positions().map(|cell| cell.map(i128::from));
    if !cells.eq(over.cells().iter().copied()) {
        return Err(told(&format!("{found} is another function")));
    }
    Ok(if found.split.is_trivial() { Kind::Whole } else { Kind::Cut })
}

/// Compares [`common_split`] of chains of one shape with the enumeration.
///
/// # Errors
///
/// A description of the disagreement.
pub fn check_common(chains: &[ViewChain]) -> Result<Kind, String> {
    let told = |what: &str| format!("{chains:?}: {what}");
    let tables =
        chains.iter().map(|chain| table_of(chain.views())).collect::<Result<Vec<_>, _>>()?;
    let shape = tables[0].shape();
    let all_views = |split: &Vec<Vec<i64>>| tables.iter().all(|table| over(table, split).is_some());
    let valid: Vec<_> = splits(shape).into_iter().filter(all_views).collect();
    match common_split(chains, &Limit::none()).map_err(|e| told(&e.to_string()))? {
        Err(none) => match valid.first() {
            Some(missed) => Err(told(&format!("{missed:?} is missed: {none}"))),
            None => {
                if let NoSplit::Apart { places: [one, other], .. } = none
                    && (other % one == 0 || one >= other)
                {
                    return Err(told(&format!("{none} do fit")));
                }
                Ok(Kind::None)
            }
        },
        Ok((split, views)) => {
            let factors = split.factors();
            for (view, table) in views.iter().zip(&tables) {
                let spec = over(table, factors).ok_or_else(|| told(&format!("not {split}")))?;
                if !same(view, &spec) {
                    return Err(told(&format!("{view} over {split}, it is {spec:?}")));
                }
            }
            match valid.iter().find(|other| !contains(other, factors)) {
                Some(other) => Err(told(&format!("{split} is not contained in {other:?}"))),
                None if Split::new(&shape.iter().map(std::slice::from_ref).collect::<Vec<_>>())
                    .is_ok_and(|trivial| trivial == split) =>
                {
                    Ok(Kind::Whole)
                }
                None => Ok(Kind::Cut),
            }
        }
    }
}
