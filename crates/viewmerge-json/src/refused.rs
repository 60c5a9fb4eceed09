//! Why a question that has a name has no answer.

use std::borrow::Cow;
use std::fmt;

use viewmerge::Error;
use viewmerge_paste::Unread;

/// A refusal: its kind, its message, and its place in the text of a chain.
#[derive(Debug, serde::Serialize)]
pub struct Refused {
    /// A stable name.
    pub kind: Cow<'static, str>,
    /// One line for people.
    pub message: String,
    /// The place, in characters from the start.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<usize>,
}

impl Refused {
    /// A refusal without a place.
    pub fn new(kind: &'static str, message: impl Into<String>) -> Refused {
        Refused { kind: kind.into(), message: message.into(), at: None }
    }
}

impl Refused {
    /// The library's refusal of a member.
    pub(crate) fn of(member: &str, error: &Error) -> Refused {
        Refused { message: format!("{member}: {error}"), kind: error.kind().into(), at: error.at() }
    }
}

impl From<Error> for Refused {
    fn from(error: Error) -> Refused {
        Refused { kind: error.kind().into(), message: error.to_string(), at: error.at() }
    }
}

impl From<Unread> for Refused {
    fn from(unread: Unread) -> Refused {
        match unread {
            Unread::Refused { error, .. } => error.into(),
            unread => Refused::new("pasted", unread.to_string()),
        }
    }
}

impl From<viewmerge_symbolic::Error> for Refused {
    fn from(error: viewmerge_symbolic::Error) -> Refused {
        Refused { kind: error.kind().into(), message: error.to_string(), at: error.at() }
    }
}

impl fmt::Display for Refused {
    /// The refusal as an answer: `{"error":{"kind":…,"message":…}}`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let error = serde_json::to_string(self).map_err(|_| fmt::Error)?;
        write!(f, "{{\"error\":{error}}}")
    }
}

/// An answer as text.
pub(crate) fn written(value: &impl serde::Serialize) -> Result<String, Refused> {
    serde_json::to_string(value).map_err(|error| Refused::new("json", error.to_string()))
}
