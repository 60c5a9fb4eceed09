//! Is this chain one view? The main question, decided exactly.
//!
//! The criterion: a chain is one view exactly when its valid indices are a box
//! and, on that box, increasing axis l by one always adds the same amount.
//!
//! Data takes this path: the views become staircases on the last view's box
//! ([`crate::composite`]); one pass settles almost every real case
//! ([`Composite::settle`]); what it leaves open is decided by subdivision:
//! first the valid box ([`valid_set`]), then the steps on it ([`steps`]). Each
//! of the two ends in a proof over all pieces or in a witness.
//!
//! Running example: `(10,3,3):(8,1,2)` seen through `(4):(4)` is 0, 3, 6, 9:
//! at index 3 two digits overflow at once and their jumps cancel, so it is
//! `(4):(3)`. Through `(6):(4)` it goes on 12, but then 20.
//!
//! Cost: one pass is O(axes · levels). Subdivision is exact but may need a
//! piece for every overflow; deciding is coNP-complete when the number of axes
//! is unbounded.

mod steps;
mod valid_set;
mod verdict;

pub use verdict::{Verdict, Witness};

use crate::composite::{Composite, Settled};
use crate::error::Error;
use crate::view::View;
use valid_set::ValidSet;

/// Whether a chain of views, memory side first, is one view.
///
/// The views must compose: every valid position one produces is a position of
/// the one below it.
///
/// Beyond the errors for views that do not compose, [`Error::OffsetRange`] and
/// [`Error::IndexRange`] say that one view exists but leaves the bounds within
/// which a [`View`] can be written down.
///
/// ```
/// use viewmerge::{View, merge};
///
/// let rows: View = "(10,3,3):(8,1,2)".parse()?;
/// assert!(merge(&[rows.clone(), "(4):(4)".parse()?])?.is_merged());
/// let verdict = merge(&[rows, "(6):(4)".parse()?])?;
/// assert_eq!(
///     verdict.witness().unwrap().to_string(),
///     "along axis 0 the step from (0) is 3, but from (4) it is 8",
/// );
/// # Ok::<(), viewmerge::Error>(())
/// ```
pub fn merge(views: &[View]) -> Result<Verdict, Error> {
    check_chain(views)?;
    let (top, below) = views.split_last().ok_or(Error::EmptyChain)?;
    decide(below, top)
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
    let Some((first, last)) = above.extreme_indices() else { return Ok(()) };
    let count = below.count();
    for index in [first, last] {
        let position = above.affine(&index);
        if position < 0 || position >= count {
            return Err(Error::NotComposable {
                view: number,
                index: index.to_vec(),
                position,
                count,
            });
        }
    }
    Ok(())
}

/// [`merge`] for views known to compose; `below` has the memory side first.
pub(crate) fn decide(below: &[View], top: &View) -> Result<Verdict, Error> {
    if below.is_empty() || !top.has_valid_index() {
        return Ok(Verdict::Merged(top.clone()));
    }
    let nothing = || View::nothing(top.shape()).map(Verdict::Merged);
    if below.iter().any(|view| !view.has_valid_index()) {
        return nothing();
    }
    let composite = Composite::new(below, top);
    let region = match composite.settle() {
        Settled::Affine(region, function) => {
            return composite.single_view(&region, &function).map(Verdict::Merged);
        }
        Settled::Nothing => return nothing(),
        Settled::Open(region) => region,
    };
    match valid_set::find(&composite, region) {
        ValidSet::Nothing => nothing(),
        ValidSet::Hole(witness) => Ok(Verdict::NotMergeable(witness)),
        ValidSet::Box(region) => match steps::find_disagreement(&composite, &region) {
            Ok(function) => composite.single_view(&region, &function).map(Verdict::Merged),
            Err(witness) => Ok(Verdict::NotMergeable(witness)),
        },
    }
}
