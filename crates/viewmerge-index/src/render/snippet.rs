//! Pieces of code, for compilers that put them into code of their own, and the whole around them.
//!
//! Running example: `(4,3):(1,4) | (12)`, in C:
//!
//! ```text
//! definitions   const int32_t f0 = i0 / 3;
//! guard         true
//! position      4*i0 - 11*f0
//! ```

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::notation::fill;
use super::{Language, Render};

/// What an index expression computes, in pieces instead of a whole function.
///
/// The definitions come first, in their order; guard and position use them. None
/// of it overflows integers of [`bits`](Snippet::bits) bits at any index of
/// the shape. The position is meaningful where the guard holds. Mathematical notations
/// write floors out and have no definitions.
///
/// Each piece is one expression, which needs brackets inside a larger one.
///
/// ```
/// use viewmerge_index::IndexChain;
/// use viewmerge::ViewChain;
/// use viewmerge_index::{Language, Render};
///
/// let form = "(4,3):(1,4) | (12)".parse::<ViewChain>()?.form(&viewmerge::Limit::none())?;
/// let snippet = form.snippet(&Render::new(Language::C).names(&["n"]))?;
/// assert_eq!(snippet.definitions[0].statement, "const int32_t f0 = n / 3;");
/// assert_eq!((snippet.guard.as_str(), snippet.position.as_str()), ("true", "4*n - 11*f0"));
/// assert_eq!(snippet.bits, 32);
/// # Ok::<(), viewmerge::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Snippet {
    /// The floors that guard and position use; each uses earlier ones only.
    pub definitions: Vec<Definition>,
    /// Whether an index of the shape is valid.
    pub guard: String,
    /// The memory position of a valid index.
    pub position: String,
    /// How wide integers, those of the index included, must be: 32 or 64.
    pub bits: u32,
    #[cfg_attr(feature = "serde", serde(skip))]
    valid: Valid,
}

/// Where indices are valid, in the order of what a language returns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Valid {
    Always,
    Never,
    /// Where the guard holds.
    Guarded,
}

/// A name for a floor, as a statement of the language and in its parts.
///
/// ```
/// use viewmerge_index::IndexChain;
/// use viewmerge::ViewChain;
/// use viewmerge_index::{Language, Render};
///
/// let form = "(4,3):(1,4) | (12)".parse::<ViewChain>()?.form(&viewmerge::Limit::none())?;
/// let snippet = form.snippet(&Render::new(Language::Wgsl))?;
/// let floor = &snippet.definitions[0];
/// assert_eq!((floor.name.as_str(), floor.value.as_str()), ("f0", "i0 / 3"));
/// assert_eq!(floor.statement, "let f0 = i0 / 3;");
/// # Ok::<(), viewmerge::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Definition {
    /// The name.
    pub name: String,
    /// The expression it stands for.
    pub value: String,
    /// Both, as a statement.
    pub statement: String,
}

impl Definition {
    /// A definition in a language, with integers of so many bits.
    ///
    /// ```
    /// use viewmerge_index::{Definition, Language};
    ///
    /// let half = Definition::new(Language::Rust, "h", "n / 2", 64);
    /// assert_eq!(half.statement, "let h = n / 2;");
    /// ```
    #[must_use]
    pub fn new(language: Language, name: &str, value: &str, bits: u32) -> Definition {
        let values = [('t', language.integer(bits)), ('n', name), ('v', value)];
        let statement = fill(language.notation().define, &values);
        Definition { name: name.to_string(), value: value.to_string(), statement }
    }
}

/// The names around a snippet.
///
/// ```
/// use viewmerge_index::Scope;
///
/// let axes = ["i0".to_string()];
/// let scope = Scope { parameters: None, axes: &axes, bounds: &[] };
/// assert_eq!(scope.axes.len(), 1);
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Scope<'a> {
    /// Arguments before the indices; symbols of a map.
    pub parameters: Option<&'a [String]>,
    /// The names of the axes.
    pub axes: &'a [String],
    /// What isl says about the axes: `0 <= i0 < 12`.
    pub bounds: &'a [String],
}

