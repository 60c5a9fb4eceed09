//! Answers in serde formats.
//!
//! ```text
//! {"verdict":"when","requires":null,"cases":[{"when":"A == 1","view":{"shape":["A*B"],"strides":["s1"],
//!  "offset":"0","mask":null}}],"open":null}
//! ```
//!
//! with `"split":[["M","N"]]` beside the view of a case for splits, and for two chains
//!
//! ```text
//! {"equal":false,"point":{"N":2,"M":2},"index":[1],"same":"N == 1","requires":null,"open":null}
//! ```
//!
//! where `equal` is `null` if that is open, and `index` if the shapes differ. All expressions are in
//! Python syntax.

use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};

use crate::answer::SymbolicView;
use crate::equivalence::SymbolicEquivalence;
use crate::expr::Expr;
use crate::guard::Guard;

impl Serialize for Expr {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// The text of a condition; nothing where it always holds.
impl Serialize for Guard {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        (!self.is_always()).then(|| self.to_string()).serialize(serializer)
    }
}

/// The text of where something is so, unless it is nowhere.
pub(crate) fn region<S: Serializer>(guard: &Guard, serializer: S) -> Result<S::Ok, S::Error> {
    (!guard.is_never()).then(|| guard.to_string()).serialize(serializer)
}

#[derive(Serialize)]
struct Region<'a>(#[serde(serialize_with = "region")] &'a Guard);

/// The values of a point by name, in the order of declaration.
pub(crate) fn named<S: Serializer>(
    point: &[(String, i64)],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_map(point.iter().map(|(name, value)| (name, value)))
}

#[derive(Serialize)]
struct Point<'a>(#[serde(serialize_with = "named")] &'a [(String, i64)]);

#[derive(Serialize)]
#[serde(untagged)]
enum Mask<'a> {
    Nothing(&'static str),
    Box(&'a Option<Vec<(Expr, Expr)>>),
}

/// Writes an object with these members.
macro_rules! object {
    ($Type:ident, $this:ident, $($name:literal: $value:expr),+ $(,)?) => {
        impl Serialize for $Type {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                let $this = self;
                let count = [$($name),+].len();
                let mut object = serializer.serialize_struct(stringify!($Type), count)?;
                $(object.serialize_field($name, &$value)?;)+
                object.end()
            }
        }
    };
}

object!(SymbolicView, view,
    "shape": view.shape, "strides": view.strides, "offset": view.offset,
    "mask": if view.nothing { Mask::Nothing("nothing") } else { Mask::Box(&view.mask) },
);

object!(SymbolicEquivalence, answer,
    "equal": if answer.is_same() { Some(true) } else { answer.difference.as_ref().map(|_| false) },
    "point": answer.difference.as_ref().map(|found| Point(&found.point)),
    "index": answer.difference.as_ref().and_then(|found| found.index.as_ref()),
    "same": Region(&answer.same), "requires": answer.requires, "open": Region(&answer.open),
);
