//! Checks the library against its naive `reference`. A check returns what disagrees.

use viewmerge::reference::{
    Spec, Table, check_witness, evaluate, find_offending, indices, unravel,
};
use viewmerge::{
    CopyPlan, Equivalence, Error, Limit, Movement, Reason, Remedies, Validity, Verdict, View,
    ViewChain, ViewParts, Witness,
};

use crate::ops;
use crate::tables::TableOps;

type Outcome = Result<(), String>;

fn specs(views: &[View]) -> Vec<Spec> {
    views.iter().map(Spec::from).collect()
}

/// The table of a small chain that composes.
fn table(chain: &[Spec]) -> Result<Table, String> {
    Table::of_chain(chain).ok_or_else(|| format!("{chain:?}: has no table"))
}

fn ensure(condition: bool, message: impl FnOnce() -> String) -> Outcome {
    if condition { Ok(()) } else { Err(message()) }
}

/// The canonical view of a reference view.
///
/// # Errors
///
/// If the library refuses it.
pub fn view_of_spec(spec: &Spec) -> Result<View, Error> {
    let validity = match &spec.bounds {
        Some(bounds) => Validity::boxed(bounds),
        None => Validity::Nothing,
    };
    View::new(&spec.shape, &spec.strides, spec.offset, validity)
}

/// Checks a verdict on views against the table of their function.
pub fn verdict(views: &[View], table: &Table, verdict: &Verdict) -> Outcome {
    let show = || views.iter().map(View::to_string).collect::<Vec<_>>().join(" | ");
    let truth = table.single_view();
    match (verdict, truth) {
        (Verdict::Merged(view), Some(spec)) => {
            let expected = view_of_spec(&spec).map_err(|e| format!("{}: {e}", show()))?;
            ensure(*view == expected, || format!("{}: {view}, not {expected}", show()))?;
            let found = self::table(&[Spec::from(view)])?;
            ensure(found == *table, || format!("{}: {view} is another function", show()))
        }
        (Verdict::NotMergeable(witness), None) => {
            ensure(check_witness(&specs(views), witness), || {
                format!("{}: the witness does not hold: {witness}", show())
            })
        }
        (Verdict::Merged(view), None) => {
            Err(format!("{}: is not one view, but got {view}", show()))
        }
        (Verdict::NotMergeable(witness), Some(spec)) => {
            Err(format!("{}: is one view, {spec:?}, but got {witness}", show()))
        }
    }
}

/// Checks a verdict on views against their function.
pub fn verdict_of(views: &[View], found: &Verdict) -> Outcome {
    verdict(views, &table(&specs(views))?, found)
}

/// Whether a witness holds.
pub fn witness_holds(views: &[View], witness: &Witness) -> bool {
    check_witness(&specs(views), witness)
}

/// Checks merging alone.
pub fn merging(views: &[View]) -> Outcome {
    let table = table(&specs(views))?;
    let found = viewmerge::merge(views, &Limit::none()).map_err(|e| format!("{views:?}: {e}"))?;
    verdict(views, &table, &found)
}

/// Checks merging, simplifying, measuring and inverting one chain.
pub fn chain(views: &[View]) -> Outcome {
    let chain = ViewChain::from_views(views).map_err(|e| format!("{views:?}: {e}"))?;
    let table = table(&specs(views))?;
    let found = chain.merge().map_err(|e| format!("{chain}: {e}"))?;
    verdict(views, &table, &found)?;
    simplified(&chain, &table)?;
    measured(&chain, &table)?;
    inverted(&chain, &table)
}

