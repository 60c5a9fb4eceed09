//! The index expression of a chain as JSON: its parts and its text.
//!
//! ```
//! use viewmerge_index::IndexChain;
//! use viewmerge::{Limit, ViewChain};
//! use viewmerge_index::Language;
//! use viewmerge_json::expression::Written;
//!
//! let chain: ViewChain = "(4,3):(1,4) | (12)".parse()?;
//! let form = chain.form(&Limit::none())?;
//! let value = Written::Text(form.to_string()).json(&form)?;
//! assert_eq!(value["text"], "4*i0 - 11*f0 where f0 = i0 / 3");
//! # Ok::<(), viewmerge::Error>(())
//! ```

use serde_json::{Value, json};
use viewmerge::Error;
use viewmerge_index::{IndexForm, Render, Snippet};

/// The text.
pub enum Written {
    /// A function, a formula, or one readable line.
    Text(String),
    /// Guard and position alone.
    Bare(Snippet),
}

impl Written {
    /// Writes an expression in a language, or as one readable line.
    ///
    /// # Errors
    ///
    /// If the language or a name is refused.
    pub fn new(form: &IndexForm, how: Option<&Render>, bare: bool) -> Result<Written, Error> {
        Ok(match how {
            None => Written::Text(form.to_string()),
            Some(how) if bare => Written::Bare(form.snippet(how)?),
            Some(how) => Written::Text(form.render(how)?.trim_end().to_string()),
        })
    }

    /// The text and the parts of the expression.
    ///
    /// # Errors
    ///
    /// If its view with guards cannot be written down.
    pub fn json(self, form: &IndexForm) -> Result<Value, Error> {
        let mut value = json!({ "form": form, "guarded": form.guarded()? });
        match self {
            Written::Text(text) => value["text"] = json!(text),
            Written::Bare(bare) => value["bare"] = json!(bare),
        }
        Ok(value)
    }
}
