//! CuTe's algebra of layouts, decided exactly.
//!
//! A layout `(4,(2,2)):(1,(8,4))` is a function from positions to integers: a position is read as
//! coordinates of the shape, first mode fastest, and each coordinate is multiplied by its stride. CuTe
//! composes, divides, inverts and complements layouts by rules on shapes and strides. The rules are not
//! always right: they refuse answers that exist, and return layouts that are not the function asked for.
//! Here every operation is a question about functions, and the answer is exact: a layout, or a witness that
//! none exists.
//!
//! ```
//! use viewmerge_cute::{Answer, Layout, Limit, compose};
//!
//! let a: Layout = "(10,2):(16,4)".parse()?;
//! let b: Layout = "(3,4):(1,5)".parse()?;
//! let c = compose(&a, &b, false, &Limit::none())?;
//! assert_eq!(c.to_string(), "(3,(2,2)):(16,(80,4))");
//!
//! // No layout is this function: from (1,1) the step to 5 + 2 carries into the next mode of A.
//! let a: Layout = "(6,2):(1,7)".parse()?;
//! let b: Layout = "(3,2):(2,3)".parse()?;
//! let c = compose(&a, &b, false, &Limit::none())?;
//! assert_eq!(
//!     c.to_string(),
//!     "no layout: along mode 0 the move by 1 from (1,1) is 3, but from (1,0) it is 2: \
//!      what mode 0 adds depends on another mode",
//! );
//! # Ok::<(), viewmerge_cute::Error>(())
//! ```
//!
//! # Where to look
//!
//! | you want | see |
//! |---|---|
//! | a layout, its notation, conversion to and from views | [`Layout`], [`Mode`] |
//! | A ∘ B | [`compose()`], by mode: [`Tiler`] |
//! | fewer modes, the same function | [`coalesce()`], [`coalesce_by`], [`equal`] |
//! | what a layout leaves out | [`complement()`] |
//! | inverses | [`left_inverse`], [`right_inverse`] |
//! | tiles | [`logical_divide`], [`zipped_divide`], [`tiled_divide`], [`local_tile`] |
//! | repetitions | [`logical_product`], [`blocked_product`], [`raked_product`], [`flat_product`] |
//! | whether two coordinates collide | [`is_injective`], [`collision()`] |
//! | swizzles | [`Swizzle`], [`Swizzled`] |
//! | layouts whose values are coordinates, `(4,8):(1@0,1@1)` | [`CoordinateLayout`] |
//! | which thread holds what in a matrix instruction, or in several side by side | [`Atom`], [`Atom::tiled`], [`tiled_copy`] |
//! | bank conflicts, sectors of memory | [`Access::conflicts`], [`Access::sectors`] |
//! | every operation by its name | [`Operation`] |
//!
//! Two layouts that are the same function may be spelled differently. Results are as coarse as the
//! operation allows, and modes of size 1 have stride 0. Compare layouts with [`equal`].
//!
//! Cost: a composition takes some microseconds. Nothing is enumerated, whatever the sizes, except where the
//! documentation says so (swizzles that mix all bits). Inverses may need a search, which may end undecided.

mod answer;
mod atoms;
mod banks;
mod coalesce;
mod collision;
mod complement;
mod compose;
mod coordinates;
mod digits;
mod divide;
mod equations;
mod error;
mod inverse;
mod layout;
mod longest_inverse;
mod notation;
mod operation;
mod outcome;
mod places;
mod plain;
mod product;
mod swizzle;
mod swizzled;
mod tiler;
mod values;

pub use answer::{Answer, NoLayout};
pub use atoms::{Atom, AtomFamily, AtomOperand, tiled_copy};
pub use banks::{Access, Banks, Conflicts, Memory, Sectors, Worst};
pub use coalesce::{coalesce, coalesce_by, difference, equal};
pub use collision::{collision, is_injective};
pub use complement::complement;
pub use compose::compose;
pub use coordinates::CoordinateLayout;
pub use divide::{flat_divide, local_tile, logical_divide, tiled_divide, zipped_divide};
pub use error::Error;
pub use inverse::{left_inverse, right_inverse};
pub use layout::{Layout, Mode};
pub use operation::{Operand, Operation};
pub use outcome::{Outcome, Refutation};
pub use plain::Plain;
pub use product::{blocked_product, flat_product, logical_product, raked_product, tiled_product};
pub use swizzle::Swizzle;
pub use swizzled::Swizzled;
pub use tiler::Tiler;
pub use viewmerge::Limit;