/// Checks `simplify`: the same function, and as few views as any partition into runs.
fn simplified(chain: &ViewChain, table: &Table) -> Outcome {
    let simple = chain.simplify(&Limit::none()).map_err(|e| format!("{chain}: {e}"))?;
    let same = self::table(&specs(simple.views()))? == *table;
    ensure(same, || format!("{chain}: simplified to another function, {simple}"))?;
    let specs = specs(chain.views());
    let mut fewest = vec![0];
    for end in 1..=specs.len() {
        let run = |start: usize| Table::of_chain(&specs[start..end]);
        let merges = |start: &usize| run(*start).is_some_and(|t| t.single_view().is_some());
        let starts = (0..end).filter(merges);
        fewest.push(starts.map(|start| fewest[start] + 1).min().unwrap_or(usize::MAX));
    }
    let (found, least) = (simple.views().len(), fewest[specs.len()]);
    ensure(found == least, || format!("{chain}: {found} views after simplify, {least} are enough"))
}

/// Checks real strides, real size and evaluation.
fn measured(chain: &ViewChain, table: &Table) -> Outcome {
    let cells: Vec<Option<i128>> = chain.positions().map(|p| p.map(i128::from)).collect();
    ensure(cells == table.cells(), || format!("{chain}: evaluates to {cells:?}"))?;
    let strides = chain.real_strides(&Limit::none()).map_err(|e| format!("{chain}: {e}"))?;
    let strides: Vec<Option<i128>> = strides.iter().map(|s| s.map(i128::from)).collect();
    let expected = table.real_strides();
    ensure(strides == expected, || format!("{chain}: real strides {strides:?}, not {expected:?}"))?;
    let size = chain.real_size(&Limit::none()).map_err(|e| format!("{chain}: {e}"))?;
    let (size, expected) = (i128::from(size), table.real_size());
    ensure(size == expected, || format!("{chain}: real size {size}, not {expected}"))
}

/// Checks the inverse: it undoes the chain; a chain of one view that is a bijection has one.
fn inverted(chain: &ViewChain, table: &Table) -> Outcome {
    let mut reached: Vec<i128> = table.cells().iter().flatten().copied().collect();
    reached.sort_unstable();
    let bijection = reached.iter().copied().eq(0..reached.len() as i128);
    match chain.invert(&[reached.len() as i64], &Limit::none()) {
        Ok(inverse) => {
            for position in 0..reached.len() as i64 {
                let element = inverse.at(position).ok().flatten();
                let there = element.and_then(|n| chain.at(n).ok().flatten());
                ensure(there == Some(position), || {
                    format!("{chain}: inverse {inverse} fails at {position}")
                })?;
            }
            ensure(bijection, || format!("{chain}: has no inverse, but got {inverse}"))
        }
        Err(Error::NotInvertible { .. }) => {
            let one_view = table.single_view().is_some();
            ensure(!(bijection && one_view), || format!("{chain}: a bijection without inverse"))
        }
        Err(error) => Err(format!("{chain}: {error}")),
    }
}

/// Checks that an explanation's remedies work, and that a shorter axis is as long as possible.
pub fn explanation(views: &[View]) -> Outcome {
    let chain = ViewChain::from_views(views).map_err(|e| e.to_string())?;
    let told = |e: Error| format!("{chain}: {e}");
    let found = chain.explain(&Limit::none()).map_err(told)?;
    let merges = |views: &[View]| {
        viewmerge::merge(views, &Limit::none()).is_ok_and(|verdict| verdict.is_merged())
    };
    if found.verdict.is_merged() {
        let nothing = found.blame.is_empty() && found.remedies == Remedies::default();
        ensure(nothing, || format!("{chain}: one view, but {found:?}"))?;
        return found.because.iter().try_for_each(|reason| holds(&chain, reason));
    }
    let blamed = !found.blame.is_empty() && found.because.is_empty();
    ensure(blamed, || format!("{chain}: {found:?}"))?;
    if let Some(viewmerge::OtherStride { view, axis, stride, .. }) = found.remedies.stride {
        let mut other = views.to_vec();
        let mut parts = ViewParts::from(other[view].clone());
        if let Some(strides) = &mut parts.strides {
            strides[axis] = stride;
        }
        other[view] = View::try_from(parts).map_err(told)?;
        ensure(merges(&other), || format!("{chain}: stride {stride} does not help"))?;
    }
    if let Some(viewmerge::ShorterAxis { axis, length, .. }) = found.remedies.length {
        let shortened = |length: i64| {
            let last = &views[views.len() - 1];
            let bounds = last.shape().iter().enumerate();
            let bounds: Vec<(i64, i64)> =
                bounds.map(|(l, &size)| (0, if l == axis { length } else { size })).collect();
            let mut shorter = views.to_vec();
            last.shrink(&bounds).map(|view| {
                shorter.pop();
                shorter.push(view);
                shorter
            })
        };
        let longest = merges(&shortened(length).map_err(told)?);
        let longer = merges(&shortened(length + 1).map_err(told)?);
        ensure(longest && !longer, || format!("{chain}: {length} is not the longest"))?;
    }
    let plan = found.remedies.copy.ok_or_else(|| format!("{chain}: a copy always helps"))?;
    copied(&chain, &plan)
}

