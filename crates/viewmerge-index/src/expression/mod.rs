//! Index expressions as input: simpler, the same, their range, decided.
//!
//! An [`Expression`] is read from text: integers, variables, `+ - *` by numbers, quotients and
//! remainders by numbers, `min`, `max`, choices, comparisons. A [`Domain`] gives every variable
//! a range, possibly without ends, and may restrict them by a condition. Then
//!
//! | question | answer |
//! |---|---|
//! | [`Domain::simplify`] | the same expression with the fewest divisions, the same condition with the fewest comparisons |
//! | [`Domain::equal`] | yes, or a point where the two differ |
//! | [`Domain::as_view`] | the one view that it is, if it is one |
//! | [`Domain::views`] | that, or a view with guards, or one over cut axes, and a witness |
//! | [`Domain::range`] | the least and the greatest value, and where |
//!
//! These are decisions, not rewrite rules: every floor is a variable of an integer system, and a
//! relation among them is used if that system has no point without it.
//!
//! ```
//! use viewmerge::Limit;
//! use viewmerge_index::{Domain, Expression};
//!
//! let domain = Domain::new(&[("i", 0, 15), ("j", 0, 3)])?;
//! let expression: Expression = "(4*i + j) // 8 * 16 + (4*i + j) % 8 * 2".parse()?;
//! let simple = domain.simplify(&expression, &Limit::none())?;
//! assert_eq!(simple.to_string(), "8*i + 2*j");
//! # Ok::<(), viewmerge::Error>(())
//! ```
//!
//! | step | where |
//! |---|---|
//! | what is asked, of what, and the answers | `questions.rs`, `input.rs`, `domain.rs`, `answer.rs` |
//! | text to trees | `parse/`, `frame.rs`, `tree.rs` |
//! | fewer kinds of nodes | `normal.rs` |
//! | ranges without an end, cut where that changes nothing | `open.rs` |
//! | trees to linear functions and floors, with ranges | `lower.rs`, `crate::form::build` |
//! | the fewest floors and guards | `decide/`, `crate::form::fewest` |
//! | back to trees | `write.rs` |
//!
//! How few: no linear combination of the given floors uses fewer. Alternatives (`or`, `min`, `max`, choices)
//! are examined case by case, up to 64 of them, and stay where they are.
//!
//! Cost: some microseconds where ranges settle it, some ten for every search. If a [`Limit`](viewmerge::Limit) is
//! reached, the expression stays as it was, and [`Simplified::is_decided`] is false.

mod answer;
mod certificate;
mod choice;
mod cuts;
mod decide;
mod domain;
mod frame;
mod input;
pub(crate) mod lower;
mod normal;
pub(crate) mod open;
mod parse;
mod questions;
pub(crate) mod tree;
mod view;
pub(crate) mod write;

pub(crate) use answer::Partial;
pub use answer::{Extremes, Same, Simplified};
pub use cuts::Viewed;
pub use domain::Domain;
pub use input::{Dialect, Expression};
