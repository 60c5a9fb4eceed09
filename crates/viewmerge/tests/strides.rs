//! Questions on plain sizes and strides, against the naive `reference` and against views.
//!
//! A fixed share runs here; `VIEWMERGE_CASES=60` runs sixty times as many.

use viewmerge::reference::{Spec, Table};
use viewmerge::strides::{
    AxisNumber, Reshape, broadcast, collapse, is_injective, is_injective_bytes, permuted,
    reshape_strides, why_copy,
};
use viewmerge::{Error, Limit, Verdict, View, merge_dims};
use viewmerge_testkit::choices::Choices;
use viewmerge_testkit::tables::TableOps;
use viewmerge_testkit::{cases, generate, run};

/// The strides of a reshape, `None` for a copy.
fn reshaped<A: AxisNumber, S: AxisNumber + Default>(
    shape: &[A],
    strides: &[S],
    new_shape: &[A],
) -> Result<Option<Vec<S>>, Error> {
    let mut out = vec![S::default(); new_shape.len()];
    let answer = reshape_strides(shape, strides, new_shape, &mut out)?;
    Ok(answer.is_view().then_some(out))
}

/// A shape and strides, and often a shape of as many elements.
fn question(choices: &mut Choices<'_>) -> (Vec<i64>, Vec<i64>, Vec<i64>) {
    let parts = generate::parts(choices);
    let strides = parts.strides.unwrap_or_default();
    let count: i64 = parts.shape.iter().product();
    let mut new_shape = if count > 0 {
        generate::regroup(choices, count)
    } else {
        let mut other = generate::shape(choices);
        other.insert(choices.below(other.len() as i64 + 1) as usize, 0);
        other
    };
    match choices.below(16) {
        0..=3 => {
            let place = choices.below(new_shape.len() as i64 + 1) as usize;
            new_shape.insert(place, 1);
        }
        // Sizes from the present shape make boundaries that meet.
        4..=7 if !parts.shape.is_empty() && count > 0 => {
            let axis = choices.below(parts.shape.len() as i64) as usize;
            let outer: i64 = parts.shape[..axis].iter().product();
            let inner: i64 = parts.shape[axis..].iter().product();
            new_shape = generate::regroup(choices, outer);
            new_shape.extend(generate::regroup(choices, inner));
        }
        8 => new_shape.push(choices.between(-1, 3)),
        _ => {}
    }
    (parts.shape, strides, new_shape)
}

fn small(list: &[i64]) -> Option<Vec<usize>> {
    list.iter().map(|&number| usize::try_from(number).ok()).collect()
}

fn pointer_sized(list: &[i64]) -> Vec<isize> {
    list.iter().map(|&number| number as isize).collect()
}

