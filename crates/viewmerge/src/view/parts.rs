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
pub struct ViewParts {
    /// The sizes of the axes.
    pub shape: Vec<i64>,
    /// The strides in elements; `None` for contiguous ones.
    #[cfg_attr(feature = "serde", serde(default))]
    pub strides: Option<Vec<i64>>,
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

/// The same form as that of its parts, without a copy of them.
#[cfg(feature = "serde")]
impl serde::Serialize for View {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeStruct;
        let mut parts = serializer.serialize_struct("ViewParts", 4)?;
        parts.serialize_field("shape", self.shape())?;
        parts.serialize_field("strides", self.strides())?;
        parts.serialize_field("offset", &self.offset())?;
        parts.serialize_field("mask", self.validity())?;
        parts.end()
    }
}

#[cfg(feature = "serde")]
mod mask {
    //! `null`, `[[lo,hi],..]` or `"nothing"`.

    use core::fmt;

    use serde::de::value::SeqAccessDeserializer;
    use serde::de::{Deserialize, Deserializer, Error, SeqAccess, Visitor};
    use serde::ser::{Serialize, Serializer};

    use crate::dims::Bounds;
    use crate::view::Validity;

    impl Serialize for Validity {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            match self {
                Validity::All => serializer.serialize_none(),
                Validity::Box(bounds) => serializer.collect_seq(bounds),
                Validity::Nothing => serializer.serialize_str("nothing"),
            }
        }
    }

    impl<'de> Deserialize<'de> for Validity {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Validity, D::Error> {
            deserializer.deserialize_any(MaskVisitor)
        }
    }

    struct MaskVisitor;

    impl<'de> Visitor<'de> for MaskVisitor {
        type Value = Validity;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a mask: null, a list of [lo, hi] or the word \"nothing\"")
        }

        fn visit_unit<E: Error>(self) -> Result<Validity, E> {
            Ok(Validity::All)
        }

        fn visit_none<E: Error>(self) -> Result<Validity, E> {
            Ok(Validity::All)
        }

        fn visit_str<E: Error>(self, word: &str) -> Result<Validity, E> {
            match word {
                "nothing" => Ok(Validity::Nothing),
                other => Err(E::invalid_value(serde::de::Unexpected::Str(other), &self)),
            }
        }

        fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<Validity, A::Error> {
            Bounds::deserialize(SeqAccessDeserializer::new(list)).map(Validity::Box)
        }
    }
}
