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

use serde::{Serialize, Serializer};

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

/// Where something is so, as an object has it.
#[derive(Serialize)]
pub(crate) struct Region<'a>(#[serde(serialize_with = "region")] pub(crate) &'a Guard);

/// The values of a point by name, in the order of declaration.
pub(crate) fn named<S: Serializer>(
    point: &[(String, i64)],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_map(point.iter().map(|(name, value)| (name, value)))
}

/// A point, as an object has it.
#[derive(Serialize)]
pub(crate) struct Point<'a>(#[serde(serialize_with = "named")] pub(crate) &'a [(String, i64)]);

/// A mask, as an object has it.
#[derive(Serialize)]
#[serde(untagged)]
pub(crate) enum Mask<'a> {
    Nothing(&'static str),
    Box(&'a Option<Vec<(Expr, Expr)>>),
}

/// Writes an object with these members.
macro_rules! object {
    ($Type:ident, $this:ident, $($name:literal: $value:expr),+ $(,)?) => {
        impl serde::Serialize for $Type {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                use serde::ser::SerializeStruct;
                let $this = self;
                let count = [$($name),+].len();
                let mut object = serializer.serialize_struct(stringify!($Type), count)?;
                $(object.serialize_field($name, &$value)?;)+
                object.end()
            }
        }
    };
}

pub(crate) use object;
