//! Levels that turn at the same rate, any number of them, along any number of axes.
//!
//! Dividing a level's modulus and the steps of n by their common divisor turns
//! ⌊n/m⌋ into something affine and ⌊(Z + w)/q⌋ with Z = Σ p·i, 0 ≤ p, w < q.
//! Levels of one *class* have the same q and the same p up to one common sign;
//! a minus sign turns into a plus with ⌊(−Z + w)/q⌋ = −⌊(Z + q − 1 − w)/q⌋. So
//! a class is a sum of floors that differ in their phase w only, and its step
//! along an axis is a function of z = Z mod q that changes at two places for
//! every level. The class is affine exactly when no index of the box has its z
//! where, along some axis, the step is another than at z = 0.
//!
//! Whether some p·i mod q lies in an interval is answered, with the first such
//! i, in O(log) ([`super::euclid`]). An axis as long as its period reaches
//! every residue that its gcd with q allows, so it only reduces q; the other
//! axes but the longest are walked.
//!
//! Example: levels 4, 12 and 36 of a view of shape (B,3,3,4), seen with stride
//! 18, all turn by a half turn at each step; only their phases differ.
//!
//! Overflow policy: q is below 2^62; products are `i128`.

use smallvec::SmallVec;

use crate::arith::gcd;
use crate::dims::{Dims, INLINE_AXES};
use crate::limit::{Exhausted, Meter};
use crate::merge::euclid::first_in;
use crate::region::Affine;
use crate::staircase::Level;

/// What is known after every class has been looked at.
pub(super) enum Outcome {
    /// The sum of all levels is affine on the box.
    Affine,
    /// It is not: the step between these two neighbours is another than at the low corner.
    Wrong([Dims; 2]),
    /// The levels of the classes that are not affine or would take too long.
    Left(SmallVec<[Level; 4]>),
}

/// Decides class by class, for levels that are not affine one by one.
pub(super) fn decide(
    levels: &[Level],
    n: &Affine,
    extent: &[i64],
    meter: &mut Meter,
) -> Result<Outcome, Exhausted> {
    let mut left: SmallVec<[Level; 4]> = SmallVec::new();
    let mut wrong = None;
    let classes = Class::all(levels, n, extent);
    let count = classes.len();
    for class in classes {
        // A level alone is known not to be affine.
        let alone = count > 1 && class.levels.len() == 1;
        if !alone && class.lines(extent) <= MOST_LINES {
            match class.wrong_step(extent, meter)? {
                None => continue,
                step => wrong = step,
            }
        }
        left.extend(class.levels.iter().copied());
    }
    Ok(match wrong {
        _ if left.is_empty() => Outcome::Affine,
        // All levels in one class that is not affine.
        Some(step) if count == 1 => Outcome::Wrong(step),
        _ => Outcome::Left(left),
    })
}

/// The most lines that are looked at, one by one.
const MOST_LINES: i64 = 4096;

/// Σ weight·⌊(Σ p·i + phase)/q⌋, up to something affine.
struct Class {
    levels: SmallVec<[Level; 4]>,
    q: i64,
    p: Dims,
    /// (phase, weight)
    terms: SmallVec<[(i64, i128); 4]>,
}

impl Class {
    /// The classes of some levels.
    fn all(levels: &[Level], n: &Affine, extent: &[i64]) -> Vec<Class> {
        let mut classes: Vec<Class> = Vec::new();
        for &level in levels {
            let steps = n.slope.iter().zip(extent);
            let steps: Dims = steps.map(|(&t, &size)| if size > 1 { t } else { 0 }).collect();
            let common = steps.iter().fold(level.modulus, |common, t| gcd(common, t.abs()));
            let q = level.modulus / common;
            let p: Dims = steps.iter().map(|t| (t / common).rem_euclid(q)).collect();
            let phase = (n.base / common).rem_euclid(q);
            let minus: Dims = p.iter().map(|&p| if p == 0 { 0 } else { q - p }).collect();
            match classes
                .iter_mut()
                .find(|class| class.q == q && (class.p == p || class.p == minus))
            {
                Some(class) if class.p == p => class.add(level, phase, level.jump),
                Some(class) => class.add(level, q - 1 - phase, -level.jump),
                None => {
                    let mut class = Class { levels: SmallVec::new(), q, p, terms: SmallVec::new() };
                    class.add(level, phase, level.jump);
                    classes.push(class);
                }
            }
        }
        classes
    }

