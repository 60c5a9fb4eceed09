//! Index expressions of tensor views: simplified exactly, with the fewest divisions, and written in
//! thirteen languages.
//!
//! A chain of views ([`viewmerge::ViewChain`]) reads memory at a position that is a linear function of
//! the index and of floors; [`IndexChain::form`] finds it. An expression that comes as text is an
//! [`Expression`] over a [`Domain`].
//!
//! ```
//! use viewmerge::{Limit, ViewChain};
//! use viewmerge_index::{Domain, IndexChain, Language, Render};
//!
//! let chain: ViewChain = "(4,3):(1,4) | (12)".parse()?;
//! let form = chain.form(&Limit::none())?;
//! assert_eq!(form.to_string(), "4*i0 - 11*f0 where f0 = i0 / 3");
//!
//! let domain = Domain::new(&[("i", 0, 11)])?;
//! let simple = domain.simplify(&"i // 3 + 4*(i % 3)".parse()?, &Limit::none())?;
//! let c = domain.snippet(&simple, &Render::new(Language::C))?;
//! assert_eq!(c.position, "4*i - 11*(i / 3)");
//! # Ok::<(), viewmerge::Error>(())
//! ```
//!
//! | you want | see |
//! |---|---|
//! | the index expression of a chain | [`IndexChain::form`], [`IndexForm`] |
//! | a view with conditions across axes | [`IndexChain::guarded`], [`GuardedView`] |
//! | a split without divisions, with padding or guards | [`IndexChain::tiling`], [`Tiling`], [`GuardedSplit`] |
//! | expressions as input: simpler, the same, their range, as a view | [`Expression`], [`Domain`], [`Viewed`] |
//! | either in C, Rust, Python, MLIR … | [`IndexForm::render`], [`Domain::render`], [`Render`], [`Language`] |
//! | guard and position without a function | [`IndexForm::snippet`], [`Snippet`] |
//!
//! # Features
//!
//! - `serde` (default): forms and guarded views in any self-describing serde format, snippets written;
//! - `std` (default): what the dependencies have only with the standard library. Without it
//!   the library needs `alloc`.

#![cfg_attr(not(test), no_std)]
#![warn(clippy::missing_errors_doc, clippy::must_use_candidate, clippy::return_self_not_must_use)]

#[macro_use]
extern crate alloc;

mod chain;
mod expression;
mod form;
mod render;
mod tiling;

pub use chain::IndexChain;
pub use expression::{Dialect, Domain, Expression, Extremes, Same, Simplified, Viewed};
pub use form::{FloorTerm, Guard, GuardedView, IndexForm, Linear};
pub use render::{Definition, Language, Render, Scope, Snippet};
pub use tiling::{GuardedSplit, Tiling};

/// The examples in README are run with the other examples.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
