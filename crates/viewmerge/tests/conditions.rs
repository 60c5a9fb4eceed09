//! Conditions on strides, and the tables of overflows they come from, against
//! the definition: strides are tried, indices are walked.

use std::cell::Cell;

use viewmerge::reference::{Spec, evaluate, indices};
use viewmerge::{
    Error, Limit, Obstacle, OpenChain, StridePattern, View, ViewChain, ViewParts,
    conditions_by_case, merge,
};
use viewmerge_testkit::choices::Choices;
use viewmerge_testkit::{generate, run};

/// A view to be given other strides, and the views above it, of which there may be several.
fn open_chain(choices: &mut Choices<'_>) -> (ViewParts, Vec<ViewParts>) {
    let below = generate::parts(choices);
    let mut above = vec![generate::parts_above(choices, &below.shape)];
    while choices.one_in(3) {
        above.push(generate::parts_above(choices, &above[above.len() - 1].shape));
    }
    (below, above)
}

fn views(parts: &[ViewParts]) -> Result<Vec<View>, String> {
    let views = parts.iter().cloned().map(View::try_from);
    views.collect::<Result<_, _>>().map_err(|error| format!("{parts:?}: {error}"))
}

/// Whether the chain is one view with these strides.
fn merges(below: &ViewParts, strides: &[i64], above: &[View]) -> Result<bool, String> {
    let below = ViewParts { strides: Some(strides.to_vec()), ..below.clone() };
    let mut chain = views(&[below])?;
    chain.extend_from_slice(above);
    merge(&chain, &Limit::none())
        .map(|verdict| verdict.is_merged())
        .map_err(|error| error.to_string())
}

/// All strides of three axes at most in a small range, with the known ones kept.
fn small_strides(known: &[Option<i64>]) -> Vec<Vec<i64>> {
    let mut all = vec![Vec::new()];
    for stride in known {
        let range: Vec<i64> = stride.map_or((-4..=4).collect(), |stride| vec![stride]);
        let longer = |strides: &Vec<i64>| -> Vec<Vec<i64>> {
            range.iter().map(|&next| strides.iter().copied().chain([next]).collect()).collect()
        };
        all = all.iter().flat_map(longer).collect();
    }
    all
}

/// With some strides known: integers that solve the equations are found exactly if there are any.
#[test]
fn known_strides_and_integers() {
    let seen = Cell::new([0; 4]);
    run(3_000, |choices| {
        let (below, above) = open_chain(choices);
        if below.shape.len() > 3 {
            return Ok(());
        }
        let above = views(&above)?;
        let known: Vec<Option<i64>> = (0..below.shape.len())
            .map(|_| choices.one_in(2).then(|| choices.between(-4, 4)))
            .collect();
        let told = |error: Error| format!("{below:?} {known:?} {above:?}: {error}");
        let pattern = StridePattern::masked(&below.shape, &known, below.validity.clone());
        let chain = OpenChain::new(pattern.map_err(told)?, &above).map_err(told)?;
        let found = chain.conditions(&Limit::none()).map_err(told)?;
        let mut kinds = seen.get();
        kinds[match found.obstacle() {
            None => 0,
            Some(Obstacle::Hole) => 1,
            Some(Obstacle::Contradiction) => 2,
            Some(Obstacle::NoIntegers) => 3,
        }] += 1;
        seen.set(kinds);
        // What is said to merge does.
        if let Some(solutions) = found.solutions() {
            for attempt in 0..4 {
                let mut strides = solutions.particular.clone();
                for vector in solutions.basis.iter().filter(|_| attempt > 0) {
                    let times = choices.between(-3, 3);
                    strides.iter_mut().zip(vector).for_each(|(s, x)| *s += times * x);
                }
                if !merges(&below, &strides, &above)? || !found.allow(&strides) {
                    return Err(format!("{chain}: {strides:?} do not merge, {found}"));
                }
            }
        }
        // What merges is said to.
        for strides in small_strides(&known) {
            if found.allow(&strides) != merges(&below, &strides, &above)? {
                return Err(format!("{chain}: {strides:?}, {found}"));
            }
            if found.is_impossible() && found.allow(&strides) {
                return Err(format!("{chain}: {strides:?} merge, {found}"));
            }
        }
        Ok(())
    });
    let seen = seen.get();
    assert!(seen.iter().all(|&count| count > 20), "{seen:?}");
}

