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
//! | a chain: its views, and the whole | [`Drawing::of_chain`] |
//! | whether a chain is one view, and why not | [`Drawing::of_merge`] |
//! | where a chain is cut so that it is one view | [`Drawing::of_tiling`] |
//! | a CuTe layout, a swizzled one | [`Drawing::of_layout`], [`Drawing::of_swizzled`] |
//! | which thread holds what | [`Drawing::of_thread_values`] |
//! | which bank an element is in, and who reads it | [`Drawing::of_access`] |
//!
//! One axis is a row, two are a grid, three a row of grids, four a grid of
//! grids. Colour follows the memory position, from dark to light; padding is
//! hatched. Views of any size can be drawn: long axes are shortened by an ellipsis, and
//! of more than four axes the last four are shown, or those that show why a chain is not
//! one view.
//!
//! Grids that do not fit beside each other wrap into further lines: a picture is at most
//! about 1200 pixels wide, unless more cells than usual are asked for or the numbers have
//! more than 13 digits.
//!
//! # Formats
//!
//! | format | method | feature |
//! |---|---|---|
//! | SVG | [`Drawing::to_svg`], [`Display`](std::fmt::Display) | |
//! | TikZ | [`Drawing::to_tikz`] | |
//! | PNG | `Drawing::to_png` | `export` |
//! | PDF | `Drawing::to_pdf` | `export` |
//!
//! All are written from the same shapes and texts, not converted from each other. They
//! contain no scripts and load nothing. An SVG follows the reader's preference for light
//! or dark pages; [`Theme`] fixes it.
//!
//! PNG and PDF need a font and bring their own, so they look the same on every machine:
//! DejaVu Sans Mono, from the crate `dejavu`.

mod area;
mod arrows;
mod caption;
mod cell;
#[cfg(test)]
mod checks;
mod colour;
mod cuts;
mod drawing;
#[cfg(feature = "export")]
mod export;
#[cfg(feature = "export")]
mod font;
mod function;
mod geometry;
mod grid;
#[cfg(feature = "export")]
mod ink;
mod lanes;
mod layout;
mod modes;
mod palette;
mod panel;
#[cfg(feature = "export")]
mod pdf;
#[cfg(feature = "export")]
mod png;
mod scene;
mod steps;
mod subject;
mod svg;
mod text;
mod tikz;
mod witness;

pub use cell::ColourBy;
pub use drawing::Drawing;
#[cfg(feature = "export")]
pub use export::ExportError;
pub use palette::{Shade, Shades, Theme, shades};

/// The examples in README are run with the other examples.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
