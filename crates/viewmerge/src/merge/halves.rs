//! The pair of levels on a box of many short axes: meet in the middle.
//!
//! The axes are split into two halves. Both halves alone, the other at the low
//! corner, are walked and compared with the candidate. Two half indices x and y
//! together add carries: at modulus m, with residues r(x), r(y) of n there and
//! r(0) of n at the low corner,
//!
//! ```text
//! ⌊n(x,y)/m⌋ − ⌊n(x)/m⌋ − ⌊n(y)/m⌋ + ⌊n(0)/m⌋ = ⌊(r(x) + r(y) − r(0))/m⌋ ∈ {−1, 0, 1}
//! ```
//!
//! and the pair is affine exactly when the carries at both moduli agree (the
//! difference) or cancel (the sum) for all x and y. For a given x the carry at
//! each modulus takes two values, below and above a threshold of r(y); with the
//! y sorted by their residue at the fine modulus, the largest and smallest
//! coarse residue of all y on either side answer for all of them at once.
//!
//! Cost: for a box of N indices O(√N log N) instead of N.
//!
//! Views that encode subset sums are decided here.

use alloc::vec::Vec;

use smallvec::SmallVec;

use crate::dims::{Dims, INLINE_AXES};
use crate::limit::{Exhausted, Meter};
use crate::merge::pair::{Checked, Pair};
use crate::region::Affine;

/// This is tried for at least this many axes; fewer are left to the system.
pub(super) const LEAST_AXES: usize = 6;

/// The most indices a half may have.
const MOST: i64 = 1 << 23;

/// How many indices are walked between two looks at the flag.
const LOOK_EVERY: i64 = 1 << 12;

/// Whether the pair is affine on a box of these extents; open if the halves are too large.
pub(super) fn in_the_middle(
    pair: &Pair<'_>,
    candidate: &Affine,
    extent: &[i64],
    meter: &mut Meter<'_>,
) -> Result<Checked<Dims>, Exhausted> {
    let Some([left, right]) = halves(pair, extent) else { return Ok(Checked::Open) };
    meter.spend((left.count + right.count).unsigned_abs())?;
    let mut walked = [const { Vec::new() }; 2];
    for (half, walked) in [&left, &right].into_iter().zip(&mut walked) {
        match half.walk(pair, candidate, meter)? {
            Ok(residues) => *walked = residues,
            Err(wrong) => return Ok(Checked::Wrong(wrong)),
        }
    }
    let [xs, ys] = walked;
    Ok(match find_clash(pair, &xs, &ys, meter)? {
        None => Checked::Affine,
        Some((x, y)) => {
            let mut index = left.index(x, extent.len());
            for (l, i) in right.index(y, extent.len()).into_iter().enumerate() {
                index[l] += i;
            }
            Checked::Wrong(index)
        }
    })
}

/// Some of the axes.
struct Half {
    /// (axis, extent)
    axes: SmallVec<[(usize, i64); INLINE_AXES]>,
    count: i64,
}

/// The axes that cause carries, in two halves of nearly equal size.
fn halves(pair: &Pair<'_>, extent: &[i64]) -> Option<[Half; 2]> {
    let mut axes: SmallVec<[(usize, i64); INLINE_AXES]> = (0..extent.len())
        .filter(|&l| extent[l] > 1 && pair.n.slope[l] % pair.coarse != 0)
        .map(|l| (l, extent[l]))
        .collect();
    axes.sort_unstable_by_key(|&(_, size)| core::cmp::Reverse(size));
    let empty = || Half { axes: SmallVec::new(), count: 1 };
    let mut halves = [empty(), empty()];
    for (l, size) in axes {
        let smaller = usize::from(halves[1].count < halves[0].count);
        let half = &mut halves[smaller];
        half.axes.push((l, size));
        half.count = half.count.checked_mul(size).filter(|&count| count <= MOST)?;
    }
    Some(halves)
}

/// The residues of n at both moduli, at a half index given by its place.
#[derive(Clone, Copy)]
struct Residues {
    fine: i64,
    coarse: i64,
    place: i64,
}

impl Pair<'_> {
    fn residues(&self, n: i64, place: i64) -> Residues {
        Residues { fine: n % self.fine, coarse: n % self.coarse, place }
    }
}