/// The table and the conditions are about the same equations, all rows shown or not,
/// and padding is padding.
#[test]
fn tables_agree_with_conditions() {
    let seen = Cell::new([0; 3]);
    run(3_000, |choices| {
        let (below, above) = open_chain(choices);
        let above = views(&above)?;
        let lowest = views(std::slice::from_ref(&below))?;
        let told = |error: Error| format!("{below:?} {above:?}: {error}");
        let open = vec![None; below.shape.len()];
        let pattern = StridePattern::masked(&below.shape, &open, below.validity.clone());
        let chain = OpenChain::new(pattern.map_err(told)?, &above).map_err(told)?;
        let found = chain.conditions(&Limit::none()).map_err(told)?;
        let given = StridePattern::of(&lowest[0]).map_err(told)?;
        let given = OpenChain::new(given, &above).map_err(told)?;
        let (table, known) = (
            chain.overflow_table(1 << 20, &Limit::none()),
            given.overflow_table(1 << 20, &Limit::none()),
        );
        let (table, known) = (table.map_err(told)?, known.map_err(told)?);
        let few = chain.overflow_table(-1, &Limit::none()).map_err(told)?;

        // Padding, and digits that are those of the definition.
        let specs: Vec<Spec> = lowest.iter().chain(&above).map(Spec::from).collect();
        for (row, index) in table.rows.iter().zip(indices(&specs[specs.len() - 1].shape)) {
            let valid = evaluate(&specs, &index).flatten().is_some();
            let position = evaluate(&specs[1..], &index).flatten().filter(|_| valid);
            if row.index.as_slice() != index || row.position.map(i128::from) != position {
                return Err(format!("{chain}: row {row:?}"));
            }
            if row.digits.is_some() != valid || !valid && row.equation.is_some() {
                return Err(format!("{chain}: row {row:?}"));
            }
        }
        let mut counts = seen.get();
        if found.hole().is_some() {
            counts[0] += 1;
            seen.set(counts);
            return Ok(());
        }

        // As many equations that count, and each follows from those of the conditions.
        let basis = found.basis().ok_or("too large")?;
        for rows in [&table.rows, &few.rows] {
            if rows.iter().filter(|row| row.new).count() != found.equations().len() {
                return Err(format!("{chain}: {} and {rows:?}", found.equations().len()));
            }
            for equation in rows.iter().filter_map(|row| row.equation.as_ref()) {
                let product =
                    |v: &Vec<i64>| v.iter().zip(equation).map(|(x, c)| x * c).sum::<i64>();
                if basis.iter().any(|vector| product(vector) != 0) {
                    return Err(format!("{chain}: {equation:?} does not follow"));
                }
            }
        }

        // The given strides merge exactly if they satisfy every row.
        let holds = known.rows.iter().all(|row| row.holds != Some(false));
        let mut all = lowest.clone();
        all.extend_from_slice(&above);
        if holds != merge(&all, &Limit::none()).map_err(told)?.is_merged() {
            return Err(format!("{given}: all rows hold: {holds}"));
        }
        counts[1 + usize::from(holds)] += 1;
        seen.set(counts);
        Ok(())
    });
    let seen = seen.get();
    assert!(seen.iter().all(|&count| count > 100), "{seen:?}");
}

