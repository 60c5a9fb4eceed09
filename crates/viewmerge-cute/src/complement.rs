//! Complements: what a layout leaves out.
//!
//! The complement of L up to N is the increasing layout R such that (L, R), apart from modes of stride 0,
//! takes every value 0, 1, …, M − 1 exactly once, with M ≥ N as small as possible. Filling an interval
//! determines R: the smallest value not covered comes next. So R exists exactly if, sorted by stride, every
//! mode's size·stride divides the next stride. Other implementations answer regardless.

use crate::answer::{Answer, NoLayout};
use crate::coalesce::coalesced;
use crate::error::Error;
use crate::layout::{Layout, Mode};

/// The modes that matter, sorted by stride; negative strides are refused.
pub(crate) fn sorted_modes(op: &'static str, layout: &Layout) -> Result<Vec<(i64, i64)>, Error> {
    let leaves = layout.leaves();
    let negative = |leaf: &(i64, i64)| leaf.0 > 1 && leaf.1 < 0;
    if let Some(mode) = leaves.iter().position(negative) {
        return Err(Error::NegativeStride { op, mode, stride: leaves[mode].1 });
    }
    let mut modes: Vec<_> =
        leaves.into_iter().filter(|&(size, stride)| size > 1 && stride > 0).collect();
    modes.sort_by_key(|&(size, stride)| (stride, size));
    Ok(modes)
}

/// The complement of a layout up to `size`: the increasing layout that fills what the layout leaves out.
///
/// # Errors
///
/// For a layout with negative strides.
///
/// ```
/// use viewmerge_cute::complement;
///
/// assert_eq!(complement(&"4:2".parse()?, 24)?.to_string(), "(2,3):(1,8)");
/// assert_eq!(complement(&"(2,4):(1,6)".parse()?, 24)?.to_string(), "3:2");
/// assert_eq!(complement(&"4:2".parse()?, 7)?.to_string(), "2:1");
/// # Ok::<(), viewmerge_cute::Error>(())
/// ```
pub fn complement(layout: &Layout, size: i64) -> Result<Answer, Error> {
    Ok(match complement_up_to(layout, size)? {
        Ok((mode, _)) => Answer::Layout(Layout::new(mode)?),
        Err(none) => Answer::None(none),
    })
}

/// The complement as a mode, and where the two together end.
pub(crate) fn complement_up_to(
    layout: &Layout,
    size: i64,
) -> Result<Result<(Mode, i128), NoLayout>, Error> {
    let modes = sorted_modes("complement", layout)?;
    let mut filled: Vec<(i64, i64)> = Vec::new();
    let mut reach = 1i64;
    let mut lower = None;
    for &mode in &modes {
        if mode.1 % reach != 0 {
            // Every stride is a multiple of 1, so this is not the first mode and a lower one exists.
            let lower = lower.unwrap_or(mode);
            return Ok(Err(NoLayout::Gap { lower, upper: mode }));
        }
        filled.push((mode.1 / reach, reach));
        // size·stride is at most the largest value plus the stride.
        reach = mode.0.checked_mul(mode.1).ok_or(Error::View(viewmerge::Error::OffsetRange {
            offset: i128::from(mode.0) * i128::from(mode.1),
        }))?;
        lower = Some(mode);
    }
    let times = i128::from(size.max(0)).max(1);
    let times = (times + i128::from(reach) - 1) / i128::from(reach);
    // At most `size`.
    filled.push((i64::try_from(times).unwrap_or(i64::MAX), reach));
    Ok(Ok((Mode::of_leaves(coalesced(&filled)), times * i128::from(reach))))
}
