//! The text notation `(10,3,3):(8,1,2)+5 [0:10,1:3,0:3]`.
//!
//! ```text
//! view  = shape [":" shape] [("+" | "-") number] [mask]
//! shape = "(" [number {"," number} [","]] ")"
//! mask  = "nothing" | "[" [number ":" number {"," number ":" number} [","]] "]"
//! ```
//!
//! Strides left out are contiguous. White space may stand between any two
//! parts; `−` (U+2212) is read as a minus. What is printed parses back to the
//! same view.

use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;
use core::str::FromStr;

use crate::error::Error;
use crate::text::tuple;
use crate::view::spans::{Item, Kind, Span, located};
use crate::view::{Validity, View, ViewParts};

impl fmt::Display for View {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&tuple(self.shape()))?;
        if self.validity() != &Validity::Nothing {
            write!(f, ":{}", tuple(self.strides()))?;
        }
        write_offset_and_mask(f, self.offset(), self.validity())
    }
}

/// What follows the strides: `+5 [0:2,1:3]`.
pub(crate) fn write_offset_and_mask(
    f: &mut fmt::Formatter<'_>,
    offset: i64,
    validity: &Validity,
) -> fmt::Result {
    if offset != 0 {
        write!(f, "{offset:+}")?;
    }
    match validity {
        Validity::All => Ok(()),
        Validity::Nothing => f.write_str(" nothing"),
        Validity::Box(bounds) => write!(f, " {bounds}"),
    }
}

impl FromStr for View {
    type Err = Error;

    /// Reads the notation.
    ///
    /// ```
    /// use viewmerge::{Error, View};
    ///
    /// let view: View = "(2,3)".parse()?;
    /// assert_eq!(view.to_string(), "(2,3):(3,1)");
    /// let mistyped = "(2,3):(3,x)".parse::<View>().unwrap_err();
    /// assert_eq!(mistyped.to_string(), "at column 10: expected a number, found `x`");
    /// let refused = "(2,-3)".parse::<View>().unwrap_err();
    /// assert_eq!(refused.to_string(), "at column 4: axis 1 has size -3, a size must be 0 or more");
    /// # Ok::<(), Error>(())
    /// ```
    fn from_str(text: &str) -> Result<View, Error> {
        let mut scan = Scanner::new(text);
        let parts = scan.view(Scanner::number)?;
        View::try_from(parts).map_err(|error| scan.located(error, Item::View))
    }
}

impl FromStr for ViewParts {
    type Err = Error;

    fn from_str(text: &str) -> Result<ViewParts, Error> {
        Scanner::new(text).view(Scanner::number)
    }
}

/// A cursor over the characters of a text, and where the numbers and lists are that it has passed.
pub struct Scanner {
    chars: Vec<char>,
    at: usize,
    /// What was read so far, in its order.
    pub spans: Vec<Span>,
}

#[allow(clippy::missing_errors_doc, clippy::must_use_candidate)] // What is expected is in the errors.
/// What is read from a text: numbers and slices, lists and tuples of arguments.
pub trait Argument: Sized {
    /// Reads it.
    ///
    /// # Errors
    ///
    /// If something else comes next.
    fn read(scan: &mut Scanner) -> Result<Self, Error>;

    /// As it is read.
    fn text(&self) -> String;
}

impl Argument for i64 {
    fn read(scan: &mut Scanner) -> Result<i64, Error> {
        scan.number()
    }

    fn text(&self) -> String {
        self.to_string()
    }
}

impl Scanner {
    /// At the start of a text.
    #[must_use]
    pub fn new(text: &str) -> Scanner {
        Scanner { chars: text.chars().collect(), at: 0, spans: Vec::new() }
    }

