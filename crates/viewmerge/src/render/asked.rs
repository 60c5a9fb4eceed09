//! What was asked of a rendering, for those that write other expressions in the same languages.

use alloc::string::String;

use super::{Language, Render};

impl Render {
    /// The language.
    ///
    /// ```
    /// use viewmerge::{Language, Render};
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
    /// use viewmerge::{Language, Render};
    ///
    /// assert_eq!(Render::new(Language::C).axis_names(), None);
    /// ```
    #[must_use]
    pub fn axis_names(&self) -> Option<&[String]> {
        self.names.as_deref()
    }

    /// The name of the function.
    ///
    /// ```
    /// use viewmerge::{Language, Render};
    ///
    /// assert_eq!(Render::new(Language::C).function_name(), "at");
    /// ```
    #[must_use]
    pub fn function_name(&self) -> &str {
        &self.function
    }
}
