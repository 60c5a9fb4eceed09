//! Constants: their element types, their values as integers, their bytes, and their elements in another
//! order.
//!
//! Bytes are little endian and row-major, wherever the file keeps them: raw, in a typed list, or in an
//! external file. Nothing is read before it is needed.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Component, Path};

use bytes::Bytes;

use crate::error::Error;
use crate::proto::Tensor;

/// The number of the string type.
pub(crate) const STRING: i32 = 8;
/// The number of the type of 64-bit integers.
pub(crate) const INT64: i32 = 7;
const INT32: i32 = 6;

/// The bits of an element of a type in a file; `None` for strings and unknown types.
fn bits(element: i32) -> Option<usize> {
    Some(match element {
        2 | 3 | 9 | 17..=20 | 24 => 8,
        4 | 5 | 10 | 16 => 16,
        1 | 6 | 12 => 32,
        7 | 11 | 13 | 14 => 64,
        15 => 128,
        21..=23 => 4,
        25 | 26 => 2,
        _ => return None,
    })
}

/// How many bytes an element of a type counts as: at least one, and eight for a string.
pub(crate) fn element_bytes(element: i32) -> Option<i64> {
    match element {
        STRING => Some(8),
        27 | 28 => Some(1),
        _ => bits(element).and_then(|bits| i64::try_from(bits.div_ceil(8)).ok()),
    }
}

/// The number of elements.
///
/// # Errors
///
/// If a size is negative, or there are too many elements.
pub(crate) fn elements(tensor: &Tensor) -> Result<usize, Error> {
    let count = tensor.dims.iter().try_fold(1_usize, |product, &size| {
        usize::try_from(size).ok().and_then(|size| product.checked_mul(size))
    });
    count
        .filter(|count| *count < 1 << 60)
        .ok_or_else(|| broken(tensor, "its sizes are negative or too large"))
}

fn name(tensor: &Tensor) -> String {
    tensor.name.clone().unwrap_or_default()
}

fn broken(tensor: &Tensor, what: &str) -> Error {
    Error::Constant { tensor: name(tensor), what: what.into() }
}

/// Whether the elements are in another file.
pub(crate) fn is_external(tensor: &Tensor) -> bool {
    tensor.data_location == Some(1)
}

/// A constant made of integers.
pub(crate) fn of_integers(name: &str, values: &[i64], shape: &[i64]) -> Tensor {
    let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
    Tensor {
        dims: shape.to_vec(),
        data_type: Some(INT64),
        name: Some(name.into()),
        raw_data: Some(bytes.into()),
        ..Tensor::default()
    }
}

/// The values of a tensor of 32-bit or 64-bit integers.
///
/// # Errors
///
/// If they cannot be read, or their number does not match the shape.
pub(crate) fn integers(tensor: &Tensor, folder: Option<&Path>) -> Result<Option<Vec<i64>>, Error> {
    let wide = match tensor.data_type {
        Some(INT64) => true,
        Some(INT32) => false,
        _ => return Ok(None),
    };
    let bytes = contents(tensor, folder)?;
    Ok(Some(match wide {
        true => bytes
            .chunks_exact(8)
            .map(|b| i64::from_le_bytes(b.try_into().unwrap_or_default()))
            .collect(),
        false => bytes
            .chunks_exact(4)
            .map(|b| i32::from_le_bytes(b.try_into().unwrap_or_default()).into())
            .collect(),
    }))
}

/// The bytes of the elements.
///
/// # Errors
///
/// If they are strings, cannot be read, or their number does not match the shape.
pub(crate) fn contents(tensor: &Tensor, folder: Option<&Path>) -> Result<Bytes, Error> {
    let element = tensor.data_type.unwrap_or(0);
    let bits = bits(element)
        .ok_or_else(|| broken(tensor, &format!("elements of type {element} have no fixed size")))?;
    let expected = (elements(tensor)?).checked_mul(bits).map(|bits| bits.div_ceil(8));
    let expected = expected.ok_or_else(|| broken(tensor, "its sizes are too large"))?;
    let bytes = if is_external(tensor) {
        external(tensor, folder, expected)?
    } else if let Some(raw) = &tensor.raw_data {
        raw.clone()
    } else {
        listed(tensor, element, bits)
    };
    match bytes.len() == expected {
        true => Ok(bytes),
        false => Err(broken(
            tensor,
            &format!("it has {} bytes, its shape needs {expected}", bytes.len()),
        )),
    }
}