#[test]
fn reshapes_agree_with_the_reference_and_with_views() {
    let seen = std::cell::Cell::new([0u32; 3]);
    run(25_000, |choices| {
        let (shape, strides, new_shape) = question(choices);
        let text = format!("{shape:?}:{strides:?} as {new_shape:?}");
        let mut counts = seen.get();
        let answer = reshaped(&shape, &strides, &new_shape);
        let witness = why_copy(&shape, &strides, &new_shape);
        let spec = Spec {
            shape: shape.clone(),
            strides: strides.clone(),
            offset: 0,
            bounds: Some(shape.iter().map(|&size| (0, size)).collect()),
        };
        let table = Table::of_chain(&[spec]).ok_or("too large")?;
        let Some(wanted) = table.reshape(&new_shape) else {
            counts[2] += 1;
            seen.set(counts);
            return if answer.is_err() && answer.err() == witness.err() {
                Ok(())
            } else {
                Err(format!("{text}: not refused"))
            };
        };
        let answer = answer.map_err(|error| format!("{text}: {error}"))?;
        let witness = witness.map_err(|error| format!("{text}: {error}"))?;
        counts[usize::from(answer.is_some())] += 1;
        seen.set(counts);
        if answer.is_some() != wanted.single_view().is_some() {
            return Err(format!("{text}: {answer:?}, but {:?}", wanted.single_view()));
        }
        if witness.is_some() == answer.is_some() {
            return Err(format!("{text}: {answer:?} with {witness:?}"));
        }
        if let Some(out) = &answer {
            let bounds = Some(new_shape.iter().map(|&size| (0, size)).collect());
            let found = Spec { shape: new_shape.clone(), strides: out.clone(), offset: 0, bounds };
            if Table::of_chain(&[found]).as_ref() != Some(&wanted) {
                return Err(format!("{text}: {out:?} is another function"));
            }
        }
        // Views say the same, and so do the other types.
        let view = View::strided(&shape, &strides, 0).map_err(|error| error.to_string())?;
        let verdict = view.reshape(&new_shape).map_err(|error| error.to_string())?;
        let by_view = verdict.view().cloned();
        let by_strides = answer.as_ref().map(|out| View::strided(&new_shape, out, 0));
        if by_view != by_strides.transpose().map_err(|error| error.to_string())? {
            return Err(format!("{text}: {answer:?}, but the view {by_view:?}"));
        }
        let (Some(sizes), Some(new_sizes)) = (small(&shape), small(&new_shape)) else {
            return Err(format!("{text}: a negative size was accepted"));
        };
        let signed = reshaped(&sizes, &pointer_sized(&strides), &new_sizes);
        if signed != Ok(answer.as_deref().map(pointer_sized)) {
            return Err(format!("{text}: isize says {signed:?}"));
        }
        if let Some(strides) = small(&strides) {
            let unsigned = reshaped(&sizes, &strides, &new_sizes);
            if unsigned != Ok(answer.as_deref().and_then(small)) {
                return Err(format!("{text}: usize says {unsigned:?}"));
            }
        }
        // In bytes.
        let bytes = |strides: &[i64]| strides.iter().map(|stride| stride * 8).collect::<Vec<_>>();
        let in_bytes = reshaped(&shape, &bytes(&strides), &new_shape);
        let in_bytes = in_bytes.map(|out| out.map(|out| unit_strides_cleared(&new_shape, &out)));
        let wanted = answer.as_deref().map(|out| unit_strides_cleared(&new_shape, &bytes(out)));
        if in_bytes != Ok(wanted) {
            return Err(format!("{text}: bytes say {in_bytes:?}"));
        }
        Ok(())
    });
    let [copies, views, refused] = seen.get();
    assert!(copies > 5_000 && views > 5_000 && refused > 500, "{:?}", seen.get());
}

/// The stride of an axis without a second index, or of an empty shape, cannot be observed.
fn unit_strides_cleared(shape: &[i64], strides: &[i64]) -> Vec<i64> {
    let empty = shape.contains(&0);
    let free = |size: i64| empty || size == 1;
    strides.iter().zip(shape).map(|(&stride, &size)| if free(size) { 0 } else { stride }).collect()
}

#[test]
fn recorded_reshapes() {
    let (mut views, mut copies) = (0, 0);
    for case in cases::read("reshapes.jsonl") {
        let cases::Question::Reshape { view, new_shape } = &case.question else { continue };
        let view = View::try_from(view.clone()).expect("recorded");
        if view.validity() != &viewmerge::Validity::All {
            continue;
        }
        let answer = reshaped(view.shape(), view.strides(), new_shape).expect("recorded");
        let found = answer.map(|out| View::strided(new_shape, &out, view.offset()).expect("fits"));
        let expected = match case.question.answer().expect("recorded") {
            Verdict::Merged(view) => Some(view),
            Verdict::NotMergeable(_) => None,
        };
        assert_eq!(found, expected, "{view} as {new_shape:?}");
        *if found.is_some() { &mut views } else { &mut copies } += 1;
    }
    assert_eq!((views, copies), (2_994, 156));
}

#[test]
fn contiguous_arrays_get_row_major_strides() {
    run(2_000, |choices| {
        let (shape, _, new_shape) = question(choices);
        let row_major = |shape: &[i64]| -> Vec<i64> {
            (0..shape.len()).map(|axis| shape[axis + 1..].iter().product()).collect()
        };
        match reshaped(&shape, &row_major(&shape), &new_shape) {
            Ok(out) if out.as_ref() == Some(&row_major(&new_shape)) => Ok(()),
            Ok(out) => Err(format!("{shape:?} as {new_shape:?}: {out:?}")),
            Err(_) => Ok(()),
        }
    });
}

