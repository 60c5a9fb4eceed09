//! The index expression of a chain, with few divisions.
//!
//! The position of a chain is a linear function of the index and of floors
//! ⌊E/m⌋ of linear functions; an index is valid where a box and a list of
//! guards `lower ≤ function < upper` hold. Floors that are affine wherever the
//! chain is valid are not written at all, so most chains need none: then the
//! chain is a [`GuardedView`]. A chain that is one view has neither floors nor
//! guards.
//!
//! Running example: transpose (3,4), flatten it: `(4,3):(1,4) | (12)` reads
//! position 4·i − 11·⌊i/3⌋. Nested division and modulo,
//! (i / 3) + (i % 3)·4, takes two.
//!
//! | step | where |
//! |---|---|
//! | linear functions | `linear.rs` |
//! | ranges of them where the guards hold | `known.rs` |
//! | view by view, slabs to guards, levels to floors | `build.rs`, `floors.rs` |
//! | indices that show it is not one view | `samples.rs` |
//! | the fewest floors and guards, decided | `search.rs`, `fewest/` |
//! | no floors left | `guarded.rs` |
//! | as text, and in programming languages | `crate::render` |
//!
//! Cost: some microseconds where ranges settle it; a search where floors are left. No
//! linear combination of the given floors uses fewer than are left.
//!
//! Overflow policy: a form is refused ([`Error::ExpressionRange`]) unless every
//! sum in it, at every index of the shape, fits `i64`, in whatever order it is added.

pub(crate) mod build;
pub(crate) mod fewest;
mod floors;
mod guarded;
#[cfg(feature = "serde")]
mod json;
pub(crate) mod known;
pub(crate) mod linear;
mod samples;
mod search;

pub use guarded::GuardedView;
pub use linear::Linear;

use alloc::vec;
use alloc::vec::Vec;

use build::Builder;
use lattice_point::Meter;
use viewmerge::Error;
use viewmerge::internal::{Dims, check_index};
use viewmerge::internal::{check_chain, one_view, one_view_at_once};
use viewmerge::{Validity, View};

/// A floor of a form: `⌊operand / divisor⌋`, the operand not negative where it matters.
///
/// ```
/// use viewmerge_index::IndexChain;
/// use viewmerge::Limit;
///
/// let form = "(3,2):(1,3) | (6)".parse::<viewmerge::ViewChain>()?.form(&Limit::none())?;
/// let floor = &form.floors()[0];
/// assert_eq!((floor.operand.axes(), floor.divisor), (&[1][..], 2));
/// assert_eq!(floor.range, (0, 2));
/// # Ok::<(), viewmerge::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct FloorTerm {
    /// What is divided; it uses earlier floors only.
    pub operand: Linear,
    /// What it is divided by, 2 or more.
    pub divisor: i64,
    /// The smallest and largest value where it is looked at (bounds, both included).
    pub range: (i64, i64),
}

/// A condition on an index: `lower ≤ function < upper`, where given.
///
/// ```
/// use viewmerge_index::IndexChain;
/// use viewmerge::Limit;
///
/// let chain: viewmerge::ViewChain = "(18):(1) [2:17] | (16,3):(1,1)".parse()?;
/// let form = chain.form(&Limit::none())?;
/// let guard = &form.guards()[0];
/// assert_eq!(guard.function.axes(), [1, 1]);
/// assert_eq!((guard.lower, guard.upper), (Some(2), Some(17)));
/// # Ok::<(), viewmerge::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Guard {
    /// The function; its constant is 0.
    pub function: Linear,
    /// Its smallest valid value, if that needs to be checked.
    pub lower: Option<i64>,
    /// One more than its largest valid value, if that needs to be checked.
    pub upper: Option<i64>,
}

