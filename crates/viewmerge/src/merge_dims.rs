//! The axes of a view, joined where memory runs through.
//!
//! Proved: `fuse_sound`, `fuse_necessary`, `unit_axes_drop`
//! (proofs/theories/Staircase.v), for positions; not for masks.

use alloc::vec::Vec;

use crate::view::View;

/// Neighbouring axes that step through memory as one.
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
    /// How many elements in memory back the group: the size without the axes
    /// that have a single valid index, 0 for a broadcast.
    pub real_size: i64,
}

/// The groups of axes that are contiguous to each other, first axis first.
///
/// An axis joins the one behind it when its stride is that one's size times
/// stride, or when it has a single valid index. Unit axes vanish. A view
/// without elements is one group of size 0.
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
    let mut single = false;
    for (axis, (&size, &stride)) in view.shape().iter().zip(view.strides()).enumerate() {
        if size == 1 {
            continue;
        }
        let backed = |elements: i64| if stride == 0 { 0 } else { elements };
        match groups.last_mut() {
            // The axes in front all have one valid index: any stride suits them.
            Some(last) if single => {
                *last = MergedDim { size: last.size * size, stride, real_size: backed(size) };
            }
            Some(last) if i128::from(last.stride) == i128::from(size) * i128::from(stride) => {
                let real_size = backed(last.real_size * size);
                *last = MergedDim { size: last.size * size, stride, real_size };
            }
            _ => groups.push(MergedDim { size, stride, real_size: backed(size) }),
        }
        let (lo, hi) = view.interval(axis);
        single = hi - lo == 1;
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups() {
        type Row = (&'static str, &'static [(i64, i64, i64)]);
        let rows: [Row; 14] = [
            ("(2,3,4):(12,4,1)", &[(24, 1, 24)]),
            ("(2,3,4):(0,4,1)", &[(2, 0, 0), (12, 1, 12)]),
            ("(2,3,4):(0,0,1)", &[(6, 0, 0), (4, 1, 4)]),
            ("(2,3,4):(3,1,0)", &[(6, 1, 6), (4, 0, 0)]),
            ("(2,3,4):(0,0,0)", &[(24, 0, 0)]),
            ("(2,3):(0,1) [1:2,0:2]", &[(6, 1, 3)]),
            ("(2,3):(0,1) [0:1,0:2]", &[(6, 1, 3)]),
            ("(2,2,3):(0,0,1) [1:2,1:2,0:2]", &[(12, 1, 3)]),
            ("(3,2):(1,0) [0:2,1:2]", &[(3, 1, 3), (2, 0, 0)]),
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
