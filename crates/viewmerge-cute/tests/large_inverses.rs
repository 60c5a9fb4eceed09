//! Inverses of layouts beyond what is searched completely: whatever is answered is checked by
//! enumeration, for the layouts here have at most some ten thousand positions and values.

use std::cell::RefCell;

use viewmerge_cute::{Answer, Error, Layout, Limit, NoLayout, left_inverse, right_inverse};
use viewmerge_testkit::choices::Choices;
use viewmerge_testkit::run;

fn table(leaves: &[(i64, i64)]) -> Vec<i64> {
    let mut values = vec![0];
    for &(size, stride) in leaves {
        values = (0..size).flat_map(|i| values.iter().map(move |v| v + i * stride)).collect();
    }
    values
}

/// A small layout, and one or two modes that make it large, in any order.
fn layout(choices: &mut Choices<'_>, strides: &[i64]) -> Vec<(i64, i64)> {
    let mut leaves: Vec<(i64, i64)> = (0..choices.between(1, 3))
        .map(|_| (choices.between(2, 4), choices.pick(strides)))
        .collect();
    let reach: i64 = 1 + leaves.iter().map(|(size, stride)| (size - 1) * stride.abs()).sum::<i64>();
    let size = choices.pick(&[1100, 2048, 1500, 700]);
    let stride = match choices.below(4) {
        0 => 0,
        1 => reach,
        2 => reach + choices.between(0, 9),
        _ => 8 * choices.between(1, 6),
    };
    leaves.insert(choices.below(2) as usize * leaves.len(), (size, stride));
    if choices.one_in(3) {
        let scale = choices.between(2, 9);
        leaves.iter_mut().for_each(|leaf| leaf.1 *= scale);
    }
    leaves
}

#[test]
fn left_inverses() {
    let seen = RefCell::new([0u32; 4]);
    run(1_500, |choices| {
        let leaves = layout(choices, &[1, 2, 3, 4, 5, 6, 7, 9]);
        let a = Layout::flat(&leaves).expect("small");
        let all = table(&leaves);
        let kind = match left_inverse(&a, &Limit::none()) {
            Ok(Answer::Layout(inverse)) => {
                let back = table(&inverse.leaves());
                if !(0..).zip(&all).all(|(i, &v)| back.get(v as usize) == Some(&i)) {
                    return Err(format!("left_inverse({a}) is {inverse}"));
                }
                0
            }
            Ok(Answer::None(NoLayout::Collision { .. })) => {
                let mut sorted = all.clone();
                sorted.sort_unstable();
                if sorted.windows(2).all(|pair| pair[0] != pair[1]) {
                    return Err(format!("{a} is injective"));
                }
                1
            }
            Ok(Answer::None(NoLayout::NoDigits { below, .. })) => {
                // Some layout of three digits would do for the values below 24, if one did for all.
                let few: Vec<(i64, i64)> =
                    all.iter().copied().zip(0..).filter(|(v, _)| *v < below.min(24)).collect();
                if few.len() == all.len() && three_digits(&few) {
                    return Err(format!("left_inverse({a}) exists"));
                }
                2
            }
            Ok(none) => return Err(format!("left_inverse({a}): {none}")),
            Err(Error::Undecided { .. }) => 3,
            Err(error) => return Err(format!("left_inverse({a}): {error}")),
        };
        seen.borrow_mut()[kind] += 1;
        Ok(())
    });
    let seen = seen.into_inner();
    println!("inverse, collision, none, undecided: {seen:?}");
    assert!(seen[0] > 100 && seen[1] > 100 && seen[2] > 20 && seen[3] < seen[0], "{seen:?}");
}

/// Whether values are taken back to their positions by digits of some sizes (a, b, rest).
fn three_digits(values: &[(i64, i64)]) -> bool {
    let sizes = (1..24).flat_map(|a| (1..24).map(move |b| (a, b)));
    sizes.into_iter().any(|(a, b)| {
        let digits = |v: i64| [v % a, v / a % b, v / (a * b)];
        // The stride of a digit follows from a value that has it alone; otherwise nothing is claimed.
        let alone = |k: usize| {
            let found = values.iter().find(|(v, _)| {
                let d = digits(*v);
                d[k] == 1 && d.iter().sum::<i64>() == 1
            });
            found.map_or(0, |(_, at)| *at)
        };
        let strides = [0, 1, 2].map(alone);
        values.iter().all(|&(v, at)| {
            digits(v).iter().zip(&strides).map(|(digit, stride)| digit * stride).sum::<i64>() == at
        })
    })
}

/// What a small layout has no inverse for, it has none for with modes behind its values.
#[test]
fn small_values_refute() {
    let seen = RefCell::new(0u32);
    run(600, |choices| {
        let leaves: Vec<(i64, i64)> =
            (0..3).map(|_| (choices.between(2, 3), choices.between(1, 9))).collect();
        let small = Layout::flat(&leaves).expect("small");
        let none = left_inverse(&small, &Limit::none()).map_err(|e| format!("{small}: {e}"))?;
        if !matches!(none, Answer::None(NoLayout::NoDigits { .. })) {
            return Ok(());
        }
        *seen.borrow_mut() += 1;
        let large = [&leaves[..], &[(1 << 40, 1 << 10)]].concat();
        let large = Layout::flat(&large).expect("in bounds");
        match left_inverse(&large, &Limit::none()) {
            Ok(Answer::None(NoLayout::NoDigits { .. })) => Ok(()),
            other => Err(format!("left_inverse({large}): {other:?}")),
        }
    });
    assert!(seen.into_inner() > 20);
}

#[test]
fn right_inverses() {
    let seen = RefCell::new([0u32; 2]);
    run(1_500, |choices| {
        let leaves = layout(choices, &[1, 2, 4, 0, 3, -1, 6]);
        let a = Layout::flat(&leaves).expect("small");
        let all = table(&leaves);
        let kind = match right_inverse(&a, &Limit::none()) {
            Ok(found) => {
                let positions = table(&found.leaves());
                if !(0..).zip(&positions).all(|(i, &x)| all.get(x as usize) == Some(&i)) {
                    return Err(format!("right_inverse({a}) is {found}"));
                }
                // A longer one needs a position for the next value, and two of the same mode after it;
                // where the next value is missing this is the longest.
                let next = found.size();
                if all.len() > 4096 && all.contains(&next) {
                    let (natural, mut sorted) = (leaves.iter().all(|l| l.1 >= 0), all.clone());
                    sorted.sort_unstable();
                    let injective = sorted.windows(2).all(|pair| pair[0] != pair[1]);
                    if !(natural && injective) {
                        return Err(format!("right_inverse({a}) is {found}, {next} is a value"));
                    }
                }
                0
            }
            Err(Error::Undecided { .. }) => 1,
            Err(error) => return Err(format!("right_inverse({a}): {error}")),
        };
        seen.borrow_mut()[kind] += 1;
        Ok(())
    });
    let seen = seen.into_inner();
    println!("inverse, undecided: {seen:?}");
    assert!(seen[0] > 800, "{seen:?}");
}
