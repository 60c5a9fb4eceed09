//! Places of digits that the strides of a layout suggest.
//!
//! Chains, each element a multiple of the one before, of strides, of the sizes that modes take up, and of
//! their common divisors. A left inverse written by hand has its digits at such places; where the search of
//! `digits.rs` cannot try all places, it tries these.

use crate::layout::Layout;

/// The most chains of places.
const MOST_CHAINS: usize = 200;

/// Chains of places, all within the values.
pub(crate) fn suggested(layout: &Layout) -> Vec<Vec<i64>> {
    let reach = layout.cosize();
    let modes = layout.leaves().into_iter().filter(|mode| mode.0 > 1);
    let mut places: Vec<i64> = modes
        .flat_map(|(size, stride)| [Some(stride), size.checked_mul(stride)])
        .flatten()
        .collect();
    let common: Vec<i64> = places
        .iter()
        .enumerate()
        .flat_map(|(k, &one)| places[..k].iter().map(move |&other| gcd(one, other)))
        .collect();
    places.extend(common);
    places.retain(|&place| place > 1 && place < reach);
    places.sort_unstable();
    places.dedup();
    let mut chains = Vec::new();
    longest_chains(&places, 1, &mut Vec::new(), &mut chains);
    chains
}

/// All chains of multiples that cannot be continued, up to [`MOST_CHAINS`].
fn longest_chains(places: &[i64], last: i64, chain: &mut Vec<i64>, found: &mut Vec<Vec<i64>>) {
    let next: Vec<usize> =
        (0..places.len()).filter(|&k| places[k] % last == 0 && places[k] > last).collect();
    // A place that another one divides comes after it.
    let least = next
        .iter()
        .filter(|&&k| next.iter().all(|&other| other >= k || places[k] % places[other] != 0));
    let mut ended = true;
    for &k in least {
        ended = false;
        if found.len() >= MOST_CHAINS {
            return;
        }
        chain.push(places[k]);
        longest_chains(&places[k + 1..], places[k], chain, found);
        chain.pop();
    }
    if ended {
        found.push(chain.clone());
    }
}

fn gcd(a: i64, b: i64) -> i64 {
    if b == 0 { a } else { gcd(b, a % b) }
}