/// The bytes of elements that are stored in a list.
fn listed(tensor: &Tensor, element: i32, bits: usize) -> Bytes {
    let mut bytes = Vec::new();
    match element {
        1 | 14 => tensor.float_data.iter().for_each(|x| bytes.extend(x.to_le_bytes())),
        11 | 15 => tensor.double_data.iter().for_each(|x| bytes.extend(x.to_le_bytes())),
        7 => tensor.int64_data.iter().for_each(|x| bytes.extend(x.to_le_bytes())),
        12 | 13 => {
            tensor.uint64_data.iter().for_each(|x| bytes.extend(&x.to_le_bytes()[..bits / 8]))
        }
        // Smaller elements take the low bytes of 32 bits each; still smaller ones share a byte.
        _ => tensor
            .int32_data
            .iter()
            .for_each(|x| bytes.extend(&x.to_le_bytes()[..bits.div_ceil(8).min(4)])),
    }
    bytes.into()
}

/// The bytes of elements that are in another file.
fn external(tensor: &Tensor, folder: Option<&Path>, expected: usize) -> Result<Bytes, Error> {
    let fact = |key: &str| {
        let entry = tensor.external_data.iter().find(|entry| entry.key.as_deref() == Some(key));
        entry.and_then(|entry| entry.value.as_deref())
    };
    let number = |key: &str| {
        let parse = |text: &str| {
            text.parse::<u64>().map_err(|_| {
                broken(tensor, &format!("its external {key} {text:?} is not a number"))
            })
        };
        fact(key).map(parse).transpose()
    };
    let location =
        fact("location").ok_or_else(|| broken(tensor, "its external file has no name"))?;
    let inside = Path::new(location)
        .components()
        .all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
    if !inside || location.is_empty() {
        return Err(broken(
            tensor,
            &format!("its external file {location:?} is not below the model's folder"),
        ));
    }
    let folder = folder.ok_or_else(|| {
        broken(tensor, &format!("it is in {location:?}, but the model was not read from a file"))
    })?;
    let path = folder.join(location);
    let failed = |error| Error::File { path: path.clone(), error };
    let mut file = File::open(&path).map_err(failed)?;
    let offset = number("offset")?.unwrap_or(0);
    let size = file.metadata().map_err(failed)?.len();
    let length = number("length")?.unwrap_or(size.saturating_sub(offset));
    if length != expected as u64 || offset.checked_add(length).is_none_or(|end| end > size) {
        let what = format!(
            "its shape needs {expected} bytes, but it is bytes {offset} to {} of {location:?}, which has {size}",
            offset.saturating_add(length)
        );
        return Err(broken(tensor, &what));
    }
    file.seek(SeekFrom::Start(offset)).map_err(failed)?;
    let mut bytes = vec![0; expected];
    file.read_exact(&mut bytes).map_err(failed)?;
    Ok(bytes.into())
}

/// The tensor with its elements in another order: read in `shape`, with the axes permuted.
///
/// Axis `i` of the result is axis `perm[i]` of the tensor read. The shape is left unchanged.
///
/// # Errors
///
/// If the elements cannot be read, or the shape does not fit them.
pub(crate) fn permuted(
    tensor: &Tensor,
    folder: Option<&Path>,
    shape: &[i64],
    perm: &[usize],
) -> Result<Tensor, Error> {
    let count = elements(tensor)?;
    let texts = tensor.data_type == Some(STRING);
    // Read the bytes first, so that memory is only used for elements that exist.
    let bytes = if texts { Bytes::new() } else { contents(tensor, folder)? };
    let fits = shape.iter().try_fold(1_i64, |product, &size| product.checked_mul(size))
        == i64::try_from(count).ok();
    let fits = fits && (!texts || tensor.string_data.len() == count);
    let order = if fits { order(shape, perm) } else { None };
    let order = order.ok_or_else(|| {
        broken(tensor, &format!("it cannot be read as {shape:?} in the order {perm:?}"))
    })?;
    let mut moved = Tensor {
        dims: tensor.dims.clone(),
        data_type: tensor.data_type,
        name: tensor.name.clone(),
        doc_string: tensor.doc_string.clone(),
        ..Tensor::default()
    };
    if texts {
        moved.string_data = order.iter().map(|&at| tensor.string_data[at].clone()).collect();
        return Ok(moved);
    }
    let bits = bits(tensor.data_type.unwrap_or(0)).unwrap_or(8);
    moved.raw_data = Some(if bits >= 8 {
        let size = bits / 8;
        let mut out = Vec::with_capacity(bytes.len());
        order.iter().for_each(|at| out.extend(&bytes[at * size..(at + 1) * size]));
        out.into()
    } else {
        // Several elements per byte, the first in the low bits.
        let (each, mask) = (8 / bits, (1_u8 << bits) - 1);
        let mut out = vec![0_u8; bytes.len()];
        for (to, at) in order.iter().enumerate() {
            let value = bytes[at / each] >> (at % each * bits) & mask;
            out[to / each] |= value << (to % each * bits);
        }
        out.into()
    });
    Ok(moved)
}

