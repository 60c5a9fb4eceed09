//! The inverse of a chain: from memory back to the elements.
//!
//! A view has an inverse when its valid indices reach the positions
//! 0, 1, …, p−1 once each. Then its strides, sorted by size, must be those of a
//! row-major shape up to sign (the smallest position not yet reached is always
//! the next stride), so the inverse is again one view: the valid box of the
//! contiguous view, its descending axes flipped, its axes sorted.

use alloc::vec::Vec;

use crate::chain::ViewChain;
use crate::dims::element_count;
use crate::dims::signed;
use crate::error::{Error, NoInverse};
use crate::limit::Limit;
use crate::view::View;

/// # Questions: the inverse
impl ViewChain {
    /// The chain that sends memory position n, seen as an index of
    /// `memory_shape`, to the row-major position of the element stored there.
    ///
    /// Padding has no place in memory, so the inverse does not reach it. A chain
    /// that is one view has an inverse here whenever there is one; of a longer
    /// chain every view must have one.
    ///
    /// # Errors
    ///
    /// [`Error::NotInvertible`] if there is no inverse, [`Error::Undecided`] if the
    /// limit is reached before the chain is simplified, and the errors for a bad shape.
    ///
    /// ```
    /// use viewmerge::{Limit, ViewChain};
    ///
    /// let chain = ViewChain::contiguous(&[2, 3])?.permute(&[1, 0])?;
    /// let back = chain.invert(&[2, 3], &Limit::none())?;
    /// assert_eq!(back.to_string(), "(2,3):(1,2)");
    /// for n in 0..6 {
    ///     let position = chain.at(n)?.unwrap();
    ///     assert_eq!(back.at(position)?, Some(n));
    /// }
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    pub fn invert(&self, memory_shape: &[i64], limit: &Limit<'_>) -> Result<ViewChain, Error> {
        let mut meter = limit.meter();
        let positions = element_count(memory_shape)?;
        let simple = self.cut_into_fewest(&mut meter)?;
        let views = simple.views();
        // The inverse of the last view is next to the elements, which are its memory.
        let inverted = views.iter().enumerate().rev().map(|(number, view)| {
            let below = if number == 0 { positions } else { views[number - 1].count() };
            invert_view(view, number, below)
        });
        let inverse = ViewChain::try_from(inverted.collect::<Result<Vec<View>, _>>()?)?;
        inverse.reshape(memory_shape)?.cut_into_fewest(&mut meter)
    }
}

/// The inverse of one view onto this many positions; its shape is the view's valid box, sorted.
fn invert_view(view: &View, number: usize, positions: i64) -> Result<View, Error> {
    let refuse = |reason| Err(Error::NotInvertible { view: number, reason });
    let bounds = view.valid_box();
    let valid = bounds.as_ref().map_or(0, |b| b.iter().map(|(lo, hi)| hi - lo).product());
    if valid != positions {
        return refuse(NoInverse::Count { valid, positions });
    }
    let Some(bounds) = bounds else { return View::contiguous(&[0]) };
    let mut order: Vec<usize> = (0..view.rank()).collect();
    order.sort_by_key(|&axis| core::cmp::Reverse(view.strides()[axis].abs()));
    let mut reached = 1;
    for &axis in order.iter().rev() {
        let extent = bounds[axis].1 - bounds[axis].0;
        if extent > 1 && view.strides()[axis].abs() != reached {
            return refuse(NoInverse::NotOnto);
        }
        reached *= extent;
    }
    if view.position_range().is_none_or(|(first, _)| first != 0) {
        return refuse(NoInverse::NotOnto);
    }
    let falling: Vec<i64> =
        (0..view.rank()).filter(|&axis| view.strides()[axis] < 0).map(signed).collect();
    let order: Vec<i64> = order.iter().map(|&axis| signed(axis)).collect();
    View::contiguous(view.shape())?.shrink(&bounds)?.flip(&falling)?.permute(&order)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chain::chain_of as chain;

    #[test]
    fn memory_and_back() {
        let rows: [(&[&str], &[i64]); 7] = [
            (&["(2,3,4)"], &[24]),
            (&["(4,2,3):(-1,12,4)+3"], &[2, 12]),
            (&["(5):(1)-1 [1:4]"], &[3]),
            (&["(3,2):(1,3)", "(6):(1)"], &[2, 3]),
            (&["(3,2):(1,3)", "(2,3):(-3,-1)+5"], &[6]),
            (&["()"], &[1, 1]),
            (&["(2,1,3):(3,7,1)"], &[6]),
        ];
        for (views, memory_shape) in rows {
            let chain = chain(views);
            let back = chain.invert(memory_shape, &Limit::none()).expect("has an inverse");
            assert_eq!(back.shape(), memory_shape);
            for n in 0..back.count() {
                let element = back.at(n).expect("in range").expect("no padding");
                assert_eq!(chain.at(element), Ok(Some(n)), "{chain}");
            }
        }
        assert_eq!(
            chain(&["(2,0)"]).invert(&[0, 5], &Limit::none()).expect("empty").shape(),
            [0, 5]
        );
    }

    #[test]
    fn no_inverse() {
        let rows: [(&[&str], &[i64], NoInverse); 4] = [
            (&["(2,3):(0,1)"], &[3], NoInverse::Count { valid: 6, positions: 3 }),
            (&["(3):(2)"], &[3], NoInverse::NotOnto),
            (&["(3):(1)+1"], &[3], NoInverse::NotOnto),
            (&["(2,2):(1,1)"], &[4], NoInverse::NotOnto),
        ];
        for (views, memory_shape, reason) in rows {
            let refused =
                chain(views).invert(memory_shape, &Limit::none()).expect_err("no inverse");
            assert_eq!(refused, Error::NotInvertible { view: 0, reason }, "{views:?}");
        }
    }
}
