//! Trees as text: Python's signs, which [`super::Expression`] reads again.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt::Write;

use super::tree::{Condition, Part, Relation, Rounding, Value};

/// How tightly what is written binds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Binds {
    Choice,
    Or,
    And,
    Compare,
    Sum,
    Product,
    Atom,
}

/// A value as text.
pub(crate) fn value(given: &Value, names: &[String]) -> String {
    written(given, names).0
}

/// A condition as text.
pub(crate) fn condition(given: &Condition, names: &[String]) -> String {
    written_condition(given, names).0
}

fn within((text, binds): (String, Binds), least: Binds) -> String {
    if binds < least { format!("({text})") } else { text }
}

fn written(given: &Value, names: &[String]) -> (String, Binds) {
    let inner = |one: &Value, least| within(written(one, names), least);
    let listed =
        |all: &[Value]| all.iter().map(|one| value(one, names)).collect::<Vec<_>>().join(", ");
    match given {
        Value::Number(number) if *number < 0 => (number.to_string(), Binds::Sum),
        Value::Number(number) => (number.to_string(), Binds::Atom),
        Value::Variable(variable) => {
            (names.get(*variable).cloned().unwrap_or_default(), Binds::Atom)
        }
        Value::Sum(all) => {
            let mut text = String::new();
            for one in all {
                let (negative, rest) = signed(one, names);
                let sign = match (text.is_empty(), negative) {
                    (true, false) => "",
                    (true, true) => "-",
                    (false, false) => " + ",
                    (false, true) => " - ",
                };
                text.push_str(sign);
                text.push_str(&rest);
            }
            (text, Binds::Sum)
        }
        Value::Negate(_) | Value::Multiply(..) => match signed(given, names) {
            (true, rest) => (format!("-{rest}"), Binds::Sum),
            (false, rest) => (rest, Binds::Product),
        },
        Value::Divide(a, b, rounding, part, _) => {
            let sign = match (rounding, part) {
                (Rounding::Down, Part::Quotient) => "//",
                (Rounding::Down, Part::Rest) => "%",
                (rounding, part) => {
                    let name = match (rounding, part) {
                        (Rounding::Up, Part::Quotient) => "ceildiv",
                        (Rounding::Up, Part::Rest) => {
                            let (a, b) = (inner(a, Binds::Product), inner(b, Binds::Atom));
                            return (format!("-(-{a} % {b})"), Binds::Sum);
                        }
                        (Rounding::TowardsZero, Part::Quotient) => "truncdiv",
                        (Rounding::TowardsZero, Part::Rest) => "truncmod",
                        (_, Part::Quotient) => "div_euclid",
                        (_, Part::Rest) => "rem_euclid",
                    };
                    let (a, b) = (value(a, names), value(b, names));
                    return (format!("{name}({a}, {b})"), Binds::Atom);
                }
            };
            let divisor = match **b {
                Value::Number(number) => number.to_string(),
                _ => inner(b, Binds::Atom),
            };
            (format!("{} {sign} {divisor}", inner(a, Binds::Atom)), Binds::Product)
        }
        Value::Least(all) => (format!("min({})", listed(all)), Binds::Atom),
        Value::Greatest(all) => (format!("max({})", listed(all)), Binds::Atom),
        Value::Where(when, a, b) => {
            let when = written_condition(when, names);
            match (&**a, &**b) {
                (Value::Number(1), Value::Number(0)) => (format!("int({})", when.0), Binds::Atom),
                _ => {
                    let (a, when) = (inner(a, Binds::Or), within(when, Binds::Or));
                    (format!("{a} if {when} else {}", inner(b, Binds::Choice)), Binds::Choice)
                }
            }
        }
    }
}

