//! The search for a left inverse: into which digits values are cut, and what each digit is worth.
//!
//! For digits of given sizes R's strides are the solution of a linear system, one equation
//! for every position. They need not be listed: solve some equations, ask exactly
//! whether the layout that they give is an inverse, and take the position where it is
//! not as the next equation. Each one leaves fewer solutions.
//!
//! Example: (2,2):(2,3) with the digits (2,4). R(2) = 1 and R(3) = 2 are y = 1 and x + y = 2, so R is
//! (2,4):(1,1), and R(5) = 1 + 2 = 3 as it should be.
//!
//! Which digits to take is a search. A set of digits that another one refines need not be
//! tried, so all have prime sizes; still their number grows faster than any power of the largest
//! value, and for a layout of 2 by 2 by … by 2 next to nothing is known of them beforehand. So
//! it is complete for values below 4,096. Beyond, digits at strides and at what they
//! have in common are tried, which can find an inverse; and an inverse of all values is one of the small
//! ones, so that a complete search among these can refute it.

use viewmerge::{Equivalence, Limit, View, equivalent};

use crate::answer::{Answer, NoLayout};
use crate::coalesce::coalesced;
use crate::error::Error;
use crate::inverse::{MOST_WALKED, MOST_WAYS};
use crate::layout::{Layout, Mode, value_at};

/// The most chains of places that are tried for a large layout.
const MOST_CHAINS: usize = 200;
/// The most equations that are taken one after the other.
const MOST_EQUATIONS: usize = 200;
/// Values below these are searched, to refute.
const SMALL: [i64; 3] = [32, 128, 512];

/// A left inverse of an injective layout whose strides are 0 or more.
pub(crate) fn searched_left_inverse(layout: &Layout, limit: &Limit<'_>) -> Result<Answer, Error> {
    let (size, reach) = (layout.size(), layout.cosize());
    if size <= MOST_WALKED && reach <= MOST_WALKED {
        let leaves = layout.leaves();
        let values: Vec<(i64, i64)> = (0..size).map(|at| (value_at(&leaves, at), at)).collect();
        let mut search = Digits { values: &values, reach, ways: 0 };
        match search.extend(&mut Vec::new(), 1) {
            Ok(Some(inverse)) => return Ok(Answer::Layout(written(inverse)?)),
            Ok(None) => {
                return Ok(Answer::None(NoLayout::NoDigits { ways: search.ways, below: reach }));
            }
            Err(TooMany) => {}
        }
    }
    for sizes in suggested(layout) {
        if let Some(inverse) = fitted(layout, &sizes, limit)? {
            return Ok(Answer::Layout(inverse));
        }
    }
    for below in SMALL.into_iter().filter(|&below| below < reach) {
        let values = values_below(layout, below);
        let mut search = Digits { values: &values, reach: below, ways: 0 };
        match search.extend(&mut Vec::new(), 1) {
            Ok(Some(_)) => {}
            Ok(None) => {
                return Ok(Answer::None(NoLayout::NoDigits { ways: search.ways, below }));
            }
            Err(TooMany) => break,
        }
    }
    let why = "no digits that its strides suggest give one, its small values do not refute all, and a \
               layout whose strides do not divide one another is searched up to 4096 positions and values";
    Err(Error::Undecided { op: "left_inverse", why })
}

fn written(modes: Vec<(i64, i64)>) -> Result<Layout, Error> {
    Layout::new(Mode::of_leaves(coalesced(&modes)))
}

/// All values below a bound with their positions; few, because the layout is injective.
fn values_below(layout: &Layout, below: i64) -> Vec<(i64, i64)> {
    let mut found = vec![(0, 0)];
    let mut place = 1;
    for (size, stride) in layout.leaves() {
        if size > 1 && stride < below {
            let most = size.min((below - 1) / stride.max(1) + 1);
            found = (0..most)
                .flat_map(|i| found.iter().map(move |(v, at)| (v + i * stride, at + i * place)))
                .filter(|(value, _)| *value < below)
                .collect();
        }
        place *= size;
    }
    found
}

/// The sizes of digits that strides suggest: chains of strides, of what modes take up, and of what these
/// have in common, each a multiple of the one before.
fn suggested(layout: &Layout) -> Vec<Vec<i64>> {
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
    let mut chain = Vec::new();
    longest_chains(&places, 1, &mut chain, &mut chains);
    let digits = |chain: &Vec<i64>| {
        let starts = std::iter::once(1).chain(chain.iter().copied());
        let ends = chain.iter().copied().map(Some).chain([None]);
        let digit = |(start, end): (i64, Option<i64>)| match end {
            Some(end) => end / start,
            None => (reach - 1) / start + 1,
        };
        starts.zip(ends).map(digit).collect()
    };
    chains.iter().map(digits).collect()
}