impl Half {
    /// The index at a place, all other axes at 0.
    fn index(&self, mut place: i64, rank: usize) -> Dims {
        let mut index: Dims = SmallVec::from_elem(0, rank);
        for &(l, size) in &self.axes {
            index[l] = place % size;
            place /= size;
        }
        index
    }

    /// The residues at every place, or an index at which the candidate is wrong.
    fn walk(
        &self,
        pair: &Pair<'_>,
        candidate: &Affine,
        meter: &Meter<'_>,
    ) -> Result<Result<Vec<Residues>, Dims>, Exhausted> {
        // n and the candidate at every place, the first axis fastest.
        let mut all = vec![(pair.n.base, i128::from(candidate.base))];
        for &(l, size) in &self.axes {
            let (t, s) = (pair.n.slope[l], i128::from(candidate.slope[l]));
            let before = all.len();
            for _ in 1..size {
                meter.look()?;
                let from = all.len();
                all.extend_from_within(from - before..);
                all[from..].iter_mut().for_each(|(n, expected)| {
                    *n += t;
                    *expected += s;
                });
            }
        }
        let is_wrong = |&(n, expected): &(i64, i128)| i128::from(pair.at(n)) != expected;
        Ok(match all.iter().zip(0..).find(|(one, _)| is_wrong(one)) {
            Some((_, place)) => Err(self.index(place, pair.extent.len())),
            None => {
                Ok(all.iter().zip(0..).map(|(&(n, _), place)| pair.residues(n, place)).collect())
            }
        })
    }
}

/// The places of an x and a y whose carries disagree.
fn find_clash(
    pair: &Pair<'_>,
    xs: &[Residues],
    ys: &[Residues],
    meter: &Meter<'_>,
) -> Result<Option<(i64, i64)>, Exhausted> {
    let origin = pair.residues(pair.n.base, 0);
    let mut sorted = ys.to_vec();
    sorted.sort_unstable_by_key(|y| y.fine);
    let before = Extremes::running(sorted.iter());
    let after = Extremes::running(sorted.iter().rev());
    for x in xs {
        if x.place % LOOK_EVERY == 0 {
            meter.look()?;
        }
        let fine = Carry::new(x.fine, origin.fine, pair.fine);
        let coarse = Carry::new(x.coarse, origin.coarse, pair.coarse);
        let below = sorted.partition_point(|y| y.fine < fine.threshold);
        let low = before[below].and_then(|e| coarse.clash(e, pair.sign * fine.below));
        let clash = low.or_else(|| {
            let above = after[sorted.len() - below]?;
            coarse.clash(above, pair.sign * (fine.below + 1))
        });
        if let Some(y) = clash {
            return Ok(Some((x.place, y)));
        }
    }
    Ok(None)
}

/// The carry of x with any y at one modulus: `below` if r(y) < threshold, else one more.
struct Carry {
    threshold: i64,
    below: i64,
}

impl Carry {
    fn new(x: i64, origin: i64, modulus: i64) -> Carry {
        if x >= origin {
            Carry { threshold: modulus - (x - origin), below: 0 }
        } else {
            Carry { threshold: origin - x, below: -1 }
        }
    }

    /// The place of a y among these whose carry is not the wanted one.
    fn clash(&self, Extremes { smallest, largest }: Extremes, wanted: i64) -> Option<i64> {
        let largest_is_above = largest.coarse >= self.threshold;
        let smallest_is_below = smallest.coarse < self.threshold;
        if smallest_is_below && wanted != self.below {
            Some(smallest.place)
        } else if largest_is_above && wanted != self.below + 1 {
            Some(largest.place)
        } else {
            None
        }
    }
}

/// Of some y those with the smallest and the largest coarse residue.
#[derive(Clone, Copy)]
struct Extremes {
    smallest: Residues,
    largest: Residues,
}

impl Extremes {
    /// The extremes of the first k of a list, for every k from 0 on.
    fn running<'a>(list: impl Iterator<Item = &'a Residues>) -> Vec<Option<Extremes>> {
        let mut so_far: Option<Extremes> = None;
        let all = list.map(|&y| {
            let next = so_far.map_or(Extremes { smallest: y, largest: y }, |known| Extremes {
                smallest: if y.coarse < known.smallest.coarse { y } else { known.smallest },
                largest: if y.coarse > known.largest.coarse { y } else { known.largest },
            });
            so_far = Some(next);
            so_far
        });
        core::iter::once(None).chain(all).collect()
    }
}
