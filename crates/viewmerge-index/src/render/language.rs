//! The languages, and the names that can be used in them.

use alloc::string::String;
use core::fmt;
use core::str::FromStr;

use super::names;
use super::notation::fill;
use viewmerge::Error;

/// What an expression can be written in.
///
/// ```
/// use viewmerge_index::Language;
///
/// assert_eq!("wgsl".parse(), Ok(Language::Wgsl));
/// assert_eq!(Language::OpenCl.to_string(), "opencl");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
#[non_exhaustive]
pub enum Language {
    /// C99 and later; needs `<stdbool.h>` and `<stdint.h>`.
    C,
    /// CUDA C++.
    Cuda,
    /// OpenCL C.
    OpenCl,
    /// Metal shading language.
    Metal,
    /// HLSL; expressions that need 64 bits need shader model 6.
    Hlsl,
    /// WebGPU shading language, which has 32-bit integers only.
    Wgsl,
    /// Rust.
    Rust,
    /// Python.
    Python,
    /// Triton 3 and later: a `@triton.jit` function of blocks of indices that
    /// gives their positions and whether they are valid, as `tl.load` takes them.
    Triton,
    /// MLIR: an `affine_map` and an `affine_set`.
    Mlir,
    /// isl: a map from valid indices to memory positions.
    Isl,
    /// LaTeX, for math mode.
    Latex,
    /// As tinygrad prints the index of a single view.
    Tinygrad,
}

impl Language {
    /// All of them.
    ///
    /// ```
    /// use viewmerge_index::Language;
    ///
    /// assert!(Language::all().contains(&Language::Wgsl));
    /// ```
    #[must_use]
    pub const fn all() -> &'static [Language] {
        use Language::*;
        &[C, Cuda, OpenCl, Metal, Hlsl, Wgsl, Rust, Python, Triton, Mlir, Isl, Latex, Tinygrad]
    }

    /// The name, in lower case.
    ///
    /// ```
    /// assert_eq!(viewmerge_index::Language::C.name(), "c");
    /// ```
    #[must_use]
    pub fn name(self) -> &'static str {
        self.notation().name
    }

    /// Whether an expression is written as a function, with floors defined
    /// before they are used, as in all but the mathematical notations.
    ///
    /// ```
    /// use viewmerge_index::Language;
    ///
    /// assert!(Language::Cuda.has_functions());
    /// assert!(!Language::Mlir.has_functions());
    /// ```
    #[must_use]
    pub fn has_functions(self) -> bool {
        !matches!(self, Language::Mlir | Language::Isl | Language::Latex | Language::Tinygrad)
    }

    /// The name of axis number `axis` unless another is given.
    ///
    /// ```
    /// use viewmerge_index::Language;
    ///
    /// assert_eq!(Language::Latex.default_name(2), "i_{2}");
    /// ```
    #[must_use]
    pub fn default_name(self, axis: usize) -> String {
        match self {
            Language::Tinygrad => format!("idx{axis}"),
            Language::Latex => format!("i_{{{axis}}}"),
            _ => format!("i{axis}"),
        }
    }

    /// The type of integers of so many bits; empty where there is none.
    ///
    /// ```
    /// use viewmerge_index::Language;
    ///
    /// assert_eq!(Language::Cuda.integer(64), "long long");
    /// ```
    #[must_use]
    pub fn integer(self, bits: u32) -> &'static str {
        self.notation().integers[usize::from(bits > 32)]
    }

    /// A quotient of two operands that bind as tightly as names.
    ///
    /// ```
    /// use viewmerge_index::Language;
    ///
    /// assert_eq!(Language::Python.quotient("n", "(m + 1)"), "n // (m + 1)");
    /// ```
    #[must_use]
    pub fn quotient(self, dividend: &str, divisor: &str) -> String {
        fill(self.notation().quotient, &[('a', dividend), ('b', divisor)])
    }

    /// A comparison as the number 1 or 0.
    ///
    /// ```
    /// use viewmerge_index::Language;
    ///
    /// assert_eq!(Language::Rust.number("n == 3", 64), "i64::from(n == 3)");
    /// ```
    #[must_use]
    pub fn number(self, comparison: &str, bits: u32) -> String {
        fill(self.notation().number, &[('t', self.integer(bits)), ('v', comparison)])
    }

    /// That something cannot be written in it.
    pub(super) fn refused(self, why: &'static str) -> Error {
        Error::NoRendering { language: self.name(), why }
    }

    /// Refuses an expression that needs wider integers than the language has.
    pub(super) fn check_bits(self, bits: u32) -> Result<(), Error> {
        match self {
            Language::Wgsl if bits > 32 => {
                Err(self.refused("it has 32-bit integers only, and this expression needs 64 bits"))
            }
            _ => Ok(()),
        }
    }

    /// Whether the function has a variable for the position.
    pub(super) fn declares_position(self) -> bool {
        self.notation().result.contains(names::POSITION)
    }
}

impl fmt::Display for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Language {
    type Err = Error;

    fn from_str(text: &str) -> Result<Language, Error> {
        let known = Language::all().iter().copied().find(|language| language.name() == text);
        known.ok_or_else(|| Error::UnknownLanguage {
            name: text.into(),
            known: Language::all().iter().map(|language| language.name()).collect(),
        })
    }
}
