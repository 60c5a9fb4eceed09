//! Ops in serde formats: the name and the list of arguments,
//! `["reshape",[2,3]]`, `["pad",[[1,0],[0,0]]]`, `["squeeze",[1]]`,
//! `["unflatten",[0,[2,-1]]]`, `["as_strided",[[4,3],[1,1],0]]`. A slice is its
//! text, `["slice",["1:","::-2"]]`.

use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

use serde::de::{Deserialize, Deserializer, Error, SeqAccess, Visitor};
use serde::ser::{Serialize, Serializer};

use crate::movement::{Movement, Slice};

impl Serialize for Movement {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let name = self.name();
        match self {
            Movement::Reshape(numbers)
            | Movement::Permute(numbers)
            | Movement::Expand(numbers)
            | Movement::Flip(numbers)
            | Movement::Step(numbers) => (name, numbers).serialize(serializer),
            Movement::Pad(pairs) | Movement::Shrink(pairs) => (name, pairs).serialize(serializer),
            Movement::Slice(slices) => (name, slices).serialize(serializer),
            Movement::Transpose(first, second) | Movement::Flatten(first, second) => {
                (name, (first, second)).serialize(serializer)
            }
            Movement::Squeeze(axis) | Movement::Unsqueeze(axis) => {
                (name, [axis]).serialize(serializer)
            }
            Movement::Unflatten(axis, sizes) => (name, (axis, sizes)).serialize(serializer),
            Movement::AsStrided { shape, strides, offset } => {
                (name, (shape, strides, offset)).serialize(serializer)
            }
        }
    }
}

impl<'de> Deserialize<'de> for Movement {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Movement, D::Error> {
        deserializer.deserialize_tuple(2, OpVisitor)
    }
}

const EXPECTED: &str = "an op as [name, argument]";

struct OpVisitor;

impl<'de> Visitor<'de> for OpVisitor {
    type Value = Movement;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(EXPECTED)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Movement, A::Error> {
        fn argument<'de, A: SeqAccess<'de>, T: Deserialize<'de>>(
            list: &mut A,
        ) -> Result<T, A::Error> {
            list.next_element()?.ok_or_else(|| A::Error::invalid_length(1, &EXPECTED))
        }
        let name: String =
            list.next_element()?.ok_or_else(|| A::Error::invalid_length(0, &EXPECTED))?;
        let list = &mut list;
        Ok(match name.as_str() {
            "reshape" => Movement::Reshape(argument(list)?),
            "permute" => Movement::Permute(argument(list)?),
            "expand" => Movement::Expand(argument(list)?),
            "flip" => Movement::Flip(argument(list)?),
            "step" => Movement::Step(argument(list)?),
            "pad" => Movement::Pad(argument(list)?),
            "shrink" => Movement::Shrink(argument(list)?),
            "slice" => Movement::Slice(argument(list)?),
            "transpose" => {
                let (first, second) = argument(list)?;
                Movement::Transpose(first, second)
            }
            "flatten" => match argument::<A, Vec<i64>>(list)?.as_slice() {
                [] => Movement::Flatten(0, -1),
                [first, last] => Movement::Flatten(*first, *last),
                other => {
                    let expected = &"the first and the last axis, or none";
                    return Err(A::Error::invalid_length(other.len(), expected));
                }
            },
            "squeeze" => {
                let [axis] = argument(list)?;
                Movement::Squeeze(axis)
            }
            "unsqueeze" => {
                let [axis] = argument(list)?;
                Movement::Unsqueeze(axis)
            }
            "unflatten" => {
                let (axis, sizes) = argument(list)?;
                Movement::Unflatten(axis, sizes)
            }
            "as_strided" => argument::<A, Strided>(list)?.0,
            other => return Err(A::Error::custom(Movement::unknown(other))),
        })
    }
}

/// The arguments of `as_strided`, the last of which may be left out.
struct Strided(Movement);

impl<'de> Deserialize<'de> for Strided {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Strided, D::Error> {
        deserializer.deserialize_seq(StridedVisitor)
    }
}

struct StridedVisitor;

impl<'de> Visitor<'de> for StridedVisitor {
    type Value = Strided;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("sizes, strides and, if not 0, an offset")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Strided, A::Error> {
        let missing = |place| A::Error::invalid_length(place, &self);
        let shape = list.next_element()?.ok_or_else(|| missing(0))?;
        let strides = list.next_element()?.ok_or_else(|| missing(1))?;
        let offset = list.next_element()?.unwrap_or(0);
        match list.next_element::<serde::de::IgnoredAny>()? {
            Some(_) => Err(missing(4)),
            None => Ok(Strided(Movement::AsStrided { shape, strides, offset })),
        }
    }
}

/// A slice is its text.
impl Serialize for Slice {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Slice {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Slice, D::Error> {
        deserializer.deserialize_str(SliceVisitor)
    }
}

struct SliceVisitor;

impl Visitor<'_> for SliceVisitor {
    type Value = Slice;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a slice such as \"1:\" or \"::-2\"")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Slice, E> {
        text.parse().map_err(|error: crate::Error| E::custom(error.to_string()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ops_round_trip() {
        let text = concat!(
            r#"[["reshape",[2,-1]],["permute",[1,0]],["expand",[3]],["pad",[[1,0]]],"#,
            r#"["shrink",[[0,2]]],["flip",[0]],["step",[2]],["flatten",[0,-1]],"#,
            r#"["unflatten",[0,[2,-1]]],["transpose",[0,1]],["slice",["1:","::-2",":-1"]],"#,
            r#"["squeeze",[1]],["unsqueeze",[0]],["as_strided",[[4,3],[1,1],0]]]"#,
        );
        let ops: Vec<Movement> = serde_json::from_str(text).expect("reads");
        assert_eq!(ops.len(), Movement::names().len());
        assert_eq!(serde_json::to_string(&ops).expect("writes"), text);
        for op in &ops {
            assert!(Movement::names().contains(&op.name()));
            assert_eq!(op.to_string().parse::<Movement>().as_ref(), Ok(op));
        }
    }

    #[test]
    fn mistakes_are_named() {
        let rows = [
            (r#"["roll",[1]]"#, "\"roll\" is no op, an op is one of reshape, flatten"),
            (r#"["premute",[1]]"#, "\"premute\" is no op, did you mean permute?"),
            (r#"["flatten",[1]]"#, "the first and the last axis, or none"),
            (r#"["as_strided",[[1]]]"#, "sizes, strides and, if not 0, an offset"),
            (r#"["as_strided",[[1],[1],0,0]]"#, "sizes, strides and, if not 0, an offset"),
            (r#"["pad",[1]]"#, "expected a tuple of size 2"),
            (r#"["squeeze",[]]"#, "expected an array of length 1"),
            (r#"["transpose",[1]]"#, "expected a tuple of size 2"),
            (r#"["slice",["1"]]"#, "at character 1: expected `:`"),
            (r#"["slice",[1]]"#, "a slice such as"),
            (r#"["flip"]"#, EXPECTED),
            (r#"["flip",[0],1]"#, "trailing characters"),
            (r#"{"flip":[0]}"#, EXPECTED),
        ];
        for (text, part) in rows {
            let error = serde_json::from_str::<Movement>(text).expect_err(text).to_string();
            assert!(error.contains(part), "{text}: {error}");
        }
    }
}
