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
//! | languages and their signs | `language.rs`, `notation.rs` |
//! | names, and reserved words | `names.rs`, `reserved.rs`, `words.txt` |
//! | trees to text | `write.rs`, `bits.rs` |
//! | what is written: forms of chains, simplified expressions | `program.rs`, `expression.rs` |
//! | the pieces, and the function around them | `snippet.rs` |
//! | one readable line | `text.rs` |

mod bits;
mod expression;
mod language;
mod names;
mod notation;
mod program;
mod reserved;
mod snippet;
mod text;
mod write;

pub use language::Language;
pub use snippet::{Definition, Scope, Snippet};

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::form::{GuardedView, IndexForm};
use names::Names;
use viewmerge::Error;

/// How an expression is to be written.
///
/// ```
/// use viewmerge_index::IndexChain;
/// use viewmerge::{Limit, ViewChain};
/// use viewmerge_index::{Language, Render};
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
    /// use viewmerge_index::IndexChain;
    /// use viewmerge::{Limit, ViewChain};
    /// use viewmerge_index::{Language, Render};
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
    /// use viewmerge_index::IndexChain;
    /// use viewmerge::{Limit, ViewChain};
    /// use viewmerge_index::{Language, Render};
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
    /// use viewmerge_index::IndexChain;
    /// use viewmerge::{Limit, ViewChain};
    /// use viewmerge_index::{Language, Render};
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
    /// use viewmerge_index::IndexChain;
    /// use viewmerge::{Limit, ViewChain};
    /// use viewmerge_index::{Language, Render};
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

    /// The language.
    ///
    /// ```
    /// use viewmerge_index::{Language, Render};
    ///
    /// assert_eq!(Render::new(Language::C).language(), Language::C);
    /// ```
    #[must_use]
    pub fn language(&self) -> Language {
        self.language
    }

    /// The names of the axes, if they were given.
    ///
    /// ```
    /// use viewmerge_index::{Language, Render};
    ///
    /// assert_eq!(Render::new(Language::C).axis_names(), None);
    /// ```
    #[must_use]
    pub fn axis_names(&self) -> Option<&[String]> {
        self.names.as_deref()
    }

    /// Checks that names can be used together, and with the function's name.
    ///
    /// # Errors
    ///
    /// [`Error::ExpressionName`] with the number of the name, or [`Error::FunctionName`].
    ///
    /// ```
    /// use viewmerge_index::{Language, Render};
    ///
    /// let twice = ["n".to_string(), "n".to_string()];
    /// assert!(Render::new(Language::C).check_names(&twice).is_err());
    /// ```
    pub fn check_names(&self, names: &[String]) -> Result<(), Error> {
        names::check(self, names)
    }
}

impl IndexForm {
    /// The expression in a language, ending with a line break.
    ///
    /// # Errors
    ///
    /// [`Error::ExpressionName`] and [`Error::FunctionName`] for names that cannot be used,
    /// [`RankMismatch`](viewmerge::strides::Error::RankMismatch) unless there is one for each axis, [`Error::NoRendering`] if the
    /// language cannot express it.
    ///
    /// ```
    /// use viewmerge_index::IndexChain;
    /// use viewmerge::{Limit, ViewChain};
    /// use viewmerge_index::{Language, Render};
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
        let names = self.names(how)?;
        if how.language == Language::Tinygrad {
            return program::tinygrad(self, &names).map(|text| text + "\n");
        }
        let sides = names.axes.iter().zip(self.shape());
        let bounds: Vec<String> =
            sides.map(|(name, size)| format!("0 <= {name} < {size}")).collect();
        let scope = Scope { parameters: None, axes: &names.axes, bounds: &bounds };
        Ok(program::snippet(self, how, &names)?.whole(how, &scope))
    }

    /// Guard and position in a language, without a function around them.
    ///
    /// # Errors
    ///
    /// As [`IndexForm::render`].
    ///
    /// ```
    /// use viewmerge_index::IndexChain;
    /// use viewmerge::ViewChain;
    /// use viewmerge_index::{Language, Render};
    ///
    /// let window: ViewChain = "(18):(1)-2 [2:17] | (16,3):(1,1)".parse()?;
    /// let snippet = window.form(&viewmerge::Limit::none())?.snippet(&Render::new(Language::Triton))?;
    /// assert_eq!(snippet.guard, "(i0 + i1 >= 2) & (i0 + i1 < 17)");
    /// assert_eq!(snippet.position, "i0 + i1 - 2");
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    pub fn snippet(&self, how: &Render) -> Result<Snippet, Error> {
        program::snippet(self, how, &self.names(how)?)
    }

    /// The names of its axes and floors, unless it needs wider integers than the language has.
    fn names(&self, how: &Render) -> Result<Names, Error> {
        let names = Names::new(self.shape().len(), self.floors().len(), how)?;
        how.language.check_bits(self.bits())?;
        Ok(names)
    }

    /// How wide its integers are.
    fn bits(&self) -> u32 {
        if self.fits_32_bits() { 32 } else { 64 }
    }

    /// Whether 32 bits hold every index of the shape and every sum of the expression.
    ///
    /// ```
    /// use viewmerge_index::IndexChain;
    /// use viewmerge::{Limit, ViewChain};
    ///
    /// assert!(ViewChain::contiguous(&[1 << 31])?.form(&Limit::none())?.fits_32_bits());
    /// assert!(!ViewChain::contiguous(&[(1 << 31) + 1])?.form(&Limit::none())?.fits_32_bits());
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    pub fn fits_32_bits(&self) -> bool {
        let largest =
            self.shape().iter().map(|&size| size - 1).fold(self.max_magnitude(), i64::max);
        i32::try_from(largest).is_ok()
    }
}

impl GuardedView {
    /// The view's expression in a language.
    ///
    /// # Errors
    ///
    /// [`Error::ExpressionName`] and [`Error::FunctionName`] for names that cannot be used,
    /// [`RankMismatch`](viewmerge::strides::Error::RankMismatch) unless there is one for each axis, [`Error::NoRendering`] if the
    /// language cannot express it.
    ///
    /// ```
    /// use viewmerge_index::IndexChain;
    /// use viewmerge::{Limit, ViewChain};
    /// use viewmerge_index::{Language, Render};
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
