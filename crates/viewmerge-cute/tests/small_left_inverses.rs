//! Left inverses of small layouts against a list of all ways to write one: places that cannot be refined,
//! and for each list of places all equations, solved by separate elimination code.

use std::cell::RefCell;

use viewmerge_cute::{Answer, Error, Layout, Limit, NoLayout, left_inverse};
use viewmerge_testkit::run;

fn values(leaves: &[(i64, i64)]) -> Vec<i64> {
    let mut values = vec![0];
    for &(size, stride) in leaves {
        values = (0..size).flat_map(|i| values.iter().map(move |v| v + i * stride)).collect();
    }
    values
}

/// Whether rows·x = positions has an integer solution: columns are combined until only one has a nonzero
/// entry in the row, which then determines its unknown.
fn solvable(mut rows: Vec<Vec<i128>>) -> bool {
    let width = rows[0].len();
    let mut solved: Vec<i128> = Vec::new();
    for k in 0..rows.len() {
        let from = solved.len();
        // Euclid on the columns that are left.
        while (from..width).filter(|&c| rows[k][c] != 0).count() > 1 {
            let least = (from..width).filter(|&c| rows[k][c] != 0);
            let least = least.min_by_key(|&c| rows[k][c].abs()).expect("more than one");
            for c in (from..width).filter(|&c| c != least) {
                let times = rows[k][c] / rows[k][least];
                for row in &mut rows[k..] {
                    row[c] -= times * row[least];
                }
            }
        }
        let known: i128 = solved.iter().zip(&rows[k]).map(|(x, a)| x * a).sum();
        let missing = k as i128 - known;
        match (from..width).find(|&c| rows[k][c] != 0) {
            None if missing != 0 => return false,
            None => {}
            Some(c) if missing % rows[k][c] != 0 => return false,
            Some(c) => {
                solved.push(missing / rows[k][c]);
                rows[k..].iter_mut().for_each(|row| row.swap(from, c));
            }
        }
    }
    true
}

/// Whether some places, after the last one given, take every value to its number in the list.
fn exists(values: &[i64], places: &mut Vec<i64>) -> bool {
    let (last, largest) = (places[places.len() - 1], *values.iter().max().expect("a value"));
    if 2 * last > largest {
        let ends = places[1..].iter().copied().chain([i64::MAX]);
        let digits: Vec<(i64, i64)> = places.iter().copied().zip(ends).collect();
        let row = |v: &i64| digits.iter().map(|(start, end)| i128::from(v % end / start)).collect();
        return solvable(values.iter().map(row).collect());
    }
    // Prime multiples are enough: any other place can be refined.
    (2..=largest / last).filter(|p| (2..*p).all(|d| p % d != 0)).any(|prime| {
        places.push(last * prime);
        let found = exists(values, places);
        places.pop();
        found
    })
}

fn check(leaves: &[(i64, i64)], seen: &RefCell<[u32; 2]>) -> Result<(), String> {
    let layout = Layout::flat(leaves).expect("small");
    let all = values(leaves);
    let kind = match left_inverse(&layout, &Limit::none()) {
        Ok(Answer::Layout(inverse)) => {
            let back = values(&inverse.leaves());
            if !(0..).zip(&all).all(|(i, &v)| back.get(v as usize) == Some(&i)) {
                return Err(format!("left_inverse({layout}) is {inverse}"));
            }
            0
        }
        Ok(Answer::None(NoLayout::Collision { .. })) => return Ok(()),
        Ok(Answer::None(_)) => {
            if exists(&all, &mut vec![1]) {
                return Err(format!("left_inverse({layout}) exists"));
            }
            1
        }
        Err(error @ Error::Undecided { .. }) => return Err(format!("{layout}: {error}")),
        Err(error) => return Err(error.to_string()),
    };
    seen.borrow_mut()[kind] += 1;
    Ok(())
}

/// All layouts of two modes with these sizes and strides.
#[test]
fn two_modes() {
    let seen = RefCell::new([0; 2]);
    let modes = |sizes: std::ops::RangeInclusive<i64>| {
        sizes.flat_map(|size| (1..=14).map(move |stride| (size, stride)))
    };
    for one in modes(2..=6) {
        for other in modes(2..=6) {
            check(&[one, other], &seen).unwrap();
        }
    }
    let seen = seen.into_inner();
    println!("inverse, none: {seen:?}");
    assert!(seen[0] > 500 && seen[1] > 100, "{seen:?}");
}

/// Random layouts of three to five modes.
#[test]
fn more_modes() {
    let seen = RefCell::new([0; 2]);
    run(3_000, |choices| {
        let count = choices.between(3, 5);
        let most = if count == 3 { 40 } else { 60 };
        let leaves: Vec<(i64, i64)> = (0..count)
            .map(|_| (choices.between(2, 6 - count.min(4)), choices.between(1, most)))
            .collect();
        check(&leaves, &seen)
    });
    let seen = seen.into_inner();
    println!("inverse, none: {seen:?}");
    assert!(seen[0] > 200 && seen[1] > 200, "{seen:?}");
}
