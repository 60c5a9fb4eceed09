//! Index forms in any language.
//!
//! Running example, `(65,127) [0:65,63:127] | (64,128)` with strides 0: in C
//!
//! ```text
//! const int32_t f0 = i0 + i1 >= 127;      the definition of a floor
//! 63 <= i0 + i1 - 127*f0                  where an index is valid
//! 0                                       the position
//! ```
//!
//! Languages with functions name the floors, mathematical notations write them out where they are used.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::names::Names;
use super::write::{Binds, Writer, within};
use super::{Definition, Language, Render, Snippet};
use crate::expression::tree::Part;
use crate::expression::write;
use crate::form::{FloorTerm, Guard, IndexForm, Linear};
use viewmerge::{Error, Validity};

/// The box of a form and its guards; `None` if nothing is valid.
pub(super) fn conditions(form: &IndexForm) -> Option<Vec<Guard>> {
    let whole: Vec<(i64, i64)> = form.shape().iter().map(|&size| (0, size - 1)).collect();
    let restricted = Guard::of_ranges(&whole, form.ranges());
    (*form.validity() != Validity::Nothing).then(|| [&restricted, form.guards()].concat())
}

/// The pieces of a form.
pub(super) fn snippet(form: &IndexForm, how: &Render, names: &Names) -> Result<Snippet, Error> {
    let (language, bits) = (how.language, form.bits());
    let mut known = names.axes.clone();
    let mut definitions = Vec::new();
    for (floor, name) in form.floors().iter().zip(&names.floors) {
        let writer = Writer { how, names: &known, ranges: &[], bits };
        if language.has_functions() {
            definitions.push(Definition::new(language, name, &writer.floor(floor)?, bits));
            known.push(name.clone());
        } else {
            // Always in brackets, where the language does not set it apart.
            let operand = (writer.linear(&floor.operand)?.0, Binds::Choice);
            let quotient = writer.divided(operand, floor.divisor, Part::Quotient);
            known.push(within(quotient, Binds::Atom));
        }
    }
    let writer = Writer { how, names: &known, ranges: &[], bits };
    let guards = conditions(form).map(|all| -> Result<_, Error> {
        let texts = all.iter().map(|guard| writer.guard(guard));
        Ok(texts.collect::<Result<Vec<_>, _>>()?.concat())
    });
    let guards = guards.transpose()?;
    let position = match language {
        Language::Tinygrad => tinygrad(form, names)?,
        _ => writer.linear(form.position())?.0,
    };
    if language == Language::Tinygrad && guards.as_ref().is_some_and(|all| !all.is_empty()) {
        return Err(language.refused("its positions come without a guard"));
    }
    Ok(Snippet::new(language, definitions, guards, position, bits))
}

impl Writer<'_> {
    /// A linear function, a positive term first if there is one.
    fn linear(&self, function: &Linear) -> Result<(String, Binds), Error> {
        self.written(&write::sum(write::terms(function), function.constant.into())?)
    }

    fn floor(&self, floor: &FloorTerm) -> Result<String, Error> {
        let (operand, divisor) = (self.linear(&floor.operand)?, floor.divisor);
        if floor.range == (0, 1) {
            let at_least = format!("{} >= {divisor}", operand.0);
            return Ok(self.how.language.number(&at_least, self.bits));
        }
        Ok(self.divided(operand, divisor, Part::Quotient).0)
    }

    /// The comparisons of a guard.
    fn guard(&self, guard: &Guard) -> Result<Vec<String>, Error> {
        let Guard { function, lower, upper } = guard;
        let sum = self.linear(function)?.0;
        Ok(match self.how.language {
            // `sum - lower >= 0` and `upper - 1 - sum >= 0`.
            Language::Mlir => {
                let ends = [lower.map(|lower| (1, -lower)), upper.map(|upper| (-1, upper - 1))];
                let not_negative = |(times, constant): (i64, i64)| {
                    let zero = Linear::always(constant, function.axes().len());
                    let too_large = Error::ExpressionRange { number: constant.into() };
                    let moved = zero.plus(function, times).ok_or(too_large)?;
                    Ok(format!("{} >= 0", self.linear(&moved)?.0))
                };
                ends.into_iter().flatten().map(not_negative).collect::<Result<_, Error>>()?
            }
            Language::Isl | Language::Latex | Language::Tinygrad => {
                let relations = self.notation().relations;
                let lower = lower.map(|lower| format!("{lower} {} ", relations[1]));
                let upper = upper.map(|upper| format!(" {} {upper}", relations[0]));
                let (lower, upper) = (lower.unwrap_or_default(), upper.unwrap_or_default());
                vec![format!("{lower}{sum}{upper}")]
            }
            _ => match guard.only_value() {
                Some(value) => vec![format!("{sum} == {value}")],
                None => {
                    let lower = lower.map(|lower| match self.notation().tight {
                        // The tensor comes first.
                        true => format!("{sum} >= {lower}"),
                        false => format!("{lower} <= {sum}"),
                    });
                    lower.into_iter().chain(upper.map(|upper| format!("{sum} < {upper}"))).collect()
                }
            },
        })
    }
}

/// As tinygrad prints the index of one view: `((idx0*4)+(idx1*2)+idx2)`.
pub(super) fn tinygrad(form: &IndexForm, names: &Names) -> Result<String, Error> {
    if !form.floors().is_empty() || !form.guards().is_empty() {
        let why = "it prints single views, and this chain is not one";
        return Err(Language::Tinygrad.refused(why));
    }
    let axes = form.position().axes().iter().zip(&names.axes).filter(|(c, _)| **c != 0);
    let mut terms: Vec<String> = axes
        .map(|(&c, name)| if c == 1 { name.to_string() } else { format!("({name}*{c})") })
        .collect();
    if form.position().constant() != 0 || terms.is_empty() {
        terms.push(form.position().constant().to_string());
    }
    let text = terms.join("+");
    Ok(if terms.len() > 1 { format!("({text})") } else { text })
}
