//! Bare expressions, for compilers that put them into code of their own.
//!
//! Running example: `(4,3):(1,4) | (12)`, in C:
//!
//! ```text
//! definitions   const int32_t f0 = i0 / 3;
//! guard         true
//! position      4*i0 - 11*f0
//! ```

use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use super::Render;
use super::body::{Body, Dialect};
use super::math::Formulas;
use super::names::Names;
use crate::error::Error;
use crate::form::IndexForm;

/// What a form computes, as expressions of a language instead of a whole function.
///
/// The definitions come first, in their order; guard and position use them. None
/// of it overflows integers of [`bits`](Expressions::bits) bits at any index of
/// the shape. The position counts where the guard holds. Mathematical notations
/// write floors out and have no definitions.
///
/// Each is one expression, which needs brackets inside a larger one.
///
/// ```
/// use viewmerge::{Language, Render, ViewChain};
///
/// let form = "(4,3):(1,4) | (12)".parse::<ViewChain>()?.form(&viewmerge::Limit::none())?;
/// let bare = form.expressions(&Render::new(Language::C).names(&["n"]))?;
/// assert_eq!(bare.definitions[0].statement, "const int32_t f0 = n / 3;");
/// assert_eq!((bare.guard.as_str(), bare.position.as_str()), ("true", "4*n - 11*f0"));
/// assert_eq!(bare.bits, 32);
/// # Ok::<(), viewmerge::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Expressions {
    /// The floors that guard and position use; each uses earlier ones only.
    pub definitions: Vec<Definition>,
    /// Whether an index of the shape is valid.
    pub guard: String,
    /// The memory position of a valid index.
    pub position: String,
    /// How wide integers, those of the index included, must be: 32 or 64.
    pub bits: u32,
}

/// A name for a floor, as a statement of the language and in its parts.
///
/// ```
/// use viewmerge::{Language, Render, ViewChain};
///
/// let form = "(4,3):(1,4) | (12)".parse::<ViewChain>()?.form(&viewmerge::Limit::none())?;
/// let bare = form.expressions(&Render::new(Language::Wgsl))?;
/// let floor = &bare.definitions[0];
/// assert_eq!((floor.name.as_str(), floor.value.as_str()), ("f0", "i0 / 3"));
/// assert_eq!(floor.statement, "let f0 = i0 / 3;");
/// # Ok::<(), viewmerge::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Definition {
    /// The name.
    pub name: String,
    /// The expression it stands for.
    pub value: String,
    /// Both, as a statement.
    pub statement: String,
}

impl Expressions {
    pub(super) fn new(form: &IndexForm, how: &Render) -> Result<Expressions, Error> {
        let names = Names::new(form, how)?;
        let small = form.fits_32_bits();
        let bits = if small { 32 } else { 64 };
        if how.language.has_functions() {
            let dialect = Dialect::of(how.language, small);
            let Body { definitions, guard, position, .. } =
                Body::new(form, &names, how.shifts, &dialect);
            return Ok(Expressions { definitions, guard, position, bits });
        }
        let formulas = Formulas::of(form, how.language, &names)?;
        let guard = formulas.guard();
        Ok(Expressions { definitions: vec![], guard, position: formulas.position, bits })
    }
}
