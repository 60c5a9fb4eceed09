//! Why a chain is one view.
//!
//! On the box of valid indices nothing is padding, and the last view passes an affine position
//! down the chain. At each view one of three things holds for two neighbouring axes: they are
//! contiguous to each other; every step along an axis of the last view carries between them
//! equally often; or the carries vary, but their jumps cancel. The next position is then affine
//! again. Otherwise a view further down undoes the damage, and that run of views is one view only
//! as a whole.
//!
//! Running example: `(10,3,3):(8,1,2)` through `(4):(4)`. The step from (2) carries
//! from axis 2 into axis 1 and from axis 1 into axis 0 once more often than the first step
//! does, which adds −5 and 5.
//!
//! Cost: a decision for every view, and a floor test for every level.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use core::fmt;

use super::levels::{AxisLevel, Carry, levels};
use crate::dims::{Dims, Index};
use crate::error::Error;
use crate::floor::Floor;
use crate::limit::Meter;
use crate::merge::one_view;
use crate::region::Affine;
use crate::text::{Signed, listed, tuple};
use crate::view::View;

/// One reason why a chain is one view. Views are counted from the memory side.
///
/// ```
/// use viewmerge::{Limit, Reason, ViewChain};
///
/// let chain: ViewChain = "(2,3) | reshape(6)".parse()?;
/// assert_eq!(chain.explain(&Limit::none())?.because, [Reason::Single]);
/// let chain: ViewChain = "(2,3) | (6)".parse()?;
/// assert_eq!(chain.explain(&Limit::none())?.because, [Reason::Contiguous { view: 0, outer: 0, inner: 1 }]);
/// # Ok::<(), viewmerge::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(tag = "kind", rename_all = "snake_case"))]
#[non_exhaustive]
pub enum Reason {
    /// There is only one view.
    Single,
    /// No index is valid.
    NothingValid,
    /// A view has no two axes longer than 1, so nothing carries in it.
    Line {
        /// Which view.
        view: usize,
    },
    /// Two neighbouring axes are contiguous to each other, so carrying from one into the other
    /// makes no difference.
    Contiguous {
        /// Which view.
        view: usize,
        /// The outer axis.
        outer: usize,
        /// The inner axis.
        inner: usize,
    },
    /// An axis has one valid index, so its stride has no effect.
    OneIndex {
        /// Which view.
        view: usize,
        /// The axis.
        axis: usize,
    },
    /// Every step along an axis of the last view carries from one axis into the other, or none
    /// does.
    Steady {
        /// Which view.
        view: usize,
        /// The outer axis.
        outer: usize,
        /// The inner axis.
        inner: usize,
        /// For each axis of the last view, whether its steps carry: 0, or 1, or −1 where the
        /// position falls.
        carries: Vec<i64>,
    },
    /// Some steps carry and others do not, but the jumps cancel.
    Cancel {
        /// Which view.
        view: usize,
        /// The axis of the last view along which the step is taken.
        axis: usize,
        /// Where the first such step starts.
        at: Dims,
        /// The carries there that the first step along the axis does not have, or the other way
        /// round; innermost axes first.
        overflows: Vec<Carry>,
    },
    /// A run of views is one view only as a whole: its upper views alone are not.
    Together {
        /// The lowest of the views.
        first: usize,
        /// The uppermost.
        last: usize,
    },
}

impl fmt::Display for Reason {
    /// A clause: `axis 1 of view 0 never carries into axis 0`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let clause = clauses(core::slice::from_ref(self), true).pop();
        f.write_str(&clause.unwrap_or_default())
    }
}

/// Why the views merge to `merged`.
pub(super) fn reasons(
    views: &[View],
    merged: &View,
    meter: &mut Meter<'_>,
) -> Result<Vec<Reason>, Error> {
    let (top, below) = views.split_last().ok_or(Error::EmptyChain)?;
    if below.is_empty() {
        return Ok(vec![Reason::Single]);
    }
    let Some(bounds) = merged.valid_box() else { return Ok(vec![Reason::NothingValid]) };
    let low = bounds.low();
    let mut found = Vec::new();
    // The position passed down so far, and the end of the views that it has not passed.
    let (mut through, mut end) = (top.shrink(&bounds)?, below.len());
    for number in (0..below.len()).rev() {
        // The whole chain is known to be one view.
        let next = match number {
            0 => Some(merged.clone()),
            _ => one_view(&below[number..end], &through, meter)?,
        };
        let Some(next) = next else { continue };
        if end == number + 1 {
            add_levels(&below[number], number, &through, &low, &mut found);
        } else {
            found.push(Reason::Together { first: number, last: end - 1 });
        }
        (through, end) = (next, number);
    }
    Ok(found)
}

