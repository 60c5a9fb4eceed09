//! Checks the bytes of a model before they are parsed.
//!
//! The parser trusts lengths and drops unknown fields. So one pass comes first, which finds bytes that end
//! too early, fields of later versions (which would be lost when the model is written back), nesting that
//! is too deep, and messages that would take far more memory than the file: two bytes can stand for a node
//! of 300.
//!
//! Cost: linear in the bytes, apart from the contents of fields; memory only for the nesting.

use crate::error::{Error, Unknown};
use crate::schema::{MODEL, Schema};

/// The largest file: what the format's lengths can count.
pub(crate) const LARGEST: u64 = i32::MAX as u64;

/// The most memory that the messages of one model may take, apart from constants kept as bytes.
const MEMORY: u64 = 4 << 30;

/// How deeply messages may be nested; the parser goes no deeper.
const DEPTH: usize = 100;

/// Checks that the bytes are a model, and returns the first unknown field.
///
/// # Errors
///
/// If they are not; the error says where.
pub(crate) fn look_over(bytes: &[u8]) -> Result<Option<Unknown>, Error> {
    if bytes.len() as u64 > LARGEST {
        return Err(Error::FileSize { bytes: bytes.len() as u64, accepted: LARGEST });
    }
    let mut input = Input { bytes, at: 0 };
    let mut open: Vec<(&Schema, usize)> = vec![(&MODEL, bytes.len())];
    let (mut memory, mut unknown) = (0_u64, None);
    while let Some(&(schema, end)) = open.last() {
        if input.at == end {
            open.pop();
            continue;
        }
        let start = input.at;
        let broken = |what| Error::Bytes { at: start, message: schema.name, what };
        let key = input.varint(end).ok_or(broken("the number of a field is cut off"))?;
        let number = u32::try_from(key >> 3).ok().filter(|number| (1..1 << 29).contains(number));
        let number = number.ok_or(broken("there is no field with such a number"))?;
        let nested =
            schema.nested.iter().find(|(field, _)| *field == number).map(|(_, inner)| *inner);
        let known = nested.is_some() || schema.plain.contains(&number);
        if !known && unknown.is_none() {
            unknown = Some(Unknown { message: schema.name, field: number });
        }
        let length = match key & 7 {
            0 => input.varint(end).map(|_| 0),
            1 => Some(8),
            2 => input.varint(end).and_then(|length| usize::try_from(length).ok()),
            5 => Some(4),
            _ => return Err(broken("a field is encoded in a way that models do not use")),
        };
        let past =
            length.and_then(|length| input.at.checked_add(length)).filter(|past| *past <= end);
        let past = past.ok_or(broken("a field is longer than what is left"))?;
        match nested {
            Some(inner) if key & 7 == 2 => {
                if open.len() == DEPTH {
                    return Err(broken("messages are nested too deep"));
                }
                open.push((inner, past));
                memory += 2 * inner.size as u64;
            }
            _ => {
                memory += if known { weight(schema, number, past - input.at) } else { 0 };
                input.at = past;
            }
        }
        if memory > MEMORY {
            return Err(broken("the messages would take more than 4 GiB of memory"));
        }
    }
    Ok(unknown)
}

/// The most memory that a field which is not a message can take.
fn weight(schema: &Schema, field: u32, bytes: usize) -> u64 {
    let each = match (schema.name, field) {
        // A slice of the file.
        ("Tensor", 9) => 0,
        // Fixed-size numbers.
        ("Tensor", 4 | 10) => 2,
        // Variable-size numbers: one byte may stand for eight, and a list doubles as it grows.
        _ => 16,
    };
    80 + each * bytes as u64
}

struct Input<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Input<'_> {
    /// A number of up to ten bytes that ends before `end`.
    fn varint(&mut self, end: usize) -> Option<u64> {
        let mut value = 0;
        for shift in 0..10 {
            let byte = *self.bytes[..end].get(self.at)?;
            self.at += 1;
            value |= u64::from(byte & 0x7f) << (7 * shift);
            if byte < 0x80 {
                return (shift < 9 || byte < 2).then_some(value);
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(bytes: &[u8]) -> String {
        look_over(bytes).err().map(|error| error.to_string()).unwrap_or_default()
    }

    #[test]
    fn bytes_that_end_too_early_are_refused() {
        assert!(look_over(&[]).is_ok());
        assert!(refusal(&[0x08]).contains("longer than what is left"));
        assert!(refusal(&[0x80]).contains("cut off"));
        // A graph of 2 GiB whose bytes are all missing.
        assert!(
            refusal(&[0x3a, 0xff, 0xff, 0xff, 0xff, 0x07]).contains("longer than what is left")
        );
        // A length that exceeds the message around it.
        assert!(refusal(&[0x3a, 0x02, 0x0a, 0x05, 0, 0, 0, 0, 0]).contains("Graph"));
    }

    #[test]
    fn fields_from_the_future_are_told() {
        let unknown = look_over(&[0x3a, 0x02, 0x98, 0x06, 1]).err();
        assert!(unknown.is_some());
        let unknown = look_over(&[0x3a, 0x03, 0x98, 0x06, 1]).ok().flatten();
        assert_eq!(unknown, Some(Unknown { message: "Graph", field: 99 }));
    }

    #[test]
    fn many_empty_messages_are_refused_before_they_are_read() {
        // 40 MB of two-byte nodes, which would take 12 GB.
        let nodes = [0x0a, 0x00].repeat(20_000_000);
        let mut bytes = vec![0x3a];
        prost::encoding::encode_varint(nodes.len() as u64, &mut bytes);
        bytes.extend(&nodes);
        assert!(refusal(&bytes).contains("4 GiB"));
    }

    #[test]
    fn deep_nesting_is_refused() {
        // Graph, node, attribute, graph, …
        let mut bytes = Vec::new();
        for depth in 0..300 {
            let key = [0x32, 0x2a, 0x0a][depth % 3];
            let mut outer = vec![key];
            prost::encoding::encode_varint(bytes.len() as u64, &mut outer);
            outer.extend(&bytes);
            bytes = outer;
        }
        let mut model = vec![0x3a];
        prost::encoding::encode_varint(bytes.len() as u64, &mut model);
        model.extend(&bytes);
        assert!(refusal(&model).contains("too deep"));
    }
}
