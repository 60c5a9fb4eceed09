//! Maps of MLIR and isl: names, an expression, and where it is defined.
//!
//! `affine_map<(d0)[s0] -> (d0 floordiv 4 + s0)>`, `affine_set<(d0) : (d0 - 3 >= 0)>`,
//! `{ [i, j] -> [floor((4i + j)/8)] : 0 <= i < 16 }`. Anything else is an expression by itself.

use super::parse::{Reader, Term, Token};
use super::tree::Expr;
use super::{Dialect, Expression};
use viewmerge::Error;

/// Reads a whole text.
pub(super) fn read(text: &str, dialect: Dialect) -> Result<Expression, Error> {
    let mut reader = Reader::new(text, dialect)?;
    let (term, valid) = if reader.take("affine_map") {
        map(&mut reader)?
    } else if reader.take("affine_set") {
        set(&mut reader)?
    } else if reader.take("{") {
        isl(&mut reader)?
    } else {
        (reader.term()?, None)
    };
    if *reader.peek() != Token::End {
        return Err(reader.unexpected("an operator or the end"));
    }
    Ok(Expression { body: term.whole()?, names: reader.names, valid })
}

/// `(d0, d1)` or `[s0]`, which are open; the names are declared.
fn names(reader: &mut Reader, close: &'static str) -> Result<(), Error> {
    if reader.take(close) {
        return Ok(());
    }
    reader.list(close, "`,` and another name, or the end of the list", |reader| {
        let at = reader.at();
        let refused = |expected, found| Err(Error::Syntax { at, expected, found });
        let Token::Name(name) = reader.advance() else {
            return refused("a name", "something else".into());
        };
        let before = reader.names.len();
        if reader.variable(name.clone(), at)? < before {
            return refused("a name of its own for every dimension", format!("{name:?} again"));
        }
        Ok(())
    })?;
    Ok(())
}

/// The dimensions and symbols of MLIR.
fn dimensions(reader: &mut Reader) -> Result<(), Error> {
    reader.expect("<", "`<`")?;
    reader.expect("(", "`(` and the dimensions")?;
    names(reader, ")")?;
    if reader.take("[") {
        names(reader, "]")?;
    }
    reader.closed = true;
    Ok(())
}

type Read = (Term, Option<Expr>);

fn map(reader: &mut Reader) -> Result<Read, Error> {
    dimensions(reader)?;
    reader.expect("->", "`->`")?;
    reader.expect("(", "`(` and one result")?;
    let term = reader.value()?.into();
    reader.expect(")", "one result, then `)`")?;
    reader.expect(">", "`>`")?;
    Ok((term, None))
}

fn set(reader: &mut Reader) -> Result<Read, Error> {
    dimensions(reader)?;
    reader.expect(":", "`:`")?;
    reader.expect("(", "`(` and conditions")?;
    let all = reader.list(")", "`,` and another condition, or `)`", Reader::condition)?;
    reader.expect(">", "`>`")?;
    Ok((Expr::Join(all, true).into(), None))
}

fn isl(reader: &mut Reader) -> Result<Read, Error> {
    reader.expect("[", "`[` and the dimensions")?;
    names(reader, "]")?;
    reader.closed = true;
    reader.expect("->", "`->`")?;
    reader.expect("[", "`[` and one result")?;
    let term = reader.value()?.into();
    reader.expect("]", "one result, then `]`")?;
    let valid = if reader.take(":") { Some(reader.condition()?) } else { None };
    reader.expect("}", "`}`")?;
    Ok((term, valid))
}
