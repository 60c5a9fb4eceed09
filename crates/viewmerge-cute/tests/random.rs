//! Every operation against enumeration on random layouts.
//!
//! Nothing here uses the library's algorithms: layouts are lists of sizes and strides, functions
//! are tables. A fixed share runs here; `VIEWMERGE_CASES=5` runs 100,000 compositions.

use std::cell::RefCell;

use viewmerge_cute::{
    Answer, Layout, Limit, Mode, NoLayout, Plain, Swizzle, Swizzled, Tiler, coalesce, collision,
    complement, compose, equal, is_injective, left_inverse, logical_divide, logical_product,
    right_inverse,
};
use viewmerge_testkit::choices::Choices;
use viewmerge_testkit::run;

type Leaves = Vec<(i64, i64)>;

/// The values of flattened modes, the first one fastest.
fn table(leaves: &[(i64, i64)]) -> Vec<i64> {
    let mut values = vec![0];
    for &(size, stride) in leaves {
        values = (0..size).flat_map(|i| values.iter().map(move |v| v + i * stride)).collect();
    }
    values
}

fn values(layout: &Layout) -> Vec<i64> {
    table(&layout.leaves())
}

/// A random layout, sometimes nested.
fn layout(
    choices: &mut Choices<'_>,
    most: i64,
    stride: impl Fn(&mut Choices<'_>) -> i64,
) -> Layout {
    let rank = choices.pick(&[1, 2, 3, 2, 4]);
    let mut left = most;
    let mut modes = Vec::new();
    for _ in 0..rank {
        let size = choices.pick(&[2, 3, 4, 6, 8, 5, 2, 12, 1, 10]).min(left.max(1));
        left /= size;
        modes.push(Mode::Leaf { size, stride: stride(choices) });
    }
    if modes.len() > 2 && choices.one_in(3) {
        let tail = modes.split_off(1);
        modes.push(Mode::Node(tail));
    }
    let mode =
        if modes.len() == 1 && choices.one_in(2) { modes.remove(0) } else { Mode::Node(modes) };
    Layout::new(mode).expect("small")
}

/// A layout whose strides are often products of sizes.
fn plain(choices: &mut Choices<'_>) -> Layout {
    layout(choices, 100, |choices| match choices.below(3) {
        0 => choices.pick(&[1, 2, 4, 8, 3, 6, 12, 16, 24, 48]),
        1 => choices.between(0, 12),
        _ => choices.between(0, 60),
    })
}

/// A layout all of whose values lie below a size.
fn within(choices: &mut Choices<'_>, size: i64) -> Layout {
    let mut left = size - 1;
    let rank = choices.pick(&[1, 2, 2, 3]);
    let mut modes = Vec::new();
    for _ in 0..rank {
        let size = choices.pick(&[2, 3, 4, 6, 2, 8, 5, 1, 10]).min(left + 1);
        let most = if size > 1 { left / (size - 1) } else { 5 };
        let stride = match choices.below(3) {
            0 => choices.pick(&[1, 2, 3, 4, 6, 8, 12, 5]).min(most),
            _ => choices.between(0, most),
        };
        left -= stride * (size - 1);
        modes.push(Mode::Leaf { size, stride });
    }
    Layout::new(Mode::Node(modes)).expect("small")
}

/// Every way to write a size as a product of factors of 2 or more, fastest first.
fn factorizations(size: i64) -> Vec<Vec<i64>> {
    let mut all = vec![vec![size]];
    for first in (2..size).filter(|d| size % d == 0) {
        for mut rest in factorizations(size / first) {
            rest.insert(0, first);
            all.push(rest);
        }
    }
    all
}

/// The layouts, one for each mode, that are this function after the modes of these sizes are cut, with the
/// fewest digits.
fn cut_into(sizes: &[i64], function: &[i64]) -> Option<Vec<Leaves>> {
    let mut all: Vec<Vec<Vec<i64>>> = vec![vec![]];
    for &size in sizes {
        let axis = factorizations(size);
        all = all
            .iter()
            .flat_map(|cut| {
                axis.iter().map(move |factors| [cut.clone(), vec![factors.clone()]].concat())
            })
            .collect();
    }
    all.sort_by_key(|cut| cut.iter().map(Vec::len).sum::<usize>());
    all.into_iter().find_map(|cut| {
        let mut place = 1usize;
        let mut digits = |factors: &Vec<i64>| -> Leaves {
            let digit = |&size: &i64| {
                let stride = if size > 1 { function[place] - function[0] } else { 0 };
                place *= size as usize;
                (size, stride)
            };
            factors.iter().map(digit).collect()
        };
        let cut: Vec<Leaves> = cut.iter().map(&mut digits).collect();
        let found = table(&cut.concat());
        let same = found.iter().zip(function).all(|(a, b)| a + function[0] == *b);
        same.then_some(cut)
    })
}

/// Evaluates the witness of a composition.
fn witness_holds(b: &Layout, function: &[i64], none: &NoLayout) -> bool {
    let sizes: Vec<i64> = b.leaves().iter().map(|leaf| leaf.0).collect();
    let value = |coordinate: &[i64]| {
        let mut place = 1;
        let mut position = 0;
        for (i, size) in coordinate.iter().zip(&sizes) {
            position += i * place;
            place *= size;
        }
        function.get(position as usize).copied()
    };
    let moved = |from: &[i64], mode: usize, by: i64| {
        let mut to = from.to_vec();
        to[mode] += by;
        Some(value(&to)? - value(from)?)
    };
    match none {
        NoLayout::NotSeparable { mode, by, at, step, other, other_step } => {
            at[*mode] == other[*mode]
                && step != other_step
                && moved(at, *mode, *by) == Some(*step)
                && moved(other, *mode, *by) == Some(*other_step)
        }
        NoLayout::Uneven { mode, by, at, step, other, other_step } => {
            step != other_step
                && moved(at, *mode, *by) == Some(*step)
                && moved(other, *mode, *by) == Some(*other_step)
        }
        NoLayout::OffGrid { mode, size, place, next } => {
            sizes[*mode] == *size && (next % place != 0 || size % next != 0)
        }
        _ => false,
    }
}

#[test]
fn compositions() {
    let seen = RefCell::new([0u32; 3]);
    run(20_000, |choices| {
        let a = plain(choices);
        let b = within(choices, a.size());
        let (first, second) = (values(&a), values(&b));
        let function: Vec<i64> = second.iter().map(|&x| first[x as usize]).collect();
        let sizes: Vec<i64> = b.leaves().iter().map(|leaf| leaf.0).collect();
        let expected = cut_into(&sizes, &function);
        let found =
            compose(&a, &b, false, &Limit::none()).map_err(|e| format!("{a} o {b}: {e}"))?;
        let told = || format!("{a} o {b} is {found}, expected {expected:?}");
        let kind = match (&found, &expected) {
            (Answer::Layout(found), Some(expected)) => {
                let modes: Vec<Leaves> = found
                    .modes()
                    .iter()
                    .map(|mode| Layout::new(mode.clone()).map(|l| l.leaves()).unwrap_or_default())
                    .collect();
                if &modes != expected {
                    return Err(told());
                }
                usize::from(expected.iter().any(|mode| mode.len() > 1))
            }
            (Answer::None(none), None) if witness_holds(&b, &function, none) => 2,
            _ => return Err(told()),
        };
        seen.borrow_mut()[kind] += 1;
        Ok(())
    });
    let seen = seen.into_inner();
    println!("uncut, cut, none: {seen:?}");
    assert!(seen.iter().all(|&count| count > 1_000), "{seen:?}");
}

#[test]
fn coalescing_and_equality() {
    run(5_000, |choices| {
        let a = plain(choices);
        let fused = coalesce(&a).map_err(|e| e.to_string())?;
        if values(&fused) != values(&a) {
            return Err(format!("{a} is not {fused}"));
        }
        let b = if choices.one_in(2) { plain(choices) } else { fused };
        if equal(&a, &b) != (values(&a) == values(&b)) {
            return Err(format!("{a} and {b}"));
        }
        Ok(())
    });
}

#[test]
fn injectivity() {
    run(5_000, |choices| {
        let a = layout(choices, 100, |choices| choices.between(-20, 30));
        let mut all = values(&a);
        all.sort_unstable();
        let distinct = all.windows(2).all(|pair| pair[0] != pair[1]);
        let limit = Limit::none();
        let found = is_injective(&a, &limit).map_err(|e| e.to_string())?;
        let pair = collision(&a, &limit).map_err(|e| e.to_string())?;
        let value = |at: &Vec<i64>| at.iter().zip(a.leaves()).map(|(i, l)| i * l.1).sum::<i64>();
        let holds =
            pair.as_ref().is_none_or(|[one, other]| one != other && value(one) == value(other));
        if found != distinct || pair.is_none() != distinct || !holds {
            return Err(format!("{a}: {found}, {pair:?}"));
        }
        Ok(())
    });
}

/// The increasing values that fill what a list of values leaves out, up to a size; `None` if none do.
fn filling(values: &[i64], size: i64) -> Option<Vec<i64>> {
    let reach = values.iter().max().copied().unwrap_or(0) + 1;
    let mut covered = vec![false; usize::try_from(size + 4_000 + reach).ok()?];
    let (mut next, mut end) = (0, 0);
    let mut found = Vec::new();
    loop {
        while covered[next] {
            next += 1;
        }
        if next == end && next as i64 >= size && !found.is_empty() {
            return Some(found);
        }
        if next as i64 > size + 3_900 {
            return None;
        }
        found.push(next as i64);
        for value in values {
            let place = next + usize::try_from(*value).ok()?;
            if std::mem::replace(&mut covered[place], true) {
                return None;
            }
            end = end.max(place + 1);
        }
    }
}

#[test]
fn complements() {
    let seen = RefCell::new([0u32; 2]);
    run(5_000, |choices| {
        let a = layout(choices, 30, |choices| choices.pick(&[1, 2, 4, 8, 3, 6, 0, 12, 16, 5, 24]));
        let size = choices.between(1, 60);
        let moving: Leaves =
            a.leaves().into_iter().filter(|leaf| leaf.1 != 0 && leaf.0 > 1).collect();
        let expected = filling(&table(&moving), size);
        let found = complement(&a, size).map_err(|e| e.to_string())?;
        let told = || format!("complement({a}, {size}) is {found}, expected {expected:?}");
        if found.layout().map(values) != expected {
            return Err(told());
        }
        seen.borrow_mut()[usize::from(expected.is_some())] += 1;
        Ok(())
    });
    let seen = seen.into_inner();
    assert!(seen.iter().all(|&count| count > 500), "{seen:?}");
}

#[test]
fn divisions_and_products() {
    let seen = RefCell::new([0u32; 4]);
    run(5_000, |choices| {
        let a = plain(choices);
        let b = layout(choices, 12, |choices| choices.pick(&[1, 2, 4, 3, 6, 8, 12]));
        let limit = Limit::none();
        let divided = logical_divide(&a, &Tiler::Layout(b.clone()), &limit);
        let divided = divided.map_err(|e| format!("{a} / {b}: {e}"))?;
        let rest = filling(&values(&b), a.size());
        // A tile at every place of the rest, as a function of both.
        let (all, tile) = (values(&a), values(&b));
        let rest = rest.filter(|rest| rest.len() as i64 * b.size() == a.size());
        let whole: Option<Vec<i64>> = rest.map(|rest| {
            let both = rest.iter().flat_map(|r| tile.iter().map(move |t| r + t));
            both.map(|x| all[x as usize]).collect()
        });
        match (&divided, &whole) {
            (Answer::Layout(found), Some(whole)) if &values(found) == whole => {
                seen.borrow_mut()[0] += 1;
            }
            (Answer::None(_), None) => seen.borrow_mut()[1] += 1,
            // No composition exists: cutting the tiles' places into digits must not work either.
            (Answer::None(_), Some(whole)) => {
                let rest = complement(&b, a.size()).map_err(|e| e.to_string())?;
                let rest = rest.layout().map(Layout::leaves).unwrap_or_default();
                let sizes: Vec<i64> = b.leaves().iter().chain(&rest).map(|leaf| leaf.0).collect();
                if let Some(cut) = cut_into(&sizes, whole) {
                    return Err(format!("{a} / {b} is {divided}, but {cut:?} is one"));
                }
                seen.borrow_mut()[2] += 1;
            }
            _ => return Err(format!("{a} / {b} is {divided}, expected {whole:?}")),
        }
        let product = logical_product(&b, &a, &limit).map_err(|e| format!("{b} x {a}: {e}"))?;
        let rest = filling(&values(&b), b.size() * a.cosize());
        if let Answer::Layout(found) = &product {
            let rest = rest.ok_or_else(|| format!("{b} x {a} is {product}"))?;
            let tile = values(&b);
            let expected: Vec<i64> = values(&a)
                .iter()
                .flat_map(|&copy| tile.iter().map(|t| t + rest[copy as usize]).collect::<Vec<_>>())
                .collect();
            if values(found) != expected {
                return Err(format!("{b} x {a} is {product}"));
            }
            seen.borrow_mut()[3] += 1;
        }
        Ok(())
    });
    let seen = seen.into_inner();
    assert!(seen.iter().all(|&count| count > 100), "{seen:?}");
}

/// The size of the longest right inverse, over all ordered lists of sizes of 2 or more.
fn longest_right_inverse(a: &[i64]) -> i64 {
    let size = a.len() as i64;
    (2..=size)
        .rev()
        .find(|&total| {
            factorizations(total).iter().any(|sizes| {
                // Every stride is a position whose value is the product of the sizes before.
                let mut partial: Vec<Leaves> = vec![vec![]];
                let mut place = 1;
                for &mode in sizes {
                    partial = partial
                        .iter()
                        .flat_map(|leaves| {
                            (0..size)
                                .filter(|&x| a[x as usize] == place)
                                .map(move |x| [leaves.clone(), vec![(mode, x)]].concat())
                        })
                        .collect();
                    place *= mode;
                }
                partial.iter().any(|leaves| {
                    let positions = table(leaves);
                    (0..).zip(&positions).all(|(i, &x)| x < size && a[x as usize] == i)
                })
            })
        })
        .unwrap_or(1)
}

#[test]
fn right_inverses() {
    let seen = RefCell::new([0u32; 2]);
    run(3_000, |choices| {
        let a = layout(choices, 24, |choices| choices.pick(&[1, 2, 4, 8, 3, 6, 0, 12, -1, 5]));
        let found = right_inverse(&a, &Limit::none()).map_err(|e| format!("{a}: {e}"))?;
        let all = values(&a);
        let positions = values(&found);
        let inverts = (0..).zip(&positions).all(|(i, &x)| all.get(x as usize) == Some(&i));
        let longest = longest_right_inverse(&all);
        if !inverts || found.size() != longest {
            return Err(format!("right_inverse({a}) is {found}, the longest has {longest}"));
        }
        seen.borrow_mut()[usize::from(longest > 1)] += 1;
        Ok(())
    });
    let seen = seen.into_inner();
    assert!(seen.iter().all(|&count| count > 300), "{seen:?}");
}

/// Whether some layout of at most three modes with strides in −12..=12 takes the values back.
fn has_small_left_inverse(all: &[i64]) -> bool {
    let reach = all.iter().max().copied().unwrap_or(0) + 1;
    let sizes = (2..=reach).flat_map(|a| (2..=reach).map(move |b| (a, b)));
    sizes.into_iter().any(|(a, b)| {
        (-12..=12).any(|x| {
            (-12..=12).any(|y| {
                (-12..=12).any(|z| {
                    (0..).zip(all).all(|(i, &value)| {
                        value % a * x + value / a % b * y + value / (a * b) * z == i
                    })
                })
            })
        })
    })
}

#[test]
fn left_inverses() {
    let seen = RefCell::new([0u32; 3]);
    run(4_000, |choices| {
        let a =
            layout(choices, 12, |choices| choices.pick(&[1, 2, 4, 3, 6, 5, 0, 7, 8, 9, 10, 11]));
        let all = values(&a);
        let found = left_inverse(&a, &Limit::none()).map_err(|e| format!("{a}: {e}"))?;
        let kind = match &found {
            Answer::Layout(inverse) => {
                let back = values(inverse);
                let inverts = (0..).zip(&all).all(|(i, &v)| back.get(v as usize) == Some(&i));
                if !inverts {
                    return Err(format!("left_inverse({a}) is {inverse}"));
                }
                0
            }
            Answer::None(NoLayout::Collision { coordinates: [one, other], value }) => {
                let at = |c: &Vec<i64>| c.iter().zip(a.leaves()).map(|(i, l)| i * l.1).sum::<i64>();
                if one == other || at(one) != *value || at(other) != *value {
                    return Err(format!("left_inverse({a}): {found}"));
                }
                1
            }
            Answer::None(_) => {
                if all.iter().max().is_some_and(|&last| last < 16) && has_small_left_inverse(&all) {
                    return Err(format!("left_inverse({a}) exists"));
                }
                2
            }
        };
        seen.borrow_mut()[kind] += 1;
        Ok(())
    });
    let seen = seen.into_inner();
    println!("inverse, collision, none: {seen:?}");
    assert!(seen[0] > 300 && seen[1] > 100 && seen[2] > 5, "{seen:?}");
}

#[test]
fn swizzled_layouts() {
    let seen = RefCell::new([0u32; 3]);
    run(4_000, |choices| {
        let bits = choices.between(1, 3);
        let base = choices.between(0, 2);
        let apart = bits + choices.between(0, 1);
        let shift = if choices.one_in(3) { -apart } else { apart };
        let swizzle = Swizzle::new(bits, base, shift).map_err(|e| e.to_string())?;
        let inner =
            layout(choices, 64, |choices| choices.pick(&[1, 2, 4, 8, 16, 32, 64, 3, 6, 12]));
        let offset = choices.pick(&[0, 0, 0, 1, 4, 8]);
        let swizzled = Swizzled::new(swizzle, offset, inner.clone()).map_err(|e| e.to_string())?;
        let bit = |value: i64, place: i64| value >> place & 1;
        let mixed = |value: i64| {
            // The definition, bit by bit.
            (0..bits).fold(value, |result, k| {
                let (from, to) = if shift > 0 {
                    (base + shift + k, base + k)
                } else {
                    (base + k, base - shift + k)
                };
                result ^ (bit(value, from) << to)
            })
        };
        let function: Vec<i64> = values(&inner).iter().map(|v| mixed(offset + v)).collect();
        let asked: Result<Vec<i64>, _> = (0..inner.size()).map(|i| swizzled.at(i)).collect();
        if asked != Ok(function.clone()) {
            return Err(format!("{swizzled} is {asked:?}, expected {function:?}"));
        }
        let sizes: Vec<i64> = inner.leaves().iter().map(|leaf| leaf.0).collect();
        let expected = cut_into(&sizes, &function).map(|cut| cut.concat());
        let found = swizzled.plain(&Limit::none()).map_err(|e| format!("{swizzled}: {e}"))?;
        let kind = match (&found, &expected) {
            (Plain::Layout { offset, layout }, Some(expected)) => {
                if *offset != function[0] || &layout.leaves() != expected {
                    return Err(format!("{swizzled} is {found}, expected {expected:?}"));
                }
                usize::from(equal(layout, &inner))
            }
            (Plain::None(none), None) if witness_holds(&inner, &function, none) => 2,
            _ => return Err(format!("{swizzled} is {found}, expected {expected:?}")),
        };
        seen.borrow_mut()[kind] += 1;
        Ok(())
    });
    let seen = seen.into_inner();
    println!("plain and another, plain and the same, none: {seen:?}");
    assert!(seen.iter().all(|&count| count > 100), "{seen:?}");
}
