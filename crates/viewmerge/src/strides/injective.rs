//! Whether elements of a strided array overlap.

use crate::dims::check_rank;
use crate::error::Error;
use crate::limit::Limit;
use crate::strides::AxisNumber;
use crate::strides::reshape::strided;
use crate::view::View;

/// Whether no two indices share an element; strides count elements.
///
/// The answer is exact, as that of [`View::is_injective`].
///
/// # Errors
///
/// [`Error::Undecided`] if the limit is reached first; [`Error::RankMismatch`] if there is not
/// one stride for each axis; those of [`View::strided`] for a shape that is none and positions outside ±2^62.
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
) -> Result<bool, Error> {
    check_rank("strides", shape.len(), strides.len())?;
    strided(shape, strides)?.is_injective(limit)
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
) -> Result<bool, Error> {
    check_rank("strides", shape.len(), strides.len())?;
    let elements = strided(shape, strides)?;
    let item = super::size_of(shape.len(), item_size)?;
    let with_bytes = |list: &[i64], last: i64| {
        let mut longer = crate::dims::Dims::from_slice(list);
        longer.push(last);
        longer
    };
    let (shape, strides) = (with_bytes(elements.shape(), item), with_bytes(elements.strides(), 1));
    View::strided(&shape, &strides, 0)?.is_injective(limit)
}
