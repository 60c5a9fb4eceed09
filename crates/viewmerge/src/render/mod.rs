//! Index expressions in programming languages and mathematical notations.
//!
//! Running example: `(4,3):(1,4) | (12)`, position 4·i − 11·⌊i/3⌋, in C:
//!
//! ```text
//! static inline bool at(int32_t i0, int32_t *position) {
//!     const int32_t f0 = i0 / 3;
//!     *position = 4*i0 - 11*f0;
//!     return true;
//! }
//! ```
//!
//! Code is one function: it tells whether the index is valid, and the memory
//! position if so. Floors are computed once and named. A floor that is only ever
//! 0 or 1 is written as a comparison. Integers are 32 bits wide if every sum
//! fits at every index of the shape, so nothing overflows, valid or not. What is
//! divided is never negative where it matters, so it is all the same whether a
//! language rounds a quotient down, as Python does, or towards 0, as C does and
//! Triton does for tensors, for all its `//`.
//!
//! | what | where |
//! |---|---|
//! | what was asked | `asked.rs` |
//! | names, and words that are none | `names.rs`, `reserved.rs` |
//! | sums and conditions, in any signs | `sum.rs` |
//! | floors, guard and position of a programming language | `body.rs` |
//! | the function around them | `code.rs` |
//! | mathematical notations | `math.rs` |
//! | guard and position alone | `bare.rs` |
//! | one readable line | `text.rs` |
//! | expressions that were input, as trees | `expression.rs`, `tree.rs` |

mod asked;
mod bare;
mod body;
mod code;
mod expression;
mod math;
mod names;
mod reserved;
mod sum;
mod text;
mod tree;

pub use bare::{Definition, Expressions};

use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;
use core::str::FromStr;

use crate::error::Error;
use crate::form::{GuardedView, IndexForm};
use names::Names;

