//! Layouts of a class, seen from its tensors.

use super::graph::{Tensor, Triple, pieces};

/// A layout: digits (place, size) of the root's index, slowest in memory first.
pub(super) type Layout = Vec<(i64, i64)>;

/// A digit of an axis: (axis, place, size).
pub(super) type Digit = (usize, i64, i64);

/// Whether digits are an order of the whole index, in the one accepted spelling.
pub(super) fn is_layout(layout: &Layout, elements: i64) -> bool {
    let mut sorted = layout.clone();
    sorted.sort_unstable();
    let mut at = 1i64;
    for &(place, size) in &sorted {
        if place != at || size < 2 {
            return false;
        }
        match at.checked_mul(size) {
            Some(next) if next <= elements => at = next,
            _ => return false,
        }
    }
    at == elements && layout.windows(2).all(|pair| pair[0].0 != pair[1].0 * pair[1].1)
}

/// The root's layout in which a tensor is row-major.
pub(super) fn row_major(tensor: &Tensor) -> Layout {
    let mut digits = tensor.digits.clone();
    digits.sort_by_key(|digit| std::cmp::Reverse(digit.own));
    let mut layout: Layout = Vec::new();
    for digit in digits {
        match layout.last_mut() {
            Some(last) if last.0 == digit.root * digit.size => {
                *last = (digit.root, last.1 * digit.size)
            }
            _ => layout.push((digit.root, digit.size)),
        }
    }
    layout
}

/// A layout of a class as digits of the axes of a tensor, grouped into `shape`; `None` if digits do not
/// split.
pub(super) fn on_axes(layout: &Layout, tensor: &Tensor, shape: &[i64]) -> Option<Vec<Digit>> {
    let bounds: Vec<i64> = tensor.digits.iter().map(|triple| triple.root).collect();
    let mut places = Vec::with_capacity(shape.len());
    let mut place = 1i64;
    for &size in shape.iter().rev() {
        places.push(place);
        place = place.checked_mul(size)?;
    }
    places.reverse();
    // Digits of the tensor's own index, slowest first. Neighbours that continue each other form one digit
    // here, even if the layout cuts them.
    let mut own: Layout = Vec::new();
    for &(place, size) in layout {
        for (root, size) in pieces(place, size, &bounds)?.into_iter().rev() {
            let inside = |triple: &&Triple| triple.root <= root && root < triple.root * triple.size;
            let triple = tensor.digits.iter().find(inside)?;
            if root % triple.root != 0 || root * size > triple.root * triple.size {
                return None;
            }
            let place = triple.own * (root / triple.root);
            match own.last_mut() {
                Some(last) if last.0 == place * size => *last = (place, last.1 * size),
                _ => own.push((place, size)),
            }
        }
    }
    let mut digits: Vec<Digit> = Vec::new();
    for (place, size) in own {
        for (own, size) in pieces(place, size, &places)?.into_iter().rev() {
            let axis = (0..shape.len()).find(|&axis| {
                shape[axis] > 1 && places[axis] <= own && own < places[axis] * shape[axis]
            })?;
            digits.push((axis, own / places[axis], size));
        }
    }
    Some(fused(digits))
}

/// Fuses neighbouring digits of one axis that continue each other.
pub(super) fn fused(digits: Vec<Digit>) -> Vec<Digit> {
    let mut found: Vec<Digit> = Vec::new();
    for (axis, place, size) in digits {
        match found.last_mut() {
            _ if size == 1 => {}
            Some(last) if last.0 == axis && last.1 == place * size => {
                *last = (axis, place, last.2 * size)
            }
            _ => found.push((axis, place, size)),
        }
    }
    found
}
