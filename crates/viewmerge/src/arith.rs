//! Division with a fast path for small numbers, greatest common divisors, bisection.

use core::ops::Add;

/// a / b for a ≥ 0, b > 0.
pub fn divide(a: i64, b: i64) -> i64 {
    match (u32::try_from(a), u32::try_from(b)) {
        (Ok(a), Ok(b)) => i64::from(a / b),
        _ => a / b,
    }
}

/// ⌊a / b⌋ for b > 0.
pub fn divide_down(a: i64, b: i64) -> i64 {
    // ⌊a/b⌋ = −1 − ⌊(−1 − a)/b⌋, and −1 − a is !a.
    if a < 0 { !divide(!a, b) } else { divide(a, b) }
}

/// ⌊a / b⌋ for b > 0.
pub fn divide_wide(a: i128, b: i128) -> i128 {
    match (i64::try_from(a), i64::try_from(b)) {
        (Ok(a), Ok(b)) => divide_down(a, b).into(),
        _ => a.div_euclid(b),
    }
}

/// ⌈a / b⌉ for b > 0.
pub fn divide_up_wide(a: i128, b: i128) -> i128 {
    -divide_wide(-a, b)
}

/// The greatest common divisor of two numbers that are not negative.
pub fn gcd(mut a: i64, mut b: i64) -> i64 {
    while b != 0 {
        (a, b) = (b, a - divide(a, b) * b);
    }
    a
}

/// [`gcd`] of wide numbers.
pub fn gcd_wide(mut a: i128, mut b: i128) -> i128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// The next pseudo-random number (splitmix64).
pub fn scattered(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let mixed = (*state ^ (*state >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    mixed ^ (mixed >> 31)
}

/// The smallest and the largest sum of `base` and a number from 0 to each of the travels.
pub fn reached<N: Copy + Default + PartialOrd + Add<Output = N>>(
    base: N,
    travels: impl Iterator<Item = N>,
) -> (N, N) {
    travels.fold((base, base), |(low, high), travel| {
        if travel < N::default() { (low + travel, high) } else { (low, high + travel) }
    })
}

/// The last number at which `holds` is true; it is true at `inside`, false at `outside`, and
/// changes once in between.
pub fn bisect<E>(
    inside: i64,
    outside: i64,
    holds: impl FnMut(i64) -> Result<bool, E>,
) -> Result<i64, E> {
    gallop(inside, outside, i64::MAX, holds)
}

/// [`bisect`] that first tries steps of `ahead`, doubled each time, until `holds` is false.
pub fn gallop<E>(
    mut inside: i64,
    mut outside: i64,
    mut ahead: i64,
    mut holds: impl FnMut(i64) -> Result<bool, E>,
) -> Result<i64, E> {
    while outside - inside > 1 {
        let far = inside.saturating_add(ahead);
        let middle = if far < outside { far } else { inside + (outside - inside) / 2 };
        if holds(middle)? {
            (inside, ahead) = (middle, ahead.saturating_mul(2));
        } else {
            (outside, ahead) = (middle, i64::MAX);
        }
    }
    Ok(inside)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn divisions() {
        let numbers = [0, 1, 2, 7, 1 << 31, (1 << 32) - 1, 1 << 32, (1 << 32) + 1, i64::MAX];
        for a in numbers {
            for b in numbers.into_iter().filter(|b| *b > 0) {
                assert_eq!(divide(a, b), a / b);
                for a in [a, -a, !a] {
                    assert_eq!(divide_down(a, b), a.div_euclid(b));
                    let (a, b) = (i128::from(a), i128::from(b));
                    for (a, b) in [(a, b), (a << 40, b), (a << 40, b << 40), (a, b << 40)] {
                        assert_eq!(divide_wide(a, b), a.div_euclid(b));
                        assert_eq!(divide_up_wide(a, b), -(-a).div_euclid(b));
                    }
                }
            }
        }
    }
}
