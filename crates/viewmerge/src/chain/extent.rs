//! What a chain does to memory, axis by axis and as a whole.
//!
//! - *real strides*: how far memory moves along an axis, where that is the same everywhere and
//!   padding does not depend on the axis;
//! - *real size*: how much memory the chain needs.
//!
//! Both are exact. If the chain merges, its one view answers. Otherwise the system is asked for an
//! index at which the step along the axis differs, or for the largest position.

use alloc::vec::Vec;

use crate::chain::ViewChain;
use crate::difference::Pair;
use crate::encoding::{Claim, Question, Reach, Target};
use crate::error::Error;
use crate::limit::{Limit, Meter};
use crate::merge::one_view;
use crate::path::Path;
use crate::view::View;
use lattice_point::Encode;

/// # Questions: strides and size
impl ViewChain {
    /// For every axis the one amount by which memory moves along it; `None` if
    /// it is not always the same, or if whether an index is valid depends on the axis.
    ///
    /// Axes of size 1 and chains without valid indices have 0.
    ///
    /// # Errors
    ///
    /// [`Error::Undecided`] if the limit is reached first.
    ///
    /// ```
    /// use viewmerge::{Limit, ViewChain};
    ///
    /// let chain = ViewChain::contiguous(&[5, 2, 3])?.permute(&[0, 2, 1])?.reshape(&[5, 6])?;
    /// assert_eq!(chain.real_strides(&Limit::none())?, [Some(6), None]);
    /// let padded = ViewChain::contiguous(&[2, 3])?.pad(&[(0, 0), (1, 0)])?;
    /// assert_eq!(padded.real_strides(&Limit::none())?, [Some(3), None]);
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    pub fn real_strides(&self, limit: &Limit<'_>) -> Result<Vec<Option<i64>>, Error> {
        let mut meter = limit.meter();
        let (top, below) = self.views.split_last().ok_or(Error::EmptyChain)?;
        if let Some(view) = one_view(below, top, &mut meter)? {
            let whole = |axis: usize| view.interval(axis) == (0, view.shape()[axis]);
            let strides = view.strides().iter().enumerate();
            return Ok(strides.map(|(axis, &stride)| whole(axis).then_some(stride)).collect());
        }
        (0..top.rank())
            .map(|axis| match (top.shape()[axis], top.interval(axis)) {
                (1, _) => Ok(Some(0)),
                (size, interval) if interval != (0, size) => Ok(None),
                _ => stride_along(below, top, axis, &mut meter),
            })
            .collect()
    }

    /// One more than the largest memory position a valid index touches; 0 if none is touched.
    ///
    /// # Errors
    ///
    /// [`Error::Undecided`] if the limit is reached first.
    ///
    /// ```
    /// use viewmerge::{Limit, ViewChain};
    ///
    /// let chain = ViewChain::contiguous(&[4, 4])?.shrink(&[(0, 2), (0, 3)])?;
    /// assert_eq!(chain.real_size(&Limit::none())?, 7);
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    pub fn real_size(&self, limit: &Limit<'_>) -> Result<i64, Error> {
        let mut meter = limit.meter();
        meter.spend(1)?;
        let (top, below) = self.views.split_last().ok_or(Error::EmptyChain)?;
        if self.views.iter().any(|view| !view.has_valid_index()) {
            return Ok(0);
        }
        let path = Path::new(below, top);
        let bounds = path.domain().bounds();
        let mut question = Question::about(&bounds, [path.route(Reach::Valid)]);
        question.target = Target::Position;
        let point = question.largest(None, &mut meter)?;
        let largest = point.map(|point| path.valid_value(&path.index_of(&point)));
        Ok(largest.map_or(0, |largest| (largest + 1).max(0)))
    }
}

/// The one step along an axis of the last view, which is unmasked and of size 2 or more.
fn stride_along(
    below: &[View],
    top: &View,
    axis: usize,
    meter: &mut Meter<'_>,
) -> Result<Option<i64>, Error> {
    // The chain at x and at its next neighbour, for all x that have one.
    let last = top.shape()[axis] - 1;
    let (here, next) = (top.shrink_axis(axis, 0, last)?, top.shrink_axis(axis, 1, last + 1)?);
    let (here, next) = (Path::new(below, &here), Path::new(below, &next));
    let bounds = here.domain().bounds();
    let point = Question::about(&bounds, [here.route(Reach::Valid)]).point(meter)?;
    let Some(index) = point.map(|point| here.index_of(&point)) else { return Ok(None) };
    let Some(neighbour) = next.value(&index) else { return Ok(None) };
    let step = neighbour - here.valid_value(&index);
    let pair = Pair::new([&next, &here]);
    for difference in pair.differences().iter().filter(|difference| pair.is_open(difference)) {
        let mut question = pair.question(difference);
        if let Claim::Differ { by, .. } = &mut question.claim {
            *by = step.into();
        }
        if question.point(meter)?.is_some() {
            return Ok(None);
        }
    }
    Ok(Some(step))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chain::chain_of as chain;

    #[test]
    fn strides() {
        let rows: [(&[&str], &[Option<i64>]); 6] = [
            (&["(3,2):(1,3)", "(6):(1)"], &[None]),
            (&["(5,3,2):(6,1,3)", "(5,6,1):(6,1,0)"], &[Some(6), None, Some(0)]),
            (&["(5,2) nothing", "(10)"], &[Some(0)]),
            // Axis 1 of the last view decides alone what is padding below.
            (&["(4,3):(3,1) [0:4,1:3]", "(4,3)"], &[Some(3), None]),
            (&["(3,2):(1,3)", "(6,4):(1,0) [0:6,0:3]"], &[None, None]),
            // 10^12 rows are not walked.
            (&["(1000000000000,3,2):(6,1,3)", "(1000000000000,6)"], &[Some(6), None]),
        ];
        for (views, expected) in rows {
            let found = chain(views).real_strides(&Limit::none()).expect("decides");
            assert_eq!(found, expected, "{views:?}");
        }
    }

    #[test]
    fn sizes() {
        let rows: [(&[&str], i64); 8] = [
            (&["(3,2):(1,3)", "(6):(1)"], 6),
            (&["(3,2):(1,3)", "(5):(1)"], 5),
            (&["(4):(-1)+3"], 4),
            (&["(4):(1)-10"], 0),
            (&["(4) nothing"], 0),
            (&["(0)"], 0),
            (&["(1000000,1000000):(1,1000000)", "(1000000000000)"], 1_000_000_000_000),
            (&["(1000000,1000000):(1,1000000)", "(999999999999)"], 999_999_999_999),
        ];
        for (views, expected) in rows {
            assert_eq!(chain(views).real_size(&Limit::none()), Ok(expected), "{views:?}");
        }
    }
}
