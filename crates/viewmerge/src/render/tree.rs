//! Trees of expressions in any language.
//!
//! Running example: `(i - 3) // 7 * 2` for i from 0 to 31, in C: `2*((i + 4) / 7) - 2`. C rounds
//! towards 0, so what is divided is made non-negative first: ⌊a/m⌋ = ⌊(a + k·m)/m⌋ − k.
//!
//! Choices are what a language has for them, and refused where it has nothing. Every
//! operation gets brackets unless it is a sum, a product or a comparison that needs none.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::Language;
use crate::error::Error;
use crate::expression::lower::interval;
use crate::expression::print::{self, Binds};
use crate::expression::tree::{Condition, Part, Relation, Value};

type Text = Result<(String, Binds), Error>;

/// Writes trees in a language.
pub(super) struct Writer<'a> {
    pub language: Language,
    pub names: &'a [String],
    pub ranges: &'a [(i64, i64)],
    /// The type of integers.
    pub integer: &'static str,
    pub small: bool,
    pub shifts: bool,
}

fn within((text, binds): (String, Binds), least: Binds) -> String {
    if binds < least { format!("({text})") } else { text }
}

/// Whether 32 bits, or at least 64, hold every part of a value.
pub(super) fn bits(value: &Value, ranges: &[(i64, i64)]) -> Option<u32> {
    let (low, high) = interval(value, ranges);
    let within = |least: i128, most: i128| least <= low && high <= most;
    let own = if within(i32::MIN.into(), i32::MAX.into()) {
        32
    } else if within(i64::MIN.into(), i64::MAX.into()) {
        64
    } else {
        return None;
    };
    let all =
        |list: &[Value]| list.iter().try_fold(own, |most, one| Some(most.max(bits(one, ranges)?)));
    match value {
        Value::Number(_) | Value::Variable(_) => Some(own),
        Value::Sum(list) => {
            // Every partial sum.
            let mut sum = (0i128, 0i128);
            let mut most = all(list)?;
            for one in list {
                let (low, high) = interval(one, ranges);
                sum = (sum.0.checked_add(low)?, sum.1.checked_add(high)?);
                let fits = i32::try_from(sum.0).is_ok() && i32::try_from(sum.1).is_ok();
                let wide = i64::try_from(sum.0).is_ok() && i64::try_from(sum.1).is_ok();
                most = if fits {
                    most
                } else if wide {
                    64
                } else {
                    return None;
                };
            }
            Some(most)
        }
        Value::Least(list) | Value::Greatest(list) => all(list),
        Value::Negate(a) => Some(own.max(bits(a, ranges)?)),
        Value::Multiply(a, b, _) => Some(own.max(bits(a, ranges)?).max(bits(b, ranges)?)),
        Value::Divide(a, b, ..) => {
            // What is divided is moved by up to the divisor and its least value.
            let (low, high) = interval(a, ranges);
            let (_, by) = interval(b, ranges);
            let most = high.checked_add(by)?.checked_sub(low.min(0))?;
            let moved = if i32::try_from(most).is_ok() { 32 } else { 64 };
            i64::try_from(most).ok()?;
            Some(own.max(moved).max(bits(a, ranges)?).max(bits(b, ranges)?))
        }
        Value::Where(when, a, b) => {
            Some(own.max(bits_of(when, ranges)?).max(bits(a, ranges)?).max(bits(b, ranges)?))
        }
    }
}

/// The same of what a condition compares.
pub(super) fn bits_of(condition: &Condition, ranges: &[(i64, i64)]) -> Option<u32> {
    match condition {
        Condition::Always(_) => Some(32),
        Condition::Compare(a, _, b) => Some(bits(a, ranges)?.max(bits(b, ranges)?)),
        Condition::All(all) | Condition::Any(all) => {
            all.iter().try_fold(32, |most, one| Some(most.max(bits_of(one, ranges)?)))
        }
        Condition::Not(one) => bits_of(one, ranges),
    }
}

