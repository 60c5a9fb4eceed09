//! What a step along an axis does to the digits of a view below: which axes carry, and what that
//! adds.
//!
//! Running example: `(10,3,3):(8,1,2)` through `(4):(4)`. The step from (2) to (3) leads from
//! position 8 to 12, the digits from (0,2,2) to (1,1,0). A step of 4 is (0,1,1) in digits; axis 2
//! overflows from 2 + 1 to 0 and carries into axis 1, which adds 1 - 3*2 = -5; axis 1 overflows
//! from 2 + 1 + 1 to 1 and carries into axis 0, which adds 8 - 3*1 = 5.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use super::levels::{Carry, levels};
use super::reasons::Reason;
use crate::dims::{Index, ravel_within, unravel};
use crate::text::Signed;
use crate::view::View;

/// A step along an axis of a chain's last view, and what it does to the digits of a view below.
///
/// ```
/// use viewmerge::{Limit, ViewChain};
///
/// let chain: ViewChain = "(10,3,3):(8,1,2) | (4):(4)".parse()?;
/// let steps = chain.explain(&Limit::none())?.steps;
/// assert_eq!(
///     steps[1].to_string(),
///     "(2) → (3) is +3: digits of view 0 (0,2,2) → (1,1,0), \
///      axis 2 carries into axis 1 (−5), axis 1 carries into axis 0 (+5)",
/// );
/// # Ok::<(), viewmerge::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct DigitStep {
    /// The axis of the last view.
    pub axis: usize,
    /// The index it starts from.
    pub at: Index,
    /// How far memory moves.
    pub step: i64,
    /// The view whose digits these are, counted from the memory side.
    pub view: usize,
    /// The digits it starts from.
    pub from: Index,
    /// The digits it leads to.
    pub to: Index,
    /// The carries between axes that are not contiguous to each other, the innermost axes first.
    pub carries: Vec<Carry>,
}

impl DigitStep {
    /// The step along an axis from an index; `None` if a view above rejects one of its ends.
    pub(super) fn new(
        chain: &[View],
        view: usize,
        axis: usize,
        at: &Index,
        step: i64,
    ) -> Option<DigitStep> {
        let depth = chain.len().checked_sub(view + 1)?;
        let digits = |index: &Index| descend(chain.iter(), index).into_iter().nth(depth);
        let ends = [digits(at)?, digits(&at.moved(axis, 1))?];
        let [from, to] = ends.each_ref().map(|digits| ravel_within(chain[view].shape(), digits));
        // Not counting the digits of the step itself.
        let carries = levels(&chain[view])
            .into_iter()
            .rev()
            .filter_map(|level| level.carried(level.carry(from, to) - (to - from) / level.modulus));
        let carries = carries.collect();
        let [from, to] = ends;
        Some(DigitStep { axis, at: at.clone(), step, view, from, to, carries })
    }

    /// In words; `of` is which view's digits these are.
    pub(super) fn told(&self, of: &str) -> String {
        let DigitStep { axis, at, step, from, to, carries, .. } = self;
        let next = at.moved(*axis, 1);
        let carries: String = carries.iter().map(|carry| format!(", {carry}")).collect();
        format!("{at} → {next} is {}: digits{of} {from} → {to}{carries}", Signed(*step))
    }
}

impl fmt::Display for DigitStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.told(&format!(" of view {}", self.view)))
    }
}

/// The digits that an index of the last view has in each view, the last one first, down to the
/// one that rejects it.
pub(super) fn descend<'a>(
    views: impl DoubleEndedIterator<Item = &'a View> + Clone,
    index: &Index,
) -> Vec<Index> {
    let mut digits = vec![index.clone()];
    for (view, below) in views.clone().rev().zip(views.rev().skip(1)) {
        let position = view.index(&digits[digits.len() - 1]);
        let Ok(Some(position)) = position else { break };
        let Ok(next) = unravel(below.shape(), position) else { break };
        digits.push(next);
    }
    digits
}

/// The steps that show why a chain is one view: those whose carries cancel, and the first step to
/// compare with; or the first step along an axis, if every step carries.
pub(super) fn carrying(chain: &[View], merged: &View, because: &[Reason]) -> Vec<DigitStep> {
    let Some(bounds) = merged.valid_box() else { return Vec::new() };
    let low = bounds.low();
    let mut steps: Vec<DigitStep> = Vec::new();
    let mut add = |view: usize, axis: usize, at: &Index| {
        let known = |s: &DigitStep| s.view == view && s.axis == axis && s.at == *at;
        if !steps.iter().any(known) {
            let step = merged.strides().get(axis).copied().unwrap_or(0);
            steps.extend(DigitStep::new(chain, view, axis, at, step));
        }
    };
    for reason in because {
        match reason {
            Reason::Cancel { view, axis, at, .. } => {
                add(*view, *axis, &low);
                add(*view, *axis, &Index::new(at.clone()));
            }
            Reason::Steady { view, carries, .. } => {
                if let Some(axis) = carries.iter().position(|c| *c != 0) {
                    add(*view, axis, &low);
                }
            }
            _ => {}
        }
    }
    steps
}
