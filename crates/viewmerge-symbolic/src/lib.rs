//! Stacks of tensor views with unknown sizes: for which sizes are they one view?
//!
//! Compilers decide before the sizes are known. A [`SymbolicChain`] is a chain of views whose numbers
//! are expressions in parameters ([`Params`]); [`SymbolicChain::merge`] answers with *cases*, each a
//! condition and a view with expressions for numbers, what the ops *require* of the parameters, and where
//! it is *open*. Outside the open part the answer is exact in both directions.
//!
//! ```
//! use viewmerge_symbolic::{Limit, Params, SymbolicChain};
//!
//! // A transpose of heads and its flattening, for all batch sizes and lengths at once.
//! let params = Params::new().size("B")?.size("T")?.size("H")?.size("D")?;
//! let text = "(B,H,T,D) | permute(0,2,1,3) | reshape(B,T,H*D)";
//! let answer = SymbolicChain::parse(&params, text)?.merge(&Limit::none());
//! assert_eq!(answer.cases[0].guard.to_string(), "T == 1 or H == 1");
//! assert_eq!(answer.cases[0].view.to_string(), "(B,T,H*D):(T*H*D,H*D,1)");
//! # Ok::<(), viewmerge_symbolic::Error>(())
//! ```
//!
//! # How it decides
//!
//! Numbers are polynomials (`poly.rs`), what is known of the parameters is a box as far as possible
//! (`domain.rs`), and p ≥ 0 is proved or not seen (`prove.rs`). The chain's box is pushed down through
//! the views (`engine.rs`, `push.rs`); where something must be known and is not, the domain is
//! split (`cases.rs`). A case that gets stuck is refuted by relations among jumps (`conclude.rs`), decided in
//! pieces (`pieces.rs`) or refuted by a witness (`witness.rs`), or is open. Cases that one formula fits are joined, and their conditions
//! shortened (`group.rs`).
//!
//! Cost: half of the chains take less than 0.1 ms; a [`Limit`] bounds the rest.

mod affine;
mod answer;
mod assume;
mod cases;
mod certify;
mod chain;
mod clamp;
mod combine;
mod conclude;
mod cond;
mod cut;
mod domain;
mod eliminate;
mod engine;
mod equivalence;
mod error;
mod evaluate;
mod explain;
mod expr;
mod forced;
mod form;
mod group;
mod guard;
mod json;
mod mono;
mod names;
mod notation;
mod ops;
mod outcome;
mod params;
mod pieces;
mod poly;
mod prepare;
mod print;
mod prove;
mod push;
mod quotient;
mod regroup;
mod render;
mod report;
mod sample;
mod scan;
mod signs;
mod stage;
mod sum;
mod sums;
mod values;
mod view;
mod witness;
mod work;

pub use answer::{Answer, Case};
pub use certify::SymbolicCertificate;
pub use chain::SymbolicChain;
pub use equivalence::{Difference, SymbolicEquivalence};
pub use error::{Error, WithSource};
pub use explain::{Example, SymbolicCopy, SymbolicExplanation};
pub use expr::Expr;
pub use form::SymbolicForm;
pub use guard::{Atom, Guard};
pub use params::{Param, Params};
pub use report::{At, Kind};
pub use signs::{Relation, Style};
pub use view::SymbolicView;
pub use viewmerge::{Limit, Movement, Slice};
