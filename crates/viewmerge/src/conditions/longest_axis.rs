//! With all strides known: how long may an axis be?

use crate::arith::bisect;
use crate::chain::ViewChain;
use crate::dims::signed;
use crate::error::Error;
use crate::limit::{Limit, Meter};
use crate::merge::{decide_chain, verdict};
use crate::movement::args;
use crate::view::View;

/// # Questions: how long an axis may be
impl ViewChain {
    /// The largest length of an axis of the chain's last view, shortened at its end,
    /// at which the chain is one view; at least 1 if the axis has any indices.
    ///
    /// # Errors
    ///
    /// [`AxisOutOfRange`](crate::strides::Error::AxisOutOfRange) for an axis that does not exist, [`Error::Undecided`]
    /// if the limit is reached first; [`Error::OffsetRange`] and [`Error::IndexRange`]
    /// if one of the views that would have to be tried cannot be written down.
    ///
    /// ```
    /// use viewmerge::{Limit, ViewChain};
    ///
    /// let chain: ViewChain = "(10,3,3):(8,1,2) | (20):(4)".parse()?;
    /// assert_eq!(chain.longest_mergeable(0, &Limit::none())?, 5);
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    pub fn longest_mergeable(&self, axis: usize, limit: &Limit<'_>) -> Result<i64, Error> {
        let mut meter = limit.meter();
        let axis = args::axis("longest", signed(axis), self.shape().len())?;
        match decide_chain(self.views(), &mut meter)?.is_merged() {
            true => Ok(self.shape()[axis]),
            false => longest_part(self.views(), axis, &mut meter),
        }
    }
}

/// [`ViewChain::longest_mergeable`] of a chain known not to be one view.
pub(crate) fn longest_part(chain: &[View], axis: usize, meter: &mut Meter) -> Result<i64, Error> {
    let (top, below) = chain.split_last().ok_or(Error::EmptyChain)?;
    let full = top.shape()[axis];
    bisect(0, full, |length| {
        Ok(verdict(below, &top.shrink_axis(axis, 0, length)?, meter)?.is_merged())
    })
}