#[test]
fn rows() {
    type Row = (&'static [i64], &'static [i64], &'static [i64], Option<&'static [i64]>);
    let rows: [Row; 16] = [
        (&[], &[], &[], Some(&[])),
        (&[], &[], &[1, 1], Some(&[1, 1])),
        (&[1, 1], &[7, -7], &[], Some(&[])),
        (&[2, 3, 4], &[24, 4, 1], &[2, 2, 6], Some(&[24, 6, 1])),
        (&[2, 3, 4], &[24, 4, 1], &[3, 8], None),
        (&[6], &[-2], &[3, 2], Some(&[-4, -2])),
        (&[3, 2], &[-2, -1], &[6], Some(&[-1])),
        (&[4, 6], &[0, 0], &[3, 8], Some(&[0, 0])),
        (&[4, 6], &[0, 1], &[2, 2, 6], Some(&[0, 0, 1])),
        (&[4, 6], &[0, 1], &[24], None),
        (&[2, 1, 3], &[3, 99, 1], &[6], Some(&[1])),
        (&[3, 2, 1], &[1, 3, 6], &[1, 3, 2], Some(&[3, 1, 3])),
        (&[2, 0], &[5, 5], &[0, 3, 4], Some(&[12, 4, 1])),
        (&[2, 0], &[5, 5], &[3, 0, 4], Some(&[0, 4, 1])),
        // The stride of a unit axis need not fit.
        (&[2], &[i64::MAX], &[1, 2], Some(&[0, i64::MAX])),
        (&[2, 2], &[1, i64::MIN], &[4], None),
    ];
    for (shape, strides, new_shape, expected) in rows {
        let found = reshaped(shape, strides, new_shape);
        assert_eq!(found, Ok(expected.map(Vec::from)), "{shape:?}:{strides:?} as {new_shape:?}");
    }
}

#[test]
fn refusals() {
    let huge = 1usize << 63;
    let rows: [(Result<Reshape, viewmerge::strides::Error>, &str); 11] = [
        (reshape_strides(&[2i64, 3], &[1i64], &[6], &mut [0]), "rank_mismatch"),
        (reshape_strides(&[2i64, 3], &[3i64, 1], &[6], &mut [0, 0]), "rank_mismatch"),
        (reshape_strides(&[2i64, 3], &[3i64, 1], &[5], &mut [0]), "reshape_count"),
        (reshape_strides(&[2i64, 3], &[3i64, 1], &[], &mut []), "reshape_count"),
        (reshape_strides(&[], &[0i64; 0], &[2i64], &mut [0]), "reshape_count"),
        (reshape_strides(&[2i64, 3], &[3i64, 1], &[-1], &mut [0]), "negative_size"),
        (reshape_strides(&[-2i64, -3], &[3i64, 1], &[6], &mut [0]), "negative_size"),
        (
            reshape_strides(&[1i64 << 62, 2], &[0i64, 0], &[1 << 62, 2], &mut [0; 2]),
            "too_many_elements",
        ),
        (
            reshape_strides(&[1i64 << 62, 8], &[9i64, 4], &[1 << 62, 8], &mut [0; 2]),
            "too_many_elements",
        ),
        (reshape_strides(&[huge], &[1usize], &[huge], &mut [0]), "number_range"),
        (reshape_strides(&[2usize], &[huge], &[2], &mut [0]), "number_range"),
    ];
    for (number, (result, kind)) in rows.into_iter().enumerate() {
        assert_eq!(result.map_err(|error| Error::from(error).kind()), Err(kind), "row {number}");
    }
    // A stride that the walk makes, and that no longer fits.
    let refused = reshape_strides(&[4i64], &[i64::MAX], &[2, 2], &mut [0; 2]);
    let message = refused.expect_err("too far").to_string();
    let number = i128::from(i64::MAX) * 2;
    assert!(message.contains("axis 0") && message.contains(&number.to_string()), "{message}");
}