/// Whether a term is to be subtracted, and what.
fn signed(term: &Value, names: &[String]) -> (bool, String) {
    let inner = |one: &Value, least| within(written(one, names), least);
    match term {
        Value::Number(number) if *number < 0 => (true, number.unsigned_abs().to_string()),
        // A minus sign in front binds more tightly than a division.
        Value::Negate(a) if matches!(**a, Value::Divide(..)) => (true, inner(a, Binds::Atom)),
        Value::Negate(a) => (true, inner(a, Binds::Product)),
        Value::Multiply(a, b, _) => match (&**a, &**b) {
            (other, Value::Number(by)) | (Value::Number(by), other) => {
                (*by < 0, format!("{}*{}", by.unsigned_abs(), inner(other, Binds::Atom)))
            }
            (a, b) => (false, format!("{}*{}", inner(a, Binds::Atom), inner(b, Binds::Atom))),
        },
        other => (false, inner(other, Binds::Product)),
    }
}

fn written_condition(given: &Condition, names: &[String]) -> (String, Binds) {
    let joined = |all: &[Condition], word: &str, least: Binds| {
        let parts: Vec<String> =
            all.iter().map(|one| within(written_condition(one, names), least)).collect();
        parts.join(word)
    };
    match given {
        Condition::Always(true) => ("True".into(), Binds::Atom),
        Condition::Always(false) => ("False".into(), Binds::Atom),
        Condition::Compare(a, relation, b) => {
            let [a, b] = [a, b].map(|one| within(written(one, names), Binds::Sum));
            (format!("{a} {} {b}", relation.sign()), Binds::Compare)
        }
        Condition::All(all) => {
            let mut text = String::new();
            let mut rest = all.as_slice();
            while let Some((one, after)) = rest.split_first() {
                if !text.is_empty() {
                    text.push_str(" and ");
                }
                rest = after;
                if let Some((low, function, high)) = between(one, after.first()) {
                    let function = within(written(function, names), Binds::Sum);
                    // Writing to a text does not fail.
                    let _ = write!(text, "{low} <= {function} < {high}");
                    rest = &after[1..];
                } else {
                    text.push_str(&within(written_condition(one, names), Binds::And));
                }
            }
            (text, Binds::And)
        }
        Condition::Any(all) => match unequal(all) {
            Some((a, b)) => {
                let [a, b] = [a, b].map(|one| within(written(one, names), Binds::Sum));
                (format!("{a} != {b}"), Binds::Compare)
            }
            None => (joined(all, " or ", Binds::And), Binds::Or),
        },
        Condition::Not(inner) => {
            (format!("not {}", within(written_condition(inner, names), Binds::Compare)), Binds::And)
        }
    }
}

impl Relation {
    /// Its sign in most languages.
    pub(crate) fn sign(self) -> &'static str {
        match self {
            Relation::Less => "<",
            Relation::AtMost => "<=",
            Relation::Greater => ">",
            Relation::AtLeast => ">=",
            Relation::Equal => "==",
            Relation::Unequal => "!=",
        }
    }
}

/// Two neighbouring comparisons of one value with numbers: `low <= value < high`.
fn between<'c>(one: &'c Condition, other: Option<&'c Condition>) -> Option<(i64, &'c Value, i64)> {
    match (one, other?) {
        (
            Condition::Compare(a, Relation::AtLeast, low),
            Condition::Compare(b, Relation::Less, high),
        ) if a == b => match (&**low, &**high) {
            (Value::Number(low), Value::Number(high)) => Some((*low, a, *high)),
            _ => None,
        },
        _ => None,
    }
}

/// Two comparisons that leave out one value.
fn unequal(all: &[Condition]) -> Option<(&Value, &Value)> {
    let [Condition::Compare(a, Relation::Less, b), Condition::Compare(c, relation, d)] = all else {
        return None;
    };
    let same = match (relation, &**b, &**d) {
        (Relation::Greater, b, d) => b == d,
        (Relation::AtLeast, Value::Number(b), Value::Number(d)) => b.checked_add(1) == Some(*d),
        _ => false,
    };
    (a == c && same).then_some((a, b))
}