/// What each level of a view does to the positions passed down, given that both are one view.
fn add_levels(view: &View, number: usize, through: &View, low: &Index, found: &mut Vec<Reason>) {
    let levels = levels(view);
    if levels.is_empty() {
        found.push(Reason::Line { view: number });
    }
    let position = Affine { base: through.offset(), slope: through.strides().into() };
    let extent = through.shape();
    let mut open: Vec<(&AxisLevel, Floor)> = Vec::new();
    for level in &levels {
        let AxisLevel { outer, inner, .. } = *level;
        if level.free {
            found.push(Reason::OneIndex { view: number, axis: outer });
        } else if level.jump == 0 {
            found.push(Reason::Contiguous { view: number, outer, inner });
        } else {
            let floor = Floor::new(&position, extent, level.modulus);
            if floor.is_affine() {
                // Not counting the digits of the step itself.
                let beyond = |(slope, step): (&i64, &i64)| slope - step / level.modulus;
                let carries = floor.quotient.slope.iter().zip(through.strides());
                let carries = carries.map(beyond).collect();
                found.push(Reason::Steady { view: number, outer, inner, carries });
            } else {
                open.push((level, floor));
            }
        }
    }
    // Each level that is left overflows somewhere, and other levels cancel it there.
    while let Some((axis, at)) = open
        .iter()
        .filter_map(|(_, floor)| floor.first_overflow(extent, (0..extent.len()).rev()))
        .min_by(|a, b| a.1.cmp(&b.1))
    {
        let step = |index: &Dims| {
            let from = through.affine(index);
            (from, from + through.strides()[axis])
        };
        let (here, first) = (step(&at), step(&low.iter().map(|_| 0).collect()));
        let overflow = |level: &AxisLevel| {
            level.carried(level.carry(here.0, here.1) - level.carry(first.0, first.1))
        };
        let overflows: Vec<Carry> = levels.iter().rev().filter_map(overflow).collect();
        let before = open.len();
        open.retain(|(level, _)| overflow(level).is_none());
        if open.len() == before {
            return;
        }
        let at = at.iter().zip(low.iter()).map(|(i, lo)| i + lo).collect();
        found.push(Reason::Cancel { view: number, axis, at, overflows });
    }
}

/// The reasons as clauses; `named` if they say which view they are about.
pub(super) fn clauses(reasons: &[Reason], named: bool) -> Vec<String> {
    let of = |view: &usize| if named { format!(" of view {view}") } else { String::new() };
    let mut found = Vec::new();
    let mut place = 0;
    while let Some(reason) = reasons.get(place) {
        place += 1;
        found.push(match reason {
            Reason::Single => "there is only one view".to_string(),
            Reason::NothingValid => "no index is valid".to_string(),
            Reason::Line { view } => {
                let view = if named { format!("view {view}") } else { "it".to_string() };
                format!("{view} has no two axes longer than 1, so nothing carries")
            }
            Reason::Contiguous { view, outer, inner } => {
                // Pairs that share an axis become one clause.
                let mut axes = vec![*outer, *inner];
                while let Some(Reason::Contiguous { view: same, outer, inner }) = reasons.get(place)
                    && same == view
                    && axes.last() == Some(outer)
                {
                    axes.push(*inner);
                    place += 1;
                }
                format!(
                    "axes {}{} can be fused: a carry between them adds nothing",
                    listed(&axes),
                    of(view)
                )
            }
            Reason::OneIndex { view, axis } => {
                let view = of(view);
                format!("axis {axis}{view} has one valid index, so its stride has no effect")
            }
            Reason::Steady { view, outer, inner, carries } => {
                let view = of(view);
                let along = carries.iter().enumerate().filter(|(_, carry)| **carry != 0);
                let along: Vec<usize> = along.map(|(axis, _)| axis).collect();
                match along.as_slice() {
                    [] => format!("axis {inner}{view} never carries into axis {outer}"),
                    _ => format!(
                        "axis {inner}{view} carries into axis {outer} at every step along {} {}",
                        if along.len() == 1 { "axis" } else { "axes" },
                        listed(&along)
                    ),
                }
            }
            Reason::Cancel { at, overflows, .. } => {
                // A negative count is a carry that only the first step has.
                let compared = match overflows.iter().any(|carry| carry.extra < 0) {
                    true => format!("at {}, compared with the first step: ", tuple(at)),
                    false => String::new(),
                };
                let added: Vec<_> = overflows.iter().map(|carry| Signed(carry.added())).collect();
                let more = matches!(reasons.get(place), Some(Reason::Cancel { .. }));
                let everywhere = if more { "" } else { ", here and at every other step" };
                format!("{compared}{} cancel{everywhere}", listed(&added))
            }
            Reason::Together { first, last } => {
                let and = if last.saturating_sub(*first) == 1 { "and" } else { "to" };
                format!("views {first} {and} {last} are one view only together")
            }
        });
    }
    found
}