impl Guard {
    /// `first ≤ i ≤ last` for one axis.
    pub(crate) fn on_axis(
        axis: usize,
        rank: usize,
        first: Option<i64>,
        last: Option<i64>,
    ) -> Guard {
        let mut function = Linear::always(0, rank);
        function.axes[axis] = 1;
        Guard { function, lower: first, upper: last.map(|last| last.saturating_add(1)) }
    }

    /// Whether a value of the function is within the bounds.
    fn admits(&self, value: i64) -> bool {
        self.lower.is_none_or(|lower| lower <= value)
            && self.upper.is_none_or(|upper| value < upper)
    }
}

/// What a chain computes, as one expression.
///
/// ```
/// use viewmerge_index::IndexChain;
/// use viewmerge::{Limit, ViewChain};
///
/// let chain: ViewChain = "(4,3):(1,4) | (12)".parse()?;
/// let form = chain.form(&Limit::none())?;
/// assert_eq!(form.to_string(), "4*i0 - 11*f0 where f0 = i0 / 3");
/// assert_eq!(form.index(&[5])?, chain.index(&[5])?);
/// # Ok::<(), viewmerge::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "json::Parts"))]
pub struct IndexForm {
    shape: Dims,
    validity: Validity,
    floors: Vec<FloorTerm>,
    guards: Vec<Guard>,
    position: Linear,
    /// The largest magnitude of any number and any sum, at any index of the shape.
    max_magnitude: i64,
}

impl IndexForm {
    /// The form of views that compose, with the fewest floors.
    pub(crate) fn of_chain(chain: &[View], meter: &mut Meter<'_>) -> Result<IndexForm, Error> {
        let (top, below) = chain.split_last().ok_or(Error::EmptyChain)?;
        meter.spend(1)?;
        match one_view_at_once(below, top) {
            Some(Some(view)) => IndexForm::of_view(&view),
            // Not one view, or one that cannot be written down.
            Some(None) => IndexForm::build(chain, Some(meter), true),
            None => IndexForm::build(chain, Some(meter), false),
        }
    }

    /// The form of a single view.
    ///
    /// # Errors
    ///
    /// [`Error::ExpressionRange`] if the expression needs numbers beyond 64 bits.
    ///
    /// ```
    /// use viewmerge::View;
    /// use viewmerge_index::IndexForm;
    ///
    /// let view: View = "(2,3):(0,1)+4 [0:2,1:3]".parse()?;
    /// assert_eq!(IndexForm::of_view(&view)?.to_string(), "i1 + 4 if 1 <= i1");
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    pub fn of_view(view: &View) -> Result<IndexForm, Error> {
        let mut position = Linear::always(view.offset(), view.rank());
        position.axes = view.strides().into();
        IndexForm::new(view.shape(), view.validity().clone(), vec![], vec![], position)
    }

    /// The form of a chain without asking whether it is one view: this takes no search, but floors and
    /// guards that cancel may remain.
    ///
    /// # Errors
    ///
    /// [`Error::EmptyChain`] and [`Error::NotComposable`] for views that do not
    /// compose, [`Error::ExpressionRange`] if the expression needs numbers beyond 64 bits.
    ///
    /// ```
    /// use viewmerge_index::IndexChain;
    /// use viewmerge::{Limit, ViewChain};
    /// use viewmerge_index::IndexForm;
    ///
    /// let chain: ViewChain = "(10,3,3):(8,1,2) | (4):(4)".parse()?;
    /// assert_eq!(chain.form(&Limit::none())?.floors().len(), 0);
    /// assert_eq!(IndexForm::of_views(&chain)?.floors().len(), 2);
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    pub fn of_views(chain: &(impl AsRef<[View]> + ?Sized)) -> Result<IndexForm, Error> {
        let chain = chain.as_ref();
        check_chain(chain)?;
        IndexForm::build(chain, None, true)
    }

