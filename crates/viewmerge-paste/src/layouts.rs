//! CuTe layouts: `((2,2),4):((1,4),2)`, `(_4,_2):(_1,_4)`, `A o B`.
//!
//! In a layout the leftmost digit is the fastest, in a view the rightmost, so digits are reversed.

use crate::Pasted;
use crate::lists::{tuple, view};

/// A swizzle is not a view.
pub fn swizzle(text: &str) -> Option<Pasted> {
    let rest = text.strip_prefix("Swizzle").or_else(|| text.strip_prefix("Sw"))?;
    rest.trim_start().starts_with('<').then(|| {
        Pasted::Needs(
            "a swizzle mixes the bits of a position, which no view does: paste the layout after it"
                .into(),
        )
    })
}

/// A layout with nested modes, static integers, or a composition.
pub fn layout(text: &str) -> Option<Pasted> {
    let parts: Vec<&str> = text.split(" o ").collect();
    let layouts: Vec<Vec<Mode>> =
        parts.iter().map(|part| modes(part.trim())).collect::<Option<_>>()?;
    let nested = layouts.iter().flatten().any(|mode| mode.len() != 1);
    if parts.len() == 1 && !nested && !text.contains('_') {
        return None;
    }
    let (last, below) = layouts.split_last()?;
    // All but the last are indexed by linear position, in which the leftmost digit is the fastest.
    let mut chain: Vec<String> =
        below.iter().map(|layout| leaves(layout.iter().flatten().rev())).collect();
    chain.push(leaves(last.iter().flat_map(|mode| mode.iter().rev())));
    if last.iter().any(|mode| mode.len() != 1) {
        let size =
            |mode: &Mode| mode.iter().try_fold(1_i64, |size, leaf| size.checked_mul(leaf.size));
        let sizes: Vec<String> = last
            .iter()
            .map(|mode| size(mode).map(|size| size.to_string()))
            .collect::<Option<_>>()?;
        chain.push(format!("reshape{}", tuple(&sizes)));
    }
    let note = "Read as a CuTe layout: within a mode the leftmost digit runs fastest, so its digits are reversed.";
    Some(Pasted::chain(chain.join(" | "), note))
}

/// A digit of a layout.
#[derive(Clone, Copy)]
struct Leaf {
    size: i64,
    stride: i64,
}

type Mode = Vec<Leaf>;

fn leaves<'a>(leaves: impl Iterator<Item = &'a Leaf>) -> String {
    let (sizes, strides): (Vec<String>, Vec<String>) =
        leaves.map(|leaf| (leaf.size.to_string(), leaf.stride.to_string())).unzip();
    view(&sizes, &strides, 0)
}

/// Nested tuples.
#[derive(PartialEq, Eq)]
enum Nest {
    Leaf(i64),
    Many(Vec<Nest>),
}

impl Nest {
    fn flat(&self, into: &mut Vec<i64>) {
        match self {
            Nest::Leaf(number) => into.push(*number),
            Nest::Many(parts) => parts.iter().for_each(|part| part.flat(into)),
        }
    }

    fn same_outline(&self, other: &Nest) -> bool {
        match (self, other) {
            (Nest::Leaf(_), Nest::Leaf(_)) => true,
            (Nest::Many(one), Nest::Many(two)) => {
                one.len() == two.len()
                    && one.iter().zip(two).all(|(one, two)| one.same_outline(two))
            }
            _ => false,
        }
    }
}

/// The modes of a layout, each a list of digits.
fn modes(text: &str) -> Option<Vec<Mode>> {
    let (shape, strides) = match text.split_once(':') {
        Some((shape, strides)) => (nest(shape)?, Some(nest(strides)?)),
        None => (nest(text)?, None),
    };
    let mut sizes = Vec::new();
    shape.flat(&mut sizes);
    let mut steps = Vec::new();
    match &strides {
        Some(strides) if strides.same_outline(&shape) => strides.flat(&mut steps),
        Some(_) => return None,
        // Missing strides are compact, the leftmost fastest. A flat tuple is our own notation.
        None => {
            let Nest::Many(parts) = &shape else { return None };
            if !parts.iter().any(|part| matches!(part, Nest::Many(_))) {
                return None;
            }
            let mut step = 1_i64;
            for &size in &sizes {
                steps.push(step);
                step = step.checked_mul(size)?;
            }
        }
    }
    let mut digits = sizes.into_iter().zip(steps).map(|(size, stride)| Leaf { size, stride });
    let parts = match &shape {
        Nest::Leaf(_) => core::slice::from_ref(&shape),
        Nest::Many(parts) => parts,
    };
    let mut modes = Vec::new();
    for part in parts {
        let mut inside = Vec::new();
        part.flat(&mut inside);
        modes.push(digits.by_ref().take(inside.len()).collect());
    }
    Some(modes)
}

/// Reads nested tuples of numbers, which may be preceded by an underscore.
fn nest(text: &str) -> Option<Nest> {
    // Deeper than any layout, and shallow enough for any stack.
    const DEEPEST: usize = 64;
    let mut open: Vec<Vec<Nest>> = Vec::new();
    let mut done: Option<Nest> = None;
    let mut rest = text.trim();
    let mut due = true;
    while let Some(letter) = rest.chars().next() {
        match letter {
            '(' if due && open.len() < DEEPEST => {
                open.push(Vec::new());
                rest = &rest[1..];
            }
            ')' => {
                let closed = Nest::Many(open.pop()?);
                match open.last_mut() {
                    Some(outer) => outer.push(closed),
                    None if done.is_none() => done = Some(closed),
                    None => return None,
                }
                due = false;
                rest = &rest[1..];
            }
            ',' if !due && !open.is_empty() => {
                due = true;
                rest = &rest[1..];
            }
            ' ' => rest = rest.trim_start(),
            '_' | '0'..='9' if due => {
                let digits = rest.strip_prefix('_').unwrap_or(rest);
                let length = digits.bytes().take_while(u8::is_ascii_digit).count();
                let leaf = Nest::Leaf(digits[..length].parse().ok()?);
                match open.last_mut() {
                    Some(outer) => outer.push(leaf),
                    None if done.is_none() => done = Some(leaf),
                    None => return None,
                }
                due = false;
                rest = &digits[length..];
            }
            _ => return None,
        }
    }
    open.is_empty().then_some(done)?
}
