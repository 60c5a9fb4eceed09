//! The pieces of a text, and where each starts.
//!
//! Running example: `4*i <= 0x1f` is 4, `*`, i, `<=` and 31.

use alloc::string::String;
use alloc::vec::Vec;

use viewmerge::Error;

/// A piece of text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Token {
    Number(i64),
    Name(String),
    Sign(&'static str),
    End,
}

impl Token {
    /// A sign or a name as it is written; nothing for others.
    pub(super) fn text(&self) -> &str {
        match self {
            Token::Sign(sign) => sign,
            Token::Name(name) => name,
            Token::Number(_) | Token::End => "",
        }
    }
}

/// Signs, longer ones first.
const SIGNS: [&str; 35] = [
    "//", "<=", ">=", "==", "!=", "&&", "||", "<<", ">>", "->", "**", "+", "-", "*", "/", "%", "<",
    ">", "=", "!", "&", "|", "^", "~", "(", ")", "[", "]", "{", "}", ",", ":", "?", ".", ";",
];

pub(super) fn syntax(at: usize, expected: &'static str, found: impl Into<String>) -> Error {
    Error::Syntax { at, expected, found: found.into() }
}

/// The pieces of a text; with `products` a name may follow a number, as isl writes `4i`.
pub(super) fn tokens(text: &str, products: bool) -> Result<Vec<(Token, usize)>, Error> {
    let letters: Vec<char> = text.chars().collect();
    let mut tokens = Vec::new();
    let mut at = 0;
    while at < letters.len() {
        let letter = letters[at];
        if letter.is_whitespace() {
            at += 1;
        } else if letter.is_ascii_digit() {
            let start = at;
            let (radix, skip) = match letters.get(at + 1) {
                Some('x' | 'X') if letter == '0' => (16, 2),
                _ => (10, 0),
            };
            at += skip;
            let is_digit = |l: &&char| **l == '_' || l.is_digit(radix);
            let length = letters[at..].iter().take_while(is_digit).count();
            let digits = letters[at..at + length].iter().filter(|l| **l != '_');
            let digits: String = digits.collect();
            at += length;
            // C's suffixes.
            while !digits.is_empty() && matches!(letters.get(at), Some('u' | 'U' | 'l' | 'L')) {
                at += 1;
            }
            let runs_on = letters.get(at).is_some_and(|l| l.is_alphanumeric());
            if digits.is_empty() || runs_on && !products {
                let rest: String = letters[start..].iter().take(12).collect();
                return Err(syntax(start, "an integer", format!("{rest:?}")));
            }
            let number = i64::from_str_radix(&digits, radix)
                .map_err(|_| syntax(start, "a number below 2^63", "a larger one"))?;
            tokens.push((Token::Number(number), start));
        } else if letter.is_alphabetic() || letter == '_' || letter == '$' {
            let start = at;
            while letters.get(at).is_some_and(|l| l.is_alphanumeric() || matches!(l, '_' | '$')) {
                at += 1;
            }
            tokens.push((Token::Name(letters[start..at].iter().collect()), start));
        } else {
            let fits = |sign: &&&str| {
                sign.chars().enumerate().all(|(k, l)| letters.get(at + k) == Some(&l))
            };
            let Some(sign) = SIGNS.iter().find(fits) else {
                return Err(syntax(at, "an expression", format!("{letter:?}")));
            };
            tokens.push((Token::Sign(sign), at));
            at += sign.len();
        }
    }
    tokens.push((Token::End, letters.len()));
    Ok(tokens)
}
