//! Composition, A ∘ B: the layout of B's shape with the values A(B(i)).
//!
//! It exists exactly if B's values lie in the domain of A and the chain of the two views splits (see
//! `ViewChain::split`): every mode of B is cut into digits, and the result is the coarsest layout
//! compatible with B. CuTe composes mode by mode, which assumes without proof that B's modes do not
//! interfere with each other in A; and it divides A's shape by B's strides, which refuses answers that
//! exist.
//!
//! Example: (8,12):(16,80) ∘ 2:9 = 2:96, although 9 divides nothing there.
//!
//! Cost: two or three merges of views, some microseconds.

use viewmerge::{Limit, NoSplit, Split, SplitView, ViewChain, Witness};

use crate::answer::{Answer, NoLayout};
use crate::coalesce::coalesced;
use crate::error::Error;
use crate::layout::{Layout, Mode, coordinates, view_of};

/// The composition A ∘ B.
///
/// B must stay in the domain of A, `0..size`. With `extend`, the last mode of the coalesced A is extended
/// as far as B needs it, which is CuTe's convention. Note that this depends on how A is written and not
/// only on its function: (4,1):(1,7) continues with 4, not with 7.
///
/// # Errors
///
/// [`Error::Domain`] if B leaves the domain of A; an error if the limit is reached first.
///
/// ```
/// use viewmerge_cute::{Limit, compose};
///
/// let none = Limit::none();
/// let c = compose(&"(6,2):(8,2)".parse()?, &"(4,3):(3,1)".parse()?, false, &none)?;
/// assert_eq!(c.to_string(), "((2,2),3):((24,2),8)");
/// let short = compose(&"4:1".parse()?, &"2:5".parse()?, false, &none);
/// assert_eq!(
///     short.unwrap_err().to_string(),
///     "B takes the coordinate (1) to 5, outside 0..4, the domain of A \
///      (the last mode of A may be extended)",
/// );
/// assert_eq!(compose(&"4:1".parse()?, &"2:5".parse()?, true, &none)?.to_string(), "2:5");
/// # Ok::<(), viewmerge_cute::Error>(())
/// ```
pub fn compose(a: &Layout, b: &Layout, extend: bool, limit: &Limit<'_>) -> Result<Answer, Error> {
    let mut a = a.leaves();
    let leaves = b.leaves();
    let below = view_of(&a)?;
    let above = view_of(&leaves)?;
    // The view of a layout has elements, all of them valid.
    let (first, last) = above.position_range().unwrap_or((0, 0));
    let size = below.count();
    let leaves_domain = first < 0 || last >= size;
    if leaves_domain && (first < 0 || !extend) {
        let end = |&(size, stride): &(i64, i64)| {
            if (stride < 0) == (first < 0) { size - 1 } else { 0 }
        };
        let position = if first < 0 { first } else { last };
        return Err(Error::Domain { coordinate: leaves.iter().map(end).collect(), position, size });
    }
    let below = if leaves_domain {
        a = extended(&a, last);
        view_of(&a)?
    } else {
        below
    };
    Ok(match ViewChain::from_views(&[below, above])?.split(limit)? {
        Ok(SplitView { split, view, .. }) => {
            let digits = split.shape().into_iter().zip(view.strides().iter().copied()).rev();
            Answer::Layout(rebuilt(b, &split, digits)?)
        }
        Err(none) => Answer::None(in_modes(none, &leaves)),
    })
}

/// Flattened modes, coalesced, the last one extended to reach a value.
fn extended(leaves: &[(i64, i64)], last: i64) -> Vec<(i64, i64)> {
    let mut modes = coalesced(leaves);
    if modes.is_empty() {
        modes.push((1, 0));
    }
    let before: i64 = modes[..modes.len() - 1].iter().map(|mode| mode.0).product();
    if let Some(mode) = modes.last_mut() {
        mode.0 = mode.0.max(last / before + 1);
    }
    modes
}

/// B's tree with every leaf replaced by its digits, which come fastest first.
pub(crate) fn rebuilt(
    b: &Layout,
    split: &Split,
    mut digits: impl Iterator<Item = (i64, i64)>,
) -> Result<Layout, Error> {
    let mut factors = split.factors().iter().rev();
    let mode = b.mode().map(&mut |_, _| {
        let count = factors.next().map_or(0, Vec::len);
        Mode::of_leaves(digits.by_ref().take(count))
    });
    Layout::new(mode)
}

/// The witness in terms of B's modes: axes and coordinates are reversed.
pub(crate) fn in_modes(none: NoSplit, leaves: &[(i64, i64)]) -> NoLayout {
    let mode = |axis: usize| leaves.len() - 1 - axis;
    let turned = |index: &[i64]| index.iter().rev().copied().collect::<Vec<_>>();
    match none {
        NoSplit::NotSeparable { axis, by, at, step, other, other_step } => NoLayout::NotSeparable {
            mode: mode(axis),
            by,
            at: turned(&at),
            step,
            other: turned(&other),
            other_step,
        },
        NoSplit::OffGrid { axis, size, place, next, .. } => {
            NoLayout::OffGrid { mode: mode(axis), size, place, next }
        }
        NoSplit::Forced { split, witness: Witness::Step { axis, at, step, other, other_step } } => {
            let (mode, by) = digit_of(&split, axis);
            NoLayout::Uneven {
                mode,
                by,
                at: joined(&split, &at, leaves),
                step,
                other: joined(&split, &other, leaves),
                other_step,
            }
        }
        // Layouts have no padding, so no other case can occur.
        _ => NoLayout::NoDigits { ways: 0, below: 0 },
    }
}

/// The mode of B that an axis of the split shape belongs to, and the place of this digit.
fn digit_of(split: &Split, axis: usize) -> (usize, i64) {
    let mut before = 0;
    let axes = split.factors();
    for (number, factors) in axes.iter().enumerate() {
        if axis < before + factors.len() {
            let place = factors[axis - before + 1..].iter().product();
            return (axes.len() - 1 - number, place);
        }
        before += factors.len();
    }
    (0, 1)
}

/// The coordinate of B for an index of the split shape.
fn joined(split: &Split, index: &[i64], leaves: &[(i64, i64)]) -> Vec<i64> {
    let position = viewmerge::ravel(&split.shape(), index).unwrap_or(0);
    coordinates(leaves, position)
}
