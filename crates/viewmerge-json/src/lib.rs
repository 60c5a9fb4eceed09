//! Questions about tensor views as JSON, and their answers: what the `viewmerge`
//! command, the explorer in the browser and the npm package share.
//!
//! - [`ask`](ask()), [`answer_line`]: every question, by its members or by name: `{"ask":"explain","chain":"(2,3) | (6)"}`;
//! - [`explained`], [`conditions`], [`expression`]: what `--format json` writes, as
//!   functions;
//! - [`atoms`]: the matrix instructions; [`layouts`]: banks, tiles, instructions over warps;
//! - [`look`]: data for animated pictures: cells, digits, sweeps.
//!
//! ```
//! use viewmerge::Limit;
//! use viewmerge_json::ask;
//!
//! let answer = ask(r#"{"shape":[2,3],"ops":[["permute",[1,0]]]}"#, &Limit::none());
//! assert!(answer.starts_with(r#"{"mergeable":true,"view":{"shape":[3,2],"strides":[1,3]"#));
//!
//! let answer = ask(r#"{"ask":"dims","chain":"(2,3)"}"#, &Limit::none());
//! assert_eq!(answer, r#"[{"size":6,"stride":1,"real_size":6}]"#);
//!
//! let answer = ask(r#"{"ask":"views","chain":"(2,x)"}"#, &Limit::none());
//! assert!(answer.contains(r#""at":3"#), "{answer}");
//! ```
//!
//! Policy: the answer is always one line of JSON; a refusal is `{"error":{...}}`.

mod ask;
pub mod atoms;
pub mod conditions;
pub mod explained;
pub mod expression;
pub mod layouts;
pub mod look;
mod members;
pub mod question;
mod refused;
pub mod symbolic;
mod verified;

pub use ask::{answer_line, ask};
pub use refused::Refused;
pub use verified::verified;

/// Up to this many rows, an overflow table is shown whole.
pub const MOST_ROWS: i64 = 40;

/// The most strides of an upper view that are tried.
pub const MOST_CASES: u64 = 1000;

/// The example in README is run with the other examples.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
