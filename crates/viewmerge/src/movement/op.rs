//! Movement ops as data, so that a file or a request can hold a list of them.
//!
//! As JSON an op is its name and its argument:
//! `["reshape",[2,3]]`, `["pad",[[1,0],[0,0]]]`, `["flip",[1]]`.

use crate::error::Error;
use crate::merge::Verdict;
use crate::view::View;

/// One movement op with its argument.
///
/// ```
/// use viewmerge::{Movement, ViewChain};
///
/// let ops: Vec<Movement> = serde_json::from_str(r#"[["permute",[1,0]],["reshape",[6]]]"#)?;
/// let mut chain = ViewChain::contiguous(&[2, 3])?;
/// for op in &ops {
///     chain = chain.apply(op)?;
/// }
/// assert_eq!(chain.views().len(), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Movement {
    /// [`View::reshape`] to this shape.
    Reshape(Vec<i64>),
    /// [`View::permute`] into this order of axes.
    Permute(Vec<i64>),
    /// [`View::expand`] to this shape.
    Expand(Vec<i64>),
    /// [`View::pad`] by (before, after) on every axis.
    Pad(Vec<(i64, i64)>),
    /// [`View::shrink`] to `lo..hi` on every axis.
    Shrink(Vec<(i64, i64)>),
    /// [`View::flip`] of these axes.
    Flip(Vec<i64>),
    /// [`View::step`] by these steps.
    Step(Vec<i64>),
}

impl View {
    /// Applies an op; only a reshape can fail to give one view.
    ///
    /// ```
    /// use viewmerge::{Movement, View};
    ///
    /// let flipped = View::contiguous(&[3])?.apply(&Movement::Flip(vec![0]))?;
    /// assert_eq!(flipped.view().unwrap().to_string(), "(3):(-1)+2");
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    pub fn apply(&self, op: &Movement) -> Result<Verdict, Error> {
        let view = match op {
            Movement::Reshape(shape) => return self.reshape(shape),
            Movement::Permute(axes) => self.permute(axes),
            Movement::Expand(shape) => self.expand(shape),
            Movement::Pad(amounts) => self.pad(amounts),
            Movement::Shrink(bounds) => self.shrink(bounds),
            Movement::Flip(axes) => self.flip(axes),
            Movement::Step(steps) => self.step(steps),
        };
        view.map(Verdict::Merged)
    }
}

#[cfg(feature = "serde")]
mod json {
    use std::fmt;

    use serde::de::{Deserialize, Deserializer, Error, SeqAccess, Visitor};
    use serde::ser::{Serialize, Serializer};

    use super::Movement;

    const NAMES: [&str; 7] = ["reshape", "permute", "expand", "pad", "shrink", "flip", "step"];

    impl Serialize for Movement {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            match self {
                Movement::Reshape(shape) => ("reshape", shape).serialize(serializer),
                Movement::Permute(axes) => ("permute", axes).serialize(serializer),
                Movement::Expand(shape) => ("expand", shape).serialize(serializer),
                Movement::Pad(amounts) => ("pad", amounts).serialize(serializer),
                Movement::Shrink(bounds) => ("shrink", bounds).serialize(serializer),
                Movement::Flip(axes) => ("flip", axes).serialize(serializer),
                Movement::Step(steps) => ("step", steps).serialize(serializer),
            }
        }
    }

    impl<'de> Deserialize<'de> for Movement {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Movement, D::Error> {
            deserializer.deserialize_tuple(2, OpVisitor)
        }
    }

    struct OpVisitor;

    impl<'de> Visitor<'de> for OpVisitor {
        type Value = Movement;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("an op as [name, argument]")
        }

        fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Movement, A::Error> {
            fn argument<'de, A: SeqAccess<'de>, T: Deserialize<'de>>(
                list: &mut A,
            ) -> Result<T, A::Error> {
                let missing = || A::Error::invalid_length(1, &"an op as [name, argument]");
                list.next_element()?.ok_or_else(missing)
            }
            let name: String = list
                .next_element()?
                .ok_or_else(|| A::Error::invalid_length(0, &"an op as [name, argument]"))?;
            let list = &mut list;
            Ok(match name.as_str() {
                "reshape" => Movement::Reshape(argument(list)?),
                "permute" => Movement::Permute(argument(list)?),
                "expand" => Movement::Expand(argument(list)?),
                "pad" => Movement::Pad(argument(list)?),
                "shrink" => Movement::Shrink(argument(list)?),
                "flip" => Movement::Flip(argument(list)?),
                "step" => Movement::Step(argument(list)?),
                other => return Err(A::Error::unknown_variant(other, &NAMES)),
            })
        }
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn ops_round_trip() {
            let text = r#"[["reshape",[2,-1]],["permute",[1,0]],["expand",[3]],["pad",[[1,0]]],["shrink",[[0,2]]],["flip",[0]],["step",[2]]]"#;
            let ops: Vec<Movement> = serde_json::from_str(text).expect("reads");
            assert_eq!(ops.len(), NAMES.len());
            assert_eq!(serde_json::to_string(&ops).expect("writes"), text);
        }

        #[test]
        fn mistakes_are_named() {
            let rows = [
                (r#"["roll",[1]]"#, "unknown variant `roll`"),
                (r#"["pad",[1]]"#, "expected a tuple of size 2"),
                (r#"["flip"]"#, "an op as [name, argument]"),
                (r#"["flip",[0],1]"#, "trailing characters"),
                (r#"{"flip":[0]}"#, "an op as [name, argument]"),
            ];
            for (text, part) in rows {
                let error = serde_json::from_str::<Movement>(text).expect_err(text).to_string();
                assert!(error.contains(part), "{text}: {error}");
            }
        }
    }
}
