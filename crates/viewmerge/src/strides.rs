//! The crate `viewmerge-strides`, and the questions that need the solver: why a reshape needs a
//! copy, and whether elements overlap.
//!
//! | question | function | cost |
//! |---|---|---|
//! | is this reshape a view, and with which strides? | [`reshape_strides`] | one walk over both shapes, no division |
//! | why not? | [`why_copy`] | that of [`View::reshape`] |
//! | the layout with its axes in another order | [`permuted`] | rank², on a handful of axes |
//! | the layout repeated along new and unit axes | [`broadcast`] | one walk |
//! | the fewest axes that walk the same elements in the same order | [`collapse()`] | one walk for each operand |
//! | do two indices share an element, or some of its bytes? | [`is_injective`], [`is_injective_bytes`] | that of [`View::is_injective`] |
//!
//! Strides may count elements or bytes, except where elements may overlap: [`is_injective`] takes
//! positions to be elements, [`is_injective_bytes`] takes them to be bytes.

pub use viewmerge_strides::{
    AxisNumber, Error, Reshape, broadcast, collapse, permuted, reshape_strides,
};

use crate::dims::{Dims, check_rank, element_count};
use crate::error::Error as Refusal;
use crate::limit::Limit;
use crate::view::View;
use crate::witness::Witness;
use viewmerge_strides::size_of;

/// Why a reshape is not a view: two steps along one axis that differ, which a view cannot have;
/// `None` if it is a view.
///
/// # Errors
///
/// Those of [`reshape_strides`]; and those of [`View::strided`] for positions outside ±2^62.
///
/// ```
/// use viewmerge::strides::why_copy;
///
/// let witness = why_copy(&[3usize, 2], &[1isize, 3], &[6])?;
/// let text = witness.map(|witness| witness.to_string());
/// assert_eq!(text.as_deref(), Some("the step along axis 0 is +3 at (0), but −2 at (1)"));
/// assert_eq!(why_copy(&[3usize, 2], &[2isize, 1], &[6])?, None);
/// # Ok::<(), viewmerge::Error>(())
/// ```
pub fn why_copy<A: AxisNumber, S: AxisNumber>(
    shape: &[A],
    strides: &[S],
    new_shape: &[A],
) -> Result<Option<Witness>, Refusal> {
    let view = View::from_layout(shape, strides, 0)?;
    // No size is inferred here.
    let new_shape = sizes(new_shape)?;
    element_count(&new_shape)?;
    let verdict = view.reshape(&new_shape)?;
    Ok(verdict.witness().cloned())
}

/// Whether no two indices share an element; strides count elements.
///
/// The answer is exact, as that of [`View::is_injective`].
///
/// # Errors
///
/// [`Refusal::Undecided`] if the limit is reached first; [`Error::RankMismatch`] if there is not
/// one stride for each axis; those of [`View::strided`] for a bad shape and positions outside ±2^62.
///
/// ```
/// use viewmerge::Limit;
/// use viewmerge::strides::is_injective;
///
/// // The rows interleave, and yet no two indices meet; with one more row they do.
/// assert!(is_injective(&[4usize, 4], &[3isize, 4], &Limit::none())?);
/// assert!(!is_injective(&[5usize, 4], &[3isize, 4], &Limit::none())?);
/// # Ok::<(), viewmerge::Error>(())
/// ```
pub fn is_injective<A: AxisNumber, S: AxisNumber>(
    shape: &[A],
    strides: &[S],
    limit: &Limit<'_>,
) -> Result<bool, Refusal> {
    View::from_layout(shape, strides, 0)?.is_injective(limit)
}

/// Whether the elements of no two indices share a byte; strides count bytes, and an element
/// is `item_size` of them.
///
/// # Errors
///
/// As for [`is_injective`]; an element is one more axis here, so `item_size` must be a size.
///
/// ```
/// use viewmerge::Limit;
/// use viewmerge::strides::is_injective_bytes;
///
/// // Elements of four bytes, two bytes apart.
/// assert!(!is_injective_bytes(&[3usize], &[2isize], 4, &Limit::none())?);
/// assert!(is_injective_bytes(&[3usize], &[2isize], 2, &Limit::none())?);
/// # Ok::<(), viewmerge::Error>(())
/// ```
pub fn is_injective_bytes<A: AxisNumber, S: AxisNumber>(
    shape: &[A],
    strides: &[S],
    item_size: A,
    limit: &Limit<'_>,
) -> Result<bool, Refusal> {
    let elements = View::from_layout(shape, strides, 0)?;
    let item = size_of(shape.len(), item_size)?;
    let (shape, strides) = (elements.shape(), elements.strides());
    View::strided(&[shape, &[item]].concat(), &[strides, &[1]].concat(), 0)?.is_injective(limit)
}

impl View {
    /// The view of a library's own sizes and strides, in whatever types it keeps them.
    ///
    /// # Errors
    ///
    /// As [`View::strided`], and [`NumberRange`](Error::NumberRange) for a size or stride beyond 64 bits.
    ///
    /// ```
    /// let view = viewmerge::View::from_layout(&[3u32, 2], &[1i32, 3], 5)?;
    /// assert_eq!(view.to_string(), "(3,2):(1,3)+5");
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    pub fn from_layout<A: AxisNumber, S: AxisNumber>(
        shape: &[A],
        strides: &[S],
        offset: i64,
    ) -> Result<View, Refusal> {
        check_rank("strides", shape.len(), strides.len())?;
        let shape = sizes(shape)?;
        let mut steps = Dims::new();
        for (axis, &stride) in strides.iter().enumerate() {
            // The stride of an axis with at most one index is never used.
            let unused = shape[axis] <= 1;
            let refusal = || Error::NumberRange { what: "stride", axis, number: stride.wide() };
            steps.push(if unused { 0 } else { stride.to_i64().ok_or_else(refusal)? });
        }
        View::strided(&shape, &steps, offset)
    }
}

fn sizes<A: AxisNumber>(shape: &[A]) -> Result<Dims, Refusal> {
    shape.iter().enumerate().map(|(axis, &size)| Ok(size_of(axis, size)?)).collect()
}
