//! How far a staircase is affine along a line: a closed form.
//!
//! At the positions a, a + t, a + 2t, … a view without padding moves by
//! slope·t plus its jumps times the carries of their levels. A level's carry is
//! one of two neighbouring numbers, and as long as it stays the same the residue
//! moves evenly, so the next step at which it changes is one division away. The
//! first step at which the changed carries' jumps do not add up to 0 ends the
//! affine prefix.
//!
//! Example: `(10,3,3):(8,1,2)` from 0 in steps of 4. The first step carries 1 at
//! modulus 3 and 0 at 9. The step from index 2 carries 2 and 1, but the jumps −5
//! and 5 cancel; that from index 4 carries 2 and 0: five elements are affine.
//!
//! Cost: a few divisions for every level and every cancellation passed.

use smallvec::SmallVec;

use crate::dims::INLINE_AXES;
use crate::staircase::Staircase;

/// The closed form gives up after this many cancellations.
const MOST_CANCELLATIONS: usize = 24;

/// A broken level while the line is followed.
struct Carry {
    modulus: i64,
    jump: i128,
    /// t mod modulus.
    rest: i64,
    /// Whether the first step has the larger of the two carries.
    high: bool,
}

/// How many of the elements at the positions a + t·x, 0 ≤ x < count, starting with the
/// first, the staircase takes to evenly spaced positions; `None` after too many cancellations.
///
/// The staircase has no slabs, and all the positions are positions of it.
pub(super) fn affine_prefix(stairs: &Staircase, a: i64, t: i64, count: i64) -> Option<i64> {
    if count <= 2 {
        return Some(count);
    }
    let levels: SmallVec<[Carry; INLINE_AXES]> = stairs
        .levels
        .iter()
        .map(|level| {
            let (modulus, rest) = (level.modulus, t.rem_euclid(level.modulus));
            let high = a % modulus >= modulus - rest;
            Carry { modulus, jump: level.jump, rest, high }
        })
        .collect();
    // The first step whose carry is examined.
    let mut from = 0;
    for _ in 0..MOST_CANCELLATIONS {
        let here = a + t * from;
        let mut first = i64::MAX;
        let mut change = 0i128;
        for level in &levels {
            let Some(wait) = level.changes_after(here % level.modulus) else { continue };
            // The larger carry is one more than the smaller one.
            let jump = if level.high { -level.jump } else { level.jump };
            match wait.cmp(&first) {
                core::cmp::Ordering::Less => (first, change) = (wait, jump),
                core::cmp::Ordering::Equal => change += jump,
                core::cmp::Ordering::Greater => {}
            }
        }
        let step = from.saturating_add(first);
        if step >= count - 1 {
            return Some(count);
        }
        if change != 0 {
            return Some(step + 1);
        }
        from = step + 1;
    }
    None
}

impl Carry {
    /// The number of steps with the first step's carry that follow a residue, the first step with
    /// another one not included; `None` if all steps have it.
    fn changes_after(&self, residue: i64) -> Option<i64> {
        let edge = self.modulus - self.rest;
        if self.rest == 0 {
            None
        } else if self.high {
            // From a residue of `edge` or more, a step takes `edge` away.
            Some(residue / edge)
        } else {
            // From one below, a step adds `rest`.
            Some((edge - residue + self.rest - 1).max(0) / self.rest)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view::View;

    #[test]
    fn agrees_with_walking() {
        let mut seen = [0; 3];
        let views = [
            "(10,3,3):(8,1,2)",
            "(4,3,5):(1,4,12)",
            "(3,4,5):(7,-2,3)",
            "(5,3,3):(2,0,2)",
            "(2,2,2,2,2):(1,2,4,8,16)",
            "(9,9):(8,1)",
        ];
        for text in views {
            let view: View = text.parse().expect(text);
            let stairs = Staircase::new(&view);
            let last = view.count() - 1;
            for a in 0..=last {
                for t in -20..=20i64 {
                    let room = match t {
                        0 => 9,
                        _ if t > 0 => (last - a) / t + 1,
                        _ => a / -t + 1,
                    };
                    for count in [1, 2, room / 2 + 1, room] {
                        let count = count.min(room);
                        let values: Vec<_> = (0..count).map(|x| stairs.at(a + t * x)).collect();
                        let even = |n: &usize| {
                            let step = |k: usize| values[k + 1].zip(values[k]).map(|(b, a)| b - a);
                            (1..n - 1).all(|k| step(k) == step(0))
                        };
                        let walked = (2..=values.len()).take_while(even).last().unwrap_or(1);
                        let found = affine_prefix(&stairs, a, t, count);
                        if let Some(found) = found {
                            assert_eq!(found, walked as i64, "{text} from {a} by {t}, {count}");
                        }
                        seen[found.map_or(2, |n| usize::from(n < count))] += 1;
                    }
                }
            }
        }
        assert!(seen[0] > 1_000 && seen[1] > 1_000, "{seen:?}");
    }
}
