//! The names of axes and floors, checked.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::{Language, Render};
use crate::dims::check_rank;
use crate::error::Error;
use crate::form::IndexForm;

/// Names that do not collide with each other or with what the code itself uses.
pub(super) struct Names {
    pub axes: Vec<String>,
    pub floors: Vec<String>,
    pub function: String,
}

/// The name of the position in code.
pub(super) const POSITION: &str = "position";

impl Names {
    pub(super) fn new(form: &IndexForm, how: &Render) -> Result<Names, Error> {
        let rank = form.shape().len();
        let axes = match &how.names {
            Some(names) => names.clone(),
            None => (0..rank).map(|axis| default_name(how.language, axis)).collect(),
        };
        check_rank("names", rank, axes.len())?;
        let function = &how.function;
        let code = !matches!(how.language, Language::Latex);
        for (axis, name) in axes.iter().enumerate() {
            let refused = |why| Err(Error::ExpressionName { axis, name: name.clone(), why });
            if code && !is_identifier(name) {
                return refused("a name is a letter or _ and then letters, digits or _");
            }
            if name.is_empty() {
                return refused("a name must not be empty");
            }
            if axes[..axis].contains(name) {
                return refused("each axis needs a name of its own");
            }
            if code && (name == function || name == POSITION) {
                return refused("the function and its result have this name");
            }
        }
        if !is_identifier(function) {
            return Err(Error::FunctionName { name: function.clone() });
        }
        let taken = |name: &String| axes.contains(name) || name == function || name == POSITION;
        let numbered = |prefix: &str| -> Vec<String> {
            (0..form.floors().len()).map(|number| format!("{prefix}{number}")).collect()
        };
        let mut prefix = String::from("f");
        while numbered(&prefix).iter().any(taken) {
            prefix.push('_');
        }
        Ok(Names { floors: numbered(&prefix), function: function.clone(), axes })
    }
}

fn default_name(language: Language, axis: usize) -> String {
    match language {
        Language::Tinygrad => format!("idx{axis}"),
        Language::Latex => format!("i_{{{axis}}}"),
        _ => format!("i{axis}"),
    }
}

fn is_identifier(name: &str) -> bool {
    let mut letters = name.chars();
    let start = letters.next().is_some_and(|c| c.is_ascii_alphabetic() || c == '_');
    start && letters.all(|c| c.is_ascii_alphanumeric() || c == '_')
}
