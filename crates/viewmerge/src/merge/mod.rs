//! Is this chain one view? The main question, decided exactly.
//!
//! The criterion: a chain is one view exactly when its valid indices are a box
//! and, on that box, increasing axis l by one always adds the same amount.
//!
//! One ladder, [`Climb`]: one pass over the last view's box settles almost every
//! real case ([`crate::one_pass`]). What it leaves open is asked of the integer
//! system ([`lattice_point`]): first the valid box ([`valid_set`]), then the
//! steps on it ([`steps`]), unless the jumps of the broken levels allow a closed
//! form ([`levels`]), or there are so few indices that all are checked. Each
//! ends in a proof or in a witness, and the answer says which rung gave it.
//!
//! Running example: `(10,3,3):(8,1,2)` seen through `(4):(4)` is 0, 3, 6, 9:
//! at index 3 two digits overflow at once and their jumps cancel, so it is
//! `(4):(3)`. Through `(6):(4)` it continues with 12, but then 20.
//!
//! Cost: one pass is O(axes · levels); two levels that overflow together take
//! O(log) along an axis; the system is polynomial for a fixed number of axes.
//! Deciding is coNP-complete when the number of axes is unbounded.
//!
//! Proved: `criterion_two_views`, `criterion_chain`, `criterion_masked`,
//! `criterion_stack` (proofs/theories/Criterion.v).

mod euclid;
mod halves;
mod levels;
mod pair;
mod steps;
mod valid_set;
mod verdict;

pub use crate::witness::Witness;
pub use steps::first_change;
pub(crate) use valid_set::{extreme, valid_hull};
pub use verdict::{Decided, Rung, Verdict};

use crate::dims::Dims;
use crate::error::{Error, if_writable};
use crate::limit::{Exhausted, Limit, Meter};
use crate::one_pass::{self, Settled};
use alloc::vec::Vec;

use crate::path::{Path, affine_view};
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
///     "the step along axis 0 is +3 at (0), but +8 at (4)",
/// );
/// # Ok::<(), viewmerge::Error>(())
/// ```
pub fn merge(chain: &(impl AsRef<[View]> + ?Sized), limit: &Limit<'_>) -> Result<Verdict, Error> {
    merge_views(chain.as_ref(), &mut limit.meter())
}

fn merge_views(views: &[View], meter: &mut Meter<'_>) -> Result<Verdict, Error> {
    let (top, below) = check_chain(views)?;
    verdict(below, top, meter)
}

/// [`merge`] for many chains, all within one limit; each has its own answer.
///
/// ```
/// use viewmerge::{Limit, ViewChain, merge_many};
///
/// let chains: [ViewChain; 2] = ["(2,3) | (6)".parse()?, "(3,2):(1,3) | (6)".parse()?];
/// let verdicts = merge_many(&chains, &Limit::none());
/// assert!(verdicts[0].as_ref().is_ok_and(|verdict| verdict.is_merged()));
/// assert!(verdicts[1].as_ref().is_ok_and(|verdict| !verdict.is_merged()));
/// # Ok::<(), viewmerge::Error>(())
/// ```
#[must_use]
pub fn merge_many<C: AsRef<[View]>>(
    chains: &[C],
    limit: &Limit<'_>,
) -> Vec<Result<Verdict, Error>> {
    let mut meter = limit.meter();
    chains.iter().map(|chain| merge_views(chain.as_ref(), &mut meter)).collect()
}

/// The last view and those below it; refuses views that do not compose, naming an offending index.
///
/// # Errors
///
/// [`Error::EmptyChain`] and [`Error::NotComposable`].
pub fn check_chain(views: &[View]) -> Result<(&View, &[View]), Error> {
    for number in 1..views.len() {
        check_composes(&views[number - 1], &views[number], number)?;
    }
    views.split_last().ok_or(Error::EmptyChain)
}

/// Refuses a view with a valid index that points outside the view below it.
pub(crate) fn check_composes(below: &View, above: &View, number: usize) -> Result<(), Error> {
    let Some((first, last)) = above.position_range() else { return Ok(()) };
    let count = below.count();
    if first >= 0 && last < count {
        return Ok(());
    }
    let position = if first < 0 { first } else { last };
    let index = above.extreme_index(first >= 0).to_vec();
    Err(Error::NotComposable { view: number, index, position, count })
}

/// [`merge`] for a list of views known to compose, and which part of the solver gave the answer.
pub(crate) fn decide(chain: &[View], meter: &mut Meter<'_>) -> Result<Decided, Error> {
    let (top, below) = chain.split_last().ok_or(Error::EmptyChain)?;
    let mut climb = Climb::new(meter);
    let verdict = climb.up(below, top).map_err(Stop::error)?;
    Ok(Decided { verdict, rung: climb.rung })
}

