//! Certificates about expressions as JSON: trees as lists, members in a fixed order.

use alloc::string::String;
use alloc::vec::Vec;

use crate::expression::answer::Partial;
use crate::expression::tree::{Expr, Part};
use viewmerge::internal::{exact, listed};

/// What a certificate is about, without its end: variables with their ranges, two expressions.
pub(super) fn about(names: &[String], ranges: &[(i64, i64)], both: [&Partial; 2]) -> String {
    let names = identifiers(names);
    let variables = names
        .iter()
        .zip(ranges)
        .map(|(name, &(first, last))| format!(r#"["{name}",{},{}]"#, exact(first), exact(last)));
    let [one, two] = both.map(|of| {
        let valid = of.valid.as_ref().map_or("null".into(), |valid| written(valid, &names));
        format!(r#"{{"value":{},"valid":{valid}}}"#, written(&of.value, &names))
    });
    format!(r#"{{"variables":{},"one":{one},"two":{two}"#, listed(variables))
}

/// The names that certificates take: an identifier stays, another name becomes `$` and its place, with
/// more of `$` where that is taken.
fn identifiers(names: &[String]) -> Vec<String> {
    let written = |(place, name): (usize, &String)| {
        if is_identifier(name) {
            return name.clone();
        }
        let mut other = format!("${place}");
        while names.contains(&other) {
            other.insert(0, '$');
        }
        other
    };
    names.iter().enumerate().map(written).collect()
}

fn is_identifier(name: &str) -> bool {
    let is_letter = |c: char| c.is_ascii_alphabetic() || c == '_' || c == '$';
    name.starts_with(is_letter)
        && name.chars().all(|c| is_letter(c) || c.is_ascii_digit())
        && !["and", "or", "not", "if", "else", "min", "max", "True", "False"].contains(&name)
}

/// A number, a name, or `[sign, child …]`.
fn written(expr: &Expr, names: &[String]) -> String {
    let sign = match expr {
        Expr::Number(number) => return exact(*number),
        Expr::Variable(variable) => {
            return format!("\"{}\"", names.get(*variable).map_or("", String::as_str));
        }
        Expr::Multiply(ab, _) => {
            // Normal forms have the number behind the other factor.
            let [inner, by] = &**ab;
            return format!(r#"["*",{},{}]"#, written(by, names), written(inner, names));
        }
        Expr::Sum(_) => "+",
        Expr::Divide(_, _, Part::Quotient, _) => "//",
        Expr::Divide(_, _, Part::Remainder, _) => "%",
        Expr::Extreme(_, true) => "min",
        Expr::Extreme(_, false) => "max",
        Expr::Where(_) => "where",
        Expr::Always(true) | Expr::Join(_, true) => "and",
        Expr::Always(false) | Expr::Join(_, false) => "or",
        Expr::Not(_) => "not",
        Expr::Compare(_, relation) => relation.sign(),
    };
    let children = expr.children().iter().map(|child| format!(",{}", written(child, names)));
    format!("[\"{sign}\"{}]", children.collect::<String>())
}
