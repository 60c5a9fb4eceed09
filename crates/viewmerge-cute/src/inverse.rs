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
//! Cost: for fixed digits, whatever the size, some exact merges (`digits.rs`). What grows is the
//! number of ways to write R, and no bound on it is known that a large layout would keep to: the
//! searches that are complete are for layouts of at most 4,096 positions and values. Of larger
//! ones a right inverse is known to be the longest if the next value is taken nowhere, which is
//! asked of the views; a left inverse is sought among the digits that strides suggest, and
//! refuted by small values. What neither decides is refused as undecided.

use viewmerge::{Limit, Validity, Verdict, View, ViewChain};

use crate::answer::{Answer, NoLayout};
use crate::coalesce::coalesced;
use crate::complement::sorted_modes;
use crate::digits::searched_left_inverse;
use crate::error::Error;
use crate::injective::{collision, is_injective};
use crate::layout::{Layout, Mode, value_at};

/// The most positions and values that are walked.
pub(crate) const MOST_WALKED: i64 = 4096;
/// The most ways that are tried.
pub(crate) const MOST_WAYS: usize = 20_000;

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
/// [`Error::Undecided`] for a layout that is not injective, or has negative strides, is too large to be
/// walked, and has the value that an inverse made of its modes ends before; if the limit is reached first.
///
/// ```
/// use viewmerge_cute::{Limit, right_inverse};
///
/// let inverse = right_inverse(&"(2,4,6):(4,1,8)".parse()?, &Limit::none())?;
/// assert_eq!(inverse.to_string(), "(4,2,6):(2,1,8)");
/// let longer = right_inverse(&"(4,3):(2,1)".parse()?, &Limit::none())?;
/// assert_eq!(longer.size(), 8);
/// let broadcast = right_inverse(&"(8,1000000):(0,1)".parse()?, &Limit::none())?;
/// assert_eq!(broadcast.to_string(), "1000000:8");
/// # Ok::<(), viewmerge_cute::Error>(())
/// ```
pub fn right_inverse(layout: &Layout, limit: &Limit<'_>) -> Result<Layout, Error> {
    let mut modes = with_positions(layout);
    let natural = modes.iter().all(|mode| mode.1 >= 0);
    modes.sort_by_key(|mode| mode.1);
    let mut reach = 1;
    let mut inverse = Vec::new();
    for (size, stride, place) in modes {
        if stride == reach {
            inverse.push((size, place));
            reach *= size;
        }
    }
    let inverse = Layout::new(Mode::of_leaves(inverse))?;
    // A longer one would have to take `reach` somewhere where the layout has that value.
    if natural && is_injective(layout, limit)? || !has_value(layout, reach, limit)? {
        return Ok(inverse);
    }
    let best = Longest::search(layout)?;
    Layout::new(Mode::of_leaves(coalesced(&best)))
}

/// Whether a layout takes a value: whether the view of one valid position, seen through it, has any.
fn has_value(layout: &Layout, value: i64, limit: &Limit<'_>) -> Result<bool, Error> {
    let view = layout.view()?;
    let Some((least, most)) = view.position_range() else { return Ok(false) };
    if value < least || value > most {
        return Ok(false);
    }
    let at = value - least;
    let one = View::new(&[most - least + 1], &[1], 0, Validity::boxed(&[(at, at + 1)]))?;
    let moved = View::strided(view.shape(), view.strides(), -least)?;
    let verdict = ViewChain::from_views(&[one, moved])?.merge(limit)?;
    Ok(!matches!(verdict, Verdict::Merged(merged) if *merged.validity() == Validity::Nothing))
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
            let why = "there may be a longer one than modes give, and a layout that is not injective, \
                       or has negative strides, is searched up to 4096 positions";
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
/// one another, which is too large to be walked, and for which neither the digits that its strides suggest
/// give an inverse nor small values refute all; if the limit is reached first.
///
/// ```
/// use viewmerge_cute::{Limit, left_inverse};
///
/// let inverse = left_inverse(&"(2,4):(4,1)".parse()?, &Limit::none())?;
/// assert_eq!(inverse.to_string(), "(4,2):(2,1)");
/// let inverse = left_inverse(&"(2,2):(2,3)".parse()?, &Limit::none())?;
/// assert_eq!(inverse.to_string(), "(2,4):(1,1)");
/// let large = left_inverse(&"(2,2,1000):(2,3,1000000)".parse()?, &Limit::none())?;
/// assert_eq!(large.to_string(), "(2,500000,1000):(1,1,4)");
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
        return searched_left_inverse(layout, limit);
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
