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
//! | floors, guards and values of them | `program.rs` |
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
pub(crate) mod program;
mod samples;
mod search;

pub use guarded::GuardedView;
pub use linear::Linear;
pub use program::{FloorTerm, Guard};

use build::of_chain;
use lattice_point::Meter;
use program::{Point, Program};
use viewmerge::internal::{Dims, Intervals, check_chain, check_index, one_view, one_view_at_once};
use viewmerge::{Error, Validity, View};

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
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "json::Parts", into = "json::Parts"))]
pub struct IndexForm {
    shape: Dims,
    validity: Validity,
    program: Program,
    /// The largest magnitude of any number and any sum, at any index of the shape.
    max_magnitude: i64,
}

impl IndexForm {
    /// The form of views that compose, with the fewest floors.
    pub(crate) fn of_chain(chain: &[View], meter: &mut Meter<'_>) -> Result<IndexForm, Error> {
        let (top, below) = chain.split_last().ok_or(Error::EmptyChain)?;
        meter.spend(1)?;
        // `Some(None)` is not one view, or one that cannot be written down.
        let at_once = one_view_at_once(below, top);
        match at_once {
            Some(Some(view)) => IndexForm::of_view(&view),
            _ => IndexForm::build(below, top, Some((meter, at_once.is_some()))),
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
        IndexForm::new(view.shape(), view.validity().clone(), Program::of_view(view))
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
        let (top, below) = chain.split_last().ok_or(Error::EmptyChain)?;
        IndexForm::build(below, top, None)
    }

    /// With a meter the fewest floors and guards are searched for, and first, unless it is known to be
    /// none, the one view that it is.
    fn build(
        below: &[View],
        top: &View,
        searched: Option<(&mut Meter<'_>, bool)>,
    ) -> Result<IndexForm, Error> {
        let nothing = || IndexForm::of_view(&View::nothing(top.shape())?);
        if !top.has_valid_index() || !below.iter().all(View::has_valid_index) {
            return nothing();
        }
        let Some(mut program) = of_chain(below, top)? else { return nothing() };
        if let Some((meter, is_no_view)) = searched {
            if !is_no_view
                && program.shows_no_view() != Some(true)
                && let Some(view) = one_view(below, top, meter)?
            {
                return IndexForm::of_view(&view);
            }
            if !program.floors.is_empty() && !program.search(meter)? {
                return nothing();
            }
        }
        let program = program.trimmed();
        let bounds: Intervals =
            program.axes.iter().map(|&(first, last)| (first, last + 1)).collect();
        IndexForm::new(top.shape(), Validity::within(top.shape(), &bounds), program)
    }

    /// Refuses sums that leave 64 bits at some index of the shape.
    fn new(shape: &[i64], validity: Validity, program: Program) -> Result<IndexForm, Error> {
        // Coefficients and bounds must fit as well, wherever they are looked at.
        let mut farthest: Point = shape.iter().map(|&size| (size - 1).max(1)).collect();
        let mut max_magnitude = 0i64;
        let mut measure = |function: &Linear, farthest: &[i64]| -> Result<i64, Error> {
            let (low, high) = function.interval(farthest.iter().map(|&x| (-x, x)));
            let sum = linear::narrow(high.max(low.saturating_neg()))?;
            max_magnitude = max_magnitude.max(sum);
            Ok(sum)
        };
        for floor in &program.floors {
            let operand = measure(&floor.operand, &farthest)?;
            farthest.push((operand / floor.divisor).max(1));
        }
        for guard in &program.guards {
            measure(&guard.function, &farthest)?;
            for bound in guard.lower.into_iter().chain(guard.upper) {
                measure(&Linear::always(bound, 0), &[])?;
            }
        }
        measure(&program.value, &farthest)?;
        Ok(IndexForm { shape: shape.into(), validity, program, max_magnitude })
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

    /// The first and last value of every axis within that box.
    pub(crate) fn ranges(&self) -> &[(i64, i64)] {
        &self.program.axes
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
        &self.program.floors
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
        &self.program.guards
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
        &self.program.value
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
        if !self.floors().is_empty() || !self.guards().is_empty() {
            return Ok(None);
        }
        self.affine_view().map(Some)
    }

    /// The view with the form's box and the affine part of its position.
    fn affine_view(&self) -> Result<View, Error> {
        let position = self.position();
        View::new(&self.shape, position.axes(), position.constant, self.validity.clone())
    }

    /// The memory position of an index, or `None` for padding.
    ///
    /// # Errors
    ///
    /// [`RankMismatch`](viewmerge::strides::Error::RankMismatch) and [`Error::IndexOutOfBounds`] for an index that is not of the
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
        let mut ranges = self.program.axes.iter().zip(index);
        let inside = ranges.all(|(&(first, last), i)| (first..=last).contains(i));
        if !inside || self.validity == Validity::Nothing {
            return Ok(None);
        }
        // Every number fits at every index of the shape.
        Ok(self.program.at(index).flatten())
    }
}
