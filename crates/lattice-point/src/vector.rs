//! Integer vectors: products, sums of multiples, and, in checked `i128`, Euclid's algorithm on the values
//! of a linear function, which [`crate::hull`], [`crate::hermite`] and [`crate::echelon`] share.

use alloc::vec::Vec;

use crate::number::{Number, Overflow};

/// The vector of this length with a 1 at one place and 0 elsewhere.
pub(crate) fn unit<N: Number>(length: usize, place: usize) -> Vec<N> {
    let mut unit = vec![N::ZERO; length];
    unit[place] = N::ONE;
    unit
}

/// Σ a·b.
pub(crate) fn dot<N: Number>(a: &[N], b: &[N]) -> Result<N, Overflow> {
    let mut sum = N::ZERO;
    for (a, b) in a.iter().zip(b) {
        if !a.is_zero() && !b.is_zero() {
            sum = sum.plus(&a.times(b)?)?;
        }
    }
    Ok(sum)
}

/// a += times·b.
pub(crate) fn add_multiple<N: Number>(a: &mut [N], times: &N, b: &[N]) -> Result<(), Overflow> {
    for (to, by) in a.iter_mut().zip(b) {
        if !by.is_zero() {
            *to = to.plus(&times.times(by)?)?;
        }
    }
    Ok(())
}

/// Σ a·b, as a number that can be negated.
pub(crate) fn product(a: &[i128], b: &[i128]) -> Result<i128, Overflow> {
    negatable(dot(a, b)?)
}

/// a −= times·b.
pub(crate) fn subtract(a: &mut [i128], times: i128, b: &[i128]) -> Result<(), Overflow> {
    if times == 0 {
        return Ok(());
    }
    for (to, by) in a.iter_mut().zip(b) {
        if *by != 0 {
            *to = negatable(to.minus(&times.times(by)?)?)?;
        }
    }
    Ok(())
}

/// A number that can be negated, and so divided by −1.
fn negatable(number: i128) -> Result<i128, Overflow> {
    if number == i128::MIN { Err(Overflow) } else { Ok(number) }
}

/// The quotient that leaves the smallest remainder.
fn nearest(a: i128, b: i128) -> i128 {
    let size = b.abs();
    if size == 1 {
        return a * b;
    }
    let down = a.divided_down(&size);
    let remainder = a - down * size;
    b.signum() * (down + i128::from(remainder > size - remainder))
}

/// Euclid's algorithm on the values of a linear function: subtracts multiples of vectors from each
/// other until at most one of them has a value other than 0, and returns its place.
pub(crate) fn euclid(
    vectors: &mut [Vec<i128>],
    value: impl Fn(&[i128]) -> Result<i128, Overflow>,
) -> Result<Option<usize>, Overflow> {
    // The vectors with a value other than 0, mostly none.
    let mut left: Vec<(usize, i128)> = Vec::new();
    for (place, vector) in vectors.iter().enumerate() {
        let value = value(vector)?;
        if value != 0 {
            left.push((place, value));
        }
    }
    while let Some(&(least, by)) = left.iter().min_by_key(|(_, value)| value.unsigned_abs()) {
        for (place, value) in left.iter_mut().filter(|(place, _)| *place != least) {
            let times = nearest(*value, by);
            if let Ok([vector, lead]) = vectors.get_disjoint_mut([*place, least]) {
                subtract(vector, times, lead)?;
            }
            *value = value.minus(&times.times(&by)?)?;
        }
        left.retain(|(_, value)| *value != 0);
        if left.len() == 1 {
            return Ok(Some(least));
        }
    }
    Ok(None)
}

/// The greatest common divisor of a number and the entries of a vector.
pub(crate) fn common_divisor<N: Number>(number: N, vector: &[N]) -> Result<N, Overflow> {
    let mut common = number;
    for entry in vector {
        if common == N::ONE {
            break;
        }
        if !entry.is_zero() {
            common = common.gcd(entry)?;
        }
    }
    Ok(common)
}

/// Divides a vector by the common divisor of its entries, and makes the entry at `lead` positive.
///
/// # Errors
///
/// [`Overflow`] if the divisor does not fit, which takes entries of −2^127.
///
/// ```
/// let mut vector = [4, -6, 0];
/// lattice_point::make_primitive(&mut vector, 1)?;
/// assert_eq!(vector, [-2, 3, 0]);
/// # Ok::<(), lattice_point::Overflow>(())
/// ```
pub fn make_primitive(vector: &mut [i128], lead: usize) -> Result<(), Overflow> {
    let common = common_divisor(0, vector)?;
    let divisor = if vector[lead] < 0 { -common } else { common };
    if divisor != 0 && divisor != 1 {
        vector.iter_mut().for_each(|entry| *entry /= divisor);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn euclid_leaves_the_common_divisor() {
        for values in [[6i128, 10, 15], [0, 4, -6], [0, 0, 0], [5, 0, 0], [-7, 21, 14]] {
            let unit = |k: usize| (0..3).map(|c| i128::from(c == k)).collect::<Vec<i128>>();
            let mut vectors: Vec<Vec<i128>> = (0..3).map(unit).collect();
            let place = euclid(&mut vectors, |vector| product(&values, vector)).expect("small");
            let left: Vec<i128> =
                vectors.iter().map(|vector| product(&values, vector).expect("small")).collect();
            let divisor = values.iter().fold(0i128, |g, v| g.gcd(v).expect("small"));
            assert_eq!(place.map_or(0, |place| left[place].abs()), divisor, "{values:?}");
            assert!((0..3).all(|k| Some(k) == place || left[k] == 0), "{values:?}");
        }
    }

    #[test]
    fn numbers_that_do_not_fit_are_reported() {
        assert_eq!(product(&[i128::MAX, 1], &[1, 1]), Err(Overflow));
        assert_eq!(subtract(&mut [i128::MIN + 1], 1, &[1]), Err(Overflow));
        let mut vectors = alloc::vec![alloc::vec![i128::MAX], alloc::vec![3]];
        assert!(euclid(&mut vectors, |vector| Ok(vector[0])).is_ok());
    }
}
