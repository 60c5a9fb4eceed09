//! Rows p ≥ 0 that cannot all hold, seen by eliminating one monomial after the other.
//!
//! Example: 3·q − 2·P − 1 ≥ 0, q − 2 ≥ 0 and 2 + P − 3·q ≥ 0. Without P: 3 − 3·q ≥ 0, so q ≤ 1; with
//! q ≥ 2 that is −1 ≥ 0. Monomials stand for themselves, so what is seen holds whatever ties them
//! together. Every row is divided by what its coefficients share, and its constant rounds down.

use crate::names::Names;
use crate::poly::{Mono, Poly, gcd};

/// With more rows it is given up.
const MOST_ROWS: usize = 60;

/// Coefficients, and behind them the constant.
type Row = Vec<i128>;

/// Whether rows and monomials that are not negative contradict each other.
pub(crate) fn contradict(names: &Names, polys: &[Poly], positive: impl Fn(&Mono) -> bool) -> bool {
    let mut monos: Vec<&Mono> = Vec::new();
    for (mono, _) in polys.iter().flat_map(Poly::terms) {
        if mono.degree() > 0 && !monos.contains(&mono) {
            monos.push(mono);
        }
    }
    let row = |p: &Poly| {
        let mut row: Row = vec![0; monos.len() + 1];
        for (mono, c) in p.terms() {
            row[monos.iter().position(|known| *known == mono).unwrap_or(monos.len())] = *c;
        }
        row
    };
    let mut rows: Vec<Row> = Vec::new();
    for row in polys.iter().filter_map(|p| tightened(row(p))) {
        if !rows.contains(&row) {
            rows.push(row);
        }
    }
    let positive: Vec<bool> = monos.iter().map(|mono| positive(mono)).collect();
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
                // A row that is left out makes less of a contradiction.
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

/// A row divided by what its coefficients share, its constant rounded down; `None` if it says nothing.
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
