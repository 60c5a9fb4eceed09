//! A chain of numbers alone, as the concrete library decides it.

use viewmerge::{Limit, Validity, ViewChain};

use crate::engine::Outcome;
use crate::poly::Poly;
use crate::stage::Stage;

/// Steps of the concrete library for one chain.
const STEPS: u64 = 4_000;

/// What a chain without parameters is; `None` if it has some.
pub(crate) fn concretely(stages: &[Stage]) -> Option<Outcome> {
    let views = stages.iter().map(|stage| stage.with_values(Poly::as_number).ok());
    let chain = ViewChain::from_views(&views.collect::<Option<Vec<_>>>()?).ok()?;
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