/// Checks a reason why a chain is one view, by walking all its steps between valid indices.
fn holds(chain: &ViewChain, reason: &Reason) -> Outcome {
    let specs = specs(chain.views());
    let whole = table(&specs)?;
    let valid = |index: &Vec<i64>| whole.get(index).is_some();
    let wrong = || format!("{chain}: {reason:?} does not hold");
    let wide = |view: usize| -> Vec<usize> {
        let sizes = specs[view].shape.iter().enumerate();
        sizes.filter(|(_, size)| **size > 1).map(|(axis, _)| axis).collect()
    };
    let neighbours = |view: usize, outer: usize, inner: usize| {
        wide(view).windows(2).any(|pair| pair == [outer, inner])
    };
    let extent = |view: usize, axis: usize| {
        specs[view].bounds.as_ref().map_or(0, |bounds| bounds[axis].1 - bounds[axis].0)
    };
    // The steps along an axis: where they start, and from and to which position in a view they
    // lead.
    let steps = |view: usize, axis: usize| {
        let position = |index: &[i64]| evaluate(&specs[view + 1..], index).flatten();
        let next = move |index: &Vec<i64>| {
            let mut next = index.clone();
            next[axis] += 1;
            next
        };
        let starts = indices(whole.shape()).filter(valid).filter(|i| valid(&next(i)));
        let both = |i: Vec<i64>| Some((position(&i)?, position(&next(&i))?, i));
        starts.filter_map(both).collect::<Vec<_>>()
    };
    // By how much a step moves the digits from an axis on.
    let carry = |view: usize, outer: usize, (from, to): (i128, i128)| {
        let modulus: i128 = specs[view].shape[outer + 1..].iter().map(|s| i128::from(*s)).product();
        to.div_euclid(modulus) - from.div_euclid(modulus)
    };
    match reason {
        Reason::Single => ensure(specs.len() == 1, wrong),
        Reason::NothingValid => ensure(!indices(whole.shape()).any(|i| valid(&i)), wrong),
        Reason::Line { view } => ensure(wide(*view).len() < 2, wrong),
        Reason::OneIndex { view, axis } => {
            ensure(specs[*view].shape[*axis] > 1 && extent(*view, *axis) == 1, wrong)
        }
        Reason::Contiguous { view, outer, inner } => {
            // If the axis has one valid index, the inner stride to compare with is the one that
            // fuses.
            let Spec { shape, strides, .. } = &specs[*view];
            let mut stride = strides[*inner];
            let behind = wide(*view).into_iter().filter(|axis| axis > inner);
            if extent(*view, *inner) == 1 {
                let mut fusing = behind.scan(1, |sizes, axis| {
                    let found =
                        (extent(*view, axis) > 1).then(|| *sizes * shape[axis] * strides[axis]);
                    *sizes *= shape[axis];
                    Some(found)
                });
                stride = fusing.find_map(|found| found).unwrap_or(0);
            }
            let contiguous = strides[*outer] == shape[*inner] * stride;
            ensure(neighbours(*view, *outer, *inner) && contiguous, wrong)
        }
        Reason::Steady { view, outer, inner, carries } => {
            let steady = |(axis, expected): (usize, &i64)| {
                let steps = steps(*view, axis);
                // A carry is by how much the digits move beyond the digits of the step itself.
                let own = |from: i128, to: i128| {
                    let (sign, size) = ((to - from).signum(), (to - from).abs());
                    sign * carry(*view, *outer, (0, size))
                };
                let mut carried =
                    steps.iter().map(|(a, b, _)| carry(*view, *outer, (*a, *b)) - own(*a, *b));
                carried.all(|carry| carry == i128::from(*expected))
            };
            let all =
                carries.len() == whole.shape().len() && carries.iter().enumerate().all(steady);
            ensure(neighbours(*view, *outer, *inner) && all, wrong)
        }
        Reason::Cancel { view, axis, at, overflows } => {
            let steps = steps(*view, *axis);
            let at = at.to_vec();
            let here = steps.iter().find(|(.., start)| *start == at).ok_or_else(wrong)?;
            let first = steps.first().ok_or_else(wrong)?;
            let differ = overflows.iter().all(|o| {
                let extra = carry(*view, o.outer, (here.0, here.1))
                    - carry(*view, o.outer, (first.0, first.1));
                extra == i128::from(o.extra) && neighbours(*view, o.outer, o.inner)
            });
            let sum: i128 = overflows.iter().map(|o| o.jump * i128::from(o.extra)).sum();
            ensure(differ && sum == 0 && overflows.len() > 1, wrong)
        }
        Reason::Together { first, last } => {
            let upper = table(&specs[*last..])?.single_view().is_none();
            ensure(first < last && upper, wrong)
        }
        other => Err(format!("{other:?} has no check")),
    }
}

