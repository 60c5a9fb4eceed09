//! Lists of numbers as Python prints them: `(2, 3)`, `[2, 3]`, `(2,)`, `torch.Size([2, 3])`.

/// A list of numbers, with where it is in the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct List {
    /// Where it begins, `torch.Size` included.
    pub start: usize,
    /// Where it ends.
    pub end: usize,
    /// The numbers, as they are written.
    pub numbers: Vec<String>,
}

const SIZE: &str = "torch.Size(";

/// All lists of numbers, in order. The brackets of a call without arguments are not a list.
pub fn lists(text: &str) -> Vec<List> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(step) = text[at..].find(['(', '[']) {
        let open = at + step;
        match list_at(text, open) {
            Some(list) if !list.numbers.is_empty() || !after_word(text, open) => {
                at = list.end;
                found.push(list);
            }
            _ => at = open + 1,
        }
    }
    found
}

/// The list whose bracket opens here.
pub fn list_at(text: &str, open: usize) -> Option<List> {
    let bytes = text.as_bytes();
    let close = match bytes.get(open)? {
        b'(' => b')',
        b'[' => b']',
        _ => return None,
    };
    let inside = &text[open + 1..];
    let length = inside.bytes().position(|byte| byte == close)?;
    let inside = &inside[..length];
    let allowed = |byte: u8| {
        byte.is_ascii_digit() || matches!(byte, b'-' | b',') || byte.is_ascii_whitespace()
    };
    if !inside.bytes().all(allowed) {
        return None;
    }
    let numbers: Vec<String> = inside
        .split([',', ' ', '\t', '\n', '\r'])
        .filter(|part| !part.is_empty())
        .map(String::from)
        .collect();
    if !numbers.iter().all(|number| is_number(number)) {
        return None;
    }
    let (mut start, mut end) = (open, open + 1 + length + 1);
    if text[..open].ends_with(SIZE) && bytes.get(end) == Some(&b')') {
        (start, end) = (open - SIZE.len(), end + 1);
    }
    Some(List { start, end, numbers })
}

/// The next list, if only spaces come before it.
pub fn list_after(text: &str, at: usize) -> Option<List> {
    let rest = text.get(at..)?;
    let at = at + rest.len() - rest.trim_start().len();
    let open = if text[at..].starts_with(SIZE) { at + SIZE.len() } else { at };
    list_at(text, open)
}

fn is_number(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

fn after_word(text: &str, at: usize) -> bool {
    text[..at].ends_with(|letter: char| letter.is_alphanumeric() || letter == '_')
}

/// `(2,3)`.
pub fn tuple(numbers: &[impl AsRef<str>]) -> String {
    let numbers: Vec<&str> = numbers.iter().map(AsRef::as_ref).collect();
    format!("({})", numbers.join(","))
}

/// `(2,3):(3,1)+5`.
pub fn view(shape: &[impl AsRef<str>], strides: &[impl AsRef<str>], offset: i64) -> String {
    let offset = if offset == 0 { String::new() } else { format!("{offset:+}") };
    format!("{}:{}{offset}", tuple(shape), tuple(strides))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_found_as_they_are_printed() {
        let rows: [(&str, &[&[&str]]); 7] = [
            ("(2, 3)", &[&["2", "3"]]),
            ("x.stride() is (3,)", &[&["3"]]),
            ("torch.Size([2, -3]) and [4]", &[&["2", "-3"], &["4"]]),
            ("()", &[&[]]),
            ("f()", &[]),
            ("(a, 2)", &[]),
            ("(2--3)", &[]),
        ];
        for (text, expected) in rows {
            let found: Vec<Vec<String>> =
                lists(text).into_iter().map(|list| list.numbers).collect();
            assert_eq!(found, expected, "{text}");
        }
    }
}
