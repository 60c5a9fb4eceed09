//! Certificates that consist of indices only: every index of every small chain in a list, right and wrong
//! ones, against evaluation in machine integers.

use viewmerge_verify::{Refusal, verify};

/// Shape, strides, offset and mask.
type Small = (&'static [i64], &'static [i64], i64, Option<&'static [(i64, i64)]>);

const VIEWS: [Small; 8] = [
    (&[4], &[1], 0, None),
    (&[3], &[2], 1, None),
    (&[3], &[-1], 2, None),
    (&[2, 2], &[2, 1], 0, None),
    (&[2, 3], &[1, 1], 0, None),
    (&[2, 2], &[0, 1], 0, Some(&[(0, 2), (1, 2)])),
    (&[5], &[1], -1, Some(&[(1, 4)])),
    (&[0], &[1], 0, None),
];

fn json((shape, strides, offset, mask): &Small) -> String {
    let mask = mask.map_or("null".into(), |mask| {
        let mask: Vec<[i64; 2]> = mask.iter().map(|&(lo, hi)| [lo, hi]).collect();
        format!("{mask:?}")
    });
    format!(r#"{{"shape":{shape:?},"strides":{strides:?},"offset":{offset},"mask":{mask}}}"#)
}

/// The position of a valid index.
fn position((shape, strides, offset, mask): &Small, index: &[i64]) -> Option<i64> {
    let fits = index.len() == shape.len()
        && index.iter().zip(*shape).all(|(i, size)| (0..*size).contains(i))
        && mask
            .is_none_or(|mask| index.iter().zip(mask).all(|(i, &(lo, hi))| (lo..hi).contains(i)));
    fits.then(|| offset + index.iter().zip(*strides).map(|(i, stride)| i * stride).sum::<i64>())
}

fn count((shape, ..): &Small) -> i64 {
    shape.iter().product()
}

/// The position of an index through two views.
fn through(lower: &Small, upper: &Small, index: &[i64]) -> Option<i64> {
    let mut rest = position(upper, index)?;
    let mut digits: Vec<i64> = Vec::new();
    for size in lower.0.iter().rev() {
        digits.insert(0, rest.rem_euclid(*size));
        rest = rest.div_euclid(*size);
    }
    position(lower, &digits)
}

/// Indices in the shapes and around them.
fn indices() -> Vec<Vec<i64>> {
    let pairs = (-1..4).flat_map(|i| (-1..4).map(move |j| vec![i, j]));
    (-1..6).map(|i| vec![i]).chain(pairs).chain([vec![]]).collect()
}

/// Whether a text holds; it must be a certificate.
fn holds(text: &str) -> bool {
    match verify(text) {
        Ok(_) => true,
        Err(Refusal::Fails(_)) => false,
        Err(refusal) => unreachable!("{refusal}: {text}"),
    }
}

#[test]
fn views_that_do_not_compose() {
    let mut found = [0, 0];
    for lower in &VIEWS {
        for upper in &VIEWS {
            for index in indices() {
                for view in -1..3 {
                    let outside = |position| position < 0 || position >= count(lower);
                    let truth = view == 1 && position(upper, &index).is_some_and(outside);
                    let views = format!("[{},{}]", json(lower), json(upper));
                    let text = format!(
                        r#"{{"views":{views},"apart":{{"view":{view},"index":{index:?}}}}}"#
                    );
                    assert_eq!(holds(&text), truth, "{text}");
                    found[usize::from(truth)] += 1;
                }
            }
        }
    }
    assert!(found.iter().all(|count| *count > 30), "{found:?}");
}

#[test]
fn indices_at_one_position() {
    let mut found = [0, 0];
    for lower in &VIEWS {
        for upper in &VIEWS {
            let composes = indices()
                .iter()
                .filter_map(|index| position(upper, index))
                .all(|position| (0..count(lower)).contains(&position));
            for one in indices() {
                for other in indices() {
                    let at = |index: &[i64]| through(lower, upper, index);
                    let truth = composes
                        && one != other
                        && at(&one).is_some_and(|place| at(&other) == Some(place));
                    let views = format!("[{},{}]", json(lower), json(upper));
                    let text = format!(r#"{{"views":{views},"collision":[{one:?},{other:?}]}}"#);
                    assert_eq!(holds(&text), truth, "{text}");
                    found[usize::from(truth)] += 1;
                }
            }
        }
    }
    assert!(found.iter().all(|count| *count > 30), "{found:?}");
}
