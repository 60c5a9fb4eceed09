//! Layouts as text: `((2,2),3):((1,4),8)`.
//!
//! Numbers may carry CuTe's mark for static integers, `_4`, and blanks may stand between any two tokens.
//! Without strides a layout is compact, the first mode fastest.

use std::fmt;
use std::str::FromStr;

use crate::error::Error;
use crate::layout::{Layout, MOST_DEPTH, Mode};

/// A number, or a tuple of such.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Tuple {
    Number(i64),
    Tuple(Vec<Tuple>),
}

impl Tuple {
    /// What it is, for an error message.
    pub(crate) fn described(&self) -> String {
        match self {
            Tuple::Number(number) => number.to_string(),
            Tuple::Tuple(items) => format!("a tuple of {}", items.len()),
        }
    }
}

/// A cursor over text.
pub(crate) struct Reader<'a> {
    rest: &'a str,
    at: usize,
}

impl<'a> Reader<'a> {
    pub(crate) fn new(text: &'a str) -> Reader<'a> {
        let mut reader = Reader { rest: text, at: 0 };
        reader.blanks();
        reader
    }

    fn blanks(&mut self) {
        while self.rest.starts_with(char::is_whitespace) {
            self.advance();
        }
    }

    fn advance(&mut self) {
        let mut characters = self.rest.chars();
        if characters.next().is_some() {
            self.at += 1;
        }
        self.rest = characters.as_str();
    }

    /// Takes a word and the blanks after it, if the word comes next.
    pub(crate) fn take(&mut self, word: &str) -> bool {
        if !self.rest.starts_with(word) {
            return false;
        }
        word.chars().for_each(|_| self.advance());
        self.blanks();
        true
    }

    pub(crate) fn expect(&mut self, word: &str, expected: &'static str) -> Result<(), Error> {
        if self.take(word) { Ok(()) } else { Err(self.wrong(expected)) }
    }

    pub(crate) fn end(&self) -> Result<(), Error> {
        if self.rest.is_empty() { Ok(()) } else { Err(self.wrong("the end")) }
    }

    pub(crate) fn wrong(&self, expected: &'static str) -> Error {
        let found = match self.rest.chars().next() {
            Some(found) => format!("{found:?}"),
            None => "the end".to_string(),
        };
        Error::Syntax { at: self.at, expected, found }
    }

    /// A number, possibly marked as static, that names no coordinate.
    pub(crate) fn number(&mut self) -> Result<i64, Error> {
        let number = self.integer()?;
        if self.rest.starts_with('@') {
            return Err(
                self.wrong("a plain number (strides such as 1@0 belong to layouts of coordinates)")
            );
        }
        Ok(number)
    }

    /// A number, possibly marked as static.
    pub(crate) fn integer(&mut self) -> Result<i64, Error> {
        let start = Reader { rest: self.rest, at: self.at };
        let mut text = String::new();
        if self.rest.starts_with('_') {
            self.advance();
        }
        if self.rest.starts_with('-') {
            text.push('-');
            self.advance();
        }
        while let Some(digit) = self.rest.chars().next().filter(char::is_ascii_digit) {
            text.push(digit);
            self.advance();
        }
        let number = text.parse();
        self.blanks();
        number.map_err(|_| start.wrong("a 64-bit number"))
    }

    pub(crate) fn tuple(&mut self, depth: usize) -> Result<Tuple, Error> {
        if depth > MOST_DEPTH {
            return Err(Error::Depth { most: MOST_DEPTH });
        }
        if !self.take("(") {
            return self.number().map(Tuple::Number);
        }
        let mut items = Vec::new();
        if self.take(")") {
            return Ok(Tuple::Tuple(items));
        }
        loop {
            items.push(self.tuple(depth + 1)?);
            if self.take(")") {
                return Ok(Tuple::Tuple(items));
            }
            self.expect(",", "',' or ')'")?;
            // A one-tuple with a trailing comma, as Python writes it.
            if items.len() == 1 && self.take(")") {
                return Ok(Tuple::Tuple(items));
            }
        }
    }

    pub(crate) fn layout(&mut self) -> Result<Layout, Error> {
        let shape = self.tuple(0)?;
        self.layout_of(&shape)
    }

    /// Reads the strides of a layout whose shape has been read.
    pub(crate) fn layout_of(&mut self, shape: &Tuple) -> Result<Layout, Error> {
        let mode = if self.take(":") {
            let strides = self.tuple(0)?;
            zip(shape, &strides, "the layout")?
        } else {
            let mut run = Some(1i64);
            compact(shape, &mut run)
        };
        Layout::new(mode)
    }
}

/// A compact layout of a shape. Strides that do not fit are refused when the layout is built.
fn compact(shape: &Tuple, run: &mut Option<i64>) -> Mode {
    match shape {
        Tuple::Number(size) => {
            let stride = run.unwrap_or(i64::MAX);
            *run = run.and_then(|run| run.checked_mul(*size));
            Mode::leaf((*size, stride))
        }
        Tuple::Tuple(items) => Mode::Node(items.iter().map(|item| compact(item, run)).collect()),
    }
}

fn zip(shape: &Tuple, strides: &Tuple, at: &str) -> Result<Mode, Error> {
    match (shape, strides) {
        (Tuple::Number(size), Tuple::Number(stride)) => {
            Ok(Mode::Leaf { size: *size, stride: *stride })
        }
        (Tuple::Tuple(sizes), Tuple::Tuple(others)) if sizes.len() == others.len() => {
            let pairs = sizes.iter().zip(others).enumerate();
            let modes = pairs.map(|(number, (size, stride))| {
                let at = match at {
                    "the layout" => format!("mode {number}"),
                    _ => format!("{at}.{number}"),
                };
                zip(size, stride, &at)
            });
            Ok(Mode::Node(modes.collect::<Result<_, _>>()?))
        }
        _ => Err(Error::NotCongruent {
            at: at.to_string(),
            shape: shape.described(),
            strides: strides.described(),
        }),
    }
}

impl FromStr for Layout {
    type Err = Error;

