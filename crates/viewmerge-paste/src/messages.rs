//! Error messages of PyTorch and NumPy, array interfaces, shapes with strides.

use crate::Pasted;
use crate::lists::{List, list_after, lists, tuple, view};

/// `{'strides': (32, 8), 'typestr': '<f8', 'shape': (3, 4), 'version': 3}`.
pub fn array_interface(text: &str) -> Option<Pasted> {
    let member = |name: &str| {
        let quoted = [format!("'{name}'"), format!("\"{name}\"")];
        let at = quoted.iter().find_map(|quoted| text.find(quoted).map(|at| at + quoted.len()))?;
        let rest = text[at..].trim_start().strip_prefix(':')?;
        Some(text.len() - rest.len())
    };
    let kind =
        text[member("typestr")?..].trim_start().trim_start_matches(['\'', '"', '<', '>', '|', '=']);
    let size: i64 =
        leading_number(kind.trim_start_matches(|letter: char| letter.is_ascii_alphabetic()))?;
    let shape = list_after(text, member("shape")?)?.numbers;
    let Some(strides) = member("strides").and_then(|at| list_after(text, at)) else {
        return Some(Pasted::chain(tuple(&shape), "Read as an array interface: contiguous."));
    };
    Some(match in_elements(&strides.numbers, size) {
        Some(strides) => {
            let note = format!("Read as an array interface: strides in bytes, divided by {size}.");
            Pasted::Chain { chain: view(&shape, &strides, 0), note }
        }
        None => cut_elements(size),
    })
}

/// `Cannot view a tensor with shape torch.Size([8, 4]) and strides (1, 8) as a tensor with shape (32,)!`
pub fn refused_view(text: &str) -> Option<Pasted> {
    let shape = list_after(text, after(text, 0, "with shape")?)?;
    let strides = list_after(text, after(text, shape.end, "and strides")?)?;
    let wanted = list_after(text, after(text, strides.end, "as a tensor with shape")?)?;
    let chain = format!(
        "{} | reshape{}",
        view(&shape.numbers, &strides.numbers, 0),
        tuple(&wanted.numbers)
    );
    Some(Pasted::chain(chain, "Read as PyTorch's refusal to view a tensor."))
}

/// `shape '[4, 2]' is invalid for input of size 7`, `cannot reshape array of size 6 into shape (4,)`.
pub fn invalid_shape(text: &str) -> Option<Pasted> {
    let torch = || {
        let shape = list_after(text, after(text, 0, "shape '")?)?;
        let count = leading_number(
            text[after(text, shape.end, "is invalid for input of size")?..].trim_start(),
        )?;
        Some((count, shape))
    };
    let numpy = || {
        let at = after(text, 0, "cannot reshape array of size")?;
        let count = leading_number(text[at..].trim_start())?;
        Some((count, list_after(text, after(text, at, "into shape")?)?))
    };
    let (count, shape): (i64, List) = torch().or_else(numpy)?;
    let chain = format!("({count}) | reshape{}", tuple(&shape.numbers));
    Some(Pasted::chain(chain, "Read as a reshape that was refused."))
}

/// A traceback with "view size is not compatible with input tensor's size and stride".
pub fn incompatible_view(text: &str) -> Option<Pasted> {
    if !text.to_ascii_lowercase().contains("view size is not compatible") {
        return None;
    }
    let call = reshape_call(text);
    if let Some(Pasted::Chain { chain, note }) = shape_and_strides(text) {
        let note = if call.is_some() {
            note
        } else {
            "Read the tensor; append the reshape that failed.".into()
        };
        return Some(Pasted::Chain { chain, note });
    }
    const PRINT: &str = "print(tuple(x.shape), x.stride(), x.storage_offset())";
    Some(Pasted::Needs(match call {
        Some((_, sizes)) => format!(
            "the message does not say how the tensor lies in memory: paste what {PRINT} gives, and append | reshape{}",
            tuple(&sizes)
        ),
        None => format!(
            "the message names neither the tensor nor the view: paste what {PRINT} gives, with the line that calls view"
        ),
    }))
}