    fn add(&mut self, level: Level, phase: i64, weight: i128) {
        self.levels.push(level);
        self.terms.push((phase, weight));
    }

    /// How many lines there are along the longest axis that is shorter than its
    /// period; longer ones need not be walked.
    fn lines(&self, extent: &[i64]) -> i64 {
        let walked = |l: &usize| self.p[*l] != 0 && extent[*l] < self.q / gcd(self.q, self.p[*l]);
        let extents = || (0..extent.len()).filter(walked).map(|l| extent[l]);
        // At most the number of indices of the box (V2).
        extents().product::<i64>() / extents().max().unwrap_or(1)
    }

    /// Two neighbours, counted from the low corner, between which the step is
    /// not the one at the low corner.
    fn wrong_step(
        &self,
        extent: &[i64],
        meter: &mut Meter,
    ) -> Result<Option<[Dims; 2]>, Exhausted> {
        for axis in (0..extent.len()).filter(|&l| self.p[l] != 0) {
            let mut starts: Dims = extent.into();
            starts[axis] -= 1;
            for interval in self.other_steps(self.p[axis]) {
                if let Some(index) = find_index(&self.p, &starts, self.q, interval, meter)? {
                    let mut next = index.clone();
                    next[axis] += 1;
                    return Ok(Some([index, next]));
                }
            }
        }
        Ok(None)
    }

    /// The intervals of z, ends included, in which a step of `p` is not what it is at z = 0.
    fn other_steps(&self, p: i64) -> Vec<(i64, i64)> {
        let q = self.q;
        // A level carries for z from q − p − phase to q − 1 − phase, modulo q.
        let mut changes: Vec<(i64, i128)> = Vec::new();
        let mut at_zero = 0;
        for &(phase, weight) in &self.terms {
            if phase >= q - p {
                at_zero += weight;
            }
            changes.push(((q - p - phase).rem_euclid(q), weight));
            changes.push(((q - phase).rem_euclid(q), -weight));
        }
        changes.sort_unstable_by_key(|change| change.0);
        // What changes at 0 is part of the value there.
        let mut intervals: Vec<(i64, i64)> = Vec::new();
        let mut value = at_zero;
        for (k, &(place, weight)) in changes.iter().enumerate() {
            if place > 0 {
                value += weight;
            }
            let end = changes.get(k + 1).map_or(q, |next| next.0) - 1;
            if value != at_zero && place <= end {
                intervals.push((place, end));
            }
        }
        intervals
    }
}

