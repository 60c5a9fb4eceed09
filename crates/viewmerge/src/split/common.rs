//! One split for several chains: a tiling of a loop nest under which all its operands are views.
//!
//! Every chain's coarsest split is contained in any common one, and from a common
//! one, every place that no chain needs can be removed. So the places of all
//! coarsest splits together are the only candidate: they must be multiples of one
//! another, and every chain must be one view over them. Without masks that is all;
//! with masks a finer split may cut a box in two, so each chain is merged.
//!
//! Example: `(4,3):(1,4) | (12)` must be cut at 3 and `(2,6):(1,2) | (12)` at 6:
//! both are views over (2,2,3). With `(3,4):(1,3) | (12)`, cut at 4, no common split exists.

use alloc::vec::Vec;

use super::{NoSplit, Split, decide_split, no_split, over};
use crate::chain::ViewChain;
use crate::error::{Error, ListError};
use crate::limit::Limit;
use crate::merge::Verdict;
use crate::view::View;

/// The coarsest split over which all of these chains, which have one shape, are views, with the
/// view of each; or why no such split exists.
///
/// # Errors
///
/// [`Error::EmptyChain`] without a chain, [`ReshapeCount`](crate::strides::Error::ReshapeCount) for chains of another shape than
/// the first, and as for [`ViewChain::split`].
///
/// ```
/// use viewmerge::{Limit, NoSplit, ViewChain, common_split};
///
/// let a: ViewChain = "(4,3):(1,4) | (12)".parse()?;
/// let b: ViewChain = "(2,6):(1,2) | (12)".parse()?;
/// let c: ViewChain = "(3,4):(1,3) | (12)".parse()?;
/// let (split, views) = common_split(&[a.clone(), b], &Limit::none())?.unwrap();
/// assert_eq!(split.to_string(), "((2,2,3))");
/// assert_eq!(views[1].to_string(), "(2,2,3):(1,6,2)");
///
/// let none = common_split(&[a, c], &Limit::none())?.unwrap_err();
/// assert_eq!(none, NoSplit::Apart { axis: 0, chains: [0, 1], places: [3, 4] });
/// assert_eq!(
///     none.to_string(),
///     "chain 0 needs axis 0 cut at every 3 elements and chain 1 at every 4, \
///      which do not fit each other",
/// );
/// # Ok::<(), viewmerge::Error>(())
/// ```
pub fn common_split(
    chains: &[ViewChain],
    limit: &Limit<'_>,
) -> Result<Result<(Split, Vec<View>), NoSplit>, Error> {
    let mut meter = limit.meter();
    let shape = chains.first().ok_or(Error::EmptyChain)?.shape();
    let mut splits: Vec<Split> = Vec::new();
    for (number, chain) in chains.iter().enumerate() {
        if chain.shape() != shape {
            let from_count = chains[0].count();
            let to = chain.shape().to_vec();
            return Err(ListError::ReshapeCount { from: shape.to_vec(), from_count, to }.into());
        }
        match decide_split(chain.views(), None, &mut meter)? {
            Ok(found) => splits.push(found.split),
            Err(none) => return Ok(Err(none.of_chain(number))),
        }
    }
    let mut places: Vec<Vec<i64>> = Vec::new();
    for axis in 0..shape.len() {
        let mut joined: Vec<i64> = splits.iter().flat_map(|split| split.places(axis)).collect();
        joined.sort_unstable();
        joined.dedup();
        if let Some(pair) = joined.windows(2).find(|pair| pair[1] % pair[0] != 0) {
            let places = [pair[0], pair[1]];
            let who = |place| splits.iter().position(|split| split.places(axis).contains(&place));
            let chains = places.map(|place| who(place).unwrap_or(0));
            return Ok(Err(NoSplit::Apart { axis, chains, places }));
        }
        places.push(joined);
    }
    let split =
        Split::from_places(shape.iter().copied().zip(places.into_iter().map(Vec::into_iter)));
    let mut views = Vec::with_capacity(chains.len());
    for (number, chain) in chains.iter().enumerate() {
        match over(chain.views(), &split, &mut meter)? {
            Verdict::Merged(view) => views.push(view),
            Verdict::NotMergeable(witness) => {
                let none = no_split::explain(chain.views(), split, &witness);
                return Ok(Err(none.of_chain(number)));
            }
        }
    }
    Ok(Ok((split, views)))
}
