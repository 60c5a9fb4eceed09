//! The axes of a view, fused where they are contiguous to each other.
//!
//! The groups are what is left between the broken levels of the view's
//! staircase, so there is one rule for all: two neighbouring axes are one where
//! the outer stride is the inner size times the inner stride, and an axis with a
//! single valid index takes the stride for which that holds.
//!
//! Running example: `(3,2,4):(8,0,1) [0:3,1:2,0:4]` is `(24):(1)`: its middle axis
//! has one valid index, takes the stride 4, and then the first axis continues it.
//! With the stride 0 the first axis is a broadcast, and stays apart.
//!
//! Proved: `fuse_sound`, `fuse_necessary`, `unit_axes_drop`
//! (proofs/theories/Staircase.v), for positions; not for masks.

use alloc::vec::Vec;

use crate::staircase::rises;
use crate::view::View;

/// Neighbouring axes that can be fused.
///
/// ```
/// use viewmerge::{MergedDim, merge_dims};
///
/// let groups = merge_dims(&"(2,3)".parse()?);
/// assert_eq!(groups.as_slice(), [MergedDim { size: 6, stride: 1, real_size: 6 }]);
/// # Ok::<(), viewmerge::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct MergedDim {
    /// The product of the sizes.
    pub size: i64,
    /// The stride of the last axis.
    pub stride: i64,
    /// How many elements in memory back the group: the product of the sizes of
    /// those axes that have more than one valid index, 0 for a broadcast.
    pub real_size: i64,
}

/// The groups of axes that are contiguous to each other, first axis first.
///
/// An axis joins the one behind it when its stride is that one's size times
/// stride, or when it has a single valid index; it is then treated as contiguous for the axis
/// before it. Unit axes vanish. A view without elements is one group of size 0.
///
/// ```
/// use viewmerge::{View, merge_dims};
///
/// let triples = |view: &str| -> Result<Vec<_>, viewmerge::Error> {
///     let view: View = view.parse()?;
///     Ok(merge_dims(&view).iter().map(|d| (d.size, d.stride, d.real_size)).collect())
/// };
/// assert_eq!(triples("(2,2,2):(4,2,1)")?, [(8, 1, 8)]);
/// assert_eq!(triples("(2,2,2):(0,0,1)")?, [(4, 0, 0), (2, 1, 2)]);
/// assert_eq!(triples("(2,3):(0,1) [1:2,0:2]")?, [(6, 1, 3)]);
/// # Ok::<(), viewmerge::Error>(())
/// ```
#[must_use]
pub fn merge_dims(view: &View) -> Vec<MergedDim> {
    let mut groups: Vec<MergedDim> = Vec::new();
    if view.is_empty() {
        groups.push(MergedDim { size: 0, stride: 0, real_size: 0 });
        return groups;
    }
    for rise in rises(view, true) {
        let (size, stride) = (rise.size, rise.stride);
        let walked = if rise.interval.1 - rise.interval.0 > 1 { size } else { 1 };
        let fuses = rise.is_free() || rise.contiguous == Some(stride.into());
        match groups.last_mut() {
            Some(group) if fuses => {
                group.size *= size;
                group.real_size *= walked;
            }
            // Above a broken level, and at the end, the axis has its own stride.
            _ => {
                let real_size = if stride == 0 { 0 } else { walked };
                groups.push(MergedDim { size, stride, real_size });
            }
        }
    }
    groups.reverse();
    groups
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups() {
        type Row = (&'static str, &'static [(i64, i64, i64)]);
        let rows: [Row; 20] = [
            ("(2,3,4):(12,4,1)", &[(24, 1, 24)]),
            ("(2,3,4):(0,4,1)", &[(2, 0, 0), (12, 1, 12)]),
            ("(2,3,4):(0,0,1)", &[(6, 0, 0), (4, 1, 4)]),
            ("(2,3,4):(3,1,0)", &[(6, 1, 6), (4, 0, 0)]),
            ("(2,3,4):(0,0,0)", &[(24, 0, 0)]),
            ("(2,3):(0,1) [1:2,0:2]", &[(6, 1, 3)]),
            ("(2,3):(0,1) [0:1,0:2]", &[(6, 1, 3)]),
            ("(2,2,3):(0,0,1) [1:2,1:2,0:2]", &[(12, 1, 3)]),
            ("(3,2):(1,0) [0:2,1:2]", &[(3, 1, 3), (2, 0, 0)]),
            // A broadcast in front of an axis with one valid index stays a broadcast.
            ("(3,2,4):(0,0,1) [0:3,1:2,0:4]", &[(3, 0, 0), (8, 1, 4)]),
            ("(2,3,2,4):(0,0,0,1) [0:2,0:3,1:2,0:4]", &[(6, 0, 0), (8, 1, 4)]),
            // An axis with one valid index takes the stride that fuses on both sides.
            ("(3,2,4):(8,0,1) [0:3,1:2,0:4]", &[(24, 1, 12)]),
            ("(5,3,2,4):(24,8,0,1) [0:5,0:3,1:2,0:4]", &[(120, 1, 60)]),
            ("(3,2,4):(9,0,1) [0:3,1:2,0:4]", &[(3, 9, 3), (8, 1, 4)]),
            ("(3,2):(2,0) [0:3,1:2]", &[(3, 2, 3), (2, 0, 0)]),
            ("(1,4,1,3,1):(0,3,0,1,0)", &[(12, 1, 12)]),
            ("(4,3):(-3,-1)+11", &[(12, -1, 12)]),
            ("()", &[]),
            ("(1,1)", &[]),
            ("(2,0,3)", &[(0, 0, 0)]),
        ];
        for (text, expected) in rows {
            let view: View = text.parse().expect(text);
            let found: Vec<_> =
                merge_dims(&view).iter().map(|d| (d.size, d.stride, d.real_size)).collect();
            assert_eq!(found, expected, "{text}");
        }
    }
}
