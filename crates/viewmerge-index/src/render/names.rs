//! The names of axes, floors and the function, checked.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::reserved::{refusal, refusal_of_function};
use super::{Language, Render};
use viewmerge::Error;
use viewmerge::internal::check_rank;

/// Names that do not collide with each other or with what the code itself uses.
pub(super) struct Names {
    pub axes: Vec<String>,
    pub floors: Vec<String>,
}

/// The name of the position, where the code declares one.
pub(super) const POSITION: &str = "position";

const IDENTIFIER: &str =
    "a name is a letter from a to z or A to Z, or _, then more of them or digits";

impl Names {
    /// For so many axes and floors.
    pub(super) fn new(rank: usize, floors: usize, how: &Render) -> Result<Names, Error> {
        let language = how.language;
        let axes = match &how.names {
            Some(names) => names.clone(),
            None => (0..rank).map(|axis| language.default_name(axis)).collect(),
        };
        check_rank("names", rank, axes.len())?;
        check(how, &axes)?;
        let function = &how.function;
        // Floors make way for the names that are given.
        let taken = |name: &String| {
            axes.contains(name) || name == function || refused(language, name).is_some()
        };
        let numbered = |prefix: &str| -> Vec<String> {
            (0..floors).map(|number| format!("{prefix}{number}")).collect()
        };
        let mut prefix = String::from("f");
        while numbered(&prefix).iter().any(taken) {
            prefix.push('_');
        }
        Ok(Names { floors: numbered(&prefix), axes })
    }
}

/// Refuses names that cannot be used together with each other or with the function's.
pub(super) fn check(how: &Render, names: &[String]) -> Result<(), Error> {
    let (language, function) = (how.language, &how.function);
    for (axis, name) in names.iter().enumerate() {
        let why = if names[..axis].contains(name) {
            Some("each axis needs a name of its own".to_string())
        } else if language.has_functions() && name == function {
            Some("the function has this name".to_string())
        } else {
            refused(language, name)
        };
        if let Some(why) = why {
            return Err(Error::ExpressionName { axis, name: name.clone(), why });
        }
    }
    if language.has_functions() {
        let why = refused(language, function);
        if let Some(why) = why.or_else(|| refusal_of_function(language, function)) {
            return Err(Error::FunctionName { name: function.clone(), why });
        }
    }
    Ok(())
}

/// Why a word cannot be a name in a language, if it cannot.
pub(super) fn refused(language: Language, name: &str) -> Option<String> {
    if language == Language::Latex {
        return (!is_math(name)).then(|| {
            "in latex a name is not empty, its braces match, and it has none of % # & $".into()
        });
    }
    if !is_identifier(name) {
        return Some(IDENTIFIER.into());
    }
    if language.declares_position() && name == POSITION {
        return Some("the code calls its result so".into());
    }
    refusal(language, name)
}

fn is_identifier(name: &str) -> bool {
    let mut letters = name.chars();
    let start = letters.next().is_some_and(|c| c.is_ascii_alphabetic() || c == '_');
    start && letters.all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// Whether a name keeps to itself in a formula.
fn is_math(name: &str) -> bool {
    let mut open = 0usize;
    for letter in name.chars() {
        match letter {
            '{' => open += 1,
            '}' if open == 0 => return false,
            '}' => open -= 1,
            '%' | '#' | '&' | '$' => return false,
            letter if letter.is_control() => return false,
            _ => {}
        }
    }
    open == 0 && !name.trim().is_empty() && !name.ends_with('\\')
}
