//! `viewmerge cute atoms`: which thread holds what in matrix instructions.

use std::fmt::Write;

use viewmerge_cute::{Atom, AtomFamily, AtomOperand, Error};

use crate::options::Format;
use crate::show::{Answer, Refusal};

/// Lists all instructions, those whose names contain a text, or the operands of one.
///
/// # Errors
///
/// If no instruction has that name, or the answer cannot be written.
pub fn run(name: Option<&str>, format: Format) -> Result<Answer, Refusal> {
    let atom = name.map(Atom::named);
    if let Some(Ok(atom)) = &atom {
        return of(atom, format);
    }
    let part = name.unwrap_or_default();
    if format == Format::Json && name.is_none() {
        return Answer::json(true, &viewmerge_json::atoms::list());
    }
    let text = listed(part);
    match (text.is_empty(), atom) {
        (true, Some(Err(error))) => Err(Refusal::Bad(error.to_string())),
        _ => Ok(Answer::new(true, text)),
    }
}

/// An instruction and its operands.
///
/// # Errors
///
/// If the answer cannot be written.
pub fn of(atom: &Atom, format: Format) -> Result<Answer, Refusal> {
    match format {
        Format::Json => Answer::json(true, atom),
        _ => Ok(Answer::new(true, told(atom))),
    }
}

/// The name patterns that contain a text, by family.
fn listed(part: &str) -> String {
    let mut text = String::new();
    for family in AtomFamily::all() {
        let names: Vec<&str> = family.patterns().filter(|names| names.contains(part)).collect();
        let names = if family.name().contains(part) { family.patterns().collect() } else { names };
        if names.is_empty() {
            continue;
        }
        if !text.is_empty() {
            text.push('\n');
        }
        let _ = write!(text, "{}", family.name());
        for name in names {
            let _ = write!(text, "\n  {name}");
        }
    }
    text
}

/// The operands of an instruction, a line each.
fn told(atom: &Atom) -> String {
    let threads = match atom.threads() {
        1 => "1 thread".to_owned(),
        count => format!("{count} threads"),
    };
    let mut text = format!("{}, {threads}", atom.name());
    if let Some(note) = atom.note() {
        let _ = write!(text, "; {note}");
    }
    for AtomOperand { name, tile: [rows, columns], layout, .. } in atom.operands() {
        let layout = layout.as_ref().map_or("held by no thread".to_owned(), ToString::to_string);
        let _ = write!(text, "\n{name}, {rows} by {columns}: {layout}");
    }
    text
}

/// The operand that a text such as `SM75_U32x4_LDSM_N.source` names; `None` if the text has another
/// form.
///
/// # Errors
///
/// If the instruction or operand does not exist, or no thread holds it.
pub fn operand(text: &str) -> Option<Result<AtomOperand, Error>> {
    let (atom, name) = text.split_once('.')?;
    let found = Atom::named(atom).and_then(|atom| {
        let found = atom.operands().iter().find(|operand| operand.name == name);
        let why = "takes an operand that threads hold: A, B or C, the source or the destination";
        let held = found.filter(|operand| operand.layout.is_some());
        held.cloned().ok_or(Error::Operand { op: "a picture of an instruction", why })
    });
    Some(found)
}
