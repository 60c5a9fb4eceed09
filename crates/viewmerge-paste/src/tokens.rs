//! The tokens of a line of Python, as far as views need them.

/// One token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Token {
    /// A word: a name, or a keyword.
    Name(String),
    /// A whole number, with its sign.
    Number(i64),
    /// A fractional number or a string: something that occurs only in arguments that do not matter here.
    Other,
    /// A bracket, comma, colon, dot, star or equals sign.
    Sign(char),
    /// The end of a statement.
    End,
}

/// The tokens of a text; `None` if it contains something that no such line does.
///
/// A sign before a number belongs to it: there is no arithmetic here.
pub fn tokens(text: &str) -> Option<Vec<Token>> {
    let mut tokens = Vec::new();
    let mut depth = 0_usize;
    let mut rest = text;
    while let Some(letter) = rest.chars().next() {
        match letter {
            '\n' | ';' if depth == 0 => tokens.push(Token::End),
            _ if letter.is_whitespace() => {}
            '#' => {
                rest = rest.find('\n').map_or("", |end| &rest[end..]);
                continue;
            }
            '>' if rest.starts_with(">>>") => {
                rest = &rest[3..];
                continue;
            }
            '\'' | '"' => {
                let end = rest[1..].find(letter)?;
                tokens.push(Token::Other);
                rest = &rest[end + 2..];
                continue;
            }
            '(' | '[' => {
                depth += 1;
                tokens.push(Token::Sign(letter));
            }
            ')' | ']' => {
                depth = depth.checked_sub(1)?;
                tokens.push(Token::Sign(letter));
            }
            '.' if rest.starts_with("...") => {
                tokens.push(Token::Name("Ellipsis".into()));
                rest = &rest[3..];
                continue;
            }
            ',' | ':' | '.' | '=' | '*' => tokens.push(Token::Sign(letter)),
            '-' | '0'..='9' => {
                let signs = usize::from(letter == '-');
                let length = rest[signs..]
                    .bytes()
                    .take_while(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b'_' | b'e'))
                    .count();
                let number = rest[..signs + length].replace('_', "");
                tokens.push(number.parse().map_or(Token::Other, Token::Number));
                if length == 0 {
                    return None;
                }
                rest = &rest[signs + length..];
                continue;
            }
            _ if letter.is_alphabetic() || letter == '_' => {
                let length = rest
                    .find(|letter: char| !letter.is_alphanumeric() && letter != '_')
                    .unwrap_or(rest.len());
                match &rest[..length] {
                    // "x.view(-1) with x = (2,3)": two statements.
                    "with" | "where" if depth == 0 => tokens.push(Token::End),
                    name => tokens.push(Token::Name(name.into())),
                }
                rest = &rest[length..];
                continue;
            }
            _ => return None,
        }
        rest = &rest[letter.len_utf8()..];
    }
    Some(tokens)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_cut_into_tokens() {
        let name = |name: &str| Token::Name(name.into());
        let sign = Token::Sign;
        let expected = [
            name("x"),
            sign('.'),
            name("view"),
            sign('('),
            Token::Number(-1),
            sign(')'),
            Token::End,
            name("x"),
        ];
        assert_eq!(tokens("x.view(-1) # flat\nx").expect("tokens"), expected);
        assert_eq!(
            tokens("f(1.5, 'a')").expect("tokens")[2..5],
            [Token::Other, sign(','), Token::Other]
        );
        assert_eq!(tokens("a + b"), None);
        assert_eq!(tokens("x)"), None);
    }
}