/// `(2, 3), (3, 1)` and whatever surrounds them.
pub fn shape_and_strides(text: &str) -> Option<Pasted> {
    let lower = text.to_ascii_lowercase();
    let is_named = ["stride", "shape", "size"].iter().any(|word| lower.contains(word));
    if !is_named && !is_bare_lists(text) {
        return None;
    }
    let call = reshape_call(text);
    let found: Vec<List> = lists(text)
        .into_iter()
        .filter(|list| call.as_ref().is_none_or(|(at, _)| list.start < *at || list.start > at + 9))
        .collect();
    let names_shape = |list: &List| {
        ends_with_word(&lower[..list.start], &["shape", "size"])
            || lower[list.start..].starts_with("torch.size")
    };
    let names_strides = |list: &List| {
        ends_with_word(&lower[..list.start], &["strides", "stride"]) && !names_shape(list)
    };
    // By their names if they have any, otherwise in order.
    let strides = found.iter().position(names_strides).or((found.len() > 1).then_some(1))?;
    let others =
        || found.iter().enumerate().filter(|(place, _)| *place != strides).map(|(_, list)| list);
    let shape = others().find(|list| names_shape(list)).or_else(|| others().next())?;
    let strides = &found[strides];
    if shape.numbers.len() != strides.numbers.len() {
        return None;
    }
    let mut units = strides.numbers.clone();
    let mut note = "Read as a shape and strides in elements.".to_string();
    if let Some(size) = lower.contains("strides").then(|| item_size(&lower)).flatten() {
        match in_elements(&units, size) {
            Some(elements) => units = elements,
            None => return Some(cut_elements(size)),
        }
        note = format!("Read as a shape and strides in bytes, divided by {size}.");
    }
    let mut chain = view(&shape.numbers, &units, offset(&lower, strides.end));
    if let Some((_, sizes)) = call {
        chain += &format!(" | reshape{}", tuple(&sizes));
    }
    Some(Pasted::Chain { chain, note })
}

/// Only lists, commas and a number after them: `(2, 3), (3, 1), 5`.
fn is_bare_lists(text: &str) -> bool {
    let found = lists(text);
    let [first, second, ..] = found.as_slice() else { return false };
    let inner =
        text.strip_prefix('(').is_some_and(|rest| rest.trim_start().starts_with(['(', '[', 't']));
    (first.start == 0 || inner) && text[first.end..second.start].trim() == ","
}

fn offset(lower: &str, end: usize) -> i64 {
    let named = lower.find("offset").and_then(|at| {
        let rest = lower[at + "offset".len()..]
            .trim_start_matches(|letter: char| !letter.is_alphanumeric() && letter != '-');
        leading_number(rest)
    });
    let last = || {
        let rest = lower[end..].trim().trim_end_matches(')').trim();
        rest.strip_prefix(',').and_then(|rest| rest.trim().parse().ok())
    };
    named.or_else(last).unwrap_or(0)
}

/// The sizes of the last `.view(…)` or `.reshape(…)`, if they are numbers, and where the call is.
fn reshape_call(text: &str) -> Option<(usize, Vec<String>)> {
    let calls = [".view(", ".reshape("].into_iter().flat_map(|name| {
        text.match_indices(name).filter_map(move |(at, name)| {
            let open = at + name.len() - 1;
            let outer = crate::lists::list_at(text, open)
                .or_else(|| crate::lists::list_after(text, open + 1))?;
            (!outer.numbers.is_empty()).then_some((at, outer.numbers))
        })
    });
    calls.max_by_key(|(at, _)| *at)
}

fn after(text: &str, from: usize, words: &str) -> Option<usize> {
    text[from..].find(words).map(|at| from + at + words.len())
}

fn ends_with_word(text: &str, words: &[&str]) -> bool {
    let text = text.trim_end_matches(|letter: char| !letter.is_alphanumeric() && letter != '_');
    words.iter().any(|word| text.ends_with(word))
}

fn leading_number(text: &str) -> Option<i64> {
    let signs = usize::from(text.starts_with('-'));
    let digits = text[signs..].bytes().take_while(u8::is_ascii_digit).count();
    text[..signs + digits].parse().ok()
}

/// The number of bytes of an element, if the text gives it.
fn item_size(lower: &str) -> Option<i64> {
    let named = || {
        let rest = &lower[lower.find("itemsize")? + "itemsize".len()..];
        leading_number(rest.trim_start_matches([' ', '=', ':']))
    };
    let kind = || {
        ["complex", "float", "uint", "int", "bool"].iter().find_map(|name| {
            let rest = &lower[lower.find(name)? + name.len()..];
            leading_number(rest).map(|bits| bits / 8)
        })
    };
    named().or_else(kind).filter(|&size| size > 0)
}

