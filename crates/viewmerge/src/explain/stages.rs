//! The views of a chain, and the ops that made them.

use alloc::vec::Vec;

use super::reasons::{Reason, reasons};
use super::steps::{DigitStep, carrying};
use crate::chain::Applied;
use crate::error::Error;
use crate::limit::Meter;
use crate::movement::Movement;
use crate::view::View;

/// A view of a chain, and the ops that made it.
///
/// ```
/// use viewmerge::{Limit, ViewChain};
///
/// let chain: ViewChain = "(2,3) | permute(1,0) | reshape(6) | flip(0)".parse()?;
/// let stage = &chain.explain(&Limit::none())?.stages[1];
/// assert_eq!(stage.view.to_string(), "(6):(-1)+5");
/// assert_eq!(stage.ops[1].to_string(), "flip(0)");
/// assert!(stage.added);
/// # Ok::<(), viewmerge::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Stage {
    /// The view.
    pub view: View,
    /// The ops whose result it is, if known, in order.
    pub ops: Vec<Movement>,
    /// Whether the first of these ops added the view, because one view could not hold its result.
    /// Otherwise the view was given, and the ops acted on it.
    pub added: bool,
}

/// A regrouping op whose result is one view.
///
/// ```
/// use viewmerge::{Limit, Reason, ViewChain};
///
/// let chain: ViewChain = "(2,3,4) | reshape(6,4)".parse()?;
/// let held = &chain.explain(&Limit::none())?.regrouped[0];
/// assert_eq!(held.op.to_string(), "reshape(6,4)");
/// assert_eq!(held.because[0], Reason::Contiguous { view: 0, outer: 0, inner: 1 });
/// # Ok::<(), viewmerge::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Regrouped {
    /// The op.
    pub op: Movement,
    /// The view it acted on; reasons and steps call it view 0.
    pub before: View,
    /// Why the result is one view.
    pub because: Vec<Reason>,
    /// Steps that show it.
    pub steps: Vec<DigitStep>,
}

/// The views of a chain with their ops.
pub(super) fn stages(views: &[View], ops: &[Applied]) -> Vec<Stage> {
    let given = |view| Stage { view, ops: Vec::new(), added: false };
    let mut stages: Vec<Stage> = views.iter().cloned().map(given).collect();
    for Applied { op, view, added, .. } in ops {
        if let Some(stage) = stages.get_mut(*view) {
            stage.added |= added;
            stage.ops.push(op.clone());
        }
    }
    stages
}

/// The regrouping ops that did not add a view, and why they did not need to.
pub(super) fn regrouped(
    views: &[View],
    ops: &[Applied],
    meter: &mut Meter<'_>,
) -> Result<Vec<Regrouped>, Error> {
    let mut found = Vec::new();
    for (number, Applied { op, before, view, added }) in ops.iter().enumerate() {
        // The result is what the next op on that view acted on.
        let later = ops[number + 1..].iter().find(|later| later.view == *view && !later.added);
        let Some(after) = later.map(|later| &later.before).or(views.get(*view)) else { continue };
        let top = match op {
            Movement::Reshape(_) | Movement::Flatten(..) | Movement::Unflatten(..) => {
                View::contiguous(after.shape())?
            }
            Movement::AsStrided { shape, strides, offset } => {
                View::strided(shape, strides, *offset)?
            }
            _ => continue,
        };
        if *added || top.shape() == before.shape() && top.is_contiguous() {
            continue;
        }
        let pair = [before.clone(), top];
        let because = reasons(&pair, after, meter)?;
        let steps = carrying(&pair, after, &because);
        found.push(Regrouped { op: op.clone(), before: before.clone(), because, steps });
    }
    Ok(found)
}
