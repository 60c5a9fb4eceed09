//! Can rows p ≥ 0 all hold? A contradiction is found by eliminating one monomial after another.
//!
//! Example: 3·q − 2·P − 1 ≥ 0, q − 2 ≥ 0 and 2 + P − 3·q ≥ 0. The first plus twice the third has no P: 3 − 3·q ≥ 0,
//! so q ≤ 1; with q ≥ 2 that is −1 ≥ 0. Every monomial counts as a variable of its own; this forgets how monomials
//! are related, which can only lose contradictions. Every row is divided by the greatest common divisor of its
//! coefficients, and its constant is rounded down. A certificate needs the multiples of the rows that add up to the
//! contradiction, so there nothing is rounded.
//!
//! Cost: the search gives up beyond [`MOST_ROWS`] rows.

use crate::names::Names;
use crate::poly::{Mono, Poly, gcd};

/// With more rows, and three times as many as at first, the search gives up.
const MOST_ROWS: usize = 60;

/// Coefficients, followed by the constant; where multiples are wanted, by that of each given row.
type Row = Vec<i128>;

/// Whether rows and monomials that are not negative contradict each other.
pub(crate) fn contradict(names: &Names, polys: &[Poly], positive: impl Fn(Mono) -> bool) -> bool {
    contradiction(names, polys, positive, false).is_some()
}

/// Multiples of rows that add up to a negative number, and that number, which comes first.
pub(crate) fn refuted(names: &Names, polys: &[Poly]) -> Option<Vec<i128>> {
    contradiction(names, polys, |_| false, true)
}

/// The constant of a row that contradicts itself, followed by the multiples it is made of, if they are wanted.
fn contradiction(
    names: &Names,
    polys: &[Poly],
    positive: impl Fn(Mono) -> bool,
    multiples: bool,
) -> Option<Row> {
    let monos = monomials(polys);
    let row = |(place, p): (usize, &Poly)| {
        let mut row: Row = vec![0; monos.len() + 1 + if multiples { polys.len() } else { 0 }];
        for (mono, c) in p.terms() {
            row[monos.iter().position(|known| known == mono).unwrap_or(monos.len())] = *c;
        }
        if multiples {
            row[monos.len() + 1 + place] = 1;
        }
        tightened(row, monos.len())
    };
    let mut rows: Vec<Row> = polys.iter().enumerate().filter_map(row).collect();
    let positive: Vec<bool> = monos.iter().copied().map(positive).collect();
    let mut left: Vec<usize> = (0..monos.len()).collect();
    while names.spend_for(rows.len() / 2) {
        if let Some(row) = rows.iter().find(|row| row[..monos.len()].iter().all(|c| *c == 0)) {
            return Some(row[monos.len()..].to_vec());
        }
        let signs = |&column: &usize| {
            let more = rows.iter().filter(|row| row[column] > 0).count();
            let less = rows.iter().filter(|row| row[column] < 0).count();
            (more + usize::from(positive[column])) * less
        };
        let Some(place) = (0..left.len()).min_by_key(|&place| signs(&left[place])) else { break };
        let column = left.swap_remove(place);
        let (with, mut next): (Vec<Row>, Vec<Row>) =
            rows.into_iter().partition(|row| row[column] != 0);
        let (mut more, less): (Vec<Row>, Vec<Row>) =
            with.into_iter().partition(|row| row[column] > 0);
        if positive[column] {
            let mut alone = vec![0; monos.len() + 1];
            alone[column] = 1;
            more.push(alone);
        }
        for up in &more {
            for down in &less {
                let (a, b) = (up[column], -down[column]);
                let both = up.iter().zip(down);
                let sum = both.map(|(x, y)| x.checked_mul(b)?.checked_add(y.checked_mul(a)?));
                // Leaving out a row can only lose a contradiction.
                let row = sum.collect::<Option<Row>>().and_then(|row| tightened(row, monos.len()));
                let Some(row) = row else { continue };
                if next.len() >= MOST_ROWS.max(3 * polys.len()) {
                    return None;
                }
                if !next.contains(&row) {
                    next.push(row);
                }
            }
        }
        rows = next;
    }
    None
}

/// The monomials of some polynomials, each once, without that of the constants.
pub(crate) fn monomials(polys: &[Poly]) -> Vec<Mono> {
    let mut monos: Vec<Mono> = Vec::new();
    for &(mono, _) in polys.iter().flat_map(Poly::terms) {
        if mono.degree() > 0 && !monos.contains(&mono) {
            monos.push(mono);
        }
    }
    monos
}

/// A row with so many coefficients divided by what they share, its constant rounded down unless multiples follow;
/// `None` if it always holds.
fn tightened(mut row: Row, count: usize) -> Option<Row> {
    let (coefficients, rest) = row.split_at_mut(count);
    let shared = coefficients.iter().fold(0, |shared, c| gcd(shared, *c));
    let shared = match rest {
        [constant, ..] if shared == 0 && *constant >= 0 => return None,
        [_] => shared,
        _ => rest.iter().fold(shared, |shared, c| gcd(shared, *c)),
    };
    if shared > 1 {
        row.iter_mut().for_each(|c| *c = c.div_euclid(shared));
    }
    Some(row)
}
