//! The answer to a question about layouts: a layout, or why there is none.

use std::fmt;

use crate::error::Tuple;
use crate::layout::Layout;

/// A layout, or a witness that none exists.
///
/// In serde formats it is `{"layout":"(2,2):(1,8)"}` or `{"layout":null,"witness":..}`.
///
/// ```
/// use viewmerge_cute::{Answer, Limit, complement};
///
/// let found = complement(&"4:2".parse()?, 24)?;
/// assert_eq!(found.to_string(), "(2,3):(1,8)");
/// let none = complement(&"(2,2):(2,3)".parse()?, 6)?;
/// assert_eq!(
///     none.to_string(),
///     "no layout: 2:2 takes up 4, and the next stride, that of 2:3, is not a multiple of it",
/// );
/// assert!(none.layout().is_none());
/// # Ok::<(), viewmerge_cute::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
#[serde(into = "Parts")]
#[must_use]
pub enum Answer {
    /// A layout.
    Layout(Layout),
    /// No layout exists.
    None(NoLayout),
}

impl Answer {
    /// The layout, if one exists.
    ///
    /// ```
    /// use viewmerge_cute::complement;
    ///
    /// assert_eq!(complement(&"4:1".parse()?, 8)?.layout(), Some(&"2:4".parse()?));
    /// # Ok::<(), viewmerge_cute::Error>(())
    /// ```
    pub fn layout(&self) -> Option<&Layout> {
        match self {
            Answer::Layout(layout) => Some(layout),
            Answer::None(_) => None,
        }
    }

    /// Why no layout exists.
    ///
    /// ```
    /// use viewmerge_cute::complement;
    ///
    /// assert!(complement(&"(2,2):(2,3)".parse()?, 6)?.witness().is_some());
    /// # Ok::<(), viewmerge_cute::Error>(())
    /// ```
    pub fn witness(&self) -> Option<&NoLayout> {
        match self {
            Answer::Layout(_) => None,
            Answer::None(none) => Some(none),
        }
    }

    /// Continues with the layout, if one exists.
    pub(crate) fn try_map<E>(
        self,
        next: impl FnOnce(Layout) -> Result<Answer, E>,
    ) -> Result<Answer, E> {
        match self {
            Answer::Layout(layout) => next(layout),
            none => Ok(none),
        }
    }
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Answer::Layout(layout) => write!(f, "{layout}"),
            Answer::None(none) => write!(f, "no layout: {none}"),
        }
    }
}

#[derive(serde::Serialize)]
struct Parts {
    layout: Option<Layout>,
    #[serde(skip_serializing_if = "Option::is_none")]
    witness: Option<NoLayout>,
}

impl From<Answer> for Parts {
    fn from(answer: Answer) -> Parts {
        match answer {
            Answer::Layout(layout) => Parts { layout: Some(layout), witness: None },
            Answer::None(none) => Parts { layout: None, witness: Some(none) },
        }
    }
}