    fn from_str(text: &str) -> Result<Layout, Error> {
        let mut reader = Reader::new(text);
        let layout = reader.layout()?;
        reader.end()?;
        Ok(layout)
    }
}

impl TryFrom<String> for Layout {
    type Error = Error;

    fn try_from(text: String) -> Result<Layout, Error> {
        text.parse()
    }
}

impl From<Layout> for String {
    fn from(layout: Layout) -> String {
        layout.to_string()
    }
}

impl fmt::Display for Layout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_numbers(f, self.mode(), |size, _| size)?;
        f.write_str(":")?;
        write_numbers(f, self.mode(), |_, stride| stride)
    }
}

fn write_numbers(
    f: &mut fmt::Formatter<'_>,
    mode: &Mode,
    pick: fn(i64, i64) -> i64,
) -> fmt::Result {
    match mode {
        Mode::Leaf { size, stride } => write!(f, "{}", pick(*size, *stride)),
        Mode::Node(modes) => {
            f.write_str("(")?;
            for (number, mode) in modes.iter().enumerate() {
                f.write_str(if number == 0 { "" } else { "," })?;
                write_numbers(f, mode, pick)?;
            }
            f.write_str(")")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_and_writes() {
        // (input, as printed)
        let rows = [
            ("4:1", "4:1"),
            ("_4:_1", "4:1"),
            ("(4):(2)", "(4):(2)"),
            (" ( (2, 2), 3 ) : ((1,4) ,8)", "((2,2),3):((1,4),8)"),
            ("(4,8)", "(4,8):(1,4)"),
            ("(2,(3,4))", "(2,(3,4)):(1,(2,6))"),
            ("(4,):(1,)", "(4):(1)"),
            ("():()", "():()"),
            ("(4,1):(1,7)", "(4,1):(1,7)"),
            ("3:-2", "3:-2"),
        ];
        for (text, written) in rows {
            let layout: Layout = text.parse().expect(text);
            assert_eq!(layout.to_string(), written, "{text}");
            assert_eq!(written.parse::<Layout>(), Ok(layout), "{text}");
        }
    }

    #[test]
    fn refusals() {
        let rows = [
            ("", "at column 1: expected a 64-bit number, found the end"),
            (
                "(4,2):(1,(2))",
                "the strides are not nested as the shape is: mode 1 has 2 in the shape and a tuple of 1 in the strides",
            ),
            (
                "(4,2):1",
                "the strides are not nested as the shape is: the layout has a tuple of 2 in the shape and 1 in the strides",
            ),
            ("(4,2)x", "at column 6: expected the end, found 'x'"),
            ("(4 2)", "at column 4: expected ',' or ')', found '2'"),
            (
                "4:1@0",
                "at column 4: expected a plain number (strides such as 1@0 belong to layouts of coordinates), found '@'",
            ),
            ("-4:1", "mode 0 has size -4, a size must be 1 or more"),
            ("99999999999999999999:1", "at column 1: expected a 64-bit number, found '9'"),
        ];
        for (text, refusal) in rows {
            let found = text.parse::<Layout>().map_err(|e| e.to_string());
            assert_eq!(found, Err(refusal.to_string()), "{text}");
        }
        let deep = "(".repeat(100_000);
        assert_eq!(deep.parse::<Layout>(), Err(Error::Depth { most: MOST_DEPTH }));
        let wide = "(4611686018427387904,2,2)".parse::<Layout>();
        assert_eq!(wide.map_err(|e| e.kind()), Err("too_many_elements"));
    }
}
