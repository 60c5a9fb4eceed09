//! What every programming language says of a form: definitions of its floors,
//! when an index is valid, and the position.
//!
//! Running example, `(65,127) [0:65,63:127] | (64,128)` with strides 0: in C
//!
//! ```text
//! const int32_t f0 = i0 + i1 >= 127;      the definition of a floor
//! 63 <= i0 + i1 - 127*f0                  when it is valid
//! 0                                       the position
//! ```
//!
//! The languages differ in few signs, which are a [`Dialect`] each.

use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use super::names::Names;
use super::sum::{Condition, Sum, conditions};
use super::{Definition, Language};
use crate::form::{FloorTerm, IndexForm};

/// The signs of a language.
pub(super) struct Dialect {
    /// The type of integers that hold every sum.
    pub integer: &'static str,
    /// Around a definition.
    define: (String, &'static str),
    divide: &'static str,
    /// After the number of bits in a shift.
    bits: &'static str,
    /// Around a comparison, to make it a number.
    number: (String, &'static str),
    and: &'static str,
    /// `&` binds more tightly than comparisons do.
    brackets: bool,
    /// The word for always, and for never.
    words: [&'static str; 2],
}

impl Dialect {
    /// The signs of a language with functions, for sums that fit 32 bits or not.
    pub(super) fn of(language: Language, small: bool) -> Dialect {
        let pick = |narrow, wide| if small { narrow } else { wide };
        let integer = match language {
            Language::C => pick("int32_t", "int64_t"),
            Language::Cuda => pick("int", "long long"),
            Language::OpenCl | Language::Metal => pick("int", "long"),
            Language::Hlsl => pick("int", "int64_t"),
            Language::Wgsl | Language::Rust => pick("i32", "i64"),
            _ => "",
        };
        let c = Dialect {
            integer,
            define: (format!("const {integer} "), ";"),
            divide: "/",
            bits: "",
            number: (String::new(), ""),
            and: " && ",
            brackets: false,
            words: ["true", "false"],
        };
        match language {
            Language::Hlsl => Dialect { number: (format!("{integer}("), ")"), ..c },
            Language::Wgsl => Dialect {
                define: ("let ".into(), ";"),
                // The right side of a shift is unsigned.
                bits: "u",
                number: ("i32(".into(), ")"),
                ..c
            },
            Language::Rust => Dialect {
                define: ("let ".into(), ";"),
                number: (format!("{integer}::from("), ")"),
                ..c
            },
            Language::Python => Dialect {
                define: (String::new(), ""),
                divide: "//",
                number: ("int(".into(), ")"),
                and: " and ",
                words: ["True", "False"],
                ..c
            },
            Language::Triton => Dialect {
                define: (String::new(), ""),
                divide: "//",
                // A comparison of tensors is of a type of its own, and a product with it too.
                number: ("tl.where(".into(), ", 1, 0)"),
                and: " & ",
                brackets: true,
                words: ["True", "False"],
                ..c
            },
            _ => c,
        }
    }
}

/// When an index of the shape is valid.
pub(super) enum Valid {
    Always,
    Never,
    /// Where all of these hold; at least one.
    If(Vec<String>),
}

impl Valid {
    /// The same as one expression, with the words for always and never.
    pub(super) fn write(&self, and: &str, words: [&str; 2]) -> String {
        match self {
            Valid::Always => words[0].into(),
            Valid::Never => words[1].into(),
            Valid::If(all) => all.join(and),
        }
    }
}

/// The parts of an expression.
pub(super) struct Body {
    pub definitions: Vec<Definition>,
    pub valid: Valid,
    pub position: String,
    pub guard: String,
}

impl Body {
    pub(super) fn new(form: &IndexForm, names: &Names, shifts: bool, dialect: &Dialect) -> Body {
        let define = |(term, name): (&FloorTerm, &String)| {
            let value = floor(term, names, shifts, dialect);
            let (before, after) = &dialect.define;
            let statement = format!("{before}{name} = {value}{after}");
            Definition { name: name.clone(), value, statement }
        };
        let valid = match conditions(form, &names.axes, &names.floors) {
            None => Valid::Never,
            Some(all) if all.is_empty() => Valid::Always,
            Some(all) => {
                let mut all: Vec<String> =
                    all.iter().flat_map(|one| bounds(one, dialect)).collect();
                if dialect.brackets && all.len() > 1 {
                    all.iter_mut().for_each(|one| *one = format!("({one})"));
                }
                Valid::If(all)
            }
        };
        Body {
            definitions: form.floors().iter().zip(&names.floors).map(define).collect(),
            guard: valid.write(dialect.and, dialect.words),
            valid,
            position: Sum::of(form.position(), &names.axes, &names.floors).write("*"),
        }
    }
}

fn floor(term: &FloorTerm, names: &Names, shifts: bool, dialect: &Dialect) -> String {
    let operand = Sum::of(&term.operand, &names.axes, &names.floors);
    let (text, divisor) = (operand.write("*"), term.divisor);
    if term.range == (0, 1) {
        return format!("{}{text} >= {divisor}{}", dialect.number.0, dialect.number.1);
    }
    let text = if operand.is_atom() { text } else { format!("({text})") };
    match shifts && divisor.count_ones() == 1 {
        true => format!("{text} >> {}{}", divisor.trailing_zeros(), dialect.bits),
        false => format!("{text} {} {divisor}", dialect.divide),
    }
}

/// The comparisons of one condition.
fn bounds(condition: &Condition<'_>, dialect: &Dialect) -> Vec<String> {
    let sum = condition.sum.write("*");
    match (condition.lower, condition.upper) {
        (Some(lower), Some(upper)) if lower.checked_add(1) == Some(upper) => {
            vec![format!("{sum} == {lower}")]
        }
        (lower, upper) => {
            let lower = lower.map(|lower| match dialect.brackets {
                // What is compared comes first: it is the tensor.
                true => format!("{sum} >= {lower}"),
                false => format!("{lower} <= {sum}"),
            });
            let upper = upper.map(|upper| format!("{sum} < {upper}"));
            lower.into_iter().chain(upper).collect()
        }
    }
}
