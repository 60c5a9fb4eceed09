//! A strict reader for the part of JSON that certificates use.
//!
//! It returns members, list entries, strings and integers one after the other and builds no tree. So a text
//! can nest as deeply as the caller can track, and no value is read unless its place in a certificate is
//! known. It refuses unknown and repeated members, fractions and exponents, half of a surrogate pair, and
//! anything that is not JSON.

use crate::budget::Budget;
use crate::number::Integer;
use crate::refusal::{Malformed, Refusal};

pub(crate) type Read<T> = Result<T, Refusal>;

/// The cost of reading, a little more than was measured.
const STEPS_A_BYTE: u64 = 16;

/// The beginning of a word, for messages.
pub(crate) fn short(word: &str) -> &str {
    word.char_indices().nth(24).map_or(word, |(end, _)| &word[..end])
}

/// A text, and the number of its first line.
#[derive(Clone, Copy)]
pub(crate) struct Source<'a> {
    pub(crate) text: &'a str,
    pub(crate) line: usize,
}

impl Source<'_> {
    /// The line of a place in the text, and the column, both counted from 1.
    pub(crate) fn line_and_column(self, at: usize) -> (usize, usize) {
        let before = self.text.get(..at).unwrap_or(self.text);
        let line = self.line + before.matches('\n').count();
        (line, before.rsplit('\n').next().unwrap_or("").chars().count() + 1)
    }
}

#[derive(Clone)]
pub(crate) struct Reader<'a> {
    source: Source<'a>,
    text: &'a str,
    at: usize,
    /// Everything that is kept from the text is charged to it.
    pub(crate) budget: &'a Budget,
    /// What is being read, for messages.
    pub(crate) member: &'static str,
}

/// An object that is being read.
pub(crate) struct Object {
    /// What it is, for messages.
    pub(crate) kind: &'static str,
    pub(crate) at: usize,
    names: &'static [&'static str],
    /// A bit for each name.
    seen: u32,
}

impl Object {
    /// Whether exactly one member has been read.
    pub(crate) fn is_single(&self) -> bool {
        self.seen.count_ones() == 1
    }
}

