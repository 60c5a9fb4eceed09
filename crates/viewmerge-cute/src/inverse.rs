//! Inverses.
//!
//! A *right inverse* of L is a layout R with L(R(i)) = i; asked for is the longest. If
//! L is injective with strides of 0 or more, R picks the modes whose stride is the
//! product of the sizes picked before, and that is all there can be. Otherwise a
//! longer one may exist: (4,3):(2,1) has (2,4):(4,1), of size 8, where that rule
//! finds 3:4. Then the ways to write R are searched.
//!
//! A *left inverse* is a layout R with R(L(i)) = i. L must be injective. If its
//! strides, sorted, divide one another, R reads each mode's digit off the value. That
//! is not necessary: (2,2):(2,3) has (2,3):(1,1). Otherwise every way to cut the
//! values into digits is tried: for one of them R's strides are the solution of a
//! linear system, if it has one in integers.
//!
//! Inverses are not unique; check them by their property.
//!
//! Cost: the searches walk the values of L, and are for layouts of at most 4,096 positions
//! and values; others are refused as undecided.

use viewmerge::Limit;

use crate::answer::{Answer, NoLayout};
use crate::coalesce::coalesced;
use crate::complement::sorted_modes;
use crate::error::Error;
use crate::injective::{collision, is_injective};
use crate::layout::{Layout, Mode, value_at};

/// The most positions and values that are walked.
const MOST_WALKED: i64 = 4096;
/// The most ways that are tried.
const MOST_WAYS: usize = 20_000;

/// Flattened modes with two or more coordinates: size, stride, and the position of a step along it.
fn with_positions(layout: &Layout) -> Vec<(i64, i64, i64)> {
    let mut place = 1;
    let mut modes = Vec::new();
    for (size, stride) in layout.leaves() {
        if size > 1 {
            modes.push((size, stride, place));
        }
        place *= size;
    }
    modes
}

/// The longest layout R with L(R(i)) = i.
///
/// # Errors
///
/// [`Error::Undecided`] for a layout that is not injective, or has negative strides, and is too large to be
/// walked; if the limit is reached first.
///
/// ```
/// use viewmerge_cute::{Limit, right_inverse};
///
/// let inverse = right_inverse(&"(2,4,6):(4,1,8)".parse()?, &Limit::none())?;
/// assert_eq!(inverse.to_string(), "(4,2,6):(2,1,8)");
/// let longer = right_inverse(&"(4,3):(2,1)".parse()?, &Limit::none())?;
/// assert_eq!(longer.size(), 8);
/// # Ok::<(), viewmerge_cute::Error>(())
/// ```
pub fn right_inverse(layout: &Layout, limit: &Limit<'_>) -> Result<Layout, Error> {
    let mut modes = with_positions(layout);
    let natural = modes.iter().all(|mode| mode.1 >= 0);
    if !natural || !is_injective(layout, limit)? {
        let best = Longest::search(layout)?;
        return Layout::new(Mode::of_leaves(coalesced(&best)));
    }
    modes.sort_by_key(|mode| mode.1);
    let mut reach = 1;
    let mut inverse = Vec::new();
    for (size, stride, place) in modes {
        if stride != reach {
            break;
        }
        inverse.push((size, place));
        reach *= size;
    }
    Layout::new(Mode::of_leaves(inverse))
}

/// The search for the longest right inverse.
struct Longest<'a> {
    leaves: &'a [(i64, i64)],
    size: i64,
    /// For every value from 0 on, the positions that have it, up to the first value that none has.
    positions: Vec<Vec<i64>>,
    best: (i64, Vec<(i64, i64)>),
    tried: usize,
}

