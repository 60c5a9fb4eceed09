//! Trees as text in any language.
//!
//! Running example: `(i - 3) // 7 * 2` for i from 0 to 31, in C: `2*((i + 4) / 7) - 2`. C rounds
//! towards 0, so the dividend is made non-negative first: ⌊a/m⌋ = ⌊(a + k·m)/m⌋ − k.
//!
//! Choices are written as the language has them, and refused where it has none. Every operation
//! gets brackets unless it is a sum, a product or a comparison that needs none. Python without shifts is
//! what people read: it has chained comparisons, no brackets that it can do without, and a name for every
//! way to round, so that nothing is refused.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::notation::{Notation, fill};
use super::{Language, Render};
use crate::expression::lower::interval;
use crate::expression::tree::{Expr, Part, Relation, Rounding, division_name};
use viewmerge::Error;

/// How tightly a piece of text binds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Binds {
    Choice,
    Or,
    And,
    Compare,
    Sum,
    Product,
    Atom,
}

type Text = Result<(String, Binds), Error>;

/// The text, in brackets if it binds less tightly than is needed.
pub(super) fn within((text, binds): (String, Binds), least: Binds) -> String {
    if binds < least { format!("({text})") } else { text }
}

const TOO_LARGE: &str = "its numbers are too large";
const NO_CHOICES: &str = "an affine_map has no min, max or choices";
const NO_OR: &str = "an affine_set has no `or`";

/// Writes trees in a language.
pub(super) struct Writer<'a> {
    pub how: &'a Render,
    pub names: &'a [String],
    pub ranges: &'a [(i64, i64)],
    /// How wide integers are: 32 or 64.
    pub bits: u32,
}

