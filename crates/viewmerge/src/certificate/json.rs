//! Certificates as JSON, written by hand: numbers of any size, members in a fixed order.

use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt::{Display, Formatter, Result};

use super::{Answer, Certificate, Proven, Statement};
use crate::merge::Witness;
use crate::text::joined;
use crate::view::{Validity, View};
use lattice_point::{Big, Proof, RowRef, Side};

impl Display for Certificate {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        write!(f, r#"{{"views":{}"#, listed(self.views.iter().map(view)))?;
        if let Some(other) = &self.other {
            write!(f, r#","other":{}"#, listed(other.iter().map(view)))?;
        }
        f.write_str(&match &self.answer {
            Answer::Merged(merged, _) => format!(r#","merged":{}"#, view(merged)),
            Answer::Same(_) => String::new(),
            Answer::Witness(found) => format!(r#","witness":{}"#, witness(found)),
            Answer::Differ(None) => r#","differ":null"#.to_string(),
            Answer::Differ(Some(index)) => format!(r#","differ":{}"#, numbers(index)),
            Answer::Apart(number, index) => {
                format!(r#","apart":{{"view":{number},"index":{}}}"#, numbers(index))
            }
            Answer::Collision(indices) => {
                format!(r#","collision":{}"#, listed(indices.iter().map(|i| numbers(i))))
            }
        })?;
        if let Answer::Merged(_, proofs) | Answer::Same(proofs) = &self.answer {
            f.write_str(r#","proofs":"#)?;
            list(f, proofs, proven)?;
        }
        f.write_str("}")
    }
}

fn listed(items: impl Iterator<Item = String>) -> String {
    format!("[{}]", joined(items, ","))
}

fn numbers(list: &[i64]) -> String {
    listed(list.iter().map(|&number| exact(&number.into())))
}

/// A list, each item written by `write`.
///
/// # Errors
///
/// Those of the formatter.
pub fn list<T>(
    f: &mut Formatter<'_>,
    items: &[T],
    write: impl Fn(&mut Formatter<'_>, &T) -> Result,
) -> Result {
    f.write_str("[")?;
    for (place, item) in items.iter().enumerate() {
        if place > 0 {
            f.write_str(",")?;
        }
        write(f, item)?;
    }
    f.write_str("]")
}

/// A number; as a string if not every JSON reader would keep it exactly.
fn exact(value: &Big) -> String {
    const EXACT: i64 = 1 << 53;
    let is_exact = *value >= Big::from(-EXACT) && *value <= Big::from(EXACT);
    if is_exact { value.to_string() } else { format!("\"{value}\"") }
}

/// A number of 64 bits.
///
/// # Errors
///
/// Those of the formatter.
pub fn small(f: &mut Formatter<'_>, value: &i64) -> Result {
    f.write_str(&exact(&Big::from(*value)))
}

fn view(view: &View) -> String {
    let (shape, strides) = (numbers(view.shape()), numbers(view.strides()));
    let offset = exact(&view.offset().into());
    let mask = match view.validity() {
        Validity::All => "null".to_string(),
        Validity::Nothing => r#""nothing""#.to_string(),
        Validity::Box(bounds) => listed(bounds.iter().map(|&(lo, hi)| numbers(&[lo, hi]))),
    };
    format!(r#"{{"shape":{shape},"strides":{strides},"offset":{offset},"mask":{mask}}}"#)
}

fn witness(witness: &Witness) -> String {
    match witness {
        Witness::Step { axis, at, step, other, other_step } => {
            let (at, other) = (numbers(at), numbers(other));
            let [step, other_step] = [step, other_step].map(|&step| exact(&step.into()));
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

fn side(side: Side) -> &'static str {
    match side {
        Side::Low => "low",
        Side::High => "high",
    }
}

fn proven(f: &mut Formatter<'_>, proven: &Proven) -> Result {
    let Statement { claim, chain, view, axis, side: end } = proven.statement;
    write!(f, r#"{{"claim":"{claim}""#)?;
    for (name, number) in [("chain", chain), ("view", view), ("axis", axis)] {
        number.map_or(Ok(()), |number| write!(f, r#","{name}":{number}"#))?;
    }
    end.map_or(Ok(()), |end| write!(f, r#","side":"{}""#, side(end)))?;
    f.write_str(r#","proof":"#)?;
    tree(f, &proven.proof, proven.rows)?;
    f.write_str("}")
}

/// A proof about this many rows. The splits above a leaf are numbered after them, the topmost first.
///
/// # Errors
///
/// Those of the formatter.
pub fn tree(f: &mut Formatter<'_>, proof: &Proof, rows: usize) -> Result {
    node(f, proof, rows, &mut Vec::new())
}

/// A node below the splits with these numbers.
fn node(f: &mut Formatter<'_>, proof: &Proof, rows: usize, above: &mut Vec<usize>) -> Result {
    match proof {
        Proof::Absurd(multiples) => {
            let multiples = multiples.iter().map(|(row, end, times)| {
                let depth = |split| above.iter().position(|known| known == split);
                let row = match row {
                    RowRef::Given(number) => *number,
                    RowRef::Split(split) => rows + depth(split).unwrap_or(above.len()),
                };
                format!(r#"[{row},"{}",{}]"#, side(*end), exact(times))
            });
            write!(f, r#"{{"absurd":{}}}"#, listed(multiples))
        }
        Proof::Split { number, form, at, low, high } => {
            let (form, at) = (listed(form.iter().map(exact)), exact(at));
            write!(f, r#"{{"split":{form},"at":{at},"low":"#)?;
            above.push(*number);
            node(f, low, rows, above)?;
            f.write_str(r#","high":"#)?;
            node(f, high, rows, above)?;
            above.pop();
            f.write_str("}")
        }
    }
}
