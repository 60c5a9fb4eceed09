//! Certificates as JSON, written by hand: numbers of any size, members in a fixed order.

use alloc::vec::Vec;
use core::fmt::{Display, Formatter, Result};

use super::{Answer, Certificate, Proven, Statement};
use crate::merge::Witness;
use crate::view::{Validity, View};
use lattice_point::{Big, Proof, RowRef, Side};

impl Display for Certificate {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        write!(f, r#"{{"views":{}"#, listed(&self.views, view))?;
        if let Some(other) = &self.other {
            write!(f, r#","other":{}"#, listed(other, view))?;
        }
        match &self.answer {
            Answer::Merged(merged, proofs) => {
                f.write_str(r#","merged":"#)?;
                view(f, merged)?;
                write!(f, r#","proofs":{}"#, listed(proofs, proven))?;
            }
            Answer::Same(proofs) => write!(f, r#","proofs":{}"#, listed(proofs, proven))?,
            Answer::Witness(found) => {
                f.write_str(r#","witness":"#)?;
                witness(f, found)?;
            }
            Answer::Differ(None) => f.write_str(r#","differ":null"#)?,
            Answer::Differ(Some(index)) => write!(f, r#","differ":{}"#, listed(index, small))?,
            Answer::Apart(number, index) => {
                write!(f, r#","apart":{{"view":{number},"index":{}}}"#, listed(index, small))?;
            }
            Answer::Collision(indices) => {
                write!(f, r#","collision":{}"#, listed(indices, |f, i| list(f, i, small)))?;
            }
        }
        f.write_str("}")
    }
}

/// A list as part of a text.
fn listed<T>(items: &[T], write: fn(&mut Formatter<'_>, &T) -> Result) -> impl Display {
    struct Listed<'a, T>(&'a [T], fn(&mut Formatter<'_>, &T) -> Result);
    impl<T> Display for Listed<'_, T> {
        fn fmt(&self, f: &mut Formatter<'_>) -> Result {
            list(f, self.0, self.1)
        }
    }
    Listed(items, write)
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
fn number(f: &mut Formatter<'_>, value: &Big) -> Result {
    const EXACT: i64 = 1 << 53;
    if *value >= Big::from(-EXACT) && *value <= Big::from(EXACT) {
        write!(f, "{value}")
    } else {
        write!(f, "\"{value}\"")
    }
}

/// A number of 64 bits.
///
/// # Errors
///
/// Those of the formatter.
pub fn small(f: &mut Formatter<'_>, value: &i64) -> Result {
    number(f, &Big::from(*value))
}

fn view(f: &mut Formatter<'_>, view: &View) -> Result {
    let (shape, strides) = (listed(view.shape(), small), listed(view.strides(), small));
    write!(f, r#"{{"shape":{shape},"strides":{strides},"offset":"#)?;
    small(f, &view.offset())?;
    f.write_str(r#","mask":"#)?;
    match view.validity() {
        Validity::All => f.write_str("null")?,
        Validity::Nothing => f.write_str(r#""nothing""#)?,
        Validity::Box(bounds) => list(f, bounds, |f, &(lo, hi)| list(f, &[lo, hi], small))?,
    }
    f.write_str("}")
}

fn side(side: Side) -> &'static str {
    match side {
        Side::Low => "low",
        Side::High => "high",
    }
}

fn proven(f: &mut Formatter<'_>, proven: &Proven) -> Result {
    match &proven.statement {
        Statement::Empty { chain: None } => f.write_str(r#"{"claim":"empty""#)?,
        Statement::Empty { chain: Some(chain) } => {
            write!(f, r#"{{"claim":"empty","chain":{chain}"#)?;
        }
        Statement::Outside { axis, side: end } => {
            write!(f, r#"{{"claim":"outside","axis":{axis},"side":"{}""#, side(*end))?;
        }
        Statement::Hole { chain, view, axis, side: end } => {
            f.write_str(r#"{"claim":"hole""#)?;
            if let Some(chain) = chain {
                write!(f, r#","chain":{chain}"#)?;
            }
            write!(f, r#","view":{view},"axis":{axis},"side":"{}""#, side(*end))?;
        }
        Statement::Above => f.write_str(r#"{"claim":"above""#)?,
        Statement::Below => f.write_str(r#"{"claim":"below""#)?,
    }
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
            f.write_str(r#"{"absurd":"#)?;
            list(f, multiples, |f, (row, end, times)| {
                let depth = |split| above.iter().position(|known| known == split);
                let row = match row {
                    RowRef::Given(number) => *number,
                    RowRef::Split(split) => rows + depth(split).unwrap_or(above.len()),
                };
                write!(f, r#"[{row},"{}","#, side(*end))?;
                number(f, times)?;
                f.write_str("]")
            })?;
        }
        Proof::Split { number: split, form, at, low, high } => {
            f.write_str(r#"{"split":"#)?;
            list(f, form, number)?;
            f.write_str(r#","at":"#)?;
            number(f, at)?;
            above.push(*split);
            f.write_str(r#","low":"#)?;
            node(f, low, rows, above)?;
            f.write_str(r#","high":"#)?;
            node(f, high, rows, above)?;
            above.pop();
        }
    }
    f.write_str("}")
}

fn witness(f: &mut Formatter<'_>, witness: &Witness) -> Result {
    match witness {
        Witness::Step { axis, at, step, other, other_step } => {
            let (at, other) = (listed(at, small), listed(other, small));
            write!(f, r#"{{"kind":"step","axis":{axis},"at":{at},"step":"#)?;
            small(f, step)?;
            write!(f, r#","other":{other},"other_step":"#)?;
            small(f, other_step)?;
        }
        Witness::Hole { valid, invalid } => {
            let valid = listed(valid, |f, index| list(f, index, small));
            let invalid = listed(invalid, small);
            write!(f, r#"{{"kind":"hole","valid":{valid},"invalid":{invalid}"#)?;
        }
    }
    f.write_str("}")
}
