//! Is Σ jump·⌊n/modulus⌋ affine on a box, for levels that are not affine one by one?
//!
//! Along an axis the carry of a level takes two values that differ by one. So
//! a step of the sum that differs from the step at the low corner is
//! Σ ε·jump with ε in {−1, 0, 1} for every level, not all 0, and the sum is
//! affine only if all such sums that occur are 0: a *relation* among the jumps
//! (theory, "relation").
//!
//! - No relation: not affine; the first overflow of any level shows it.
//! - A level in no relation: its first overflow shows it.
//! - Exactly one relation, and all levels in it: the levels must overflow
//!   together, so each must pair up with the first ([`super::pair`]).
//! - Several relations stay open, for the system.
//!
//! Cost: O(log) along one axis; the relations of k levels are found among 3^k.
//!
//! Proved: `carries_close`, `relation_complete`, `mergeable_iff_levelwise`,
//! `one_broken_level`, `rank_two` (proofs/theories/Levels.v); for smaller numbers
//! `divide_common_factor` (proofs/theories/Periods.v), `coarse_floor`
//! (proofs/theories/Accidental.v).

use alloc::vec::Vec;

use smallvec::SmallVec;

use crate::arith::gcd;
use crate::dims::Dims;
use crate::floor::Floor;
use crate::limit::{Exhausted, Meter};
use crate::merge::pair::{Checked, Pair};
use crate::region::Affine;
use crate::staircase::{Level, Staircase};

/// Whether the levels of a view are affine together at these positions; if not, they are wrong at one
/// of two neighbours.
pub(super) fn together(
    stage: &Staircase,
    n: &Affine,
    extent: &[i64],
    meter: &mut Meter<'_>,
) -> Result<Checked<[Dims; 2]>, Exhausted> {
    let levels = stage.levels.iter().copied();
    let broken: SmallVec<[Level; 4]> =
        levels.filter(|level| !Floor::new(n, extent, level.modulus).is_affine()).collect();
    if broken.is_empty() {
        return Ok(Checked::Affine);
    }
    let (levels, n) = &reduce(broken, n, extent);
    let Some(relations) = relations(levels) else { return Ok(Checked::Open) };
    let is_alone = |&j: &usize| relations.iter().all(|signs| signs[j] == 0);
    if let Some(alone) = (0..levels.len()).find(is_alone) {
        let floor = Floor::new(n, extent, levels[alone].modulus);
        return Ok(match floor.first_overflow(extent, 0..extent.len()) {
            Some((l, index)) => {
                let mut after = index.clone();
                after[l] += 1;
                Checked::Wrong([index, after])
            }
            None => Checked::Open,
        });
    }
    let [only] = relations.as_slice() else { return Ok(Checked::Open) };
    // All levels are in it, so they overflow together.
    for (level, &sign) in levels.iter().zip(only).skip(1) {
        let pair = Pair {
            n,
            extent,
            fine: levels[0].modulus,
            coarse: level.modulus,
            sign: i64::from(only[0] * sign),
        };
        match pair.cancels(meter)? {
            Checked::Affine => {}
            Checked::Open => return Ok(Checked::Open),
            Checked::Wrong(index) => return Ok(Checked::Wrong(first_wrong_step(&pair, index))),
        }
    }
    Ok(Checked::Affine)
}

/// The same floors with smaller numbers: where ⌊n/g⌋ is affine for a divisor g
/// of all moduli, ⌊n/m⌋ = ⌊⌊n/g⌋/(m/g)⌋, and axes that only move n within a block of g drop out.
fn reduce(
    mut levels: SmallVec<[Level; 4]>,
    n: &Affine,
    extent: &[i64],
) -> (SmallVec<[Level; 4]>, Affine) {
    let steps = n.slope.iter().zip(extent).filter(|(_, size)| **size > 1);
    let mut divisors: Dims = steps.map(|(&t, _)| gcd(levels[0].modulus, t.abs())).collect();
    divisors.sort_unstable();
    let floors = divisors.iter().rev().map(|&g| (g, Floor::new(n, extent, g)));
    let Some((g, floor)) = floors.take_while(|(g, _)| *g > 1).find(|(_, floor)| floor.is_affine())
    else {
        return (levels, n.clone());
    };
    levels.iter_mut().for_each(|level| level.modulus /= g);
    (levels, floor.quotient)
}

/// Which jumps are added, left out or subtracted: 1, 0 or −1 for each level.
type Signs = SmallVec<[i8; 8]>;

/// The signs under which the jumps add up to 0, the first that is not 0 being 1, without those that
/// leave all out; `None` if there are too many levels to look.
fn relations(levels: &[Level]) -> Option<Vec<Signs>> {
    const MOST_LEVELS: usize = 12;
    if levels.len() > MOST_LEVELS {
        return None;
    }
    let some = |signs: &Signs| signs.iter().any(|sign| *sign != 0);
    // The signs of the first levels, and the sum so far.
    let mut found = vec![(Signs::new(), 0)];
    for (j, level) in levels.iter().enumerate() {
        // What the levels behind can still contribute.
        let reach: i128 = levels[j + 1..].iter().map(|level| level.jump.abs()).sum();
        let longer = found.iter().flat_map(|(signs, sum)| {
            let choices: &[i8] = if some(signs) { &[-1, 0, 1] } else { &[0, 1] };
            choices.iter().map(move |&sign| {
                let mut signs = signs.clone();
                signs.push(sign);
                (signs, sum + i128::from(sign) * level.jump)
            })
        });
        found = longer.filter(|(_, sum)| sum.abs() <= reach).collect();
    }
    Some(found.into_iter().map(|(signs, _)| signs).filter(some).collect())
}

/// On the straight way from the low corner to an index where a pair is wrong,
/// two neighbours between which it goes wrong.
fn first_wrong_step(pair: &Pair<'_>, wrong: Dims) -> [Dims; 2] {
    let candidate = pair.candidate();
    let is_wrong =
        |index: &[i64]| i128::from(pair.value(index)) != candidate.at(index.iter().copied());
    let origin: Dims = SmallVec::from_elem(0, wrong.len());
    crate::merge::steps::first_change(origin, wrong, is_wrong)
}
