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

use crate::answer::{Answer, Case, Kind, SymbolicView};
use crate::equivalence::SymbolicEquivalence;
use crate::explain::{Example, SymbolicCopy, SymbolicExplanation};
use crate::expr::Expr;
use crate::guard::Guard;
use crate::splitting::{SplitCase, SymbolicSplitting};

impl Serialize for Expr {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl Serialize for Kind {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(match self {
            Kind::Always => "always",
            Kind::Never => "never",
            Kind::When => "when",
        })
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

impl Serialize for SymbolicView {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut view = serializer.serialize_struct("SymbolicView", 4)?;
        view.serialize_field("shape", &self.shape)?;
        view.serialize_field("strides", &self.strides)?;
        view.serialize_field("offset", &self.offset)?;
        view.serialize_field("mask", &Mask(self))?;
        view.end()
    }
}

/// A guard as text, `None` for one that says nothing.
fn text(guard: &Guard, says_nothing: bool) -> Option<String> {
    (!says_nothing).then(|| guard.to_string())
}

impl Serialize for Case {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut case = serializer.serialize_struct("Case", 2)?;
        case.serialize_field("when", &text(&self.guard, self.guard.is_always()))?;
        case.serialize_field("view", &self.view)?;
        case.end()
    }
}

impl Serialize for Answer {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut answer = serializer.serialize_struct("Answer", 5)?;
        answer.serialize_field("verdict", &self.kind())?;
        answer.serialize_field("requires", &text(self.requires(), self.requires().is_always()))?;
        answer.serialize_field("cases", self.cases())?;
        answer.serialize_field("open", &text(self.open(), self.open().is_never()))?;
        answer.serialize_field("rest", &self.has_rest())?;
        answer.end()
    }
}

impl Serialize for SplitCase {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut case = serializer.serialize_struct("SplitCase", 3)?;
        case.serialize_field("when", &text(&self.guard, self.guard.is_always()))?;
        case.serialize_field("split", &self.split)?;
        case.serialize_field("view", &self.view)?;
        case.end()
    }
}

impl Serialize for SymbolicSplitting {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut answer = serializer.serialize_struct("SymbolicSplitting", 5)?;
        answer.serialize_field("verdict", &self.kind())?;
        answer.serialize_field("requires", &text(self.requires(), self.requires().is_always()))?;
        answer.serialize_field("cases", self.cases())?;
        answer.serialize_field("open", &text(self.open(), self.open().is_never()))?;
        answer.serialize_field("rest", &self.has_rest())?;
        answer.end()
    }
}

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

impl Serialize for SymbolicEquivalence {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let found = self.difference();
        let equal = if self.is_same() { Some(true) } else { found.map(|_| false) };
        let mut answer = serializer.serialize_struct("SymbolicEquivalence", 6)?;
        answer.serialize_field("equal", &equal)?;
        answer.serialize_field("point", &found.map(|found| Point(&found.point)))?;
        answer.serialize_field("index", &found.and_then(|found| found.index.as_ref()))?;
        answer.serialize_field("same", &text(self.same(), self.same().is_never()))?;
        answer.serialize_field("requires", &text(self.requires(), self.requires().is_always()))?;
        answer.serialize_field("open", &text(self.open(), self.open().is_never()))?;
        answer.end()
    }
}

impl Serialize for Example {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut example = serializer.serialize_struct("Example", 2)?;
        example.serialize_field("point", &Point(&self.point))?;
        example.serialize_field("witness", &self.witness)?;
        example.end()
    }
}

impl Serialize for SymbolicCopy {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut copy = serializer.serialize_struct("SymbolicCopy", 5)?;
        copy.serialize_field("view", &self.view)?;
        copy.serialize_field("stored", &self.stored)?;
        copy.serialize_field("elements", &self.elements)?;
        copy.serialize_field("whole", &self.whole)?;
        copy.serialize_field("rest", &self.rest)?;
        copy.end()
    }
}

impl Serialize for SymbolicExplanation {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut why = serializer.serialize_struct("SymbolicExplanation", 4)?;
        why.serialize_field("answer", self.answer())?;
        why.serialize_field("assume", self.assumptions())?;
        why.serialize_field("example", &self.example())?;
        why.serialize_field("copies", self.copies())?;
        why.end()
    }
}