/// All chains of multiples that cannot go on, up to [`MOST_CHAINS`].
fn longest_chains(places: &[i64], last: i64, chain: &mut Vec<i64>, found: &mut Vec<Vec<i64>>) {
    let next: Vec<usize> =
        (0..places.len()).filter(|&k| places[k] % last == 0 && places[k] > last).collect();
    // One that another divides comes behind that one.
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

/// The inverse with digits of these sizes, if there is one; decided exactly, nothing is listed.
fn fitted(layout: &Layout, sizes: &[i64], limit: &Limit<'_>) -> Result<Option<Layout>, Error> {
    let leaves = layout.leaves();
    let below = layout.view()?;
    let positions = View::contiguous(below.shape())?;
    let mut solutions = Solutions::new(sizes.len());
    let mut place = 1;
    for &(size, stride) in &leaves {
        if size > 1 && solutions.meet(&digits(sizes, stride), place.into()).is_none() {
            return Ok(None);
        }
        place *= size;
    }
    for _ in 0..MOST_EQUATIONS {
        let strides = solutions.point.iter().map(|&x| i64::try_from(x).ok());
        let Some(strides) = strides.collect::<Option<Vec<_>>>() else { return Ok(None) };
        let modes: Vec<(i64, i64)> = sizes.iter().copied().zip(strides).collect();
        let Ok(inverse) = written(modes) else { return Ok(None) };
        let both = [inverse.view()?, below.clone()];
        let Equivalence::Differ(index) =
            equivalent(&both, std::slice::from_ref(&positions), limit)?
        else {
            return Ok(Some(inverse));
        };
        let at = index.iter().zip(below.shape()).fold(0, |at, (i, size)| at * size + i);
        let row = digits(sizes, value_at(&leaves, at));
        if solutions.meet(&row, at.into()).is_none() {
            return Ok(None);
        }
    }
    Ok(None)
}

/// A value's digits of these sizes.
fn digits(sizes: &[i64], value: i64) -> Vec<i128> {
    let mut rest = value;
    let digit = |&size: &i64| {
        let digit = rest % size;
        rest /= size;
        i128::from(digit)
    };
    sizes.iter().map(digit).collect()
}

/// There are too many ways to cut the values into digits.
struct TooMany;

/// The complete search: every way to cut values into digits as finely as possible.
struct Digits<'a> {
    /// The values with the positions they are to be taken back to.
    values: &'a [(i64, i64)],
    reach: i64,
    ways: usize,
}

impl Digits<'_> {
    /// Extends digits of prime sizes, which end at `place`, until nothing more can be cut.
    fn extend(
        &mut self,
        sizes: &mut Vec<i64>,
        place: i64,
    ) -> Result<Option<Vec<(i64, i64)>>, TooMany> {
        if 2 * place >= self.reach {
            self.ways += 1;
            if self.ways > MOST_WAYS {
                return Err(TooMany);
            }
            return Ok(self.strides(sizes, place));
        }
        let is_prime = |n: &i64| (2..*n).take_while(|d| d * d <= *n).all(|d| n % d != 0);
        for prime in (2..=(self.reach - 1) / place).filter(is_prime) {
            sizes.push(prime);
            let found = self.extend(sizes, place * prime)?;
            sizes.pop();
            if found.is_some() {
                return Ok(found);
            }
        }
        Ok(None)
    }

    /// The strides that take every value back to its position, for digits of these sizes.
    fn strides(&self, sizes: &[i64], place: i64) -> Option<Vec<(i64, i64)>> {
        let last = (self.reach - 1) / place + 1;
        let all: Vec<i64> = sizes.iter().copied().chain([last]).collect();
        let mut solutions = Solutions::new(all.len());
        for &(value, position) in self.values {
            solutions.meet(&digits(&all, value), position.into())?;
        }
        let strides = solutions.point.iter().map(|&x| i64::try_from(x).ok());
        Some(all.into_iter().zip(strides.collect::<Option<Vec<_>>>()?).collect())
    }
}

/// The integer solutions of linear equations: a point, and a basis of how it may move.
struct Solutions {
    point: Vec<i128>,
    basis: Vec<Vec<i128>>,
}

impl Solutions {
    fn new(unknowns: usize) -> Solutions {
        let unit = |k: usize| (0..unknowns).map(|l| i128::from(k == l)).collect();
        Solutions { point: vec![0; unknowns], basis: (0..unknowns).map(unit).collect() }
    }

    /// Adds the equation row·x = value; `None` if it has no solution, or numbers grow too large.
    fn meet(&mut self, row: &[i128], value: i128) -> Option<()> {
        let apply = |x: &[i128]| {
            let mut sum = 0i128;
            for (a, b) in row.iter().zip(x) {
                sum = sum.checked_add(a.checked_mul(*b)?)?;
            }
            Some(sum)
        };
        let missing = value.checked_sub(apply(&self.point)?)?;
        // Combine the basis so that only one vector moves along the row.
        let mut mover: Option<(i128, Vec<i128>)> = None;
        let mut still = Vec::new();
        for vector in std::mem::take(&mut self.basis) {
            let mut moves = (apply(&vector)?, vector);
            let mut other = match mover.take() {
                None if moves.0 == 0 => {
                    still.push(moves.1);
                    continue;
                }
                None => {
                    mover = Some(moves);
                    continue;
                }
                Some(other) => other,
            };
            while moves.0 != 0 {
                let times = other.0 / moves.0;
                other.0 -= times * moves.0;
                for (a, b) in other.1.iter_mut().zip(&moves.1) {
                    *a = a.checked_sub(times.checked_mul(*b)?)?;
                }
                std::mem::swap(&mut moves, &mut other);
            }
            still.push(moves.1);
            mover = Some(other);
        }
        self.basis = still;
        match mover {
            None => (missing == 0).then_some(()),
            Some((amount, _)) if missing % amount != 0 => None,
            Some((amount, vector)) => {
                let times = missing / amount;
                for (x, step) in self.point.iter_mut().zip(&vector) {
                    *x = x.checked_add(times.checked_mul(*step)?)?;
                }
                Some(())
            }
        }
    }
}
