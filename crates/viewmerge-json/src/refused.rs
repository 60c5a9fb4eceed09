//! Why a question that has a name has no answer.

use std::borrow::Cow;

use viewmerge::Error;
use viewmerge_paste::Unread;

/// A refusal: what kind, in words, and where in the text of a chain.
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