/// Checks that a copy is the same function, and that no other of its kind has fewer elements.
fn copied(chain: &ViewChain, plan: &CopyPlan) -> Outcome {
    let specs = specs(chain.views());
    let run = table(&specs[..=plan.view])?;
    let within =
        |index: &Vec<i64>| index.iter().zip(&plan.stored).all(|(i, (lo, hi))| lo <= i && i < hi);
    let stored = indices(run.shape()).filter(within).map(|index| run.get(&index));
    let stored: Vec<Option<i128>> = stored.collect();
    let (whole, rest) = (table(&specs)?, table(&[Spec::from(&plan.rest)])?);
    let read = |cell: &Option<i128>| match cell {
        Some(place) => stored.get(usize::try_from(*place).unwrap_or(usize::MAX)).copied(),
        None => Some(None),
    };
    let same = rest.shape() == whole.shape()
        && rest.cells().iter().map(read).eq(whole.cells().iter().map(|cell| Some(*cell)));
    ensure(same, || format!("{chain}: {plan:?} is another function"))?;
    let (found, least) = (stored.len() as i64, fewest_copied(&specs)?);
    ensure(found == plan.elements && found == least, || {
        format!("{chain}: {plan:?}, but {least} elements are enough")
    })
}

/// The fewest elements that a copy can have, by trying everything: of every axis of a view all
/// indices, those from the first to the last valid one, or a single one if the stride is 0.
fn fewest_copied(chain: &[Spec]) -> Result<i64, String> {
    let mut fewest = i64::MAX;
    for (number, view) in chain.iter().enumerate() {
        let run = table(&chain[..=number])?;
        let valid: Vec<Vec<i64>> =
            indices(&view.shape).filter(|index| run.get(index).is_some()).collect();
        // (stored, still valid, whether the stride matters) for every axis.
        type Kept = ((i64, i64), (i64, i64), bool);
        let mut ways: Vec<Vec<Kept>> = vec![vec![]];
        for (axis, &size) in view.shape.iter().enumerate() {
            let along = || valid.iter().map(|index| index[axis]);
            let hull = (along().min().unwrap_or(0), along().max().map_or(0, |last| last + 1));
            let mut kept: Vec<Kept> = vec![((0, size), (0, size), true), (hull, hull, true)];
            if view.strides[axis] == 0 {
                kept.push(((hull.0, hull.0 + 1), hull, false));
            }
            let longer = |way: &Vec<Kept>| -> Vec<Vec<Kept>> {
                kept.iter().map(|&part| way.iter().copied().chain([part]).collect()).collect()
            };
            ways = ways.iter().flat_map(longer).collect();
        }
        for way in ways {
            let extent = |part: &Kept| part.0.1 - part.0.0;
            let strides = (0..way.len()).map(|axis| {
                if way[axis].2 { way[axis + 1..].iter().map(extent).product() } else { 0 }
            });
            let strides: Vec<i64> = strides.collect();
            let offset = way.iter().zip(&strides).map(|(part, stride)| part.0.0 * stride);
            let offset = -offset.sum::<i64>();
            let bounds = Some(way.iter().map(|part| part.1).collect());
            let mut rest = vec![Spec { shape: view.shape.clone(), strides, offset, bounds }];
            rest.extend_from_slice(&chain[number + 1..]);
            if table(&rest)?.single_view().is_some() {
                fewest = fewest.min(way.iter().map(extent).product());
            }
        }
    }
    Ok(fewest)
}

