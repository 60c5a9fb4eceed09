//! Where a position carries from one axis of a view into the next, and the jump there.
//!
//! These are the levels of the staircase, together with the axes they lie between.
//!
//! Running example: `(10,3,3):(8,1,2)` carries from axis 2 into axis 1 at every multiple of 3, a
//! jump of 1 − 3·2 = −5, and from axis 1 into axis 0 at every multiple of 9, a jump of
//! 8 − 3·1 = 5.

use alloc::vec::Vec;
use core::fmt;

use crate::staircase::{Rise, rises};
use crate::text::Signed;
use crate::view::View;

/// A level, and the two neighbouring axes longer than 1 that it lies between.
pub(super) struct AxisLevel {
    pub outer: usize,
    pub inner: usize,
    /// The position carries at every multiple of this.
    pub modulus: i64,
    /// What a carry adds, compared with contiguous axes.
    pub jump: i128,
    /// Whether the outer axis has one valid index, so that any stride suits it.
    pub free: bool,
}

impl AxisLevel {
    /// How often a step from one position to another carries.
    pub(super) fn carry(&self, from: i64, to: i64) -> i64 {
        to / self.modulus - from / self.modulus
    }

    /// This number of extra carries, if they have an effect.
    pub(super) fn carried(&self, extra: i64) -> Option<Carry> {
        let (outer, inner, jump) = (self.outer, self.inner, self.jump);
        (extra != 0 && jump != 0).then_some(Carry { outer, inner, jump, extra })
    }
}

/// The levels of a view that has elements, the outermost first.
pub(super) fn levels(view: &View) -> Vec<AxisLevel> {
    let rises: Vec<Rise> = rises(view, true).collect();
    let level = |(inner, outer): (&Rise, &Rise)| AxisLevel {
        outer: outer.axis,
        inner: inner.axis,
        modulus: outer.behind,
        jump: match outer.contiguous {
            Some(contiguous) if !outer.is_free() => i128::from(outer.stride) - contiguous,
            _ => 0,
        },
        free: outer.is_free(),
    };
    rises.iter().zip(rises.iter().skip(1)).map(level).rev().collect()
}

/// A carry from one axis into another. In a [`Reason`](crate::Reason) it is relative to the first
/// step along an axis, in a [`DigitStep`](crate::DigitStep) to the digits of the step itself.
///
/// ```
/// use viewmerge::{Carry, Limit, Reason, ViewChain};
///
/// let chain: ViewChain = "(10,3,3):(8,1,2) | (4):(4)".parse()?;
/// let because = chain.explain(&Limit::none())?.because;
/// let Reason::Cancel { at, overflows, .. } = &because[0] else { unreachable!() };
/// assert_eq!(at.as_slice(), [2]);
/// let Carry { outer, inner, jump, .. } = overflows[0];
/// assert_eq!((outer, inner, jump), (1, 2, -5));
/// let Carry { outer, inner, jump, .. } = overflows[1];
/// assert_eq!((outer, inner, jump), (0, 1, 5));
/// # Ok::<(), viewmerge::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Carry {
    /// The outer axis.
    pub outer: usize,
    /// The inner axis.
    pub inner: usize,
    /// What one carry adds.
    #[cfg_attr(feature = "serde", serde(with = "super::wide_integer"))]
    pub jump: i128,
    /// How many carries more: 1 or −1.
    pub extra: i64,
}

impl fmt::Display for Carry {
    /// `axis 2 carries into axis 1 (−5)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Carry { outer, inner, .. } = self;
        write!(f, "axis {inner} carries into axis {outer} ({})", Signed(self.added()))
    }
}

impl Carry {
    /// What it adds.
    pub(super) fn added(&self) -> i128 {
        self.jump.saturating_mul(self.extra.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::staircase::Staircase;

    #[test]
    fn they_are_those_of_the_staircase() {
        let rows = [
            "(10,3,3):(8,1,2)",
            "(2,3,4)",
            "(2,1,3):(6,0,1)",
            "(2,4,3):(3,0,1) [0:2,1:2,0:3]",
            "(3,2,4):(8,0,1) [0:3,1:2,0:4]",
            "(3,2):(2,0) [0:3,1:2]",
            "()",
            "(4,5):(0,1)",
        ];
        for text in rows {
            let view: View = text.parse().expect(text);
            let broken = levels(&view).into_iter().rev().filter(|level| level.jump != 0);
            let found: Vec<_> = broken.map(|level| (level.modulus, level.jump)).collect();
            let stairs = Staircase::new(&view);
            let expected: Vec<_> = stairs.levels.iter().map(|l| (l.modulus, l.jump)).collect();
            assert_eq!(found, expected, "{text}");
        }
    }
}