/// What one part of the solver alone makes of a chain; `None` where it does not decide.
///
/// For testing each part on every input, and for measuring what it saves. The system
/// decides everything; closed forms are given the box of valid indices.
///
/// # Errors
///
/// As for [`merge`].
///
/// ```
/// use viewmerge::diagnostics::{Rung, decide_alone};
/// use viewmerge::{Limit, View};
///
/// let chain: [View; 2] = ["(10,3,3):(8,1,2)".parse()?, "(4):(4)".parse()?];
/// assert_eq!(decide_alone(&chain, Rung::OnePass, &Limit::none())?, None);
/// let verdict = decide_alone(&chain, Rung::System, &Limit::none())?;
/// assert!(verdict.unwrap().is_merged());
/// # Ok::<(), viewmerge::Error>(())
/// ```
pub fn decide_alone(
    chain: &(impl AsRef<[View]> + ?Sized),
    rung: Rung,
    limit: &Limit<'_>,
) -> Result<Option<Verdict>, Error> {
    let (top, below) = check_chain(chain.as_ref())?;
    let meter = &mut limit.meter();
    let mut climb = Climb { alone: Some(rung), ..Climb::new(meter) };
    match climb.up(below, top) {
        Ok(verdict) => Ok(Some(verdict).filter(|_| climb.rung == rung)),
        Err(Stop::OtherRung) => Ok(None),
        Err(stop) => Err(stop.error()),
    }
}

/// [`merge`] for a list of views known to compose.
pub(crate) fn decide_chain(chain: &[View], meter: &mut Meter<'_>) -> Result<Verdict, Error> {
    let (top, below) = chain.split_last().ok_or(Error::EmptyChain)?;
    verdict(below, top, meter)
}

/// The one view of a chain, for views known to compose; `None` if it is not one view, or cannot be
/// written down.
///
/// # Errors
///
/// [`Error::Undecided`] if the limit is reached first.
pub fn one_view(below: &[View], top: &View, meter: &mut Meter<'_>) -> Result<Option<View>, Error> {
    Ok(if_writable(verdict(below, top, meter))?.and_then(Verdict::into_view))
}

/// [`one_view`] without a search; `None` if it would take one.
#[must_use]
pub fn one_view_at_once(below: &[View], top: &View) -> Option<Option<View>> {
    match Climb::new(&mut Meter::unlimited()).settle(below, top) {
        Settled::Merged(view) => Some(view.ok()),
        Settled::Hole(_) => Some(None),
        Settled::Open(_) => None,
    }
}

/// [`merge`] for views known to compose; `below` has the memory side first.
///
/// The answer is made in place; going through a [`Stop`] would copy it.
#[inline(always)]
pub(crate) fn verdict(below: &[View], top: &View, meter: &mut Meter<'_>) -> Result<Verdict, Error> {
    meter.spend(1)?;
    let mut climb = Climb::new(meter);
    match climb.settle(below, top) {
        Settled::Merged(view) => view.map(Verdict::Merged),
        Settled::Hole(witness) => Ok(Verdict::NotMergeable(witness)),
        Settled::Open(region) => climb.search(below, top, region).map_err(Stop::error),
    }
}

/// Why the ladder ends early.
enum Stop {
    /// The answer is known to be no.
    Witness(Witness),
    /// The limit is reached, or the one view cannot be written down.
    Refused(Error),
    /// The only rung that may decide does not.
    OtherRung,
}

impl Stop {
    /// What stops a climb that may use every rung and turns a witness into its answer.
    #[cold]
    fn error(self) -> Error {
        match self {
            Stop::Refused(error) => error,
            Stop::Witness(_) | Stop::OtherRung => unreachable!("answered on the way"),
        }
    }
}

impl From<Witness> for Stop {
    fn from(witness: Witness) -> Stop {
        Stop::Witness(witness)
    }
}

impl From<Exhausted> for Stop {
    fn from(exhausted: Exhausted) -> Stop {
        Stop::Refused(exhausted.into())
    }
}

/// One run up the ladder.
struct Climb<'m, 'l> {
    meter: &'m mut Meter<'l>,
    /// Which rung decided, or was tried last.
    rung: Rung,
    /// Only this rung may decide.
    alone: Option<Rung>,
}

impl<'m, 'l> Climb<'m, 'l> {
    fn new(meter: &'m mut Meter<'l>) -> Climb<'m, 'l> {
        Climb { meter, rung: Rung::Plain, alone: None }
    }

