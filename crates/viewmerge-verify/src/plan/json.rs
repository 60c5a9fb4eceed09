//! The part of JSON that certificates of plans use: integers, words, lists, objects; no fractions.

use std::collections::BTreeMap;

use super::Refused;

/// A value of a certificate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Value {
    Null,
    Truth(bool),
    Integer(i64),
    Text(String),
    List(Vec<Value>),
    Object(BTreeMap<String, Value>),
}

/// How deeply values may nest: the tree of a proof is no deeper than the number of layouts it fixes.
const MOST_DEPTH: usize = 1000;

/// Reads a text that is a single value.
pub(super) fn read(text: &str) -> Result<Value, Refused> {
    let mut reader = Reader { bytes: text.as_bytes(), at: 0 };
    let value = reader.value(0)?;
    reader.blanks();
    if reader.at != reader.bytes.len() {
        return Err(reader.wrong("nothing after the certificate"));
    }
    Ok(value)
}

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Reader<'_> {
    fn wrong(&self, accepted: &str) -> Refused {
        Refused::Text { at: self.at, accepted: accepted.into() }
    }

    fn blanks(&mut self) {
        while self.bytes.get(self.at).is_some_and(|byte| b" \t\r\n".contains(byte)) {
            self.at += 1;
        }
    }

    fn take(&mut self, byte: u8) -> bool {
        self.blanks();
        let taken = self.bytes.get(self.at) == Some(&byte);
        self.at += usize::from(taken);
        taken
    }

    fn word(&mut self, word: &str, value: Value) -> Result<Value, Refused> {
        if self.bytes[self.at..].starts_with(word.as_bytes()) {
            self.at += word.len();
            return Ok(value);
        }
        Err(self.wrong("a value"))
    }

    fn value(&mut self, depth: usize) -> Result<Value, Refused> {
        self.blanks();
        if depth > MOST_DEPTH {
            return Err(self.wrong("values that nest less deeply"));
        }
        match self.bytes.get(self.at) {
            Some(b'n') => self.word("null", Value::Null),
            Some(b't') => self.word("true", Value::Truth(true)),
            Some(b'f') => self.word("false", Value::Truth(false)),
            Some(b'"') => self.text().map(Value::Text),
            Some(b'-' | b'0'..=b'9') => self.integer(),
            Some(b'[') => {
                self.at += 1;
                let mut list = Vec::new();
                if self.take(b']') {
                    return Ok(Value::List(list));
                }
                loop {
                    list.push(self.value(depth + 1)?);
                    if self.take(b']') {
                        return Ok(Value::List(list));
                    }
                    if !self.take(b',') {
                        return Err(self.wrong("`,` or `]`"));
                    }
                }
            }
            Some(b'{') => {
                self.at += 1;
                let mut members = BTreeMap::new();
                if self.take(b'}') {
                    return Ok(Value::Object(members));
                }
                loop {
                    self.blanks();
                    let name = self.text()?;
                    if !self.take(b':') {
                        return Err(self.wrong("`:`"));
                    }
                    let value = self.value(depth + 1)?;
                    if members.insert(name, value).is_some() {
                        return Err(self.wrong("every member once"));
                    }
                    if self.take(b'}') {
                        return Ok(Value::Object(members));
                    }
                    if !self.take(b',') {
                        return Err(self.wrong("`,` or `}`"));
                    }
                }
            }
            _ => Err(self.wrong("a value")),
        }
    }

    fn integer(&mut self) -> Result<Value, Refused> {
        let start = self.at;
        self.at += usize::from(self.bytes[self.at] == b'-');
        while self.bytes.get(self.at).is_some_and(u8::is_ascii_digit) {
            self.at += 1;
        }
        let digits = std::str::from_utf8(&self.bytes[start..self.at]).unwrap_or("");
        let padded = digits.trim_start_matches('-').starts_with('0') && digits != "0";
        let number = if padded { "".parse() } else { digits.parse() };
        number.map(Value::Integer).map_err(|_| self.wrong("a 64-bit integer"))
    }

    fn text(&mut self) -> Result<String, Refused> {
        if self.bytes.get(self.at) != Some(&b'"') {
            return Err(self.wrong("a word in quotes"));
        }
        self.at += 1;
        let mut text = Vec::new();
        loop {
            let Some(&byte) = self.bytes.get(self.at) else { return Err(self.wrong("`\"`")) };
            self.at += 1;
            match byte {
                b'"' => break,
                b'\\' => {
                    let escaped = self.bytes.get(self.at).copied().unwrap_or(0);
                    self.at += 1;
                    match escaped {
                        b'"' | b'\\' | b'/' => text.push(escaped),
                        b'n' => text.push(b'\n'),
                        b't' => text.push(b'\t'),
                        b'r' => text.push(b'\r'),
                        b'b' => text.push(8),
                        b'f' => text.push(12),
                        b'u' => {
                            let digits = self
                                .bytes
                                .get(self.at..self.at + 4)
                                .and_then(|four| std::str::from_utf8(four).ok());
                            let code = digits.and_then(|four| u32::from_str_radix(four, 16).ok());
                            let Some(letter) = code.and_then(char::from_u32) else {
                                return Err(self.wrong("four hexadecimal digits of a character"));
                            };
                            self.at += 4;
                            text.extend(letter.to_string().bytes());
                        }
                        _ => return Err(self.wrong("a JSON escape")),
                    }
                }
                0..32 => return Err(self.wrong("no control characters")),
                _ => text.push(byte),
            }
        }
        String::from_utf8(text).map_err(|_| self.wrong("UTF-8"))
    }
}

impl Value {
    pub fn member(&self, name: &str) -> Result<&Value, Refused> {
        match self {
            Value::Object(members) => members
                .get(name)
                .ok_or_else(|| Refused::Member { name: name.into(), accepted: "present" }),
            _ => Err(Refused::Member { name: name.into(), accepted: "a member of an object" }),
        }
    }

    pub fn list(&self, name: &'static str) -> Result<&[Value], Refused> {
        match self {
            Value::List(list) => Ok(list),
            _ => Err(Refused::Member { name: name.into(), accepted: "a list" }),
        }
    }

    pub fn integer(&self, name: &'static str) -> Result<i64, Refused> {
        match self {
            Value::Integer(number) => Ok(*number),
            _ => Err(Refused::Member { name: name.into(), accepted: "an integer" }),
        }
    }

    pub fn index(&self, name: &'static str) -> Result<usize, Refused> {
        let refused = || Refused::Member { name: name.into(), accepted: "an index" };
        usize::try_from(self.integer(name)?).map_err(|_| refused())
    }

    pub fn text(&self, name: &'static str) -> Result<&str, Refused> {
        match self {
            Value::Text(text) => Ok(text),
            _ => Err(Refused::Member { name: name.into(), accepted: "a word" }),
        }
    }

    pub fn integers(&self, name: &'static str) -> Result<Vec<i64>, Refused> {
        self.list(name)?.iter().map(|value| value.integer(name)).collect()
    }
}
