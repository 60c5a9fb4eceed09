//! Maps of MLIR and isl: names, an expression, and where it is defined.
//!
//! `affine_map<(d0)[s0] -> (d0 floordiv 4 + s0)>`, `affine_set<(d0) : (d0 - 3 >= 0)>`,
//! `{ [i, j] -> [floor((4i + j)/8)] : 0 <= i < 16 }`. Anything else is an expression by itself.

use super::parse::{Reader, syntax};
use super::tree::Expr;
use super::{Dialect, Expression};
use viewmerge::Error;

/// Reads a whole text.
pub(super) fn read(text: &str, dialect: Dialect) -> Result<Expression, Error> {
    let mut reader = Reader::new(text, dialect)?;
    let mut valid = None;
    let body = if reader.take("affine_map") {
        dimensions(&mut reader)?;
        reader.expect("->", "`->`")?;
        reader.expect("(", "`(` and one result")?;
        let value = reader.value()?;
        reader.expect(")", "one result, then `)`")?;
        reader.expect(">", "`>`")?;
        value
    } else if reader.take("affine_set") {
        dimensions(&mut reader)?;
        reader.expect(":", "`:`")?;
        reader.expect("(", "`(` and conditions")?;
        let all = reader.list(")", "`,` and another condition, or `)`", Reader::condition)?;
        reader.expect(">", "`>`")?;
        Expr::Join(all, true)
    } else if reader.take("{") {
        reader.expect("[", "`[` and the dimensions")?;
        names(&mut reader, "]")?;
        reader.closed = true;
        reader.expect("->", "`->`")?;
        reader.expect("[", "`[` and one result")?;
        let value = reader.value()?;
        reader.expect("]", "one result, then `]`")?;
        if reader.take(":") {
            valid = Some(reader.condition()?);
        }
        reader.expect("}", "`}`")?;
        value
    } else {
        reader.whole()?
    };
    reader.expect("", "an operator or the end")?;
    Ok(Expression { body, names: reader.names, valid })
}

/// The dimensions and symbols of MLIR, which are declared.
fn dimensions(reader: &mut Reader<'_>) -> Result<(), Error> {
    reader.expect("<", "`<`")?;
    reader.expect("(", "`(` and the dimensions")?;
    names(reader, ")")?;
    if reader.take("[") {
        names(reader, "]")?;
    }
    reader.closed = true;
    Ok(())
}

/// `d0, d1)` or `s0]`.
fn names(reader: &mut Reader<'_>, close: &str) -> Result<(), Error> {
    let expected = "`,` and another name, or the end of the list";
    let declare = |reader: &mut Reader<'_>| {
        let (at, name) = reader.name("a name")?;
        let before = reader.names.len();
        if reader.variable((at, name))? < before {
            let expected = "a name of its own for every dimension";
            return Err(syntax(at, expected, format!("{name:?} again")));
        }
        Ok(())
    };
    reader.list(close, expected, declare).map(drop)
}