impl Longest<'_> {
    fn search(layout: &Layout) -> Result<Vec<(i64, i64)>, Error> {
        let size = layout.size();
        if size > MOST_WALKED {
            let why = "a layout that is not injective, or has negative strides, is searched up to \
                       4096 positions";
            return Err(Error::Undecided { op: "right_inverse", why });
        }
        let leaves = layout.leaves();
        let mut positions: Vec<Vec<i64>> = Vec::new();
        for position in 0..size {
            let value = usize::try_from(value_at(&leaves, position)).unwrap_or(usize::MAX);
            // A right inverse has at most as many values as there are positions.
            if i64::try_from(value).is_ok_and(|value| value < size) {
                if positions.len() <= value {
                    positions.resize(value + 1, Vec::new());
                }
                positions[value].push(position);
            }
        }
        let whole = positions.iter().take_while(|all| !all.is_empty()).count();
        positions.truncate(whole);
        let mut search =
            Longest { leaves: &leaves, size, positions, best: (1, Vec::new()), tried: 0 };
        search.extend(&mut Vec::new(), &[0])?;
        Ok(search.best.1)
    }

    /// Tries every next mode; `values` are what the modes so far take the positions to.
    fn extend(&mut self, modes: &mut Vec<(i64, i64)>, values: &[i64]) -> Result<(), Error> {
        let reach = values.len();
        let Some(candidates) = self.positions.get(reach).cloned() else { return Ok(()) };
        for stride in candidates {
            // The longest mode of this stride, and every shorter one.
            let mut longer = values.to_vec();
            let mut lengths = 1;
            while self.continues(values, stride, lengths, reach) {
                let step = stride * lengths;
                longer.extend(values.iter().map(|value| value + step));
                lengths += 1;
            }
            for length in (2..=lengths).rev() {
                self.tried += 1;
                if self.tried > MOST_WAYS {
                    let why = "there are too many ways to write an inverse";
                    return Err(Error::Undecided { op: "right_inverse", why });
                }
                let end = reach * usize::try_from(length).unwrap_or(1);
                modes.push((length, stride));
                if i64::try_from(end).is_ok_and(|end| end > self.best.0) {
                    self.best = (end as i64, modes.clone());
                }
                let full = self.best.0 == self.positions.len() as i64;
                if !full {
                    self.extend(modes, &longer[..end])?;
                }
                modes.pop();
                if full {
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    /// Whether the coordinate `times` of a mode of this stride gives the next values.
    fn continues(&self, values: &[i64], stride: i64, times: i64, reach: usize) -> bool {
        let first = reach as i64 * times;
        values.iter().zip(first..).all(|(value, wanted)| {
            let position = value + stride * times;
            position < self.size && value_at(self.leaves, position) == wanted
        })
    }
}

/// A layout R with R(L(i)) = i for every position i.
///
/// # Errors
///
/// For a layout with negative strides; [`Error::Undecided`] for a layout whose strides do not divide
/// one another and which is too large to be walked; if the limit is reached first.
///
/// ```
/// use viewmerge_cute::{Limit, left_inverse};
///
/// let inverse = left_inverse(&"(2,4):(4,1)".parse()?, &Limit::none())?;
/// assert_eq!(inverse.to_string(), "(4,2):(2,1)");
/// let inverse = left_inverse(&"(2,2):(2,3)".parse()?, &Limit::none())?;
/// assert_eq!(inverse.to_string(), "(2,4):(1,1)");
/// assert_eq!(
///     left_inverse(&"(4,3):(2,3)".parse()?, &Limit::none())?.to_string(),
///     "no layout: the coordinates (3,0) and (0,2) both have the value 6",
/// );
/// # Ok::<(), viewmerge_cute::Error>(())
/// ```
pub fn left_inverse(layout: &Layout, limit: &Limit<'_>) -> Result<Answer, Error> {
    sorted_modes("left_inverse", layout)?;
    if let Some(coordinates) = collision(layout, limit)? {
        let steps = coordinates[0].iter().zip(layout.leaves());
        let value = steps.map(|(i, (_, stride))| if *i == 0 { 0 } else { i * stride }).sum();
        return Ok(Answer::None(NoLayout::Collision { coordinates, value }));
    }
    let mut modes = with_positions(layout);
    modes.sort_by_key(|mode| mode.1);
    if modes.windows(2).any(|pair| pair[1].1 % pair[0].1 != 0) {
        return searched_left_inverse(layout);
    }
    // Below the first stride, values have no other digit than 0.
    let below = modes.first().map(|mode| (mode.1, 0));
    let digit = |number: usize| {
        let (size, stride, place) = modes[number];
        let room = modes.get(number + 1).map_or(size, |next| next.1 / stride);
        (room, place)
    };
    let inverse: Vec<_> = below.into_iter().chain((0..modes.len()).map(digit)).collect();
    let inverse = inverse.into_iter().filter(|digit| digit.0 > 1);
    Ok(Answer::Layout(Layout::new(Mode::of_leaves(inverse))?))
}

fn searched_left_inverse(layout: &Layout) -> Result<Answer, Error> {
    let (size, reach) = (layout.size(), layout.cosize());
    if size > MOST_WALKED || reach > MOST_WALKED {
        let why = "a layout whose strides do not divide one another is searched up to 4096 \
                   positions and values";
        return Err(Error::Undecided { op: "left_inverse", why });
    }
    let leaves = layout.leaves();
    let values: Vec<i64> = (0..size).map(|position| value_at(&leaves, position)).collect();
    let mut search = Digits { values: &values, reach, ways: 0 };
    Ok(match search.extend(&mut Vec::new(), 1)? {
        Some(inverse) => Answer::Layout(Layout::new(Mode::of_leaves(coalesced(&inverse)))?),
        None => Answer::None(NoLayout::NoDigits { ways: search.ways }),
    })
}

/// The search for a left inverse: every way to cut values into digits as finely as possible.
struct Digits<'a> {
    values: &'a [i64],
    reach: i64,
    ways: usize,
}

impl Digits<'_> {
    /// Extends digits of prime sizes, which end at `place`, until nothing more can be cut.
    fn extend(
        &mut self,
        sizes: &mut Vec<i64>,
        place: i64,
    ) -> Result<Option<Vec<(i64, i64)>>, Error> {
        if 2 * place >= self.reach {
            self.ways += 1;
            if self.ways > MOST_WAYS {
                let why = "there are too many ways to cut the values into digits";
                return Err(Error::Undecided { op: "left_inverse", why });
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
        for (position, &value) in (0..).zip(self.values) {
            let mut rest = value;
            let mut row = Vec::with_capacity(all.len());
            for &size in &all {
                row.push(i128::from(rest % size));
                rest /= size;
            }
            solutions.meet(&row, position)?;
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