impl Writer<'_> {
    /// An expression that stands by itself.
    pub(super) fn text(&self, expr: &Expr) -> Result<String, Error> {
        Ok(self.written(expr)?.0)
    }

    /// Whether people read it.
    fn is_plain(&self) -> bool {
        self.how.language == Language::Python && !self.how.shifts
    }

    pub(super) fn notation(&self) -> &'static Notation {
        self.how.language.notation()
    }

    fn refused(&self, why: &'static str) -> Error {
        self.how.language.refused(why)
    }

    fn inner(&self, expr: &Expr, least: Binds) -> Result<String, Error> {
        let least = if self.how.language == Language::Tinygrad { Binds::Atom } else { least };
        Ok(within(self.written(expr)?, least))
    }

    pub(super) fn written(&self, expr: &Expr) -> Text {
        match expr {
            Expr::Number(number) if *number < 0 => Ok((number.to_string(), Binds::Sum)),
            Expr::Number(number) => Ok((number.to_string(), Binds::Atom)),
            Expr::Variable(variable) => {
                Ok((self.names.get(*variable).cloned().unwrap_or_default(), Binds::Atom))
            }
            Expr::Sum(all) => self.sum(all),
            Expr::Multiply(..) => match self.signed(expr)? {
                (true, rest) => Ok((format!("-{rest}"), Binds::Sum)),
                (false, rest) => Ok((rest, Binds::Product)),
            },
            Expr::Divide(ab, rounding, part, _) => match &**ab {
                [a, Expr::Number(by)] if *rounding == Rounding::Down => self.divide(a, *by, *part),
                ab if self.is_plain() => self.named_divide(ab, *rounding, *part),
                _ => Err(Error::NotLinear { what: "a divisor that varies" }),
            },
            Expr::Extreme(all, least) => self.extreme(all, *least),
            Expr::Where(parts) => self.choose(parts),
            Expr::Always(holds) => self.word(*holds),
            Expr::Compare(ab, relation) => self.compare(&ab[0], *relation, &ab[1]),
            Expr::Join(all, both) => self.joined(all, *both),
            Expr::Not(_) if self.how.language == Language::Mlir => Err(self.refused(NO_OR)),
            Expr::Not(one) => {
                let least = if self.is_plain() { Binds::Compare } else { Binds::Atom };
                let one = within(self.written(one)?, least);
                Ok((format!("{}{one}", self.notation().not), Binds::And))
            }
        }
    }

    fn sum(&self, all: &[Expr]) -> Text {
        let mut text = String::new();
        for one in all {
            let (negative, rest) = self.signed(one)?;
            text.push_str(match (text.is_empty(), negative) {
                (true, false) => "",
                (true, true) => "-",
                (false, false) => " + ",
                (false, true) => " - ",
            });
            text.push_str(&rest);
        }
        Ok((text, Binds::Sum))
    }

    /// Whether a term is to be subtracted, and what.
    fn signed(&self, term: &Expr) -> Result<(bool, String), Error> {
        let times = self.notation().times;
        Ok(match term {
            Expr::Number(number) if *number < 0 => (true, number.unsigned_abs().to_string()),
            Expr::Multiply(ab, _) => match term.scaled() {
                // A minus sign in front binds more tightly than a division.
                Some((other, -1)) => {
                    let plain = self.is_plain() && !matches!(other, Expr::Divide(..));
                    (true, self.inner(other, if plain { Binds::Product } else { Binds::Atom })?)
                }
                Some((other, by)) => {
                    let text = self.inner(other, Binds::Atom)?;
                    (by < 0, format!("{}{times}{text}", by.unsigned_abs()))
                }
                None => {
                    let (a, b) =
                        (self.inner(&ab[0], Binds::Atom)?, self.inner(&ab[1], Binds::Atom)?);
                    (false, format!("{a}{times}{b}"))
                }
            },
            other => (false, self.inner(other, Binds::Product)?),
        })
    }

    /// A division that the normal form does not have.
    fn named_divide(&self, ab: &[Expr; 2], rounding: Rounding, part: Part) -> Text {
        let [a, b] = ab;
        let Some(name) = division_name(rounding, part) else {
            let (a, b) = (self.inner(a, Binds::Product)?, self.inner(b, Binds::Atom)?);
            return Ok((format!("-(-{a} % {b})"), Binds::Sum));
        };
        if rounding == Rounding::Down {
            let (a, b) = (self.inner(a, Binds::Atom)?, self.inner(b, Binds::Atom)?);
            return Ok((format!("{a} {name} {b}"), Binds::Product));
        }
        Ok((format!("{name}({}, {})", self.text(a)?, self.text(b)?), Binds::Atom))
    }

    fn divide(&self, a: &Expr, by: i64, part: Part) -> Text {
        let low = if self.notation().rounds_down { 0 } else { interval(a, self.ranges).0 };
        if low >= 0 {
            return Ok(self.divided(self.written(a)?, by, part));
        }
        // Moved up by whole divisors.
        let too_large = || self.refused(TOO_LARGE);
        let cells = -low.div_euclid(by.into());
        let cells = i64::try_from(cells).map_err(|_| too_large())?;
        let up = by.checked_mul(cells).ok_or_else(too_large)?;
        let mut terms = match a {
            Expr::Sum(all) => all.clone(),
            other => vec![other.clone()],
        };
        match terms.last_mut() {
            Some(Expr::Number(last)) => match last.checked_add(up).ok_or_else(too_large)? {
                0 => drop(terms.pop()),
                sum => *last = sum,
            },
            _ => terms.push(Expr::Number(up)),
        }
        let moved = if terms.len() == 1 { terms.remove(0) } else { Expr::Sum(terms) };
        let divided = self.divided(self.written(&moved)?, by, part);
        Ok(match part {
            Part::Remainder => divided,
            Part::Quotient => (format!("{} - {cells}", within(divided, Binds::Sum)), Binds::Sum),
        })
    }

    /// A quotient or a remainder of what is written already.
    pub(super) fn divided(&self, a: (String, Binds), by: i64, part: Part) -> (String, Binds) {
        let notation = self.notation();
        let template = match part {
            Part::Quotient => notation.quotient,
            Part::Remainder => notation.remainder,
        };
        let divided = |a: &str, binds| (fill(template, &[('a', a), ('b', &by.to_string())]), binds);
        if !template.starts_with("$a") {
            return divided(&a.0, Binds::Atom);
        }
        let a = within(a, Binds::Atom);
        if self.how.shifts && self.how.language.has_functions() && by.count_ones() == 1 {
            let text = match part {
                Part::Quotient => format!("{a} >> {}{}", by.trailing_zeros(), notation.shift),
                Part::Remainder => format!("{a} & {}", by - 1),
            };
            return (text, Binds::Choice);
        }
        divided(&a, Binds::Product)
    }

    /// A part of a choice: a number by itself gets the type of the others.
    fn part(&self, expr: &Expr, least: Binds) -> Result<String, Error> {
        let wide = self.notation().wide;
        match expr {
            Expr::Number(number) if self.bits > 32 && !wide.is_empty() => Ok(fill(
                wide,
                &[('t', self.how.language.integer(self.bits)), ('v', &number.to_string())],
            )),
            _ => self.inner(expr, least),
        }
    }

    fn extreme(&self, all: &[Expr], least: bool) -> Text {
        let extreme = self.notation().extreme;
        if extreme.is_empty() {
            return Err(self.refused(NO_CHOICES));
        }
        let (word, sign) = if least { ("min", "<") } else { ("max", ">") };
        // What is compared needs brackets.
        let binds = if extreme.contains("$s") { Binds::Sum } else { Binds::Choice };
        let parts: Vec<String> =
            all.iter().map(|one| self.part(one, binds)).collect::<Result<_, _>>()?;
        let call = |a: &str, b: &str| {
            let values = [
                ('t', self.how.language.integer(self.bits)),
                ('w', word),
                ('a', a),
                ('b', b),
                ('s', sign),
            ];
            fill(extreme, &values)
        };
        let text = match parts.split_first() {
            None => return Err(self.refused("it is the least of nothing")),
            Some(_) if !extreme.contains("$b") => call(&parts.join(", "), ""),
            Some((first, others)) => {
                others.iter().fold(first.clone(), |so_far, next| call(&so_far, next))
            }
        };
        Ok((text, Binds::Atom))
    }

    fn choose(&self, [when, yes, no]: &[Expr; 3]) -> Text {
        if self.is_plain() {
            if (yes, no) == (&Expr::Number(1), &Expr::Number(0)) {
                return Ok((format!("int({})", self.text(when)?), Binds::Atom));
            }
            let (yes, when) = (self.inner(yes, Binds::Or)?, self.inner(when, Binds::Or)?);
            return Ok((format!("{yes} if {when} else {}", self.text(no)?), Binds::Choice));
        }
        let condition = self.written(when)?.0;
        let parts = (self.part(yes, Binds::Or)?, self.part(no, Binds::Or)?);
        let choice = self.notation().choice;
        if choice.is_empty() {
            return self.one_or_zero(when, yes, no);
        }
        if self.how.language == Language::Latex && (yes, no) == (&Expr::Number(1), &Expr::Number(0))
        {
            return Ok((format!("[{condition}]"), Binds::Atom));
        }
        let text = fill(choice, &[('c', &condition), ('y', &parts.0), ('n', &parts.1)]);
        Ok((text, if self.how.language == Language::Latex { Binds::Choice } else { Binds::Atom }))
    }

    /// 1 where a difference d is above 0, and 0 elsewhere: min(1, max(0, d)), or ⌊(d − 1)/m⌋ + 1
    /// for an m that d does not reach.
    fn one_or_zero(&self, when: &Expr, yes: &Expr, no: &Expr) -> Text {
        let refused = || match self.how.language {
            Language::Isl => self.refused("isl's maps have min and max, but no other choices"),
            _ => self.refused(NO_CHOICES),
        };
        let (Expr::Compare(sides, relation), Expr::Number(1), Expr::Number(0)) = (when, yes, no)
        else {
            return Err(refused());
        };
        if matches!(relation, Relation::Equal | Relation::Unequal) {
            return Err(refused());
        }
        // d is one more than what is not negative where the comparison holds.
        let [a, b] = &**sides;
        let (mut terms, constant) = difference(a, *relation, b).ok_or_else(refused)?;
        let above = constant.checked_add(1).ok_or_else(refused)?;
        if self.how.language == Language::Isl {
            if above != 0 || terms.len() == 1 {
                terms.push(Expr::Number(above));
            }
            return Ok((format!("min(1, max(0, {}))", self.sum(&terms)?.0), Binds::Atom));
        }
        let (low, high) = interval(&Expr::Sum(terms.clone()), self.ranges);
        let ends = [low, high].map(|end| end.saturating_add(above.into()));
        let by = ends[1].max(1i128.saturating_sub(ends[0])).max(1);
        let by = i64::try_from(by).map_err(|_| refused())?;
        if constant != 0 {
            terms.push(Expr::Number(constant));
        }
        Ok((format!("({}) floordiv {by} + 1", self.sum(&terms)?.0), Binds::Sum))
    }

    fn word(&self, holds: bool) -> Text {
        Ok((self.notation().words[usize::from(!holds)].into(), Binds::Compare))
    }

    fn compare(&self, a: &Expr, relation: Relation, b: &Expr) -> Text {
        if self.how.language == Language::Mlir {
            return self.constraint(a, relation, b);
        }
        let (a, b) = (self.inner(a, Binds::Sum)?, self.inner(b, Binds::Sum)?);
        let sign = self.notation().relations[relation as usize];
        match self.notation().tight {
            true => Ok((format!("({a} {sign} {b})"), Binds::Atom)),
            false => Ok((format!("{a} {sign} {b}"), Binds::Compare)),
        }
    }

    fn joined(&self, all: &[Expr], and: bool) -> Text {
        if all.is_empty() {
            return self.word(and);
        }
        if self.how.language == Language::Mlir && !and {
            return Err(self.refused(NO_OR));
        }
        // Compilers warn of `or` and `and` side by side without brackets.
        let least = if self.is_plain() { Binds::And } else { Binds::Compare };
        if self.is_plain()
            && !and
            && let [one, other] = all
            && let Some((a, b)) = unequal(one, other)
        {
            let (a, b) = (self.inner(a, Binds::Sum)?, self.inner(b, Binds::Sum)?);
            return Ok((format!("{a} != {b}"), Binds::Compare));
        }
        let mut parts: Vec<String> = Vec::with_capacity(all.len());
        let mut rest = all;
        while let Some((one, after)) = rest.split_first() {
            rest = after;
            let next = after.first().filter(|_| self.is_plain() && and);
            match next.and_then(|next| between(one, next)) {
                Some((low, function, high)) => {
                    let function = self.inner(function, Binds::Sum)?;
                    parts.push(format!("{low} <= {function} < {high}"));
                    rest = &after[1..];
                }
                None => parts.push(within(self.written(one)?, least)),
            }
        }
        Ok(match and {
            true => (parts.join(self.notation().and), Binds::And),
            false => (parts.join(self.notation().or), Binds::Or),
        })
    }

    /// `form >= 0` or `form == 0`, as an affine_set has it.
    fn constraint(&self, a: &Expr, relation: Relation, b: &Expr) -> Text {
        if relation == Relation::Unequal {
            return Err(self.refused(NO_OR));
        }
        let found = difference(a, relation, b).ok_or_else(|| self.refused(TOO_LARGE))?;
        let (mut terms, constant) = found;
        if constant != 0 {
            terms.push(Expr::Number(constant));
        }
        let sign = if relation == Relation::Equal { "==" } else { ">=" };
        Ok((format!("{} {sign} 0", self.sum(&terms)?.0), Binds::Compare))
    }
}