    /// Each rung decides, or passes on what it learned.
    fn up(&mut self, below: &[View], top: &View) -> Result<Verdict, Stop> {
        self.meter.spend(1)?;
        // 1. Contiguous views change nothing, and where nothing is valid there is no question.
        // 2. One pass over the whole box.
        match self.settle(below, top) {
            Settled::Merged(view) => view.map(Verdict::Merged).map_err(Stop::Refused),
            Settled::Hole(witness) => Ok(Verdict::NotMergeable(witness)),
            Settled::Open(region) => self.search(below, top, region),
        }
    }

    /// The first two rungs: what needs no search.
    #[inline(never)]
    fn settle(&mut self, below: &[View], top: &View) -> Settled {
        self.rung = Rung::Plain;
        if !top.has_valid_index() || below.iter().all(View::is_contiguous) {
            Settled::Merged(Ok(top.clone()))
        } else if below.iter().all(View::has_valid_index) {
            self.rung = Rung::OnePass;
            match self.alone {
                None | Some(Rung::OnePass) => one_pass::settle(below, top),
                Some(_) => Settled::Open(Path::new(below, top).domain()),
            }
        } else {
            Settled::Merged(Ok(top.never()))
        }
    }

    /// The other rungs, for a chain whose valid indices are all in `region`.
    #[cold]
    #[inline(never)]
    fn search(&mut self, below: &[View], top: &View, region: Region) -> Result<Verdict, Stop> {
        if matches!(self.alone, Some(Rung::Plain | Rung::OnePass)) {
            return Err(Stop::OtherRung);
        }
        let path = Path::new(below, top);
        match self.find_function(&path, region) {
            Ok(None) => Ok(Verdict::Merged(top.never())),
            Ok(Some((region, function))) => {
                let bounds = region.bounds();
                let axes = path.axes.iter().zip(&bounds).zip(&function.slope);
                let axes = axes.map(|((&axis, &interval), &slope)| (axis, interval, slope));
                let view = affine_view(top, function.base, axes);
                view.map(Verdict::Merged).map_err(Stop::Refused)
            }
            Err(Stop::Witness(witness)) => Ok(Verdict::NotMergeable(witness)),
            Err(stop) => Err(stop),
        }
    }

    /// The box of valid indices, all of which are in `region`, and the affine
    /// function on it; `None` if no index is valid.
    fn find_function(
        &mut self,
        path: &Path<'_>,
        region: Region,
    ) -> Result<Option<(Region, Affine)>, Stop> {
        // 3. Masks that one pass left open: the valid box.
        let small = self.is_small(path, &region)?;
        self.rung = if small { Rung::Walk } else { Rung::System };
        let valid = match (path.has_masks(), small) {
            (false, _) => Some(region),
            (true, true) => valid_set::walk(path, &region, self.meter)?,
            (true, false) => valid_set::find(path, &region, self.meter)?,
        };
        let Some(region) = valid else { return Ok(None) };
        let candidate = Candidate::new(path, &region)?;
        // 4. Closed forms for levels that overflow.
        if matches!(self.alone, None | Some(Rung::ClosedForm))
            && let Some(found) = candidate.by_closed_forms(self.meter)?
        {
            self.rung = Rung::ClosedForm;
            found?;
            return Ok(Some((region.clone(), candidate.function)));
        }
        if self.alone == Some(Rung::ClosedForm) {
            return Err(Stop::OtherRung);
        }
        if small {
            // 5. Few indices: all of them.
            candidate.walk(self.meter)?;
        } else {
            // 6. The system, unless some index shows the answer at once.
            candidate.look_around(SAMPLES)?;
            candidate.by_system(self.meter)?;
        }
        Ok(Some((region.clone(), candidate.function)))
    }

    /// Whether checking every index is cheaper than the system, whose cost grows with the digits
    /// of an index.
    fn is_small(&self, path: &Path<'_>, region: &Region) -> Result<bool, Stop> {
        const FEW: i64 = 8;
        let digits = i64::try_from(path.digits()).unwrap_or(i64::MAX);
        match self.alone {
            None => Ok(region.has_at_most(digits.saturating_mul(digits).saturating_mul(FEW))),
            Some(Rung::Walk) if region.has_at_most(1 << 16) => Ok(true),
            Some(Rung::Walk) => Err(Stop::OtherRung),
            Some(_) => Ok(false),
        }
    }
}

/// How many scattered indices are evaluated before the system is asked, or several times as many
/// where a proof would be long.
const SAMPLES: usize = 16;

/// Every index of a box; several of them cost one step.
fn walk<'a>(
    region: &'a Region,
    meter: &'a mut Meter<'_>,
) -> impl Iterator<Item = Result<Dims, Exhausted>> + 'a {
    const INDICES_PER_STEP: usize = 16;
    region.all().enumerate().map(|(number, index)| {
        if number % INDICES_PER_STEP == INDICES_PER_STEP - 1 {
            meter.spend(1)?;
        }
        Ok(index)
    })
}
