//! Ops as text: `permute(2,0,1)`, `pad((0,0),(1,1))`.
//!
//! | op | arguments |
//! |---|---|
//! | `reshape`, `expand` | sizes, one of them −1 |
//! | `permute`, `flip` | axes |
//! | `transpose` | two axes |
//! | `pad`, `shrink` | a pair for every axis |
//! | `step` | a number for every axis |
//! | `slice` | Python slices of the leading axes |
//! | `squeeze`, `unsqueeze` | an axis |
//! | `flatten` | first and last axis; all axes if left out |
//! | `unflatten` | an axis and a tuple of sizes |
//! | `as_strided` | tuples of sizes and strides, and an offset |
//!
//! What is printed parses back to the same op.

use alloc::vec::Vec;
use core::fmt;
use core::str::FromStr;

use crate::error::Error;
use crate::movement::{Movement, Slice};
use crate::text::write_tuple;
use crate::view::notation::Scanner;

impl FromStr for Movement {
    type Err = Error;

    /// Reads an op.
    ///
    /// ```
    /// use viewmerge::Movement;
    ///
    /// assert_eq!("flatten()".parse::<Movement>()?, Movement::Flatten(0, -1));
    /// let mistyped = "flaten()".parse::<Movement>().unwrap_err();
    /// assert_eq!(mistyped.to_string(), r#""flaten" is no op, did you mean flatten?"#);
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    fn from_str(text: &str) -> Result<Movement, Error> {
        let mut scan = Scanner::new(text);
        let op = scan.movement()?;
        scan.end()?;
        Ok(op)
    }
}

impl Scanner {
    /// An op with its arguments.
    pub(crate) fn movement(&mut self) -> Result<Movement, Error> {
        let name = self.word();
        let Some((_, arguments)) = OPS.iter().find(|(known, _)| *known == name) else {
            if name.starts_with(|letter: char| letter.is_alphabetic()) {
                return Err(Movement::unknown(&name));
            }
            let expected = "a view or an op such as reshape, permute or slice";
            return Err(self.unexpected_at_word(&name, expected));
        };
        self.expect('(', "`(`")?;
        arguments(self)
    }

    /// `start:stop:step`, any of them left out.
    pub(crate) fn slice(&mut self) -> Result<Slice, Error> {
        let bound = |scan: &mut Scanner| match scan.peek() {
            Some('-' | '0'..='9') => scan.number().map(Some),
            _ => Ok(None),
        };
        let start = bound(self)?;
        self.expect(':', "`:`")?;
        let stop = bound(self)?;
        let step = if self.take(':') { bound(self)?.unwrap_or(1) } else { 1 };
        Ok(Slice { start, stop, step })
    }

    fn numbers(&mut self) -> Result<Vec<i64>, Error> {
        self.list(')', "`,` or `)`", Scanner::number)
    }

    fn exactly<const N: usize>(&mut self) -> Result<[i64; N], Error> {
        let mut numbers = [0; N];
        for (place, number) in numbers.iter_mut().enumerate() {
            if place > 0 {
                self.expect(',', "`,`")?;
            }
            *number = self.number()?;
        }
        self.expect(')', "`)`")?;
        Ok(numbers)
    }

    fn pairs(&mut self) -> Result<Vec<(i64, i64)>, Error> {
        self.list(')', "`,` or `)`", |scan| {
            scan.expect('(', "`(`")?;
            let [first, second] = scan.exactly()?;
            Ok((first, second))
        })
    }
}

/// Reads the arguments of an op, after the opening parenthesis.
type Arguments = fn(&mut Scanner) -> Result<Movement, Error>;

const OPS: [(&str, Arguments); 14] = [
    ("reshape", |scan| scan.numbers().map(Movement::Reshape)),
    ("expand", |scan| scan.numbers().map(Movement::Expand)),
    ("permute", |scan| scan.numbers().map(Movement::Permute)),
    ("flip", |scan| scan.numbers().map(Movement::Flip)),
    ("step", |scan| scan.numbers().map(Movement::Step)),
    ("pad", |scan| scan.pairs().map(Movement::Pad)),
    ("shrink", |scan| scan.pairs().map(Movement::Shrink)),
    ("slice", |scan| scan.list(')', "`,` or `)`", Scanner::slice).map(Movement::Slice)),
    ("transpose", |scan| scan.exactly().map(|[first, second]| Movement::Transpose(first, second))),
    ("squeeze", |scan| scan.exactly().map(|[axis]| Movement::Squeeze(axis))),
    ("unsqueeze", |scan| scan.exactly().map(|[axis]| Movement::Unsqueeze(axis))),
    ("flatten", |scan| {
        if scan.take(')') {
            return Ok(Movement::Flatten(0, -1));
        }
        scan.exactly().map(|[first, last]| Movement::Flatten(first, last))
    }),
    ("unflatten", |scan| {
        let axis = scan.number()?;
        scan.expect(',', "`,`")?;
        let sizes = scan.tuple()?;
        scan.expect(')', "`)`")?;
        Ok(Movement::Unflatten(axis, sizes))
    }),
    ("as_strided", |scan| {
        let shape = scan.tuple()?;
        scan.expect(',', "`,`")?;
        let strides = scan.tuple()?;
        let offset = if scan.take(',') { scan.number()? } else { 0 };
        scan.expect(')', "`)`")?;
        Ok(Movement::AsStrided { shape, strides, offset })
    }),
];

impl fmt::Display for Movement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())?;
        match self {
            Movement::Reshape(numbers)
            | Movement::Expand(numbers)
            | Movement::Permute(numbers)
            | Movement::Flip(numbers)
            | Movement::Step(numbers) => write_tuple(f, numbers),
            Movement::Transpose(first, second) | Movement::Flatten(first, second) => {
                write_tuple(f, &[*first, *second])
            }
            Movement::Squeeze(axis) | Movement::Unsqueeze(axis) => write_tuple(f, &[*axis]),
            Movement::Pad(pairs) | Movement::Shrink(pairs) => {
                f.write_str("(")?;
                for (place, &(first, second)) in pairs.iter().enumerate() {
                    f.write_str(if place == 0 { "" } else { "," })?;
                    write_tuple(f, &[first, second])?;
                }
                f.write_str(")")
            }
            Movement::Slice(slices) => {
                f.write_str("(")?;
                for (place, slice) in slices.iter().enumerate() {
                    write!(f, "{}{slice}", if place == 0 { "" } else { "," })?;
                }
                f.write_str(")")
            }
            Movement::Unflatten(axis, sizes) => {
                write!(f, "({axis},")?;
                write_tuple(f, sizes)?;
                f.write_str(")")
            }
            Movement::AsStrided { shape, strides, offset } => {
                f.write_str("(")?;
                write_tuple(f, shape)?;
                f.write_str(",")?;
                write_tuple(f, strides)?;
                write!(f, ",{offset})")
            }
        }
    }
}

impl fmt::Display for Slice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(start) = self.start {
            write!(f, "{start}")?;
        }
        f.write_str(":")?;
        if let Some(stop) = self.stop {
            write!(f, "{stop}")?;
        }
        if self.step == 1 { Ok(()) } else { write!(f, ":{}", self.step) }
    }
}

impl FromStr for Slice {
    type Err = Error;

    fn from_str(text: &str) -> Result<Slice, Error> {
        let mut scan = Scanner::new(text);
        let slice = scan.slice()?;
        scan.end()?;
        Ok(slice)
    }
}