/// What is not negative where a comparison holds, and 0 where an equation does: terms, and a constant
/// beside them. `None` for a constant that does not fit.
fn difference(a: &Expr, relation: Relation, b: &Expr) -> Option<(Vec<Expr>, i64)> {
    let (more, less) = match relation {
        Relation::Less | Relation::AtMost => (b, a),
        _ => (a, b),
    };
    let constant = if matches!(relation, Relation::Less | Relation::Greater) { -1 } else { 0 };
    Some(match less {
        Expr::Number(number) => (vec![more.clone()], number.checked_neg()?.checked_add(constant)?),
        other => (vec![more.clone(), other.clone().negate()], constant),
    })
}

/// Two neighbouring comparisons of one value with numbers: `low <= value < high`.
fn between<'c>(one: &'c Expr, other: &'c Expr) -> Option<(i64, &'c Expr, i64)> {
    let (Expr::Compare(ab, Relation::AtLeast), Expr::Compare(cd, Relation::Less)) = (one, other)
    else {
        return None;
    };
    match (&**ab, &**cd) {
        ([a, Expr::Number(low)], [b, Expr::Number(high)]) if a == b => Some((*low, a, *high)),
        _ => None,
    }
}

/// Two comparisons that leave out one value.
fn unequal<'c>(one: &'c Expr, other: &'c Expr) -> Option<(&'c Expr, &'c Expr)> {
    let (Expr::Compare(ab, Relation::Less), Expr::Compare(cd, relation)) = (one, other) else {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expression::Expression;
    use crate::expression::tree::Place;

    fn written(language: Language, expr: &Expr) -> Result<String, &'static str> {
        let (names, ranges) = (["i".to_string()], [(0, 31)]);
        let how = Render::new(language);
        let writer = Writer { how: &how, names: &names, ranges: &ranges, bits: 32 };
        writer.text(expr).map_err(|error| error.kind())
    }

    #[test]
    fn a_dividend_is_moved_up_where_division_rounds_towards_zero() {
        use Language::{C, Mlir, Python, Rust};
        // i + constant over 7, for i from 0 to 31: (constant, part, language, text)
        let rows = [
            (-3, Part::Quotient, C, "(i + 4) / 7 - 1"),
            (-3, Part::Quotient, Rust, "(i + 4) / 7 - 1"),
            (-3, Part::Quotient, Python, "(i - 3) // 7"),
            (-3, Part::Quotient, Mlir, "(i - 3) floordiv 7"),
            (-3, Part::Remainder, C, "(i + 4) % 7"),
            (-7, Part::Quotient, C, "i / 7 - 1"),
            (3, Part::Quotient, C, "(i + 3) / 7"),
        ];
        for (constant, part, language, expected) in rows {
            let dividend = Expr::Sum(vec![Expr::Variable(0), Expr::Number(constant)]);
            let (by, place) = (Expr::Number(7), Place::default());
            let expr = Expr::divide(dividend, by, Rounding::Down, part, place);
            let name = language.name();
            assert_eq!(written(language, &expr), Ok(expected.into()), "{constant} in {name}");
        }
    }

    #[test]
    fn choices_and_conditions_as_the_language_has_them() {
        use Language::{C, Mlir, Rust, Wgsl};
        // (expression, language, text)
        let rows = [
            ("min(i, 3)", C, Ok("(i < 3 ? i : 3)")),
            ("min(i, 3)", Rust, Ok("i32::min(i, 3)")),
            ("min(i, 3)", Mlir, Err("no_rendering")),
            ("i if i < 3 else 0", Wgsl, Ok("select(0, i, i < 3)")),
            ("i if i < 3 else 0", Rust, Ok("(if i < 3 { i } else { 0 })")),
            ("i < 3 or i > 5", C, Ok("i < 3 || i > 5")),
            ("i < 3 or i > 5", Mlir, Err("no_rendering")),
        ];
        for (text, language, expected) in rows {
            let expr = text.parse::<Expression>().expect(text).body;
            let expected = expected.map(String::from);
            assert_eq!(written(language, &expr), expected, "{text} in {}", language.name());
        }
    }
}
