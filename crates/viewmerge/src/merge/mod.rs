//! Is this chain one view? The main question, decided exactly.
//!
//! The criterion: a chain is one view exactly when its valid indices are a box
//! and, on that box, increasing axis l by one always adds the same amount.
//!
//! One ladder, [`climb`]: one pass over the last view's box settles almost every
//! real case ([`crate::levelwise`]). What it leaves open is asked of the integer
//! system ([`crate::system`]): first the valid box ([`valid_set`]), then the
//! steps on it ([`steps`]), unless the jumps of the broken levels allow a closed
//! form ([`levels`]), or there are so few indices that all are looked at. Each
//! ends in a proof or in a witness, and the answer says which rung gave it.
//!
//! Running example: `(10,3,3):(8,1,2)` seen through `(4):(4)` is 0, 3, 6, 9:
//! at index 3 two digits overflow at once and their jumps cancel, so it is
//! `(4):(3)`. Through `(6):(4)` it goes on 12, but then 20.
//!
//! Cost: one pass is O(axes · levels); two levels that overflow together take
//! O(log) along an axis; the system is polynomial for a fixed number of axes.
//! Deciding is coNP-complete when the number of axes is unbounded.
//!
//! Proved: `criterion_two_views`, `criterion_chain`, `criterion_masked`,
//! `criterion_stack` (proofs/theories/Criterion.v).

mod euclid;
mod levels;
mod meet;
mod pair;
mod steps;
mod valid_set;
mod verdict;

pub use verdict::{Decided, Rung, Verdict, Witness};

use crate::composite::Composite;
use crate::dims::Dims;
use crate::error::Error;
use crate::levelwise::{self, Settled};
use crate::limit::{Exhausted, Limit, Meter, Stop};
use crate::region::{Affine, Region};
use crate::view::View;
use steps::Candidate;

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

/// [`merge`], and which part of the solver gave the answer.
///
/// # Errors
///
/// As for [`merge`].
///
/// ```
/// use viewmerge::{Limit, Rung, View, decide};
///
/// let rows: View = "(10,3,3):(8,1,2)".parse()?;
/// let decided = decide(&[rows, "(4):(4)".parse()?], &Limit::none())?;
/// assert!(decided.verdict.is_merged());
/// assert_eq!(decided.rung, Rung::ClosedForm);
/// # Ok::<(), viewmerge::Error>(())
/// ```
pub fn decide(chain: &[View], limit: &Limit<'_>) -> Result<Decided, Error> {
    check_chain(chain)?;
    let mut meter = Meter::new(limit);
    let verdict = decide_chain(chain, &mut meter)?;
    Ok(Decided { verdict, rung: meter.rung })
}

/// What one part of the solver alone makes of a chain: `None` where it does not decide.
///
/// To test each part on everything, and to measure what it is worth. The system
/// decides everything; closed forms are given the box of valid indices.
///
/// # Errors
///
/// As for [`merge`].
///
/// ```
/// use viewmerge::{Limit, Rung, View, decide_alone};
///
/// let chain: [View; 2] = ["(10,3,3):(8,1,2)".parse()?, "(4):(4)".parse()?];
/// assert_eq!(decide_alone(&chain, Rung::OnePass, &Limit::none())?, None);
/// let verdict = decide_alone(&chain, Rung::System, &Limit::none())?;
/// assert!(verdict.unwrap().is_merged());
/// # Ok::<(), viewmerge::Error>(())
/// ```
pub fn decide_alone(
    chain: &[View],
    rung: Rung,
    limit: &Limit<'_>,
) -> Result<Option<Verdict>, Error> {
    check_chain(chain)?;
    let mut meter = Meter::new(limit);
    meter.alone = Some(rung);
    match decide_chain(chain, &mut meter) {
        Ok(verdict) => Ok((meter.rung == rung).then_some(verdict)),
        Err(Error::Undecided { stopped: false, .. }) if meter.is_open => Ok(None),
        Err(error) => Err(error),
    }
}

/// [`merge`] for views known to compose.
#[inline(always)]
pub(crate) fn decide_chain(chain: &[View], meter: &mut Meter<'_>) -> Result<Verdict, Error> {
    let (top, below) = chain.split_last().ok_or(Error::EmptyChain)?;
    climb(below, top, meter)
}

/// The ladder, for views known to compose; `below` has the memory side first.
///
/// Each rung decides, or hands on what it learned. The meter notes which rung decided.
#[inline(always)]
pub(crate) fn climb(below: &[View], top: &View, meter: &mut Meter<'_>) -> Result<Verdict, Error> {
    meter.spend(1).map_err(Exhausted::undecided)?;
    // 1. Contiguous views change nothing, and where nothing is valid there is no question.
    // 2. One pass over the whole box.
    match settle(below, top, meter) {
        Settled::Merged(view) => view.map(Verdict::Merged),
        Settled::Hole(witness) => Ok(Verdict::NotMergeable(witness)),
        Settled::Open(region) => climb_on(below, top, region, meter),
    }
}