/// Every stride of the upper view that composes is a case, and has its own conditions.
#[test]
fn cases_are_complete() {
    let seen = Cell::new(0);
    run(400, |choices| {
        let below = generate::parts(choices);
        let mut above = generate::parts_above(choices, &below.shape);
        let count: i64 = below.shape.iter().product();
        if above.shape.is_empty() || count > 40 {
            return Ok(());
        }
        let axis = choices.below(above.shape.len() as i64) as usize;
        let told = |error: Error| format!("{below:?}: {error}");
        let open = vec![None; below.shape.len()];
        let pattern = StridePattern::masked(&below.shape, &open, below.validity.clone());
        let pattern = pattern.map_err(told)?;
        let mut strides = Spec::from_parts(&above).strides;
        let mut known: Vec<Option<i64>> = strides.iter().copied().map(Some).collect();
        known[axis] = None;
        let asked = StridePattern::masked(&above.shape, &known, above.validity.clone());
        let asked = asked.and_then(|asked| asked.at_offset(above.offset)).map_err(told)?;
        let cases = conditions_by_case(&pattern, &asked, 10_000, &Limit::none()).map_err(told)?;
        let mut expected = Vec::new();
        let bounds = Spec::from_parts(&above).bounds.unwrap_or_default();
        // An axis that takes no steps has stride 0.
        let steps = bounds.get(axis).is_some_and(|(lo, hi)| hi - lo > 1)
            && bounds.iter().all(|(lo, hi)| lo < hi);
        let most = if steps { count } else { 0 };
        for stride in -most..=most {
            strides[axis] = stride;
            above.strides = Some(strides.clone());
            let view = View::try_from(above.clone()).map_err(told)?;
            let chain = OpenChain::new(pattern.clone(), std::slice::from_ref(&view));
            if let Ok(found) = chain.and_then(|chain| chain.conditions(&Limit::none())) {
                expected.push((view, found));
            }
        }
        let found: Vec<_> = cases.into_iter().map(|case| (case.above, case.conditions)).collect();
        if found != expected {
            let views =
                |list: &[(View, _)]| list.iter().map(|c| c.0.to_string()).collect::<Vec<_>>();
            return Err(format!("{asked}: {:?}, not {:?}", views(&found), views(&expected)));
        }
        seen.set(seen.get() + 1);
        Ok(())
    });
    assert!(seen.get() > 50, "{}", seen.get());
}

/// Numbers near the limits are handled or refused, and what is written can be written as JSON.
#[test]
fn large_numbers() {
    let seen = Cell::new([0; 2]);
    run(6_000, |choices| {
        let Ok(below) = View::try_from(generate::extreme_parts(choices)) else { return Ok(()) };
        let start = ViewChain::from(below);
        let op = generate::extreme_movement(choices, start.shape().len());
        let chain = start.reshape(&[-1]).unwrap_or_else(|_| start.clone());
        let chain = chain.apply(&op).unwrap_or(chain);
        let mut counts = seen.get();
        if let Ok(why) = chain.explain(&Limit::none()) {
            why.to_string();
            serde_json::to_string(&(why.because, why.blame, why.remedies))
                .map_err(|e| e.to_string())?;
            counts[0] += 1;
        }
        let (below, above) = chain.views().split_first().ok_or("empty")?;
        let mut known: Vec<Option<i64>> = below.strides().iter().copied().map(Some).collect();
        for stride in &mut known {
            if choices.one_in(2) {
                *stride = None;
            }
        }
        let pattern = StridePattern::masked(below.shape(), &known, below.validity().clone());
        let open = pattern.and_then(|pattern| OpenChain::new(pattern, above));
        let open = open.map_err(|error| format!("{chain}: {error}"))?;
        if let Ok(found) = open.conditions(&Limit::none()) {
            let _ = (found.to_string(), found.to_latex(), found.basis());
            counts[1] += 1;
        }
        if let Ok(table) = open.overflow_table(20, &Limit::none()) {
            let _ = (table.to_text(), table.to_latex());
            serde_json::to_string(&table).map_err(|e| e.to_string())?;
        }
        seen.set(counts);
        Ok(())
    });
    assert!(seen.get().iter().all(|&count| count > 500), "{:?}", seen.get());
}
