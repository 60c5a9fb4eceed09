//! Inverses of layouts with thousands of positions and more. Every answer is checked by enumeration where
//! there are at most some ten thousand positions and values, and at random positions otherwise.

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
                // If three digits worked for all values, some would work for the values below 24.
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
    assert!(seen[0] > 100 && seen[1] > 100 && seen[2] > 20 && seen[3] == 0, "{seen:?}");
}

/// Whether digits of some sizes (a, b, rest) take the values back to their positions.
fn three_digits(values: &[(i64, i64)]) -> bool {
    let sizes = (1..24).flat_map(|a| (1..24).map(move |b| (a, b)));
    sizes.into_iter().any(|(a, b)| {
        let digits = |v: i64| [v % a, v / a % b, v / (a * b)];
        // The stride of a digit follows from a value that has only this digit; without such a value, skip
        // the check.
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

/// If a small layout has no inverse, it has none after further modes are added beyond its values.
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

/// The longest right inverse by listing: every position of the next value, and every length.
struct Longest<'a> {
    all: &'a [i64],
    positions: Vec<Vec<i64>>,
    longest: i64,
    steps: usize,
}

impl Longest<'_> {
    /// `None` if there are too many ways.
    fn of(all: &[i64]) -> Option<i64> {
        let mut positions = vec![Vec::new(); all.len() + 1];
        for (at, &value) in (0..).zip(all) {
            if let Some(here) = usize::try_from(value).ok().and_then(|v| positions.get_mut(v)) {
                here.push(at);
            }
        }
        let mut search = Longest { all, positions, longest: 1, steps: 0 };
        search.extend(&[0])?;
        Some(search.longest)
    }

    fn extend(&mut self, inverse: &[i64]) -> Option<()> {
        let reach = inverse.len();
        self.longest = self.longest.max(reach as i64);
        for stride in self.positions[reach].clone() {
            let mut longer = inverse.to_vec();
            loop {
                let step = (longer.len() / reach) as i64 * stride;
                for &at in inverse {
                    self.steps += 1;
                    if self.all.get((at + step) as usize) != Some(&(longer.len() as i64)) {
                        break;
                    }
                    longer.push(at + step);
                }
                if self.steps > 300_000 {
                    return None;
                }
                if !longer.len().is_multiple_of(reach)
                    || longer.len() as i64 / reach as i64 * stride == step
                {
                    break;
                }
            }
            for length in 2..=longer.len() / reach {
                self.extend(&longer[..length * reach])?;
            }
        }
        Some(())
    }
}

/// Layouts of any size, whose inverses need digits that no stride suggests.
#[test]
fn huge_left_inverses() {
    let rows = [
        ("(2,1000000000000):(2,3)", true),
        ("(1000000000000,2):(3,2)", true),
        ("(3,100000000000):(5,11)", true),
        ("(3,100000000000):(2,5)", true),
        ("(4,1000000000000):(7,32)", true),
        ("(3,2,1000000000000):(1,5,8)", true),
        ("(29,16,1000000000000):(1,29,480)", true),
        ("(16,1000000000000,29):(29,480,1)", false),
    ];
    for (text, exists) in rows {
        let layout: Layout = text.parse().expect("a layout");
        let answer = left_inverse(&layout, &Limit::none()).expect(text);
        assert_eq!(answer.layout().is_some(), exists, "{text}: {answer}");
        let Some(inverse) = answer.layout() else { continue };
        let size = layout.size();
        let spread = (0..1_000).map(|k| (k * 618_033_988_749 + k * k) % size);
        for position in (0..1_000).chain(size - 1_000..size).chain(spread) {
            let value = layout.at(position).expect("inside");
            assert_eq!(inverse.at(value), Ok(position), "{text}: {inverse}");
        }
    }
}

#[test]
fn right_inverses() {
    let seen = RefCell::new([0u32; 2]);
    let checked = RefCell::new(0u32);
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
                match Longest::of(&all) {
                    Some(longest) if longest != found.size() => {
                        return Err(format!(
                            "right_inverse({a}) is {found}, the longest has {longest}"
                        ));
                    }
                    Some(_) => *checked.borrow_mut() += 1,
                    None => {}
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
    let checked = checked.into_inner();
    println!("inverse, undecided: {seen:?}, {checked} of them compared with a list");
    assert!(seen[0] > 25 * seen[1] && checked > 1_000, "{seen:?}");
}