/// Why no layout exists. Modes are numbered over the flattened layout, and coordinates have one number for
/// each of them, fastest first.
///
/// ```
/// use viewmerge_cute::{Limit, NoLayout, compose};
///
/// let none = compose(&"(4,6,8):(2,3,5)".parse()?, &"6:3".parse()?, false, &Limit::none())?;
/// assert_eq!(none.witness(), Some(&NoLayout::OffGrid { mode: 0, size: 6, place: 4, next: 6 }));
/// # Ok::<(), viewmerge_cute::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[non_exhaustive]
pub enum NoLayout {
    /// A composition: the same move along a mode of B, from the same coordinate of that mode, depends on
    /// the other modes.
    NotSeparable {
        /// The mode of B.
        mode: usize,
        /// By how much its coordinate grows.
        by: i64,
        /// A coordinate of B.
        at: Vec<i64>,
        /// By how much A ∘ B grows from there.
        step: i64,
        /// A coordinate with the same entry for that mode.
        other: Vec<i64>,
        /// By how much A ∘ B grows from there.
        other_step: i64,
    },
    /// A composition: along a mode of B the result would have to be cut into digits, but the move by a
    /// whole digit is not the same everywhere.
    Uneven {
        /// The mode of B.
        mode: usize,
        /// The digit's place: by how much the mode's coordinate grows.
        by: i64,
        /// A coordinate of B.
        at: Vec<i64>,
        /// By how much A ∘ B grows from there.
        step: i64,
        /// Another coordinate.
        other: Vec<i64>,
        /// By how much A ∘ B grows from there.
        other_step: i64,
    },
    /// A composition: a mode of B would have to be cut at two places, one of which does not divide the
    /// other or the size of the mode.
    OffGrid {
        /// The mode of B.
        mode: usize,
        /// Its size.
        size: i64,
        /// The finer place.
        place: i64,
        /// The next place, or the size.
        next: i64,
    },
    /// A complement: two modes between which no layout fills the gap.
    Gap {
        /// A mode (size, stride).
        lower: (i64, i64),
        /// The mode with the next larger stride, which is not a multiple of the lower mode's size·stride.
        upper: (i64, i64),
    },
    /// A division: the tiler and its complement do not end at the size of the layout.
    Remainder {
        /// What the tiler takes up.
        reach: i64,
        /// The size it would have to divide.
        size: i64,
    },
    /// An inverse: two coordinates have the same value.
    Collision {
        /// The coordinates.
        coordinates: [Vec<i64>; 2],
        /// Their value.
        value: i64,
    },
    /// A composition of layouts of coordinates: one coordinate is not a layout.
    Coordinate {
        /// Which coordinate, as a stride names it: `@1`.
        coordinate: String,
        /// Why it is not a layout.
        why: Box<NoLayout>,
    },
    /// A left inverse: none of the ways to cut the values into digits gives one.
    NoDigits {
        /// How many ways there are, distinguished only as far as needed to refute them.
        ways: usize,
        /// The values below this bound refute them all.
        below: i64,
    },
}

impl fmt::Display for NoLayout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoLayout::NotSeparable { mode, by, at, step, other, other_step } => write!(
                f,
                "along mode {mode} the move by {by} from {} is {step}, but from {} it is \
                 {other_step}: what mode {mode} adds depends on another mode",
                Tuple(at),
                Tuple(other)
            ),
            NoLayout::Uneven { mode, by, at, step, other, other_step } => write!(
                f,
                "along mode {mode} the move by {by}, which must be a digit, is {step} from {}, but \
                 from {} it is {other_step}",
                Tuple(at),
                Tuple(other)
            ),
            NoLayout::OffGrid { mode, size, place, next } if next == size => write!(
                f,
                "mode {mode} must be cut at every {place} elements, which does not divide its size \
                 {size}"
            ),
            NoLayout::OffGrid { mode, place, next, .. } => write!(
                f,
                "mode {mode} must be cut at every {place} elements and at every {next}, which do not \
                 fit each other"
            ),
            NoLayout::Gap { lower, upper } => write!(
                f,
                "{}:{} takes up {}, and the next stride, that of {}:{}, is not a multiple of it",
                lower.0,
                lower.1,
                i128::from(lower.0) * i128::from(lower.1),
                upper.0,
                upper.1
            ),
            NoLayout::Remainder { reach, size } => {
                write!(f, "the tiler takes up {reach}, which does not divide the size {size}")
            }
            NoLayout::Collision { coordinates: [one, other], value } => write!(
                f,
                "the coordinates {} and {} both have the value {value}",
                Tuple(one),
                Tuple(other)
            ),
            NoLayout::Coordinate { coordinate, why } => {
                write!(f, "in coordinate {coordinate}, {why}")
            }
            NoLayout::NoDigits { ways, below } => write!(
                f,
                "none of the {ways} ways to cut the values below {below} into digits gives the \
                 positions back"
            ),
        }
    }
}
