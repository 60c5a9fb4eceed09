//! Movement ops as data, so that a file or a request can hold a list of them.
//!
//! As JSON an op is its name and the list of its arguments, those of the text
//! notation: `reshape(2,3)` is `["reshape",[2,3]]`.
//!
//! | op | arguments |
//! |---|---|
//! | `reshape`, `expand` | sizes, one of them −1: `[2,-1]` |
//! | `permute`, `flip` | axes: `[1,0]` |
//! | `step` | a number for every axis: `[1,-2]` |
//! | `pad`, `shrink` | a pair for every axis: `[[1,0],[0,0]]` |
//! | `slice` | Python slices of the leading axes, as text: `["1:","::-2"]` |
//! | `transpose` | two axes: `[0,1]` |
//! | `squeeze`, `unsqueeze` | an axis: `[0]` |
//! | `flatten` | first and last axis: `[0,1]`; all axes if left out: `[]` |
//! | `unflatten` | an axis and its sizes: `[0,[2,-1]]` |
//! | `as_strided` | sizes, strides and, if not 0, an offset: `[[4,3],[1,1],2]` |

use crate::error::Error;
use crate::merge::Verdict;
use crate::movement::Slice;
use crate::view::View;

/// One movement op with its arguments.
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
    /// [`View::slice`] of the leading axes.
    Slice(Vec<Slice>),
    /// [`View::transpose`] of two axes.
    Transpose(i64, i64),
    /// [`View::squeeze`] of an axis.
    Squeeze(i64),
    /// [`View::unsqueeze`] at an axis.
    Unsqueeze(i64),
    /// [`View::flatten`] from one axis to another.
    Flatten(i64, i64),
    /// [`View::unflatten`] of an axis into these sizes.
    Unflatten(i64, Vec<i64>),
    /// [`View::as_strided`].
    AsStrided {
        /// The sizes.
        shape: Vec<i64>,
        /// The strides, in elements of the view below.
        strides: Vec<i64>,
        /// The element at the index (0, …, 0).
        offset: i64,
    },
}

impl Movement {
    /// The names of all ops.
    ///
    /// ```
    /// assert!(viewmerge::Movement::NAMES.contains(&"permute"));
    /// ```
    pub const NAMES: [&str; 14] = [
        "reshape",
        "permute",
        "expand",
        "pad",
        "shrink",
        "flip",
        "step",
        "slice",
        "transpose",
        "squeeze",
        "unsqueeze",
        "flatten",
        "unflatten",
        "as_strided",
    ];

    /// The name of the op.
    ///
    /// ```
    /// assert_eq!(viewmerge::Movement::Flip(vec![0]).name(), "flip");
    /// ```
    pub fn name(&self) -> &'static str {
        match self {
            Movement::Reshape(_) => "reshape",
            Movement::Permute(_) => "permute",
            Movement::Expand(_) => "expand",
            Movement::Pad(_) => "pad",
            Movement::Shrink(_) => "shrink",
            Movement::Flip(_) => "flip",
            Movement::Step(_) => "step",
            Movement::Slice(_) => "slice",
            Movement::Transpose(..) => "transpose",
            Movement::Squeeze(_) => "squeeze",
            Movement::Unsqueeze(_) => "unsqueeze",
            Movement::Flatten(..) => "flatten",
            Movement::Unflatten(..) => "unflatten",
            Movement::AsStrided { .. } => "as_strided",
        }
    }

    /// That there is no op of this name, with the one that was meant, if it can be guessed.
    ///
    /// ```
    /// let refusal = viewmerge::Movement::unknown("reshpae");
    /// assert_eq!(refusal.to_string(), r#""reshpae" is no op, did you mean reshape?"#);
    /// ```
    pub fn unknown(name: &str) -> Error {
        let lower = name.to_lowercase();
        let distance = |known: &str| strsim::osa_distance(&lower, known);
        let near = Movement::NAMES.into_iter().min_by_key(|known| distance(known));
        // A slip of the pen, or two in a long name.
        let nearest = near.filter(|known| distance(known) <= (known.len() / 3).max(1));
        Error::UnknownOp { name: name.into(), nearest }
    }
}

impl View {
    /// Applies an op; only those that regroup elements (`reshape`, `flatten`,
    /// `unflatten`, `as_strided`) can fail to give one view.
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
            Movement::Flatten(start, end) => return self.flatten(*start, *end),
            Movement::Unflatten(axis, sizes) => return self.unflatten(*axis, sizes),
            Movement::AsStrided { shape, strides, offset } => {
                return self.as_strided(shape, strides, *offset);
            }
            Movement::Permute(axes) => self.permute(axes),
            Movement::Expand(shape) => self.expand(shape),
            Movement::Pad(amounts) => self.pad(amounts),
            Movement::Shrink(bounds) => self.shrink(bounds),
            Movement::Flip(axes) => self.flip(axes),
            Movement::Step(steps) => self.step(steps),
            Movement::Slice(slices) => self.slice(slices),
            Movement::Transpose(first, second) => self.transpose(*first, *second),
            Movement::Squeeze(axis) => self.squeeze(*axis),
            Movement::Unsqueeze(axis) => self.unsqueeze(*axis),
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
    use crate::movement::Slice;

    impl Serialize for Movement {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            let name = self.name();
            match self {
                Movement::Reshape(numbers)
                | Movement::Permute(numbers)
                | Movement::Expand(numbers)
                | Movement::Flip(numbers)
                | Movement::Step(numbers) => (name, numbers).serialize(serializer),
                Movement::Pad(pairs) | Movement::Shrink(pairs) => {
                    (name, pairs).serialize(serializer)
                }
                Movement::Slice(slices) => {
                    let texts: Vec<String> = slices.iter().map(Slice::to_string).collect();
                    (name, texts).serialize(serializer)
                }
                Movement::Transpose(first, second) | Movement::Flatten(first, second) => {
                    (name, [first, second]).serialize(serializer)
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
            deserializer.deserialize_seq(OpVisitor)
        }
    }

