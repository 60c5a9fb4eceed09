//! The levels of a view by its axes: where a position carries from one axis into the next, and by
//! how much the two fail to be contiguous.
//!
//! These are the levels of the staircase, with the axes they lie between.
//!
//! Running example: `(10,3,3):(8,1,2)` carries from axis 2 into axis 1 at every multiple of 3, a
//! jump of 1 − 3·2 = −5, and from axis 1 into axis 0 at every multiple of 9, a jump of
//! 8 − 3·1 = 5.

use alloc::vec::Vec;

use crate::staircase::rises;
use crate::view::View;

/// Two neighbouring axes longer than 1.
pub(super) struct AxisLevel {
    pub outer: usize,
    pub inner: usize,
    /// The position carries at every multiple of this.
    pub modulus: i64,
    /// The stride of the outer axis.
    pub stride: i64,
    /// The stride it would have if it were contiguous to the inner one.
    pub contiguous: i128,
    /// Whether the outer axis has one valid index, so that any stride suits it.
    pub free: bool,
}

impl AxisLevel {
    /// What a carry adds to what contiguous axes would give.
    pub(super) fn jump(&self) -> i128 {
        if self.free { 0 } else { i128::from(self.stride) - self.contiguous }
    }

    /// How often a step from one position to another carries.
    pub(super) fn carry(&self, from: i64, to: i64) -> i64 {
        to / self.modulus - from / self.modulus
    }
}

/// The levels of a view that has elements, the outermost first.
pub(super) fn levels(view: &View) -> Vec<AxisLevel> {
    let mut levels = Vec::new();
    let mut inner: Option<usize> = None;
    for rise in rises(view, true) {
        if let (Some(inner), Some(contiguous)) = (inner, rise.contiguous) {
            levels.push(AxisLevel {
                outer: rise.axis,
                inner,
                modulus: rise.behind,
                stride: rise.stride,
                contiguous,
                free: rise.is_free(),
            });
        }
        inner = Some(rise.axis);
    }
    levels.reverse();
    levels
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
            let broken = levels(&view).into_iter().rev().filter(|level| level.jump() != 0);
            let found: Vec<_> = broken.map(|level| (level.modulus, level.jump())).collect();
            let stairs = Staircase::new(&view);
            let expected: Vec<_> = stairs.levels.iter().map(|l| (l.modulus, l.jump)).collect();
            assert_eq!(found, expected, "{text}");
        }
    }
}
