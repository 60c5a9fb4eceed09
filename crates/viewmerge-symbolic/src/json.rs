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

use serde::ser::{SerializeMap, SerializeStruct};
use serde::{Serialize, Serializer};

use crate::answer::{Answer, Case, SymbolicView};
use crate::equivalence::SymbolicEquivalence;
use crate::explain::{Example, SymbolicExplanation};
use crate::expr::Expr;
use crate::guard::Guard;

impl Serialize for Expr {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// A mask, all, or nothing.
struct Mask<'a>(&'a SymbolicView);

impl Serialize for Mask<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match &self.0.mask {
            _ if self.0.nothing => serializer.serialize_str("nothing"),
            None => serializer.serialize_none(),
            Some(mask) => mask.serialize(serializer),
        }
    }
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

/// The text of a condition, unless it always holds.
fn condition(guard: &Guard) -> Option<String> {
    (!guard.is_always()).then(|| guard.to_string())
}

/// The text of where something is so, unless it is nowhere.
fn region(guard: &Guard) -> Option<String> {
    (!guard.is_never()).then(|| guard.to_string())
}

object!(SymbolicView, view,
    "shape": view.shape, "strides": view.strides, "offset": view.offset, "mask": Mask(view),
);

/// With the split beside the view if one was asked for.
impl Serialize for Case {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let count = 2 + usize::from(self.split.is_some());
        let mut object = serializer.serialize_struct("Case", count)?;
        object.serialize_field("when", &condition(&self.guard))?;
        if let Some(split) = &self.split {
            object.serialize_field("split", split)?;
        }
        object.serialize_field("view", &self.view)?;
        object.end()
    }
}

object!(Answer, answer,
    "verdict": answer.kind(), "requires": condition(answer.requires()), "cases": answer.cases(),
    "open": region(answer.open()), "rest": answer.has_rest(),
);

/// The values of a point by name, in the order of declaration.
struct Point<'a>(&'a [(String, i64)]);

impl Serialize for Point<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut point = serializer.serialize_map(Some(self.0.len()))?;
        for (name, value) in self.0 {
            point.serialize_entry(name, value)?;
        }
        point.end()
    }
}

object!(SymbolicEquivalence, answer,
    "equal": if answer.is_same() { Some(true) } else { answer.difference().map(|_| false) },
    "point": answer.difference().map(|found| Point(&found.point)),
    "index": answer.difference().and_then(|found| found.index.as_ref()),
    "same": region(answer.same()),
    "requires": condition(answer.requires()),
    "open": region(answer.open()),
);

object!(Example, example, "point": Point(&example.point), "witness": example.witness);

object!(SymbolicExplanation, why,
    "answer": why.answer(), "assume": why.assumptions(), "example": why.example(),
    "copies": why.copies(), "text": why.to_string(),
);
