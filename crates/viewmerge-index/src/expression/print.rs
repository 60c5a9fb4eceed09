//! Trees as text, as Python writes them; [`super::Expression`] reads it again.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::tree::{Expr, Part, Relation, Rounding};

/// How tightly a piece of text binds.
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

/// An expression as text.
pub(crate) fn text(expr: &Expr, names: &[String]) -> String {
    written(expr, names).0
}

/// The text, in brackets if it binds less tightly than is needed.
pub(crate) fn within((text, binds): (String, Binds), least: Binds) -> String {
    if binds < least { format!("({text})") } else { text }
}

/// The sign before a term of a sum.
pub(crate) fn sign(first: bool, negative: bool) -> &'static str {
    match (first, negative) {
        (true, false) => "",
        (true, true) => "-",
        (false, false) => " + ",
        (false, true) => " - ",
    }
}

fn written(expr: &Expr, names: &[String]) -> (String, Binds) {
    let inner = |one: &Expr, least| within(written(one, names), least);
    let listed =
        |all: &[Expr]| all.iter().map(|one| text(one, names)).collect::<Vec<_>>().join(", ");
    match expr {
        Expr::Number(number) if *number < 0 => (number.to_string(), Binds::Sum),
        Expr::Number(number) => (number.to_string(), Binds::Atom),
        Expr::Variable(variable) => {
            (names.get(*variable).cloned().unwrap_or_default(), Binds::Atom)
        }
        Expr::Sum(all) => {
            let mut text = String::new();
            for one in all {
                let (negative, rest) = signed(one, names);
                text.push_str(sign(text.is_empty(), negative));
                text.push_str(&rest);
            }
            (text, Binds::Sum)
        }
        Expr::Negate(_) | Expr::Multiply(..) => match signed(expr, names) {
            (true, rest) => (format!("-{rest}"), Binds::Sum),
            (false, rest) => (rest, Binds::Product),
        },
        Expr::Divide(ab, rounding, part, _) => {
            let [a, b] = &**ab;
            let function = match (rounding, part) {
                (Rounding::Down, _) => {
                    let sign = if *part == Part::Quotient { "//" } else { "%" };
                    let divisor = match b {
                        Expr::Number(number) => number.to_string(),
                        _ => inner(b, Binds::Atom),
                    };
                    let text = format!("{} {sign} {divisor}", inner(a, Binds::Atom));
                    return (text, Binds::Product);
                }
                (Rounding::Up, Part::Remainder) => {
                    let (a, b) = (inner(a, Binds::Product), inner(b, Binds::Atom));
                    return (format!("-(-{a} % {b})"), Binds::Sum);
                }
                (Rounding::Up, Part::Quotient) => "ceildiv",
                (Rounding::TowardsZero, Part::Quotient) => "truncdiv",
                (Rounding::TowardsZero, Part::Remainder) => "truncmod",
                (Rounding::Euclid, Part::Quotient) => "div_euclid",
                (Rounding::Euclid, Part::Remainder) => "rem_euclid",
            };
            (format!("{function}({})", listed(&**ab)), Binds::Atom)
        }
        Expr::Least(all) => (format!("min({})", listed(all)), Binds::Atom),
        Expr::Greatest(all) => (format!("max({})", listed(all)), Binds::Atom),
        Expr::Where(parts) => match &**parts {
            [when, Expr::Number(1), Expr::Number(0)] => {
                (format!("int({})", text(when, names)), Binds::Atom)
            }
            [when, yes, no] => {
                let (yes, when) = (inner(yes, Binds::Or), inner(when, Binds::Or));
                (format!("{yes} if {when} else {}", inner(no, Binds::Choice)), Binds::Choice)
            }
        },
        Expr::Always(holds) => ((if *holds { "True" } else { "False" }).into(), Binds::Atom),
        Expr::Compare(ab, relation) => {
            let [a, b] = [&ab[0], &ab[1]].map(|one| inner(one, Binds::Sum));
            (format!("{a} {} {b}", relation.sign()), Binds::Compare)
        }
        Expr::All(all) => {
            let mut parts: Vec<String> = Vec::with_capacity(all.len());
            let mut rest = all.as_slice();
            while let Some((one, after)) = rest.split_first() {
                rest = after;
                if let Some((low, function, high)) = between(one, after.first()) {
                    let function = inner(function, Binds::Sum);
                    parts.push(format!("{low} <= {function} < {high}"));
                    rest = &after[1..];
                } else {
                    parts.push(inner(one, Binds::And));
                }
            }
            (parts.join(" and "), Binds::And)
        }
        Expr::Any(all) => match unequal(all) {
            Some((a, b)) => {
                let [a, b] = [a, b].map(|one| inner(one, Binds::Sum));
                (format!("{a} != {b}"), Binds::Compare)
            }
            None => {
                let parts: Vec<String> = all.iter().map(|one| inner(one, Binds::And)).collect();
                (parts.join(" or "), Binds::Or)
            }
        },
        Expr::Not(one) => (format!("not {}", inner(one, Binds::Compare)), Binds::And),
    }
}

/// Whether a term is to be subtracted, and what.
fn signed(term: &Expr, names: &[String]) -> (bool, String) {
    let inner = |one: &Expr, least| within(written(one, names), least);
    match term {
        Expr::Number(number) if *number < 0 => (true, number.unsigned_abs().to_string()),
        // A minus sign in front binds more tightly than a division.
        Expr::Negate(a) if matches!(**a, Expr::Divide(..)) => (true, inner(a, Binds::Atom)),
        Expr::Negate(a) => (true, inner(a, Binds::Product)),
        Expr::Multiply(ab, _) => match term.scaled() {
            Some((other, by)) => {
                (by < 0, format!("{}*{}", by.unsigned_abs(), inner(other, Binds::Atom)))
            }
            None => {
                (false, format!("{}*{}", inner(&ab[0], Binds::Atom), inner(&ab[1], Binds::Atom)))
            }
        },
        other => (false, inner(other, Binds::Product)),
    }
}

/// Two neighbouring comparisons of one value with numbers: `low <= value < high`.
pub(crate) fn between<'c>(one: &'c Expr, other: Option<&'c Expr>) -> Option<(i64, &'c Expr, i64)> {
    let (Expr::Compare(ab, Relation::AtLeast), Expr::Compare(cd, Relation::Less)) = (one, other?)
    else {
        return None;
    };
    match (&**ab, &**cd) {
        ([a, Expr::Number(low)], [b, Expr::Number(high)]) if a == b => Some((*low, a, *high)),
        _ => None,
    }
}

/// Two comparisons that leave out one value.
fn unequal(all: &[Expr]) -> Option<(&Expr, &Expr)> {
    let [Expr::Compare(ab, Relation::Less), Expr::Compare(cd, relation)] = all else {
        return None;
    };
    let ([a, b], [c, d]) = (&**ab, &**cd);
    let same = match (relation, b, d) {
        (Relation::Greater, b, d) => b == d,
        (Relation::AtLeast, Expr::Number(b), Expr::Number(d)) => b.checked_add(1) == Some(*d),
        _ => false,
    };
    (a == c && same).then_some((a, b))
}