impl Writer<'_> {
    /// A value, which stands by itself.
    pub(super) fn value(&self, value: &Value) -> Result<String, Error> {
        match self.language {
            Language::Python if !self.shifts => Ok(print::value(value, self.names)),
            _ => Ok(self.written(value)?.0),
        }
    }

    /// A condition, which stands by itself.
    pub(super) fn condition(&self, condition: &Condition) -> Result<String, Error> {
        match self.language {
            Language::Python if !self.shifts => Ok(print::condition(condition, self.names)),
            _ => Ok(self.holds(condition)?.0),
        }
    }

    fn refused(&self, why: &'static str) -> Error {
        Error::NoRendering { language: self.language.name(), why }
    }

    fn times(&self) -> &'static str {
        match self.language {
            Language::Mlir => " * ",
            Language::Latex => " ",
            _ => "*",
        }
    }

    fn inner(&self, value: &Value, least: Binds) -> Result<String, Error> {
        let least = if self.language == Language::Tinygrad { Binds::Atom } else { least };
        Ok(within(self.written(value)?, least))
    }

    fn written(&self, value: &Value) -> Text {
        match value {
            Value::Number(number) if *number < 0 => Ok((number.to_string(), Binds::Sum)),
            Value::Number(number) => Ok((number.to_string(), Binds::Atom)),
            Value::Variable(variable) => {
                Ok((self.names.get(*variable).cloned().unwrap_or_default(), Binds::Atom))
            }
            Value::Sum(all) => self.sum(all),
            Value::Negate(_) | Value::Multiply(..) => match self.signed(value)? {
                (true, rest) => Ok((format!("-{rest}"), Binds::Sum)),
                (false, rest) => Ok((rest, Binds::Product)),
            },
            Value::Divide(a, by, _, part, _) => {
                let Value::Number(by) = **by else {
                    return Err(Error::NotLinear { what: "a divisor that varies" });
                };
                self.divide(a, by, *part)
            }
            Value::Least(all) => self.extreme(all, true),
            Value::Greatest(all) => self.extreme(all, false),
            Value::Where(when, a, b) => self.choose(when, a, b),
        }
    }

    fn sum(&self, all: &[Value]) -> Text {
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
    fn signed(&self, term: &Value) -> Result<(bool, String), Error> {
        Ok(match term {
            Value::Number(number) if *number < 0 => (true, number.unsigned_abs().to_string()),
            Value::Negate(a) => (true, self.inner(a, Binds::Atom)?),
            Value::Multiply(a, b, _) => match (&**a, &**b) {
                (other, Value::Number(by)) | (Value::Number(by), other) => {
                    let text = self.inner(other, Binds::Atom)?;
                    (*by < 0, format!("{}{}{text}", by.unsigned_abs(), self.times()))
                }
                (a, b) => {
                    let (a, b) = (self.inner(a, Binds::Atom)?, self.inner(b, Binds::Atom)?);
                    (false, format!("{a}{}{b}", self.times()))
                }
            },
            other => (false, self.inner(other, Binds::Product)?),
        })
    }

    /// Whether a quotient is rounded down, and a rest never negative.
    fn rounds_down(&self) -> bool {
        matches!(
            self.language,
            Language::Python
                | Language::Mlir
                | Language::Isl
                | Language::Latex
                | Language::Tinygrad
        )
    }

    fn divide(&self, a: &Value, by: i64, part: Part) -> Text {
        let (low, _) = interval(a, self.ranges);
        if !self.rounds_down() && low < 0 {
            // Moved up by whole divisors.
            let cells = (-low).div_euclid(by.into()) + i128::from((-low) % i128::from(by) != 0);
            let cells =
                i64::try_from(cells).map_err(|_| self.refused("its numbers are too large"))?;
            let up =
                by.checked_mul(cells).ok_or_else(|| self.refused("its numbers are too large"))?;
            let mut terms = match a {
                Value::Sum(all) => all.clone(),
                other => alloc::vec![other.clone()],
            };
            match terms.last_mut() {
                Some(Value::Number(last)) => match last.checked_add(up) {
                    Some(0) => drop(terms.pop()),
                    Some(sum) => *last = sum,
                    None => return Err(self.refused("its numbers are too large")),
                },
                _ => terms.push(Value::Number(up)),
            }
            let moved = if terms.len() == 1 { terms.remove(0) } else { Value::Sum(terms) };
            let divided = self.plain_divide(&moved, by, part)?;
            return Ok(match part {
                Part::Rest => divided,
                Part::Quotient => {
                    (format!("{} - {cells}", within(divided, Binds::Sum)), Binds::Sum)
                }
            });
        }
        self.plain_divide(a, by, part)
    }

    fn plain_divide(&self, a: &Value, by: i64, part: Part) -> Text {
        match self.language {
            Language::Isl => {
                let a = self.written(a)?.0;
                return Ok(match part {
                    Part::Quotient => (format!("floor(({a})/{by})"), Binds::Atom),
                    Part::Rest => (format!("(({a}) mod {by})"), Binds::Atom),
                });
            }
            Language::Latex => {
                return Ok(match part {
                    Part::Quotient => {
                        let a = self.written(a)?.0;
                        let text = format!("\\left\\lfloor \\frac{{{a}}}{{{by}}} \\right\\rfloor");
                        (text, Binds::Atom)
                    }
                    Part::Rest => {
                        (format!("{} \\bmod {by}", self.inner(a, Binds::Atom)?), Binds::Product)
                    }
                });
            }
            _ => {}
        }
        let a = self.inner(a, Binds::Atom)?;
        if self.shifts && self.language.has_functions() && by.count_ones() == 1 {
            let unsigned = if self.language == Language::Wgsl { "u" } else { "" };
            return Ok(match part {
                Part::Quotient => {
                    (format!("{a} >> {}{unsigned}", by.trailing_zeros()), Binds::Choice)
                }
                Part::Rest => (format!("{a} & {}", by - 1), Binds::Choice),
            });
        }
        let sign = match (self.language, part) {
            (Language::Mlir, Part::Quotient) => "floordiv",
            (Language::Mlir, Part::Rest) => "mod",
            (_, Part::Rest) => "%",
            (Language::Python | Language::Triton | Language::Tinygrad, Part::Quotient) => "//",
            (_, Part::Quotient) => "/",
        };
        Ok((format!("{a} {sign} {by}"), Binds::Product))
    }

    /// A part of a choice: a number by itself gets the type of the others.
    fn part(&self, value: &Value, least: Binds) -> Result<String, Error> {
        if let (Value::Number(number), false) = (value, self.small) {
            let integer = self.integer;
            match self.language {
                Language::C | Language::Cuda | Language::OpenCl | Language::Metal => {
                    return Ok(format!("({integer}){number}"));
                }
                Language::Hlsl => return Ok(format!("{integer}({number})")),
                _ => {}
            }
        }
        self.inner(value, least)
    }

    fn extreme(&self, all: &[Value], least: bool) -> Text {
        let word = if least { "min" } else { "max" };
        let mut parts: Vec<String> = Vec::with_capacity(all.len());
        for one in all {
            let least = match self.language {
                // Compared first.
                Language::C
                | Language::Cuda
                | Language::OpenCl
                | Language::Metal
                | Language::Hlsl => Binds::Sum,
                _ => Binds::Choice,
            };
            parts.push(self.part(one, least)?);
        }
        let listed = parts.join(", ");
        let pairs = |call: &dyn Fn(&str, &str) -> String| {
            parts.iter().skip(1).fold(parts[0].clone(), |so_far, next| call(&so_far, next))
        };
        if parts.is_empty() {
            return Err(self.refused("it is the least of nothing"));
        }
        let text = match self.language {
            Language::Mlir => {
                return Err(self.refused("an affine_map has no min, max or choices"));
            }
            Language::Isl | Language::Python => format!("{word}({listed})"),
            Language::Latex => format!("\\{word}({listed})"),
            Language::Rust => pairs(&|a, b| format!("{}::{word}({a}, {b})", self.integer)),
            Language::Wgsl | Language::Tinygrad => pairs(&|a, b| format!("{word}({a}, {b})")),
            Language::Triton => pairs(&|a, b| format!("tl.{word}imum({a}, {b})")),
            _ => {
                let sign = if least { "<" } else { ">" };
                pairs(&|a, b| format!("({a} {sign} {b} ? {a} : {b})"))
            }
        };
        Ok((text, Binds::Atom))
    }

    fn choose(&self, when: &Condition, a: &Value, b: &Value) -> Text {
        let plain = self.holds(when)?;
        let (yes, no) = (self.part(a, Binds::Or)?, self.part(b, Binds::Or)?);
        Ok(match self.language {
            Language::Mlir | Language::Isl => return self.one_or_zero(when, a, b),
            Language::Latex if matches!((a, b), (Value::Number(1), Value::Number(0))) => {
                (format!("[{}]", plain.0), Binds::Atom)
            }
            Language::Latex => (
                format!(
                    "\\begin{{cases}} {yes} & \\text{{if }} {} \\\\ {no} & \\text{{otherwise}} \\end{{cases}}",
                    plain.0
                ),
                Binds::Choice,
            ),
            Language::Wgsl => (format!("select({no}, {yes}, {})", plain.0), Binds::Atom),
            Language::Rust => {
                (format!("(if {} {{ {yes} }} else {{ {no} }})", plain.0), Binds::Atom)
            }
            Language::Triton => (format!("tl.where({}, {yes}, {no})", plain.0), Binds::Atom),
            Language::Python | Language::Tinygrad => {
                (format!("({yes} if {} else {no})", plain.0), Binds::Atom)
            }
            _ => (format!("({} ? {yes} : {no})", within(plain, Binds::Or)), Binds::Atom),
        })
    }

    /// 1 where a difference d is above 0, and 0 elsewhere: min(1, max(0, d)), or ⌊(d − 1)/m⌋ + 1 for an m
    /// that d does not reach.
    fn one_or_zero(&self, when: &Condition, a: &Value, b: &Value) -> Text {
        let refused = || match self.language {
            Language::Isl => self.refused("isl's maps have min and max, but no other choices"),
            _ => self.refused("an affine_map has no min, max or choices"),
        };
        let (Condition::Compare(one, relation, other), Value::Number(1), Value::Number(0)) =
            (when, a, b)
        else {
            return Err(refused());
        };
        let (more, less, shift) = match relation {
            Relation::AtLeast => (one, other, 1),
            Relation::Greater => (one, other, 0),
            Relation::AtMost => (other, one, 1),
            Relation::Less => (other, one, 0),
            _ => return Err(refused()),
        };
        let mut terms = alloc::vec![(**more).clone(), Value::Negate(less.clone())];
        if let Value::Number(number) = **less {
            let constant = number.checked_neg().and_then(|n| n.checked_add(shift));
            terms[1] = Value::Number(constant.ok_or_else(refused)?);
        } else if shift != 0 {
            terms.push(Value::Number(shift));
        }
        if self.language == Language::Isl {
            return Ok((format!("min(1, max(0, {}))", self.sum(&terms)?.0), Binds::Atom));
        }
        let (low, high) = interval(&Value::Sum(terms.clone()), self.ranges);
        let by = i64::try_from(high.max(1 - low).max(1)).map_err(|_| refused())?;
        match terms.last_mut() {
            Some(Value::Number(last)) => *last = last.checked_sub(1).ok_or_else(refused)?,
            _ => terms.push(Value::Number(-1)),
        }
        if terms.last() == Some(&Value::Number(0)) {
            terms.pop();
        }
        Ok((format!("({}) floordiv {by} + 1", self.sum(&terms)?.0), Binds::Sum))
    }

    fn words(&self) -> [&'static str; 2] {
        match self.language {
            Language::Python | Language::Triton | Language::Tinygrad => ["True", "False"],
            Language::Mlir => ["0 == 0", "1 == 0"],
            Language::Latex => ["\\text{true}", "\\text{false}"],
            _ => ["true", "false"],
        }
    }

    fn holds(&self, condition: &Condition) -> Text {
        let words = self.words();
        match condition {
            Condition::Always(holds) => Ok((words[usize::from(!holds)].into(), Binds::Compare)),
            Condition::Compare(a, relation, b) if self.language == Language::Mlir => {
                self.constraint(a, *relation, b)
            }
            Condition::Compare(a, relation, b) => {
                let (a, b) = (self.inner(a, Binds::Sum)?, self.inner(b, Binds::Sum)?);
                let sign = match (relation, self.language) {
                    (Relation::AtMost, Language::Latex) => "\\le",
                    (Relation::AtLeast, Language::Latex) => "\\ge",
                    (Relation::Equal, Language::Latex) => "=",
                    (Relation::Unequal, Language::Latex) => "\\ne",
                    (relation, _) => relation.sign(),
                };
                let text = format!("{a} {sign} {b}");
                // `&` and `|` bind more tightly than comparisons.
                match self.language {
                    Language::Triton | Language::Tinygrad => Ok((format!("({text})"), Binds::Atom)),
                    _ => Ok((text, Binds::Compare)),
                }
            }
            Condition::All(all) => self.joined(all, true),
            Condition::Any(all) => self.joined(all, false),
            Condition::Not(inner) => {
                let inner = within(self.holds(inner)?, Binds::Atom);
                let sign = match self.language {
                    Language::Triton | Language::Tinygrad => "~",
                    Language::Python | Language::Isl => "not ",
                    Language::Latex => "\\lnot ",
                    Language::Mlir => return Err(self.refused("an affine_set has no `or`")),
                    _ => "!",
                };
                Ok((format!("{sign}{inner}"), Binds::And))
            }
        }
    }

    fn joined(&self, all: &[Condition], and: bool) -> Text {
        if all.is_empty() {
            return Ok((self.words()[usize::from(!and)].into(), Binds::Compare));
        }
        let word = match (self.language, and) {
            (Language::Mlir, true) => ", ",
            (Language::Mlir, false) => return Err(self.refused("an affine_set has no `or`")),
            (Language::Isl | Language::Python, true) => " and ",
            (Language::Isl | Language::Python, false) => " or ",
            (Language::Latex, true) => " \\land ",
            (Language::Latex, false) => " \\lor ",
            (Language::Triton | Language::Tinygrad, true) => " & ",
            (Language::Triton | Language::Tinygrad, false) => " | ",
            (_, true) => " && ",
            (_, false) => " || ",
        };
        let mut parts: Vec<String> = Vec::with_capacity(all.len());
        for one in all {
            // Compilers warn of `or` and `and` side by side without brackets.
            parts.push(within(self.holds(one)?, Binds::Compare));
        }
        Ok((parts.join(word), if and { Binds::And } else { Binds::Or }))
    }

    /// `form >= 0` or `form == 0`, as an affine_set has it.
    fn constraint(&self, a: &Value, relation: Relation, b: &Value) -> Text {
        let (more, less, shift, sign) = match relation {
            Relation::Less => (b, a, -1, ">="),
            Relation::AtMost => (b, a, 0, ">="),
            Relation::Greater => (a, b, -1, ">="),
            Relation::AtLeast => (a, b, 0, ">="),
            Relation::Equal => (a, b, 0, "=="),
            Relation::Unequal => return Err(self.refused("an affine_set has no `or`")),
        };
        let mut terms = alloc::vec![more.clone()];
        match less {
            Value::Number(number) => {
                match number.checked_neg().and_then(|n| n.checked_add(shift)) {
                    Some(0) => {}
                    Some(constant) => terms.push(Value::Number(constant)),
                    None => return Err(self.refused("its numbers are too large")),
                }
            }
            other => {
                terms.push(Value::Negate(alloc::boxed::Box::new(other.clone())));
                if shift != 0 {
                    terms.push(Value::Number(shift));
                }
            }
        }
        Ok((format!("{} {sign} 0", self.sum(&terms)?.0), Binds::Compare))
    }
}