/// Checks whether two chains of the same shape are the same function, and returns the answer.
pub fn equivalence(a: &[View], b: &[View]) -> Result<bool, String> {
    let chain = |views: &[View]| ViewChain::from_views(views).map_err(|e| e.to_string());
    let (first, second) = (chain(a)?, chain(b)?);
    let (one, other) = (table(&specs(a))?, table(&specs(b))?);
    match first.equivalent(&second, &Limit::none()).map_err(|e| e.to_string())? {
        Equivalence::Same => {
            ensure(one == other, || format!("{first} and {second}: not the same"))?
        }
        Equivalence::Shapes => ensure(one.shape() != other.shape(), || format!("{first}: shapes"))?,
        Equivalence::Differ(index) => {
            let (here, there) = (evaluate(&specs(a), &index), evaluate(&specs(b), &index));
            ensure(here.is_some() && there.is_some() && here != there, || {
                format!("{first} and {second}: do not differ at {index:?}")
            })?;
        }
    }
    Ok(one == other)
}

/// A chain as written, composable or not: refused with an offending index, or checked in full.
pub fn raw_chain(parts: &[ViewParts]) -> Outcome {
    let specs: Vec<Spec> = parts.iter().map(Spec::from_parts).collect();
    let views: Vec<View> = parts
        .iter()
        .cloned()
        .map(View::try_from)
        .collect::<Result<_, _>>()
        .map_err(|e| format!("{parts:?}: {e}"))?;
    match (ViewChain::from_views(&views), find_offending(&specs)) {
        (Ok(_), None) => {
            let table = table(&specs)?;
            ensure(self::table(&self::specs(&views))? == table, || {
                format!("{parts:?}: making the views canonical changed the function")
            })
        }
        (Err(Error::NotComposable { view, index, position, count }), Some(_)) => {
            let produced = specs[view].index(&index);
            let below: i64 = specs[view - 1].shape.iter().product();
            ensure(
                produced == Some(position.into())
                    && count == below
                    && !(0..below).contains(&position),
                || format!("{parts:?}: index {index:?} of view {view} does not offend"),
            )
        }
        (found, expected) => Err(format!("{parts:?}: {found:?}, offending {expected:?}")),
    }
}

/// Checks that views are equal exactly when they are the same function, and print and parse back.
pub fn equality(a: &ViewParts, b: &ViewParts) -> Outcome {
    let table = |parts: &ViewParts| table(&[Spec::from_parts(parts)]);
    let view =
        |parts: &ViewParts| View::try_from(parts.clone()).map_err(|e| format!("{parts:?}: {e}"));
    let (first, second) = (view(a)?, view(b)?);
    let same = table(a)? == table(b)?;
    ensure((first == second) == same, || format!("{first} and {second}: same function: {same}"))?;
    single(&first)
}

