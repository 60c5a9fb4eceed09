//! Pictures of views: every index as a cell with its memory position in it.
//!
//! ```
//! use viewmerge::{View, ViewChain};
//! use viewmerge_draw::Drawing;
//!
//! let transposed: View = "(3,2):(1,3)".parse()?;
//! let svg = Drawing::of_view(&transposed).title("transposed").to_svg();
//! assert!(svg.starts_with("<svg"));
//!
//! // Why flattening it needs a copy: the steps that differ are marked.
//! let chain = ViewChain::from(transposed).reshape(&[6])?;
//! assert!(Drawing::of_merge(&chain).to_svg().contains("not one view"));
//! # Ok::<(), viewmerge::Error>(())
//! ```
//!
//! # What a picture shows
//!
//! | you want | see |
//! |---|---|
//! | one view | [`Drawing::of_view`] |
//! | a view with guards | [`Drawing::of_guarded`] |
//! | a chain: its views, and what they come to | [`Drawing::of_chain`] |
//! | whether a chain is one view, and why not | [`Drawing::of_merge`] |
//!
//! One axis is a row, two are a grid, three a row of grids, four a grid of
//! grids. Colour follows the memory position, from dark to light; padding is
//! hatched. Views of any size can be drawn: long axes are cut short by an
//! ellipsis, and of more than four axes the last four are shown.
//!
//! A picture is one SVG without scripts, fonts or other files. Its background
//! is transparent, and it can be read on a light and on a dark page.

mod caption;
mod colour;
mod drawing;
mod function;
mod geometry;
mod grid;
mod layout;
mod merge;
mod panel;
mod style;
mod text;

pub use drawing::Drawing;

/// The examples in README are run with the other examples.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
