//! Ops in serde formats: the name and the list of arguments,
//! `["reshape",[2,3]]`, `["pad",[[1,0],[0,0]]]`, `["squeeze",[1]]`,
//! `["unflatten",[0,[2,-1]]]`, `["as_strided",[[4,3],[1,1],0]]`. A slice is its
//! text, `["slice",["1:","::-2"]]`.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use serde::de::{Deserialize, Deserializer, Error, SeqAccess, Visitor};
use serde::ser::{Serialize, Serializer};

use crate::movement::table::for_each_op;
use crate::movement::{Movement, Slice};

impl Serialize for Movement {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        macro_rules! write {
            ($($name:literal $variant:ident $fields:tt = $arguments:tt $(or $default:tt)?
                => $method:ident($($passed:expr),*);)*) => {
                match self { $(Movement::$variant $fields => ($name, $arguments).serialize(serializer),)* }
            };
        }
        for_each_op!(write)
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
        let missing = |place| A::Error::invalid_length(place, &EXPECTED);
        let name: String = list.next_element()?.ok_or_else(|| missing(0))?;
        match name.as_str() {
            "flatten" => {
                return Ok(match list.next_element()?.ok_or_else(|| missing(1))? {
                    Flatten::All([]) => Movement::Flatten(0, -1),
                    Flatten::Axes(first, last) => Movement::Flatten(first, last),
                });
            }
            "as_strided" => {
                let Strided(shape, strides, offset) =
                    list.next_element()?.ok_or_else(|| missing(1))?;
                return Ok(Movement::AsStrided { shape, strides, offset });
            }
            _ => {}
        }
        macro_rules! read {
            ($($name:literal $variant:ident $fields:tt = $arguments:tt $(or $default:tt)?
                => $method:ident($($passed:expr),*);)*) => {
                match name.as_str() {
                    $($name => {
                        let $arguments = list.next_element()?.ok_or_else(|| missing(1))?;
                        Ok(Movement::$variant $fields)
                    })*
                    name => Err(A::Error::custom(Movement::unknown(name))),
                }
            };
        }
        for_each_op!(read)
    }
}

/// The arguments of `flatten`, which may be left out.
#[derive(serde::Deserialize)]
#[serde(untagged, expecting = "the first and the last axis, or none")]
enum Flatten {
    All([i64; 0]),
    Axes(i64, i64),
}

/// The arguments of `as_strided`, the last of which may be left out.
#[derive(serde::Deserialize)]
#[serde(expecting = "sizes, strides and, if not 0, an offset")]
struct Strided(Vec<i64>, Vec<i64>, #[serde(default)] i64);

/// A slice is its text.
impl Serialize for Slice {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Slice {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Slice, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
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
            (r#"["roll",[1]]"#, "unknown op roll; expected one of reshape, flatten"),
            (r#"["premute",[1]]"#, "unknown op premute; did you mean permute?"),
            (r#"["flatten",[1]]"#, "the first and the last axis, or none"),
            (r#"["as_strided",[[1]]]"#, "sizes, strides and, if not 0, an offset"),
            (r#"["as_strided",[[1],[1],0,0]]"#, "trailing characters"),
            (r#"["pad",[1]]"#, "expected a tuple of size 2"),
            (r#"["squeeze",[]]"#, "expected a tuple of size 1"),
            (r#"["transpose",[1]]"#, "expected a tuple of size 2"),
            (r#"["slice",["1"]]"#, "at column 2: expected `:`"),
            (r#"["slice",[1]]"#, "expected a string"),
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