impl Snippet {
    /// A snippet from its pieces; an index is valid where all of `guards` hold, nowhere for `None`.
    ///
    /// ```
    /// use viewmerge_index::{Language, Snippet};
    ///
    /// let guards = Some(vec!["i >= 2".to_string(), "i < n".to_string()]);
    /// let snippet = Snippet::new(Language::Triton, vec![], guards, "i - 2".into(), 64);
    /// assert_eq!(snippet.guard, "(i >= 2) & (i < n)");
    /// ```
    #[must_use]
    pub fn new(
        language: Language,
        definitions: Vec<Definition>,
        guards: Option<Vec<String>>,
        position: String,
        bits: u32,
    ) -> Snippet {
        let notation = language.notation();
        let (guard, valid) = match guards {
            None => (notation.words[1].to_string(), Valid::Never),
            Some(all) if all.is_empty() => (notation.words[0].to_string(), Valid::Always),
            Some(mut all) => {
                if notation.tight && all.len() > 1 {
                    all.iter_mut().for_each(|one| *one = format!("({one})"));
                }
                (all.join(notation.guards), Valid::Guarded)
            }
        };
        Snippet { definitions, guard, position, bits, valid }
    }

    /// The function around a snippet, or the formula, ending with a line break.
    ///
    /// ```
    /// use viewmerge_index::{Language, Render, Scope, Snippet};
    ///
    /// let snippet = Snippet::new(Language::Python, vec![], Some(vec![]), "n*i".into(), 64);
    /// let (parameters, axes) = (["n".to_string()], ["i".to_string()]);
    /// let scope = Scope { parameters: Some(&parameters), axes: &axes, bounds: &[] };
    /// let text = snippet.whole(&Render::new(Language::Python), &scope);
    /// assert_eq!(text, "def at(n, i):\n    return n*i\n");
    /// ```
    #[must_use]
    pub fn whole(&self, how: &Render, scope: &Scope<'_>) -> String {
        let language = how.language();
        let (notation, integer) = (language.notation(), language.integer(self.bits));
        let parameters = scope.parameters.unwrap_or_default();
        let before = if language.has_functions() { parameters } else { &[] };
        let argument = |name: &String| fill(notation.argument, &[('t', integer), ('n', name)]);
        let mut arguments: Vec<String> = before.iter().chain(scope.axes).map(argument).collect();
        if !notation.result.is_empty() {
            arguments.push(fill(notation.result, &[('t', integer)]));
        }
        let mut lines = String::new();
        if language == Language::Triton && self.bits == 64 {
            let widened = |name: &String| format!("    {name} = tl.cast({name}, tl.int64)\n");
            lines.extend(scope.axes.iter().map(widened));
        }
        lines.extend(self.definitions.iter().map(|one| format!("    {}\n", one.statement)));
        let symbols = match (scope.parameters, language) {
            (Some(all), Language::Mlir) => format!("[{}]", all.join(", ")),
            (Some(all), Language::Isl) => format!("[{}] -> ", all.join(", ")),
            _ => String::new(),
        };
        let mut bounds = scope.bounds.to_vec();
        if !matches!(self.valid, Valid::Always) {
            bounds.push(self.guard.clone());
        }
        let bounds = match bounds.is_empty() {
            true => String::new(),
            false => format!(" : {}", bounds.join(" and ")),
        };
        let values = [('p', self.position.as_str()), ('g', &self.guard)];
        let returned = fill(notation.returned[self.valid as usize], &values);
        let values = [
            ('f', how.function.as_str()),
            ('t', integer),
            ('a', &arguments.join(", ")),
            ('d', &lines),
            ('p', &self.position),
            ('g', &self.guard),
            ('r', &returned),
            ('m', &symbols),
            ('c', &bounds),
        ];
        fill(notation.whole, &values)
    }
}
