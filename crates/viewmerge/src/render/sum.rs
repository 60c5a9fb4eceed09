//! Sums and conditions, written with the signs of a language.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;

use crate::form::{Guard, IndexForm, Linear};
use crate::view::Validity;

/// A sum as terms: coefficients that are not 0 with what they multiply, and a constant.
pub(super) struct Sum<'a> {
    pub terms: Vec<(i64, &'a str)>,
    pub constant: i128,
}

impl<'a> Sum<'a> {
    /// The terms of a linear function, axes first.
    pub(super) fn of(function: &Linear, axes: &'a [String], floors: &'a [String]) -> Sum<'a> {
        let axes = function.axes.iter().zip(axes);
        let floors = function.floors.iter().zip(floors);
        let terms = axes.chain(floors).filter(|(c, _)| **c != 0);
        Sum {
            terms: terms.map(|(&c, name)| (c, name.as_str())).collect(),
            constant: function.constant.into(),
        }
    }

    /// The sum with `times` between a coefficient and what it multiplies. A
    /// positive term leads, if there is one.
    pub(super) fn write(&self, times: &str) -> String {
        let lead = self.terms.iter().position(|&(c, _)| c > 0).unwrap_or(0);
        let (before, rest) = self.terms.split_at(lead);
        let (first, after) = rest.split_at(rest.len().min(1));
        self.write_terms(first.iter().chain(before).chain(after), times)
    }

    /// The sum with its terms as they come.
    pub(super) fn write_in_order(&self, times: &str) -> String {
        self.write_terms(self.terms.iter(), times)
    }

    fn write_terms<'t>(
        &self,
        terms: impl Iterator<Item = &'t (i64, &'t str)>,
        times: &str,
    ) -> String {
        let mut text = String::new();
        for &(c, name) in terms {
            push_signed(&mut text, c.into(), |size| match size {
                1 => name.to_string(),
                size => format!("{size}{times}{name}"),
            });
        }
        if self.constant != 0 || text.is_empty() {
            push_signed(&mut text, self.constant, |size| size.to_string());
        }
        text
    }

    /// Whether it is a single name or number, which needs no brackets.
    pub(super) fn is_atom(&self) -> bool {
        match self.terms.as_slice() {
            [] => true,
            [(1, _)] => self.constant == 0,
            _ => false,
        }
    }
}

fn push_signed(text: &mut String, number: i128, word: impl Fn(u128) -> String) {
    text.push_str(match (text.is_empty(), number < 0) {
        (true, false) => "",
        (true, true) => "-",
        (false, false) => " + ",
        (false, true) => " - ",
    });
    text.push_str(&word(number.unsigned_abs()));
}

/// A condition on a sum: `lower ≤ sum < upper`, where given.
pub(super) struct Condition<'a> {
    pub sum: Sum<'a>,
    pub lower: Option<i64>,
    pub upper: Option<i64>,
}

/// The box of a form and its guards, as conditions; `None` if nothing is valid.
pub(super) fn conditions<'a>(
    form: &IndexForm,
    axes: &'a [String],
    floors: &'a [String],
) -> Option<Vec<Condition<'a>>> {
    let mut all: Vec<Condition<'a>> = match form.validity() {
        Validity::Nothing => return None,
        Validity::All => vec![],
        Validity::Box(bounds) => {
            let sides = bounds.iter().zip(form.shape()).zip(axes);
            let restricted = sides.filter(|((b, size), _)| **b != (0, **size));
            restricted
                .map(|((&(lo, hi), &size), name)| Condition {
                    sum: Sum { terms: vec![(1, name)], constant: 0 },
                    lower: (lo > 0).then_some(lo),
                    upper: (hi < size).then_some(hi),
                })
                .collect()
        }
    };
    all.extend(form.guards().iter().map(|Guard { function, lower, upper }| Condition {
        sum: Sum::of(function, axes, floors),
        lower: *lower,
        upper: *upper,
    }));
    Some(all)
}