/// The first two rungs: what needs no search.
#[inline(never)]
fn settle(below: &[View], top: &View, meter: &mut Meter<'_>) -> Settled {
    meter.rung = Rung::Plain;
    if !top.has_valid_index() || below.iter().all(View::is_contiguous) {
        Settled::Merged(Ok(top.clone()))
    } else if below.iter().all(View::has_valid_index) {
        meter.rung = Rung::OnePass;
        match meter.alone {
            None | Some(Rung::OnePass) => levelwise::settle(below, top),
            Some(_) => Settled::Open(Composite::new(below, top).domain()),
        }
    } else {
        Settled::Merged(View::nothing(top.shape()))
    }
}

/// The other rungs, for a chain whose valid indices are all in `region`.
#[cold]
#[inline(never)]
fn climb_on(
    below: &[View],
    top: &View,
    region: Region,
    meter: &mut Meter<'_>,
) -> Result<Verdict, Error> {
    let composite = Composite::new(below, top);
    let found = match meter.alone {
        Some(Rung::Plain | Rung::OnePass) => Err(meter.leave_open()),
        _ => find_function(&composite, region, meter),
    };
    match found {
        Ok(None) => Ok(Verdict::Merged(View::nothing(top.shape())?)),
        Ok(Some((region, function))) => {
            Ok(Verdict::Merged(composite.single_view(&region, &function)?))
        }
        Err(Stop::Witness(witness)) => Ok(Verdict::NotMergeable(witness)),
        Err(Stop::Exhausted(exhausted)) => Err(exhausted.undecided()),
    }
}

/// The smallest index of a view of one axis, without padding, at which a chain is valid; for views known to compose.
pub(crate) fn first_valid(
    below: &[View],
    top: &View,
    meter: &mut Meter<'_>,
) -> Result<Option<i64>, Error> {
    meter.spend(1).map_err(Exhausted::undecided)?;
    let composite = Composite::new(below, top);
    let region = match settle(below, top, meter) {
        Settled::Merged(Ok(view)) => {
            return Ok(view.has_valid_index().then(|| view.interval(0).0));
        }
        // One view that cannot be written down, and a hole, say nothing of the first index.
        Settled::Merged(Err(_)) | Settled::Hole(_) => composite.domain(),
        Settled::Open(region) => region,
    };
    valid_set::first(&composite, &region, meter).map_err(Exhausted::undecided)
}

/// How many scattered indices are looked at before the system is asked; several times as many where a
/// proof would be long.
const SOME: usize = 16;

/// The box of valid indices, all of which are in `region`, and the affine
/// function on it; `None` if no index is valid.
fn find_function(
    composite: &Composite<'_>,
    region: Region,
    meter: &mut Meter<'_>,
) -> Result<Option<(Region, Affine)>, Stop> {
    // 3. Masks that one pass left open: the valid box.
    let small = is_small(composite, &region, meter)?;
    meter.rung = if small { Rung::Walk } else { Rung::System };
    let valid = match (composite.has_masks(), small) {
        (false, _) => Some(region),
        (true, true) => valid_set::walk(composite, &region, meter)?,
        (true, false) => valid_set::find(composite, &region, meter)?,
    };
    let Some(region) = valid else { return Ok(None) };
    let candidate = Candidate::new(composite, &region)?;
    // 4. Closed forms for levels that overflow.
    if matches!(meter.alone, None | Some(Rung::ClosedForm))
        && let Some(found) = candidate.by_closed_forms(meter)?
    {
        meter.rung = Rung::ClosedForm;
        found?;
        return Ok(Some((region.clone(), candidate.function)));
    }
    if meter.alone == Some(Rung::ClosedForm) {
        return Err(meter.leave_open());
    }
    if small {
        // 5. Few indices: all of them.
        candidate.walk(meter)?;
    } else {
        // 6. The system, unless some index shows the answer at once.
        candidate.look_around(SOME)?;
        candidate.by_system(meter)?;
    }
    Ok(Some((region.clone(), candidate.function)))
}

/// Whether a look at every index is cheaper than the system, which grows with the digits
/// of an index.
fn is_small(
    composite: &Composite<'_>,
    region: &Region,
    meter: &mut Meter<'_>,
) -> Result<bool, Stop> {
    const FEW: i64 = 8;
    let digits = i64::try_from(composite.digits()).unwrap_or(i64::MAX);
    match meter.alone {
        None => Ok(region.has_at_most(digits.saturating_mul(digits).saturating_mul(FEW))),
        Some(Rung::Walk) if region.has_at_most(1 << 16) => Ok(true),
        Some(Rung::Walk) => Err(meter.leave_open()),
        Some(_) => Ok(false),
    }
}

/// Every index of a box, each paid for with a part of a step.
fn walk<'a>(
    region: &'a Region,
    meter: &'a mut Meter<'_>,
) -> impl Iterator<Item = Result<Dims, Exhausted>> + 'a {
    const A_STEP: usize = 16;
    region.all().enumerate().map(|(number, index)| {
        if number % A_STEP == A_STEP - 1 {
            meter.spend(1)?;
        }
        Ok(index)
    })
}
