//! Views with affine guards: what a padded convolution's window is.
//!
//! A box mask cannot express `2 <= i + k < 17`, a slab across two axes. A guarded view is a view
//! with a list of such conditions beside its box: no division, no chain.

use alloc::vec::Vec;

use super::program::Program;
use super::{Guard, IndexForm, Linear};
use viewmerge::internal::check_rank;
use viewmerge::{Error, Indices, View};

/// A view some of whose indices are padding because of affine conditions.
///
/// ```
/// use viewmerge_index::IndexChain;
/// use viewmerge::{Limit, ViewChain};
///
/// // A window of 3 over a row of 15, padded by 2 at the front and 1 behind.
/// let window: ViewChain = "(18):(1)-2 [2:17] | (16,3):(1,1)".parse()?;
/// assert!(!window.merge()?.is_merged());
/// let guarded = window.guarded(&Limit::none())?.unwrap();
/// assert_eq!(guarded.to_string(), "(16,3):(1,1)-2 if 2 <= i0 + i1 < 17");
/// assert_eq!(guarded.index(&[0, 1])?, None);
/// assert_eq!(guarded.index(&[0, 2])?, Some(0));
/// # Ok::<(), viewmerge::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "Parts", into = "Parts"))]
pub struct GuardedView {
    view: View,
    guards: Vec<Guard>,
}

impl IndexForm {
    /// The guarded view that this form is, if it has no floors.
    ///
    /// # Errors
    ///
    /// [`Error::OffsetRange`] and [`Error::IndexRange`] if the view without its guards leaves
    /// the bounds of a view.
    ///
    /// ```
    /// use viewmerge_index::IndexChain;
    /// use viewmerge::Limit;
    ///
    /// let form = viewmerge::ViewChain::contiguous(&[2, 3])?.form(&Limit::none())?;
    /// assert_eq!(form.guarded()?.unwrap().guards(), []);
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    pub fn guarded(&self) -> Result<Option<GuardedView>, Error> {
        if !self.floors().is_empty() {
            return Ok(None);
        }
        Ok(Some(GuardedView { view: self.affine_view()?, guards: self.guards().to_vec() }))
    }
}

impl GuardedView {
    /// A view with guards `(coefficients, lower, upper)`: an index is valid
    /// where the view is and `lower ≤ Σ coefficients·index < upper`.
    ///
    /// # Errors
    ///
    /// [`RankMismatch`](viewmerge::strides::Error::RankMismatch) unless a guard has a coefficient for each axis,
    /// [`Error::ExpressionRange`] if the expression needs numbers beyond 64 bits.
    ///
    /// ```
    /// use viewmerge_index::GuardedView;
    ///
    /// let square = "(3,3)".parse()?;
    /// let upper = GuardedView::new(square, &[(&[-1, 1], Some(0), None)])?;
    /// assert_eq!(upper.index(&[1, 2])?, Some(5));
    /// assert_eq!(upper.index(&[2, 1])?, None);
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    pub fn new(
        view: View,
        guards: &[(&[i64], Option<i64>, Option<i64>)],
    ) -> Result<GuardedView, Error> {
        let guards = guards.iter().map(|&(coefficients, lower, upper)| {
            check_rank("guard", view.rank(), coefficients.len())?;
            let function = Linear::new(0, view.rank(), coefficients.iter().copied());
            Ok(Guard { function, lower, upper })
        });
        let guards = guards.collect::<Result<_, Error>>()?;
        GuardedView::with(view, guards)
    }

    /// Refuses numbers that do not fit.
    pub(crate) fn with(view: View, guards: Vec<Guard>) -> Result<GuardedView, Error> {
        let guarded = GuardedView { view, guards };
        guarded.to_form()?;
        Ok(guarded)
    }

    /// The view without the guards.
    ///
    /// ```
    /// use viewmerge_index::IndexChain;
    /// use viewmerge::Limit;
    ///
    /// let chain = viewmerge::ViewChain::contiguous(&[2, 3])?;
    /// assert_eq!(chain.guarded(&Limit::none())?.unwrap().view(), chain.last());
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    #[must_use]
    pub fn view(&self) -> &View {
        &self.view
    }

