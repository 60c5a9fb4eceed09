//! The pieces of a text: numbers, names and signs as they are written.
//!
//! Running example: `4*i <= 0x1f` is `4`, `*`, `i`, `<=` and `0x1f`.

use alloc::string::String;
use alloc::vec::Vec;
use core::num::IntErrorKind;

use viewmerge::Error;

/// Where a piece starts, in characters, and the piece; an empty one is the end.
pub(crate) type Piece<'t> = (usize, &'t str);

/// Signs, longer ones first.
const SIGNS: [&str; 35] = [
    "//", "<=", ">=", "==", "!=", "&&", "||", "<<", ">>", "->", "**", "+", "-", "*", "/", "%", "<",
    ">", "=", "!", "&", "|", "^", "~", "(", ")", "[", "]", "{", "}", ",", ":", "?", ".", ";",
];

pub(crate) fn syntax(at: usize, expected: &'static str, found: impl Into<String>) -> Error {
    Error::Syntax { at, expected, found: found.into() }
}

pub(super) fn is_number(piece: &str) -> bool {
    piece.starts_with(|letter: char| letter.is_ascii_digit())
}

pub(super) fn is_name(piece: &str) -> bool {
    piece.starts_with(|letter: char| letter.is_alphabetic() || matches!(letter, '_' | '$'))
}

/// The pieces of a text; with `products` a name may follow a number, as isl writes `4i`.
pub(super) fn pieces(text: &str, products: bool) -> Result<Vec<Piece<'_>>, Error> {
    let is_letter = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '$');
    let mut pieces = Vec::new();
    let (mut at, mut rest) = (0, text);
    loop {
        at += rest.chars().take_while(|letter| letter.is_whitespace()).count();
        rest = rest.trim_start();
        let end = if products && is_number(rest) && !rest.starts_with("0x") {
            rest.find(|letter: char| !letter.is_ascii_digit() && letter != '_')
        } else if is_number(rest) || is_name(rest) {
            rest.find(|letter| !is_letter(letter))
        } else {
            let sign = SIGNS.iter().find(|sign| rest.starts_with(**sign));
            match (sign, rest.chars().next()) {
                (None, Some(letter)) => {
                    return Err(syntax(at, "an expression", format!("{letter:?}")));
                }
                (sign, _) => sign.map(|sign| sign.len()),
            }
        };
        let (piece, after) = rest.split_at(end.unwrap_or(rest.len()));
        pieces.push((at, piece));
        if piece.is_empty() {
            return Ok(pieces);
        }
        at += piece.chars().count();
        rest = after;
    }
}

/// The number that a piece is: decimal or `0x…`, with `_` between digits and the suffixes of C.
pub(super) fn integer((at, piece): Piece<'_>) -> Result<i64, Error> {
    let digits = piece.trim_end_matches(['u', 'U', 'l', 'L']).replace('_', "");
    let number = match digits.strip_prefix("0x").or(digits.strip_prefix("0X")) {
        Some(digits) => i64::from_str_radix(digits, 16),
        None => digits.parse(),
    };
    number.map_err(|error| match error.kind() {
        IntErrorKind::PosOverflow => syntax(at, "a number below 2^63", "a larger one"),
        _ => syntax(at, "an integer", format!("{piece:?}")),
    })
}
