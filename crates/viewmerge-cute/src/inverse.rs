//! Inverses.
//!
//! A *right inverse* of L is a layout R with L(R(i)) = i; we look for the longest. If L is injective with
//! strides of 0 or more, R picks the modes whose stride is the product of the sizes picked before, and
//! nothing longer exists. Otherwise something longer may exist: (4,3):(2,1) has (2,4):(4,1), of size 8,
//! where that rule finds 3:4. Then the ways to write R are searched.
//!
//! A *left inverse* is a layout R with R(L(i)) = i. L must be injective. If its strides, sorted, divide one
//! another, R reads each mode's digit off the value. That is not necessary: (2,2):(2,3) has (2,3):(1,1).
//! Otherwise the ways to cut the values into digits are searched; for each of them R's strides are an
//! integer solution of a linear system, if it has one.
//!
//! Inverses are not unique; check the defining property instead of comparing.
//!
//! Cost: inverses that can be read off the modes take a microsecond. The searches (`digits.rs`,
//! `longest_inverse.rs`) are complete or say that they are not. They ask exact questions of the views,
//! whatever the sizes; what grows is the number of ways to write R. Left inverses end undecided mostly
//! where all strides are large and unrelated, right inverses where the fastest mode is long and has stride
//! 0.

use std::sync::atomic::AtomicU64;

use viewmerge::Limit;

use crate::answer::{Answer, NoLayout};
use crate::coalesce::coalesced;
use crate::collision::{collision, is_injective};
use crate::complement::sorted_modes;
use crate::digits::searched_left_inverse;
use crate::error::Error;
use crate::layout::{Layout, Mode};
use crate::longest_inverse::longest_right_inverse;
use crate::values::has_value;

/// Flattened modes with two or more coordinates: size, stride, and by how many positions a step along the
/// mode moves.
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
/// [`Error::Undecided`] if the layout is not injective or has negative strides, and has too many positions
/// of one value to try them all; or if the limit is reached first.
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
    let spent = AtomicU64::new(0);
    let limit = &limit.sharing(&spent);
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
    // A longer inverse would need a position where the layout has the value `reach`.
    if natural && is_injective(layout, limit)? || !has_value(layout, reach, limit)? {
        return Ok(inverse);
    }
    let best = longest_right_inverse(layout, &inverse, limit)?;
    Layout::new(Mode::of_leaves(coalesced(&best)))
}

/// A layout R with R(L(i)) = i for every position i.
///
/// # Errors
///
/// For a layout with negative strides. [`Error::Undecided`] if the strides do not divide one another and
/// leave too many ways to cut the values into digits, or if the limit is reached first.
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
/// let period = left_inverse(&"(2,1000000000):(2,3)".parse()?, &Limit::none())?;
/// assert_eq!(period.to_string(), "(2,3,500000000):(1,1,4)");
/// assert_eq!(
///     left_inverse(&"(4,3):(2,3)".parse()?, &Limit::none())?.to_string(),
///     "no layout: the coordinates (3,0) and (0,2) both have the value 6",
/// );
/// # Ok::<(), viewmerge_cute::Error>(())
/// ```
pub fn left_inverse(layout: &Layout, limit: &Limit<'_>) -> Result<Answer, Error> {
    let spent = AtomicU64::new(0);
    let limit = &limit.sharing(&spent);
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
    // Below the first stride, the only digit is 0.
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
