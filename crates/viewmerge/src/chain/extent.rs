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
use crate::encoding::{Claim, Question, Reach, Target};
use crate::error::Error;
use crate::limit::{Exhausted, Limit, Meter};
use crate::merge::one_view;
use crate::path::{Path, ways_to_miss};
use crate::view::View;
use lattice_point::{Encode, Side};

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
            return Ok(strides_of_view(&view));
        }
        let path = Path::new(below, top);
        (0..top.rank())
            .map(|axis| match (top.shape()[axis], top.interval(axis)) {
                (1, _) => Ok(Some(0)),
                (size, interval) if interval != (0, size) => Ok(None),
                _ => Ok(stride_along(&path, axis, &mut meter)?),
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

fn strides_of_view(view: &View) -> Vec<Option<i64>> {
    if !view.has_valid_index() {
        return view.shape().iter().map(|_| Some(0)).collect();
    }
    let free = |axis: usize| view.interval(axis) == (0, view.shape()[axis]);
    view.strides().iter().enumerate().map(|(axis, &stride)| free(axis).then_some(stride)).collect()
}

/// The one step along an axis of the last view, which is unmasked and of size 2 or more.
fn stride_along(
    path: &Path<'_>,
    axis: usize,
    meter: &mut Meter<'_>,
) -> Result<Option<i64>, Exhausted> {
    let Some(l) = path.active(axis) else { return Ok(None) };
    // The chain at x and at its next neighbour, on the box of all x that have one.
    let mut bounds = path.domain().bounds();
    bounds[l].1 -= 1;
    let here = |reach| path.route(reach);
    let next = |reach| path.route(reach).shifted(l);
    for miss in ways_to_miss(&path.stages).map(Reach::Missed) {
        for paths in [[here(Reach::Valid), next(miss)], [next(Reach::Valid), here(miss)]] {
            if Question::about(&bounds, paths).point(meter)?.is_some() {
                return Ok(None);
            }
        }
    }
    let Some(point) = Question::about(&bounds, [here(Reach::Valid)]).point(meter)? else {
        return Ok(None);
    };
    let index = path.index_of(&point);
    let mut neighbour = index.clone();
    neighbour[l] += 1;
    let step = path.valid_value(&neighbour) - path.valid_value(&index);
    for side in [Side::High, Side::Low] {
        let mut question = Question::about(&bounds, [next(Reach::Valid), here(Reach::Valid)]);
        question.claim = Claim::Differ { by: step.into(), side };
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
