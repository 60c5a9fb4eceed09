//! The parts of certificates as JSON, written by hand: numbers of any size, members in a fixed order.

use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt::Display;

use crate::merge::Witness;
use crate::text::joined;
use crate::view::{Validity, View};
use lattice_point::{Big, Proof, RowRef, Side};

/// A list of what is JSON already.
#[must_use]
pub fn listed(items: impl IntoIterator<Item: Display>) -> String {
    format!("[{}]", joined(items, ","))
}

/// A list of numbers.
#[must_use]
pub fn numbers(list: &[i64]) -> String {
    listed(list.iter().map(|&number| exact(number)))
}

/// A number; as a string if not every JSON reader would keep it exactly.
pub fn exact(value: impl Into<Big>) -> String {
    const EXACT: i64 = 1 << 53;
    let value = value.into();
    let is_exact = value >= Big::from(-EXACT) && value <= Big::from(EXACT);
    if is_exact { value.to_string() } else { format!("\"{value}\"") }
}

pub(super) fn view(view: &View) -> String {
    let (shape, strides) = (numbers(view.shape()), numbers(view.strides()));
    let offset = exact(view.offset());
    let mask = match view.validity() {
        Validity::All => "null".to_string(),
        Validity::Nothing => r#""nothing""#.to_string(),
        Validity::Box(bounds) => listed(bounds.iter().map(|&(lo, hi)| numbers(&[lo, hi]))),
    };
    format!(r#"{{"shape":{shape},"strides":{strides},"offset":{offset},"mask":{mask}}}"#)
}

pub(super) fn witness(witness: &Witness) -> String {
    match witness {
        Witness::Step { axis, at, step, other, other_step } => {
            let (at, other) = (numbers(at), numbers(other));
            let (step, other_step) = (exact(*step), exact(*other_step));
            format!(
                r#"{{"kind":"step","axis":{axis},"at":{at},"step":{step},"other":{other},"other_step":{other_step}}}"#
            )
        }
        Witness::Hole { valid, invalid } => {
            let (valid, invalid) = (listed(valid.iter().map(|i| numbers(i))), numbers(invalid));
            format!(r#"{{"kind":"hole","valid":{valid},"invalid":{invalid}}}"#)
        }
    }
}

pub(super) fn side(side: Side) -> &'static str {
    match side {
        Side::Low => r#""low""#,
        Side::High => r#""high""#,
    }
}

/// A proof about this many rows. The splits above a leaf are numbered after them, the topmost first.
#[must_use]
pub fn tree(proof: &Proof, rows: usize) -> String {
    let mut text = String::new();
    node(&mut text, proof, rows, &mut Vec::new());
    text
}

/// A node below the splits with these numbers.
fn node(text: &mut String, proof: &Proof, rows: usize, above: &mut Vec<usize>) {
    match proof {
        Proof::Absurd(multiples) => {
            let multiples = multiples.iter().map(|(row, end, times)| {
                let depth = |split| above.iter().position(|known| known == split);
                let row = match row {
                    RowRef::Given(number) => *number,
                    RowRef::Split(split) => rows + depth(split).unwrap_or(above.len()),
                };
                format!("[{row},{},{}]", side(*end), exact(times.clone()))
            });
            *text += &format!(r#"{{"absurd":{}}}"#, listed(multiples));
        }
        Proof::Split { number, form, at, low, high } => {
            let (form, at) = (listed(form.iter().cloned().map(exact)), exact(at.clone()));
            *text += &format!(r#"{{"split":{form},"at":{at}"#);
            above.push(*number);
            for (name, side) in [("low", low), ("high", high)] {
                *text += &format!(r#","{name}":"#);
                node(text, side, rows, above);
            }
            above.pop();
            text.push('}');
        }
    }
}
