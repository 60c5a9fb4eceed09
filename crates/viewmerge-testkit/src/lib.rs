//! Shared code of viewmerge's tests: random inputs ([`generate`]), checks of the
//! library against its naive `reference` ([`check`]; [`tables`] has the movement ops), the cases in
//! `testdata/` ([`cases`]), and a runner that feeds the first to the second ([`run`]).
//!
//! Every input is built from a list of bytes ([`choices::Choices`]), so a
//! property test can shrink it and a fuzzer can steer it.

#![allow(clippy::panic, reason = "a failed check ends the test")]

pub mod accidental;
pub mod cases;
pub mod check;
pub mod choices;
pub mod expressions;
pub mod forms;
pub mod fuzz;
pub mod generate;
pub mod low_rank;
pub mod ops;
pub mod programs;
mod runner;
pub mod seeds;
pub mod splits;
pub mod symbolic;
pub mod tables;

pub use runner::run;

/// Runs the examples in the project's README with the other examples.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;

/// Runs the examples of the book.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/strides.md")]
struct Strides;

/// Runs the examples of the book.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/library.md")]
struct Library;