#[test]
fn numbers_near_the_limits_are_refused_or_right() {
    run(25_000, |choices| {
        let parts = generate::extreme_parts(choices);
        let strides = parts.strides.unwrap_or_else(|| vec![1; parts.shape.len()]);
        let new_shape = match choices.below(3) {
            0 => parts.shape.clone(),
            1 => {
                let mut shape = parts.shape.clone();
                shape.insert(choices.below(shape.len() as i64 + 1) as usize, 1);
                shape
            }
            _ => generate::extreme_parts(choices).shape,
        };
        let found = reshaped(&parts.shape, &strides, &new_shape);
        let _ = why_copy(&parts.shape, &strides, &new_shape);
        let _ = is_injective(&parts.shape, &strides, &Limit::steps(50));
        let _ = is_injective_bytes(&parts.shape, &strides, 8, &Limit::steps(50));
        let (mut shape, mut steps) = (parts.shape.clone(), strides.clone());
        let _ = collapse(&mut shape, &mut [&mut steps]);
        let mut out = vec![0; new_shape.len()];
        let _ = broadcast(&parts.shape, &strides, &new_shape, &mut out);
        // What a view can hold has the view's answer.
        let Ok(view) = View::strided(&parts.shape, &strides, 0) else { return Ok(()) };
        let wanted = if new_shape.contains(&-1) {
            return if found.is_err() { Ok(()) } else { Err("a size was inferred".into()) };
        } else {
            view.reshape(&new_shape)
        };
        let same = match (&found, &wanted) {
            (Ok(Some(out)), Ok(Verdict::Merged(view))) => {
                view.strides() == unit_strides_cleared(&new_shape, out)
            }
            (Ok(None), Ok(Verdict::NotMergeable(_))) => true,
            (Err(one), Err(other)) => one == other,
            _ => false,
        };
        let text = || format!("{view} as {new_shape:?}: {found:?}, but {wanted:?}");
        if same { Ok(()) } else { Err(text()) }
    });
}

#[test]
fn permuting_and_broadcasting_agree_with_the_reference() {
    run(5_000, |choices| {
        let (shape, strides, _) = question(choices);
        let table = |shape: &[i64], strides: &[i64]| {
            let bounds = Some(shape.iter().map(|&size| (0, size)).collect());
            let (shape, strides) = (shape.to_vec(), strides.to_vec());
            Table::of_chain(&[Spec { shape, strides, offset: 0, bounds }])
        };
        let before = table(&shape, &strides).ok_or("too large")?;
        let axes: Vec<usize> = shape
            .iter()
            .map(|_| {
                let beyond = i64::from(choices.one_in(9));
                choices.below(shape.len() as i64 + beyond) as usize
            })
            .collect();
        let (mut sizes, mut steps) = (vec![0; shape.len()], vec![0; shape.len()]);
        let done = permuted(&shape, &strides, &axes, &mut sizes, &mut steps);
        let wanted = before.permute(&axes);
        if wanted != done.ok().and_then(|()| table(&sizes, &steps)) {
            return Err(format!("{shape:?}:{strides:?} permuted {axes:?}: {sizes:?}:{steps:?}"));
        }
        let mut larger: Vec<i64> = generate::shape(choices);
        larger.truncate(choices.below(3) as usize);
        larger.extend(&shape);
        for size in &mut larger {
            if choices.one_in(4) || *size == 1 {
                *size = choices.between(0, 3);
            }
        }
        let mut steps = vec![0; larger.len()];
        let done = broadcast(&shape, &strides, &larger, &mut steps);
        let wanted = before.expand(&larger);
        if wanted != done.ok().and_then(|()| table(&larger, &steps)) {
            return Err(format!("{shape:?}:{strides:?} broadcast to {larger:?}: {steps:?}"));
        }
        Ok(())
    });
}

/// Every way to write a number as an ordered product of numbers above 1, with so many factors.
fn products(number: i64, factors: usize) -> Vec<Vec<i64>> {
    if factors == 0 {
        return if number == 1 { vec![vec![]] } else { vec![] };
    }
    let firsts = (2..=number).filter(|first| number % first == 0);
    firsts
        .flat_map(|first| {
            products(number / first, factors - 1).into_iter().map(move |mut rest| {
                rest.insert(0, first);
                rest
            })
        })
        .collect()
}

