//! Fewer modes, the same function.
//!
//! Two neighbouring modes s:d and s':d' with s·d = d' fuse to (s·s'):d, and modes of size 1 vanish. A
//! layout in which nothing fuses has the fewest modes possible, so two layouts of one size are the same
//! function exactly if they coalesce to the same list. Nothing is enumerated.

use crate::error::Error;
use crate::layout::{Layout, Mode, value_at};
use crate::notation::{Reader, Tuple};

/// Flattened modes, fused as far as possible; empty for a single position.
pub(crate) fn coalesced(leaves: &[(i64, i64)]) -> Vec<(i64, i64)> {
    let mut fused: Vec<(i64, i64)> = Vec::with_capacity(leaves.len());
    for &(size, stride) in leaves.iter().filter(|leaf| leaf.0 > 1) {
        match fused.last_mut() {
            Some(last) if i128::from(last.0) * i128::from(last.1) == i128::from(stride) => {
                last.0 *= size;
            }
            _ => fused.push((size, stride)),
        }
    }
    fused
}

/// The flat layout with the fewest modes that is the same function.
///
/// ```
/// use viewmerge_cute::coalesce;
///
/// assert_eq!(coalesce(&"(2,(1,6)):(1,(6,2))".parse()?)?.to_string(), "12:1");
/// assert_eq!(coalesce(&"(1,1):(3,4)".parse()?)?.to_string(), "1:0");
/// # Ok::<(), viewmerge_cute::Error>(())
/// ```
pub fn coalesce(layout: &Layout) -> Result<Layout, Error> {
    Layout::new(Mode::of_leaves(coalesced(&layout.leaves())))
}

/// Each mode coalesced separately, wherever the profile has a number. The profile is a tuple nested like
/// the layout, or less deeply.
///
/// # Errors
///
/// If the profile cannot be parsed or does not fit.
///
/// ```
/// use viewmerge_cute::coalesce_by;
///
/// let layout = "((2,2),(3,4)):((1,2),(4,12))".parse()?;
/// assert_eq!(coalesce_by(&layout, "(1,1)")?.to_string(), "(4,12):(1,4)");
/// assert_eq!(coalesce_by(&layout, "1")?.to_string(), "48:1");
/// # Ok::<(), viewmerge_cute::Error>(())
/// ```
pub fn coalesce_by(layout: &Layout, profile: &str) -> Result<Layout, Error> {
    let mut reader = Reader::new(profile);
    let profile = reader.tuple(0)?;
    reader.end()?;
    Layout::new(by_profile(layout.mode(), &profile)?)
}

fn by_profile(mode: &Mode, profile: &Tuple) -> Result<Mode, Error> {
    match (profile, mode) {
        (Tuple::Number(_), mode) => Ok(Mode::of_leaves(coalesced(&mode.leaves()))),
        (Tuple::Tuple(entries), Mode::Node(modes)) if entries.len() == modes.len() => {
            let modes = modes.iter().zip(entries).map(|(mode, entry)| by_profile(mode, entry));
            Ok(Mode::Node(modes.collect::<Result<_, _>>()?))
        }
        (Tuple::Tuple(entries), Mode::Node(modes)) => {
            Err(Error::Profile { rank: modes.len(), found: entries.len() })
        }
        (Tuple::Tuple(entries), Mode::Leaf { .. }) => {
            Err(Error::Profile { rank: 1, found: entries.len() })
        }
    }
}

/// Whether two layouts are the same function: the same size and the same values.
///
/// ```
/// use viewmerge_cute::equal;
///
/// assert!(equal(&"(2,6):(1,2)".parse()?, &"12:1".parse()?));
/// assert!(!equal(&"(2,6):(6,1)".parse()?, &"12:1".parse()?));
/// # Ok::<(), viewmerge_cute::Error>(())
/// ```
pub fn equal(a: &Layout, b: &Layout) -> bool {
    coalesced(&a.leaves()) == coalesced(&b.leaves())
}

/// The first position at which two layouts have different values, with both values; `None` for equal
/// layouts, and for layouts of different sizes.
///
/// ```
/// use viewmerge_cute::difference;
///
/// assert_eq!(difference(&"(2,6):(6,1)".parse()?, &"12:1".parse()?), Some((1, 6, 1)));
/// assert_eq!(difference(&"(4,3):(1,4)".parse()?, &"(4,3):(1,5)".parse()?), Some((4, 4, 5)));
/// # Ok::<(), viewmerge_cute::Error>(())
/// ```
pub fn difference(a: &Layout, b: &Layout) -> Option<(i64, i64, i64)> {
    if a.size() != b.size() {
        return None;
    }
    let [one, other] = [a, b].map(|layout| coalesced(&layout.leaves()));
    let mut place = 1;
    for (&(size, stride), &(other_size, other_stride)) in one.iter().zip(&other) {
        if (size, stride) == (other_size, other_stride) {
            place *= size;
            continue;
        }
        // Either the strides differ here, or one mode continues evenly where the other ends.
        let position = if stride == other_stride { place * size.min(other_size) } else { place };
        let [first, second] = [&one, &other].map(|leaves| value_at(leaves, position));
        return Some((position, first, second));
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equality_is_that_of_values() {
        let layouts: Vec<Layout> = [
            "12:1",
            "(2,6):(1,2)",
            "(2,6):(6,1)",
            "(3,4):(4,1)",
            "(2,2,3):(6,3,1)",
            "(12,1):(1,5)",
            "(4,3):(0,0)",
            "12:0",
            "(4,3):(1,4)",
            "(4,3):(1,5)",
            "6:1",
            "(2,3):(1,2)",
            "(2,2,3):(0,1,2)",
        ]
        .map(|text| text.parse().expect(text))
        .into();
        for a in &layouts {
            for b in &layouts {
                let values = |layout: &Layout| -> Vec<i64> {
                    (0..layout.size()).map(|i| layout.at(i).expect("inside")).collect()
                };
                let (one, other) = (values(a), values(b));
                assert_eq!(equal(a, b), one == other, "{a} {b}");
                let walked = one.iter().zip(&other).position(|(x, y)| x != y);
                let walked = walked.filter(|_| one.len() == other.len());
                let found = difference(a, b);
                assert_eq!(found.map(|found| found.0), walked.map(|at| at as i64), "{a} {b}");
            }
        }
    }
}
