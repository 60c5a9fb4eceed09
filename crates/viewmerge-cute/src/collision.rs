//! Whether two positions of a layout share a value.
//!
//! Decided on the view of the layout; where shapes and strides do not show the answer at once, by a system
//! of equations; never by listing.

use viewmerge::Limit;

use crate::error::Error;
use crate::layout::Layout;

/// Whether no value occurs twice.
///
/// # Errors
///
/// If the limit is reached first.
///
/// ```
/// use viewmerge_cute::{Limit, is_injective};
///
/// assert!(is_injective(&"(3,2):(2,3)".parse()?, &Limit::none())?);
/// assert!(!is_injective(&"(4,3):(2,3)".parse()?, &Limit::none())?);
/// # Ok::<(), viewmerge_cute::Error>(())
/// ```
pub fn is_injective(layout: &Layout, limit: &Limit<'_>) -> Result<bool, Error> {
    Ok(layout.view()?.is_injective(limit)?)
}

/// Two coordinates with the same value, if there are any; one number for each flattened mode.
///
/// # Errors
///
/// If the limit is reached first.
///
/// ```
/// use viewmerge_cute::{Limit, collision};
///
/// let found = collision(&"(4,3):(2,3)".parse()?, &Limit::none())?;
/// assert_eq!(found, Some([vec![3, 0], vec![0, 2]]));
/// # Ok::<(), viewmerge_cute::Error>(())
/// ```
pub fn collision(layout: &Layout, limit: &Limit<'_>) -> Result<Option<[Vec<i64>; 2]>, Error> {
    let found = layout.view()?.collision(limit)?;
    Ok(found.map(|indices| indices.map(|index| index.iter().rev().copied().collect())))
}