/// Checks every question about one view.
fn single(view: &View) -> Outcome {
    let table = table(&[Spec::from(view)])?;
    let text = view.to_string();
    ensure(text.parse().as_ref() == Ok(view), || format!("{text} does not parse back"))?;
    let json = serde_json::to_string(view).map_err(|e| e.to_string())?;
    let read: View = serde_json::from_str(&json).map_err(|e| format!("{json}: {e}"))?;
    ensure(read == *view, || format!("{json} does not read back"))?;
    let mut reached: Vec<i128> = table.cells().iter().flatten().copied().collect();
    reached.sort_unstable();
    let range = reached.first().zip(reached.last()).map(|(&a, &b)| (a, b));
    let found = view.position_range().map(|(a, b)| (a.into(), b.into()));
    ensure(found == range, || format!("{view}: positions {found:?}, not {range:?}"))?;
    reached.dedup();
    let injective = reached.len() == table.cells().iter().flatten().count();
    let found = view.is_injective(&Limit::none());
    ensure(found == Ok(injective), || format!("{view}: injective is {injective}"))?;
    let contiguous = Some(&table) == Table::contiguous(view.shape()).as_ref();
    ensure(view.is_contiguous() == contiguous, || format!("{view}: contiguous is {contiguous}"))?;
    let consecutive = {
        let first = table.cells().first().copied().flatten();
        let expected = (0..).map(|n| first.map(|f| f + n));
        table.cells().is_empty()
            || first.is_some()
                && table.cells().iter().copied().eq(expected.take(table.cells().len()))
    };
    ensure(view.is_consecutive() == consecutive, || {
        format!("{view}: consecutive is {consecutive}")
    })?;
    joined_axes(view, &table)
}

/// Checks the groups of `merge_dims`: as axes of their own they read the same places where the view
/// is valid, and no two of them could be one.
fn joined_axes(view: &View, table: &Table) -> Outcome {
    let groups = viewmerge::merge_dims(view);
    let sizes: Vec<i64> = groups.iter().map(|group| group.size).collect();
    ensure(sizes.iter().product::<i64>() == view.count(), || format!("{view}: {groups:?}"))?;
    let mut origin = None;
    for (place, cell) in table.cells().iter().enumerate() {
        let (Some(cell), Some(digits)) = (cell, unravel(&sizes, place as i128)) else { continue };
        let steps = groups.iter().zip(&digits).map(|(g, d)| i128::from(g.stride) * i128::from(*d));
        let here = cell - steps.sum::<i128>();
        ensure(*origin.get_or_insert(here) == here, || {
            format!("{view}: {groups:?} reads other places")
        })?;
    }
    let apart = groups.windows(2).all(|pair| pair[0].stride != pair[1].size * pair[1].stride);
    ensure(apart, || format!("{view}: {groups:?} are not all there is to join"))
}

/// The definition of an op on tables; `None` if the argument does not fit.
pub fn apply_to_table(table: &Table, op: &Movement) -> Option<Table> {
    let rank = table.shape().len() as i64;
    let axes = |axes: &[i64]| -> Option<Vec<usize>> {
        let from_front = |axis: i64| if axis < 0 { axis + rank } else { axis };
        axes.iter().map(|&axis| usize::try_from(from_front(axis)).ok()).collect()
    };
    match op {
        Movement::Reshape(shape) => table.reshape(shape),
        Movement::Permute(order) => table.permute(&axes(order)?),
        Movement::Expand(shape) => table.expand(shape),
        Movement::Pad(amounts) => table.pad(amounts),
        Movement::Shrink(bounds) => table.shrink(bounds),
        Movement::Flip(flipped) => table.flip(&axes(flipped)?),
        Movement::Step(steps) => table.step(steps),
        shorthand => ops::on_table(table, shorthand),
    }
}

