//! Words counted by class, digit by digit.
//!
//! A digit of size s and stride d adds d, 2d, …, (s − 1)·d. Modulo n these sums cycle: every class in the
//! orbit of d is hit ⌊s/p⌋ times, where p is the length of the orbit, and the first s mod p classes once
//! more. So the counts of all classes after one more digit are sums over a window that slides along each
//! orbit: n steps, whatever s is.
//!
//! Example: 12:3 modulo 8, p = 8: every class once, and the classes 0, 3, 6, 1 once more.

use viewmerge::{Limit, SplitView, View, ViewChain};

use super::{Access, Banks, OUTER, Part, digits};
use crate::error::Error;
use crate::swizzle::Swizzle;

/// The most classes to distinguish.
const MOST_CLASSES: i64 = 1 << 16;
/// The most pairs of classes, one of a transaction and one of its words, to look at.
const MOST_PAIRS: usize = 1 << 26;

/// Degrees, how many transactions have each, and one such transaction by access and first thread.
pub(super) type Counted = Vec<(i64, i64, (i64, i64))>;

/// Counts the transactions of each degree; `None` if words are not sums of digits, or too many classes
/// would have to be distinguished.
pub(super) fn count(
    access: &Access,
    banks: &Banks,
    part: Part,
    limit: &Limit<'_>,
) -> Result<Option<Counted>, Error> {
    let chain = access.words(banks, part)?;
    let largest = chain[1].position_range().map_or(0, |(_, last)| last) / access.bytes;
    let Some(mixing) = Mixing::of(access.memory.swizzle(), largest, access.bytes, banks) else {
        return Ok(None);
    };
    let Ok(SplitView { split, view, .. }) = ViewChain::from_views(&chain)?.split(limit)? else {
        return Ok(None);
    };
    let Some((moved, inner)) = distinct(&digits(&split, &view, OUTER..5), limit)? else {
        return Ok(None);
    };
    let classes = mixing.classes;
    limit.spend(classes.unsigned_abs())?;
    let words = Classes::of(classes, 0, &inner);
    let words = words.all();
    let outer = digits(&split, &view, 0..OUTER);
    if mixing.swizzle.is_none() {
        // Another first word rotates the classes, which leaves the largest count unchanged.
        let degree = words.iter().copied().max().unwrap_or(0);
        return Ok(Some(vec![(degree, part.accesses * part.count, (0, part.first))]));
    }
    let starts = Classes::of(classes, view.offset() + moved, &outer);
    let some: Vec<(i64, i64)> =
        (0..).zip(words).filter(|one| *one.1 > 0).map(|(r, &n)| (r, n)).collect();
    let begun: Vec<(i64, i64)> =
        (0..).zip(starts.all()).filter(|one| *one.1 > 0).map(|(r, &n)| (r, n)).collect();
    if some.len().saturating_mul(begun.len()) > MOST_PAIRS {
        return Ok(None);
    }
    let mut counted: Counted = Vec::new();
    let mut in_bank = vec![0i64; usize::try_from(banks.banks).unwrap_or(0)];
    for (start, count) in begun {
        limit.spend(some.len() as u64 / 64 + 1)?;
        in_bank.fill(0);
        for &(class, words) in &some {
            let bank = mixing.bank((start + class) % classes, banks);
            in_bank[bank as usize] += words;
        }
        let degree = in_bank.iter().copied().max().unwrap_or(0);
        match counted.iter_mut().find(|known| known.0 == degree) {
            Some(known) => known.1 += count,
            None => counted.push((degree, count, place(&starts, start, &outer, part))),
        }
    }
    Ok(Some(counted))
}

/// The access and the first thread of a transaction whose first word is in a class.
fn place(starts: &Classes, class: i64, outer: &[(i64, i64)], part: Part) -> (i64, i64) {
    let number = starts
        .digits_to(class, outer)
        .iter()
        .zip(outer)
        .fold(0, |number, (digit, axis)| number * axis.0 + digit);
    (number / part.count, part.first + number % part.count * part.lanes)
}

/// How the class of a word before the swizzle determines its bank.
struct Mixing {
    /// The number of classes.
    classes: i64,
    /// The swizzle of words, and how many words it moves together.
    swizzle: Option<(Swizzle, u32, i64)>,
}

impl Mixing {
    /// `None` if the swizzle changes bits within a word, or mixes bits that are too high.
    fn of(swizzle: Option<Swizzle>, largest: i64, bytes: i64, banks: &Banks) -> Option<Mixing> {
        let Some(swizzle) = swizzle.filter(|one| largest >> one.lowest().0 > 0) else {
            return (banks.banks <= MOST_CLASSES)
                .then_some(Mixing { classes: banks.banks, swizzle: None });
        };
        let (from, to) = swizzle.lowest();
        let low = from.min(to);
        // The swizzle moves 2^low elements together, which must be whole words.
        let together = bytes.checked_mul(1 << low)?;
        if together % banks.width != 0 {
            return None;
        }
        let words = together / banks.width;
        let mixed = words.checked_mul(1 << (from.max(to) + swizzle.bits() - low))?;
        let classes = (mixed / gcd(mixed, banks.banks)).checked_mul(banks.banks)?;
        (classes <= MOST_CLASSES)
            .then_some(Mixing { classes, swizzle: Some((swizzle, low, words)) })
    }