    /// The guards, which use no floors.
    ///
    /// ```
    /// use viewmerge_index::IndexChain;
    /// use viewmerge::Limit;
    ///
    /// let chain = viewmerge::ViewChain::contiguous(&[2, 3])?;
    /// assert!(chain.guarded(&Limit::none())?.unwrap().guards().is_empty());
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    #[must_use]
    pub fn guards(&self) -> &[Guard] {
        &self.guards
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
    /// let chain = viewmerge::ViewChain::contiguous(&[2, 3])?;
    /// assert_eq!(chain.guarded(&Limit::none())?.unwrap().index(&[1, 2])?, Some(5));
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    pub fn index(&self, index: &[i64]) -> Result<Option<i64>, Error> {
        let position = self.view.index(index)?;
        Ok(position.filter(|_| self.guards.iter().all(|guard| guard.holds(index))))
    }

    /// The memory position of every index in row-major order, `None` for padding.
    ///
    /// ```
    /// use viewmerge_index::IndexChain;
    /// use viewmerge::Limit;
    ///
    /// let chain: viewmerge::ViewChain = "(4):(1) [1:4] | (2,2):(1,1)".parse()?;
    /// let guarded = chain.guarded(&Limit::none())?.unwrap();
    /// assert!(guarded.positions().eq([None, Some(1), Some(1), Some(2)]));
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    pub fn positions(&self) -> impl Iterator<Item = Option<i64>> + '_ {
        let indices = Indices::new(self.view.shape(), self.view.count());
        indices.map(|index| self.index(&index).ok().flatten())
    }

    /// The same as a form, for rendering.
    ///
    /// # Errors
    ///
    /// [`Error::ExpressionRange`] if the expression needs numbers beyond 64 bits; none for a
    /// guarded view of this library.
    ///
    /// ```
    /// use viewmerge_index::IndexChain;
    /// use viewmerge::Limit;
    ///
    /// let chain = viewmerge::ViewChain::contiguous(&[2, 3])?;
    /// assert_eq!(chain.guarded(&Limit::none())?.unwrap().to_form()?, chain.form(&Limit::none())?);
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    pub fn to_form(&self) -> Result<IndexForm, Error> {
        let program = Program { guards: self.guards.clone(), ..Program::of_view(&self.view) };
        IndexForm::new(self.view.shape(), self.view.validity().clone(), program)
    }
}

/// How a guarded view is written: the view and a list of guards.
#[cfg(feature = "serde")]
#[derive(serde::Serialize, serde::Deserialize)]
struct Parts {
    view: View,
    guards: Vec<GuardParts>,
}

#[cfg(feature = "serde")]
#[derive(serde::Serialize, serde::Deserialize)]
struct GuardParts {
    coefficients: Vec<i64>,
    lower: Option<i64>,
    upper: Option<i64>,
}

#[cfg(feature = "serde")]
impl TryFrom<Parts> for GuardedView {
    type Error = Error;

    fn try_from(parts: Parts) -> Result<GuardedView, Error> {
        let guards: Vec<_> =
            parts.guards.iter().map(|g| (g.coefficients.as_slice(), g.lower, g.upper)).collect();
        GuardedView::new(parts.view, &guards)
    }
}

#[cfg(feature = "serde")]
impl From<GuardedView> for Parts {
    fn from(guarded: GuardedView) -> Parts {
        let guards = guarded.guards.iter().map(|guard| GuardParts {
            coefficients: guard.function.axes().to_vec(),
            lower: guard.lower,
            upper: guard.upper,
        });
        Parts { guards: guards.collect(), view: guarded.view }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chain::IndexChain;
    use crate::render::{Language, Render};
    use lattice_point::Limit;
    use viewmerge::ViewChain;

    #[test]
    fn numbers_that_do_not_fit_are_refused() {
        let rows: [(&[i64], Option<i64>, Option<i64>); 4] = [
            (&[i64::MIN, 0], None, Some(3)),
            (&[0, i64::MIN], None, Some(3)),
            (&[1, 0], Some(i64::MIN), None),
            (&[i64::MAX, 1], Some(0), None),
        ];
        for (coefficients, lower, upper) in rows {
            let view = View::contiguous(&[1, 5]).expect("small");
            let found = GuardedView::new(view, &[(coefficients, lower, upper)]);
            assert_eq!(found.map_err(|e| e.kind()), Err("expression_range"), "{coefficients:?}");
        }
        let view = View::contiguous(&[2]).expect("small");
        let refused = GuardedView::new(view, &[(&[1, 1], None, None)]);
        assert_eq!(refused.map_err(|e| e.kind()), Err("rank_mismatch"));
    }

    #[test]
    fn a_bound_decides_the_width_too() {
        let view = View::contiguous(&[5]).expect("small");
        let guarded = GuardedView::new(view, &[(&[1], None, Some(1 << 31))]).expect("fits");
        let text = guarded.render(&Render::new(Language::Rust)).expect("Rust");
        assert!(text.starts_with("fn at(i0: i64)"), "{text}");
    }

    #[test]
    fn json_round_trips() {
        let chain: ViewChain = "(18):(1)-2 [2:17] | (16,3):(1,1)".parse().expect("is read");
        let guarded = chain.guarded(&Limit::none()).expect("small").expect("no floors");
        #[cfg(feature = "serde")]
        {
            let text = serde_json::to_string(&guarded).expect("is written");
            assert_eq!(serde_json::from_str::<GuardedView>(&text).expect("is read"), guarded);
        }
        let form = guarded.to_form().expect("small");
        assert_eq!(form.guarded(), Ok(Some(guarded)));
    }
}