    /// A view, up to the end of the text.
    pub(crate) fn view<S>(
        &mut self,
        stride: impl FnMut(&mut Scanner) -> Result<S, Error>,
    ) -> Result<ViewParts<S>, Error> {
        let shape = self.list(Kind::List, Scanner::number)?;
        let strides = if self.take(':') { Some(self.list(Kind::List, stride)?) } else { None };
        let signed = self.take('+') || self.peek() == Some('-');
        let offset = if signed { self.number()? } else { 0 };
        let validity = match self.peek() {
            None => Validity::All,
            Some('[') => Validity::Box(self.intervals()?.into()),
            Some('n') if self.take_all("nothing") => Validity::Nothing,
            Some('n') => return Err(self.unexpected("`nothing`")),
            Some(_) => return Err(self.unexpected("`:`, an offset, a mask or the end")),
        };
        self.end()?;
        Ok(ViewParts { shape, strides, offset, validity })
    }

    /// The error for an item that was read and refused, with its place.
    #[must_use]
    pub fn located(&self, error: Error, item: Item<'_>) -> Error {
        let start = self.chars.iter().take_while(|c| c.is_whitespace()).count();
        located(error, &self.spans, item, start)
    }

    /// What the function reads, as one span that holds those read on the way.
    ///
    /// # Errors
    ///
    /// That of what is read inside.
    pub fn nested<T>(
        &mut self,
        kind: Kind,
        read: impl FnOnce(&mut Scanner) -> Result<T, Error>,
    ) -> Result<T, Error> {
        self.peek();
        let (at, outer) = (self.at, core::mem::take(&mut self.spans));
        let found = read(self)?;
        let items = core::mem::replace(&mut self.spans, outer);
        self.spans.push(Span { at, end: self.at, kind, items });
        Ok(found)
    }

    /// The next character that is not white space, U+2212 read as a minus.
    pub fn peek(&mut self) -> Option<char> {
        while self.chars.get(self.at).is_some_and(|c| c.is_whitespace()) {
            self.at += 1;
        }
        self.chars.get(self.at).map(|&c| if c == '−' { '-' } else { c })
    }

    /// Takes this character if it comes next.
    pub fn take(&mut self, wanted: char) -> bool {
        let found = self.peek() == Some(wanted);
        self.at += usize::from(found);
        found
    }

    /// Takes these characters if they come next, with nothing between.
    pub fn take_all(&mut self, wanted: &str) -> bool {
        self.peek();
        let found = self.chars[self.at..].iter().take(wanted.len()).copied().eq(wanted.chars());
        self.at += if found { wanted.len() } else { 0 };
        found
    }

    /// Takes both characters if they come next, one after the other.
    pub fn take_both(&mut self, first: char, second: char) -> bool {
        let start = self.at;
        let found = self.take(first) && self.take(second);
        self.at = if found { self.at } else { start };
        found
    }

    /// Takes this character; the name is for the error.
    ///
    /// # Errors
    ///
    /// If something else comes next.
    pub fn expect(&mut self, wanted: char, name: &'static str) -> Result<(), Error> {
        if self.take(wanted) { Ok(()) } else { Err(self.unexpected(name)) }
    }

    /// That nothing follows.
    ///
    /// # Errors
    ///
    /// If something else comes next.
    pub fn end(&mut self) -> Result<(), Error> {
        if self.peek().is_none() { Ok(()) } else { Err(self.unexpected("the end")) }
    }

    /// An integer.
    ///
    /// # Errors
    ///
    /// If something else comes next.
    pub fn number(&mut self) -> Result<i64, Error> {
        self.peek();
        let at = self.at;
        let negative = self.take('-');
        let Some('0'..='9') = self.peek() else { return Err(self.unexpected("a number")) };
        let start = self.at;
        let mut value: Option<i64> = Some(0);
        while let Some(digit) = self.chars.get(self.at).and_then(|c| c.to_digit(10)) {
            let digit = if negative { -i64::from(digit) } else { i64::from(digit) };
            value = value.and_then(|v| v.checked_mul(10)?.checked_add(digit));
            self.at += 1;
        }
        let value = value.ok_or_else(|| Error::Syntax {
            at: start,
            expected: "a number that fits 64 bits",
            found: format!("`{}`", self.chars[start..self.at].iter().collect::<String>()),
        })?;
        self.spans.push(Span { at, end: self.at, kind: Kind::Number(value), items: Vec::new() });
        Ok(value)
    }

