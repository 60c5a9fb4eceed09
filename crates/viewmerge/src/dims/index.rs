//! Indices and boxes: lists with an entry for each axis, as they appear in the public API.
//!
//! Both read as slices. For the shapes of real programs they need no heap; how is an
//! implementation detail.

use core::fmt;
use core::ops::{Deref, DerefMut};

use alloc::format;
use alloc::vec::Vec;
use smallvec::SmallVec;

use crate::dims::Dims;
use crate::text::{joined, tuple};

/// An index of a shape: one number for each axis.
///
/// ```
/// let index = viewmerge::unravel(&[2, 3], 4)?;
/// assert_eq!(index, [1, 1]);
/// assert_eq!(index.to_string(), "(1,1)");
/// assert_eq!(index.iter().sum::<i64>(), 2);
/// # Ok::<(), viewmerge::Error>(())
/// ```
#[derive(PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Index(Dims);

impl Index {
    pub(crate) fn new(numbers: Dims) -> Index {
        Index(numbers)
    }

    /// The index with another coordinate on one axis.
    pub(crate) fn with(&self, axis: usize, coordinate: i64) -> Index {
        let mut changed = self.clone();
        changed[axis] = coordinate;
        changed
    }

    /// The index that far along an axis.
    pub(crate) fn moved(&self, axis: usize, by: i64) -> Index {
        let mut moved = self.clone();
        if let Some(coordinate) = moved.get_mut(axis) {
            *coordinate = coordinate.saturating_add(by);
        }
        moved
    }
}

impl fmt::Display for Index {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&tuple(self))
    }
}

/// A box of indices: one half-open interval `(lo, hi)` for each axis.
///
/// ```
/// let view: viewmerge::View = "(4,3) [1:3,0:3]".parse()?;
/// let bounds = view.valid_box().unwrap();
/// assert_eq!(bounds, [(1, 3), (0, 3)]);
/// assert_eq!(bounds.to_string(), "[1:3,0:3]");
/// # Ok::<(), viewmerge::Error>(())
/// ```
#[derive(PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Bounds(SmallVec<[(i64, i64); INLINE_INTERVALS]>);

/// Masks are rarer than axes, and twice as long: with room for as many intervals as
/// axes, every view would be a quarter larger.
const INLINE_INTERVALS: usize = 4;

impl Bounds {
    /// The first index of a box that has any.
    pub(crate) fn low(&self) -> Index {
        self.iter().map(|(lo, _)| *lo).collect()
    }
}

impl fmt::Display for Bounds {
    /// `[1:3,0:3]`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let intervals = self.iter().map(|(lo, hi)| format!("{lo}:{hi}"));
        write!(f, "[{}]", joined(intervals, ","))
    }
}

/// What both lists share: they read as slices, compare with slices, and collect from iterators.
macro_rules! reads_as_slice {
    ($list:ident, $item:ty) => {
        impl $list {
            /// The list as a slice.
            ///
            /// ```
            /// assert_eq!(viewmerge::Index::from([1, 2]).as_slice(), [1, 2]);
            /// assert_eq!(viewmerge::Bounds::from([(0, 2)]).as_slice(), [(0, 2)]);
            /// ```
            #[must_use]
            pub fn as_slice(&self) -> &[$item] {
                &self.0
            }
        }

        /// Copies the list as a whole, not item by item.
        impl Clone for $list {
            fn clone(&self) -> $list {
                $list(SmallVec::from_slice(&self.0))
            }
        }

        impl Deref for $list {
            type Target = [$item];

            fn deref(&self) -> &[$item] {
                &self.0
            }
        }

        impl DerefMut for $list {
            fn deref_mut(&mut self) -> &mut [$item] {
                &mut self.0
            }
        }

        impl fmt::Debug for $list {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_list().entries(self.iter()).finish()
            }
        }

        impl FromIterator<$item> for $list {
            fn from_iter<T: IntoIterator<Item = $item>>(items: T) -> $list {
                $list(items.into_iter().collect())
            }
        }

        impl From<&[$item]> for $list {
            fn from(items: &[$item]) -> $list {
                $list(SmallVec::from_slice(items))
            }
        }

        impl<const N: usize> From<[$item; N]> for $list {
            fn from(items: [$item; N]) -> $list {
                $list(SmallVec::from_slice(&items))
            }
        }

        impl From<Vec<$item>> for $list {
            fn from(items: Vec<$item>) -> $list {
                $list(SmallVec::from_vec(items))
            }
        }

        impl From<$list> for Vec<$item> {
            fn from(list: $list) -> Vec<$item> {
                list.0.into_vec()
            }
        }

        impl<'a> IntoIterator for &'a $list {
            type Item = &'a $item;
            type IntoIter = core::slice::Iter<'a, $item>;

            fn into_iter(self) -> Self::IntoIter {
                self.iter()
            }
        }

        impl<const N: usize> PartialEq<[$item; N]> for $list {
            fn eq(&self, other: &[$item; N]) -> bool {
                **self == *other
            }
        }
    };
}

reads_as_slice!(Index, i64);
reads_as_slice!(Bounds, (i64, i64));