    fn bank(&self, class: i64, banks: &Banks) -> i64 {
        let word = match self.swizzle {
            None => class,
            Some((swizzle, low, words)) => {
                let element = (class / words) << low;
                (swizzle.apply(element).unwrap_or(0) >> low) * words + class % words
            }
        };
        word % banks.banks
    }
}

/// An offset, and digits that make every sum exactly once.
type Distinct = (i64, Vec<(i64, i64)>);

/// Digits with strides above 0 that make each sum of a set exactly once, and the offset of the sums. `None`
/// if two sums are equal.
fn distinct(digits: &[(i64, i64)], limit: &Limit<'_>) -> Result<Option<Distinct>, Error> {
    let mut moved = 0;
    let mut left: Vec<(i64, i64)> = Vec::new();
    for &(size, stride) in digits.iter().filter(|digit| digit.0 > 1 && digit.1 != 0) {
        moved += (size - 1) * stride.min(0);
        left.push((size, stride.abs()));
    }
    left.sort_unstable_by_key(|digit| digit.1);
    // 4:1 and 3:2 reach the same sums as 8:1.
    let mut at = 0;
    while at + 1 < left.len() {
        let ((size, stride), (more, next)) = (left[at], left[at + 1]);
        if next % stride == 0 && next / stride <= size {
            left[at] = (size + next / stride * (more - 1), stride);
            left.remove(at + 1);
            at = at.saturating_sub(1);
        } else {
            at += 1;
        }
    }
    let (shape, strides): (Vec<i64>, Vec<i64>) = left.iter().copied().unzip();
    let alone = View::strided(&shape, &strides, 0)?.is_injective(limit)?;
    Ok(alone.then_some((moved, left)))
}

/// How many sums of digits are in each class, after none of the digits, one, two, ….
struct Classes(Vec<Vec<i64>>);

impl Classes {
    fn of(classes: i64, first: i64, digits: &[(i64, i64)]) -> Classes {
        let mut start = vec![0; usize::try_from(classes).unwrap_or(1)];
        start[first.rem_euclid(classes) as usize] = 1;
        let mut steps = vec![start];
        for &(size, stride) in digits {
            let next = widened(&steps[steps.len() - 1], size, stride);
            steps.push(next);
        }
        Classes(steps)
    }

    /// The counts after all digits.
    fn all(&self) -> &[i64] {
        &self.0[self.0.len() - 1]
    }

    /// Digits whose sum is in a class.
    fn digits_to(&self, class: i64, digits: &[(i64, i64)]) -> Vec<i64> {
        let classes = self.0[0].len() as i64;
        let mut class = class;
        let mut found = vec![0; digits.len()];
        for (number, &(size, stride)) in digits.iter().enumerate().rev() {
            let before =
                |x: i64| (class - stride.rem_euclid(classes) * (x % classes)).rem_euclid(classes);
            let digit = (0..size.min(classes)).find(|&x| self.0[number][before(x) as usize] > 0);
            found[number] = digit.unwrap_or(0);
            class = before(found[number]);
        }
        found
    }
}

/// The counts after one more digit.
fn widened(counts: &[i64], size: i64, stride: i64) -> Vec<i64> {
    let classes = counts.len() as i64;
    let stride = stride.rem_euclid(classes);
    let round = classes / gcd(stride, classes).max(1);
    let (whole, rest) = (size / round, size % round);
    let mut wider = vec![0; counts.len()];
    for first in 0..classes / round {
        let at = |step: i64| ((first + step % round * stride) % classes) as usize;
        let all: i64 = (0..round).map(|step| counts[at(step)]).sum();
        // The window of the last `rest` classes that lead to the one at `step`.
        let mut window: i64 = (round - rest + 1..=round).map(|step| counts[at(step)]).sum();
        for step in 0..round {
            wider[at(step)] = whole * all + window;
            window += counts[at(step + 1)] - counts[at(step + 1 + round - rest)];
        }
    }
    wider
}

fn gcd(a: i64, b: i64) -> i64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_digit_more() {
        let start = vec![1, 0, 0, 0, 0, 0, 0, 0];
        assert_eq!(widened(&start, 12, 3), [2, 2, 1, 2, 1, 1, 2, 1]);
        for (size, stride) in (1..40).flat_map(|size| (-9..10).map(move |stride| (size, stride))) {
            let counts = [3, 1, 4, 1, 5, 9];
            let mut expected = [0; 6];
            for (class, count) in (0i64..).zip(counts) {
                for x in 0..size {
                    expected[(class + x * stride).rem_euclid(6) as usize] += count;
                }
            }
            assert_eq!(widened(&counts, size, stride), expected, "{size}:{stride}");
        }
    }

    #[test]
    fn sums_once() {
        let none = Limit::none();
        let found = |digits: &[(i64, i64)]| distinct(digits, &none).expect("small");
        assert_eq!(found(&[(4, 1), (3, 2)]), Some((0, vec![(8, 1)])));
        assert_eq!(found(&[(4, 0), (3, -2)]), Some((-4, vec![(3, 2)])));
        assert_eq!(found(&[(4, 2), (3, 3)]), None);
    }
}
