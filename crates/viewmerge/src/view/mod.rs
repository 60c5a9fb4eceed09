//! A view: a shape, strides, an offset and a validity over flat memory.
//!
//! Running example: `(10,3,3):(8,1,2)+5` maps the index (i, j, k) to memory
//! position 5 + 8i + j + 2k. With `[0:10,1:3,0:3]` behind it, indices with
//! j = 0 are padding and touch no memory.
//!
//! Everything that must hold of a view is established here, at construction,
//! and nowhere else: see the invariants on [`View`].
//!
//! Proved: `canonical_equal`, `canonicalize_correct` (proofs/theories/Canonical.v).

// In the order of the type's page: how a view is made, then what it says.
mod build;

pub(crate) mod notation;
mod parts;
mod positions;
pub(crate) mod spans;
mod validity;

pub use parts::ViewParts;
pub use validity::Validity;
pub(crate) use validity::box_or_nothing;

use crate::dims::Dims;

/// One view: a function from the indices of a shape to memory positions or padding.
///
/// A view sends a valid index `i` to `offset + Σ strides[j]·i[j]`; any other
/// index of the shape is padding. Views are canonical, so **`a == b` holds
/// exactly when the two views are the same function**.
///
/// # Invariants
///
/// Construction establishes these; the code cites them by number.
///
/// - **V1** Shape, strides and a mask's bounds have the same length.
/// - **V2** Sizes are at least 0 and the shape has at most 2^62 elements.
/// - **V3** A shape without elements has validity *all* (it has no indices, so all are vacuously
///   valid), strides 0 and offset 0.
/// - **V4** A *nothing* view has elements, strides 0 and offset 0.
/// - **V5** A *box* has 0 ≤ lo < hi ≤ size on every axis, and is smaller than the whole shape.
/// - **V6** An axis with a single valid index has stride 0; the offset accounts for it.
/// - **V7** Every index of the shape, valid or not, maps into ±2^62, and any
///   two of them to positions less than 2^63 apart.
///
/// From V2 and V7: any stride of an axis of size 2 or more, any position, and
/// any difference of two positions fits an `i64`; `size·stride` and sums of
/// such terms over all axes fit an `i128`.
///
/// ```
/// use viewmerge::View;
///
/// // The stride of a unit axis cannot be observed, so it does not count.
/// assert_eq!(
///     View::strided(&[4, 1], &[1, 7], 0)?,
///     View::strided(&[4, 1], &[1, 0], 0)?,
/// );
/// # Ok::<(), viewmerge::Error>(())
/// ```
#[derive(PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "ViewParts"))]
pub struct View {
    shape: Dims,
    strides: Dims,
    offset: i64,
    #[cfg_attr(feature = "serde", serde(rename = "mask"))]
    validity: Validity,
}

/// Copies the lists as a whole, not number by number.
impl Clone for View {
    fn clone(&self) -> View {
        View {
            shape: Dims::from_slice(&self.shape),
            strides: Dims::from_slice(&self.strides),
            offset: self.offset,
            validity: self.validity.clone(),
        }
    }
}
