//! Open strides in the view above as well: case by case.
//!
//! The strides of v₂ decide which positions of v₁ are reached, and so which digits
//! overflow: the conditions on both together are not linear. But v₂ must stay
//! within v₁: an axis of e valid indices with stride τ reaches (e − 1)·|τ| further,
//! less than v₁ has elements. So an open stride of v₂ takes finitely many values,
//! and for each of them the conditions on v₁ are linear again.
//!
//! Running example: `(4,3)` through `(3):(?)`. There are 12 elements, so τ is at most
//! 5; with 0, 1, 3 and 4 all strides of v₁ merge, with 2 and 5 those with σ₁ = 3σ₂.
//!
//! Cost: one set of conditions per case.

use alloc::vec::Vec;

use super::{Conditions, OpenChain, StridePattern};
use crate::dims::Indices;
use crate::error::Error;
use crate::limit::Limit;
use crate::view::View;

/// One choice of the strides of the view above, and the conditions it leads to.
///
/// ```
/// use viewmerge::{Limit, conditions_by_case};
///
/// let cases = conditions_by_case(&"(4,3)".parse()?, &"(3):(?)".parse()?, 100, &Limit::none())?;
/// assert_eq!(cases[2].above.to_string(), "(3):(2)");
/// assert_eq!(cases[2].conditions.solved(), ["σ₁ = 3σ₂"]);
/// # Ok::<(), viewmerge::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Case {
    /// The view above.
    pub above: View,
    /// For which strides of the view below it merges.
    pub conditions: Conditions,
}

/// The strides of `below` for which it merges with `above`, for every choice of
/// the open strides of `above` that composes with it, in order.
///
/// The stride of an axis with at most one valid index has no effect; if open, it is taken as 0.
/// Refuses to try more than `most` choices. The limit covers all of them together.
///
/// # Errors
///
/// [`Error::TooManyCases`] if there are more than `most`; for each of them as
/// [`OpenChain::conditions`](crate::OpenChain::conditions).
///
/// ```
/// use viewmerge::{Limit, conditions_by_case};
///
/// let cases = conditions_by_case(&"(4,3)".parse()?, &"(3):(?)".parse()?, 100, &Limit::none())?;
/// let free = cases.iter().filter(|case| case.conditions.equations().is_empty());
/// let free: Vec<_> = free.map(|case| case.above.strides()[0]).collect();
/// assert_eq!(free, [0, 1, 3, 4]);
/// let refused = conditions_by_case(&"(4,3)".parse()?, &"(3):(?)".parse()?, 4, &Limit::none()).unwrap_err();
/// assert_eq!(refused.kind(), "too_many_cases");
/// # Ok::<(), viewmerge::Error>(())
/// ```
pub fn conditions_by_case(
    below: &StridePattern,
    above: &StridePattern,
    most: u64,
    limit: &Limit<'_>,
) -> Result<Vec<Case>, Error> {
    let mut meter = limit.meter();
    meter.spend(1)?;
    let room = below.frame().count() - 1;
    let valid = above.frame().valid_box();
    // The largest size of each open stride.
    let reach = |axis: usize| match valid.as_ref().map(|bounds| bounds[axis]) {
        Some((lo, hi)) if hi - lo > 1 => room.max(0) / (hi - lo - 1),
        _ => 0,
    };
    let open = (0..above.shape().len()).filter(|&axis| above.strides()[axis].is_none());
    let most_of: Vec<i64> = open.map(reach).collect();
    let cases = most_of.iter().fold(1u128, |product, &most| {
        product.saturating_mul(2 * u128::from(most.unsigned_abs()) + 1)
    });
    if cases > u128::from(most) {
        return Err(Error::TooManyCases { what: "strides", cases, most });
    }
    // As many as `cases`, which `most` bounds, and in order: the last stride fastest.
    let sizes: Vec<i64> = most_of.iter().map(|most| 2 * most + 1).collect();
    let mut found = Vec::new();
    for index in Indices::new(&sizes, i64::try_from(cases).unwrap_or(i64::MAX)) {
        let strides: Vec<i64> = index.iter().zip(&most_of).map(|(i, most)| i - most).collect();
        let chain = above.filled(&strides).and_then(|view| OpenChain::new(below.clone(), &[view]));
        match chain {
            Ok(chain) => {
                let conditions = Conditions::of(&chain, &mut meter)?;
                let above = chain.last().clone();
                found.push(Case { above, conditions });
            }
            // No such view exists, or it does not compose with `below`.
            Err(error) if error.is_unwritable() => {}
            Err(Error::NotComposable { .. }) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cases() {
        let found = |below: &str, above: &str| -> Vec<String> {
            let (below, above) = (below.parse().expect(below), above.parse().expect(above));
            let cases = conditions_by_case(&below, &above, 1000, &Limit::none()).expect("few");
            cases.iter().map(|c| format!("{} {}", c.above, c.conditions.outcome())).collect()
        };
        assert_eq!(
            found("(2,3):(?,1)", "(2):(?)+2"),
            [
                "(2):(-2)+2 all strides merge",
                "(2):(-1)+2 all strides merge",
                "(2):(0)+2 all strides merge",
                "(2):(1)+2 all strides merge",
                "(2):(2)+2 all strides merge",
                "(2):(3)+2 all strides merge",
            ]
        );
        // An axis of one index, and a view without valid ones, take one stride.
        assert_eq!(found("(2,3)", "(1,2):(?,3)").len(), 1);
        assert_eq!(found("(2,3)", "(4):(?) nothing").len(), 1);
        assert_eq!(found("(2,0)", "(2,0):(?,?)").len(), 1);
        // A stride that is given may leave no case at all.
        assert_eq!(found("(2,3)", "(3,2):(9,?)"), [""; 0]);
    }
}