/// For every element of the result, its place in the tensor read; the shape must fit.
fn order(shape: &[i64], perm: &[usize]) -> Option<Vec<usize>> {
    let mut sorted = perm.to_vec();
    sorted.sort_unstable();
    if !sorted.into_iter().eq(0..shape.len()) {
        return None;
    }
    let mut strides = vec![1_usize; shape.len()];
    for axis in (1..shape.len()).rev() {
        strides[axis - 1] = strides[axis].checked_mul(usize::try_from(shape[axis]).ok()?)?;
    }
    let mut order = vec![0_usize];
    for &axis in perm {
        let size = usize::try_from(shape[axis]).ok()?;
        order = order
            .iter()
            .flat_map(|at| (0..size).map(move |i| (at, i)))
            .map(|(at, i)| at + i * strides[axis])
            .collect();
    }
    Some(order)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes_of(element: i32, dims: &[i64], bytes: &[u8]) -> Tensor {
        let raw_data = Some(Bytes::copy_from_slice(bytes));
        Tensor { dims: dims.to_vec(), data_type: Some(element), raw_data, ..Tensor::default() }
    }

    #[test]
    fn elements_are_put_in_another_order() {
        let tensor = bytes_of(2, &[2, 3], &[0, 1, 2, 3, 4, 5]);
        let moved = permuted(&tensor, None, &[2, 3], &[1, 0]).ok().and_then(|moved| moved.raw_data);
        assert_eq!(moved.as_deref(), Some(&[0, 3, 1, 4, 2, 5][..]));
        // Two elements per byte: 0 1 2 3 4 5 are 0x10 0x32 0x54.
        let tensor = bytes_of(21, &[2, 3], &[0x10, 0x32, 0x54]);
        let moved = permuted(&tensor, None, &[2, 3], &[1, 0]).ok().and_then(|moved| moved.raw_data);
        assert_eq!(moved.as_deref(), Some(&[0x30, 0x41, 0x52][..]));
    }

    #[test]
    fn shapes_that_do_not_fit_are_refused() {
        let tensor = bytes_of(2, &[2, 3], &[0, 1, 2, 3, 4, 5]);
        assert!(permuted(&tensor, None, &[2, 2], &[1, 0]).is_err());
        assert!(permuted(&tensor, None, &[2, 3], &[0, 0]).is_err());
        assert!(contents(&bytes_of(1, &[2], &[0; 7]), None).is_err());
        assert!(contents(&bytes_of(1, &[-2], &[0; 8]), None).is_err());
        assert!(contents(&bytes_of(1, &[i64::MAX, i64::MAX], &[0; 8]), None).is_err());
    }

    #[test]
    fn lists_are_read_like_raw_bytes() {
        let floats = Tensor {
            dims: vec![2],
            data_type: Some(1),
            float_data: vec![1.0, -2.0],
            ..Tensor::default()
        };
        let mut expected = 1.0_f32.to_le_bytes().to_vec();
        expected.extend((-2.0_f32).to_le_bytes());
        assert_eq!(contents(&floats, None).ok().as_deref(), Some(expected.as_slice()));
        let halves = Tensor {
            dims: vec![2],
            data_type: Some(10),
            int32_data: vec![0x3c00, 1],
            ..Tensor::default()
        };
        assert_eq!(contents(&halves, None).ok().as_deref(), Some(&[0, 0x3c, 1, 0][..]));
        let wide = Tensor {
            dims: vec![2],
            data_type: Some(INT64),
            int64_data: vec![-1, 7],
            ..Tensor::default()
        };
        assert_eq!(integers(&wide, None).ok().flatten(), Some(vec![-1, 7]));
    }
}
