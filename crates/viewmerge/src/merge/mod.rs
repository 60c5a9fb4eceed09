//! Is this chain one view? The main question, decided exactly.
//!
//! The criterion: a chain is one view exactly when its valid indices are a box
//! and, on that box, increasing axis l by one always adds the same amount.
//!
//! Data takes this path: one pass over the last view's box settles almost every
//! real case ([`crate::levelwise`]). What it leaves open is decided on
//! staircases ([`crate::composite`]): first the valid box ([`valid_set`]), then
//! the steps on it ([`steps`]), in closed form where the jumps of the broken
//! levels allow ([`levels`]), else by subdivision. Each of the two ends in a
//! proof or in a witness.
//!
//! Running example: `(10,3,3):(8,1,2)` seen through `(4):(4)` is 0, 3, 6, 9:
//! at index 3 two digits overflow at once and their jumps cancel, so it is
//! `(4):(3)`. Through `(6):(4)` it goes on 12, but then 20.
//!
//! Cost: one pass is O(axes · levels); two levels that overflow together take
//! O(log) along an axis. Subdivision may need a piece for every overflow within
//! a period; deciding is coNP-complete when the number of axes is unbounded.
//!
//! Proved: `criterion_two_views`, `criterion_chain`, `criterion_masked`,
//! `criterion_stack` (proofs/theories/Criterion.v).

mod euclid;
mod levels;
mod line;
mod meet;
mod pair;
mod phases;
mod steps;
mod valid_set;
mod verdict;

pub use verdict::{Verdict, Witness};

use crate::composite::Composite;
use crate::error::Error;
use crate::levelwise::{self, Settled};
use crate::limit::{Exhausted, Limit, Meter, Stop};
use crate::region::{Affine, Region};
use crate::view::View;
use valid_set::ValidSet;

/// Whether a chain of views, memory side first, is one view.
///
/// The views must compose: every valid position one produces is a position of
/// the one below it.
///
/// Deciding is coNP-complete when the number of axes is unbounded. The views
/// programs make take a handful of steps of the limit.
///
/// # Errors
///
/// [`Error::EmptyChain`] and [`Error::NotComposable`] for views that do not
/// compose; [`Error::Undecided`] if the limit is reached first;
/// [`Error::OffsetRange`] and [`Error::IndexRange`] if one view exists but leaves
/// the bounds within which a [`View`] can be written down.
///
/// ```
/// use viewmerge::{Limit, View, ViewChain, merge};
///
/// let rows: View = "(10,3,3):(8,1,2)".parse()?;
/// assert!(merge(&[rows.clone(), "(4):(4)".parse()?], &Limit::none())?.is_merged());
/// let chain = ViewChain::from_views(&[rows, "(6):(4)".parse()?])?;
/// let verdict = merge(&chain, &Limit::none())?;
/// assert_eq!(
///     verdict.witness().unwrap().to_string(),
///     "along axis 0 the step from (0) is 3, but from (4) it is 8",
/// );
/// # Ok::<(), viewmerge::Error>(())
/// ```
pub fn merge(chain: &[View], limit: &Limit<'_>) -> Result<Verdict, Error> {
    check_chain(chain)?;
    decide_chain(chain, &mut Meter::new(limit))
}

/// Refuses views that do not compose, naming an offending index.
pub(crate) fn check_chain(views: &[View]) -> Result<(), Error> {
    for number in 1..views.len() {
        check_composes(&views[number - 1], &views[number], number)?;
    }
    if views.is_empty() { Err(Error::EmptyChain) } else { Ok(()) }
}

/// Refuses a view with a valid index that points outside the view below it.
pub(crate) fn check_composes(below: &View, above: &View, number: usize) -> Result<(), Error> {
    let Some((first, last)) = above.position_range() else { return Ok(()) };
    let count = below.count();
    if first >= 0 && last < count {
        return Ok(());
    }
    let position = if first < 0 { first } else { last };
    let index = above.extreme_indices().map(|(low, high)| if first < 0 { low } else { high });
    let index = index.unwrap_or_default().to_vec();
    Err(Error::NotComposable { view: number, index, position, count })
}

/// [`merge`] for views known to compose.
pub(crate) fn decide_chain(chain: &[View], meter: &mut Meter) -> Result<Verdict, Error> {
    let (top, below) = chain.split_last().ok_or(Error::EmptyChain)?;
    decide(below, top, meter)
}

/// [`merge`] for views known to compose; `below` has the memory side first.
pub(crate) fn decide(below: &[View], top: &View, meter: &mut Meter) -> Result<Verdict, Error> {
    meter.spend(1).map_err(Exhausted::undecided)?;
    match settle(below, top) {
        Settled::Merged(view) => view.map(Verdict::Merged),
        Settled::Hole(witness) => Ok(Verdict::NotMergeable(witness)),
        Settled::Open(region) => search(below, top, region, meter),
    }
}

/// What needs no search.
fn settle(below: &[View], top: &View) -> Settled {
    if !top.has_valid_index() || below.iter().all(View::is_contiguous) {
        // Contiguous views change nothing; none below does not either.
        Settled::Merged(Ok(top.clone()))
    } else if below.iter().all(View::has_valid_index) {
        levelwise::settle(below, top)
    } else {
        Settled::Merged(View::nothing(top.shape()))
    }
}

/// Decides what one pass left open: the valid indices are all in `region`.
fn search(below: &[View], top: &View, region: Region, meter: &mut Meter) -> Result<Verdict, Error> {
    let composite = Composite::new(below, top);
    let view = match find_function(&composite, region, meter) {
        Ok(None) => View::nothing(top.shape())?,
        Ok(Some((region, function))) => composite.single_view(&region, &function)?,
        Err(Stop::Witness(witness)) => return Ok(Verdict::NotMergeable(witness)),
        Err(Stop::Exhausted(exhausted)) => return Err(exhausted.undecided()),
    };
    Ok(Verdict::Merged(view))
}

/// The box of valid indices, all of which are in `region`, and the affine
/// function on it; `None` if no index is valid.
fn find_function(
    composite: &Composite<'_>,
    region: Region,
    meter: &mut Meter,
) -> Result<Option<(Region, Affine)>, Stop> {
    match valid_set::find(composite, region, meter)? {
        ValidSet::Nothing => Ok(None),
        ValidSet::Box(region) => {
            let function = steps::find_disagreement(composite, &region, meter)?;
            Ok(Some((region, function)))
        }
    }
}
