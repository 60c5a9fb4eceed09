//! The answer to an operation that is called by name: a layout as text, a number, or yes or no with a
//! counterexample.

use std::fmt;

use crate::answer::{Answer, NoLayout};
use crate::error::Tuple;

/// The answer to an [`Operation`](crate::Operation).
///
/// In serde formats it is `{"layout":".."}`, `{"layout":null,"witness":..}` or `{"value":..}`.
///
/// ```
/// use viewmerge_cute::{Limit, Operation, Outcome};
///
/// let outcome = Operation::Cosize.ask("(2,4):(2,4)", None, false, &Limit::none())?;
/// assert_eq!(outcome, Outcome::Number(15));
/// assert!(outcome.holds());
/// # Ok::<(), viewmerge_cute::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
#[serde(into = "Parts")]
#[must_use]
pub enum Outcome {
    /// A layout as text: a plain one, a swizzled one, or one with an offset.
    Layout(String),
    /// No layout exists.
    None(NoLayout),
    /// A number.
    Number(i64),
    /// Yes or no, and a counterexample for a no.
    Truth {
        /// The answer.
        value: bool,
        /// Why not.
        witness: Option<Refutation>,
    },
}

/// A counterexample to a claim about layouts.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Refutation {
    /// Two coordinates have the same value.
    Collision {
        /// The coordinates.
        coordinates: [Vec<i64>; 2],
    },
    /// Two layouts have different sizes.
    Sizes {
        /// Their sizes.
        sizes: [i64; 2],
    },
    /// Two layouts have different values.
    Differ {
        /// The first such position.
        position: i64,
        /// Their values there.
        values: [i64; 2],
    },
    /// Two layouts of coordinates have different values.
    Coordinates {
        /// The first such position.
        position: i64,
        /// Their coordinates there.
        coordinates: [Vec<i64>; 2],
    },
}

impl Outcome {
    /// Whether the answer is a layout, a number, or yes.
    ///
    /// ```
    /// use viewmerge_cute::{Limit, Operation};
    ///
    /// let outcome = Operation::Equal.ask("12:1", Some("(2,6):(6,1)"), false, &Limit::none())?;
    /// assert!(!outcome.holds());
    /// # Ok::<(), viewmerge_cute::Error>(())
    /// ```
    pub fn holds(&self) -> bool {
        match self {
            Outcome::Layout(_) | Outcome::Number(_) => true,
            Outcome::None(_) => false,
            Outcome::Truth { value, .. } => *value,
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Outcome::Layout(layout) => f.write_str(layout),
            Outcome::None(none) => write!(f, "no layout: {none}"),
            Outcome::Number(number) => write!(f, "{number}"),
            Outcome::Truth { value: true, .. } => f.write_str("yes"),
            Outcome::Truth { value: false, witness: None } => f.write_str("no"),
            Outcome::Truth { value: false, witness: Some(witness) } => write!(f, "no: {witness}"),
        }
    }
}

impl fmt::Display for Refutation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refutation::Collision { coordinates: [one, other] } => {
                let (one, other) = (Tuple(one), Tuple(other));
                write!(f, "the coordinates {one} and {other} have the same value")
            }
            Refutation::Sizes { sizes: [one, other] } => {
                write!(f, "the sizes are {one} and {other}")
            }
            Refutation::Differ { position, values: [one, other] } => {
                write!(f, "at {position} the one is {one} and the other {other}")
            }
            Refutation::Coordinates { position, coordinates: [one, other] } => {
                let (one, other) = (Tuple(one), Tuple(other));
                write!(f, "at {position} the one is {one} and the other {other}")
            }
        }
    }
}

#[derive(serde::Serialize)]
#[serde(untagged)]
enum Parts {
    Layout {
        layout: String,
    },
    None {
        layout: (),
        witness: NoLayout,
    },
    Number {
        value: i64,
    },
    Truth {
        value: bool,
        #[serde(skip_serializing_if = "Option::is_none")]
        witness: Option<Refutation>,
    },
}

impl From<Outcome> for Parts {
    fn from(outcome: Outcome) -> Parts {
        match outcome {
            Outcome::Layout(layout) => Parts::Layout { layout },
            Outcome::None(witness) => Parts::None { layout: (), witness },
            Outcome::Number(value) => Parts::Number { value },
            Outcome::Truth { value, witness } => Parts::Truth { value, witness },
        }
    }
}

impl From<Answer> for Outcome {
    fn from(answer: Answer) -> Outcome {
        match answer {
            Answer::Layout(layout) => Outcome::Layout(layout.to_string()),
            Answer::None(none) => Outcome::None(none),
        }
    }
}
