//! Answers in serde formats.
//!
//! ```text
//! {"verdict":"when","requires":null,"cases":[{"when":"A == 1","view":{"shape":["A*B"],"strides":["s1"],
//!  "offset":"0","mask":null}}],"open":null}
//! ```
//!
//! All expressions are in Python syntax.

use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};

use crate::answer::{Answer, Case, Kind, SymbolicView};
use crate::expr::Expr;
use crate::guard::Guard;

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
        let mut answer = serializer.serialize_struct("Answer", 4)?;
        answer.serialize_field("verdict", &self.kind())?;
        answer.serialize_field("requires", &text(self.requires(), self.requires().is_always()))?;
        answer.serialize_field("cases", self.cases())?;
        answer.serialize_field("open", &text(self.open(), self.open().is_never()))?;
        answer.end()
    }
}
