//! Claims that indices alone show: that views do not compose, and that a chain is not injective.

use super::valid_at;
use crate::budget::Budget;
use crate::number::Integer;
use crate::refusal::{Failure, Refusal};
use crate::view::View;

/// Whether an index of a view is valid and its position is not an element of the view below.
pub(super) fn are_apart(
    views: &[View],
    number: &Integer,
    index: &[Integer],
    budget: &Budget,
) -> Result<(), Refusal> {
    let place = usize::try_from(number).ok().filter(|place| (1..views.len()).contains(place));
    let Some(place) = place else {
        return Err(Failure::NoViewAbove { view: number.clone(), views: views.len() }.into());
    };
    let position = valid_at(&views[place..=place], index, budget)?;
    if position.is_negative() || !views[place - 1].has_element(&position, budget)? {
        return Ok(());
    }
    Err(Failure::PointsInside { index: index.to_vec(), position }.into())
}

/// Whether two different valid indices have the same position.
pub(super) fn collide(
    views: &[View],
    [one, other]: &[Vec<Integer>; 2],
    budget: &Budget,
) -> Result<(), Refusal> {
    let (a, b) = (valid_at(views, one, budget)?, valid_at(views, other, budget)?);
    if one == other {
        return Err(Failure::SameIndex { index: one.clone() }.into());
    }
    if a == b {
        return Ok(());
    }
    Err(Failure::OtherPosition { one: a, other: b }.into())
}