/// What an expression can be written in.
///
/// ```
/// use viewmerge::Language;
///
/// assert_eq!("wgsl".parse(), Ok(Language::Wgsl));
/// assert_eq!(Language::OpenCl.to_string(), "opencl");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
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
    /// use viewmerge::Language;
    ///
    /// assert!(Language::all().contains(&Language::Wgsl));
    /// ```
    #[must_use]
    pub const fn all() -> &'static [Language] {
        &[
            Language::C,
            Language::Cuda,
            Language::OpenCl,
            Language::Metal,
            Language::Hlsl,
            Language::Wgsl,
            Language::Rust,
            Language::Python,
            Language::Triton,
            Language::Mlir,
            Language::Isl,
            Language::Latex,
            Language::Tinygrad,
        ]
    }

    /// The name, in lower case.
    ///
    /// ```
    /// assert_eq!(viewmerge::Language::C.name(), "c");
    /// ```
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Language::C => "c",
            Language::Cuda => "cuda",
            Language::OpenCl => "opencl",
            Language::Metal => "metal",
            Language::Hlsl => "hlsl",
            Language::Wgsl => "wgsl",
            Language::Rust => "rust",
            Language::Python => "python",
            Language::Triton => "triton",
            Language::Mlir => "mlir",
            Language::Isl => "isl",
            Language::Latex => "latex",
            Language::Tinygrad => "tinygrad",
        }
    }

    /// Whether an expression is written as a function, with floors defined
    /// before they are used: so it is in all but the mathematical notations.
    ///
    /// ```
    /// use viewmerge::Language;
    ///
    /// assert!(Language::Cuda.has_functions());
    /// assert!(!Language::Mlir.has_functions());
    /// ```
    #[must_use]
    pub fn has_functions(self) -> bool {
        !matches!(self, Language::Mlir | Language::Isl | Language::Latex | Language::Tinygrad)
    }

    /// Whether the function has a variable for the position.
    fn declares_position(self) -> bool {
        let returned = matches!(self, Language::Rust | Language::Python | Language::Triton);
        self.has_functions() && !returned
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

/// A language is its name.
#[cfg(feature = "serde")]
impl serde::Serialize for Language {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

#[cfg(feature = "serde")]
impl<'de> serde::Deserialize<'de> for Language {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Language, D::Error> {
        let name = String::deserialize(deserializer)?;
        name.parse().map_err(serde::de::Error::custom)
    }
}

/// How an expression is to be written.
///
/// ```
/// use viewmerge::{Language, Limit, Render, ViewChain};
///
/// let chain: ViewChain = "(4,8):(1,4) | (32)".parse()?;
/// let how = Render::new(Language::Python).names(&["n"]).function("place").shifts(true);
/// assert_eq!(
///     chain.form(&Limit::none())?.render(&how)?,
///     "def place(n):\n    f0 = n >> 3\n    return 4*n - 31*f0\n",
/// );
/// # Ok::<(), viewmerge::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Render {
    language: Language,
    names: Option<Vec<String>>,
    function: String,
    shifts: bool,
}

impl Render {
    /// In this language, with names i0, i1 … (idx0 … for tinygrad), a function
    /// called `at`, and divisions written as divisions.
    ///
    /// ```
    /// use viewmerge::{Language, Limit, Render, ViewChain};
    ///
    /// let form = ViewChain::contiguous(&[2, 3])?.form(&Limit::none())?;
    /// assert_eq!(form.render(&Render::new(Language::Latex))?, "3 i_{0} + i_{1}\n");
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    #[must_use]
    pub fn new(language: Language) -> Render {
        Render { language, names: None, function: "at".into(), shifts: false }
    }

    /// With these names for the axes. They must be distinct and, but for LaTeX,
    /// plain identifiers. A word that the language reserves or the code uses
    /// itself is refused; floors are called `f0`, `f1` …, or `f_0` and so on
    /// where a name given here is one of these.
    ///
    /// ```
    /// use viewmerge::{Language, Limit, Render, ViewChain};
    ///
    /// let form = ViewChain::contiguous(&[2, 3])?.form(&Limit::none())?;
    /// let how = Render::new(Language::Latex).names(&["x", "y"]);
    /// assert_eq!(form.render(&how)?, "3 x + y\n");
    /// let refused = form.render(&Render::new(Language::C).names(&["x", "int"])).unwrap_err();
    /// assert_eq!(
    ///     refused.to_string(),
    ///     r#"axis 1 is called "int": c reserves this word, take another name"#,
    /// );
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    #[must_use]
    pub fn names<T: AsRef<str>>(mut self, names: &[T]) -> Render {
        self.names = Some(names.iter().map(|name| name.as_ref().to_string()).collect());
        self
    }

    /// With this name for the function, in languages that have functions.
    ///
    /// ```
    /// use viewmerge::{Language, Limit, Render, ViewChain};
    ///
    /// let form = ViewChain::contiguous(&[2])?.form(&Limit::none())?;
    /// let text = form.render(&Render::new(Language::Rust).function("place"))?;
    /// assert!(text.starts_with("fn place(i0: i32) -> Option<i32> {"));
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    #[must_use]
    pub fn function(mut self, name: &str) -> Render {
        self.function = name.to_string();
        self
    }

    /// With divisions by powers of two as shifts; what is divided is not negative.
    ///
    /// ```
    /// use viewmerge::{Language, Limit, Render, ViewChain};
    ///
    /// let form = "(3,4):(1,3) | (12)".parse::<ViewChain>()?.form(&Limit::none())?;
    /// let text = form.render(&Render::new(Language::Rust).shifts(true))?;
    /// assert!(text.contains("i0 >> 2"));
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    #[must_use]
    pub fn shifts(mut self, shifts: bool) -> Render {
        self.shifts = shifts;
        self
    }
}

impl IndexForm {
    /// The expression in a language, ending with a line break.
    ///
    /// # Errors
    ///
    /// [`Error::ExpressionName`] and [`Error::FunctionName`] for names that cannot be used,
    /// [`Error::RankMismatch`] unless there is one for each axis, [`Error::NoRendering`] if the
    /// language cannot say it.
    ///
    /// ```
    /// use viewmerge::{Language, Limit, Render, ViewChain};
    ///
    /// let window: ViewChain = "(18):(1)-2 [2:17] | (16,3):(1,1)".parse()?;
    /// let text = window.form(&Limit::none())?.render(&Render::new(Language::C))?;
    /// assert_eq!(text, "\
    /// static inline bool at(int32_t i0, int32_t i1, int32_t *position) {
    ///     *position = i0 + i1 - 2;
    ///     return 2 <= i0 + i1 && i0 + i1 < 17;
    /// }
    /// ");
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    pub fn render(&self, how: &Render) -> Result<String, Error> {
        let names = Names::new(self, how)?;
        self.check_width(how.language)?;
        match how.language {
            Language::Mlir => Ok(math::mlir(self, &names)),
            Language::Isl => Ok(math::isl(self, &names)),
            Language::Latex => Ok(math::latex(self, &names)),
            Language::Tinygrad => math::tinygrad(self, &names).map(|text| text + "\n"),
            language => Ok(code::function(self, language, &names, how.shifts)),
        }
    }

    /// Guard and position as expressions of a language, without a function around them.
    ///
    /// # Errors
    ///
    /// As [`IndexForm::render`].
    ///
    /// ```
    /// use viewmerge::{Language, Render, ViewChain};
    ///
    /// let window: ViewChain = "(18):(1)-2 [2:17] | (16,3):(1,1)".parse()?;
    /// let bare = window.form(&viewmerge::Limit::none())?.expressions(&Render::new(Language::Triton))?;
    /// assert_eq!(bare.guard, "(i0 + i1 >= 2) & (i0 + i1 < 17)");
    /// assert_eq!(bare.position, "i0 + i1 - 2");
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    pub fn expressions(&self, how: &Render) -> Result<Expressions, Error> {
        self.check_width(how.language)?;
        Expressions::new(self, how)
    }

    /// Refuses what needs wider integers than a language has.
    fn check_width(&self, language: Language) -> Result<(), Error> {
        match language {
            Language::Wgsl if !self.fits_32_bits() => Err(Error::NoRendering {
                language: "wgsl",
                why: "it has 32-bit integers only, and this expression needs 64 bits",
            }),
            _ => Ok(()),
        }
    }

    /// Whether 32 bits hold every index of the shape and every sum of the expression.
    ///
    /// ```
    /// use viewmerge::{Limit, ViewChain};
    ///
    /// assert!(ViewChain::contiguous(&[1 << 31])?.form(&Limit::none())?.fits_32_bits());
    /// assert!(!ViewChain::contiguous(&[(1 << 31) + 1])?.form(&Limit::none())?.fits_32_bits());
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    pub fn fits_32_bits(&self) -> bool {
        let largest = self.shape().iter().map(|&size| size - 1).fold(self.reach(), i64::max);
        i32::try_from(largest).is_ok()
    }
}

impl GuardedView {
    /// The view's expression in a language.
    ///
    /// # Errors
    ///
    /// [`Error::ExpressionName`] and [`Error::FunctionName`] for names that cannot be used,
    /// [`Error::RankMismatch`] unless there is one for each axis, [`Error::NoRendering`] if the
    /// language cannot say it.
    ///
    /// ```
    /// use viewmerge::{Language, Limit, Render, ViewChain};
    ///
    /// let window: ViewChain = "(18):(1)-2 [2:17] | (16,3):(1,1)".parse()?;
    /// let guarded = window.guarded(&Limit::none())?.unwrap();
    /// let text = guarded.render(&Render::new(Language::Latex).names(&["x", "k"]))?;
    /// assert_eq!(text, "x + k - 2 \\quad \\text{if } 2 \\le x + k < 17\n");
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    pub fn render(&self, how: &Render) -> Result<String, Error> {
        self.to_form()?.render(how)
    }
}
