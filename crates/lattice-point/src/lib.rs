//! Exact questions about integer points of linear systems: is there one, which has the largest
//! value of a form, why is there none?
//!
//! A system is a list of rows low ≤ Σ aᵢ·zᵢ ≤ high with integer coefficients. Deciding whether an
//! integer point satisfies all of them is NP-complete; with few variables it takes microseconds,
//! and the answer is exact: a point, or a proof that none exists.
//!
//! # A first system
//!
//! Is there a number that leaves the remainder 2 modulo 3, 3 modulo 5 and 2 modulo 7, between 100
//! and 200? With quotients a, b and c it is n = 3a + 2 = 5b + 3 = 7c + 2:
//!
//! ```
//! use lattice_point::{Encode, Limit, System};
//!
//! let mut system = System::new(4); // n, a, b, c
//! system.bound(0, Some(100), Some(200));
//! system.push(vec![1, -3, 0, 0], Some(2), Some(2));
//! system.push(vec![1, 0, -5, 0], Some(3), Some(3));
//! system.push(vec![1, 0, 0, -7], Some(2), Some(2));
//! let point = system.point(&mut Limit::none().meter())?.unwrap();
//! assert_eq!(point[0], 128);
//! # Ok::<(), lattice_point::Exhausted>(())
//! ```
//!
//! Floors are rows, too: 0 ≤ x − m·q ≤ m − 1 says that q = ⌊x/m⌋.
//!
//! # The largest value
//!
//! [`Encode::largest`] finds a point with the largest value of [`System::objective`]:
//!
//! ```
//! use lattice_point::{Encode, Limit, System};
//!
//! // A knapsack: 5x + 7y ≤ 23, worth 3x + 4y.
//! let mut system = System::new(2);
//! system.bound(0, Some(0), Some(10));
//! system.bound(1, Some(0), Some(10));
//! system.push(vec![5, 7], None, Some(23));
//! system.objective = vec![3, 4];
//! let best = system.largest(None, &mut Limit::none().meter())?.unwrap();
//! assert_eq!(3 * best[0] + 4 * best[1], 13);
//! # Ok::<(), lattice_point::Exhausted>(())
//! ```
//!
//! # Proofs
//!
//! [`Encode::refute`] returns a [`Proof`] that there is no point: a tree whose inner nodes split
//! on an integer form and whose leaves are multiples of row ends that add up to 0 ≥ 1. A checker
//! needs integer additions and products, nothing else.
//!
//! # Limits
//!
//! Every question spends from a [`Meter`], which a [`Limit`] gives out: a number of steps, a flag
//! that another thread may raise, or neither. A question that runs out fails with [`Exhausted`].
//!
//! # Linear algebra
//!
//! | question | type |
//! |---|---|
//! | all integer solutions of equations | [`Hermite`] |
//! | a span of vectors, and its complement | [`Echelon`] |
//! | the relations that hold on all points of a system | [`affine_hull`], [`Hull`] |
//! | affine functions | [`Affine`] |
//!
//! # How it works
//!
//! The search is Lenstra's: lattice reduction chooses coordinates in which few values of the last
//! one are possible, exact linear programming says which, and each of them is a smaller system.
//! Rows are divided by their common divisor and rounded at every node, rows with equal ends
//! eliminate a coordinate, and coordinates without a common row are searched separately. Floating
//! point only chooses directions: a bad choice costs time, never an answer. Numbers are `i128`;
//! if one does not fit, the search starts again with big integers.
//!
//! # Should you use this crate?
//!
//! Yes for small systems that must be decided exactly, with a proof if you want one: up to some
//! twenty variables, any size of coefficients. The variables must be bounded by the rows. For
//! large sparse programs with floating-point data use a mixed-integer solver instead.

#![cfg_attr(not(test), no_std)]
#![warn(clippy::missing_errors_doc, clippy::must_use_candidate, clippy::return_self_not_must_use)]

#[macro_use]
extern crate alloc;

mod affine;
mod echelon;
mod hermite;
mod hull;
mod limit;
mod lp;
mod number;
mod proof;
mod question;
mod row;
mod search;
#[cfg(test)]
mod tests;
mod vector;

pub use affine::Affine;
pub use echelon::Echelon;
pub use hermite::{Hermite, Unsolvable};
pub use hull::{Clearing, Hull, affine_hull, vanishes};
pub use limit::{Exhausted, Halt, Limit, Meter};
pub use number::{Big, Number, Overflow};
pub use proof::{Proof, RowRef, Sum};
pub use question::Encode;
pub use row::{Row, Side, System};
pub use vector::make_primitive;

/// The examples in README are run with the other examples.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
