//! What a chain is on one domain; where it has no parameters, as the concrete library decides it.

use viewmerge::{Limit, Validity, ViewChain};

use crate::poly::Poly;
use crate::stage::Stage;

/// Steps of the concrete library for one chain.
const STEPS: u64 = 4_000;

/// What the chain is on the domain.
#[derive(Clone, Debug)]
pub(crate) enum Outcome {
    /// One view: its position at the low corner of the valid box, a step for every axis (`None`
    /// where only one index is valid) and the valid interval of every axis.
    View {
        base: Poly,
        steps: Vec<Option<Poly>>,
        bounds: Vec<(Poly, Poly)>,
        /// The factors of every axis, slowest first, if the view is over a split shape; steps and bounds
        /// are then those of the factors. Empty if no axis is cut.
        cuts: Vec<Vec<Poly>>,
    },
    /// Valid nowhere.
    Nothing,
    /// The shape has no elements.
    Empty,
    /// Not one view.
    Never,
    Open,
}

/// A chain without parameters; `None` if it has some.
fn with_numbers(stages: &[Stage]) -> Option<ViewChain> {
    let views = stages.iter().map(|stage| stage.with_values(Poly::as_number).ok());
    ViewChain::from_views(&views.collect::<Option<Vec<_>>>()?).ok()
}

/// The longest length of an axis of the last view at which a chain is one view, and this view. The length is `most`
/// at most, and all other numbers are known.
pub(crate) fn longest(stages: &[Stage], axis: usize, most: i128) -> Option<(i128, Outcome)> {
    let (top, below) = stages.split_last()?;
    let at = |length: i128| {
        let mut top = top.clone();
        top.shape[axis] = Poly::number(length);
        [below, &[top]].concat()
    };
    let length = with_numbers(&at(most))?.longest_mergeable(axis, &Limit::steps(STEPS)).ok()?;
    let outcome = Outcome::of_numbers(&at(length.into()))?;
    // Elsewhere the end of a mask depends on the length.
    let whole = (Poly::zero(), Poly::number(length.into()));
    let is_whole = matches!(&outcome, Outcome::View { bounds, .. } if bounds[axis] == whole);
    is_whole.then_some((length.into(), outcome))
}

impl Outcome {
    /// What a chain without parameters is; `None` if it has some.
    pub(crate) fn of_numbers(stages: &[Stage]) -> Option<Outcome> {
        let chain = with_numbers(stages)?;
        let Some(view) = chain.merge_within(&Limit::steps(STEPS)).ok()?.into_view() else {
            return Some(Outcome::Never);
        };
        let bounds = match view.validity() {
            Validity::Nothing => return Some(Outcome::Nothing),
            Validity::Box(bounds) => bounds.to_vec(),
            Validity::All => view.shape().iter().map(|&size| (0, size)).collect(),
        };
        let number = |value: i64| Poly::number(value.into());
        let (mut base, mut steps) = (number(view.offset()), Vec::new());
        for (&stride, &(lo, hi)) in view.strides().iter().zip(&bounds) {
            base += number(stride) * i128::from(lo);
            steps.push((hi - lo > 1).then(|| number(stride)));
        }
        let bounds = bounds.into_iter().map(|(lo, hi)| (number(lo), number(hi))).collect();
        Some(Outcome::View { base, steps, bounds, cuts: Vec::new() })
    }
}