    /// With a meter the fewest floors and guards are searched for, and first, unless it is known to be
    /// none, the one view that it is.
    fn build(
        chain: &[View],
        meter: Option<&mut Meter<'_>>,
        mut is_no_view: bool,
    ) -> Result<IndexForm, Error> {
        let (top, below) = chain.split_last().ok_or(Error::EmptyChain)?;
        let nothing = || IndexForm::of_view(&View::nothing(top.shape())?);
        if !top.has_valid_index() || !below.iter().all(View::has_valid_index) {
            return nothing();
        }
        let found = Builder::of_chain(below, top)?;
        let Some((mut builder, mut position)) = found else { return nothing() };
        if let Some(meter) = meter {
            is_no_view = is_no_view || builder.is_surely_no_view(&position);
            if !is_no_view && let Some(view) = one_view(below, top, meter)? {
                return IndexForm::of_view(&view);
            }
            if !builder.floors.is_empty() && !builder.search(&mut position, meter)? {
                return nothing();
            }
        }
        let built = builder.finish(position)?;
        let validity = Validity::within(top.shape(), &built.bounds);
        IndexForm::new(top.shape(), validity, built.floors, built.guards, built.position)
    }

    /// Refuses sums that leave 64 bits at some index of the shape.
    fn new(
        shape: &[i64],
        validity: Validity,
        floors: Vec<FloorTerm>,
        guards: Vec<Guard>,
        position: Linear,
    ) -> Result<IndexForm, Error> {
        // Coefficients and bounds must fit as well, wherever they are looked at.
        let axes: Dims = shape.iter().map(|&size| (size - 1).max(1)).collect();
        let mut largest: Vec<i64> = Vec::with_capacity(floors.len());
        let mut max_magnitude = 0i64;
        let mut measure = |function: &Linear, floors: &[i64]| -> Result<i64, Error> {
            let terms = function.axes.iter().zip(&axes).chain(function.floors.iter().zip(floors));
            let sum = terms.fold(i128::from(function.constant).abs(), |sum, (&c, &x)| {
                sum.saturating_add((i128::from(c) * i128::from(x)).abs())
            });
            let sum = linear::narrow(sum)?;
            max_magnitude = max_magnitude.max(sum);
            Ok(sum)
        };
        for floor in &floors {
            let operand = measure(&floor.operand, &largest)?;
            largest.push((operand / floor.divisor).max(1));
        }
        for guard in &guards {
            measure(&guard.function, &largest)?;
            for bound in guard.lower.into_iter().chain(guard.upper) {
                measure(&Linear::always(bound, 0), &largest)?;
            }
        }
        measure(&position, &largest)?;
        Ok(IndexForm { shape: shape.into(), validity, floors, guards, position, max_magnitude })
    }

    /// The sizes of the axes.
    ///
    /// ```
    /// use viewmerge_index::IndexChain;
    /// use viewmerge::Limit;
    ///
    /// let form = viewmerge::ViewChain::contiguous(&[2, 3])?.form(&Limit::none())?;
    /// assert_eq!(form.shape(), [2, 3]);
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    #[must_use]
    pub fn shape(&self) -> &[i64] {
        &self.shape
    }

    /// The box outside of which no index is valid; inside it the guards decide.
    ///
    /// ```
    /// use viewmerge_index::IndexChain;
    /// use viewmerge::Limit;
    ///
    /// let form = viewmerge::ViewChain::contiguous(&[2, 3])?.form(&Limit::none())?;
    /// assert_eq!(form.validity(), &viewmerge::Validity::All);
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    #[must_use]
    pub fn validity(&self) -> &Validity {
        &self.validity
    }

    /// The floors, each using earlier ones only.
    ///
    /// ```
    /// use viewmerge_index::IndexChain;
    /// use viewmerge::Limit;
    ///
    /// let form = viewmerge::ViewChain::contiguous(&[2, 3])?.form(&Limit::none())?;
    /// assert!(form.floors().is_empty());
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    #[must_use]
    pub fn floors(&self) -> &[FloorTerm] {
        &self.floors
    }