/// The view that an op puts on top, if its result need not be one view; `shape` is the shape of the
/// result.
fn top(op: &Movement, shape: &[i64]) -> Option<Result<View, Error>> {
    match op {
        Movement::Reshape(_) | Movement::Flatten(..) | Movement::Unflatten(..) => {
            Some(View::contiguous(shape))
        }
        Movement::AsStrided { shape, strides, offset } => {
            Some(View::strided(shape, strides, *offset))
        }
        _ => None,
    }
}

/// Applies one op to a chain and to its last view: refused by both or by neither. Returns the chain
/// after the op, or the same chain if the op was refused.
///
/// # Errors
///
/// A description of the disagreement.
pub fn movement(chain: &ViewChain, op: &Movement) -> Result<ViewChain, String> {
    let told = |e: Error| format!("{chain} then {op:?}: {e}");
    let before = table(&specs(chain.views()))?;
    let (after, expected) = match (chain.apply(op), apply_to_table(&before, op)) {
        (Ok(after), Some(expected)) => (after, expected),
        (Err(_), None) => return Ok(chain.clone()),
        (Err(error), Some(_)) => return Err(told(error)),
        (Ok(after), None) => return Err(format!("{chain} then {op:?}: not refused, gave {after}")),
    };
    let found = table(&specs(after.views()))?;
    ensure(found == expected, || format!("{chain} then {op:?}: {after} is another function"))?;
    let last = table(&specs(std::slice::from_ref(chain.last())))?;
    let expected = apply_to_table(&last, op).ok_or("refused on the last view")?;
    match (chain.last().apply(op).map_err(told)?, top(op, expected.shape())) {
        (found, Some(top)) => {
            verdict(&[chain.last().clone(), top.map_err(told)?], &expected, &found)?;
        }
        (Verdict::Merged(view), None) => {
            let found = table(&[Spec::from(&view)])?;
            ensure(found == expected, || format!("{} then {op:?}: {view}", chain.last()))?;
        }
        (Verdict::NotMergeable(witness), None) => {
            return Err(format!("{chain} then {op:?}: always one view, but {witness}"));
        }
    }
    Ok(after)
}

/// Checks a view near the limits: the invariants hold, and no question about it fails.
pub fn bounded(view: &View) -> Outcome {
    let wide = |n: i64| i128::from(n);
    let limit = wide(viewmerge::MAX_POSITION);
    let count = view.shape().iter().fold(1i128, |product, &s| product.saturating_mul(wide(s)));
    ensure(view.shape().contains(&0) || count <= limit, || format!("{view}: too many elements"))?;
    let (mut min, mut max) = (wide(view.offset()), wide(view.offset()));
    for (&stride, &size) in view.strides().iter().zip(view.shape()) {
        let travel = wide(stride) * wide((size - 1).max(0));
        min += travel.min(0);
        max += travel.max(0);
    }
    let inside = min >= -limit && max <= limit && max - min <= wide(i64::MAX);
    ensure(inside, || format!("{view}: positions {min}..={max}"))?;
    let text = view.to_string();
    ensure(text.parse().as_ref() == Ok(view), || format!("{text} does not parse back"))?;
    let last = view.count() - 1;
    if last >= 0 {
        view.at(0).map_err(|e| format!("{view}: {e}"))?;
        view.at(last).map_err(|e| format!("{view}: {e}"))?;
        ensure(view.at(last + 1).is_err(), || format!("{view}: reads past its end"))?;
    }
    let (first, final_) = view.position_range().unwrap_or((0, 0));
    ensure(wide(first) >= min.min(0) && wide(final_) <= max.max(0), || format!("{view}: range"))?;
    let _ = viewmerge::merge_dims(view);
    let _ = view.is_contiguous();
    let size = ViewChain::from(view.clone()).real_size(&Limit::none());
    ensure(size.is_ok(), || format!("{view}: {size:?}"))?;
    Ok(())
}
