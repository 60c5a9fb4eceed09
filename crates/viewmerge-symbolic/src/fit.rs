//! Polynomials through samples: a guess that is to be proved.
//!
//! Example: at the samples (N,M) = (1,2), (2,2), (2,3), (4,3) something is 2, 4, 6 and 12. Of the
//! combinations of 1, N, M and N·M only N·M does that.

use crate::domain::Sample;
use crate::poly::{Mono, Poly};

/// The most monomials of a guess.
const MOST: usize = 12;
/// Coefficients are found modulo this prime, 2^61 − 1.
const PRIME: i128 = (1 << 61) - 1;
/// Larger coefficients are no guess.
const LARGEST: i128 = 1 << 20;

/// The polynomial with some monomials that has the wanted value at every sample.
pub(crate) fn fitted(monos: &[Mono], samples: &[(&Sample, i128)]) -> Option<Poly> {
    let mut rows: Vec<Vec<i128>> = Vec::new();
    for (sample, value) in samples {
        let mut row = Vec::with_capacity(monos.len() + 1);
        for mono in monos {
            let mut product = 1i128;
            for &v in &mono.0 {
                product = product.checked_mul(sample.get(v)?)?;
            }
            row.push(product.rem_euclid(PRIME));
        }
        row.push(value.rem_euclid(PRIME));
        rows.push(row);
    }
    let mut p = Poly::zero();
    for (mono, c) in monos.iter().zip(solved(rows, monos.len())?) {
        let c = if c > PRIME / 2 { c - PRIME } else { c };
        if c.abs() > LARGEST {
            return None;
        }
        p = &p + &Poly::term(mono.clone(), c);
    }
    Some(p)
}

/// All monomials that divide one of some polynomials, the smallest first.
pub(crate) fn divisors<'a>(of: impl IntoIterator<Item = &'a Poly>) -> Vec<Mono> {
    let mut found: Vec<Mono> = vec![Mono::default()];
    for p in of {
        for (mono, _) in p.terms() {
            let mut next = vec![Mono::default()];
            for &v in &mono.0 {
                let more: Vec<Mono> = next.iter().map(|known| known.times(&Mono::var(v))).collect();
                next.extend(more);
                if next.len() > 4 * MOST {
                    break;
                }
            }
            for mono in next {
                if !found.contains(&mono) {
                    found.push(mono);
                }
            }
        }
    }
    found.sort();
    found.truncate(MOST);
    found
}

/// A solution of linear equations modulo the prime; unknowns that are not determined are 0.
fn solved(mut rows: Vec<Vec<i128>>, unknowns: usize) -> Option<Vec<i128>> {
    let mut pivots = Vec::new();
    let mut done = 0;
    for column in 0..unknowns {
        let Some(place) = (done..rows.len()).find(|&row| rows[row][column] != 0) else { continue };
        rows.swap(done, place);
        let inverse = power(rows[done][column], PRIME - 2);
        let pivot: Vec<i128> = rows[done].iter().map(|x| x * inverse % PRIME).collect();
        for (place, row) in rows.iter_mut().enumerate() {
            let factor = row[column];
            if place != done && factor != 0 {
                for (x, y) in row.iter_mut().zip(&pivot) {
                    *x = (*x - factor * y).rem_euclid(PRIME);
                }
            }
        }
        rows[done] = pivot;
        pivots.push(column);
        done += 1;
    }
    if rows[done..].iter().any(|row| row[unknowns] != 0) {
        return None;
    }
    let mut found = vec![0; unknowns];
    for (row, column) in rows.iter().zip(pivots) {
        found[column] = row[unknowns];
    }
    Some(found)
}

fn power(mut base: i128, mut exponent: i128) -> i128 {
    let mut result = 1;
    while exponent > 0 {
        if exponent % 2 == 1 {
            result = result * base % PRIME;
        }
        base = base * base % PRIME;
        exponent /= 2;
    }
    result
}
