//! Programming languages: one function that tells validity and position.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;

use super::Language;
use super::names::{Names, POSITION};
use super::sum::{Condition, Sum, conditions};
use crate::error::Error;
use crate::form::{FloorTerm, IndexForm};

/// The parts of the function, in a syntax all the languages share.
struct Body {
    /// Names and values of the floors.
    floors: Vec<(String, String)>,
    /// `None` if no index is valid, else the conditions.
    valid: Option<Vec<String>>,
    position: String,
}

/// What differs between the languages.
struct Syntax<'a> {
    division: &'a str,
    /// Around a comparison, to make it a number.
    number: (&'a str, &'a str),
}

impl Body {
    fn new(form: &IndexForm, names: &Names, shifts: bool, syntax: &Syntax<'_>) -> Body {
        let floor = |(number, term): (usize, &FloorTerm)| {
            let operand = Sum::of(&term.operand, &names.axes, &names.floors);
            let text = operand.write("*");
            let divisor = term.divisor;
            let value = if term.range == (0, 1) {
                format!("{}{text} >= {divisor}{}", syntax.number.0, syntax.number.1)
            } else {
                let text = if operand.is_atom() { text } else { format!("({text})") };
                match shifts && divisor.count_ones() == 1 {
                    true => format!("{text} >> {}", divisor.trailing_zeros()),
                    false => format!("{text} {} {divisor}", syntax.division),
                }
            };
            (names.floors[number].clone(), value)
        };
        let valid = conditions(form, &names.axes, &names.floors);
        Body {
            floors: form.floors().iter().enumerate().map(floor).collect(),
            valid: valid.map(|all| all.iter().flat_map(bounds).collect()),
            position: Sum::of(form.position(), &names.axes, &names.floors).write("*"),
        }
    }

    /// The condition as one expression.
    fn condition(&self, and: &str, words: [&str; 2]) -> String {
        match &self.valid {
            None => words[1].to_string(),
            Some(all) if all.is_empty() => words[0].to_string(),
            Some(all) => all.join(and),
        }
    }
}

/// The comparisons of one condition.
fn bounds(condition: &Condition<'_>) -> Vec<String> {
    let sum = condition.sum.write("*");
    match (condition.lower, condition.upper) {
        (Some(lower), Some(upper)) if lower.checked_add(1) == Some(upper) => {
            vec![format!("{sum} == {lower}")]
        }
        (lower, upper) => {
            let lower = lower.map(|lower| format!("{lower} <= {sum}"));
            let upper = upper.map(|upper| format!("{sum} < {upper}"));
            lower.into_iter().chain(upper).collect()
        }
    }
}

/// C, CUDA and OpenCL.
pub(super) fn c_like(form: &IndexForm, language: Language, names: &Names, shifts: bool) -> String {
    let body = Body::new(form, names, shifts, &Syntax { division: "/", number: ("", "") });
    let small = form.fits_32_bits();
    let (head, integer, pointer) = match language {
        Language::Cuda => {
            ("static __device__ __forceinline__", if small { "int" } else { "long long" }, "")
        }
        Language::OpenCl => ("static inline", if small { "int" } else { "long" }, "__private "),
        _ => ("static inline", if small { "int32_t" } else { "int64_t" }, ""),
    };
    let mut arguments: Vec<String> =
        names.axes.iter().map(|name| format!("{integer} {name}")).collect();
    arguments.push(format!("{pointer}{integer} *{POSITION}"));
    let mut text = format!("{head} bool {}({}) {{\n", names.function, arguments.join(", "));
    for (name, value) in &body.floors {
        text += &format!("    const {integer} {name} = {value};\n");
    }
    text += &format!("    *{POSITION} = {};\n", body.position);
    text += &format!("    return {};\n}}\n", body.condition(" && ", ["true", "false"]));
    text
}

/// WGSL, if 32 bits suffice.
pub(super) fn wgsl(form: &IndexForm, names: &Names, shifts: bool) -> Result<String, Error> {
    if !form.fits_32_bits() {
        return Err(Error::NoRendering {
            language: "wgsl",
            why: "it has 32-bit integers only, and this expression needs 64 bits",
        });
    }
    let body = Body::new(form, names, shifts, &Syntax { division: "/", number: ("i32(", ")") });
    let mut arguments: Vec<String> = names.axes.iter().map(|name| format!("{name}: i32")).collect();
    arguments.push(format!("{POSITION}: ptr<function, i32>"));
    let mut text = format!("fn {}({}) -> bool {{\n", names.function, arguments.join(", "));
    for (name, value) in &body.floors {
        // The right side of a shift is unsigned.
        let value = if value.contains(" >> ") { format!("{value}u") } else { value.clone() };
        text += &format!("    let {name} = {value};\n");
    }
    text += &format!("    *{POSITION} = {};\n", body.position);
    text += &format!("    return {};\n}}\n", body.condition(" && ", ["true", "false"]));
    Ok(text)
}

/// Rust.
pub(super) fn rust(form: &IndexForm, names: &Names, shifts: bool) -> String {
    let integer = if form.fits_32_bits() { "i32" } else { "i64" };
    let convert = format!("{integer}::from(");
    let body = Body::new(form, names, shifts, &Syntax { division: "/", number: (&convert, ")") });
    let arguments: Vec<String> =
        names.axes.iter().map(|name| format!("{name}: {integer}")).collect();
    let mut text =
        format!("fn {}({}) -> Option<{integer}> {{\n", names.function, arguments.join(", "));
    for (name, value) in &body.floors {
        text += &format!("    let {name} = {value};\n");
    }
    text += &match body.condition(" && ", ["", "false"]).as_str() {
        "" => format!("    Some({})\n}}\n", body.position),
        "false" => "    None\n}\n".to_string(),
        condition => format!("    ({condition}).then_some({})\n}}\n", body.position),
    };
    text
}

/// Python.
pub(super) fn python(form: &IndexForm, names: &Names, shifts: bool) -> String {
    let body = Body::new(form, names, shifts, &Syntax { division: "//", number: ("int(", ")") });
    let mut text = format!("def {}({}):\n", names.function, names.axes.join(", "));
    for (name, value) in &body.floors {
        text += &format!("    {name} = {value}\n");
    }
    text += &match body.condition(" and ", ["", "False"]).as_str() {
        "" => format!("    return {}\n", body.position),
        "False" => "    return None\n".to_string(),
        condition => format!("    return {} if {condition} else None\n", body.position),
    };
    text
}