impl<'a> Reader<'a> {
    /// A reader at the beginning of a text; reading the whole text is charged at once.
    pub(crate) fn new(source: Source<'a>, budget: &'a Budget) -> Read<Reader<'a>> {
        budget.spend((source.text.len() as u64).saturating_mul(STEPS_A_BYTE))?;
        Ok(Reader { source, text: source.text, at: 0, budget, member: "certificate" })
    }

    /// Skips blanks and returns the next byte.
    pub(crate) fn peek(&mut self) -> Option<u8> {
        let rest = self.text.as_bytes().get(self.at..)?;
        self.at += rest.iter().take_while(|byte| b" \t\r\n".contains(byte)).count();
        self.text.as_bytes().get(self.at).copied()
    }

    /// Where the next value begins.
    pub(crate) fn place(&mut self) -> usize {
        self.peek();
        self.at
    }

    pub(crate) fn take(&mut self, byte: u8) -> bool {
        let taken = self.peek() == Some(byte);
        self.at += usize::from(taken);
        taken
    }

    /// A mistake at a place.
    pub(crate) fn malformed(
        &self,
        at: usize,
        member: &'static str,
        found: impl Into<String>,
        accepted: impl Into<String>,
    ) -> Refusal {
        let (line, column) = self.source.line_and_column(at);
        let (found, accepted) = (found.into(), accepted.into());
        Malformed { line, column, member, found, accepted }.into()
    }

    /// A mistake at the next byte, in the value being read.
    pub(crate) fn unexpected(&mut self, accepted: impl Into<String>) -> Refusal {
        let at = self.place();
        let rest = self.text.get(at..).unwrap_or("");
        let word = |c: &char| c.is_alphanumeric() || "-+.\"_".contains(*c);
        let found: String = match rest.chars().next() {
            None => "the end".into(),
            Some(first) if word(&first) => {
                format!("`{}`", rest.chars().take_while(word).take(24).collect::<String>())
            }
            Some(first) => format!("{first:?}").replace('\'', "`"),
        };
        self.malformed(at, self.member, found, accepted)
    }

    /// Checks that only blanks follow.
    pub(crate) fn end(&mut self) -> Read<()> {
        self.member = "certificate";
        match self.peek() {
            None => Ok(()),
            Some(_) => Err(self.unexpected("nothing after the certificate")),
        }
    }

    /// Begins an object that may have these members.
    pub(crate) fn open(
        &mut self,
        kind: &'static str,
        names: &'static [&'static str],
    ) -> Read<Object> {
        let at = self.place();
        if !self.take(b'{') {
            return Err(self.unexpected(format!("a {kind}, an object")));
        }
        Ok(Object { kind, at, names, seen: 0 })
    }

    /// The name of the next member, whose value is to be read next; `None` after the last.
    pub(crate) fn next(&mut self, object: &mut Object) -> Read<Option<&'static str>> {
        self.member = object.kind;
        if self.take(b'}') {
            return Ok(None);
        }
        if object.seen != 0 && !self.take(b',') {
            return Err(self.unexpected("`,` or `}`"));
        }
        let at = self.place();
        let name = self.string("a member's name in quotes")?;
        let accepted = || format!("each of these at most once: {}", object.names.join(", "));
        let Some(number) = object.names.iter().position(|known| *known == name) else {
            return Err(self.malformed(
                at,
                object.kind,
                format!("the member {:?}", short(&name)),
                accepted(),
            ));
        };
        let bit = 1 << number;
        if object.seen & bit != 0 {
            let found = format!("the member {name:?} again");
            return Err(self.malformed(at, object.kind, found, accepted()));
        }
        object.seen |= bit;
        self.member = object.names[number];
        if !self.take(b':') {
            return Err(self.unexpected("`:`"));
        }
        Ok(Some(self.member))
    }

    /// The object is incomplete, or has members that do not belong together.
    pub(crate) fn incomplete(&self, object: &Object, accepted: &'static str) -> Refusal {
        let there = object.names.iter().enumerate().filter(|(bit, _)| object.seen & 1 << bit != 0);
        let there: Vec<&str> = there.map(|(_, name)| *name).collect();
        let found = match there.as_slice() {
            [] => "no members".into(),
            names => format!("the members {}", names.join(", ")),
        };
        self.malformed(object.at, object.kind, found, accepted)
    }

    /// Reads a list, each entry with the function.
    pub(crate) fn list<T>(
        &mut self,
        accepted: &'static str,
        mut entry: impl FnMut(&mut Reader<'a>) -> Read<T>,
    ) -> Read<Vec<T>> {
        let member = self.member;
        let mut entries = Vec::new();
        if !self.take(b'[') {
            return Err(self.unexpected(accepted));
        }
        if self.take(b']') {
            return Ok(entries);
        }
        loop {
            self.budget.entry::<T>()?;
            entries.push(entry(self)?);
            self.member = member;
            if self.take(b']') {
                return Ok(entries);
            }
            if !self.take(b',') {
                return Err(self.unexpected("`,` or `]`"));
            }
        }
    }

    /// Reads `,` between the entries of a list of fixed length, or one of its brackets.
    pub(crate) fn sign(&mut self, byte: u8, accepted: &'static str) -> Read<()> {
        if self.take(byte) { Ok(()) } else { Err(self.unexpected(accepted)) }
    }

    /// Reads `null`, if it comes next.
    pub(crate) fn null(&mut self) -> bool {
        let at = self.place();
        let null = self.text.get(at..).is_some_and(|rest| rest.starts_with("null"));
        self.at += if null { 4 } else { 0 };
        null
    }

    pub(crate) fn integers(&mut self) -> Read<Vec<Integer>> {
        self.list("a list of integers", Reader::integer)
    }

    /// Reads an integer: a number without fraction and exponent, or digits in quotes.
    pub(crate) fn integer(&mut self) -> Read<Integer> {
        const ACCEPTED: &str = "an integer, as a number or as decimal digits in quotes";
        let at = self.place();
        if self.peek() == Some(b'"') {
            let digits = self.string(ACCEPTED)?;
            return self.budget.read(&digits)?.ok_or_else(|| {
                let found = format!("{:?}", short(&digits));
                self.malformed(at, self.member, found, ACCEPTED)
            });
        }
        let rest = self.text.get(at..).unwrap_or("");
        let token = rest.bytes().take_while(|b| b.is_ascii_alphanumeric() || b"+-.".contains(b));
        let token = rest.get(..token.count()).unwrap_or("");
        // JSON has no leading zeros.
        let digits = token.strip_prefix('-').unwrap_or(token);
        let padded = digits.len() > 1 && digits.starts_with('0');
        match self.budget.read(token)? {
            Some(number) if !padded => {
                self.at += token.len();
                Ok(number)
            }
            _ => Err(self.unexpected(ACCEPTED)),
        }
    }

    /// Reads a string; `accepted` says what it should be.
    pub(crate) fn string(&mut self, accepted: &'static str) -> Read<String> {
        if !self.take(b'"') {
            return Err(self.unexpected(accepted));
        }
        let mut string = String::new();
        loop {
            let rest = self.text.get(self.at..).unwrap_or("");
            let Some(c) = rest.chars().next() else {
                return Err(self.unexpected("a string that ends"));
            };
            if c < ' ' {
                let found = format!("{c:?} in a string");
                return Err(self.malformed(self.at, self.member, found, "an escape for it"));
            }
            self.at += c.len_utf8();
            match c {
                '"' => return Ok(string),
                '\\' => string.push(self.escaped()?),
                c => string.push(c),
            }
        }
    }

    /// Reads what follows a backslash.
    fn escaped(&mut self) -> Read<char> {
        let at = self.at - 1;
        let letter = self.text.as_bytes().get(self.at).copied();
        self.at += usize::from(letter.is_some_and(|byte| byte.is_ascii()));
        let c = match letter {
            Some(b'n') => Some('\n'),
            Some(b't') => Some('\t'),
            Some(b'r') => Some('\r'),
            Some(b'b') => Some('\u{8}'),
            Some(b'f') => Some('\u{c}'),
            Some(letter @ (b'"' | b'\\' | b'/')) => Some(char::from(letter)),
            Some(b'u') => self.unicode(),
            _ => None,
        };
        c.ok_or_else(|| self.malformed(at, self.member, "no escape", "an escape of JSON"))
    }

    /// The character of `\u` and four digits, or of a surrogate pair of two such.
    fn unicode(&mut self) -> Option<char> {
        let first = self.four_digits()?;
        if !(0xd800..0xdc00).contains(&first) {
            return char::from_u32(first);
        }
        let pair = self.text.get(self.at..)?.starts_with("\\u");
        self.at += if pair { 2 } else { return None };
        let second = self.four_digits()?.checked_sub(0xdc00).filter(|low| *low < 0x400)?;
        char::from_u32(0x10000 + ((first - 0xd800) << 10) + second)
    }

    fn four_digits(&mut self) -> Option<u32> {
        let digits = self.text.get(self.at..self.at + 4)?;
        if !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return None;
        }
        self.at += 4;
        u32::from_str_radix(digits, 16).ok()
    }
}
