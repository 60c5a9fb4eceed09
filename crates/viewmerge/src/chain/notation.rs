//! A chain as text: views and ops, memory side first, separated by `|`.
//!
//! ```text
//! (2,3,4) | permute(2,0,1) | reshape(8,3) | pad((0,0),(1,1)) | (4):(2)+1
//! ```
//!
//! The first item is a view. A further view goes on top as it is; an op acts on
//! the last view, and adds one where one view cannot hold its result.
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

use std::str::FromStr;

use crate::chain::ViewChain;
use crate::error::Error;
use crate::movement::{Movement, Slice};
use crate::view::View;
use crate::view::notation::Scanner;

impl FromStr for ViewChain {
    type Err = Error;

    /// Reads a chain.
    ///
    /// ```
    /// use viewmerge::ViewChain;
    ///
    /// let chain: ViewChain = "(2,3,4) | permute(2,0,1) | reshape(8,3)".parse()?;
    /// assert_eq!(chain.to_string(), "(4,2,3):(1,12,4) | (8,3):(3,1)");
    /// assert_eq!(chain.to_string().parse::<ViewChain>()?, chain);
    /// let mistyped = "(2,3) | premute(1,0)".parse::<ViewChain>().unwrap_err();
    /// assert_eq!(
    ///     mistyped.to_string(),
    ///     r#"at character 8: "premute" is no op, did you mean permute?"#,
    /// );
    /// # Ok::<(), viewmerge::Error>(())
    /// ```
    fn from_str(text: &str) -> Result<ViewChain, Error> {
        let mut chain: Option<ViewChain> = None;
        let mut start = 0;
        for item in text.split('|') {
            let next = match chain {
                None => read_view(item).map(ViewChain::from),
                Some(chain) => read_item(&chain, item),
            };
            chain = Some(next.map_err(|error| place(error, start, item))?);
            start += item.chars().count() + 1;
        }
        chain.ok_or(Error::EmptyChain)
    }
}

/// Says where in the whole text an item's mistake is.
pub(crate) fn place(error: Error, start: usize, item: &str) -> Error {
    match error {
        Error::Syntax { at, expected, found } => Error::Syntax { at: start + at, expected, found },
        error => {
            let blank = item.chars().take_while(|c| c.is_whitespace()).count();
            Error::InText { at: start + blank, error: Box::new(error) }
        }
    }
}

fn read_view(item: &str) -> Result<View, Error> {
    item.parse()
}

/// A view, or an op with its arguments.
pub(crate) fn read_item(chain: &ViewChain, item: &str) -> Result<ViewChain, Error> {
    let mut scan = Scanner::new(item);
    if scan.peek() == Some('(') {
        return chain.append(read_view(item)?);
    }
    let name = scan.word();
    let Some((_, arguments)) = OPS.iter().find(|(known, _)| *known == name) else {
        return Err(match name.starts_with(|letter: char| letter.is_alphabetic()) {
            true => Movement::unknown(&name),
            false => {
                scan.unexpected_at_word(&name, "a view or an op such as reshape, permute or slice")
            }
        });
    };
    scan.expect('(', "`(`")?;
    let op = arguments(&mut scan)?;
    scan.end()?;
    chain.apply(&op)
}

/// Reads the arguments of an op, after the opening parenthesis.
type Arguments = fn(&mut Scanner) -> Result<Movement, Error>;

const OPS: [(&str, Arguments); 14] = [
    ("reshape", |scan| scan.numbers().map(Movement::Reshape)),
    ("permute", |scan| scan.numbers().map(Movement::Permute)),
    ("expand", |scan| scan.numbers().map(Movement::Expand)),
    ("pad", |scan| scan.pairs().map(Movement::Pad)),
    ("shrink", |scan| scan.pairs().map(Movement::Shrink)),
    ("flip", |scan| scan.numbers().map(Movement::Flip)),
    ("step", |scan| scan.numbers().map(Movement::Step)),
    ("slice", |scan| scan.slices().map(Movement::Slice)),
    ("transpose", |scan| scan.exactly().map(|[first, second]| Movement::Transpose(first, second))),
    ("squeeze", |scan| scan.exactly().map(|[axis]| Movement::Squeeze(axis))),
    ("unsqueeze", |scan| scan.exactly().map(|[axis]| Movement::Unsqueeze(axis))),
    ("flatten", |scan| match scan.take(')') {
        true => Ok(Movement::Flatten(0, -1)),
        false => scan.exactly().map(|[start, end]| Movement::Flatten(start, end)),
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

/// Arguments, after the opening parenthesis.
impl Scanner {
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

    fn slices(&mut self) -> Result<Vec<Slice>, Error> {
        self.list(')', "`,` or `)`", Scanner::slice)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items() {
        let rows = [
            ("(2,3,4)|permute(2,0,1)|reshape(8,3)", "(4,2,3):(1,12,4) | (8,3):(3,1)"),
            ("(2,3) | pad((0,0),(1,1))", "(2,5):(3,1)-1 [0:2,1:4]"),
            ("(5,4) | slice(1:,::-2)", "(4,2):(4,-2)+7"),
            ("(6) | step(2) | flip(0)", "(3):(-2)+4"),
            ("(2,1) | squeeze(-1) | unsqueeze(0) | expand(3,-1)", "(3,2):(0,1)"),
            ("(2,3,4) | flatten() | unflatten(0,(2,-1)) | transpose(0,1)", "(12,2):(1,12)"),
            ("(2,3,4) | flatten(0,1) | shrink((1,6),(0,4))", "(5,4):(4,1)+4"),
            ("(6) | as_strided((4,3),(1,1))", "(4,3):(1,1)"),
            ("(6) | (2):(3)+1", "(6):(1) | (2):(3)+1"),
        ];
        for (text, printed) in rows {
            let chain: ViewChain = text.parse().expect(text);
            assert_eq!(chain.to_string(), printed, "{text}");
        }
    }

    #[test]
    fn every_op_can_be_written() {
        assert!(OPS.iter().map(|(name, _)| *name).eq(Movement::NAMES));
    }

    #[test]
    fn mistakes_are_located() {
        let rows = [
            ("(2,3) | roll(1)", 8, "unknown_op"),
            ("(2,3) |  Permute(1,0)", 9, "unknown_op"),
            ("(2,3) | 2,3", 8, "syntax"),
            ("(2,3) | reshape 6", 16, "syntax"),
            ("(2,3) | reshape(6", 17, "syntax"),
            ("(2,3) | reshape(7)", 8, "reshape_count"),
            ("(2,3)|pad(1,2)", 10, "syntax"),
            ("(2,3) |  permute(0,2)", 9, "axis_out_of_range"),
            ("(2,3) | (4):(2)", 8, "not_composable"),
            ("(2,3) [0:2,0:9] | flip(0)", 0, "mask_outside"),
            ("", 0, "syntax"),
            ("(2) |", 5, "syntax"),
        ];
        for (text, at, kind) in rows {
            let error = text.parse::<ViewChain>().expect_err(text);
            assert_eq!((error.at(), error.kind()), (Some(at), kind), "{text}: {error}");
        }
    }
}
