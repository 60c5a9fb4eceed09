//! What a chain does to memory, axis by axis and as a whole.
//!
//! - *real strides*: how far memory moves along an axis, where that is the same
//!   everywhere and the axis has no part in what is padding;
//! - *real size*: how much memory the chain needs.
//!
//! Both are exact. A chain that merges answers from its one view; otherwise a
//! box is cut into pieces, as in merging, which may take a piece for every
//! overflow along the axes that are not affine.

use crate::chain::ViewChain;
use crate::composite::{Ask, Composite, Piece};
use crate::error::Error;
use crate::largest;
use crate::limit::{Exhausted, Limit, Meter};
use crate::merge::{Verdict, decide_chain};
use crate::region::{Affine, Region};
use crate::view::View;

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
        let mut meter = Meter::new(limit);
        match decide_chain(&self.views, &mut meter) {
            Ok(Verdict::Merged(view)) => return Ok(strides_of_view(&view)),
            Ok(Verdict::NotMergeable(_))
            | Err(Error::OffsetRange { .. } | Error::IndexRange { .. }) => {}
            Err(error) => return Err(error),
        }
        let (top, below) = self.views.split_last().ok_or(Error::EmptyChain)?;
        let composite = Composite::new(below, top);
        (0..top.rank())
            .map(|axis| match (top.shape()[axis], top.interval(axis)) {
                (1, _) => Ok(Some(0)),
                (size, interval) if interval != (0, size) => Ok(None),
                _ => stride_along(&composite, axis, &mut meter).map_err(Exhausted::undecided),
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
        let mut meter = Meter::new(limit);
        meter.spend(1).map_err(Exhausted::undecided)?;
        let (top, below) = self.views.split_last().ok_or(Error::EmptyChain)?;
        if self.views.iter().any(|view| !view.has_valid_index()) {
            return Ok(0);
        }
        let composite = Composite::new(below, top);
        let largest =
            largest::largest_value(&composite, &mut meter).map_err(Exhausted::undecided)?;
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
    composite: &Composite<'_>,
    axis: usize,
    meter: &mut Meter,
) -> Result<Option<i64>, Exhausted> {
    let Some(l) = composite.active(axis) else { return Ok(None) };
    if let Some(stride) = composite.carry_free_stride(l) {
        return Ok(Some(stride));
    }
    // F at i and at its next neighbour, both on the box of all i that have one.
    let mut here = composite.domain();
    here.extent[l] -= 1;
    let mut open = vec![here];
    let mut known = None;
    while let Some(part) = open.pop() {
        meter.spend(1)?;
        let mut shifted = part.clone();
        shifted.lo[l] += 1;
        let pair =
            (composite.piece(&part, Ask::Position), composite.piece(&shifted, Ask::Position));
        match pair {
            (Piece::Cut(cut), _) | (_, Piece::Cut(cut)) => {
                let (before, from) = part.split(cut);
                open.push(from);
                open.push(before);
            }
            (Piece::Padding, Piece::Padding) => {}
            (Piece::Affine(from), Piece::Affine(to)) => {
                match constant_difference(&part, &from, &to) {
                    Some(step) if *known.get_or_insert(step) == step => {}
                    _ => return Ok(None),
                }
            }
            _ => return Ok(None),
        }
    }
    Ok(known)
}

/// `to − from` if it is the same at every index of the box.
fn constant_difference(region: &Region, from: &Affine, to: &Affine) -> Option<i64> {
    let same = |l: usize| region.extent[l] == 1 || from.slope[l] == to.slope[l];
    (0..region.rank()).all(same).then(|| to.base - from.base)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chain(views: &[&str]) -> ViewChain {
        let views: Vec<View> = views.iter().map(|text| text.parse().expect(text)).collect();
        ViewChain::from_views(&views).expect("composes")
    }

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
