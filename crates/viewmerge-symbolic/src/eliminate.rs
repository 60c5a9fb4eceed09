//! Rows p ≥ 0 that cannot all hold, seen by eliminating one monomial after the other.
//!
//! Example: 3·q − 2·P − 1 ≥ 0, q − 2 ≥ 0 and 2 + P − 3·q ≥ 0. Without P: 3 − 3·q ≥ 0, so q ≤ 1; with
//! q ≥ 2 that is −1 ≥ 0. Monomials stand for themselves, so what is seen holds whatever ties them
//! together. Every row is divided by what its coefficients share, and its constant rounds down.

use crate::assume::tightened;
use crate::poly::{Mono, Poly};

/// With more rows it is given up.
const MOST_ROWS: usize = 40;

/// Whether rows and monomials that are not negative contradict each other.
pub(crate) fn contradict(mut rows: Vec<Poly>, positive: impl Fn(&Mono) -> bool) -> bool {
    loop {
        if rows.iter().any(|row| row.as_number().is_some_and(|value| value < 0)) {
            return true;
        }
        rows.retain(|row| row.as_number().is_none());
        let mut monos: Vec<&Mono> = Vec::new();
        for (mono, _) in rows.iter().flat_map(Poly::terms) {
            if mono.degree() > 0 && !monos.contains(&mono) {
                monos.push(mono);
            }
        }
        let signs = |mono: &Mono| {
            let of = |row: &Poly| coefficient(row, mono);
            let more = rows.iter().filter(|row| of(row) > 0).count();
            (more + usize::from(positive(mono))) * rows.iter().filter(|row| of(row) < 0).count()
        };
        let Some(mono) = monos.into_iter().min_by_key(|mono| signs(mono)).cloned() else {
            return false;
        };
        let (with, mut next): (Vec<Poly>, Vec<Poly>) =
            rows.into_iter().partition(|row| coefficient(row, &mono) != 0);
        let (mut more, less): (Vec<Poly>, Vec<Poly>) =
            with.into_iter().partition(|row| coefficient(row, &mono) > 0);
        if positive(&mono) {
            more.push(Poly::term(mono.clone(), 1));
        }
        for up in &more {
            for down in &less {
                let (a, b) = (coefficient(up, &mono), -coefficient(down, &mono));
                let row = tightened(&(&up.scaled(b) + &down.scaled(a)));
                if row.is_spoilt() || next.len() >= MOST_ROWS {
                    return false;
                }
                if !next.contains(&row) {
                    next.push(row);
                }
            }
        }
        rows = next;
    }
}

fn coefficient(p: &Poly, mono: &Mono) -> i128 {
    p.terms().iter().find(|(m, _)| m == mono).map_or(0, |(_, c)| *c)
}