/// An index of the box with Σ p·i mod q in an interval, ends included.
fn find_index(
    p: &[i64],
    extent: &[i64],
    q: i64,
    (lo, hi): (i64, i64),
    meter: &mut Meter,
) -> Result<Option<Dims>, Exhausted> {
    meter.spend(1)?;
    let mut index: Dims = SmallVec::from_elem(0, p.len());
    let moving: SmallVec<[usize; INLINE_AXES]> =
        (0..p.len()).filter(|&l| p[l] != 0 && extent[l] > 1).collect();
    let complete = moving.iter().copied().find(|&l| extent[l] >= q / gcd(q, p[l]));
    if let Some(axis) = complete {
        // Reaches every multiple of `step`: what is left is a question modulo that.
        let step = gcd(q, p[axis]);
        let others: Dims = (0..p.len()).map(|l| if l == axis { 0 } else { p[l] % step }).collect();
        let folded = if hi - lo + 1 >= step {
            Some(index)
        } else if lo % step <= hi % step {
            find_index(&others, extent, step, (lo % step, hi % step), meter)?
        } else {
            let above = find_index(&others, extent, step, (lo % step, step - 1), meter)?;
            match above {
                Some(found) => Some(found),
                None => find_index(&others, extent, step, (0, hi % step), meter)?,
            }
        };
        return Ok(folded.and_then(|mut index| {
            let start = residue(p, &index, q);
            index[axis] = first_in(p[axis], q, start, lo, hi)?;
            Some(index)
        }));
    }
    let Some(longest) = moving.iter().copied().max_by_key(|&l| extent[l]) else {
        return Ok((lo == 0).then_some(index));
    };
    loop {
        let start = residue(p, &index, q);
        if let Some(first) = first_in(p[longest], q, start, lo, hi)
            && first < extent[longest]
        {
            index[longest] = first;
            return Ok(Some(index));
        }
        meter.spend(1)?;
        let advanced = moving.iter().rev().filter(|l| **l != longest).find(|l| {
            index[**l] += 1;
            let carried = index[**l] == extent[**l];
            if carried {
                index[**l] = 0;
            }
            !carried
        });
        if advanced.is_none() {
            return Ok(None);
        }
    }
}

/// Σ p·i mod q.
fn residue(p: &[i64], index: &[i64], q: i64) -> i64 {
    let sum: i128 = p.iter().zip(index).map(|(&p, &i)| i128::from(p) * i128::from(i)).sum();
    sum.rem_euclid(q.into()) as i64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dims::Indices;

    #[test]
    fn agrees_with_walking() {
        let mut seen = [0; 2];
        // Sizes, jumps and steps for which some levels turn at the same rate.
        let views: [(&[i64], &[i128]); 5] = [
            (&[4, 12, 36], &[1, 1, -2]),
            (&[4, 12, 36], &[1, -2, 1]),
            (&[3, 15, 60], &[1, 1, 1]),
            (&[5, 20], &[2, -2]),
            (&[6, 12, 24, 48], &[1, -1, 1, -1]),
        ];
        for (moduli, jumps) in views {
            let levels: Vec<Level> =
                moduli.iter().zip(jumps).map(|(&modulus, &jump)| Level { modulus, jump }).collect();
            for (t, u) in (0..40i64).flat_map(|t| (0..3i64).map(move |k| (t, k * t))) {
                for (extent, base) in [([9i64, 1], 0i64), ([5, 3], 2), ([30, 2], 7), ([2, 2], 5)] {
                    let n = Affine { base, slope: smallvec::smallvec![t, u] };
                    let sum = |x: &[i64]| -> i128 {
                        let n = base + t * x[0] + u * x[1];
                        levels.iter().map(|l| l.jump * i128::from(n / l.modulus)).sum()
                    };
                    let truth = Indices::new(&extent, extent[0] * extent[1]).all(|x| {
                        (0..2).all(|l| {
                            let (mut next, mut first) = (x.clone(), [0, 0]);
                            next[l] += 1;
                            first[l] = 1;
                            next[l] == extent[l]
                                || sum(&next) - sum(&x) == sum(&first) - sum(&[0, 0])
                        })
                    });
                    let mut meter = Meter::unlimited();
                    match decide(&levels, &n, &extent, &mut meter).expect("unlimited") {
                        Outcome::Affine => assert!(truth, "{levels:?} {n:?} {extent:?}"),
                        Outcome::Wrong([x, next]) => {
                            assert!(!truth, "{levels:?} {n:?} {extent:?}");
                            let l = usize::from(x[0] == next[0]);
                            let mut first = [0, 0];
                            first[l] = 1;
                            assert_ne!(sum(&next) - sum(&x), sum(&first) - sum(&[0, 0]));
                        }
                        Outcome::Left(_) => continue,
                    }
                    seen[usize::from(truth)] += 1;
                }
            }
        }
        assert!(seen[0] > 100 && seen[1] > 100, "{seen:?}");
    }
}
