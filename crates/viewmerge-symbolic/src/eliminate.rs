//! Can rows p ≥ 0 all hold? A contradiction is found by eliminating one monomial after another.
//!
//! Example: 3·q − 2·P − 1 ≥ 0, q − 2 ≥ 0 and 2 + P − 3·q ≥ 0. The first plus twice the third has no P: 3 − 3·q ≥ 0,
//! so q ≤ 1; with q ≥ 2 that is −1 ≥ 0. Every monomial counts as a variable of its own; this forgets how monomials
//! are related, which can only lose contradictions. Every row is divided by the greatest common divisor of its
//! coefficients, and its constant is rounded down.
//!
//! Cost: the search gives up beyond [`MOST_ROWS`] rows.

use crate::names::Names;
use crate::poly::{Mono, Poly, gcd};

/// With more rows the search gives up.
const MOST_ROWS: usize = 60;

/// Coefficients, followed by the constant.
type Row = Vec<i128>;

/// Whether rows and monomials that are not negative contradict each other.
pub(crate) fn contradict(names: &Names, polys: &[Poly], positive: impl Fn(Mono) -> bool) -> bool {
    let mut monos: Vec<Mono> = Vec::new();
    for &(mono, _) in polys.iter().flat_map(Poly::terms) {
        if mono.degree() > 0 && !monos.contains(&mono) {
            monos.push(mono);
        }
    }
    let row = |p: &Poly| {
        let mut row: Row = vec![0; monos.len() + 1];
        for (mono, c) in p.terms() {
            row[monos.iter().position(|known| known == mono).unwrap_or(monos.len())] = *c;
        }
        row
    };
    let mut rows: Vec<Row> = Vec::new();
    for row in polys.iter().filter_map(|p| tightened(row(p))) {
        if !rows.contains(&row) {
            rows.push(row);
        }
    }
    let positive: Vec<bool> = monos.iter().copied().map(positive).collect();
    let mut left: Vec<usize> = (0..monos.len()).collect();
    while names.spend_for(rows.len() / 2) {
        if rows.iter().any(|row| row[..monos.len()].iter().all(|c| *c == 0)) {
            return true;
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
                let Some(row) = sum.collect::<Option<Row>>().and_then(tightened) else { continue };
                if next.len() >= MOST_ROWS {
                    return false;
                }
                if !next.contains(&row) {
                    next.push(row);
                }
            }
        }
        rows = next;
    }
    false
}

/// A row divided by the common divisor of its coefficients, its constant rounded down; `None` if it always holds.
fn tightened(mut row: Row) -> Option<Row> {
    let (constant, coefficients) = row.split_last_mut()?;
    match coefficients.iter().fold(0, |shared, c| gcd(shared, *c)) {
        0 if *constant >= 0 => return None,
        0 | 1 => {}
        shared => {
            coefficients.iter_mut().for_each(|c| *c /= shared);
            *constant = constant.div_euclid(shared);
        }
    }
    Some(row)
}