/// Strides in bytes converted to elements; `None` if one is not a multiple of the element size.
fn in_elements(strides: &[String], size: i64) -> Option<Vec<String>> {
    let whole = |stride: &String| {
        let stride: i64 = stride.parse().ok()?;
        (size > 0 && stride % size == 0).then(|| (stride / size).to_string())
    };
    strides.iter().map(whole).collect()
}

fn cut_elements(size: i64) -> Pasted {
    Pasted::Needs(format!(
        "its strides are not multiples of {size} bytes, the size of an element, so it is not a view of elements"
    ))
}

#[cfg(test)]
mod tests {
    use crate::{Pasted, read};

    #[test]
    fn what_people_have_is_read() {
        let rows = [
            ("torch.Size([2, 3]), (1, 2)", "(2,3):(1,2)"),
            ("(torch.Size([2, 3]), (3, 1), 4)", "(2,3):(3,1)+4"),
            ("x.shape = (4, 5), x.stride() = (1, 4)", "(4,5):(1,4)"),
            ("stride (1, 4), shape (4, 5)", "(4,5):(1,4)"),
            ("torch.Size([2, 3]), (1, 2)  .view(6)", "(2,3):(1,2) | reshape(6)"),
            ("torch.Size([5]), (2,), storage_offset=3", "(5):(2)+3"),
            ("(2, 3), (3, 1)", "(2,3):(3,1)"),
            ("shape (3, 4), strides (8, 24), dtype float64", "(3,4):(1,3)"),
            (
                "{'data': (94, False), 'strides': (8, 24), 'typestr': '<f8', 'shape': (3, 4), 'version': 3}",
                "(3,4):(1,3)",
            ),
            ("{'strides': None, 'typestr': '<i4', 'shape': (3, 4), 'version': 3}", "(3,4)"),
            (
                "ValueError: Cannot view a tensor with shape torch.Size([8, 4]) and strides (1, 8) as a tensor with shape (32,)!",
                "(8,4):(1,8) | reshape(32)",
            ),
            ("RuntimeError: shape '[4, 2]' is invalid for input of size 7", "(7) | reshape(4,2)"),
            ("ValueError: cannot reshape array of size 6 into shape (4,)", "(6) | reshape(4)"),
            (
                "  y = x.view(2, -1)\nRuntimeError: view size is not compatible with input tensor's size and stride\n\
                 >>> x.shape, x.stride()\n(torch.Size([2, 5, 4]), (20, 1, 5))",
                "(2,5,4):(20,1,5) | reshape(2,-1)",
            ),
            ("((2,2),4):((1,8),2)", "(2,2,4):(8,1,2) | reshape(4,4)"),
            ("(_4,_2):(_1,_4)", "(4,2):(1,4)"),
            ("(6,2):(8,2) o (4,3):(3,1)", "(2,6):(2,8) | (4,3):(3,1)"),
        ];
        for (text, expected) in rows {
            let Some(Pasted::Chain { chain, .. }) = read(text) else {
                unreachable!("{text}: {:?}", read(text))
            };
            assert_eq!(chain, expected, "{text}");
        }
    }

    #[test]
    fn what_is_not_enough_is_asked_for() {
        let error = "RuntimeError: view size is not compatible with input tensor's size and stride";
        let rows = [
            (error.to_string(), "neither the tensor nor the view"),
            (format!("x.view(6)\n{error}"), "reshape(6)"),
            ("{'typestr': '<f8', 'shape': (3,), 'strides': (4,)}".into(), "not multiples of 8"),
            ("Sw<2,0,3> o 0 o (8,8):(8,1)".into(), "swizzle"),
        ];
        for (text, expected) in rows {
            let Some(Pasted::Needs(what)) = read(&text) else { unreachable!("{text}") };
            assert!(what.contains(expected), "{text}: {what}");
        }
    }

    #[test]
    fn our_own_notation_is_left_alone() {
        for text in [
            "(2,3):(3,1)",
            "(4) nothing",
            "(18):(1)-2 [2:17] | (16,3):(1,1)",
            "hello",
            "(2,3) | (6)",
            "(10,3,3):(8,1,2) | (6):(4)",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