#[test]
fn collapsing_leaves_the_fewest_axes_in_order() {
    run(4_000, |choices| {
        let (shape, first, _) = question(choices);
        let second: Vec<i64> = match choices.below(3) {
            0 => first.clone(),
            1 => first.iter().map(|&s| if choices.one_in(4) { 0 } else { s }).collect(),
            _ => (0..shape.len()).map(|axis| shape[axis + 1..].iter().product()).collect(),
        };
        let (mut sizes, mut one, mut other) = (shape.clone(), first.clone(), second.clone());
        let rank = collapse(&mut sizes, &mut [&mut one, &mut other]).map_err(|e| e.to_string())?;
        let (sizes, one, other) = (&sizes[..rank], &one[..rank], &other[..rank]);
        let text =
            format!("{shape:?}:{first:?} beside {second:?}: {sizes:?}:{one:?} beside {other:?}");
        let walk = |shape: &[i64], strides: &[i64]| -> Result<Vec<i64>, String> {
            let view = View::strided(shape, strides, 0).map_err(|error| error.to_string())?;
            Ok(view.positions().flatten().collect())
        };
        for (before, after) in [(&first, one), (&second, other)] {
            if walk(&shape, before)? != walk(sizes, after)? {
                return Err(format!("{text}: walks other elements"));
            }
        }
        let count: i64 = shape.iter().product();
        let fewer = (0..rank).flat_map(|factors| products(count, factors));
        for smaller in fewer {
            let possible = |strides: &[i64]| reshaped(&shape, strides, &smaller);
            if matches!((possible(&first), possible(&second)), (Ok(Some(_)), Ok(Some(_)))) {
                return Err(format!("{text}: {smaller:?} has fewer axes"));
            }
        }
        let (mut sizes, mut alone) = (shape.clone(), first.clone());
        let rank = collapse(&mut sizes, &mut [&mut alone]).map_err(|error| error.to_string())?;
        let groups = merge_dims(&View::strided(&shape, &first, 0).map_err(|e| e.to_string())?);
        let same = groups.len() == rank
            && groups
                .iter()
                .zip(&sizes)
                .zip(&alone)
                .all(|((group, &size), &stride)| (group.size, group.stride) == (size, stride));
        if same { Ok(()) } else { Err(format!("{text}: alone {groups:?}")) }
    });
}

#[test]
fn overlap_agrees_with_listing_all_bytes() {
    let seen = std::cell::Cell::new([0u32; 2]);
    run(4_000, |choices| {
        let (shape, strides, _) = question(choices);
        let item = choices.between(1, 4);
        let view = View::strided(&shape, &strides, 0).map_err(|error| error.to_string())?;
        let distinct = |mut all: Vec<i64>| {
            all.sort_unstable();
            all.windows(2).all(|pair| pair[0] != pair[1])
        };
        let elements = distinct(view.positions().flatten().collect());
        let bytes = distinct(view.positions().flatten().flat_map(|at| at..at + item).collect());
        let none = Limit::none();
        if is_injective(&shape, &strides, &none) != Ok(elements)
            || is_injective_bytes(&shape, &strides, item, &none) != Ok(bytes)
        {
            return Err(format!("{view} with {item} bytes: {elements}, {bytes}"));
        }
        let mut counts = seen.get();
        counts[usize::from(bytes)] += 1;
        seen.set(counts);
        Ok(())
    });
    assert!(seen.get().iter().all(|&count| count > 300), "{:?}", seen.get());
}

#[test]
fn nothing_is_allocated() {
    let (shape, strides) = ([4usize; 30], [5isize; 30]);
    let new_shape = [4usize; 30];
    let mut out = [0isize; 30];
    let used = allocation_counter::measure(|| {
        assert_eq!(reshape_strides(&shape, &strides, &new_shape, &mut out), Ok(Reshape::View));
        let joined = reshape_strides(&shape[..2], &strides[..2], &[16], &mut out[..1]);
        assert_eq!(joined, Ok(Reshape::Copy));
        let (mut sizes, mut steps) = (shape, strides);
        assert_eq!(collapse(&mut sizes, &mut [&mut steps]), Ok(30));
        assert_eq!(is_injective(&[3usize, 3], &[4isize, 1], &Limit::none()), Ok(true));
        assert!(broadcast(&[1usize], &[1isize], &shape, &mut out).is_ok());
    });
    assert_eq!(used.count_total, 0);
}