    /// The guards, each right where the box and the guards before it hold.
    ///
    /// ```
    /// use viewmerge_index::IndexChain;
    /// use viewmerge::Limit;
    ///
    /// let form = viewmerge::ViewChain::contiguous(&[2, 3])?.form(&Limit::none())?;
    /// assert!(form.guards().is_empty());
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    #[must_use]
    pub fn guards(&self) -> &[Guard] {
        &self.guards
    }

    /// The memory position, right where the index is valid.
    ///
    /// ```
    /// use viewmerge_index::IndexChain;
    /// use viewmerge::Limit;
    ///
    /// let form = viewmerge::ViewChain::contiguous(&[2, 3])?.form(&Limit::none())?;
    /// assert_eq!(form.position().axes(), [3, 1]);
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    #[must_use]
    pub fn position(&self) -> &Linear {
        &self.position
    }

    /// The largest magnitude that any sum of the expression takes at any index
    /// of the shape, however it is added up: what decides the width of integers.
    ///
    /// ```
    /// use viewmerge_index::IndexChain;
    /// use viewmerge::Limit;
    ///
    /// let form = viewmerge::ViewChain::contiguous(&[2, 3])?.form(&Limit::none())?;
    /// assert_eq!(form.max_magnitude(), 5);
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    #[must_use]
    pub fn max_magnitude(&self) -> i64 {
        self.max_magnitude
    }

    /// The single view that this form is, if it has neither floors nor guards.
    ///
    /// A form made by [`IndexChain::form`](crate::IndexChain::form) has neither exactly if the chain is
    /// one view.
    ///
    /// # Errors
    ///
    /// [`Error::OffsetRange`] and [`Error::IndexRange`] if the view leaves the bounds of a
    /// view.
    ///
    /// ```
    /// use viewmerge_index::IndexChain;
    /// use viewmerge::Limit;
    ///
    /// let chain = viewmerge::ViewChain::contiguous(&[2, 6])?.reshape(&[3, 4])?;
    /// assert_eq!(chain.form(&Limit::none())?.single_view()?, Some("(3,4)".parse()?));
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    pub fn single_view(&self) -> Result<Option<View>, Error> {
        if !self.floors.is_empty() || !self.guards.is_empty() {
            return Ok(None);
        }
        self.affine_view().map(Some)
    }

    /// The view with the form's box and the affine part of its position.
    fn affine_view(&self) -> Result<View, Error> {
        View::new(&self.shape, &self.position.axes, self.position.constant, self.validity.clone())
    }

    /// The memory position of an index, or `None` for padding.
    ///
    /// # Errors
    ///
    /// [`Error::RankMismatch`] and [`Error::IndexOutOfBounds`] for an index that is not of the
    /// shape.
    ///
    /// ```
    /// use viewmerge_index::IndexChain;
    /// use viewmerge::Limit;
    ///
    /// let chain: viewmerge::ViewChain = "(18):(1)-2 [2:17] | (16,3):(1,1)".parse()?;
    /// let form = chain.form(&Limit::none())?;
    /// assert_eq!(form.index(&[0, 1])?, None);
    /// assert_eq!(form.index(&[0, 2])?, Some(0));
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    pub fn index(&self, index: &[i64]) -> Result<Option<i64>, Error> {
        check_index(&self.shape, index)?;
        let inside = match &self.validity {
            Validity::All => true,
            Validity::Nothing => false,
            Validity::Box(bounds) => {
                bounds.iter().zip(index).all(|(&(lo, hi), &i)| lo <= i && i < hi)
            }
        };
        if !inside {
            return Ok(None);
        }
        let mut floors: Dims = Dims::new();
        for floor in &self.floors {
            floors.push(floor.operand.value(index, &floors) / floor.divisor);
        }
        let admitted =
            self.guards.iter().all(|guard| guard.admits(guard.function.value(index, &floors)));
        Ok(admitted.then(|| self.position.value(index, &floors)))
    }
}