    /// `[lo:hi,lo:hi]`.
    ///
    /// # Errors
    ///
    /// If something else comes next.
    pub fn intervals<N: Argument>(&mut self) -> Result<Vec<(N, N)>, Error> {
        self.list(Kind::Mask, |scan| {
            scan.nested(Kind::Part, |scan| {
                let lo = N::read(scan)?;
                scan.expect(':', "`:`")?;
                Ok((lo, N::read(scan)?))
            })
        })
    }

    /// Items in brackets, separated by commas, a last comma allowed.
    ///
    /// # Errors
    ///
    /// If something else comes next.
    pub fn list<T>(
        &mut self,
        kind: Kind,
        mut item: impl FnMut(&mut Scanner) -> Result<T, Error>,
    ) -> Result<Vec<T>, Error> {
        let (open, close, start, separators) = match kind {
            Kind::Mask => ('[', ']', "`[`", "`,` or `]`"),
            _ => ('(', ')', "`(`", "`,` or `)`"),
        };
        self.nested(kind, |scan| {
            scan.expect(open, start)?;
            let mut items = Vec::new();
            while !scan.take(close) {
                items.push(item(scan)?);
                if !scan.take(',') {
                    scan.expect(close, separators)?;
                    break;
                }
            }
            Ok(items)
        })
    }

    /// The letters, digits and underscores that come next.
    pub fn word(&mut self) -> String {
        self.peek();
        let rest = self.chars[self.at..].iter();
        let word: String = rest.take_while(|c| c.is_alphanumeric() || **c == '_').collect();
        self.at += word.chars().count();
        word
    }

    /// The error for the word just read.
    pub fn unexpected_at_word(&mut self, word: &str, expected: &'static str) -> Error {
        if word.is_empty() {
            return self.unexpected(expected);
        }
        let at = self.at - word.chars().count();
        Error::Syntax { at, expected, found: format!("`{word}`") }
    }

    /// The error for what comes next.
    pub fn unexpected(&mut self, expected: &'static str) -> Error {
        let found = match self.peek() {
            Some(_) => format!("`{}`", self.chars[self.at]),
            None => "the end".to_string(),
        };
        Error::Syntax { at: self.at, expected, found }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prints_back() {
        let rows = [
            ("(10,3,3):(8,1,2)+5 [0:10,1:3,0:3]", "(10,3,3):(8,1,2)+5 [0:10,1:3,0:3]"),
            (" ( 4 , ) : ( 4 , ) ", "(4):(4)"),
            ("(2,3)", "(2,3):(3,1)"),
            ("(2,3)-0", "(2,3):(3,1)"),
            ("(3):(−1)−32[0:2]", "(3):(-1)-32 [0:2]"),
            ("()", "():()"),
            ("()+7 []", "():()+7"),
            ("(3) nothing", "(3) nothing"),
        ];
        for (text, printed) in rows {
            let view: View = text.parse().expect(text);
            assert_eq!(view.to_string(), printed);
            assert_eq!(printed.parse::<View>().expect(printed), view);
        }
    }

    #[test]
    fn mistakes_are_located() {
        let rows = [
            ("", 0, "`(`"),
            ("(2,3", 4, "`,` or `)`"),
            ("(2,,3)", 3, "a number"),
            ("(2):3", 4, "`(`"),
            ("(2)+", 4, "a number"),
            ("(2) none", 4, "`nothing`"),
            ("(2) nothing at all", 12, "the end"),
            ("(2) [0:2", 8, "`,` or `]`"),
            ("(2) [0,2]", 6, "`:`"),
            ("(2) x", 4, "`:`, an offset, a mask or the end"),
            ("(99999999999999999999)", 1, "a number that fits 64 bits"),
        ];
        for (text, place, wanted) in rows {
            match text.parse::<View>() {
                Err(Error::Syntax { at, expected, .. }) => {
                    assert_eq!((at, expected), (place, wanted), "{text}");
                }
                other => panic!("{text}: {other:?}"),
            }
        }
    }
}