    const FORM: &str = "an op as [name, arguments]";

    struct OpVisitor;

    impl<'de> Visitor<'de> for OpVisitor {
        type Value = Movement;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str(FORM)
        }

        fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Movement, A::Error> {
            /// The second member.
            fn take<'de, A: SeqAccess<'de>, T: Deserialize<'de>>(
                list: &mut A,
            ) -> Result<T, A::Error> {
                list.next_element()?.ok_or_else(|| A::Error::invalid_length(1, &FORM))
            }
            let missing = || A::Error::invalid_length(0, &FORM);
            let name: String = list.next_element()?.ok_or_else(missing)?;
            let from = &mut list;
            let op = match name.as_str() {
                "reshape" => Movement::Reshape(take(from)?),
                "permute" => Movement::Permute(take(from)?),
                "expand" => Movement::Expand(take(from)?),
                "pad" => Movement::Pad(take(from)?),
                "shrink" => Movement::Shrink(take(from)?),
                "flip" => Movement::Flip(take(from)?),
                "step" => Movement::Step(take(from)?),
                "slice" => {
                    let texts: Vec<String> = take(from)?;
                    let slices = texts.iter().map(|text| text.parse().map_err(A::Error::custom));
                    Movement::Slice(slices.collect::<Result<_, _>>()?)
                }
                "transpose" => {
                    let [first, second] = take(from)?;
                    Movement::Transpose(first, second)
                }
                "squeeze" => {
                    let [axis] = take(from)?;
                    Movement::Squeeze(axis)
                }
                "unsqueeze" => {
                    let [axis] = take(from)?;
                    Movement::Unsqueeze(axis)
                }
                "flatten" => match take::<A, Vec<i64>>(from)?.as_slice() {
                    [] => Movement::Flatten(0, -1),
                    [start, end] => Movement::Flatten(*start, *end),
                    other => {
                        let expected = &"the first and the last axis, or none";
                        return Err(A::Error::invalid_length(other.len(), expected));
                    }
                },
                "unflatten" => {
                    let (axis, sizes) = take(from)?;
                    Movement::Unflatten(axis, sizes)
                }
                "as_strided" => take::<A, Strided>(from)?.0,
                other => return Err(A::Error::custom(Movement::unknown(other))),
            };
            let more = list.next_element::<serde::de::IgnoredAny>()?;
            if more.is_some() { Err(A::Error::invalid_length(3, &FORM)) } else { Ok(op) }
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

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn ops_round_trip() {
            let text = concat!(
                r#"[["reshape",[2,-1]],["permute",[1,0]],["expand",[3]],["pad",[[1,0]]],"#,
                r#"["shrink",[[0,2]]],["flip",[0]],["step",[2]],["slice",[":","1:-2","::-1"]],"#,
                r#"["transpose",[0,1]],["squeeze",[-1]],["unsqueeze",[0]],["flatten",[0,-1]],"#,
                r#"["unflatten",[0,[2,-1]]],["as_strided",[[4,3],[1,1],2]]]"#
            );
            let ops: Vec<Movement> = serde_json::from_str(text).expect("reads");
            assert!(ops.iter().map(Movement::name).eq(Movement::NAMES));
            assert_eq!(serde_json::to_string(&ops).expect("writes"), text);
            let short = r#"[["flatten",[]],["as_strided",[[4],[1]]]]"#;
            let ops: Vec<Movement> = serde_json::from_str(short).expect("reads");
            let long = r#"[["flatten",[0,-1]],["as_strided",[[4],[1],0]]]"#;
            assert_eq!(serde_json::to_string(&ops).expect("writes"), long);
        }

        #[test]
        fn mistakes_are_named() {
            let rows = [
                (r#"["roll",[1]]"#, "\"roll\" is no op, an op is one of reshape, permute"),
                (r#"["premute",[1]]"#, "\"premute\" is no op, did you mean permute?"),
                (r#"["pad",[1]]"#, "expected a tuple of size 2"),
                (r#"["flip"]"#, "an op as [name, arguments]"),
                (r#"["flip",[0],1]"#, "an op as [name, arguments]"),
                (r#"{"flip":[0]}"#, "an op as [name, arguments]"),
                (r#"["slice",["1"]]"#, "at character 1: expected `:`, found the end"),
                (r#"["flatten",[1]]"#, "the first and the last axis, or none"),
                (r#"["as_strided",[[1]]]"#, "sizes, strides and, if not 0, an offset"),
                (r#"["as_strided",[[1],[1],0,0]]"#, "sizes, strides and, if not 0, an offset"),
            ];
            for (text, part) in rows {
                let error = serde_json::from_str::<Movement>(text).expect_err(text).to_string();
                assert!(error.contains(part), "{text}: {error}");
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_of_the_pen_are_guessed() {
        let rows = [
            ("premute", Some("permute")),
            ("Reshape", Some("reshape")),
            ("reshpae", Some("reshape")),
            ("flatten_", Some("flatten")),
            ("unsqueze", Some("unsqueeze")),
            ("asstrided", Some("as_strided")),
            ("traspse", Some("transpose")),
            ("pd", Some("pad")),
            ("flp", Some("flip")),
            ("roll", None),
            ("view", None),
            ("add", None),
            ("", None),
        ];
        for (name, guess) in rows {
            let expected = Error::UnknownOp { name: name.into(), nearest: guess };
            assert_eq!(Movement::unknown(name), expected);
        }
    }
}
