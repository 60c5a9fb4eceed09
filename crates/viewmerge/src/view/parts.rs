//! The parts of a view as plain data, unchecked: what files and requests hold.
//!
//! As JSON a view is
//! `{"shape":[..],"strides":[..],"offset":0,"mask":null | [[lo,hi],..] | "nothing"}`;
//! `strides` left out (or null) means contiguous, `offset` left out 0, `mask` left out null.

use alloc::vec::Vec;

use crate::dims::{element_count, row_major};
use crate::error::Error;
use crate::view::{Validity, View};

/// The parts of a view before they are checked and made canonical.
///
/// ```
/// use viewmerge::{View, ViewParts};
///
/// let parts: ViewParts = serde_json::from_str(r#"{"shape":[2,1],"strides":[1,9]}"#)?;
/// assert_eq!(View::try_from(parts)?.to_string(), "(2,1):(1,0)");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct ViewParts<S = i64> {
    /// The sizes of the axes.
    pub shape: Vec<i64>,
    /// The strides in elements; `None` for contiguous ones.
    #[cfg_attr(feature = "serde", serde(default))]
    pub strides: Option<Vec<S>>,
    /// The memory position of the index (0, …, 0).
    #[cfg_attr(feature = "serde", serde(default))]
    pub offset: i64,
    /// Which indices are valid.
    #[cfg_attr(feature = "serde", serde(default, rename = "mask"))]
    pub validity: Validity,
}

impl TryFrom<ViewParts> for View {
    type Error = Error;

    fn try_from(parts: ViewParts) -> Result<View, Error> {
        let strides = match parts.strides {
            Some(strides) => strides.into(),
            None => {
                element_count(&parts.shape)?;
                row_major(&parts.shape)
            }
        };
        View::build(parts.shape.into(), strides, parts.offset.into(), parts.validity)
    }
}

impl From<View> for ViewParts {
    fn from(view: View) -> ViewParts {
        ViewParts {
            shape: view.shape.to_vec(),
            strides: Some(view.strides.to_vec()),
            offset: view.offset,
            validity: view.validity,
        }
    }
}
