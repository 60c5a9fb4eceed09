//! How few copies a graph of tensor operations needs, with a proof.
//!
//! Compilers leave transposes in a graph. Are they necessary? Here a layout is an order of the
//! digits of a tensor's row-major index, which is what a split of a view is. Then a Reshape is
//! free, a Transpose is another order, every operation has a few configurations (which layouts it
//! takes and makes), and the fewest bytes to copy are the optimum of a small integer program. Its
//! dual is a certificate that an independent checker accepts.
//!
//! ```
//! use viewmerge_plan::graph::{Attribute, GraphBuilder, OpSpec};
//! use viewmerge_plan::{Target, plan};
//!
//! // An image, channels last, through two transposes with a Relu in between: nothing moves.
//! let mut builder = GraphBuilder::new(17);
//! builder.tensor("x", &[1, 4, 4, 8], 4).tensor("y", &[1, 4, 4, 8], 4);
//! builder.tensor("a", &[1, 8, 4, 4], 4).tensor("b", &[1, 8, 4, 4], 4);
//! builder.input("x").output("y");
//! let steps: [(&str, &str, &str, &[i64]); 3] = [
//!     ("Transpose", "x", "a", &[0, 3, 1, 2]),
//!     ("Relu", "a", "b", &[]),
//!     ("Transpose", "b", "y", &[0, 2, 3, 1]),
//! ];
//! for (kind, from, to, perm) in steps {
//!     let mut op = OpSpec { name: to.into(), kind: kind.into(), ..OpSpec::default() };
//!     (op.inputs, op.outputs) = (vec![from.into()], vec![to.into()]);
//!     if !perm.is_empty() {
//!         op.attributes.insert("perm".into(), Attribute::Ints(perm.to_vec()));
//!     }
//!     builder.op(op);
//! }
//! let plan = plan(&builder.build()?, &Target::named("onnx")?)?;
//! assert_eq!((plan.now.bytes, plan.least.bytes), (1024, 0));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Where to look
//!
//! | you want | see |
//! |---|---|
//!  to describe a graph | [`graph`], [`GraphBuilder`] |
//! | the least plan | [`plan()`], [`Plan`], [`mod@plan`] |
//! | the plan to write | [`Planning::to_emit`] |
//! | the proof | [`certified`], checked by `viewmerge_verify::plan::verify_plan` |
//! | what a target can do | [`Target`] |
//! | orders of digits | [`Layout`] |
//!
//! # What is proved
//!
//! [`Bound::considered`](plan::Bound::considered) holds for all plans over the layouts
//! considered: the row-major layout of every member of a class, closed under the contracts.
//! [`Bound::all_layouts`](plan::Bound::all_layouts) holds for all layouts: it adds up conflicts
//! that no layout avoids. Where the two are equal, nothing is left open.
//!
//! # Limits
//!
//! All sizes must be known, nothing is fused, and peak memory is not considered. An operation
//! without a known contract is kept row-major, and [`Plan::unknown`](plan::Plan::unknown) lists
//! it. Planning takes well under a second for some hundred operations. A class has at most 64
//! candidates, and at most 200 relaxations are solved, after which the bound may stay below the
//! cost.

mod certificate;
mod classes;
mod closure;
mod contract;
mod cores;
mod elementwise;
mod error;
mod explain;
mod fast_plan;
pub mod graph;
mod layout;
mod permutation;
pub mod plan;
mod planner;
mod presolve;
mod program;
mod search;
mod storage;
mod target;
mod time;
mod work;

pub use elementwise::is_elementwise;
pub use error::{GraphError, PlanError, TargetError};
pub use graph::{Graph, GraphBuilder};
pub use layout::{Digit, Layout};
pub use plan::Plan;
pub use planner::{Planning, certified, plan};
pub use target::Target;
pub use time::CopyTimes;

/// Runs the examples in README with the other examples.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
